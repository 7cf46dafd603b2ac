"""A room with a microphone and a loudspeaker, without a sound card: PulseAudio's null sinks under real PortAudio.

The fixture `sound_rig` sets the environment of this process and of all that it starts. Ending the server is pulling
the plugs; starting it is putting them in again.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt
import pytest
import soundfile

from seance.audio import portaudio
from tests.workers import REALTIME

PACKAGES = "pulseaudio pulseaudio-utils libasound2-plugins libportaudio2"
RATE = 16000
START_SECONDS = 10.0
FOUR_CHANNELS = "front-left,front-right,rear-left,rear-right"
"""What ALSA calls them; by other names PulseAudio would mix them."""

Samples = npt.NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Sink:
    """A null sink: what is played into it can be heard at its monitor."""

    name: str
    rate: int = RATE
    channels: int = 1

    @property
    def arguments(self) -> str:
        # Without norewinds an idle sink wakes every two seconds, and so late does a microphone begin to hear.
        sink = f"module-null-sink sink_name={self.name} rate={self.rate} channels={self.channels} norewinds=1"
        return f"{sink} channel_map={FOUR_CHANNELS}" if self.channels == 4 else sink


@dataclass
class SoundRig:
    """A sound server of our own; `room` is the default microphone, `speaker` the default loudspeaker."""

    folder: Path
    sinks: list[Sink] = field(default_factory=lambda: [Sink("speaker"), Sink("room")])
    microphones: dict[str, str] = field(default_factory=lambda: {"room": "room.monitor"})
    """What PortAudio calls a microphone, and whose sound it hears."""
    server: subprocess.Popen[bytes] | None = None

    @property
    def environment(self) -> dict[str, str]:
        """What a process under test needs in its environment."""
        return {
            "PULSE_SERVER": f"unix:{self.folder / 'native'}",
            "XDG_RUNTIME_DIR": str(self.folder),
            "ALSA_CONFIG_PATH": str(self.folder / "asound.conf"),
        }

    def start(self) -> None:
        """Plug everything in, and return when it answers."""
        self._write_alsa_config()
        # The socket comes last: who can connect finds every sink.
        modules = [sink.arguments for sink in self.sinks]
        modules.append(f"module-native-protocol-unix socket={self.folder / 'native'} auth-anonymous=1")
        command = [
            "pulseaudio",
            "-n",
            "--daemonize=no",
            "--use-pid-file=no",
            "--exit-idle-time=-1",
            "--disable-shm=yes",
        ]
        command += [word for module in modules for word in ("-L", module)]
        with (self.folder / "pulseaudio.log").open("ab") as log:
            self.server = subprocess.Popen(command, stdout=log, stderr=log, env=self._environ())
        deadline = time.monotonic() + START_SECONDS
        while subprocess.run(["pactl", "info"], capture_output=True, env=self._environ()).returncode:
            if self.server.poll() is not None or time.monotonic() > deadline:
                self.stop()
                pytest.fail(f"pulseaudio did not start:\n{(self.folder / 'pulseaudio.log').read_text()}")

    def stop(self) -> None:
        """Unplug everything."""
        server, self.server = self.server, None
        if server is not None:
            server.send_signal(signal.SIGCONT)
            server.terminate()
            try:
                server.wait(5)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
        (self.folder / "native").unlink(missing_ok=True)

    def freeze(self) -> None:
        """Let the devices deliver nothing more, without an end."""
        assert self.server is not None
        self.server.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """End a `freeze`."""
        assert self.server is not None
        self.server.send_signal(signal.SIGCONT)

    def add_microphone(self, name: str, rate: int = RATE, channels: int = 1) -> None:
        """Plug in one more microphone; PortAudio sees it when it is initialised the next time."""
        sink = Sink(name, rate, channels)
        self.sinks.append(sink)
        self.microphones[name] = f"{name}.monitor"
        self._write_alsa_config()
        if self.server is not None:
            self._tool("pactl", "load-module", *sink.arguments.split())

    def hold_microphone_to_speaker(self, name: str = "loopback") -> None:
        """Add a microphone that hears what the loudspeaker plays, and nothing else."""
        self.microphones[name] = "speaker.monitor"
        self._write_alsa_config()

    def speak_in_room(self, wav: Path, microphone: str = "room") -> None:
        """Play *wav* to *microphone*, and return when it has been said."""
        self._tool("paplay", f"--device={microphone}", *channel_map(wav), str(wav))

    @contextmanager
    def speaking_in_room(self, wav: Path, microphone: str = "room") -> Iterator[subprocess.Popen[bytes]]:
        """Play *wav* to *microphone* while something else goes on; cut off what is left of it at the end."""
        player = subprocess.Popen(["paplay", f"--device={microphone}", str(wav)], env=self._environ())
        try:
            yield player
        finally:
            player.terminate()
            player.wait()

    def record_speaker(self, seconds: float) -> Samples:
        """Return what the room hears from the loudspeaker from now on, 16 kHz mono."""
        with self._recorder() as recorder:
            assert recorder.stdout is not None
            return np.frombuffer(recorder.stdout.read(round(seconds * RATE) * 2), np.int16)

    @contextmanager
    def recording_speaker(self, after: float = 0.3) -> Iterator[list[Samples]]:
        """Record the loudspeaker in the body and *after* seconds more; the list has it afterwards."""
        heard: list[Samples] = []
        began, ended, chunks = threading.Event(), threading.Event(), bytearray()

        def take(sound: IO[bytes]) -> None:
            left = round(after * RATE) * 2
            while left > 0 and (chunk := sound.read(640)):
                chunks.extend(chunk)
                began.set()
                left -= len(chunk) if ended.is_set() else 0

        with self._recorder() as recorder:
            assert recorder.stdout is not None
            taker = threading.Thread(target=take, args=(recorder.stdout,))
            taker.start()
            assert began.wait(5), "the recorder hears nothing"
            yield heard
            ended.set()
            taker.join(after + 5)
        heard.append(np.frombuffer(bytes(chunks), np.int16))

    @contextmanager
    def _recorder(self) -> Iterator[subprocess.Popen[bytes]]:
        command = f"parecord --raw --format=s16le --rate={RATE} --channels=1 --latency-msec=20 --device=speaker.monitor"
        with subprocess.Popen(command.split(), stdout=subprocess.PIPE, env=self._environ()) as recorder:
            try:
                yield recorder
            finally:
                recorder.terminate()

    def _write_alsa_config(self) -> None:
        speaker = "playback.pcm { type pulse device speaker }"
        lines = [
            f"pcm.!default {{ type asym {speaker} capture.pcm {{ type pulse device room.monitor }} }}",
            f"pcm.speaker {{ type asym {speaker} }}",
        ]
        lines += [
            f'pcm."{name}" {{ type asym capture.pcm {{ type pulse device "{source}" }} }}'
            for name, source in self.microphones.items()
        ]
        (self.folder / "asound.conf").write_text("\n".join(lines) + "\n")

    def _tool(self, *command: str) -> None:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=60, env=self._environ())

    def _environ(self) -> dict[str, str]:
        return {**os.environ, **self.environment}


def channel_map(wav: Path) -> list[str]:
    """Return the option that plays each channel of a file of four into the same channel of a sink of four."""
    return [f"--channel-map={FOUR_CHANNELS}"] if soundfile.info(wav).channels == 4 else []


def require_packages() -> None:
    """Fail, naming the packages, where this machine cannot have a rig."""
    tools = ("pulseaudio", "pactl", "paplay", "parecord")
    missing = [tool for tool in tools if shutil.which(tool) is None]
    plugin = "alsa-lib/libasound_module_pcm_pulse.so"
    if not any(any(Path("/usr").glob(f"{place}/{plugin}")) for place in ("lib", "lib64", "lib/*")):
        missing.append("ALSA's pulse plugin")
    try:
        portaudio.library()
    except portaudio.NoPortAudio:
        missing.append("PortAudio")
    if missing:
        pytest.fail(f"the sound rig lacks {', '.join(missing)}: apt-get install {PACKAGES}", pytrace=False)


@pytest.fixture
def sound_rig(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[SoundRig]:
    """A running rig that PortAudio in this process sees; all gone afterwards."""
    assert request.node.nodeid.startswith(REALTIME), "hears real sound: name its file in tests/workers.py"
    require_packages()
    # A socket's path must be short, so it is not pytest's own folder.
    with tempfile.TemporaryDirectory(prefix="rig-", ignore_cleanup_errors=True) as folder:
        rig = SoundRig(Path(folder))
        try:
            with monkeypatch.context() as patch:
                for name, value in rig.environment.items():
                    patch.setenv(name, value)
                rig.start()
                portaudio.reinitialise()
                yield rig
        finally:
            rig.stop()
            portaudio.reinitialise()
