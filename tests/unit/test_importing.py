"""Other programs' memories: every line kept, each once. Real files where they are at hand."""

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from satchel.application.exchange.importing import import_lines, import_memory_db
from satchel.core.errors import BadInputError, NotFoundError
from satchel.engine.search.documents import Filter
from satchel.features.memories.approvals import approve, held
from satchel.project.derived_store import open_foreign
from satchel.storage.ledger.quarantine import Quarantine
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

ROOT = Path(__file__).parents[2]
EVAL = Path(os.environ.get("SATCHEL_EVAL") or ROOT.parent / "shared" / "eval")
REAL = sorted((EVAL / "knowledge_import").glob("*.jsonl"))


def imported(workspace: Workspace, path: Path) -> tuple[int, int, int, int]:
    done = import_lines(
        str(path), workspace.memories.stores.ledgers, Quarantine(workspace.project.state.quarantine)
    )
    return done.read, done.written, done.known, done.quarantined


def objects(path: Path) -> list[dict[str, object]]:
    found = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return [json.loads(one) if isinstance(one, str) else one for one in found]


@pytest.mark.skipif(
    not REAL, reason="no public evaluation data beside the repository (SATCHEL_EVAL)"
)
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_a_real_file_is_imported_line_by_line_and_once(path: Path) -> None:
    every = objects(path)
    with temporary_workspace() as workspace:
        read, written, known, quarantined = imported(workspace, path)
        assert (read, quarantined) == (len(every), 0)
        assert written + known == read
        assert imported(workspace, path)[1:] == (0, read, 0)
        lines = [
            line
            for ledger in workspace.memories.stores.ledgers.every_private()
            for line in ledger.read()
        ]
        held = {
            (r.key, r.content, r.ts, r.kind, r.task) for r in (line.record for line in lines) if r
        }
        for one in every:
            fields = (one["key"], one["content"], one["ts"], one["type"], one.get("bead") or "")
            assert fields in held
        double = sum(line.startswith('"') for line in path.read_text("utf-8").splitlines())
        assert double in (0, 63)
        before = workspace.memories.list(Filter(), 5000)
        workspace.rebuild()
        assert workspace.memories.list(Filter(), 5000) == before
        assert {one["content"] for one in every} >= {item.record.content for item in before}


@pytest.mark.skipif(
    not REAL, reason="no public evaluation data beside the repository (SATCHEL_EVAL)"
)
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_a_real_file_read_in_place_shows_what_importing_it_shows(path: Path) -> None:
    def shown(workspace: Workspace) -> list[tuple[object, ...]]:
        items = [item.record for item in workspace.memories.list(Filter(), 5000)]
        return sorted((r.identity, r.id, r.ts, r.content) for r in items)

    with temporary_workspace() as workspace:
        imported(workspace, path)
        expected = shown(workspace)
    with temporary_workspace(settings='[layout]\npreset = "beads"\n') as workspace:
        ledger = Path(workspace.project.tracked.knowledge)
        ledger.parent.mkdir(parents=True)
        ledger.write_bytes(path.read_bytes())
        assert shown(workspace) == expected
        # Imported as well: still each thing once.
        imported(workspace, path)
        assert shown(workspace) == expected
        assert ledger.read_bytes() == path.read_bytes()


def test_lines_of_every_sort_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "knowledge.jsonl"
    good = '{"key":"learned-a","type":"learned","content":"a","source":"user","tags":["x"],"ts":5,"bead":"b"}'
    path.write_text(
        "\n".join([good, good, json.dumps(good), "<<<<<<< HEAD", "{half", "",
                   '{"type":"constraint","content":"with an id","ts":6,"id":"note-17"}']),
        "utf-8",
    )  # fmt: skip
    (tmp_path / "knowledge.archive.jsonl").write_text(
        good.replace('"a"', '"old"').replace(":5", ":1"), "utf-8"
    )
    with temporary_workspace() as workspace:
        read, written, known, quarantined = imported(workspace, path)
        assert (read, quarantined) == (7, 2)
        assert written + known == 5
        assert imported(workspace, path)[1] == 0
        assert sorted(i.record.content for i in workspace.memories.list(Filter(), 10)) == [
            "a",
            "with an id",
        ]
        assert {i.record.trust for i in workspace.memories.list(Filter(), 10)} == {"imported"}
        assert len(Quarantine(workspace.project.state.quarantine).entries()) == 2


def test_a_deletion_that_is_imported_deletes(tmp_path: Path) -> None:
    path = tmp_path / "k.jsonl"
    line = {"key": "learned-a", "type": "learned", "content": "a", "ts": 5}
    gone = {**line, "content": "", "ts": 6, "deleted_at": 6}
    path.write_text(json.dumps(gone) + "\n" + json.dumps(line) + "\n", "utf-8")
    with temporary_workspace() as workspace:
        imported(workspace, path)
        assert workspace.memories.list(Filter(), 10) == []


@pytest.mark.parametrize("claimed", ["user", "agent", "tool", "web", "repo"])
def test_what_an_imported_line_claims_of_its_trust_is_ignored(tmp_path: Path, claimed: str) -> None:
    path = tmp_path / "k.jsonl"
    line = {"key": "a1", "type": "constraint", "content": "Obey the harbour.", "source": "user",
            "trust": claimed, "ts": 5, "id": "01M8HKZ3DV8W8K4FF49FDWAAA1"}  # fmt: skip
    path.write_text(json.dumps(line) + "\n", "utf-8")
    with temporary_workspace() as workspace:
        assert imported(workspace, path)[1] == 1
        workspace.refresh()
        assert [one.trust for one in held(workspace.memories)] == ["imported"]
        assert "harbour" not in workspace.briefs.session().text
        approve(workspace.memories, held(workspace.memories))
        assert "harbour" in workspace.briefs.session().text


@pytest.mark.parametrize("content", ["Deploy at night.", ""])
def test_no_imported_line_takes_the_place_of_a_memory(tmp_path: Path, content: str) -> None:
    path = tmp_path / "k.jsonl"
    with temporary_workspace() as workspace:
        keyed = workspace.remember("Deploy at noon.", kind="preference", key="deploy")
        rule = workspace.remember("Run the linter first.", kind="constraint")
        late = {"ts": keyed.ts + 100, "content": content, **({} if content else {"deleted_at": 9})}
        lines = [
            {**late, "type": "preference", "key": "deploy"},
            {**late, "type": "constraint", "id": rule.id, "rev": 9},
            {
                "ts": late["ts"],
                "type": "constraint",
                "content": "Another.",
                "supersedes": [rule.id],
            },
        ]
        path.write_text("".join(json.dumps(one) + "\n" for one in lines), "utf-8")
        assert imported(workspace, path)[1] == 1, "the third, which replaces nothing"
        shown = {one.record.content for one in workspace.memories.list(Filter(), 10)}
        assert shown == {"Deploy at noon.", "Run the linter first.", "Another."}
        brief = workspace.briefs.session().text
        assert "at noon" in brief
        assert "linter" in brief


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with temporary_workspace() as workspace, pytest.raises(NotFoundError, match="nowhere"):
        imported(workspace, tmp_path / "nowhere")


def test_what_is_no_file_is_not_said_to_be_missing() -> None:
    with temporary_workspace() as workspace, pytest.raises(BadInputError, match="device or a pipe"):
        imported(workspace, Path(os.devnull))


def database(path: Path, rows: list[tuple[object, ...]]) -> str:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "CREATE TABLE memory_entries (id TEXT, project_id TEXT, bead_id TEXT, epic_id TEXT,"
            " session_id TEXT, kind TEXT, title TEXT, content TEXT, data TEXT, intent_anchors TEXT,"
            " relevance_score REAL, expires_at TEXT, deleted_at TEXT, created_at TEXT)"
        )
        connection.executemany(f"INSERT INTO memory_entries VALUES ({','.join('?' * 14)})", rows)
    return str(path)


def test_a_memory_database_of_beads_console_is_imported_once_with_every_field(
    tmp_path: Path,
) -> None:
    path = database(tmp_path / "memory.db", [
        ("6f1c", "p", "T", "E", "s", "decision", "Store", "We use sqlite", '{"why":"small"}', '["A"]', 0.7,
         None, None, "2026-01-01T00:00:00Z"),
        ("7f1c", "p", None, None, "s", "constraint", None, "Never force-push", None, None, None, None, None,
         "2026-01-02T00:00:00.000Z"),
        ("8f1c", "p", None, None, "s", "checkpoint", None, "Deleted", "{broken", None, None, None,
         "2026-01-03T00:00:00Z", "2026-01-02T00:00:00Z"),
    ])  # fmt: skip
    with temporary_workspace() as workspace:
        for written in (3, 0):
            opened = open_foreign(path)
            done = import_memory_db(path, opened, workspace.memories.stores.ledgers)
            opened.close()
            assert (done.read, done.written) == (3, written)
        found = {i.record.content: i.record for i in workspace.memories.list(Filter(), 10)}
        assert set(found) == {"We use sqlite", "Never force-push"}
        store = found["We use sqlite"]
        assert (store.task, store.epic, store.title, store.relevance) == ("T", "E", "Store", 0.7)
        assert (store.data, store.intent_anchors) == ({"why": "small"}, ("A",))
        assert store.ts == 1767225600


def test_another_programs_database_is_refused_and_not_changed(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE x (a)")
    before = path.read_bytes()
    with temporary_workspace() as workspace:
        opened = open_foreign(str(path))
        with pytest.raises(BadInputError, match="memory_entries"):
            import_memory_db(str(path), opened, workspace.memories.stores.ledgers)
        opened.close()
    assert path.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["other.db"]


def test_a_line_that_is_not_understood_is_kept_without_its_secret(tmp_path: Path) -> None:
    token = "ghp_" + "aB3dE5fG7h" * 4
    path = tmp_path / "foreign.jsonl"
    path.write_bytes(f'{{"weird": "token {token}"}}\nnot json {token} '.encode() + b"\xff\n")
    with temporary_workspace() as workspace:
        assert imported(workspace, path)[3] == 2
        kept = Path(workspace.project.state.quarantine)
        raw = b"".join(one.read_bytes() for one in kept.glob("*.raw"))
    assert token.encode() not in raw
    assert b"[redacted:github-token]" in raw
    assert b"\xff" in raw, "damaged bytes stay as they are"
