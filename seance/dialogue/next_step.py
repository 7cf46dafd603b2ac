"""What is next, as a value: who must do what, with which sentence, and what the house is waiting for."""

from dataclasses import dataclass
from enum import StrEnum

from seance.dialogue.grammar.sentences import Intent as Intent
from seance.dialogue.questions import Doubt, Question
from seance.rules import Command, Psychic

SUMMARY = "summary"
"""What a yes or a no is about, where it answers the summary of the set-up."""


class NextAction(StrEnum):
    """What is to be done; the keys of [next] in voices/*/script.toml."""

    WAKE = "wake"
    BEGIN = "begin"
    BEGIN_ANOTHER = "begin_another"
    RESUME = "resume"
    ANSWER = "answer"
    """Answer the question that `about` names."""
    CONFIRM = "confirm"
    """Say yes or no to what `about` names."""
    TYPE_DIGITS = "type_digits"
    """Type the two digits on another phone, which stand for a yes."""
    LAY_OUT = "lay_out"
    GIVE_VISIONS = "give_visions"
    TURN_SAND = "turn_sand"
    CHOOSE = "choose"
    END_CHOOSING = "end_choosing"
    ANSWER_PSYCHICS = "answer_psychics"
    ANSWER_BY_HAND = "answer_by_hand"
    MARK_CULPRIT = "mark_culprit"
    LAY_SHARED_VISION = "lay_shared_vision"
    VOTE_SILENTLY = "vote_silently"
    READ_VOTES = "read_votes"
    VOTE_TOGETHER = "vote_together"
    NAME_ELDEST = "name_eldest"
    POINT = "point"
    AGREE = "agree"
    """All have pointed, and no group has the majority."""
    ACCUSE = "accuse"
    ACCUSE_CARDS = "accuse_cards"


class WhoActs(StrEnum):
    """Who must do it."""

    EVERYBODY = "everybody"
    """Anybody at the table, for all of them."""
    PSYCHICS = "psychics"
    """The psychics of the step."""
    GHOST = "ghost"


class WaitsFor(StrEnum):
    """What the house is waiting for."""

    SENTENCE = "sentence"
    GHOST = "ghost"
    SAND = "sand"
    """The sand, which runs out by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GhostMove:
    """What the ghost can type, or tap at a page; the ghost alone knows which group or answer is right."""

    command: type[Command]
    psychic: Psychic | None = None
    group: int | None = None
    """Any group, as an example."""
    has_answer: bool = False
    """Whether a yes or a no belongs to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextStep:
    """What carries the evening on."""

    action: NextAction
    about: Question | Doubt | str | None = None
    """What is asked, where the action is to answer or to confirm."""
    who: WhoActs = WhoActs.EVERYBODY
    psychics: tuple[Psychic, ...] = ()
    """Who must act, or for whom the ghost must."""
    say: tuple[Intent, ...] = ()
    """Sentences that do it, the one that carries on first."""
    is_example: bool = False
    """Whether others of the same kind would do as well: another card, another group."""
    group: int | None = None
    """The group that most point at."""
    ghost: GhostMove | None = None
    waits_for: WaitsFor = WaitsFor.SENTENCE

    @property
    def key(self) -> str:
        """Return the key of its line in the script."""
        return f"next.{self.action}" if self.about is None else f"next.{self.action}.{self.about}"
