"""Cues for the hunt for the culprit and the end of the night."""

from collections.abc import Iterable

from seance.dialogue.ballots import majority_group
from seance.narration.cue_builder import AFTER_KNOCK_S, psychic_lights
from seance.narration.cues import Earcon, Mood, ShowSand, Sound
from seance.narration.event_cues import BEFORE_VERDICT_S, EventCueBuilder, one_or_many, tell_event
from seance.rules import BallotKind, Category, Edition, Psychic, Reason, Track
from seance.rules import events as e
from seance.rules.terms import Group

# The culprit


@tell_event.register
def _tell_lineup_formed(event: e.LineupFormed, cues: EventCueBuilder) -> None:
    cues.set_mood(Mood.CULPRIT)
    cues.say("event.lineup_formed", groups=len(event.groups))
    cues.teach("lineup")
    cues.guide("lineup", once=False)
    _name_groups(cues, event.groups)
    if not _edition(cues).culprit_is_drawn:
        cues.guide("culprit", once=False)


@tell_event.register
def _tell_groups_numbered(event: e.GroupsNumbered, cues: EventCueBuilder) -> None:
    cues.add(Earcon(Sound.UNDERSTOOD))
    cues.say("event.groups_numbered")
    _name_groups(cues, event.groups)


@tell_event.register
def _tell_culprit_chosen(_event: e.CulpritChosen, cues: EventCueBuilder) -> None:
    cues.add(Earcon(Sound.DONE))
    cues.say("event.culprit_chosen")


@tell_event.register
def _tell_shared_vision_laid(_event: e.SharedVisionLaid, cues: EventCueBuilder) -> None:
    cues.add(Earcon(Sound.DONE))
    one_for_each_kind = _edition(cues).shared_vision_cards == len(Category)
    cues.say("event.shared_vision_laid" if one_for_each_kind else "event.shared_vision_laid_some")
    cues.teach(_lesson(cues), **{str(kind): kind for kind in Category})


_LESSONS = {
    BallotKind.SECRET_BY_LEVEL: "vote",
    BallotKind.SECRET_BY_ALL: "vote_secret",
    BallotKind.OPEN: "vote_open",
}


def _lesson(cues: EventCueBuilder) -> str:
    """Return the lesson about how the culprit is named at this table."""
    edition, players = _edition(cues), cues.table.players
    if _ballot(cues) is not BallotKind.ACCUSATION:
        return _LESSONS[_ballot(cues)]
    if edition.names_all_three:
        return "accusation_full"
    if players - 1 < edition.voters(players) == edition.psychics(players):
        return "accusation_alone"
    return "accusation_character" if edition.lineup_kinds == (Category.CHARACTER,) else "accusation"


@tell_event.register
def _tell_shared_vision_turned(event: e.SharedVisionTurned, cues: EventCueBuilder) -> None:
    track = _edition(cues).tracks.get(cues.table.players)
    if track is None or _ballot(cues) is not BallotKind.SECRET_BY_LEVEL:
        _tell_all_turned(event, cues)
        return
    if event.shown == 1:
        _tell_levels(track, cues)
    cues.say(f"event.shared_vision_turned.{('one', 'two', 'three')[event.shown - 1]}")
    if cues.is_last_of_kind():
        seen = {p.colour: track.cards_seen(p.clairvoyancy or 0) for p in cues.table.psychics}
        _tell_voters(tuple(psychic for psychic, cards in seen.items() if cards == event.shown), cues)


def _tell_levels(track: Track, cues: EventCueBuilder) -> None:
    """Tell the limits of the track, who is low, in the middle and high, and that votes are secret (L29, L30)."""
    low, middle, high = 1, 2, 3
    cues.say(
        "event.track",
        low=track.intermediate - 1,
        intermediate=track.intermediate,
        upper=track.high - 1,
        high=track.high,
    )
    seen = {psychic.colour: track.cards_seen(psychic.clairvoyancy or 0) for psychic in cues.table.psychics}
    for level, its_cards in (("low", low), ("middle", middle), ("high", high)):
        psychics = tuple(psychic for psychic, cards in seen.items() if cards == its_cards)
        if psychics:
            cues.say(f"event.level.{level}", psychics=psychics)
    cues.say("event.secret_vote")


def _tell_all_turned(event: e.SharedVisionTurned, cues: EventCueBuilder) -> None:
    """Tell at the last card that all are face up."""
    if cues.is_last_of_kind():
        cues.say(f"event.shared_vision_turned.{'open' if event.shown > 1 else 'one'}")
        if _ballot(cues) is BallotKind.SECRET_BY_ALL:
            _tell_voters(tuple(psychic.colour for psychic in cues.table.psychics), cues)


def _tell_voters(voters: tuple[Psychic, ...], cues: EventCueBuilder) -> None:
    cues.say(f"event.voters.{one_or_many(len(voters))}", psychics=voters)


@tell_event.register
def _tell_vote_cast(event: e.VoteCast, cues: EventCueBuilder) -> None:
    cues.acknowledge()
    is_read_aloud = cues.before is not None and cues.before.readers is not None
    if not is_read_aloud and not cues.includes(e.BallotShown):
        cues.say_if_full("event.vote_cast", psychic=event.by)


@tell_event.register
def _tell_ballot_shown(event: e.BallotShown, cues: EventCueBuilder) -> None:
    cues.say_if_full("event.ballot_shown", psychic=event.by, number=event.group)


@tell_event.register
def _tell_reader_named(event: e.ReaderNamed, cues: EventCueBuilder) -> None:
    cues.say(f"event.reader_named.{one_or_many(len(event.psychics))}", psychics=event.psychics)
    if not cues.includes(e.VotesRead):
        cues.say("event.sleeves", psychic=cues.table.psychics[0].colour)


@tell_event.register
def _tell_votes_read(event: e.VotesRead, cues: EventCueBuilder) -> None:
    for vote in event.votes:
        cues.pause(AFTER_KNOCK_S)
        cues.say("event.ballot_read", psychic=vote.by, number=vote.group)


@tell_event.register
def _tell_eldest_needed(event: e.EldestNeeded, cues: EventCueBuilder) -> None:
    cues.say("event.eldest_needed", psychics=event.psychics)


@tell_event.register
def _tell_eldest_named(event: e.EldestNamed, cues: EventCueBuilder) -> None:
    cues.acknowledge()
    cues.say("event.eldest_named", psychic=event.psychic)


@tell_event.register
def _tell_pointed_at(event: e.PointedAt, cues: EventCueBuilder) -> None:
    cues.acknowledge()
    cues.say_if_full("event.pointed_at", psychic=event.by, number=event.group)
    _teach_accusing(cues)


def _teach_accusing(cues: EventCueBuilder) -> None:
    """Teach how a group is accused, once more than half point at the same one."""
    edition = _edition(cues)
    group = majority_group(cues.table, edition)
    if group is None:
        return
    if edition.names_all_three:
        cues.teach("accuse_full", **{str(kind): kind for kind in Category})
    elif edition.lineup_kinds == (Category.CHARACTER,):
        cues.teach("accuse_character")
    else:
        cues.teach("accuse", number=group)


@tell_event.register
def _tell_accused(event: e.Accused, cues: EventCueBuilder) -> None:
    if event.cards is None:
        cues.say("event.accused.group", number=event.group)
    else:
        cues.say("event.accused.cards", cards=event.cards)
    right = e.CulpritRevealed(event.group) in cues.events
    cues.knock(yes=right, after_s=BEFORE_VERDICT_S)
    if not right and not cues.includes(e.CulpritRevealed, e.SetRemoved):
        cues.say("event.wrong_stays")


@tell_event.register
def _tell_culprit_revealed(event: e.CulpritRevealed, cues: EventCueBuilder) -> None:
    accused = {each.group for each in cues.events if isinstance(each, e.Accused)}
    cues.say(f"event.culprit_revealed.{'right' if event.group in accused else 'wrong'}", number=event.group)


@tell_event.register
def _tell_set_removed(event: e.SetRemoved, cues: EventCueBuilder) -> None:
    cues.say("event.set_removed", number=event.group)


# The end


@tell_event.register
def _tell_silence_broken(_event: e.SilenceBroken, cues: EventCueBuilder) -> None:
    cues.add(Earcon(Sound.REFUSED))
    cues.interrupt("event.silence_broken")


_TALES = {
    Reason.CULPRIT_FOUND: "ending_found",
    Reason.WRONG_CULPRIT: "ending_wrong",
    Reason.TIME_OVER: "ending_time",
    Reason.SILENCE_BROKEN: "ending_silence",
}


@tell_event.register
def _tell_night_ended(event: e.NightEnded, cues: EventCueBuilder) -> None:
    cues.add(ShowSand(None))
    cues.show_lights(psychic_lights(cues.table))
    cues.set_mood(Mood.DAWN if event.won else Mood.NONE)
    cues.pause(BEFORE_VERDICT_S)
    if event.reason in _TALES:
        cues.tell_tale(_TALES[event.reason])
    cues.say(f"ending.{event.reason}")
    if event.reason is not Reason.ABANDONED:
        cues.guide("thanks", once=False)
    cues.say_if_full("ending.again")


def _name_groups(cues: EventCueBuilder, groups: Iterable[Group]) -> None:
    shown = _edition(cues).lineup_kinds
    for group in groups:
        cues.pause(AFTER_KNOCK_S)
        cards = tuple(card for kind, card in zip(Category, group.cards, strict=True) if kind in shown)
        if group.psychic is None:
            cues.say("event.group.nobody", number=group.group, cards=cards)
        else:
            cues.say("event.group.psychic", number=group.group, cards=cards, psychic=group.psychic)


def _edition(cues: EventCueBuilder) -> Edition:
    return cues.style.edition_of(cues.table)


def _ballot(cues: EventCueBuilder) -> BallotKind:
    """Return how the culprit is named at this table."""
    return _edition(cues).ballot_of(cues.table.players)
