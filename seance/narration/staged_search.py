"""How the beginning of a night and the search are told; not the hunt for the culprit."""

from seance.dialogue.card_places import place_of
from seance.dialogue.replies import LayOut
from seance.narration.act import BEFORE_KNOCK, Act, one_or_many, tell_event
from seance.narration.cues import Earcon, Mood, ShowSand, Sound
from seance.narration.scene import MOODS, Opening, lights, spotlight
from seance.narration.staged_replies import tell_reply
from seance.rules import LAST_HOUR, Category, Phase, Psychic, RoomView
from seance.rules import events as e
from seance.rules.view import PsychicView

# The beginning


@tell_event.register
def _tell_night_begun(event: e.NightBegun, act: Act) -> None:
    act.add(ShowSand(None))
    act.light(lights(act.table))
    act.mood(Mood.ARRIVAL)
    opening = act.stage.opening
    if opening is Opening.LONG and act.is_full:
        act.recount("opening")
        for psychic in event.psychics:
            act.breathe(0.8)
            act.tell(f"portrait.{psychic}", psychic=psychic, name=act.stage.script.grammar.names[psychic])
    else:
        act.say(f"opening.{Opening.SHORT if opening is Opening.LONG else opening}")
    tell_reply(LayOut(event.table), act)
    act.strike(1)
    act.teach("visions")
    if not act.stage.first_night:
        act.tell("lesson.experienced")
    act.mood(MOODS[act.table.phase])


@tell_event.register
def _tell_level_warned(event: e.LevelWarned, act: Act) -> None:
    act.say("event.level_warned", level=act.stage.script.called("levels", event.level), players=event.players)


# The search


@tell_event.register
def _tell_vision_given(event: e.VisionGiven, act: Act) -> None:
    act.add(Earcon(Sound.DONE))
    act.light(lights(act.table))
    act.say(f"event.vision_given.{one_or_many(event.count)}", psychic=event.psychic, count=event.count)
    # While the ghost chooses for the others there is time to teach; once the sand runs there is none.
    if act.memory.times("lesson.choosing") and _has_tokens(act.table):
        act.teach("clairvoyancy")
    act.teach("choosing")


@tell_event.register
def _tell_crow_used(event: e.CrowUsed, act: Act) -> None:
    act.add(Earcon(Sound.DONE))
    level = act.stage.editions[act.table.edition].levels[act.table.level]
    left = "returns" if level.crows_return else "some" if event.crows_left else "none"
    act.say(f"event.crow_used.{left}", crows=event.crows_left)
    act.teach("crow")


@tell_event.register
def _tell_sand_turned(event: e.SandTurned, act: Act) -> None:
    act.add(ShowSand(event.seconds, event.seconds), Earcon(Sound.TIME))
    act.light(lights(act.table))
    act.mood(Mood.SAND)
    act.say("event.sand_turned", seconds=event.seconds)


@tell_event.register
def _tell_interpretation_begun(_event: e.InterpretationBegun, act: Act) -> None:
    act.add(Earcon(Sound.TIME))
    act.light(lights(act.table))
    act.mood(MOODS[act.table.phase])
    act.say("event.interpretation_begun")


@tell_event.register
def _tell_intuition_placed(event: e.IntuitionPlaced, act: Act) -> None:
    act.understood()
    # The numbers are on the backs of cards that lie face up: the place can be checked at a glance (S5).
    kind, place = place_of(act.table, event.card)
    act.tell("event.intuition_placed", psychic=event.psychic, card=event.card, category=kind, place=place)


@tell_event.register
def _tell_bet_placed(event: e.BetPlaced, act: Act) -> None:
    act.understood()
    act.tell(f"event.bet_placed.{'agrees' if event.agrees else 'disagrees'}", by=event.by, on=event.on)


@tell_event.register
def _tell_bet_withdrawn(event: e.BetWithdrawn, act: Act) -> None:
    act.understood()
    act.tell("event.bet_withdrawn", by=event.by, on=event.on)


@tell_event.register
def _tell_taken_back(event: e.TakenBack, act: Act) -> None:
    act.understood()
    act.say(f"event.taken_back.{event.what}", psychic=event.psychic)


@tell_event.register
def _tell_time_called(event: e.TimeCalled, act: Act) -> None:
    act.add(ShowSand(None), Earcon(Sound.TIME))
    act.mood(Mood.ANSWERS)
    act.interrupt(f"event.time_called.{'early' if event.early else 'over'}")
    act.teach("answers")


# The answers


@tell_event.register
def _tell_intuition_answered(event: e.IntuitionAnswered, act: Act) -> None:
    act.light(spotlight(act.table, event.psychic))
    if event.card is None:
        act.say("event.answer.nothing", psychic=event.psychic)
    else:
        act.say("event.answer.card", psychic=event.psychic, card=event.card)
    act.knock(yes=event.correct, after=BEFORE_KNOCK)
    if event.correct:
        act.tell("event.answer.yes", psychic=event.psychic)
    else:
        act.say(f"event.answer.{'none' if event.card is None else 'no'}", psychic=event.psychic)


@tell_event.register
def _tell_card_found(event: e.CardFound, act: Act) -> None:
    now, before = _seen(act.table, event.psychic), _seen(act.before or act.table, event.psychic)
    if now.searching == "done":
        act.say("event.third", psychic=event.psychic)
        return
    kind, following = Category(before.searching), Category(now.searching)
    act.say("event.found", psychic=event.psychic, card=event.card, category=kind, next=following)
    act.teach("found")


@tell_event.register
def _tell_clairvoyancy_moved(_event: e.ClairvoyancyMoved, act: Act) -> None:
    """Tell all of a row at once, when the first of it comes."""
    if not act.is_first():
        return
    moved: dict[int, list[Psychic]] = {}
    for each in act.events[act.at :]:
        if not isinstance(each, e.ClairvoyancyMoved):
            break
        moved.setdefault(each.spaces, []).append(each.psychic)
    early = act.at > 0 and isinstance(act.events[act.at - 1], e.CardFound)
    for spaces, psychics in moved.items():
        key = f"event.clairvoyancy_moved.{'early' if early else one_or_many(len(psychics))}"
        act.tell(key, psychics=tuple(psychics), spaces=spaces)


@tell_event.register
def _tell_tokens_returned(_event: e.TokensReturned, act: Act) -> None:
    act.say(f"event.tokens_returned.{'vote' if act.follows(e.LineupFormed) else 'search'}")


@tell_event.register
def _tell_hour_struck(event: e.HourStruck, act: Act) -> None:
    act.light(lights(act.table))
    act.mood(MOODS[act.table.phase])
    act.breathe(BEFORE_KNOCK)
    act.strike(event.hour)
    searching = act.table.phase in (Phase.VISIONS, Phase.INTERPRETATION, Phase.ACCUSATION)
    if event.hour == LAST_HOUR and searching:
        act.say("hour.last")


def _seen(room: RoomView, psychic: Psychic) -> PsychicView:
    return next(each for each in room.psychics if each.colour is psychic)


def _has_tokens(room: RoomView) -> bool:
    return any(psychic.tokens_left is not None for psychic in room.psychics)
