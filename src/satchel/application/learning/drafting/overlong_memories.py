"""Overlong project memories: suggests moving their longest items to notes."""

from __future__ import annotations

from satchel.application.learning.drafting.note_texts import note_text
from satchel.application.learning.drafting.proposing import key_of
from satchel.application.learning.drafting.values import Targets
from satchel.application.learning.signals.patterns import category_of, stripped
from satchel.application.learning.signals.values import KNOWLEDGE, MEDIUM, Signal
from satchel.core.excerpts import beginning
from satchel.core.plurals import counted
from satchel.features.proposals.values import CREATE, MOVE, PROJECT, TAKE_OUT, Edit, Proposal

#: Kinds of lines that reflect puts into a project's memory; most proposals at once.
MOST_LINES, AT_ONCE = 200, 20
_LONG = 160
#: With this many lines above the limit, all of them go into one proposal.
_FAR_ABOVE = 100


def too_long(text: str) -> int:
    """Return by how many lines a project memory exceeds its limit of 200; 0 if it does not."""
    return max(0, len(text.splitlines()) - MOST_LINES)


def draft_moves(text: str, targets: Targets) -> list[Proposal]:
    """Suggest moving items to notes, longest first, until 200 lines are left."""
    above = too_long(text)
    if above > _FAR_ABOVE:
        return _all_at_once(text, above, targets)
    proposals: list[Proposal] = []
    for item in sorted(items_of(text), key=lambda lines: (-len(lines), -sum(map(len, lines)))):
        if above <= 0 or len(proposals) >= AT_ONCE:
            break
        if len(item) == 1 and len(item[0]) < _LONG and len(proposals) >= AT_ONCE // 2:
            break  # short ones are what the file is for
        proposals.append(_move(item, targets))
        above -= len(item)
    return proposals


def _all_at_once(text: str, above: int, targets: Targets) -> list[Proposal]:
    """Suggest moving the oldest items, at the top, to one note."""
    moved: list[list[str]] = []
    for item in items_of(text):
        if above <= 0:
            break
        moved.append(item)
        above -= len(item)
    if not moved:
        return []
    whole = [line for item in moved for line in item]
    title = f"{counted(len(moved), 'item')} moved from {targets.memory}"
    made = _move(whole, targets, title=title)
    outs = [Edit(TAKE_OUT, PROJECT, targets.memory, "\n".join(item)) for item in moved]
    return [made._replace(edits=(*made.edits[:2], *outs))]


def items_of(text: str) -> list[list[str]]:
    """Return a text's list items with their continuation lines, skipping code fences."""
    items: list[list[str]] = []
    fenced = open_item = False
    for line in text.splitlines():
        if line.lstrip().startswith(("```", "~~~")):
            fenced, open_item = not fenced, False
        elif fenced:
            continue
        elif line.startswith(("- ", "* ")):
            items.append([line])
            open_item = True
        elif open_item and line.startswith(("  ", "\t")) and line.strip():
            items[-1].append(line)
        else:
            open_item = False
    return items


def _move(item: list[str], targets: Targets, *, title: str = "") -> Proposal:
    said = " ".join(line.strip().removeprefix("- ").removeprefix("* ") for line in item)
    said = "\n".join(item) if title else said
    learning = title or stripped(said)
    signal = Signal(
        MEDIUM,
        "moved",
        KNOWLEDGE,
        learning_type="pattern",
        category=category_of(learning),
        learning=learning,
        quote=said,
        role="user",
        at=targets.now,
    )
    note = note_text(signal, session="", now=targets.now)
    here = f"{targets.solutions}/{note.category}/{note.file}"
    edits = (
        Edit(CREATE, PROJECT, f"{here}.md", note.text),
        Edit(CREATE, PROJECT, f"{here}.entities.yaml", note.sidecar),
        Edit(TAKE_OUT, PROJECT, targets.memory, "\n".join(item)),
    )
    return Proposal(
        MOVE,
        KNOWLEDGE,
        beginning(f"Move to a note: {note.title}", 120),
        why=f"{targets.memory} is above {MOST_LINES} lines",
        tier=MEDIUM,
        edits=edits,
        key=key_of(MOVE, said),
        quote=said,
        trust="user",
        learning_type="pattern",
    )
