import time
from io import StringIO
from pathlib import Path

import pytest
from hassil.intents import Intents
from hassil.recognize import recognize_all

from seance.dialogue.grammar.sentences import Ambiguous, BadSentences, Intent, Sentences
from seance.dialogue.grammar.spoken_names import Names
from seance.dialogue.grammar.word_graph import word_graph
from seance.languages import read_language_file
from seance.programs.hear import build_grammar
from tests.dialogue.ambiguity import double_meanings
from tests.dialogue.conftest import said, talk
from tests.languages import EACH_SAMPLED, LANGUAGES

TEXTS = [(language, text, meant) for language in LANGUAGES for text, meant in said(language).items()]
TALK = [(language, text) for language in LANGUAGES for text in talk(language)]

PROMISED = frozenset(
    {
        *("place_intuition", "bet", "withdraw_bet", "give_vision", "call_time", "take_back", "turn_sand"),
        *(
            "number_groups",
            "vote",
            "turn_shared_vision",
            "point_at",
            "accuse",
            "answer",
            "answer_story",
            "enrol",
            "free_seat",
            "correct_choice",
        ),
        *("name_eldest", "break_silence", "begin", "setup", "draw_row", "ready", "correct_answer"),
        *("ask_time", "ask_hour", "ask_missing", "ask_options", "ask_next", "ask_table", "ask_row", "ask_crows"),
        *("ask_progress", "ask_tried", "ask_page", "ask_hands"),
        *("guest_leaves", "guest_returns", "tell_story"),
        *("repeat", "pause", "resume", "louder", "quieter", "hush", "yes", "no", "sleep", "wake", "end"),
    }
)
INTERPRETATION = ("place_intuition", "bet", "withdraw_bet", "call_time", "take_back", "pause", "repeat")

both = pytest.mark.parametrize("language", LANGUAGES)


@pytest.mark.parametrize(("language", "text", "meant"), TEXTS)
def test_a_sentence_means_what_the_table_says(spoken, language, text, meant):
    # Rows are understood only where no card can be chosen.
    sentences = spoken[language].narrow({"draw_row"}) if meant.name == "draw_row" else spoken[language]
    assert sentences.match(text) == meant


@pytest.mark.parametrize(("language", "text"), [each[:2] for each in TEXTS if each[2].name == "draw_row"])
def test_a_row_is_not_heard_where_cards_are_chosen(spoken, language, text):
    assert spoken[language].match(text) is None


@pytest.mark.parametrize(("language", "text"), TALK)
def test_table_talk_means_nothing(spoken, language, text):
    assert spoken[language].match(text) is None


@both
def test_the_promised_intents_are_all_there_and_no_others(spoken, language):
    assert spoken[language].intents == PROMISED


@both
def test_all_languages_fill_the_same_slots(spoken, language):
    assert slots_of(spoken[language]) == slots_of(spoken["en"])


@EACH_SAMPLED
def test_the_table_of_what_was_said_has_every_intent_and_at_least_sixty_rows(language):
    meant = said(language).values()
    assert len(meant) >= 60
    assert {intent.name for intent in meant} == PROMISED


@both
def test_no_sentence_at_all_can_mean_two_things(spoken, language):
    assert list(double_meanings(spoken[language])) == []


@both
def test_nor_can_one_when_no_answer_is_expected(spoken, language):
    assert list(double_meanings(spoken[language].narrow(PROMISED - {"answer"}))) == []


def test_two_meanings_would_be_found(tmp_path):
    sentences = written(tmp_path, "a: {data: [{sentences: ['go [on] {n}']}]}, b: {data: [{sentences: ['go on two']}]}")
    assert list(double_meanings(sentences)) == ["'go on two': a or b"]
    with pytest.raises(Ambiguous, match="go on two"):
        sentences.match("go on two")


@both
def test_every_phrase_given_to_the_ear_means_one_thing(spoken, language):
    assert all(spoken[language].match(phrase) for phrase in spoken[language].phrases())


@both
def test_every_phrase_that_can_be_said_of_two_cards_means_one_thing(spoken, language):
    combined = {"setup", "begin", "give_vision", "number_groups", "draw_row"}  # lists of several
    few = spoken[language].narrow(
        PROMISED - combined, cards=[7, 21], psychics=["red", "purple"], groups=[2], numbers=[7]
    )
    phrases = set(few.every_phrase())
    assert len(phrases) > 3000
    assert all(few.match(phrase) for phrase in phrases)


@both
def test_phrases_hold_every_pair_of_neighbouring_words_that_can_be_said(spoken, language):
    few = spoken[language].narrow(INTERPRETATION, cards=[7, 20, 21], psychics=["red", "white"])
    assert pairs(few.phrases()) == pairs(few.every_phrase())


@both
def test_hassil_itself_understands_the_same(spoken, language):
    intents = Intents.from_yaml(StringIO(read_language_file(language, "sentences.yaml").text))
    lists = Names.load(language).lists()
    phrases = spoken[language].narrow(psychics=["red"]).phrases()[::61]
    heard = {alike for sound in Names.load(language).sounds.values() for alike in sound}
    for phrase in (p for p in phrases if not any(f" {alike} " in f" {p} " for alike in heard)):
        meant = {r.intent.name for r in recognize_all(phrase, intents, slot_lists=lists, language=language)}
        assert spoken[language].match(phrase).name in meant


def test_what_is_only_typed_is_understood_and_never_listened_for(tmp_path):
    typed = "{metadata: {typed_only: true}, sentences: ['leave {n}']}"
    sentences = written(tmp_path, f"a: {{data: [{{sentences: ['go {{n}}']}}, {typed}]}}")
    assert sentences.match("leave two") == Intent("a", {"n": 2})
    assert "leave" not in sentences.words()
    assert word_graph(sentences) == word_graph(sentences.spoken)
    assert "leave" not in {word for _, arcs in word_graph(sentences) for word, _ in arcs}
    assert build_grammar(sentences).parse("leave two") is None
    assert sentences.complete("le") == ("leave",)


def test_french_sentences_that_sound_like_a_choice_are_only_typed(spoken):
    for text in ("rouge vingt huit", "rouge dit la carte sept", "alma annonce sept", "rouge voulait dire sept"):
        assert spoken["fr"].match(text).name == "place_intuition"
        assert build_grammar(spoken["fr"]).parse(text) is None
    assert spoken["fr"].match("rouge part").name == "guest_leaves"
    assert build_grammar(spoken["fr"]).parse("rouge part") is None


def test_phrases_are_narrowed_to_the_expected_intents(english):
    assert english.phrases(["hush"]) == tuple(english.narrow(["hush"]).phrases())
    assert {english.match(phrase).name for phrase in english.phrases(["hush", "yes"])} == {"hush", "yes"}


def test_phrases_are_narrowed_to_cards_psychics_and_groups(english):
    phrases = english.phrases(cards=[7], psychics=["red"], groups=[2])
    slots = [english.match(phrase).slots for phrase in phrases]
    assert {s["card"] for s in slots if "card" in s} == {7}
    assert {s["group"] for s in slots if "group" in s} == {2}
    assert {s[slot] for s in slots for slot in ("psychic", "by", "on") if slot in s} == {"red"}


def test_narrowing_twice_keeps_only_what_both_allow(english):
    assert english.narrow(cards=[7, 9]).narrow(cards=[9, 12]).match("card nine")
    assert english.narrow(cards=[7, 9]).narrow(cards=[9, 12]).match("card twelve") is None


def test_phrases_are_narrowed_to_places(english):
    slots = [english.match(phrase).slots for phrase in english.phrases(["place_intuition"], places=[1, 3])]
    assert {s["place"] for s in slots if "place" in s} == {1, 3}


def test_without_cards_nothing_about_cards_can_be_said(english):
    assert "card" not in " ".join(english.phrases(["place_intuition"], cards=[], places=[]))


def test_narrowing_at_each_step_is_quick(english):
    english.phrases(INTERPRETATION, cards=[1], psychics=["red", "blue", "white", "black"])
    start = time.process_time()
    english.phrases(INTERPRETATION, cards=range(1, 10), psychics=["red", "blue", "white", "black"], places=range(1, 7))
    assert time.process_time() - start < 0.05


def test_a_bare_level_is_a_wish_when_no_answer_is_expected(english):
    assert english.narrow(["setup", "begin"]).match("medium") == Intent("setup", {"level": "medium"})


def test_a_bare_level_is_an_answer_when_one_is_expected(english):
    assert english.narrow(["setup", "answer"]).match("medium") == Intent("answer", {"level": "medium"})


def test_what_the_ear_could_not_make_out_ends_a_sentence(english):
    assert english.match("i choose [unk] card nine") is None


@pytest.mark.parametrize("text", ["card twenty", "blue withdraws", "red", "we are five", "card seven"])
def test_more_words_could_change_the_meaning(english, text):
    assert english.could_continue(text)


@pytest.mark.parametrize("text", ["i choose card seven", "pause", "undo", "yes", "card twenty one for red", "i choose"])
def test_more_words_could_not_change_the_meaning(english, text):
    assert not english.could_continue(text)


@pytest.mark.parametrize("text", ["blue withdraws", "we are five players", "the original rules"])
def test_more_words_could_add_to_the_meaning(english, text):
    assert english.could_extend(text)


@pytest.mark.parametrize("text", ["i choose card seven", "pause", "yes", "blue withdraws from red", "i choose"])
def test_more_words_could_not_add_to_the_meaning(english, text):
    assert not english.could_extend(text)


def test_the_next_word_of_a_number_adds_nothing_but_changes_it(english):
    assert not english.could_extend("i choose card twenty")


def test_nothing_can_be_added_that_cannot_be_said_now(english):
    assert not english.narrow(["setup"]).could_extend("blue withdraws")


def test_twenty_cannot_go_on_where_no_card_above_it_lies(english):
    assert not english.narrow(["place_intuition"], cards=[20]).could_continue("i choose card twenty")
    assert english.narrow(["place_intuition"], cards=[20, 21]).could_continue("i choose card twenty")


@pytest.mark.parametrize("text", ["i choose", "card twenty", "pause", "alma"])
def test_a_longer_sentence_begins_so(english, text):
    assert english.is_prefix(text)


@pytest.mark.parametrize("text", ["we have voted", "hello", "card seven for blue please", ""])
def test_no_longer_sentence_begins_so(english, text):
    assert not english.is_prefix(text)


def test_sentences_start_with_the_wake_word_where_one_is_set():
    spirit = Sentences.load("en", wake_word="Spirit")
    assert spirit.match("Spirit, I choose card seven") == Intent("place_intuition", {"card": 7})
    assert spirit.match("I choose card seven") is None
    assert all(phrase.startswith("spirit ") for phrase in spirit.phrases())


def test_any_hassil_file_can_be_heard(tmp_path):
    sentences = written(tmp_path, "light: {data: [{slots: {lit: true}, sentences: ['(lamp;{n}) light[s] up']}]}")
    assert sentences.match("three lamp lights up") == Intent("light", {"lit": True, "n": 3})
    assert set(sentences.every_phrase()) >= {"lamp two light up", "two lamp lights up"}


def test_the_words_that_a_hassil_file_skips_mean_nothing_anywhere(tmp_path):
    sentences = written(tmp_path, "go: {data: [{sentences: ['go on {n}']}]}", skip_words="[would you, now]")
    for text in ("would you go on two", "go now on two", "go on would you two now now"):
        assert sentences.match(text) == Intent("go", {"n": 2})
    assert sentences.match("would go on two") is None


def test_a_word_of_the_sentence_itself_is_not_passed_over(tmp_path):
    go = "go: {data: [{sentences: ['go {n}']}]}, go_now: {data: [{sentences: ['now go {n}']}]}"
    assert written(tmp_path, go, skip_words="[now]").match("now go two") == Intent("go_now", {"n": 2})


def test_whoever_says_only_what_means_nothing_may_still_begin(english):
    assert english.match("um okay") is None
    assert english.is_prefix("um okay")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a: 1", "not a hassil file"),
        ("intents: {}\nskip_words: ['?!']", "skip_words: '\\?!' is no word"),
        ("intents: [", "sentences.yaml"),
        ("intents: {a: {data: [{sentences: ['say {what}']}]}}", "{what} has no values"),
        ("intents: {a: {data: [{sentences: ['say <what>']}]}}", "<what> is used but not among"),
    ],
)
def test_a_bad_file_of_sentences_says_what_is_wrong(tmp_path, text, complaint):
    file = tmp_path / "sentences.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadSentences, match=complaint) as raised:
        Sentences.load("en", sentences_file=file)
    assert "sentences.yaml" in str(raised.value)


def written(folder: Path, intents: str, skip_words: str = "[]") -> Sentences:
    file = folder / "other.yaml"
    lists = "lists: {n: {range: {from: 1, to: 3}}}"
    file.write_text(f"{lists}\nskip_words: {skip_words}\nintents: {{{intents}}}", encoding="utf-8")
    return Sentences.load("en", sentences_file=file)


def pairs(phrases):
    return {pair for phrase in phrases for pair in zip(f"< {phrase}".split(), f"{phrase} >".split(), strict=True)}


def slots_of(sentences):
    found = {}
    for phrase in sentences.phrases():
        intent = sentences.match(phrase)
        found.setdefault(intent.name, set()).update(intent.slots)
    return found


def test_words_that_may_be_said_now_complete_a_sentence(spoken):
    now = spoken["en"].narrow(INTERPRETATION, cards=(7, 12), psychics=("red",))
    assert now.complete("re") == ("red", "repeat")
    assert now.complete("Red choo") == ("chooses",)
    assert now.complete("red chooses card ") == ("number", "7", "12")
    assert now.complete("red blue") == ()
