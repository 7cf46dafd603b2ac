"""`seance run` with its pages, as a host starts it: the language changes between nights, in the same program."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue

import httpx

from tests.web.running_evening import PATIENCE, Phone

SETTINGS = """
[telling]
pace = "brisk"
[web]
listen = "loopback"
port = 0
"""


def test_the_house_opens_again_in_another_language(tmp_path):
    (tmp_path / "settings.toml").write_text(SETTINGS)
    program = [sys.executable, "-m", "seance", "run", "--config", str(tmp_path / "settings.toml"), "--board", "virtual"]
    home = {"XDG_DATA_HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with (
        subprocess.Popen([*program, "--typed", "--no-sound"], env=os.environ | home, **pipes) as house,
        closing_by_force(house),
    ):
        lines: SimpleQueue[str] = SimpleQueue()
        reader = threading.Thread(target=lambda: [lines.put(line) for line in house.stdout])
        reader.start()
        url = address(lines)
        assert language(url) == "en"
        with Phone(url) as phone:
            phone.get("/host")
            assert phone.post("/host/do", {"do": "language", "value": "fr"}).status_code == 202
        assert language(address(lines)) == "fr"
        house.stdin.close()
        assert house.wait(PATIENCE) == 0
        reader.join(PATIENCE)


@contextmanager
def closing_by_force(house: "subprocess.Popen[str]") -> Iterator[None]:
    """Kill *house* if it still runs at the end: whoever waits for a program that waits for words waits for ever."""
    try:
        yield
    finally:
        house.kill()


def address(lines: "SimpleQueue[str]") -> str:
    """Return where the pages are, when the house says so."""
    while "the pages are at " not in (line := lines.get(timeout=PATIENCE)):
        pass
    return line.split("the pages are at ")[1].strip().rstrip("/")


def language(url: str) -> str:
    """Return in which language the table's page is."""
    return httpx.get(f"{url}/table", timeout=PATIENCE).text.split('<html lang="')[1][:2]
