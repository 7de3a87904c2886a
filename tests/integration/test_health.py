import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from ordinary_user import as_ordinary_user, reachable_directory
from satchel.application.approval import believe_self
from satchel.application.findings import Finding
from satchel.application.health import private_state
from satchel.application.health.doctor import memory_findings
from satchel.application.health.statistics import collect
from satchel.clients.claude_code.wiring import plan_claude_code
from satchel.clients.settings_files.plan import apply
from satchel.core.clock import FixedClock
from satchel.features.injections.injection_ledger import InjectedItem, Injection
from satchel.storage.inbox.events import COMMAND
from satchel.storage.inbox.faults import note_fault
from satchel.storage.ledger.lines import encode
from satchel.storage.ledger.record import Record
from satchel.storage.ledger.rotation import rotate
from satchel.storage.paths import PrivateState
from satchel.workspace import Workspace

ATTRIBUTES = "knowledge.jsonl text eol=lf merge=union\n"


class Patient:
    """A real project, healthy until a test does something to it."""

    def __init__(self, tmp_path: Path) -> None:
        self.root = tmp_path / "project"
        self.clock = FixedClock(time.time())
        (self.root / ".satchel").mkdir(parents=True)
        (self.root / ".satchel" / "project.toml").write_text('[project]\nid = "01JHEALTH"\n')
        self.git("init", "-q", "-b", "main")
        self.git("add", "-A")
        program = tmp_path / "satchel"
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        apply(plan_claude_code(str(self.root), str(program)), str(tmp_path / "journal"))
        self.home = str(tmp_path / "home")
        self.workspace = Workspace.open(str(self.root), home=self.home, clock=self.clock)
        believe_self(self.workspace)
        self.state = self.workspace.project.state
        self.ledger = Path(self.state.ledger("knowledge"))
        self.tracked = Path(self.workspace.project.tracked.knowledge)
        for number in range(5):
            self.workspace.learn(f"lesson number {number}")
        self.settle()

    def settle(self) -> None:
        """Let the file's time be older than a clock tick, and index what is there."""
        time.sleep(0.06)
        self.workspace.refresh()

    def git(self, *words: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=T", "-c", "user.email=t@example.org", *words],
            cwd=self.root,
            check=True,
            capture_output=True,
        )

    def share(self, text: bytes = b"") -> None:
        assert self.workspace.memories.stores.ledgers.tracked
        self.workspace.memories.stores.ledgers.tracked.append(
            [Record(kind="learned", content="team", key="team")]
        )
        with self.tracked.open("ab") as file:
            file.write(text)
        self.settle()

    def findings(self) -> list[Finding]:
        worst_first = ("error", "warning", "note").index
        return sorted(memory_findings(self.workspace), key=lambda one: worst_first(one.severity))

    def one(self, part: str) -> Finding:
        """The one finding whose subject or text holds `part`."""
        found = [f for f in self.findings() if part in f"{f.subject} {f.what}"]
        assert len(found) == 1, found
        return found[0]

    def sql(self, statement: str) -> None:
        """Damage the index behind its owner's back."""
        connection = apsw.Connection(self.state.index)
        connection.execute(statement)
        connection.close()


@pytest.fixture
def patient(tmp_path: Path) -> Iterator[Patient]:
    one = Patient(tmp_path)
    yield one
    one.workspace.close()


def test_a_healthy_project_has_no_findings_at_all(patient: Patient) -> None:
    assert patient.findings() == []


def test_a_healthy_project_that_shares_rotates_and_injects_has_none_either(
    patient: Patient,
) -> None:
    (patient.root / ".satchel" / ".gitattributes").write_text(ATTRIBUTES)
    patient.share()
    patient.workspace.injections.note(Injection(0, "s", "SessionStart", "", 1, 2, 0, ()))
    patient.workspace.remember("passing", kind="insight")
    ledger = patient.workspace.memories.stores.ledgers.private("learned")
    rotate(ledger, above=3, move=2)
    patient.settle()
    patient.workspace.rebuild()
    assert patient.findings() == []


def test_the_workspace_asks_the_same_questions(patient: Patient) -> None:
    assert list(patient.workspace.examine()) == []
    kept = patient.ledger.with_suffix(".kept")
    patient.ledger.rename(kept)
    (lost,) = patient.workspace.examine()
    assert (lost.severity, lost.subject) == ("error", str(patient.ledger))
    assert "lost its end" in lost.what
    kept.rename(patient.ledger)
    shutil.copy(patient.state.index, patient.state.index + ".damaged")
    assert [f.severity for f in patient.workspace.examine()] == ["note"]


# The index against the ledgers


def test_lines_that_the_index_lacks_are_an_error(patient: Patient) -> None:
    patient.sql("DELETE FROM presence WHERE doc_id = 2")
    found = patient.one("1 line of it not in the index")
    assert (found.severity, found.subject) == ("error", str(patient.ledger))
    assert "satchel rebuild" in found.next_step


def test_rows_that_no_ledger_has_are_an_error(patient: Patient) -> None:
    patient.sql(
        "INSERT INTO documents SELECT 99, 'feedfeedfeedfeed', identity, kind, ts, id, rev, task,"
        " epic, expires_at, deleted, private, superseded, title, content, tags, code, fields, seal, thread, place FROM documents LIMIT 1;"
        " INSERT INTO words (rowid, title, content, tags, code)"
        " SELECT doc_id, title, content, tags, code FROM documents WHERE doc_id = 99;"
        " INSERT INTO presence SELECT source_id, 99 FROM presence LIMIT 1"
    )
    found = patient.one("the index holds 1 that it lacks (feedfeedfeedfeed)")
    assert found.severity == "error"


def test_a_file_that_changed_just_now_is_told_as_behind(patient: Patient) -> None:
    with patient.ledger.open("ab") as file:
        file.write(encode(Record(kind="learned", content="new", key="new", ts=5, id="")))
    found = patient.one("not in the index")
    assert (found.severity, found.next_step) == ("warning", "The index is behind: try again.")
    patient.settle()
    assert patient.findings() == []


def test_words_that_differ_from_their_documents_are_an_error(patient: Patient) -> None:
    patient.sql("UPDATE documents SET content = 'something else' WHERE doc_id = 1")
    found = patient.one("the word index differs from its documents")
    assert found.severity == "error"


def test_a_newer_schema_in_the_live_index_is_an_error(patient: Patient) -> None:
    patient.sql("UPDATE meta SET value = '77' WHERE name = 'schema'")
    found = patient.one("its schema is '77'")
    assert found.severity == "error"
    assert "Another version" in found.next_step


def test_an_index_without_its_tables_is_one_error_and_the_rest_is_examined(
    patient: Patient,
) -> None:
    patient.sql("DROP TABLE presence")
    with patient.ledger.open("ab") as file:
        file.write(b"{torn\n")
    found = patient.findings()
    assert [f.severity for f in found] == ["error", "warning"]
    assert found[0].subject == "index"
    assert found[1].subject == f"{patient.ledger}:6"


def test_an_older_index_that_was_set_aside_is_told_as_that(patient: Patient) -> None:
    patient.workspace.close()
    patient.sql("UPDATE meta SET value = '1' WHERE name = 'schema'")
    patient.settle()  # opening it sets it aside
    found = patient.one("another version of Satchel (schema 1, ours is")
    assert (found.severity, found.subject) == ("warning", patient.state.index + ".damaged")
    assert patient.one("hook index").what.startswith("the index could not be used")


def test_an_index_of_a_newer_version_that_is_left_alone_is_told_as_that(patient: Patient) -> None:
    patient.workspace.close()
    patient.sql("UPDATE meta SET value = '77' WHERE name = 'schema'")
    patient.settle()
    assert patient.one("was made by a newer Satchel (schema 77, ours is").severity == "warning"


def test_a_damaged_index_that_was_set_aside_is_a_note(patient: Patient) -> None:
    patient.workspace.close()
    for ending in ("-wal", "-shm"):
        Path(patient.state.index + ending).unlink(missing_ok=True)
    Path(patient.state.index).write_bytes(b"no database at all" * 400)
    patient.settle()
    assert patient.one("an index that could not be used was set aside").severity == "note"
    assert [f.severity for f in patient.findings()] == ["warning", "note"]


def test_an_unsafe_engine_is_named(patient: Patient) -> None:
    index = patient.workspace.memories.own.index
    assert private_state.engine_findings(index, safe=True) == []
    (found,) = private_state.engine_findings(index, safe=False)
    assert "can lose pages of a write-ahead log" in found.what
    assert found.severity == "warning"
    assert "SQLite 3." in found.what


def test_ledgers_of_other_work_trees_are_told(patient: Patient) -> None:
    patient.share()
    (patient.root / ".satchel" / ".gitattributes").write_text(ATTRIBUTES)
    patient.sql("UPDATE sources SET path = '/elsewhere/k.jsonl' WHERE path LIKE '%/.satchel/%'")
    patient.settle()
    found = patient.one("/elsewhere/k.jsonl")
    assert found.severity == "note"


# Lines


def test_damaged_lines_are_named_by_file_and_number(patient: Patient) -> None:
    with patient.ledger.open("ab") as file:
        file.write(b'{"content":"torn\n\n\xff\xfe\n')
    patient.settle()
    found = [f for f in patient.findings() if f.subject.startswith(str(patient.ledger))]
    assert [f.subject.rpartition(":")[2] for f in found] == ["6", "8"]
    assert "not JSON" in found[0].what
    assert "not UTF-8" in found[1].what
    assert {f.severity for f in found} == {"warning"}
    quarantine = patient.one("2 lines that could not be read")
    assert "knowledge.jsonl: not UTF-8" in quarantine.what
    assert quarantine.subject == patient.state.quarantine


def test_many_damaged_lines_are_counted_not_listed(patient: Patient) -> None:
    with patient.ledger.open("ab") as file:
        file.write(b"".join(b"{torn %d\n" % number for number in range(50)))
    assert patient.one("30 more lines cannot be read").severity == "warning"
    assert len(patient.findings()) < 30


def test_conflict_markers_in_the_tracked_ledger_are_errors(patient: Patient) -> None:
    (patient.root / ".satchel" / ".gitattributes").write_text(ATTRIBUTES)
    patient.share(b"<<<<<<< HEAD\n=======\n>>>>>>> other\n")
    found = [f for f in patient.findings() if "conflict marker" in f.what and f.severity == "error"]
    assert [f.subject for f in found] == [f"{patient.tracked}:{n}" for n in (2, 3, 4)]


def test_hand_edited_lines_are_told_as_trusted_less(patient: Patient) -> None:
    text = patient.ledger.read_bytes().replace(b"lesson number 2", b"lesson of mine")
    patient.ledger.write_bytes(text)
    patient.settle()
    found = patient.one("edited by hand: line 3")
    assert (found.severity, found.subject) == ("note", str(patient.ledger))
    assert len(patient.findings()) == 1


def test_lines_from_the_future_are_told(patient: Patient) -> None:
    patient.clock.advance(86_400 * 400)
    patient.workspace.learn("from the future")
    patient.clock.advance(-86_400 * 400)
    patient.settle()
    found = patient.one("more than a day ahead")
    assert found.severity == "warning"
    assert "line 6" in found.what


def test_a_ledger_that_cannot_be_read_is_an_error_with_its_cause(patient: Patient) -> None:
    patient.ledger.unlink()
    patient.ledger.mkdir()
    found = [f for f in patient.findings() if f.subject == str(patient.ledger)]
    assert [f.severity for f in found] == ["error"]
    assert "directory" in found[0].what


# Inbox, faults, quarantine


def learned(number: int) -> dict[str, object]:
    return {"what": COMMAND, "command": f'bd comment bd-1 "LEARNED: number {number}"'}


def test_events_in_the_inbox_are_counted_and_aged(patient: Patient) -> None:
    for number in range(3):
        patient.workspace.project.inbox.append(learned(number), patient.clock.now() - 7200 - number)
    found = patient.one("3 events wait, the oldest since 2 hours")
    assert (found.severity, found.next_step) == ("note", "`satchel upkeep drain` drains it.")
    patient.clock.advance(3 * 86_400)
    assert patient.one("3 events wait, the oldest since 3 days").severity == "warning"


def test_what_a_killed_drainer_or_hook_left_is_named(patient: Patient) -> None:
    patient.workspace.project.inbox.append(learned(1), patient.clock.now())
    (taken,) = patient.workspace.project.inbox.take()
    Path(patient.state.inbox, "alone-X.part").write_bytes(b'{"what":')
    assert os.path.basename(taken) in patient.one("a drain did not finish").what
    assert "alone-X.part" in patient.one("a hook was killed while it wrote").what
    assert patient.one("1 event waits").severity == "note"


def test_faults_are_counted_by_cause_most_frequent_first(patient: Patient) -> None:
    note_fault(patient.state.faults, "SessionStart", "disk full", 1_700_000_000)
    for number in range(4):
        note_fault(patient.state.faults, "PostToolUse", "gave up", 1_700_000_000 + number)
    found = [f for f in patient.findings() if f.subject.startswith("hook ")]
    assert [f.subject for f in found] == ["hook PostToolUse", "hook SessionStart"]
    assert found[0].what == "gave up (4 times, last 2023-11-14 22:13 UTC)"
    assert found[1].what.startswith("disk full (once")
    assert {f.severity for f in found} == {"warning"}


def test_a_quarantined_line_whose_log_is_lost_is_still_told(patient: Patient) -> None:
    os.mkdir(patient.state.quarantine)
    Path(patient.state.quarantine, "ab12.raw").write_bytes(b"{torn")
    Path(patient.state.quarantine, "ab12.raw").chmod(0o600)
    assert "ab12.raw: no reason was recorded" in patient.one("1 line that could not be read").what


# The state's directory


def test_private_files_that_others_may_read_are_named(patient: Patient) -> None:
    patient.ledger.chmod(0o644)
    found = patient.one("others may read or change")
    assert (found.severity, str(patient.ledger) in found.what) == ("warning", True)
    patient.ledger.chmod(0o600)
    os.chmod(patient.state.ledgers, 0o777)
    assert patient.state.ledgers in patient.one("others may read or change").what


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_private_files_of_another_user_are_named(patient: Patient) -> None:
    os.chown(patient.ledger, 65534, 65534)
    assert str(patient.ledger) in patient.one("another user owns").what


def test_a_place_that_cannot_be_written_is_an_error(tmp_path: Path, patient: Patient) -> None:
    shutil.rmtree(patient.state.inbox, ignore_errors=True)
    Path(patient.state.inbox).write_bytes(b"")
    Path(patient.state.inbox).chmod(0o600)
    found = [f for f in patient.findings() if "nothing can be written here" in f.what]
    assert [(f.severity, f.subject) for f in found] == [("error", patient.state.inbox)]
    blocked = tmp_path / "file"
    blocked.write_bytes(b"")
    (error,) = private_state.writable(PrivateState(str(blocked / "state")))
    assert error.severity == "error"


def test_a_read_only_state_is_an_error() -> None:
    with reachable_directory() as directory:
        state = PrivateState(directory)
        os.mkdir(state.ledgers)
        os.chmod(directory, 0o555)
        with as_ordinary_user():
            found = private_state.writable(state)
        assert found
        assert {finding.severity for finding in found} == {"error"}


def test_a_full_disk_is_told_and_probing_leaves_nothing(patient: Patient) -> None:
    before = sorted(os.listdir(patient.state.path))
    (found,) = private_state.disk_space_findings(patient.state, 1 << 62)
    assert "MiB left" in found.what
    assert (found.severity, found.subject) == ("warning", patient.state.path)
    assert sorted(os.listdir(patient.state.path)) == before


def test_a_lock_that_stays_held_is_named_with_its_process(patient: Patient) -> None:
    path = patient.state.lock("knowledge")
    code = (
        "import fcntl, os, sys, time; fd = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT);"
        "fcntl.flock(fd, fcntl.LOCK_EX); print('held', flush=True); time.sleep(60)"
    )
    holder = subprocess.Popen([sys.executable, "-c", code, path], stdout=subprocess.PIPE)
    try:
        assert holder.stdout
        assert holder.stdout.readline() == b"held\n"
        found = patient.one("has been held")
        assert (found.severity, found.subject) == ("warning", path)
        if os.path.exists("/proc/locks"):
            assert f"by process {holder.pid}" in found.what
    finally:
        holder.kill()
        holder.communicate()
    assert patient.findings() == []


def test_a_lock_that_is_given_back_within_the_second_is_no_finding(patient: Patient) -> None:
    lock = patient.workspace.memories.stores.ledgers.private("learned").lock()
    assert lock.acquire()
    code = "import time; time.sleep(0.3)"
    child = subprocess.Popen([sys.executable, "-c", code], pass_fds=[lock.fd])
    lock.release()  # the child holds it on until it ends
    assert private_state.lock_findings(patient.state, 0.0) != []
    assert private_state.lock_findings(patient.state, 2.0) == []
    assert child.wait() == 0


def test_files_of_an_unfinished_rewriting_are_a_note(patient: Patient) -> None:
    path = Path(str(patient.ledger) + ".rewriting")
    path.write_bytes(b"")
    path.chmod(0o600)
    found = patient.one("a crash has left")
    assert (found.severity, str(path) in found.what) == ("note", True)


# Git and clients


def test_a_tracked_ledger_without_union_merge_is_told(patient: Patient) -> None:
    patient.share()
    found = patient.one("does not merge it by union")
    assert (found.severity, found.subject) == ("warning", str(patient.tracked))
    assert "knowledge.jsonl text eol=lf merge=union" in found.next_step
    (patient.root / ".satchel" / ".gitattributes").write_text(ATTRIBUTES)
    assert patient.findings() == []


def test_an_untracked_or_ignored_project_file_is_told(patient: Patient) -> None:
    patient.git("rm", "-q", "--cached", ".satchel/project.toml")
    assert patient.one("git does not track it").severity == "note"
    (patient.root / ".gitignore").write_text(".satchel/\n")
    assert patient.one("git ignores it, so no clone").severity == "warning"


def test_an_ignored_or_linked_tracked_ledger_is_told(patient: Patient) -> None:
    (patient.root / ".gitattributes").write_text(".satchel/" + ATTRIBUTES)
    patient.share()
    (patient.root / ".gitignore").write_text("*.jsonl\n")
    assert patient.one("git ignores what is shared").severity == "warning"
    (patient.root / ".gitignore").unlink()
    target = patient.root / "real.jsonl"
    patient.tracked.rename(target)
    patient.tracked.symlink_to(target)
    patient.settle()
    assert patient.one("is a symbolic link").severity == "error"


def test_outside_git_nothing_is_said_about_git(patient: Patient) -> None:
    shutil.rmtree(patient.root / ".git")
    patient.share()
    assert patient.findings() == []


def test_missing_and_broken_client_hooks_are_told(patient: Patient) -> None:
    settings = patient.root / ".claude" / "settings.json"
    value = json.loads(settings.read_text())
    del value["hooks"]["SessionStart"]
    settings.write_text(json.dumps(value))
    assert patient.one("the SessionStart hook is missing").severity == "warning"
    settings.write_text("{nonsense")
    assert patient.one("is not valid JSON").severity == "warning"
    settings.unlink()
    assert patient.one("no hook of Satchel is installed").severity == "note"


def test_examining_changes_no_file(patient: Patient) -> None:
    def every() -> dict[str, bytes]:
        tops = (patient.root, Path(patient.home))
        files = [p for top in tops for p in top.rglob("*") if p.is_file()]
        return {str(p): p.read_bytes() for p in files if not p.name.startswith("index.db")}

    patient.share(b"{torn\n")
    before = every()
    patient.findings()
    assert every() == before


def test_the_gravest_come_first(patient: Patient) -> None:
    (patient.root / ".claude" / "settings.json").unlink()
    patient.share(b"<<<<<<< HEAD\n")
    severities = [f.severity for f in patient.findings()]
    assert severities == sorted(severities, key=("error", "warning", "note").index)
    assert set(severities) == {"error", "warning", "note"}


# Statistics


def test_statistics_count_what_is_there(patient: Patient) -> None:
    w = patient.workspace
    w.remember("never push to main", kind="constraint")
    w.memories.delete(w.learn("to be forgotten").id)
    patient.share()
    items = (InjectedItem("a", "b", "recent", 1, 7, "why"),)
    w.injections.note(Injection(0, "s1", "SessionStart", "", 100, 2000, 0, items))
    patient.clock.advance(8 * 86_400)
    w.injections.note(Injection(0, "s1", "UserPromptSubmit", "", 20, 500, 0, items))
    w.injections.note(Injection(0, "s2", "SessionStart", "", 3, 2000, 0, items))
    w.project.inbox.append(learned(1), patient.clock.now())
    os.makedirs(patient.state.quarantine, exist_ok=True)
    Path(patient.state.quarantine, "x.raw").write_bytes(b"12345")
    counted = collect(w)
    assert counted.by_kind == {"learned": 6, "constraint": 1}
    assert counted.by_ledger == {"knowledge.jsonl": 6, ".satchel/knowledge.jsonl": 1}
    assert (counted.injected_week, counted.injected_total, counted.sessions) == (23, 123, 2)
    assert counted.waiting == 1
    assert counted.engine.startswith("SQLite 3.")
    files = {file.name: file for file in counted.files}
    assert files["knowledge.jsonl"].lines == 8
    assert files["knowledge.jsonl"].size == patient.ledger.stat().st_size
    assert files[".satchel/knowledge.jsonl"].lines == 1
    assert files["injections.jsonl"].lines == 3
    assert files["quarantine/"] == ("quarantine/", 5, None)
    assert files["inbox/"].size > 0
    assert files["index.db"].size >= Path(patient.state.index).stat().st_size


def test_rotation_does_not_change_the_counts(patient: Patient) -> None:
    rotate(patient.workspace.memories.ledger("learned"), above=3, move=2)
    patient.settle()
    patient.workspace.rebuild()
    counted = patient.workspace.statistics()
    assert counted.by_kind == {"learned": 5}
    names = {file.name: file.lines for file in counted.files}
    assert (names["knowledge.jsonl"], names["knowledge.archive.jsonl"]) == (3, 2)
