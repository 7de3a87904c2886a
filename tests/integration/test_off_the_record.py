"""What a person asks not to keep is heard by nothing, and the archive has a mark in its place."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from integration.somebody import ANN, Somebody, begun
from integration.transcripts_made import Transcript
from satchel.clients.transcript_format.values import TranscriptHead, Turn
from satchel.clients.transcripts.off_the_record import OffTheRecord
from satchel.clients.transcripts.reading import TranscriptReader
from satchel.core.redaction import confidential
from satchel.features.sessions import archive

_ASKS = (
    "Don't keep this: we always deploy Zanzibar by hand",
    "please don't remember this, but never tell Zanzibar about it",
    "Off the record: Zanzibar is going to be sold, always be kind to them",
    "we always deploy Zanzibar by hand. do not record that",
)
_ONLY_SOUNDS_SO = (
    "that helper is unused, don't keep it",
    "the token is short lived, so don't store it",
    "the latency between us and eu is 80ms",
    "the contract between us and the vendor says so",
    "if the click comes from a bot, don't record that",
    "don't save my changes yet",
    "don't store this in the cookie",
    "I don't remember this, what does the flag do?",
    "I don't remember my password for the staging DB, where is it configured?",
    "We never store that. Add a column for it.",
    "Users do not remember that, so show a hint",
    "Don't store everything about the user in the JWT, only the id",
    "Don't memorize it. Use lru_cache instead.",
    "You never remember anything I tell you: always run ruff before committing",
    'Add a button label "Off the record"',
    "Traffic is encrypted only between us.",
    "Workers never record this, so add a metric",
    "> The browser tabs don't remember this\nfix it",
)
_WISHES = (
    "just between us: he leaves",
    "it stays between you & me",
    "thanks! don't remember this but I'm on holiday next week",
    "please don't save this but my boss is leaving",
    "Don't write this down: he leaves",
    "the key of the relay is [redacted:told-key] don't write it anywhere",
    "don't write down what I said",
    "keep this confidential: he leaves",
    "Please don't add this to memory: he leaves",
    "off-the-record, he leaves",
    "No need to remember this: he leaves",
    "You shouldn't remember this, but he leaves",
    "If you can, don't remember this: he leaves",
    "Don't log this conversation",
    "bitte nicht merken: er geht",
    "Bitte merk dir nicht, dass er geht",
)


def _worked(tmp_path: Path, *asked: str) -> Somebody:
    ann = begun(tmp_path / "ann", ANN)
    path = ann.home / ".claude" / "projects" / str(ann.root).replace("/", "-") / "s.jsonl"
    session = Transcript(str(ann.root)).person("please look at the worker")
    for text in asked:
        session.agent("Looking.").person(text)
    session.write(str(path))
    ann.satchel("session", "import")
    return ann


def _archived(ann: Somebody) -> str:
    return "".join(
        gzip.decompress(path.read_bytes()).decode() for path in ann.home.rglob("*.jsonl.gz")
    )


@pytest.mark.parametrize("asked", _ASKS)
def test_it_leaves_a_mark_and_no_word(tmp_path: Path, asked: str) -> None:
    ann = _worked(tmp_path, asked)
    assert "Zanzibar" not in ann.satchel("recall", "zanzibar")
    assert "Zanzibar" not in ann.satchel("session", "search", "zanzibar")
    assert confidential.MARK in _archived(ann)
    assert "Zanzibar" not in _archived(ann)
    assert "look at the worker" in ann.satchel("session", "search", "worker")
    ann.satchel("reflect")
    assert "Zanzibar" not in ann.satchel("review", "list")
    payload = {
        "session_id": "s", "hook_event_name": "SessionEnd",
        "transcript_path": str(next(ann.home.rglob("s.jsonl"))),
    }  # fmt: skip
    ann.satchel("hook", "SessionEnd", stdin=json.dumps(payload))
    assert "Zanzibar" not in ann.starts()
    ours = [one for one in ann.home.rglob("*") if one.is_file() and ".claude" not in one.parts]
    assert not [one for one in ours if b"Zanzibar" in one.read_bytes()]


@pytest.mark.parametrize("said", _ONLY_SOUNDS_SO)
def test_what_is_said_of_code_and_of_others_is_no_wish(said: str) -> None:
    assert not confidential.is_confidential(said)


def test_of_a_long_turn_only_the_paragraph_with_the_wish_goes() -> None:
    spec = "Add a metric for each worker and a page that shows them. " * 12
    text = f"{spec}\n\nDon't remember this: he leaves\n\nThen deploy."
    assert confidential.without_confidential(text) == (
        f"{spec}\n\n{confidential.MARK}\n\nThen deploy."
    )


@pytest.mark.parametrize("said", _WISHES)
def test_the_same_words_of_a_person_are_a_wish(said: str) -> None:
    assert confidential.is_confidential(said)


def test_what_only_sounds_like_it_is_kept(tmp_path: Path) -> None:
    ann = _worked(
        tmp_path, "Never store Zanzibar passwords in plain text", "save it to Zanzibar.db"
    )
    assert _archived(ann).count("Zanzibar") == 2


def test_what_was_archived_before_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = Turn("user", _ASKS[0], id="t")
    monkeypatch.setattr(archive, "_kept", lambda _, text: text)
    answer = Turn("assistant", "So Zanzibar goes by hand.", id="u")
    old = [archive.head_line(TranscriptHead("claude", "s")), archive.turn_line(turn)[0]]
    old.append(archive.turn_line(answer)[0])
    monkeypatch.undo()
    path = str(tmp_path / "s.jsonl.gz")
    archive.append(path, old)
    read = archive.read_session(Path(path).read_bytes())
    assert isinstance(read, archive.ArchivedSession)
    assert [one.text for one in read.turns] == [confidential.MARK] * 2


def test_what_the_agent_answers_to_it_is_not_kept_either(tmp_path: Path) -> None:
    ann = begun(tmp_path / "ann", ANN)
    path = ann.home / ".claude" / "projects" / str(ann.root).replace("/", "-") / "s.jsonl"
    session = Transcript(str(ann.root)).person("please look at the worker")
    session.agent("Looking.").person(_ASKS[0])
    session.agent("I will not write down that Zanzibar is deployed by hand.")
    session.write(str(path))
    ann.satchel("session", "import")
    assert "Zanzibar" not in _archived(ann)
    # What comes later is read apart, and is still an answer to it.
    session.runs("Bash", "grep -r Zanzibar .").agent("**Root cause**: Zanzibar needs a hand.")
    session.write(str(path))
    ann.satchel("session", "import")
    assert "Zanzibar" not in _archived(ann)
    session.person("now fix the worker").agent("The worker is fixed for Mombasa.")
    session.write(str(path))
    ann.satchel("session", "import")
    assert "Zanzibar" not in _archived(ann)
    assert "Mombasa" in _archived(ann)
    ann.satchel("reflect")
    assert "Zanzibar" not in ann.satchel("review", "list")
    payload = {"session_id": "s", "hook_event_name": "SessionEnd", "transcript_path": str(path)}
    ann.satchel("hook", "SessionEnd", stdin=json.dumps(payload))
    assert "Zanzibar" not in ann.starts()
    ours = [one for one in ann.home.rglob("*") if one.is_file() and ".claude" not in one.parts]
    assert not [one for one in ours if b"Zanzibar" in one.read_bytes()]


def test_answers_that_are_read_as_any_others_would_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug."""
    path = tmp_path / "s.jsonl"
    Transcript(str(tmp_path)).person(_ASKS[0]).agent("So Zanzibar goes by hand.").write(str(path))
    assert "Zanzibar" not in [one.text for one in TranscriptReader(str(path))][1]
    monkeypatch.setattr(OffTheRecord, "kept", lambda _, turn, __: turn)
    assert "Zanzibar" in [one.text for one in TranscriptReader(str(path))][1]


@pytest.mark.parametrize(
    "asked",
    [
        "always test the Zanzibar relay with AKIAIOSFODNN7EQAMPLE / a7Qlrzutn3EMIxK7MDENGxbPxRfiCYzq3Rt8KEYz",
        "from now on the Zanzibar relay is tested as bob, basic auth is bob:hunter2pass",
        "never log in to Zanzibar by hand, the login is admin / s3cr3tpw",
        "remember for Zanzibar: user bob password is hunter2",
        "always use the Zanzibar creds: bob:hunter2",
    ],
)
def test_a_sentence_that_holds_a_secret_suggests_nothing(tmp_path: Path, asked: str) -> None:
    ann = _worked(tmp_path, f"{asked}. Always run the linter before you commit.")
    ann.satchel("reflect")
    suggested = ann.satchel("review", "list")
    assert "linter" in suggested
    assert "Zanzibar" not in suggested
    secrets = ("hunter2", "s3cr3tpw", "a7Qlrz")
    ours = [one for one in ann.home.rglob("*") if one.is_file() and ".claude" not in one.parts]
    assert not [one for one in ours if any(s.encode() in one.read_bytes() for s in secrets)]
    assert not any(secret in _archived(ann) for secret in secrets)
