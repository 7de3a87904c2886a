"""Memories move between files and a server without a byte of difference; the command line."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from satchel.core.clock import FixedClock
from satchel.engine.search.documents import View
from satchel.engine.search.records import parse_line
from satchel.engine.search.team.index import TeamIndex
from satchel.storage.database.acting import MAINTENANCE
from satchel.storage.database.postgresql import PostgresDatabase
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.lines import decode, encode
from satchel.storage.ledger.record import Record
from satchel.storage.ledger.replication import lines_of, pull, push
from satchel.storage.ledger.team import TeamLedger, derive_nothing
from satchel.storage.settings.person_file import with_settings
from satchel.testing import run_git
from unit.records import ANY_TEXT, records

pytest_plugins = ["postgresql_fixtures"]
#: What ledgers of other programs and of damaged disks hold.
ODD = [
    b'{"type":"learned","content":"spaces  kept" , "ts": 1e9}',
    b'{"key":"k","type":"decision","content":"edited","ts":1,"hash":"0000000000000000"}',
    b"<<<<<<< HEAD",
    b'{"torn": ',
    b'{"type":"learned","content":"\\u0000 NUL and \\ud83e\\udd8a"}',
    b"\xff\xfe not text",
    b'{"type":"fact","content":"' + "käse ".encode() * 5000 + b'"}',
    b'{"id":"' + b"x" * 4000 + b'","content":"a long id","type":"context"}',
    b'{"key":"' + b"k" * 9000 + b'","content":"a long key"}',
]


def team_ledger(database: PostgresDatabase, project: str = "p") -> TeamLedger:
    index = TeamIndex(database, project, parse_line)
    return TeamLedger(database, project, "knowledge", clock=FixedClock(), derive=index.derive)


def file_ledger(folder: str) -> Ledger:
    path = os.path.join(folder, "knowledge.jsonl")
    return Ledger(path, path + ".lock", clock=FixedClock())


def test_a_ledger_moves_to_the_server_and_back_without_a_byte_of_difference(
    postgresql_url: str, tmp_path: Path
) -> None:
    first, second = file_ledger(str(tmp_path / "a")), file_ledger(str(tmp_path / "b"))
    os.makedirs(tmp_path / "a")
    os.makedirs(tmp_path / "b")
    Path(first.archive).write_bytes(b"\n".join(ODD[:3]) + b"\n")
    Path(first.path).write_bytes(b"\n".join(ODD[3:]) + b"\n\n")
    database = PostgresDatabase(postgresql_url, MAINTENANCE)
    team = team_ledger(database)
    assert push(first, team).new == len(ODD)
    assert push(first, team).new == 0, "said again, nothing is doubled"
    assert pull(team, second).new == len(ODD)
    assert pull(team, second).new == 0
    assert Path(second.path).read_bytes() == b"\n".join(ODD) + b"\n"
    assert set(lines_of(first)) == set(lines_of(team)) == set(lines_of(second))
    index = TeamIndex(database, "p", parse_line)
    assert len(index.damage()) == 3
    assert index.problems() == []
    hashes = {d.hash for d in map(parse_line, ODD) if not isinstance(d, str)}
    assert index.hashes()[team.path] == hashes
    assert index.rebuild() == len(hashes)
    assert index.hashes()[team.path] == hashes
    database.close()


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(written=st.lists(records(ANY_TEXT), max_size=12))
def test_whatever_records_hold_moves_and_is_found_as_it_was(
    postgresql_url: str, written: list[object]
) -> None:
    database = PostgresDatabase(postgresql_url, MAINTENANCE)
    lines = [encode(record)[:-1] for record in written]  # type: ignore[arg-type]
    project = os.urandom(16).hex()
    team = team_ledger(database, project)
    team.append_lines(lines)
    assert list(team.raws()) == list(dict.fromkeys(lines))
    index = TeamIndex(database, project, parse_line)
    documents = {d.hash: d for d in map(parse_line, lines) if not isinstance(d, str)}
    from satchel.engine.search.documents import Source

    sources = [Source(team.path, "team")]
    shown = {hit.document.hash: hit.document for d in documents.values()
             for hit in index.history(d.identity, sources)}  # fmt: skip
    assert shown == documents
    assert index.problems() == []
    database.close()


def test_a_text_that_is_too_large_for_the_word_index_is_kept_and_found(
    postgresql_url: str,
) -> None:
    database = PostgresDatabase(postgresql_url, "p")
    words = " ".join(f"w{n:x}" for n in range(400_000))
    team = team_ledger(database)
    assert (
        team.append_lines([b'{"type":"context","content":"needle ' + words.encode() + b'"}']) == 1
    )
    index = TeamIndex(database, "p", parse_line)
    from satchel.engine.search.documents import Source

    found = index.search("needle", View([Source(team.path, "team")], 5))
    assert len(found[0].document.content) == len(words) + 7
    database.close()


def test_a_line_that_is_taken_out_by_hand_is_gone_after_a_rebuild(postgresql_url: str) -> None:
    database = PostgresDatabase(postgresql_url, MAINTENANCE)
    team = team_ledger(database)
    kept, gone = team.append([Record(kind="decision", content=f"word{n}") for n in range(2)])
    database.write(
        "DELETE FROM ledger_lines WHERE project = ?1 AND id = ?2 RETURNING place", ("p", gone.id)
    )
    index = TeamIndex(database, "p", parse_line)
    assert index.rebuild() == 1
    assert index.problems() == []
    assert index.hashes()[team.path] == {kept.hash}
    assert database.read("SELECT word FROM word_counts WHERE word = 'word1'") == []
    database.close()


@pytest.fixture
def repository(tmp_path: Path) -> str:
    root = str(tmp_path / "repo")
    os.makedirs(os.path.join(root, ".satchel"))
    Path(root, ".satchel", "project.toml").write_text(
        '[project]\nid = "01TESTTESTTESTTESTTESTTEST"\n'
    )
    Path(root, ".satchel", "tasks.jsonl").write_text(
        '{"id": "bd-1", "title": "Mend the pump", "status": "open"}\n'
    )
    for words in (("init", "-q"), ("add", "--all"), ("commit", "-q", "-m", "first")):
        run_git(root, *words)
    return root


def satchel(root: str, home: str, *words: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "satchel", *words],
        cwd=root,
        env={"PYTHONPATH": os.pathsep.join(sys.path), "SATCHEL_HOME": home, "PATH": os.defpath,
             "SATCHEL_EMBED_BACKGROUND": "false"},
        capture_output=True,
        text=True,
        timeout=60,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def test_two_people_share_memories_through_the_server(
    postgresql_url: str, repository: str, tmp_path: Path
) -> None:
    ada, bob = str(tmp_path / "ada"), str(tmp_path / "bob")
    elsewhere = str(tmp_path / "clone")
    run_git(str(tmp_path), "clone", "-q", repository, elsewhere)
    assert satchel(repository, ada, "learn", "The pump is primed by hand on Mondays.")[0] == 0
    assert satchel(repository, ada, "remember", "--kind", "insight", "gone in an hour")[0] == 0
    assert satchel(repository, ada, "team", "status")[0] == 2
    for root, home in ((repository, ada), (elsewhere, bob)):
        code, text = satchel(root, home, "team", "init", postgresql_url)
        assert code == 0, text
    code, text = satchel(repository, ada, "team", "push", "--json")
    assert code == 0, text
    assert json.loads(text)["knowledge"] == {"read": 1, "new": 1, "left": 0}
    assert "primed by hand" in satchel(elsewhere, bob, "recall", "how is the pump primed")[1]
    told = json.loads(satchel(elsewhere, bob, "remember", "--kind", "decision",
                              "We buy a new pump in May.", "--json")[1])  # fmt: skip
    assert "new pump" in satchel(repository, ada, "recall", "pump in may")[1]
    assert satchel(repository, ada, "memory", "delete", str(told["id"]), "--yes")[0] == 0
    assert "new pump" not in satchel(elsewhere, bob, "recall", "pump in may")[1]
    assert satchel(elsewhere, bob, "team", "pull")[0] == 0
    status = json.loads(satchel(elsewhere, bob, "team", "status", "--json")[1])
    assert status["problems"] == []
    assert status["counts"] == {"learned": 1}
    assert status["published"]["task"] == 1
    assert satchel(elsewhere, bob, "team", "rebuild")[1] == "3 documents rebuilt.\n"
    assert satchel(elsewhere, bob, "team", "migrate")[1].startswith("Nothing to do")


def test_what_is_deleted_or_changed_on_the_server_is_so_on_every_machine_with_a_copy(
    postgresql_url: str, repository: str, tmp_path: Path
) -> None:
    ada, bob = str(tmp_path / "ada"), str(tmp_path / "bob")
    for home in (ada, bob):
        assert satchel(repository, home, "team", "init", postgresql_url)[0] == 0
    Path(ada, "config.toml").rename(tmp_path / "kept.toml")
    for text in ("The pump is primed by hand.", "The gate opens at nine."):
        assert satchel(repository, ada, "learn", text, "--source", "ada")[0] == 0
    (tmp_path / "kept.toml").rename(Path(ada, "config.toml"))
    assert "2 sent of 2" in satchel(repository, ada, "team", "push")[1]
    assert "gate opens" in satchel(repository, ada, "recall", "when does the gate open")[1]
    keys = ("learned-the-pump-is-primed-by-hand", "learned-the-gate-opens-at-nine")
    assert satchel(repository, bob, "memory", "delete", keys[0], "--yes")[0] == 0
    assert satchel(repository, bob, "learn", "The gate opens at nine.", "--source", "bob")[0] == 0
    assert "by hand" not in satchel(repository, ada, "recall", "how is the pump primed")[1]
    listed = json.loads(satchel(repository, ada, "memory", "list", "--json")[1])
    shown = [(item["content"], item["source"]) for item in listed]
    assert shown == [("The gate opens at nine.", "bob")]
    told = satchel(repository, ada, "memory", "delete", keys[1], "--yes")
    assert told[0] == 0, told[1]
    for home in (ada, bob):
        assert "opens at" not in satchel(repository, home, "recall", "when does the gate open")[1]


def test_a_server_that_is_away_costs_no_memory_that_is_here(
    postgresql_url: str, repository: str, tmp_path: Path
) -> None:
    home = str(tmp_path / "home")
    assert satchel(repository, home, "learn", "Kept on this machine.")[0] == 0
    assert satchel(repository, home, "team", "init", postgresql_url)[0] == 0
    away = "postgresql://postgres@127.0.0.1:1/nowhere"
    Path(home, "config.toml").write_text(f'[store]\nurl = "{away}"\nprojects = "*"\nwait_s = 1\n')
    code, text = satchel(repository, home, "recall", "kept machine")
    assert (code, "Kept on this machine." in text) == (6, True), text
    assert "Partial answer: The team's memories are missing" in text
    code, text = satchel(repository, home, "learn", "This cannot be saved there.")
    assert code in (5, 6), text
    assert "nowhere at 127.0.0.1:1" in text
    assert satchel(repository, home, "hook", "SessionStart")[0] == 0


def test_a_repository_cannot_choose_the_server(repository: str, tmp_path: Path) -> None:
    with open(os.path.join(repository, ".satchel", "project.toml"), "a", encoding="utf-8") as file:
        file.write('[store]\nurl = "postgresql://thief@127.0.0.1:1/x"\nprojects = "*"\n')
    home = str(tmp_path / "home")
    assert satchel(repository, home, "learn", "Stays here.")[0] == 0
    assert satchel(repository, home, "config", "store.url")[1].strip().startswith("store.url")
    assert "thief" not in satchel(repository, home, "config", "store.url")[1]


def test_a_password_in_the_address_is_refused(repository: str, tmp_path: Path) -> None:
    code, text = satchel(repository, str(tmp_path), "team", "init", "postgresql://me:hunter2@h/x")
    assert (code, "hunter2" in text) == (2, False)
    assert "pgpass" in text


@pytest.mark.parametrize("before", [
    "", "[store]\n", "# mine\n[recall]\nlimit = 3\n", "[store]\nurl = 'old'\nwait_s = 3\n[x]\ny=1\n",
])  # fmt: skip
def test_settings_are_put_into_a_file_and_nothing_else_changes(before: str) -> None:
    import tomllib

    old = tomllib.loads(before)
    new = tomllib.loads(with_settings(before, "store", {"url": 'a"b\\', "projects": "p"}))
    assert new.pop("store") == {**old.pop("store", {}), "url": 'a"b\\', "projects": "p"}
    assert new == old


def test_what_is_published_of_the_graph_says_nothing_of_private_memories(
    postgresql_url: str, repository: str, tmp_path: Path
) -> None:
    ada = str(tmp_path / "ada")
    open_fact = "The parser depends on `tokio` since March."
    private = "The billing gateway uses Stripe Connect and depends on Redis."
    address = "Ask zoe@pumps.io why `Kubernetes` causes the timeout."
    assert satchel(repository, ada, "learn", open_fact)[0] == 0
    assert satchel(repository, ada, "learn", address)[0] == 0
    assert satchel(repository, ada, "remember", "--kind", "decision", "--private", private)[0] == 0
    # The graph of a project is one file that a team's server reads too: nothing private is in it.
    assert "redis" not in satchel(repository, ada, "graph", "query", "redis")[1].lower()
    assert (
        "redis"
        in satchel(repository, ada, "recall", "what does the billing gateway use")[1].lower()
    )
    assert satchel(repository, ada, "team", "init", postgresql_url)[0] == 0
    code, text = satchel(repository, ada, "team", "push")
    assert code == 0, text
    database = PostgresDatabase(postgresql_url, MAINTENANCE)
    try:
        rows = database.read("SELECT subject || ' ' || id || ' ' || body::text FROM published")
        whole = " ".join(str(row[0]) for row in rows).lower()
    finally:
        database.close()
    assert "tokio" in whole
    for word in ("stripe", "redis", "billing", "zoe", "kubernetes"):
        assert word not in whole, word


def test_the_newest_version_decides_what_goes_and_secrets_stay(
    postgresql_url: str, tmp_path: Path
) -> None:
    ledger = Ledger(str(tmp_path / "k.jsonl"), str(tmp_path / "k.lock"), clock=FixedClock(1e9))
    kept = Record(kind="learned", key="kept", content="open to all", trust="user")
    later_private = Record(kind="decision", id="01A1", content="was public once", trust="user")
    private = later_private._replace(rev=1, visibility="private", content="now private")
    gone = Record(kind="decision", id="01B2", content="deleted before it ever left", trust="user")
    deleted = gone._replace(rev=1, content="", deleted_at=5)
    ledger.append([kept, later_private, private, gone, deleted])
    with open(ledger.path, "ab") as file:
        file.write(b'{"type":"learned","content":"key AKIAIOSFODNN7EXAMPLE","ts":1,"key":"k9"}\n')
    index = TeamIndex(PostgresDatabase(postgresql_url, MAINTENANCE), "one", parse_line)
    team = TeamLedger(
        index.database, "one", "knowledge", clock=FixedClock(1e9), derive=derive_nothing
    )
    moved = push(ledger, team, lambda record: record.visibility != "private")
    assert (moved.read, moved.new, moved.left) == (6, 1, 5)
    assert [decode(raw).record.content for raw in team.raws()] == ["open to all"]  # type: ignore[union-attr]
    index.database.close()


def test_rows_of_tables_live_on_the_server_and_move_both_ways(
    postgresql_url: str, repository: str, tmp_path: Path
) -> None:
    ada, bob = str(tmp_path / "ada"), str(tmp_path / "bob")
    preset = ("table", "init", "foundation", "suppliers", "products")
    assert satchel(repository, ada, *preset)[0] == 0
    assert satchel(repository, ada, "table", "add", "suppliers", "name=Before")[0] == 0
    for home in (ada, bob):
        assert satchel(repository, home, "team", "init", postgresql_url)[0] == 0
    code, text = satchel(repository, ada, "team", "push", "--everything", "--json")
    assert (code, json.loads(text)["tables"]["new"]) == (0, 1), text
    assert satchel(repository, bob, "table", "add", "suppliers", "name=Acme")[0] == 0
    code, text = satchel(repository, ada, "table", "add", "suppliers", "name=ACME")
    assert (code, "already" in text) == (2, True), text
    code, text = satchel(repository, ada, "table", "add", "products", "name=Wire", "supplier=acme")
    assert code == 0, text
    assert "supplier: Acme" in satchel(repository, bob, "recall", "who offered wire")[1]
    assert satchel(repository, bob, "team", "pull")[0] == 0
    Path(bob, "config.toml").unlink()
    found = json.loads(satchel(repository, bob, "table", "find", "suppliers", "--json")[1])
    assert sorted(one["name"] for one in found) == ["Acme", "Before"]
    away = "postgresql://postgres@127.0.0.1:1/nowhere"
    Path(ada, "config.toml").write_text(f'[store]\nurl = "{away}"\nprojects = "*"\nwait_s = 1\n')
    assert satchel(repository, ada, "table", "find", "suppliers")[0] in (5, 6)
    assert satchel(repository, ada, "recall", "who offered wire")[0] == 6
