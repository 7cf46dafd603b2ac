"""A third language for tests, Thirdish: English words with three genders, a dative, and three plural forms.

What it says otherwise than English is written here; the rest is made from the English files, and never behind.
"""

import re
import shutil
from importlib.resources import files
from pathlib import Path

import pytest

from seance.languages import FOLDER_VARIABLE

CODE = "qaa"
"""ISO 639 keeps it free for private use."""
LANGUAGE = r"""
name = "Thirdish"
letters = "abcdefghijklmnopqrstuvwxyzß"
genders = ["m", "f", "n"]
plural_forms = "nplurals=3; plural=n==1 ? 0 : n>=2 && n<=4 ? 1 : 2;"
seams = [['\bto ‸the ', 'toth ']]
[forms]
dative = [['^the (.*)', 'them \1en'], ['^hour (.*)', 'houren \1']]
[fold]
"ß" = "ss"
"""
FORMS = """
[forms.dative]
Blue = "Bluem"
White = "Whitem"
Red = "Redem"
Yellow = "Yellowem"
Purple = "Purplem"
Black = "Blackem"
"""
NAMES = ("Alphonse de Belcour", "Alphonse", "Ardhashir", "Madam Wang", "Alma Salvador", "Alma", "Jessalyn Smith",
         "Jessalyn", "Conrad MacDowell", "Conrad")  # fmt: skip
WRITTEN_OUT = "\n".join(f'"{name}" = "{name}em"' for name in NAMES)
CHRONICLE = f"""
[genders]
blue = "m"
white = "n"
red = "f"
yellow = "f"
purple = "f"
black = "m"
[forms.dative]
{WRITTEN_OUT}
"""
GHOST_CARDS = 'ghost_cards = ["1 card", "{n} few cards", "{n} cards"]'
LISTS_OF_VARIANTS = (
    "cast.toml",
    "chronicle.toml",
    "ghost.toml",
    "guests.toml",
    "language.toml",
    "names.toml",
    "script.toml",
)
"""In other files a list holds plural forms."""
TEXT = r'"[^"\n]*"'


@pytest.fixture
def thirdish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the language, in a folder of the owner's."""
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "voices"))
    return write_third_language(tmp_path / "voices")


def write_third_language(root: Path) -> Path:
    """Write the language to a folder in *root*, and return that folder."""
    folder = root / CODE
    shutil.copytree(Path(str(files("voices"))) / "en", folder)
    (folder / "language.toml").write_text(LANGUAGE, encoding="utf-8")
    (folder / "cast.toml").write_text('talk = ["hm"]\nquestions = ["what hour is it"]\n', encoding="utf-8")
    change(
        folder / "sentences.yaml",
        (r"\{range: \{", "{range: {words_language: en, "),
        (r"^skip_words: \[", "skip_words: [groß, "),
    )
    # The neuter after the masculine and the feminine, and the few after one.
    for path in (
        folder / "script.toml",
        folder / "chronicle.toml",
        *folder.glob("editions/**/*.toml"),
        *folder.glob("lore/*.toml"),
    ):
        change(
            path,
            (r"\{(\w+):([^{}|]*)\|([^{}|]*)\}", r"{\1:\2|\3|\2t}"),
            (rf"^(\w+ = \[{TEXT}, {TEXT}), (\"\{{n\}} )([^\"]*\")\]$", r"\1, \2few \3, \2\3]"),
        )
    for path in folder.glob("*.toml"):
        if path.name not in LISTS_OF_VARIANTS:
            change(
                path,
                (rf"^(\w+ = \[{TEXT}), ({TEXT})\]$", r"\1, \2, \2]"),
                (r'^ghost_cards = \["1 card", .*$', GHOST_CARDS),
            )
    change(
        folder / "script.toml",
        (r"\Z", FORMS),
        (r'^white = "m"$', 'white = "n"'),
        (
            r"^ballot_read = .*$",
            'ballot_read = ["A vote from {psychic:dative}. {psychic:He|She|It} is done. {group} {number}."]',
        ),
    )
    change(
        folder / "chronicle.toml",
        (r"\Z", CHRONICLE),
        (r"^vote = .*$", 'vote = ["To {names:dative} it was group {group}."]'),
        (r"^eldest = .*$", 'eldest = ["It fell to {name}: {name:he|she|it} decided."]'),
        (r"^seers = .*$", 'seers = ["{name} went to {spaces} {spaces:space|few spaces|spaces}."]'),
    )
    return folder


def change(path: Path, *replacements: tuple[str, str]) -> None:
    """Replace patterns in the file at *path*; each must be there, unless the file is one of many."""
    text = path.read_text(encoding="utf-8")
    for pattern, becomes in replacements:
        text = re.sub(pattern, becomes, text, flags=re.MULTILINE)
    path.write_text(text, encoding="utf-8")
