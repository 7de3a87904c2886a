"""A brief's section with accepted rules of files that the session's client does not read.

An accepted rule is in one file, and a repository may have one for each client: what Cursor reads in
AGENTS.md, Claude Code is told here.
"""

from __future__ import annotations

import os

from satchel.application.briefs.accepted_elsewhere import accepted_here, bare
from satchel.application.briefs.sections import Item, Section
from satchel.clients.contract.instructions import REPOSITORY
from satchel.core.errors import SatchelError
from satchel.core.token_budget import estimate_tokens
from satchel.core.trust import clean_line
from satchel.features.instructions.values import LEARNED_RULES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from satchel.application.outlet import Outlet
    from satchel.application.services import Services
    from satchel.storage.ledger.record import Record

_NAME, _SHARE = "learned_rules", 0.2


def learned_rules(work: Services, outlet: Outlet, budget: int, client: str) -> Section:
    """Return the rules that a client would miss; of an unknown one, what any client here misses."""
    section = Section(_NAME, "", (), "satchel instructions show")
    held = dict(_held(work)) if work.person is not None else {}
    if not held:
        return section
    mine: set[str] | None = None
    read = [work.instructions.read_by(one) for one in _clients(work, client)]
    files: dict[str, None] = {}
    items: list[Item] = []
    missing, left = 0, int(budget * _SHARE)
    for path, rules in held.items():
        without = [bare(text) for paths, text in read if os.path.realpath(path) not in paths]
        unread = [one for one in rules if any(bare(one) not in text for text in without)]
        if not unread:
            continue
        # Others' edits of the file do not hide the user's own rules.
        mine = _accepted(work) if mine is None else mine
        if any(bare(one) not in mine for one in unread) and not outlet.admits(path):
            unread = [one for one in unread if bare(one) in mine]
        if not unread:
            continue
        name = clean_line(work.instructions.shown(path))
        files[name] = None
        for rule in unread:
            line = f"- {clean_line(rule)}"
            left -= estimate_tokens(line) + 1
            missing += left < 0
            items += [Item(line, why=name, raw=rule)] * (left >= 0)
    if missing:
        items.append(Item(f"({missing} more: {', '.join(files)})", why="no room"))
    title = f"## Accepted rules from {', '.join(files)}"
    return section._replace(title=title, items=tuple(items))


def read_in_files(work: Services, client: str) -> Callable[[Record], bool]:
    """Return whether a memory's words are a line of a file that a client reads itself.

    The files are read when the first memory is asked for; of an unknown client nothing is known.
    """
    known: list[frozenset[str]] = []

    def is_read(record: Record) -> bool:
        if not known:
            known.append(_lines_read(work, client))
        return bare(record.content) in known[0]

    return is_read


def _lines_read(work: Services, client: str) -> frozenset[str]:
    """Return the lines of a client's own files, without marks; what they import is not followed."""
    files, lines = work.instructions, list[str]()
    try:
        reader = files.reader()
        for one in files.sources():
            if client in one.clients:
                lines += reader.read(one.path, one.owner, found=True).text.splitlines()
    except SatchelError:
        return frozenset()  # doctor reports what is wrong with the file
    return frozenset(map(bare, lines)) - {""}


def _accepted(work: Services) -> set[str]:
    """Return the rules that the user accepted in this project, without marks."""
    return {bare(edit.text) for one in accepted_here(work) for edit in one.proposal.edits}


def _held(work: Services) -> Iterator[tuple[str, list[str]]]:
    """Yield the project's files that clients read, and the accepted rules in each."""
    reader = work.instructions.reader()
    for one in work.instructions.sources():
        if one.clients and one.owner == REPOSITORY:
            text = reader.read(one.path, one.owner, found=True).text
            if LEARNED_RULES not in text:
                continue  # avoids compiling a pattern for what most files lack
            from satchel.features.instructions.rule_lines import learned_rules_in

            rules = learned_rules_in(text)
            if rules:
                yield one.path, rules


def _clients(work: Services, client: str) -> list[str]:
    if client:
        return [client]
    from satchel.clients.registry import alias_of
    from satchel.clients.setup.checking import wired_clients

    return [alias_of(one) for one in wired_clients(work.project.place.root)]


def conflict_in(path: str) -> int:
    """Return the line of a conflict marker in a file that waits for approval; 0 for none."""
    from satchel.engine.markdown.conflicts import sides_of
    from satchel.storage.files import read_file

    sides = sides_of(read_file(path).decode("utf-8", "replace"))
    return sides.line if sides is not None else 0
