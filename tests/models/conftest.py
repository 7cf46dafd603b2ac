import os

import pytest

from tests.models.makers_archive import CONTENT, ArchiveServer, make_model, make_zip


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    for name in ("SEANCE_MODELS", "XDG_CACHE_HOME", "XDG_DATA_DIRS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path / "data" / "seance" / "models"


@pytest.fixture
def makers():
    archive = ArchiveServer(make_zip(CONTENT))
    server = archive.serve()
    yield archive
    server.shutdown()
    server.server_close()


@pytest.fixture
def catalogue(makers):
    return {"test": make_model(CONTENT, makers.body, makers.url)}


@pytest.fixture
def nowhere():
    """A catalogue whose makers cannot be reached."""
    return {"test": make_model(CONTENT, make_zip(CONTENT), "http://127.0.0.1:9/gone.zip")}


@pytest.fixture
def pip_of(monkeypatch, tmp_path):
    """Let the real pip find its packages in a folder and nowhere else."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    return tmp_path / "wheels"
