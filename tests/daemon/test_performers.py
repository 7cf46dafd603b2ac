"""The performer, with a voice and a body that note what they are asked for; events are awaited, not time."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from seance.daemon.performers import READING_CHARS_PER_S, CuePerformer
from seance.dialogue.expected_intents import ExpectedIntents
from seance.narration import cues as c
from seance.narration.cues import (
    Earcon,
    Knock,
    KnockMeaning,
    Mood,
    Pause,
    RepeatLine,
    Say,
    SetAmbience,
    Sound,
    StopSpeaking,
)
from seance.rules import Psychic

SOON = 10.0
"""Seconds after which a test has failed."""


@dataclass
class FakeVoice:
    """Notes what it says; a line that begins with "long" lasts until it is hushed or let go."""

    done: list[str]
    is_heard: bool = True
    speaking: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)
    prepared: list[str] = field(default_factory=list)
    voices: list[str] = field(default_factory=list)

    def say(self, text: str, who: str = "narrator") -> bool:
        self.voices.append(who)
        if text.startswith("long"):
            self.speaking.set()
            assert self.over.wait(SOON)
            self.over.clear()
        if text.startswith("broken"):
            raise OSError("the voice is broken")
        self.done.append(text)
        return self.is_heard

    def prepare(self, texts, _who: str = "narrator") -> None:
        self.prepared += texts

    def say_again(self) -> None:
        self.done.append("again")

    def hush(self) -> None:
        self.done.append("hush")
        if self.speaking.is_set():
            self.over.set()

    def play_earcon(self, name: str) -> None:
        self.done.append(f"ring {name}")

    def set_ambience(self, mood: str) -> None:
        self.done.append(f"mood {mood}")

    def change_volume(self, steps: int) -> None:
        self.done.append(f"louder {steps}")


@dataclass
class FakeBody:
    """Notes what it shows and knocks."""

    done: list[str]
    knock_lasts: float = 0.0
    knocking: threading.Event = field(default_factory=threading.Event)

    def show_hour(self, hour: int, *, struck: bool) -> None:
        self.done.append(f"hour {hour}{' struck' if struck else ''}")

    def show_sand(self, left_s, turn_s, *, running: bool) -> None:
        self.done.append(f"sand {left_s} of {turn_s}{'' if running else ' standing'}")

    def show_psychics(self, lights: c.ShowPsychics) -> None:
        self.done.append(f"lights {len(lights.lights)}")

    def knock(self, says: KnockMeaning, count: int) -> float:
        self.done.append(f"knock {says} {count}")
        self.knocking.set()
        return self.knock_lasts


@dataclass
class Rig:
    """A performer and what it did."""

    performer: CuePerformer
    voice: FakeVoice
    body: FakeBody
    done: list[str]
    told: list[c.Cue]

    def perform(self, *cues: c.Cue) -> list[str]:
        """Perform *cues* to their end, and return all that was done."""
        self.performer.perform(cues)
        assert self.performer.wait(SOON)
        return self.done


@pytest.fixture
def rig() -> Iterator[Rig]:
    done: list[str] = []
    told: list[c.Cue] = []
    voice, body = FakeVoice(done), FakeBody(done)
    with CuePerformer(voice, body, expect=told.append, enrol=told.append, on_mark=told.append) as performer:
        yield Rig(performer, voice, body, done, told)


def test_cues_are_performed_in_their_order(rig):
    cues = Say("red, card seven"), Pause(0.0), Knock(KnockMeaning.NO, 2), Pause(0.0), Say("no"), Knock(KnockMeaning.YES)
    assert rig.perform(*cues) == ["red, card seven", "knock no 2", "no", "knock yes 1"]


def test_a_slow_line_is_spoken_piece_by_piece_and_again_as_a_whole(rig):
    row = Say("Characters: three, six, seven.", gap_s=0.01)
    assert rig.perform(row, RepeatLine()) == ["Characters:", "three,", "six,", "seven."] * 2
    assert rig.voice.prepared == ["Characters:", "three,", "six,", "seven."]


@pytest.mark.parametrize(
    ("is_heard", "reading_speed", "waits"), [(False, 2.0, True), (False, 0.0, False), (True, 2.0, False)]
)
def test_a_line_without_sound_stays_as_long_as_reading_takes(is_heard, reading_speed, waits):
    voice, rests = FakeVoice([], is_heard), []
    with CuePerformer(voice, FakeBody([]), reading_speed=reading_speed) as performer:
        performer._rest = rests.append
        performer.perform([Say("The clock strikes one, and the ghost begins.")])
        assert performer.wait(SOON)
    assert rests == ([len("The clock strikes one, and the ghost begins.") / READING_CHARS_PER_S / 2] if waits else [])


def test_a_line_that_is_read_ends_when_it_is_hushed():
    done: list[str] = []
    with CuePerformer(FakeVoice(done, is_heard=False), FakeBody(done), reading_speed=0.001) as performer:
        performer.perform([Say("a line for hours")])
        while not done:
            assert not performer.wait(0.01)
        performer.perform([StopSpeaking()])
        assert performer.wait(SOON)


def test_a_slow_line_ends_when_it_is_hushed(rig):
    rig.performer.perform([Say("long row: six, seven.", gap_s=60.0)])
    assert rig.voice.speaking.wait(SOON)
    assert rig.perform(StopSpeaking()) == ["hush", "long row:"]


def test_every_kind_of_cue_reaches_its_performer(rig):
    assert rig.perform(
        c.ShowHour(3, struck=True),
        c.ShowSand(90, 120, running=False),
        c.ShowPsychics({Psychic.RED: c.PsychicLight.CHOSEN}),
        SetAmbience(Mood.SAND),
        c.ChangeVolume(-1),
        RepeatLine(),
        Earcon(Sound.DONE),
    ) == ["hour 3 struck", "sand 90 of 120 standing", "lights 1", "mood sand", "louder -1", "again", "ring done"]


def test_an_earcon_sounds_at_once_though_a_line_is_being_said(rig):
    rig.performer.perform([Say("long story"), Say("more of it")])
    assert rig.voice.speaking.wait(SOON)
    rig.performer.perform([c.ShowHour(2), Earcon(Sound.UNDERSTOOD), Say("red, card seven")])
    assert rig.done == ["ring understood"]
    rig.voice.over.set()
    assert rig.performer.wait(SOON)
    assert rig.done == ["ring understood", "long story", "more of it", "hour 2", "red, card seven"]


def test_an_earcon_between_two_lines_keeps_its_place(rig):
    assert rig.perform(Say("one"), Earcon(Sound.DONE), Say("two")) == ["one", "ring done", "two"]


def test_a_mark_is_reached_when_all_before_it_was_heard(rig):
    mark = c.Mark("a night", 3)
    rig.performer.perform([Say("long story"), mark])
    assert rig.voice.speaking.wait(SOON)
    assert rig.told == []
    rig.voice.over.set()
    assert rig.performer.wait(SOON)
    assert rig.told == [mark]


def test_what_was_hushed_counts_as_told(rig):
    mark = c.Mark("a night", 3)
    rig.performer.perform([Say("long story"), Say("more of it"), mark])
    assert rig.voice.speaking.wait(SOON)
    rig.perform(StopSpeaking())
    assert rig.told == [mark]


def test_the_ear_is_told_to_enrol(rig):
    rig.perform(c.Enrol(Psychic.RED))
    assert rig.told == [c.Enrol(Psychic.RED)]


def test_a_whisper_is_shown_and_never_said():
    done, shown = [], []
    with CuePerformer(FakeVoice(done), FakeBody(done), show=shown.append) as performer:
        performer.perform([c.Whisper("you may not")])
        assert performer.wait(SOON)
    assert shown == [c.Whisper("you may not")]
    assert "you may not" not in done


def test_lines_that_wait_are_made_ready(rig):
    rig.perform(Say("one"), Knock(KnockMeaning.YES), Say("two"))
    assert rig.voice.prepared == ["one", "two"]


def test_the_ear_is_told_what_may_be_said_though_a_line_is_being_said(rig):
    expect = c.Expect(ExpectedIntents(intents=frozenset(["yes"])))
    rig.performer.perform([Say("long story"), expect])
    assert rig.voice.speaking.wait(SOON)
    assert rig.told == [expect]


def test_an_urgent_line_takes_the_place_of_words_but_not_of_knocks_and_lights(rig):
    rig.performer.perform([Say("long story")])
    assert rig.voice.speaking.wait(SOON)
    rig.performer.perform([Say("later"), Pause(60.0), Knock(KnockMeaning.YES), RepeatLine(), c.ShowHour(2)])
    done = rig.perform(Earcon(Sound.TIME), Say("time is over", urgent=True))
    assert done == ["ring time", "hush", "long story", "knock yes 1", "hour 2", "time is over"]


def test_a_hush_silences_at_once_and_nothing_that_waited_is_said(rig):
    rig.performer.perform([Say("long story"), Say("more of it"), Knock(KnockMeaning.NO, 2)])
    assert rig.voice.speaking.wait(SOON)
    assert rig.perform(StopSpeaking()) == ["hush", "long story", "knock no 2"]


def test_a_skip_drops_the_story_and_nothing_else(rig):
    story = [Say("long letter", story=True), Pause(60.0, story=True), Say("a cutting", story=True)]
    rig.performer.perform([*story, Say("lay out seven cards"), Say("it is about to strike", story=True)])
    assert rig.voice.speaking.wait(SOON)
    rig.performer.perform([Knock(KnockMeaning.HOUR, 1), Say("one o'clock")])
    done = rig.perform(c.StopStory())
    assert done == ["hush", "long letter", "lay out seven cards", "knock hour 1", "one o'clock"]


def test_a_skip_leaves_what_is_being_said_if_that_is_no_story(rig):
    rig.performer.perform([Say("long row of cards"), Say("a letter", story=True)])
    assert rig.voice.speaking.wait(SOON)
    rig.performer.perform([c.StopStory()])
    rig.voice.over.set()
    assert rig.performer.wait(SOON)
    assert rig.done == ["long row of cards"]


def test_a_hush_ends_a_pause(rig):
    rig.performer.perform([Say("before"), Pause(600.0), Earcon(Sound.DONE)])
    rig.performer.perform([StopSpeaking()])
    assert rig.performer.wait(SOON)
    assert rig.done[-1] == "ring done"


def test_what_is_said_after_a_hush_is_heard(rig):
    assert rig.perform(StopSpeaking(), Say("yes")) == ["hush", "yes"]


def test_a_line_that_fills_silence_is_dropped_when_something_waits(rig):
    rig.performer.perform([Say("long story"), Say("the rain again", idle=True), Say("red has a vision")])
    assert rig.voice.speaking.wait(SOON)
    rig.voice.over.set()
    assert rig.performer.wait(SOON)
    assert rig.done == ["long story", "red has a vision"]


def test_a_line_that_fills_silence_is_said_when_nothing_waits(rig):
    assert rig.perform(Say("the rain again", idle=True)) == ["the rain again"]


def test_a_story_that_is_asked_for_is_told_whole_while_nothing_else_waits(rig):
    told = [Say("one", idle=True, story=True), Pause(0.0, story=True), Say("two", idle=True, story=True)]
    assert rig.perform(*told) == ["one", "two"]


def test_the_rest_of_a_story_that_is_asked_for_is_dropped_when_something_happens(rig):
    pause = Pause(0.0, story=True)
    rig.performer.perform([Say("long story", idle=True, story=True), pause, Say("two", idle=True, story=True), pause])
    assert rig.voice.speaking.wait(SOON)
    rig.performer.perform([Say("red has a vision")])
    rig.voice.over.set()
    assert rig.performer.wait(SOON)
    assert rig.done == ["long story", "red has a vision"]


def test_it_is_busy_until_the_last_cue_is_performed(rig):
    assert not rig.performer.is_busy
    rig.performer.perform([Say("long story")])
    assert rig.voice.speaking.wait(SOON)
    assert rig.performer.is_busy
    rig.voice.over.set()
    assert rig.performer.wait(SOON)
    assert not rig.performer.is_busy


def test_waiting_gives_up_after_its_time(rig):
    rig.performer.perform([Say("long story")])
    assert rig.voice.speaking.wait(SOON)
    assert not rig.performer.wait(0.0)


def test_closing_ends_a_line_and_drops_the_rest(rig):
    rig.performer.perform([Say("long story"), Knock(KnockMeaning.YES), Say("never")])
    assert rig.voice.speaking.wait(SOON)
    rig.performer.close()
    assert rig.done == ["hush", "long story"]


@pytest.mark.timeout(30)
def test_closing_waits_for_no_knock(rig):
    rig.body.knock_lasts = 600.0
    rig.performer.perform([Knock(KnockMeaning.HOUR, 7)])
    assert rig.body.knocking.wait(SOON)
    rig.performer.close()
    assert not rig.performer.is_busy


def test_closing_twice_is_closing_once(rig):
    rig.performer.close()
    rig.performer.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_what_a_performer_raises_is_raised_where_cues_are_given(rig):
    rig.performer.perform([Say("broken"), Say("never")])
    assert rig.performer.wait(SOON)
    with pytest.raises(OSError, match="the voice is broken"):
        rig.performer.perform([Say("anything")])


def test_a_line_is_said_in_the_voice_of_whoever_tells_it(rig):
    rig.perform(c.Say("dear friend", voice="conrad"), c.Say("he reads on"))
    assert rig.voice.voices == ["conrad", "narrator"]


def hushed(rig: Rig, *waiting: c.Cue) -> None:
    """Cut off a line that is being said, with *waiting* behind it."""
    rig.performer.perform([Say("long story"), *waiting])
    assert rig.voice.speaking.wait(SOON)
    rig.perform(StopSpeaking())
    rig.done.clear()
    rig.voice.speaking.clear()
    rig.voice.over.set()


def test_what_was_cut_off_can_be_told_after_all(rig):
    hushed(rig, Say("more of it"), Knock(KnockMeaning.NO, 2))
    assert rig.perform(c.TellUntold()) == ["long story", "more of it"]
    assert rig.perform(c.TellUntold()) == ["long story", "more of it"]


def test_whoever_asks_again_after_a_hush_hears_the_line_that_was_cut_off_and_the_rest(rig):
    hushed(rig, Say("more of it"))
    assert rig.perform(RepeatLine()) == ["long story", "more of it"]


def test_once_something_else_was_said_that_is_what_is_repeated(rig):
    hushed(rig, Say("more of it"))
    assert rig.perform(Say("we pause"), RepeatLine()) == ["we pause", "again"]


def test_what_is_cut_off_again_stays_untold(rig):
    hushed(rig, Say("more of it"), Say("the end"))
    rig.voice.over.clear()
    rig.performer.perform([c.TellUntold()])
    assert rig.voice.speaking.wait(SOON)
    rig.perform(StopSpeaking())
    rig.voice.over.set()
    assert rig.perform(c.TellUntold()) == ["hush", "long story", "long story", "more of it", "the end"]


def test_lines_that_were_cut_off_before_their_turn_are_shown_in_it_and_once():
    done, shown = [], []
    voice, knock, more = FakeVoice(done), Knock(KnockMeaning.YES), Say("more of it")
    with CuePerformer(voice, FakeBody(done), show=shown.append) as performer:
        performer.perform([Say("long story"), knock, more, Say("just to fill", idle=True)])
        assert voice.speaking.wait(SOON)
        performer.perform([StopSpeaking()])
        assert performer.wait(SOON)
        voice.over.set()
        performer.perform([c.TellUntold()])
        assert performer.wait(SOON)
    assert [cue for cue in shown if not isinstance(cue, c.TellUntold)] == [Say("long story"), knock, more]
    assert done[:-1] == ["hush", "long story", "knock yes 1", "long story", "more of it"]
