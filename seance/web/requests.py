"""The requests that a page may send, decoded and validated."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from seance.codec import NotACommand, decode_command
from seance.ghost_words import ghost_order
from seance.languages import language_codes
from seance.plain_text import strip_controls
from seance.rules import Command, Edition, Psychic

MAX_BODY_BYTES = 4096
"""Of a request's body; pages send a few dozen bytes."""
GHOST_COMMANDS = (
    *("give_vision", "use_crow", "turn_sand", "manifest", "correct_answer"),
    *("choose_culprit", "lay_shared_vision"),
)
"""The commands that the ghost's page may send."""


class BadRequest(ValueError):
    """The body is not a valid request; the message is for a person."""


class SayRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words typed on the table's page."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]

    def __post_init__(self) -> None:
        # It is shown on the machine's terminal, which would obey control characters.
        msgspec.structs.force_setattr(self, "text", strip_controls(self.text))

    @property
    def is_ghost_command(self) -> bool:
        """Tell whether the text is a ghost's command as it is typed at the machine's own keyboard."""
        return ghost_order(self.text) is not None


class TypingRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A key that was pressed on the table's page."""

    begun: bool
    """Whether there is now a line that was begun and not sent."""


class PauseControlRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pause or its end, from the ghost's page."""

    control: Literal["pause", "resume"]


class TakeSeatRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wish for the seat of a psychic, from a psychic's page."""

    psychic: Psychic


class TalkRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A button to talk that is pressed or let go of, from a psychic's page."""

    held: bool
    psychic: Psychic | None = None
    """Who speaks; it may be left out where the seat has one psychic."""


class MoveChairRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The chair of a psychic is put elsewhere, from the table's page."""

    psychic: Psychic
    direction_deg: Annotated[float, msgspec.Meta(ge=0, le=360)]


class HostControlRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A control on the host's page."""

    do: Literal["speaker_test", "lights_test", "louder", "quieter", "pace", "language"]
    value: str | None = None
    """The pace, or the code of the language; None for the others."""

    def __post_init__(self) -> None:
        allowed = {"pace": _PACES, "language": language_codes()}.get(self.do, (None,))
        if self.value not in allowed:
            raise ValueError(f"`value` does not go with {self.do}")


class HostCodeEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The host's code, as it was typed on the host's page."""

    code: Annotated[str, msgspec.Meta(pattern=r"\A[0-9]{6}\Z")]


_PACES = ("full", "brisk", "silent")

_Request = TypeVar("_Request", bound=msgspec.Struct)


def decode_request(body: bytes, kind: type[_Request]) -> _Request:
    """Return the request in *body*, or raise BadRequest."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRequest(_message(error)) from None


def decode_ghost_command(body: bytes, editions: Mapping[str, Edition]) -> Command:
    """Return the ghost's command in *body*, or raise BadRequest."""
    try:
        fields: dict[str, Any] = msgspec.json.decode(body, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRequest(_message(error)) from None
    if fields.get("command") not in GHOST_COMMANDS:
        raise BadRequest(f"the ghost may ask for one of {', '.join(GHOST_COMMANDS)}")
    try:
        return decode_command(fields, editions)
    except NotACommand as refusal:
        raise BadRequest(str(refusal)) from None


def _message(error: Exception) -> str:
    return str(error) if isinstance(error, msgspec.ValidationError) else "this is not JSON"
