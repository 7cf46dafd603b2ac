"""A model is installed completely or not at all: interruptions, concurrent fetches, full disks."""

import shutil

import pytest

from seance.models import store
from tests.models.makers_archive import NAME, kill_during, start_fetch, write_model


def test_a_cut_between_unpacking_and_installing_leaves_no_model(catalogue):
    kill_during(catalogue["test"], "unpacking")
    assert store.find("test", catalogue=catalogue) is None


def test_after_such_a_cut_the_next_fetch_clears_up_and_installs(home, catalogue):
    kill_during(catalogue["test"], "unpacking")
    left = list((home / ".fetching").glob("*/scratch-*"))
    store.fetch("test", catalogue=catalogue)
    assert (len(left), [path.name for path in (home / ".fetching").iterdir()]) == (1, ["lock"])


def test_a_fetch_that_fails_leaves_nothing_half_made(home, catalogue, nowhere):
    kill_during(catalogue["test"], "unpacking")
    with pytest.raises(store.FetchFailed):
        store.fetch("test", catalogue=nowhere)
    assert [path.name for path in (home / ".fetching").iterdir()] == ["lock"]


def test_a_cut_in_the_download_leaves_a_piece_to_go_on_with(makers, catalogue):
    kill_during(catalogue["test"], "http")
    makers.requested_ranges.clear()
    store.fetch("test", catalogue=catalogue)
    assert len(makers.requested_ranges) == 1
    assert makers.requested_ranges[0].startswith("bytes=")


def test_a_model_set_aside_comes_back_after_a_cut(home, nowhere):
    aside = write_model(home)
    (home / ".fetching" / NAME / "scratch-x").mkdir(parents=True)
    aside.rename(home / ".fetching" / NAME / "scratch-x" / "aside")
    assert store.fetch("test", catalogue=nowhere) == home / NAME


def test_two_fetches_at_once_bring_the_model_once(home, makers, catalogue):
    crowd = [start_fetch(catalogue["test"]) for _ in range(3)]
    said = {one.communicate(timeout=60)[0].strip() for one in crowd}
    assert (said, len(makers.requested_ranges)) == ({str(home / NAME)}, 1)


def test_a_disk_that_fills_up_is_named(catalogue):
    with start_fetch(catalogue["test"], "full") as fetching:
        said = fetching.communicate(timeout=60)[0]
    assert "file too large; make room there, or name another folder" in said


def test_too_little_room_is_said_before_anything_is_downloaded(makers, catalogue, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9, 0))
    with pytest.raises(store.CannotStore, match=r"MB are needed in .*, 0 MB are free"):
        store.fetch("test", catalogue=catalogue)
    assert makers.requested_ranges == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path, catalogue):
    (tmp_path / "file").touch()
    with pytest.raises(store.CannotStore, match=r"file.*: not a directory; .* SEANCE_MODELS"):
        store.fetch("test", into=tmp_path / "file" / "models", catalogue=catalogue)
