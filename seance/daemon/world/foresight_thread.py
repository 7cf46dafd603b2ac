"""What may be said next, found on a thread of its own and handed to the voice."""

import logging
import threading
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Self

from seance.daemon.context import EveningContext
from seance.daemon.foresight import Line, foresee
from seance.daemon.night_runner import Moment

JOIN_TIMEOUT_S = 1.5
"""How long to wait for the last rehearsal when closing."""

log = logging.getLogger(__name__)


class ForesightThread:
    """Rehearses what may come after the newest moment; moments that have passed by then are left out."""

    def __init__(self, context: EveningContext, on_lines: Callable[[Iterable[Line]], None]) -> None:
        """Give what may be said to *on_lines*, the likeliest first."""
        self._context, self._on_lines = context, on_lines
        self._changed = threading.Condition()
        self._newest: Moment | None = None
        self._last: Moment | None = None
        self._is_closing = False
        self._thread = threading.Thread(target=self._run, name="foresight", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        self._thread.join(timeout=JOIN_TIMEOUT_S)

    def follow(self, moment: Moment) -> None:
        """Rehearse what may come after *moment*, unless nothing but time differs from the last one."""
        with self._changed:
            if self._last is None or moment.differs_beyond_time(self._last):
                self._last = self._newest = moment
                self._changed.notify_all()

    def _run(self) -> None:
        while (moment := self._next()) is not None:
            try:
                lines = foresee(self._context, moment)
            except Exception:
                # Every line is still rendered when it is wanted.
                log.exception("what may be said next cannot be foreseen")
            else:
                self._on_lines(lines)

    def _next(self) -> Moment | None:
        with self._changed:
            self._changed.wait_for(lambda: self._newest is not None or self._is_closing)
            moment, self._newest = self._newest, None
            return None if self._is_closing else moment
