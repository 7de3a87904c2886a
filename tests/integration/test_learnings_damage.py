"""Every note and sidecar is damaged in every way: no traceback, damage named, the rest found."""

import os
import random
from pathlib import Path

import pytest

from reliability.mutants import mutants
from reliability.stand import SEED, in_this_process, say, scale
from satchel.core.errors import SatchelError
from satchel.engine.markdown.front_matter import read_fields, split
from satchel.engine.markdown.sidecars import read_rows
from satchel.engine.search.source_reader import LARGEST_FILE
from satchel.features.notes.knowledge_base import sidecar_problems
from satchel.features.notes.reading import documents_of, read_note
from satchel.features.notes.rules import problems_of
from satchel.features.notes.values import LearningNote
from satchel.testing import temporary_workspace
from unit.notes_made import EXAMPLE, SIDECAR, note, write

pytestmark = pytest.mark.torture
BODY = EXAMPLE + "\n".join(
    f"## Part {n}\n\nWords of part {n}: ümläut, 日本語. " * 5 for n in range(5)
)


def readable(raw: bytes) -> bool:
    """What no reader could take for text, or for front matter, by a judgement of its own."""
    if b"\0" in raw or len(raw) > LARGEST_FILE:
        return False
    try:
        raw.decode("utf-8")
        read_fields(split(raw))
    except (UnicodeDecodeError, SatchelError):
        return False
    return True


def test_a_damaged_note_is_named_or_read_and_never_breaks_anything() -> None:
    dice = random.Random(SEED)
    good = BODY.encode()
    count = scale(250, 10_000)
    damaged = 0
    for n, mutate in enumerate(mutants(dice, good, count, heavy=scale(1, 2))):
        data = mutate(dice, good)
        name = f"mutant {n} ({mutate.__name__})"
        one = read_note("n.md", data)
        if isinstance(one, str):
            damaged += 1
            assert one, name
            continue
        assert readable(data) or len(data) > LARGEST_FILE, f"{name}: damage was not noticed"
        assert all(document.seal() for document in documents_of(one)), name
        problems_of(one)
    assert damaged > count / 10
    say("T7 notes", count, f"{count} mutants, {damaged} named as damaged, 0 tracebacks")


def test_a_damaged_sidecar_is_named_row_by_row() -> None:
    dice = random.Random(SEED)
    good = SIDECAR.encode()
    assert sidecar_problems("s", good) == []
    names = [row["name"] for _, row in read_rows(good).entities]
    count = scale(350, 10_000)
    named = 0
    for mutate in mutants(dice, good, count):
        data = mutate(dice, good)
        problems, rows = sidecar_problems("s", data), read_rows(data)
        named += bool(problems)
        assert rows.fields is not None or problems, mutate.__name__
        if not problems and mutate.__name__ in ("byte_order_mark", "crlf"):
            assert [row["name"] for _, row in rows.entities] == names
    assert named > count / 4
    say("T7 sidecars", count, f"{count} mutants, {named} with a named problem, 0 tracebacks")


def test_among_damaged_notes_every_whole_one_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(SEED)
    with temporary_workspace() as workspace:
        root = workspace.project.place.root
        monkeypatch.setenv("SATCHEL_HOME", workspace.owner().home.path)
        monkeypatch.setenv("HOME", os.path.dirname(root))
        monkeypatch.chdir(root)
        base = Path(root) / "docs" / "solutions" / "decisions"
        for n in range(30):
            write(base / f"whole{n}.md", note(f"Whole w{n}w", "Walrus."))
        good = BODY.encode()
        count = scale(250, 3000)
        for n, mutate in enumerate(mutants(dice, good, count, heavy=1)):
            write(base / f"mutant{n:05}.md", mutate(dice, good))
        with workspace.notes as book:
            book.reindex()
            assert len(book.search("walrus", limit=500).items) == 30
            (solutions, *_) = book.status()
            damaged = {os.path.basename(one.path) for one in solutions.damage}
            for path in sorted(base.glob("mutant*.md")):
                raw = path.read_bytes()
                bad = isinstance(read_note(str(path), raw), str) or len(raw) > LARGEST_FILE
                assert (path.name in damaged) == bad, path.name
            assert not any(name.startswith("whole") for name in damaged)
            assert len(book.notes()) >= 30
        for words in ("learnings search walrus", "learnings stats", "learnings list", "learnings check",
                      "learnings critical-patterns", "search-learnings walrus",
                      "learnings search tokio --format json"):  # fmt: skip
            code, out = in_this_process(words.split())
            assert code in (0, 2), out[-300:]
        say("T7 notes indexed", count, f"{count} mutants beside 30 whole notes: all 30 found, "
            f"{len(damaged)} damaged named")  # fmt: skip


def test_a_reader_that_forgives_is_caught() -> None:
    """Seeded bug: bytes that are not text, replaced instead of named."""
    raw = b"---\ntitle: caf\xe9\n---\n"
    forgiving = read_note("n.md", raw.decode("utf-8", "replace").encode())
    assert isinstance(forgiving, LearningNote)
    assert not readable(raw)
    assert isinstance(read_note("n.md", raw), str)
