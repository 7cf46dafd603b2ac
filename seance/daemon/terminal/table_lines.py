"""Draws the table in rows of text, from the room's view alone."""

from collections.abc import Iterable, Sequence

from prompt_toolkit.utils import get_cwidth

from seance.daemon.terminal.evening_view import EveningView
from seance.daemon.terminal.marks import Marks
from seance.rules import Category, Phase, Psychic, RoomView
from seance.rules.terms import Group
from seance.rules.view import PsychicView
from seance.texts import Texts

Line = list[tuple[str, str]]
"""Pieces of text, each after its style."""

SAND_BAR_CELLS = 12
"""Width of the bar of sand, in characters."""
URGENT_SAND_S = 30
"""Seconds of sand from which on it is shown as urgent."""
COLOURS = {
    Psychic.BLUE: "ansibrightblue",
    Psychic.WHITE: "",
    Psychic.RED: "ansibrightred",
    Psychic.YELLOW: "ansiyellow",
    Psychic.PURPLE: "ansimagenta",
    Psychic.BLACK: "ansibrightblack",
}
NARROW_COLUMNS = 60
"""Narrower terminals leave the last columns of the psychics out."""
MAX_NAME = 12


class TableDrawing:
    """Draws one view of an evening, in the texts of the file `terminal`."""

    def __init__(self, view: EveningView, texts: Texts, marks: Marks, width: int) -> None:
        self._view, self._texts, self._marks, self._width = view, texts, marks, width
        self._words = view.words

    def header(self) -> Line:
        """Return the hour and the phase at the left, and the sand and the crows at the right."""
        room, words = self._view.room, self._words
        if room is None:
            return self._spread(words.get("phase_none", ""))
        hour = self._hour(room.hour) if room.phase is not Phase.OVER else ""
        is_laid = not self._view.laying or room.outcome is not None
        phase = words["paused" if self._view.paused else f"phase_{room.phase if is_laid else 'laying'}"]
        left = " · ".join(part for part in (hour, phase) if part)
        crows = words["crows"].format(n=room.crows_left) if room.phase in _SEARCH else ""
        return self._spread(left, self._sand(), crows)

    def rows(self) -> list[Line]:
        """Return the cards and the psychics, or the line-up and the votes."""
        room = self._view.room
        if room is None:
            return self._setup_rows()
        if room.groups:
            return self._lineup_rows(room)
        return [*self._card_rows(room), *self._psychic_rows(room)]

    # Before the night

    def _setup_rows(self) -> list[Line]:
        """Return what the room has said so far about the night that it wants to play."""
        width = max((get_cwidth(label) for label, _ in self._view.setup), default=0) + 2
        return [[("class:label", pad(label, width)), ("", value)] for label, value in self._view.setup]

    # The head

    def _hour(self, hour: int) -> str:
        marks = self._words.get("turn_marks", "").split(" ")
        mark = marks[hour - 1] if 0 < hour <= len(marks) else str(hour)
        named = self._words["hour"].format(n=hour, mark=mark)
        return self._texts("table.hour", hour=named, turns=self._view.turns)

    def _sand(self) -> str:
        left = self._view.sand_left_s
        if left is None:
            return ""
        share = left / self._view.sand_turn_s if self._view.sand_turn_s else 0.0
        full = min(SAND_BAR_CELLS, round(share * SAND_BAR_CELLS))
        bar = self._marks.sand * full + self._marks.no_sand * (SAND_BAR_CELLS - full)
        return f"{bar} {left // 60}:{left % 60:02}"

    def _spread(self, left: str, sand: str = "", crows: str = "") -> Line:
        """Return *left* at the left, and the others at the right."""
        left_s = self._view.sand_left_s
        urgent = "class:sand.urgent" if left_s is not None and left_s <= URGENT_SAND_S else "class:sand"
        right = [(urgent, sand), ("class:header", crows)]
        pieces = [piece for style, text in right if text for piece in (("class:header", "   "), (style, text))]
        room = self._width - 2 - sum(get_cwidth(text) for _, text in pieces)
        return [("class:header", f" {pad(cut(left, room), max(0, room))}"), *pieces, ("class:header", " ")]

    # The cards

    def _card_rows(self, room: RoomView) -> list[Line]:
        labels = {kind: self._words.get(f"{kind}s", kind) for kind in self._view.order}
        width = max(map(get_cwidth, labels.values())) + 1
        rows = []
        for kind in self._view.order:
            row: Line = [("class:label", pad(labels[kind], width))]
            for card in room.laid_out.of(Category(kind)):
                row.extend(self._card(card, room, is_there=card in room.table.of(Category(kind))))
            rows.append(row)
        return rows

    def _card(self, card: int, room: RoomView, *, is_there: bool) -> Line:
        if not is_there:
            return [("class:dim", f"  {self._marks.gone}  ")]
        choosing = [psychic.colour for psychic in room.psychics if psychic.intuition == card]
        if not choosing:
            return [("", f" {card:>2}  ")]
        style = COLOURS[choosing[0]] if len(choosing) == 1 else ""
        return [(f"bold {style}", f"[{card:>2}] ")]

    # The psychics

    def _psychic_rows(self, room: RoomView) -> list[Line]:
        rows = [self._psychic_cells(psychic, room) for psychic in room.psychics]
        columns = ["psychic", "seeks", "visions", "choice", "bets", "tokens", "track"]
        kept = [
            number
            for number, column in enumerate(columns)
            if any(row[number] for row in rows) and (self._width >= NARROW_COLUMNS or column in columns[:4])
        ]
        head = [self._texts(f"table.{columns[number]}") for number in kept]
        cells = [[row[number] for number in kept] for row in rows]
        styles = [COLOURS[psychic.colour] for psychic in room.psychics]
        return self._grid(head, cells, styles)

    def _psychic_cells(self, psychic: PsychicView, room: RoomView) -> list[str]:
        seeks = self._words.get(psychic.searching, psychic.searching)
        visions = psychic.visions if isinstance(psychic.visions, int) else len(psychic.visions)
        bets = [
            f"{self._marks.yes if bet.agrees else self._marks.no} {self._name(bet.by)}"
            for bet in room.bets
            if bet.on is psychic.colour
        ]
        return [
            f"{self._marks.psychic} {self._name(psychic.colour)}",
            seeks,
            str(visions),
            self._choice(psychic, room),
            "  ".join(bets),
            "" if psychic.tokens_left is None else str(psychic.tokens_left),
            "" if psychic.clairvoyancy is None else str(psychic.clairvoyancy),
        ]

    def _choice(self, psychic: PsychicView, room: RoomView) -> str:
        if psychic.intuition is not None:
            answer = self._marks.yes if psychic.intuition in psychic.found else self._marks.no
            return f"{psychic.intuition} {answer if psychic.answered else ''}".strip()
        if psychic.searching == "done":
            return ""
        if room.phase is Phase.VISIONS and not psychic.served:
            return self._texts("table.no_vision")
        return self._texts("table.choosing") if room.phase in (Phase.VISIONS, Phase.INTERPRETATION) else ""

    # The line-up

    def _lineup_rows(self, room: RoomView) -> list[Line]:
        by_colour = {psychic.colour: psychic for psychic in room.psychics}
        rows = [self._group_cells(group, room, by_colour) for group in room.groups]
        columns = ["group", "psychic", "cards", "track", "voted", "votes", "culprit"]
        kept = [number for number in range(len(columns)) if any(row[number] for row in rows)]
        head = ["" if columns[number] == "culprit" else self._texts(f"table.{columns[number]}") for number in kept]
        cells = [[row[number] for number in kept] for row in rows]
        styles = [COLOURS[group.psychic] if group.psychic else "" for group in room.groups]
        return [*self._grid(head, cells, styles), *self._shared_vision(room), *self._outcome(room)]

    def _group_cells(self, group: Group, room: RoomView, psychics: dict[Psychic, PsychicView]) -> list[str]:
        named = room.votes if room.pointing is None else room.pointing
        psychic = None if group.psychic is None else psychics.get(group.psychic)
        by = self._name(group.psychic) if group.psychic else self._words.get("nobodys_group", "")
        voters = [self._name(voter) for voter, its in (named or {}).items() if its == group.group]
        return [
            f"{group.group:>2}",
            f"{self._marks.psychic} {by}" if group.psychic else by,
            " ".join(f"{card:>2}" for card in group.cards),
            "" if psychic is None or psychic.clairvoyancy is None else str(psychic.clairvoyancy),
            self._marks.yes if group.psychic in room.voted else "",
            ", ".join(voters),
            self._words["culprit_was"] if self._view.culprit == group.group else "",
        ]

    def _shared_vision(self, room: RoomView) -> list[Line]:
        if not room.shared_vision_shown:
            return []
        shown = " ".join(map(str, room.shared_vision)) if room.shared_vision else str(room.shared_vision_shown)
        marks = self._marks.face_up * room.shared_vision_shown
        marks += self._marks.face_down * max(0, self._view.shared_vision_cards - room.shared_vision_shown)
        return [[("class:label", f"{self._words.get('table_shared', '')} "), ("", f"{marks} {shown}")]]

    def _outcome(self, room: RoomView) -> list[Line]:
        if room.outcome is None:
            return []
        won = self._words["won" if room.outcome.won else "lost"]
        told = self._words.get(f"outcome_{room.outcome.reason}", "")
        return [[("bold", f"{won}. "), ("", told)]]

    # Grids

    def _name(self, psychic: Psychic | None) -> str:
        return "" if psychic is None else cut(self._view.names.get(psychic, str(psychic)), MAX_NAME)

    def _grid(self, head: Sequence[str], rows: Sequence[Sequence[str]], styles: Iterable[str]) -> list[Line]:
        """Return *rows* under *head*, each column as wide as its widest cell; the psychics' marks are in *styles*."""
        widths = [max(map(get_cwidth, column)) + 2 for column in zip(head, *rows, strict=True)]
        lines: list[Line] = [[("class:label", "".join(map(pad, head, widths)).rstrip())]]
        for row, style in zip(rows, styles, strict=True):
            cells = (self._cell(pad(cell, width), style) for cell, width in zip(row, widths, strict=True))
            lines.append([piece for cell in cells for piece in cell])
        return [cut_line(line, self._width) for line in lines]

    def _cell(self, text: str, style: str) -> Line:
        mark = self._marks.psychic
        return [(style, mark), ("", text[len(mark) :])] if text.startswith(f"{mark} ") else [("", text)]


_SEARCH = (Phase.VISIONS, Phase.INTERPRETATION, Phase.MANIFESTATION)


def pad(text: str, width: int) -> str:
    """Return *text* with spaces up to *width* columns."""
    return text + " " * max(0, width - get_cwidth(text))


def cut(text: str, width: int) -> str:
    """Return *text*, or as much of it as fits into *width* columns with an ellipsis."""
    if get_cwidth(text) <= width:
        return text
    while text and get_cwidth(text) + 1 > width:
        text = text[:-1]
    return f"{text}…" if width > 0 else ""


def cut_line(line: Line, width: int) -> Line:
    """Return *line* without what is beyond *width* columns."""
    kept: Line = []
    for style, text in line:
        if width <= 0:
            break
        kept.append((style, cut(text, width) if text.strip() else text[:width]))
        width -= get_cwidth(text)
    return kept


def wrap(text: str, width: int) -> list[str]:
    """Return *text* in lines of at most *width* columns, broken at spaces where there are any."""
    lines = [""]
    for word in text.split():
        if lines[-1] and get_cwidth(lines[-1]) + 1 + get_cwidth(word) > width:
            lines.append("")
        while get_cwidth(word) > width > 0:
            lines[-1] = word[:width]
            lines.append("")
            word = word[width:]
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
