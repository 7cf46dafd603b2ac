"""What one slice of an attack found, and how it is shown."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

MAX_SHOWN = 20
"""Of the findings of a slice."""


@dataclass
class Report:
    """The findings of one slice."""

    attack: str
    count: int = 0
    """How many lines, requests, kills, damages or files were tried."""
    lost: list[str] = field(default_factory=list)
    """What was told or stored and is gone, or stopped working."""
    got_in: list[str] = field(default_factory=list)
    """What somebody did or learned who may not."""
    tracebacks: list[str] = field(default_factory=list)
    """Uncaught errors and answers of the kind 5xx."""

    @property
    def holds(self) -> bool:
        """Tell whether nothing was found."""
        return not self.findings

    @property
    def findings(self) -> list[str]:
        """All that was found, each with its kind."""
        kinds = {"lost": self.lost, "in": self.got_in, "traceback": self.tracebacks}
        return [f"{kind}: {each}" for kind, found in kinds.items() for each in found]

    def row(self) -> str:
        """Return the row for the table in docs/faults.md."""
        numbers = f"{self.count:,} | {len(self.lost)} | {len(self.got_in)} | {len(self.tracebacks)}"
        return f"| {self.attack} | {numbers} | {datetime.now(UTC):%Y-%m-%d} |"


HEADER = "| attack | tried | lost | in | tracebacks | date |\n|---|---|---|---|---|---|"
"""Of the table in docs/faults.md."""
