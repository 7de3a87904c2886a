"""Exports certain links as Agent Trace records (RFC 0.1), one per commit."""

from __future__ import annotations

from collections.abc import Iterator

from satchel.core import times
from satchel.core.hashing import digest
from satchel.features.thread.linking import Linker
from satchel.features.thread.values import CERTAIN, WROTE, Link
from satchel.storage.commits import Commit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.application.services import Services

#: Two numbers, as the specification's schema requires.
VERSION = "0.1"
#: Prefixes of model names -> their makers, named as on models.dev.
_MAKERS = {
    "claude": "anthropic",
    "gpt": "openai",
    "o3": "openai",
    "o4": "openai",
    "gemini": "google",
}
_MOST = 100_000


def trace_records(work: Services) -> Iterator[dict[str, Any]]:
    """Yield a record per commit with the lines that certainly come from a session."""
    work.owner()
    work.sessions.archive.catch_up()
    thread = work.thread
    thread.catch_up(float("inf"))
    first = min((one[3] for one in thread.store.spans(0.0, float("inf"))), default=None)
    if first is None or not thread.history.head():
        return
    linker = Linker(thread)
    since = f"--since=@{int(first) - 120}"
    shas = thread.history.log("--no-merges", f"--max-count={_MOST}", since, "HEAD")
    for commit in thread.history.commits(shas[::-1]):
        record = _record(work, commit, linker)
        if record is not None:
            yield record


def _record(work: Services, commit: Commit, linker: Linker) -> dict[str, Any] | None:
    links = linker.links(commit)
    files = []
    for path, lines in sorted(commit.added.items()):
        wrote: dict[str, list[tuple[int, str, Link]]] = {}
        for number, text in lines:
            for one in linker.origin(commit, path, number, links)[:1]:
                if one.confidence == CERTAIN and one.evidence[0].kind == WROTE:
                    wrote.setdefault(one.session, []).append((number, text, one))
        told = [_conversation(work, rows) for _, rows in sorted(wrote.items())]
        if told:
            files.append({"path": path, "conversations": told})
    if not files:
        return None
    ident = digest(f"agent-trace {commit.sha}".encode()).hex()[:32]
    return {
        "version": VERSION,
        "id": f"{ident[:8]}-{ident[8:12]}-5{ident[13:16]}-8{ident[17:20]}-{ident[20:]}",
        "timestamp": times.iso(commit.commit_time),
        "vcs": {"type": "git", "revision": commit.sha},
        "tool": {"name": "satchel"},
        "files": files,
        "metadata": {"confidence": 1.0},
    }


def _conversation(work: Services, rows: list[tuple[int, str, Link]]) -> dict[str, Any]:
    link = rows[0][2]
    url = f"satchel:session/{link.session}"
    known = work.thread.store.sessions(link.session)
    model = known[0].model if known else ""
    contributor = {"type": "ai", **({"model_id": _model(model)} if model else {})}
    turns = dict.fromkeys(row[2].turn for row in rows if row[2].turn)
    return {
        "url": url,
        "contributor": contributor,
        "ranges": [*_ranges(rows)],
        "related": [
            {"type": "session", "url": url},
            *({"type": "turn", "url": f"{url}#{turn}"} for turn in turns),
        ],
    }


def _ranges(rows: list[tuple[int, str, Link]]) -> Iterator[dict[str, Any]]:
    """Yield runs of lines, each with a hash of its text."""
    run: list[tuple[int, str]] = []
    for number, text, _ in [*rows, (-1, "", None)]:
        if run and number != run[-1][0] + 1:
            mark = digest("\n".join(one for _, one in run).encode("utf-8", "replace")).hex()
            yield {
                "start_line": run[0][0],
                "end_line": run[-1][0],
                "content_hash": f"sha256:{mark}",
            }
            run = []
        run.append((number, text))


def _model(name: str) -> str:
    maker = next((one for begin, one in _MAKERS.items() if name.startswith(begin)), "")
    return f"{maker}/{name}"[:250] if maker else name[:250]
