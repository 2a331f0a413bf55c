"""The picture of a verdict on the first page: what `brou verify` shows on a terminal of one faulty example program.

`python tools/tests/verdict_picture.py` writes it; a test holds it against the verdict of today.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "_static" / "verdict.svg"
COLUMNS = 80
#: One faulty example program, asked about the duty that it misreads.
COMMAND = "brou verify --game brouc -k over -- python misread/adapter.py"
ADAPTER = ROOT / "conformance" / "adapters" / "python" / "misread" / "adapter.py"
THEME = TerminalTheme(
    background=(24, 26, 32),
    foreground=(222, 224, 230),
    normal=[(24, 26, 32), (240, 113, 120), (152, 211, 138), (230, 192, 106), *[(222, 224, 230)] * 4],
)
#: As `rich` draws terminals, but for letters from elsewhere.
FORMAT = """\
<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="verdict">
<title id="verdict">%s</title>
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-title {{ font-family: sans-serif; font-size: 16px; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""
ALTERNATIVE = "A verdict in a terminal: the clause that a program misreads, and the case that shows it"


def show_verdict() -> str:
    """Return what `brou verify` writes about the program in colour, without sources."""
    environment = {key: value for key, value in os.environ.items() if key not in {"NO_COLOR", "BROU_SOURCES"}}
    judge = [sys.executable, "-P", "-m", "brou_tools.cli", *COMMAND.split()[1 : COMMAND.split().index("--") + 1]]
    done = subprocess.run(
        [*judge, sys.executable, ADAPTER],
        env={**environment, "FORCE_COLOR": "1", "COLUMNS": str(COLUMNS), "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    return done.stdout


def draw_verdict(shown: str) -> str:
    """Return the drawing of a verdict, below the command that asked for it."""
    console = Console(record=True, width=COLUMNS, file=StringIO(), force_terminal=True, color_system="standard")
    console.print(Text(f"$ {COMMAND}", style="bold"))
    console.print(Text.from_ansi(shown.rstrip()))
    drawn = console.export_svg(title="brou", theme=THEME, code_format=FORMAT % ALTERNATIVE)
    return re.sub(r"[ \t]+$", "", drawn, flags=re.MULTILINE)


if __name__ == "__main__":
    PICTURE.write_text(draw_verdict(show_verdict()), encoding="utf-8")
