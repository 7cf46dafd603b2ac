"""Destroys each page of a journal of many nights in turn, and damages it at random: every sound night must come back."""

import tempfile
from pathlib import Path
from typing import Any

from script.benches import journal
from script.benches.attack_report import Report

NIGHTS = 50
"""In the journal that is damaged."""


def run(seed: int, count: int, nights: int = NIGHTS) -> Report:
    """Destroy every page once, and try *count* random damages of *seed*; nothing is tried without `measure_recovery`."""
    report = Report("pages")
    measure_recovery = getattr(journal, "measure_recovery", None)
    if measure_recovery is None:
        return report
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
