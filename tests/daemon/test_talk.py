"""What is said at the table and typed, and what the house answers."""

from random import Random

import pytest

from seance.daemon.host_controls import MAX_VOLUME_STEPS
from seance.daemon.signals import MIN_COMMAND_CONFIDENCE, FaultReport, Heard, Stop, Typing
from seance.dialogue.faults import Fault
from seance.narration.cues import ChangeVolume, Earcon, Enrol, RepeatLine, ShowPsychics, ShowTable, Sound, StopSpeaking
from seance.rules import Begin, Category, Phase, Reason
from seance.rules.bots import Company
from tests.daemon.conftest import SEATED, choice
from tests.daemon.evenings import Table, begun, keys, lines, night, of, play, sentences, whispers
from tests.nights import BLACK, BLUE, RED, WHITE


def hear(table: Table, words: str, *, confidence: float = 1.0, speaker=None):
    """Let *words* be heard with *confidence*."""
    intent = sentences(table.language).match(words)
    return table.give(Heard(words, intent, confidence, speaker))


def test_an_evening_opens_with_a_welcome(opened):
    assert keys(opened.cues) == ["reply.welcome"]
    assert opened.would_hear("begin the séance")


def test_a_whole_set_up_in_one_breath_is_summed_up_and_begins_with_yes(opened):
    opened.say("begin the séance")
    cues = opened.say("we are four, easy, the usual rules, red blue and white are playing, skip the story")
    assert "summary.no_story" in keys(cues)
    opened.say("yes")
    assert opened.state.setup.psychics == SEATED


def test_a_set_up_that_nobody_finishes_takes_the_defaults_and_waits_for_yes(opened):
    opened.say("begin the séance")
    opened.wait(300)
    assert opened.evening.state is None
    assert any(key.startswith("summary") for key in keys(opened.cues))


def test_no_question_is_answered_by_default_while_somebody_types(opened):
    opened.say("begin the séance")
    opened.give(Typing(True))
    opened.wait(50)
    assert not any(key.startswith("summary") for key in keys(opened.cues))
    opened.give(Typing(False))
    opened.wait(300)
    assert any(key.startswith("summary") for key in keys(opened.cues))


def test_a_choice_is_answered_by_a_sound_a_light_and_an_echo(interpreting):
    cues = interpreting.say(f"red chooses card {choice(interpreting, RED).card}")
    assert [type(cue) for cue in cues[:3]] == [ShowTable, Earcon, ShowPsychics]
    assert keys(cues) == ["event.intuition_placed"]
    assert interpreting.state.search(RED).intuition == choice(interpreting, RED).card


def test_what_was_said_last_is_undone(interpreting):
    interpreting.say(f"red chooses card {choice(interpreting, RED).card}")
    interpreting.say("undo that")
    assert interpreting.state.search(RED).intuition is None


def test_i_is_whose_voice_it_was(interpreting):
    hear(interpreting, f"i choose card {choice(interpreting, BLUE).card}", speaker=BLUE)
    assert interpreting.state.search(BLUE).intuition is not None


def test_i_is_asked_for_where_the_voice_is_unknown_and_the_answer_does_it(interpreting):
    card = choice(interpreting, WHITE).card
    assert keys(hear(interpreting, f"i choose card {card}")) == ["ask.who_speaks"]
    assert interpreting.would_hear("white")
    interpreting.say("white")
    assert interpreting.state.search(WHITE).intuition == card


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("who has not chosen", "missing.choice.many"),
        ("how much time is left", "time_left.running"),
        ("what hour is it", "hour_is.interpretation"),
        ("how many crows are left", "crows_left.some"),
        ("where are we", "progress.none"),
        ("what is on the table", "on_table.row"),
        ("what can we do now", "options.interpretation"),
    ],
)
def test_a_question_is_answered_and_changes_nothing(interpreting, question, answer):
    before = interpreting.state
    assert answer in keys(interpreting.say(question))
    assert interpreting.state == before


def test_who_has_not_chosen_names_only_those(interpreting):
    interpreting.say(f"red chooses card {choice(interpreting, RED).card}")
    (line,) = lines(interpreting.say("who has not chosen"))
    assert "blue" in line.lower()
    assert "white" in line.lower()
    assert "red" not in line.lower().replace(",", " ").replace(".", " ").split()


@pytest.mark.parametrize("question", ["what can we do now", "where are we", "who has not chosen"])
def test_before_a_night_every_question_has_an_answer(opened, question):
    assert lines(opened.say(question))


# What was not understood


def test_typed_words_that_mean_nothing_are_asked_for_again_twice_and_then_left(interpreting):
    said = [keys(interpreting.say("the kitchen, surely")) for _ in range(4)]
    assert said == [["reply.not_understood"], ["reply.not_understood"], ["reply.left_alone"], []]


@pytest.mark.parametrize("words", ["", "   ", "\t"])
def test_an_empty_line_is_nothing(interpreting, words):
    assert interpreting.say(words) == []


@pytest.mark.parametrize(
    "words", ["i choose card seven \udcff", "ghost vision red " + "9" * 5000, "\ud800", "card " * 9999]
)
def test_what_a_keyboard_should_never_send_is_answered_like_anything_else(interpreting, words):
    before = interpreting.state
    cues = interpreting.say(words)
    assert lines(cues) or whispers(cues)
    assert interpreting.state == before


def test_L16_psychics_talk_freely_and_are_not_answered(interpreting):
    assert interpreting.give(Heard("i would choose the kitchen", None, 0.9)) == []


def test_what_was_hardly_heard_is_asked_back_and_yes_does_it(interpreting):
    card = choice(interpreting, RED).card
    assert keys(hear(interpreting, f"red chooses card {card}", confidence=0.5)) == ["ask_back.misheard"]
    assert interpreting.state.search(RED).intuition is None
    assert interpreting.would_hear("yes")
    hear(interpreting, "yes")
    assert interpreting.state.search(RED).intuition == card


def test_what_was_hardly_heard_is_dropped_by_no(interpreting):
    before = interpreting.state
    hear(interpreting, f"red chooses card {choice(interpreting, RED).card}", confidence=0.5)
    assert keys(hear(interpreting, "no")) == ["reply.dropped"]
    hear(interpreting, "yes")
    assert interpreting.state == before


def test_what_was_heard_just_surely_enough_is_done(interpreting):
    hear(interpreting, f"red chooses card {choice(interpreting, RED).card}", confidence=MIN_COMMAND_CONFIDENCE)
    assert interpreting.state.search(RED).intuition is not None


def test_a_card_that_does_not_lie_there_is_refused_and_asked_for(interpreting):
    elsewhere = next(card for card in range(1, 19) if card not in interpreting.state.table.character)
    cues = interpreting.say(f"red chooses card {elsewhere}")
    assert of(cues, Earcon) == [Earcon(Sound.REFUSED)]
    assert keys(cues)[0] == "refusal.card_not_on_table"
    card = choice(interpreting, RED).card
    assert interpreting.would_hear(str(card)) or interpreting.would_hear(f"card {card}")
    interpreting.say(f"card {card}")
    assert interpreting.state.search(RED).intuition == card


# The house itself


@pytest.mark.parametrize(("word", "step"), [("louder", 1), ("quieter", -1)])
def test_the_voice_can_be_turned_only_so_far(interpreting, word, step):
    turned = [cue for _ in range(MAX_VOLUME_STEPS + 3) for cue in of(interpreting.say(word), ChangeVolume)]
    assert turned == [ChangeVolume(step)] * MAX_VOLUME_STEPS
    assert keys(interpreting.say(word)) == ["volume.loudest" if step > 0 else "volume.quietest"]


def test_at_the_limit_one_step_back_is_heard_at_once(interpreting):
    for _ in range(MAX_VOLUME_STEPS + 3):
        interpreting.say("louder")
    assert of(interpreting.say("quieter"), ChangeVolume) == [ChangeVolume(-1)]


def test_be_quiet_and_repeat_that_go_to_the_voice(interpreting):
    assert of(interpreting.say("be quiet"), StopSpeaking)
    assert of(interpreting.say("repeat that"), RepeatLine)


def test_a_house_that_does_not_listen_hears_only_that_it_shall(interpreting):
    before = interpreting.state
    interpreting.say("stop listening")
    assert interpreting.expect.asleep
    assert interpreting.say(f"red chooses card {choice(interpreting, RED).card}") == []
    assert interpreting.state == before
    assert interpreting.would_hear("wake up")
    interpreting.say("wake up")
    assert interpreting.would_hear("pause")


def test_a_voice_is_enrolled(interpreting):
    assert of(interpreting.say("i am red"), Enrol) == [Enrol(RED)]


def test_what_does_not_work_is_said_in_a_line(interpreting):
    assert keys(interpreting.give(FaultReport(Fault.MICROPHONE_GONE))) == ["trouble.microphone_gone"]


# Nights, one after the other


def test_a_night_is_abandoned_by_voice_after_a_yes(interpreting):
    assert keys(interpreting.say("end the séance")) == ["ask_back.end"]
    assert interpreting.state.outcome is None
    interpreting.say("yes")
    assert interpreting.state.outcome.reason is Reason.ABANDONED
    assert interpreting.evening.sand is None


def test_a_night_is_not_abandoned_by_a_no(interpreting):
    interpreting.say("end the séance")
    interpreting.say("no")
    assert interpreting.state.outcome is None


def test_a_night_can_be_abandoned_in_a_pause(interpreting):
    interpreting.say("pause")
    interpreting.say("end the séance")
    interpreting.say("yes")
    assert interpreting.state.outcome.reason is Reason.ABANDONED


def test_a_second_night_is_played_in_the_same_evening(opened):
    for seed in (1, 2):
        play(opened, night("libellud", 4, seed), Company(Random(seed)), Random(seed))
    begins = [command for command, _ in opened.journal.entries if isinstance(command, Begin)]
    assert len(begins) == 2
    assert begins[0].seed != begins[1].seed


def test_a_new_night_in_the_middle_of_one_is_begun_after_a_yes(interpreting):
    assert keys(interpreting.say("begin the séance")) == ["ask_back.begin_anew"]
    interpreting.say("yes")
    assert interpreting.state.outcome.reason is Reason.ABANDONED
    interpreting.say("we are four, easy, the usual rules, red blue and black are playing, skip the story")
    interpreting.say("yes")
    assert (interpreting.state.phase, interpreting.state.setup.psychics) == (Phase.VISIONS, (RED, BLUE, BLACK))


def test_a_new_night_prefers_cards_that_were_not_seen_lately(opened):
    seen = set()
    for _ in range(2):
        begun(opened, *SEATED)
        laid = {card for kind in Category for card in opened.state.table.of(kind)}
        alike, seen = laid & seen, seen | laid
        opened.say("end the séance")
        opened.say("yes")
    assert len(alike) <= 1, "by chance alone it would be four of fifteen"


def test_stopping_ends_no_night(interpreting):
    interpreting.give(Stop())
    assert interpreting.journal.unfinished().state == interpreting.state
