"""Lookups of the pages that take long."""

import logging
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx

from seance.web.callbacks import Lookups
from tests.web.running_evening import PATIENCE, running_evening


def test_a_house_that_ends_while_the_doctor_looks_logs_no_error(tmp_path, caplog):
    looking, released = threading.Event(), threading.Event()

    def look() -> list[dict[str, str]]:
        looking.set()
        released.wait(PATIENCE)
        return []

    with ThreadPoolExecutor() as pool:
        with running_evening(tmp_path, lookups=Lookups(checks=look)) as house:
            phone = house.phone()
            answer = pool.submit(phone.get, "/host/checks")
            assert looking.wait(PATIENCE)
        released.set()
        assert isinstance(answer.exception(), httpx.TransportError)
        phone.http.close()
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []
