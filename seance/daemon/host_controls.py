"""What the host wants from a page, and how loud the house may get; none of it changes the game."""

from collections.abc import Mapping
from dataclasses import replace

from seance.dialogue import replies as r

LOUDEST = 5
"""Steps of volume above and below where the evening began."""

ANSWERED_BY: Mapping[str, r.Reply] = {
    "louder": r.Volume(louder=True),
    "quieter": r.Volume(louder=False),
    "speaker_test": r.SpeakerTest(),
    "lights_test": r.LightsTest(),
}
"""What the room perceives of a wish."""


def limited(loudness: int, reply: r.Volume) -> tuple[int, r.Volume]:
    """Return how loud it is after *reply*, and *reply* with whether it can go no further."""
    after = max(-LOUDEST, min(LOUDEST, loudness + (1 if reply.louder else -1)))
    return after, replace(reply, limit=after == loudness)
