"""Attacks the rules engine with mutated lines: one JSON object for each, no exception, nothing changed by a refusal."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from script.benches.attack_report import Report
from seance.engine import LONGEST_LINE, Engine

ROOT = Path(__file__).parents[2]
TRANSCRIPTS = ROOT / "tests/compatibility/engine"
PROCESS_SHARE = 20
"""One line in so many goes to the real `seance engine`."""
ODD_VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    7,
    85,
    2**31,
    2**63 - 1,
    2**63,
    -(2**63) - 1,
    10**400,
    0.5,
    1e308,
    -0.0,
    "",
    "red",
    "ghost",
    "room",
    "x" * 70,
    "\x00",
    "\u202e",
    "\U0001f47b",
    "é",
    [],
    {},
    [1],
    [1, 1, 1],
    ["red", "red"],
    {"a": {"b": []}},
    [[[[]]]],
)
"""In place of any value of a line."""
ODD_LINES = (
    b"",
    b" ",
    b"\x00",
    b"null",
    b"[]",
    b'"begin"',
    b"{}",
    b"{",
    b"NaN",
    b'{"view":NaN}',
    b'{"legal":Infinity}',
    b"\xef\xbb\xbf{}",
    b'{"view":"\xff"}',
    b'{"view":"\\ud800"}',
    b'{"command":"\\ud800"}',
    b'{"\\ud800":1}',
    b"[" * 40_000,
    b'{"view":' * 8_000,
    b'{"command":' + b"[" * 500 + b"]" * 500 + b"}",
    b'{"command":"begin","players":' + b"9" * 5000 + b"}",
    b'{"command":"begin","players":1e' + b"9" * 50 + b"}",
    b'{"view":"' + b"x" * (LONGEST_LINE - 11) + b'"}',
    b'{"view":"' + b"x" * LONGEST_LINE + b'"}',
)
"""Whole lines that no valid one leads to."""


def run(seed: int, count: int) -> Report:
    """Try *count* lines of *seed*, most of them in this process and some on the real program."""
    report, chance, nights = Report("engine"), Random(f"engine/{seed}"), _nights()
    for_process = count // PROCESS_SHARE
    while report.count < count - for_process:
        _attack_engine(report, chance, nights, count - for_process)
    _attack_process(report, chance, nights, for_process)
    return report


def _nights() -> list[list[bytes]]:
    """Return the lines of whole nights that are JSON objects, one list a night."""
    files = sorted(TRANSCRIPTS.glob("*.txt"))
    return [[line[2:] for line in file.read_bytes().splitlines() if line.startswith(b"> {")] for file in files]


def _attack_engine(report: Report, chance: Random, nights: list[list[bytes]], limit: int) -> None:
    """Play a night in which mutated lines come between the valid ones, up to *limit* lines in total."""
    engine = Engine()
    for line in chance.choice(nights):
        for mutated in _mutations(chance, line, nights):
            before, kept = engine.state, repr(engine.state) if chance.random() < 0.02 else None
            granted = _is_granted(report, engine, mutated)
            if not granted and (engine.state is not before or (kept is not None and repr(engine.state) != kept)):
                report.lost.append(f"a refusal changed the state: {mutated[:200]!r}")
            if granted and chance.random() < 0.7:
                engine.state = before  # so that most nights come far
            report.count += 1
            if report.count >= limit:
                return
        _is_granted(report, engine, line)
        report.count += 1
        if report.count >= limit:
            return


def _is_granted(report: Report, engine: Engine, line: bytes) -> bool:
    """Tell whether *line* is granted, and report an answer that is not one."""
    try:
        answer = engine.answer(line)
    except BaseException as error:
        report.tracebacks.append(f"{type(error).__name__} after {line[:200]!r}: {error}")
        return False
    return _check_answer(report, line, answer)


def _check_answer(report: Report, line: bytes, answer: bytes) -> bool:
    """Tell whether *answer* grants *line*, and report it unless it is one JSON object of the promised shape."""
    try:
        told = json.loads(answer)
    except ValueError:
        told = None
    is_granted = isinstance(told, dict) and told.get("ok") is True
    is_refused = isinstance(told, dict) and told.get("ok") is False and {"refusal", "message"} <= set(told)
    if b"\n" in answer or not (is_granted or is_refused):
        report.lost.append(f"no answer to {line[:200]!r}: {answer[:200]!r}")
    if is_granted and "secret" in (told.get("view") or {}) and b"ghost" not in line:
        report.got_in.append(f"the room sees a secret after {line[:200]!r}")
    return is_granted


def _attack_process(report: Report, chance: Random, nights: list[list[bytes]], count: int) -> None:
    """Send *count* lines to `seance engine`."""
    lines: list[bytes] = []
    while len(lines) < count:
        for line in chance.choice(nights):
            lines += [*_mutations(chance, line, nights), line]
    lines = lines[:count]
    program = [sys.executable, "-m", "seance", "engine"]
    given = b"".join(line + b"\n" for line in lines)
    done = subprocess.run(program, input=given, capture_output=True, cwd=ROOT, check=False)
    answers = done.stdout.splitlines()
    if len(answers) != len(lines) or done.returncode != 0:
        report.lost.append(f"{len(lines)} lines, {len(answers)} answers, exit status {done.returncode}")
    if done.stderr:
        report.tracebacks.append(done.stderr[-2000:].decode(errors="replace"))
    for line, answer in zip(lines, answers, strict=False):
        _check_answer(report, line, answer)
    report.count += len(lines)


# Mutations


def _mutations(chance: Random, line: bytes, nights: list[list[bytes]]) -> Iterator[bytes]:
    """Yield a few lines that are nearly *line*; none has a newline in it."""
    for _ in range(chance.randint(1, 12)):
        other = chance.choice(chance.choice(nights))
        if chance.random() < 0.02:
            mutated = chance.choice(ODD_LINES)
        elif chance.random() < 0.6:
            mutated = _mutate_values(chance, line, other)
        else:
            mutated = mutate_bytes(chance, line, other)
        yield mutated.replace(b"\n", b" ")


def _mutate_values(chance: Random, line: bytes, other: bytes) -> bytes:
    """Return *line* with other keys or values; still JSON, in some cases with a key twice."""
    try:
        fields, others = json.loads(line), json.loads(other)
    except ValueError:
        return mutate_bytes(chance, line, other)
    for _ in range(chance.randint(1, 3)):
        key = chance.choice([*fields, *others, "seed", "view", "legal", "command"])
        kind = chance.randrange(6)
        if kind == 0:
            fields.pop(key, None)
        elif kind == 1:
            fields[key] = chance.choice(ODD_VALUES)
        elif kind == 2:
            fields[key] = others.get(key, chance.choice(ODD_VALUES))
        elif kind == 3 and isinstance(fields.get(key), int):
            fields[key] += chance.choice((-1, 1, 10, -100, 2**40))
        elif kind == 4 and isinstance(fields.get(key), list):
            fields[key] = [*fields[key], chance.choice(ODD_VALUES)] * chance.randint(0, 3)
        else:
            fields[chance.choice(("x", "", key + " ", key.upper(), key * 9))] = chance.choice(ODD_VALUES)
    text = json.dumps(fields, ensure_ascii=chance.random() < 0.5).encode()
    if fields and chance.random() < 0.1:
        text = text[:-1] + b", " + json.dumps({chance.choice([*fields]): chance.choice(ODD_VALUES)}).encode()[1:]
    return text


def mutate_bytes(chance: Random, line: bytes, other: bytes) -> bytes:
    """Return *line* with some bytes changed, removed, repeated or from *other*."""
    mutated = bytearray(line)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(mutated) + 1)
        to = min(len(mutated), at + chance.randint(1, 12))
        kind = chance.randrange(6)
        if kind == 0 and at < len(mutated):
            mutated[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            del mutated[at:to]
        elif kind == 2:
            mutated[at:at] = mutated[at:to] * chance.randint(1, 5)
        elif kind == 3:
            mutated[at:at] = chance.randbytes(chance.randint(1, 6))
        elif kind == 4:
            cut = chance.randrange(len(other) + 1)
            mutated[at:] = other[cut:]
        else:
            mutated[at:at] = chance.choice(
                (b'"', b"{", b"}", b"[", b",", b":", b"\\", b"\\u0000", b"\xc3", b"-", b"1e9")
            )
    return bytes(mutated)
