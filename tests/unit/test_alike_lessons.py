"""Lessons that begin alike are different lessons, wherever and whenever they are written."""

import json
import threading
from pathlib import Path

from satchel.core.clock import FixedClock
from satchel.core.ids import memory_key, text_id
from satchel.storage.inbox.events import COMMAND
from satchel.storage.ledger.lines import decode, encode
from satchel.storage.ledger.record import Record
from satchel.testing import reopened, run_git, temporary_workspace
from satchel.workspace import Workspace

HEAD = "The deployment of the payment service must wait for the queue "
ONE, OTHER = HEAD + "to be empty.", HEAD + "worker to restart."


def lessons(workspace: Workspace) -> set[str]:
    workspace.refresh()
    return {record.content for record in workspace.memories.own.live(kinds=("learned",))}


def test_two_lessons_with_the_same_first_60_characters_are_both_kept() -> None:
    assert memory_key("learned", ONE) == memory_key("learned", OTHER)
    with temporary_workspace() as workspace:
        for text in (ONE, OTHER, "C is fast", "C++ is fast"):
            workspace.learn(text)
        assert lessons(workspace) == {ONE, OTHER, "C is fast", "C++ is fast"}


def test_the_same_lesson_is_one_whatever_its_case_blanks_and_end() -> None:
    with temporary_workspace() as workspace:
        for text in (ONE, ONE.upper(), ONE.rstrip(".") + " !", ONE):
            workspace.learn(text)
        assert lessons(workspace) == {ONE}
        assert text_id("A  b.\n") == text_id("a b")


def test_lines_of_beads_memory_go_on_meaning_what_they_meant() -> None:
    line = {"key": memory_key("learned", ONE), "type": "learned", "content": ONE, "source": "user",
            "tags": [], "ts": 1, "bead": ""}  # fmt: skip
    theirs = decode(json.dumps(line).encode()).record
    assert theirs is not None
    assert theirs.identity == f"learned:{line['key']}"
    with temporary_workspace() as workspace:
        path = Path(workspace.project.tracked.knowledge)
        path.write_text(json.dumps(line) + "\n")
        assert lessons(workspace) == {ONE}
        assert workspace.learn(ONE + " ").text_id == ""
        workspace.learn(OTHER)
        assert lessons(workspace) == {ONE, OTHER}
        written = [json.loads(raw) for raw in Path(
            workspace.memories.stores.ledgers.private("learned").path).read_bytes().splitlines()]  # fmt: skip
        assert [list(fields)[:7] for fields in written] == [list(line)] * 2
        assert {fields["key"] for fields in written} == {line["key"]}


def test_one_of_them_is_deleted_and_purged_and_the_other_stays() -> None:
    with temporary_workspace() as workspace:
        one, _ = workspace.learn(ONE), workspace.learn(OTHER)
        workspace.memories.delete(one.id)
        assert lessons(workspace) == {OTHER}
        assert workspace.memories.find(one.key).record.content == OTHER
        workspace.learn(ONE)
        assert lessons(workspace) == {ONE, OTHER}


def test_writers_at_the_same_time_lose_none() -> None:
    texts = [f"{HEAD}{number}" for number in range(8)]
    with temporary_workspace(clock=FixedClock()) as workspace:

        def write(text: str) -> None:
            with reopened(workspace) as own:
                own.learn(text)

        threads = [threading.Thread(target=write, args=(text,)) for text in texts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert lessons(workspace) == set(texts)


def test_branches_that_are_merged_lose_none() -> None:
    with temporary_workspace(git=True) as workspace:
        root, path = workspace.project.place.root, Path(workspace.project.tracked.knowledge)
        for branch, text in (("one", ONE), ("other", OTHER)):
            run_git(root, "checkout", "--quiet", "-b", branch, "main")
            record = Record(kind="learned", key=memory_key("learned", text), content=text,
                            ts=5, id=f"01TEST{branch.upper()}", text_id=text_id(text))  # fmt: skip
            path.write_bytes(encode(record))
            (path.parent / ".gitattributes").write_text(f"{path.name} merge=union\n")
            run_git(root, "add", "--all")
            run_git(root, "commit", "--quiet", "--message", branch)
        run_git(root, "merge", "--quiet", "one")
        assert lessons(workspace) == {ONE, OTHER}


def test_a_drained_inbox_loses_none() -> None:
    command = f"bd comment bd-1 'LEARNED: {ONE} LEARNED: {OTHER}'"
    with temporary_workspace() as workspace:
        for _ in range(2):
            event = {"what": COMMAND, "command": command, "session": "s"}
            workspace.project.inbox.append(event, workspace.project.clock.now())
            assert lessons(workspace) == {ONE, OTHER}
        # What a command says and what the hook has drained are the same lesson.
        workspace.learn(ONE)
        assert lessons(workspace) == {ONE, OTHER}
        assert len(workspace.memories.own.live(kinds=("learned",))) == 2
