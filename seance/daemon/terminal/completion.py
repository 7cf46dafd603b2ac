"""Completion and history of the line that is typed; neither keeps a secret."""

from collections.abc import Callable, Iterable, Iterator

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory


class SentenceCompleter(Completer):
    """Completes the last word to those that may be said now."""

    def __init__(self, complete: Callable[[str], Iterable[str]], is_secret: Callable[[str], bool]) -> None:
        self._complete, self._is_secret = complete, is_secret

    def get_completions(self, document: Document, _: CompleteEvent) -> Iterator[Completion]:
        """Yield the words that may stand in place of the one before the cursor."""
        text = document.text_before_cursor
        if not text.strip() or self._is_secret(text):
            return
        begun = text.rpartition(" ")[2]
        for word in self._complete(text):
            yield Completion(word, start_position=-len(begun))


class SentenceHistory(InMemoryHistory):
    """The lines of this evening that may be remembered, in memory alone."""

    def __init__(self, is_secret: Callable[[str], bool]) -> None:
        super().__init__()
        self._is_secret = is_secret

    def append_string(self, string: str) -> None:
        """Remember *string*, unless it is empty or secret."""
        if string.strip() and not self._is_secret(string):
            super().append_string(string)
