"""Changes the language of a real `seance run` again and again while attackers send requests."""

import re
import socket
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import httpx

from script.benches.attack_report import Report
from script.benches.attack_requests import KnownCookies, make_request
from seance.languages import DEFAULT_LANGUAGE, language_codes
from tests.web.browser.seance_process import SeanceProcess
from tests.web.running_evening import PATIENCE, Phone

ATTACKERS = 2
NO_COOKIES = KnownCookies(
    guest="guest.x", former_seat="former.x", seat="seat.x", former_psychic="gone.x", psychic="psychic.x", host="host.x"
)
LANGUAGES = (*(code for code in language_codes() if code != DEFAULT_LANGUAGE), DEFAULT_LANGUAGE)
"""In the order of the changes: the house opens in the last one."""


def change_languages(report: Report, chance: Random, times: int) -> None:
    """Change the language *times* times, as the host does, and report it if the house does not follow or complains."""
    if not times:
        return
    with tempfile.TemporaryDirectory() as folder:
        house, ended = SeanceProcess(Path(folder)), threading.Event()
        seeds = [chance.random() for _ in range(ATTACKERS)]
        attackers = [threading.Thread(target=_attack, args=(house.address, Random(seed), ended)) for seed in seeds]
        try:
            for attacker in attackers:
                attacker.start()
            for number in range(times):
                if not _change_language(house.address, LANGUAGES[number % len(LANGUAGES)]):
                    report.lost.append(f"change of language {number + 1}: the house does not follow")
                    break
        finally:
            ended.set()
            for attacker in attackers:
                attacker.join()
            house.end()
        log = "".join(house.log)
        if re.search(r"Traceback|ERROR", log):
            report.tracebacks.append(f"while the language was changed: {log[-2000:]}")


def _attack(address: str, chance: Random, ended: threading.Event) -> None:
    """Send requests until *ended*, but none that changes the language."""
    host = address.removeprefix("http://")
    name, port = host.split(":")
    while not ended.is_set():
        request = make_request(chance, host, NO_COOKIES)
        if b"language" in request.data:
            continue
        with suppress(OSError), socket.create_connection((name, int(port)), PATIENCE) as own:
            own.settimeout(0.1)
            own.sendall(request.data)
            own.recv(65_536)


def _change_language(address: str, language: str) -> bool:
    """Ask for *language* on the host's page, and return whether the pages are in that language before long."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with suppress(httpx.HTTPError, OSError), Phone(address) as phone:
            phone.get("/host")
            phone.post("/host/do", {"do": "language", "value": language})
            if f'lang="{language}"' in phone.get("/table").text:
                return True
        time.sleep(0.05)
    return False
