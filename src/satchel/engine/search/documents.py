"""The values of search: documents, sources, results."""

from __future__ import annotations

from satchel.core import quick_json
from satchel.core.hashing import short_hash
from satchel.core.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol

    from satchel.storage.ledger.record import Record

    class LineVerdict(Protocol):
        """Whether a line passes, and what to record about its origin."""

        @property
        def passes(self) -> bool:
            """Whether the line may be seen."""

        @property
        def refused(self) -> bool:
            """Whether the user rejected the line, and is not to be asked again."""

        @property
        def trust(self) -> str:
            """The trust to record instead of the line's own; "" to keep it."""

        @property
        def author(self) -> str:
            """Who committed it; "" for nobody."""

    class SourceGate(Protocol):
        """Decides which of a source's lines are visible."""

        @property
        def stamp(self) -> str:
            """Changes with the rules; then the source is read again."""

        @property
        def settled(self) -> bool:
            """Whether every decision was based on complete information."""

        def of_lines(self, path: str) -> Callable[[Record, int], LineVerdict]:
            """Return a judge of lines, given as records with their numbers, from 1."""


#: As a limit: all of them. Four times as many still fit 32 bits.
EVERYTHING = 100_000_000
#: Suffix of the source for lines that a gate holds back.
HELD = "#held"
#: The document field that names its line's committer.
AUTHOR = "_author"


class Document(NamedTuple):
    """A version of something searchable.

    `identity` is shared by all versions; `(ts, id, rev, hash)` orders them. `fields` is the
    subject's own JSON, returned untouched. Times are Unix seconds. `thread` and `place` give its
    neighbors: turns of one conversation, chunks of one note. `record` is what it was made from, if
    that is still known.
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
    record: Record | None = None

    def labelled(self, trust: str, author: str) -> Document:
        """Set a document's trust and committer, overriding its own.

        "" keeps its own.
        """
        if not trust:
            return self
        fields = quick_json.loads(self.fields) | {"trust": trust, AUTHOR: author}
        return self._replace(fields=quick_json.dumps(fields), record=None)

    def seal(self) -> str:
        """Return a hash of what is shown or decides visibility, to detect damage."""
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
    """A file whose lines are documents.

    `label` is its type: private, tracked, archive. With `whole`, the file is one text with any
    number of documents. With a `gate`, lines that do not pass belong to a separate source: see
    `held_source`.
    """

    path: str
    label: str
    whole: bool = False
    gate: SourceGate | None = None


def held_source(path: str, label: str) -> Source:
    """Return the source of lines that a gate holds back from the one at `path`."""
    return Source(path + HELD, label)


class Hit(NamedTuple):
    """One document found: its score (greater is better), label and path of a source that has it.

    `number` is its row in the index, the key of its vectors.
    """

    document: Document
    score: float
    source: str
    path: str = ""
    number: int = 0


class CodedHits(NamedTuple):
    """Word matches; the share of equal bits of the nearest documents and of matches, by row."""

    hits: list[Hit]
    near: dict[int, float]
    alike: dict[int, float]


class Damage(NamedTuple):
    """A line that does not parse: its location, the reason, and its bytes."""

    path: str
    line: int
    reason: str
    raw: bytes


class Filter(NamedTuple):
    """Which documents to consider. Empty means all.

    `without_trust` omits those with one of these trusts; "" is an unstated one. `shareable` omits
    private ones. `having` maps fields (`MATCHED`) to their values. `naming` is a literal text in
    the title, the content or a field.
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
    having: tuple[tuple[str, str], ...] = ()
    naming: str = ""


class View(NamedTuple):
    """The documents that a query may see: of these sources, not expired by `now`, in a filter."""

    sources: Sequence[Source]
    now: float
    only: Filter = Filter()


#: Document fields that a filter may use, by name.
MATCHED = ("trust", "agent", "source", "branch", "session")
