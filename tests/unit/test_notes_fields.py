"""Fields of notes and rows of sidecars: what is allowed, what is told, what is never guessed."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.core.errors import BadInputError, SatchelError
from satchel.engine.markdown.front_matter import read_fields, split
from satchel.engine.markdown.sidecars import read_rows
from satchel.features.notes.knowledge_base import add_note, sidecar_problems
from satchel.features.notes.reading import documents_of, read_note
from satchel.features.notes.rules import CATEGORIES, IN_SOLUTIONS, TO_ADD, VOLATILE, problems_of
from satchel.features.notes.values import LearningNote, document_id
from unit.notes_made import EXAMPLE, NOW, SIDECAR, note, write

WIDE = {
    "type": "learning", "id": "lrn-tokio-abc123", "created": "2026-03-16", "updated": "2026-03-17",
    "scope": "domain:rust", "confidence": "HIGH", "confidence_num": 0.9, "learning_type": "bug-fix",
    "discovery_tokens": 3000, "title": "t", "tags": ["a"], "symptoms": ["s"], "key_insight": "k",
    "problem": "p", "root_cause": "r", "fix": "f", "rule": "u", "category": "patterns",
    "entities": ["tokio"], "causal_relations": [{"source": "a", "target": "b", "type": "causes"}],
    "links": ["x"], "source_episodes": ["ep-1"], "superseded_by": None, "forget_after": None,
    "provenance": {"source_tool": "claude", "proof_count": 1}, "custom": {"kept": True},
}  # fmt: skip


def made(**fields: Any) -> LearningNote:
    return LearningNote("n.md", "t", fields, "body")


def test_the_seeds_note_and_the_wider_one_have_no_problem() -> None:
    example = read_note("docs/solutions/x/a.md", EXAMPLE.encode())
    assert isinstance(example, LearningNote)
    assert problems_of(example, IN_SOLUTIONS) == []
    assert problems_of(made(**WIDE), TO_ADD) == []
    assert (example.confidence, example.category, example.language) == (
        "HIGH", "debugging-sessions", "rust",
    )  # fmt: skip


WRONG = {
    "category": ("debuging-sessions", "Did you mean `debugging-sessions`?"),
    "confidence": ("sure", "Allowed: HIGH, MEDIUM, LOW"),
    "confidence_num": (1.5, "from 0 to 1"),
    "created": ("16.3.2026", "Write 2026-03-16"),
    "forget_after": ("soon", "Write 2026-03-16"),
    "severity": ("awful", "critical, high, medium, low"),
    "environment": ("laptop", "development, ci, staging, production, all"),
    "learning_type": ("hint", "pattern, correction"),
    "tags": (["a", "A"], "Name each tag once"),
    "symptoms": ({"a": 1}, "symptoms: [one, two]"),
    "title": (["a"], "Put it on one line"),
    "causal_relations": (["a"], "`source`, `target`"),
    "provenance": ("x", "Indent them"),
    "recall_count": (3, "Remove the line"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_field_is_named_with_what_is_allowed(name: str) -> None:
    value, step = WRONG[name]
    (problem,) = problems_of(made(**{**WIDE, name: value}))
    assert (problem.path, problem.field) == ("n.md", name)
    assert step in problem.next_step
    assert f"n.md: `{name}` " in str(problem.error())


@pytest.mark.parametrize("name", IN_SOLUTIONS)
def test_a_missing_field_is_named_with_an_example(name: str) -> None:
    fields = {k: v for k, v in WIDE.items() if k != name}
    problems = problems_of(made(**fields), IN_SOLUTIONS)
    assert [(p.field, p.what) for p in problems] == [(name, "is missing")]
    assert name in problems[0].next_step


def test_all_categories_and_all_confidences_in_any_case_are_allowed() -> None:
    for category in (*CATEGORIES, "Patterns"):
        assert problems_of(made(**{**WIDE, "category": category})) == []
    for confidence in ("high", "HIGH", "Medium", "low", 0.7):
        assert problems_of(made(**{**WIDE, "confidence": confidence})) == []
    assert [made(confidence_num=n).confidence for n in (0.8, 0.5, 0.3)] == ["HIGH", "MEDIUM", "LOW"]
    assert len(VOLATILE) == 7


def test_the_id_is_the_seeds_formula() -> None:
    title, body = "Tokio: runtime panic! (nested)" + " and more words" * 5, "## Problem\nx\n"
    digest = hashlib.sha256(f"{title}\n{body}".encode()).hexdigest()[:6]
    slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:50].strip("-")
    assert document_id(title, body) == f"{slug}-{digest}"
    assert document_id(title, body.replace("\n", "\r\n")) == document_id(title, body)
    assert re.fullmatch(r"note-[0-9a-f]{6}", document_id("日本語", ""))


@given(st.dictionaries(
    st.sampled_from([*WIDE, "recall_count", "x"]),
    st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
                 lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(max_size=5), v, max_size=2),
                 max_leaves=5)), st.text(max_size=200))  # fmt: skip
def test_no_field_of_any_form_breaks_rules_or_documents(fields: dict[str, Any], body: str) -> None:
    one = LearningNote("n.md", "t", fields, body)
    assert all(problem.what and problem.field for problem in problems_of(one))
    for document in documents_of(one):
        assert json.loads(document.fields) is not None
        document.seal()


def test_a_note_without_a_title_goes_by_its_heading_or_its_name() -> None:
    for raw, title in ((b"# Head\ntext", "Head"), (b"text", "some-name"), (b"", "some-name")):
        one = read_note("/x/some-name.md", raw)
        assert isinstance(one, LearningNote)
        assert one.title == title


def test_what_is_indexed_does_not_depend_on_the_path() -> None:
    for raw in (EXAMPLE.encode(), b"plain text", b"# H\n\ntext"):
        one, two = read_note("/a/b.md", raw), read_note("/c/d.md", raw)
        assert isinstance(one, LearningNote)
        assert isinstance(two, LearningNote)
        assert documents_of(one) == documents_of(two)


def test_the_seeds_sidecar_is_read() -> None:
    assert sidecar_problems("x.entities.yaml", SIDECAR.encode()) == []
    rows = read_rows(SIDECAR.encode())
    assert [(e["name"], e["type"]) for _, e in rows.entities] == [
        ("tokio", "technology"), ("block_on", "function"),
    ]  # fmt: skip
    assert rows.relationships[0][1]["strength"] == 9


BAD_ROWS = """entities:
  - name: good
  - type: tool
  - just text
  - {name: odd, type: animal}
relationships:
  - {source: good, target: odd, type: likes, strength: 11}
  - {source: good}
"""


def test_rows_of_a_sidecar_that_are_wrong_are_named_and_the_others_kept() -> None:
    rows = read_rows(BAD_ROWS.encode())
    assert [e["name"] for _, e in rows.entities] == ["good", "odd"]
    assert [(r["type"], r["strength"]) for _, r in rows.relationships] == [("likes", 5)]
    assert [p.field for p in sidecar_problems("x", BAD_ROWS.encode())] == [
        "entities[2].name", "entities[3]", "entities[4].type",
        "relationships[1].type", "relationships[1].strength", "relationships[2].target",
    ]  # fmt: skip


# Adding


def add(tmp_path: Path, text: str, *, sidecar: str = "", force: bool = False) -> Path:
    path = write(tmp_path / "in" / "note.md", text)
    if sidecar:
        write(tmp_path / "in" / "note.entities.yaml", sidecar)
    base = str(tmp_path / "base")
    added = add_note(str(path), knowledge_base=base, sidecar="", force=force, now=NOW)
    return Path(added.path)


def test_an_added_note_keeps_its_bytes_and_its_sidecar_gets_its_id(tmp_path: Path) -> None:
    path = add(tmp_path, EXAMPLE, sidecar=SIDECAR)
    assert path.read_text("utf-8") == EXAMPLE
    assert path.parent == tmp_path / "base" / "learnings"
    assert path.stem == document_id("Tokio runtime panic", EXAMPLE.partition("tokio\n---\n")[2])
    sidecar = path.with_name(path.stem + ".entities.yaml").read_text("utf-8")
    assert sidecar == SIDECAR.replace("tokio-runtime-panic-abc123", path.stem)
    assert path.stat().st_mode & 0o077 == 0


def test_a_note_of_the_same_title_is_replaced_only_by_force(tmp_path: Path) -> None:
    first = add(tmp_path, EXAMPLE, sidecar=SIDECAR)
    for text in (EXAMPLE, EXAMPLE + "More.\n"):
        with pytest.raises(BadInputError, match="has this title already"):
            add(tmp_path, text)
    second = add(tmp_path, EXAMPLE + "More.\n", force=True)
    assert sorted(p.name for p in first.parent.iterdir()) == sorted(
        [second.name, second.stem + ".entities.yaml"]
    )


def test_secrets_do_not_reach_the_knowledge_base_wherever_they_stand(tmp_path: Path) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    text = note(
        "A note", f"body {key}", tags=f"[{key}, ok]", root_cause=key, key_insight=f"{key} x"
    )
    path = add(tmp_path, text, sidecar=f"entities:\n  - name: {key}\n    description: {key}\n")
    for file in path.parent.iterdir():
        assert key.encode() not in file.read_bytes()
    fields = read_fields(split(path.read_bytes()))
    assert fields["root_cause"] == "[redacted:aws-access-key-id]"
    assert fields["tags"] == ["[redacted:aws-access-key-id]", "ok"]


def test_an_episode_lies_below_its_day(tmp_path: Path) -> None:
    text = note("Ep", type="episode", id="ep-20260316-b6b22d", created="2026-03-16")
    path = add(tmp_path, text)
    assert path == tmp_path / "base" / "episodes" / "2026-03-16" / "ep-20260316-b6b22d.md"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("no front matter\n", "`title` is missing"),
        (note("x", category="animals"), "`category` is 'animals'"),
        ("---\ntitle: a: b\n---\n", "line 2"),
        (note("x", recall_count=3), "is counted by Satchel"),
    ],
)
def test_what_is_no_note_is_not_added(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(SatchelError, match=re.escape(reason)) as told:
        add(tmp_path, text)
    assert told.value.hint
    assert not (tmp_path / "base").exists()


def test_a_sidecar_that_is_wrong_stops_the_note(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=re.escape("entities[2]")):
        add(tmp_path, EXAMPLE, sidecar=BAD_ROWS)
    assert not (tmp_path / "base").exists()


SECRET = "AKIA" + "IOSFODNN7EXAMPLE"


@pytest.mark.parametrize(
    "fields",
    [
        {"title": SECRET}, {"tags": ["a", SECRET]}, {"provenance": {"deep": [{"x": SECRET}]}},
        {"password": "xK9#mQ2$vL5nR8wT"}, {SECRET: "value"}, {"nested": {"api_key": "k3J9dK2mX8qLw7Zp4RtY"}},
        {"problem": "<private>walrus</private>"},
    ],
)  # fmt: skip
def test_one_look_finds_what_a_look_at_every_text_finds(fields: dict[str, Any]) -> None:
    from satchel.core.redaction.redactor import redact_value
    from satchel.features.notes.reading import without_secrets

    one = LearningNote("n.md", str(fields.get("title", "t")), fields, "body")
    clean = without_secrets(one)
    assert clean.fields == redact_value(fields)[0]
    assert clean.fields != fields
    for secret in (SECRET, "xK9#mQ2$vL5nR8wT", "k3J9dK2mX8qLw7Zp4RtY", "walrus"):
        assert secret not in str(documents_of(one))


def test_a_note_without_secrets_stays_as_it_is() -> None:
    from satchel.features.notes.reading import without_secrets

    one = read_note("n.md", EXAMPLE.encode())
    assert isinstance(one, LearningNote)
    assert without_secrets(one) is one
