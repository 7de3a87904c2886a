"""What is read of each client's transcripts, and what is left out."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from satchel.clients.transcript_format.project_key import project_key
from satchel.clients.transcript_format.values import Turn, merged
from satchel.clients.transcripts.reading import TranscriptReader, head_of, transcript_files
from satchel.clients.transcripts.tail import last_messages
from satchel.core.errors import NotReadableError
from unit import transcripts_made as made
from unit.transcripts_made import CWD, SESSION, at, jsonl

Read = tuple[TranscriptReader, list[Turn]]


def read(path: Path, records: list[dict[str, Any]] | bytes) -> Read:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(records if isinstance(records, bytes) else jsonl(records))
    reader = TranscriptReader(str(path))
    return reader, merged([], list(reader))


def said(turns: list[Turn]) -> list[tuple[str, str]]:
    return [(turn.role, turn.text) for turn in turns]


def test_claude_code_blocks_of_one_answer_are_one_turn_and_the_rest_is_left_out(
    tmp_path: Path,
) -> None:
    reader, turns = read(tmp_path / f"{SESSION}.jsonl", made.CLAUDE)
    assert said(turns) == [
        ("user", "please fix the login"),
        ("assistant", "I look at it."),
        ("assistant", "Mended."),
        ("user", "/compact now"),
        ("user", "and the logout"),
    ]
    assert turns[1].tools == ("Bash: pytest -q",)
    assert turns[1].errors == ("3 failed in test_login",)
    assert turns[1].id == made.CLAUDE[3]["uuid"]
    head = reader.head
    assert (head.client, head.session, head.cwd, head.branch) == ("claude", SESSION, CWD, "main")
    assert (head.model, head.title) == ("claude-x", "Mend the login")
    assert turns[0].at == 1777888800.0 == head.started
    assert "thoughts" not in repr(turns)


def test_what_was_typed_while_the_agent_worked_is_kept_once(tmp_path: Path) -> None:
    attached = {"type": "attachment", "sessionId": SESSION, "uuid": "q", "timestamp": at(8),
                "attachment": {"type": "queued_command", "prompt": "and push"}}  # fmt: skip
    records = [
        made.claude_user("reply to the comments", 1),
        made.claude_block("m1", made.tool("Bash", command="gh api"), 2),
        made.queued("enqueue", 3, content="commit first"),
        made.claude_user(made.result(""), 4),
        made.queued("remove", 5),
        made.claude_block("m2", made.text("I commit first."), 6),
        made.queued("enqueue", 7, content="and push"),
        attached,
        made.queued("remove", 8),
        made.claude_block("m3", made.text("Pushed."), 9),
        made.queued("enqueue", 10, content="thanks"),
        made.queued("dequeue", 11),
        made.claude_user("thanks", 12),
        made.queued("enqueue", 13, content="taken back"),
        made.queued("popAll", 14),
    ]
    _, turns = read(tmp_path / "x.jsonl", records)
    assert said(turns) == [
        ("user", "reply to the comments"),
        ("assistant", ""),
        ("user", "commit first"),
        ("assistant", "I commit first."),
        ("user", "and push"),
        ("assistant", "Pushed."),
        ("user", "thanks"),
    ]


@pytest.mark.parametrize(
    "mark",
    [
        {"origin": {"kind": "peer", "from": "lead"}},
        {"origin": {"kind": "task-notification"}, "promptSource": "system"},
        {"promptSource": "system"},
        {"turnOrigin": "auto_continuation"},
    ],
)
def test_what_a_machine_sent_in_a_persons_place_is_no_turn_of_theirs(
    tmp_path: Path, mark: dict[str, Any]
) -> None:
    command = {"type": "queued_command", "prompt": "go on, please", **mark}
    attached = {"type": "attachment", "uuid": "q", "timestamp": at(8), "attachment": command}
    typed = {"origin": {"kind": "human"}, "promptSource": "typed", "turnOrigin": "human"}
    records = [
        made.claude_user("fix the login", 1, **typed),
        made.claude_user("go on with the plan", 2, **mark),
        attached,
        made.claude_user("and the logout", 9, promptSource="sdk", turnOrigin="system"),
    ]
    _, turns = read(tmp_path / f"{SESSION}.jsonl", records)
    assert said(turns) == [("user", "fix the login"), ("user", "and the logout")]


def test_what_a_subagent_of_copilot_is_asked_is_not_said_by_the_person(tmp_path: Path) -> None:
    asked = made.copilot("user.message", {"content": "HELPER: find the key"}, 6)
    switched = made.copilot("session.model_change", {"newModel": "small"}, 5)
    records = [*made.COPILOT, {**asked, "agentId": "a1"}, {**switched, "agentId": "a1"}]
    reader, turns = read(tmp_path / "s" / "events.jsonl", records)
    assert [text for role, text in said(turns) if role == "user"] == ["fix it"]
    assert reader.head.model != "small"


def test_what_gemini_leaves_of_a_compressed_conversation_is_nobodys_words(tmp_path: Path) -> None:
    left = [made.gemini("c1", "user", [{"text": "<state_snapshot>never push</state_snapshot>"}], 7)]
    records = [*made.GEMINI, {"$set": {"messages": left}}]
    _, turns = read(tmp_path / "chats" / "session.jsonl", records)
    assert [text for role, text in said(turns) if role == "user"] == ["fix it"]


def test_a_subagents_own_file_is_its_conversation(tmp_path: Path) -> None:
    records = [
        made.claude_user("look around", 1, isSidechain=True, agentId="abc"),
        made.claude_block("m", made.text("Seen."), 2, isSidechain=True, agentId="abc"),
    ]
    path = tmp_path / SESSION / "subagents" / "agent-abc.jsonl"
    reader, turns = read(path, records)
    assert said(turns) == [("user", "look around"), ("assistant", "Seen.")]
    assert (reader.head.session, reader.head.parent) == ("agent-abc", SESSION)


def test_a_file_that_is_not_named_after_its_session_still_knows_it(tmp_path: Path) -> None:
    reader, _ = read(tmp_path / "2026-05-04-copy.jsonl", made.CLAUDE)
    assert reader.head.session == SESSION


def test_codex_drops_wrappers_and_the_second_log_but_keeps_what_stands_only_there(
    tmp_path: Path,
) -> None:
    reader, turns = read(tmp_path / "rollout-2026-05-04T10-00-00.jsonl", made.CODEX)
    assert said(turns) == [
        ("user", "fix it"),
        ("assistant", "I run the tests."),
        ("assistant", "Only told as an event."),
        ("assistant", "Done."),
    ]
    assert turns[1].tools == ("exec_command: pytest -q",)
    assert turns[1].errors == ("3 failed",)
    head = reader.head
    assert (head.session, head.cwd, head.branch, head.model) == (SESSION, CWD, "main", "gpt-x")


def test_older_codex_files_have_no_envelope_and_may_repeat_a_message(tmp_path: Path) -> None:
    reader, turns = read(tmp_path / "rollout-old.jsonl", made.CODEX_FLAT)
    assert reader.client == "codex"
    assert said(turns) == [("user", "continue"), ("assistant", ""), ("assistant", "ok"),
                           ("user", "continue")]  # fmt: skip
    assert turns[1].tools == ("shell: ls -a",)
    assert (reader.head.session, reader.head.cwd) == (SESSION, CWD)
    assert turns[0].at == reader.head.started > 0


def test_codex_says_a_failure_in_words_too(tmp_path: Path) -> None:
    call = made.codex("response_item", {"type": "function_call", "name": "x", "arguments": "{}"})
    for output, expected in (
        ("Exit code: 2\nOutput: no such file", ("Exit code: 2 Output: no such file",)),
        ("Exit code: 0\nfine", ()),
        ("all fine", ()),
        ('{"success": false, "content": "denied"}', ("denied",)),
    ):
        answer = made.codex("response_item", {"type": "function_call_output", "output": output})
        _, turns = read(tmp_path / "r.jsonl", [made.CODEX[0], call, answer])
        assert turns[0].errors == expected


def test_copilot_events_become_turns(tmp_path: Path) -> None:
    reader, turns = read(tmp_path / SESSION / "events.jsonl", made.COPILOT)
    assert said(turns) == [("user", "fix it"), ("assistant", "I look."), ("assistant", "Done.")]
    assert turns[1].tools == ("bash: pytest -q",)
    assert turns[1].errors == ("3 failed",)
    assert (reader.head.session, reader.head.cwd, reader.head.branch) == (SESSION, CWD, "main")


@pytest.mark.parametrize("form", ["lines", "document", "pretty document"])
def test_gemini_lines_and_documents_give_the_same_turns(tmp_path: Path, form: str) -> None:
    whole = {**made.GEMINI_HEAD, "summary": "Mend the login", "messages": made.GEMINI_MESSAGES}
    if form == "lines":
        reader, turns = read(tmp_path / "session-x.jsonl", made.GEMINI)
    else:
        indent = 2 if form.startswith("pretty") else None
        raw = json.dumps(whole, indent=indent).encode()
        reader, turns = read(tmp_path / "session-x.json", raw)
    assert reader.client == "gemini"
    assert said(turns) == [("user", "fix it"), ("assistant", "I look."), ("assistant", "Done.")]
    assert turns[1].tools == ("run_shell_command: pytest -q",)
    assert turns[1].errors == ("3 failed",)
    assert (reader.head.session, reader.head.title) == (SESSION, "Mend the login")


def test_cursor_lines_have_no_ids_and_no_times(tmp_path: Path) -> None:
    reader, turns = read(tmp_path / "c1" / "c1.jsonl", made.CURSOR)
    assert said(turns) == [("user", "fix it"), ("assistant", "Looking."), ("user", "go on"),
                           ("user", "go on")]  # fmt: skip
    assert turns[1].tools == ("Shell: ls",)
    assert len({turn.id for turn in turns}) == 4
    assert (reader.head.session, reader.head.title) == ("c1", "Mend the login")


@pytest.mark.parametrize("client", made.EVERY)
def test_the_client_is_known_by_what_the_file_holds(tmp_path: Path, client: str) -> None:
    reader, turns = read(tmp_path / "some-name.jsonl", made.EVERY[client])
    assert reader.client == client
    assert turns


@pytest.mark.parametrize("raw", [b"", b"\n\n", b"hello\n", b"[]\n", b'"x"\n', b'{"a":1}\n', b"{"])
def test_a_file_of_nobody_has_no_turns(tmp_path: Path, raw: bytes) -> None:
    reader, turns = read(tmp_path / "x.jsonl", raw)
    assert (reader.client, turns) == ("", [])


def test_what_satchel_put_before_the_agent_is_no_part_of_the_conversation(tmp_path: Path) -> None:
    fenced = '<satchel-memory nonce="abc123">\nold lessons\n</satchel-memory nonce="abc123">'
    _, turns = read(tmp_path / "x.jsonl", [made.claude_user(f"{fenced}\nfix it", 1)])
    assert "old lessons" not in turns[0].text
    assert turns[0].text.endswith("fix it")


@pytest.mark.parametrize("kind", ["directory", "fifo", "missing"])
def test_what_is_no_regular_file_is_refused_and_never_waited_for(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x.jsonl"
    if kind == "directory":
        path.mkdir()
    elif kind == "fifo":
        os.mkfifo(path)
    with pytest.raises(NotReadableError):
        list(TranscriptReader(str(path)))
    assert head_of(str(path)).cwd == ""
    assert last_messages(str(path), 5) == []


def test_the_tail_that_checkpoints_are_made_of_agrees_with_the_reader(tmp_path: Path) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    _, turns = read(path, made.CLAUDE)
    said_by_somebody = [(t.role, t.text) for t in turns if t.text and t.text != "/compact now"]
    tail = last_messages(str(path), 3)
    assert [(m.role, m.text) for m in tail] == said_by_somebody[-3:]


# Finding


def test_claude_codes_key_of_a_directory() -> None:
    assert project_key("/home/u/my.proj") == "-home-u-my-proj"
    assert project_key("/h/\U0001f600") == "-h---"
    long = "/" + "a" * 250
    key = project_key(long)
    assert key.startswith("-" + "a" * 199 + "-")
    hashed = 0
    for c in long:
        hashed = (31 * hashed + ord(c)) & 0xFFFFFFFF
    hashed = abs(hashed - (1 << 32) if hashed >= 1 << 31 else hashed)
    assert int(key[201:], 36) == hashed


def test_transcripts_are_found_where_each_client_keeps_them(tmp_path: Path) -> None:
    root = "/home/u/proj"

    def put(name: str, records: list[dict[str, Any]]) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(jsonl(records))
        return str(path)

    import hashlib

    hashed = hashlib.sha256(root.encode()).hexdigest()
    wanted = {
        "claude": [
            put(f".claude/projects/-home-u-proj/{SESSION}.jsonl", made.CLAUDE),
            put(f".claude/projects/-home-u-proj/{SESSION}/subagents/agent-1.jsonl", made.CLAUDE),
            put(".claude/projects/-else-worktree/w.jsonl", made.CLAUDE),
        ],
        "codex": [put(".codex/sessions/2026/05/04/rollout-x.jsonl", made.CODEX)],
        "copilot": [put(f".copilot/session-state/{SESSION}/events.jsonl", made.COPILOT)],
        "gemini": [put(f".gemini/tmp/{hashed}/chats/session-1.jsonl", made.GEMINI)],
        "cursor": [put(".cursor/projects/home-u-proj/agent-transcripts/c/c.jsonl", made.CURSOR)],
    }
    put(".gemini/tmp/another/chats/session-2.jsonl", made.GEMINI)
    put(".codex/history.jsonl", made.CODEX)
    for client, paths in wanted.items():
        found = list(transcript_files(client, str(tmp_path / f".{client}"), root))
        assert sorted(file.path for file in found) == sorted(paths), client
    assert head_of(wanted["claude"][2]).cwd == CWD
    assert at(0).startswith("2026")


@pytest.mark.parametrize("client", sorted(made.REFUSED))
def test_what_a_person_says_while_rejecting_a_call_is_said_by_them(
    tmp_path: Path, client: str
) -> None:
    path = tmp_path / made.PLACES[client].rpartition("/")[2]
    _, turns = read(path, [*made.EVERY[client], made.REFUSED[client]])
    assert (turns[-1].role, turns[-1].text, turns[-1].rejects) == ("user", made.NO, True)
    assert turns[-2].role == "assistant"
    assert len({one.id for one in turns}) == len(turns)


ASKING = ("claude", "codex", "copilot", "gemini", "opencode")


@pytest.mark.parametrize("client", ASKING)
def test_what_a_person_types_in_answer_to_a_question_is_said_by_them(
    tmp_path: Path, client: str
) -> None:
    path = tmp_path / made.PLACES[client].rpartition("/")[2]
    _, turns = read(path, [*made.EVERY[client], *made.answered(client, made.TYPED)])
    asked, answer = said(turns)[-2:]
    assert asked[1].endswith(made.ASKED)
    assert answer == ("user", made.TYPED)


@pytest.mark.parametrize("client", ASKING)
@pytest.mark.parametrize(
    ("answer", "tool"), [(made.OFFERED, ""), (made.TYPED, "mcp_of_a_stranger")]
)
def test_a_choice_among_offered_answers_and_other_tools_results_are_no_words_of_a_person(
    tmp_path: Path, client: str, answer: str, tool: str
) -> None:
    path = tmp_path / made.PLACES[client].rpartition("/")[2]
    _, turns = read(path, [*made.EVERY[client], *made.answered(client, answer, tool)])
    assert turns[-1].role == "assistant"
    assert made.ASKED not in turns[-1].text


def test_no_result_of_a_call_that_nobody_rejected_is_a_persons_words(tmp_path: Path) -> None:
    refusal = f"The user doesn't want to proceed, the user said: {made.NO}"
    records = [
        *made.CLAUDE[:4],
        made.claude_user(made.result(refusal), 4),
    ]
    _, turns = read(tmp_path / f"{SESSION}.jsonl", records)
    assert made.NO not in repr(said(turns))
    of_a_server = json.loads(json.dumps(made.REFUSED["opencode"]).replace("bash", "their_tool"))
    _, turns = read(tmp_path / "s.jsonl", [*made.OPENCODE, of_a_server])
    assert turns[-1].role == "assistant"
    failed = json.loads(json.dumps(made.REFUSED["copilot"]).replace("denied", "failure"))
    _, turns = read(tmp_path / "events.jsonl", [*made.COPILOT, failed])
    assert turns[-1].role == "assistant"


def test_a_command_that_failed_in_gemini_is_a_failure(tmp_path: Path) -> None:
    def ran(ident: str, output: str, shown: str) -> dict[str, Any]:
        answer = (
            f"<untrusted_context>\nOutput: {output}\nProcess Group PGID: 3\n</untrusted_context>"
        )
        return made.gemini(ident, "gemini", "", 6, toolCalls=[
            {"id": ident, "name": "run_shell_command", "args": {"command": "make"},
             "status": "success", "resultDisplay": shown,
             "result": [{"functionResponse": {"response": {"output": answer}}}]}])  # fmt: skip

    records = [
        made.GEMINI_HEAD,
        made.gemini("g1", "user", [{"text": "fix it"}], 1),
        ran("a", "no rule to make target\nExit Code: 2", "no rule to make target"),
        ran("b", "no display\nExit Code: 1", ""),
        ran("c", "fine, as Exit Code: 0 says", "fine"),
    ]
    _, turns = read(tmp_path / "session-1.jsonl", records)
    assert [one.errors for one in turns[1:]] == [("no rule to make target",), ("no display",), ()]


def test_what_copilot_appends_to_output_is_no_part_of_an_error(tmp_path: Path) -> None:
    failed = made.copilot(
        "tool.execution_complete",
        {"toolCallId": "c1", "success": True, "shellExecution": {"exitCode": 1},
         "result": {"content": "3 failed\n<shellId: 0 completed with exit code 1>"}},
        4,
    )  # fmt: skip
    _, turns = read(tmp_path / "events.jsonl", [*made.COPILOT[:4], failed])
    assert turns[-1].errors == ("3 failed",)
