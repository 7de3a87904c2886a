"""Exports certain links as git-ai's authorship logs (3.0.0), for git to write as notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satchel.application.thread.certain_lines import Lines, certain_lines, model_of
from satchel.core import quick_json
from satchel.core.hashing import digest
from satchel.features.thread.records import GIT_AI_NOTES
from satchel.storage.git import GitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services

_SCHEMA = "authorship/3.0.0"
#: Hexadecimal digits of a session's or a call's key.
_DIGITS = 14
_COMMITTER = "satchel <satchel@localhost>"


def authorship_logs(work: Services) -> Iterator[tuple[str, int, str]]:
    """Yield the id, the time and the log of each commit with lines that are certain.

    A commit that has a log keeps its own.
    """
    known = _with_notes(work)
    for commit, lines in certain_lines(work):
        # A name with a quote or a line's end cannot be written in this format.
        sound = {path: rows for path, rows in lines.items() if not {'"', "\n"} & {*path}}
        if sound and commit.sha not in known:
            yield commit.sha, commit.commit_time, _log(work, commit.sha, sound)


def fast_import(work: Services, logs: Sequence[tuple[str, int, str]]) -> str:
    """Return logs as one commit of notes, in the form that `git fast-import` reads."""
    if not logs:
        return ""
    said = "Notes by 'satchel export'"
    at = max(at for _, at, _ in logs)
    parts = [f"commit {GIT_AI_NOTES}\ncommitter {_COMMITTER} {at} +0000\n", _data(said)]
    if work.thread.history.names(GIT_AI_NOTES):
        parts.append(f"from {GIT_AI_NOTES}^0\n")
    parts += [f"N inline {sha}\n{_data(log)}" for sha, _, log in logs]
    return "".join(parts)


def _data(text: str) -> str:
    return f"data {len(text.encode('utf-8', 'surrogateescape'))}\n{text}\n"


def _with_notes(work: Services) -> set[str]:
    try:
        told = work.thread.history.ask("notes", f"--ref={GIT_AI_NOTES}", "list")
    except GitError:
        return set()
    return {line.partition(" ")[2] for line in told.splitlines()}


def _log(work: Services, sha: str, lines: Lines) -> str:
    told, sessions = list[str](), {}
    for path, by_session in lines.items():
        told.append(f'"{path}"' if any(map(str.isspace, path)) else path)
        for session, rows in by_session.items():
            tool = rows[0].link.client
            key = f"s_{_key(f'{tool}:{session}')}"
            agent = {"tool": tool, "id": session, "model": model_of(work, session)}
            sessions[key] = {"agent_id": agent}
            for turn in dict.fromkeys(row.link.turn for row in rows):
                numbers = [row.number for row in rows if row.link.turn == turn]
                told.append(f"  {key}::t_{_key(f'{session}:{turn}')} {_ranges(numbers)}")
    metadata = {
        "schema_version": _SCHEMA, "base_commit_sha": sha, "prompts": {}, "sessions": sessions,
    }  # fmt: skip
    return "\n".join([*told, "---", quick_json.dumps(metadata)])


def _key(name: str) -> str:
    return digest(name.encode("utf-8", "replace")).hex()[:_DIGITS]


def _ranges(numbers: Sequence[int]) -> str:
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ",".join("-".join(map(str, run)) for run in runs)
