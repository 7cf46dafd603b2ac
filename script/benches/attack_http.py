"""Attacks a house with pages on loopback by HTTP while a ghost is seated at a page and a night is played."""

import json
import logging
import re
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from script.benches.attack_languages import change_languages
from script.benches.attack_report import Report
from script.benches.attack_requests import AttackRequest, KnownCookies, make_request
from seance import settings as s
from seance.codec import encode
from seance.daemon.signals import GhostCommand, HostControl, PauseRequest, SeatTouched, Signal, Stop
from seance.permissions import CONTROL_ACTIONS, Action
from seance.programs.page_lookups import page_lookups
from seance.rate_limiter import RateLimiter
from tests.web.running_evening import Phone, RunningEvening, chosen, running_evening

OWN_ADDRESS = "127.0.0.1"
"""Of this machine's own browser; attackers come from other addresses of loopback."""
HOST_ADDRESS = "127.0.0.10"
ATTACKERS = 9
"""The last part of the last of their addresses."""
ANSWER_TIMEOUT_S = 20.0
HANG_UP_AFTER_S = 0.15
"""How long an attacker waits for the answer to a request that may not be whole."""
SHORT_TIMEOUT_S = 0.5
"""How long the house waits for the rest of a request if attackers do not hang up."""
MAX_ANSWER_BYTES = 1_000_000
CHECK_EVERY = 100
"""How many requests are sent between two looks at the seat and the night."""
REQUESTS_PER_LANGUAGE = 2000
"""After so many requests the language of another house is changed once."""
LIMITED_SHARE = 0.1
"""Of the requests, how many are sent with the house's limits of requests in force."""
REFUSED = (b"400", b"403", b"429")
"""Statuses of an answer that grants nothing."""


class ErrorLog(logging.Handler):
    """Collects errors and tracebacks that are logged."""

    def __init__(self) -> None:
        super().__init__()
        self.errors: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.ERROR or record.exc_info or "Traceback" in record.getMessage():
            self.errors.append(f"{record.name}: {record.getMessage()} {record.exc_info or ''}")


def run(seed: int, count: int, *, hang_up: bool = True) -> Report:
    """Send *count* requests of *seed* to a house, and check that it gives nothing away and plays on.

    With *hang_up* attackers do not wait until the house closes a request that is never finished.
    """
    report, chance, log = Report("http"), Random(f"http/{seed}"), ErrorLog()
    with _logging_to(log), tempfile.TemporaryDirectory() as folder, _attacked_house(Path(folder), hang_up) as house:
        house.begin()
        with house.ghost() as former:
            former_seat = former.http.cookies["seat"]
            house.type("the ghost must change seats")
            house.until(lambda: house.seat.holder is None)
        former_psychic = _former_psychic(house)
        with (
            house.ghost() as ghost,
            _open_page(ghost),
            _red_phone(house) as red,
            _host_phone(house) as host,
            house.phone() as guest,
        ):
            guest.get("/table")
            cookies = KnownCookies(
                guest=guest.http.cookies["guest"],
                former_seat=former_seat,
                seat=ghost.http.cookies["seat"],
                former_psychic=former_psychic,
                psychic=red.http.cookies["psychic"],
                host=host.http.cookies["host"],
            )
            Attack(report, chance, house, cookies, hang_up).send(count)
            _check_play(report, house, ghost)
            _check_host(report, host)
            _check_psychic(report, red)
    report.tracebacks += log.errors
    change_languages(report, chance, count // REQUESTS_PER_LANGUAGE)
    return report


@contextmanager
def _logging_to(log: ErrorLog) -> Iterator[None]:
    logging.getLogger().addHandler(log)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(log)


@contextmanager
def _attacked_house(folder: Path, hang_up: bool) -> Iterator[RunningEvening]:
    """Run a house with the lookups of the real program; every address but its own is one of the network."""
    settings = chosen(folder, game=s.GameSection(visions="dealt"))
    far = mock.patch("seance.web.request_checks.is_loopback", lambda address: address == OWN_ADDRESS)
    with far, running_evening(folder, settings, page_lookups(settings)) as house:
        if hang_up:
            yield house
            return
        body = mock.patch("seance.web.request_checks.BODY_TIMEOUT_S", SHORT_TIMEOUT_S)
        with body, mock.patch("seance.web.limits.REQUEST_TIMEOUT_S", SHORT_TIMEOUT_S):
            yield house


def _host_phone(house: RunningEvening) -> Phone:
    """Return a phone of the network that was let in as the host's."""
    phone = house.phone(address=HOST_ADDRESS)
    phone.get("/host")
    assert phone.post("/host/enter", {"code": house.parts.host_access.code}).status_code == 200
    return phone


def _red_phone(house: RunningEvening) -> Phone:
    """Return a phone that plays for red."""
    phone = house.phone()
    phone.get("/seat")
    house.until(lambda: house.parts.pages.latest.current.players_psychics != ())
    assert phone.post("/seat/take", {"psychic": "red"}).json() == {"seat": "taken"}
    return phone


def _former_psychic(house: RunningEvening) -> str:
    """Return the cookie of a phone that has given red's seat back."""
    with _red_phone(house) as phone:
        assert phone.post("/seat/leave").status_code == 202
        house.until(lambda: not house.parts.pages.latest.current.psychic_seats.holders)
        return phone.http.cookies["psychic"]


@contextmanager
def _open_page(ghost: Phone) -> Iterator[None]:
    """Keep the ghost's page open, and read what it is sent."""

    def read() -> None:
        with suppress(Exception), ghost.events("/ghost/events") as events:
            opened.set()
            for _ in events:
                if closing.is_set():
                    return

    opened, closing = threading.Event(), threading.Event()
    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    opened.wait(ANSWER_TIMEOUT_S)
    yield
    closing.set()


class Attack:
    """Sends requests to one house, and reports what comes back."""

    def __init__(
        self, report: Report, chance: Random, house: RunningEvening, cookies: KnownCookies, hang_up: bool
    ) -> None:
        self._unfinished_timeout_s = HANG_UP_AFTER_S if hang_up else ANSWER_TIMEOUT_S
        self._report, self._chance, self._house, self._cookies = report, chance, house, cookies
        self._host = house.url.removeprefix("http://")
        self._holder = house.seat.holder
        self._red = self._red_holder()
        self._secrets = self._find_secrets()
        self._seen = len(house.seen)

    def send(self, count: int) -> None:
        """Send *count* requests, most of them without limits of how many may come."""
        limited = int(count * LIMITED_SHARE)
        with mock.patch.object(RateLimiter, "allows", return_value=True):
            self._send_some(count - limited)
        self._send_some(limited)

    def _send_some(self, count: int) -> None:
        for number in range(count):
            request = make_request(self._chance, self._host, self._cookies)
            self._check_answer(request, self._exchange(request))
            self._report.count += 1
            if number % CHECK_EVERY == CHECK_EVERY - 1 or number == count - 1:
                self._check_seat()

    def _exchange(self, request: AttackRequest) -> bytes:
        """Return the bytes that the house answers."""
        address, port = self._host.split(":")
        source = f"127.0.0.{self._chance.randint(2, ATTACKERS)}"
        answer = b""
        with suppress(ConnectionError), socket.create_connection((address, int(port)), 20.0, (source, 0)) as own:
            own.settimeout(self._unfinished_timeout_s if request.is_unfinished else ANSWER_TIMEOUT_S)
            try:
                own.sendall(request.data)
                while len(answer) < MAX_ANSWER_BYTES and (part := own.recv(65_536)):
                    answer += part
                    is_complete = _is_complete(answer) and not request.is_pipelined
                    if is_complete or (request.is_stream and b"\n\n" in answer.partition(b"\ndata:")[2]):
                        break
            except TimeoutError:
                if not request.is_unfinished:
                    self._report.lost.append(f"no answer to {request.data[:200]!r}")
        return answer

    def _check_answer(self, request: AttackRequest, answer: bytes) -> None:
        shown = f"{request.data[:300]!r} -> {answer[:300]!r}"
        status = answer[9:12]
        if answer.startswith(b"HTTP/") and status[:1] == b"5":
            self._report.tracebacks.append(shown)
        if request.must_be_refused and status not in REFUSED:
            self._report.got_in.append(f"not refused: {shown}")
        if b"Traceback" in answer:
            self._report.tracebacks.append(shown)
        if re.search(rb"(?<!\w)%b(?!\w)" % self._house.parts.host_access.code.encode(), answer):
            self._report.got_in.append(f"the host's code in {shown}")
        if found := [name for name, secret in self._secrets.items() if secret in answer]:
            self._report.got_in.append(f"{', '.join(found)} in {shown}")

    def _check_seat(self) -> None:
        house = self._house
        if house.seat.holder != self._holder:
            self._report.got_in.append(f"the ghost's seat is {house.seat.status} after request {self._report.count}")
            self._holder = house.seat.holder
        if self._red_holder() != self._red:
            self._report.got_in.append(f"red's seat has another holder after request {self._report.count}")
            self._red = self._red_holder()
        signals = house.seen[self._seen :]
        self._seen += len(signals)
        if taps := [signal for signal in signals if isinstance(signal, GhostCommand | PauseRequest)]:
            self._report.got_in.append(f"somebody tapped for the ghost: {taps[:3]}")
        if touches := [signal for signal in signals if isinstance(signal, SeatTouched)]:
            self._report.got_in.append(f"somebody touched for red: {touches[:3]}")
        if controls := [signal for signal in signals if _is_for_host(signal)]:
            self._report.got_in.append(f"somebody did what only the host may do: {controls[:3]}")

    def _red_holder(self) -> str | None:
        return self._house.parts.pages.latest.current.psychic_seats.holders.get("red")

    def _find_secrets(self) -> dict[str, bytes]:
        """Return what no answer may contain, by name."""
        state, seat = self._house.evening.state, self._house.seat
        assert state is not None
        assert seat.holder is not None
        view: Any = self._house.parts.pages.latest.current.ghost_view
        return {
            "the signing key": seat.key.encode(),
            "the holder's id": seat.holder.encode(),
            "the holder's cookie": self._cookies.seat.encode(),
            "the psychics' signing key": self._house.parts.pages.latest.current.psychic_seats.key.encode(),
            "the id of red's phone": (self._red or "").encode() or b"\0",
            "the cookie of red's phone": self._cookies.psychic.encode(),
            "the host's cookie": self._cookies.host.encode(),
            "the seed": str(state.setup.seed).encode(),
            "the secret cards": encode(view.secret),
            "the ghost's hand": encode(view.hand)[1:-1],
            "a ghost's view": b'"mine":true',
            "a secret field": b'"secret":{',
        }


def _is_complete(answer: bytes) -> bool:
    """Tell whether *answer* has as many bytes as it promises, so that nothing more comes on a kept-open connection."""
    head, _, body = answer.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
    return length is not None and len(body) >= int(length[1])


def _check_play(report: Report, house: RunningEvening, ghost: Phone) -> None:
    """Let the ghost give a vision and the keyboard be read, and report if nothing comes of it."""
    house.type("no", "go on", "what time is it")
    before = house.evening.state
    assert before is not None
    psychic = next(search.psychic for search in before.searches if not _is_served(house, search.psychic))
    hand = json.loads(encode(house.parts.pages.latest.current.ghost_view.hand))  # type: ignore[union-attr, arg-type]
    answer = ghost.ask("give_vision", psychic=psychic.value, cards=hand[:1])
    try:
        house.until(lambda: house.evening.state != before)
    except AssertionError:
        report.lost.append(f"the night does not go on: {answer.status_code} {answer.text}")


def _check_host(report: Report, host: Phone) -> None:
    """Report it if the host's phone is no longer the host's, or changes the language in the middle of a night."""
    answers = {
        "checks": host.get("/host/checks").status_code,
        "pace": host.post("/host/do", {"do": "pace", "value": "brisk"}).status_code,
        "language": host.post("/host/do", {"do": "language", "value": "fr"}).status_code,
    }
    if answers != {"checks": 200, "pace": 202, "language": 409}:
        report.lost.append(f"the host's phone is answered {answers}")


def _check_psychic(report: Report, red: Phone) -> None:
    """Report it if the phone that plays for red has lost its seat, or acts for somebody else."""
    answers = (
        red.post("/seat/touch", {"intent": "resume"}).status_code,
        red.post("/seat/touch", {"intent": "vote", "slots": {"by": "blue", "group": 1}}).status_code,
    )
    if answers != (202, 403):
        report.lost.append(f"the phone that plays for red is answered {answers}")


def _is_for_host(signal: Signal) -> bool:
    if isinstance(signal, HostControl):
        return CONTROL_ACTIONS[signal.control] is not Action.VOLUME
    return isinstance(signal, Stop)


def _is_served(house: RunningEvening, psychic: Any) -> bool:
    view = house.parts.pages.latest.current.ghost_view
    return view is not None and psychic in view.served
