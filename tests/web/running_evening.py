"""A running evening with its pages, for tests: the real loop, the real server on loopback, httpx as a phone."""

import json
import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import msgspec

from seance import settings as s
from seance.daemon.evening import Evening
from seance.daemon.loop import run_evening
from seance.daemon.signals import Signal, Stop, Typed
from seance.daemon.world.composition import EveningParts, compose_evening
from seance.rules import EDITIONS
from seance.sound_settings import VoiceSection
from seance.web.callbacks import Lookups
from seance.web.host_access import HostAccess
from seance.web.page_state import SeatState

PATIENCE = 60.0
"""Seconds after which a test gives up waiting for an event."""
BEGUN = (
    "begin the séance",
    "we are four, easy, the usual rules, skip the story",
    "red, blue and white play",
    "yes",
    "ready",
)
"""What is said before the first hour of a night of red, blue and white."""


def chosen(folder: Path, *, game: s.GameSection | None = None, **web: Any) -> s.Settings:
    """Return settings with a brisk pace, and pages on any free port of loopback."""
    return s.Settings(
        game=game or s.GameSection(),
        telling=s.TellingSection(pace="brisk", first_night=False),
        journal=s.JournalSection(path=str(folder / "nights.sqlite")),
        body=s.BodySection(board="virtual"),
        voice=VoiceSection(engine="espeak"),
        web=msgspec.structs.replace(s.WebSection(listen="loopback", port=0), **web),
    )


@dataclass
class RunningEvening:
    """An evening that runs on a thread."""

    parts: EveningParts
    evening: Evening
    seen: list[Signal] = field(default_factory=list)
    """Every signal that the loop has taken."""
    followed: list[Signal] = field(default_factory=list)
    """Those of them that have been handled."""
    _changed: threading.Condition = field(default_factory=threading.Condition)

    @property
    def url(self) -> str:
        assert self.parts.address is not None
        return self.parts.address.rstrip("/")

    @property
    def seat(self) -> SeatState:
        """The ghost's seat, as the pages know it."""
        return self.parts.pages.latest.current.seat

    def type(self, *lines: str) -> None:
        """Type *lines* at the house's own keyboard, and wait until it has read them."""
        for line in lines:
            signal = Typed(line)
            self.parts.inbox.put(signal)
            self.until(lambda signal=signal: any(seen is signal for seen in self.followed))

    def begin(self) -> None:
        """Begin a night of red, blue and white."""
        self.type(*BEGUN)
        self.until(lambda: self.evening.state is not None)

    def until(self, done: Callable[[], bool]) -> None:
        """Wait until *done* after a step of the loop."""
        with self._changed:
            assert self._changed.wait_for(done, PATIENCE), "the house never came so far"

    def told(self) -> None:
        """Wait until all is performed."""
        assert self.parts.performer.wait(PATIENCE)

    def phone(self, **more: Any) -> "Phone":
        """Return a device that has opened nothing yet."""
        return Phone(self.url, **more)

    def ghost(self) -> "Phone":
        """Return a device that holds the ghost's seat, as the room has confirmed."""
        phone = self.phone()
        assert phone.post("/ghost/sit").status_code == 202
        self.until(lambda: self.seat.asked is not None)
        self.type("yes")
        self.until(lambda: self.seat.holder is not None)
        assert phone.post("/ghost/sit").status_code == 202, "the cookie is made anew"
        return phone

    def stepped(self) -> None:
        with self._changed:
            self.followed[:] = self.seen
            self._changed.notify_all()


@contextmanager
def running_evening(
    folder: Path,
    settings: s.Settings | None = None,
    lookups: Lookups | None = None,
    *,
    with_keyboard: bool = True,
    host_access: HostAccess | None = None,
) -> Iterator[RunningEvening]:
    """Run an evening with pages on a thread; an error there fails the test."""
    opened: queue.SimpleQueue[RunningEvening | BaseException] = queue.SimpleQueue()
    wanted = (settings or chosen(folder), lookups, with_keyboard, host_access, opened)
    held = threading.Thread(target=_run, args=wanted, name="evening")
    held.start()
    house = opened.get(timeout=PATIENCE)
    if isinstance(house, BaseException):
        raise house
    try:
        yield house
    finally:
        house.parts.inbox.put(Stop())
        held.join(PATIENCE)
    assert not held.is_alive()
    if not opened.empty():
        raise AssertionError("the evening has failed") from opened.get()


def _run(
    settings: s.Settings,
    lookups: Lookups | None,
    with_keyboard: bool,
    host_access: HostAccess | None,
    opened: "queue.SimpleQueue[RunningEvening | BaseException]",
) -> None:
    """Compose an evening, report it, and run it until it is stopped; the journal belongs to this thread."""
    try:
        with compose_evening(
            settings,
            editions=EDITIONS,
            names={},
            make_synthesizer=_no_voice,
            build_grammar=_no_grammar,
            show=lambda _: None,
            with_hearing=False,
            with_sound=False,
            with_keyboard=with_keyboard,
            lookups=lookups,
            host_access=host_access,
        ) as parts:
            house = RunningEvening(parts, Evening(parts.context))

            def on_change() -> None:
                parts.pages.publish_evening(house.evening)
                house.stepped()

            def on_signal(signal: Signal) -> None:
                parts.pages.publish_signal(signal, house.evening)
                house.seen.append(signal)

            opened.put(house)
            run_evening(
                house.evening,
                parts.inbox,
                parts.performer,
                clock=time.monotonic,
                on_signal=on_signal,
                on_change=on_change,
            )
    except BaseException as error:
        opened.put(error)


class Phone:
    """A device with a browser: keeps its cookies, and says where its requests come from."""

    def __init__(self, url: str, *, origin: str | None = None, address: str | None = None) -> None:
        """Use the page at *url* from *address*; None for this machine's own."""
        transport = httpx.HTTPTransport(local_address=address) if address else None
        self.http = httpx.Client(base_url=url, timeout=PATIENCE, transport=transport)
        self.origin = url if origin is None else origin

    def __enter__(self) -> "Phone":
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.http.get(path, **more)

    def post(self, path: str, body: Any = None, **more: Any) -> httpx.Response:
        headers = {"origin": self.origin, **more.pop("headers", {})}
        return self.http.post(path, json=body, headers=headers, **more)

    def say(self, text: str) -> httpx.Response:
        """Type at the table's page."""
        self.get("/table")
        return self.post("/table/say", {"text": text})

    def ask(self, command: str, **fields: Any) -> httpx.Response:
        """Tap on the ghost's page."""
        return self.post("/ghost/command", {"command": command, **fields})

    @contextmanager
    def events(self, path: str) -> Iterator[Iterator[tuple[str, Any]]]:
        """Open a stream, and yield what comes: the kind of event and what it says."""
        with self.http.stream("GET", path) as response:
            assert response.status_code == 200, response.read()
            yield _events(response)

    def state(self, path: str = "/table/events") -> dict[str, Any]:
        """Return the current state."""
        return self.until(lambda _: True, path)

    def until(self, done: Callable[[dict[str, Any]], bool], path: str = "/table/events") -> dict[str, Any]:
        """Return the first state on *path* of which *done* is true."""
        with self.events(path) as events:
            for kind, state in events:
                if kind == "state" and done(state):
                    found: dict[str, Any] = state
                    return found
        raise AssertionError("the stream has ended")


def _events(response: httpx.Response) -> Iterator[tuple[str, Any]]:
    kind = ""
    for line in response.iter_lines():
        if line.startswith("event:"):
            kind = line[6:].strip()
        elif line.startswith("data:"):
            yield kind, json.loads(line[5:])


def _no_voice(_: object) -> Any:
    raise AssertionError("nobody speaks here")


def _no_grammar(_: object) -> Any:
    raise AssertionError("nobody listens here")
