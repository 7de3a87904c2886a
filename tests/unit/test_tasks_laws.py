"""Laws of tasks: nothing is lost, no circle is made, and ready is what a naive reader would say."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from satchel.core.errors import ConflictError
from satchel.features.tasks import issue_graph, lines
from satchel.features.tasks.board import Board
from satchel.features.tasks.dialects import issue_of
from satchel.features.tasks.files import TaskFiles
from satchel.features.tasks.issue_graph import IssueGraph
from satchel.features.tasks.lines import groups_in, lines_in
from satchel.features.tasks.merging import merged, overruled
from satchel.features.tasks.project_tasks import export_lines, import_lines
from satchel.features.tasks.service import Tasks
from satchel.features.tasks.values import ORDERING, Change

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
KNOWN = st.sampled_from(
    ["title", "status", "priority", "labels", "dependencies", "comments", "metadata", "updated_at",
     "created_at", "parent", "blocked_by", "blocks", "ephemeral", "_type", "content_hash"]
)  # fmt: skip
STRANGE = st.dictionaries(KNOWN | st.text(min_size=1, max_size=6), JSON, max_size=6)
MODESTLY = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def tasks_in(folder: Path, name: str = "tasks.jsonl") -> Tasks:
    path = str(folder / name)
    files = TaskFiles(str(folder), path, [path], str(folder / "lock"))
    return Tasks(files, lambda: 1_790_000_000.0, name="shop", actor="ann", known=True)


def fresh(folder: Path) -> Tasks:
    for name in os.listdir(folder):
        os.unlink(folder / name)
    return tasks_in(folder)


@MODESTLY
@example([{"labels": [None, None]}])
@given(st.lists(STRANGE, max_size=5))
def test_what_is_imported_is_exported_and_unknown_fields_outlive_every_change(
    tmp_path: Path, rows: list[dict[str, Any]]
) -> None:
    tasks = fresh(tmp_path)
    given_rows = [{**row, "id": f"x-{n}"} for n, row in enumerate(rows)]
    content = "".join(json.dumps(row) + "\n" for row in given_rows).encode()
    try:
        import_lines(tasks.files, content)
    except ConflictError:
        return  # a circle of what blocks
    out = export_lines(tasks.board())
    assert sorted(out.splitlines()) == sorted(content.splitlines()), "not the bytes that came"
    for row in given_rows:
        ident = row["id"]
        if ident not in tasks.board().issues:
            continue
        tasks.apply(ident, Change({"notes": "seen"}))
        after = tasks.board().issues[ident].data
        touched = {"notes", "updated_at", "content_hash", "dependency_count", "comment_count"}
        for name, value in row.items():
            assert name in touched or after[name] == value, name
    assert import_lines(tasks.files, export_lines(tasks.board())).changed == 0


def test_a_seeded_loss_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer that spells the fields it knows loses the others, and the law sees it."""
    known = ("id", "title", "status")
    monkeypatch.setattr(
        "satchel.features.tasks.files.encode_issue",
        lambda data: lines.encode_issue({k: v for k, v in data.items() if k in known}),
    )
    tasks = tasks_in(tmp_path)
    import_lines(tasks.files, b'{"id":"x-1","title":"a","owner_team":"blue"}\n')
    tasks.apply("x-1", Change({"notes": "seen"}))
    assert "owner_team" not in tasks.board().issues["x-1"].data


IDS = [f"x-{n}" for n in range(6)]
OPERATIONS = st.lists(
    st.tuples(st.sampled_from(IDS), st.sampled_from(IDS), st.sampled_from(
        ["blocks", "parent-child", "conditional-blocks", "waits-for", "related", "discovered-from"]
    )),
    max_size=12,
)  # fmt: skip


def naive_circle(edges: dict[str, set[str]]) -> bool:
    """Whether some node reaches itself, found by walking from each."""
    for start, beginning in edges.items():
        seen: set[str] = set()
        waiting = list(beginning)
        while waiting:
            here = waiting.pop()
            if here == start:
                return True
            if here not in seen:
                seen.add(here)
                waiting += edges.get(here, ())
    return False


def edges_of(board: Board) -> dict[str, set[str]]:
    return {
        ident: {link.target for link in board.graph.links(ident) if link.kind in ORDERING}
        for ident in board.issues
    }


def made(folder: Path) -> Tasks:
    tasks = fresh(folder)
    rows = [{"id": ident, "title": ident, "status": "open"} for ident in IDS]
    import_lines(tasks.files, "".join(json.dumps(row) + "\n" for row in rows).encode())
    return tasks


@MODESTLY
@given(OPERATIONS)
def test_no_circle_is_ever_accepted_and_none_is_refused_without_one(
    tmp_path: Path, operations: list[tuple[str, str, str]]
) -> None:
    tasks = made(tmp_path)
    for ident, on, kind in operations:
        before = edges_of(tasks.board())
        if kind == "parent-child":
            before[ident] -= {tasks.board().graph.parent(ident)}
        would = {**before, ident: before[ident] | ({on} if kind in ORDERING else set())}
        try:
            tasks.depend(ident, on, kind)
            accepted = True
        except ConflictError:
            accepted = False
        assert not naive_circle(edges_of(tasks.board()))
        assert accepted == (ident != on and not naive_circle(would)), (ident, on, kind)
    assert tasks.board().graph.circles() == []


def test_a_seeded_blind_spot_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search for circles that looks one step far accepts one of three."""
    monkeypatch.setattr(
        issue_graph.IssueGraph, "circle",
        lambda self, ident, target: (ident, target) if any(
            k.target == ident for k in self.links(target)) else (),
    )  # fmt: skip
    tasks = made(tmp_path)
    for ident, on in (("x-1", "x-0"), ("x-2", "x-1"), ("x-0", "x-2")):
        tasks.depend(ident, on)
    assert naive_circle(edges_of(tasks.board()))
    assert tasks.board().graph.circles() != []
    assert any("cycle" in one.what for one in tasks.board().problems())


GRAPHS = st.lists(
    st.fixed_dictionaries({
        "status": st.sampled_from(["open", "open", "open", "closed", "in_progress", "deferred",
                                   "pinned", "tombstone"]),
        "priority": st.integers(0, 4),
        "created_at": st.sampled_from(["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", ""]),
        "defer_until": st.sampled_from(["", "", "2099-01-01T00:00:00Z", "2020-01-01T00:00:00Z"]),
        "close_reason": st.sampled_from(["done", "failed"]),
        "ephemeral": st.sampled_from([False, False, False, True]),
        "links": st.lists(st.tuples(st.integers(0, 7), st.sampled_from(
            ["blocks", "conditional-blocks", "parent-child", "related", "waits-for"])), max_size=3),
    }),
    max_size=8,
)  # fmt: skip


def naive_ready(rows: dict[str, dict[str, Any]], now: str) -> list[str]:
    """Ready by the words of the documentation, written without looking at the graph."""
    rows = {i: r for i, r in rows.items() if r["status"] != "tombstone"}

    def parent(i: str) -> str:
        return next((t for t, k in rows[i]["deps"] if k == "parent-child"), "")

    def chain(i: str) -> list[str]:
        seen = [i]
        while i in rows and parent(i) and parent(i) not in seen:
            i = parent(i)
            seen.append(i)
        return seen[1:]

    def closed(i: str) -> bool:
        return bool(rows[i]["status"] == "closed")

    def holding(i: str) -> list[str]:
        found = []
        for t, kind in rows[i]["deps"] if i in rows else ():
            if t not in rows:
                continue
            if kind == "blocks" and not closed(t) and rows[t]["status"] != "pinned":
                found.append(t)
            if kind == "conditional-blocks" and not (
                closed(t) and rows[t]["close_reason"] == "failed"
            ):
                found.append(t)
            if kind == "waits-for":
                below = [c for c in rows if c != i and parent(c) == t]
                if any(not closed(c) for c in below) if below else not closed(t):
                    found.append(t)
        return found

    ready = []
    for i, row in rows.items():
        above = chain(i)
        held = holding(i) or [b for a in above for b in holding(a) if a not in chain(b)]
        alive = [a for a in above if a in rows and not closed(a)]
        put_off = any(rows[a]["status"] == "deferred" and not rows[a]["defer_until"] for a in alive)
        late = any(rows[a]["defer_until"] > now for a in [i, *alive])
        if row["status"] == "open" and not (held or put_off or late or row["ephemeral"]):
            ready.append(i)
    return sorted(ready, key=lambda i: (rows[i]["priority"], rows[i]["created_at"], i))


@MODESTLY
@given(GRAPHS)
def test_ready_is_what_a_naive_reader_says(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    model: dict[str, dict[str, Any]] = {}
    issues = {}
    for number, row in enumerate(rows):
        ident = f"x-{number}"
        # The first parent counts, and a link to itself is none.
        deps = list(dict.fromkeys((f"x-{t}", k) for t, k in row["links"] if t != number))
        plain = {k: v for k, v in row.items() if k != "links"}
        model[ident] = {**plain, "deps": deps}
        data = {"id": ident, **plain, "dependencies": [
            {"issue_id": ident, "depends_on_id": t, "type": k} for t, k in deps]}  # fmt: skip
        issue = issue_of(data)
        assert issue is not None
        if issue.status != "tombstone":
            issues[ident] = issue
    now = 1_790_000_000.0
    assert [i.id for i in IssueGraph(issues).ready(now)] == naive_ready(model, "2026-09-21")


VERSIONS = st.lists(
    st.fixed_dictionaries({
        "id": st.just("x-1"),
        "title": st.sampled_from(["one", "two"]),
        "status": st.sampled_from(["open", "closed", "tombstone"]),
        "updated_at": st.sampled_from(["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", "odd"]),
        "labels": st.lists(st.sampled_from("abc"), max_size=2, unique=True),
        "comments": st.lists(st.builds(lambda n: {"id": f"c{n}", "text": str(n)},
                                       st.integers(0, 3)), max_size=2,
                             unique_by=lambda c: c["id"]),
    }, optional={"extra": st.integers(0, 3), "notes": st.sampled_from(["m", "n"])}),
    min_size=1, max_size=4,
)  # fmt: skip


@MODESTLY
@given(VERSIONS, st.randoms())
def test_merging_does_not_depend_on_order_and_loses_nothing(
    versions: list[dict[str, Any]], shuffler: Any
) -> None:
    result = merged(versions)
    shuffled = list(versions)
    shuffler.shuffle(shuffled)

    def plain(data: dict[str, Any]) -> dict[str, Any]:
        return {
            k: sorted(map(json.dumps, v)) if isinstance(v, list) else v for k, v in data.items()
        }

    assert plain(merged(shuffled)) == plain(result)
    assert plain(merged([result, *versions])) == plain(result)
    lost = overruled(versions)
    for version in versions:
        assert set(version["labels"]) <= set(result["labels"])
        for comment in version["comments"]:
            assert comment["id"] in [one["id"] for one in result["comments"]]
        for name in ("title", "status", "notes", "extra"):
            if name in version:
                assert version[name] == result[name] or (name, version[name]) in lost
    if any(v["status"] == "tombstone" for v in versions):
        assert result["status"] == "tombstone", "a grave was opened by a merge"


@MODESTLY
@given(
    st.lists(
        st.binary(max_size=30).filter(lambda raw: b"\0" not in raw)
        | STRANGE.map(lambda d: json.dumps({**d, "id": "x"}).encode())
    )
)
def test_any_bytes_are_read_and_written_back(tmp_path: Path, rows: list[bytes]) -> None:
    tasks = fresh(tmp_path)
    content = b"\n".join(rows)
    (tmp_path / "tasks.jsonl").write_bytes(content)
    kept = [line.raw for line in lines_in(content) if line.id != "x"]
    tasks.create({"title": "new"})
    written = (tmp_path / "tasks.jsonl").read_bytes().split(b"\n")
    for raw in kept:
        assert raw in written
    for ident in groups_in(lines_in(content)):
        assert ident in tasks.board().every
