"""Mutations of data: of its structure, of the expressions in it, of its bytes; and files that are nothing but large.

Everything is drawn from one `random.Random`, so that the same seed makes the
same mutation of the same data.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

import yaml

Path: TypeAlias = tuple[str | int, ...]

_CARD = re.compile(r"[AKQJT2-9][SHDC]\Z")
_WORD = re.compile(r"\w+|[^\w\s]+|\s+")
#: Written by no encoder: what a marker in the structure is replaced by once that is text.
_RAW = {
    "raw:infinite": "1e999",
    "raw:minus-infinite": "-1e999",
    "raw:fraction": "0.1",
    "raw:zero": "-0",
    "raw:exponent": "1E400",
    "raw:digits": "9" * 20,
    "raw:many-digits": "7" * 5000,
    "raw:nan": "NaN",
    "raw:constant": "Infinity",
}
SCALARS: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 7, 16, 255, -1000000, 10**6, 10**17, -(10**18), 2**63, 10**20, 0.5, 1e300, "",
    " ", "0", "-1", "true", "no", "null", "~", "AS", "7C", "ZZ", "1S", "a", "brouc", "homme-de-brou", "brouc@2022",
    "None", "me", "now", "players", "pack", "turn", "dealer", "hand[me]", "range(1, 3)", "subsets(pack, 1, 2)",
    "orders(pack)", "int 0..9", "int 0..10000000000", "card?", "player", "pile", "cards[player]", "bool", "{}", "[]",
    "brou/1", "brou-record/1", "\ud800", "a\udfffb", "\x00", "\x1b[31m", "\u202e", "\u2028", "\ufeff", "\x85", "\r\n",
    "&a", "*a", "!!python/object:os.system", "<<", "---", "|", ">", "%YAML", "{" * 40, "x" * 5000, "é" * 300, "🂡",
    "../../etc/passwd", "/dev/zero", "<script>", "__class__", "`x`", "](x)", "]]>", "{0}", "%s", *_RAW,
)  # fmt: skip
_EXPRESSIONS = (
    "None", "True", "0", "1", "me", "now", "turn", "dealer", "players", "pack", "teams", "suits", "not", "and", "or",
    "+", "-", "*", "%", "//", "==", "!=", "<", "<=", "in", "if", "else", "for", "(", ")", "[", "]", "{", "}", ",", ".",
    "any", "all", "sum", "max", "min", "len", "count", "first", "next", "hand", "card", "suit", "rank", "lambda",
    "x", "9" * 20, "1e999", "'a'", '"', "\\", "=", ":", "@", "|", "&", "~", "**", "is", "await", "__import__", "\n",
)  # fmt: skip


# Structure ------------------------------------------------------------------------------------------------------------


def list_paths(plain: Any, before: Path = ()) -> Iterator[Path]:
    """Yield the path of every value inside another."""
    members = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    for key, item in members:
        yield (*before, key)
        yield from list_paths(item, (*before, key))


def find(plain: Any, path: Path) -> Any:
    """Return the value at a path."""
    for step in path:
        plain = plain[step]
    return plain


@dataclass(frozen=True, slots=True)
class _Spot:
    """A value in data: the whole, the mapping or list that it stands in, its key there, and all paths of the whole."""

    plain: Any
    owner: Any
    key: Any
    paths: list[Path]

    @property
    def value(self) -> Any:
        """Return the value itself."""
        return self.owner[self.key]

    def put(self, value: Any) -> None:
        """Put another value in its place."""
        self.owner[self.key] = value


def mutate_structure(plain: Any, chance: Random, edits: int = 3) -> Any:
    """Return a copy of JSON data with one edit or up to so many; data without any member is replaced by a scalar."""
    plain = _copy(plain)
    for _ in range(chance.choice((1, chance.randint(1, edits)))):
        paths = list(list_paths(plain))
        if not paths:
            return chance.choice(SCALARS)
        path = chance.choice(paths)
        chance.choice(_EDITS)(_Spot(plain, find(plain, path[:-1]), path[-1], paths), chance)
    return plain


def _copy(plain: Any) -> Any:
    return json.loads(json.dumps(plain))


def _drop(spot: _Spot, chance: Random) -> None:  # noqa: ARG001 - one signature for all edits
    del spot.owner[spot.key]


def _replace(spot: _Spot, chance: Random) -> None:
    spot.put(chance.choice(SCALARS))


def _swap(spot: _Spot, chance: Random) -> None:
    """Put a copy of another value in the place of one, sometimes that one in the place of the other."""
    other = chance.choice(spot.paths)
    kept, copied = _copy(spot.value), _copy(find(spot.plain, other))
    spot.put(copied)
    if chance.random() < 0.5:
        _put(spot.plain, other, kept)


def _double(spot: _Spot, chance: Random) -> None:
    for number in range(chance.choice((1, 1, 1, 2, 20))):
        if isinstance(spot.owner, list):
            spot.owner.insert(int(spot.key), _copy(spot.value))
        else:
            spot.owner[f"{spot.key}{number}"] = _copy(spot.value)


def _nest(spot: _Spot, chance: Random) -> None:
    listed = chance.random() < 0.5
    for _ in range(chance.choice((1, 1, 2, 31, 32, 33, 45, 90))):
        spot.put([spot.value] if listed else {"a": spot.value})


def _move(spot: _Spot, chance: Random) -> None:
    """Put a value into another mapping or list."""
    moved = spot.owner.pop(spot.key)
    places = [path for path in list_paths(spot.plain) if isinstance(find(spot.plain, path), (dict, list))]
    there = find(spot.plain, chance.choice(places)) if places else spot.plain
    if isinstance(there, list):
        there.insert(chance.randint(0, len(there)), moved)
    elif isinstance(there, dict):
        there[str(spot.key)] = moved


def _rename(spot: _Spot, chance: Random) -> None:
    """Give a value the key of another, or a strange one, in the place of its own."""
    if not isinstance(spot.owner, dict):
        return
    names, key = [str(path[-1]) for path in spot.paths], str(spot.key)
    new = chance.choice((chance.choice(names), str(chance.choice(SCALARS)), f"{key}x", key[:-1], key.upper()))
    members = [(new if name == spot.key else name, item) for name, item in spot.owner.items()]
    spot.owner.clear()
    spot.owner.update(members)


def _exchange_scalar(spot: _Spot, chance: Random) -> None:
    """Put a scalar of the same kind, from somewhere else in the data, in the place of one: card for card."""
    told = spot.value
    if isinstance(told, (dict, list)):
        return
    everything = [find(spot.plain, path) for path in spot.paths]
    if isinstance(told, str) and _CARD.match(told):
        alike = [one for one in everything if isinstance(one, str) and _CARD.match(one)]
    else:
        alike = [one for one in everything if type(one) is type(told)]
    spot.put(chance.choice(alike))


def _shift(spot: _Spot, chance: Random) -> None:
    """Change a number a little, turn a truth, order a list otherwise, or edit a text as an expression."""
    match spot.value:
        case bool(told):
            spot.put(not told)
        case int(told):
            spot.put(told + chance.choice((-1, 1, 2, -10, 100)))
        case list(told):
            chance.shuffle(told)
        case str(told):
            spot.put(mutate_expression(told, chance))


def _spell(spot: _Spot, chance: Random) -> None:
    """Edit a text as an expression."""
    if isinstance(spot.value, str):
        spot.put(mutate_expression(spot.value, chance))


_EDITS: tuple[Callable[[_Spot, Random], None], ...] = (
    _drop, _replace, _swap, _double, _nest, _move, _rename, _exchange_scalar, _exchange_scalar, _shift, _shift,
    _spell, _spell, _spell,
)  # fmt: skip


def _put(plain: Any, path: Path, value: Any) -> None:
    try:
        find(plain, path[:-1])[path[-1]] = value
    except (LookupError, TypeError):
        return  # the other edit took this place away


def mutate_expression(text: str, chance: Random) -> str:
    """Return an expression with tokens lost, doubled, replaced or exchanged, or one that is deep or long."""
    how = chance.random()
    if how < 0.04:
        depth = chance.choice((5, 29, 31, 90, 400))
        return "(" * depth + text + ")" * depth
    if how < 0.08:
        return chance.choice((" and ", " + ", " or ", " == ", " | ")).join([text] * chance.choice((2, 10, 60)))
    if how < 0.1:
        depth = chance.choice((2, 4, 6))
        quantified = "".join("any(" for _ in range(depth))
        closing = "".join(f" for q{n} in {chance.choice(('pack', 'players', 'suits'))})" for n in range(depth))
        return f"{quantified}{text}{closing}"
    if how < 0.12:
        return "not " * chance.choice((1, 2, 90)) + text
    tokens = _WORD.findall(text) or [""]
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(tokens))
        edit = chance.randrange(4)
        if edit == 0 and len(tokens) > 1:
            del tokens[at]
        elif edit == 1:
            tokens.insert(at, tokens[chance.randrange(len(tokens))])
        elif edit == 2:
            other = chance.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        else:
            tokens[at] = chance.choice(_EXPRESSIONS)
    return "".join(tokens)


# Text -----------------------------------------------------------------------------------------------------------------


def write_json(plain: Any, chance: Random | None = None) -> bytes:
    """Return data as one line of JSON; markers become what no encoder writes, and some keys may stand twice."""
    text = json.dumps(plain, separators=(",", ":"), ensure_ascii=chance is None or chance.random() < 0.8)
    for marker, raw in _RAW.items():
        text = text.replace(f'"{marker}"', raw)
    if chance is not None and chance.random() < 0.05:
        text = _double_key(text, chance)
    return text.encode("utf-8", "surrogatepass")


def _double_key(text: str, chance: Random) -> str:
    """Let a member of an object stand twice."""
    members = list(re.finditer(r'([{,])("[^"\\]*":(?:"[^"\\]*"|\d+|true|false|null))(?=[,}])', text))
    if not members:
        return text
    found = chance.choice(members)
    return f"{text[: found.end()]},{found[2]}{text[found.end() :]}"


def write_yaml(plain: Any, chance: Random) -> bytes:
    """Return data as YAML, in block or flow style, or as JSON, which is YAML as well."""
    if chance.random() < 0.6:
        return write_json(plain, chance)
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    try:
        flow = chance.choice((None, False))
        text = yaml.dump(plain, Dumper=dumper, allow_unicode=True, sort_keys=False, default_flow_style=flow)
    except (UnicodeEncodeError, yaml.YAMLError):  # lone surrogates, which only an escape can say
        return write_json(plain, chance)
    for marker, raw in _RAW.items():
        text = text.replace(marker, raw)
    return text.encode("utf-8", "surrogatepass")


_PIECES: tuple[bytes, ...] = (
    b"!!python/object:os.system x", b"!t ", b"&a ", b"*a", b"<<: *a\n", b"\xed\xa0\x80", b'"\\ud800"', b"\xef\xbb\xbf",
    b"\x00", b"9" * 20, b"1e999", b".inf", b".nan", b"0x1F", b"0o17", b"1_000", b"2022-01-01", b"~", b"\t", b"\r",
    b"\r\n", b"\xc2\x85", b"\xe2\x80\xa8", b"\x1b[31m", b"\n---\n", b"\n...\n", b"%YAML 1.2\n", b"? ", b": ", b"- ",
    b"{", b"}", b"[", b"]", b'"', b"'", b"|\n", b">-\n", b"#", b",", b"\xff", b"\xc0\xaf", b"\xf4\x90\x80\x80", b"\\",
    b"(" * 90, b"not " * 90, b" + 1" * 145, b"[" * 45, b"{a: " * 45, b"yes", b"no", b"True", b"None", b"=",
)  # fmt: skip


def mutate_bytes(data: bytes, chance: Random, edits: int = 3) -> bytes:
    """Return bytes with one edit or up to so many: bytes lost, doubled, replaced or put in, singly or by lines."""
    for _ in range(chance.choice((1, chance.randint(1, edits)))):
        data = chance.choice(_SCARS)(data, chance)
    return data


def _insert_piece(data: bytes, chance: Random) -> bytes:
    at = chance.randint(0, len(data))
    return data[:at] + chance.choice(_PIECES) + data[at:]


def _replace_span(data: bytes, chance: Random) -> bytes:
    at, length = chance.randint(0, len(data)), chance.choice((1, 1, 2, 5, 30))
    new = chance.choice((b"", bytes(chance.randrange(256) for _ in range(length)), chance.choice(_PIECES)))
    return data[:at] + new + data[at + length :]


def _flip_bit(data: bytes, chance: Random) -> bytes:
    if not data:
        return b"\x00"
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]


def _edit_lines(data: bytes, chance: Random) -> bytes:
    """Lose, double, exchange, indent or cut lines."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(5):
        case 0:
            del lines[at : at + chance.choice((1, 1, 4))]
        case 1:
            lines.insert(other, lines[at])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at] = chance.choice((b" ", b"  ", b"\t", b"- ")) + lines[at]
        case _:
            lines = lines[:at]
    return b"".join(lines)


def _convert(data: bytes, chance: Random) -> bytes:
    """Save the whole file otherwise: other line ends, another encoding, a mark of the byte order, or in pieces."""
    match chance.randrange(6):
        case 0:
            return data.replace(b"\n", b"\r\n")
        case 1:
            return data.replace(b"\n", b"\r")
        case 2:
            return b"\xef\xbb\xbf" + data
        case 3:
            return data.decode("utf-8", "replace").encode(chance.choice(("utf-16", "latin-1", "utf-32-le")), "replace")
        case 4:
            return data[: chance.randint(0, len(data))]
        case _:
            return data + data


_SCARS = (_insert_piece, _insert_piece, _replace_span, _replace_span, _flip_bit, _edit_lines, _edit_lines, _convert)


# Whole files ----------------------------------------------------------------------------------------------------------


def make_bomb(chance: Random) -> bytes:
    """Return a file that is made to cost: deep, wide, long, of many documents, or of aliases to aliases."""
    size = chance.choice((1_000, 100_000, 499_000, 600_000))
    return chance.choice(BOMBS)(size)


def _open_aliases(size: int) -> bytes:
    lines = [b"a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [b"a%d: &a%d [%s]" % (n, n, b", ".join([b"*a%d" % (n - 1)] * 9)) for n in range(1, min(size // 60, 30))]
    return b"\n".join(lines)


BOMBS: tuple[Callable[[int], bytes], ...] = (
    lambda size: b"[" * size,
    lambda size: b"{a: " * (size // 4),
    lambda size: b"- " * (size // 2),
    lambda size: b"[" * (size // 2) + b"]" * (size // 2),
    lambda size: b"- a\n" * (size // 4),
    lambda size: b"".join(b"k%d: v\n" % number for number in range(size // 9)),
    lambda size: b"a: 1\n" * (size // 5),
    lambda size: b"---\n" * (size // 4),
    lambda size: b"--- a\n" * (size // 6),
    lambda size: b"x" * size + b": 1\n",
    lambda size: b"a: " + b"x" * size,
    lambda size: b"a: " + b"9" * size,
    lambda size: b'a: "' + b"\\u0041" * (size // 6) + b'"',
    lambda size: b"a: |\n" + b" x\n" * (size // 3),
    lambda size: b"#" * size,
    lambda size: b"\n" * size,
    lambda size: b" " * size + b"a",
    lambda size: b"? " * (size // 2),
    lambda size: b"&a " * (size // 3),
    lambda size: b"!a " * (size // 3),
    lambda size: b"\x00" * size,
    lambda size: b"\xff" * size,
    lambda size: b"'" * size,
    lambda size: b"%A\n" * (size // 3),
    lambda size: b'{"a":' * (size // 5) + b"1" + b"}" * (size // 5),
    lambda size: b"[" + b"{}," * (size // 3) + b"{}]",
    lambda size: b"format: brou/1\ngame: " + b"a" * size,
    _open_aliases,
)
