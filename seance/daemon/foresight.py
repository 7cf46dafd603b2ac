"""What may be said next, the likeliest and nearest first: each signal that may come now is rehearsed."""

import heapq
import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields

from seance.daemon.context import EveningContext
from seance.daemon.night_runner import Moment
from seance.daemon.rehearsal import Rehearsal
from seance.daemon.sand import ANNOUNCED_AT_S
from seance.daemon.signals import GhostCommand, Heard, Signal, Tick
from seance.daemon.silence import IDLE_LINE_AFTER_S
from seance.dialogue.expected_intents import expected_intents
from seance.dialogue.grammar.sentences import Intent, Slot
from seance.dialogue.touch_choices import touch_choices
from seance.narration.cues import Cue, Say
from seance.rules import Command, GiveVision, Psychic, moves, wire_name
from seance.rules.commands import COMMANDS, Abandon, Begin, CorrectAnswer, PlaceIntuition, PointAt, TakeBack, UseCrow

MAX_REHEARSALS = 150
"""Signals that are rehearsed at most, at one moment and those after it."""
MIN_LIKELIHOOD = 0.01
"""A moment that is less likely than this is not looked beyond."""
TIME_PASSES = 0.9
"""How likely it is that nobody says or does anything before the house does."""
UNUSUAL = 0.05
"""How much less likely a command is that changes what was done than one that carries the night on."""
QUESTION = 0.03
"""How likely a question to the house is, or another sentence that carries nothing on."""
AFTER_AN_ANSWER = 0.6
"""The likelihood of the first of a few answers; the others share the rest."""
MORE_VISIONS = 0.5
"""How much less likely each further vision card for one psychic is."""
LATER = 0.8
"""How much less a line counts for each line that is said before it: there is time until then."""
_MOMENT_S = 0.1
_INTENT_NAMES: Mapping[type[Command], str] = {PointAt: "vote"}
"""Where the sentence is called otherwise than the command."""
BARE_INTENTS = frozenset(
    {
        *("ask_time", "ask_hour", "ask_missing", "ask_options", "ask_next", "ask_table", "ask_crows", "ask_progress"),
        *("ask_page", "louder", "quieter", "sleep", "wake", "pause", "resume", "end", "begin", "ready", "take_back"),
        *("call_time", "turn_sand", "turn_shared_vision", "place_intuition", "vote", "yes", "no"),
    }
)
"""Sentences that need to name nothing: who, what or where is asked for."""
_RARE = (Abandon, CorrectAnswer, TakeBack, UseCrow)

Line = tuple[str, str]
"""Who says it, and what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prospect:
    """A signal that may come."""

    signal: Signal
    likelihood: float
    """From 0 to 1, beside others that may come first."""
    after_s: float = _MOMENT_S


def foresee(context: EveningContext, moment: Moment, *, max_rehearsals: int = MAX_REHEARSALS) -> tuple[Line, ...]:
    """Return the lines that may be said after *moment*, the likeliest and nearest first."""
    likelihoods = defaultdict[Line, float](float)
    numbers, moments = itertools.count(), [(-1.0, -1, moment)]
    rehearsals = 0
    while moments and rehearsals < max_rehearsals:
        so_far, _, moment = heapq.heappop(moments)
        for prospect in prospects(Rehearsal(context, moment)):
            likelihood = -so_far * prospect.likelihood
            rehearsal = Rehearsal(context, moment)
            lines = _lines(rehearsal.perceive(prospect.signal, after_s=prospect.after_s))
            rehearsals += 1
            if rehearsal.has_dealt:
                lines = _lines_whatever_is_dealt(context, moment, prospect, lines)
            elif likelihood >= MIN_LIKELIHOOD:
                heapq.heappush(moments, (-likelihood, next(numbers), rehearsal.moment))
            for before, line in enumerate(lines):
                likelihoods[line] += likelihood * LATER**before
    return tuple(sorted(likelihoods, key=lambda line: -likelihoods[line]))


def _lines(cues: Iterable[Cue]) -> tuple[Line, ...]:
    """Return what is said in *cues*, as it is spoken at once."""
    return tuple((cue.voice, piece) for cue in cues if isinstance(cue, Say) for piece in cue.pieces)


def _lines_whatever_is_dealt(
    context: EveningContext, moment: Moment, prospect: Prospect, lines: tuple[Line, ...]
) -> tuple[Line, ...]:
    """Return those of *lines* that are said with other cards, too."""
    other = Rehearsal(context, moment, seed=1)
    said = frozenset(_lines(other.perceive(prospect.signal, after_s=prospect.after_s)))
    return tuple(line for line in lines if line in said)


def prospects(rehearsal: Rehearsal) -> list[Prospect]:
    """Return the signals that may come at the moment of *rehearsal*, the likeliest first."""
    found = (*_answers(rehearsal), *_commands(rehearsal), *_time(rehearsal), *_sentences(rehearsal))
    return sorted(found, key=lambda each: -each.likelihood)


def _answers(rehearsal: Rehearsal) -> Iterator[Prospect]:
    """Yield the answers to the open question, or what is next where none is open."""
    choices = touch_choices(rehearsal.conversation, rehearsal.room, rehearsal.defaults)
    for at, intent in enumerate(choices.answers):
        others = (1 - AFTER_AN_ANSWER) / max(1, len(choices.answers) - 1)
        yield Prospect(signal=_heard(intent), likelihood=others if at else AFTER_AN_ANSWER)
    for row in choices.setup:
        for choice in row.choices if row.slot != "psychics" else ():
            intent = Intent("setup", {row.slot: choice})
            yield Prospect(signal=_heard(intent), likelihood=1 / len(row.choices) / len(choices.setup))


def _commands(rehearsal: Rehearsal) -> Iterator[Prospect]:
    """Yield the commands that the rules allow; those of one psychic share their likelihood."""
    state, conversation = rehearsal.state, rehearsal.conversation
    if state is None or state.outcome is not None or conversation.paused or conversation.laying_out:
        return
    for kind in COMMANDS:
        if kind is Begin:
            continue
        commands = tuple(moves(state, kind))
        alternatives = Counter(map(_who, commands))
        for command in commands:
            is_usual = kind not in _RARE and not _is_change(rehearsal, command)
            share = 1 / alternatives[_who(command)]
            if isinstance(command, GiveVision) and command.count is not None:
                share = MORE_VISIONS**command.count
            yield Prospect(signal=_signal(command), likelihood=share * (1.0 if is_usual else UNUSUAL))


def _is_change(rehearsal: Rehearsal, command: Command) -> bool:
    """Tell whether *command* chooses again for somebody who has chosen."""
    room = rehearsal.room
    chosen = [each.colour for each in room.psychics if each.intuition is not None] if room is not None else []
    return isinstance(command, PlaceIntuition) and command.psychic in chosen


def _who(command: Command) -> Psychic | None:
    return getattr(command, "psychic", None) or getattr(command, "by", None)


def _signal(command: Command) -> Signal:
    """Return *command* as a sentence that was heard, or as the ghost gives it."""
    slots: dict[str, Slot] = {field.name: getattr(command, field.name) for field in fields(command)}
    if not slots or any(not isinstance(value, str | int) for value in slots.values()):
        return GhostCommand(command)
    if isinstance(command, TakeBack | CorrectAnswer):
        return GhostCommand(command)
    name = _INTENT_NAMES.get(type(command), wire_name(type(command)))
    plain = {key: str(value) if isinstance(value, Psychic) else value for key, value in slots.items()}
    return _heard(Intent(name, plain))


def _heard(intent: Intent) -> Heard:
    return Heard("", intent, 1.0)


def _time(rehearsal: Rehearsal) -> Iterator[Prospect]:
    """Yield what the house says by itself as time passes."""
    sand = rehearsal.sand
    if sand is not None and sand.running:
        left_s = rehearsal.moment.snapshot.sand_left_s or 0.0
        marks = (*(mark for mark in ANNOUNCED_AT_S if mark < left_s), 0)
        for mark in marks:
            yield Prospect(signal=Tick(silent=False), likelihood=TIME_PASSES, after_s=left_s - mark + _MOMENT_S)
        return
    conversation, defaults = rehearsal.conversation, rehearsal.defaults
    reminder_s = defaults.remind_after * 2**conversation.reminded
    within_s = reminder_s if conversation.pending is None else defaults.answer_within
    for after_s in {IDLE_LINE_AFTER_S, max(0.0, within_s - conversation.quiet)}:
        yield Prospect(signal=Tick(), likelihood=TIME_PASSES, after_s=after_s + _MOMENT_S)


def _sentences(rehearsal: Rehearsal) -> Iterator[Prospect]:
    """Yield what may be said to the house beside that, as far as it names nothing."""
    conversation, room = rehearsal.conversation, rehearsal.room
    expected = expected_intents(conversation, room, defaults=rehearsal.defaults)
    for name in sorted(expected.intents & BARE_INTENTS):
        yield Prospect(signal=_heard(Intent(name)), likelihood=QUESTION)
