"""Results of simulated nights as JSON, as text at the terminal, and as a heat map."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

from rich.console import Console
from rich.table import Table
from rich.text import Text

from seance.simulation.heatmap import Cell, Panel, colour, draw_heatmap
from seance.simulation.play import NightTally, Series

SeriesTallies: TypeAlias = Sequence[tuple[Series, NightTally]]


def as_json(series: Series, tally: NightTally) -> dict[str, Any]:
    """Return the results of *series* as a JSON object."""
    found = tally.hours.total()
    return {
        "edition": series.edition,
        "variant": series.variant,
        "players": series.players,
        "level": series.level,
        "seed": series.seed,
        "bot": series.bot,
        "skill": series.skill,
        "accuracy": series.accuracy,
        "games": tally.games,
        "won": tally.won,
        "lost": tally.games - tally.won,
        "win_rate": tally.win_rate,
        "interval": tally.interval,
        "reasons": dict(tally.reasons.most_common()),
        "hours": {str(hour): tally.hours[hour] for hour in sorted(tally.hours)},
        "mean_hour": sum(hour * nights for hour, nights in tally.hours.items()) / found if found else None,
        "commands": tally.commands,
        "commands_per_night": tally.commands / tally.games,
        "nights_per_second": tally.games / tally.seconds,
    }


def print_one(series: Series, tally: NightTally, speed: float) -> None:
    """Print the results of one series; *speed* is in nights a second."""
    figures = as_json(series, tally)
    low, high = tally.interval
    console = Console(highlight=False)
    console.print(f"\n[bold]{_series_name(series)}[/]: {_played_by(series)}\n")
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", justify="right")
    grid.add_column()
    rate = (
        f"[bold]{tally.win_rate:.1%}[/]  {tally.won} of {tally.games}; {low:.1%} to {high:.1%} with a confidence of 95%"
    )
    grid.add_row("won", rate)
    reasons = {reason.replace("_", " "): nights for reason, nights in figures["reasons"].items()}
    grid.add_row("ended", _bars(reasons, tally.games))
    if tally.hours:
        grid.add_row(
            "last card", _bars({f"hour {hour}": nights for hour, nights in figures["hours"].items()}, tally.games)
        )
        grid.add_row("", f"found in hour {figures['mean_hour']:.1f} on average")
    grid.add_row("commands", f"{figures['commands_per_night']:.0f} a night")
    grid.add_row("speed", f"{speed:.0f} nights a second")
    console.print(grid)
    console.print()


def _series_name(series: Series) -> str:
    words = [series.edition, *([series.variant] if series.variant else []), series.level, f"{series.players} players"]
    return ", ".join(words).replace("_", " ")


def _played_by(*all_series: Series) -> str:
    """Return who plays series that differ in the skill of the company at the most."""
    skills = " or ".join(f"{skill:g}" for skill in _skills(all_series))
    who = "chance plays" if all_series[0].bot == "random" else f"a company of skill {skills}"
    return f"{who}, seed {all_series[0].seed}, {all_series[0].games} nights"


def _skills(all_series: Iterable[Series]) -> list[float]:
    return sorted({series.skill for series in all_series})


def _bars(counts: Mapping[str, int], whole: int) -> Table:
    """Return a table of *counts* with bars in proportion to their share of *whole*."""
    table = Table.grid(padding=(0, 2))
    table.add_column()
    table.add_column(justify="right")
    table.add_column()
    for name, count in counts.items():
        eighths = round(count / whole * 30 * 8)
        bar = "█" * (eighths // 8) + ("", *"▏▎▍▌▋▊▉")[eighths % 8]
        table.add_row(name, f"{count / whole:.1%}", Text(bar, style="magenta"))
    return table


def print_all(played: SeriesTallies, picture: Path, speed: float) -> None:
    """Print the table of win rates; *speed* is in nights a second."""
    console = Console(highlight=False)
    players = sorted({series.players for series, _ in played})
    table = Table(
        title=f"Nights won, by number of players: {_played_by(*(series for series, _ in played))} each",
        title_style="bold",
    )
    table.add_column("edition", style="bold")
    table.add_column("level")
    for count in players:
        table.add_column(str(count), justify="center", min_width=4)
    for panel in _panels(played):
        for row in panel.rows:
            cells = [_rate_text(panel.cells.get((row, count))) for count in players]
            table.add_row(panel.name if row == panel.rows[0] else "", row.replace("_", " "), *cells)
        table.add_section()
    console.print(table)
    console.print(f"{speed:.0f} nights a second; the picture is in {picture}")


def _rate_text(cell: Cell | None) -> Text:
    """Return a win rate, or nothing where the edition is not for so many players."""
    return Text() if cell is None else Text(f"{cell.rate:4.0%}", style=colour(max(cell.rate, 0.2)))


def draw_win_rates(played: SeriesTallies) -> str:
    """Return the win rates as a heat map in SVG."""
    return draw_heatmap(
        _panels(played),
        title="How often the séance succeeds",
        subtitle=f"{_played_by(*(series for series, _ in played))} each",
        across=max(2, len(_skills(series for series, _ in played))),
    )


def tabulate_win_rates(played: SeriesTallies) -> str:
    """Return the win rates with their intervals as tables in Markdown, one for each edition."""
    all_series, skills = [series for series, _ in played], _skills(series for series, _ in played)
    lines = [
        "# Win rates in numbers",
        "",
        f"How often the séance succeeds: {_played_by(*all_series)} each. The interval holds with a confidence of 95 %.",
    ]
    for edition in dict.fromkeys(series.edition for series in all_series):
        lines += ["", f"## {edition}", "", f"| level | players |{''.join(f' skill {skill:g} |' for skill in skills)}"]
        lines += [f"|---|---|{'---|' * len(skills)}"]
        rows: dict[tuple[str, int], list[str]] = {}
        for series, tally in played:
            if series.edition == edition:
                low, high = tally.interval
                text = f" {tally.win_rate:.1%} ({low:.1%} to {high:.1%}) |"
                rows.setdefault((series.level.replace("_", " "), series.players), []).append(text)
        lines += [f"| {level} | {players} |{''.join(cells)}" for (level, players), cells in rows.items()]
    return "\n".join([*lines, ""])


def _panels(played: SeriesTallies) -> list[Panel]:
    """Return a panel for each edition and skill."""
    skills, panels = _skills(series for series, _ in played), []
    for edition, skill in product(dict.fromkeys(series.edition for series, _ in played), skills):
        own = [(series, tally) for series, tally in played if (series.edition, series.skill) == (edition, skill)]
        cells = {(series.level, series.players): _cell(series, tally) for series, tally in own}
        levels, players = (tuple(dict.fromkeys(kinds)) for kinds in zip(*cells, strict=True))
        name = edition if len(skills) == 1 else f"{edition}, skill {skill:g}"
        panels.append(Panel(name, levels, players, cells))
    return panels


def _cell(series: Series, tally: NightTally) -> Cell:
    low, high = tally.interval
    return Cell(tally.win_rate, f"{_series_name(series)}: {tally.win_rate:.1%} ({low:.1%} to {high:.1%})")
