"""A hassil file that cannot be used is refused within seconds, with the line or the sentence that is wrong."""

import resource
import time
from pathlib import Path

import pytest

from seance.dialogue.grammar.sentences import BadSentences, Sentences

BREW = "intents:\n  brew:\n    data:\n      - sentences: [{}]\n"
RULES = "expansion_rules:\n  r0: a\n" + "".join(f'  r{n}: "<r{n - 1}> <r{n - 1}>"\n' for n in range(1, 40))

REFUSED = {
    "nothing": ("", "no intents in it"),
    "null": ("intents: null", "no intents in it"),
    "an intent of null": ("intents:\n  brew: null", "line 2: intents.brew: must be a mapping, not null"),
    "data of null": ("intents:\n  brew:\n    data: null", "line 3: intents.brew.data: must be a list, not null"),
    "no data": ("intents:\n  brew: {}", "line 2: intents.brew: `data` is missing"),
    "a block of null": ("intents:\n  brew:\n    data:\n      - null", "line 4: intents.brew.data.0: must be a mapping"),
    "no sentences": (
        "intents:\n  brew:\n    data:\n      - slots: {}",
        "line 4: intents.brew.data.0: `sentences` is missing",
    ),
    "an empty sentence": (BREW.format('""'), "line 4: .*sentences.0: is empty"),
    "an empty group": (BREW.format('"a ()"'), "intents.brew: 'a \\(\\)'"),
    "a sentence of null": (BREW.format("null"), "line 4: .*sentences.0: must be a text, not null"),
    "a sentence that is true": (BREW.format("yes"), "line 4: .*must be a text, not true: put it in quotes"),
    "slots of lists": (
        BREW.format("a") + "        slots: {b: [1]}",
        "line 5: .*slots.b: must be a text or a number, not a list",
    ),
    "lists of null": ("lists: null\n" + BREW.format("a"), "line 1: lists: must be a mapping, not null"),
    "a list of null": ("lists:\n  x: null\n" + BREW.format("a"), "line 2: lists.x: must be a mapping, not null"),
    "values of null": ("lists:\n  x:\n    values: [null]\n" + BREW.format("a"), "line 3: .*values.0: must be a text"),
    "half a range": (
        "lists:\n  x:\n    range: {from: 1}\n" + BREW.format("a"),
        "line 3: lists.x.range: `to` is missing",
    ),
    "a range of nothing": (
        "lists:\n  x:\n    range: {from: 1, to: .inf}\n" + BREW.format("a"),
        "line 3: .*to: must be",
    ),
    "a rule of null": ("expansion_rules:\n  x:\n" + BREW.format("a"), "line 2: expansion_rules.x: must be a text"),
    "a rule without its bracket": (
        "expansion_rules:\n  x: (a\n" + BREW.format("a"),
        "line 2: expansion_rules.x: '\\(a' is not a hassil template: check its brackets",
    ),
    "a value without its bracket": (
        "lists:\n  x:\n    values:\n      - in: '[a'\n        out: 1\n" + BREW.format("a"),
        r"line 4: lists.x.values.0.in: '\[a' is not a hassil template",
    ),
    "skip words of null": ("skip_words: null\n" + BREW.format("a"), "line 1: skip_words: must be a list"),
    "a number of 5,000 digits": ("version: " + "9" * 5000 + "\n" + BREW.format("a"), "line 1: .*put it in quotes"),
    "a day that never was": ("a: 1\nversion: 2024-13-45\n" + BREW.format("a"), "line 2: .*put it in quotes"),
    "an alias of itself": ("a: 1\nx: &x [*x]\n" + BREW.format("a"), "line 2: this holds an alias of itself"),
    "an unknown alias": ("x: *x\n" + BREW.format("a"), "line 1: not YAML: found undefined alias"),
    "a bomb of aliases": (
        "a0: &a0 [x]\n"
        + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
        + BREW.format("a"),
        "line 6: this holds more than 100000 values",
    ),
    "a bomb of merged keys": (
        "a0: &a0 {x: 1}\n"
        + "".join(f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}\n" for n in range(1, 12))
        + BREW.format("a"),
        "this holds more than 100000 values",
    ),
    "deep lists": ("x: " + "[" * 40 + "]" * 40 + "\n" + BREW.format("a"), "line 1: values are nested too deeply"),
    "very deep lists": ("x: " + "[" * 100_000, "nested too deeply"),
    "very deep groups": (BREW.format(f'"{"(" * 1500}a{")" * 1500}"'), "intents.brew: .*nested too deeply"),
    "a sentence without an end": (BREW.format('"(a"'), "intents.brew: '\\(a'"),
    "twelve words in any order": (BREW.format('"(a;b;c;d;e;f;g;h;i;j;k;l)"'), "brew: '\\(a;b.*too many ways"),
    "a million cups": (
        BREW.format('"{cups} cups"') + "lists:\n  cups:\n    range: {from: 0, to: 1000000000}",
        "too many ways",
    ),
    "many endings": (BREW.format(f'"{"(a|b)" * 30}"'), "intents.brew: .*too many ways"),
    "a rule of itself": (
        BREW.format('"<x>"') + 'expansion_rules: {x: "<x> <x>"}',
        "intents.brew: '<x>': .*refers to itself",
    ),
    "a bomb of rules": (RULES + BREW.format('"<r39>"'), "intents.brew: '<r39>': .*too many ways"),
    "many words": (BREW.format(f'"{"a " * 1000}"'), "intents.brew: .*more than 200 words"),
    "a long text": (BREW.format(f'"{"a" * 100_000}"'), "line 4: .*is longer than 4000 characters"),
    "many sentences": (BREW.format(", ".join(['"(a;b;c;d;e;f)"'] * 1000)), "the sentences up to here"),
    "what is not YAML": ("intents: [", "line 1: not YAML"),
    "controls": ("intents: \x07", "not YAML"),
}


@pytest.mark.parametrize(("text", "complaint"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_used_is_refused_soon_with_its_line(text: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(text)
    began = time.process_time()
    with pytest.raises(BadSentences, match=complaint) as refused:
        Sentences.load("en", sentences_file=tmp_path / "mine.yaml")
    assert str(refused.value).startswith(str(tmp_path / "mine.yaml"))
    assert time.process_time() - began < 30
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 2_000_000  # KiB


def test_aliases_that_are_no_bomb_are_read(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("said: &said [make tea]\nintents: {brew: {data: [{sentences: *said}]}}")
    assert Sentences.load("en", sentences_file=tmp_path / "mine.yaml").match("make tea").name == "brew"


def test_five_words_in_any_order_are_read(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(BREW.format('"(a;b;c;d;e)"'))
    assert Sentences.load("en", sentences_file=tmp_path / "mine.yaml").match("e c a b d").name == "brew"
