"""Laws of tasks: nothing is lost, no circle is made, and ready is what a naive reader would say."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from satchel.errors import ConflictError, SatchelError
from satchel.tasks import issue_graph, lines
from satchel.tasks.board import Board, file_text
from satchel.tasks.dialects import issue_of
from satchel.tasks.files import TaskFiles
from satchel.tasks.importing import export_lines, import_lines
from satchel.tasks.issue_graph import IssueGraph
from satchel.tasks.lines import groups_in, lines_in, spelled
from satchel.tasks.merging import merged, overruled
from satchel.tasks.service import Tasks
from satchel.tasks.values import HARD, ORDERING, Change

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
        "satchel.tasks.files.spelled",
        lambda data: lines.spelled({k: v for k, v in data.items() if k in known}),
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
    assert any("circle" in one.what for one in tasks.board().problems())


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


def test_half_a_surrogate_is_written_as_it_was_read() -> None:
    (line,) = lines_in(b'{"id":"x","title":"\\ud800 \\u00e9"}')
    assert line.data is not None
    assert json.loads(spelled(line.data)) == line.data


def test_lines_stay_in_order_and_in_place(tmp_path: Path) -> None:
    tasks = tasks_in(tmp_path)
    path = tmp_path / "tasks.jsonl"
    path.write_bytes(b'{"id":"x-1"}\n{"id":"x-5"}\n<<<<<<< HEAD\n{"_type":"memory","key":"k"}\n')
    tasks.create({"title": "between", "id": "x-3"})
    first, second, third, *rest = path.read_bytes().splitlines()
    assert (first, json.loads(second)["id"], third) == (b'{"id":"x-1"}', "x-3", b'{"id":"x-5"}')
    assert rest == [b"<<<<<<< HEAD", b'{"_type":"memory","key":"k"}']
    path.write_bytes(b'{"id":"x-5"}\n{"id":"x-1"}\n')
    tasks.create({"title": "after", "id": "x-3"})
    assert [json.loads(one)["id"] for one in path.read_bytes().splitlines()] == [
        "x-5",
        "x-1",
        "x-3",
    ]


def test_two_branches_that_drew_one_id_have_two_tasks(tmp_path: Path) -> None:
    tasks = tasks_in(tmp_path)
    one = '{"id":"x-1","title":"ours","created_at":"2026-01-01T00:00:00Z"}\n'
    two = json.dumps({
        "id": "x-1", "title": "theirs", "created_at": "2026-01-02T00:00:00Z",
        "comments": [{"id": "c", "issue_id": "x-1", "text": "t"}],
    }) + "\n"  # fmt: skip
    found = []
    for content in (one + two, two + one):
        (tmp_path / "tasks.jsonl").write_text(content)
        board = tasks.board()
        found.append({ident: issue.title for ident, issue in board.issues.items()})
        assert any("drew the same id" in problem.what for problem in board.problems())
    assert found[0] == found[1]
    twin = next(ident for ident in found[0] if ident != "x-1")
    assert found[0] == {"x-1": "ours", twin: "theirs"}
    assert tasks.merge() == [twin]
    assert tasks.board().problems() == []
    assert tasks.board().issues[twin].data["comments"][0]["issue_id"] == twin


def real_exports() -> list[Path]:
    root = Path(__file__).resolve().parents[2]
    data = Path(os.environ.get("SATCHEL_EVAL") or root.parent / "shared" / "eval")
    return sorted((data / "beads_import").glob("*.jsonl"))


def test_real_exports_of_every_age_come_in_and_go_out_byte_for_byte(tmp_path: Path) -> None:
    paths = real_exports()
    if not paths:
        pytest.skip("the public evaluation data is not here; SATCHEL_EVAL names its folder")
    for path in paths:
        tasks = fresh(tmp_path)
        content = path.read_bytes()
        done = import_lines(tasks.files, content)
        rows = [one.strip() for one in content.splitlines() if one.strip()]
        assert (done.new, done.damaged) == (len(rows), ()), path.name
        assert sorted(export_lines(tasks.board()).splitlines()) == sorted(rows), path.name
        again = import_lines(tasks.files, content)
        assert (again.new, again.changed) == (0, 0), path.name
        board = tasks.board()
        assert board.problems() == [], path.name
        graph = board.graph
        for issue in graph.ready(tasks.now()):
            blocked = [k for k in issue.links if k.kind in HARD - {"waits-for", "conditional-blocks"}
                       and k.target in board.issues and not board.issues[k.target].is_done]  # fmt: skip
            assert not blocked, issue.id
        for issue in graph.ready(tasks.now())[:5]:
            before = issue.data
            tasks.apply(issue.id, Change({"notes": "seen"}))
            after = tasks.board().issues[issue.id].data
            for name in before.keys() - {"notes", "updated_at", "content_hash"}:
                assert after[name] == before[name], (path.name, issue.id, name)


def test_a_newer_file_of_the_same_project_changes_what_it_says_and_nothing_else(
    tmp_path: Path,
) -> None:
    tasks = tasks_in(tmp_path)
    old = {"id": "x-1", "title": "old", "updated_at": "2026-01-01T00:00:00Z", "labels": ["a"],
           "mine": 1}  # fmt: skip
    new = {"id": "x-1", "title": "new", "updated_at": "2026-01-02T00:00:00Z", "labels": ["b"]}
    for rows in ([old], [new], [old]):
        import_lines(tasks.files, "".join(json.dumps(row) + "\n" for row in rows).encode())
    data = tasks.board().issues["x-1"].data
    assert (data["title"], sorted(data["labels"]), data["mine"]) == ("new", ["a", "b"], 1)
    grave = {**new, "status": "tombstone", "deleted_at": "2026-01-01T00:00:00Z"}
    import_lines(tasks.files, json.dumps(grave).encode())
    import_lines(tasks.files, json.dumps({**new, "updated_at": "2026-02-01T00:00:00Z"}).encode())
    assert "x-1" in tasks.board().graves, "what was deleted came back"
    with pytest.raises(SatchelError, match="not found"):
        tasks.comment("x-1", "hello")


def test_a_file_that_is_none_is_told_and_never_replaced(tmp_path: Path) -> None:
    tasks = tasks_in(tmp_path)
    os.mkfifo(tmp_path / "tasks.jsonl")
    assert tasks.board().files[0].refused
    with pytest.raises(ConflictError, match="cannot be changed"):
        tasks.create({"title": "x"})
    os.unlink(tmp_path / "tasks.jsonl")
    outside = tmp_path.parent / f"{tmp_path.name}-outside.jsonl"
    outside.write_text('{"id":"x-1"}\n')
    os.symlink(outside, tmp_path / "tasks.jsonl")
    with pytest.raises(ConflictError):
        tasks.create({"title": "x"})
    assert outside.read_text() == '{"id":"x-1"}\n'
    assert file_text("p", b"\xff\xfe\n").lines[0].what == "damaged"
