"""Spoken sentences become commands, and nothing else does: real vosk, real sound."""

import weakref

import numpy as np
import pytest
import soxr

from seance.dialogue.grammar.sentences import Intent, Sentences
from seance.hearing.recogniser import Recogniser
from seance.models import store
from seance.programs.hear import build_grammar

SEVEN = ("place_intuition", {"card": 7})


@pytest.fixture
def noise():
    return np.random.default_rng(7).standard_normal(16_000 * 6).astype(np.float32)


@pytest.mark.parametrize(
    ("text", "intent", "slots"),
    [
        ("I choose card seven", "place_intuition", {"card": 7}),
        ("red chooses card twelve", "place_intuition", {"psychic": "red", "card": 12}),
        ("I choose the third character", "place_intuition", {"place": 3, "kind": "character"}),
        ("red takes the second location", "place_intuition", {"psychic": "red", "place": 2, "kind": "location"}),
        ("the fourth object for blue", "place_intuition", {"psychic": "blue", "place": 4, "kind": "object"}),
        ("I disagree with blue", "bet", {"on": "blue", "agrees": False}),
        ("how much time is left", "ask_time", {}),
        ("we accuse group two", "accuse", {"group": 2}),
    ],
)
def test_a_spoken_sentence_is_its_command(commands, say, text, intent, slots):
    assert commands(say(text)) == [(intent, slots)]


@pytest.fixture(scope="module")
def french_recogniser():
    """A recogniser of what is said while cards are chosen from rows of six."""
    intents = ("place_intuition", "bet", "withdraw_bet", "call_time", "take_back")
    recogniser = Recogniser(store.fetch("fr"), build_grammar(Sentences.load("fr").narrow(intents, places=range(1, 7))))
    yield recogniser
    recogniser.close()


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("je choisis le troisième personnage", {"place": 3, "kind": "character"}),
        ("le deuxième lieu pour bleu", {"psychic": "blue", "place": 2, "kind": "location"}),
        ("je choisis le sixième objet", {"place": 6, "kind": "object"}),
    ],
)
def test_S5_a_place_in_the_row_is_heard_in_french(hear, say, french_recogniser, text, slots):
    french_recogniser.reset()
    heard = [h.intent for h in hear(say(text, "fr"), french_recogniser) if h.intent is not None]
    assert heard == [Intent("place_intuition", slots)]


@pytest.mark.parametrize(
    "text",
    [
        "I would choose the kitchen",
        "seven of these cards have water on them",
        "I think the third character looks like a butcher",
        "is the second location a harbour or what",
        "are you sure about that",
        "where are we going for the holidays",
        "could you pass me the crisps please",
        "nobody agrees with anybody here",
    ],
)
def test_table_talk_is_no_command(commands, say, text):
    assert commands(say(text)) == []


def test_the_same_sound_is_heard_alike_each_time(recogniser, hear, say):
    sound = say("repeat that", "en-gb-scotland")
    heard = []
    for _ in range(4):
        recogniser.reset()
        heard.append([(one.text, one.confidence) for one in hear(sound)])
    assert heard == [heard[0]] * 4


def test_silence_is_nothing(hear):
    assert hear(np.zeros(32_000, np.float32)) == []


def test_noise_is_no_command(commands, noise):
    assert commands(0.1 * noise) == []


def test_what_is_said_from_the_first_sound_on_is_heard(commands, say):
    sound = say("we are ready")
    first = np.flatnonzero(np.abs(sound) > 0.01 * np.abs(sound).max())[0]
    assert commands(sound[first:]) == [("call_time", {"early": True})]


def test_two_commands_in_a_row_are_two(commands, say):
    both = np.concatenate([say("I choose card seven", pause=0.4), say("red agrees with blue", pause=0.4)])
    assert commands(both) == [SEVEN, ("bet", {"by": "red", "on": "blue", "agrees": True})]


def test_two_people_at_once_are_not_both_wrong(commands, say):
    one, other = say("I choose card seven"), say("how many crows are left", "en-gb+f2")
    length = max(len(one), len(other)) + 4000
    both = np.zeros(length, np.float32)
    both[: len(one)] += one
    both[4000 : 4000 + len(other)] += other
    assert {name for name, _ in commands(both)} <= {"place_intuition", "ask_crows"}


def test_the_nearer_of_two_people_is_heard(commands, say):
    one, other = say("I choose card seven"), say("are you sure about that", "en-gb+f2")
    length = min(len(one), len(other))
    assert commands(one[:length] + 0.1 * other[:length]) == [SEVEN]


def test_one_who_speaks_up_while_others_talk_is_heard_alone(commands, say):
    far, near = say("are you sure about that", "en-gb+f2", pause=0.0), say("wake up", pause=0.0)
    room = np.concatenate([0.05 * far[: round(1.1 * 16_000)], near, np.zeros(16_000, np.float32)])
    assert commands(room) == [("wake", {})]


def spoken(sound):
    """Return *sound* without the quiet on either side."""
    loud = np.flatnonzero(np.abs(sound) > 0.01 * np.abs(sound).max())
    return sound[loud[0] : loud[-1] + 1]


def a_breath(first, then, *, pause):
    """Return two sounds so close that they are heard as one, in a quiet room."""
    still = [np.zeros(round(seconds * 16_000), np.float32) for seconds in (0.6, pause, 1.0)]
    return np.concatenate([still[0], spoken(first), still[1], spoken(then), still[2]]).astype(np.float32)


def test_a_command_in_one_breath_with_softer_talk_is_heard_without_it(commands, say):
    talk = say("and then we all went home", "en-gb+f3")
    breath = a_breath(10 ** (-9 / 20) * talk, say("black takes card thirty three"), pause=0.06)
    assert commands(breath) == [("place_intuition", {"psychic": "black", "card": 33})]


def level(sound):
    return float(np.sqrt(np.mean(np.square(sound))))


OTHERS = {
    "en-gb+f3": "I was going to say the same thing as you did about the garden and the white house on the hill",
    "en-us+m7": "there were so many people at the party that nobody could hear the music any more",
}


@pytest.mark.parametrize(
    ("text", "before", "softer", "meant"),
    [
        ("black takes card thirty three", 1.2, 7, ("place_intuition", {"psychic": "black", "card": 33})),
        ("group three", 3.0, 7, ("vote", {"group": 3})),
    ],
)
def test_a_command_is_heard_while_two_others_go_on_talking(commands, say, text, before, softer, meant):
    command = say(text, pause=0.0)
    still = [np.zeros(round(seconds * 16_000), np.float32) for seconds in (before, 1.5)]
    near = np.concatenate([still[0], command, still[1]])
    talk = [np.roll(say(said, voice, pause=0.0), 7000 * n) for n, (voice, said) in enumerate(OTHERS.items())]
    room = sum(np.resize(one, near.size) / level(one) for one in talk)
    sound = near + room * (level(command) / level(room) / 10 ** (softer / 20))
    assert commands((sound * 0.5 / np.abs(sound).max()).astype(np.float32)) == [meant]


def waited_for(recogniser, sound):
    """Return how many seconds after the last word of *sound* the recogniser took it for over."""
    for at in range(0, len(sound), 800):
        for heard in recogniser.feed(sound[at : at + 800]):
            return (at + 800) / 16_000 - heard.ended_s
    return 0.0


def test_what_is_no_sentence_yet_is_waited_for_longer_in_a_room_that_may_drown_the_rest(recogniser, say, noise):
    sound = say("are you sure about that", pause=1.5)
    in_a_quiet_room = waited_for(recogniser, sound)
    recogniser.reset()
    assert waited_for(recogniser, sound + 0.05 * noise[: sound.size]) > in_a_quiet_room + 0.1


def test_a_clear_command_right_after_other_talk_is_heard(commands, say):
    talk, command = say("are you sure about that", pause=0.3), say("how much time is left", pause=0.2)
    assert commands(np.concatenate([talk, command, np.zeros(16_000, np.float32)])) == [("ask_time", {})]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("okay, I choose card seven", SEVEN),
        ("alright, red agrees with blue", ("bet", {"by": "red", "on": "blue", "agrees": True})),
        ("I choose, um, card seven", SEVEN),
    ],
)
def test_what_means_nothing_beside_a_command_is_passed_over(commands, say, text, command):
    assert commands(say(text)) == [command]


def hesitating(say, *parts, pause):
    """Return *parts* of a sentence with a pause between them."""
    still = np.zeros(round(pause * 16_000), np.float32)
    said = [each for part in parts for each in (spoken(say(part)), still)]
    return np.concatenate([still, *said, still])


def test_one_who_hesitates_in_a_sentence_is_heard(commands, say):
    sound = hesitating(say, "red chooses", "card seven", pause=1.2)
    assert commands(sound) == [("place_intuition", {"psychic": "red", "card": 7})]


def test_one_who_hesitates_twice_is_heard(commands, say):
    sound = hesitating(say, "I agree", "with", "yellow", pause=1.2)
    assert commands(sound) == [("bet", {"on": "yellow", "agrees": True})]


def test_one_who_begins_anew_is_heard_once(commands, say):
    assert commands(hesitating(say, "I choose", "I choose card seven", pause=1.2)) == [SEVEN]


def test_another_command_after_a_sentence_that_was_broken_off_is_heard(commands, say):
    assert commands(hesitating(say, "red chooses", "how much time is left", pause=1.2)) == [("ask_time", {})]


def test_what_is_said_long_after_a_sentence_was_broken_off_is_not_its_end(commands, say):
    assert commands(hesitating(say, "red chooses", "card seven", pause=3.0)) == [SEVEN]


def test_what_was_broken_off_before_the_sound_ended_does_not_go_on_after_it(commands, say):
    assert commands(hesitating(say, "red chooses", pause=1.2)) == []
    assert commands(spoken(say("card seven"))) == [SEVEN]


def test_pauses_that_a_beam_has_attenuated_make_no_voice_clearer(recogniser, say):
    sound = say("I choose card seven")
    ratios = []
    for attenuation_db in (0.0, 12.0):
        heard = list(recogniser.replay(sound, began_s=0.0, attenuation_db=attenuation_db)) + list(recogniser.finish())
        ratios += [one.snr_db for one in heard if one.intent is not None]
    assert ratios[1] == pytest.approx(ratios[0] - 12.0, abs=0.1)


def test_half_a_command_is_none(commands, say):
    sound = say("I choose card")
    assert commands(sound) == []


def test_a_command_cut_off_by_the_end_of_the_sound_is_none(commands, say):
    sound = say("red agrees with blue", pause=0.3)
    assert commands(sound[: len(sound) // 2]) == []


def test_a_very_loud_command_is_heard(commands, say):
    sound = say("I choose card seven")
    assert commands(0.99 * sound / np.abs(sound).max()) == [SEVEN]


def test_a_very_quiet_command_is_heard(commands, say):
    assert commands(0.003 * say("I choose card seven")) == [SEVEN]


def test_a_breath_in_a_still_room_does_not_make_the_voice_after_it_too_loud(commands, say, noise):
    voice = spoken(say("madam may i take your coat"))
    breath = 0.0008 * noise[: round(0.08 * 16_000)]
    sound = np.concatenate([np.zeros(8000), breath, 0.9 * voice / np.abs(voice).max(), np.zeros(12_000)])
    assert commands(sound.astype(np.float32)) == []


def test_a_clipped_command_is_heard(commands, say):
    sound = say("I choose card seven")
    assert commands(np.clip(4 * sound / np.abs(sound).max(), -1, 1)) == [SEVEN]


def test_a_command_in_noise_is_heard(commands, say, noise):
    sound = say("how much time is left", pause=1.0)
    level = np.sqrt(np.mean(sound**2)) / 10 ** (10 / 20)
    assert commands(sound + level * noise[: len(sound)]) == [("ask_time", {})]


@pytest.mark.parametrize("rate", [8_000, 44_100, 48_000])
def test_any_rate_is_heard(english, sentences, say, rate):
    sound = soxr.resample(say("how much time is left"), 16_000, rate)
    recogniser = Recogniser(english, build_grammar(sentences), rate=rate)
    block = rate // 20
    heard = [h for at in range(0, len(sound), block) for h in recogniser.feed(sound[at : at + block])]
    recogniser.close()
    assert [h.intent.name for h in [*heard, *recogniser.finish()] if h.intent] == ["ask_time"]


def test_stereo_and_sixteen_bits_are_heard(commands, say):
    sound = (say("I choose card seven") * 32_000).astype(np.int16)
    assert commands(np.stack([sound, sound], axis=1)) == [SEVEN]


def test_a_whole_command_is_accepted_soon_after_its_last_sound(hear, say):
    sound = say("how much time is left", pause=1.0)
    last = np.flatnonzero(np.abs(sound) > 0.01 * np.abs(sound).max())[-1] / 16_000
    (heard,) = hear(sound)
    assert heard.ended_s + heard.latency_s - last < 0.8  # seconds; 0.88 is what Vosk itself waits


def test_what_could_go_on_is_waited_for(commands, say):
    first, rest = say("blue withdraws", pause=0), say("from red", pause=0.6)
    last = np.flatnonzero(np.abs(first) > 0.01 * np.abs(first).max())[-1]
    sound = np.concatenate([np.zeros(8000, np.float32), first[:last], rest[int(0.2 * 16_000) :]])
    assert commands(sound) == [("withdraw_bet", {"by": "blue", "on": "red"})]


def in_two_parts(first, rest, *, apart):
    """Return *first* and *rest* with a second of quiet around them, and so many seconds *apart*."""
    still = np.zeros(16_000, np.float32)
    return np.concatenate([still, bare(first), still[: round(apart * 16_000)], bare(rest), still])


def bare(sound):
    """Return *sound* from its first to its last word."""
    loud = np.flatnonzero(np.abs(sound) > 0.01 * np.abs(sound).max())
    return sound[loud[0] : loud[-1]]


def test_who_pauses_before_they_add_something_is_waited_for(commands, say):
    sound = in_two_parts(say("blue withdraws"), say("from red"), apart=0.6)
    assert commands(sound) == [("withdraw_bet", {"by": "blue", "on": "red"})]


def test_what_is_added_softly_in_a_loud_room_is_heard(commands, say, noise):
    first, rest = say("we are four players"), say("with the original rules") * np.float32(0.4)
    sound = in_two_parts(first, rest, apart=0.15)
    assert commands(sound + deep(noise, beneath=bare(first), by=6.0)[: len(sound)]) == [
        ("setup", {"players": 4, "edition": "igames"})
    ]


def deep(noise, *, beneath, by):
    """Return *noise* that falls with its pitch, so many decibels *beneath* a sound."""
    spectrum = np.fft.rfft(noise)
    falling = np.fft.irfft(spectrum / np.sqrt(np.maximum(np.arange(spectrum.size), 200)))
    level = np.sqrt(np.mean(beneath**2)) / 10 ** (by / 20)
    return (falling * level / falling.std()).astype(np.float32)


def test_only_what_is_expected_is_heard(recogniser, commands, say, sentences):
    recogniser.set_grammar(build_grammar(sentences.narrow(["bet", "ask_time"])), wait=True)
    try:
        assert commands(say("I choose card seven")) == []
        recogniser.reset()
        assert commands(say("how much time is left")) == [("ask_time", {})]
    finally:
        recogniser.set_grammar(build_grammar(sentences), wait=True)


def test_a_silent_room_keeps_one_grammar_in_memory(recogniser, sentences):
    before = weakref.ref(recogniser._model)
    recogniser.set_grammar(build_grammar(sentences.narrow(["bet", "ask_time"])), wait=True)
    try:
        assert list(recogniser.feed(np.zeros(1_600, np.float32))) == []
        assert before() is None
    finally:
        recogniser.set_grammar(build_grammar(sentences), wait=True)


def test_a_wake_word_is_asked_for(english, say):
    recogniser = Recogniser(english, build_grammar(Sentences.load("en", wake_word="spirit")))
    with_it, without = say("spirit, how much time is left"), say("how much time is left")
    assert [h.intent.name for h in [*recogniser.feed(with_it), *recogniser.finish()] if h.intent] == ["ask_time"]
    recogniser.reset()
    assert [h for h in [*recogniser.feed(without), *recogniser.finish()] if h.intent] == []
    recogniser.close()


def test_a_recording_that_begins_among_talk_is_heard_from_the_voice_on(commands, say, noise):
    others = noise[: 16_000 * 4] * (1 + 0.3 * np.sin(2 * np.pi * 3 * np.arange(16_000 * 4) / 16_000))
    sound = say("how much time is left", pause=1.0)
    level = np.sqrt(np.mean(sound**2)) / 10 ** (6 / 20)
    assert commands(sound + level * others[: len(sound)].astype(np.float32)) == [("ask_time", {})]
