"""How the correction of an answer changes the state (S7)."""

from seance.rules import events as e
from seance.rules.state import State


def answer_corrected(state: State, event: e.AnswerCorrected) -> State:
    """Return the state with a card that was found wrongly back on the table, and its visions before the psychic."""
    search = state.search(event.psychic)
    card = search.found_now
    if card is None:
        return state
    # Visions that were shuffled into a new pile meanwhile stay there.
    deck, cards = state.deck, tuple(each for each in search.vision_cards_then if each in state.deck.discard)
    search = search._replace(
        found=search.found[:-1],
        visions=len(cards) if search.vision_cards_then else search.visions_then,
        vision_cards=cards,
        found_now=None,
        visions_then=0,
        vision_cards_then=(),
    )
    deck = deck._replace(discard=tuple(each for each in deck.discard if each not in cards))
    return state.with_search(search, deck=deck, table=state.table.with_card(card, state.setup.laid_out))


def moved_back(state: State, event: e.ClairvoyancyTakenBack) -> State:
    """Return the state with a marker moved back."""
    search = state.search(event.psychic)
    return state.with_search(search._replace(clairvoyancy=search.clairvoyancy - event.spaces))
