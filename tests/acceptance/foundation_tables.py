"""The Foundation's PostgreSQL: fill a project with one of everything, push it, count every view.

    python tests/acceptance/foundation_tables.py postgresql://name@host/database

makes a project and a home in a temporary directory, says everything through the command line as a
user does, and prints the rows of each table that the document names.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from satchel.storage.database.acting import MAINTENANCE
from satchel.storage.database.postgresql import PostgresDatabase

#: The document's key tables, then its business tables.
TABLES = (
    "preferences",
    "facts",
    "tasks",
    "insights",
    "activities",
    "projects",
    "routing_decisions",
    "conversations",
    "messages",
    "entities",
    "relationships",
)
BUSINESS = (
    "leads",
    "deals",
    "outreach_log",
    "campaigns",
    "suppliers",
    "products",
    "revenue",
    "trading_positions",
    "competitors",
    "competitor_changes",
    "scan_history",
)
COMMAND = os.path.join(os.path.dirname(sys.executable), "satchel")


class Foundation:
    """A project whose memories are kept on a server."""

    def __init__(self, directory: Path, url: str) -> None:
        self.root, self.url = directory / "fleet", url
        #: The row of each table that others may refer to.
        self.ids: dict[str, str] = {}
        self.root.mkdir()
        self.environment = {
            "HOME": str(directory / "home"),
            "PATH": f"{os.path.dirname(COMMAND)}:/usr/local/bin:/usr/bin:/bin",
            "SATCHEL_EMBED_BACKGROUND": "0",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "LANG": "C.UTF-8",
        }
        os.makedirs(self.environment["HOME"])

    def run(self, *words: str, given: str = "") -> str:
        """Run a command that must succeed; return what it printed."""
        done = subprocess.run(
            [COMMAND, *words] if words[0] != "git" else words,
            cwd=self.root,
            input=given,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    def fill(self) -> None:
        """Say one of everything."""
        run = self.run
        run("git", "init", "-q")
        run("init", "--no-hooks", "--yes")
        run("git", "add", "--all")
        run(
            "git", "-c", "user.name=Ada", "-c", "user.email=a@example.org", "commit", "-qm", "first"
        )
        run("remember", "--kind", "preference", "--key", "editor", "--agent", "seldon", "vim")
        run("remember", "--kind", "fact", "Acme | offered | 200 seats")
        run("remember", "--kind", "fact", "Acme | offered | 300 seats")
        run("remember", "--kind", "insight", "--agent", "daneel", "The build is red")
        run("remember", "--kind", "activity", "--agent", "daneel", "--category", "patrol", "Done")
        run("session", "end", "--agent", "seldon", "--learned", "The cache needs a warm-up")
        run("agent", "new", "seldon")
        run(
            "agent",
            "log-decision",
            "--agent",
            "seldon",
            "--topic",
            "queue",
            "--decision",
            "Use PostgreSQL",
            "--rationale",
            "One thing less to run",
        )
        run("task", "create", "Mend the login")
        run("route", "draft a newsletter")
        links = [
            {"from": f"Agent {n}", "to": f"Division {n % 5}", "type": "part_of"} for n in range(330)
        ]
        run("graph", "ingest", "the fleet", "--relationships", json.dumps(links))
        ident = json.loads(run("session", "new", "Talk", "--json"))["id"]
        run("session", "start", ident)
        run("session", "say", "--to", ident, "Why does the migration hang?")
        self._transcript()
        run("table", "init", "foundation")
        for name in BUSINESS:
            self._row(name)

    def _transcript(self) -> None:
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        shared = {"cwd": str(self.root), "sessionId": "s-9", "timestamp": now, "isSidechain": False}
        lines = [
            {
                **shared,
                "type": "user",
                "uuid": "a",
                "message": {"role": "user", "content": "Hello?"},
            },
            {
                **shared,
                "type": "assistant",
                "uuid": "b",
                "message": {
                    "id": "m",
                    "role": "assistant",
                    "content": [{"type": "text", "text": "A lock."}],
                },
            },
        ]
        path = self.root.parent / "s-9.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        self.run("session", "import", str(path))

    def _row(self, table: str) -> None:
        """Add a row with a value in every field that has to have one."""
        given = {}
        for field in json.loads(self.run("table", "show", table, "--json"))["fields"]:
            if field["required"]:
                given[field["name"]] = self._value(table, field)
        values = (f"{name}={value}" for name, value in given.items())
        self.ids[table] = json.loads(self.run("table", "add", table, *values, "--json"))["id"]

    def _value(self, table: str, field: dict[str, Any]) -> str:
        kind = str(field["type"])
        if field["to"]:
            return self.ids[field["to"]]
        if field["of"]:
            return str(field["of"][0])
        if "date" in kind or "time" in kind:
            return "2026-11-01"
        return f"a {table}" if kind in ("text", "list") else "1"

    def push(self) -> None:
        """Put all of it on the server."""
        self.run("team", "init", self.url)
        self.run("team", "push", "--everything")

    def counts(self) -> dict[str, int]:
        """Rows of each table that the document names."""
        database = PostgresDatabase(self.url, MAINTENANCE)
        try:
            return {
                name: int(database.read(f"SELECT COUNT(*) FROM satchel.{name}")[0][0] or 0)
                for name in (*TABLES, *BUSINESS)
            }
        finally:
            database.close()


def main() -> int:
    """Fill, push, and print the counts; 1 where a table is empty."""
    with tempfile.TemporaryDirectory() as directory:
        made = Foundation(Path(directory), sys.argv[1])
        made.fill()
        made.push()
        counts = made.counts()
    for name, count in counts.items():
        print(f"{name:<20} {count:>6}")
    return 0 if all(counts.values()) else 1


if __name__ == "__main__":
    raise SystemExit(main())
