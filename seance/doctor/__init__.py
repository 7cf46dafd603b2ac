"""Checks of every part of the installation, each with a finding in plain words and what to do about it."""

from seance.doctor.checks import DoctorSettings, as_rows, can_hold_a_night, run_checks
from seance.doctor.finding import CheckStatus, Finding

__all__ = ["CheckStatus", "DoctorSettings", "Finding", "as_rows", "can_hold_a_night", "run_checks"]
