"""The names of commands and events on the wire."""

import re


def wire_name(kind: type) -> str:
    """Return the name of a class of commands or events on the wire.

    >>> from seance.rules.commands import PlaceIntuition
    >>> wire_name(PlaceIntuition)
    'place_intuition'
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower()
