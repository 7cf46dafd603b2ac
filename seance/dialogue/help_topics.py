"""What a help card is about: what can be said now, the rules of this phase, and the words of the edition.

The keys are those of voices/*/help.toml.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import compress

from seance.dialogue import night_setup
from seance.dialogue.answers import options_reply
from seance.dialogue.ballots import is_open_vote
from seance.dialogue.conversation_state import DEFAULTS, Conversation, Defaults
from seance.dialogue.expected_intents import expected_intents
from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.next_step import WhoActs
from seance.dialogue.sand_mode import SandMode
from seance.dialogue.what_next import what_next
from seance.rules import BallotKind, Category, Edition, Phase, RoomView

MAX_RULES = 5
QUESTIONS = ("ask_next", "ask_missing", "ask_table", "ask_time", "repeat", "pause")
"""Intents that are offered after those which carry the night on; all but `repeat` have their sentence in help.toml."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpTopics:
    """What to put on a help card."""

    edition: Edition
    say: tuple[Intent, ...]
    """Intents with their slots, the one that carries the evening on first."""
    offered: tuple[str, ...]
    """Other intents that are expected now, to be said by example."""
    rules: tuple[str, ...]
    """At most MAX_RULES keys."""
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Night:
    """The edition, how many play it, and how its sand is used."""

    room: RoomView | None
    edition: Edition
    sand: SandMode

    @property
    def has_tokens(self) -> bool:
        return self.room is not None and bool(self.edition.tokens.get(self.room.players))

    @property
    def has_track(self) -> bool:
        return self.room is not None and self.room.players in self.edition.tracks

    @property
    def ballot(self) -> BallotKind:
        return self.edition.ballot if self.room is None else self.edition.ballot_of(self.room.players)

    @property
    def is_sand_strict(self) -> bool:
        return self.edition.sand_seconds is not None and self.sand is SandMode.STRICT


def help_topics(conversation: Conversation, room: RoomView | None, defaults: Defaults = DEFAULTS) -> HelpTopics:
    """Return what is of help at this point of the conversation; it depends on nothing but what the room knows."""
    is_before = room is None or conversation.setting_up
    shown = None if is_before else room
    edition = night_setup.edition_of(conversation.wishes, defaults) if shown is None else defaults.edition_of(shown)
    night = _Night(shown, edition, defaults.sand)
    step = what_next(conversation, room, defaults)
    expected = expected_intents(conversation, room, defaults=defaults).intents
    say = () if step.who is WhoActs.GHOST else tuple(each for each in step.say if each.name in expected)
    offered = (*_options(conversation, room, defaults), *QUESTIONS)
    named = {intent.name for intent in say} | ({"pause"} if conversation.paused else set())
    return HelpTopics(
        edition=edition,
        say=say,
        offered=tuple(dict.fromkeys(each for each in offered if each in expected and each not in named)),
        rules=_rules(conversation, night),
        words=tuple(_words(night)),
    )


def _options(conversation: Conversation, room: RoomView | None, defaults: Defaults) -> tuple[str, ...]:
    """Return the intents that change the night, while no question is open."""
    is_busy = conversation.pending is not None or conversation.paused or conversation.setting_up
    if room is None or room.outcome is not None or is_busy or conversation.laying_out:
        return ()
    return tuple(each for each in options_reply(room, defaults).intents if each not in ("vote", "break_silence"))


def _rules(conversation: Conversation, night: _Night) -> tuple[str, ...]:
    if night.room is None:
        return ("rules.ghost_knows", "rules.search", "rules.then_culprit", "rules.level")
    if conversation.laying_out and night.room.outcome is None:
        return ("rules.lay_rows", "rules.lay_apart", "rules.lay_ready")
    return tuple(_PHASES[night.room.phase](night))[:MAX_RULES]


def _visions(night: _Night) -> Iterator[str]:
    yield from ("rules.visions", "rules.visions_kept", "rules.choose_early")
    yield "rules.tokens" if night.has_tokens else "rules.talk"
    yield "rules.silence_fatal" if night.edition.silence_is_fatal else "rules.silence"


def _interpretation(night: _Night) -> Iterator[str]:
    yield from ("rules.choose", "rules.same_card")
    yield "rules.until_sand" if night.is_sand_strict else "rules.until_ready"
    if night.has_tokens:
        yield from ("rules.tokens", "rules.tokens_spent")


def _manifestation(night: _Night) -> Iterator[str]:
    yield from ("rules.knocks", "rules.right", "rules.wrong")
    if night.has_track:
        yield "rules.track_moves"
    yield "rules.last_hour" if night.edition.last_hour_is_in_time else "rules.hour_to_accuse"


def _lineup(night: _Night) -> Iterator[str]:
    yield "rules.groups" if night.edition.lineup_kinds == tuple(Category) else "rules.characters_only"
    yield "rules.culprit_drawn" if night.edition.culprit_is_drawn else "rules.culprit_chosen"
    yield "rules.number_groups"


def _shared_vision(night: _Night) -> Iterator[str]:
    yield from ("rules.shared", "rules.shared_order")
    yield "rules.shared_by_level" if night.ballot is BallotKind.SECRET_BY_LEVEL else "rules.shared_at_once"


def _vote(night: _Night) -> Iterator[str]:
    if night.room is not None and is_open_vote(night.room, night.edition):
        yield "rules.vote_agreed" if night.edition.voters(night.room.players) > 1 else "rules.vote_alone"
        yield "rules.vote_once"
    elif night.room is not None and night.room.readers is None:
        if night.ballot is BallotKind.SECRET_BY_LEVEL:
            yield "rules.vote_levels"
        yield from ("rules.vote_sleeve", "rules.vote_said", "rules.vote_read_later", "rules.vote_once")
    else:
        yield from ("rules.vote_reader", "rules.vote_majority", "rules.vote_tie", "rules.vote_once")


def _eldest(_night: _Night) -> Iterator[str]:
    yield from ("rules.eldest", "rules.eldest_who")


def _accusation(night: _Night) -> Iterator[str]:
    edition = night.edition
    yield from ("rules.point", "rules.majority")
    if edition.names_all_three:
        yield "rules.accuse_cards"
    else:
        yield "rules.accuse" if edition.lineup_kinds == tuple(Category) else "rules.accuse_character"
    yield "rules.wrong_leaves" if edition.wrong_group_leaves else "rules.wrong_stays"
    yield "rules.accuse_in_time"


def _over(_night: _Night) -> Iterator[str]:
    yield from ("rules.over", "rules.chronicle")


_PHASES: Mapping[Phase, Callable[[_Night], Iterator[str]]] = {
    Phase.VISIONS: _visions,
    Phase.INTERPRETATION: _interpretation,
    Phase.MANIFESTATION: _manifestation,
    Phase.LINEUP: _lineup,
    Phase.SHARED_VISION: _shared_vision,
    Phase.VOTE: _vote,
    Phase.ELDEST: _eldest,
    Phase.ACCUSATION: _accusation,
    Phase.OVER: _over,
}


def _words(night: _Night) -> Iterator[str]:
    """Yield the words of the game that this edition has, with so many players."""
    yield from ("ghost", "psychic", "hour", "vision", "crow", "knock")
    is_before = night.room is None
    token_words = ("sand", "token", "track")
    edition = night.edition
    has = (
        edition.sand_seconds is not None,
        bool(edition.tokens) if is_before else night.has_tokens,
        bool(edition.tracks) if is_before else night.has_track,
    )
    yield from compress(token_words, has)
    yield from ("marker", "group", "shared_vision")
