"""Mutated content of files: bytes, values of TOML, JSON and YAML, and lines of a night whose checksums are right again."""

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from random import Random
from typing import Any
from zlib import crc32

from seance.languages import language_codes

TOKENS = (
    b"9" * 5000, b"0x" + b"f" * 2000, b"1e999", b"-1", b"nan", b"inf", b"null", b"true", b"~", b"~nosuch/x", b"/dev/zero", b"/",
    b"\0", b"\xff\xfe", b"\x1b]0;x\x07", b"\xe2\x80\xae", b"\xef\xbb\xbf", b"[" * 3000, b"{" * 3000, b"(" * 3000, b"a." * 3000,
    b"&a [*a]", b"*a", b"<<: *a", b"<x>", b"{x}", b"{0-999999999}", b"(a;b;c;d;e;f;g;h;i;j;k)", b"(a|b)" * 20, b"[a]" * 40,
    b'"', b"'", b"\\", b"\n", b"\r", b"\t", b"#", b"=", b":", b"- ", b"{", b"}", b"[", b"]", b"%s", b"{psychic}", b"{0.__class__}",
    b"../../../etc/passwd", b"x" * 70000, b"2024-13-45", b"\\u0000", b"\\ud800",
)  # fmt: skip
"""In place of a word, the rest of a line, or between two bytes."""
VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 2**31, 2**63, 2**64, 10**300, -(10**300), 1e308, 0.5, "", "x" * 5000, "\x1b]0;x\x07", "\u202e", "de", [], {}, [[]],
    {"": None}, ["x"] * 5000, "libellud", "red", 1,
)  # fmt: skip
"""In place of any value of a document."""
TEXTS = (
    "", " ", "\0", "\x1b]0;x\x07", "\u202e", "[/]", "[red]", "{", "}", "{psychic}", "{0.__class__}", "{psychic!r}", "{psychic:{x}}", "%s", "é" * 300,
    "x" * 5000, "~nosuch", "~", ".", "/", "/dev/zero", "/dev/null", "/dev/null/x", "/proc/self/mem", "../" * 50, "x" * 300 + ".toml", "a/b.toml",
    "breadboard", "auto", "x.onnx", *language_codes(), "(a;b;c;d;e;f;g;h;i;j)", "[a] [b] [c]", "<x>", "{x}", "{0-9999999}", "(a|b)" * 15, "card {card}",
    "1", "!", "'", "ghost", "\n", "\ud7ff",
)  # fmt: skip
"""In place of a text of the owner's."""
NUMBERS = (-1, 0, 1, 2, 3, 7, 8, 27, 28, 255, 2**31, 2**63 - 1, -(2**63), 0.0, 0.01, 0.5, 1e-300, 1e300, -1e300)
"""In place of a number of the owner's."""
LENGTHS = (1, 2, 8, 40, 400)
"""How many bytes are removed, repeated or replaced."""


def mutate(content: bytes, chance: Random) -> bytes:
    """Return *content* after one or a few changes of its bytes."""
    for _ in range(chance.choice([1, 1, 1, 2, 4])):
        at = chance.randrange(len(content) + 1)
        end = min(len(content), at + chance.choice(LENGTHS))
        before, part, after = content[:at], content[at:end], content[end:]
        match chance.randrange(8):
            case 0:  # flip a bit
                content = before + bytes(byte ^ 1 << chance.randrange(8) for byte in part[:1]) + part[1:] + after
            case 1:
                content = before + after
            case 2:
                content = before + part * chance.choice([2, 3, 50, 500]) + after
            case 3:
                content = before
            case 4:
                content = before + chance.randbytes(len(part)) + after
            case 5:  # something else for the rest of the line
                rest = (part + after).partition(b"\n")
                content = before + chance.choice(TOKENS) + rest[1] + rest[2]
            case 6:
                content = _replace_word(content, at, chance)
            case _:
                content = before + chance.choice(TOKENS) + part + after
    return content


def _replace_word(content: bytes, at: int, chance: Random) -> bytes:
    """Return *content* with something else for one of the words or numbers behind *at*."""
    words = list(re.finditer(rb"[\w.-]+", content[at : at + 4000]))[:20]
    if not words:
        return content
    word = chance.choice(words)
    return content[: at + word.start()] + chance.choice(TOKENS) + content[at + word.end() :]


def mutate_toml(content: bytes, chance: Random) -> bytes:
    """Return the TOML *content* after a change of its text, or of a few values."""
    if chance.random() < 0.4:
        return mutate(content, chance)
    tree = tomllib.loads(content.decode())
    for _ in range(chance.choice([1, 1, 1, 3])):
        mutate_value(tree, chance, replacement)
    return "".join(_toml_lines(tree, "")).encode()


def _toml_lines(table: dict[str, Any], before: str) -> Iterator[str]:
    for name, value in table.items():
        key = before + json.dumps(name)
        if isinstance(value, dict):
            yield from _toml_lines(value, f"{key}.")
        else:
            yield f"{key} = {_toml_value(value)}\n"


def _toml_value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(name)} = {_toml_value(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else json.dumps(value)


def mutate_json(content: bytes, chance: Random) -> bytes:
    """Return the JSON *content* after a change of its text, or of a few values."""
    if chance.random() < 0.3:
        return mutate(content, chance)
    document = json.loads(content)
    for _ in range(chance.choice([1, 1, 1, 2, 5])):
        mutate_value(document, chance)
    return json.dumps(document).encode()


def mutate_night(content: bytes, chance: Random) -> bytes:
    """Return the *content* of a night's file after a change of its bytes, or of a few values with right checksums."""
    if chance.random() < 0.4:
        return mutate(content, chance)
    records = [json.loads(line[9:]) for line in content.splitlines()]
    for _ in range(chance.choice([1, 1, 2, 5])):
        mutate_value(chance.choice([records[0], *records[1:2], chance.choice(records)]), chance)
    if chance.random() < 0.1:
        records.append(chance.choice(records))
    lines, chain = [], 0
    for record in records:
        text = json.dumps(record, separators=(",", ":")).encode()
        checksum = crc32(text, chain)
        lines.append(b"%08x %b\n" % (checksum, text))
        chain = chain if "notes" in record else checksum
    return b"".join(lines)


def replacement(value: Any, chance: Random) -> Any:
    """Return something else for *value*, mostly of its kind."""
    if chance.random() < 0.1:
        value = chance.choice(["", 1, [""], {}, True])
    match value:
        case bool():
            return not value
        case int() | float():
            return chance.choice(NUMBERS)
        case str():
            return chance.choice([chance.choice(TEXTS), value + chance.choice(TEXTS), chance.choice(TEXTS) + value])
        case list():
            more = [replacement(inner, chance) for inner in value] or [chance.choice(TEXTS)]
            return chance.choice([[], value[:1], value + more, more, value * 200])
        case _:
            return {**value, chance.choice(TEXTS): 1} if chance.random() < 0.5 else {}


def any_value(_value: Any, chance: Random) -> Any:
    """Return anything that JSON can hold."""
    return chance.choice(VALUES)


def mutate_value(document: Any, chance: Random, replace: Callable[[Any, Random], Any] = any_value) -> None:
    """Replace, remove or copy one value somewhere in *document*."""
    while True:
        keys = list(document) if isinstance(document, dict) else list(range(len(document)))
        if not keys:
            return
        key = chance.choice(keys)
        inner = document[key]
        if isinstance(inner, dict | list) and inner and chance.random() < 0.85:
            document = inner
            continue
        match chance.randrange(4):
            case 0:
                del document[key]
            case 1 if isinstance(document, dict):
                document[chance.choice(["", "x", "\x1b", "red", "1"])] = inner
            case _:
                document[key] = replace(inner, chance)
        return
