"""Draws where a microphone array goes on a table, and how directions are counted."""

from __future__ import annotations

import math

from hardware.wiring.ink import AMBER, BLACK, BLUE, GREEN, GREY, PALE, RED, WIDTH, Sheet

HEIGHT = 640
MIDDLE_X, MIDDLE_Y = WIDTH / 2, 330.0
TABLE_RADIUS = 150.0
SEAT_RADIUS = 215.0
GUESTS = ((60, "guest"), (120, "guest"), (180, "ghost"), (240, "guest"), (300, "guest"), (0, "guest"))


def draw_array_on_table() -> Sheet:
    """Draw a table from above, with an array in its middle."""
    sheet = Sheet("Where a microphone array goes", HEIGHT)
    sheet.text(
        WIDTH / 2, 62, "the table from above; the front is between microphones 1 and 4", size=15, anchor="middle"
    )
    sheet.dot(MIDDLE_X, MIDDLE_Y, TABLE_RADIUS, fill=PALE)
    for angle_deg, name in GUESTS:
        x, y = _at(angle_deg, SEAT_RADIUS)
        sheet.dot(x, y, 24, fill=RED if name == "ghost" else BLUE)
        sheet.text(x, y + 44, f"{name}, {angle_deg}°", size=15, anchor="middle", colour=GREY)
    sheet.dot(MIDDLE_X, MIDDLE_Y, 40, fill=GREEN)
    for number, angle_deg in enumerate((45, 135, 225, 315), 1):
        x, y = _at(angle_deg, 27)
        sheet.dot(x, y, 9, fill=BLACK)
        sheet.text(x, y + 5, str(number), size=15, anchor="middle", colour="#ffffff")
    x, y = _at(0, TABLE_RADIUS - 18)
    sheet.dot(x, y, 7, fill=AMBER)
    sheet.text(x, y + 26, "0°, front: x", size=15, anchor="middle")
    x, y = _at(90, TABLE_RADIUS - 18)
    sheet.dot(x, y, 7, fill=AMBER)
    sheet.text(x + 14, y + 6, "90°: y", size=15)
    sheet.text(20, HEIGHT - 20, "in the middle, flat, nothing on it; the loudspeaker at least 50 cm away", size=15)
    return sheet


def _at(angle_deg: float, radius: float) -> tuple[float, float]:
    """Return the place at that angle, with 0 degrees at the top and 90 on the left, as on the table's page."""
    angle = math.radians(angle_deg)
    return MIDDLE_X - radius * math.sin(angle), MIDDLE_Y - radius * math.cos(angle)
