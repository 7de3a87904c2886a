"""What is searched: documents, where they come from, and what was found. Values."""

from __future__ import annotations

from satchel.core.hashing import short_hash
from satchel.core.values import NamedTuple


class Document(NamedTuple):
    """One version of one thing that can be found.

    `identity` is shared by all versions of a thing; `(ts, id, rev, hash)` orders them. `fields`
    is the subject's own JSON, given back untouched. Times are Unix seconds. `thread` and `place`
    say what it stands beside: turns of one conversation, chunks of one note.
    """

    identity: str
    hash: str
    kind: str
    ts: int
    id: str
    rev: int
    title: str
    content: str
    tags: str
    task: str = ""
    epic: str = ""
    expires_at: int | None = None
    deleted: bool = False
    private: bool = False
    fields: str = "{}"
    thread: str = ""
    place: int = 0

    def seal(self) -> str:
        """Hash what is shown of a document or decides that it is, so that damage is noticed."""
        parts = (
            self.identity,
            self.hash,
            self.kind,
            self.title,
            self.content,
            self.fields,
            self.id,
            self.task,
            self.epic,
            self.thread,
            f"{self.ts} {self.rev} {self.expires_at} {self.deleted} {self.place}",
        )
        return short_hash("\0".join(parts).encode("utf-8", "replace"))


class Source(NamedTuple):
    """A file whose lines are documents. `label` says what it is: private, tracked, archive.

    With `whole`, the file is one text that gives any number of documents.
    """

    path: str
    label: str
    whole: bool = False


class Hit(NamedTuple):
    """One document found: its score (greater is better), label and path of a source that holds it.

    `number` is its row in the index: what vectors are kept under.
    """

    document: Document
    score: float
    source: str
    path: str = ""
    number: int = 0


class Damage(NamedTuple):
    """A line that does not parse: where it stands, why, and its bytes."""

    path: str
    line: int
    reason: str
    raw: bytes


class Filter(NamedTuple):
    """Which documents to consider. Empty means all.

    `without_trust` leaves out those whose trust is one of these; "" is one that says nothing of it.
    `shareable` leaves out those that are private.
    """

    kinds: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    task: str = ""
    epic: str = ""
    tag: str = ""
    since: int = 0
    until: int = 0
    identity: str = ""
    without_trust: tuple[str, ...] = ()
    shareable: bool = False
