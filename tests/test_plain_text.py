"""Text of others cannot command a terminal, forge a line of a log or break JSON."""

import json
import unicodedata

import pytest

from seance.plain_text import error_line, file_name, json_line, strip_controls, strip_line_controls

HOSTILE = {
    "a window title": ("\x1b]0;owned\x07red", "]0;ownedred"),
    "the clipboard": ("\x1b]52;c;ZXZpbA==\x1b\\", "]52;c;ZXZpbA==\\"),
    "the cursor": ("a\x1b[2J\x1b[Hb", "a[2J[Hb"),
    "C1 instead of an escape": ("\x9b31mred\x9d0;t\x9c", "31mred0;t"),
    "backspaces and DEL": ("no\b\b\x7fyes", "noyes"),
    "a forged line": ("all is well\r\n<2>CRITICAL", "all is well <2>CRITICAL"),
    "Unicode's line ends": ("a\u2028b\u2029c\x85d", "a b c d"),
    "reversed letters": ("\u202egnirts\u2066", "gnirts"),
    "a NUL": ("a\0b", "ab"),
    "half a surrogate pair": ("a\udcff", "a\ufffd"),
}


@pytest.mark.parametrize(("text", "plain"), HOSTILE.values(), ids=HOSTILE)
def test_what_a_terminal_would_obey_is_gone(text: str, plain: str) -> None:
    assert strip_controls(text) == plain
    assert strip_controls(plain) == plain


def test_no_character_is_left_that_is_a_control_or_a_line_end() -> None:
    for code in range(0x110000):
        for letter in strip_controls(chr(code)):
            assert unicodedata.category(letter) not in ("Cc", "Cs", "Zl", "Zp")
            assert unicodedata.bidirectional(letter) not in (
                "LRE",
                "RLE",
                "LRO",
                "RLO",
                "PDF",
                "LRI",
                "RLI",
                "FSI",
                "PDI",
            )


def test_names_of_all_languages_are_left_alone() -> None:
    for name in ("Mère Wang", "Zoë", "Łukasz", "王夫人", "שרה", "مريم", "👻 👩‍👩‍👧", "e\u0301"):
        assert strip_controls(name) == strip_line_controls(name) == name


def test_several_lines_stay_several_lines() -> None:
    assert strip_line_controls("one\n\ttwo\x1b[0m\r\nthree") == "one\n\ttwo[0m\nthree"


def test_a_message_has_one_line_of_bounded_length() -> None:
    assert error_line(ValueError("a\nb")) == "a b"
    assert len(error_line("x" * 1_000_000)) == 1001


def test_a_file_name_that_is_no_text_can_be_told() -> None:
    assert file_name("\udcffé.wav") == "\\xffé.wav"


def test_json_stays_on_one_line_and_can_be_read_back() -> None:
    line = json_line({"file": "a\nb\x1b\x9b\u202e\u2028é\ud800"})
    assert len(line.splitlines()) == 1
    assert strip_controls(line) == line
    assert json.loads(line) == {"file": "a\nb\x1b\x9b\u202e\u2028é\ud800"}
    with pytest.raises(ValueError, match="JSON compliant"):
        json_line({"seconds": float("nan")})
