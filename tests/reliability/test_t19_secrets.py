"""T19: secrets of every kind through every capture path; afterwards no file holds one."""

import json
import os
import random
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from reliability.stand import SEED, Stand, say, scale
from reliability_kit.oracle import rule_of_three
from satchel.application.exchange import sharing
from satchel.application.exchange.importing import import_lines
from satchel.features.agents.values import Decision
from satchel.features.sessions.values import START, Message
from satchel.features.tasks.values import Change
from satchel.interfaces.http.main import application
from satchel.interfaces.http.server.project_pool import ProjectPool
from satchel.storage.ledger import file as ledger_file
from satchel.storage.ledger.quarantine import Quarantine
from unit.redaction_corpus import Planted, known_secrets

pytestmark = pytest.mark.torture


def _planted(count: int) -> list[Planted]:
    """Secrets of every kind in turn, shuffled."""
    sample = known_secrets(SEED, each=50)
    random.Random(SEED).shuffle(sample)
    return sample[:count]


def _parts(each: int) -> list[list[Planted]]:
    """Secrets for each capture path: `each` of every kind."""
    by_kind: dict[str, list[Planted]] = {}
    for planted in known_secrets(SEED, each=each * len(_PATHS)):
        by_kind.setdefault(planted.kind, []).append(planted)
    parts: list[list[Planted]] = [[] for _ in _PATHS]
    for kind in by_kind.values():
        for number, planted in enumerate(kind):
            parts[number % len(_PATHS)].append(planted)
    return parts


def _texts(sample: Sequence[Planted]) -> list[str]:
    """What is said: a secret in each text, or in the short form some on lines of their own."""
    step = scale(8, 1)
    starts = range(0, len(sample), step)
    return ["\n".join(planted.text for planted in sample[at : at + step]) for at in starts]


def _learn(stand: Stand, sample: Sequence[Planted]) -> None:
    with stand.workspace() as workspace:
        for number, planted in enumerate(sample):
            workspace.learn(f"note {number}: {planted.text}", title=planted.text[:80])


def _hook(stand: Stand, event: str, payload: dict[str, object]) -> None:
    done = stand.satchel("hook", event, stdin=json.dumps(payload).encode())
    assert (done.code, done.err) == (0, b"")


def _commands(stand: Stand, sample: Sequence[Planted]) -> None:
    """Ten comments to a command, so that two thousand secrets need few processes."""
    for start in range(0, len(sample), 10):
        body = "\n".join(f"LEARNED: {start} {p.text}" for p in sample[start : start + 10])
        command = f"bd comment bd-1 --stdin <<'SATCHEL_END'\n{body}\nSATCHEL_END"
        given = {"session_id": f"s{start}", "cwd": stand.repo, "tool_name": "Bash"}
        _hook(stand, "PostToolUse", {**given, "tool_input": {"command": command}})


def _dispatches(stand: Stand, sample: Sequence[Planted]) -> None:
    for start in range(0, len(sample), 5):
        prompt = "\n".join(p.text for p in sample[start : start + 5])
        given = {"session_id": "d", "cwd": stand.repo, "tool_name": "Agent"}
        _hook(stand, "PostToolUse", {**given, "tool_input": {"prompt": prompt}})


def _checkpoints(stand: Stand, sample: Sequence[Planted]) -> None:
    transcripts = Path(stand.path("transcripts"))
    transcripts.mkdir()
    for start in range(0, len(sample), 4):
        path = transcripts / f"{start}.jsonl"
        with path.open("w", encoding="utf-8") as file:
            for planted in sample[start : start + 4]:
                message = {"role": "user", "content": planted.text}
                file.write(json.dumps({"type": "user", "message": message}) + "\n")
        given = {"session_id": f"c{start}", "cwd": stand.repo, "transcript_path": str(path)}
        _hook(stand, "PreCompact", {**given, "trigger": "auto"})


def _imports(stand: Stand, sample: Sequence[Planted]) -> None:
    path = Path(stand.path("foreign.jsonl"))
    with path.open("w", encoding="utf-8") as file:
        for number, planted in enumerate(sample):
            line = {"type": "learned", "content": planted.text, "ts": number, "tags": ["x"]}
            file.write(json.dumps(line) + "\n")
    with stand.workspace() as workspace:
        quarantine = Quarantine(workspace.project.state.quarantine)
        done = import_lines(str(path), workspace.memories.stores.ledgers, quarantine)
        assert done.read == len(sample)


def _tasks(stand: Stand, sample: Sequence[Planted]) -> None:
    with stand.workspace() as workspace, workspace.tasks as tasks:
        for number, text in enumerate(_texts(sample)):
            tasks.create(f"Task {number}", description=text)


def _comments(stand: Stand, sample: Sequence[Planted]) -> None:
    with stand.workspace() as workspace, workspace.tasks as tasks:
        texts = _texts(sample)
        for start in range(0, len(texts), 20):  # each comment writes its whole task again
            ident = tasks.create("Much is said here").id
            for text in texts[start : start + 20]:
                tasks.comment(ident, text)


def _graph(stand: Stand, sample: Sequence[Planted]) -> None:
    with stand.workspace() as workspace, workspace.graph as graph:
        for text in _texts(sample):
            graph.ingest(f"the tunnel reaches staging: {text}")


def _sessions(stand: Stand, sample: Sequence[Planted]) -> None:
    with stand.workspace() as workspace, workspace.sessions as sessions:
        session = sessions.new(title="staging").id
        sessions.move(session, START)
        for text in _texts(sample):
            sessions.say(session, Message("user", text))


def _decisions(stand: Stand, sample: Sequence[Planted]) -> None:
    with stand.workspace() as workspace:
        for number, text in enumerate(_texts(sample)):
            decision = Decision(f"topic {number}", "use it", text)
            workspace.agents.log_decision(decision, agent="scout")


def _tables(stand: Stand, sample: Sequence[Planted]) -> None:
    with stand.workspace() as workspace, workspace.tables as tables:
        tables.write_preset("foundation", only=("suppliers",))
        for number, text in enumerate(_texts(sample)):
            row = {"name": f"Acme {number}", "notes": text}
            tables.tables(strict=False).add("suppliers", row)


def _requests(stand: Stand, sample: Sequence[Planted]) -> None:
    served = ProjectPool([stand.repo], stand.home, hosts=["testserver"])
    bearer = {"authorization": f"Bearer {served.token}"}
    with TestClient(application(served), headers=bearer) as client:
        for text in _texts(sample):
            task = {"title": "asked for", "description": text}
            assert client.post("/api/projects/current/tasks", json=task).status_code == 201
    served.close()


_PATHS = (
    *(_learn, _commands, _dispatches, _checkpoints, _imports, _tasks, _comments, _graph),
    *(_sessions, _decisions, _tables, _requests),
)


def _use_everything(stand: Stand) -> None:
    """Drain, index, brief, recall, share, commit: whatever makes another copy."""
    with stand.workspace() as workspace:
        while workspace.listening.drain(5.0).left:
            pass
        brief = workspace.briefs.session()
        workspace.briefs.note_injection(brief, session="reader", event="SessionStart")
        workspace.recall("token key secret password")
        workspace.rebuild()
        waiting = sharing.shareable_records(workspace.memories.own, ("learned",))
        sharing.share(workspace.memories.own, waiting)
    subprocess.run(["git", "add", "-A"], cwd=stand.repo, env=stand.env, check=True)
    subprocess.run(["git", "commit", "-qm", "x"], cwd=stand.repo, env=stand.env, check=True)


def _files(stand: Stand) -> Iterator[bytes]:
    for top in (stand.home, stand.repo):  # the transcripts lie beside them
        for directory, _, names in os.walk(top):
            for name in names:
                with open(os.path.join(directory, name), "rb") as file:
                    yield file.read()
    log = ["git", "log", "-p", "--all"]
    done = subprocess.run(log, cwd=stand.repo, env=stand.env, capture_output=True, check=True)
    yield done.stdout


def _found(stand: Stand, sample: Sequence[Planted]) -> list[Planted]:
    """Return the secrets of which some file holds every byte, as written or as JSON spells it."""
    held = b"\n".join(_files(stand))
    spellings: Callable[[str], set[bytes]] = lambda s: {s.encode(), json.dumps(s)[1:-1].encode()}  # noqa: E731
    return [p for p in sample if any(text in held for text in spellings(p.secret))]


def test_no_capture_path_lets_a_secret_reach_a_file(tmp_path: Path) -> None:
    parts = _parts(scale(1, 4))
    sample = [planted for part in parts for planted in part]
    kinds = {planted.kind for planted in sample}
    stand = Stand(str(tmp_path / "stand"))
    for path, part in zip(_PATHS, parts, strict=True):
        assert {planted.kind for planted in part} == kinds
        path(stand, part)
    _use_everything(stand)
    found = _found(stand, sample)
    say(
        "T19",
        len(sample),
        f"{len(kinds)} kinds x {len(_PATHS)} capture paths, {len(found)} left "
        f"in a file: {sorted({p.kind for p in found})}",
        failures=len(found),
    )
    assert len(kinds) >= 120
    assert len(_PATHS) >= 12
    assert len(found) <= len(sample) * 0.005, [p.kind for p in found]


def test_a_ledger_that_forgets_to_redact_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample = [p for p in _planted(2000) if p.kind.startswith("github")][:20]
    stand = Stand(str(tmp_path / "stand"))
    monkeypatch.setattr(ledger_file, "redacted", lambda record: record)
    _imports(stand, sample)
    print(f"seeded bug, {rule_of_three(len(sample))}")
    assert len(_found(stand, sample)) > len(sample) * 0.005


def test_no_small_field_lets_a_secret_reach_a_file(tmp_path: Path) -> None:
    """Labels, metadata, a question, and what a transcript says about itself."""
    sample = [p for p in _planted(2000) if p.kind.startswith("github")][:6]
    made, label, datum, question, title, branch = (planted.secret for planted in sample)
    stand = Stand(str(tmp_path / "stand"))
    with stand.workspace() as workspace, workspace.tasks as tasks:
        ident = tasks.create("Labelled", labels=[made]).id
        change = Change({}, add_labels=(label,), put_metadata=(("note", datum),))
        tasks.apply(ident, change)
    assert stand.satchel("research", f"what is {question}").code == 0
    folder = Path(stand.person, ".claude", "projects", re.sub(r"[^A-Za-z0-9]", "-", stand.repo))
    folder.mkdir(parents=True)
    said = {"role": "user", "content": "where does the parser fail"}
    about = {"uuid": "1", "sessionId": "abcd", "cwd": stand.repo, "gitBranch": branch}
    turn = {"type": "user", **about, "timestamp": "2026-11-28T20:00:00Z", "message": said}
    lines = [{"type": "summary", "summary": f"Rotate {title}", "leafUuid": "1"}, turn]
    transcript = folder / "abcd.jsonl"
    transcript.write_text("".join(json.dumps(one) + "\n" for one in lines))
    done = stand.satchel("sessions", "import")
    assert b"1 " in done.out, done.text
    transcript.unlink()  # the client's own
    assert [planted.kind for planted in _found(stand, sample)] == []
