"""Corpora for measuring: nothing but what describes a document is read, and answers are distinct."""

import json
from pathlib import Path

import pytest

from benchmarks.corpora import Corpus, questions
from benchmarks.retrieval import answer_set
from satchel.core.errors import BadInputError


def written(path: Path, rows: list[dict[str, object]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def ranked(tmp_path: Path, documents: list[dict[str, object]], **asked: object) -> list[str]:
    corpus = Corpus(written(tmp_path / "c.jsonl", documents))
    path = written(tmp_path / "q.jsonl", [{"id": "q", "query": "zebra stripes", **asked}])
    (question,) = questions(path)
    return [one.hit.document.id for one in corpus.search(question)]


def test_an_id_that_comes_twice_is_answered_once(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"id": "a", "text": f"zebra {n}", "conversation": str(n)} for n in range(3)
    ]
    assert ranked(tmp_path, [*rows, {"id": "b", "text": "stripes"}]) in (["b", "a"], ["a", "b"])


@pytest.mark.parametrize("conversation", [None, ""])
def test_no_conversation_is_no_filter(tmp_path: Path, conversation: str | None) -> None:
    rows: list[dict[str, object]] = [{"id": "a", "text": "zebra", "conversation": "x"}]
    assert ranked(tmp_path, rows, conversation=conversation) == ["a"]
    assert ranked(tmp_path, rows, conversation="y") == []


def test_excluded_documents_are_no_answers(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{"id": i, "text": f"zebra stripes {i}"} for i in "abc"]
    assert sorted(ranked(tmp_path, rows, exclude=["b"])) == ["a", "c"]


def test_excluded_documents_lend_nothing_to_those_beside_them(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"id": "self", "text": "zebra stripes zebra stripes", "session": "s"},
        {"id": "beside", "text": "ok thanks", "session": "s"},
        {"id": "answer", "text": "about zebra", "session": "t"},
    ]
    assert ranked(tmp_path, rows, exclude=["self"]) == ["answer"]


def test_two_texts_of_one_id_are_both_found(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"id": "a", "text": "zebra"}, {"id": "a", "text": "nothing", "tags": ["stripes"]},
    ]  # fmt: skip
    assert ranked(tmp_path, rows) == ["a"]
    assert ranked(tmp_path, rows[:1]) == ["a"]


def test_links_between_documents_are_never_read(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"id": "a", "text": "nothing", name: ["zebra", "stripes"]}
        for name in ("links", "relatedTo", "depends_on", "relevant", "duplicates")
    ]
    assert ranked(tmp_path, rows) == []
    assert ranked(tmp_path, [{"id": "a", "text": "nothing", "tags": ["zebra"]}]) == ["a"]


def test_the_answers_never_replace_what_was_asked(tmp_path: Path) -> None:
    corpus = written(tmp_path / "c.jsonl", [{"id": "a", "text": "zebra"}])
    asked = written(tmp_path / "q.jsonl", [{"id": "q", "query": "zebra"}])
    for out in (corpus, asked):
        with pytest.raises(BadInputError):
            answer_set(corpus, asked, out, kind="", triples_path="", model="none", keep="")
    out = str(tmp_path / "run.jsonl")
    answer_set(corpus, asked, out, kind="", triples_path="", model="none", keep="")
    assert json.loads(Path(out).read_text()) == {"id": "q", "ranked": ["a"]}
