"""The server ends quietly and at once, whatever it is being asked."""

import asyncio
import logging
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import uvicorn

from seance.web import server
from seance.web.callbacks import Lookups
from seance.web.latest import LatestState
from seance.web.page_state import PageState, SeatState
from tests.web.running_evening import running_evening


def test_a_house_that_ends_while_it_is_being_checked_logs_nothing(tmp_path, caplog):
    begun, may_end = threading.Event(), threading.Event()

    def checks() -> list[dict[str, str]]:
        begun.set()
        may_end.wait()
        return []

    with ThreadPoolExecutor(1) as browser:
        with running_evening(tmp_path, lookups=Lookups(checks=checks)) as house, caplog.at_level(logging.INFO):
            phone = house.phone()
            answer = browser.submit(phone.get, "/host/checks")
            assert begun.wait(20)
            caplog.clear()
        assert isinstance(answer.exception(), httpx.HTTPError)
        may_end.set()
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_a_request_is_cancelled_when_its_connection_is_lost_and_not_before(monkeypatch):
    """Or uvicorn would log that there is no answer."""
    happened: list[str] = []

    class Connection:
        """A connection as asyncio aborts it: it is lost a moment later."""

        @property
        def transport(self) -> "Connection":
            return self

        def abort(self) -> None:
            asyncio.get_running_loop().call_soon(happened.append, "lost")

    async def end_in_mid_answer() -> None:
        looked_up = asyncio.Event()

        async def answer() -> None:
            try:
                await looked_up.wait()
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                happened.append("cancelled")

        uvicorns = server._UvicornServer(
            uvicorn.Config(lambda *_: None), LatestState(PageState(seat=SeatState(key="k")))
        )
        request = asyncio.create_task(answer())
        await asyncio.sleep(0)
        uvicorns.server_state.connections.add(Connection())
        uvicorns.server_state.tasks.add(request)
        looked_up.set()  # so that the request is about to go on
        await uvicorns.shutdown()
        await request

    async def do_nothing(*_: object) -> None:
        pass

    monkeypatch.setattr(uvicorn.Server, "shutdown", do_nothing)
    asyncio.run(end_in_mid_answer())
    assert happened == ["lost", "cancelled"]
