import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from sound_rig import sound_rig  # noqa: F401
