"""What a page may ask for, checked before anybody acts on it."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from seance.codec import NotACommand, decode_command
from seance.rules import Command, Edition

MOST_BYTES = 4096
"""Of a body; what a page sends has a few dozen."""
GHOSTS = ("give_vision", "use_crow", "turn_sand", "manifest", "choose_culprit", "lay_shared_vision")
"""What the ghost may ask of the rules."""


class BadRequest(ValueError):
    """What came is not what this door takes; the message is for a person."""


class Say(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words typed at the table's page."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]

    @property
    def is_the_ghosts(self) -> bool:
        """Tell whether it has the form in which the ghost types at the house's own keyboard."""
        return self.text.strip().lower().split()[:1] == ["ghost"]


class Control(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the ghost asks of the house."""

    control: Literal["pause", "resume"]


class Do(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the host asks for."""

    do: Literal["speaker_test", "lights_test", "louder", "quieter", "pace", "language"]
    value: Literal["full", "brisk", "silent", "en", "fr"] | None = None

    def __post_init__(self) -> None:
        if self.value not in _VALUES.get(self.do, (None,)):
            raise ValueError(f"`value` does not go with {self.do}")


_VALUES: Mapping[str, tuple[str | None, ...]] = {"pace": ("full", "brisk", "silent"), "language": ("en", "fr")}

_Asked = TypeVar("_Asked", bound=msgspec.Struct)


def asked(body: bytes, kind: type[_Asked]) -> _Asked:
    """Return what *body* asks for, or raise BadRequest."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRequest(_told(error)) from None


def command_asked(body: bytes, editions: Mapping[str, Edition]) -> Command:
    """Return the ghost's command that *body* spells, or raise BadRequest."""
    try:
        given: dict[str, Any] = msgspec.json.decode(body, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRequest(_told(error)) from None
    if given.get("command") not in GHOSTS:
        raise BadRequest(f"the ghost may ask for one of {', '.join(GHOSTS)}")
    try:
        return decode_command(given, editions)
    except NotACommand as refusal:
        raise BadRequest(str(refusal)) from None


def _told(error: Exception) -> str:
    return str(error) if isinstance(error, msgspec.ValidationError) else "this is not JSON"
