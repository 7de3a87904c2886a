"""`satchel bench retrieval` on a set of one's own: what it honours, and what it never looks at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from integration.installed import Machine, needs_command

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

CORPUS: list[dict[str, Any]] = [
    {"id": "a1", "conversation": "a", "session": "a.1", "text": "Anna: I bought a red bicycle."},
    {"id": "a2", "conversation": "a", "session": "a.1", "text": "Ben: How much was the bicycle?"},
    {"id": "a3", "conversation": "a", "session": "a.1", "text": "Anna: Four hundred euros."},
    {"id": "b1", "conversation": "b", "session": "b.1", "text": "Cleo: My bicycle was stolen."},
    {"id": "b2", "conversation": "b", "session": "b.1", "text": "Dan: Tell the police about it."},
]
QUESTIONS: list[dict[str, Any]] = [
    {"id": "q1", "query": "which bicycle did Anna buy", "conversation": "a"},
    {"id": "q2", "query": "whose bicycle is gone", "conversation": "b"},
    {"id": "q3", "query": "whose bicycle is gone", "exclude": ["b1"]},
]


def put(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return str(path)


def answered(
    machine: Machine,
    corpus: list[dict[str, Any]],
    questions: list[dict[str, Any]],
    *more: str,
) -> dict[str, list[str]]:
    place = machine.directory
    out = place / "run.jsonl"
    machine.ok(
        "bench", "retrieval", "--corpus", put(place / "corpus.jsonl", corpus), "--queries",
        put(place / "questions.jsonl", questions), "--out", str(out), *more,
    )  # fmt: skip
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert all(sorted(row) == ["id", "ranked"] for row in rows)
    assert [row["id"] for row in rows] == [str(question["id"]) for question in questions]
    return {row["id"]: row["ranked"] for row in rows}


@pytest.mark.parametrize("model", ["built-in", "none"])
def test_only_the_named_conversation_is_searched(machine: Machine, model: str) -> None:
    ranked = answered(machine, CORPUS, QUESTIONS, "--model", model)
    assert {"a1"} <= set(ranked["q1"]) <= {"a1", "a2", "a3"}
    assert ranked["q2"][0] == "b1"
    assert set(ranked["q2"]) <= {"b1", "b2"}


@pytest.mark.parametrize("model", ["built-in", "none"])
def test_what_a_question_excludes_is_no_answer(machine: Machine, model: str) -> None:
    ranked = answered(machine, CORPUS, QUESTIONS, "--model", model)
    assert "b1" not in ranked["q3"]
    assert {"a1", "a2"} <= set(ranked["q3"])


def test_the_right_answers_in_the_questions_are_not_looked_at(machine: Machine) -> None:
    told = [{**q, "relevant": ["a2", "b2"], "answer": "police", "category": "x"} for q in QUESTIONS]
    assert answered(machine, CORPUS, told) == answered(machine, CORPUS, QUESTIONS)


@pytest.mark.parametrize("kind", ["conversation", "documents", "code", "tasks"])
def test_every_kind_of_source_is_answered(machine: Machine, kind: str) -> None:
    assert answered(machine, CORPUS, QUESTIONS, "--kind", kind)["q1"][0] == "a1"


def test_a_kind_that_is_none_is_refused(machine: Machine) -> None:
    corpus = put(machine.directory / "c.jsonl", CORPUS)
    queries = put(machine.directory / "q.jsonl", QUESTIONS)
    said = machine.fails(
        2, "bench", "retrieval", "--corpus", corpus, "--queries", queries, "--out", "x",
        "--kind", "poems",
    )  # fmt: skip
    assert "conversation" in said


def test_ready_made_relations_bring_what_no_word_shows(machine: Machine) -> None:
    corpus: list[dict[str, Any]] = [
        {"id": "one", "title": "Film", "text": "The Silent Harbour was directed by Ada Moor."},
        {"id": "two", "title": "Ada Moor", "text": "She was born in the town of Larvik."},
        *(
            {"id": f"n{n}", "title": "", "text": f"Note {n} about towns and births"}
            for n in range(9)
        ),
    ]
    facts = [
        {"id": "one", "entities": ["The Silent Harbour", "Ada Moor"],
         "triples": [["The Silent Harbour", "directed by", "Ada Moor"]]},
        {"id": "two", "entities": ["Ada Moor", "Larvik"],
         "triples": [["Ada Moor", "born in", "Larvik"]]},
    ]  # fmt: skip
    question = [{"id": "q", "query": "Where was the director of The Silent Harbour born?"}]
    triples = put(machine.directory / "t.jsonl", facts)
    ranked = answered(machine, corpus, question, "--triples", triples)["q"]
    assert set(ranked[:2]) == {"one", "two"}


def test_the_same_run_twice_is_the_same(machine: Machine) -> None:
    assert answered(machine, CORPUS, QUESTIONS) == answered(machine, CORPUS, QUESTIONS)


def test_a_kept_index_answers_like_a_new_one_and_follows_the_corpus(machine: Machine) -> None:
    kept = ("--keep", str(machine.directory / "kept"))
    assert answered(machine, CORPUS, QUESTIONS, *kept) == answered(machine, CORPUS, QUESTIONS)
    fewer = [row for row in CORPUS if row["id"] != "a1"]
    after = answered(machine, fewer, QUESTIONS, *kept)
    again = answered(machine, fewer, QUESTIONS)
    # How common a word piece is, is counted when it comes and not when it goes.
    assert {q: set(ids) for q, ids in after.items()} == {q: set(ids) for q, ids in again.items()}
    assert "a1" not in str(after)


def test_the_same_id_in_two_conversations_is_two_documents(machine: Machine) -> None:
    corpus = [
        {"id": "1", "conversation": "a", "text": "the lamp is green", "timestamp": "2026-01-01"},
        {"id": "1", "conversation": "b", "text": "the lamp is blue", "timestamp": "2026-02-01"},
    ]
    questions = [{"id": c, "query": "lamp", "conversation": c} for c in "ab"]
    assert answered(machine, corpus, questions) == {"a": ["1"], "b": ["1"]}


def test_odd_fields_stop_nothing(machine: Machine) -> None:
    corpus: list[dict[str, Any]] = [
        {"id": 1, "text": "numbers as ids", "timestamp": 1_700_000_000_000_000},
        {"id": "x", "text": None, "title": "nothing but a lamp", "timestamp": "yesterday"},
        {"id": "y", "text": "tags and lamp", "tags": ["a", 3, None], "timestamp": float("nan")},
        {"id": "z", "text": "lamp 🎉 \ud83d", "links": ["x"], "timestamp": -(2**70)},
    ]
    questions: list[dict[str, Any]] = [
        {"id": 7, "query": "lamp", "timestamp": float("inf"), "exclude": []},
        {"id": 8, "query": ""},
        {"id": 9, "query": "lamp", "conversation": "none of them"},
    ]
    ranked = answered(machine, corpus, questions)
    assert {"x", "y", "z"} <= set(ranked["7"])
    assert ranked["9"] == []


@pytest.mark.parametrize(
    ("corpus", "questions"),
    [
        (b'{"id": "a", "text": "x"}\n{broken\n', b'{"id": "q", "query": "x"}\n'),
        (b'{"text": "no id"}\n', b'{"id": "q", "query": "x"}\n'),
        (b'{"id": "a", "text": "x"}\n', b'{"id": "q"}\n'),
        (b'{"id": "a", "text": "x"}\n', b"[]\n"),
        (b'{"id": "a", "text": "x"}\n', b'{"id": "q", "query": "x", "exclude": 5}\n'),
        (b'{"id": "a", "text": "x"}\n', b"[" * 100_000),
    ],
)
def test_a_file_that_is_no_set_is_named(machine: Machine, corpus: bytes, questions: bytes) -> None:
    (machine.directory / "c.jsonl").write_bytes(corpus)
    (machine.directory / "q.jsonl").write_bytes(questions)
    said = machine.fails(
        2, "bench", "retrieval", "--corpus", "c.jsonl", "--queries", "q.jsonl", "--out", "r.jsonl"
    )
    assert ".jsonl" in said


def test_a_place_that_cannot_be_written_is_named(machine: Machine) -> None:
    corpus = put(machine.directory / "c.jsonl", CORPUS)
    queries = put(machine.directory / "q.jsonl", QUESTIONS)
    out = str(machine.directory / "no" / "such" / "place.jsonl")
    done = machine.run("bench", "retrieval", "--corpus", corpus, "--queries", queries, "--out", out)
    assert done.code == 5
    assert "place.jsonl" in done.err


def test_the_three_files_belong_together(machine: Machine) -> None:
    said = machine.fails(2, "bench", "retrieval", "--corpus", "c.jsonl")
    assert "--queries" in said


def test_no_memory_of_anybody_plays_a_part(machine: Machine) -> None:
    app = machine.repository()
    before = answered(machine, CORPUS, QUESTIONS)
    machine.ok("learn", "Anna's red bicycle is in the cellar", at=app)
    assert answered(machine, CORPUS, QUESTIONS) == before
