"""The program of the zoo that lets a void player trump low."""

import sys
from pathlib import Path
from runpy import run_path

ZOO = Path(__file__).resolve().parents[3] / "zoo" / "brouc"

sys.path.insert(0, str(ZOO))
run_path(str(ZOO / "ruff_low.py"), run_name="__main__")
