"""Collections: named Markdown trees, in a TOML file that may be edited by hand."""

from __future__ import annotations

import os

from satchel.core.errors import BadInputError, ConflictError, NotFoundError
from satchel.core.redaction.names import refuse_secret
from satchel.core.values import Any, NamedTuple
from satchel.features.notes.file_discovery import MARKDOWN
from satchel.storage.files import read_file, replace_file
from satchel.storage.settings.loading import read_toml
from satchel.storage.settings.person_file import toml_value

_HEAD = "# Collections: Markdown trees that `satchel docs query` searches.\n"
_LONGEST_NAME = 40
#: Suggested names, and where such documents usually are below a work tree.
OFFERED = {
    "agent-workspaces": (".satchel/agents", "agents", ".agents"),
    "shared-memory": ("shared-memory", "memory", ".agents/shared"),
    "documentation": ("docs", "doc"),
}


class Collection(NamedTuple):
    """A named Markdown tree. `path` is absolute; `pattern` selects its files."""

    name: str
    path: str
    pattern: str = MARKDOWN


def read_collections(file: str, below: str = "") -> list[Collection]:
    """Return a file's collections in order; [] if the file is missing.

    Relative paths are below `below`. Raises `BadInputError` naming file and field.
    """
    tables = read_toml(file)
    return [_collection(file, name, table, below) for name, table in tables.items()]


def add_collection(file: str, new: Collection, below: str = "") -> None:
    """Add a collection; a path below `below` is written as relative."""
    check_name(new.name)
    refuse_secret(new.name, "collection")
    there = read_collections(file, below)
    if any(one.name == new.name for one in there):
        raise ConflictError(
            f"A collection `{new.name}` already exists.",
            hint="Remove it first, or choose another name.",
        )
    inside = os.path.relpath(new.path, below) if below else new.path
    kept = new.path if not below or inside.startswith("..") else inside
    block = f"\n[{new.name}]\npath = {toml_value(kept)}\n"
    if new.pattern != MARKDOWN:
        block += f"pattern = {toml_value(new.pattern)}\n"
    data = read_file(file) or _HEAD.encode()
    if not data.endswith(b"\n"):
        data += b"\n"
    replace_file(file, data + block.encode())


def remove_collection(file: str, name: str) -> None:
    """Remove a collection, keeping the others' lines and comments."""
    kept, skipping, removed = [], False, False
    for line in read_file(file).splitlines(keepends=True):
        bare = line.strip()
        if bare.startswith(b"["):
            skipping = bare.partition(b"#")[0].strip().strip(b"[]\"' ") == name.encode()
            removed = removed or skipping
        if not skipping:
            kept.append(line)
    if not removed:
        raise NotFoundError(
            f"{file} has no collection `{name}`.", hint="`satchel docs list` shows them."
        )
    replace_file(file, b"".join(kept).rstrip(b"\n") + b"\n")


def offered(root: str) -> list[Collection]:
    """Return collections that could be added: those whose directory exists."""
    found = []
    for name, candidates in OFFERED.items():
        for candidate in candidates:
            path = os.path.join(root, *candidate.split("/"))
            if os.path.isdir(path):
                found.append(Collection(name, path))
                break
    return found


def check_name(name: str) -> None:
    """Raise if the name is invalid; it may have letters, digits, `-` and `_`."""
    plain = name.replace("-", "").replace("_", "")
    if not (plain.isascii() and plain.isalnum() and len(name) <= _LONGEST_NAME) or name[0] in "-_":
        raise BadInputError(
            f"{name[:60]!r} is not a name for a collection.",
            hint=f"Use letters, digits, - and _, at most {_LONGEST_NAME}: documentation.",
        )


def check_pattern(pattern: str) -> None:
    """Raise if a pattern leads outside the tree."""
    if not pattern.strip("/") or pattern.startswith("/") or ".." in pattern.split("/"):
        raise BadInputError(
            f"{pattern[:60]!r} is not a pattern.", hint="Write for example **/*.md or guides/*.md."
        )


def _collection(file: str, name: str, table: Any, below: str) -> Collection:
    check_name(name)
    path = table.get("path") if isinstance(table, dict) else None
    pattern = table.get("pattern", MARKDOWN) if isinstance(table, dict) else None
    if not (isinstance(path, str) and path and isinstance(pattern, str)):
        raise BadInputError(
            f"{file}: [{name}] needs a path.", hint='Write: path = "docs" below that line.'
        )
    check_pattern(pattern)
    path = os.path.expanduser(path)
    return Collection(name, os.path.normpath(os.path.join(below, path)), pattern)
