"""Refusals of the last phase: line-up, vote and accusation. Class names are the wire's."""

from seance.rules.refusal_base import Refusal, in_words
from seance.rules.terms import Category, Psychic


class WrongOrder(Refusal):
    """L26: each psychic's group has one number."""

    order: str
    psychics: str
    says = "the groups of {self.psychics} cannot be numbered in the order {self.order}: name each once"


class CulpritIsDrawn(Refusal):
    """M2: nobody chooses."""

    edition: str
    says = "in {self.edition} the culprit is drawn by chance, not chosen"


class NoSuchGroup(Refusal):
    """Only a group that lies on the table."""

    group: int
    groups: str
    says = "there is no group {self.group}: the groups on the table are {self.groups}"


class ThreeCards(Refusal):
    """L28: a shared vision has three cards, or as many as the edition says."""

    cards: str
    needed: int
    says = "a shared vision is {needed} different cards, not: {self.cards}"

    def __str__(self) -> str:
        return self.says.format(self=self, needed=in_words(self.needed))


class NoCardToTurn(Refusal):
    """L30: a card is turned for those who vote at it."""

    shown: int
    says = "no card of the shared vision is left to turn: {self.shown} are shown, and nobody votes at a later one"


class VotesLater(Refusal):
    """L30: a psychic votes when the level allows it."""

    psychic: Psychic
    shown: int
    sees: int
    says = "{self.psychic} votes when {self.sees} shared cards are shown, and now {self.shown} are"


class VotesAreOpen(Refusal):
    """L38: only a secret poll is closed."""

    edition: str
    players: int
    says = "in {self.edition} with {self.players} players the vote is open: there is no poll to close"


class PollIsClosed(Refusal):
    """L31: a poll is closed once."""

    readers: str
    says = "the poll is closed already: the votes are read by the eldest of {self.readers}"

    def __str__(self) -> str:
        alone = ", " not in self.readers
        return "the poll is closed already: the votes are read by " + ("" if alone else "the eldest of ") + self.readers


class LevelsStillToVote(Refusal):
    """L30: the poll is closed when the last level has voted."""

    shown: int
    says = "somebody votes at a later card of the shared vision, and {self.shown} shown so far: turn the next one first"


class AlreadyVoted(Refusal):
    """L30: a vote in the sleeve stays there."""

    psychic: Psychic
    says = "{self.psychic} has voted already"


class NotACandidate(Refusal):
    """L32: the eldest of those who tied."""

    psychic: Psychic
    candidates: str
    says = "{self.psychic} is not one of those who tied: {self.candidates}"


class NoMajority(Refusal):
    """I9, M6: more than half of the balls on one group."""

    balls: int
    needed: int
    says = "no group has a majority: {self.balls} of the {self.needed} balls it needs"


class NameAllThree(Refusal):
    """M5: a full investigation names three cards."""

    says = "a full investigation names the culprit's character, location and object"


class NameTheGroupOnly(Refusal):
    """M3: an accusation is of the group on which the majority points."""

    edition: str
    says = "in {self.edition} an accusation names no cards: it is of the group with the majority"


class NotAmongSuspects(Refusal):
    """M5: only cards of the groups can be named."""

    card: int
    category: Category
    says = "card {self.card} is not the {self.category} of any group"


class SilenceNotFatal(Refusal):
    """I5: not in every edition."""

    edition: str
    says = "in {self.edition} a ghost that makes a sound has done wrong, but the night goes on"
