"""The gate for unsolicited memories: which are relevant to a prompt, and how certainly.

Whatever is shown to an agent unasked (at a prompt, with a nudge, in research) passes here. A memory
passes if few unrelated prompts would find one as near in this very store; see
`engine.ranking.relevance` for the measure, `engine.search.calibration` for the calibration.
"""

from __future__ import annotations

from satchel.core.values import NamedTuple
from satchel.engine.ranking.relevance import above, likelihood
from satchel.engine.search.calibration import chance_in, length_of, matches, signals_for
from satchel.engine.search.documents import Filter
from satchel.engine.search.records import record_of
from satchel.engine.search.tokens import coverage, shares_two
from satchel.features.memories.facts import facts_at
from satchel.storage.ledger.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from satchel.application.services import Services
    from satchel.engine.ranking.relevance import Calibration, Signals
    from satchel.engine.search.contracts import SearchIndex
    from satchel.engine.search.documents import Hit
    from satchel.features.memories.service import Memories

#: The share of the best one's height above chance that others must reach.
_NEARLY = 0.5
#: How likely an answer the others must be: less is noise.
_LEAST_LIKELY = 0.2
#: How much of a prompt its code is made from, in characters.
_CODED = 4000
#: For asking which documents have any code.
_NO_CODE = b"\0"
#: Events in the inbox have no score yet; they must have this share of the prompt's words.
_HELD = 0.6


class Relevant(NamedTuple):
    """A relevant memory, and its location.

    `confidence` is the share of unrelated prompts that score lower, `likely` how often such a
    memory answers its prompt, both from 0 to 1. `about` is the file that the prompt names and the
    memory is anchored to, or the topic that it asks about; "" for none.
    """

    record: Record
    source: str
    confidence: float
    about: str = ""
    likely: float = 1.0


def relevant_memories(
    work: Services, prompt: str, *, kinds: tuple[str, ...], least: float
) -> list[Relevant]:
    """Return memories relevant to a prompt, best first; usually none.

    Args:
        kinds: the kinds of memory that may interrupt.
        least: the required confidence, 0 to 1.
    """
    work.refresh()
    code = _Coded(work, prompt)
    found: dict[str, tuple[float, Relevant]] = {}
    for store in work.memories.stores.every():
        with store.index.database.snapshot():
            for height, one in _judged(store, prompt, code, Filter(kinds=kinds)):
                held = found.get(one.record.identity)
                if held is None or held[0] < height:
                    found[one.record.identity] = (height, one)
    judged = [
        one for one in found.values() if one[1].confidence < least or _shares(prompt, one[1].record)
    ]
    kept = above([(height, one.confidence) for height, one in judged], least, _NEARLY)
    return _likely([judged[place][1] for place in kept]) + _waiting(
        work.pending(), prompt, kinds, set(found)
    )


def _likely(found: Sequence[Relevant]) -> list[Relevant]:
    """Estimate how likely each answers the prompt; drop unlikely ones behind the best."""
    said = [
        one._replace(likely=likelihood(one.confidence, best=place == 0))
        for place, one in enumerate(found)
    ]
    return said[:1] + [one for one in said[1:] if one.likely >= _LEAST_LIKELY]


class _Coded:
    """A prompt's code, computed on first use because loading the table is slow."""

    def __init__(self, work: Services, prompt: str) -> None:
        self._work, self._prompt = work, prompt
        self._code: bytes | None = None

    def __call__(self) -> bytes:
        if self._code is None:
            table = self._work.models.table()
            self._code = b"" if table is None else table.code(self._prompt[:_CODED])
        return self._code


def _judged(
    store: Memories, prompt: str, code: Callable[[], bytes], only: Filter
) -> list[tuple[float, Relevant]]:
    """Return a store's keyword matches, each with its lift above chance."""
    index, now = store.index, store.clock.now()
    chance = chance_in(index)
    hits = matches(index, store.view(only), prompt, chance.documents)
    if not hits:
        return []
    length = length_of(prompt)
    holding = _holding(store, now) if any(hit.document.kind == "fact" for hit in hits) else None
    judged = []
    for hit, signals in zip(hits, _signals(index, hits, length, chance, code), strict=True):
        record = record_of(hit.document)
        if holding is None or record.kind != "fact" or record.id in holding:
            height, confidence = chance.judge(signals, length)
            judged.append((height, Relevant(record, hit.source, confidence)))
    return judged


def _signals(
    index: SearchIndex,
    hits: Sequence[Hit],
    length: int,
    chance: Calibration,
    code: Callable[[], bytes],
) -> list[Signals]:
    """Return the signals of hits; semantic ones only if known and still decisive."""
    by_words = signals_for(hits, length, {})
    if chance.full is None or not any(chance.is_open(one, length) for one in by_words):
        return by_words
    rows = [hit.number for hit in hits]
    if not index.code_likeness(_NO_CODE, rows):
        return by_words  # nothing found has a code yet
    asked = code()
    return signals_for(hits, length, index.code_likeness(asked, rows)) if asked else by_words


def _holding(store: Memories, now: float) -> set[str]:
    """Return the ids of current facts, not superseded by a later answer."""
    return {fact.id for fact in facts_at(store.live(kinds=("fact",)), now)}


def _shares(prompt: str, record: Record) -> bool:
    """Return whether a memory shares more than one word with a prompt; one is chance."""
    text = f"{record.title} {record.content} {' '.join(record.tags)}"
    return shares_two(prompt, coverage(prompt, text))


def _waiting(
    pending: Sequence[Record], prompt: str, kinds: tuple[str, ...], known: set[str]
) -> list[Relevant]:
    found = []
    for record in pending:
        if record.kind in kinds and record.identity not in known:
            share = coverage(prompt, f"{record.title} {record.content}")
            if share >= _HELD:
                found.append(Relevant(record, "inbox", share, likely=share))
    return found
