"""Signed statements: DSSE envelopes with Ed25519 signatures, as in-toto and its tools read them.

A signature covers the type and the bytes of the statement, so that nobody has to write it anew to check it.
`cryptography` signs and checks.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from brou import BrouError, NoFile
from brou.atomic import read_named
from brou.shapes import Limit, read, shape
from brou_conformance.protocol import NoMessage, decode, fault
from brou_conformance.reports.attestation import Attestation

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

_TYPE = "application/vnd.in-toto+json"
_KEY = "an Ed25519 key, as PEM or as OpenSSH writes it"
#: No envelope is longer, nor nested more deeply.
_LENGTH, _DEPTH = 1 << 24, 32


class Unsigned(BrouError):
    """A statement that nobody stands for: it has no signature by the key, or is no statement at all."""


class NoSigner(BrouError):
    """The library that signs is not installed."""

    def __str__(self) -> str:
        return "signatures need a library: pip install 'brou[sign]'"


@shape(name="signature", closed=True)
class StatementSignature:
    """A signature of type and payload."""

    keyid: Annotated[str, "SHA-256 of the public key's 32 bytes, in hexadecimal digits"]
    sig: Annotated[str, Limit(min_length=1), "64 bytes, in Base64"]


@shape(closed=True)
class SignedStatement:
    """A signed statement: a DSSE envelope."""

    payloadType: Literal["application/vnd.in-toto+json"] = "application/vnd.in-toto+json"  # noqa: N815 - as DSSE has it
    payload: Annotated[str, "the statement, in Base64"]
    signatures: Annotated[tuple[StatementSignature, ...], Limit(min_items=1), "the signatures that vouch for it"]


def sign(statement: bytes, key: Path) -> SignedStatement:
    """Return a statement signed with a private key; raise `NoFile` for a file that holds none."""
    private = _load_private(key)
    signed = private.sign(_encode(statement))
    made = StatementSignature(keyid=_name_key(private.public_key()), sig=base64.b64encode(signed).decode())
    return SignedStatement(payload=base64.b64encode(statement).decode(), signatures=(made,))


def open_signed(path: Path, key: Path) -> Attestation:
    """Return the statement of an envelope that a key stands for.

    Raises `Unsigned` if no signature in it is by the key, or the payload is no statement; `NoFile` for other files.
    """
    public = _load_public(key)
    envelope = _read_envelope(path)
    try:
        payload = base64.b64decode(envelope.payload, validate=True)
        signatures = [base64.b64decode(one.sig, validate=True) for one in envelope.signatures]
    except binascii.Error as error:
        raise NoFile(path, "a signed statement: an envelope in Base64", str(error)) from error
    if not any(_is_by(public, one, payload) for one in signatures):
        raise Unsigned(f"{path}: no signature in it is by the key {_name_key(public)} of {key}")
    try:
        stated = decode(payload, length=_LENGTH, depth=_DEPTH)
    except NoMessage as error:
        raise Unsigned(f"{path}: it is signed, and no statement: {error}") from error
    if problem := fault("attestation", stated):
        raise Unsigned(f"{path}: it is signed, and no statement of ours: {problem}")
    return read(Attestation, stated)


def check_subject(stated: Attestation, record: Path) -> None:
    """Raise `Unsigned` for a record that is not the one that a statement is about."""
    found = hashlib.sha256(read_named(record)).hexdigest()
    if found not in {one.digest.sha256 for one in stated.subject}:
        raise Unsigned(f"{record}: it is not the record that the statement is about: its SHA-256 is {found}")


def _encode(payload: bytes) -> bytes:
    """Return the bytes that are signed: DSSE's encoding of type and payload, each behind its length."""
    return b"DSSEv1 %d %b %d %b" % (len(_TYPE), _TYPE.encode(), len(payload), payload)


def _read_envelope(path: Path) -> SignedStatement:
    if not path.is_file():
        raise NoFile(path, "a signed statement")
    try:
        found = decode(read_named(path), length=_LENGTH, depth=_DEPTH)
    except NoMessage as error:
        raise NoFile(path, "a signed statement", str(error)) from error
    if problem := fault("envelope", found):
        raise NoFile(path, "a signed statement: what `brou verify --attest FILE --sign KEY` wrote", problem)
    return read(SignedStatement, found)


def check_key(key: Path) -> None:
    """Raise `NoFile` for a file that holds no private key to sign with; a caller checks before a program runs."""
    _load_private(key)


# Keys -----------------------------------------------------------------------------------------------------------------


def _load_private(path: Path) -> Ed25519PrivateKey:
    try:
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - only who signs needs it
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415 - likewise
    except ImportError as error:
        raise NoSigner from error
    loads = (
        lambda text: serialization.load_pem_private_key(text, None),
        lambda text: serialization.load_ssh_private_key(text, None),
    )
    found = _load(path, loads)
    if not isinstance(found, Ed25519PrivateKey):
        raise NoFile(path, f"{_KEY}, private and without a password", "no such key")
    return found


def _load_public(path: Path) -> Ed25519PublicKey:
    try:
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - only who checks needs it
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415 - likewise
    except ImportError as error:
        raise NoSigner from error
    found = _load(path, (serialization.load_pem_public_key, serialization.load_ssh_public_key))
    if not isinstance(found, Ed25519PublicKey):
        raise NoFile(path, f"{_KEY}, public", "no such key")
    return found


def _load(path: Path, loads: Sequence[Callable[[bytes], object]]) -> object:
    """Return the key in a file, by the first reader that takes it; None if none does."""
    from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415 - only who has keys needs it

    if not path.is_file():
        raise NoFile(path, _KEY)
    text = read_named(path)
    for load in loads:
        try:
            return load(text)
        except (ValueError, TypeError, UnsupportedAlgorithm):
            continue
    return None


def _is_by(public: Ed25519PublicKey, signature: bytes, payload: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - only who checks needs it

    try:
        public.verify(signature, _encode(payload))
    except InvalidSignature:
        return False
    return True


def _name_key(public: Ed25519PublicKey) -> str:
    return hashlib.sha256(public.public_bytes_raw()).hexdigest()
