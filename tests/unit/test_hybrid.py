"""Hybrid search over a real index: what each signal does, and what may never be found."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hashed_words import HashedEmbedder
from satchel.core.hashing import short_hash
from satchel.engine.search.documents import Document, Filter, Source, View
from satchel.engine.search.hybrid import MODES, Query, Scored, Weights, search_documents
from satchel.engine.search.index import Index
from satchel.engine.search.passages import PASSAGE, passages, question_parts
from satchel.engine.search.vectors import Vectors, pack, unpack
from satchel.storage.database.sqlite import SqliteDatabase

NOW = 1_800_000_000.0
DAY = 86_400


class OtherModel(HashedEmbedder):
    """The same words, turned round: its vectors are far from those of the first model."""

    def __init__(self) -> None:
        super().__init__()
        self.identity = "another model"

    def encode(self, texts, *, contexts=()):  # type: ignore[no-untyped-def]
        found = super().encode(texts, contexts=contexts)
        return [one._replace(vector=-one.vector, tokens=-one.tokens) for one in found]


class Shelf:
    """An index over one file of JSON lines, with vectors."""

    def __init__(self, directory: Path, *texts: str, **fields: object) -> None:
        self.path = directory / "documents.jsonl"
        self.sources = [Source(str(self.path), "test")]
        self.view = View(self.sources, NOW)
        self.write([{"text": text, **fields} for text in texts])
        self.index = Index(SqliteDatabase(str(directory / "index.db")), _parse)
        self.vectors = Vectors(self.index.database, HashedEmbedder())
        self.refresh()

    def write(self, rows: list[dict[str, object]]) -> None:
        self.path.write_text("".join(json.dumps(row) + "\n" for row in rows))

    def refresh(self) -> None:
        self.index.catch_up(self.sources)
        while self.vectors.embed_waiting():
            pass

    def ask(self, question: str, **options: object) -> list[Scored]:
        view = self.view._replace(only=options.pop("only", Filter()))  # type: ignore[arg-type]
        query = Query(question, **options)  # type: ignore[arg-type]
        return search_documents(self.index, view, query, vectors=self.vectors)

    def texts(self, question: str, **options: object) -> list[str]:
        return [one.hit.document.content for one in self.ask(question, **options)]


def _parse(raw: bytes) -> Document | str:
    row = json.loads(raw)
    return Document(
        identity=row.get("id", short_hash(raw)),
        hash=short_hash(raw),
        kind=row.get("kind", "learned"),
        ts=row.get("ts", int(NOW) - DAY),
        id=row.get("id", short_hash(raw)),
        rev=0,
        title=row.get("title", ""),
        content=row["text"],
        tags="",
        task=row.get("task", ""),
        expires_at=row.get("expires"),
        deleted=row.get("deleted", False),
        thread=row.get("thread", ""),
        place=row.get("place", 0),
    )


ABOUT = (
    "the cache is cold after a restart",
    "the linter runs before a push",
    "ports are in a table",
)


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_finds_what_shares_the_words(tmp_path: Path, mode: str) -> None:
    shelf = Shelf(tmp_path, *ABOUT)
    assert shelf.texts("why is the cache cold", mode=mode)[0] == ABOUT[0]


def test_without_a_model_words_answer_alone(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, *ABOUT)
    query = Query("linter push")
    (found,) = search_documents(shelf.index, shelf.view, query)
    assert found.hit.document.content == ABOUT[1]
    assert set(found.parts) == {"words"}


def test_a_score_says_what_made_it_up(tmp_path: Path) -> None:
    best = Shelf(tmp_path, *ABOUT).ask("linter push")[0]
    assert {"words", "vectors", "late"} <= set(best.parts)


@pytest.mark.parametrize("mode", MODES)
def test_deleted_expired_and_unwanted_documents_are_never_found(tmp_path: Path, mode: str) -> None:
    shelf = Shelf(tmp_path)
    shelf.write(
        [
            {"text": "redis is gone", "id": "1", "deleted": True},
            {"text": "redis is late", "id": "2", "expires": int(NOW) - 1},
            {"text": "redis is chatter", "id": "3", "kind": "activity"},
            {"text": "redis stays", "id": "4"},
        ]
    )
    shelf.refresh()
    assert shelf.texts("redis", mode=mode, only=Filter(without=("activity",))) == ["redis stays"]
    assert shelf.texts("redis", mode=mode, only=Filter(kinds=("activity",))) == ["redis is chatter"]


@pytest.mark.parametrize("mode", MODES)
def test_only_the_named_sources_are_seen(tmp_path: Path, mode: str) -> None:
    shelf = Shelf(tmp_path, "redis here")
    elsewhere = tmp_path / "elsewhere.jsonl"
    elsewhere.write_text(json.dumps({"text": "redis elsewhere"}) + "\n")
    other = Source(str(elsewhere), "other")
    shelf.index.catch_up([*shelf.sources, other])
    while shelf.vectors.embed_waiting():
        pass
    assert shelf.texts("redis", mode=mode) == ["redis here"]
    query = Query("redis", mode=mode)
    found = search_documents(shelf.index, View([other], NOW), query, vectors=shelf.vectors)
    assert [one.hit.document.content for one in found] == ["redis elsewhere"]


def test_a_small_source_is_searched_by_meaning_beside_a_large_one(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, *(f"cat on a mat number {n}" for n in range(150)))
    small = tmp_path / "small.jsonl"
    small.write_text(json.dumps({"text": "whiskers sat quite near a mat"}) + "\n")
    source = Source(str(small), "small")
    shelf.index.catch_up([*shelf.sources, source])
    while shelf.vectors.embed_waiting():
        pass
    query = Query("cat on a mat number", mode="semantic")
    found = search_documents(shelf.index, View([source], NOW), query, vectors=shelf.vectors)
    assert [one.hit.document.content for one in found] == ["whiskers sat quite near a mat"]
    assert found[0].parts["vectors"] > 0


def test_another_model_never_meets_the_vectors_of_the_first(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, *ABOUT)
    other = Vectors(shelf.index.database, OtherModel())
    assert other.waiting() == len(ABOUT)
    asked = other.encode_query(ABOUT[0])
    assert other.nearest(asked.vector, 10) == {}  # nothing of its own yet, and nothing foreign
    assert other.embed_waiting(most=1) == 1
    assert len(other.nearest(asked.vector, 10)) == 1
    while other.embed_waiting():
        pass
    assert other.held()[0] == len(ABOUT)
    assert shelf.index.vector_counts() == (0, {"another model": len(ABOUT)})
    # The first model asks again: what it had is gone, and its documents wait again.
    assert Vectors(shelf.index.database, HashedEmbedder()).nearest(asked.vector, 10) == {}


class Interrupted(Vectors):
    """Another process goes over to another model between a look at what waits and what follows."""

    meanwhile = staticmethod(lambda: None)

    def _drop_others(self) -> None:
        self.meanwhile()
        super()._drop_others()


def test_vectors_of_the_model_that_is_asked_now_are_not_taken_out(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, *ABOUT)
    late = Interrupted(shelf.index.database, HashedEmbedder())
    elsewhere = SqliteDatabase(str(tmp_path / "index.db"))

    def go_over() -> None:
        other = Vectors(elsewhere, OtherModel())
        while other.embed_waiting():
            pass

    late.meanwhile = go_over
    assert late.embed_waiting() == 0
    assert Vectors(elsewhere, OtherModel()).held()[0] == len(ABOUT)


def test_embedding_goes_on_where_it_was_interrupted(tmp_path: Path) -> None:
    texts = [f"lesson number {n}" for n in range(10)]
    shelf = Shelf(tmp_path)
    shelf.write([{"text": text} for text in texts])
    shelf.index.catch_up(shelf.sources)
    shelf.vectors.embed_waiting(most=4)
    again = Vectors(SqliteDatabase(str(tmp_path / "index.db")), HashedEmbedder())
    assert again.waiting() == 6
    assert again.embed_waiting() == 6
    assert again.held()[0] == 10


def test_vectors_of_what_is_gone_go_with_it(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, *ABOUT)
    shelf.write([{"text": ABOUT[0]}])
    shelf.refresh()
    assert shelf.vectors.held()[0] == 1
    assert shelf.texts(ABOUT[1], mode="semantic") == [ABOUT[0]]
    for table in ("codes", "token_codes", "vectors"):
        count = shelf.index.database.read(f"SELECT COUNT(*) FROM {table}")[0][0]
        assert (table, int(count or 0) <= 1) == (table, True)


def test_an_index_built_anew_answers_like_one_that_grew(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    texts = [f"{a} {b}" for a in ("cache", "linter", "port") for b in ("cold", "slow", "new")]
    grown = Shelf(tmp_path / "a", *texts[:4])
    grown.write([{"text": text} for text in texts])
    grown.refresh()
    whole = Shelf(tmp_path / "b", *texts)
    for question in ("cache slow", "what is new", "port"):
        one = [(s.hit.document.content, round(s.score, 4)) for s in grown.ask(question)]
        other = [(s.hit.document.content, round(s.score, 4)) for s in whole.ask(question)]
        assert one[0] == other[0]
        assert sorted(one) == sorted(other)


def test_a_neighbour_of_a_match_comes_with_it(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    turns = ["which database do we use", "hmm", "postgres it is", "lunch", "tea"]
    rows = [{"text": t, "thread": "talk", "place": n} for n, t in enumerate(turns)]
    shelf.write([*rows, {"text": "unrelated words alone", "thread": "other", "place": 1}])
    shelf.refresh()
    with_them = shelf.ask("which database", weights=Weights(beside=0.2))
    order = [one.hit.document.content for one in with_them]
    assert order[0] == turns[0]
    assert order.index("hmm") < order.index("unrelated words alone")
    assert "beside" in next(one for one in with_them if one.hit.document.content == "hmm").parts


def test_what_was_written_when_the_question_says_comes_first(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    old, new = "the deploy failed", "the deploy failed again"
    shelf.write([{"text": old, "ts": int(NOW) - 40 * DAY}, {"text": new, "ts": int(NOW) - 1 * DAY}])
    shelf.refresh()
    assert shelf.texts("deploy failed 40 days ago")[0] == old
    assert shelf.texts("deploy failed again yesterday")[0] == new
    assert len(shelf.texts("deploy failed 40 days ago")) == 2  # a time hides nothing


def test_echoes_stand_behind_other_things_where_variety_is_wanted(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    echo = "the cache needs a restart after a deploy"
    shelf.write(
        [
            *({"text": echo, "id": str(n), "ts": int(NOW) - n} for n in range(3)),
            {"text": "the cache is in the basement", "id": "9"},
        ]
    )
    shelf.refresh()
    plain = shelf.texts("cache restart deploy")
    varied = shelf.texts("cache restart deploy", diverse=True)
    assert plain[:3] == [echo] * 3
    assert varied[:2] == [echo, "the cache is in the basement"]
    assert sorted(plain) == sorted(varied)


def test_what_says_the_question_word_for_word_comes_first(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.write(
        [{"text": "Restart the  cache", "ts": 1, "id": "z"}, {"text": "restart the cache 9"}]
    )
    shelf.refresh()
    assert shelf.texts("restart the cache")[0] == "Restart the  cache"
    assert shelf.texts("")[:1] != ["Restart the  cache"]


def test_what_was_learned_under_the_task_of_a_better_answer_is_lifted(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    said = [ABOUT[0], "the cache holds prices", "the cache holds tokens"]
    tasks = ["t-1", "t-1", "t-2"]
    times = [int(NOW) - DAY, int(NOW) - DAY, int(NOW)]
    shelf.write(
        [{"text": s, "task": t, "ts": ts} for s, t, ts in zip(said, tasks, times, strict=True)]
    )
    shelf.refresh()
    assert shelf.texts("why is the cache cold after a restart") == said
    apart = Weights(together=0.0)
    assert shelf.texts("why is the cache cold after a restart", weights=apart) != said


def test_an_added_arm_can_bring_what_words_and_vectors_missed(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, *ABOUT)
    live = shelf.index.live(shelf.view)
    wanted = next(hit.number for hit in live if hit.document.content == ABOUT[2])
    query = Query("cache cold", weights=Weights(graph=0.9))
    found = search_documents(
        shelf.index, shelf.view, query, vectors=shelf.vectors, expand=lambda _: {wanted: 1.0}
    )
    assert found[0].hit.document.content == ABOUT[2]
    seen: list[dict[int, float]] = []

    def noted(scores: Mapping[int, float]) -> dict[int, float]:
        seen.append(dict(scores))
        return {10**9: 1.0}

    search_documents(shelf.index, shelf.view, query, vectors=shelf.vectors, expand=noted)
    assert seen[0]  # it is told what the others found; what it makes up does not exist


def test_late_interaction_is_the_weighted_mean_of_best_matches(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, *ABOUT)
    asked = shelf.vectors.encode_query("cache restart")
    rows = [hit.number for hit in shelf.index.live(shelf.view)]
    scores = shelf.vectors.late_interaction(asked, rows)
    for hit in shelf.index.live(shelf.view):
        tokens = shelf.vectors.embedder.encode([hit.document.content])[0].tokens  # type: ignore[attr-defined]
        signs = np.where(tokens > 0, 1.0, -1.0) / np.sqrt(tokens.shape[1])
        expected = float((signs @ asked.tokens.T).max(axis=0) @ asked.weights)
        assert scores[hit.number] == pytest.approx(expected, abs=1e-4)


def test_rare_words_of_a_question_weigh_more(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, *(f"the usual words {n}" for n in range(20)), "the basilisk")
    asked = shelf.vectors.encode_query("the basilisk")
    assert asked.weights[1] > asked.weights[0]
    assert float(asked.weights.sum()) == pytest.approx(1.0, abs=1e-5)


def test_the_nearest_are_those_of_an_exact_scan(tmp_path: Path) -> None:
    texts = [f"w{n % 17} w{n % 5} w{n}" for n in range(120)]
    shelf = Shelf(tmp_path, *texts)
    vectors = {t: HashedEmbedder().embed([t])[0] for t in texts}
    asked = shelf.vectors.encode_query("w3 w4 w20").vector
    exact = sorted(texts, key=lambda t: -float(vectors[t] @ asked))[:5]
    near = shelf.vectors.nearest(asked, 20)
    by_row = {h.number: h.document.content for h in shelf.index.live(shelf.view)}
    assert set(exact) <= {by_row[row] for row in near}
    for row, cosine in near.items():
        assert cosine == pytest.approx(float(vectors[by_row[row]] @ asked), abs=0.02)


@given(st.lists(st.floats(-1, 1, width=32), min_size=384, max_size=384))
@settings(max_examples=30)
def test_a_packed_vector_points_where_it_pointed(values: list[float]) -> None:
    vector = np.array(values, np.float32)
    back, scales = unpack([pack(vector)])
    assert np.abs(back[0] * scales[0] - vector).max() <= max(np.abs(vector).max() / 127, 1e-9)


@given(st.text(max_size=60), st.text(max_size=5000))
def test_passages_hold_every_character_of_the_text_in_order(title: str, text: str) -> None:
    parts = passages(title, text)
    head = title.strip()
    assert parts
    bodies = [part.removeprefix(head).removeprefix("\n") if head else part for part in parts]
    joined = "".join("".join(body.split()) for body in bodies)
    if text.strip():
        assert joined == "".join(text.split())
    assert all(len(part) <= PASSAGE + len(head) + 1 for part in parts)


@given(st.text(max_size=4000))
def test_a_question_has_few_parts_and_none_is_long(question: str) -> None:
    parts = question_parts(question)
    assert 1 <= len(parts) <= 7
    assert all(len(part) <= max(PASSAGE, len(question.partition("\n")[0])) for part in parts)


@given(question=st.text(max_size=200), mode=st.sampled_from(MODES))
@settings(max_examples=150, deadline=None)
def test_any_text_is_a_question(
    tmp_path_factory: pytest.TempPathFactory, question: str, mode: str
) -> None:
    shelf = _shared_shelf(tmp_path_factory)
    assert isinstance(shelf.ask(question, mode=mode), list)


_SHARED: list[Shelf] = []


def _shared_shelf(factory: pytest.TempPathFactory) -> Shelf:
    if not _SHARED:
        _SHARED.append(Shelf(factory.mktemp("shelf"), *ABOUT))
    return _SHARED[0]
