"""What is forgotten, where it was found, and what was done. Values without content."""

from __future__ import annotations

from satchel.core.values import NamedTuple

#: What to do with a file: rewrite its lines, or its text; delete it, since it is derived; update
#: and compact a database; ask first, since it is user-owned; nothing. `turns`: an archived session
#: to remove whole.
LINES, TEXT, TURNS, REMOVE, DERIVED, OWNED, KEPT = (
    "lines", "text", "turns", "remove", "derived", "owned", "kept",
)  # fmt: skip
#: The kind of lines that record what was forgotten, and their ledger.
KIND = LEDGER = "forgotten"
#: What stands where forgotten words stood.
MARK = "[forgotten]"
#: Names of places: those whose lines are records; automatic retellings of a session; what is
#: rebuilt at the next start, and shows a memory only by its title.
LEDGER_FILE, EPISODE, LAST_BRIEF = "a ledger", "an episode", "the last brief"
#: Fewest characters of a session's id that name it.
SHORT_ID = 8


class Place(NamedTuple):
    """A file with content to forget: how to treat it, and why it matches."""

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
