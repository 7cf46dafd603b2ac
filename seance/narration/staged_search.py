"""Cues for the beginning of a night, the search and the ghost's answers."""

from seance.dialogue.card_places import place_of
from seance.dialogue.opening import Opening
from seance.dialogue.replies import LayOut
from seance.narration.cue_builder import MOODS, psychic_lights, spotlight
from seance.narration.cues import Earcon, Mood, ShowSand, Sound
from seance.narration.event_cues import BEFORE_KNOCK_S, EventCueBuilder, one_or_many, tell_event
from seance.narration.staged_layout import guide_numbers, guide_setup
from seance.narration.staged_replies import tell_reply
from seance.rules import Category, Phase, Psychic, RoomView
from seance.rules import events as e
from seance.rules.view import PsychicView

# The beginning


@tell_event.register
def _tell_night_begun(event: e.NightBegun, cues: EventCueBuilder) -> None:
    cues.add(ShowSand(None))
    cues.show_lights(psychic_lights(cues.table))
    cues.set_mood(Mood.ARRIVAL)
    opening = cues.style.opening
    *story, last = cues.style.script.opening(cues.edition)
    if opening is Opening.LONG and cues.is_full:
        cues.tell_parts(story or [last])
    else:
        cues.say(f"opening.{Opening.SHORT if opening is Opening.LONG else opening}")
    guide_numbers(cues)
    if not cues.style.cards_drawn:
        tell_reply(LayOut(event.table), cues)
    guide_setup(cues, cues.table)


@tell_event.register
def _tell_level_warned(event: e.LevelWarned, cues: EventCueBuilder) -> None:
    cues.say("event.level_warned", level=cues.style.script.called("levels", event.level), players=event.players)


# The search


@tell_event.register
def _tell_vision_given(event: e.VisionGiven, cues: EventCueBuilder) -> None:
    cues.add(Earcon(Sound.DONE))
    cues.show_lights(psychic_lights(cues.table))
    cues.say(f"event.vision_given.{one_or_many(event.count)}", psychic=event.psychic, count=event.count)
    # While the ghost chooses for the others there is time to teach; once the sand runs there is none.
    if cues.memory.times("lesson.choosing") and _has_tokens(cues.table):
        cues.teach("clairvoyancy")
        cues.guide("bets")
    cues.teach("choosing")
    all_served = all(each.served for each in cues.table.psychics if each.searching != "done")
    if cues.table.phase is Phase.VISIONS:
        cues.guide("choose" if all_served else "served")
        if all_served and not cues.style.sand.is_turned_by_house:
            cues.teach("sand")


@tell_event.register
def _tell_crow_used(event: e.CrowUsed, cues: EventCueBuilder) -> None:
    cues.add(Earcon(Sound.DONE))
    level = cues.style.editions[cues.table.edition].levels[cues.table.level]
    left = "returns" if level.crows_return else "some" if event.crows_left else "none"
    cues.say(f"event.crow_used.{left}", crows=event.crows_left)
    cues.teach("crow")


@tell_event.register
def _tell_sand_turned(event: e.SandTurned, cues: EventCueBuilder) -> None:
    if cues.style.sand.is_turned_by_house:
        _tell_choosing(cues)
        return
    cues.add(ShowSand(event.seconds, event.seconds), Earcon(Sound.TIME))
    cues.show_lights(psychic_lights(cues.table))
    cues.set_mood(Mood.SAND)
    cues.say("event.sand_turned", seconds=event.seconds)


@tell_event.register
def _tell_interpretation_begun(_event: e.InterpretationBegun, cues: EventCueBuilder) -> None:
    _tell_choosing(cues)


def _tell_choosing(cues: EventCueBuilder) -> None:
    """Tell that all may choose now, and that no sand runs."""
    cues.add(Earcon(Sound.TIME))
    cues.show_lights(psychic_lights(cues.table))
    cues.set_mood(MOODS[cues.table.phase])
    cues.say("event.interpretation_begun")
    cues.guide("choose")
    cues.teach("ready")


@tell_event.register
def _tell_intuition_placed(event: e.IntuitionPlaced, cues: EventCueBuilder) -> None:
    cues.acknowledge()
    # The numbers are on the backs of cards that lie face up: the place can be checked at a glance (S5).
    kind, place = place_of(cues.table, event.card)
    key = "event.intuition_placed" if cues.is_sand_running else "event.intuition_located"
    cues.say_if_full(key, psychic=event.psychic, card=event.card, category=kind, place=place)


@tell_event.register
def _tell_bet_placed(event: e.BetPlaced, cues: EventCueBuilder) -> None:
    cues.acknowledge()
    cues.blink(event.by, times=1 if event.agrees else 2)
    if not cues.is_sand_running:
        cues.say_if_full(f"event.bet_placed.{'agrees' if event.agrees else 'disagrees'}", by=event.by, on=event.on)


@tell_event.register
def _tell_bet_withdrawn(event: e.BetWithdrawn, cues: EventCueBuilder) -> None:
    cues.acknowledge()
    cues.blink(event.by, times=1)
    if not cues.is_sand_running:
        cues.say_if_full("event.bet_withdrawn", by=event.by, on=event.on)


@tell_event.register
def _tell_taken_back(event: e.TakenBack, cues: EventCueBuilder) -> None:
    cues.acknowledge()
    cues.say(f"event.taken_back.{event.what}", psychic=event.psychic)


@tell_event.register
def _tell_time_called(event: e.TimeCalled, cues: EventCueBuilder) -> None:
    cues.add(ShowSand(None), Earcon(Sound.TIME))
    cues.set_mood(Mood.ANSWERS)
    over = not event.early and not _all_have_chosen(cues)
    cues.interrupt(f"event.time_called.{'over' if over else 'early'}")
    cues.teach("answers")


def _all_have_chosen(cues: EventCueBuilder) -> bool:
    """Return whether time ends with the last choice, since no sand runs, and the edition has no line for that."""
    key = "event.time_called.over"
    has_sand = cues.style.editions[cues.table.edition].sand_seconds is not None
    return not has_sand and cues.style.script.key(key, cues.edition) == key


# The answers


@tell_event.register
def _tell_intuition_answered(event: e.IntuitionAnswered, cues: EventCueBuilder) -> None:
    cues.show_lights(spotlight(cues.table, event.psychic))
    if event.card is None:
        cues.say("event.answer.nothing", psychic=event.psychic)
    else:
        cues.say("event.answer.card", psychic=event.psychic, card=event.card)
    cues.knock(yes=event.correct, after_s=BEFORE_KNOCK_S)
    if event.correct:
        cues.say_if_full("event.answer.yes", psychic=event.psychic)
    else:
        cues.say(f"event.answer.{'none' if event.card is None else 'no'}", psychic=event.psychic)
        if event.card is not None:
            cues.guide("wrong")


@tell_event.register
def _tell_answer_corrected(event: e.AnswerCorrected, cues: EventCueBuilder) -> None:
    cues.show_lights(spotlight(cues.table, event.psychic))
    if event.card is not None:
        cues.say("event.answer_corrected.card", psychic=event.psychic, card=event.card)
    cues.knock(yes=event.correct, after_s=BEFORE_KNOCK_S)
    cues.say(f"event.answer_corrected.{'yes' if event.correct else 'no'}", psychic=event.psychic)


@tell_event.register
def _tell_clairvoyancy_taken_back(event: e.ClairvoyancyTakenBack, cues: EventCueBuilder) -> None:
    cues.say("event.clairvoyancy_taken_back", psychic=event.psychic, spaces=event.spaces)


@tell_event.register
def _tell_card_found(event: e.CardFound, cues: EventCueBuilder) -> None:
    now, before = _seen(cues.table, event.psychic), _seen(cues.before or cues.table, event.psychic)
    if now.searching == "done":
        cues.say("event.third", psychic=event.psychic)
        cues.guide("done")
        return
    kind, following = Category(before.searching), Category(now.searching)
    cues.say("event.found", psychic=event.psychic, card=event.card, category=kind, next=following)
    cues.teach("found")
    cues.guide("found")


@tell_event.register
def _tell_clairvoyancy_moved(_event: e.ClairvoyancyMoved, cues: EventCueBuilder) -> None:
    """Tell all moves of a row at the first of them."""
    if not cues.is_first_of_kind():
        return
    moved: dict[int, list[Psychic]] = {}
    for each in cues.events[cues.position :]:
        if not isinstance(each, e.ClairvoyancyMoved):
            break
        moved.setdefault(each.spaces, []).append(each.psychic)
    early = cues.position > 0 and isinstance(cues.events[cues.position - 1], e.CardFound)
    for spaces, psychics in moved.items():
        key = f"event.clairvoyancy_moved.{'early' if early else one_or_many(len(psychics))}"
        cues.say(key, psychics=tuple(psychics), spaces=spaces)


@tell_event.register
def _tell_tokens_returned(_event: e.TokensReturned, cues: EventCueBuilder) -> None:
    cues.say(f"event.tokens_returned.{'vote' if cues.includes(e.LineupFormed) else 'search'}")


@tell_event.register
def _tell_hour_struck(event: e.HourStruck, cues: EventCueBuilder) -> None:
    cues.show_lights(psychic_lights(cues.table))
    cues.set_mood(MOODS[cues.table.phase])
    cues.pause(BEFORE_KNOCK_S)
    cues.strike(event.hour)
    searching = cues.table.phase in (Phase.VISIONS, Phase.INTERPRETATION, Phase.ACCUSATION)
    if event.hour == cues.style.editions[cues.table.edition].turns and searching:
        cues.say("hour.last")
    returns = cues.style.editions[cues.table.edition].tokens_return_at
    if searching and _has_tokens(cues.table) and returns is not None and event.hour < returns:
        cues.guide("used", hour=returns)


def _seen(room: RoomView, psychic: Psychic) -> PsychicView:
    return next(each for each in room.psychics if each.colour is psychic)


def _has_tokens(room: RoomView) -> bool:
    return any(psychic.tokens_left is not None for psychic in room.psychics)
