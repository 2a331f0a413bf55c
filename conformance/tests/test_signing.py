"""Signed statements: who stands for what was judged, and what is noticed of any change."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from brou_conformance.protocol import fault
from brou_tools.cli import main

pytest.importorskip("cryptography", reason="signatures need a library: pip install 'brou[sign]'")

ADAPTER = Path(__file__).resolve().parents[1] / "adapters" / "python" / "adapter.py"


@dataclass(frozen=True)
class Bench:
    """A folder with two pairs of keys and a record."""

    folder: Path

    def path(self, name: str) -> Path:
        """Return a file of the folder."""
        return self.folder / name

    def sign(self, *options: str) -> int:
        """Sign a statement about the record that stands there."""
        stated = ["--attest", str(self.path("stated.json")), "--sign", str(self.path("own.pem"))]
        return main(["verify", "--replay", str(self.path("record.ndjson")), *stated, *options])

    def check(self, *options: str, key: str = "own.pub") -> int:
        """Check the statement."""
        return main(["attested", str(self.path("stated.json")), "--key", str(self.path(key)), *options])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with keys, as PEM and as OpenSSH has them, and a record."""
    from cryptography.hazmat.primitives import serialization as forms  # noqa: PLC0415 - skipped where it is missing
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415 - likewise

    folder = tmp_path_factory.mktemp("signed")
    kinds = {
        "own": (forms.PrivateFormat.PKCS8, forms.Encoding.PEM, forms.PublicFormat.SubjectPublicKeyInfo),
        "other": (forms.PrivateFormat.OpenSSH, forms.Encoding.OpenSSH, forms.PublicFormat.OpenSSH),
    }
    for name, (private, encoding, public) in kinds.items():
        key = Ed25519PrivateKey.generate()
        written = key.private_bytes(forms.Encoding.PEM, private, forms.NoEncryption())
        (folder / f"{name}.pem").write_bytes(written)
        (folder / f"{name}.pub").write_bytes(key.public_key().public_bytes(encoding, public))
    options = ["-k", "brouc.over.05", "--report", str(folder / "record.ndjson")]
    assert main(["verify", *options, "--", sys.executable, str(ADAPTER)]) == 0
    return folder


@pytest.fixture
def bench(made: Path, tmp_path: Path) -> Bench:
    """Return a copy of that folder."""
    shutil.copytree(made, tmp_path / "own")
    return Bench(tmp_path / "own")


@pytest.mark.slow
def test_a_signed_statement_is_checked_and_told(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """By its key and with its record; what is told is what was judged, and that it was a part."""
    assert bench.sign() == 0
    assert fault("envelope", json.loads(bench.path("stated.json").read_text())) is None
    capsys.readouterr()

    assert bench.check("--record", str(bench.path("record.ndjson"))) == 0
    told = capsys.readouterr().out
    assert "The signature is by this key." in told
    assert "(this record)" in told
    assert "brouc@2022: follows, 6 of 6 cases pass" in told
    assert "of a part of the scenarios only: -k brouc.over.05" in told


def test_keys_of_openssh_sign_and_check(bench: Bench) -> None:
    """As `ssh-keygen -t ed25519` writes them."""
    assert bench.sign("--sign", str(bench.path("other.pem"))) == 0
    assert bench.check(key="other.pub") == 0


def test_another_key_does_not_stand_for_it(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever has signed is known by the key alone."""
    bench.sign()

    assert bench.check(key="other.pub") == 1
    assert "no signature in it is by the key" in capsys.readouterr().err


def test_a_changed_statement_is_nobodys(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """One verdict made better, with the signature of the other."""
    bench.sign()
    envelope = json.loads(bench.path("stated.json").read_text())
    payload = base64.b64decode(envelope["payload"]).replace(b'"passed": 6', b'"passed": 7')
    assert payload != base64.b64decode(envelope["payload"])
    envelope["payload"] = base64.b64encode(payload).decode()
    bench.path("stated.json").write_text(json.dumps(envelope))

    assert bench.check() == 1
    assert "no signature in it is by the key" in capsys.readouterr().err


def test_another_record_is_not_what_it_is_about(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """One byte is enough."""
    bench.sign()
    bench.path("record.ndjson").write_bytes(bench.path("record.ndjson").read_bytes() + b"\n")

    assert bench.check("--record", str(bench.path("record.ndjson"))) == 1
    assert "not the record that the statement is about" in capsys.readouterr().err


def test_a_file_that_is_no_key_is_told_before_anything_is_asked(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    """The public one in place of the private, and no file at all."""
    for name in ("own.pub", "nowhere"):
        assert bench.sign("--sign", str(bench.path(name))) == 2
        assert "Ed25519" in capsys.readouterr().err
        assert not bench.path("stated.json").exists()


def test_an_unsigned_statement_is_told_as_such(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """It is no envelope."""
    main(["verify", "--replay", str(bench.path("record.ndjson")), "--attest", str(bench.path("stated.json"))])

    assert bench.check() == 2
    assert "brou verify --attest FILE --sign KEY" in capsys.readouterr().err


def test_the_signature_is_that_of_the_form_that_others_read(bench: Bench) -> None:
    """DSSE: type and payload behind their lengths; openssl checks it without us."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed")
    bench.sign()
    envelope = json.loads(bench.path("stated.json").read_text())
    kind, payload = envelope["payloadType"].encode(), base64.b64decode(envelope["payload"])
    bench.path("signed").write_bytes(b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload))
    bench.path("sig").write_bytes(base64.b64decode(envelope["signatures"][0]["sig"]))
    names = ("-pubin", "-inkey", "own.pub", "-rawin", "-in", "signed", "-sigfile", "sig")
    done = subprocess.run([openssl, "pkeyutl", "-verify", *names], cwd=bench.folder, capture_output=True, check=False)

    assert b"Verified Successfully" in done.stdout + done.stderr
