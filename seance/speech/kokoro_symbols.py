"""The input of Kokoro-82M: punctuation and phonemes of espeak-ng, each as one symbol."""

# ruff: noqa: RUF001  letters of the phonetic alphabet
from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import zip_longest

SYMBOLS = (
    '_;:,.!?__—…"()“” \N{COMBINING TILDE}ʣʥʦʨᵝꭧAI_____O_Q_ST__W_Yᵊabcdef_hijklmnopqrstuvwxyzɑɐɒæ__βɔɕç_ɖðʤə_ɚɛɜ__ɟ_ɡ'
    "______ɥ_ɨɪʝ______ɯɰŋɳɲɴø_ɸθœ__ɹ_ɾɻ_ʁɽʂʃʈʧ_ʊʋ_ʌɣɤ_χʎ___ʒʔ_______ˈˌː___ʰ_ʲ____↓_→↗↘___ᵻ"
)
"""The model's input symbols by index; the underline is silence, or an index without a symbol."""
MAX_SYMBOLS = 510
"""The longest input in symbols; a voice has one style vector for each length."""

_TIED = {"a^ɪ": "I", "a^ʊ": "W", "d^ʒ": "ʤ", "d^z": "ʣ", "e^ɪ": "A", "t^ʃ": "ʧ", "t^s": "ʦ", "ɔ^ɪ": "Y"}
"""Phonemes that espeak-ng ties together and the model reads as one symbol, in any language."""
_ENGLISH = {"ə^l": "ᵊl", "ɚ": "əɹ", "ʔ": "t", "ɐ": "ə", "r": "ɹ", "x": "k", "ç": "k", "ɬ": "l"}
_VARIETIES: Mapping[str, Mapping[str, str]] = {
    "en-us": _ENGLISH | {"o^ʊ": "O", "ɜːɹ": "ɜɹ", "ɜː": "ɜɹ", "ɪə": "iə", "ː": "", "e": "A", "o": "ɔ"},
    "en-gb": _ENGLISH | {"e^ə": "ɛː", "iə": "ɪə", "ə^ʊ": "Q", "e": "A", "o": "ɔ"},
}
"""Replacements from espeak-ng's phonemes to the model's, by the beginning of espeak-ng's code, in their order."""
_PUNCTUATION = re.compile(r"\s*([;:,.!?—…()“”«»\"]+)\s*")
_MARKS = str.maketrans({"«": "“", "»": "”", "–": "—"})
_WORD = re.compile(r"[\w'’-]+")
_STAND_IN, _VOWEL_STAND_IN = "bomzob", "omzob"
"""Words of no language, which are read apart from the words around them."""
_VOWELS = "aeiouyæøœɐɑɒɔəɛɜɪʊʌ"
_NO_STRESS = str.maketrans("", "", "ˈˌ")


def model_symbols(
    text: str, language: str, respelt: Mapping[str, str], *, read_phonemes: Callable[[str, str], str]
) -> str:
    """Return *text* in the model's symbols, at most MAX_SYMBOLS of them.

    *language* is a code of espeak-ng, and *read_phonemes* its phonemes of a text in it. *respelt* has other spellings
    by word in lower case; one between slashes is phonemes.
    """
    symbols = ""
    # The capturing group leaves each mark between the texts around it.
    for at, part in enumerate(_PUNCTUATION.split(text.translate(_MARKS))):
        symbols += f"{part[:1]} " if at % 2 else _words_symbols(part, language, respelt, read_phonemes)
    known = "".join(symbol for symbol in symbols if symbol in SYMBOLS and symbol != "_")
    return known.strip()[:MAX_SYMBOLS]


def respell(text: str, respelt: Mapping[str, str]) -> str:
    """Return *text* with the words that *respelt* has, in lower case, spelt as it says."""
    return _WORD.sub(lambda word: respelt.get(word[0].lower(), word[0]), text)


def symbol_numbers(symbols: str) -> list[int]:
    """Return the indices of *symbols*, between the silence that the model expects at both ends."""
    return [0, *(SYMBOLS.index(symbol) for symbol in symbols), 0]


def _words_symbols(
    text: str, language: str, respelt: Mapping[str, str], read_phonemes: Callable[[str, str], str]
) -> str:
    """Return *text* without punctuation in symbols; a word that is respelt in phonemes is not read by espeak-ng."""
    # Phonemes stand between slashes, so every second part is phonemes already.
    parts = [part.strip() for part in respell(text, respelt).split("/")]
    given = parts[1::2]
    if not any(map(str.isalnum, "".join(parts))):
        return ""
    # In their place espeak-ng reads a word that it does not know: alone, what stands before them would be stressed.
    stand_ins = [_VOWEL_STAND_IN if _begins_with_vowel(each) else _STAND_IN for each in given]
    whole = " ".join(part for pair in zip_longest(parts[::2], stand_ins, fillvalue="") for part in pair if part)
    read = read_phonemes(whole, language).split()
    replaced = {_unstressed(read_phonemes(word, language)) for word in set(stand_ins)}
    places = [at for at, word in enumerate(read) if _unstressed(word) in replaced]
    if len(places) != len(given):  # espeak-ng has joined one with a word beside it
        read = [read_phonemes(part, language) if part and at % 2 == 0 else part for at, part in enumerate(parts)]
        return _to_symbols(" ".join(filter(None, read)), language)
    for at, phonemes in zip(places, given, strict=True):
        read[at] = phonemes
    return _to_symbols(" ".join(read), language)


def _begins_with_vowel(phonemes: str) -> bool:
    return _unstressed(phonemes)[:1] in _VOWELS


def _unstressed(phonemes: str) -> str:
    return phonemes.translate(_NO_STRESS)


def _to_symbols(phonemes: str, language: str) -> str:
    """Return espeak-ng's *phonemes* of *language* as the model writes them."""
    variety = next((each for name, each in _VARIETIES.items() if language.startswith(name)), {})
    for old, new in {**_TIED, **variety}.items():
        phonemes = phonemes.replace(old, new)
    return re.sub("(.)\N{COMBINING VERTICAL LINE BELOW}", r"ᵊ\1", phonemes).replace("^", "")
