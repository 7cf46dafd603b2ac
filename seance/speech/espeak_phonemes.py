"""Phonemes of a text by espeak-ng's library; loaded only in processes of their own, since espeak-ng is GPL."""

from __future__ import annotations

import ctypes
from functools import cache

_LIBRARY = "libespeak-ng.so.1"
_OUTPUT_RETRIEVAL = 1
"""Of `espeak_Initialize`: nothing is played."""
_CHARS_UTF8 = 1
_PHONEMES_IPA = 0x02
_PHONEMES_TIE = 0x80
_TIE = "^"
"""Joins the letters of one phoneme."""
_MODE = _PHONEMES_IPA | _PHONEMES_TIE | (ord(_TIE) << 8)
_LANGUAGE_SWITCHES = ("(", ")")
"""espeak-ng puts the code of another language in parentheses before a word that it reads in that language."""


class _VoiceProperties(ctypes.Structure):
    """`espeak_VOICE` of speak_lib.h: what a voice is looked for by."""

    _fields_ = (
        *((name, ctypes.c_char_p) for name in ("name", "languages", "identifier")),
        *((name, ctypes.c_ubyte) for name in ("gender", "age", "variant", "unused")),
        *(("score", ctypes.c_int), ("spare", ctypes.c_void_p)),
    )


class NoPhonemes(RuntimeError):
    """espeak-ng cannot be loaded or does not know the language; the message says what to do."""


def read_phonemes(text: str, language: str) -> str:
    """Return *text* without punctuation as IPA phonemes of *language*, a code of espeak-ng, or raise NoPhonemes."""
    library = _library()
    if library.espeak_SetVoiceByProperties(ctypes.byref(_VoiceProperties(languages=language.encode()))) != 0:
        raise NoPhonemes(f"espeak-ng has no voice '{language}': `espeak-ng --voices` names those there are")
    buffer = ctypes.create_string_buffer(text.encode())
    rest = ctypes.c_void_p(ctypes.addressof(buffer))
    clauses = []
    while rest.value:
        clauses.append(library.espeak_TextToPhonemes(ctypes.byref(rest), _CHARS_UTF8, _MODE).decode())
    return _without_language_switches(" ".join(clause.strip() for clause in clauses if clause.strip()))


def _without_language_switches(phonemes: str) -> str:
    before, opened, after = phonemes.partition(_LANGUAGE_SWITCHES[0])
    if not opened:
        return phonemes
    return before + _without_language_switches(after.partition(_LANGUAGE_SWITCHES[1])[2])


@cache
def _library() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(_LIBRARY)
    except OSError as error:
        raise NoPhonemes(f"espeak-ng cannot be loaded ({error}): run `apt-get install libespeak-ng1`") from None
    library.espeak_TextToPhonemes.restype = ctypes.c_char_p
    if library.espeak_Initialize(_OUTPUT_RETRIEVAL, 0, None, 0) < 0:
        raise NoPhonemes("espeak-ng finds no data: run `apt-get install espeak-ng-data`")
    return library
