import json
import os
from pathlib import Path
from typing import Any

import pytest

from satchel.application.learning.listening.answers import next_steps
from satchel.application.learning.listening.checkpoints import checkpoint_of
from satchel.application.learning.listening.events import records_of, source_of
from satchel.clients.transcripts.tail import Message, last_messages
from satchel.core.ids import following
from satchel.engine.search.documents import Filter
from satchel.storage.inbox.events import CHECKPOINT, COMMAND, DISPATCH, PRESENCE
from satchel.testing import reopened, temporary_workspace
from satchel.workspace import Workspace


def says(workspace: Workspace, text: str, **more: Any) -> None:
    event = {"what": COMMAND, "command": f'bd comment BD-1 "{text}"', "session": "s", **more}
    workspace.project.inbox.append(event, workspace.project.clock.now())


def contents(workspace: Workspace) -> list[str]:
    return [item.record.content for item in workspace.memories.list(Filter(), 5000)]


def test_a_drained_event_is_a_line_and_the_inbox_is_empty() -> None:
    with temporary_workspace() as workspace:
        says(workspace, "LEARNED: one")
        done = workspace.listening.drain(5)
        assert [record.content for record in done.written] == ["one"]
        assert (done.left, workspace.project.inbox.waiting()) == (0, False)


def test_a_drainer_that_was_killed_after_writing_writes_nothing_twice() -> None:
    with temporary_workspace() as workspace:
        says(workspace, "CONSTRAINT: one. DECISION: two")
        (path,) = workspace.project.inbox.take()
        data = Path(path).read_bytes()
        workspace.listening.drain(5)
        Path(path).write_bytes(data)  # as if it had been killed before it removed the file
        with reopened(workspace) as other:
            assert sorted(contents(other)) == ["one.", "two"]
            assert not other.project.inbox.waiting()
        lines = (
            Path(workspace.memories.stores.ledgers.private("decision").path)
            .read_bytes()
            .splitlines()
        )
        assert len(lines) == 2


def test_many_events_are_drained_in_several_goes_and_each_once() -> None:
    with temporary_workspace() as workspace:
        for number in range(150):
            says(workspace, f"DECISION: number {number:03d} is decided")
        rounds = 0
        while workspace.project.inbox.waiting() and rounds < 1000:
            workspace.listening.drain(0.002)
            rounds += 1
        assert 1 < rounds < 1000
        assert len(contents(workspace)) == 150
        assert len(set(contents(workspace))) == 150


def test_the_same_statement_in_one_drain_is_one_memory() -> None:
    with temporary_workspace() as workspace:
        for _ in range(200):
            says(workspace, "CONSTRAINT: never force-push")
        workspace.listening.drain(60)
        assert contents(workspace) == ["never force-push"]
        says(workspace, "CONSTRAINT:   Never   FORCE-push")
        workspace.listening.drain(60)
        assert contents(workspace) == ["never force-push"]


def test_what_is_said_again_after_it_was_deleted_is_remembered_anew() -> None:
    with temporary_workspace() as workspace:
        record = workspace.remember("never force-push", kind="constraint")
        workspace.memories.delete(record.id)
        says(workspace, "CONSTRAINT: never force-push")
        workspace.refresh()
        assert contents(workspace) == ["never force-push"]


def test_an_event_that_makes_no_sense_is_kept_and_the_others_go_on() -> None:
    with temporary_workspace() as workspace:
        says(workspace, "LEARNED: before")
        path = os.path.join(workspace.project.inbox.directory, "events.jsonl")
        bad = [
            b"{half a line",
            b'{"id":"01AAAAAAAAAAAAAAAAAAAAAAAA","ts":"soon","what":"command","command":"bd comment B \\"LEARNED: x\\""}',
            b'{"id":"01AAAAAAAAAAAAAAAAAAAAAAAB","ts":1e300,"what":"presence"}',
            b'{"id":"01AAAAAAAAAAAAAAAAAAAAAAAC","ts":1,"what":"command","command":["no"]}',
            b'{"id":"01AAAAAAAAAAAAAAAAAAAAAAAD","ts":1,"what":"nobody knows"}',
            b'{"id":"01AAAAAAAAAAAAAAAAAAAAAAAE","ts":1,"what":"checkpoint","transcript":"a\\u0000b"}',
            b'{"id":"01AAAAAAAAAAAAAAAAAAAAAAAF","ts":1,"what":"presence","cwd":"a\\u0000b","session":"\\ud800"}',
        ]
        with open(path, "ab") as file:
            file.write(b"\n".join(bad) + b"\n")
        says(workspace, "LEARNED: after")
        workspace.listening.drain(5)
        assert {"before", "after"} <= set(contents(workspace))
        assert not workspace.project.inbox.waiting()
        kept = [p.read_bytes() for p in Path(workspace.project.state.quarantine).glob("*.raw")]
        assert b"{half a line" in kept


def test_only_one_process_drains() -> None:
    with temporary_workspace() as workspace:
        says(workspace, "LEARNED: one")
        with workspace.project.inbox.drain_lock():
            done = workspace.listening.drain(5)
        assert (done.written, done.left) == ((), 1)
        workspace.listening.drain(5)
        assert contents(workspace) == ["one"]


# Events


def test_the_same_event_always_gives_the_same_records() -> None:
    event = {"id": "01HN4Z0000000000000000000A", "ts": 7, "what": COMMAND, "session": "s",
             "command": 'bd comment BD-1 "LEARNED: a. DECISION: b"', "cwd": "/r/.worktrees/bd-1"}  # fmt: skip
    first, second = records_of(event)
    assert [first, second] == records_of(event)
    assert (first.kind, second.kind) == ("learned", "decision")
    assert [first.id, second.id] == [event["id"], following(str(event["id"]))]
    assert (first.source, first.task, first.ts) == ("supervisor", "BD-1", 7)


@pytest.mark.parametrize(
    ("cwd", "who"),
    [
        ("/r/.worktrees/bd-1", "supervisor"),
        ("/r/.worktrees/bd-1/src", "supervisor"),
        ("/r", "orchestrator"),
        ("/r/worktrees/x", "orchestrator"),
        ("/r/.worktrees-old/x", "orchestrator"),
        ("", "orchestrator"),
    ],
)
def test_who_speaks_is_told_by_the_directory_as_beads_memory_tells_it(cwd: str, who: str) -> None:
    assert source_of(cwd) == who


def test_presence_and_dispatch_are_activities() -> None:
    common = {"id": "01HN4Z0000000000000000000A", "ts": 7}
    (online,) = records_of({**common, "what": PRESENCE, "state": "online", "reason": "startup"})
    assert (online.kind, online.content) == ("activity", "Agent online (startup)")
    (sent,) = records_of(
        {**common, "what": DISPATCH, "to": "scout", "prompt": "**BEAD_ID:** `BD-7`\nLook"}
    )
    assert (sent.kind, sent.task) == ("activity", "BD-7")
    assert (sent.data or {})["prompt"].endswith("Look")
    assert records_of({**common, "what": DISPATCH, "prompt": "  "}) == []


# Transcripts and checkpoints


def entry(role: str, content: object, ident: str = "", **more: object) -> str:
    message = {"role": role, "content": content, "id": ident}
    return json.dumps({"type": role, "message": message, **more}) + "\n"


def test_the_last_messages_are_those_that_were_said(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(
        '{"type":"summary","summary":"x"}\n'
        + entry("user", "first")
        + entry("assistant", [{"type": "thinking", "thinking": "hm"}], "m1")
        + entry("assistant", [{"type": "text", "text": "one"}], "m1")
        + entry("assistant", [{"type": "text", "text": "two"}], "m1")
        + entry("assistant", [{"type": "tool_use", "name": "Bash", "input": {}}], "m2")
        + entry("user", [{"type": "tool_result", "content": "3 failed"}])
        + entry("user", "meta", isMeta=True)
        + entry("user", "summary", isCompactSummary=True)
        + entry("assistant", "aside", isSidechain=True)
        + entry("user", "<command-name>/clear</command-name>")
        + '{"type":"from-the-future","message":{"role":"user","content":"?"}}\n'
        + "not json\n"
        + entry("user", "last")
        + '{"type":"user","message":{"ro',
        "utf-8",
    )
    found = last_messages(str(path), 10)
    assert [(message.role, message.text) for message in found] == [
        ("user", "first"), ("assistant", "one\ntwo"), ("user", "last"),
    ]  # fmt: skip
    assert [message.text for message in last_messages(str(path), 1)] == ["last"]


def test_only_the_end_of_a_long_transcript_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    with path.open("w", encoding="utf-8") as file:
        file.write(entry("user", "far away"))
        file.write(entry("user", [{"type": "tool_result", "content": "x" * 3_000_000}]))
        file.write(entry("user", "near"))
    assert [message.text for message in last_messages(str(path), 5)] == ["near"]


@pytest.mark.parametrize("path", ["", "/nowhere", "/", "/dev/zero", "a\x00b"])
def test_what_is_no_transcript_has_no_messages(path: str) -> None:
    assert last_messages(path, 5) == []


def test_a_session_without_a_word_from_a_person_leaves_no_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(entry("assistant", "hello"), "utf-8")
    event = {
        "id": "01HN4Z0000000000000000000A",
        "ts": 7,
        "what": CHECKPOINT,
        "transcript": str(path),
    }
    assert records_of(event) == []


def test_open_points_are_found_in_boxes_and_under_their_heading() -> None:
    text = "Done.\n- [ ] a box\n- [x] done\n\n## Next steps\n1. first\n2. second\n\nBye.\n- no step"
    assert next_steps(text) == ["a box", "first", "second"]
    assert next_steps("Next: write docs") == ["write docs"]
    assert next_steps("nothing") == []


def test_a_checkpoint_has_the_seeds_parts_and_no_fence_of_ours() -> None:
    fenced = '<satchel-memory nonce="00ff" label="x">\nsecret lore\n</satchel-memory nonce="00ff">'
    said = [Message("user", "fix it " + fenced), Message("assistant", "Fixed. " + "word " * 900)]
    text = checkpoint_of(said, trigger="compaction", session="s").text
    for part in (
        "## Session Checkpoint",
        "**Trigger:** compaction",
        "### Summary",
        "### Last Exchange",
    ):
        assert part in text
    assert "secret lore" not in text
    assert len(text) < 2000


def test_memories_of_events_in_one_instant_never_share_an_id() -> None:
    with temporary_workspace() as workspace:
        for number in range(40):
            command = "; ".join(f"bd comment b-1 'DECISION: {number} {n}'" for n in range(3))
            workspace.project.inbox.append(
                {"what": COMMAND, "command": command}, workspace.project.clock.now()
            )
        while workspace.listening.drain(5.0).left:
            pass
        records = workspace.memories.own.live(kinds=("decision",))
        assert len({record.content for record in records}) == 120
        assert len({record.id[:14] for record in records}) == 120  # what lists show of an id
