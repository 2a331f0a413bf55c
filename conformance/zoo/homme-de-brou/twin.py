"""The program of the adapters, for those beside this file to build on."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "adapters" / "python"))

from adapter import main
from brou_table import SEATS, TEAMS, Announcement, Brouc, Deal, HommeDeBrou, Trick, team_of

__all__ = ["SEATS", "TEAMS", "Announcement", "Brouc", "Deal", "HommeDeBrou", "Trick", "main", "team_of"]
