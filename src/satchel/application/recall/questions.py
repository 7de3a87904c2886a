"""A question as a value: its text, its filters, its origin, and the method."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core.scope import Scope
from satchel.core.values import NamedTuple
from satchel.engine.search.documents import Filter
from satchel.storage.ledger.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from satchel.engine.search.contracts import DocumentVectors, SearchIndex

#: Search methods: only words; words and codes, for a cold start; words, vectors and late
#: interaction; only vectors.
KEYWORD, FAST, HYBRID, SEMANTIC = METHODS = ("keyword", "fast", "hybrid", "semantic")


class Method(NamedTuple):
    """How to search, and with what: the question's code, or an index's vectors.

    `vectors_of` returns None without a model: then only words answer. `expand` adds rewordings of a
    question, itself first; `rerank` scores texts as answers to a question; without `late` there is
    no late interaction.
    """

    name: str = KEYWORD
    code: bytes = b""
    vectors_of: Callable[[SearchIndex], DocumentVectors | None] | None = None
    expand: Callable[[str], Sequence[str]] | None = None
    rerank: Callable[[str, Sequence[str]], Sequence[float]] | None = None
    late: bool = True


class RecallRequest(NamedTuple):
    """A question: which memories to search, where it was asked, and how.

    `pending` are records of undrained events, searched in memory. With `weak`, weak matches are
    returned too.
    """

    question: str
    limit: int
    only: Filter = Filter()
    scope: Scope = Scope()
    pending: Sequence[Record] = ()
    method: Method = Method()
    weak: bool = False
