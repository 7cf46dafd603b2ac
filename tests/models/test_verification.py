"""Model files are read once after each change, and not again at every start."""

import json
import os

import pytest

from seance.models import store, verification
from tests.models.makers_archive import CONTENT, flip_a_bit, write_model


@pytest.fixture
def read(monkeypatch):
    """The names of the files that are read, in order."""
    names: list[str] = []

    def sha256_of(path):
        names.append(path.name)
        return real(path)

    real = verification.sha256_of
    monkeypatch.setattr(verification, "sha256_of", sha256_of)
    return names


def damage(there):
    (there / "am/final.mdl").write_bytes(flip_a_bit(CONTENT["am/final.mdl"]))


def test_a_model_is_read_at_its_first_start_and_not_at_the_second(home, read, nowhere):
    there = write_model(home)
    assert store.find("test", catalogue=nowhere) == there
    assert sorted(read) == ["empty.int", "final.mdl", "model.conf"]
    read.clear()
    assert store.find("test", catalogue=nowhere) == there
    assert read == []


def test_a_fetched_model_is_not_read_again(read, catalogue):
    there = store.fetch("test", catalogue=catalogue)
    read.clear()
    assert store.find("test", catalogue=catalogue) == there
    assert read == []


def test_a_file_that_was_changed_is_noticed_though_its_size_is_the_same(home, nowhere, caplog):
    there = write_model(home)
    assert store.find("test", catalogue=nowhere) == there
    damage(there)
    assert store.find("test", catalogue=nowhere) is None
    told = f"{there}/am/final.mdl is damaged: its sha256 differs; `seance models fetch test` repairs it"
    assert [record.getMessage() for record in caplog.records] == [told]
    with pytest.raises(
        store.ModelDamaged, match=r"final\.mdl is damaged: its sha256 differs; run `seance models fetch"
    ):
        store.require("test", catalogue=nowhere)


def test_only_the_file_that_changed_is_read_again(home, read, nowhere):
    there = write_model(home)
    store.find("test", catalogue=nowhere)
    read.clear()
    os.utime(there / "conf/model.conf", ns=(1, 1))
    assert store.find("test", catalogue=nowhere) == there
    assert read == ["model.conf"]


def test_a_damaged_model_does_not_hide_a_sound_one(home, tmp_path, monkeypatch, nowhere, caplog):
    damage(write_model(home))
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path / "shared"))
    sound = write_model(tmp_path / "shared/seance/models")
    assert store.find("test", catalogue=nowhere) == sound
    assert not caplog.records


def test_the_record_of_a_folder_that_cannot_be_written_is_in_the_users_cache(home, read, tmp_path, nowhere):
    there = write_model(home)
    (there / verification.RECORD_NAME).mkdir()  # so that root cannot write it either
    assert store.find("test", catalogue=nowhere) == there
    assert len(list((tmp_path / ".cache/seance/models").iterdir())) == 1
    read.clear()
    assert store.find("test", catalogue=nowhere) == there
    assert read == []


def test_where_nothing_can_be_written_a_model_is_read_at_every_start(home, read, tmp_path, nowhere):
    there = write_model(home)
    (there / verification.RECORD_NAME).mkdir()
    (tmp_path / ".cache").write_text("no folder")
    for _ in range(2):
        read.clear()
        assert store.find("test", catalogue=nowhere) == there
        assert "final.mdl" in read


@pytest.mark.parametrize(
    "record", ["", "{", "null", "1", "[1]", "[[1, 2]]", "[[[], {}, 1, 1, 1]]", '{"a": 1}', "[" * 100_000, "\0\xff"]
)
def test_a_broken_record_counts_as_none(home, read, nowhere, record):
    there = write_model(home)
    (there / verification.RECORD_NAME).write_text(record, encoding="latin-1")
    assert store.find("test", catalogue=nowhere) == there
    assert len(read) == 3


def test_verify_reads_every_byte_and_makes_the_record_forget_what_is_damaged(home, nowhere):
    there = write_model(home)
    store.find("test", catalogue=nowhere)
    before = (there / "am/final.mdl").stat()
    damage(there)
    os.utime(there / "am/final.mdl", ns=(before.st_atime_ns, before.st_mtime_ns))  # as a failing card would do it
    assert store.find("test", catalogue=nowhere) == there
    assert [str(flaw.path) for flaw in store.verify("test", catalogue=nowhere)] == [f"{there}/am/final.mdl"]
    assert store.find("test", catalogue=nowhere) is None


def test_files_that_were_read_for_another_catalogue_are_read_again(home, read, nowhere):
    there = write_model(home)
    store.find("test", catalogue=nowhere)
    record = there / verification.RECORD_NAME
    record.write_text(json.dumps([[*entry[:4], "0" * 64] for entry in json.loads(record.read_text())]))
    read.clear()
    assert store.find("test", catalogue=nowhere) == there
    assert len(read) == 3
