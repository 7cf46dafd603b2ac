"""A house with its pages, for tests: the real loop, the real server on this machine alone, a phone that is httpx."""

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
from seance.daemon.loop import hold
from seance.daemon.signals import Signal, Stop, Typed
from seance.daemon.world.composition import World, open_world
from seance.rules import EDITIONS
from seance.web.callbacks import Lookups
from seance.web.page_state import Chair

PATIENCE = 20.0
"""Seconds after which a test gives up waiting for an event."""
BEGUN = ("begin the séance", "we are four, easy, the usual rules, skip the story", "red, blue and white play", "yes")
"""What is said before the first hour of a night of red, blue and white."""


def chosen(folder: Path, *, game: s.GameSection | None = None, **web: Any) -> s.Settings:
    """Return settings for a house that says little, with its pages on any free port of this machine."""
    return s.Settings(
        game=game or s.GameSection(),
        telling=s.TellingSection(pace="brisk", first_night=False),
        journal=s.JournalSection(path=str(folder / "nights.sqlite")),
        body=s.BodySection(board="virtual"),
        web=msgspec.structs.replace(s.WebSection(listen="loopback", port=0), **web),
    )


@dataclass
class Held:
    """An evening that is being held."""

    world: World
    evening: Evening
    seen: list[Signal] = field(default_factory=list)
    """Every signal that the loop has taken."""
    followed: list[Signal] = field(default_factory=list)
    """Those of them whose consequences are there."""
    _changed: threading.Condition = field(default_factory=threading.Condition)

    @property
    def url(self) -> str:
        assert self.world.address is not None
        return self.world.address.rstrip("/")

    @property
    def chair(self) -> Chair:
        """The ghost's seat, as the pages know it."""
        return self.world.pages.board.shown.chair

    def type(self, *lines: str) -> None:
        """Type *lines* at the house's own keyboard, and wait until it has read them."""
        for line in lines:
            signal = Typed(line)
            self.world.inbox.put(signal)
            self.until(lambda signal=signal: any(seen is signal for seen in self.followed))

    def begin(self) -> None:
        """Begin a night of red, blue and white."""
        self.type(*BEGUN)
        self.until(lambda: self.evening.state is not None)

    def until(self, done: Callable[[], bool]) -> None:
        """Wait until the loop has made it so."""
        with self._changed:
            assert self._changed.wait_for(done, PATIENCE), "the house never came so far"

    def told(self) -> None:
        """Wait until all is performed."""
        assert self.world.performance.wait(PATIENCE)

    def phone(self, **more: Any) -> "Phone":
        """Return a device that has opened nothing yet."""
        return Phone(self.url, **more)

    def ghost(self) -> "Phone":
        """Return a device that holds the ghost's seat, as the room has confirmed."""
        phone = self.phone()
        assert phone.post("/ghost/sit").status_code == 202
        self.until(lambda: self.chair.asked is not None)
        self.type("yes")
        self.until(lambda: self.chair.holder is not None)
        return phone

    def stepped(self) -> None:
        with self._changed:
            self.followed[:] = self.seen
            self._changed.notify_all()


@contextmanager
def held(folder: Path, settings: s.Settings | None = None, lookups: Lookups | None = None) -> Iterator[Held]:
    """Hold an evening with pages, on a thread as a program holds it on its first; an error there fails the test."""
    opened: queue.SimpleQueue[Held | BaseException] = queue.SimpleQueue()
    held = threading.Thread(target=_hold, args=(settings or chosen(folder), lookups, opened), name="evening")
    held.start()
    house = opened.get(timeout=PATIENCE)
    if isinstance(house, BaseException):
        raise house
    try:
        yield house
    finally:
        house.world.inbox.put(Stop())
        held.join(PATIENCE)
    assert not held.is_alive()
    if not opened.empty():
        raise AssertionError("the evening has failed") from opened.get()


def _hold(settings: s.Settings, lookups: Lookups | None, opened: "queue.SimpleQueue[Held | BaseException]") -> None:
    """Open a world, say so, and hold an evening in it until it is stopped; the journal belongs to this thread."""
    try:
        with open_world(
            settings,
            editions=EDITIONS,
            names={},
            voice=_no_voice,
            build_grammar=_no_grammar,
            show=lambda _: None,
            ears=False,
            sound=False,
            lookups=lookups,
        ) as world:
            house = Held(world, Evening(world.house))

            def show() -> None:
                world.pages.show(house.evening)
                house.stepped()

            def saw(signal: Signal) -> None:
                world.pages.hear(signal)
                house.seen.append(signal)

            opened.put(house)
            hold(house.evening, world.inbox, world.performance, clock=time.monotonic, saw=saw, show=show)
    except BaseException as error:
        opened.put(error)


class Phone:
    """A device with a browser: keeps its cookies, and says where its requests come from."""

    def __init__(self, url: str, *, origin: str | None = None) -> None:
        self.http = httpx.Client(base_url=url, timeout=PATIENCE)
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
        """Return how it stands now."""
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
