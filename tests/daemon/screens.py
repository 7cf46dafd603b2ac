"""What the full screen of a terminal shows, as rows of text."""

from collections.abc import Sequence
from typing import Any

from seance.daemon.terminal.evening_view import EveningView
from seance.daemon.terminal.marks import Marks
from seance.daemon.terminal.screen_layout import ScreenLayout, TalkLine
from seance.texts import Texts


def screen_rows(
    view: EveningView,
    talk: Sequence[TalkLine] = (),
    *,
    width: int = 80,
    height: int = 22,
    language: str = "en",
    **more: Any,
) -> list[str]:
    """Return the rows above the line to type on."""
    texts = Texts.load("terminal", language)
    layout = ScreenLayout(texts=texts, marks=Marks(), width=width, height=height)
    return ["".join(text for _, text in row) for row in layout.compose(view, talk, **more)]
