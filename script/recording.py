"""Record the beginning of a demonstration night as a sound file, with the best voices that are installed."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rich.console import Console

from seance.audio.files import SOUND_FORMATS, write_sound
from seance.audio.loudness import integrated_loudness, true_peak
from seance.languages import language_codes
from seance.programs import demo

SEED = 1894


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """Return the arguments, with those of `seance demo` that are always the same."""
    parser = argparse.ArgumentParser(prog="script/recording", description=__doc__)
    parser.add_argument("file", type=Path, metavar="FILE", help="a name that ends in .flac or .wav")
    parser.add_argument("--minutes", type=float, default=5.0, metavar="N", help="how much of the night (default: 5)")
    parser.add_argument("--lang", choices=language_codes(), help="the language spoken (default: that of the settings)")
    parser.add_argument(
        "--seed", type=int, metavar="N", default=SEED, help="the same seed plays the same night (default: %(default)s)"
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="another settings file than your own")
    parser.set_defaults(edition=None, players=None, level=None, speed=None, typed=False, story=None)
    args = parser.parse_args(arguments)
    if args.file.suffix.lower() not in SOUND_FORMATS:
        parser.error(f"{args.file}: end the name in {' or '.join(SOUND_FORMATS)}")
    if not args.file.parent.is_dir():
        parser.error(f"{args.file.parent}: there is no such folder")
    if not 0 < args.minutes <= 60:
        parser.error(f"--minutes is a number up to 60, not {args.minutes:g}")
    return args


def main(arguments: list[str] | None = None) -> int:
    args = parse(arguments)
    wave = demo.record(args, 60 * args.minutes, Console())
    write_sound(args.file, wave)
    print(f"{args.file}: {wave.seconds:.0f} s, {integrated_loudness(wave):.1f} LUFS, true peak {true_peak(wave):.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
