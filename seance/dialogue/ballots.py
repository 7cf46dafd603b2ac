"""Votes and balls as the room sees them, counted as the edition says."""

from collections import Counter

from seance.rules import BallotKind, Edition, Phase, Psychic, RoomView


def psychics_playing(room: RoomView) -> tuple[Psychic, ...]:
    """Return the psychics who play tonight, in seat order."""
    return tuple(psychic.colour for psychic in room.psychics)


def is_open_vote(room: RoomView, edition: Edition) -> bool:
    """Return whether the room votes now, and openly."""
    return room.phase is Phase.VOTE and edition.ballot_of(room.players) is BallotKind.OPEN


def is_secret_vote(room: RoomView, edition: Edition) -> bool:
    """Return whether the room votes now, and in secret."""
    return room.phase is Phase.VOTE and edition.ballot_of(room.players) is not BallotKind.OPEN


def somebody_votes_later(room: RoomView, edition: Edition) -> bool:
    """Return whether some level votes at a card of the shared vision that is still face down (L30)."""
    track = edition.tracks.get(room.players)
    if track is None or edition.ballot_of(room.players) is not BallotKind.SECRET_BY_LEVEL:
        return False
    return any(track.cards_seen(each.clairvoyancy or 0) > room.shared_vision_shown for each in room.psychics)


def voter_of(psychic: Psychic, room: RoomView, edition: Edition) -> int:
    """Return the index (from 0) of whoever votes through *psychic*."""
    return edition.voter_of(psychics_playing(room).index(psychic), room.players)


def without_vote(room: RoomView, edition: Edition) -> tuple[Psychic, ...]:
    """Return the psychics whose voter has not voted, or has no ball on a group."""
    named = room.pointing or () if room.phase is Phase.ACCUSATION else room.voted
    voted = {voter_of(psychic, room, edition) for psychic in named}
    return tuple(psychic for psychic in psychics_playing(room) if voter_of(psychic, room, edition) not in voted)


def voting_now(room: RoomView, edition: Edition) -> tuple[Psychic, ...]:
    """Return the psychics who put their votes into their sleeves at the cards that are shown (L30)."""
    track = edition.tracks.get(room.players)
    by_level = edition.ballot_of(room.players) is BallotKind.SECRET_BY_LEVEL and track is not None
    return tuple(
        each.colour
        for each in room.psychics
        if each.colour not in room.voted
        and (not by_level or track is None or track.cards_seen(each.clairvoyancy or 0) == room.shared_vision_shown)
    )


def vote_of(psychic: Psychic, room: RoomView, edition: Edition) -> int | None:
    """Return the group that the voter of *psychic* has named openly, or None."""
    voter = voter_of(psychic, room, edition)
    votes = {voter_of(each, room, edition): group for each, group in (room.votes or {}).items()}
    return votes.get(voter)


def majority_group(room: RoomView, edition: Edition) -> int | None:
    """Return the group with more than half of the balls on it, or None (I9)."""
    balls = Counter((room.pointing or {}).values())
    return next((group for group, count in balls.items() if 2 * count > edition.voters(room.players)), None)


def all_agree(room: RoomView, edition: Edition, by: Psychic, group: int) -> bool:
    """Return whether all name *group* in an open vote once *by* does (L38)."""
    votes = {voter_of(psychic, room, edition): its for psychic, its in (room.votes or {}).items()}
    votes[voter_of(by, room, edition)] = group
    return len(votes) == edition.voters(room.players) and set(votes.values()) == {group}


def voices_against(room: RoomView, edition: Edition, group: int) -> tuple[Psychic, ...]:
    """Return a psychic of each voter who does not vote for *group* yet, in seat order."""
    agree = {voter_of(psychic, room, edition) for psychic, its in (room.votes or {}).items() if its == group}
    first = {voter_of(psychic, room, edition): psychic for psychic in reversed(psychics_playing(room))}
    return tuple(psychic for voter, psychic in sorted(first.items()) if voter not in agree)


def votes_are_silent(room: RoomView) -> bool:
    """Return whether votes lie in the sleeves now, and may be neither said nor shown (L30)."""
    return room.phase is Phase.VOTE and room.votes is None and room.readers is None
