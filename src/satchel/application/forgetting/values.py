"""What is forgotten, where it was found, and what was done. Values without content."""

from __future__ import annotations

from satchel.core.values import NamedTuple

#: What is done with a file: its lines rewritten; its text; removed, since it is rebuilt;
#: a database brought up to date and packed; asked about first, since a person owns it; nothing.
#: `turns`: an archived session that goes as a whole.
LINES, TEXT, TURNS, REMOVE, DERIVED, OWNED, KEPT = (
    "lines", "text", "turns", "remove", "derived", "owned", "kept",
)  # fmt: skip
#: The kind of the lines that say what was forgotten, and the ledger they lie in.
KIND = LEDGER = "forgotten"
#: What stands where forgotten words stood.
MARK = "[forgotten]"


class Place(NamedTuple):
    """A file that contains what is to be forgotten: how to treat it, and why it matches."""

    path: str
    action: str
    what: str


class Leftover(NamedTuple):
    """Something that was not removed, and why. `where` is a path or a commit."""

    where: str
    what: str
    why: str


class Receipt(NamedTuple):
    """What was forgotten and where, without content. `ids` are memories, `hashes` their lines."""

    ids: tuple[str, ...]
    hashes: tuple[str, ...]
    places: tuple[Place, ...]
    remains: tuple[Leftover, ...]
    at: int = 0
    id: str = ""
