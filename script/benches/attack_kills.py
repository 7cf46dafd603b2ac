"""Kills a real `seance run` in mid-hour, with a ghost seated at a page, and compares what is back with what was told."""

import json
import re
import tempfile
import time
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import httpx

from script.benches.attack_report import Report
from seance.codec import encode, view_fields
from seance.journal import Journal
from seance.rules import room_view
from tests.web.browser.seance_process import SeanceProcess
from tests.web.running_evening import BEGUN, PATIENCE, Phone

KILLS_PER_NIGHT = 10
MAX_MOVES = 8
"""Between two kills."""
LATEST_KILL_S = 0.4
"""After the last move."""

State = dict[str, Any]


def run(seed: int, count: int) -> Report:
    """Kill *count* times, in nights of *seed*."""
    report, chance = Report("kills"), Random(f"kills with a ghost/{seed}")
    while report.count < count:
        with tempfile.TemporaryDirectory() as folder:
            night = KilledNight(Path(folder), chance, report)
            try:
                night.begin()
                night.kill(min(KILLS_PER_NIGHT, count - report.count))
            finally:
                night.end()
    return report


class KilledNight:
    """A night of red, blue and white at the pages of a real process."""

    def __init__(self, folder: Path, chance: Random, report: Report) -> None:
        self._chance, self._report = chance, report
        self._house = SeanceProcess(folder)
        self._journal = Path(tomllib.loads((folder / "settings.toml").read_text())["journal"]["path"])
        self._ghost, self._guest = Phone(self._house.address), Phone(self._house.address)
        self._told: list[State] = []
        """What pages have shown of the night, in order."""
        self._written: list[State] = []
        """What the room sees after each step that is in the journal."""

    def begin(self) -> None:
        """Begin the night, and seat the ghost."""
        for line in BEGUN:
            self._type(line)
        self._guest_state(lambda state: state["night"] is not None)
        assert self._ghost.post("/ghost/sit").status_code == 202
        self._guest_state(lambda state: state["seat"] == "asked")
        self._type("yes")
        self._guest_state(lambda state: state["seat"] == "taken")
        assert self._ghost.post("/ghost/sit").status_code == 202, "the cookie is made anew"
        self._ghost_state(lambda state: state["mine"])

    def end(self) -> None:
        """End the process."""
        self._ghost.http.close()
        self._guest.http.close()
        self._house.end()

    def kill(self, count: int) -> None:
        """Play on and kill, *count* times or until the search of the night is over."""
        for _ in range(count):
            for _ in range(self._chance.randint(1, MAX_MOVES)):
                try:
                    if not self._move():
                        return
                except (httpx.HTTPError, AssertionError, OSError) as error:
                    self._report.lost.append(f"the night does not go on after {self._report.count} kills: {error!r}")
                    return
            with suppress(httpx.HTTPError, AssertionError):
                self._move(wait=False)
            time.sleep(self._chance.uniform(0, LATEST_KILL_S))
            self._house.pull_the_plug()
            self._report.count += 1
            self._check_log()
            self._check_journal()
            self._house.start()
            self._check_restart()

    def _move(self, *, wait: bool = True) -> bool:
        """Make the next move of the ghost or of the room; False if the search is over."""
        state = self._ghost_state()
        night = state["night"]
        if night is None or night["phase"] not in ("visions", "interpretation", "manifestation"):
            return False
        searching = [psychic for psychic in night["psychics"] if psychic["searching"] != "done"]
        colours = [psychic["colour"] for psychic in searching]
        if "give_vision" in state["may"] and (unserved := [each for each in colours if each not in state["served"]]):
            self._tap(state, wait, "give_vision", psychic=self._chance.choice(unserved), count=1)
        elif "turn_sand" in state["may"]:
            self._tap(state, wait, "turn_sand")
        elif night["phase"] == "manifestation":
            unanswered = [psychic["colour"] for psychic in searching if not psychic["answered"]]
            self._tap(state, wait, "manifest", psychic=unanswered[0])
        elif open_choices := [psychic for psychic in searching if psychic["intuition"] is None]:
            psychic = self._chance.choice(open_choices)
            card = self._chance.choice(night["table"][psychic["searching"]])
            self._say(state, wait, f"{psychic['colour']} chooses card {card}")
        else:
            self._say(state, wait, "we are ready")
        return True

    def _tap(self, state: State, wait: bool, command: str, **fields: Any) -> None:
        answer = self._ghost.ask(command, **fields)
        assert answer.status_code == 202, answer.text
        self._wait_for_change(state, wait)

    def _say(self, state: State, wait: bool, text: str) -> None:
        self._type(text)
        self._wait_for_change(state, wait)

    def _wait_for_change(self, state: State, wait: bool) -> None:
        if wait:
            self._ghost_state(lambda now: now["night"] != state["night"] or now["served"] != state["served"])
            self._guest_state()

    def _type(self, text: str) -> None:
        stdin = self._house.process.stdin
        assert stdin is not None
        stdin.write(f"{text}\n")
        stdin.flush()

    def _ghost_state(self, done: Callable[[State], bool] = lambda _: True) -> State:
        return self._remember(self._ghost.until(done, "/ghost/events"))

    def _guest_state(self, done: Callable[[State], bool] = lambda _: True) -> State:
        return self._remember(self._guest.until(done, "/table/events"))

    def _remember(self, state: State) -> State:
        if state["night"] is not None and state["night"] not in self._told[-1:]:
            self._told.append(state["night"])
        return state

    def _check_log(self) -> None:
        log = "".join(self._house.log)
        if re.search(r"Traceback|ERROR", log):
            self._report.tracebacks.append(log[-2000:])
        self._house.log.clear()

    def _check_journal(self) -> None:
        """Report what pages have shown and the journal does not have."""
        with Journal.open(self._journal) as journal:
            night, news = journal.last(), journal.news()
        if news or night is None:
            self._report.lost.append(f"kill {self._report.count}: the journal says {news}, night {night is not None}")
            return
        views = [json.loads(encode({"it": view_fields(room_view(state))}))["it"] for _, state in night.states()]
        missing = [each for each in self._told if each not in views]
        if missing:
            self._report.lost.append(f"kill {self._report.count}: shown, but not written: {json.dumps(missing[0])}")
        self._written = views

    def _check_restart(self) -> None:
        """Report it if the ghost has lost its seat, or the night is not the one that was written."""
        kill = f"kill {self._report.count}"
        until = time.monotonic() + PATIENCE
        while (answer := self._ghost.post("/ghost/sit")).status_code == 503 and time.monotonic() < until:
            time.sleep(0.02)
        if answer.status_code == 503:
            self._report.lost.append(f"{kill}: the house never wakes")
            return
        state = self._ghost_state()
        if answer.status_code != 202 or not state["mine"] or state["seat"] != "taken":
            self._report.lost.append(f"{kill}: the ghost has lost its seat: {answer.status_code} {answer.text}")
        if state["secret"] is None:
            self._report.lost.append(f"{kill}: the ghost does not see the secret")
        with Phone(self._house.address) as stranger:
            if stranger.get("/ghost/events").status_code != 403:
                self._report.got_in.append(f"{kill}: a stranger may open the ghost's stream")
        if state["night"] not in self._written[-1:] and state["night"] in self._written:
            self._report.lost.append(f"{kill}: the night is back at step {self._written.index(state['night']) + 1}")
