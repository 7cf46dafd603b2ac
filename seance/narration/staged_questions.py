"""How the questions of the room are answered; every other reply is told elsewhere."""

from seance.dialogue import replies as r
from seance.narration.cues import Earcon, Mood, Sound
from seance.narration.scene import Scene
from seance.narration.staged_replies import tell_reply
from seance.rules import Category, Psychic, RoomView

LAST_SECONDS = 10
MOST_EXAMPLES = 4


@tell_reply.register
def _tell_time_left(reply: r.TimeLeft, scene: Scene) -> None:
    if reply.seconds is None:
        scene.say("time_left.none")
    else:
        scene.say(f"time_left.{'paused' if reply.paused else 'running'}", seconds=reply.seconds)


@tell_reply.register
def _tell_sand_left(reply: r.SandLeft, scene: Scene) -> None:
    scene.add(Earcon(Sound.TIME))
    if reply.seconds <= LAST_SECONDS:
        scene.mood(Mood.LAST_SECONDS)
    own = f"sand_left.{reply.seconds}"
    scene.interrupt(own if scene.stage.script.has(own) else "time_left.running", seconds=reply.seconds)


@tell_reply.register
def _tell_hour_is(reply: r.HourIs, scene: Scene) -> None:
    scene.say(f"hour_is.{reply.phase}", hour=reply.hour)


@tell_reply.register
def _tell_missing(reply: r.Missing, scene: Scene) -> None:
    many = {0: "nobody", 1: "one"}.get(len(reply.psychics), "many")
    scene.say(f"missing.{reply.lacking}.{many}", psychics=reply.psychics)


@tell_reply.register
def _tell_options(reply: r.Options, scene: Scene) -> None:
    scene.say(f"options.{reply.phase or 'before'}")
    # A bare "group three" means a ball where balls are placed: nobody votes there.
    intents = set(reply.intents) - ({"vote"} if "point_at" in reply.intents else set())
    examples = tuple(_example(scene, intent) for intent in scene.stage.script.examples if intent in intents)
    if examples and not scene.is_silent:
        scene.say("options.say", examples=examples[:MOST_EXAMPLES])
    if reply.phase is not None:
        scene.tell("options.always")


def _example(scene: Scene, intent: str) -> str:
    """Return a sentence that can be said for *intent*, about somebody and something at this table."""
    room, script = scene.room, scene.stage.script
    psychics = [psychic.colour for psychic in room.psychics] if room else [Psychic.RED, Psychic.BLUE]
    card = min(_cards_to_name(room), default=7) if room else 7
    group = room.groups[0].group if room and room.groups else 2
    return script.example(
        intent,
        scene.edition,
        psychic=psychics[0],
        other=psychics[-1],
        psychics=tuple(reversed(psychics)),
        card=card,
        number=group,
    )


def _cards_to_name(room: RoomView) -> frozenset[int]:
    """Return the cards of the kinds still searched, or of the groups once all is found."""
    if room.groups:
        return frozenset(card for group in room.groups for card in group.cards)
    kinds = {psychic.searching for psychic in room.psychics} & set(Category)
    return frozenset(card for kind in kinds for card in room.table.of(Category(kind)))


@tell_reply.register
def _tell_on_table(reply: r.OnTable, scene: Scene) -> None:
    for kind in Category:
        cards = reply.table.of(kind)
        if cards:
            scene.say("on_table.row", category=kind, cards=cards)
        else:
            scene.say("on_table.empty", category=kind)


@tell_reply.register
def _tell_crows_left(reply: r.CrowsLeft, scene: Scene) -> None:
    scene.say(f"crows_left.{'some' if reply.crows else 'none'}", crows=reply.crows)


@tell_reply.register
def _tell_progress(reply: r.Progress, scene: Scene) -> None:
    for psychic in reply.psychics:
        found = len(psychic.found)
        if psychic.searching == "done":
            scene.say("progress.done", psychic=psychic.colour)
            continue
        kind = Category(psychic.searching)
        scene.say(f"progress.{'some' if found else 'none'}", psychic=psychic.colour, found=found, category=kind)
