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

    def allows(self, address: str, tokens: int = 1) -> bool:
        """Count a request from *address* that is worth so many *tokens*, and tell whether it is within the limits."""
        if not self._take_tokens(address, self._burst, tokens):
            return False
        return self._total_burst is None or self._take_tokens("", self._total_burst, tokens)

    def _take_tokens(self, address: str, burst: int, tokens: int) -> bool:
        now = self._clock()
        left, at = self._buckets.pop(address, (float(burst), now))
        left = min(float(burst), left + (now - at) / self._interval_s)
        self._buckets[address] = (left - tokens if left >= tokens else left, now)
        while len(self._buckets) > _MAX_ADDRESSES:
            self._buckets.popitem(last=False)
        return left >= tokens
