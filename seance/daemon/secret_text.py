"""The ghost's secrets as lines for a terminal."""

from collections.abc import Mapping

from seance.rules import GhostView, Psychic
from seance.texts import Texts


def secret_lines(ghost: GhostView | None, texts: Texts, colours: Mapping[Psychic, str]) -> list[str]:
    """Return the ghost's secrets in the texts of the file `terminal`; *colours* are what psychics are called."""
    if ghost is None:
        return [texts("secrets.no_night")]
    if ghost.secret is None:
        lines = [texts("secrets.by_hand")]
    else:
        lines = [
            texts("secrets.cards", psychic=colours[psychic], cards=_join(trio.cards()))
            for psychic, trio in ghost.secret.items()
        ]
    if ghost.hand is not None:
        lines.append(texts("secrets.hand", cards=_join(ghost.hand)))
    if ghost.culprit is not None:
        lines.append(texts("secrets.culprit", group=ghost.culprit))
    return lines


def _join(cards: tuple[int, ...]) -> str:
    return ", ".join(map(str, cards))
