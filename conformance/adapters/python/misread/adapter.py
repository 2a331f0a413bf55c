"""The neighbouring adapter, put before the program of this folder."""

from pathlib import Path
from runpy import run_path

run_path(str(Path(__file__).resolve().parent.parent / "adapter.py"), run_name="__main__")
