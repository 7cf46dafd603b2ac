"""A third language for tests, in a folder of its own: English where it says nothing else."""

import shutil
from importlib.resources import files
from pathlib import Path

CODE = "qaa"
"""ISO 639 keeps it free for private use."""
LANGUAGE = """
name = "Thirdish"
letters = "abcdefghijklmnopqrstuvwxyz"
genders = ["m", "f"]
plural_forms = "nplurals=2; plural=n != 1;"
[fold]
"ß" = "ss"
"""


def write_third_language(root: Path) -> Path:
    """Write the language to a folder in *root*, and return that folder."""
    folder = root / CODE
    shutil.copytree(Path(str(files("voices"))) / "en", folder)
    (folder / "language.toml").write_text(LANGUAGE, encoding="utf-8")
    spoken = (folder / "sentences.yaml").read_text(encoding="utf-8")
    (folder / "sentences.yaml").write_text(
        spoken.replace("{range: {", "{range: {words_language: en, "), encoding="utf-8"
    )
    (folder / "cast.toml").write_text('talk = ["hm"]\nquestions = ["what hour is it"]\n', encoding="utf-8")
    return folder
