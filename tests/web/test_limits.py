"""Limits on connections and requests; whatever a page does, the night goes on and other pages are served."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

import httpx
import pytest

from seance.daemon.signals import Tick
from seance.rate_limiter import RateLimiter
from seance.web import event_streams, limits, request_checks
from seance.web.latest import LatestState
from seance.web.limits import MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS, RESERVED_CONNECTIONS
from seance.web.page_state import PageState, SeatState
from tests.web.running_evening import PATIENCE, Phone, RunningEvening, running_evening

OTHER = "127.0.0.2"
"""Another address of this very machine."""


@pytest.fixture
def port(monkeypatch, tmp_path) -> Iterator[int]:
    """The port of an evening that disconnects nobody for being slow."""
    monkeypatch.setattr(limits, "REQUEST_TIMEOUT_S", 600.0)
    with running_evening(tmp_path) as house:
        yield int(house.url.rpartition(":")[2])


def connected(port: int, source: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE, source_address=(source, 0))


def let_in(stack: ExitStack, port: int, source: str = "127.0.0.1") -> list[socket.socket]:
    """Yield a connection, which may have been aborted at once."""
    try:
        return [stack.enter_context(connected(port, source))]
    except ConnectionError:
        return []


def is_open(connection: socket.socket) -> bool:
    """Tell whether the house has not hung up."""
    connection.setblocking(False)
    try:
        return bool(connection.recv(1, socket.MSG_PEEK))
    except BlockingIOError:
        return True
    except ConnectionError:
        return False


def answers(port: int, source: str) -> bool:
    """Tell whether a page is served to *source*."""
    with connected(port, source) as phone:
        phone.sendall(b"GET /table HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return phone.makefile("rb").readline().startswith(b"HTTP/1.1 200")


def test_of_a_thousand_connections_a_few_are_kept_and_others_are_still_served(port):
    with ExitStack() as stack:
        flood = [each for _ in range(1000) for each in let_in(stack, port)]
        wait_until(lambda: sum(map(is_open, flood)) <= MAX_CONNECTIONS_PER_ADDRESS)
        assert answers(port, OTHER)
    wait_until(lambda: answers_again(port))


def test_many_addresses_together_have_a_bound_too(port):
    with ExitStack() as stack:
        sources = [f"127.0.1.{address}" for address in range(1, 21) for _ in range(20)]
        flood = [each for source in sources for each in let_in(stack, port, source)]
        wait_until(lambda: sum(map(is_open, flood)) <= MAX_CONNECTIONS)


def answers_again(port: int) -> bool:
    try:
        return answers(port, "127.0.0.1")
    except ConnectionError:
        return False


def wait_until(done) -> None:
    """Poll until *done*."""
    giving_up = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < giving_up
        threading.Event().wait(0.02)


@pytest.mark.parametrize("path", ["/table/say", "/ghost/sit", "/host/do"])
def test_a_huge_body_is_not_read(house, path):
    with house.phone() as phone:
        phone.get("/table")
        assert is_refused(phone, path, content=b"x" * 10_000_000)
        assert phone.get("/table").status_code == 200


def test_a_body_that_says_nothing_of_its_length_is_bounded_too(house):
    def endless() -> Iterator[bytes]:
        for _ in range(10_000):
            yield b"x" * 1000

    with house.phone() as phone:
        phone.get("/table")
        assert is_refused(phone, "/table/say", content=endless())


def is_refused(phone: Phone, path: str, *, content: bytes | Iterator[bytes]) -> bool:
    """Tell whether *content* was refused, or the connection aborted while it was being sent."""
    try:
        return phone.http.post(path, content=content, headers={"origin": phone.origin}).status_code == 413
    except httpx.TransportError:
        return True


def test_headers_without_end_are_hung_up_on(port):
    with connected(port) as phone:
        try:
            phone.sendall(b"GET /table HTTP/1.1\r\n" + b"X-More: " + b"y" * 200_000)
            assert b" 400 " in phone.makefile("rb").readline()
        except ConnectionError:
            pass  # it was hung up on while it spoke
    assert answers(port, "127.0.0.1")


def test_who_connects_and_asks_for_nothing_is_hung_up_on(monkeypatch, tmp_path):
    monkeypatch.setattr(limits, "REQUEST_TIMEOUT_S", 0.2)
    with running_evening(tmp_path) as house, connected(int(house.url.rpartition(":")[2])) as phone:
        phone.sendall(b"GET /table HT")
        with pytest.raises(ConnectionResetError):
            phone.recv(1)


def test_a_second_request_on_a_kept_open_connection_has_the_time_limit_of_the_first(monkeypatch, tmp_path):
    monkeypatch.setattr(limits, "REQUEST_TIMEOUT_S", 0.2)
    with running_evening(tmp_path) as house, connected(int(house.url.rpartition(":")[2])) as phone:
        phone.sendall(b"HEAD /favicon.ico HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b" 204 " in phone.recv(4096)
        phone.sendall(b"GET /table HT")
        with pytest.raises(ConnectionResetError):
            phone.recv(1)


def test_anonymous_streams_leave_places_for_the_seat_and_for_this_machine(monkeypatch, port):
    monkeypatch.setattr(request_checks, "is_loopback", lambda address: address == "127.0.0.1")
    request = b"GET /table/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with ExitStack() as stack:
        answered = []
        for number in range(MAX_CONNECTIONS - RESERVED_CONNECTIONS + 1):
            phone = stack.enter_context(connected(port, f"127.0.2.{1 + number % 3}"))
            phone.sendall(request)
            answered.append(phone.makefile("rb").readline().split()[1])
        assert set(answered[:-1]) == {b"200"}
        assert answered[-1] == b"503"
        here = stack.enter_context(connected(port))
        here.sendall(request)
        assert b" 200 " in here.makefile("rb").readline()


def test_a_body_that_never_comes_is_not_waited_for(monkeypatch, tmp_path):
    monkeypatch.setattr(request_checks, "BODY_TIMEOUT_S", 0.2)
    with running_evening(tmp_path) as house, house.phone() as phone:
        phone.get("/table")
        cookie = phone.http.cookies["guest"]
        with connected(int(house.url.rpartition(":")[2])) as slow:
            slow.sendall(
                b"POST /table/say HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Length: 20\r\n"
                + f"Cookie: guest={cookie}\r\n\r\n".encode()
                + b'{"text"'
            )
            assert b" 408 " in slow.makefile("rb").readline()


def test_who_hangs_up_in_the_middle_of_a_body_leaves_nothing_in_the_log(house, caplog):
    with house.phone() as phone:
        phone.get("/table")
        cookie = phone.http.cookies["guest"]
        for _ in range(20):
            with connected(int(house.url.rpartition(":")[2])) as gone:
                gone.sendall(
                    b"POST /table/say HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Length: 20\r\n"
                    + f"Cookie: guest={cookie}\r\n\r\n".encode()
                    + b'{"text"'
                )
        assert phone.get("/table").status_code == 200
    assert caplog.records == []


def test_a_page_that_takes_nothing_is_hung_up_on_and_the_house_plays_on(monkeypatch, tmp_path):
    monkeypatch.setattr(event_streams, "SEND_TIMEOUT_S", 0.5)
    with running_evening(tmp_path) as house, socket.socket() as phone:
        phone.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        phone.settimeout(PATIENCE)
        phone.connect(("127.0.0.1", int(house.url.rpartition(":")[2])))
        phone.sendall(b"GET /table/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        house.begin()
        # Say so much that no buffer holds it.
        wait_until(lambda: spoken(house) and not house.parts.performer.is_busy and hung_up(phone))
        house.type("what time is it")


def spoken(house: RunningEvening) -> bool:
    """Let the house say one thing more."""
    house.type("which cards are on the table")
    return True


def hung_up(phone: socket.socket) -> bool:
    """Tell whether a connection was reset; what is still to be read is left there."""
    return bool(phone.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR))


def test_the_house_never_waits_for_a_page():
    """Updates return at once though no reader ever reads."""
    latest = LatestState(PageState(seat=SeatState(key="k")))
    loop = _StuckLoop()
    latest._loop = loop  # the server's loop, which does nothing any more
    for n in range(1000):
        latest.update(lambda page, n=n: _paced(page, str(n)))
    assert latest.current.version == 1000
    assert loop.woken == 1, "one call waits for a loop that is stuck, however much is shown"


class _StuckLoop:
    woken = 0

    def call_soon_threadsafe(self, _told) -> None:
        self.woken += 1


def _paced(page: PageState, pace: str) -> PageState:
    return replace(page, pace=pace)


def test_the_game_goes_on_while_the_server_stands_still(night):
    """The server's loop is blocked while the night is played to its end."""
    held_up, go_on = threading.Event(), threading.Event()

    def hold_up() -> None:
        held_up.set()
        go_on.wait(PATIENCE)

    night.parts.pages.latest._loop.call_soon_threadsafe(hold_up)
    assert held_up.wait(PATIENCE)
    try:
        night.type("red has a vision", "end the séance", "yes")
        assert night.evening.state.outcome is not None
    finally:
        go_on.set()
    with night.phone() as phone:
        assert phone.until(lambda state: state["night"]["outcome"])["night"]["outcome"]["reason"] == "abandoned"


def test_a_slow_reader_gets_the_newest_and_not_what_was_between(night):
    with night.phone() as phone, phone.events("/table/events") as events:
        first = next(events)[1]["n"]
        night.type("red has a vision", "blue has a vision")
        night.told()
        newest = night.parts.pages.latest.current.version
        numbers = [first]
        while numbers[-1] < newest:
            kind, said = next(events)
            if kind == "state":
                numbers.append(said["n"])
        assert numbers == sorted(set(numbers))


def test_so_many_at_once_and_one_more_now_and_then():
    now = 0.0
    limiter = RateLimiter(burst=3, interval_s=10.0, clock=lambda: now)
    assert [limiter.allows("a") for _ in range(4)] == [True, True, True, False]
    assert limiter.allows("b")
    now = 10.0
    assert [limiter.allows("a") for _ in range(2)] == [True, False]


def test_who_says_too_much_at_once_is_told_to_say_it_again(house):
    with Phone(house.url) as phone:
        refused = next(answer for answer in iter(lambda: phone.say("red chooses card seven"), None) if answer.is_error)
    assert refused.status_code == 429
    assert refused.json()["message"] == "That was too fast for the house. Try again in a moment."


def test_all_together_have_a_bound_too():
    limiter = RateLimiter(burst=3, interval_s=10.0, total_burst=4, clock=lambda: 0.0)
    assert [limiter.allows(str(address)) for address in range(6)] == [True, True, True, True, False, False]


def test_addresses_that_are_gone_are_forgotten():
    limiter = RateLimiter(burst=1, interval_s=10.0, clock=lambda: 0.0)
    for address in range(100_000):
        limiter.allows(str(address))
    assert len(limiter._buckets) <= 257


def test_time_passes_for_the_house_all_the_while(house):
    house.until(lambda: any(isinstance(signal, Tick) for signal in house.followed))
