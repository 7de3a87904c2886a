"""Transcripts of Claude Code, made for tests: what was said, run, and what came back."""

import json
import os
from typing import Any


class Transcript:
    """Writes one session, record by record.

    Args:
        cwd: where it worked.
        session: its id.
        branch: what was checked out there; "" where nobody says.
    """

    def __init__(
        self, cwd: str, session: str = "5d3a1c9e-0000-4000-8000-000000000001", branch: str = ""
    ) -> None:
        self.cwd, self.session, self.branch = cwd, session, branch
        self.records: list[dict[str, Any]] = []

    def _add(self, kind: str, content: Any, **more: Any) -> "Transcript":
        number = len(self.records)
        self.records.append(
            {
                "type": kind, "sessionId": self.session, "cwd": self.cwd, "uuid": f"u{number}",
                "timestamp": f"2026-01-02T10:{number // 60:02}:{number % 60:02}.000Z",
                "message": {"role": kind, "content": content, **more},
                **({"gitBranch": self.branch} if self.branch else {}),
            }
        )  # fmt: skip
        return self

    def person(self, text: str) -> "Transcript":
        """A person says something."""
        return self._add("user", text)

    def agent(self, text: str) -> "Transcript":
        """The agent says something."""
        return self._add("assistant", [{"type": "text", "text": text}], id=f"m{len(self.records)}")

    def titled(self, title: str) -> "Transcript":
        """The client gives the session a title."""
        self.records.append({"type": "ai-title", "aiTitle": title, "sessionId": self.session})
        return self

    def runs(self, tool: str, about: str, error: str = "") -> "Transcript":
        """The agent calls a tool, and something comes back."""
        ident = f"m{len(self.records)}"
        field = "command" if tool == "Bash" else "file_path"
        use = {"type": "tool_use", "id": ident, "name": tool, "input": {field: about}}
        self._add("assistant", [use], id=ident)
        result = {"type": "tool_result", "tool_use_id": ident, "content": error or "ok"}
        return self._add("user", [result | ({"is_error": True} if error else {})])

    def write(self, path: str) -> str:
        """Write it; return the path."""
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(record) + "\n" for record in self.records)
        return path


def a_mornings_work(cwd: str) -> Transcript:
    """A session with a rule, a preference, a gotcha, and a failure that ended."""
    return (
        Transcript(cwd)
        .person("please fix the failing import in the worker")
        .runs(
            "Bash", "pytest -q tests/worker", "Exit code 1 E ImportError: cannot import name 'run'"
        )
        .runs("Read", f"{cwd}/worker.py")
        .runs("Edit", f"{cwd}/worker.py")
        .runs("Bash", "pytest -q tests/worker")
        .agent(
            "The root cause was a circular import between worker.py and queue.py, so I moved it."
        )
        .person("no, never edit files below generated/ by hand")
        .agent("Understood.")
        .person("the staging database only works with a tunnel on port 5433")
        .agent("Noted.")
        .person("maybe consider shorter names for fixtures")
    )
