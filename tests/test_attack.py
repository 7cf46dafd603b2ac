"""A short slice of each attack of `script/bench attack`: nothing is lost, nobody gets in, nothing raises."""

import sys
from pathlib import Path

import pytest

from script.benches import attack_engine, attack_files, attack_http, attack_kills, attack_pages
from seance.engine import Engine
from seance.web import psychic_routes, request_checks
from seance.web.host_access import HostAccess
from seance.web.request_checks import RequestChecks

SEED = 2026


def test_mutated_lines_are_answered_and_change_nothing():
    report = attack_engine.run(SEED, 4000)
    assert (report.count, report.findings) == (4000, [])


def test_an_engine_that_raises_is_found(monkeypatch):
    monkeypatch.setattr(Engine, "_answer", lambda *_: {}["nothing"])
    assert attack_engine.run(SEED, 10).tracebacks


def test_no_request_gets_in_or_breaks_the_house():
    report = attack_http.run(SEED, 300)
    assert (report.count, report.findings) == (300, [])


def test_a_page_that_shows_the_seats_key_is_found(monkeypatch):
    word = RequestChecks.word
    monkeypatch.setattr(RequestChecks, "word", lambda checks, key: word(checks, key) + checks._latest.current.seat.key)
    assert attack_http.run(SEED, 60).got_in


@pytest.mark.parametrize(
    ("where", "name", "broken"),
    [
        (request_checks, "is_host", lambda request, _: "host" in request.cookies),
        (HostAccess, "try_code", lambda *_: True),
    ],
    ids=["any cookie", "any code"],
)
def test_whoever_is_let_in_as_the_host_is_found(monkeypatch, where, name, broken):
    monkeypatch.setattr(where, name, broken)
    assert attack_http.run(SEED, 300).got_in


def test_whoever_touches_for_a_psychic_without_the_seat_is_found(monkeypatch):
    monkeypatch.setattr(psychic_routes, "psychic_device_of", lambda _, seats: next(iter(seats.holders.values()), None))
    assert attack_http.run(SEED, 200).got_in


def test_a_killed_house_is_back_with_its_night_and_its_ghost():
    report = attack_kills.run(SEED, 2)
    assert (report.count, report.findings) == (2, [])


def test_nights_without_a_damaged_byte_are_recovered():
    report = attack_pages.run(SEED, 20, nights=3)
    assert (report.count > 20, report.findings) == (True, [])


def test_mutated_files_end_no_program_in_an_unforeseen_way():
    kinds = ("settings", "boards", "documents", "journals", "recoveries", "sentences", "words", "settings", "boards")
    report = attack_files.run(SEED, 63, kinds=kinds)
    assert (report.count, report.findings) == (63, [])


def test_mutated_sounds_end_no_program_in_an_unforeseen_way():
    report = attack_files.run(SEED, 12, kinds=("sounds",))
    assert (report.count, report.findings) == (12, [])


def test_a_program_that_raises_or_does_not_say_why_is_found(monkeypatch):
    monkeypatch.setattr(attack_files, "seance", lambda _: {}["nothing"])
    assert "KeyError" in attack_files.run(SEED, 1, kinds=("boards",)).tracebacks[0]
    monkeypatch.setattr(attack_files, "seance", lambda _: 3)
    assert "status 3" in attack_files.run(SEED, 1, kinds=("boards",)).tracebacks[0]
    monkeypatch.setattr(attack_files, "seance", lambda _: 2)
    assert "where the mistake is" in attack_files.run(SEED, 1, kinds=("boards",)).tracebacks[0]


def test_a_program_that_changes_the_owners_file_or_loses_a_night_is_found(monkeypatch):
    monkeypatch.setattr(attack_files, "seance", lambda arguments: Path(arguments[-1]).write_text("") or 0)
    assert "settings.toml was changed" in attack_files.run(SEED, 1, kinds=("settings",)).lost[0]
    monkeypatch.setattr(attack_files, "seance", lambda _: sys.stdout.write("[]") * 0)
    assert "is not listed" in attack_files.run(SEED, 1, kinds=("documents",)).lost[0]
