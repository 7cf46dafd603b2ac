"""The terminal of `seance run`: which kind it is, what it shows and what becomes of what is typed."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Any

from seance.texts import Texts

if TYPE_CHECKING:
    from seance.daemon.evening import Evening
    from seance.daemon.terminal.evening_terminal import EveningTerminal
    from seance.daemon.terminal.evening_view import EveningView
    from seance.daemon.world.composition import EveningParts
    from seance.rules import Edition, Psychic
    from seance.settings import Settings
    from seance.web.page_words import PageWords

TYPING_REPORT_S = 1.0
"""The evening is told of keys at most once in so many seconds."""


def has_screen(environ: Mapping[str, str] = os.environ) -> bool:
    """Tell whether there is a keyboard, and a terminal whose cursor can be moved."""
    can_draw = environ.get("TERM", "dumb") not in ("", "dumb", "unknown")
    return sys.stdin.isatty() and sys.stdout.isatty() and can_draw


def open_terminal(texts: Texts, *, full_screen: bool) -> EveningTerminal:
    """Return a terminal that draws on the full screen, or prints lines."""
    if full_screen:
        from seance.daemon.terminal.full_screen import FullScreenTerminal

        return FullScreenTerminal(texts)
    from seance.daemon.terminal.plain_terminal import PlainTerminal

    return PlainTerminal(texts)


def is_secret_line(text: str, evening: Evening) -> bool:
    """Return whether the typed *text* is the ghost's or may say a secret vote, so that no terminal may show it."""
    from seance.daemon.signals import Typed
    from seance.ghost_words import ghost_order

    return ghost_order(text) is not None or evening.gives_vote_away(Typed(text))


def connect_terminal(
    terminal: EveningTerminal,
    parts: EveningParts,
    evening: Evening,
    chosen: Settings,
    editions: Mapping[str, Edition],
) -> None:
    """Let *terminal* show *evening* and pass on to it what is typed."""
    from seance.daemon.secret_text import secret_lines
    from seance.daemon.signals import Stop, Talk, Typed, Typing
    from seance.daemon.world.page_texts import load_page_words
    from seance.ghost_words import ghost_order
    from seance.permissions import Source
    from seance.web.qr import qr_lines

    names = parts.context.style.script.inflection.psychics

    def on_line(text: str) -> None:
        if not is_secret_line(text, evening):
            terminal.show_input(text)
        if parts.context.help_texts.is_help(text):
            terminal.show_help()
        if ghost_order(text) == "":
            terminal.whisper(secret_lines(evening.ghost, terminal.texts, names))
        else:
            parts.inbox.put(Typed(text))

    def on_end() -> None:
        # The end of the input is not the end of an evening that listens.
        if sys.stdin.isatty() or not parts.has_microphone:
            parts.inbox.put(Stop(when_told=not sys.stdin.isatty()))

    def on_talk() -> None:
        # A terminal tells of no release: each press is a tap.
        for is_held in (True, False):
            parts.inbox.put(Talk(is_held, Source.KEYBOARD))

    def complete(text: str) -> tuple[str, ...]:
        expected = evening.expected
        return () if expected is None else expected.narrow(parts.context.sentences).complete(text)

    report_typing = _Throttle(lambda is_begun: parts.inbox.put(Typing(is_begun)))
    is_in_network = parts.address is not None and chosen.web.listen == "network"
    page_words = load_page_words(chosen.language, editions)
    terminal.is_secret = partial(is_secret_line, evening=evening)
    terminal.complete, terminal.on_talk = complete, on_talk
    terminal.on_line, terminal.on_end, terminal.on_typing = on_line, on_end, report_typing
    # No phone could open a loopback address.
    qr_code = () if parts.address is None or "//127." in parts.address else qr_lines(parts.address)
    terminal.view = partial(_view, parts, evening, page_words, qr_code=qr_code, is_in_network=is_in_network)
    terminal.listen()


def note_missing_devices(terminal: EveningTerminal, chosen: Settings, *, with_hearing: bool, with_sound: bool) -> None:
    """Show once which of the devices that this evening would use is not there."""
    from seance.audio.devices import choose_input, choose_output
    from seance.audio.portaudio import SoundTrouble

    devices = {
        "screen.no_microphone": (with_hearing, choose_input, chosen.microphone.device),
        "screen.no_loudspeaker": (with_sound, choose_output, chosen.speaker.device),
    }
    for key, (is_wanted, choose, name) in devices.items():
        try:
            if is_wanted:
                choose(name)
        except SoundTrouble:
            terminal.show_note(terminal.texts(key))


class _Throttle:
    """Reports each change at once, and what stays the same at most once in TYPING_REPORT_S."""

    def __init__(self, report: Callable[[bool], None]) -> None:
        self._report = report
        self._last: tuple[bool, float] | None = None

    def __call__(self, is_begun: bool) -> None:
        now = time.monotonic()
        if self._last is None or self._last[0] != is_begun or now - self._last[1] >= TYPING_REPORT_S:
            self._last = (is_begun, now)
            self._report(is_begun)


def _view(
    parts: EveningParts,
    evening: Evening,
    page_words: PageWords,
    *,
    qr_code: tuple[str, ...],
    is_in_network: bool,
) -> EveningView:
    """Return what a terminal shows of *evening* now."""
    from seance.daemon.terminal.evening_view import EveningView
    from seance.narration.help_card import HelpCard

    page = parts.pages.latest.current
    info, sand, words = page.edition_info, page.sand, page_words.of(page.edition_info.name)
    names = parts.context.style.script.inflection.psychics
    return EveningView(
        room=page.told_room,
        next_step=page.what_next,
        help_card=page.help if isinstance(page.help, HelpCard) else None,
        setup=tuple(_setup_lines(page.touch.get("setup", ()), words, names)),
        sand_left_s=None if sand is None else ceil(sand.left_at(time.monotonic())),
        sand_turn_s=0 if sand is None else ceil(sand.turn_s),
        paused=page.paused,
        laying=page.is_table_being_laid,
        turns=info.turns,
        order=info.order,
        shared_vision_cards=info.shared_vision_cards,
        culprit=page.culprit,
        words=words,
        names=names,
        address=parts.address,
        qr_code=qr_code,
        host_code=parts.host_access.code if is_in_network else None,
        seat_is_free=evening.seat.state.holder is None,
    )


def _setup_lines(
    rows: Iterable[Mapping[str, Any]], words: Mapping[str, str], names: Mapping[Psychic, str]
) -> Iterator[tuple[str, str]]:
    """Yield each matter of the set-up *rows* that has a value, and that value, in *words*."""
    for row in rows:
        slot, chosen = row["slot"], row["chosen"]
        if slot == "psychics" and chosen:
            yield words["setup_psychics"], ", ".join(names[psychic] for psychic in chosen)
        elif slot != "psychics" and chosen is not None:
            value = words.get(f"choice_{slot}_{str(chosen).lower()}", str(chosen))
            yield words[f"setup_{slot}"], value


def tell_how_to_go_on(terminal: EveningTerminal, is_night_open: bool) -> None:
    """Print, where the terminal has been given back, that the night is kept and how to go on with it."""
    command = shlex.join(["seance", *sys.argv[1:]])
    if is_night_open:
        sys.stdout.write(terminal.texts("screen.kept", command=command) + "\n")
