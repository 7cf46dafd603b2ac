"""Text of others made safe for a terminal, a log and JSON: no escape sequences, forged lines or reordered letters."""

from __future__ import annotations

import json
import os
import re
from typing import Any

_MAX_MESSAGE = 1000
_BREAKS = re.compile("[\t\n\v\f\r\x85\u2028\u2029]+")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""C0 but for tab and line ends, DEL, C1, and what changes the direction of text or ends a line."""
_ESCAPED = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_SURROGATES = re.compile("[\ud800-\udfff]")


def strip_controls(text: str) -> str:
    """Return *text* on one line, without any character that a terminal would obey."""
    return strip_line_controls(_BREAKS.sub(" ", text))


def strip_line_controls(text: str) -> str:
    """Return *text* of several lines, without any character but line ends and tabs that a terminal would obey."""
    return _SURROGATES.sub("\ufffd", _CONTROLS.sub("", text.replace("\r", "")))


def error_line(error: object) -> str:
    """Return the message of *error* on one line of a bounded length."""
    text = strip_controls(str(error))
    return text if len(text) <= _MAX_MESSAGE else f"{text[:_MAX_MESSAGE]}…"


def file_name(path: os.PathLike[str] | str) -> str:
    r"""Return *path* as text that can be encoded; bytes of it that are no UTF-8 become \xNN."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def json_line(value: Any) -> str:
    """Return *value* as JSON on one line, every character that a terminal would obey escaped; or raise ValueError."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
