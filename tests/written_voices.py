"""Files of languages that a test writes: they go before ours, which are there where it writes none."""

from collections.abc import Callable
from pathlib import Path

import pytest

from seance.languages import FOLDER_VARIABLE

WriteVoice = Callable[[str, str], Path]


@pytest.fixture
def write_voice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WriteVoice:
    """Write a file of a language, such as `en/editions/fifth.toml`."""
    folder = tmp_path / "voices"
    folder.mkdir()
    monkeypatch.setenv(FOLDER_VARIABLE, str(folder))

    def write(path: str, text: str) -> Path:
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    return write
