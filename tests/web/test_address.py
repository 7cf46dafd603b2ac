"""Where the pages are found: said aloud, shown on the terminal, and as a code for a phone."""

import io
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import segno

from seance.daemon.evening import Evening
from seance.daemon.page_publisher import PagePublisher
from seance.daemon.signals import Typed
from seance.daemon.terminal.evening_view import EveningView
from seance.daemon.terminal.plain_terminal import PlainTerminal
from seance.daemon.terminal.screen_layout import ScreenPanel
from seance.rules import LIBELLUD
from seance.texts import Texts
from seance.web.address import PortTaken, address_in_digits, bind_socket, host_names, page_address
from seance.web.qr import QUIET_ZONE_MODULES, qr_lines
from tests.daemon.evenings import evening_context, keys, lines
from tests.daemon.screens import screen_rows

ROOT = Path(__file__).parents[2]
EVERYWHERE = ("0.0.0.0", 8013)
HOTSPOT = """
import fcntl, socket, struct
from seance.web.address import own_address
set_address = 0x8916
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
    family, number = struct.pack("HH", socket.AF_INET, 0), socket.inet_aton("192.168.4.1")
    fcntl.ioctl(asked, set_address, struct.pack("16s4s4s8x", b"lo", family, number))
print(own_address())
"""
"""A network whose one interface has that address, and from which no way leads anywhere."""


def test_where_names_are_known_the_page_has_a_name():
    assert page_address(EVERYWHERE, "seance", has_names=lambda: True) == "http://seance.local:8013/"


def test_without_names_it_has_a_number():
    found = page_address(EVERYWHERE, "seance", has_names=lambda: False, own=lambda: "192.168.1.20")
    assert found == "http://192.168.1.20:8013/"


def test_beside_its_name_the_page_has_digits_for_a_phone_that_knows_no_names():
    assert address_in_digits(EVERYWHERE, own=lambda: "192.168.1.20") == "192.168.1.20:8013"
    assert address_in_digits(EVERYWHERE, own=lambda: None) is None
    assert address_in_digits(("127.0.0.1", 8013)) is None


def test_without_a_network_it_is_here():
    assert page_address(EVERYWHERE, "seance", has_names=lambda: False, own=lambda: None) == "http://127.0.0.1:8013/"


def test_on_a_hotspot_that_leads_nowhere_it_is_still_found():
    apart = ["unshare", "--map-root-user", "--net"]
    if subprocess.run([*apart, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this system lets nobody have a network of their own")
    done = subprocess.run([*apart, sys.executable, "-c", HOTSPOT], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "192.168.4.1\n"


def test_a_page_for_this_machine_alone_is_not_advertised():
    assert page_address(("127.0.0.1", 8013), "seance", has_names=lambda: True) == "http://127.0.0.1:8013/"


def test_the_machine_knows_its_own_names():
    assert {"localhost", "seance", socket.gethostname().lower()} <= host_names("Seance")


def test_a_port_that_is_taken_is_told_in_one_sentence():
    with bind_socket("loopback", 0) as own, pytest.raises(PortTaken, match=r"cannot be served at port \d+: Address"):
        bind_socket("loopback", own.getsockname()[1])


def test_the_code_says_the_address():
    lines = qr_lines("http://seance.local:8013/")
    modules = [list(row) for row in segno.make("http://seance.local:8013/", error="l", micro=False).matrix]
    above = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}
    rows = [[above[letter][half] for letter in line] for line in lines for half in (0, 1)]
    read = [
        row[QUIET_ZONE_MODULES:-QUIET_ZONE_MODULES]
        for row in rows[QUIET_ZONE_MODULES : QUIET_ZONE_MODULES + len(modules)]
    ]
    assert read == [[int(bool(cell)) for cell in row] for row in modules]


ADDRESS = "http://seance.local:8013/"


def shown(height: int, width: int = 100) -> str:
    """Return what a terminal of that size shows to whoever asks for the phones."""
    view = EveningView(address=ADDRESS, qr_code=qr_lines(ADDRESS))
    return "\n".join(screen_rows(view, panel=ScreenPanel.PHONES, width=width, height=height))


def test_the_code_is_shown_where_it_fits():
    assert "█▀" in shown(40)
    assert "█▀" not in shown(12)
    assert "█▀" not in shown(40, width=20)
    assert all("seance.local" in shown(height) for height in (12, 40))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "seance, dot local, colon, eight zero one three"),
        ("fr", "seance, point local, deux-points, huit zéro un trois"),
    ],
)
def test_the_narrator_says_where_the_ghosts_page_is_once(tmp_path, language, said):
    evening = Evening(
        replace(evening_context(tmp_path / "n.sqlite", language=language), pages_address="seance.local:8013")
    )
    cues = list(evening.open(1.0))
    assert keys(cues) == ["reply.welcome", "reply.page_by_name"]
    assert said in lines(cues)[-1]


def test_a_number_is_said_digit_by_digit(tmp_path):
    evening = Evening(replace(evening_context(tmp_path / "n.sqlite"), pages_address="192.168.1.20:8013"))
    assert "one nine two, one six eight, one, two zero" in lines(list(evening.open(1.0)))[-1]


def test_without_pages_nothing_is_said_of_them(tmp_path):
    assert keys(list(Evening(evening_context(tmp_path / "n.sqlite")).open(1.0))) == ["reply.welcome"]


@pytest.fixture
def asked(tmp_path):
    """The cues that follow when somebody asks for the ghost's page."""
    evening = Evening(replace(evening_context(tmp_path / "n.sqlite"), pages_address="seance.local:8013"))
    evening.open(1.0)
    return evening.receive(Typed("where is the ghost's page"), 2.0)


def test_whoever_asks_for_the_page_hears_its_address(asked):
    assert "seance, dot local, colon, eight zero one three" in lines(asked)[-1]


def test_whoever_asks_for_the_page_reads_its_address_on_the_terminal(asked):
    out = io.StringIO()
    terminal = PlainTerminal(Texts.load("terminal", "en"), out)
    for cue in asked:
        terminal.show(cue)
    assert "http://seance.local:8013/" in out.getvalue()


def test_whoever_asks_for_the_page_reads_its_address_on_the_pages(asked):
    publisher = PagePublisher(language="en", pace="full", edition=LIBELLUD)
    for cue in asked:
        publisher.publish_cue(cue)
    assert "http://seance.local:8013/" in publisher.latest.current.said[-1].text


def test_whoever_asks_for_a_page_that_no_phone_can_open_is_told_so(tmp_path):
    evening = Evening(evening_context(tmp_path / "n.sqlite"))
    evening.open(1.0)
    assert keys(evening.receive(Typed("where is the ghost's page"), 2.0)) == ["reply.no_page"]
