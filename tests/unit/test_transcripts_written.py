"""What a call wrote counts where its client says that it succeeded, and is certain only there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from satchel.application.thread.sessions import session_facts
from satchel.clients.transcript_format.building import commits_in, edits_of
from satchel.clients.transcript_format.texts import seconds_of
from satchel.clients.transcript_format.values import ASSISTANT, Edit, TranscriptHead, Turn
from satchel.core.line_marks import marks_of
from satchel.features.sessions.archive import (
    ArchivedSession,
    append,
    head_line,
    read_session,
    turn_line,
)
from satchel.interfaces.hooks.commits import commits_told
from unit import transcripts_made as made
from unit.test_transcripts_formats import read
from unit.transcripts_made import SESSION

_PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n+value = 1\n*** End Patch\n"
_APPLIED = "Success. Updated the following files:\nM a.py\n"
_EDIT = {"path": "a.py", "old_str": "x", "new_str": "value = 1"}


def of_codex(output: Any) -> list[dict[str, Any]]:
    call = {"type": "custom_tool_call", "call_id": "c", "name": "apply_patch", "input": _PATCH}
    answer = {"type": "custom_tool_call_output", "call_id": "c", "output": output}
    answers = [] if output is None else [made.codex("response_item", answer)]
    return [made.CODEX[0], made.codex("response_item", call), *answers]


def of_copilot(**complete: Any) -> list[dict[str, Any]]:
    request = {"toolCallId": "c", "name": "edit", "arguments": _EDIT}
    asked = made.copilot("assistant.message", {"content": "", "toolRequests": [request]})
    ended = made.copilot("tool.execution_complete", {"toolCallId": "c", **complete})
    return [made.COPILOT[0], asked, *([ended] if complete else [])]


def of_gemini(status: str) -> list[dict[str, Any]]:
    call = {"id": "c", "name": "replace", "status": status, "resultDisplay": {"fileDiff": "+"}}
    given = {"file_path": "a.py", "old_string": "x", "new_string": "value = 1"}
    return [made.GEMINI_HEAD, made.gemini("g", "gemini", "", toolCalls=[{**call, "args": given}])]


def of_opencode(**more: Any) -> list[dict[str, Any]]:
    given = {"filePath": "a.py", "oldString": "x", "newString": "value = 1"}
    return [made.opencode("assistant", "", tools=[{"name": "edit", "input": given, **more}])]


WROTE, UNKNOWN, NOTHING = "wrote", "nobody knows", "nothing"
CASES = [
    (of_codex("Exit code: 0\nOutput:\n" + _APPLIED), WROTE),
    (of_codex(_APPLIED), WROTE),
    (of_codex({"output": _APPLIED, "metadata": {"exit_code": 0}}), WROTE),
    (of_codex("apply_patch verification failed: Failed to find expected lines"), NOTHING),
    (of_codex("patch rejected by user"), NOTHING),
    (of_codex("aborted by user after 2.1s"), NOTHING),
    (of_codex(None), UNKNOWN),
    (of_copilot(success=True, result={"content": "File a.py updated"}), WROTE),
    (of_copilot(success=False, error={"message": "No match found"}), NOTHING),
    (of_copilot(success=True, shellExecution={"exitCode": 1}), NOTHING),
    (of_copilot(), UNKNOWN),
    (of_gemini("success"), WROTE),
    (of_gemini("error"), NOTHING),
    (of_gemini("cancelled"), NOTHING),
    (of_gemini("executing"), NOTHING),
    (of_opencode(result=""), WROTE),
    (of_opencode(error="Could not find oldString in the file."), NOTHING),
    (of_opencode(), UNKNOWN),
]


def came_of(turns: list[Turn]) -> str:
    edits = [edit for turn in turns for edit in turn.edits]
    if not edits:
        return NOTHING
    assert [edit.path for edit in edits] == ["a.py"]
    return UNKNOWN if edits[0].whole else WROTE


@pytest.mark.parametrize(("records", "expected"), CASES)
def test_what_a_call_wrote_is_what_its_client_says(
    tmp_path: Path, records: list[dict[str, Any]], expected: str
) -> None:
    _, turns = read(tmp_path / SESSION / "events.jsonl", records)
    assert came_of(turns) == expected


_HERE = f"<<'END'\n{_PATCH}END\n"


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"cmd": f"apply_patch {_HERE}"}, "a.py"),
        ({"cmd": f"applypatch {_HERE}"}, "a.py"),
        ({"cmd": f"set -e; apply_patch {_HERE}"}, "a.py"),
        ({"cmd": f"cat <<'END' | apply_patch\n{_PATCH}END\n"}, "a.py"),
        ({"cmd": f"apply_patch '{_PATCH}'"}, "a.py"),
        ({"command": ["bash", "-lc", f"apply_patch {_HERE}"]}, "a.py"),
        ({"command": ["apply_patch", _PATCH]}, "a.py"),
        ({"cmd": f"cd src && apply_patch {_HERE}"}, "src/a.py"),
        ({"cmd": f"apply_patch {_HERE}", "workdir": "/shop/src"}, "/shop/src/a.py"),
        ({"input": _PATCH}, "a.py"),
        (f"<<'END'\n{_PATCH}END", "a.py"),
        ({"command": f"cat > how-to.md {_HERE}"}, ""),
        ({"command": f"cat > how-to.md <<'TO'\napply_patch {_HERE}TO\n"}, ""),
        ({"command": f"python3 - <<'PY'\nPATCH = r'{_PATCH}'\nPY"}, ""),
        ({"command": f"git commit -m 'Tell of patches\n\n{_PATCH}'"}, ""),
        (f"const text = `{_PATCH}`; await read(text)", ""),
    ],
)
def test_a_patch_that_is_only_quoted_writes_nothing(given: object, path: str) -> None:
    assert [(one.path, one.marks) for one in edits_of(given)] == (
        [(path, marks_of("value = 1"))] if path else []
    )


def test_a_notebooks_cell_is_known_as_its_file_has_it() -> None:
    cell = "x = 'é'\nprint(\"x\")"
    (edit,) = edits_of({"notebook_path": "a.ipynb", "cell_id": "c1", "new_source": cell})
    lines = ["\"x = 'é'\\n\",", '"print(\\"x\\")"', '"source": "x = \'é\'\\nprint(\\"x\\")"']
    assert edit.marks == marks_of("\n".join(lines))
    assert edit.whole  # it may repeat lines that were in the cell
    assert edits_of({"notebook_path": "a.ipynb", "edit_mode": "delete", "new_source": ""}) == []


def test_what_follows_a_patch_in_a_command_is_not_its() -> None:
    command = f"apply_patch {_HERE}cat > b.diff <<'END'\n+value = 2\nEND\n"
    (edit,) = edits_of({"cmd": command})
    assert edit.marks == marks_of("value = 1")


def test_a_file_that_a_patch_deletes_may_come_back_with_a_persons_lines(tmp_path: Path) -> None:
    gone = "*** Begin Patch\n*** Delete File: a.py\n*** End Patch"
    whole = "*** Begin Patch\n*** Add File: a.py\n+value = 1\n*** End Patch"
    both = gone.replace("*** End Patch", whole.partition("\n")[2])
    for patches, expected in (([whole], [False]), ([gone, whole], [True]), ([both], [True])):
        edits = tuple(edit for patch in patches for edit in edits_of(patch))
        path = str(tmp_path / f"{len(patches)}{len(edits)}.jsonl.gz")
        turn = Turn(ASSISTANT, "", 60.0, id="t", edits=edits)
        append(path, [head_line(TranscriptHead("codex", "s")), turn_line(turn)[0]])
        facts = session_facts(path)
        assert facts is not None
        assert [one.whole for each in facts.turns for one in each.wrote] == expected


@pytest.mark.parametrize(
    ("command", "whole"),
    [
        ("exec_command: sed -n 1,9p src/a.py", True),
        ("exec_command: head -n 40 docs/*.md src/*.py", True),
        ("shell: cd src && cat a.*", True),
        ("shell: cat docs/*.md | grep '*.py'", False),
        ("shell: ls src/*.py", False),
    ],
)
def test_a_patch_may_write_over_a_file_that_a_command_showed(
    tmp_path: Path, command: str, *, whole: bool
) -> None:
    patch = "*** Begin Patch\n*** Add File: a.py\n+value = 1\n*** End Patch"
    turn = Turn(ASSISTANT, "", 60.0, "t", tools=(command,), edits=tuple(edits_of(patch)))
    path = str(tmp_path / "s.jsonl.gz")
    append(path, [head_line(TranscriptHead("codex", "s")), turn_line(turn)[0]])
    facts = session_facts(path)
    assert facts is not None
    assert [one.whole for each in facts.turns for one in each.wrote] == [whole]


def test_a_long_id_of_a_commit_is_read() -> None:
    ident = "0a" * 32
    assert commits_in(f"[main {ident}] Say it") == [f"{ident} Say it"]
    assert commits_told(f"[main {ident}] Say it") == [f"{ident} Say it"]


def test_gemini_says_to_its_agent_alone_that_a_file_is_new(tmp_path: Path) -> None:
    told = {"output": "Successfully created and wrote to new file: a.py."}
    call = {
        "id": "c",
        "name": "write_file",
        "args": {"file_path": "a.py", "content": "value = 1"},
        "status": "success",
        "resultDisplay": {"fileDiff": "+value = 1"},
        "result": [{"functionResponse": {"response": told}}],
    }
    records = [made.GEMINI_HEAD, made.gemini("g", "gemini", "", toolCalls=[call])]
    assert came_of(read(tmp_path / "session-x.jsonl", records)[1]) == WROTE


def test_opencodes_lines_have_new_files_and_commits(tmp_path: Path) -> None:
    tools = [
        {"name": "write", "input": {"filePath": "a.py", "content": "x = 1"}, "result": "Created file"},
        {"name": "bash", "input": {"command": "git commit -m x"}, "result": "[main 1a2b3c4] Say it"},
    ]  # fmt: skip
    _, turns = read(tmp_path / "s.jsonl", [made.opencode("assistant", "", tools=tools)])
    assert came_of(turns) == WROTE
    assert turns[0].commits == ("1a2b3c4 Say it",)


_DIFF = "--- a.py\n+++ a.py\n@@ -1,2 +1,2 @@\n-retry(3, wait=1)\n+retry(5, wait=1)\n kept = 1\n"
_PART = {"path": "a.py", "old_str": "3", "new_str": "5"}


def of_claude_patched(
    lines: tuple[str, ...] = ("-retry(3, wait=1)", "+retry(5, wait=1)"),
    *,
    changed: bool = False,
    new: str = "5",
) -> list[dict[str, Any]]:
    given = {"file_path": "a.py", "old_string": "3", "new_string": new}
    call = {"type": "tool_use", "id": "c", "name": "Edit", "input": given}
    answer = {"type": "tool_result", "tool_use_id": "c", "content": "The file was updated."}
    hunk = {"oldStart": 1, "newStart": 1, "lines": [*lines]}
    result = {"filePath": "a.py", "structuredPatch": [hunk], "userModified": changed}
    return [made.claude_block("m", call), made.claude_user([answer], 1, toolUseResult=result)]


def of_codex_patched(lines: tuple[str, ...]) -> list[dict[str, Any]]:
    text = "\n".join((_PATCH.split("+", maxsplit=1)[0].rstrip(), *lines, "*** End Patch"))
    call = {"type": "custom_tool_call", "call_id": "c", "name": "apply_patch", "input": text}
    answer = {"type": "custom_tool_call_output", "call_id": "c", "output": _APPLIED}
    asked, answered = made.codex("response_item", call), made.codex("response_item", answer, 50)
    return [made.CODEX[0], asked, answered]


def of_gemini_patched(diff: str = _DIFF) -> list[dict[str, Any]]:
    call = {"id": "c", "name": "replace", "status": "success", "resultDisplay": {"fileDiff": diff}}
    call["args"] = {"file_path": "a.py", "old_string": "3", "new_string": "5"}
    return [made.GEMINI_HEAD, made.gemini("g", "gemini", "", toolCalls=[call])]


def of_copilot_patched(name: str = "edit", given: Any = _PART) -> list[dict[str, Any]]:
    request = {"toolCallId": "c", "name": name, "arguments": given}
    asked = made.copilot("assistant.message", {"content": "", "toolRequests": [request]})
    result = {"content": "Modified 1 file(s)", "detailedContent": _DIFF}
    done = {"toolCallId": "c", "success": True, "result": result}
    return [made.COPILOT[0], asked, made.copilot("tool.execution_complete", done)]


@pytest.mark.parametrize(
    "records", [of_claude_patched(), of_gemini_patched(), of_copilot_patched()]
)
def test_an_edit_of_a_part_of_a_line_is_known_by_the_whole_line(
    tmp_path: Path, records: list[dict[str, Any]]
) -> None:
    _, turns = read(tmp_path / SESSION / "events.jsonl", records)
    ((edit,),) = (turn.edits for turn in turns if turn.edits)
    new, old = marks_of("retry(5, wait=1)"), marks_of("retry(3, wait=1)")
    assert edit._replace(at=0.0) == Edit("a.py", new, gone=old)


_CHANGED = {"modified_by_user": True}
_WHOLE = "value = 1\nkept = 1\n"


@pytest.mark.parametrize(
    ("given", "added"),
    [
        (
            {**_CHANGED, "content": "value = 1\nmine = 2", "ai_proposed_content": _WHOLE},
            "value = 1",
        ),
        ({**_CHANGED, "new_string": "value = 1\nmine = 2"}, ""),
        ({"content": "value = 1"}, "value = 1"),
    ],
)
def test_what_a_person_changed_in_a_proposal_is_not_the_agents(
    tmp_path: Path, given: dict[str, Any], added: str
) -> None:
    diff = "--- a.py\n+++ a.py\n@@ -1 +1,3 @@\n+value = 1\n+mine = 2\n kept = 1\n"
    shown = {"fileDiff": diff, "diffStat": {"user_added_lines": 1}}
    call = {"id": "c", "name": "write_file", "status": "success", "resultDisplay": shown}
    call["args"] = {"file_path": "a.py", **given}
    records = [made.GEMINI_HEAD, made.gemini("g", "gemini", "", toolCalls=[call])]
    _, turns = read(tmp_path / "s.jsonl", records)
    found = [mark for turn in turns for edit in turn.edits for mark in edit.marks]
    assert found == [*marks_of(added)]


def test_a_diff_that_a_command_prints_is_nobodys_edit(tmp_path: Path) -> None:
    records = of_copilot_patched("bash", {"command": "git diff"})
    _, turns = read(tmp_path / SESSION / "events.jsonl", records)
    assert came_of(turns) == NOTHING


_INDENTS = ("-open_it()", "+try:", "+    open_it()", "+except OSError:", "+    pass")


@pytest.mark.parametrize(
    "records",
    [
        of_claude_patched(_INDENTS, new="try:\n    open_it()\nexcept OSError:\n    pass"),
        of_codex_patched(_INDENTS),
        of_gemini_patched("\n".join(("--- a.py", "+++ a.py", "@@ -1 +1,4 @@", *_INDENTS))),
    ],
)
def test_what_a_call_only_moved_or_indented_it_did_not_write(
    tmp_path: Path, records: list[dict[str, Any]]
) -> None:
    _, turns = read(tmp_path / "s.jsonl", records)
    (edit,) = (edit for turn in turns for edit in turn.edits)
    assert (edit.marks, edit.gone) == (marks_of("try:\nexcept OSError:\n    pass"), ())
    records = of_claude_patched(("-open_it()", " close_it()", "+open_it()"), new="x\nopen_it()")
    _, turns = read(tmp_path / "t.jsonl", records)
    assert [edit for turn in turns for edit in turn.edits] == []


def test_a_call_wrote_when_it_returned(tmp_path: Path) -> None:
    """However long the turn takes, and however long it is asked whether it may."""
    for name, records in {
        "codex": of_codex_patched(_INDENTS),
        "claude": of_claude_patched(),
        "copilot": of_copilot_patched(),
    }.items():
        (turn,) = (turn for turn in read(tmp_path / name, records)[1] if turn.edits)
        (edit,) = turn.edits
        assert edit.at == seconds_of(records[-1]["timestamp"]) >= turn.at
        line, _ = turn_line(turn)
        file = tmp_path / f"{name}.gz"
        append(str(file), [head_line(TranscriptHead(name, "s")), line])
        kept = read_session(file.read_bytes())
        assert isinstance(kept, ArchivedSession)
        assert kept.turns[0].edits == (edit,)


def test_what_a_person_changed_of_a_proposal_the_call_did_not_write(tmp_path: Path) -> None:
    lines = ("+rate = OWN_RATE", "+return rate")
    records = of_claude_patched(lines, changed=True, new="rate = 0.19\nreturn rate")
    _, turns = read(tmp_path / "s.jsonl", records)
    (edit,) = (edit for turn in turns for edit in turn.edits)
    assert not set(marks_of("rate = OWN_RATE")) & set(edit.marks)
