"""The engine as a program: one line in, one line out, whatever comes."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from seance.engine import LONGEST_LINE, Engine, serve
from tests.wire import Client, names

BEGIN = b'{"command": "begin", "edition": "libellud", "players": 5, "level": "easy", "seed": 1894}'
RUBBISH = {
    "blank": b"",
    "spaces": b" \t ",
    "carriage return": b"\r",
    "no JSON": b"begin",
    "half a JSON": b'{"command": "begin"',
    "single quotes": b"{'view': 'room'}",
    "a comment": b'{"view": "room"} // please',
    "not a number": b"NaN",
    "a number": b"7",
    "a number too large": b"9" * 5000,
    "a word": b'"begin"',
    "null": b"null",
    "true": b"true",
    "a list": b'[{"view": "room"}]',
    "an empty object": b"{}",
    "an unknown question": b'{"look": "room"}',
    "an unknown command": b'{"command": "cheat"}',
    "a command that is no word": b'{"command": ["begin"]}',
    "a missing field": b'{"command": "begin", "edition": "libellud", "players": 5}',
    "an unknown field": b'{"command": "abandon", "why": "tired"}',
    "a wrong type": b'{"command": "choose_culprit", "group": "1"}',
    "out of range": b'{"command": "begin", "edition": "libellud", "players": 8, "level": "easy"}',
    "an unknown seat": b'{"view": "psychic"}',
    "a seat that is no word": b'{"view": {"seat": "room"}}',
    "a seat that is null": b'{"legal": null}',
    "a view with a field too many": b'{"view": "room", "please": true}',
    "two questions in one object": b'{"view": "room", "legal": "room"}',
    "a command and a question": b'{"command": "abandon", "view": "room"}',
    "two objects in one line": b'{"view": "room"} {"view": "ghost"}',
    "invalid UTF-8": b'{"view": "r\xff\xfem"}',
    "UTF-16": '{"view": "room"}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"view": "room"}',
    "half a surrogate": b'{"view": "\\ud800"}',
    "zeros": b"\0" * 64,
    "deep lists": b"[" * 30_000 + b"]" * 30_000,
    "deep objects": b'{"command":' * 5_000 + b"1" + b"}" * 5_000,
    "a megabyte of letters": b"x" * 2**20,
    "a megabyte of brackets": b"[" * 2**20,
    "a megabyte of a command": b'{"command": "' + b"x" * 2**20 + b'"}',
    "a line just too long": b'{"view": "room"}' + b" " * LONGEST_LINE,
}
EACH_RUBBISH = pytest.mark.parametrize("line", RUBBISH.values(), ids=RUBBISH)


def answers(*lines: bytes) -> list[dict[str, Any]]:
    """Return what the program answers to *lines*."""
    out = io.BytesIO()
    serve(io.BytesIO(b"\n".join(lines) + b"\n"), out, Engine())
    return [json.loads(line) for line in out.getvalue().splitlines()]


def assert_not_a_command(answer: dict[str, Any]) -> None:
    assert answer.keys() == {"ok", "refusal", "message"}
    assert (answer["ok"], answer["refusal"]) == (False, "NotACommand")
    assert 0 < len(answer["message"]) < 1000


@EACH_RUBBISH
def test_rubbish_before_a_night_is_not_a_command(line: bytes) -> None:
    refused, legal = answers(line, b'{"legal": "room"}')
    assert_not_a_command(refused)
    assert legal == {"ok": True, "legal": ["begin"]}


@EACH_RUBBISH
def test_rubbish_changes_nothing_and_the_engine_goes_on(line: bytes) -> None:
    begun, before, refused, after, legal = answers(
        BEGIN, b'{"view": "ghost"}', line, b'{"view": "ghost"}', b'{"legal": "ghost"}'
    )
    assert begun["ok"]
    assert_not_a_command(refused)
    assert after == before
    assert "give_vision" in legal["legal"]


@pytest.mark.parametrize("line", [b"%s", b'{"view": %s}', b'{"legal": %s}', b'{"command": %s}', b'{"what": %s}'])
@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")], ids=["lists", "objects"])
def test_rubbish_however_deep_is_not_a_command(line: bytes, opening: bytes, closing: bytes) -> None:
    engine = Engine()
    limit = sys.getrecursionlimit()
    for depth in (*range(1, 40), *range(limit - 60, limit + 10), 2 * limit):
        answer = json.loads(engine.answer(line % (opening * depth + b"1" + closing * depth)))
        assert_not_a_command(answer)


def test_every_line_has_one_answer() -> None:
    lines = [BEGIN, *RUBBISH.values(), b'{"view": "room"}', b'{"command": "abandon"}', b'{"legal": "room"}']
    assert len(answers(*lines)) == len(lines)


def test_a_last_line_without_its_end_is_answered() -> None:
    out = io.BytesIO()
    serve(io.BytesIO(b'{"legal": "room"}'), out, Engine())
    assert out.getvalue() == b'{"ok":true,"legal":["begin"]}\n'


def test_no_input_has_no_answer() -> None:
    out = io.BytesIO()
    serve(io.BytesIO(b""), out, Engine())
    assert out.getvalue() == b""


def test_a_line_may_end_as_on_other_systems() -> None:
    assert answers(b'{"legal": "room"}\r') == [{"ok": True, "legal": ["begin"]}]


def test_before_a_night_there_is_nothing_to_see_or_do() -> None:
    for line in (b'{"view": "room"}', b'{"view": "ghost"}', b'{"command": "abandon"}', b'{"command": "turn_sand"}'):
        (answer,) = answers(line)
        assert (answer["ok"], answer["refusal"]) == (False, "NoNight")


def test_a_refusal_names_its_class_and_says_what_was_tried() -> None:
    client = Client().begin()
    answer = client.ask(command="place_intuition", psychic="red", card=1)
    assert answer == {
        "ok": False,
        "refusal": "NotServedYet",
        "message": "red has had no vision in hour 1 yet",
    }


def test_without_a_seed_the_program_draws_one() -> None:
    tables = set()
    for _ in range(5):
        client = Client()
        client.do("begin", edition="libellud", players=5, level="easy")
        tables.add(json.dumps(client.room["table"]))
    assert len(tables) > 1


def test_the_same_lines_have_the_same_answers_byte_for_byte() -> None:
    lines = b"\n".join([BEGIN, b'{"view": "ghost"}', b'{"command": "give_vision", "psychic": "red", "count": 1}'])
    outs = [io.BytesIO(), io.BytesIO()]
    for out in outs:
        serve(io.BytesIO(lines), out, Engine())
    assert outs[0].getvalue() == outs[1].getvalue()


def test_a_command_is_answered_with_all_its_events() -> None:
    client = Client()
    events = client.do("begin", edition="libellud", players=5, level="easy", seed=1, visions="dealt")
    assert names(events) == ["night_begun", "seed_drawn", "secrets_dealt", "pile_shuffled", "hand_drawn"]


def engine_program(home: Path) -> subprocess.Popen[bytes]:
    """Start the program, away from the settings of whoever runs this."""
    return subprocess.Popen(
        [sys.executable, "-m", "seance", "engine"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "XDG_CONFIG_HOME": str(home)},
    )


def test_the_program_answers_rubbish_and_commands_alike_and_exits_0_at_the_end_of_input(tmp_path: Path) -> None:
    lines = [*RUBBISH.values(), BEGIN, *RUBBISH.values(), b'{"view": "room"}']
    with engine_program(tmp_path) as program:
        out, err = program.communicate(b"\n".join(lines) + b"\n")
    assert (program.returncode, err) == (0, b"")
    told = [json.loads(line) for line in out.splitlines()]
    assert [answer["ok"] for answer in told] == [False] * len(RUBBISH) + [True] + [False] * len(RUBBISH) + [True]


def test_the_program_answers_at_once(tmp_path: Path) -> None:
    with engine_program(tmp_path) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        for line, key in ((BEGIN, "events"), (b'{"view": "room"}', "view"), (b'{"legal": "ghost"}', "legal")):
            program.stdin.write(line + b"\n")
            program.stdin.flush()
            assert json.loads(program.stdout.readline())[key]
        out, err = program.communicate()
    assert (program.returncode, out, err) == (0, b"", b"")
