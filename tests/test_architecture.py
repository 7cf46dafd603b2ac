"""Who may import whom, and what no module may do, read from the sources; a package to come is one row of the table."""

import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.sources import classes, edition_tests, imported, impurities, nameless_functions, prints

ROOT = Path(__file__).parents[1]
OURS = ("seance", "hardware", "voices")


@dataclass(frozen=True)
class Room:
    """What the modules of one package may import, beside each other."""

    ours: tuple[str, ...] = ()
    """Rooms of ours, by the name of their row."""
    libraries: tuple[str, ...] = ()
    standard: frozenset[str] | None = None
    """Modules of the standard library; None for all of them."""


PURE = frozenset(["collections", "dataclasses", "enum", "functools", "inspect", "itertools", "random", "re", "typing"])
EVERYTHING = ("everything",)
BENEATH = ("hardware.coil", "hardware.pins")
"""The only two that may reach beneath gpiozero."""
DEVICES = (
    "seance.audio",
    "seance.audio.portaudio",
    "seance.hearing",
    "seance.speech",
    "seance.soundscape",
    "seance.models",
    "seance.wyoming",
    "seance.wyoming.addresses",
    "seance.speech.wyoming_voice",
    "hardware",
    *BENEATH,
)

ROOMS = {
    "seance": Room(),
    "seance.rules": Room(standard=PURE),
    "seance.codec": Room(("seance.rules",), ("msgspec",)),
    "seance.engine": Room(("seance.rules", "seance.codec"), ("msgspec",)),
    "seance.permissions": Room(standard=PURE),
    "seance.bounded_queue": Room(),
    "seance.plain_text": Room(),
    "seance.rate_limiter": Room(),
    "seance.text_files": Room(),
    "seance.languages": Room(("seance.text_files", "voices"), ("msgspec",)),
    "seance.word_forms": Room(("seance.languages",)),
    "seance.texts": Room(("seance.languages", "seance.text_files")),
    "seance.edition_texts": Room(("seance.rules", "seance.languages", "seance.text_files"), ("msgspec",)),
    "seance.wyoming.addresses": Room(),
    "seance.wyoming": Room(("seance.wyoming.addresses",), ("numpy", "wyoming", "zeroconf")),
    "seance.settings": Room(
        ("seance.languages", "seance.rules", "seance.text_files", "seance.mqtt_settings", "seance.sound_settings"),
        ("msgspec",),
    ),
    "seance.sound_settings": Room(("seance.text_files", "seance.wyoming.addresses"), ("msgspec",)),
    "seance.mqtt_settings": Room((), ("msgspec",)),
    "seance.mqtt": Room(
        ("seance.rules", "seance.web", "seance.permissions", "seance.texts", "seance.plain_text",
         "seance.bounded_queue"),
        ("msgspec", "paho"),
    ),
    "seance.dialogue": Room(
        ("seance.rules", "seance.permissions", "seance.dialogue.grammar", "seance.languages", "seance.text_files")
    ),
    "seance.dialogue.grammar": Room(
        ("seance.rules", "seance.languages", "seance.edition_texts", "seance.text_files"), ("hassil", "yaml")
    ),
    "seance.ghost_words": Room(
        ("seance.rules", "seance.languages", "seance.edition_texts", "seance.text_files"), ("msgspec",)
    ),
    "seance.dialogue.ghost_commands": Room(("seance.ghost_words",)),
    "seance.narration": Room(
        ("seance.rules", "seance.dialogue", "seance.languages", "seance.edition_texts", "seance.text_files",
         "seance.texts", "seance.word_forms")
    ),
    "seance.audio.portaudio": Room((), ("sounddevice",)),
    "seance.audio": Room(("seance.audio.portaudio", "seance.bounded_queue"), ("msgspec", "numpy", "soundfile", "soxr")),
    "seance.hearing": Room(("seance.audio",), ("numpy", "onnxruntime", "soxr", "unicode_rbnf", "vosk")),
    "seance.speech": Room(("seance.audio", "seance.languages", "seance.text_files"), ("msgspec", "numpy", "soxr")),
    "seance.speech.wyoming_voice": Room(
        ("seance.speech", "seance.wyoming", "seance.wyoming.addresses"), ("wyoming",)
    ),
    "seance.speech.pyttsx3_process": Room((), ("pyttsx3",)),
    "seance.speech.kokoro_process": Room(("seance.speech", "seance.audio"), ("numpy", "onnxruntime")),
    "seance.soundscape": Room(("seance.audio",), ("numpy", "soundfile", "soxr")),
    "seance.models": Room(("seance.languages",)),
    "seance.journal": Room(("seance.rules", "seance.codec", "seance.languages"), ("msgspec",)),
    "seance.chronicle": Room(
        ("seance.rules", "seance.languages", "seance.edition_texts", "seance.plain_text", "seance.text_files",
         "seance.word_forms", "seance.chronicle.guest_changes")
    ),
    "seance.chronicle.guest_changes": Room(("seance.rules",)),
    "seance.replay": Room(
        ("seance.rules", "seance.codec", "seance.journal", "seance.plain_text", "seance.texts"), ("msgspec", "rich")
    ),
    "seance.web": Room(
        ("seance.rules", "seance.codec", "seance.ghost_words", "seance.languages", "seance.permissions",
         "seance.plain_text", "seance.rate_limiter"),
        ("anyio", "itsdangerous", "msgspec", "segno", "sse_starlette", "starlette", "uvicorn"),
    ),
    "seance.daemon": Room(
        ("seance.rules", "seance.codec", "seance.dialogue", "seance.dialogue.grammar",
         "seance.dialogue.ghost_commands", "seance.ghost_words", "seance.narration", "seance.journal", "seance.web",
         "seance.permissions", "seance.plain_text", "seance.texts", "seance.edition_texts",
         "seance.chronicle.guest_changes"),
        ("msgspec",),
    ),
    "seance.daemon.terminal": Room(
        ("seance.rules", "seance.narration", "seance.plain_text", "seance.texts"), ("prompt_toolkit",)
    ),
    "seance.daemon.world": Room(
        ("seance.rules", "seance.codec", "seance.dialogue", "seance.dialogue.grammar",
         "seance.ghost_words", "seance.narration", "seance.journal", "seance.web", "seance.settings",
         "seance.mqtt", "seance.mqtt_settings", "seance.sound_settings", "seance.permissions", "seance.plain_text",
         "seance.rate_limiter",
         "seance.languages", "seance.text_files", "seance.texts", "seance.word_forms", "seance.edition_texts",
         "seance.daemon", *DEVICES),
    ),
    "seance.daemon.world.body_labels": Room(("seance.texts", "hardware.terminal_view")),
    "seance.demo": Room(
        ("seance.rules", "seance.dialogue", "seance.dialogue.grammar", "seance.narration",
         "seance.daemon", "seance.daemon.world", "hardware", "hardware.terminal_view", "seance.plain_text",
         "seance.daemon.world.body_labels", "seance.languages", "seance.text_files", "seance.texts", *DEVICES),
        ("msgspec", "numpy", "rich"),
    ),
    "seance.doctor": Room(("seance.journal", "seance.texts", *DEVICES), ("numpy",)),
    "seance.simulation": Room(("seance.rules",), ("distributed", "rich")),
    "seance.programs": Room(EVERYTHING, ("msgspec", "rich")),
    "seance.cli": Room(("seance.rules", "seance.plain_text", "seance.text_files", "seance.programs")),
    "seance.__main__": Room(("seance.cli",)),
    "hardware": Room((*BENEATH, "seance.text_files"), ("gpiozero", "msgspec")),
    "hardware.coil": Room(("hardware", "hardware.pins"), ("gpiozero", "lgpio")),
    "hardware.pins": Room(("hardware",), ("gpiozero", "lgpio")),
    "hardware.header": Room(("hardware",), ("gpiozero", "rich")),
    "hardware.wiring": Room(("hardware", "hardware.header")),
    "hardware.terminal_view": Room(("hardware", "hardware.header"), ("rich",)),
    "hardware.bench": Room(("hardware", "hardware.header", "hardware.terminal_view"), ("rich",)),
    "hardware.__main__": Room(("hardware", *BENEATH, "hardware.header", "hardware.bench"), ("rich",)),
    "voices": Room(standard=frozenset()),
}  # fmt: skip
HEARING = (
    "talk_window",
    "malloc_tuning",
    "noise_reduction",
    "voice_activity",
    "vocabulary",
    "decoder_graph",
    "active_grammar",
    "decoding",
    "endpointing",
    "foreground",
    "scoring",
    "tokens",
    "rescoring",
    "transcripts",
    "interpretation",
    "speaker_recognition",
    "recognition",
    "recogniser",
    "beamforming",
    "directional_filter",
    "array_recogniser",
    "array_fallback",
)
"""The way of an utterance through seance.hearing: a module imports only those before it."""
PRINTING = ("seance.cli", "hardware.__main__")
MAX_LINES = 400
MAX_LINES_OF_RULES = 350
CATALOGUES = ("seance.rules.refusals",)
"""Modules of the rules with many classes of a few lines each, which may be as long as any other module."""


def room_of(name: str) -> str | None:
    """Return the row of ROOMS in which a module, or something of it, stands."""
    parts = name.split(".")
    rows = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((row for row in rows if row in ROOMS and (row != "seance" or name == row)), None)


def trespasses(module: str, source: str) -> list[str]:
    """Return what *module* imports and may not, with the line."""
    row = room_of(module)
    if row is None:
        return [f"{module} stands in no row of ROOMS: say what it may import"]
    found = []
    for line, name in imported(source):
        if not _is_allowed(name, row):
            found.append(f"{module}:{line} may not import {name}")
    return found


def _is_allowed(name: str, row: str) -> bool:
    room, top = ROOMS[row], name.split(".")[0]
    if top in OURS:
        return room_of(name) in (row, "seance", None, *room.ours) or room.ours == EVERYTHING
    if top in sys.stdlib_module_names:
        return room.standard is None or top in room.standard
    return top in room.libraries  # a relative import has no top, and is in no list


def _module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


SOURCES = {_module(path): path for top in OURS for path in sorted((ROOT / top).rglob("*.py"))}
EACH_MODULE = pytest.mark.parametrize("module", SOURCES)
EACH_RULE_MODULE = pytest.mark.parametrize("module", [name for name in SOURCES if room_of(name) == "seance.rules"])


def source_of(module: str) -> str:
    return SOURCES[module].read_text(encoding="utf-8")


def test_the_sources_are_found() -> None:
    assert {"seance", "seance.rules", "seance.rules.decide", "seance.codec", "hardware", "voices"} <= set(SOURCES)


@EACH_MODULE
def test_a_module_imports_only_what_its_room_may(module: str) -> None:
    assert trespasses(module, source_of(module)) == []


def turns_back(stage: str, source: str) -> list[str]:
    """Return the modules of seance.hearing that a *stage* of it imports, and that do not come before it."""
    names = {name.removeprefix("seance.hearing.") for _, name in imported(source) if name.startswith("seance.hearing.")}
    return sorted({name.split(".")[0] for name in names} - set(HEARING[: HEARING.index(stage)]))


def test_every_stage_of_hearing_has_its_place_in_the_order() -> None:
    assert {f"seance.hearing.{stage}" for stage in HEARING} | {"seance.hearing"} == {
        module for module in SOURCES if room_of(module) == "seance.hearing"
    }


@pytest.mark.parametrize("stage", HEARING)
def test_an_utterance_goes_forward_only(stage: str) -> None:
    assert turns_back(stage, source_of(f"seance.hearing.{stage}")) == []


@EACH_RULE_MODULE
def test_the_rules_are_pure(module: str) -> None:
    assert impurities(source_of(module)) == []


@EACH_MODULE
def test_no_module_asks_which_edition_it_is(module: str) -> None:
    assert edition_tests(source_of(module)) == []


@EACH_MODULE
def test_only_programs_print(module: str) -> None:
    assert module in PRINTING or prints(source_of(module)) == []


@EACH_MODULE
def test_every_function_has_a_name(module: str) -> None:
    assert nameless_functions(source_of(module)) == []


def test_no_two_classes_share_a_name() -> None:
    counted = Counter(name for module in SOURCES for name in classes(source_of(module)))
    assert [name for name, count in counted.items() if count > 1] == []


def test_no_two_modules_share_a_name() -> None:
    # A program bears the name of what it starts, and a package may have a module of its own name.
    paths = [module.split(".") for module in SOURCES if not module.startswith("seance.programs.")]
    names = Counter(path[-1] for path in paths if path[-1] not in path[:-1])
    assert [name for name, count in names.items() if count > 1 and name != "__main__"] == []


@EACH_RULE_MODULE
def test_a_module_of_the_rules_is_one_idea(module: str) -> None:
    assert module in CATALOGUES or len(source_of(module).splitlines()) <= MAX_LINES_OF_RULES


def test_no_module_is_longer_than_the_limit() -> None:
    paths = [path for top in (*OURS, "tests", "script") for path in sorted((ROOT / top).rglob("*.py"))]
    lines = {path.relative_to(ROOT).as_posix(): len(path.read_text(encoding="utf-8").splitlines()) for path in paths}
    assert {path: count for path, count in lines.items() if count > MAX_LINES} == {}


# The checks themselves


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("seance.rules.turn", "import time"),
        ("seance.rules.turn", "import os.path"),
        ("seance.rules.turn", "from logging import getLogger"),
        ("seance.rules.turn", "import msgspec"),
        ("seance.rules.turn", "from seance.codec import encode"),
        ("seance.rules.turn", "from seance import codec"),
        ("seance.rules.turn", "import seance.engine as e"),
        ("seance.rules.turn", "from . import state"),
        ("seance.rules.turn", "from .state import State"),
        ("seance.rules.turn", "def late():\n    import socket"),
        ("seance.rules.turn", "if TYPE_CHECKING:\n    from seance.settings import Settings"),
        ("seance.codec", "import json, rich"),
        ("seance.codec", "from seance.engine import Engine"),
        ("seance.engine", "from seance.settings import load"),
        ("seance.settings", "from seance.codec import encode"),
        ("seance.dialogue.grammar.sentences", "from seance.codec import encode"),
        ("seance.speech.synthesis", "from seance.narration.cues import Say"),
        ("seance.narration.staging", "from seance.speech import synthesis"),
        ("seance.narration.staging", "from seance.audio import mixer"),
        ("seance.audio.mixer", "from seance.narration.cues import Say"),
        ("seance.speech.engines", "import pyttsx3"),
        ("seance.speech.engines", "import piper"),
        ("seance.speech.kokoro", "import onnxruntime"),
        ("seance.audio.microphone", "from seance.rules import Psychic"),
        ("seance.journal", "from seance.settings import load"),
        ("seance.web.pages", "from seance.journal import Journal"),
        ("seance.daemon.loop", "from hardware.clock import Clock"),
        ("hardware.clock", "from seance.rules import EDITIONS"),
        ("hardware.clock", "import RPi.GPIO"),
        ("hardware.clock", "import lgpio"),
        ("hardware.knocker", "import lgpio"),
        ("hardware.body", "import rich"),
        ("seance.nowhere", ""),
    ],
)
def test_a_planted_import_is_found(module: str, source: str) -> None:
    assert len(trespasses(module, source)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("seance.rules.turn", "from seance.rules import events as e\nfrom collections.abc import Iterator"),
        ("seance.codec", "import msgspec, json\nfrom seance.rules import EDITIONS"),
        ("seance.narration.staging", "from seance.narration.cues import Say\nfrom seance.rules import Psychic"),
        ("seance.daemon.world", "from hardware.clock import Clock\nfrom seance.audio.microphone import listen"),
        ("seance.programs.run", "from seance import settings as s\nfrom hardware.clock import Clock"),
    ],
)
def test_what_a_room_may_import_is_not_reported(module: str, source: str) -> None:
    assert trespasses(module, source) == []


@pytest.mark.parametrize(
    "source",
    ["from seance.hearing import foreground", "def late():\n    from seance.hearing.scoring import decide"],
)
def test_a_planted_step_back_is_found(source: str) -> None:
    assert len(turns_back("decoding", "from seance.hearing.noise_reduction import Frame\n" + source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "if edition.name == 'x': pass",
        "if 'x' != state.setup.edition.name: pass",
        "if edition == 'libellud': pass",
        "if name in ('igames', 'other'): pass",
        "x = 1 if edition is LIBELLUD else 2",
        "x = edition != editions.MANUAL",
        "match name:\n    case 'portal': pass",
        "match edition.name:\n    case _: pass",
        "if edition.name.startswith('lib'): pass",
    ],
)
def test_a_planted_question_for_the_edition_is_found(source: str) -> None:
    assert len(edition_tests(source)) == 1


def test_a_question_for_something_else_is_not_reported() -> None:
    assert edition_tests("if level == 'easy' and edition.hand == 7: print(edition.name, 'libellud')") == []


@pytest.mark.parametrize(
    "source",
    ["open('x')", "print(1)", "x = [eval('1')]", "import random", "from random import shuffle", "chance = Random()"],
)
def test_a_planted_impurity_is_found(source: str) -> None:
    assert len(impurities(source)) == 1


def test_a_planted_function_without_a_name_is_found() -> None:
    assert nameless_functions("@tell.register\ndef _(event): pass\ndef named(): pass") == [2]


def test_a_planted_class_is_found_unless_it_is_private() -> None:
    assert classes("class Seat: pass\nclass _Seat: pass") == ["Seat"]


def test_a_planted_print_is_found() -> None:
    assert prints("def f():\n    print('boo')\nconsole.print('fine')") == [2]
