"""Every part of the house looked at for real, and told in plain words with the fix; nothing is mended here."""

from seance.doctor.checks import Subject, as_rows, can_hold_a_night, examine
from seance.doctor.finding import Finding, State

__all__ = ["Finding", "State", "Subject", "as_rows", "can_hold_a_night", "examine"]
