"""A client that plays over the wire, with the engine's views as its only knowledge."""

import json
from collections.abc import Iterable
from typing import Any

from seance.engine import Engine
from seance.rules import EDITIONS, Psychic
from tests.tables import usual_level, usual_players

COLOURS = tuple(psychic.value for psychic in Psychic)

Answer = dict[str, Any]


class Client:
    """Asks the engine, one line of JSON after another."""

    def __init__(self) -> None:
        self.engine = Engine()

    def ask(self, **line: Any) -> Answer:
        """Return the answer to *line*."""
        answer: Answer = json.loads(self.engine.answer(json.dumps(line).encode()))
        return answer

    def do(self, command: str, **fields: Any) -> list[Answer]:
        """Return the events of *command*, which must be granted."""
        answer = self.ask(command=command, **fields)
        assert answer["ok"], answer
        events: list[Answer] = answer["events"]
        return events

    def refused(self, command: str, **fields: Any) -> str:
        """Return the class name of the refusal of *command*, and check that it changed nothing."""
        seats = [{question: seat} for question in ("view", "legal") for seat in ("room", "ghost")]
        before = [self.ask(**seat) for seat in seats], self.engine.state
        answer = self.ask(command=command, **fields)
        assert not answer["ok"], answer
        assert ([self.ask(**seat) for seat in seats], self.engine.state) == before
        assert isinstance(answer["message"], str)
        refusal: str = answer["refusal"]
        return refusal

    @property
    def room(self) -> Answer:
        """What the room sees."""
        view: Answer = self.ask(view="room")["view"]
        return view

    @property
    def ghost(self) -> Answer:
        """What the ghost sees."""
        view: Answer = self.ask(view="ghost")["view"]
        return view

    def legal(self, seat: str) -> list[str]:
        """What *seat* may ask."""
        names: list[str] = self.ask(legal=seat)["legal"]
        return names

    def psychic(self, colour: str) -> Answer:
        """What everybody sees of the psychic of *colour*."""
        found: Answer = next(psychic for psychic in self.room["psychics"] if psychic["colour"] == colour)
        return found

    def searching(self) -> list[str]:
        """Who has not found all three cards."""
        return [psychic["colour"] for psychic in self.room["psychics"] if psychic["searching"] != "done"]

    def begin(
        self, edition: str = "libellud", players: int | None = None, level: str | None = None, **choices: Any
    ) -> "Client":
        """Begin a night, as usual where nothing else is said, and return the client itself."""
        players, level = players or usual_players(EDITIONS[edition]), level or usual_level(EDITIONS[edition])
        self.do("begin", edition=edition, players=players, level=level, **{"seed": 1894, **choices})
        return self

    def serve(self, *psychics: str) -> None:
        """Give one vision to each of *psychics*, or to everybody who has had none."""
        for psychic in psychics or [each for each in self.searching() if each not in self.ghost["served"]]:
            hand = self.ghost["hand"]
            self.do("give_vision", psychic=psychic, **({"cards": hand[:1]} if hand else {"count": 1}))

    def interpret(self) -> None:
        """Give all visions, and turn the sand where there is one."""
        self.serve()
        if self.room["phase"] == "visions":
            self.do("turn_sand")

    def card(self, colour: str, *, right: bool = True) -> int:
        """Return the card of a psychic, or one of the same kind that is not; dealt by hand, one for each."""
        kind = self.psychic(colour)["searching"]
        row: list[int] = self.room["table"][kind]
        secret = self.ghost["secret"]
        mine: int = secret[colour][kind] if secret else row[self.searching().index(colour)]
        return mine if right else next(card for card in row if card != mine)

    def choose(self, right: Iterable[str] = COLOURS) -> None:
        """Give all visions and let everybody choose: well who is *right*, else badly."""
        self.interpret()
        for psychic in self.searching():
            self.do("place_intuition", psychic=psychic, card=self.card(psychic, right=psychic in right))

    def hour(self, right: Iterable[str] = COLOURS, bets: Iterable[tuple[str, str]] = ()) -> None:
        """Play an hour in which those who are *right* find their card; *bets* agree."""
        self.choose(right)
        for by, on in bets:
            self.do("bet", by=by, on=on, agrees=True)
        self.do("call_time")
        self.manifest(right)

    def manifest(self, right: Iterable[str] = COLOURS) -> list[Answer]:
        """Answer everybody still searching, and return the events of the last answer."""
        events: list[Answer] = []
        for psychic in self.searching():
            by_hand = self.room["deal"] == "hand"
            events = self.do("manifest", psychic=psychic, **({"correct": psychic in right} if by_hand else {}))
        return events

    def line_up(self, hour: int = 4) -> "Client":
        """Let everybody find their three cards so that *hour* has struck, and return the client itself."""
        while self.room["hour"] < hour - 3:
            self.hour(right=())
        for _ in range(3):
            self.hour()
        return self

    def share(self, culprit: int = 1, hour: int = 4) -> "Client":
        """Come to the vote or the first accusation, and return the client itself."""
        self.line_up(hour)
        if self.room["phase"] == "lineup":
            self.do("choose_culprit", group=culprit)
        hand = self.ghost["hand"]
        cards = EDITIONS[self.room["edition"]].shared_vision_cards
        self.do("lay_shared_vision", **({"cards": hand[:cards]} if hand else {}))
        return self

    def point(self, group: int) -> None:
        """Put every ball on *group*."""
        for psychic in self.room["psychics"]:
            self.do("point_at", by=psychic["colour"], group=group)


def names(events: Iterable[Answer]) -> list[str]:
    """Return what happened, in order."""
    return [event["event"] for event in events]
