"""`python -m seance` is `seance`."""

import sys

from seance.cli import main

if __name__ == "__main__":
    sys.exit(main())
