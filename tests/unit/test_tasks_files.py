"""Files of tasks: lines in their place, merges, real exports, and what is not a file."""

import json
import os
from pathlib import Path

import pytest

from satchel.core.errors import BusyError, ConflictError, SatchelError
from satchel.features.tasks.board import file_text
from satchel.features.tasks.files import TaskFiles
from satchel.features.tasks.lines import encode_issue, lines_in
from satchel.features.tasks.project_tasks import export_lines, import_lines
from satchel.features.tasks.service import Tasks
from satchel.features.tasks.values import Change


def tasks_in(folder: Path, name: str = "tasks.jsonl") -> Tasks:
    path = str(folder / name)
    files = TaskFiles(str(folder), path, [path], str(folder / "lock"))
    return Tasks(files, lambda: 1_790_000_000.0, name="shop", actor="ann", known=True)


def fresh(folder: Path) -> Tasks:
    for name in os.listdir(folder):
        os.unlink(folder / name)
    return tasks_in(folder)


def test_half_a_surrogate_is_written_as_it_was_read() -> None:
    (line,) = lines_in(b'{"id":"x","title":"\\ud800 \\u00e9"}')
    assert line.data is not None
    assert json.loads(encode_issue(line.data)) == line.data


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


def test_another_program_s_line_ends_and_another_file_s_lines_stay(tmp_path: Path) -> None:
    path, other = tmp_path / "tasks.jsonl", tmp_path / "data.jsonl"
    other.write_bytes(b'{"row": 1}\n')
    files = TaskFiles(str(tmp_path), str(path), [str(other)], str(tmp_path / "lock"))
    tasks = Tasks(files, lambda: 1_790_000_000.0, name="shop", actor="ann")
    tasks.create({"title": "ours", "id": "x-5"})
    assert other.read_bytes() == b'{"row": 1}\n', "a file without tasks is not a home of tasks"
    path.write_bytes(b'{"id":"x-1"}\r\n  {"id":"x-2"}\r\n')
    tasks.create({"title": "new", "id": "x-3"})
    assert path.read_bytes().startswith(b'{"id":"x-1"}\r\n  {"id":"x-2"}\r\n{')
    assert set(tasks.board().issues) == {"x-1", "x-2", "x-3"}
    path.unlink()
    other.write_bytes(b'{"id":"x-1","title":"theirs"}\n')
    tasks.create({"title": "beside it", "id": "x-6"})
    assert not path.exists()
    assert b"beside it" in other.read_bytes()


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
        assert any("have the same id" in problem.what for problem in board.problems())
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
            blocked = [
                link.target
                for link in issue.links
                if link.kind == "blocks" and not board.every[link.target].is_done
            ]
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


def test_what_git_writes_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    tasks = tasks_in(tmp_path)
    tasks.create({"title": "ours", "id": "x-1"})
    path = tmp_path / "tasks.jsonl"

    def pulled(data: dict[str, object], _: object) -> dict[str, object]:
        path.write_bytes(path.read_bytes() + b'{"id":"x-2","title":"pulled"}\n')
        return {**data, "notes": "n"}

    with pytest.raises(BusyError, match="Another program"):
        tasks.update("x-1", pulled)
    assert set(tasks.board().issues) == {"x-1", "x-2"}


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
