"""Write docs/night.svg: the terminal in the second hour of a night, as `seance run` shows it.

`.venv/bin/python script/picture.py` writes it: do not edit it by hand.
"""

import io
import random
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.style import Style
from rich.text import Text

from seance.daemon.evening import Evening
from seance.daemon.page_publisher import PagePublisher
from seance.daemon.signals import ButtonPress, Signal, Typed
from seance.daemon.terminal.evening_view import EveningView
from seance.daemon.terminal.full_screen import STYLE
from seance.daemon.terminal.marks import Marks
from seance.daemon.terminal.screen_layout import ScreenLayout, TalkLine
from seance.daemon.world.composition import build_context
from seance.daemon.world.page_texts import load_page_words
from seance.journal import Journal
from seance.languages import DEFAULT_LANGUAGE
from seance.narration import cues as c
from seance.narration.cues import Cue
from seance.programs.owner_settings import editions_with_settings
from seance.rules import LIBELLUD, Psychic
from seance.settings import parse
from seance.texts import Texts

PICTURE = Path(__file__).parents[1] / "docs" / "night.svg"
SETTINGS = """
[telling]
first_night = false
"""
SEED = 11
COLUMNS, ROWS = 80, 24
SIGNAL_INTERVAL_S = 11.0


def evening_signals(evening: Evening) -> Iterator[Signal]:
    """Yield the signals of the evening: red and white choose right, blue chooses wrong."""
    yield Typed("begin the séance")
    yield Typed("we are four, easy, the usual rules, red, blue and white play, without the story")
    yield Typed("yes")
    yield from [ButtonPress("visions")] * 4
    ghost = evening.ghost
    assert ghost is not None
    assert ghost.secret is not None
    red, white = ghost.secret[Psychic.RED], ghost.secret[Psychic.WHITE]
    yield Typed(f"red chooses card {red.character}")
    yield Typed(f"blue chooses card {red.character}")
    yield Typed(f"white chooses card {white.character}")
    yield Typed("we are ready")
    yield from [ButtonPress("visions")] * 4
    yield Typed(f"red chooses card {red.location}")
    yield Typed("blue agrees with red")
    yield Typed("how much time is left")


def play_evening(evening: Evening, texts: Texts) -> tuple[EveningView, list[TalkLine]]:
    """Play the evening, and return what its terminal shows in the end."""
    now, talk = 0.0, list(lines(evening.open(0.0), texts))
    pages = PagePublisher(language=DEFAULT_LANGUAGE, pace="full", edition=LIBELLUD)
    for signal in evening_signals(evening):
        now += SIGNAL_INTERVAL_S
        if isinstance(signal, Typed):
            talk.append(TalkLine(f"> {signal.text}", "class:heard"))
        cues = evening.receive(signal, now)
        talk.extend(lines(cues, texts))
        for cue in cues:
            pages.publish_cue(cue)
    pages.publish_evening(evening)
    page, sand = pages.latest.current, evening.sand
    view = EveningView(
        room=page.told_room,
        next_step=page.what_next,
        sand_left_s=None if sand is None else round(sand.left_at(now)),
        sand_turn_s=LIBELLUD.sand_seconds or 0,
        turns=LIBELLUD.turns,
        words=load_page_words(DEFAULT_LANGUAGE).of(LIBELLUD.name),
        seat_is_free=False,
    )
    return view, talk


def lines(cues: Iterable[Cue], texts: Texts) -> Iterator[TalkLine]:
    for cue in cues:
        match cue:
            case c.Say():
                yield TalkLine(cue.text)
            case c.Knock():
                yield TalkLine(" ".join([texts("screen.knock")] * cue.count), "bold")


def rich_style(style: str) -> Style:
    """Return a style of prompt_toolkit as one of rich."""
    found = STYLE.get_attrs_for_style_str(style)
    colour = (found.color or "").removeprefix("ansi").replace("bright", "bright_").replace("gray", "white")
    return Style(color=colour or None, bold=found.bold, reverse=found.reverse)


def main() -> None:
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    chosen, chance = parse(SETTINGS), random.Random(SEED)
    texts = Texts.load("terminal", chosen.language)
    with tempfile.TemporaryDirectory() as folder, Journal.open(Path(folder) / "nights") as journal:
        context = build_context(chosen, journal, editions=editions_with_settings(chosen), names={})
        view, talk = play_evening(Evening(replace(context, draw_seed=lambda: chance.getrandbits(63))), texts)
    layout = ScreenLayout(texts=texts, marks=Marks(), width=COLUMNS, height=ROWS - 2)
    for row in layout.compose(view, talk):
        console.print(Text.assemble(*((text, rich_style(style)) for style, text in row)), no_wrap=True)
    console.print(Text("> ", "bold"))
    console.print(Text(texts("screen.hint"), rich_style("class:hint")), no_wrap=True)
    PICTURE.write_text(console.export_svg(title="seance run", unique_id="night"), encoding="utf-8")
    print(PICTURE)


if __name__ == "__main__":
    main()
