"""Reads and replaces files that an accepted suggestion changes."""

from __future__ import annotations

import os
import stat

from satchel.core.errors import BadInputError
from satchel.features.instructions.saving import with_entry
from satchel.features.proposals.values import Edit
from satchel.storage.files import open_file, replace_file

_LARGEST = 4 << 20
_NEW = 0o644


def contents_of(path: str) -> bytes | None:
    """Return a file's bytes, or None if it is missing. Raises `BadInputError` if too large."""
    try:
        with open_file(path) as file:
            data = file.read(_LARGEST + 1)
    except FileNotFoundError:
        return None
    if len(data) > _LARGEST:
        raise BadInputError(f"{path} is larger than {_LARGEST:,} bytes.", hint="Split it first.")
    return data


def write_file(path: str, data: bytes) -> None:
    """Replace a file atomically, keeping its mode."""
    try:
        mode = stat.S_IMODE(os.stat(path).st_mode)
    except OSError:
        mode = _NEW
    if contents_of(path) != data:
        replace_file(path, data, mode=mode)


def encoded(text: str | None) -> bytes | None:
    """Return the bytes of a text made by `decoded`."""
    return None if text is None else text.encode("utf-8", "surrogateescape")


def decoded(data: bytes | None) -> str | None:
    """Return bytes as a text that JSON can hold, whatever they are."""
    return None if data is None else data.decode("utf-8", "surrogateescape")


def with_list_item(before: bytes | None, edit: Edit) -> bytes:
    """Return a Markdown file with an edit's text as an item below its heading, if not there yet."""
    line = f"- {edit.text}".encode("utf-8", "surrogateescape")
    if before and any(one.rstrip(b"\r") == line for one in before.split(b"\n")):
        return before
    return with_entry(before or b"", edit.text, edit.section)
