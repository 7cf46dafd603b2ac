"""What the picture of the body is labelled with, in one language."""

from dataclasses import fields

from hardware.terminal_view import ViewLabels
from seance.texts import Texts

BUTTONS = ("visions", "yes", "no", "crow", "talk", "shutdown")
"""The names of buttons on our boards."""


def body_labels(texts: Texts) -> ViewLabels:
    """Return the labels from the *texts* of the file `terminal`."""
    names = [field.name for field in fields(ViewLabels) if field.name != "button_names"]
    return ViewLabels(
        **{name: texts.unfilled(f"board.{name}") for name in names},
        button_names={button: texts(f"buttons.{button}") for button in BUTTONS},
    )
