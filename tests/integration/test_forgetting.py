"""`forget` and `why` on a real project: what goes, what stays, what comes back, what is killed."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import satchel
from satchel.application.forgetting.service import Forgetting, Selection
from satchel.application.forgetting.values import Receipt
from satchel.application.history.provenance import provenance
from satchel.application.upkeep.maintenance import Upkeep
from satchel.core.errors import BadInputError, NotFoundError
from satchel.features.injections.injection_ledger import InjectedItem, Injection
from satchel.features.injections.outcomes import outcomes_of
from satchel.interfaces.cli.front import run
from satchel.storage.files import read_file
from satchel.storage.ledger.record import Record
from satchel.testing import reopened, run_git, temporary_workspace
from satchel.workspace import Workspace
from unit.transcripts_made import CLAUDE, CWD, SESSION, jsonl

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(satchel.__file__)))
SAID = "The harbour relay answers on port zq7kx9wm when the blue side is drained."
WORD = b"zq7kx9wm"


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    monkeypatch.setenv("HOME", str(tmp_path))
    with temporary_workspace(git=True) as opened:
        yield opened


def forget(workspace: Workspace, *given: str, files: bool = False) -> Receipt:
    forgetting = Forgetting(workspace)
    return forgetting.apply(forgetting.plan(Selection(given)), files=files)


def holding(workspace: Workspace, word: bytes = WORD) -> list[str]:
    """Files of the home and of the work tree that hold a word."""
    return [
        str(path)
        for root in (workspace.owner().home.path, workspace.project.place.root)
        for path in Path(root).rglob("*")
        if path.is_file() and ".git" not in path.parts and word in path.read_bytes()
    ]


def contents(workspace: Workspace) -> set[str]:
    workspace.refresh()
    return {record.content for record in workspace.memories.own.live()}


def test_everything_that_was_derived_goes_and_the_rest_stays(workspace: Workspace) -> None:
    workspace.learn("Run the linter before pushing.")
    older = workspace.remember("Port 80 it was, once upon a time.", kind="decision")
    one = workspace.remember(SAID, kind="decision", supersedes=(older.id,))
    workspace.remember("A story of that.", kind="episode", derived_from=(one.id,))
    plan = Forgetting(workspace).plan(Selection((one.id,)))
    assert [record.id for record in plan.chosen] == [one.id]
    assert {record.content for record in plan.derived} == {
        "A story of that.", "Port 80 it was, once upon a time.",
    }  # fmt: skip
    receipt = forget(workspace, one.id)
    assert len(receipt.ids) == 3
    assert receipt.remains == ()
    assert contents(workspace) == {"Run the linter before pushing."}
    assert holding(workspace) == []
    with pytest.raises(NotFoundError):
        Forgetting(workspace).plan(Selection(query="harbour relay"))


def test_a_plan_changes_nothing_and_a_receipt_says_no_word(workspace: Workspace) -> None:
    one = workspace.learn(SAID)
    before = holding(workspace)
    Forgetting(workspace).plan(Selection((one.id,)))
    assert holding(workspace) == before
    forget(workspace, one.id)
    assert WORD not in Path(workspace.project.state.ledger("forgotten")).read_bytes()
    assert [one.id] == list(Forgetting(workspace).receipts.all()[-1].ids)


def test_the_same_under_another_id_goes_and_a_mention_is_named(workspace: Workspace) -> None:
    one = workspace.learn(SAID)
    workspace.remember(SAID.upper(), kind="constraint")
    other = workspace.remember(
        "Ask the operators on call before anyone touches it, since the harbour relay answers on "
        "port something and nobody else knows how the switches in the cellar are wired.",
        kind="constraint",
    )
    receipt = forget(workspace, one.id)
    assert len(receipt.ids) == 2
    assert [left.where for left in receipt.remains if "memory" in left.what] == [other.id]
    assert len(contents(workspace)) == 1


def test_files_of_a_person_are_named_and_changed_only_on_their_word(workspace: Workspace) -> None:
    one = workspace.learn(SAID)
    note = Path(workspace.project.place.root, "docs", "note.md")
    note.parent.mkdir()
    note.write_text(f"# Ports\n\n- {SAID}\n- Others are free.\n")
    receipt = forget(workspace, one.id)
    assert [left.where for left in receipt.remains] == [str(note)]
    assert SAID in note.read_text()
    again = workspace.learn(SAID)
    assert forget(workspace, again.id, files=True).remains == ()
    assert note.read_text() == "# Ports\n\n- [forgotten].\n- Others are free.\n"


def test_an_episode_that_reflection_wrote_loses_the_words(workspace: Workspace) -> None:
    one = workspace.learn(SAID)
    base = Path(
        workspace.owner().home.knowledge_base(workspace.project.settings.text("layout.preset"))
    )
    episode = base / "episodes" / "2026" / "03" / "16.md"
    episode.parent.mkdir(parents=True)
    episode.write_text(f"# Monday\n\nThe agent noted: {SAID}\nTests passed.\n")
    assert forget(workspace, one.id).remains == ()
    assert holding(workspace) == []
    assert episode.read_text().startswith("# Monday\n\n")
    assert "Tests passed." in episode.read_text()


def test_a_stash_and_what_is_staged_are_named(workspace: Workspace) -> None:
    root, ledger = workspace.project.place.root, Path(workspace.project.tracked.knowledge)
    ledger.touch()
    run_git(root, "add", "--all")
    run_git(root, "commit", "--quiet", "--message", "begun")
    one = workspace.learn(SAID)
    shared = Path(workspace.project.state.ledger("knowledge")).read_bytes()
    ledger.write_bytes(shared)
    run_git(root, "stash", "--quiet")
    stash = run_git(root, "rev-parse", "refs/stash").strip()
    ledger.write_bytes(shared)
    run_git(root, "add", "--all")
    receipt = forget(workspace, one.id)
    remains = {(left.what, left.where) for left in receipt.remains}
    staged = ("what is staged in git", os.path.realpath(ledger))
    assert remains == {("git history", stash), staged}
    run_git(root, "add", "--all")
    assert WORD not in run_git(root, "show", ":.satchel/knowledge.jsonl").encode()


def test_a_line_that_a_merge_brings_back_is_gone_before_it_is_read(workspace: Workspace) -> None:
    root, ledger = workspace.project.place.root, Path(workspace.project.tracked.knowledge)
    one = workspace.learn(SAID)
    shared = Path(workspace.project.state.ledger("knowledge")).read_bytes()
    ledger.write_bytes(shared)
    run_git(root, "add", "--all")
    run_git(root, "commit", "--quiet", "--message", "shared")
    receipt = forget(workspace, one.id)
    assert [left.what for left in receipt.remains] == ["git history"]
    assert receipt.remains[0].where == run_git(root, "rev-parse", "HEAD").strip()
    assert WORD not in ledger.read_bytes()
    ledger.write_bytes(ledger.read_bytes() + shared)
    with reopened(workspace) as again:
        assert not again.recall("harbour relay port", weak=True).items
        assert holding(again) == []
        # A line that is no copy, and one of another memory, are left alone.
        again.learn("The depot answers on another port.")
        assert contents(again) == {"The depot answers on another port."}


def test_what_was_killed_in_the_middle_is_found_again(workspace: Workspace) -> None:
    """Killed right before the ledgers: the memory is there to be named. After: packed by upkeep."""
    for at, place in enumerate(("SearchedFiles.scrub", "pack_indexes")):
        one = workspace.learn(f"{SAID} {at}", key=f"key-{at}")
        workspace.close()
        owner, _, name = place.rpartition(".")
        module = "places" if owner else "service"
        target = f"module.{owner}" if owner else "module"
        script = (
            "import os\n"
            f"from satchel.application.forgetting import {module} as module\n"
            "from satchel.workspace import Workspace\n"
            "from satchel.application.forgetting.service import Forgetting, Selection\n"
            f"{target}.{name} = lambda *a, **k: os.kill(os.getpid(), 9)\n"
            f"with Workspace.open({workspace.project.place.root!r}, home={workspace.owner().home.path!r}) as w:\n"
            "    f = Forgetting(w)\n"
            f"    f.apply(f.plan(Selection(({one.id!r},))))\n"
        )
        environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": SOURCE,
            "HOME": workspace.owner().home.path,
        }
        done = subprocess.run([sys.executable, "-c", script], env=environment, check=False)
        assert done.returncode == -9
        with reopened(workspace) as again:
            if owner:
                assert forget(again, one.id).remains == ()
            else:
                assert "killed runs of forget ended" in Upkeep(again).run("purge")["purge"]
            assert holding(again) == []
            assert Forgetting(again).receipts.known().unfinished == {}


def test_a_writer_beside_it_loses_nothing(workspace: Workspace) -> None:
    ids = [workspace.learn(f"{SAID} {n}", key=f"key-{n}").id for n in range(10)]
    writer = (
        "from satchel.workspace import Workspace\n"
        f"with Workspace.open({workspace.project.place.root!r}, home={workspace.owner().home.path!r}) as w:\n"
        "    for n in range(60):\n"
        "        w.remember(f'written beside {n}', kind='constraint')\n"
    )
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": SOURCE,
        "HOME": workspace.owner().home.path,
    }
    process = subprocess.Popen([sys.executable, "-c", writer], env=environment)
    for ident in ids:
        try:
            forget(workspace, ident)
        except NotFoundError:
            continue  # it went as a copy of the one before
    assert process.wait() == 0
    assert contents(workspace) == {f"written beside {n}" for n in range(60)}
    assert holding(workspace) == []


#: Says in a process of its own whether SQLite's lock on a database that is open may be had.
_TAKES_THE_LOCK = """
import fcntl, sys
with open(sys.argv[1] + "-shm", "r+b") as shared:
    try:
        fcntl.lockf(shared, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 128)
    except OSError:
        sys.exit(1)
"""


@pytest.mark.parametrize("seeded", [False, True])
def test_an_index_that_is_open_keeps_its_locks(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, *, seeded: bool
) -> None:
    """Lost, another process cuts the shared memory short, and this one dies of it."""
    if seeded:
        from satchel.application.forgetting import places as forgotten_places

        monkeypatch.setattr(forgotten_places, "raw_bytes", read_file)
    one = workspace.learn(SAID)
    assert workspace.recall("harbour relay").items
    Forgetting(workspace).plan(Selection((one.id,)))
    words = [sys.executable, "-c", _TAKES_THE_LOCK, workspace.project.state.index]
    assert subprocess.run(words, stderr=subprocess.PIPE).returncode == (0 if seeded else 1)


def test_a_session_and_a_source_as_a_whole(workspace: Workspace) -> None:
    workspace.memories.own.append([
        Record(kind="learned", key="a", content="said in one session", session="s-1", source="x"),
        Record(kind="learned", key="b", content="said in another one", session="s-2", source="y"),
        Record(kind="learned", key="c", content="kept for its own sake", source="z"),
    ])  # fmt: skip
    workspace.refresh()
    forgetting = Forgetting(workspace)
    forgetting.apply(forgetting.plan(Selection(session="s-1")))
    forgetting.apply(forgetting.plan(Selection(source="y")))
    assert contents(workspace) == {"kept for its own sake"}
    with pytest.raises(BadInputError):
        forgetting.plan(Selection())
    with pytest.raises(NotFoundError):
        forgetting.plan(Selection(source="nobody"))


def test_an_archived_session_goes_as_a_whole_and_does_not_come_back(
    workspace: Workspace, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("SATCHEL_HOME", workspace.owner().home.path)
    path = tmp_path / "transcript.jsonl"
    path.write_bytes(jsonl(CLAUDE).replace(CWD.encode(), workspace.project.place.root.encode()))
    with workspace.sessions as sessions:
        sessions.archive.import_transcripts(paths=[str(path)])
        said = [turn.text for turn in sessions.archive.archived(SESSION).turns if turn.text]
    one = workspace.remember(said[0], kind="decision", session=SESSION)
    told = provenance(workspace, one.id)
    assert told.turns[0][2] == said[0]
    assert run(["forget", "--session", SESSION, "--yes", "-C", workspace.project.place.root]) == 0
    capsys.readouterr()
    with path.open("ab") as file:
        file.write(path.read_bytes()[-1:] or b"\n")
    with workspace.sessions as sessions:
        sessions.archive.import_transcripts(paths=[str(path)])
        turns = sessions.archive.archived(SESSION).turns
        assert turns
        assert not [turn.text for turn in turns if turn.text]
        assert not sessions.archive.search(said[0], weak=True)
    assert contents(workspace) == set()


def test_links_and_pipes_are_left_alone(workspace: Workspace, tmp_path: Path) -> None:
    outside = tmp_path / "theirs.jsonl"
    outside.write_text(SAID + "\n")
    Path(workspace.project.tracked.knowledge).symlink_to(outside)
    os.mkfifo(os.path.join(workspace.project.place.root, "pipe"))
    os.mkfifo(os.path.join(workspace.project.state.path, "pipe.jsonl"))
    Path(workspace.project.place.root, "link.md").symlink_to(outside)
    one = workspace.learn(SAID)
    assert forget(workspace, one.id, files=True).remains == ()
    assert outside.read_text() == SAID + "\n"


def test_nothing_is_forgotten_unless_somebody_says_so(
    workspace: Workspace, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SATCHEL_HOME", workspace.owner().home.path)
    one = workspace.learn(SAID)
    at = ("-C", workspace.project.place.root)
    assert run(["forget", one.id, *at]) == 2
    assert "Nothing was forgotten." in capsys.readouterr().err
    assert run(["forget", one.id, "--dry-run", "--json", *at]) == 0
    assert SAID in capsys.readouterr().out
    assert run(["forget", "01XXXXXXXXXXXXXXXX", "--yes", *at]) != 0
    assert contents(workspace) == {SAID}
    assert run(["forget", one.id, "--yes", *at]) == 0
    assert "Forgot 1 record" in capsys.readouterr().out
    assert run(["forget", "--receipts", *at]) == 0


def test_why_tells_where_it_comes_from_and_what_came_of_it(
    workspace: Workspace, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SATCHEL_HOME", workspace.owner().home.path)
    base = workspace.remember("A story.", kind="episode")
    one = workspace.remember(
        SAID, kind="constraint", agent="seldon", session="s-1", task="bd-7", branch="main",
        commit="abc123", derived_from=(base.id,),
        data={"anchors": [{"path": "src/relay.py", "symbol": "answer"}]},
    )  # fmt: skip
    later = workspace.remember("Newer.", kind="decision", supersedes=(one.id,))
    shown = InjectedItem(one.identity, one.id, "constraints", 1, 20, "a constraint", SAID)
    workspace.injections.note(Injection(0, "s-2", "SessionStart", "", 20, 100, 0, (shown,)))
    outcomes_of(workspace.project).note("s-2", {one.identity: ("used", 20)})
    told = provenance(workspace, one.id)
    assert told.derived_from == ((base.id, "episode", "A story."),)
    assert told.superseded_by == (later.id,)
    assert [row[1:] for row in told.shown] == [
        ("s-2", "SessionStart", "constraints", "a constraint", "used")
    ]
    assert told.outcomes["used"] == 1
    assert run(["why", one.id, "-C", workspace.project.place.root]) == 0
    said = capsys.readouterr().out
    for word in ("seldon", "s-1", "bd-7", "main", "abc123", "src/relay.py:answer", "(used)"):
        assert word in said
    assert run(["why", one.id, "--json", "-C", workspace.project.place.root]) == 0


def test_a_files_name_that_says_it_is_told_and_kept_in_no_receipt(workspace: Workspace) -> None:
    one = workspace.remember(SAID, kind="decision")
    name = "2026-11-28_the-harbour-relay-answers-on-port-zq7kx9wm-when.md"
    research = Path(workspace.project.place.root, "research")
    research.mkdir()
    (research / name).write_text(f"# Answer\n\n{SAID}\n")
    receipt = forget(workspace, one.id, files=True)
    assert [(left.where, left.what) for left in receipt.remains] == [
        (str(research), "a file's name")
    ]
    assert holding(workspace) == []


def test_a_ledger_that_could_not_be_rewritten_is_a_failure(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SATCHEL_HOME", workspace.owner().home.path)
    one = workspace.remember(SAID, kind="constraint")
    lock = Path(workspace.project.state.lock("knowledge"))
    lock.unlink()
    lock.mkdir()
    assert run(["forget", one.id, "--yes", "-C", workspace.project.place.root]) == 1
    assert holding(workspace)


def test_a_memory_too_short_to_be_looked_for_is_not_said_to_be_gone(workspace: Workspace) -> None:
    short, long = workspace.learn("Use zqpnpm"), workspace.learn(SAID)
    workspace.remember("Asked: use zqpnpm. Done.", kind="checkpoint")
    (left,) = forget(workspace, short.id).remains
    assert (left.where, left.what) == (short.id, "a short memory")
    assert not forget(workspace, long.id).remains


def test_outside_git_no_history_is_named() -> None:
    with temporary_workspace() as workspace:
        made = workspace.learn(SAID)
        assert not forget(workspace, made.id).remains
        broken = Path(workspace.project.place.root, ".git")
        broken.write_text("gitdir: nowhere\n")
        (left,) = forget(workspace, workspace.learn(SAID).id).remains
    assert left.what == "git history"
    assert "could not be searched" in left.why
