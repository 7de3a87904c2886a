"""What was not shared is replaced, edited and deleted by no line of a colleague's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from integration.somebody import Somebody, begun, cloned

_BOB = ("Bob", "bob@example.net")
_MINE, _THEIRS = "Always deploy with --fast", "Never deploy with --fast"
_LATER = 4_000_000_000


@pytest.fixture
def ann(tmp_path: Path) -> Somebody:
    return begun(tmp_path / "ann", ("Ann", "ann@example.org"))


@pytest.fixture
def bob(ann: Somebody, tmp_path: Path) -> Somebody:
    return cloned(tmp_path / "bob", ann, _BOB)


def taken(ann: Somebody, bob: Somebody) -> None:
    """Bob commits, and Ann pulls and approves what Bob writes."""
    bob.commits()
    ann.git("pull", "--quiet", str(bob.root), "main")
    ann.satchel("approve", "--author", _BOB[1], "--yes")


def contents(one: Somebody, *words: str) -> list[str]:
    told = json.loads(one.satchel(*(words or ("list",)), "--json"))
    return sorted(item["content"] for item in told)


def tells(one: Somebody, lines: list[dict[str, object]]) -> None:
    ledger = one.root / ".satchel" / "knowledge.jsonl"
    with ledger.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)


@pytest.mark.parametrize("kind", ["learned", "constraint", "preference"])
def test_a_colleagues_line_with_the_same_key_stands_beside_ones_own(
    ann: Somebody, bob: Somebody, kind: str
) -> None:
    ann.satchel("remember", "--kind", kind, "--key", "deploy-flag", _MINE)
    bob.satchel("remember", "--kind", kind, "--key", "deploy-flag", _THEIRS)
    bob.satchel("share", "--kind", kind, "--yes")
    taken(ann, bob)
    for words in (("list",), ("list", "--at", "2999-01-01")):
        assert contents(ann, *words) == [_MINE, _THEIRS]
    found = ann.satchel("recall", "deploy with --fast")
    brief = ann.satchel("brief")
    for text in (_MINE, _THEIRS):
        assert text in found
        assert text in brief
    ann.satchel("rebuild")
    assert contents(ann) == [_MINE, _THEIRS]
    assert "wrongly" not in ann.satchel("doctor", "--json", code=0)


def test_a_contradiction_of_the_two_is_told(ann: Somebody, bob: Somebody) -> None:
    ann.satchel("remember", "--kind", "constraint", "--key", "deploy-flag", _MINE)
    bob.satchel("remember", "--kind", "constraint", "--key", "deploy-flag", _THEIRS)
    bob.satchel("share", "--yes")
    taken(ann, bob)
    assert "contradicts another one" in ann.satchel("brief")
    assert _THEIRS in ann.satchel("check", code=1)


@pytest.mark.parametrize("how", ["text", "empty", "deletion", "supersedes"])
def test_a_colleagues_line_with_the_id_of_a_memory_leaves_it(
    ann: Somebody, bob: Somebody, how: str
) -> None:
    ann.satchel("remember", "--kind", "constraint", _MINE)
    (mine,) = json.loads(ann.satchel("list", "--json"))
    line = {"type": "constraint", "id": mine["id"], "ts": _LATER, "content": "", "hash": "0"}
    lines: dict[str, list[dict[str, object]]] = {
        "text": [{**line, "content": _THEIRS}],
        "empty": [line],
        "deletion": [{**line, "deleted_at": _LATER}],
        "supersedes": [
            {**line, "content": _THEIRS},
            {**line, "id": "01M8HKZ3DV8W8K4FF49FDWAAA1", "supersedes": [mine["id"]],
             "content": "Deploy on Mondays."},
        ],
    }  # fmt: skip
    tells(bob, lines[how])
    taken(ann, bob)
    assert _MINE in contents(ann)
    assert _MINE in ann.satchel("brief")
    assert _MINE in ann.satchel("recall", "deploy with --fast")


def test_what_was_shared_belongs_to_the_team(ann: Somebody, bob: Somebody) -> None:
    ann.shares(_MINE)
    bob.git("pull", "--quiet")
    bob.satchel("approve", "--all", "--yes")
    (shared,) = json.loads(bob.satchel("list", "--json"))
    bob.satchel("edit", shared["id"], "Deploy with --fast on Mondays")
    bob.satchel("share", "--yes")
    taken(ann, bob)
    assert contents(ann) == ["Deploy with --fast on Mondays"]


def test_an_answer_of_ones_own_ends_the_conflict(ann: Somebody, bob: Somebody) -> None:
    ann.satchel("remember", "--kind", "preference", "--key", "deploy-flag", _MINE)
    bob.satchel("remember", "--kind", "preference", "--key", "deploy-flag", _THEIRS)
    bob.satchel("share", "--kind", "preference", "--yes")
    taken(ann, bob)
    ann.satchel("remember", "--kind", "preference", "--key", "deploy-flag", "Ask first")
    assert contents(ann) == ["Ask first"]


@pytest.mark.parametrize("rejects", [True, False])
def test_who_hides_or_rejects_a_colleagues_line_keeps_ones_own(
    ann: Somebody, bob: Somebody, *, rejects: bool
) -> None:
    ann.satchel("learn", "--key", "deploy-flag", _MINE)
    bob.satchel("learn", "--key", "deploy-flag", _THEIRS)
    bob.satchel("share", "--yes")
    taken(ann, bob)
    told = json.loads(ann.satchel("list", "--json"))
    (theirs,) = [one["id"] for one in told if one["content"] == _THEIRS]
    ann.satchel(*(("approve", "--reject") if rejects else ("hide",)), theirs)
    assert contents(ann) == [_MINE]
    ann.satchel("rebuild")
    assert contents(ann) == [_MINE]
