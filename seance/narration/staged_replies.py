"""Cues for replies, except those to the room's questions about the night."""

from collections.abc import Mapping
from functools import singledispatch

from seance.dialogue import replies as r
from seance.dialogue import seat_replies as sr
from seance.dialogue.opening import Opening, chosen_opening
from seance.dialogue.questions import Doubt, DrawnRow, Question
from seance.narration import cues as c
from seance.narration.cue_builder import MOODS, CueBuilder, psychic_lights
from seance.narration.cues import Earcon, Mood, Pause, PsychicLight, ShowHour, ShowPsychics, ShowSand, Sound
from seance.narration.inflection import LineValue
from seance.rules import Psychic

LIGHTS_TEST_S = 3.0


@singledispatch
def tell_reply(reply: r.Reply, _cues: CueBuilder) -> None:
    """Add to *cues* what the room perceives of *reply*."""
    raise TypeError(f"nothing says how {type(reply).__name__} is told")


# What is asked


@tell_reply.register
def _tell_ask(reply: r.Ask, cues: CueBuilder) -> None:
    cues.add(*_question_mark(cues))
    if reply.row is not None:
        _tell_row_asked(reply.row, cues, again=reply.again)
        return
    question, choices = reply.question, _choices(reply, cues)
    own = {Question.WHICH_CARD: reply.psychic is not None, Question.WHO_IS_ELDEST: bool(choices)}
    key = f"ask.{question}_of" if own.get(question) and not reply.again else f"ask.{question}"
    if question is Question.PSYCHICS and reply.psychic is not None and not reply.again:
        key = "ask.psychics_more"
    values: dict[str, LineValue] = {"choices": choices, "needed": reply.needed}
    if reply.psychic is not None:
        values["psychic"] = reply.psychic
    cues.say(key.replace("ask.", "ask_again.") if reply.again else key, **values)


def _tell_row_asked(row: DrawnRow, cues: CueBuilder, *, again: bool) -> None:
    """Ask for the rest of *row*."""
    cues.tell_of(row.edition)
    if row.cards:
        cues.say("ask.row_more", cards=row.cards, more=row.needed - len(row.cards))
    else:
        cues.say("ask_again.row" if again else "ask.row", category=row.kind, needed=row.needed)


def _choices(reply: r.Ask, cues: CueBuilder) -> tuple[LineValue, ...]:
    """Return what the choices of *reply* are called; where it has none, all levels or editions."""
    script, what = cues.style.script, {Question.LEVEL: "levels", Question.EDITION: "editions"}.get(reply.question)
    if what is not None:
        return tuple(script.called(what, choice) for choice in reply.choices or script.inflection.called[what])
    return tuple(Psychic(choice) if choice in set(Psychic) else choice for choice in reply.choices)


@tell_reply.register
def _tell_ask_back(reply: r.AskBack, cues: CueBuilder) -> None:
    cues.add(*_question_mark(cues))
    if reply.doubt in (Doubt.SEAT, Doubt.FREE_SEAT, Doubt.PSYCHIC_SEAT):
        holes: dict[str, LineValue] = {"mark": cues.style.script.called("marks", reply.mark)}
        if reply.psychic is not None:
            holes["psychic"] = reply.psychic
        cues.insist(f"ask_back.{reply.doubt}{'_by_digits' if reply.digits else ''}", **holes)
        if reply.digits:
            cues.insist_in_room("ask_back.seat_digits", first=int(reply.digits[0]), second=int(reply.digits[1]))
    elif reply.row is not None:
        cues.tell_of(reply.row.edition)
        cues.say("ask_back.row", category=reply.row.kind, cards=reply.row.cards)
    elif reply.again:
        cues.say("ask_back.again")
    elif reply.doubt is Doubt.ACCUSE and reply.card is not None:
        cues.say("ask_back.accuse_card", card=reply.card)
    elif reply.doubt is Doubt.ACCUSE and reply.group is not None:
        cues.say("ask_back.accuse_group", number=reply.group)
    elif reply.doubt is Doubt.VOTE and reply.psychic is not None and reply.group is not None:
        cues.say("ask_back.vote", psychic=reply.psychic, number=reply.group)
    elif reply.doubt is Doubt.CHANGE_VOTE and reply.instead_of is not None and reply.group is not None:
        cues.say("ask_back.change_vote", first=reply.instead_of, second=reply.group)
    elif reply.doubt in (Doubt.ELDEST, Doubt.CORRECT_ANSWER, Doubt.CHAIR) and reply.psychic is not None:
        cues.say(f"ask_back.{reply.doubt}", psychic=reply.psychic)
    else:
        said = cues.style.script.inflection.capitalise_psychics(reply.said)
        cues.say(f"ask_back.{reply.doubt}", said=said)


@tell_reply.register
def _tell_summary(reply: r.Summary, cues: CueBuilder) -> None:
    called = cues.style.script.called
    if reply.again:
        cues.say("ask_back.again")
        cues.add(*_question_mark(cues))
        return
    if reply.by_hand:
        cues.say("summary.by_hand")
    if reply.drawn:
        cues.say("summary.drawn")
    if reply.variant is not None:
        cues.say(f"summary.{reply.variant}")
    shared = cues.style.editions[reply.edition].shared_psychics(reply.psychics, reply.players)
    for psychics in shared:
        cues.say("summary.one_player", psychics=psychics)
    if len(shared) > 1:
        cues.say_if_full("summary.other_pairs")
    cues.say(
        f"summary.{_SUMMARIES.get(chosen_opening(reply.story), 'story')}",
        players=reply.players,
        edition=called("editions", reply.edition),
        level=called("levels", reply.level),
        psychics=reply.psychics,
    )
    cues.add(*_question_mark(cues))


_SUMMARIES: Mapping[Opening | None, str] = {Opening.SHORT: "short_story", Opening.SKIPPED: "no_story"}


def _question_mark(cues: CueBuilder) -> tuple[c.Cue, ...]:
    """Return the sound that stands for a question at the silent pace."""
    return (Earcon(Sound.HEARD),) if cues.is_silent else ()


@tell_reply.register
def _tell_left_alone(_reply: r.LeftAlone, cues: CueBuilder) -> None:
    cues.say("reply.left_alone")


@tell_reply.register
def _tell_wrong_players(reply: r.WrongPlayers, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.REFUSED))
    cues.say("refusal.wrong_number_of_players", players=reply.players, least=reply.least, most=reply.most)


@tell_reply.register
def _tell_usual_otherwise(_reply: r.UsualOtherwise, cues: CueBuilder) -> None:
    cues.say("reply.usual_otherwise")


@tell_reply.register
def _tell_dropped(_reply: r.Dropped, cues: CueBuilder) -> None:
    cues.say("reply.dropped")


# What was said and led to nothing


@tell_reply.register
def _tell_not_understood(_reply: r.NotUnderstood, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.REFUSED))
    cues.say("reply.not_understood")


@tell_reply.register
def _tell_nothing_to_undo(_reply: r.NothingToUndo, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.REFUSED))
    cues.say("reply.nothing_to_undo")


@tell_reply.register
def _tell_vote_is_silent(_reply: r.VoteIsSilent, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.REFUSED))
    cues.say("reply.vote_is_silent")


@tell_reply.register
def _tell_not_needed(_reply: r.NotNeeded, cues: CueBuilder) -> None:
    cues.say_if_full("reply.not_needed")


@tell_reply.register
def _tell_no_card_there(reply: r.NoCardThere, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.REFUSED))
    cues.say("reply.no_card_there", category=reply.kind, place=reply.place)


@tell_reply.register
def _tell_no_night_yet(_reply: r.NoNightYet, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.REFUSED))
    cues.say("reply.no_night_yet")


# Before the night


@tell_reply.register
def _tell_welcome(_reply: r.Welcome, cues: CueBuilder) -> None:
    cues.add(ShowHour(0), ShowSand(None))
    cues.set_mood(Mood.ARRIVAL)
    cues.say("reply.welcome")


@tell_reply.register
def _tell_enrolled(reply: r.Enrolled, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.UNDERSTOOD))
    if reply.more:
        cues.say("enrolled.more", psychic=reply.psychic, more=reply.more)
    else:
        cues.say("enrolled.known", psychic=reply.psychic)


@tell_reply.register
def _tell_seat_freed(_reply: sr.SeatFreed, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.DONE))
    cues.say("reply.seat_freed")


@tell_reply.register
def _tell_seat_taken(_reply: sr.SeatTaken, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.DONE))
    cues.insist("reply.seat_taken")


@tell_reply.register
def _tell_seat_refused(reply: sr.SeatRefused, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.REFUSED))
    cues.say("reply.seat_refused" if reply.answered else "reply.seat_unanswered")


@tell_reply.register
def _tell_seat_kept(_reply: sr.SeatKept, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.REFUSED))
    cues.say("reply.seat_kept")


@tell_reply.register
def _tell_psychic_seated(reply: sr.PsychicSeated, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.DONE))
    cues.say("reply.psychic_seated", psychics=reply.psychics)


@tell_reply.register
def _tell_psychic_left(reply: sr.PsychicLeft, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.DONE))
    cues.say("reply.psychic_left", psychics=reply.psychics)


@tell_reply.register
def _tell_psychic_seat_refused(reply: sr.PsychicSeatRefused, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.REFUSED))
    cues.say("reply.psychic_seat_refused" if reply.answered else "reply.psychic_seat_unanswered")


@tell_reply.register
def _tell_seat_tried(_reply: sr.SeatTried, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.REFUSED))
    cues.insist("reply.seat_tried")


@tell_reply.register
def _tell_say_aloud(_reply: sr.SayAloud, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.REFUSED))
    cues.insist("reply.say_aloud")


@tell_reply.register
def _tell_digits_needed(_reply: sr.DigitsNeeded, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.REFUSED))
    cues.insist("reply.digits_needed")


@tell_reply.register
def _tell_another_phone(_reply: sr.AnotherPhone, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.REFUSED))
    cues.insist("reply.another_phone")


@tell_reply.register
def _tell_ghost_away(_reply: sr.GhostAway, cues: CueBuilder) -> None:
    cues.say("reply.ghost_away")


@tell_reply.register
def _tell_speaker_test(_reply: r.SpeakerTest, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.HEARD))
    cues.insist("reply.speaker_test")


@tell_reply.register
def _tell_lights_test(_reply: r.LightsTest, cues: CueBuilder) -> None:
    room = cues.room
    shown = psychic_lights(room) if room else dict.fromkeys(Psychic, PsychicLight.OFF)
    every_hour = max(edition.turns for edition in cues.style.editions.values())
    cues.add(ShowHour(every_hour), ShowPsychics(dict.fromkeys(Psychic, PsychicLight.CHOSEN)), Pause(LIGHTS_TEST_S))
    cues.add(ShowHour(room.hour if room and room.outcome is None else 0), ShowPsychics(shown))


@tell_reply.register
def _tell_host_code(reply: r.HostCode, cues: CueBuilder) -> None:
    cues.insist_in_room("reply.host_code", code=", ".join(_spelled(cues, digit) for digit in reply.code))


@tell_reply.register
def _tell_page_at(reply: r.PageAt, cues: CueBuilder) -> None:
    if reply.address is None:
        cues.say("reply.no_page")
        return
    written = f"http://{reply.address}/"
    host, _, port = reply.address.partition(":")
    name = host.removesuffix(".local")
    if name != host:
        cues.say_and_write("reply.page_by_name", written, name=name, port=_spelled(cues, port))
    else:
        number = ", ".join(_spelled(cues, part) for part in host.split("."))
        cues.say_and_write("reply.page_by_number", written, name=number, port=_spelled(cues, port))


def _spelled(cues: CueBuilder, digits: str) -> str:
    return " ".join(cues.style.script.inflection.numbers[int(digit)] for digit in digits)


# The house itself


@tell_reply.register
def _tell_paused(reply: r.Paused, cues: CueBuilder) -> None:
    cues.add(c.StopSpeaking(), Earcon(Sound.DONE), *_sand(cues, reply.seconds, running=False))
    cues.say(f"paused.{'already' if reply.already else 'now'}")


@tell_reply.register
def _tell_resumed(reply: r.Resumed, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.DONE), *_sand(cues, reply.seconds, running=True))
    cues.say(f"resumed.{'already' if reply.already else 'now'}")
    cues.add(c.TellUntold())


@tell_reply.register
def _tell_volume(reply: r.Volume, cues: CueBuilder) -> None:
    if not reply.limit:
        cues.add(c.ChangeVolume(1 if reply.louder else -1))
        cues.say(f"volume.{'louder' if reply.louder else 'quieter'}")
    else:
        cues.say(f"volume.{'loudest' if reply.louder else 'quietest'}")


@tell_reply.register
def _tell_hush(_reply: r.Hush, cues: CueBuilder) -> None:
    cues.add(c.StopSpeaking())


@tell_reply.register
def _tell_skip_story(_reply: r.SkipStory, cues: CueBuilder) -> None:
    cues.add(c.StopStory())


@tell_reply.register
def _tell_say_again(_reply: r.SayAgain, cues: CueBuilder) -> None:
    cues.add(c.RepeatLine())


@tell_reply.register
def _tell_asleep(_reply: r.Asleep, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.DONE))
    cues.say("reply.asleep")


@tell_reply.register
def _tell_awake(_reply: r.Awake, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.UNDERSTOOD))
    cues.say("reply.awake")


@tell_reply.register
def _tell_interrupted(reply: r.Interrupted, cues: CueBuilder) -> None:
    cues.add(ShowHour(reply.hour), *_sand(cues, reply.seconds, running=True))
    if cues.room is not None:
        cues.show_lights(psychic_lights(cues.room))
    cues.set_mood(MOODS[reply.phase])
    if reply.seconds is None:
        cues.say("interrupted.plain", hour=reply.hour)
    else:
        cues.say("interrupted.sand", hour=reply.hour, seconds=reply.seconds)
    if reply.unfinished:
        cues.say("interrupted.unfinished")


@tell_reply.register
def _tell_trouble(reply: r.Trouble, cues: CueBuilder) -> None:
    cues.say(f"trouble.{reply.fault}")


def _sand(cues: CueBuilder, seconds: int | None, *, running: bool) -> tuple[ShowSand, ...]:
    """Return the sand with *seconds* left; nothing where that is None."""
    whole = cues.style.editions[cues.edition].sand_seconds if cues.edition else None
    return () if seconds is None else (ShowSand(seconds, whole or seconds, running),)
