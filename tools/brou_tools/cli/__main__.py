"""`python -m brou_tools.cli`."""

import sys

from brou_tools.cli import main

if __name__ == "__main__":
    sys.exit(main())
