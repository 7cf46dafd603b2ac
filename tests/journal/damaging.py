"""Damages a journal of many nights in every way, and counts the nights that are still there."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from seance.journal import BadJournal, Journal, JournalReader, export_document, find_nights, import_document
from seance.journal.folder import NightFolder
from seance.journal.stored_night import StoredNight
from tests.journal.recording import begin_night, bot_night
from tests.tables import any_night

PAGE_BYTES = 4096
IMPORTED_EVERY = 7
"""Each so many nights came from another journal."""


@dataclass(frozen=True, slots=True)
class Damage:
    """Bytes from *at* on are overwritten, or the file is cut there."""

    name: str
    """Of the file."""
    at: int
    bytes_: bytes | None
    """None cuts the file."""

    def __str__(self) -> str:
        how = "cut" if self.bytes_ is None else f"{len(self.bytes_)} bytes overwritten"
        return f"{self.name} {how} at {self.at}"

    def apply(self, data: bytes) -> bytes:
        before = data[: self.at]
        return before if self.bytes_ is None else before + self.bytes_ + data[self.at + len(self.bytes_) :]


@dataclass
class Recovery:
    """What came of some damages."""

    damages: int = 0
    recoverable: int = 0
    """Nights without a damaged byte, and damaged nights of which an entry is before the damage."""
    recovered: int = 0
    unfinished_recoverable: int = 0
    """Damages after which the unfinished night has all its bytes, or an entry before the damage."""
    unfinished_recovered: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, other: "Recovery") -> None:
        self.damages += other.damages
        self.recoverable += other.recoverable
        self.recovered += other.recovered
        self.unfinished_recoverable += other.unfinished_recoverable
        self.unfinished_recovered += other.unfinished_recovered
        self.wrong += other.wrong


def write_nights(folder: Path, nights: int) -> None:
    """Write a journal of *nights* of bots, with notes, the last but one unfinished and the last one imported."""
    with TemporaryDirectory(dir=folder.parent) as elsewhere, Journal.open(folder) as journal:
        for number in range(1, nights + 1):
            chance = Random(f"damage/{number}")
            steps = bot_night(number, any_night(chance, number))
            if number == nights or (number % IMPORTED_EVERY == 0 and number < nights - 1):
                with Journal.open(Path(elsewhere) / str(number)) as another:
                    _write_night(another, steps)
                    imported = another.last()
                journal.import_night(import_document(export_document(imported)))
            else:
                _write_night(journal, steps[: len(steps) // 2] if number == nights - 1 else steps)


def _write_night(journal: Journal, steps) -> None:
    night = begin_night(journal, steps)
    for step, (command, _, events) in enumerate(steps, start=1):
        snapshot = {"told_to": step, "told": ["event.vision_given"] * 8, "sand_left": 83.5}
        journal.append(night, command, events, seat=command.seats[0], notes={"evening": snapshot})
        if step % 4 == 0:
            journal.note(night, "evening", snapshot | {"sand_left": 41.25})


def each_page(folder: Path) -> Iterator[Damage]:
    """Yield the destruction of each page of each file."""
    for path in sorted(folder.glob("*.night")):
        for at in range(0, path.stat().st_size, PAGE_BYTES):
            yield Damage(path.name, at, bytes(min(PAGE_BYTES, path.stat().st_size - at)))


def random_damage(folder: Path, chance: Random) -> Damage:
    """Return a page that is zeroed, a byte that is changed, or a file that is cut."""
    path = chance.choice(sorted(folder.glob("*.night")))
    size = path.stat().st_size
    at = chance.randrange(size)
    match chance.choice(["page", "byte", "cut"]):
        case "page":
            at -= at % PAGE_BYTES
            return Damage(path.name, at, bytes(min(PAGE_BYTES, size - at)))
        case "byte":
            return Damage(path.name, at, bytes([path.read_bytes()[at] ^ chance.randrange(1, 256)]))
        case _:
            return Damage(path.name, at, None)


class DamagedJournals:
    """Copies of one journal, each damaged in one place."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._nights = {path.name: path for path in sorted(folder.glob("*.night"))}
        nights = NightFolder(folder)
        self._stored = {nights.path_of(number).name: nights.load(number).night for number in nights.numbers()}
        last = nights.last_number()
        assert last is not None
        self._last = nights.path_of(last).name

    def check(self, damage: Damage) -> Recovery:
        """Return what is recovered after *damage*."""
        with TemporaryDirectory(dir=self._folder.parent) as folder:
            copy = Path(folder) / "nights"
            copy.mkdir()
            for name, path in self._nights.items():
                if name == damage.name:
                    (copy / name).write_bytes(damage.apply(path.read_bytes()))
                else:
                    os.link(path, copy / name)
            found = Recovery(damages=1)
            least = self._steps_before(damage)
            self._check_nights(copy, damage, least, found)
            self._check_unfinished(copy, damage, least, found)
        return found

    def _steps_before(self, damage: Damage) -> int:
        """Return how many entries of the damaged file are completely before the damage."""
        before = self._nights[damage.name].read_bytes()[: damage.at]
        return sum(b'"command":' in line for line in before.split(b"\n")[1:-1])

    def _check_nights(self, copy: Path, damage: Damage, least: int, found: Recovery) -> None:
        with JournalReader.open(copy) as reader:
            summaries, complaints = reader.examine()
            listed = {summary.night.uid: summary.steps for summary in summaries}
            for name, night in self._stored.items():
                wanted = least if name == damage.name else len(night.entries)
                found.recoverable += wanted > 0
                stored = _load(reader, int(name[:4]))
                steps = 0 if stored is None else len(stored.entries)
                if stored is not None and stored.entries != night.entries[:steps]:
                    found.wrong.append(f"{damage}: what is read of {name} was never written")
                elif wanted and steps >= wanted and listed.get(night.uid) == steps:
                    found.recovered += 1
                elif wanted:
                    found.wrong.append(f"{damage}: {steps} of {wanted} steps of {name} are there")
                is_named = any(f"night {int(name[:4])} " in complaint for complaint in complaints)
                if is_named and name != damage.name:
                    found.wrong.append(f"{damage}: {name} is sound and complained of: {complaints}")
                # Nothing says that a file once was longer.
                if not is_named and steps < len(night.entries) and damage.bytes_ is not None:
                    found.wrong.append(f"{damage}: {name} lost {len(night.entries) - steps} steps, and nobody says so")
        recovered = find_nights(copy / damage.name).nights
        if least and (not recovered or len(recovered[0].entries) < least):
            found.wrong.append(f"{damage}: `recover` finds less than {least} steps")

    def _check_unfinished(self, copy: Path, damage: Damage, least: int, found: Recovery) -> None:
        night = self._stored[self._last]
        wanted = least if damage.name == self._last else len(night.entries)
        with Journal.open(copy) as journal:
            restored, news = journal.unfinished(), journal.news()
        found.unfinished_recoverable += wanted > 0
        steps = len(restored.entries) if restored and restored.uid == night.uid else 0
        found.unfinished_recovered += wanted > 0 and steps >= wanted
        if steps < wanted:
            found.wrong.append(f"{damage}: the unfinished night goes on after {steps} of {wanted} steps")
        elif steps < len(night.entries) and not news and damage.bytes_ is not None:
            found.wrong.append(f"{damage}: the unfinished night is shorter, and there is no news")


def _load(reader: JournalReader, number: int) -> StoredNight | None:
    try:
        return reader.load(number)
    except BadJournal:
        return None
