"""Tasks on a team's server: one row each, found by `metadata->>'bead_id'`, said twice or not."""

import json
from pathlib import Path

import pytest

from integration.test_postgresql_moving import satchel
from satchel.storage.database.acting import MAINTENANCE
from satchel.storage.database.postgresql import PostgresDatabase
from satchel.testing import run_git

pytest_plugins = ["postgresql_fixtures"]


@pytest.fixture
def repository(tmp_path: Path) -> str:
    root = tmp_path / "repo"
    (root / ".satchel").mkdir(parents=True)
    (root / ".satchel" / "project.toml").write_text(
        '[project]\nid = "01TESTTESTTESTTESTTESTTEST"\n'
    )
    rows = [
        {"id": "bd-1", "title": "Mend the pump", "status": "open", "priority": 1,
         "updated_at": "2026-05-01T00:00:00Z", "acceptance_criteria": "it pumps"},
        {"id": "bd-2", "title": "Paint it", "status": "open", "dependencies": [
            {"issue_id": "bd-2", "depends_on_id": "bd-1", "type": "blocks"}]},
    ]  # fmt: skip
    (root / ".satchel" / "tasks.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for words in (("init", "-q"), ("config", "user.name", "Ada"),
                  ("config", "user.email", "a@example.org"), ("add", "--all"),
                  ("commit", "-q", "-m", "first")):  # fmt: skip
        run_git(str(root), *words)
    return str(root)


def test_syncing_twice_changes_nothing_and_a_newer_version_stays(
    postgresql_url: str, repository: str, tmp_path: Path
) -> None:
    ada, bob, clone = str(tmp_path / "ada"), str(tmp_path / "bob"), str(tmp_path / "clone")
    run_git(str(tmp_path), "clone", "-q", repository, clone)
    for root, home in ((repository, ada), (clone, bob)):
        code, text = satchel(root, home, "team", "init", postgresql_url)
        assert code == 0, text
    database = PostgresDatabase(postgresql_url, MAINTENANCE, patience=5)

    def row(ident: str) -> tuple[object, ...]:
        columns = "name, status, lifecycle, agent_id, priority::text, result ->> 'summary'"
        sql = f"SELECT {columns} FROM satchel.tasks WHERE metadata ->> 'bead_id' = ?1"
        (found,) = database.read(sql, (ident,))
        return found

    def versions() -> list[tuple[object, ...]]:
        rows = database.read("SELECT id, xmin::text FROM satchel.published ORDER BY id")
        return [tuple(one) for one in rows]

    code, text = satchel(repository, ada, "task", "sync", "--json")
    assert code == 0, text
    assert json.loads(text)["published"] == 2
    assert row("bd-1") == ("Mend the pump", "open", "pending", "", "1", None)
    assert row("bd-2")[2] == "blocked"
    before = versions()
    assert satchel(repository, ada, "task", "sync")[0] == 0
    assert versions() == before, "said twice, a row was written again"
    code, text = satchel(clone, bob, "task", "close", "bd-1", "--summary", "It pumps")
    assert code == 0, text
    assert satchel(clone, bob, "task", "create", "Only in the clone", "--id", "bd-3")[0] == 0
    assert satchel(clone, bob, "task", "sync", "-m", "tasks", "--json")[0] in (0, 5)
    assert satchel(clone, bob, "team", "push")[0] == 0
    assert row("bd-1")[1:3] == ("closed", "completed")
    assert row("bd-1")[5] == "It pumps"
    assert satchel(repository, ada, "task", "sync")[0] == 0
    assert row("bd-1")[1] == "closed", "an older clone took a task back"
    assert row("bd-3")[0] == "Only in the clone", "an older clone took a task away"
    assert satchel(clone, bob, "task", "delete", "bd-3", "--force")[0] == 0
    assert satchel(clone, bob, "team", "push")[0] == 0
    counted = database.read("SELECT count(*) FROM satchel.tasks")
    assert counted[0][0] == 2, "one row each, and what was deleted is gone"
    database.close()
