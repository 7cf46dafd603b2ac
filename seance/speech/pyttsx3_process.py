"""A program of its own: one line of text through pyttsx3 and espeak-ng into one WAV file, then it ends.

Run beside the house and never imported by it. pyttsx3 may hang, and its second file in a row may be empty or another's:
a process that speaks once can be ended, and has no second file.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def main() -> int:
    """Speak the job on standard input; say on standard error why not."""
    job: dict[str, Any] = json.load(sys.stdin)
    try:
        import pyttsx3

        engine = pyttsx3.init("espeak")
    except (ImportError, OSError, RuntimeError) as error:
        sys.stderr.write(f"espeak-ng cannot be loaded ({error}): run `apt-get install libespeak-ng1`\n")
        return 1
    troubles: list[str] = []
    ends: list[bool] = []
    # pyttsx3 names what it hands over, so the parameters must be called so.
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
