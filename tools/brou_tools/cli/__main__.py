"""`python -m brou_tools.cli`."""

from brou_tools.cli import run

if __name__ == "__main__":
    run()
