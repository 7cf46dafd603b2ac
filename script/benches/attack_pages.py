"""Destroys each page of a journal of many nights in turn, and damages it at random: every sound night must come back."""

import tempfile
from pathlib import Path
from typing import Any

from script.benches.attack_report import Report
from script.benches.journal import measure_recovery

NIGHTS = 50
"""In the journal that is damaged."""


def run(seed: int, count: int, nights: int = NIGHTS) -> Report:
    """Destroy every page of a journal of *nights* once, and try *count* random damages of *seed*."""
    report = Report("pages")
    with tempfile.TemporaryDirectory() as folder:
        found: dict[str, Any] = measure_recovery(Path(folder), nights=nights, random_damages=count, seed=seed)
    for name in ("each page", "random"):
        recovery = found[name]
        report.count += recovery["damages"]
        report.lost += recovery["wrong"]
        missing = recovery["recoverable"] - recovery["recovered"]
        missing += recovery["unfinished_recoverable"] - recovery["unfinished_recovered"]
        if missing:
            report.lost.append(f"{name}: {missing} nights are not recovered")
    return report
