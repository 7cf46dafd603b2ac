"""Refusals: one class for each reason. Class names are the wire's, and keys in voices/*/script.toml."""

from seance.rules.refusal_base import Refusal as Refusal
from seance.rules.refusal_base import in_words
from seance.rules.terms import Category, Phase, Psychic
from seance.rules.verdict_refusals import AlreadyVoted as AlreadyVoted
from seance.rules.verdict_refusals import CulpritIsDrawn as CulpritIsDrawn
from seance.rules.verdict_refusals import LevelsStillToVote as LevelsStillToVote
from seance.rules.verdict_refusals import NameAllThree as NameAllThree
from seance.rules.verdict_refusals import NameTheGroupOnly as NameTheGroupOnly
from seance.rules.verdict_refusals import NoCardToTurn as NoCardToTurn
from seance.rules.verdict_refusals import NoMajority as NoMajority
from seance.rules.verdict_refusals import NoSuchGroup as NoSuchGroup
from seance.rules.verdict_refusals import NotACandidate as NotACandidate
from seance.rules.verdict_refusals import NotAmongSuspects as NotAmongSuspects
from seance.rules.verdict_refusals import PollIsClosed as PollIsClosed
from seance.rules.verdict_refusals import SilenceNotFatal as SilenceNotFatal
from seance.rules.verdict_refusals import ThreeCards as ThreeCards
from seance.rules.verdict_refusals import VotesAreOpen as VotesAreOpen
from seance.rules.verdict_refusals import VotesLater as VotesLater
from seance.rules.verdict_refusals import WrongOrder as WrongOrder

# Of the night itself


class NoNight(Refusal):
    """There is no night yet."""

    says = "no night has begun: begin one first"


class NightUnderWay(Refusal):
    """A night must end before another begins."""

    hour: int
    says = "a night is under way (hour {self.hour}): finish or abandon it first"


class NightOver(Refusal):
    """A finished night accepts nothing more."""

    command: str
    says = "the night is over: {self.command} changes nothing any more, begin a new one"


class NotNow(Refusal):
    """The phase does not have this command."""

    command: str
    phase: Phase
    hour: int
    says = "{self.command} is not possible in the {self.phase} phase of hour {self.hour}"


# Setting up


class SeedMissing(Refusal):
    """Chance needs a seed (S6)."""

    says = "a night needs a seed: draw one before you begin"


class WrongNumberOfPlayers(Refusal):
    """L1: the edition says for how many players it is."""

    players: int
    least: int
    most: int
    says = "{self.players} players cannot hold a night: {limits}, the ghost counted"

    def __str__(self) -> str:
        return self.says.format(self=self, limits=f"{in_words(self.least)} to {in_words(self.most)}")


class UnknownLevel(Refusal):
    """The edition has no such level."""

    edition: str
    level: str
    levels: str
    says = "{self.edition} has no level '{self.level}': choose one of {self.levels}"


class UnknownVariant(Refusal):
    """The edition has no such variant."""

    edition: str
    variant: str
    says = "{self.edition} has no variant '{self.variant}'"


class WrongPsychics(Refusal):
    """L1, L35: as many different psychics as the number of players asks for."""

    given: str
    needed: int
    players: int
    says = "{self.players} players need {self.needed} different psychics, not: {self.given}"


# Visions


class CardNotInEdition(Refusal):
    """L2: the guests draw from the cards of the edition."""

    card: int
    category: Category
    edition: str
    says = "card {self.card} is no {self.category} of {self.edition}"


class CardDrawnTwice(Refusal):
    """L2: each card is there once."""

    card: int
    category: Category
    says = "{self.category} {self.card} was drawn twice"


class WrongNumberOfCards(Refusal):
    """L2: the level and the number of players say how many cards are laid out."""

    category: Category
    count: int
    needed: int
    says = "{self.count} cards were drawn as {self.category}, and {self.needed} are laid out"


class NotPlaying(Refusal):
    """A psychic who does not sit at this table."""

    psychic: Psychic
    says = "{self.psychic} does not play tonight"


class SearchIsDone(Refusal):
    """L9: a psychic who has found all three cards needs no more."""

    psychic: Psychic
    says = "{self.psychic} has found all three cards already"


class AlreadyServed(Refusal):
    """L10: one vision a turn."""

    psychic: Psychic
    hour: int
    says = "{self.psychic} has already had a vision in hour {self.hour}"


class CountOrCards(Refusal):
    """S2: visions on the table are counted, dealt visions are named."""

    command: str
    wanted: str
    says = "{self.command} wants {self.wanted} tonight"


class NotInHand(Refusal):
    """L9: the ghost gives what the ghost holds, each card once."""

    cards: str
    says = "the ghost's hand does not hold these cards, each once: {self.cards}"


class WrongCount(Refusal):
    """A hand has so many cards."""

    count: int
    least: int
    most: int
    says = "{self.count} cards cannot be taken from the hand: {self.least} to {self.most}"


class NoCrowsLeft(Refusal):
    """L13: the level says how often."""

    level: str
    hour: int
    says = "no crow is left in hour {self.hour} at level {self.level}"


class WholeHandOnly(Refusal):
    """I3: a discard is of the whole hand."""

    edition: str
    says = "in {self.edition} the whole hand is discarded, or nothing"


class NoSand(Refusal):
    """I4: there is no timer."""

    edition: str
    says = "{self.edition} has no sand timer"


class VisionsMissing(Refusal):
    """L14: first every psychic still searching has a vision."""

    psychics: str
    hour: int
    says = "still without a vision in hour {self.hour}: {self.psychics}"


# Interpretation


class NotServedYet(Refusal):
    """L15: a psychic acts on this turn's vision."""

    psychic: Psychic
    hour: int
    says = "{self.psychic} has had no vision in hour {self.hour} yet"


class CardNotOnTable(Refusal):
    """L15: only a card that lies on the table can be chosen."""

    card: int
    says = "card {self.card} does not lie on the table"


class WrongCategory(Refusal):
    """L15: only a card of the kind that is searched."""

    psychic: Psychic
    card: int
    category: Category
    says = "{self.psychic} searches the {self.category}, and card {self.card} is not one"


class NoTokens(Refusal):
    """L34: without clairvoyancy there is nothing to bet."""

    edition: str
    players: int
    says = "there are no clairvoyancy tokens in {self.edition} with {self.players} players"


class BetOnOneself(Refusal):
    """L17: never on one's own intuition."""

    psychic: Psychic
    says = "{self.psychic} cannot bet on their own intuition"


class NoTokensLeft(Refusal):
    """L18: tokens are spent."""

    psychic: Psychic
    hour: int
    says = "{self.psychic} has no clairvoyancy token left in hour {self.hour}"


class NoAgreeTokenLeft(Refusal):
    """L17: a token bears agree or disagree, and the owner has set how many there are of each."""

    psychic: Psychic
    tokens: int
    hour: int
    says = "{self.psychic} has used all {self.tokens} tokens that agree in hour {self.hour}"


class NoDisagreeTokenLeft(Refusal):
    """L17: as NoAgreeTokenLeft, for tokens that disagree."""

    psychic: Psychic
    tokens: int
    hour: int
    says = "{self.psychic} has used all {self.tokens} tokens that disagree in hour {self.hour}"


class NothingToBetOn(Refusal):
    """L17: a token lies on an intuition."""

    psychic: Psychic
    hour: int
    says = "{self.psychic} has not chosen a card in hour {self.hour}: there is nothing to bet on"


class NoSuchBet(Refusal):
    """L17: only a token that lies there can be taken back."""

    by: Psychic
    on: Psychic
    says = "no token of {self.by} lies on {self.on}'s intuition"


class NothingToTakeBack(Refusal):
    """S4: only what a psychic did in this turn."""

    psychic: Psychic
    hour: int
    says = "{self.psychic} has done nothing in hour {self.hour} that could be taken back"


class SandNotTurned(Refusal):
    """L18: the sand must run before it can run out."""

    hour: int
    says = "the sand has not been turned in hour {self.hour}"


class ChoicesMissing(Refusal):
    """S3, I4: first every psychic still searching has chosen."""

    psychics: str
    hour: int
    says = "still without a choice in hour {self.hour}: {self.psychics}"


# Manifestation


class AlreadyAnswered(Refusal):
    """L20: one answer a turn."""

    psychic: Psychic
    hour: int
    says = "{self.psychic} has been answered in hour {self.hour} already"


class AnswerMissing(Refusal):
    """S1: dealt by hand, only the ghost knows."""

    psychic: Psychic
    says = "the cards were dealt by hand: say whether {self.psychic} is right"


class NotAnsweredYet(Refusal):
    """S7: only an answer of this turn can be corrected."""

    psychic: Psychic
    hour: int
    says = "{self.psychic} has no answer in hour {self.hour} that could be corrected"


class AnswerKnown(Refusal):
    """S1: dealt by the manor, the rules know."""

    psychic: Psychic
    says = "the manor dealt the cards and knows whether {self.psychic} is right"


class CannotBeRight(Refusal):
    """L21, L23: no card, or a card that has left the table, is never right."""

    psychic: Psychic
    card: int | None
    says = "{self.psychic} cannot be right: the card (of their choice: {self.card}) does not lie on the table"
