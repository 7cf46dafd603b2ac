"""Encodes the two states that pages receive: the table's never holds a secret, the ghost's is for one device."""

from collections.abc import Mapping
from typing import Any

import msgspec

from seance.codec import view_fields
from seance.rules import RoomView
from seance.web.page_state import EditionInfo, PageState, SandView


class StaticPageData(msgspec.Struct, frozen=True, kw_only=True):
    """What stays the same all evening."""

    words: Mapping[str, msgspec.Raw]
    """The texts on the pages as JSON, by edition."""
    names: Mapping[str, str]
    """Names of psychics, by colour."""
    cards: Mapping[str, str]
    """Names of cards, by number."""
    marks: Mapping[str, str]
    """What the marks of asking phones are called, by key."""
    address: str
    address_in_digits: str | None = None
    """The IP address and port, for phones that cannot scan or know no names."""
    qr: tuple[int, str] | None = None
    """The QR code of the address: its width in modules, and an SVG path of the dark ones."""
    languages: Mapping[str, str]
    """What each language calls itself, by code."""

    def of(self, edition: str) -> msgspec.Raw:
        """Return the texts in the words of *edition*, or of the first one if there is none of that name."""
        return self.words.get(edition) or next(iter(self.words.values()))


def encode_table_state(
    page: PageState, static: StaticPageData, *, now: float, level: float | None, here: bool = False
) -> bytes:
    """Return the state for the table's and the host's page, without secrets; *here* for a page on this machine."""
    digits = page.seat_digits
    return msgspec.json.encode(
        _common_fields(page, page.told_room, static, now)
        | {
            "pace": page.pace,
            "lights": page.lights,
            "said": page.said,
            "heard": page.heard,
            "next": page.what_next,
            "touch": _touch_fields(page.touch, here=here),
            "tried": page.tried,
            "talk": page.talk,
            "chairs": page.chairs,
            "culprit": page.culprit,
            "qr": static.qr,
            "story": page.is_story_told,
            "laying": page.is_table_being_laid,
            "address": static.address,
            "address_in_digits": static.address_in_digits,
            "names_all_three": page.edition_info.names_all_three,
            "level": {"microphone": level},
            "chronicle": page.has_chronicle,
            "seat_code": None if digits is None else {"digits": digits if here else None},
        }
    )


def encode_ghost_state(page: PageState, static: StaticPageData, device: str, *, now: float) -> bytes:
    """Return the state for the ghost's page on *device*, with secrets only if it holds the seat."""
    given = page.seat.holder == device
    mine = given and not page.seat.unclaimed
    room = page.current_room if mine else page.told_room
    secrets = page.ghost_view if mine else None
    return msgspec.json.encode(
        _common_fields(page, room, static, now)
        | {
            "mine": mine,
            "given": given,
            "mark": static.marks.get(page.seat.mark) if page.seat.asked == device else None,
            "secret": secrets and secrets.secret,
            "hand": secrets and secrets.hand,
            "served": secrets.served if secrets else (),
            "culprit": secrets and secrets.culprit,
            "visions": "dealt" if page.visions_dealt else "table",
            "deal": "manor" if room is None else room.deal,
            "crow": "hand" if page.edition_info.crow_takes_hand else "any",
            "most_visions": page.edition_info.hand,
            "may": page.ghost_commands if mine else (),
            "serve": page.serve_next if mine else None,
        }
    )


def encode_psychic_state(page: PageState, static: StaticPageData, device: str | None, *, now: float) -> bytes:
    """Return the state for a psychic's page on *device*: what the table shows, and whose seat it holds."""
    seats, info = page.psychic_seats, page.edition_info
    mine = seats.psychics_of(device)
    is_asking = device is not None and seats.asked == device
    return msgspec.json.encode(
        _common_fields(page, page.told_room, static, now)
        | {
            "mine": mine,
            "mark": static.marks.get(seats.mark) if is_asking else None,
            "asked": seats.asked_psychics,
            "seats": [{"psychics": each, "taken": each[0] in seats.holders} for each in page.players_psychics],
            "tried": {colour: page.tried.get(colour, ()) for colour in mine},
            "next": page.what_next,
            "said": page.said[-1:],
            "asks": page.asks_yes_or_no,
            "can_talk": page.can_hear,
            "talk": page.talk,
            "story": page.is_story_told,
            "laying": page.is_table_being_laid,
            "ballot": info.ballot,
            "names_all_three": info.names_all_three,
            "chronicle": page.has_chronicle,
        }
    )


def _touch_fields(touch: Mapping[str, Any], *, here: bool) -> Mapping[str, Any]:
    """Return *touch* for a table's page; a yes about the ghost's seat is offered on this machine only."""
    if here or not touch.get("is_about_seat"):
        return touch
    return {**touch, "answers": [each for each in touch["answers"] if each["intent"] != "yes"]}


def edition_fields(info: EditionInfo) -> dict[str, Any]:
    """Return the fields of a state that describe its edition."""
    track = info.track and {"intermediate": info.track[0], "high": info.track[1]}
    return {
        "edition": info.name,
        "turns": info.turns,
        "order": info.order,
        "track": track,
        "shared_vision_cards": info.shared_vision_cards,
        "lineup_kinds": info.lineup_kinds,
    }


def _common_fields(page: PageState, room: RoomView | None, static: StaticPageData, now: float) -> dict[str, Any]:
    return {
        "n": page.version,
        "language": page.language,
        "night": None if room is None else view_fields(room),
        "sand": _sand_fields(page.sand, now),
        "paused": page.paused,
        **edition_fields(page.edition_info),
        "names": static.names,
        "cards": static.cards,
        "seat": page.seat.status,
        "help": page.help,
        "words": static.of(page.edition_info.name),
    }


def _sand_fields(sand: SandView | None, now: float) -> dict[str, Any] | None:
    if sand is None:
        return None
    return {"left": round(sand.left_at(now), 1), "of": sand.turn_s, "running": sand.running}
