"""Hybrid search: words, vectors and late interaction, fused; then neighbours and time.

    question -> words (BM25) ---+
             -> nearest vectors +-> candidates -> fused -> late interaction -> added arms
                -> time -> neighbours -> near-duplicates behind -> found

Every step works on scores from 0 to 1 of the same candidates, so that each can be shown or skipped.
Where the weights come from: docs/decisions/0013-search.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from satchel.core.values import NamedTuple
from satchel.engine.ranking.fusion import convex, lifted_by_group, min_max, standard
from satchel.engine.search.documents import Document, Filter, Hit, View
from satchel.engine.search.questions import SHORT, may_name_time, parts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.engine.search.contracts import DocumentVectors, SearchIndex
    from satchel.engine.search.vector_scoring import QueryVectors

    Scores = dict[int, float]
    #: Scores of candidates by row -> scores of an extra arm by row: a graph, for example.
    Expand = Callable[[Mapping[int, float]], Mapping[int, float]]

HYBRID, KEYWORD, SEMANTIC = "hybrid", "keyword", "semantic"
MODES = (HYBRID, KEYWORD, SEMANTIC)

#: Least candidates of each arm; candidates for late interaction; those whose neighbors count.
_CANDIDATES = 100
_LATE = 150
#: A weight too small to be worth its time.
_LEAST = 0.15
_SPREADING = 50
_REACH = 2
#: How much less each step of distance counts.
_FARTHER = 0.5
_WEEK = 7 * 86_400.0
#: Two texts with this cosine say the same.
_SAME = 0.97
_COMPARED = 30


class Weights(NamedTuple):
    """The weight of each signal.

    `words` and `vectors` share what `late` interaction leaves. `graph` is the share of an extra
    arm. `time` and `beside` are added on top: the most for a matching time, and for each neighbor
    in the same thread. `parts` is the share of what the sentences of a long question find by
    themselves. `together` is how much of the best score under a task goes to others learned under
    it. `standard` scales words and vectors by their spread, not their range: a text that stands out
    keeps its distance.
    """

    words: float = 0.5
    vectors: float = 0.5
    late: float = 0.5
    graph: float = 0.3
    time: float = 0.15
    beside: float = 0.2
    parts: float = 0.0
    together: float = 0.0
    standard: bool = False


#: Code shares few words with questions about it; the rest is the same.
WEIGHTS = {
    "documents": Weights(standard=True, together=0.2),
    "conversation": Weights(),
    "tasks": Weights(words=0.6, vectors=0.4, late=0.3, parts=0.3),
    "code": Weights(words=0.2, vectors=0.8, late=0.3, standard=True),
}
KINDS = tuple(WEIGHTS)


class Scored(NamedTuple):
    """A found document, its score (higher is better), and each signal's part."""

    hit: Hit
    score: float
    parts: dict[str, float]


class Query(NamedTuple):
    """The query.

    `asked` is the time the question is about if it names none: documents written near it count
    more. `diverse` moves near-duplicates of better results to the end. Documents whose ids are in
    `exclude` are ignored, also as neighbors.
    """

    question: str
    limit: int = 10
    mode: str = HYBRID
    kind: str = "documents"
    asked: float | None = None
    weights: Weights | None = None
    diverse: bool = False
    exclude: frozenset[str] = frozenset()


def search_documents(
    index: SearchIndex,
    view: View,
    query: Query,
    *,
    vectors: DocumentVectors | None = None,
    expand: Expand | None = None,
) -> list[Scored]:
    """Return the documents that answer a question, best first.

    Args:
        index: already caught up.
        view: the documents that may be found.
        vectors: this index's; without them every mode is keyword.
        expand: an extra arm, given the scores so far.
    """
    weights = query.weights or WEIGHTS[query.kind]
    search = _Search(index, view, query)
    asked = None if vectors is None or query.mode == KEYWORD else _asked(vectors, query.question)
    scores = search.by_words_and_vectors(vectors, asked, weights)
    if vectors is not None and asked is not None:
        scores = search.with_parts(scores, vectors, weights)
        if weights.late:
            scores = search.with_late_interaction(scores, vectors, asked, weights.late)
    if expand is not None and scores:
        scores = search.with_arm("graph", scores, expand(scores), weights.graph)
    scores = search.with_same_task(scores, weights.together)
    scores = search.with_time(scores, weights.time)
    scores = search.with_neighbours(scores, weights.beside)
    return search.found(scores, vectors if query.mode != KEYWORD else None)


def _asked(vectors: DocumentVectors, question: str) -> QueryVectors | None:
    """Encode the question; None if the model's server does not answer."""
    from satchel.engine.inference.failures import ModelUnavailableError

    try:
        return vectors.encode_query(question)
    except ModelUnavailableError as error:
        if vectors.tell is not None:
            vectors.tell(f"{str(error).rstrip('.')}. {error.hint}".strip())
        return None


class _Search:
    """A search in progress: the documents seen so far, and their signals."""

    def __init__(self, index: SearchIndex, view: View, query: Query) -> None:
        self.index, self.view, self.query = index, view, query
        self.hits: dict[int, Hit] = {}
        self.parts: dict[str, Scores] = {}

    def words(self, limit: int) -> Scores:
        """Return BM25 scores relative to the maximum; 0 for no match."""
        query = self.query
        hits = self.index.search(query.question, self.view, limit=limit)
        hits = [hit for hit in hits if hit.document.id not in query.exclude]
        self.hits.update((hit.number, hit) for hit in hits)
        top = max((hit.score for hit in hits), default=0.0)
        return {hit.number: hit.score / top if top > 0 else 1.0 for hit in hits}

    def nearest(self, vectors: DocumentVectors, asked: QueryVectors, limit: int) -> Scores:
        """Return cosines of the nearest visible documents.

        If a filter leaves few documents, those are listed first.
        """
        near = vectors.nearest(asked.vector, limit)
        if self.view.only == Filter() and self.index.sees_all(self.view.sources):
            return near
        self._see(near)
        seen = self._seen(near)
        if len(seen) * 2 >= min(limit, len(near)) > 0:
            return seen
        return vectors.nearest(asked.vector, limit, self.index.live_numbers(self.view))

    def by_words_and_vectors(
        self, vectors: DocumentVectors | None, asked: QueryVectors | None, weights: Weights
    ) -> Scores:
        """Fuse word and vector scores; use only words without vectors."""
        wanted = max(self.query.limit, _CANDIDATES)
        if vectors is None or asked is None:
            return self.fused({"words": self.words(wanted)}, weights)
        near = self.nearest(vectors, asked, wanted)
        # As long as nothing has a vector, words answer in every mode.
        with_words = self.query.mode == HYBRID or not near
        arms = {"words": self.words(wanted)} if with_words else {}
        unseen = [row for row in arms.get("words", ()) if row not in near]
        arms["vectors"] = near | vectors.cosines(asked.vector, unseen)
        return self.fused(arms, weights)

    def with_parts(self, scores: Scores, vectors: DocumentVectors, weights: Weights) -> Scores:
        """Search for a long question's parts; what several find is relevant to the whole."""
        parts = parts_of(self.query.question) if weights.parts > 0 else []
        gains: Scores = {}
        for part in parts:
            asked = _asked(vectors, part)
            one = _Search(self.index, self.view, self.query._replace(question=part))
            for row, score in one.by_words_and_vectors(vectors, asked, weights).items():
                gains[row] = gains.get(row, 0.0) + score / len(parts)
        return self.with_arm("parts", scores, gains, weights.parts) if len(parts) > 1 else scores

    def fused(self, arms: Mapping[str, Scores], weights: Weights) -> Scores:
        """Fuse words and vectors, dropping invisible documents."""
        self._see(row for scores in arms.values() for row in scores)
        seen = {name: self._seen(scores) for name, scores in arms.items()}
        self.parts.update(seen)
        shares = {"words": weights.words, "vectors": weights.vectors}
        if weights.standard and len(seen) > 1:
            fused = min_max(convex(seen, shares, standard))
        else:
            fused = convex(seen, shares)
        if len(seen) > 1:
            # New documents have no vectors yet, so their words must do.
            words = min_max(seen["words"])
            fused |= {row: score for row, score in words.items() if row not in seen["vectors"]}
        return fused

    def with_late_interaction(
        self, scores: Scores, vectors: DocumentVectors, asked: QueryVectors, share: float
    ) -> Scores:
        """Rescore the best candidates token by token."""
        # By single words, a question as long as a page matches everything a little.
        share *= min(1.0, SHORT / max(1, len(asked.tokens)))
        if share < _LEAST:
            return scores
        best = _best(scores, _LATE)
        late = vectors.late_interaction(asked, best)
        more = self.with_arm("late", scores, late, share)
        return more | {row: scores[row] for row in best if row not in late}

    def with_arm(self, name: str, scores: Scores, arm: Mapping[int, float], share: float) -> Scores:
        """Add an extra signal; documents without it get nothing."""
        self._see(arm)
        seen = self._seen(arm)
        if not seen or share <= 0:
            return scores
        self.parts[name] = seen
        scaled = min_max(seen)
        return {
            row: (1.0 - share) * scores.get(row, 0.0) + share * scaled.get(row, 0.0)
            for row in {**scores, **scaled}
        }

    def with_same_task(self, scores: Scores, share: float) -> Scores:
        """Raise documents learned under the same task as a better answer."""
        if share <= 0:
            return scores
        tasks = {row: self.hits[row].document.task for row in scores}
        return lifted_by_group(scores, tasks, share)

    def with_time(self, scores: Scores, share: float) -> Scores:
        """Boost documents from or near the time in the question."""
        query = self.query
        if share <= 0 or not scores:
            return scores
        now = self.view.now if query.asked is None else query.asked
        span = None
        if may_name_time(query.question):
            from satchel.engine.search.time_words import time_span

            span = time_span(query.question, now)
        if span is None and query.asked is None:
            return scores
        times: Scores = {}
        for row in scores:
            ts = self.hits[row].document.ts
            if span is not None:
                times[row] = float(span[0] <= ts < span[1])
            elif ts:
                times[row] = 0.5 ** (abs(now - ts) / _WEEK)
        self.parts["time"] = times
        return {row: score + share * times.get(row, 0.0) for row, score in scores.items()}

    def with_neighbours(self, scores: Scores, share: float) -> Scores:
        """Share scores with neighboring turns and chunks: answers follow questions."""
        best = _best(scores, _SPREADING)
        threads = any(self.hits[row].document.thread for row in best)
        if share <= 0 or not threads:
            return scores
        gains: Scores = {}
        for row, distance, hit in self.index.neighbours(best, self.view, reach=_REACH):
            if hit.document.id in self.query.exclude:
                continue
            self.hits.setdefault(hit.number, hit)
            nearness = _FARTHER ** (abs(distance) - 1)
            gains[hit.number] = gains.get(hit.number, 0.0) + nearness * scores[row]
        self.parts["beside"] = gains
        return {
            row: scores.get(row, 0.0) + share * gains.get(row, 0.0) for row in {**scores, **gains}
        }

    def found(self, scores: Scores, vectors: DocumentVectors | None) -> list[Scored]:
        """Return the results in order."""
        limit = self.query.limit
        order = self._same_first(_order(scores, self.hits))[: limit + _COMPARED]
        if self.query.diverse:
            order = self._echoes_behind(order, vectors)
        return [
            Scored(
                self.hits[row],
                scores[row],
                {name: round(part[row], 4) for name, part in self.parts.items() if row in part},
            )
            for row in order[:limit]
        ]

    def _same_first(self, order: list[int]) -> list[int]:
        """Put documents that contain the question verbatim before those that only resemble it."""
        question = _plain(self.query.question)
        same = [r for r in order if question and question in _sayings(self.hits[r].document)]
        return same + [row for row in order if row not in same] if same else order

    def _echoes_behind(self, order: list[int], vectors: DocumentVectors | None) -> list[int]:
        texts: set[str] = set()
        echoes = set()
        for row in order:
            document = self.hits[row].document
            text = _plain(f"{document.title} {document.content}")
            if text in texts:
                echoes.add(row)
            texts.add(text)
        if vectors is not None:
            echoes |= vectors.near_duplicates(order[:_COMPARED], _SAME)
        return [r for r in order if r not in echoes] + [r for r in order if r in echoes]

    def _see(self, rows: Iterable[int]) -> None:
        """Load documents not seen yet, if visible."""
        missing = sorted({row for row in rows if row not in self.hits})
        for hit in self.index.documents_in_rows(missing, self.view) if missing else ():
            if hit.document.id not in self.query.exclude:
                self.hits[hit.number] = hit

    def _seen(self, scores: Mapping[int, float]) -> Scores:
        return {row: score for row, score in scores.items() if row in self.hits}


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _sayings(document: Document) -> tuple[str, str, str]:
    """Return the texts by which a document can be quoted."""
    title, content = _plain(document.title), _plain(document.content)
    return title, content, f"{title} {content}"


def _best(scores: Mapping[int, float], count: int) -> list[int]:
    return sorted(scores, key=lambda row: (-scores[row], row))[:count]


def _order(scores: Mapping[int, float], hits: Mapping[int, Hit]) -> list[int]:
    """Return the sort key: best first, ties by recency."""

    def place(row: int) -> tuple[float, int, str]:
        return (-scores[row], -hits[row].document.ts, hits[row].document.id)

    return sorted(scores, key=place)
