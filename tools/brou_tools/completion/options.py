"""The options of `brou completion`."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions, UsageError, take_argument

#: The shells that there are scripts for.
SHELLS = ("bash", "zsh", "fish")


class CompletionOptions(CommandOptions):
    """Options of `brou completion`."""

    description: ClassVar[str] = (
        "Write the script by which a shell completes commands, options, games and files. For bash: "
        'eval "$(brou completion bash)" in ~/.bashrc; for zsh: brou completion zsh > ~/.zfunc/_brou, a folder of '
        "fpath; for fish: brou completion fish > ~/.config/fish/completions/brou.fish."
    )
    example: ClassVar[str] = """
$ brou completion bash
# Completion of brou for bash: ...
_brou() {
...
"""

    shell: str = take_argument("SHELL", f"one of {', '.join(SHELLS)}")

    def check(self) -> None:
        """Refuse a shell that there is no script for."""
        if self.shell not in SHELLS:
            raise UsageError(f"brou completion: knows {', '.join(SHELLS)}, not {self.shell!r}")
