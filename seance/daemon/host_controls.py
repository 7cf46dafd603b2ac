"""The host's controls: which reply each control leads to, and the limits of the volume."""

from collections.abc import Mapping
from dataclasses import replace

from seance.dialogue import replies as r

MAX_VOLUME_STEPS = 5
"""Steps of volume above and below where the evening began."""

REPLY_TO_CONTROL: Mapping[str, r.Reply] = {
    "louder": r.Volume(louder=True),
    "quieter": r.Volume(louder=False),
    "speaker_test": r.SpeakerTest(),
    "lights_test": r.LightsTest(),
}


def change_volume(steps: int, reply: r.Volume) -> tuple[int, r.Volume]:
    """Return the volume in steps after *reply*, and *reply* with `limit` set if it was at its limit already."""
    after = max(-MAX_VOLUME_STEPS, min(MAX_VOLUME_STEPS, steps + (1 if reply.louder else -1)))
    return after, replace(reply, limit=after == steps)
