"""Finds the models of a language, whose keys are in its language.toml."""

from __future__ import annotations

from pathlib import Path

from seance.languages import load_language
from seance.models import store
from seance.models.catalogue import ModelError


class NoRecogniser(ModelError, LookupError):
    """No model recognises speech in the language, which is played by typing."""


def recogniser_key(language: str) -> str:
    """Return the key of the model that recognises speech in *language*, or raise NoRecogniser."""
    known = load_language(language)
    if known.models.recogniser is None:
        raise NoRecogniser(f"there is no speech model for {known.name}: words are typed")
    return known.models.recogniser


def require_recogniser(language: str, folder: Path | None = None) -> Path:
    """Return the folder of the model that recognises speech in *language*, or raise ModelError."""
    return store.require(recogniser_key(language), folder)


def find_rescoring_model(language: str, folder: Path | None = None) -> Path | None:
    """Return the folder of the model that rescores what is heard in *language*, or None."""
    return _find(load_language(language).models.rescoring, folder)


def find_voice(language: str) -> Path | None:
    """Return the folder of the Piper voice that speaks *language*, or None."""
    return _find(load_language(language).models.voice)


def find_natural_voice(language: str) -> Path | None:
    """Return the folder of the model that speaks *language* with a natural voice, or None."""
    return _find(load_language(language).models.natural_voice)


def _find(key: str | None, folder: Path | None = None) -> Path | None:
    return None if key is None else store.find(key, folder)
