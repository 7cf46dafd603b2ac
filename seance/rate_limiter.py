"""Limits on how often somebody may ask for something."""

from collections import OrderedDict
from collections.abc import Callable

_MAX_ADDRESSES = 256
"""How many addresses a rate limiter remembers."""


class RateLimiter:
    """A token bucket for each address, and one for all addresses together."""

    def __init__(
        self, *, burst: int, interval_s: float, clock: Callable[[], float], total_burst: int | None = None
    ) -> None:
        """Allow *burst* requests at once and one more every *interval_s*; *total_burst* for all addresses together."""
        self._burst, self._interval_s, self._clock, self._total_burst = burst, interval_s, clock, total_burst
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """Tokens left and when that was, by address; the address of all together is empty."""

    def allows(self, address: str) -> bool:
        """Count a request from *address*, and tell whether it is within the limits."""
        if not self._take_token(address, self._burst):
            return False
        return self._total_burst is None or self._take_token("", self._total_burst)

    def _take_token(self, address: str, burst: int) -> bool:
        now = self._clock()
        left, at = self._buckets.pop(address, (float(burst), now))
        left = min(float(burst), left + (now - at) / self._interval_s)
        self._buckets[address] = (left - 1 if left >= 1 else left, now)
        while len(self._buckets) > _MAX_ADDRESSES:
            self._buckets.popitem(last=False)
        return left >= 1
