"""Who brought a line, by the signature of its commit: real keys of ssh, verified by real git."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from integration.somebody import Somebody, begun, cloned
from satchel.project.approvals import authorship

BOB = ("Bob", "bob@example.org")


class Signer:
    """Bob, who signs his commits with a key of ssh."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(exist_ok=True)
        self.person = begun(directory / "bob", BOB)
        self.key = directory / "key"
        words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", BOB[1], "-f", str(self.key)]
        subprocess.run(words, check=True, timeout=60)
        told = subprocess.run(
            ["ssh-keygen", "-l", "-f", str(self.key)], check=True, timeout=60, capture_output=True
        )
        self.fingerprint = told.stdout.decode().split()[1]

    def shares(self, text: str, *, signed: bool = True) -> None:
        """Share a rule in a commit."""
        bob = self.person
        bob.satchel("remember", "--kind", "constraint", text)
        bob.satchel("share", "--yes")
        bob.git("add", "--all")
        own = ("-c", "gpg.format=ssh", "-c", f"user.signingKey={self.key}")
        bob.git(*own, "commit", "--quiet", "-m", "work", *(["-S"] if signed else []))

    def known_to(self, person: Somebody) -> None:
        """Have a person's own git know whose key this is."""
        signers = person.home / "signers"
        public = self.key.with_suffix(".pub").read_text("utf-8")
        signers.write_text(f"{BOB[1]} {public}", "utf-8")
        (person.home / ".gitconfig").write_text(
            f'[gpg "ssh"]\n\tallowedSignersFile = {signers}\n', "utf-8"
        )


@pytest.fixture
def bob(tmp_path: Path) -> Signer:
    return Signer(tmp_path)


def test_a_key_is_believed_and_an_unsigned_commit_of_that_address_is_not(
    bob: Signer, tmp_path: Path
) -> None:
    bob.shares("Signed: run make lint")
    ann = cloned(tmp_path / "ann", bob.person)
    bob.known_to(ann)
    assert f"Bob <bob@example.org>  (signed by {bob.fingerprint})" in ann.satchel("approve")
    said = ann.satchel("approve", "--author", bob.fingerprint, "--yes")
    assert "git does not prove it" not in said
    assert "Signed: run make lint" in ann.starts()
    bob.shares("Unsigned: run curl", signed=False)
    bob.shares("Signed again: run make test")
    ann.git("pull", "--quiet")
    told = ann.starts()
    assert "Signed again" in told
    assert "Unsigned" not in told
    seen = ann.satchel("approve")
    assert "Unsigned: run curl" in seen
    assert "(by address only: not signed; not by the key that you approved)" in seen
    assert "Signed" not in seen
    ann.satchel("approve", "--revoke", "--author", bob.fingerprint)
    assert "Signed" not in ann.starts()


def test_who_is_known_by_address_only_is_said_to_be(bob: Signer, tmp_path: Path) -> None:
    bob.shares("Unsigned: rest", signed=False)
    ann = cloned(tmp_path / "ann", bob.person)
    assert "Bob <bob@example.org>  (by address only: not signed)" in ann.satchel("approve")
    said = ann.satchel("approve", "--author", bob.fingerprint, "--yes")
    assert f"Nothing that waits was committed by {bob.fingerprint}" in said
    assert "Unsigned" not in ann.starts()


def test_a_repository_names_no_verifier_and_no_signers(bob: Signer, tmp_path: Path) -> None:
    bob.shares("Signed: run make lint")
    ann = cloned(tmp_path / "ann", bob.person)
    ran, liar = tmp_path / "ran", tmp_path / "liar"
    liar.write_text(f"#!/bin/sh\ntouch {ran}\necho 'Good \"git\" signature for bob with x'\n")
    liar.chmod(0o755)
    signers = tmp_path / "signers"
    signers.write_text(f"{BOB[1]} {bob.key.with_suffix('.pub').read_text('utf-8')}", "utf-8")
    for name, value in (
        ("gpg.ssh.program", liar),
        ("gpg.program", liar),
        ("gpg.ssh.defaultKeyCommand", liar),
        ("gpg.ssh.allowedSignersFile", signers),
    ):
        ann.git("config", name, str(value))
    assert f"(signed by {bob.fingerprint})" in ann.satchel("approve")
    ann.satchel("approve", "--author", bob.fingerprint, "--yes")
    assert "Signed" in ann.starts()
    # What another key has signed is another's, whatever the repository's programs say.
    eve = Signer(tmp_path / "eve")
    bob.key, key = eve.key, bob.key
    bob.shares("Forged: run curl")
    bob.key = key
    ann.git("pull", "--quiet")
    assert "Forged" not in ann.starts()
    other = "; not by the key that you approved)"
    assert f"(signed by {eve.fingerprint}{other}" in ann.satchel("approve")
    assert not ran.exists()


def test_only_the_lines_of_the_author_in_question_are_shown(bob: Signer, tmp_path: Path) -> None:
    bob.shares("Bob says: lint", signed=False)
    bob.person.who = ("Eve", "eve@example.org")
    bob.shares("Eve says: curl", signed=False)
    ann = cloned(tmp_path / "ann", bob.person)
    said = ann.satchel("approve", "--author", "bob@example.org", "--yes")
    assert "Bob says: lint" in said
    assert "Eve says" not in said


def test_a_bad_signature_that_counts_is_noticed(
    bob: Signer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob.shares("Unsigned: run curl", signed=False)
    path = str(bob.person.root / ".satchel" / "knowledge.jsonl")
    common = str(bob.person.root / ".git")

    def keys() -> set[str]:
        found = authorship.authors_of(str(bob.person.root), path, common=common, verify=True)
        return {one.key for one in found or ()}

    assert keys() == {""}
    monkeypatch.setattr(authorship, "_SIGNED", f"%H%x00%ae%x00%an%x00G%x00{bob.fingerprint}")
    assert keys() == {bob.fingerprint}
