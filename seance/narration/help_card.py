"""A help card in words: what can be said now, the rules of this phase, and the words of the edition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from seance.dialogue.help_topics import HelpTopics
from seance.edition_texts import load_edition_texts
from seance.narration.examples import example_at_table
from seance.narration.inflection import LineValue
from seance.narration.next_text import sentence_for
from seance.narration.script import Script
from seance.rules import EDITIONS, Edition, RoomView
from seance.texts import Texts

MAX_SENTENCES = 8


@dataclass(frozen=True, slots=True)
class HelpWord:
    """A word of the game, and what it means; sent to pages under these names."""

    word: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpCard:
    """What is of help at one moment; it holds nothing that the room does not know. Sent to pages under these names."""

    title: str
    say_title: str
    sentences: tuple[str, ...]
    """At most MAX_SENTENCES, each of which is understood now."""
    rules_title: str
    rules: tuple[str, ...]
    words_title: str
    words: tuple[HelpWord, ...]


@dataclass(frozen=True, slots=True)
class HelpTexts:
    """The texts of help.toml in one language, in the words of each edition."""

    general: Texts
    by_edition: Mapping[str, Texts]

    @classmethod
    def load(cls, language: str, editions: Mapping[str, Edition] = EDITIONS) -> HelpTexts:
        """Return the texts of *language*, or raise BadTextFile."""
        general, by_edition = Texts.load("help", language), {}
        for name, own in load_edition_texts(language, editions).items():
            by_edition[name] = general.with_changes(
                own.tables.help,
                lambda key, problem, own=own: own.error(f"help.{key}", problem),  # type: ignore[misc]
            )
        return cls(general, by_edition)

    def is_help(self, typed: str) -> bool:
        """Tell whether *typed* is a word that asks for the card."""
        return typed.strip().casefold() in self.general("typed").split()

    def card(self, topics: HelpTopics, script: Script, room: RoomView | None) -> HelpCard:
        """Return the card about *topics*, for a table that looks like *room*."""
        texts = self.by_edition.get(topics.edition.name, self.general)
        values = _values(topics.edition, room)

        def fill(key: str) -> str:
            return script.fill(texts.unfilled(key), topics.edition.name, **values)

        return HelpCard(
            title=fill("title"),
            say_title=fill("say_title"),
            sentences=_sentences(topics, texts, script, room)[:MAX_SENTENCES],
            rules_title=fill("rules_title"),
            rules=tuple(map(fill, topics.rules)),
            words_title=fill("words_title"),
            words=tuple(HelpWord(fill(f"words.{key}.word"), fill(f"words.{key}.text")) for key in topics.words),
        )


def _sentences(topics: HelpTopics, texts: Texts, script: Script, room: RoomView | None) -> tuple[str, ...]:
    edition = None if room is None else room.edition
    said = [sentence_for(intent, script, edition) for intent in topics.say]
    of_table = None if room is None else topics.edition
    for intent in topics.offered:
        if f"say.{intent}" in texts.forms:
            said.append(script.phrase(texts.unfilled(f"say.{intent}"), edition))
        elif intent in script.examples:
            said.append(example_at_table(intent, script, room, of_table))
    return tuple(dict.fromkeys(said))


def _values(edition: Edition, room: RoomView | None) -> dict[str, LineValue]:
    first, second, third = edition.order
    track = None if room is None else edition.tracks.get(room.players)
    return {
        "first": first,
        "second": second,
        "third": third,
        "turns": edition.turns,
        "back_at": edition.tokens_return_at or edition.turns,
        "shared_cards": edition.shared_vision_cards,
        "intermediate": track.intermediate if track else 0,
        "high": track.high if track else 0,
    }
