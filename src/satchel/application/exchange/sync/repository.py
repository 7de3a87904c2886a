"""Git without a work tree: a bare repository in private state that follows one branch.

Nothing from a remote is ever checked out: its files are read as blobs, so that its links, hooks and
attributes have no effect here.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping

from satchel.core.errors import BadInputError, BusyError, StoreError
from satchel.storage import git
from satchel.storage.files import make_private_directory, not_usable
from satchel.storage.inbox.faults import tell

BRANCH = "satchel"
_REMOTE, _NEXT, BASE = "refs/satchel/remote", "refs/satchel/next", "refs/satchel/base"
_SECONDS = 120
_AUTH = (
    "authentication failed",
    "permission denied",
    "could not read username",
    "access denied",
    "terminal prompts disabled",
    "host key verification failed",
)
_RACED = (
    "[rejected]",
    "fetch first",
    "non-fast-forward",
    "cannot lock ref",
    "incorrect old value",
    "failed to update ref",
)
#: The remote itself will not take it: it is damaged, or one of its hooks refused.
_REFUSED = ("remote rejected", "remote unpack failed")
#: Not the remote's doing.
_OWN_DISK = ("no space left on device", "out of diskspace", "read-only file system")
#: Git marks what a remote said.
_SAID_THERE = "remote: "
_MODE = "100644"


class Repository:
    """A bare repository and its remote."""

    def __init__(self, path: str) -> None:
        self.path = path

    def exists(self) -> bool:
        """Return whether the repository exists."""
        return os.path.isfile(os.path.join(self.path, "HEAD"))

    def make(self, url: str) -> None:
        """Create the repository, unless it exists, and set its remote."""
        check_url(url)
        make_private_directory(self.path)
        self._run("init", "--quiet", "--bare", "--object-format=sha1")
        self._run("config", "remote.origin.url", url)

    def renew(self) -> bool:
        """Set a damaged repository aside and begin another; return whether it was damaged."""
        url = self.url()
        if not url or self._asked("fsck", "--no-dangling", "--no-progress") == 0:
            return False
        aside = f"{self.path}.damaged"
        try:
            shutil.rmtree(aside, ignore_errors=True)
            os.rename(self.path, aside)
        except OSError as error:
            raise not_usable(self.path, error, writing=True) from error
        self.make(url)
        tell(f"{self.path} was damaged. It is made again, and the damaged one is beside it.")
        return True

    def _asked(self, *words: str) -> int:
        """Return the exit code of a command, or -1."""
        try:
            where = {"GIT_DIR": self.path}
            return git.ask(self.path, *words, seconds=_SECONDS, variables=where).code
        except git.GitError:
            return -1

    def url(self) -> str:
        """Return the remote's address."""
        return self._run("config", "remote.origin.url", check=False).decode().strip()

    def fetch(self) -> str:
        """Fetch the remote's branch; return its commit, or "" if it has none yet.

        Raises `StoreError` if the remote cannot be reached or denies access.
        """
        there = self._run("ls-remote", "origin", f"refs/heads/{BRANCH}", remote=True)
        if not there.strip():
            return ""
        spec = f"+refs/heads/{BRANCH}:{_REMOTE}"
        self._run("fetch", "--quiet", "--no-tags", "origin", spec, remote=True)
        return self.commit_of(_REMOTE)

    def commit_of(self, ref: str) -> str:
        """Return the commit of a ref, or ""."""
        return self._run("rev-parse", "--verify", "--quiet", ref, check=False).decode().strip()

    def base_of(self, theirs: str) -> str:
        """Return the last common commit with the remote; "" if the remote lost it.

        A different remote, or one with a rewritten history, has no common commit with us: files
        missing there were not deleted there.
        """
        base = self.commit_of(BASE)
        if not base or not theirs:
            return ""
        common = self._run("merge-base", base, theirs, check=False).decode().strip()
        return base if common == base else ""

    def put_base(self, commit: str) -> None:
        """Record the last common commit of this home and the remote."""
        self._run("update-ref", BASE, commit)

    def tree(self, commit: str) -> dict[str, str]:
        """Return path -> blob for a commit's regular files, skipping links and submodules."""
        if not commit:
            return {}
        found = {}
        for row in self._run("ls-tree", "-r", "-z", commit).split(b"\0"):
            head, tab, name = row.partition(b"\t")
            parts = head.decode().split()
            if tab and parts[:2] in ([_MODE, "blob"], ["100755", "blob"]):
                try:
                    found[name.decode("utf-8")] = parts[2]
                except UnicodeDecodeError:
                    continue  # no name that Satchel gives
        return found

    def blob(self, name: str) -> bytes:
        """Return the bytes of a blob."""
        return self._run("cat-file", "blob", name)

    def commit(self, parent: str, files: Mapping[str, bytes | str], message: str, now: int) -> str:
        """Write a commit whose tree is exactly `files`: bytes, or blob names."""
        out = [
            f"commit {_NEXT}\ncommitter Satchel <satchel@localhost> {now} +0000\n".encode(),
            _data(message.encode()),
            f"from {parent}\n".encode() if parent else b"",
            b"deleteall\n",
        ]
        for path, content in sorted(files.items()):
            named = _quoted(path)
            if isinstance(content, str):
                out.append(f"M {_MODE} {content} {named}\n".encode())
            else:
                out.append(f"M {_MODE} inline {named}\n".encode() + _data(content))
        if not parent:
            self._run("update-ref", "-d", _NEXT, check=False)
        self._run("fast-import", "--quiet", "--force", given=b"".join(out))
        return self.commit_of(_NEXT)

    def push(self, commit: str) -> bool:
        """Push a commit, never by force; return false if the remote needs a new fetch."""
        try:
            self._run("push", "--quiet", "origin", f"{commit}:refs/heads/{BRANCH}", remote=True)
        except BusyError:
            return False
        return True

    def merged(self, ours: bytes, base: bytes, theirs: bytes) -> bytes | None:
        """Merge two texts with a common base; None if they conflict."""
        import tempfile

        if b"\0" in ours + theirs:
            return None
        with tempfile.TemporaryDirectory(dir=self.path) as directory:
            names = []
            for name, data in (("ours", ours), ("base", base), ("theirs", theirs)):
                names.append(os.path.join(directory, name))
                with open(names[-1], "wb") as file:
                    file.write(data)
            done = git.ask(directory, "merge-file", "-p", *names, variables={"GIT_DIR": self.path})
        return done.data if done.code == 0 else None

    def _run(
        self, *words: str, given: bytes | None = None, check: bool = True, remote: bool = False
    ) -> bytes:
        try:
            if remote:
                done = git.ask_remote(
                    self.path, *words, seconds=_SECONDS, variables={"GIT_DIR": self.path}
                )
            else:
                done = git.ask(
                    self.path,
                    *words,
                    seconds=_SECONDS,
                    stdin=given,
                    variables={"GIT_DIR": self.path},
                )
        except git.NoGitError:
            raise StoreError("git is not installed.", hint="Install git; sync needs it.") from None
        except git.GitError as error:
            if remote:
                raise StoreError(f"The remote did not answer within {_SECONDS} s.") from None
            raise StoreError(str(error)) from None
        if done.code and check:
            raise _failure(done.err, done.code, remote=remote)
        return done.data


def check_url(url: str) -> None:
    """Raise if a URL is not a remote address, or contains a password."""
    if not url or url.startswith("-") or "::" in url or any(ord(c) < 32 for c in url):  # noqa: PLR2004
        raise BadInputError(f"{url[:80]!r} is not an address of a git remote.")
    if re.match(r"[a-z+]+://[^/@]*:[^/@]*@", url):
        raise BadInputError(
            "The address contains a password.",
            hint="Leave it to git's credential helper, or use ssh.",
        )


def _failure(text: str, code: int, *, remote: bool) -> StoreError | BusyError:
    said = " ".join(text.split())[:400]
    lower = said.lower()
    if not said:
        # A git that fails says why; one that a limit or somebody ended does not.
        return StoreError(
            f"git was stopped: it ended with {code}, and said nothing.",
            hint="Nothing is lost; run it again. A full disk or a limit on files may be the cause.",
        )
    if any(sign in lower for sign in _OWN_DISK) and _SAID_THERE not in lower:
        return StoreError(
            f"git could not write: {said}", hint="Free some space on this disk; nothing is lost."
        )
    if not remote:
        return StoreError(f"git failed: {said}")
    if any(sign in lower for sign in _RACED):
        return BusyError(
            f"Another machine pushed first: {said}", hint="Run `satchel sync now` again."
        )
    if any(sign in lower for sign in _AUTH):
        return StoreError(
            f"The remote refused access: {said}",
            hint="Try `git ls-remote` with its address; a key or credential helper is missing.",
        )
    if any(sign in lower for sign in _REFUSED):
        return StoreError(
            f"The remote did not take what was sent: {said}",
            hint="Nothing is lost; `git fsck` on the remote says whether it is damaged.",
        )
    return StoreError(
        f"The remote could not be reached: {said}",
        hint="Nothing has changed here; run `satchel sync now` when it is back.",
    )


def _data(content: bytes) -> bytes:
    return b"data %d\n" % len(content) + content + b"\n"


def _quoted(path: str) -> str:
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
