"""The owner's settings: one frozen Settings read from one TOML file, with errors that name line and key."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from seance.languages import DEFAULT_LANGUAGE, language_codes
from seance.mqtt_settings import MqttSection
from seance.rules.editions import EDITIONS, LARGE_TRACK, LIBELLUD, POSSIBLE_PLAYERS, SMALL_TRACK
from seance.sound_settings import (
    HearingSection,
    MicrophoneSection,
    PositiveInt,
    SpeakerSection,
    VoiceSection,
    VolumeFactor,
)
from seance.text_files import BadTextFile, at_line, expand_path, line_of, parse_toml, read_text, shorten


class BadSettings(BadTextFile):
    """The settings file is invalid; the message names file, line and key."""


class TrackLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the levels of one side of the clairvoyancy track begin (points)."""

    intermediate: PositiveInt
    high: PositiveInt

    def __post_init__(self) -> None:
        if self.high <= self.intermediate:
            raise ValueError("`high` must be beyond `intermediate`")


class TokenFacesSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many of a psychic's clairvoyancy tokens agree, and how many disagree; none is no limit."""

    agree: PositiveInt | None = None
    disagree: PositiveInt | None = None


class ClairvoyancySection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is printed on the clairvoyancy track and on the tokens."""

    small_table: TrackLimits = TrackLimits(SMALL_TRACK.intermediate, SMALL_TRACK.high)
    """The side for 4 and 5 players."""
    large_table: TrackLimits = TrackLimits(LARGE_TRACK.intermediate, LARGE_TRACK.high)
    """The side for 6 and 7 players."""
    small_tokens: TokenFacesSection = TokenFacesSection()
    """The tokens of a psychic with 4 and 5 players."""
    large_tokens: TokenFacesSection = TokenFacesSection()
    """With 6 and 7 players."""


class AddedCards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers of cards that an owner adds to an edition, from an expansion."""

    character: tuple[PositiveInt, ...] = ()
    location: tuple[PositiveInt, ...] = ()
    object: tuple[PositiveInt, ...] = ()


class MoreCardsSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cards that an owner adds, with a field for each edition."""

    def of(self, edition: str) -> AddedCards:
        """Return the cards that are added to *edition*."""
        added: AddedCards = getattr(self, edition, AddedCards())
        return added


if not TYPE_CHECKING:
    MoreCardsSection = msgspec.defstruct(
        "MoreCardsSection",
        [(edition, AddedCards, AddedCards()) for edition in EDITIONS],
        bases=(MoreCardsSection,),
        module=__name__,
        frozen=True,
        forbid_unknown_fields=True,
    )


class NamesSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the owner calls the psychics."""

    blue: str = "Alphonse de Belcour"
    white: str = "Ardhashir"
    red: str = "Madam Wang"
    yellow: str = "Alma Salvador"
    purple: str = "Jessalyn Smith"
    black: str = "Conrad MacDowell"


class GameSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game that is played when nobody says otherwise."""

    edition: str = LIBELLUD.name
    players: Annotated[int, msgspec.Meta(ge=POSSIBLE_PLAYERS[0], le=POSSIBLE_PLAYERS[-1])] = 0
    """Five without a number, or as near to that as the edition has."""
    level: Annotated[str, msgspec.Meta(min_length=1)] = ""
    """The edition's first without one."""
    visions: Literal["table", "dealt"] = "table"
    """Whether the ghost holds the vision cards of the box, or the house deals them as numbers to the ghost's page."""
    sand: Literal["strict", "soft", "on_request", "off"] = "strict"
    """How strictly the sand is kept, in editions that have one; see `SandMode`."""
    sand_seconds: Annotated[int, msgspec.Meta(ge=10, le=3600)] | None = None
    """How long the sand runs (seconds); as printed without a number."""

    def __post_init__(self) -> None:
        if self.edition not in EDITIONS:
            raise ValueError(f"`edition`: no edition is called {shorten(self.edition)!r}: one of {', '.join(EDITIONS)}")
        edition = EDITIONS[self.edition]
        if not self.players:
            usual = min(max(5, edition.least_players), edition.most_players)
            msgspec.structs.force_setattr(self, "players", usual)
        if not self.level:
            msgspec.structs.force_setattr(self, "level", next(iter(edition.levels)))
        if self.players not in edition.players:
            limits = f"{edition.least_players} to {edition.most_players}"
            raise ValueError(f"`players`: {self.edition} is for {limits} players, not {self.players}")
        if self.level not in edition.levels:
            problem = f"{self.edition} has no level {shorten(self.level)!r}"
            raise ValueError(f"`level`: {problem}: one of {', '.join(edition.levels)}")


class AmbienceSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Background sound and music while nobody speaks."""

    on: bool = True
    volume: VolumeFactor = 1.0
    music: str | None = None
    """A folder with music of your own, played instead of ours."""


class EarconsSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Short sounds for heard, understood, refused, done and time."""

    on: bool = True
    volume: VolumeFactor = 1.0


class TellingSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How an evening is narrated."""

    pace: Literal["full", "brisk", "silent"] = "full"
    """Everything, one short line each, or only earcons, lights and knocks."""
    opening: Literal["long", "short", "skipped"] = "short"
    """How much of the story comes first, where nobody says; a guest may choose for a night."""
    lore: str | None = None
    """Whose story is told in every edition: a file of `voices/<language>/lore`, such as "craigmorrow", or the path of a
    file of your own; each edition has its own without one."""
    tone: Literal["usual", "family"] = "usual"
    """`family` leaves out what younger ears should not hear."""
    first_night: bool = True
    """Whether the rules are taught as they are needed."""
    reading_speed: Annotated[float, msgspec.Meta(ge=0, le=10)] = 1.0
    """How fast a line is read that nobody can hear: 1 is 15 characters a second; 0 does not wait."""
    lines: str | None = None
    """A file with lines of your own, over those of `voices/<language>/script.toml`."""


class BodySection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The lights, buttons and knocker."""

    board: str = "breadboard"
    """A board of `hardware/boards`, or a board file of your own; where there are no pins, the virtual one."""


class JournalSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where nights are recorded."""

    path: str | None = None
    """The folder; in the user's own folder for data without one."""


class WebSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pages: the ghost's seat, and the table."""

    listen: Literal["network", "loopback", "off"] = "network"
    """Who can open them: everybody in the local network, this machine alone, or nobody."""
    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 8013
    """TCP port; 0 is any that is free."""
    name: str | None = None
    """What the machine is called in the network, where Avahi runs; its own name without one."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that an owner can choose; every field has a default."""

    language: str = DEFAULT_LANGUAGE
    """The code of a folder in `voices/`."""
    game: GameSection = GameSection()
    clairvoyancy: ClairvoyancySection = ClairvoyancySection()
    more_cards: MoreCardsSection = MoreCardsSection()
    names: NamesSection = NamesSection()
    hearing: HearingSection = HearingSection()
    microphone: MicrophoneSection = MicrophoneSection()
    speaker: SpeakerSection = SpeakerSection()
    voice: VoiceSection = VoiceSection()
    ambience: AmbienceSection = AmbienceSection()
    earcons: EarconsSection = EarconsSection()
    telling: TellingSection = TellingSection()
    body: BodySection = BodySection()
    journal: JournalSection = JournalSection()
    web: WebSection = WebSection()
    mqtt: MqttSection = MqttSection()


_PATHS = (
    ("hearing", "names"),
    ("telling", "lines"),
    ("telling", "lore"),
    ("ambience", "music"),
    ("microphone", "keep_sound"),
    ("voice", "name"),
    ("body", "board"),
    ("journal", "path"),
    ("mqtt", "password_file"),
    ("mqtt", "ca"),
)
"""The settings that can be paths, each with its section."""


def default_path(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the path of this user's settings file, which need not exist."""
    home = environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "seance" / "settings.toml"


def journal_path(settings: Settings, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the path of the journal, which need not exist."""
    if settings.journal.path is not None:
        return expand_path(settings.journal.path)
    home = environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "seance" / "nights"


def load(path: Path | None = None) -> Settings:
    """Return the settings in *path*; without a path those of this user, or the defaults where there is no file."""
    named = path is not None
    path = path or default_path()
    if not named and not path.exists():
        return Settings()
    return parse(read_text(path, BadSettings), str(path))


def parse(text: str, source: str = "settings") -> Settings:
    """Return the settings in the TOML *text*, or raise BadSettings naming *source*, line and key."""
    try:
        settings = msgspec.convert(parse_toml(text, source, BadSettings), type=Settings)
    except msgspec.ValidationError as error:
        key, problem = _key_and_problem(str(error))
        raise BadSettings(_complaint(text, source, key, problem)) from None
    if settings.language not in (codes := language_codes()):
        problem = f"there is no language {shorten(repr(settings.language))}: one of {', '.join(codes)}"
        raise BadSettings(_complaint(text, source, ["language"], problem))
    for section, name in _PATHS:
        try:
            path = expand_path(getattr(getattr(settings, section), name) or "")
            if section == "journal" and settings.journal.path is not None:
                _check_journal(path)
        except ValueError as error:
            raise BadSettings(_complaint(text, source, [section, name], str(error))) from None
    return settings


def locate(key: str, path: Path | None = None) -> str | None:
    """Return the file, the line and *key* for an error message; None where the settings in *path* do not set it."""
    path = path or default_path()
    try:
        text = read_text(path)
        section, name = key.split(".")
        if name not in parse_toml(text, str(path)).get(section, {}):
            return None
    except BadTextFile:
        return None
    return f"{at_line(str(path), line_of(text, [section, name]))}: {key}"


def _check_journal(path: Path) -> None:
    """Raise ValueError where *path* is a device, which the journal must neither read nor move out of its way."""
    try:
        if path.exists() and not (path.is_dir() or path.is_file()):
            raise ValueError(f"{path} is no folder: name one")
    except PermissionError:
        pass  # the journal says so, and the night goes on in memory


def _complaint(text: str, source: str, key: list[str], problem: str) -> str:
    return f"{at_line(source, line_of(text, key))}: {shorten('.'.join(key)) or 'settings'}: {problem}"


def _key_and_problem(message: str) -> tuple[list[str], str]:
    """Return the key that msgspec's error *message* is about, and what is wrong with it."""
    problem, _, path = message.partition(" - at `")
    key = [part for part in re.split(r"\.|\[[^]]*\]", path.strip("`$")) if part]
    if of_section := re.match(r"`(\w+)`: ", problem):
        return [*key, of_section[1]], problem[of_section.end() :]
    if unknown := re.search(r"unknown field `([^`]+)`", problem):
        return [*key, unknown[1]], "there is no such setting"
    if problem.startswith("Invalid enum value"):
        problem = f"{problem}: one of {', '.join(_choices(key))}"
    return key, problem[0].lower() + problem[1:]


def _choices(key: list[str]) -> tuple[str, ...]:
    """Return the literals that are allowed at *key*."""
    kind: Any = Settings
    for part in key:
        kind = get_type_hints(kind)[part]
    literals = [each for each in get_args(kind) if get_origin(each) is Literal]
    return get_args(literals[0] if literals else kind)
