"""Checks of boards, journals, permissions and ports."""

import socket
from functools import partial

from hardware.body import open_body
from hardware.virtual import VirtualPinFactory
from seance.doctor import CheckStatus, installation
from seance.journal import Journal
from seance.texts import Texts

TEXTS = Texts.load("doctor", "en")


def test_a_board_that_cannot_be_holds_no_night(tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text("[power]\nbudget_ma = 60\n[knocker]\npin = 4\n")
    found = installation.board(TEXTS, str(mine), turns=7)
    assert found.status is CheckStatus.BAD
    assert "knocker.pin" in found.text


def test_a_machine_that_is_no_pi_is_not_warned_that_the_virtual_board_stands_in():
    found = installation.board(TEXTS, "ring", turns=7)
    assert found.status is CheckStatus.GOOD
    assert "not a Raspberry Pi" in found.text


def test_the_virtual_board_is_good_as_it_is():
    assert installation.board(TEXTS, "virtual", turns=7).status is CheckStatus.GOOD


def test_a_clock_with_fewer_lamps_than_the_edition_has_turns_is_told_of(tmp_path, monkeypatch):
    monkeypatch.setattr(installation, "require_pi", lambda: "4B")
    monkeypatch.setattr(installation, "open_body", partial(open_body, pin_factory=VirtualPinFactory()))
    mine = tmp_path / "mine.toml"
    mine.write_text("[power]\nbudget_ma = 60\n[clock]\npins = [4, 5, 6, 7]\n")
    few, enough = (installation.board(TEXTS, str(mine), turns=turns) for turns in (7, 4))
    assert few.status is enough.status is CheckStatus.GOOD
    assert "of 7 hours, those without a lamp are counted again from the first" in few.text
    assert "without a lamp" not in enough.text


def test_nights_are_counted(tmp_path):
    path = tmp_path / "nights.sqlite"
    assert installation.journal(TEXTS, path).text.startswith("none yet")
    Journal.open(path).close()
    assert installation.journal(TEXTS, path).text.startswith("0 in ")


def test_a_file_that_is_no_journal_holds_no_night(tmp_path):
    path = tmp_path / "nights.sqlite"
    path.write_text("a shopping list\n" * 200)
    found = installation.journal(TEXTS, path)
    assert found.status is CheckStatus.BAD
    assert "journal.path" in found.fix


def test_nights_cannot_be_written_where_there_is_no_folder(tmp_path):
    (tmp_path / "cellar").write_text("")
    assert installation.journal(TEXTS, tmp_path / "cellar" / "nights.sqlite").status is CheckStatus.BAD


def test_a_device_that_is_closed_to_this_user_is_told_with_its_group(tmp_path):
    for device in ("gpiochip0", "i2c-1"):
        (tmp_path / device).touch()
    found = installation.permissions(TEXTS, tmp_path, may=lambda device, _: device.name != "gpiochip0")
    assert found.status is CheckStatus.WARN
    assert "usermod -aG gpio" in found.fix


def test_a_port_that_is_taken_is_told():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert installation.page(TEXTS, port).status is CheckStatus.WARN
        assert installation.page(TEXTS, port, in_use=True).status is CheckStatus.GOOD
    assert installation.page(TEXTS, port).status is CheckStatus.GOOD
    assert installation.page(TEXTS, port, in_use=True).status is CheckStatus.WARN
