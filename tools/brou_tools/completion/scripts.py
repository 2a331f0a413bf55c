"""The completion scripts of three shells, each from the same commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from brou_tools.completion.calls import CompletedCommand, Typed


def write_script(shell: str, calls: Sequence[CompletedCommand]) -> str:
    """Return the script for a shell."""
    lines = {"bash": _write_bash, "zsh": _write_zsh, "fish": _write_fish}[shell](calls)
    return "".join(f"{line}\n" for line in lines)


def _quote(text: str) -> str:
    """Return a text as one word of a shell."""
    return "'" + text.replace("'", "'\\''") + "'"


# bash -----------------------------------------------------------------------------------------------------------------


def _write_bash(calls: Sequence[CompletedCommand]) -> Iterator[str]:
    """Yield the script for bash, which has a word list for each command and falls back on names of files."""
    paths = [" ".join(call.path) for call in calls if call.path]
    yield '# Completion of brou for bash: put eval "$(brou completion bash)" into ~/.bashrc'
    yield "_brou() {"
    yield '    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} path="" words="" index'
    yield "    COMPREPLY=()"
    yield "    for ((index = 1; index < COMP_CWORD; index++)); do"
    yield '        if [ "${COMP_WORDS[index]}" = -- ]; then return; fi'
    yield '        case "${path:+$path }${COMP_WORDS[index]}" in'
    yield f"            {'|'.join(map(_quote, paths))})"
    yield '                path="${path:+$path }${COMP_WORDS[index]}" ;;'
    yield "        esac"
    yield "    done"
    yield '    case "$path $before" in'
    for call in calls:
        for one in (one for one in call.options if one.takes_value):
            patterns = "|".join(_quote(f"{' '.join(call.path)} {name}") for name in one.names)
            yield f"        {patterns}) words={_quote(' '.join(one.values))} ;;"
    yield '        *) case "$path/$current" in'
    for call in calls:
        path, names = " ".join(call.path), [name for one in call.options for name in one.names]
        yield f"            {_quote(f'{path}/')}-*) words={_quote(' '.join(names))} ;;"
        offered = [*call.commands, *(value for one in call.words for value in one.values)]
        yield f"            {_quote(f'{path}/')}*) words={_quote(' '.join(offered))} ;;"
    yield "        esac ;;"
    yield "    esac"
    yield '    if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$current")); fi'
    yield "}"
    yield "complete -o default -F _brou brou"


# zsh ------------------------------------------------------------------------------------------------------------------


def _write_zsh(calls: Sequence[CompletedCommand]) -> Iterator[str]:
    """Yield the script for zsh, a function for each command."""
    yield "#compdef brou"
    yield "# Completion of brou for zsh: brou completion zsh > ~/.zfunc/_brou, in a folder of fpath, before compinit"
    for call in calls:
        yield f"{_name_function(call.path)}() {{"
        entries = [entry for one in call.options for entry in _describe_for_zsh(one)]
        if call.commands:
            yield "    local curcontext=$curcontext state line"
            yield "    typeset -A opt_args"
            yield f"    _arguments -C {' '.join(map(_quote, entries))} '1: :->command' '*::arguments:->rest'"
            yield '    case "$state" in'
            yield "        command)"
            yield "            local -a commands=("
            yield from (f"                {_quote(f'{name}:{about}')}" for name, about in call.commands.items())
            yield "            )"
            yield "            _describe command commands ;;"
            yield "        rest)"
            yield '            case "$line[1]" in'
            for name in call.commands:
                yield f"                {name}) {_name_function((*call.path, name))} ;;"
            yield "            esac ;;"
            yield "    esac"
        else:
            words = [f"*:{one.metavar.replace(':', ' ')}:{_offer_in_zsh(one)}" for one in call.words[-1:]]
            yield f"    _arguments -s {' '.join(map(_quote, [*entries, *words]))}"
        yield "}"
    yield 'if [ "$funcstack[1]" = _brou ]; then _brou "$@"; else compdef _brou brou; fi'


def _name_function(path: Iterable[str]) -> str:
    return "_".join(("_brou", *path))


def _describe_for_zsh(one: Typed) -> Iterator[str]:
    """Yield the words of `_arguments` for an option, one for each of its names."""
    said = one.help.replace("[", "(").replace("]", ")").replace(":", " ")
    value = f":{one.metavar.replace(':', ' ')}:{_offer_in_zsh(one)}" if one.takes_value else ""
    yield from (f"{name}[{said}]{value}" for name in one.names)


def _offer_in_zsh(one: Typed) -> str:
    return f"({' '.join(one.values)})" if one.values else "_files" if one.takes_file else " "


# fish -----------------------------------------------------------------------------------------------------------------


def _write_fish(calls: Sequence[CompletedCommand]) -> Iterator[str]:
    """Yield the script for fish, a line for each thing to type."""
    yield "# Completion of brou for fish: brou completion fish > ~/.config/fish/completions/brou.fish"
    yield "complete -c brou -f"
    for call in calls:
        shown = f"-n {_quote(_condition(call, calls))}"
        for name, about in call.commands.items():
            yield f"complete -c brou {shown} -a {name} -d {_quote(about)}"
        for one in call.options:
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in one.names)
            yield f"complete -c brou {shown} {names}{_offer_in_fish(one)} -d {_quote(one.help)}"
        for one in call.words:
            if one.values or one.takes_file:
                yield f"complete -c brou {shown} {_offer_in_fish(one, word=True)} -d {_quote(one.metavar)}"


def _condition(call: CompletedCommand, calls: Sequence[CompletedCommand]) -> str:
    """Return where in a line the words of a command may be."""
    if not call.path:
        return "__fish_use_subcommand"
    seen = [f"__fish_seen_subcommand_from {call.path[0]}"]
    deeper = [one.path[1] for one in calls if len(one.path) > 1 and one.path[0] == call.path[0]]
    if len(call.path) > 1:
        seen.append(f"__fish_seen_subcommand_from {call.path[1]}")
    elif deeper:
        seen.append(f"not __fish_seen_subcommand_from {' '.join(deeper)}")
    return "; and ".join(seen)


def _offer_in_fish(one: Typed, *, word: bool = False) -> str:
    """Return the words by which fish knows the values of an option, or of a word."""
    if not one.takes_value:
        return ""
    if one.takes_file:
        return "-F" if word else " -r -F"
    return f"{'' if word else ' -x '}-a {_quote(' '.join(one.values))}" if one.values else " -x"
