"""Words that belong to other editions, from `[foreign.EDITION]` of tests/samples/<code>.toml."""

import re
from collections.abc import Iterable
from functools import cache

from tests.languages import sample


@cache
def foreign_word(language: str, edition: str, *, in_story: bool = False) -> re.Pattern[str]:
    """Return a pattern of the words that *edition* does not use; everyday words may stand in a story."""
    words = sample(language)["foreign"][edition]
    terms = "|".join(words["terms"] + ([] if in_story else words["everyday"]))
    return re.compile(rf"(?<!\w)(?:{terms})(?!\w)", re.IGNORECASE)


def foreign_texts(texts: Iterable[str], language: str, edition: str) -> list[str]:
    """Return those of *texts* that have a word of another edition."""
    return [text for text in texts if foreign_word(language, edition).search(text)]
