"""The narrator's voice, with the real espeak-ng; engines that fail are small classes."""

import logging
import shutil
import threading
from pathlib import Path

import numpy as np
import pytest
import soundfile

from seance.dialogue.grammar.sentences import Sentences
from seance.hearing.recogniser import Recogniser
from seance.models import store
from seance.programs.hear import build_grammar
from seance.speech import voice_settings
from seance.speech.cache import SpeechCache
from seance.speech.effects import Reverb
from seance.speech.engines import CannotSpeak, Espeak
from seance.speech.synthesis import Synthesizer

LINE = "The clock strikes, and something answers from the cellar."
COMMANDS = {
    "I choose card seven": ("place_intuition", {"card": 7}),
    "how much time is left": ("ask_time", {}),
    "red agrees with blue": ("bet", {"by": "red", "on": "blue", "agrees": True}),
    "we are five players": ("setup", {"players": 5}),
    "what hour is it": ("ask_hour", {}),
}


class Rattle:
    """An engine that writes what it is told to, one after the other, without saying a word."""

    rate = 150.0
    identity = "rattle"

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []
        self.may_go_on = threading.Event()
        self.may_go_on.set()

    def spoken_form(self, text):
        return text

    def render(self, text, wav):
        self.asked.append(text)
        assert self.may_go_on.wait(10)
        answer = self.answers.pop(0) if self.answers else sound(3.0)
        if isinstance(answer, Exception):
            raise answer
        if answer is not None:
            soundfile.write(wav, answer, 22_050)

    def close(self):
        self.may_go_on.set()


def sound(seconds, level=0.3):
    return np.random.default_rng(1).uniform(-level, level, round(seconds * 22_050)).astype(np.float32)


@pytest.fixture
def cache(tmp_path):
    return SpeechCache(tmp_path / "cache")


@pytest.fixture
def narrator(cache):
    """Return the voice of a language as it comes, on espeak-ng."""
    voices = []

    def narrator(language="en", **overrides):
        speech = voice_settings.configure_synthesis(
            voice_settings.load_voice_settings(language),
            overrides=voice_settings.VoiceOverrides(engine="espeak", **overrides),
        )
        voices.append(Synthesizer(speech.engine, cache, pitch=speech.pitch, reverb=speech.reverb))
        return voices[-1]

    yield narrator
    for voice in voices:
        voice.close()


@pytest.fixture
def rattling(cache):
    """Return a voice whose engine answers as it is told."""
    voices = []

    def rattling(*answers):
        engine = Rattle(*answers)
        voices.append(Synthesizer(engine, cache))
        return voices[-1], engine

    yield rattling
    for voice in voices:
        voice.close()


@pytest.fixture(scope="module")
def ear():
    ear = Recogniser(store.fetch("en"), build_grammar(Sentences.load("en")))
    yield ear
    ear.close()


@pytest.mark.parametrize(("language", "text"), [("en", LINE), ("fr", "L'horloge sonne, et quelque chose répond.")])
def test_a_line_is_spoken(narrator, language, text):
    wave = narrator(language).render(text)
    assert wave.rms > 0.03
    assert 2.0 < wave.seconds < 7.0


@pytest.mark.parametrize("text", COMMANDS)
def test_what_it_says_is_understood_by_our_own_ear(narrator, ear, text):
    spoken = narrator().render(text).resample(16_000).samples
    still = np.zeros(9600, np.float32)
    ear.reset()
    heard = [*ear.feed(np.concatenate([still, spoken, still])), *ear.finish()]
    assert [(h.intent.name, dict(h.intent.slots)) for h in heard if h.intent] == [COMMANDS[text]]


def test_speech_begins_when_it_is_cued(narrator):
    samples = narrator().render(LINE).samples
    assert np.flatnonzero(np.abs(samples) > 0.02)[0] / 22_050 < 0.1


def test_many_renders_in_a_row_are_each_whole(narrator, tmp_path):
    texts = ["yes", "no, never", LINE, f"{LINE} {LINE}"]
    wanted = {text: narrator(effects=False).render(text).seconds for text in texts}
    for number in range(5):
        fresh = Synthesizer(narrator(effects=False)._engine, SpeechCache(tmp_path / str(number)), pitch=-1.5)
        for text in texts:
            assert fresh.render(text).seconds == pytest.approx(wanted[text], rel=0.1)
        fresh.close()


def test_what_was_said_once_is_not_made_again(rattling):
    voice, engine = rattling()
    first, second = voice.render(LINE), voice.render(LINE)
    assert engine.asked == [LINE]
    np.testing.assert_allclose(first.samples, second.samples, atol=1e-4)


def test_another_room_is_another_sound(cache):
    engine = Rattle()
    for reverb in (Reverb(), Reverb(wet_level=0.2), Reverb(wet_level=0.2, rt60_seconds=2.0)):
        with Synthesizer(engine, cache, reverb=reverb) as voice:
            voice.render(LINE)
    assert len(engine.asked) == 3


def test_the_cache_key_of_a_line_stays_as_it_was(cache):
    with Synthesizer(Rattle(), cache, pitch=-1.5, reverb=Reverb(wet_level=0.2, rt60_seconds=1.0)) as voice:
        key = voice.cache_key("It's late.")
    assert key == """(2, 'rattle', -1.5, Effects(reverb=0.2, room=1.0), "It's late.")"""
    assert cache._paths(key)[1].name == "ebaa774dcc15caad62f972391653115e.flac"


def test_another_voice_rate_or_pitch_is_another_sound(narrator):
    keys = {
        narrator(**overrides).cache_key(LINE)
        for overrides in ({}, {"name": "en-us"}, {"rate": 1.1}, {"pitch": 1.0}, {"effects": False})
    }
    assert len(keys) == 5


@pytest.mark.parametrize(
    "bad",
    [None, sound(0.0), sound(3.0, level=0.0), sound(0.2), sound(60.0), CannotSpeak("it hangs")],
    ids=["no file", "an empty file", "silence", "too short", "too long", "an engine that was ended"],
)
def test_what_is_no_speech_is_asked_for_once_more(rattling, bad):
    voice, engine = rattling(bad, sound(3.0))
    assert voice.render(LINE).seconds == pytest.approx(3.0, abs=0.1)
    assert engine.asked == [LINE, LINE]


def test_what_fails_twice_is_a_clear_error_and_not_kept(rattling):
    voice, _ = rattling(sound(0.2), sound(0.2))
    with pytest.raises(CannotSpeak, match=r"rattle speaks 0\.2 s, not about 3\.8 s, for 'The clock strikes"):
        voice.render(LINE)
    assert not voice.is_ready(LINE)


def test_after_an_error_the_next_line_is_spoken(rattling):
    voice, _ = rattling(CannotSpeak("hoarse"), CannotSpeak("hoarse"))
    with pytest.raises(CannotSpeak, match="hoarse"):
        voice.render(LINE)
    assert voice.render(LINE).seconds > 2


def test_a_render_that_hangs_is_ended_and_the_second_is_heard(cache, tmp_path):
    script = tmp_path / "speak.sh"
    first = tmp_path / "was-here"
    command = " ".join(Espeak("en", 150)._program)
    script.write_text(f"[ -e {first} ] && exec {command}\ntouch {first}\nexec sleep 600\n")
    engine = Espeak("en", 150, timeout_seconds=3.0, program=(shutil.which("sh"), str(script)))
    with Synthesizer(engine, cache) as voice:
        assert voice.render(LINE).seconds > 2


def test_lines_known_in_advance_are_made_in_the_background(rattling):
    voice, engine = rattling()
    voice.prepare([LINE, f"{LINE} Again."]).result(20)
    assert voice.is_ready(LINE)
    voice.render(LINE)
    assert engine.asked == [LINE, f"{LINE} Again."]


def test_what_is_needed_now_goes_before_what_is_prepared(rattling):
    voice, engine = rattling()
    engine.may_go_on.clear()
    prepared = voice.prepare([f"{LINE} {number}." for number in range(3)])
    urgent = threading.Thread(target=voice.render, args=("Red has chosen already, and may not choose again.",))
    urgent.start()
    while len(voice._queue._jobs) < 3:
        assert urgent.is_alive()
    engine.may_go_on.set()
    urgent.join(20)
    prepared.result(20)
    assert engine.asked.index("Red has chosen already, and may not choose again.") <= 1


def test_a_broken_engine_is_left_in_peace(rattling, caplog):
    voice, engine = rattling(*[CannotSpeak("espeak-ng cannot be loaded")] * 99)
    with caplog.at_level(logging.WARNING):
        voice.prepare([f"{LINE} {number}." for number in range(9)]).result(20)
    assert caplog.records[-1].getMessage() == "lines are no longer prepared: espeak-ng cannot be loaded"
    assert len(set(engine.asked)) == 3


def test_a_line_that_cannot_be_said_does_not_keep_the_others_from_being_prepared(rattling):
    voice, _ = rattling(CannotSpeak("hoarse"), CannotSpeak("hoarse"))
    voice.prepare(["This one is unspeakable, alas.", LINE]).result(20)
    assert voice.is_ready(LINE)


def test_without_room_on_the_disk_there_is_a_clear_error(rattling, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    voice, _ = rattling()
    with pytest.raises(CannotSpeak, match="no room to make speech in"):
        voice.render(LINE)


def test_a_line_without_a_word_is_silence_and_no_error(rattling):
    voice, engine = rattling()
    assert voice.render("…").seconds == 0.0
    assert engine.asked == []


def test_closing_does_not_wait_for_an_engine_that_hangs(cache):
    engine = Espeak("en", 150, timeout_seconds=600, program=(shutil.which("sleep"), "600"))
    voice = Synthesizer(engine, cache)
    prepared = voice.prepare([LINE])
    while engine._process is None:
        assert not prepared.done()
    voice.close()
    prepared.result(5)
    with pytest.raises(CannotSpeak, match="closed"):
        voice.render(LINE)


def test_nothing_is_left_of_a_render_but_what_is_kept(narrator, cache, tmp_path, monkeypatch):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    narrator().render(LINE)
    assert list(scratch.iterdir()) == []
    assert [path.suffix for path in Path(cache.folder).iterdir()] == [".flac"]


def test_sentences_are_rendered_one_by_one_and_each_only_once(cache):
    engine = Rattle(*[sound(1.0)] * 3)
    with Synthesizer(engine, cache, by_sentence=True) as voice:
        voice.render("Card seventeen. Red has it.")
        assert not voice.is_ready("Card seventeen. Blue has it.")
        wave = voice.render("Card seventeen. Blue has it.")
        assert voice.is_ready("Card seventeen. Blue has it.")
    assert engine.asked == ["Card seventeen.", "Red has it.", "Blue has it."]
    assert wave.seconds == pytest.approx(2.3, abs=0.1)


def test_a_sentence_that_is_not_there_is_joined_from_clauses_that_are(cache):
    engine = Rattle(*[sound(1.0)] * 3)
    with Synthesizer(engine, cache, by_sentence=True) as voice:
        voice.render("Red,")
        assert not voice.is_ready("Red, card seventeen.")
        voice.render("card seventeen.")
        assert voice.is_ready("Red, card seventeen.")
        voice.render("Red, card seventeen.")
    assert engine.asked == ["Red,", "card seventeen."]


def test_somebody_of_the_cast_speaks_with_another_engine_and_others_with_the_narrators(cache):
    narrator, conrad = Rattle(sound(1.0)), Rattle(sound(1.0))
    with Synthesizer(narrator, cache, cast={"conrad": Synthesizer(conrad, cache)}) as voice:
        voice.voice("conrad").render("My dear friend.")
        voice.voice("nobody").render("He reads on.")
    assert (conrad.asked, narrator.asked) == (["My dear friend."], ["He reads on."])


@pytest.fixture
def slow(cache):
    """Return a voice that renders sentence by sentence, with its engine."""
    engine = Rattle(sound(1.0))
    with Synthesizer(engine, cache, by_sentence=True) as voice:
        yield voice, engine


def test_what_cannot_be_said_at_all_is_foreseen_before_what_can_be_joined(slow):
    voice, engine = slow
    voice.prepare(["Red, ", "card seven."]).result(20)
    engine.asked.clear()
    voice.foresee([("narrator", "Red, card seven."), ("narrator", "Blue waits for a vision.")])
    while len(engine.asked) < 2:
        assert voice._queue._thread.is_alive()
    assert engine.asked == ["Blue waits for a vision.", "Red, card seven."]


def test_a_line_about_to_be_said_is_rendered_whole_though_it_can_be_joined(slow):
    voice, engine = slow
    voice.prepare(["Red, ", "card seven."]).result(20)
    voice.prepare(["Red, card seven."])
    voice.prepare(["Blue waits for a vision."]).result(20)
    assert "Red, card seven." in engine.asked
