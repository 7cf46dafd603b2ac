"""A program that renders one line of text to one WAV file with pyttsx3 and espeak-ng, and ends.

It is run as a process and never imported. pyttsx3 may hang, and its second file in a row may be empty or hold another
line: a process for one line can be killed, and writes no second file.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def main() -> int:
    """Render the job on standard input, or write the reason to standard error and return an exit code above 0."""
    job: dict[str, Any] = json.load(sys.stdin)
    try:
        import pyttsx3

        engine = pyttsx3.init("espeak")
    except (ImportError, OSError, RuntimeError) as error:
        sys.stderr.write(f"espeak-ng cannot be loaded ({error}): run `apt-get install libespeak-ng1`\n")
        return 1
    troubles: list[str] = []
    ends: list[bool] = []
    # pyttsx3 passes keyword arguments, so the parameters must have these names.
    engine.connect("error", lambda name, exception: troubles.append(str(exception)))  # noqa: ARG005
    engine.connect("finished-utterance", lambda name, completed: ends.append(completed))  # noqa: ARG005
    engine.setProperty("voice", job["voice"])
    engine.setProperty("rate", job["rate"])
    engine.save_to_file(job["text"], job["wav"])
    # Not runAndWait: it first cancels what espeak-ng still has to do, and that may be the rate, or the line itself.
    engine.startLoop()
    if troubles:
        sys.stderr.write(f"espeak-ng refuses: {'; '.join(troubles)}\n")
        return 2 if any("voice" in trouble.lower() for trouble in troubles) else 1
    if ends != [True]:
        sys.stderr.write("espeak-ng stopped in the middle of the line\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
