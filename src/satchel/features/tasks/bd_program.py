"""Tasks kept by bd: read from its export, changed through its commands only; `bd prime`."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence

from satchel.core.errors import (
    BadInputError,
    ConflictError,
    NotFoundError,
    SatchelError,
    StoreError,
)
from satchel.core.quick_json import loads
from satchel.core.values import Any
from satchel.features.tasks.dialects import FOUNDATION_STATUSES
from satchel.features.tasks.issue_ids import checked_id
from satchel.features.tasks.values import BLOCKS, Change
from satchel.storage.safe_open import read_inside

_LARGEST = 65_536
#: How long bd may wait for its own lock, seconds.
_PATIENCE = 15.0
#: bd's own limit for it, seconds.
_PRIME_PATIENCE = 10.0
_PRIME_LONGEST = 32_000
#: Files of a repository that affect bd's output, besides its tasks.
SOURCES = (".beads/PRIME.md", ".beads/config.yaml", ".beads/metadata.json")
#: Fields -> bd's options for them.
_OPTIONS = {
    "title": "--title",
    "description": "--description",
    "design": "--design",
    "acceptance_criteria": "--acceptance",
    "notes": "--notes",
    "priority": "--priority",
    "issue_type": "--type",
    "assignee": "--assignee",
    "external_ref": "--external-ref",
    "due_at": "--due",
    "defer_until": "--defer",
    "estimated_minutes": "--estimate",
}


def backend_of(root: str) -> str:
    """Return the store named in `.beads/metadata.json`; "" if tasks are only in a file."""
    try:
        data = read_inside(root, os.path.join(root, ".beads", "metadata.json"), most=_LARGEST)
        named = loads(data.decode("utf-8-sig"))
    except (NotFoundError, BadInputError, ValueError):
        return ""
    backend = named.get("backend") if isinstance(named, dict) else None
    return backend if isinstance(backend, str) else ""


class BeadsProgram:
    """The `bd` on this machine, run in one project.

    Args:
        actor: who acts; "" leaves it to bd.
    """

    def __init__(self, root: str, actor: str = "") -> None:
        self.root = root
        self.actor = actor
        self.program = shutil.which("bd")

    def export(self) -> bytes | None:
        """Return every issue as lines; None if bd is missing or fails."""
        if self.program is None:
            return None
        try:
            done = self._run(["export"])
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout if done.returncode == 0 else None

    # Writing

    def create(self, fields: Mapping[str, Any], links: Sequence[tuple[str, str]] = ()) -> str:
        """Create a task; return its id."""
        words = ["create", f"--title={fields['title']}"]
        words += [
            f"{option}={fields[name]}"
            for name, option in _OPTIONS.items()
            if name != "title" and fields.get(name) not in (None, "")
        ]
        if fields.get("labels"):
            words.append(f"--labels={','.join(fields['labels'])}")
        after: list[list[str]] = []
        deps = []
        for kind, other in links:
            target = checked_id(other)
            if kind == "parent-child":
                words.append(f"--parent={target}")
            elif kind == "blocks-it":
                after.append([target, BLOCKS])
            else:
                deps.append(f"{kind}:{target}")
        if deps:
            words.append(f"--deps={','.join(deps)}")
        value = self._asked(words)
        made = value[0] if isinstance(value, list) and value else value
        ident = made.get("id") if isinstance(made, dict) else None
        if not isinstance(ident, str):
            raise StoreError(
                "bd did not report the id of what it created.", hint="`bd list` shows it."
            )
        for target, kind in after:
            self.depend(target, ident, kind)
        return ident

    def apply(self, ident: str, change: Change) -> None:
        """Change one task."""
        if change.take_metadata:
            raise BadInputError("bd cannot remove metadata.", hint="Set the key to null.")
        words = ["update", checked_id(ident)]
        words += [
            f"{_OPTIONS[name]}={'' if value is None else value}"
            for name, value in change.fields.items()
            if name in _OPTIONS
        ]
        if change.status:
            words.append(f"--status={FOUNDATION_STATUSES.get(change.status, change.status)}")
        words += [f"--append-notes={change.append_notes}"] if change.append_notes else []
        words += [f"--add-label={label}" for label in change.add_labels]
        words += [f"--remove-label={label}" for label in change.remove_labels]
        words += [f"--set-metadata={name}={value}" for name, value in change.put_metadata]
        words += [] if change.parent is None else [f"--parent={change.parent}"]
        self._asked(words)

    def close(self, ident: str, reason: str, *, session: str = "", force: bool = False) -> None:
        """Close one task."""
        words = ["close", checked_id(ident), f"--reason={reason or 'Closed'}"]
        words += [f"--session={session}"] if session else []
        self._asked([*words, "--force"] if force else words)

    def reopen(self, ident: str, reason: str) -> None:
        """Open a closed task again."""
        self._asked(["reopen", checked_id(ident), *([f"--reason={reason}"] if reason else [])])

    def claim(self, ident: str) -> None:
        """Claim a task; bd ensures that only one claim succeeds."""
        self._asked(["update", checked_id(ident), "--claim"])

    def comment(self, ident: str, said: str) -> None:
        """Add a comment."""
        self._asked(["comment", checked_id(ident), "--stdin"], said=said)

    def depend(self, ident: str, on: str, kind: str) -> None:
        """Make a task depend on another."""
        self._asked(["dep", "add", checked_id(ident), checked_id(on), f"--type={kind}"])

    def undepend(self, ident: str, on: str) -> None:
        """Remove a dependency."""
        self._asked(["dep", "remove", checked_id(ident), checked_id(on)])

    def delete(self, ident: str, reason: str) -> None:
        """Delete a task."""
        self._asked(
            ["delete", checked_id(ident), "--force", *([f"--reason={reason}"] if reason else [])]
        )

    def imported(self, content: bytes, *, dry_run: bool) -> Any:
        """Let bd import lines; return its output."""
        words = ["import", "-", *(["--dry-run"] if dry_run else [])]
        return self._asked(words, said=content.decode("utf-8", "replace"))

    # Asking

    def _asked(self, words: Sequence[str], *, said: str = "") -> Any:
        """Run a command and return its output. Raises with bd's own message."""
        if self.program is None:
            raise ConflictError(
                "bd keeps this project's tasks, and is not installed here.",
                hint="Install bd. Its export is read; Satchel never writes it.",
            )
        try:
            done = self._run([*words, "--json"], said)
        except subprocess.TimeoutExpired:
            raise StoreError(
                f"bd did not answer within {_PATIENCE:g} s.", hint="Try again."
            ) from None
        except OSError as error:
            raise StoreError(f"bd cannot be started: {error.strerror}.") from None
        if done.returncode:
            raise _refusal(done.stderr.decode("utf-8", "replace"))
        try:
            value = loads(done.stdout.decode("utf-8", "replace")) if done.stdout.strip() else None
        except ValueError:
            return None  # some commands have no JSON to give
        return value["data"] if isinstance(value, dict) and "data" in value else value

    def _run(self, words: Sequence[str], said: str = "") -> subprocess.CompletedProcess[bytes]:
        who = [f"--actor={self.actor}"] if self.actor else []
        return subprocess.run(
            [self.program or "bd", *words, *who],
            cwd=self.root,
            input=said.encode("utf-8", "replace"),
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
        )


def _refusal(told: str) -> SatchelError:
    """Translate bd's error message into our error."""
    first = (told.strip().splitlines() or ["no reason given"])[0]
    code = ""
    try:
        value = loads(told)
        if isinstance(value, dict):
            first, code = str(value.get("error") or first), str(value.get("code") or "")
    except ValueError:
        pass
    hint = "This is bd's message; nothing was changed."
    if code == "not_found" or "not found" in first.lower() or "no issue" in first.lower():
        return NotFoundError(f"bd: {first[:300]}", hint=hint)
    return ConflictError(f"bd: {first[:300]}", hint=hint)


def beads_prime(root: str) -> str:
    """Return the output of `bd prime`; "" if bd is missing or fails."""
    program = shutil.which("bd") if os.path.isdir(os.path.join(root, ".beads")) else None
    if program is None:
        return ""
    try:
        done = subprocess.run(
            [program, "prime", "--full"],
            cwd=root,
            capture_output=True,
            timeout=_PRIME_PATIENCE,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace")[:_PRIME_LONGEST] if done.returncode == 0 else ""
