"""A real client at work in a real repository: the story of `thread_story.py`, told by it."""

from __future__ import annotations

import difflib
import time
from collections.abc import Iterator
from pathlib import Path

from clients.dialects import Said, Text
from clients.stand import Stand
from integration.thread_made import Origin, Repository

_DONE = "It is done."


class LiveRepository(Repository):
    """A repository in which time passes by itself."""

    def passes(self, seconds: float) -> None:
        """Let the clock of git's commits go on by one."""
        self.now = time.time()


class ClientAtWork:
    """One session of a real client; each prompt runs it once, when the next one is known.

    Args:
        stand: with the client.
        repository: where it works.
        patches: whether its model writes patches, where the client has a tool for them.
    """

    def __init__(self, stand: Stand, repository: Repository, *, patches: bool) -> None:
        self._stand, self._repository = stand, repository
        client = stand.client
        self._patches = patches and "patch" in client.said
        self._asked, self._begun = "", False
        self._steps: list[Said] = []
        #: What this prompt has made of files, as they will be, and of others by a shell.
        self._texts: dict[str, str] = {}
        self._made: set[str] = set()
        #: What was asked for and not done.
        self.failed: list[str] = []

    def prompt(self, text: str) -> None:
        """A person asks for something."""
        self.ends()
        self._asked = text

    def write(self, path: str, content: str) -> None:
        """The model writes a whole file."""
        old = self._text(path)
        is_kept = old is not None and "creates" in self._stand.client.said
        if old is None and not (self._repository.root / path).parent.exists():
            self._call("shell", COMMAND=f"mkdir -p {path.rpartition('/')[0]}")
        if not self._is_patched(path, old, content):
            self._reads(path)
            texts = {"OLD": old or "", "NEW": content} if is_kept else {"TEXT": content}
            self._call("edit" if is_kept else "write", FILE=self._full(path), **texts)
        self._texts[path] = content

    def edit(self, path: str, old: str, new: str) -> None:
        """The model replaces a text."""
        before = self._text(path) or ""
        assert before.count(old) == 1, (old, before)
        after = before.replace(old, new)
        if not self._is_patched(path, before, after):
            self._reads(path)
            self._call("edit", FILE=self._full(path), OLD=old, NEW=new)
        self._texts[path] = after

    def refused(self, path: str, old: str, new: str) -> None:
        """The model replaces a text that is nowhere, and is told so."""
        old = f"# Nobody wrote this.\n{old}"
        if not self._is_patched(path, old, new):
            self._reads(path)
            self._call("edit", FILE=self._full(path), OLD=old, NEW=new)

    def shell(self, command: str, *new: str) -> None:
        """The model runs a command that changes files, and makes new ones."""
        self._call("shell", COMMAND=command)
        self._made |= {*new}

    def commit(self, message: str) -> None:
        """The model commits everything."""
        self.shell(f"git add -A && git commit -m '{message}'")

    def ends(self) -> None:
        """Run the client with what was asked last; see whose each line is now."""
        if not self._asked:
            return
        self._stand.model.script = {self._asked: [*self._steps, Text(_DONE)]}
        model = self._stand.client.said["patches"] if self._patches else ""
        self._stand.say(self._asked, "resume" if self._begun else "run", model)
        self._begun = True
        for path in {*self._repository.lines, *self._texts, *self._made}:
            if (self._repository.root / path).exists():
                self._repository.follow(path, self._origin())
            elif path in {*self._texts, *self._made}:
                self.failed.append(f"{path} was not written")
        self._repository.passes(1)
        self._asked, self._steps, self._texts, self._made = "", [], {}, set()

    def _origin(self) -> Origin:
        given = self._stand.hooks()[-1].given
        return str(given.get("session_id", given.get("sessionId"))), self._asked

    def _is_patched(self, path: str, old: str | None, new: str) -> bool:
        """Change a file by a patch, if the model does that: by a tool, or by a shell's command."""
        patch = patch_of(path, old, new)
        if self._patches:
            self._call("patch", PATCH=patch)
        elif "write" not in self._stand.client.said:
            self._call("shell", COMMAND=f"apply_patch <<'END'\n{patch}END\n")
        else:
            return False
        return True

    def _call(self, which: str, **texts: str) -> None:
        self._steps += self._stand.client.call(which, **texts)

    def _reads(self, path: str) -> None:
        """Read a file that is there: several clients want that before a change."""
        if self._text(path) is not None:
            self._call("read", FILE=self._full(path))

    def _text(self, path: str) -> str | None:
        file = self._repository.root / path
        there = file.read_text("utf-8") if file.exists() else None
        return self._texts.get(path, there)

    def _full(self, path: str) -> str:
        return str(self._repository.root / path)


def patch_of(path: str, old: str | None, new: str) -> str:
    """Return a patch as `apply_patch` takes it."""
    if old is None:
        body = [f"*** Add File: {path}", *(f"+{line}" for line in new.splitlines())]
    else:
        body = [f"*** Update File: {path}", *_hunks(old, new)]
    return "\n".join(["*** Begin Patch", *body, "*** End Patch", ""])


def _hunks(old: str, new: str) -> Iterator[str]:
    told = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=2)
    for line in list(told)[2:]:
        yield "@@" if line.startswith("@@") else line


def begin(stand: Stand) -> LiveRepository:
    """Make the scratch machine's repository: Satchel is in it, and what it writes is not committed."""
    stand.begin_repository()
    (stand.repo / ".git" / "info" / "exclude").write_text(".*/\n.*\n*.json\n", "utf-8")
    stand.satchel("init", "--no-hooks", "--yes")
    stand.satchel("install", stand.client.name, "--hooks", "--yes")
    stand.run("git", "branch", "--move", "main")
    stand.run("git", "commit", "--quiet", "--all", "--message", "Take Satchel in")
    made = LiveRepository(Path(stand.repo))
    made.now = time.time()
    return made
