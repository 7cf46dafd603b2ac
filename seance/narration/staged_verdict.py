"""How the culprit is hunted and the night ends, as it is told; not who it was."""

from collections.abc import Iterable

from seance.narration.act import AFTER_KNOCK, BEFORE_VERDICT, Act, one_or_many, tell_event
from seance.narration.cues import Earcon, Mood, ShowSand, Sound
from seance.narration.scene import lights
from seance.rules import Phase, Reason, Track
from seance.rules import events as e
from seance.rules.terms import Group

# The culprit


@tell_event.register
def _tell_lineup_formed(event: e.LineupFormed, act: Act) -> None:
    act.mood(Mood.CULPRIT)
    act.say("event.lineup_formed", groups=len(event.groups))
    act.teach("lineup")
    _name_groups(act, event.groups)


@tell_event.register
def _tell_groups_numbered(event: e.GroupsNumbered, act: Act) -> None:
    act.add(Earcon(Sound.UNDERSTOOD))
    act.say("event.groups_numbered")
    _name_groups(act, event.groups)


@tell_event.register
def _tell_culprit_chosen(_event: e.CulpritChosen, act: Act) -> None:
    act.add(Earcon(Sound.DONE))
    act.say("event.culprit_chosen")


@tell_event.register
def _tell_shared_vision_laid(_event: e.SharedVisionLaid, act: Act) -> None:
    act.add(Earcon(Sound.DONE))
    act.say("event.shared_vision_laid")
    if act.table.phase is Phase.ACCUSATION:
        act.teach("accusation")
    else:
        act.teach("vote" if _track(act) else "vote_open")


@tell_event.register
def _tell_shared_vision_turned(event: e.SharedVisionTurned, act: Act) -> None:
    track = _track(act)
    if track is None:
        if act.is_last():
            act.say("event.shared_vision_turned.open")
        return
    if event.shown == 1:
        act.tell(
            "event.track",
            low=track.intermediate - 1,
            intermediate=track.intermediate,
            upper=track.high - 1,
            high=track.high,
        )
    act.say(f"event.shared_vision_turned.{('one', 'two', 'three')[event.shown - 1]}")
    if act.is_last():
        voters = tuple(p.colour for p in act.table.psychics if track.cards_seen(p.clairvoyancy or 0) == event.shown)
        act.say(f"event.voters.{one_or_many(len(voters))}", psychics=voters)


@tell_event.register
def _tell_vote_cast(event: e.VoteCast, act: Act) -> None:
    act.understood()
    if not act.follows(e.BallotShown):
        act.tell("event.vote_cast", psychic=event.by)


@tell_event.register
def _tell_ballot_shown(event: e.BallotShown, act: Act) -> None:
    act.tell("event.ballot_shown", psychic=event.by, number=event.group)


@tell_event.register
def _tell_reader_named(event: e.ReaderNamed, act: Act) -> None:
    act.say(f"event.reader_named.{one_or_many(len(event.psychics))}", psychics=event.psychics)


@tell_event.register
def _tell_votes_read(event: e.VotesRead, act: Act) -> None:
    for vote in event.votes:
        act.breathe(AFTER_KNOCK)
        act.say("event.ballot_read", psychic=vote.by, number=vote.group)


@tell_event.register
def _tell_eldest_needed(event: e.EldestNeeded, act: Act) -> None:
    act.say("event.eldest_needed", psychics=event.psychics)


@tell_event.register
def _tell_eldest_named(event: e.EldestNamed, act: Act) -> None:
    act.understood()
    act.say("event.eldest_named", psychic=event.psychic)


@tell_event.register
def _tell_pointed_at(event: e.PointedAt, act: Act) -> None:
    act.understood()
    act.tell("event.pointed_at", psychic=event.by, number=event.group)


@tell_event.register
def _tell_accused(event: e.Accused, act: Act) -> None:
    if event.cards is None:
        act.say("event.accused.group", number=event.group)
    else:
        act.say("event.accused.cards", cards=event.cards)
    right = e.CulpritRevealed(event.group) in act.events
    act.knock(yes=right, after=BEFORE_VERDICT)
    if not right and not act.follows(e.CulpritRevealed, e.SetRemoved):
        act.say("event.wrong_stays")


@tell_event.register
def _tell_culprit_revealed(event: e.CulpritRevealed, act: Act) -> None:
    accused = {each.group for each in act.events if isinstance(each, e.Accused)}
    act.say(f"event.culprit_revealed.{'right' if event.group in accused else 'wrong'}", number=event.group)


@tell_event.register
def _tell_set_removed(event: e.SetRemoved, act: Act) -> None:
    act.say("event.set_removed", number=event.group)


# The end


@tell_event.register
def _tell_silence_broken(_event: e.SilenceBroken, act: Act) -> None:
    act.add(Earcon(Sound.REFUSED))
    act.interrupt("event.silence_broken")


_TALES = {
    Reason.CULPRIT_FOUND: "ending_found",
    Reason.WRONG_CULPRIT: "ending_wrong",
    Reason.TIME_OVER: "ending_time",
    Reason.SILENCE_BROKEN: "ending_silence",
}


@tell_event.register
def _tell_night_ended(event: e.NightEnded, act: Act) -> None:
    act.add(ShowSand(None))
    act.light(lights(act.table))
    act.mood(Mood.DAWN if event.won else Mood.NONE)
    act.breathe(BEFORE_VERDICT)
    if event.reason in _TALES:
        act.recount(_TALES[event.reason])
    act.say(f"ending.{event.reason}")
    act.tell("ending.again")


def _name_groups(act: Act, groups: Iterable[Group]) -> None:
    for group in groups:
        act.breathe(AFTER_KNOCK)
        if group.psychic is None:
            act.tell("event.group.nobody", number=group.group, cards=group.cards)
        else:
            act.tell("event.group.psychic", number=group.group, cards=group.cards, psychic=group.psychic)


def _track(act: Act) -> Track | None:
    """Return the clairvoyancy track by which this night is voted, if there is one."""
    return act.stage.editions[act.table.edition].tracks.get(act.table.players)
