"""How replies of the house are told, but for questions of the room; what it replies is decided in the dialogue."""

from functools import singledispatch

from seance.dialogue import replies as r
from seance.dialogue.replies import Doubt, Question
from seance.narration import cues as c
from seance.narration.cues import Earcon, Light, Mood, Pause, ShowHour, ShowPsychics, ShowSand, Sound
from seance.narration.inflection import Value
from seance.narration.scene import MOODS, Scene, lights
from seance.rules import LAST_HOUR, Category, Psychic, Table

BETWEEN_CARDS = 1.5
"""Time to find a card and lay it down (seconds)."""
LIGHTS_SEEN = 3.0
"""How long every light is shown when the host wants to see them (seconds)."""


@singledispatch
def tell_reply(reply: r.Reply, _scene: Scene) -> None:
    """Add to *scene* what the room perceives of *reply*."""
    raise TypeError(f"nothing says how {type(reply).__name__} is told")


# What is asked


@tell_reply.register
def _tell_ask(reply: r.Ask, scene: Scene) -> None:
    scene.add(*_question_mark(scene))
    question, choices = reply.question, _choices(reply, scene)
    own = {Question.WHICH_CARD: reply.psychic is not None, Question.WHO_IS_ELDEST: bool(choices)}
    key = f"ask.{question}_of" if own.get(question) and not reply.again else f"ask.{question}"
    if question is Question.PSYCHICS and reply.psychic is not None and not reply.again:
        key = "ask.psychics_more"
    values: dict[str, Value] = {"choices": choices}
    if reply.psychic is not None:
        values["psychic"] = reply.psychic
    scene.say(key.replace("ask.", "ask_again.") if reply.again else key, **values)


def _choices(reply: r.Ask, scene: Scene) -> tuple[Value, ...]:
    """Return the choices of *reply* as they are called, or all that there are where none are given."""
    script, what = scene.stage.script, {Question.LEVEL: "levels", Question.EDITION: "editions"}.get(reply.question)
    if what is not None:
        return tuple(script.called(what, choice) for choice in reply.choices or script.grammar.called[what])
    return tuple(Psychic(choice) if choice in set(Psychic) else choice for choice in reply.choices)


@tell_reply.register
def _tell_ask_back(reply: r.AskBack, scene: Scene) -> None:
    scene.add(*_question_mark(scene))
    if reply.doubt is Doubt.SEAT:
        scene.insist("ask_back.seat")
    elif reply.again:
        scene.say("ask_back.again")
    elif reply.doubt is Doubt.ACCUSE and reply.group is not None:
        scene.say("ask_back.accuse_group", number=reply.group)
    elif reply.doubt is Doubt.VOTE and reply.psychic is not None and reply.group is not None:
        scene.say("ask_back.vote", psychic=reply.psychic, number=reply.group)
    elif reply.doubt is Doubt.ELDEST and reply.psychic is not None:
        scene.say("ask_back.eldest", psychic=reply.psychic)
    else:
        scene.say(f"ask_back.{reply.doubt}", said=reply.said)


@tell_reply.register
def _tell_summary(reply: r.Summary, scene: Scene) -> None:
    called = scene.stage.script.called
    if reply.again:
        scene.say("ask_back.again")
        scene.add(*_question_mark(scene))
        return
    if reply.by_hand:
        scene.say("summary.by_hand")
    if reply.variant is not None:
        scene.say(f"summary.{reply.variant}")
    scene.say(
        f"summary.{'story' if reply.story else 'no_story'}",
        players=reply.players,
        edition=called("editions", reply.edition),
        level=called("levels", reply.level),
        psychics=reply.psychics,
    )
    scene.add(*_question_mark(scene))


def _question_mark(scene: Scene) -> tuple[c.Cue, ...]:
    """Return what says in silence that something is asked."""
    return (Earcon(Sound.HEARD),) if scene.is_silent else ()


@tell_reply.register
def _tell_left_alone(_reply: r.LeftAlone, scene: Scene) -> None:
    scene.say("reply.left_alone")


@tell_reply.register
def _tell_usual_otherwise(_reply: r.UsualOtherwise, scene: Scene) -> None:
    scene.say("reply.usual_otherwise")


@tell_reply.register
def _tell_dropped(_reply: r.Dropped, scene: Scene) -> None:
    scene.say("reply.dropped")


# What was said and led to nothing


@tell_reply.register
def _tell_not_understood(_reply: r.NotUnderstood, scene: Scene) -> None:
    scene.add(Earcon(Sound.REFUSED))
    scene.say("reply.not_understood")


@tell_reply.register
def _tell_nothing_to_undo(_reply: r.NothingToUndo, scene: Scene) -> None:
    scene.add(Earcon(Sound.REFUSED))
    scene.say("reply.nothing_to_undo")


@tell_reply.register
def _tell_not_needed(_reply: r.NotNeeded, scene: Scene) -> None:
    scene.tell("reply.not_needed")


@tell_reply.register
def _tell_no_card_there(reply: r.NoCardThere, scene: Scene) -> None:
    scene.add(Earcon(Sound.REFUSED))
    scene.say("reply.no_card_there", category=reply.kind, place=reply.place)


@tell_reply.register
def _tell_no_night_yet(_reply: r.NoNightYet, scene: Scene) -> None:
    scene.add(Earcon(Sound.REFUSED))
    scene.say("reply.no_night_yet")


# Before the night


@tell_reply.register
def _tell_welcome(_reply: r.Welcome, scene: Scene) -> None:
    scene.add(ShowHour(0), ShowSand(None))
    scene.mood(Mood.ARRIVAL)
    scene.say("reply.welcome")


@tell_reply.register
def _tell_lay_out(reply: r.LayOut, scene: Scene) -> None:
    for kind, cards in _rows(reply.table):
        if not scene.is_full:
            scene.say("layout.all", category=kind, cards=cards)
            continue
        scene.say("layout.kind", category=kind)
        for card in cards:
            scene.breathe(BETWEEN_CARDS)
            scene.say("layout.card", card=card)


@tell_reply.register
def _tell_enrolled(reply: r.Enrolled, scene: Scene) -> None:
    scene.add(Earcon(Sound.UNDERSTOOD))
    if reply.more:
        scene.say("enrolled.more", psychic=reply.psychic, more=reply.more)
    else:
        scene.say("enrolled.known", psychic=reply.psychic)


@tell_reply.register
def _tell_seat_freed(_reply: r.SeatFreed, scene: Scene) -> None:
    scene.add(Earcon(Sound.DONE))
    scene.say("reply.seat_freed")


@tell_reply.register
def _tell_seat_taken(_reply: r.SeatTaken, scene: Scene) -> None:
    scene.add(Earcon(Sound.DONE))
    scene.insist("reply.seat_taken")


@tell_reply.register
def _tell_seat_refused(reply: r.SeatRefused, scene: Scene) -> None:
    scene.add(Earcon(Sound.REFUSED))
    scene.say("reply.seat_refused" if reply.answered else "reply.seat_unanswered")


@tell_reply.register
def _tell_seat_tried(_reply: r.SeatTried, scene: Scene) -> None:
    scene.add(Earcon(Sound.REFUSED))
    scene.insist("reply.seat_tried")


@tell_reply.register
def _tell_say_aloud(_reply: r.SayAloud, scene: Scene) -> None:
    scene.add(Earcon(Sound.REFUSED))
    scene.insist("reply.say_aloud")


@tell_reply.register
def _tell_ghost_away(_reply: r.GhostAway, scene: Scene) -> None:
    scene.say("reply.ghost_away")


@tell_reply.register
def _tell_speaker_test(_reply: r.SpeakerTest, scene: Scene) -> None:
    scene.add(Earcon(Sound.HEARD))
    scene.insist("reply.speaker_test")


@tell_reply.register
def _tell_lights_test(_reply: r.LightsTest, scene: Scene) -> None:
    room = scene.room
    shown = lights(room) if room else dict.fromkeys(Psychic, Light.OFF)
    scene.add(ShowHour(LAST_HOUR), ShowPsychics(dict.fromkeys(Psychic, Light.CHOSEN)), Pause(LIGHTS_SEEN))
    scene.add(ShowHour(room.hour if room and room.outcome is None else 0), ShowPsychics(shown))


@tell_reply.register
def _tell_page_at(reply: r.PageAt, scene: Scene) -> None:
    host, _, port = reply.address.partition(":")
    name = host.removesuffix(".local")
    if name != host:
        scene.say("reply.page_by_name", name=name, port=_spelled(scene, port))
    else:
        number = ", ".join(_spelled(scene, part) for part in host.split("."))
        scene.say("reply.page_by_number", name=number, port=_spelled(scene, port))


def _spelled(scene: Scene, digits: str) -> str:
    return " ".join(scene.stage.script.grammar.numbers[int(digit)] for digit in digits)


# The house itself


@tell_reply.register
def _tell_paused(reply: r.Paused, scene: Scene) -> None:
    scene.add(Earcon(Sound.DONE), *_sand(scene, reply.seconds, running=False))
    scene.say(f"paused.{'already' if reply.already else 'now'}")


@tell_reply.register
def _tell_resumed(reply: r.Resumed, scene: Scene) -> None:
    scene.add(Earcon(Sound.DONE), *_sand(scene, reply.seconds, running=True))
    scene.say(f"resumed.{'already' if reply.already else 'now'}")


@tell_reply.register
def _tell_volume(reply: r.Volume, scene: Scene) -> None:
    if not reply.limit:
        scene.add(c.Volume(1 if reply.louder else -1))
        scene.say(f"volume.{'louder' if reply.louder else 'quieter'}")
    else:
        scene.say(f"volume.{'loudest' if reply.louder else 'quietest'}")


@tell_reply.register
def _tell_hush(_reply: r.Hush, scene: Scene) -> None:
    scene.add(c.Hush())


@tell_reply.register
def _tell_say_again(_reply: r.SayAgain, scene: Scene) -> None:
    scene.add(c.SayAgain())


@tell_reply.register
def _tell_asleep(_reply: r.Asleep, scene: Scene) -> None:
    scene.add(Earcon(Sound.DONE))
    scene.say("reply.asleep")


@tell_reply.register
def _tell_awake(_reply: r.Awake, scene: Scene) -> None:
    scene.add(Earcon(Sound.UNDERSTOOD))
    scene.say("reply.awake")


@tell_reply.register
def _tell_reminder(reply: r.Reminder, scene: Scene) -> None:
    some = "some" if reply.psychics else "none"
    scene.say(f"reminder.{some}.{reply.phase}", psychics=reply.psychics)


@tell_reply.register
def _tell_interrupted(reply: r.Interrupted, scene: Scene) -> None:
    scene.add(ShowHour(reply.hour), *_sand(scene, reply.seconds, running=True))
    if scene.room is not None:
        scene.light(lights(scene.room))
    scene.mood(MOODS[reply.phase])
    if reply.seconds is None:
        scene.say("interrupted.plain", hour=reply.hour)
    else:
        scene.say("interrupted.sand", hour=reply.hour, seconds=reply.seconds)
    if reply.unfinished:
        scene.say("interrupted.unfinished")


@tell_reply.register
def _tell_trouble(reply: r.Trouble, scene: Scene) -> None:
    scene.say(f"trouble.{reply.fault}")


def _rows(table: Table) -> list[tuple[Category, tuple[int, ...]]]:
    return [(kind, table.of(kind)) for kind in Category if table.of(kind)]


def _sand(scene: Scene, seconds: int | None, *, running: bool) -> tuple[ShowSand, ...]:
    """Return the sand as it stands, where there is any."""
    whole = scene.stage.editions[scene.edition].sand_seconds if scene.edition else None
    return () if seconds is None else (ShowSand(seconds, whole or seconds, running),)
