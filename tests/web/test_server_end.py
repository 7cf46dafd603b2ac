"""The server ends quietly and at once, whatever it is being asked."""

import logging
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx

from seance.web.callbacks import Lookups
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
