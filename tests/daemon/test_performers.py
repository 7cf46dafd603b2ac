"""Cues made perceptible, with a mouth and limbs that note what they are asked for; events are awaited, not time."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from seance.daemon.performers import Performance
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
class Mouth:
    """Notes what it says; a line that begins with "long" lasts until it is hushed or let go."""

    done: list[str]
    speaking: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)
    prepared: list[str] = field(default_factory=list)

    def say(self, text: str) -> None:
        if text.startswith("long"):
            self.speaking.set()
            assert self.over.wait(SOON)
            self.over.clear()
        if text.startswith("broken"):
            raise OSError("the voice is broken")
        self.done.append(text)

    def prepare(self, texts) -> None:
        self.prepared += texts

    def say_again(self) -> None:
        self.done.append("again")

    def hush(self) -> None:
        self.done.append("hush")
        if self.speaking.is_set():
            self.over.set()

    def ring(self, sound: str) -> None:
        self.done.append(f"ring {sound}")

    def surround(self, mood: str) -> None:
        self.done.append(f"mood {mood}")

    def louder(self, steps: int) -> None:
        self.done.append(f"louder {steps}")


@dataclass
class Limbs:
    """Notes what it shows and knocks."""

    done: list[str]
    knock_lasts: float = 0.0
    knocking: threading.Event = field(default_factory=threading.Event)

    def show_hour(self, hour: int, *, struck: bool) -> None:
        self.done.append(f"hour {hour}{' struck' if struck else ''}")

    def show_sand(self, left, of, *, running: bool) -> None:
        self.done.append(f"sand {left} of {of}{'' if running else ' standing'}")

    def show_psychics(self, lights: c.ShowPsychics) -> None:
        self.done.append(f"lights {len(lights.lights)}")

    def knock(self, says: KnockMeaning, count: int) -> float:
        self.done.append(f"knock {says} {count}")
        self.knocking.set()
        return self.knock_lasts


@dataclass
class Stage:
    """A performance and what it did."""

    performance: Performance
    mouth: Mouth
    limbs: Limbs
    done: list[str]
    told: list[c.Cue]

    def perform(self, *cues: c.Cue) -> list[str]:
        """Perform *cues* to their end, and return all that was done."""
        self.performance.perform(cues)
        assert self.performance.wait(SOON)
        return self.done


@pytest.fixture
def stage() -> Iterator[Stage]:
    done: list[str] = []
    told: list[c.Cue] = []
    mouth, limbs = Mouth(done), Limbs(done)
    with Performance(mouth, limbs, expect=told.append, enrol=told.append, told=told.append) as performance:
        yield Stage(performance, mouth, limbs, done, told)


def test_cues_are_performed_in_their_order(stage):
    cues = Say("red, card seven"), Pause(0.0), Knock(KnockMeaning.NO, 2), Pause(0.0), Say("no"), Knock(KnockMeaning.YES)
    assert stage.perform(*cues) == ["red, card seven", "knock no 2", "no", "knock yes 1"]


def test_every_kind_of_cue_reaches_its_performer(stage):
    assert stage.perform(
        c.ShowHour(3, struck=True),
        c.ShowSand(90, 120, running=False),
        c.ShowPsychics({Psychic.RED: c.PsychicLight.CHOSEN}),
        SetAmbience(Mood.SAND),
        c.ChangeVolume(-1),
        RepeatLine(),
        Earcon(Sound.DONE),
    ) == ["hour 3 struck", "sand 90 of 120 standing", "lights 1", "mood sand", "louder -1", "again", "ring done"]


def test_an_earcon_sounds_at_once_though_a_line_is_being_said(stage):
    stage.performance.perform([Say("long story"), Say("more of it")])
    assert stage.mouth.speaking.wait(SOON)
    stage.performance.perform([c.ShowHour(2), Earcon(Sound.UNDERSTOOD), Say("red, card seven")])
    assert stage.done == ["ring understood"]
    stage.mouth.over.set()
    assert stage.performance.wait(SOON)
    assert stage.done == ["ring understood", "long story", "more of it", "hour 2", "red, card seven"]


def test_an_earcon_between_two_lines_keeps_its_place(stage):
    assert stage.perform(Say("one"), Earcon(Sound.DONE), Say("two")) == ["one", "ring done", "two"]


def test_a_mark_is_reached_when_all_before_it_was_heard(stage):
    mark = c.Mark("a night", 3)
    stage.performance.perform([Say("long story"), mark])
    assert stage.mouth.speaking.wait(SOON)
    assert stage.told == []
    stage.mouth.over.set()
    assert stage.performance.wait(SOON)
    assert stage.told == [mark]


def test_what_was_hushed_counts_as_told(stage):
    mark = c.Mark("a night", 3)
    stage.performance.perform([Say("long story"), Say("more of it"), mark])
    assert stage.mouth.speaking.wait(SOON)
    stage.perform(StopSpeaking())
    assert stage.told == [mark]


def test_the_ear_is_told_to_enrol(stage):
    stage.perform(c.Enrol(Psychic.RED))
    assert stage.told == [c.Enrol(Psychic.RED)]


def test_a_whisper_is_shown_and_never_said():
    done, shown = [], []
    with Performance(Mouth(done), Limbs(done), show=shown.append) as performance:
        performance.perform([c.Whisper("you may not")])
        assert performance.wait(SOON)
    assert shown == [c.Whisper("you may not")]
    assert "you may not" not in done


def test_lines_that_wait_are_made_ready(stage):
    stage.perform(Say("one"), Knock(KnockMeaning.YES), Say("two"))
    assert stage.mouth.prepared == ["one", "two"]


def test_the_ear_is_told_what_may_be_said_though_a_line_is_being_said(stage):
    expect = c.Expect(ExpectedIntents(intents=frozenset(["yes"])))
    stage.performance.perform([Say("long story"), expect])
    assert stage.mouth.speaking.wait(SOON)
    assert stage.told == [expect]


def test_an_urgent_line_takes_the_place_of_words_but_not_of_knocks_and_lights(stage):
    stage.performance.perform([Say("long story")])
    assert stage.mouth.speaking.wait(SOON)
    stage.performance.perform([Say("later"), Pause(60.0), Knock(KnockMeaning.YES), RepeatLine(), c.ShowHour(2)])
    done = stage.perform(Earcon(Sound.TIME), Say("time is over", urgent=True))
    assert done == ["ring time", "hush", "long story", "knock yes 1", "hour 2", "time is over"]


def test_a_hush_silences_at_once_and_nothing_that_waited_is_said(stage):
    stage.performance.perform([Say("long story"), Say("more of it"), Knock(KnockMeaning.NO, 2)])
    assert stage.mouth.speaking.wait(SOON)
    assert stage.perform(StopSpeaking()) == ["hush", "long story", "knock no 2"]


def test_a_hush_ends_a_pause(stage):
    stage.performance.perform([Say("before"), Pause(600.0), Earcon(Sound.DONE)])
    stage.performance.perform([StopSpeaking()])
    assert stage.performance.wait(SOON)
    assert stage.done[-1] == "ring done"


def test_what_is_said_after_a_hush_is_heard(stage):
    assert stage.perform(StopSpeaking(), Say("yes")) == ["hush", "yes"]


def test_a_line_that_fills_silence_is_dropped_when_something_waits(stage):
    stage.performance.perform([Say("long story"), Say("the rain again", idle=True), Say("red has a vision")])
    assert stage.mouth.speaking.wait(SOON)
    stage.mouth.over.set()
    assert stage.performance.wait(SOON)
    assert stage.done == ["long story", "red has a vision"]


def test_a_line_that_fills_silence_is_said_when_nothing_waits(stage):
    assert stage.perform(Say("the rain again", idle=True)) == ["the rain again"]


def test_it_is_busy_until_the_last_cue_is_performed(stage):
    assert not stage.performance.is_busy
    stage.performance.perform([Say("long story")])
    assert stage.mouth.speaking.wait(SOON)
    assert stage.performance.is_busy
    stage.mouth.over.set()
    assert stage.performance.wait(SOON)
    assert not stage.performance.is_busy


def test_waiting_gives_up_after_its_time(stage):
    stage.performance.perform([Say("long story")])
    assert stage.mouth.speaking.wait(SOON)
    assert not stage.performance.wait(0.0)


def test_closing_ends_a_line_and_drops_the_rest(stage):
    stage.performance.perform([Say("long story"), Knock(KnockMeaning.YES), Say("never")])
    assert stage.mouth.speaking.wait(SOON)
    stage.performance.close()
    assert stage.done == ["hush", "long story"]


@pytest.mark.timeout(30)
def test_closing_waits_for_no_knock(stage):
    stage.limbs.knock_lasts = 600.0
    stage.performance.perform([Knock(KnockMeaning.HOUR, 7)])
    assert stage.limbs.knocking.wait(SOON)
    stage.performance.close()
    assert not stage.performance.is_busy


def test_closing_twice_is_closing_once(stage):
    stage.performance.close()
    stage.performance.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_what_a_performer_raises_is_raised_where_cues_are_given(stage):
    stage.performance.perform([Say("broken"), Say("never")])
    assert stage.performance.wait(SOON)
    with pytest.raises(OSError, match="the voice is broken"):
        stage.performance.perform([Say("anything")])
