"""How a phone becomes the host's: with the code that this machine shows, logs or speaks, and with nothing else."""

import logging
from collections.abc import Iterator

import pytest
from itsdangerous import BadSignature, TimestampSigner

from seance.daemon.terminal.evening_view import EveningView
from seance.daemon.world import web_thread
from seance.narration.cues import Say
from seance.web import request_checks
from seance.web.address import bind_socket
from seance.web.host_access import HOST_MAX_AGE_S, MAX_WRONG_TRIES, HostAccess
from tests.daemon.screens import screen_rows
from tests.web.running_evening import Phone, RunningEvening, chosen, running_evening

FAR = "127.0.0.2"


@pytest.fixture
def house(tmp_path, monkeypatch) -> Iterator[RunningEvening]:
    monkeypatch.setattr(request_checks, "is_loopback", lambda address: address == "127.0.0.1")
    with running_evening(tmp_path) as house:
        yield house


@pytest.fixture
def phone(house) -> Iterator[Phone]:
    with house.phone(address=FAR) as phone:
        phone.get("/host")
        yield phone


def enter(phone: Phone, code: str) -> int:
    return phone.post("/host/enter", {"code": code}).status_code


def may_see(phone: Phone) -> bool:
    return phone.get("/host/checks").status_code == 200


def wrong(house: RunningEvening) -> str:
    return f"{(int(house.parts.host_access.code) + 1) % 1_000_000:06}"


def test_the_code_makes_a_phone_the_hosts(house, phone):
    assert 'data-role="guest"' in phone.get("/host").text
    assert not may_see(phone)
    assert enter(phone, house.parts.host_access.code) == 200
    assert may_see(phone)
    assert 'data-role="host"' in phone.get("/host").text


def test_a_browser_on_this_machine_is_the_host_without_a_code(house):
    with house.phone() as here:
        assert 'data-role="host"' in here.get("/host").text
        assert may_see(here)


def test_a_wrong_code_lets_nobody_in(house, phone):
    assert enter(phone, wrong(house)) == 403
    assert "host" not in phone.http.cookies
    assert not may_see(phone)


@pytest.mark.parametrize("body", [{}, {"code": ""}, {"code": "12345"}, {"code": "1234567"}, {"code": "12345x"},
                                  {"code": "\u0661" * 6}, {"code": 123456}, {"code": "123456\n"}])  # fmt: skip
def test_what_is_no_code_is_no_try(house, phone, body):
    code = house.parts.host_access.code
    assert [phone.post("/host/enter", body).status_code for _ in range(2)] == [400, 400]
    assert house.parts.host_access.code == code


def test_whoever_guesses_must_wait(house, phone):
    answers = [enter(phone, wrong(house)) for _ in range(8)]
    assert answers[:5] == [403] * 5
    assert answers[5:] == [429] * 3
    assert enter(phone, house.parts.host_access.code) == 429


def test_many_phones_that_guess_must_wait_together(house):
    answers = []
    for last in range(10, 15):
        with house.phone(address=f"127.0.0.{last}") as phone:
            phone.get("/host")
            answers += [enter(phone, wrong(house)) for _ in range(4)]
    assert answers.count(403) <= 11
    assert answers[-1] == 429


def test_after_five_wrong_tries_the_code_is_another(house, phone):
    code = house.parts.host_access.code
    for _ in range(MAX_WRONG_TRIES - 1):
        enter(phone, wrong(house))
    assert house.parts.host_access.code == code
    enter(phone, wrong(house))
    assert house.parts.host_access.code != code


def test_a_code_lets_in_one_phone(house, phone):
    code = house.parts.host_access.code
    assert enter(phone, code) == 200
    with house.phone(address="127.0.0.3") as other:
        other.get("/host")
        assert enter(other, code) == 403


def test_a_forged_cookie_is_refused(house, phone):
    with house.phone(address="127.0.0.3") as host:
        host.get("/host")
        enter(host, house.parts.host_access.code)
        true = host.http.cookies["host"]
    device, stamp, signature = true.split(".")
    guest = phone.http.cookies["guest"]
    forged = [
        "", "x", guest, device, f"{device}.{stamp}", f"{device}.{stamp}.{signature[::-1]}",
        f"{'0' * len(device)}.{stamp}.{signature}", f"{device}.zzzzzz.{signature}", HostAccess().sign(device),
        f"{device}.{stamp}.{guest.split('.')[1]}", "a" * 5000,
    ]  # fmt: skip
    for cookie in forged:
        headers = {"cookie": f"guest={guest}; host={cookie}"}
        assert phone.get("/host/checks", headers=headers).status_code in (400, 403), cookie
        answer = phone.post("/host/do", {"do": "language", "value": "fr"}, headers=headers)
        assert answer.status_code in (400, 403), cookie
    assert phone.get("/host/checks", headers={"cookie": f"host={true}"}).status_code == 200


def test_a_phone_stays_the_hosts_for_a_day(monkeypatch):
    access, now = HostAccess(), 1_700_000_000
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda _: now)
    signed = access.sign("a device")
    now += HOST_MAX_AGE_S
    assert access.unsign(signed) == b"a device"
    now += 1
    with pytest.raises(BadSignature):
        access.unsign(signed)


def test_a_change_of_language_does_not_put_the_host_out(tmp_path, house, phone):
    enter(phone, house.parts.host_access.code)
    cookies = phone.http.cookies
    reopened = running_evening(tmp_path / "fr", chosen(tmp_path / "fr"), host_access=house.parts.host_access)
    with reopened as again, again.phone(address=FAR) as same:
        same.http.cookies = cookies
        assert may_see(same)


# Where the code is told


def test_the_house_says_the_code_aloud_and_no_page_gets_it(house, phone):
    told, perform = [], house.parts.performer.perform
    house.parts.performer.perform = lambda cues: (told.extend(cues), perform(cues))
    assert phone.post("/host/code").status_code == 202
    house.type("")
    (line,) = [cue for cue in told if isinstance(cue, Say)]
    numbers = house.parts.context.style.script.inflection.numbers
    assert ", ".join(numbers[int(digit)] for digit in house.parts.host_access.code) in line.text
    house.told()
    assert line.text not in [said.text for said in house.parts.pages.latest.current.said]


def test_the_house_says_it_once_a_minute_for_everybody(house, phone):
    assert phone.post("/host/code").status_code == 202
    with house.phone(address="127.0.0.3") as other:
        other.get("/host")
        assert other.post("/host/code").status_code == 429


def test_the_log_has_the_code_and_each_that_follows(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr(web_thread, "bind_socket", lambda _listen, port: bind_socket("loopback", port))
    caplog.set_level(logging.INFO)
    with running_evening(tmp_path, chosen(tmp_path, listen="network")) as house:
        access = house.parts.host_access
        assert f"the host's code is {access.code}" in caplog.text
        access.try_code(access.code)
        assert f"the host's code is {access.code}" in caplog.text


def test_the_terminal_shows_the_code():
    view = EveningView(address="http://seance.local:8013/", host_code="407152")
    assert "407152" in "\n".join(screen_rows(view))
