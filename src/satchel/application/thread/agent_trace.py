"""Exports certain links as Agent Trace records (RFC 0.1), one per commit."""

from __future__ import annotations

from collections.abc import Iterator

from satchel.application.thread.certain_lines import CertainLine, certain_lines, model_of
from satchel.core import times
from satchel.core.hashing import digest

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


def trace_records(work: Services) -> Iterator[dict[str, Any]]:
    """Yield a record per commit with the lines that certainly come from a session."""
    for commit, lines in certain_lines(work):
        ident = digest(f"agent-trace {commit.sha}".encode()).hex()[:32]
        yield {
            "version": VERSION,
            "id": f"{ident[:8]}-{ident[8:12]}-5{ident[13:16]}-8{ident[17:20]}-{ident[20:]}",
            "timestamp": times.iso(commit.commit_time),
            "vcs": {"type": "git", "revision": commit.sha},
            "tool": {"name": "satchel"},
            "files": [
                {"path": path, "conversations": [_conversation(work, rows) for rows in by.values()]}
                for path, by in lines.items()
            ],
            "metadata": {"confidence": 1.0},
        }


def _conversation(work: Services, rows: list[CertainLine]) -> dict[str, Any]:
    session = rows[0].link.session
    url = f"satchel:session/{session}"
    model = model_of(work, session)
    contributor = {"type": "ai", **({"model_id": _model(model)} if model else {})}
    turns = dict.fromkeys(row.link.turn for row in rows if row.link.turn)
    return {
        "url": url,
        "contributor": contributor,
        "ranges": [*_ranges(rows)],
        "related": [
            {"type": "session", "url": url},
            *({"type": "turn", "url": f"{url}#{turn}"} for turn in turns),
        ],
    }


def _ranges(rows: list[CertainLine]) -> Iterator[dict[str, Any]]:
    """Yield runs of lines, each with a hash of its text."""
    run: list[tuple[int, str]] = []
    for number, text in [*((row.number, row.text) for row in rows), (-1, "")]:
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
