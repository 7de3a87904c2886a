"""An agent at work in a real repository, whose client writes a transcript in Claude Code's shape.

What is written is followed in the files themselves, by comparing them before and after each call:
so the origin of every line is known without what Satchel makes of the transcripts.
"""

from __future__ import annotations

import difflib
import json
import os
import subprocess
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from integration.installed import Machine
from satchel.clients.transcript_format.project_key import project_key

#: Session and the text of the prompt that a line comes from; None for a person's own hand.
Origin = tuple[str, str] | None
_FIRST = 1_773_655_200.0  # 2026-03-16T10:00:00Z


class Repository:
    """A git repository, a clock that all use, and where each line of each file comes from."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.now = _FIRST
        self.lines: dict[str, list[tuple[str, Origin]]] = {}
        #: When each of these lines was written.
        self.times: dict[str, list[float]] = {}

    def git(self, *words: str, given: str = "") -> str:
        """Run git at the repository's own time, on this input; return what it prints."""
        stamp = f"@{int(self.now)} +0000"
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.root.parent),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_AUTHOR_DATE": stamp,
            "GIT_COMMITTER_DATE": stamp,
            "GIT_EDITOR": "true",
            "LC_ALL": "C.UTF-8",
        }
        named = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
        done = subprocess.run(
            ["git", *named, "-c", "protocol.file.allow=always", *words],
            cwd=self.root,
            env=environment,
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    def passes(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds

    def by_hand(self, path: str, content: str) -> None:
        """A person writes a file in an editor."""
        self.put(path, content, None)

    def put(self, path: str, content: str, origin: Origin) -> None:
        """Write a file, and follow which of its lines are new."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content, encoding="utf-8")
        self.follow(path, origin)

    def follow(self, path: str, origin: Origin) -> None:
        """See which lines of a file changed; the others keep where they come from."""
        new = (self.root / path).read_text("utf-8").splitlines()
        old = self.lines.get(path, [])
        found: list[tuple[str, Origin]] = []
        then, times = self.times.get(path, []), list[float]()
        matcher = difflib.SequenceMatcher(None, [text for text, _ in old], new, autojunk=False)
        for tag, first, last, begin, end in matcher.get_opcodes():
            if tag == "equal":
                found += old[first:last]
                times += then[first:last]
            else:
                found += [(text, origin) for text in new[begin:end]]
                times += [self.now] * (end - begin)
        self.lines[path], self.times[path] = found, times


class AgentAtWork:
    """One session: what is asked, written, run and committed, as its transcript has it.

    Args:
        repository: where it works.
        home: of the person; the client's directory is in it.
        branch: what the client says is checked out.
    """

    def __init__(self, repository: Repository, home: Path, branch: str = "main") -> None:
        self.repository, self.branch = repository, branch
        self.session = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{repository.now}{branch}"))
        self.asked = ""
        key = project_key(os.path.realpath(repository.root))
        self.path = home / ".claude" / "projects" / key / f"{self.session}.jsonl"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._count = 0

    @property
    def origin(self) -> Origin:
        """Where lines come from that are written now."""
        return self.session, self.asked

    def _add(self, kind: str, content: Any, **more: Any) -> None:
        self._count += 1
        at = datetime.fromtimestamp(self.repository.now, UTC).isoformat(timespec="milliseconds")
        record = {
            "type": kind,
            "sessionId": self.session,
            "cwd": os.path.realpath(self.repository.root),
            "gitBranch": self.branch,
            "uuid": f"{self.path.stem[:8]}-{self._count}",
            "timestamp": at.replace("+00:00", "Z"),
            "isSidechain": False,
            "version": "2.1.330",
            "message": {"role": kind, "content": content, **more},
        }
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")

    def prompt(self, text: str) -> None:
        """A person asks for something."""
        self.repository.passes(60)
        self.asked = text
        self._add("user", text)

    def says(self, text: str) -> None:
        """The agent says something."""
        self._add("assistant", [{"type": "text", "text": text}], id=f"m{self._count}")

    def _calls(self, name: str, given: dict[str, Any]) -> str:
        self.repository.passes(10)
        ident = f"toolu_{self._count}"
        use = {"type": "tool_use", "id": ident, "name": name, "input": given}
        self._add("assistant", [use], id=f"m{self._count}", model="claude-opus-4-5")
        return ident

    def _returns(self, ident: str, text: str, *, failed: bool = False) -> None:
        self.repository.passes(1)
        result = {"type": "tool_result", "tool_use_id": ident, "content": text, "is_error": failed}
        self._add("user", [result])

    def write(self, path: str, content: str) -> None:
        """The agent writes a whole file."""
        full = os.path.join(os.path.realpath(self.repository.root), path)
        there = (self.repository.root / path).exists()
        ident = self._calls("Write", {"file_path": full, "content": content})
        self.repository.put(path, content, self.origin)
        told = (
            f"The file {full} has been updated."
            if there
            else f"File created successfully at: {full}"
        )
        self._returns(ident, told)

    def edit(self, path: str, old: str, new: str) -> None:
        """The agent replaces a text."""
        full = os.path.join(os.path.realpath(self.repository.root), path)
        ident = self._calls("Edit", {"file_path": full, "old_string": old, "new_string": new})
        text = (self.repository.root / path).read_text("utf-8")
        assert text.count(old) == 1, (old, text)
        self.repository.put(path, text.replace(old, new), self.origin)
        self._returns(ident, f"The file {full} has been updated.")

    def refused(self, path: str, old: str, new: str) -> None:
        """The agent wants to replace a text, and is not let."""
        ident = self._calls("Edit", {"file_path": path, "old_string": old, "new_string": new})
        self._returns(ident, "The user doesn't want to proceed with this tool use.", failed=True)

    def shell(self, command: str, *new: str) -> None:
        """The agent runs a command that changes files, and makes new ones."""
        ident = self._calls("Bash", {"command": command, "description": "x"})
        done = subprocess.run(
            command,
            shell=True,
            cwd=self.repository.root,
            capture_output=True,
            text=True,
            check=True,
        )
        for path in [*self.repository.lines, *new]:
            if (self.repository.root / path).exists():
                self.repository.follow(path, self.origin)
        self._returns(ident, done.stdout + done.stderr)

    def commit(self, message: str, *words: str) -> str:
        """The agent commits everything; return the commit's id."""
        command = f"git add -A && git commit -m '{message}'"
        ident = self._calls("Bash", {"command": command, "description": "Commit"})
        self.repository.git("add", "--all")
        told = self.repository.git("commit", "-m", message, *words)
        self._returns(ident, told)
        return self.repository.git("rev-parse", "HEAD").strip()

    def ends(self) -> None:
        """The session is left; what comes next is done by others."""

    def runs_git(self, *words: str) -> str:
        """The agent runs git; return what it printed."""
        ident = self._calls("Bash", {"command": "git " + " ".join(words), "description": "git"})
        told = self.repository.git(*words)
        self._returns(ident, told)
        return told


def new_repository(machine: Machine) -> Repository:
    """Make a repository with Satchel in it and one commit."""
    root = machine.directory / "shop"
    root.mkdir()
    made = Repository(root)
    made.git("init", "--quiet", "--initial-branch=main")
    machine.ok("init", "--no-hooks", "--yes", at=root)
    made.git("add", "--all")
    made.git("commit", "-m", "first")
    return made
