"""The ghost's seat at a page: which device asked for it, which one holds it, and whether its page is open."""

import itertools
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import replace

from seance.daemon.signals import Typed
from seance.daemon.typed_text import is_two_digits
from seance.dialogue import replies as r
from seance.dialogue import seat_replies as sr
from seance.dialogue import seat_talk
from seance.dialogue.conversation import Conversation
from seance.dialogue.conversation_state import DialogueStep
from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.questions import Doubt
from seance.permissions import GHOST_SEAT, Action, Permission, Source, permission
from seance.web.page_state import SeatState

ATTEMPT_NOTICE_INTERVAL_S = 60.0
"""Least time between two announcements that somebody tried to take the seat."""
AWAY_TIMEOUT_S = 90.0
"""How long the ghost's page may be closed before the house answers in the ghost's place."""
MARKS = (
    "raven", "lantern", "mirror", "key", "moon", "rose", "clock", "feather",
    "candle", "crown", "spider", "ladder", "violin", "bell", "snow", "river",
)  # fmt: skip
"""Keys of the words that asking phones show, in turn; what they are called is in voices/*/script.toml."""


class GhostSeat:
    """The seat of one night; each night has a new key, so that cookies of an earlier one are worthless."""

    def __init__(self, make_key: Callable[[], str], make_digits: Callable[[], str]) -> None:
        """Make keys by *make_key*, and by *make_digits* the two digits of a question."""
        self._make_key, self._make_digits = make_key, make_digits
        self._by_digits = False
        self._marks = itertools.cycle(MARKS)
        self.state = SeatState(key=make_key())
        self.asking_guest: str | None = None
        """The guest whose device has asked the open question about the seat, and so may not answer it."""
        self.digits: str | None = None
        """The two digits that answer that question; None where a yes does."""
        self._open_pages: Counter[str] = Counter()
        self._closed_at = 0.0
        self._announced_at: float | None = None

    def restore(self, state: SeatState | None, now: float) -> None:
        """Continue with the seat of an interrupted night, whose page is not open yet."""
        if state is not None:
            self.state = replace(state, asked=None, mark="")
        self._closed_at = now

    def request(self, device: str | None, guest: str | None = None) -> bool:
        """Note that *device* of *guest* asks for the seat, and return whether it may: the seat must be free."""
        if device is None or self.state.status != "free":
            return False
        self.state = replace(self.state, asked=device, mark=self.next_mark())
        self.open_question(guest)
        return True

    def next_mark(self) -> str:
        """Return the key of the word that the next asking phone shows."""
        return next(self._marks)

    def open_question(self, guest: str | None) -> None:
        """Note that *guest* has asked a question about the seat, and make the digits for its answer."""
        self.asking_guest = guest
        self.digits = self._make_digits() if self._by_digits else None

    def ask_by_digits(self, by_digits: bool, *, is_open: bool) -> None:
        """Let digits answer from now on where a yes can only come from a page, also a question that *is_open*."""
        self._by_digits = by_digits
        if is_open:
            self.open_question(self.asking_guest)

    def asks_for_digits(self, conversation: Conversation) -> bool:
        """Tell whether two digits answer the last question of *conversation*."""
        sitting = conversation.sitting
        return self.digits is not None and sitting is not None and sitting.foremost

    def is_answered_by_digits(self, text: str, conversation: Conversation) -> bool:
        """Tell whether *text* is two digits, and digits answer the last question of *conversation*."""
        return is_two_digits(text) and self.asks_for_digits(conversation)

    def take_digits(self, conversation: Conversation, typed: Typed) -> DialogueStep:
        """Return what follows from digits that were *typed*: a yes if they are right, and not by whoever asks."""
        if permission(Action.CONFIRM_SEAT, typed.source) is Permission.NEVER:
            return conversation, ()
        if typed.guest is None or typed.guest == self.asking_guest:
            return conversation, (sr.AnotherPhone(),)
        return seat_talk.confirm(conversation) if typed.words == self.digits else seat_talk.ask_again(conversation)

    def judge_intent(
        self,
        intent: Intent,
        source: Source,
        guest: str | None,
        conversation: Conversation,
        *,
        seat: str = GHOST_SEAT,
        allowed: Collection[Action] = (),
    ) -> Permission:
        """Return what becomes of *intent* of *guest* from *source*: whoever asks about the seat never answers.

        *seat* is the one that a seated phone holds, *allowed* what the owner allows other devices. Note who wants the
        seat to be free, if that is asked back.
        """
        action = seat_talk.intended_action(conversation, intent)
        cell = permission(action, source, seat=seat, allowed=allowed)
        if action is Action.FREE_SEAT and cell is Permission.ASKED_BACK:
            if self.state.status == "free":
                return Permission.ALLOWED
            if conversation.sitting is None:
                self.open_question(guest)
        is_own_question = guest is not None and guest == self.asking_guest
        if action is Action.CONFIRM_SEAT and cell is Permission.ALLOWED and is_own_question:
            return Permission.WITH_DIGITS
        return cell

    def fill_question(self, question: r.AskBack, *, psychic_mark: str = "") -> r.AskBack:
        """Return *question* with the mark and the digits, if it is about a seat; *psychic_mark* if a psychic's."""
        if question.doubt not in (Doubt.SEAT, Doubt.FREE_SEAT, Doubt.PSYCHIC_SEAT):
            return question
        mark = psychic_mark if question.doubt is Doubt.PSYCHIC_SEAT else self.state.mark
        return replace(question, mark=mark, digits=self.digits)

    def claim(self, device: str, new_device: str, now: float) -> None:
        """Let the holder be known as *new_device* from now on, if it is *device* and has not claimed the seat yet."""
        if self.state.unclaimed and device == self.state.holder:
            self.state = replace(self.state, holder=new_device, unclaimed=False)
            self._closed_at = now  # its page opens again under the new id

    def should_announce_attempt(self, now: float) -> bool:
        """Tell whether to announce an attempt at *now* on a taken seat, at most once in ATTEMPT_NOTICE_INTERVAL_S."""
        if self.state.status != "taken":
            return False
        if self._announced_at is not None and now - self._announced_at < ATTEMPT_NOTICE_INTERVAL_S:
            return False
        self._announced_at = now
        return True

    def grant(self) -> None:
        """Give the seat to the device that asked."""
        asked = self.state.asked
        self.state = replace(self.state, holder=asked, asked=None, mark="", unclaimed=asked is not None)

    def refuse(self) -> None:
        """Turn down the device that asked."""
        self.state = replace(self.state, asked=None, mark="")

    def release(self) -> None:
        """Take the seat from its holder and make its cookie worthless."""
        self.state = SeatState(key=self._make_key())

    def apply_reply(self, reply: r.Reply) -> None:
        """Grant, refuse or release the seat if *reply* says so, which closes the question about it."""
        if isinstance(reply, sr.SeatTaken):
            self.grant()
        elif isinstance(reply, sr.SeatRefused):
            self.refuse()
        elif isinstance(reply, sr.SeatFreed):
            self.release()
        if isinstance(reply, sr.SeatTaken | sr.SeatRefused | sr.SeatFreed | sr.SeatKept):
            self.close_question()

    def close_question(self) -> None:
        """Note that the question about a seat is answered or dropped."""
        self.asking_guest = self.digits = None

    def set_page_open(self, device: str, is_open: bool, now: float) -> None:
        """Note that a page of *device* was opened or closed."""
        self._open_pages[device] += 1 if is_open else -1
        if self._open_pages[device] <= 0:
            del self._open_pages[device]
            if device == self.state.holder:
                self._closed_at = now

    def is_ghost_present(self, now: float) -> bool:
        """Tell whether the holder's page is open, or was within AWAY_TIMEOUT_S."""
        holder = self.state.holder
        return holder is not None and (holder in self._open_pages or now - self._closed_at < AWAY_TIMEOUT_S)
