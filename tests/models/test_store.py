"""Models found on this machine, and verified."""

import re

import pytest

from seance.models import store
from seance.models.catalogue import CATALOGUE, UnknownModel, parse_catalogue
from tests.models.makers_archive import CONTENT, NAME, flip_a_bit, write_model


def test_a_model_in_the_users_folder_is_found(home, catalogue):
    assert write_model(home) == store.find("test", catalogue=catalogue)


def test_a_model_is_found_by_its_makers_name_too(home, catalogue):
    assert write_model(home) == store.find(NAME, catalogue=catalogue)


def test_the_owners_folder_comes_first(home, tmp_path, monkeypatch, catalogue):
    write_model(home)
    monkeypatch.setenv("SEANCE_MODELS", str(tmp_path / "owners"))
    assert write_model(tmp_path / "owners") == store.find("test", catalogue=catalogue)


def test_a_folder_given_comes_before_the_owners(tmp_path, monkeypatch, catalogue):
    monkeypatch.setenv("SEANCE_MODELS", str(tmp_path / "owners"))
    write_model(tmp_path / "owners")
    assert write_model(tmp_path / "given") == store.find("test", tmp_path / "given", catalogue=catalogue)


def test_the_owner_may_name_the_models_own_folder(tmp_path, catalogue):
    there = write_model(tmp_path / "owners")
    assert store.find("test", there, catalogue=catalogue) == there


def test_the_machines_folders_are_looked_at(tmp_path, monkeypatch, catalogue):
    monkeypatch.setenv("XDG_DATA_DIRS", f"{tmp_path / 'one'}:{tmp_path / 'two'}")
    assert write_model(tmp_path / "two" / "seance" / "models") == store.find("test", catalogue=catalogue)


def test_a_model_with_a_short_file_is_not_found(home, catalogue):
    write_model(home, {**CONTENT, "am/final.mdl": CONTENT["am/final.mdl"][:-1]})
    assert store.find("test", catalogue=catalogue) is None


def test_a_broken_model_does_not_hide_a_whole_one(home, tmp_path, monkeypatch, catalogue):
    write_model(home, {**CONTENT, "conf/model.conf": b""})
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path / "share"))
    assert write_model(tmp_path / "share" / "seance" / "models") == store.find("test", catalogue=catalogue)


def test_a_model_without_its_readme_is_whole(home, catalogue):
    there = write_model(home, {path: data for path, data in CONTENT.items() if path != "README"})
    assert (store.find("test", catalogue=catalogue), store.verify(there, catalogue=catalogue)) == (
        there,
        (),
    )


def test_an_unknown_name_is_answered_with_the_known_ones():
    with pytest.raises(UnknownModel, match="'de': choose from en, fr, speaker, second, piper"):
        store.find("de")


def test_an_absent_model_says_how_to_get_it(catalogue):
    with pytest.raises(store.ModelAbsent, match="seance models fetch test"):
        store.require("test", catalogue=catalogue)


def test_verify_names_the_file_whose_bytes_differ(home, catalogue):
    there = write_model(home, {**CONTENT, "am/final.mdl": flip_a_bit(CONTENT["am/final.mdl"])})
    (damage,) = store.verify("test", catalogue=catalogue)
    assert damage.path == there / "am/final.mdl"


def test_verify_names_a_missing_file(home, catalogue):
    (write_model(home) / "conf/model.conf").unlink()
    assert str(store.verify("test", catalogue=catalogue)[0]).endswith("conf/model.conf is missing")


def test_every_model_has_a_hash_for_every_file_and_a_package_that_carries_it():
    for model in CATALOGUE.values():
        assert model.package is not None
        assert all(len(file.sha256) == 64 for file in (*model.files, model.package))
        assert re.fullmatch(r"[a-z-]+(==|@)\d+\.\d+\.\d+", model.package.spec), "one version and no other"


def test_a_catalogue_with_a_misspelt_word_is_refused():
    with pytest.raises(TypeError, match="licens"):
        parse_catalogue(
            '[[model]]\nkey = "x"\nname = "x"\nlanguage = "en"\nkind = "voice"\nlicens = "MIT"\nfiles = []\n'
        )
