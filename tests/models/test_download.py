"""Downloads from the makers over connections that break off."""

import time
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from seance.models import download, store
from seance.models.catalogue import Makers
from seance.models.verification import RECORD_NAME
from tests.models.makers_archive import CONTENT, NAME, ArchiveServer, flip_a_bit, make_model, make_zip, write_model


def test_a_fetched_model_is_sound(catalogue):
    assert store.verify(store.fetch("test", catalogue=catalogue), catalogue=catalogue) == ()


def test_a_fetched_model_lies_in_the_users_folder(home, catalogue):
    assert store.fetch("test", catalogue=catalogue) == home / NAME


def test_nothing_but_the_models_files_is_taken_out(home, makers):
    makers.body = make_zip({**CONTENT, "am/extra": b"?", "../../escaped": b"?"})
    there = store.fetch("test", catalogue={"test": make_model(CONTENT, makers.body, makers.url)})
    found = {str(path.relative_to(there)) for path in there.rglob("*") if path.is_file()}
    assert (found, list(home.rglob("escaped"))) == ({*CONTENT, RECORD_NAME}, [])


def test_a_readme_in_another_wording_is_left_out(makers):
    makers.body = make_zip({**CONTENT, "README": b"the makers' own, longer wording\n"})
    there = store.fetch("test", catalogue={"test": make_model(CONTENT, makers.body, makers.url)})
    assert not (there / "README").exists()


def test_a_sound_model_is_not_fetched_again(home, makers, catalogue):
    write_model(home)
    store.fetch("test", catalogue=catalogue)
    assert makers.requested_ranges == []


def test_a_cut_download_goes_on_where_it_was_cut(makers, catalogue):
    makers.cuts = [300_000]
    store.fetch("test", catalogue=catalogue)
    assert makers.requested_ranges == [None, "bytes=300000-"]


def test_a_server_that_knows_no_ranges_is_asked_for_the_whole_again(makers, catalogue):
    makers.supports_ranges, makers.cuts = False, [300_000]
    assert store.verify(store.fetch("test", catalogue=catalogue), catalogue=catalogue) == ()


def test_what_came_is_kept_for_the_next_fetch(makers, catalogue):
    makers.cuts = [300_000, 0, 0, 0]
    with pytest.raises(store.FetchFailed, match=r"300000 of .* bytes are kept"):
        store.fetch("test", catalogue=catalogue)
    makers.requested_ranges.clear()
    store.fetch("test", catalogue=catalogue)
    assert makers.requested_ranges == ["bytes=300000-"]


def test_a_piece_of_another_file_is_thrown_away(home, makers, catalogue):
    part = home / ".fetching" / NAME / f"{NAME}.zip.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(b"?" * 1000)
    store.fetch("test", catalogue=catalogue)
    assert makers.requested_ranges == ["bytes=1000-", None]


def test_an_archive_of_another_size_is_not_even_downloaded(makers, catalogue):
    makers.body += b"?"
    with pytest.raises(store.FetchFailed, match=r"not the .* of the catalogue"):
        store.fetch("test", catalogue=catalogue)


def test_an_archive_with_another_hash_is_refused(makers, catalogue):
    makers.body = flip_a_bit(makers.body)
    with pytest.raises(store.FetchFailed, match="sha256 differs"):
        store.fetch("test", catalogue=catalogue)
    assert store.find("test", catalogue=catalogue) is None


def test_a_wrong_file_in_an_archive_of_unknown_hash_is_refused(makers):
    makers.body = make_zip({**CONTENT, "conf/model.conf": b"--beam=99.0\n"})
    model = make_model(CONTENT, makers.body, makers.url)
    model = replace(model, makers=Makers(makers.url, len(makers.body)))
    with pytest.raises(store.FetchFailed, match=r"conf/model\.conf is not the file of the catalogue"):
        store.fetch("test", catalogue={"test": model})


def test_an_archive_that_lacks_a_file_is_refused(makers):
    makers.body = make_zip({path: data for path, data in CONTENT.items() if path != "conf/model.conf"})
    with pytest.raises(store.FetchFailed, match=r"conf/model\.conf is not in it"):
        store.fetch("test", catalogue={"test": make_model(CONTENT, makers.body, makers.url)})


def test_files_offered_one_by_one_are_fetched():
    content = {"voice.onnx": b"the voice"}
    archive = ArchiveServer(content["voice.onnx"])
    server = archive.serve()
    model = make_model(content, archive.body, archive.url.removesuffix(f"{NAME}.zip"))
    there = store.fetch("test", catalogue={"test": model})
    server.shutdown()
    server.server_close()
    assert (there / "voice.onnx").read_bytes() == b"the voice"


def test_progress_rises_to_the_whole(makers, catalogue):
    steps = []
    store.fetch("test", progress=steps.append, catalogue=catalogue)
    downloading_steps = [step.done for step in steps if step.activity == makers.url and step.total]
    assert downloading_steps == sorted(downloading_steps)
    assert downloading_steps[-1] == len(makers.body)


def test_without_a_network_the_error_says_what_to_do_by_hand(home, nowhere):
    with pytest.raises(store.FetchFailed) as refused:
        store.fetch("test", catalogue=nowhere)
    for said in (
        "http://127.0.0.1:9/gone.zip: connection refused",
        str(home),
        "`seance models fetch test` again",
    ):
        assert said in str(refused.value)


def test_a_server_that_never_answers_is_soon_given_up(monkeypatch):
    monkeypatch.setattr(download, "TIMEOUT_S", 0.3)
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as deaf:
        model = make_model(CONTENT, make_zip(CONTENT), f"http://127.0.0.1:{deaf.server_port}/x.zip")
        began = time.monotonic()
        with pytest.raises(store.FetchFailed, match="timed out"):
            store.fetch("test", catalogue={"test": model})
    assert time.monotonic() - began < 3
