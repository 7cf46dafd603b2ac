"""A client of the table's page: sends sentences, collects states and knocks."""

import http.client
import json
import threading
import time
from collections.abc import Callable
from typing import Any

from processes import wait_for
from report import CheckFailed

State = dict[str, Any]


class Page:
    """Sends sentences to the page, and collects every state and knock that it shows."""

    def __init__(self, port: int, *, timeout: float = 120) -> None:
        """Open the page as soon as it answers, within *timeout* seconds."""
        self._host = f"127.0.0.1:{port}"
        self._port = port
        self.states: list[State] = []
        """Every state that was shown, the current one last."""
        self.knocks: list[State] = []
        self._closed = False
        self._cookie = wait_for("the page", self._open, timeout, every=0.5)
        threading.Thread(target=self._listen, daemon=True).start()
        self.await_state("a first state", lambda _: True, timeout)

    @property
    def state(self) -> State:
        """The last state that was shown."""
        return self.states[-1] if self.states else {}

    @property
    def night(self) -> State:
        """The night as it was last shown; empty without one."""
        return self.state.get("night") or {}

    def close(self) -> None:
        """Stop collecting."""
        self._closed = True

    def say(self, text: str) -> None:
        """Type *text* at the page, or raise CheckFailed."""
        body = json.dumps({"text": text})
        headers = {"Cookie": self._cookie, "Origin": f"http://{self._host}", "Content-Type": "application/json"}
        try:
            line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
            line.request("POST", "/table/say", body, headers)
            answer = line.getresponse()
            details = answer.read().decode(errors="replace")
            line.close()
        except OSError as why:
            raise CheckFailed(f"'{text}' could not be said: {why}") from None
        if answer.status != 202:
            raise CheckFailed(f"'{text}' was answered with {answer.status}: {details[:200]}")

    def await_state(self, what: str, holds: Callable[[State], object], seconds: float = 90) -> State:
        """Return the first state from now on, the present one included, of which *holds* is true; or raise CheckFailed."""

        def look() -> State | None:
            state = self.state
            return state if state and holds(state) else None

        try:
            return wait_for(what, look, seconds, every=0.05)
        except CheckFailed as late:
            said = [line["text"] for line in self.state.get("said", [])]
            raise CheckFailed(
                f"{late}; phase {self.night.get('phase')}, heard {self.state.get('heard')}, said {said}"
            ) from None

    def _open(self) -> str | None:
        try:
            line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=20)
            line.request("GET", "/table")
            answer = line.getresponse()
            answer.read()
            line.close()
        except (OSError, http.client.HTTPException):
            return None
        cookie = answer.getheader("Set-Cookie")
        return cookie.split(";")[0] if answer.status == 200 and cookie else None

    def _listen(self) -> None:
        """Read events, and reconnect whenever the service has gone."""
        while not self._closed:
            try:
                line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=600)
                line.request("GET", "/table/events", headers={"Cookie": self._cookie})
                self._read(line.getresponse())
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(0.3)

    def _read(self, stream: http.client.HTTPResponse) -> None:
        kind, data = "", ""
        for raw in stream:
            if self._closed:
                return
            text = raw.decode().rstrip("\r\n")
            if text.startswith("event:"):
                kind = text[6:].strip()
            elif text.startswith("data:"):
                data += text[5:].strip()
            elif not text and data:
                (self.knocks if kind == "knock" else self.states).append(json.loads(data))
                kind, data = "", ""
