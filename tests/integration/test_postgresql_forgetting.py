"""Forgetting on a team's server: no line and no document says it any more, for anybody."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from satchel.application.exchange.team import TeamExchange
from satchel.application.forgetting.service import Forgetting, Selection
from satchel.core.clock import FixedClock
from satchel.project.server import ServerStore
from satchel.storage.inbox.faults import faults
from satchel.testing import run_git
from satchel.workspace import Workspace

pytest_plugins = ["postgresql_fixtures"]
SAID = "The harbour relay answers on port zq7kx9wm when the blue side is drained."
#: Ann and Bob.
Team = tuple[Workspace, Workspace]


def member(tmp_path: Path, url: str, name: str) -> Workspace:
    """One of the team, with a home of their own and the same repository."""
    root, home = tmp_path / "app", tmp_path / name
    if not root.exists():
        (root / ".satchel").mkdir(parents=True)
        (root / ".satchel" / "project.toml").write_text('[project]\nid = "01JTEAMFORGET"\n')
        run_git(str(root), "init", "--quiet")
        run_git(str(root), "add", "--all")
        run_git(str(root), "commit", "--quiet", "--message", "first")
    home.mkdir()
    (home / "config.toml").write_text(
        f'[store]\nurl = "{url}"\nprojects = "*"\n[sessions]\nimport = false\n'
    )
    return Workspace.open(str(root), home=str(home), clock=FixedClock())


@pytest.fixture
def team(postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Team]:
    """Two members of one project on one server."""
    monkeypatch.setenv("HOME", str(tmp_path))
    with (
        member(tmp_path, postgresql_url, "ann") as ann,
        member(tmp_path, postgresql_url, "bob") as bob,
    ):
        assert ann.memories.stores.team is not None
        ann.memories.stores.team.store.migrate()
        yield ann, bob


def test_what_one_forgets_nobody_of_the_team_finds(team: Team, tmp_path: Path) -> None:
    ann, bob = team
    assert ann.memories.stores.team is not None
    one = ann.learn(SAID)
    kept = ann.learn("Run the linter before pushing.")
    answers = ServerStore.open(ann.owner().home, ann.project.clock, team=True).shared_answers(
        ann.memories.stores.team.project
    )
    for name, said in (("one", SAID), ("two", "Run the linter before pushing.")):
        answers.claim(name, "me", "mark", 15.0)
        answers.keep(name, "me", {"status": 201, "value": {"content": said}})
    assert [item.record.id for item in bob.recall("harbour relay port").items] == [one.id]
    plan = Forgetting(ann).plan(Selection((one.id,)))
    assert plan.team == 1
    receipt = Forgetting(ann).apply(plan)
    assert [left.what for left in receipt.remains] == ["PostgreSQL"]
    assert not bob.recall("harbour relay port", weak=True).items
    assert [item.record.id for item in bob.recall("linter").items] == [kept.id]
    database = ann.memories.stores.team.store.database
    for query in (
        "SELECT COUNT(*) FROM ledger_lines WHERE position('zq7kx9wm' in encode(line,'escape'))>0",
        "SELECT COUNT(*) FROM documents WHERE position('zq7kx9wm' in content) > 0",
        "SELECT COUNT(*) FROM word_counts WHERE word = 'zq7kx9wm'",
    ):
        assert database.read(query) == [(0,)], query
    assert answers.claimed("one") is None
    assert answers.claimed("two") is not None
    (stone,) = [
        line.record
        for ledger in ann.memories.stores.team.ledgers.every_private()
        for line in ledger.read()
        if line.record and line.record.id == one.id
    ]
    assert stone.deleted_at is not None
    assert ann.memories.stores.team.memories.index.problems() == []
    assert not [text for text in faults(ann.project.state.faults) if "forgetting" in str(text)]
    holding = [
        str(path)
        for path in tmp_path.rglob("*")
        if path.is_file() and ".git" not in path.parts and b"zq7kx9wm" in path.read_bytes()
    ]
    assert holding == []


def rows_with(url: str, word: str) -> set[str]:
    """The tables that hold a word in any row, whatever the column."""
    found = set()
    with psycopg.connect(url) as other:
        tables = other.execute(
            "SELECT table_schema, table_name FROM information_schema.tables WHERE table_type ="
            " 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')"
        ).fetchall()
        for schema, table in tables:
            for row in other.execute(f'SELECT * FROM {schema}."{table}"'.encode()).fetchall():
                cells = [bytes(c) if isinstance(c, bytes) else str(c).encode() for c in row]
                if any(word.encode() in cell for cell in cells):
                    found.add(str(table))
    return found


@pytest.mark.parametrize("kind", ["checkpoint", "episode"])
def test_what_quotes_it_on_the_server_loses_the_words(
    team: Team, postgresql_url: str, kind: str
) -> None:
    ann, bob = team
    one = ann.learn(SAID)
    quote = bob.remember(f"Ann asked. Agent: {SAID} Then we drained it.", kind=kind)
    assert "ledger_lines" in rows_with(postgresql_url, "zq7kx9wm")
    plan = Forgetting(ann).plan(Selection((one.id,)))
    assert plan.team == 2
    receipt = Forgetting(ann).apply(plan)
    assert [left.what for left in receipt.remains] == ["PostgreSQL"]
    assert rows_with(postgresql_url, "zq7kx9wm") == set()
    left = bob.memories.find(quote.id).record
    assert left.content == "Ann asked. Agent: [forgotten]. Then we drained it."
    assert bob.memories.stores.team is not None
    assert bob.memories.stores.team.memories.index.problems() == []


@pytest.mark.parametrize("everything", [False, True])
def test_a_colleague_who_has_a_copy_does_not_send_it_back(
    postgresql_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    everything: bool,  # noqa: FBT001
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with (
        member(tmp_path, postgresql_url, "ann") as ann,
        member(tmp_path, postgresql_url, "bob") as bob,
    ):
        assert ann.memories.stores.team is not None
        assert bob.memories.stores.team is not None
        ann.memories.stores.team.store.migrate()
        one = ann.learn(SAID)
        TeamExchange(bob, bob.memories.stores.team).pull()
        Forgetting(ann).apply(Forgetting(ann).plan(Selection((one.id,))))
        assert rows_with(postgresql_url, "zq7kx9wm") == set()
        TeamExchange(bob, bob.memories.stores.team).push(everything=everything)
        assert rows_with(postgresql_url, "zq7kx9wm") == set()
        assert not ann.recall("harbour relay port", weak=True).items
