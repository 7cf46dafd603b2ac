"""Feeds mutated files to the real programs: settings, boards, lines, names, sentences, nights and sound.

Whatever is in a file, a program ends as documented and within seconds, without a traceback; an error names the file, no terminal is
commanded, the owner's files stay as they are, and no other night is lost. Every file follows from the seed and the number of its case.
"""

import contextlib
import io
import json
import os
import re
import resource
import signal
import sqlite3
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from unittest import mock

import numpy as np
import soundfile
import yaml

from script.benches.attack_mutations import (
    mutate,
    mutate_json,
    mutate_night,
    mutate_toml,
    mutate_value,
    replacement,
)
from script.benches.attack_report import Report
from seance.cli import main as seance
from seance.dialogue.grammar.sentences import BadSentences, Sentences
from seance.dialogue.grammar.word_graph import word_graph
from seance.journal import Journal
from seance.models import store

ROOT = Path(__file__).parents[2]
COMPATIBILITY = ROOT / "tests" / "compatibility"
OWNER = COMPATIBILITY / "owner"
EXPORTS = tuple(sorted(COMPATIBILITY.glob("exports/*.json")))
NIGHT_FILES = tuple(sorted(COMPATIBILITY.glob("journal/*.night")))
SQL_JOURNALS = tuple(sorted(COMPATIBILITY.glob("nights/*.sql")))
MAX_SECONDS = 30.0
"""Of one case, on a busy machine."""
MAX_GROWTH_MIB = 800
"""How much a run may add to the memory of the process."""
MAX_COMPLAINT = 20_000
"""Characters of everything that a program writes to standard error."""
SOUNDS_AT_ONCE = 12
"""Files that one `seance hear` is given, since the recogniser takes seconds to load."""
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
SOUND_FORMATS = (
    ("wav", "PCM_16"), ("wav", "FLOAT"), ("wav", "DOUBLE"), ("wav", "PCM_U8"), ("wav", "MS_ADPCM"), ("flac", "PCM_16"), ("flac", "PCM_24"),
    ("aiff", "PCM_16"), ("au", "FLOAT"), ("w64", "PCM_16"), ("ogg", "VORBIS"), ("caf", "PCM_16"),
)  # fmt: skip


class Overtime(BaseException):
    """A case took too long."""


class Case:
    """One or more mutated files in a folder, and the programs that read them."""

    def __init__(self, report: Report, name: str, chance: Random, folder: Path) -> None:
        self.chance, self.folder = chance, folder
        self._report, self._name = report, name
        self._owned: dict[Path, bytes] = {}

    def add(self, name: str, content: bytes) -> Path:
        """Write a file of the owner's, which no program may change."""
        path = self.folder / name
        path.write_bytes(content)
        self._owned[path] = content
        return path

    def call(self, *arguments: object, statuses: tuple[int, ...] = (0, 2), naming: str = "") -> tuple[int, str]:
        """Run a program of `seance` in this process, and return its status and output.

        The other statuses than *statuses* are reported, and a status 2 if the complaint does not contain *naming*.
        """
        out, err = io.TextIOWrapper(io.BytesIO(), "utf-8", "surrogateescape", write_through=True), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                status = seance([os.fspath(each) if isinstance(each, Path) else str(each) for each in arguments])
            except SystemExit as ended:
                status = ended.code if isinstance(ended.code, int) else 1
        out.seek(0)
        printed, complaint, name = out.read(), err.getvalue(), f"seance {arguments[0]}"
        if status not in statuses:
            self.report_failure(f"{name} ended with status {status}: {complaint[:400]!r}")
        if "Traceback" in complaint:
            self.report_failure(f"{name} printed a traceback: {complaint[-400:]}")
        if status == 2 and (not complaint.strip() or naming not in complaint):
            self.report_failure(f"{name} did not say where the mistake is: {complaint[:400]!r}")
        if len(complaint) > MAX_COMPLAINT:
            self.report_failure(f"{name} complained in {len(complaint)} characters")
        if found := CONTROLS.search(printed + complaint):
            self._report.got_in.append(f"{self._name}: {name} printed {found[0]!r}: {(printed + complaint)[:200]!r}")
        return status, printed + complaint

    def report_failure(self, problem: str) -> None:
        """Report that a program did not end as it should."""
        self._report.tracebacks.append(f"{self._name}: {problem}")

    def report_loss(self, problem: str) -> None:
        """Report that something is gone."""
        self._report.lost.append(f"{self._name}: {problem}")

    def check_files(self) -> None:
        """Report the owner's files that are not as they were."""
        for path, content in self._owned.items():
            if not path.exists() or path.read_bytes() != content:
                self.report_loss(f"{path.name} was changed")


def run(seed: int, count: int, *, first: int = 0, kinds: tuple[str, ...] | None = None) -> Report:
    """Try *count* mutated files of *seed*, from the case *first* on; the main thread must call it."""
    report, kinds = Report("files"), kinds or CYCLE
    if "sounds" in kinds:
        _models()
    before_mib, number = _resident_mib(), first
    with tempfile.TemporaryDirectory() as folder:
        while report.count < count:
            kind = kinds[number % len(kinds)]
            case = Case(report, f"{kind} {number}", Random(f"{seed}/{kind}/{number}"), Path(folder) / str(number))
            report.count += SOUNDS_AT_ONCE if kind == "sounds" else 1
            _try_case(case, KINDS[kind])
            number += 1
    grown_mib = _resident_mib() - before_mib
    if grown_mib > MAX_GROWTH_MIB:
        report.lost.append(f"the run took {grown_mib:.0f} MiB")
    return report


def _try_case(case: Case, attack: Callable[[Case], None]) -> None:
    case.folder.mkdir()
    homes = {name: str(case.folder) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "HOME")}
    try:
        with mock.patch.dict(os.environ, homes), contextlib.chdir(case.folder), _time_limit(MAX_SECONDS):
            attack(case)
        case.check_files()
    except Overtime:
        case.report_failure(f"took more than {MAX_SECONDS:.0f} s")
    except Exception:
        case.report_failure(traceback.format_exc(limit=-4))


def attack_settings(case: Case) -> None:
    """Mutate the settings, and read them with a program that needs the journal, and with one that needs the board."""
    sources = (OWNER / "settings.toml", ROOT / "systemd" / "settings.toml")
    path = case.add("settings.toml", mutate_toml(case.chance.choice(sources).read_bytes(), case.chance))
    case.call("nights", "--config", path, naming="settings.toml")
    case.call("safe", "--config", path, statuses=(0, 1, 2), naming="settings.toml")


def attack_evening(case: Case) -> None:
    """Mutate the settings, and hold an evening with them at which a few words are typed."""
    text = (OWNER / "settings.toml").read_text().partition("[web]")[0].replace('"owner/', f'"{OWNER}/')
    text = text.replace("~", str(case.folder)).replace("/board.toml", "/boards/wired.toml")
    _hold_evening(case, case.add("settings.toml", b'web.listen = "off"\n' + mutate_toml(text.encode(), case.chance)))


def attack_unfinished_night(case: Case) -> None:
    """Mutate a night that was cut off, and go on with it."""
    old = case.folder / "seance" / "nights.sqlite"
    old.parent.mkdir()
    _write_sqlite(case.chance.choice([path for path in SQL_JOURNALS if path.stem != "finished"]), old)
    Journal.open(old).close()
    (file,) = old.with_suffix("").glob("*.night")
    file.write_bytes(mutate_night(file.read_bytes(), case.chance))
    _hold_evening(
        case, case.add("settings.toml", b"web.listen = 'off'\ntelling.pace = 'brisk'\ntelling.opening = 'skipped'\n")
    )
    _tell_nights(case, set())


def _hold_evening(case: Case, settings: Path) -> None:
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        with mock.patch.object(sys, "stdin", io.StringIO("begin the séance\nspirit, commence la séance\noui\n")):
            case.call("run", "--typed", "--no-sound", "--config", settings, statuses=(0, 1, 2), naming="settings.toml")
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def attack_board(case: Case) -> None:
    """Mutate a board."""
    boards = sorted([*(OWNER / "boards").glob("*.toml"), *(ROOT / "hardware" / "boards").glob("*.toml")])
    board = case.add("board.toml", mutate_toml(case.chance.choice(boards).read_bytes(), case.chance))
    settings = case.add("settings.toml", f"body.board = '{board}'\n".encode())
    case.call("safe", "--config", settings, statuses=(0, 1, 2), naming="board.toml")


def attack_words(case: Case) -> None:
    """Mutate the owner's lines, or the names, and let the doctor look at them."""
    key, name = case.chance.choice([("telling.lines", "lines.toml"), ("hearing.names", "names.toml")])
    path = case.add(name, mutate_toml((OWNER / name).read_bytes(), case.chance))
    deaf = "microphone.device = 'nowhere'\nspeaker.device = 'nowhere'\nvoice.engine = 'piper'\nweb.listen = 'off'\n"
    settings = case.add("settings.toml", f"{deaf}body.board = 'virtual'\n{key} = '{path}'\n".encode())
    with mock.patch.dict(os.environ, {"SEANCE_MODELS": str(case.folder)}):
        status, printed = case.call("doctor", "--json", "--quiet", "--config", settings, statuses=(0, 1))
    if status and name not in printed:
        case.report_failure(f"the doctor did not say where the mistake is: {printed[:400]!r}")


def attack_sentences(case: Case) -> None:
    """Mutate a hassil file, load it as `seance hear` does, and build the graph of all that can be said."""
    sources = (ROOT / "script" / "benches" / "orders.yaml", ROOT / "voices" / "en" / "sentences.yaml")
    content = case.chance.choice(sources).read_bytes()
    if case.chance.random() < 0.6:
        tree = yaml.safe_load(content)
        for _ in range(case.chance.choice([1, 1, 3])):
            mutate_value(tree, case.chance, replacement)
        content = json.dumps(tree, indent=1).encode()  # which is YAML, too
    else:
        content = mutate(content, case.chance)
    path = case.add("sentences.yaml", content)
    nothing = case.folder / "nothing.wav"
    case.call("hear", "--sentences", path, "--models", case.folder, nothing, statuses=(1, 2), naming="sentences.yaml")
    with contextlib.suppress(BadSentences):
        word_graph(Sentences.load("en", sentences_file=path))


def attack_document(case: Case) -> None:
    """Mutate the document of a night, import it after a sound one, and tell it in every way."""
    sound = case.chance.choice(EXPORTS)
    case.call("nights", "import", sound, statuses=(0,))
    path = case.add("night.json", mutate_json(case.chance.choice(EXPORTS).read_bytes(), case.chance))
    case.call("nights", "import", path, naming="night.json")
    _tell_nights(case, {json.loads(sound.read_bytes())["uid"]})


def attack_journal(case: Case) -> None:
    """Mutate one of the nights of a journal, tell them all, open the journal for writing, and tell them again."""
    folder = case.folder / "seance" / "nights"
    folder.mkdir(parents=True)
    broken = case.chance.choice(NIGHT_FILES)
    others = set()
    for file in NIGHT_FILES:
        content = file.read_bytes()
        if file != broken:
            others.add(json.loads(content.splitlines()[0][9:])["uid"])
        (folder / file.name).write_bytes(mutate_night(content, case.chance) if file == broken else content)
    _tell_nights(case, others)
    case.call("nights", "import", EXPORTS[4], statuses=(0,))  # which is none of them
    _tell_nights(case, others)
    case.call("nights", "backup", case.folder / "backup")


def attack_recovery(case: Case) -> None:
    """Mutate a night's file or a journal of an earlier version, and recover it into a journal with a sound night."""
    sound = case.chance.choice(EXPORTS)
    case.call("nights", "import", sound, statuses=(0,))
    if case.chance.random() < 0.6:
        path = case.add("0009.night", mutate_night(case.chance.choice(NIGHT_FILES).read_bytes(), case.chance))
    else:
        old = case.folder / "old.sqlite"
        _write_sqlite(case.chance.choice(SQL_JOURNALS), old)
        path = case.add("older.sqlite", mutate(old.read_bytes(), case.chance))
    case.call("nights", "recover", path, naming=path.name)
    _tell_nights(case, {json.loads(sound.read_bytes())["uid"]})


def _write_sqlite(script: Path, path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(script.read_text(encoding="utf-8"))


def _tell_nights(case: Case, uids: set[str]) -> None:
    """List and tell the nights of the journal, and report those of *uids* that are not there."""
    case.call("nights", statuses=(0,))
    _, printed = case.call("nights", "list", "--json", statuses=(0,))
    found = json.JSONDecoder().raw_decode(printed)[0]
    for uid in sorted(uids - {night["uid"] for night in found}):
        case.report_loss(f"night {uid} is not listed")
    for night in found[-2:]:
        case.call("replay", night["night"], "--seat", "ghost")
        case.call("chronicle", night["night"], "--out", case.folder)
        case.call("nights", "export", night["night"], case.folder / f"{night['night']}-{len(found)}.json")


def attack_sounds(case: Case) -> None:
    """Mutate files of sound, and hear them all at once; each is a line of JSON or a complaint."""
    paths = [_write_sound(case.chance, case.folder, number) for number in range(SOUNDS_AT_ONCE)]
    # The paths come last: a name may begin with anything.
    _, printed = case.call("hear", "--models", _models(), "--", *paths, statuses=(0, 1))
    lines = [json.loads(line, parse_constant=_refuse_constant) for line in printed.splitlines() if line[:1] == "{"]
    refused = sum(line.startswith("seance: ") for line in printed.splitlines())
    if len({line["file"] for line in lines}) + refused != len(paths):
        case.report_loss(f"{len(paths)} files, but {len(lines)} heard and {refused} refused: {printed[-400:]}")


def _write_sound(chance: Random, folder: Path, number: int) -> Path:
    """Write a file of noise that is mutated in most cases."""
    suffix, subtype = chance.choice(SOUND_FORMATS)
    path = folder / f"{chance.choice(['a', 'é', chr(0xDCFF), 'a' + chr(10) + 'b', chr(0x9B)])}{number}.{suffix}"
    rate, channels = chance.choice([8000, 16000, 44100, 96000]), chance.choice([1, 1, 2, 2, 6])
    if subtype == "MS_ADPCM":
        channels = min(channels, 2)
    samples = np.random.default_rng(chance.getrandbits(32)).normal(0, 0.1, (rate // 4, channels))
    if subtype in ("FLOAT", "DOUBLE") and chance.random() < 0.5:
        samples[chance.randrange(len(samples))] = chance.choice([np.nan, np.inf, 1e300, -1e30, 1e5])
    with path.open("wb") as file:
        soundfile.write(file, samples, rate, format=suffix.upper(), subtype=subtype)
    if chance.random() < 0.8:
        content = path.read_bytes()
        head = chance.choice([48, 48, len(content)])
        path.write_bytes(mutate(content[:head], chance) + content[head:])
    return path


@cache
def _models() -> Path:
    """Return the folder of the speech models, which is looked for before the homes are changed."""
    return store.require("en").parent


def _refuse_constant(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


KINDS: dict[str, Callable[[Case], None]] = {
    "settings": attack_settings,
    "evenings": attack_evening,
    "unfinished": attack_unfinished_night,
    "boards": attack_board,
    "words": attack_words,
    "sentences": attack_sentences,
    "documents": attack_document,
    "journals": attack_journal,
    "recoveries": attack_recovery,
    "sounds": attack_sounds,
}
CYCLE = (*[kind for kind in KINDS if kind != "sounds"] * 4, "sounds")
"""The kinds of files in turn; a case of sounds has many."""


@contextlib.contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    def end(*_: object) -> None:
        raise Overtime

    before = signal.signal(signal.SIGALRM, end)
    timer = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, *timer)  # that of a test


def _resident_mib() -> float:
    """Return the largest resident memory that this process has had, in mebibytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
