"""Other programs' records of where code comes from, as additional evidence.

Agent Trace (RFC 0.1), git-ai's authorship logs (3.0.0), Entire's checkpoints and trailers. Anyone
who can write to the repository can write these, so they alone make nothing certain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from satchel.core import quick_json
from satchel.core.errors import SatchelError
from satchel.core.shapes import dict_of, list_of
from satchel.core.values import Any, NamedTuple
from satchel.features.thread.values import OWN_TRAILER

AGENT_TRACE, GIT_AI, ENTIRE, TRAILER = "Agent Trace", "git-ai", "Entire", "trailer"
GIT_AI_NOTES, CHECKPOINTS = "refs/notes/ai", "entire/checkpoints/v1"
#: Trailers that name a session, and one that names a checkpoint which names sessions.
_SESSION = re.compile(r"^(Satchel|Entire|Claude|Agent)-Session: *(\S{1,200})\s*$", re.MULTILINE)
_CHECKPOINT = re.compile(r"^Entire-Checkpoint: *([0-9a-fA-F]{12}|[0-9A-Z]{26})\s*$", re.MULTILINE)
_KEY = re.compile(r"  (\S+) ([\d,-]+)\Z")
#: Hexadecimal digits of git-ai's session keys: current, and before version 1.4.


class RecordedSession(NamedTuple):
    """A session recorded for a file's lines; for the whole commit without a path.

    `session` is the client's id in the record; the session may be in nobody's archive here.
    """

    program: str
    session: str
    client: str = ""
    path: str = ""
    ranges: tuple[tuple[int, int], ...] = ()

    def covers(self, path: str, line: int) -> bool:
        """Return whether it covers a line."""
        if not self.path:
            return True
        return self.path == path and any(first <= line <= last for first, last in self.ranges)


def of_trailers(body: str) -> list[RecordedSession]:
    """Parse the sessions in a commit's trailers, our own first."""
    found = [
        RecordedSession(OWN_TRAILER if whose == "Satchel" else TRAILER, session)
        for whose, session in _SESSION.findall(body)
    ]
    return sorted(found, key=lambda one: one.program != OWN_TRAILER)


def checkpoints_of(body: str) -> list[str]:
    """Parse Entire's checkpoints in a commit's trailers."""
    return _CHECKPOINT.findall(body)


def of_checkpoint(texts: Iterable[str]) -> list[RecordedSession]:
    """Parse a checkpoint's sessions from its `metadata.json` files."""
    found: dict[str, RecordedSession] = {}
    for text in texts:
        fields = _object(text)
        session = fields.get("session_id")
        if isinstance(session, str) and session:
            # Entire prefixes the client's id with the day: 2026-01-13-5a3bb1c8-...
            plain = re.sub(r"\A\d{4}-\d\d-\d\d-", "", session)
            found[plain] = RecordedSession(ENTIRE, plain, str(fields.get("agent") or ""))
    return list(found.values())


def of_git_ai(note: str) -> list[RecordedSession]:
    """Parse an authorship log: which session wrote which lines of its commit."""
    head, divider, tail = note.partition("\n---\n")
    metadata = _object(tail)
    if not divider or not str(metadata.get("schema_version", "")).startswith("authorship/3."):
        return []
    known = {**dict_of(metadata.get("prompts")), **dict_of(metadata.get("sessions"))}
    found, path = [], ""
    for line in head.split("\n"):
        entry = _KEY.match(line)
        if entry is None:
            path = line.strip().strip('"') if not line.startswith(" ") else path
            continue
        agent = dict_of(dict_of(known.get(entry[1].partition("::")[0])).get("agent_id"))
        session = agent.get("id")
        if path and isinstance(session, str):
            tool, ranges = str(agent.get("tool") or ""), _ranges(entry[2])
            found.append(RecordedSession(GIT_AI, session, tool, path=path, ranges=ranges))
    return found


def of_agent_trace(text: str) -> Iterator[tuple[str, RecordedSession]]:
    """Parse trace records: the revision, and who wrote which lines."""
    for line in text.splitlines():
        record = _object(line)
        revision = dict_of(record.get("vcs")).get("revision")
        if not isinstance(revision, str) or not revision or "files" not in record:
            continue
        tool = str(dict_of(record.get("tool")).get("name") or "")
        for file in _objects(record.get("files")):
            for one in _objects(file.get("conversations")):
                contributor = dict_of(one.get("contributor"))
                if contributor.get("type") == "human":
                    continue
                ranges = tuple(
                    (int(r["start_line"]), int(r["end_line"]))
                    for r in _objects(one.get("ranges"))
                    if isinstance(r.get("start_line"), int) and isinstance(r.get("end_line"), int)
                )
                session = session_in(one)
                path = str(file.get("path") or "")
                if session and ranges and path:
                    found = RecordedSession(AGENT_TRACE, session, tool, path=path, ranges=ranges)
                    yield revision, found


def session_in(conversation: dict[str, Any]) -> str:
    """Return a conversation's session, by related resource or by URL."""
    related = _objects(conversation.get("related"))
    urls = [one.get("url") for one in related if one.get("type") == "session"]
    for url in [*urls, conversation.get("url")]:
        if isinstance(url, str) and url:
            return url.split("#")[0].split("?")[0].rstrip("/").replace(":", "/").rpartition("/")[2]
    return ""


def _ranges(text: str) -> tuple[tuple[int, int], ...]:
    found = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        if first.isdigit() and (last or first).isdigit():
            found.append((int(first), int(last or first)))
    return tuple(found)


def _object(text: str) -> dict[str, Any]:
    try:
        return dict_of(quick_json.loads(text))
    except (ValueError, RecursionError, SatchelError):
        return {}


def _objects(value: Any) -> list[dict[str, Any]]:
    return [one for one in list_of(value) if isinstance(one, dict)]
