import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ordinary_user import as_ordinary_user, reachable_directory
from satchel.features.tasks.reading import OPEN_STATUSES, Task, ancestors_of, epic_of, read_tasks

NEW = {
    "_type": "issue",
    "id": "bd-a3f8",
    "title": "Add token refresh",
    "description": "why",
    "acceptance_criteria": "it refreshes",
    "status": "in_progress",
    "priority": 0,
    "issue_type": "feature",
    "created_at": "2026-04-18T16:19:12Z",
    "updated_at": "2026-04-18T16:30:16Z",
    "dependencies": [
        {"issue_id": "bd-a3f8", "depends_on_id": "bd-11aa", "type": "blocks"},
        {"issue_id": "bd-a3f8", "depends_on_id": "bd-epic", "type": "parent-child"},
    ],
    "comments": [{"id": 1, "text": "LEARNED: x"}],
}


def write(path: Path, *lines: Any) -> str:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return str(path)


def test_a_parent_is_read_in_every_spelling_of_beads(tmp_path: Path) -> None:
    told = {"id": "bd-epic", "dependency_type": "parent-child"}
    path = write(tmp_path / "a.jsonl", {"id": "bd-1", "title": "x", "dependencies": [told]})
    assert read_tasks([path])["bd-1"].parent == "bd-epic"


def test_a_line_of_today_s_export_is_read_whole(tmp_path: Path) -> None:
    tasks = read_tasks([write(tmp_path / "issues.jsonl", NEW)])
    assert tasks == {
        "bd-a3f8": Task(
            id="bd-a3f8",
            title="Add token refresh",
            status="in_progress",
            parent="bd-epic",
            issue_type="feature",
            priority=0,
            updated_at="2026-04-18T16:30:16Z",
            description="why",
            acceptance="it refreshes",
        )
    }


def test_an_old_export_without_type_is_read(tmp_path: Path) -> None:
    old = {"id": "bd-1", "title": "t", "status": "open", "priority": 2, "parent": "bd-9"}
    assert read_tasks([write(tmp_path / "beads.jsonl", old)])["bd-1"].parent == "bd-9"


def test_memories_and_tombstones_are_no_tasks(tmp_path: Path) -> None:
    path = write(
        tmp_path / "i.jsonl",
        {"_type": "memory", "key": "k", "value": "v"},
        {"id": "bd-1", "title": "gone", "status": "tombstone"},
        {"id": "bd-2", "title": "here"},
    )
    assert list(read_tasks([path])) == ["bd-2"]


def test_damaged_lines_are_passed_over_and_the_others_read(tmp_path: Path) -> None:
    path = tmp_path / "i.jsonl"
    good = json.dumps(NEW).encode()
    bad = [b"<<<<<<< HEAD", b"{", b"[]", b'"text"', b"{}", b'{"id": 7}', b"\xff\xfe", b"[" * 90_000]
    path.write_bytes(b"\xef\xbb\xbf" + good + b"\r\n" + b"\n".join(bad) + b"\n\n" + good[:40])
    assert list(read_tasks([str(path)])) == ["bd-a3f8"]


def test_what_is_no_file_gives_no_tasks(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    paths = [str(tmp_path / name) for name in ("absent", "pipe", "")]
    assert read_tasks(paths) == {}


def test_a_file_that_refuses_has_no_tasks() -> None:
    with reachable_directory() as directory:
        path = write(Path(directory) / "i.jsonl", NEW)
        os.chmod(path, 0)
        with as_ordinary_user():
            assert read_tasks([path]) == {}


def test_of_two_versions_the_one_changed_last_counts_across_time_zones(tmp_path: Path) -> None:
    newer = {"id": "a", "title": "newer", "updated_at": "2026-01-01T01:00:00-07:00"}
    older = {"id": "a", "title": "older", "updated_at": "2026-01-01T02:00:00Z"}
    one = write(tmp_path / "1", newer)
    two = write(tmp_path / "2", older)
    assert read_tasks([one, two])["a"].title == "newer"
    assert read_tasks([two, one])["a"].title == "newer"


def test_a_later_tombstone_takes_a_task_away_and_an_older_one_does_not(tmp_path: Path) -> None:
    task = {"id": "a", "title": "t", "updated_at": "2026-01-02T00:00:00Z"}
    grave = {"id": "a", "status": "tombstone", "updated_at": "2026-01-03T00:00:00Z"}
    assert read_tasks([write(tmp_path / "1", grave, task)]) == {}
    grave["updated_at"] = "2026-01-01T00:00:00Z"
    assert "a" in read_tasks([write(tmp_path / "1", task, grave)])


def test_a_parent_comes_from_the_dependency_then_the_field_then_the_id(tmp_path: Path) -> None:
    def child(number: int, **more: Any) -> dict[str, Any]:
        return {"id": f"e.{number}", "title": "t", **more}

    link = {"issue_id": "e.1", "depends_on_id": "linked", "type": "parent-child"}
    foreign = {"issue_id": "other", "depends_on_id": "wrong", "type": "parent-child"}
    tasks = read_tasks(
        [
            write(
                tmp_path / "i",
                {"id": "e", "title": "epic"},
                child(1, dependencies=[foreign, link], parent="field"),
                child(2, parent_id="field"),
                child(3),
                child(4, dependencies="nonsense", parent=5),
                {"id": "x.1", "title": "no such parent"},
                {"id": "e.3.1", "title": "grandchild"},
                {"id": "e.9.1", "title": "its parent is gone"},
                {"id": "e.txt", "title": "not a number"},
            )
        ]
    )
    assert {task.id: task.parent for task in tasks.values()} == {
        "e": "",
        "e.1": "linked",
        "e.2": "field",
        "e.3": "e",
        "e.4": "e",
        "x.1": "",
        "e.3.1": "e.3",
        "e.9.1": "e",
        "e.txt": "",
    }


def test_the_epic_is_the_nearest_parent_even_of_a_task_not_listed(tmp_path: Path) -> None:
    tasks = read_tasks(
        [
            write(
                tmp_path / "i",
                {"id": "e", "title": "e"},
                {"id": "e.1", "title": "t"},
                {"id": "e.1.1", "title": "t"},
                {"id": "a", "title": "circle", "parent": "b"},
                {"id": "b", "title": "circle", "parent": "a"},
                {"id": "c", "title": "itself", "parent": "c"},
            )
        ]
    )
    epics = {one: epic_of(one, tasks) for one in ("e.1.1", "e.1", "e", "e.7", "nobody", "c", "a")}
    assert epics == {
        "e.1.1": "e.1",
        "e.1": "e",
        "e": "",
        "e.7": "e",
        "nobody": "",
        "c": "",
        "a": "b",
    }
    assert ancestors_of("e.1.1", tasks) == ("e.1", "e")
    assert ancestors_of("a", tasks) == ("b",)


def test_closed_is_not_open() -> None:
    assert "in_progress" in OPEN_STATUSES
    assert not OPEN_STATUSES & {"closed", "tombstone", ""}


ID = st.sampled_from(["a", "a.1", "a.1.1", "b", "b.2", "c"])


@given(st.dictionaries(ID, ID))
def test_ancestors_end_whatever_circle_the_parents_make(parents: dict[str, str]) -> None:
    tasks = {
        one: Task(one, "", "open", parent, "task", 2, "", "", "") for one, parent in parents.items()
    }
    for one in tasks:
        above = ancestors_of(one, tasks)
        assert one not in above
        assert len(set(above)) == len(above)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
KEYS = st.sampled_from([*NEW, "parent", "parent_id", "wisp", "deleted_at"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.binary(max_size=40) | st.dictionaries(KEYS, JSON).map(lambda d: json.dumps(d).encode())
    )
)
def test_no_line_raises_and_each_is_a_task_or_damage(tmp_path: Path, lines: list[bytes]) -> None:
    path = tmp_path / "any"
    path.write_bytes(b"\n".join(lines))
    tasks = read_tasks([str(path)])
    assert len(tasks) <= path.read_bytes().count(b"\n") + 1
    assert all(isinstance(field, (str, int)) for task in tasks.values() for field in task)


def real_exports() -> list[Path]:
    root = Path(__file__).resolve().parents[2]
    data = Path(os.environ.get("SATCHEL_EVAL") or root.parent / "shared" / "eval")
    return sorted((data / "beads_import").glob("*.jsonl"))


def test_real_exports_of_every_age_are_read_without_loss() -> None:
    paths = real_exports()
    if not paths:
        pytest.skip("the public evaluation data is not here; SATCHEL_EVAL names its folder")
    for path in paths:
        rows = [json.loads(line) for line in path.read_bytes().splitlines() if line.strip()]
        alive = {row["id"]: row for row in rows if row["status"] != "tombstone"}
        tasks = read_tasks([str(path)])
        assert set(tasks) == set(alive), path.name
        for task_id, task in tasks.items():
            row = alive[task_id]
            assert (task.title, task.status, task.priority) == (
                row["title"],
                row["status"],
                row["priority"],
            )
            links = [
                link["depends_on_id"]
                for link in row.get("dependencies", ())
                if link["type"] == "parent-child"
            ]
            if links:
                assert task.parent == links[0]
