"""The psychics' seats at pages: which device plays for whom, and which one asks for a seat that is taken."""

from collections.abc import Callable
from dataclasses import replace

from seance.dialogue import replies as r
from seance.dialogue import seat_replies as sr
from seance.dialogue.ballots import is_secret_vote, psychics_playing
from seance.dialogue.conversation_state import UndoStep
from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.intent_commands import SPEAKER_SLOTS
from seance.permissions import Action, Permission, Source, permission
from seance.rules import Command, Edition, Psychic, RoomView, TakeBack, Vote
from seance.web.page_state import PsychicSeatsState


class PsychicSeats:
    """The seats of one night; each night has a new key, so that cookies of an earlier one are worthless."""

    def __init__(self, make_key: Callable[[], str]) -> None:
        self._make_key = make_key
        self.state = PsychicSeatsState(key=make_key())

    def restore(self, state: PsychicSeatsState | None) -> None:
        """Continue with the seats of an interrupted night; a question that was open is dropped."""
        if state is not None:
            self.state = replace(state, asked=None, asked_psychics=(), mark="")

    def take(self, psychics: tuple[Psychic, ...], device: str) -> bool:
        """Give the seat of *psychics* to *device* if it is free, and return whether it was."""
        if any(psychic in self.state.holders for psychic in psychics):
            return False
        self._hold(psychics, device)
        return True

    def ask(self, psychics: tuple[Psychic, ...], device: str, mark: str) -> None:
        """Note that *device*, which shows *mark*, asks for the seat of *psychics* that another one holds."""
        self.state = replace(self.state, asked=device, asked_psychics=psychics, mark=mark)

    def leave(self, device: str) -> tuple[Psychic, ...]:
        """Free the seat that *device* holds, and return its psychics."""
        return self._release(self.psychics_of(device))

    def release(self, psychic: Psychic) -> tuple[Psychic, ...]:
        """Free the seat of *psychic*, and return the psychics that were played there."""
        holder = self.state.holders.get(psychic)
        return () if holder is None else self._release(self.psychics_of(holder))

    def release_all(self) -> None:
        """Free all seats and make their cookies worthless."""
        self.state = PsychicSeatsState(key=self._make_key())

    def psychics_of(self, device: str) -> tuple[Psychic, ...]:
        """Return the psychics that *device* plays for."""
        return tuple(Psychic(colour) for colour in self.state.psychics_of(device))

    def close_question(self, reply: r.Reply) -> r.Reply | None:
        """Grant or refuse the seat that is asked for if *reply* says so, and return the reply with all its psychics.

        Return None if *reply* does not close a question about a psychic's seat.
        """
        asked, psychics = self.state.asked, tuple(Psychic(colour) for colour in self.state.asked_psychics)
        if asked is None or not isinstance(reply, sr.PsychicSeated | sr.PsychicSeatRefused):
            return None
        self.state = replace(self.state, asked=None, asked_psychics=(), mark="")
        if isinstance(reply, sr.PsychicSeatRefused):
            return reply
        self._hold(psychics, asked)
        return sr.PsychicSeated(psychics)

    def _hold(self, psychics: tuple[Psychic, ...], device: str) -> None:
        holders = {**self.state.holders, **dict.fromkeys(map(str, psychics), device)}
        self.state = replace(self.state, holders=holders)

    def _release(self, psychics: tuple[Psychic, ...]) -> tuple[Psychic, ...]:
        holders = {colour: device for colour, device in self.state.holders.items() if colour not in psychics}
        self.state = replace(self.state, holders=holders)
        return psychics


def players_psychics(room: RoomView, edition: Edition) -> tuple[tuple[Psychic, ...], ...]:
    """Return the psychics of each player, which are one seat together."""
    playing = psychics_playing(room)
    return edition.shared_psychics(playing, room.players) or tuple((psychic,) for psychic in playing)


def own_intent(intent: Intent, own: tuple[Psychic, ...]) -> Intent | None:
    """Return *intent* with one of *own* as whoever acts; None if somebody else would act, or it is not told who."""
    slot = None if intent.name == "name_eldest" else SPEAKER_SLOTS.get(intent.name)
    if slot is None:
        return intent if own else None
    if slot in intent.slots:
        return intent if intent.slots[slot] in own else None
    return Intent(intent.name, {**intent.slots, slot: own[0].value}) if len(own) == 1 else None


def seat_command(
    intent: Intent, own: tuple[Psychic, ...], room: RoomView, edition: Edition, done: tuple[UndoStep, ...]
) -> Command | r.Reply | None:
    """Return what *intent* of a seat stands for where words would not do; None where it counts as said.

    A secret vote is never repeated aloud (L30), and a seat takes back only what its own psychics did.
    """
    if intent.name == "take_back":
        last = {step.psychic: step for step in done if step.psychic in own}
        mine = [step.psychic for step in done if last.get(step.psychic) is step and step.what != "vision"]
        return TakeBack(psychic=mine[-1]) if mine else r.NothingToUndo()
    if intent.name != "vote" or not is_secret_vote(room, edition):
        return None
    group = intent.slots.get("group")
    if group not in {each.group for each in room.groups}:
        return r.NotNeeded()
    assert isinstance(group, int)  # noqa: S101 - it is the number of a group
    return Vote(by=Psychic(str(intent.slots["by"])), group=group)


def may_free_seat(source: Source) -> bool:
    """Tell whether words from *source* free a psychic's seat without a question."""
    return permission(Action.FREE_SEAT, source) is Permission.ALLOWED
