"""The doctor at boards, nights, rights and ports, real ones as far as this machine has them."""

import socket

from seance.doctor import State, installation
from seance.journal import Journal


def test_a_board_that_cannot_be_holds_no_night(tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text("[power]\nbudget_ma = 60\n[knocker]\npin = 4\n")
    found = installation.board(str(mine))
    assert found.state is State.BAD
    assert "knocker.pin" in found.told


def test_without_pins_the_virtual_board_stands_in():
    found = installation.board("ring")
    assert found.state is State.WARN
    assert "not a Raspberry Pi" in found.told


def test_the_virtual_board_is_good_as_it_is():
    assert installation.board("virtual").state is State.GOOD


def test_nights_are_counted(tmp_path):
    path = tmp_path / "nights.sqlite"
    assert installation.journal(path).told.startswith("none yet")
    Journal.open(path).close()
    assert installation.journal(path).told.startswith("0 in ")


def test_a_file_that_is_no_journal_holds_no_night(tmp_path):
    path = tmp_path / "nights.sqlite"
    path.write_text("a shopping list\n" * 200)
    found = installation.journal(path)
    assert found.state is State.BAD
    assert "journal.path" in found.fix


def test_nights_cannot_be_written_where_there_is_no_folder(tmp_path):
    (tmp_path / "cellar").write_text("")
    assert installation.journal(tmp_path / "cellar" / "nights.sqlite").state is State.BAD


def test_a_device_that_is_closed_to_this_user_is_told_with_its_group(tmp_path):
    for device in ("gpiochip0", "i2c-1"):
        (tmp_path / device).touch()
    found = installation.permissions(tmp_path, may=lambda device, _: device.name != "gpiochip0")
    assert found.state is State.WARN
    assert "usermod -aG gpio" in found.fix


def test_a_port_that_is_taken_is_told():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert installation.page(port).state is State.WARN
        assert installation.page(port, in_use=True).state is State.GOOD
    assert installation.page(port).state is State.GOOD
    assert installation.page(port, in_use=True).state is State.WARN
