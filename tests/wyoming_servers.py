"""Wyoming servers on loopback: an honest one by the library's own server, and some that hang, die or lie."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial

import numpy as np
from wyoming.asr import Transcript
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.event import Event
from wyoming.info import AsrModel, AsrProgram, Attribution, Describe, Info, TtsProgram, TtsVoice
from wyoming.server import AsyncEventHandler, AsyncServer
from wyoming.tts import Synthesize

from seance.wyoming.addresses import Address

RATE_HZ = 22_050
LETTERS_PER_SECOND = 14

TRAITS = {"attribution": Attribution("nobody", ""), "installed": True, "description": None, "version": None}
INFO = Info(
    tts=[TtsProgram("noise", voices=[TtsVoice("grey", languages=["en_GB", "fr_FR"], **TRAITS)], **TRAITS)],
    asr=[AsrProgram("parrot", models=[AsrModel("parrot", languages=["fr"], **TRAITS)], **TRAITS)],
)


class Handler(AsyncEventHandler):
    """Speaks noise as long as speech would be, and writes what *transcribe* makes of a sound."""

    def __init__(self, received: list[Event], transcribe: Callable[[np.ndarray], str], *streams) -> None:
        super().__init__(*streams)
        self.received, self.transcribe, self.sound = received, transcribe, b""

    async def handle_event(self, event: Event) -> bool:
        self.received.append(event)
        if Describe.is_type(event.type):
            await self.write_event(INFO.event())
        elif Synthesize.is_type(event.type):
            sound = np.random.default_rng(1).integers(
                -9000, 9000, len(event.data["text"]) * RATE_HZ // LETTERS_PER_SECOND
            )
            what = {"rate": RATE_HZ, "width": 2, "channels": 1}
            for message in (AudioStart(**what), AudioChunk(audio=sound.astype("<i2").tobytes(), **what), AudioStop()):
                await self.write_event(message.event())
        elif AudioChunk.is_type(event.type):
            self.sound += event.payload
        elif AudioStop.is_type(event.type):
            text = await asyncio.to_thread(self.transcribe, np.frombuffer(self.sound, "<i2"))
            with suppress(ConnectionError):  # whoever asked has hung up
                await self.write_event(Transcript(text).event())
        return True


async def _stop(server: AsyncServer) -> None:
    """Stop *server*, and whoever still answers."""
    await server.stop()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


@contextmanager
def honest_server(transcribe: Callable[[np.ndarray], str] = lambda _: "") -> Iterator[tuple[Address, list[Event]]]:
    """Yield the address of a server, and all that it has received so far."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = Address(*free.getsockname())
    loop, received = asyncio.new_event_loop(), []
    server = AsyncServer.from_uri(f"tcp://{address}")
    loop.run_until_complete(server.start(partial(Handler, received, transcribe)))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield address, received
    finally:
        asyncio.run_coroutine_threadsafe(_stop(server), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@contextmanager
def lying_server(answer: bytes | None) -> Iterator[tuple[Address, list[bytes]]]:
    """Yield the address of a server that answers each connection with *answer* and hangs up, or hangs with None.

    The list has what each connection has begun with.
    """
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        held = []

        def serve() -> None:
            while True:
                try:
                    client, _ = listening.accept()
                except OSError:
                    return
                held.append(client)
                asked.append(client.recv(65_536))
                if answer is not None:
                    with suppress(OSError):  # whoever asked has heard enough
                        client.sendall(answer)
                        client.shutdown(socket.SHUT_WR)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield Address(*listening.getsockname()), asked
        listening.shutdown(socket.SHUT_RDWR)
        thread.join()
        for client in held:
            client.close()


LIES = {
    "no JSON": b"good evening\n",
    "no object": b"7\n",
    "no type": b"{}\n",
    "a type that is no word": b'{"type": 7}\n',
    "data that is no object": b'{"type": "audio-start", "data": "loud"}\n',
    "a line without an end": b"x" * 2_000_000,
    "more than there can be": b'{"type": "audio-chunk", "payload_length": 99999999999}\n',
    "a length that is no number": b'{"type": "audio-chunk", "payload_length": "long"}\n',
    "half a message": b'{"type": "audio-chunk", "payload_length": 9}\nabc',
    "an error": b'{"type": "error", "data": {"text": "no model"}}\n',
    "nothing": b"",
}
"""What servers answer that no server may."""
