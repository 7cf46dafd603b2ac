"""Arranges the table, the talk and the panels on a screen of any size."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from seance.daemon.terminal.evening_view import EveningView
from seance.daemon.terminal.help_rows import help_rows
from seance.daemon.terminal.marks import Marks
from seance.daemon.terminal.table_lines import Line, TableDrawing, cut_line, wrap
from seance.texts import Texts

MIN_TALK_ROWS = 4
"""Rows of talk that are kept on a low screen, at the cost of the table."""
MAX_NEXT_ROWS = 2


class ScreenPanel(Enum):
    """What covers the table and the talk."""

    NONE = "none"
    PHONES = "phones"
    HELP = "help"


@dataclass(frozen=True, slots=True)
class TalkLine:
    """Something that was said."""

    text: str
    style: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenLayout:
    """Everything above the line to type on, for a screen of one size."""

    texts: Texts
    marks: Marks
    width: int
    height: int
    """Rows above the line to type on."""

    def compose(
        self,
        view: EveningView,
        talk: Sequence[TalkLine],
        *,
        whispers: Iterable[str] = (),
        panel: ScreenPanel = ScreenPanel.NONE,
        scrolled: int = 0,
    ) -> list[Line]:
        """Return exactly `height` rows.

        *scrolled* is how many rows of talk are below the last one shown, or of the help card above the first one.
        """
        drawing = TableDrawing(view, self.texts, self.marks, self.width)
        top = [drawing.header(), *self._next_step(view)]
        below = self._whisper_rows(whispers)
        room_left = self.height - len(top) - len(below)
        if panel is ScreenPanel.PHONES:
            middle = self._phones(view, room_left)
        elif panel is ScreenPanel.HELP:
            middle = self._help(view, room_left, scrolled)
        else:
            table = [*drawing.rows(), *self._address(view)]
            table = table[: max(0, room_left - MIN_TALK_ROWS - 1)]
            middle = [*table, self._rule(scrolled)]
            middle += self._talk_rows(talk, room_left - len(middle), scrolled)
        rows = [*top, *middle[: max(0, room_left)], *below]
        rows = rows[max(0, len(rows) - self.height) :]
        rows += [[] for _ in range(self.height - len(rows))]
        return [cut_line(row, self.width) for row in rows]

    def _next_step(self, view: EveningView) -> list[Line]:
        if not view.next_step:
            return []
        lines = wrap(view.next_step, self.width - 2)[:MAX_NEXT_ROWS]
        return [[("class:next", f"{self.marks.next if not n else ' '} {line}")] for n, line in enumerate(lines)]

    def _address(self, view: EveningView) -> list[Line]:
        """Return where the pages are, as long as somebody may still look for them."""
        has_begun = view.room is not None and (view.room.hour > 1 or bool(view.room.groups))
        if view.address is None or has_begun or not view.seat_is_free:
            return []
        rows: list[Line] = [[("class:label", self.texts("screen.pages")), ("bold", view.address)]]
        if view.host_code is not None:
            rows[0] += [("class:label", f"   {self.texts('screen.host_code')}"), ("bold", view.host_code)]
        return rows

    def _phones(self, view: EveningView, height: int) -> list[Line]:
        if view.address is None:
            return [[("", self.texts("screen.no_pages"))]]
        rows: list[Line] = [[("class:label", self.texts("screen.pages")), ("bold", view.address)]]
        if view.host_code is not None:
            rows.append([("class:label", self.texts("screen.host_code")), ("bold", view.host_code)])
        fits = view.qr_code and len(rows) + len(view.qr_code) <= height and len(view.qr_code[0]) <= self.width
        if fits:
            rows += [[("class:qr", line)] for line in view.qr_code]
        elif view.qr_code:
            rows.append([("class:label", self.texts("screen.too_small"))])
        return rows

    def _help(self, view: EveningView, height: int, scrolled: int) -> list[Line]:
        """Return the rows of the help card from the row *scrolled* on, and how to read on beneath, if it is longer."""
        rows: list[Line] = [
            [(style, part)] for style, text in help_rows(view.help_card) for part in _wrap_indented(text, self.width)
        ]
        if len(rows) <= height:
            return rows
        first = min(scrolled, len(rows) - height + 1)
        more = f" {self.texts('screen.help_more')} ".center(self.width, self.marks.rule)
        return [*rows[first : first + height - 1], [("class:dim", more)]]

    def _rule(self, scrolled: int) -> Line:
        label = f" {self.texts('screen.scrolled')} " if scrolled else ""
        return [("class:dim", label.center(self.width, self.marks.rule))]

    def _talk_rows(self, talk: Sequence[TalkLine], height: int, scrolled: int) -> list[Line]:
        """Return the last rows of *talk* that fit into *height*, wrapped."""
        rows: list[Line] = []
        for line in reversed(talk):
            if len(rows) >= height + scrolled:
                break
            wrapped: list[Line] = [[(line.style, part)] for part in wrap(line.text, self.width)]
            rows = [*wrapped, *rows]
        end = max(len(rows) - scrolled, min(height, len(rows)))
        shown = rows[max(0, end - height) : end] if height > 0 else []
        return [*shown, *([[]] * max(0, height - len(shown)))]

    def _whisper_rows(self, whispers: Iterable[str]) -> list[Line]:
        label = self.texts("screen.whisper")
        parts = [part for line in whispers for part in wrap(label + line, self.width)]
        return [[("class:whisper", part)] for part in parts[: self.height // 2]]


def _wrap_indented(text: str, width: int) -> list[str]:
    """Return *text* in lines of at most *width* columns, each indented as far as the first."""
    indent = text[: len(text) - len(text.lstrip())]
    return [indent + line for line in wrap(text, max(1, width - len(indent)))]
