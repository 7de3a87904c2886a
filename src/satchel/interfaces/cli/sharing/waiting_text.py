"""What waits for approval, as text: by author, and files of records a line for each."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from typing import Any

from satchel.application import approval
from satchel.application.approval import Waiting, WaitingFile
from satchel.core.errors import SatchelError
from satchel.core.ids import short_id
from satchel.core.plurals import counted
from satchel.core.trust import UNAPPROVED, clean_line, clean_text
from satchel.engine.markdown.yaml_text import read_yaml
from satchel.interfaces.rendering import label_of
from satchel.project.approvals.rules import trust_of
from satchel.storage.ledger.record import Record

#: Characters of one text that are shown.
_WIDTH = 1000
#: Memories of one author that are listed, and lines of one file.
_LISTED, _LINES = 50, 60
#: A text of so many characters is not said twice.
_QUOTED = 8
_NOBODY = "what is not committed"
_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?")


def show_waiting(found: Waiting) -> None:
    """Print what waits for approval, grouped by author."""
    if found.lines or found.files or found.documents:
        remotes = ", ".join(map(clean_line, found.remotes)) or "no remote"
        print(f"From this repository ({remotes}):")
    by_author: dict[str, list[Record]] = {}
    for line in found.lines:
        by_author.setdefault(line.source or _NOBODY, []).append(line)
    for author, records in by_author.items():
        print(f"  {clean_line(author)}{_known_by(found, author)}")
        _show_records(records, "    ")
    for file in found.files:
        _show_file(file)
    for place, files in _by_directory(found.documents).items():
        who = {clean_line(str(one)) for file in files for one in file.authors if one.email}
        told = f"{counted(len(files), 'document')} in {clean_line(place)}"
        print(f"  {told}, of what you search  ({', '.join(sorted(who)) or _NOBODY})")
    if found.memories:
        print("From what tools, the web and files said:")
        _show_records(found.memories, "  ")


def _by_directory(files: Sequence[WaitingFile]) -> dict[str, list[WaitingFile]]:
    found: dict[str, list[WaitingFile]] = {}
    for one in files:
        found.setdefault(os.path.dirname(os.path.relpath(one.path)) or ".", []).append(one)
    return found


def _known_by(found: Waiting, author: str) -> str:
    """Say whether an author is verified by a signature or only named in the commit."""
    keys = found.signers.get(approval.address_of(author))
    if not keys:
        return ""
    signed = ", ".join(sorted(clean_line(key) for key in keys if key))
    if not signed:
        return "  (by address only: not signed)"
    return f"  ({'some ' if '' in keys else ''}signed by {signed})"


def _show_records(records: Sequence[Record], indent: str) -> None:
    for one in records[:_LISTED]:
        said = one.content if not one.title or one.title in one.content else _titled(one)
        print(f"{indent}{short_id(one.id)}  {label_of(one):<10}  {_cut(said)}{_whose(one)}")
    if len(records) > _LISTED:
        print(f"{indent}… and {len(records) - _LISTED} more: --json has all")


def _whose(record: Record) -> str:
    """Say where the words of a private memory come from; those of a repository have an author."""
    trust = trust_of(record)
    return "" if trust == UNAPPROVED else f"  ({clean_line(trust) or 'another program'})"


def _titled(record: Record) -> str:
    return f"{record.title}: {record.content}"


def _cut(text: str) -> str:
    """Put a text on one line, and say how much was cut if it is too long."""
    line = clean_line(text)
    more = len(line) - _WIDTH
    return line if more <= 0 else f"{line[:_WIDTH]}… ({more} characters more: --json has all)"


def _show_file(file: WaitingFile) -> None:
    who = ", ".join(clean_line(str(one)) for one in file.authors if one.email) or _NOBODY
    lines = _readable(file.path, file.data.decode("utf-8", "replace"))
    print(f"  {clean_line(os.path.relpath(file.path))}  ({who})")
    for line in lines[:_LINES]:
        print(f"    | {_cut(line)}")
    if len(lines) > _LINES:
        print(f"    … and {len(lines) - _LINES} lines more: --json has all")


def _readable(path: str, text: str) -> list[str]:
    """Return a file's lines; of a list of records a line each, with all that they say."""
    try:
        if path.endswith(".jsonl"):
            return [_record_line(json.loads(line)) for line in text.splitlines() if line.strip()]
        if path.endswith((".yaml", ".yml")) and "#" not in text:  # a comment may speak, too
            return [_record_line(one) for one in _only_list(read_yaml(text))]
    except (ValueError, SatchelError):
        pass  # then as it is
    return clean_text(text).splitlines()


def _only_list(value: Any) -> list[Any]:
    """Return the one list of records that a file holds. Raises `ValueError` for another form."""
    lists = [one for one in value.values() if isinstance(one, list)] if _is_map(value) else []
    rest = [one for one in value.values() if not isinstance(one, (list, int))] if lists else [value]
    if len(lists) != 1 or rest or not all(map(_is_map, lists[0])):
        raise ValueError(value)
    return lists[0]


def _is_map(value: Any) -> bool:
    return isinstance(value, dict)


def _record_line(value: Any) -> str:
    """Return all values of a record in their order, but for times: what is left out may speak."""
    said: list[str] = []
    for one in _values(value):
        rest = _without(said, clean_line(one))
        if not _TIME.fullmatch(one) and any(map(str.isalnum, rest)):
            said.append(rest)
    return " \u00b7 ".join(said)


def _without(said: Sequence[str], text: str) -> str:
    """Put a mark in place of words that were said: a rule's source quotes the rule."""
    for one in said:
        if len(one) >= _QUOTED:
            text = re.sub(re.escape(one), "\u2026", text, count=1, flags=re.IGNORECASE)
    return text


def _values(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for one in value.values():
            yield from _values(one)
    elif isinstance(value, list):
        for one in value:
            yield from _values(one)
    elif value not in (None, ""):
        yield str(value)
