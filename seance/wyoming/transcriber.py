"""A recogniser on another machine, by the Wyoming protocol: wyoming-faster-whisper and the like."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray
from wyoming.asr import Transcribe, Transcript
from wyoming.audio import AudioChunk, AudioStart, AudioStop

from seance.wyoming.addresses import Address
from seance.wyoming.connection import Connection, WyomingTrouble, describe, languages_of
from seance.wyoming.server_lookup import resolve

RATE_HZ = 16_000
CHUNK_SAMPLES = 4096
DEADLINE_S = 1.5
"""Seconds that a sentence may take; the table waits for them."""
DESCRIBE_TIMEOUT_S = 5.0
MAX_FAILURES_IN_A_ROW = 2
"""After so many the server is left alone for a while."""
PAUSE_S = 60.0
"""How long that is."""

log = logging.getLogger(__name__)


class WyomingTranscriber:
    """The recogniser of the server at *address* for *language*; while it is gone or slow it has no answer."""

    def __init__(
        self,
        address: Address,
        language: str,
        *,
        deadline_s: float = DEADLINE_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.language = language
        self._address, self._deadline_s, self._clock = address, deadline_s, clock
        self._workers = ThreadPoolExecutor(1, "wyoming")
        self._failures = 0
        self._paused_until_s = 0.0
        self._why_not = ""
        self._search()

    def wait_until_found(self) -> tuple[Address | None, str]:
        """Wait until the server was asked what it can do; return its address, or None and why it is of no use."""
        return self._found.result(), self._why_not

    def transcribe(self, sound: NDArray[np.float32]) -> str | None:
        """Return the text of *sound*, at RATE_HZ; None where there is no answer within the deadline."""
        if not self._found.done():
            return None
        address = self._found.result()
        if address is None:
            if self._clock() >= self._paused_until_s:
                self._search()
            return None
        try:
            text = self._ask(address, sound)
        except WyomingTrouble as trouble:
            self._failures += 1
            log.log(logging.WARNING if self._failures == 1 else logging.INFO, "no second opinion: %s", trouble)
            if self._failures >= MAX_FAILURES_IN_A_ROW:
                self._failures = 0
                self._give_up()
            return None
        self._failures = 0
        return text

    def close(self) -> None:
        """Stop looking for the server."""
        self._workers.shutdown(cancel_futures=True)

    def _search(self) -> None:
        self._paused_until_s = self._clock() + PAUSE_S
        self._found = self._workers.submit(self._find)

    def _give_up(self) -> None:
        """Leave the server alone for a while."""
        self._paused_until_s = self._clock() + PAUSE_S
        self._found = Future()
        self._found.set_result(None)

    def _find(self) -> Address | None:
        """Return the server's address in digits, whose look-up would not heed a deadline; None if it is of no use."""
        try:
            named = resolve(self._address, "asr", self.language)
            host = socket.getaddrinfo(named.host, named.port, type=socket.SOCK_STREAM)[0][4][0]
            found = Address(str(host), named.port)
            known = languages_of(describe(found, timeout_s=DESCRIBE_TIMEOUT_S).asr)
        except (OSError, WyomingTrouble) as trouble:
            self._report_unusable(str(trouble))
            return None
        if known and self.language.partition("-")[0] not in known:
            self._report_unusable(f"the Wyoming server at {named} does not recognise '{self.language}'")
            return None
        return found

    def _report_unusable(self, why: str) -> None:
        if why != self._why_not:
            log.warning("there is no second opinion for the time being: %s", why)
        self._why_not = why

    def _ask(self, address: Address, sound: NDArray[np.float32]) -> str:
        samples = (np.clip(sound, -1, 1) * 32_767).astype("<i2")
        chunks = [samples[at : at + CHUNK_SAMPLES].tobytes() for at in range(0, len(samples), CHUNK_SAMPLES)]
        form = {"rate": RATE_HZ, "width": 2, "channels": 1}
        with Connection(address, timeout_s=self._deadline_s) as connection:
            connection.send([Transcribe(language=self.language), AudioStart(**form)])
            connection.send(AudioChunk(audio=chunk, **form) for chunk in chunks)
            connection.send([AudioStop()])
            while not Transcript.is_type((event := connection.receive()).type):
                pass
        text = event.data.get("text")
        if not isinstance(text, str):
            raise WyomingTrouble(f"the Wyoming server at {address} answers nonsense: a transcript without text")
        return text
