"""The help card as rows of text."""

from collections.abc import Iterator

from seance.narration.help_card import HelpCard

INDENT = "  "


def help_rows(card: HelpCard | None) -> Iterator[tuple[str, str]]:
    """Yield the style and the text of each row of *card*, which has no line above 80 columns."""
    if card is None:
        return
    yield "class:next", card.say_title
    yield from (("class:heard", f"{INDENT}{sentence}") for sentence in card.sentences)
    yield "class:next", card.rules_title
    yield from (("", f"{INDENT}{rule}") for rule in card.rules)
    yield "class:next", card.words_title
    for word in card.words:
        yield "", f"{INDENT}{word.word}"
        yield "class:label", f"{INDENT * 2}{word.text}"
