"""Weighted search, critical patterns, finding files, fetching: the same answer always."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.core.errors import AmbiguousIdError, BadInputError, NotFoundError
from satchel.features.notes.checking import UnreadableFile, notes_in
from satchel.features.notes.collections import (
    Collection,
    add_collection,
    check_name,
    offered,
    read_collections,
    remove_collection,
)
from satchel.features.notes.critical import critical_patterns
from satchel.features.notes.fetching import fetch_lines, resolve_path
from satchel.features.notes.file_discovery import (
    EMPTY,
    MANY_GONE,
    MISSING,
    OK,
    Tree,
    find_deletions,
    find_files,
)
from satchel.features.notes.reading import read_note
from satchel.features.notes.values import LearningNote
from satchel.features.notes.weighted import WEIGHTS, in_category, may_hold, weighted_search
from unit.notes_made import EXAMPLE, note, write


def fields(path: str, **found: object) -> LearningNote:
    return LearningNote(path, str(found.pop("title", "other")), found, str(found.get("body", "")))


FIVE = [
    fields("e.md", title="other", body="panic"),
    fields("d.md", title="other", tags=["panic"]),
    fields("c.md", title="other", key_insight="avoid the panic"),
    fields("b.md", title="other", symptoms=["a panic", "more"]),
    fields("a.md", title="The panic"),
]


def test_fields_weigh_what_reflect_documents() -> None:
    found = weighted_search(FIVE, "panic")
    assert [(one.note.path, one.score) for one in found] == [
        ("a.md", 100), ("b.md", 80), ("c.md", 60), ("d.md", 40), ("e.md", 20),
    ]  # fmt: skip
    assert list(WEIGHTS.values()) == [100, 80, 60, 40, 20]


def test_the_seeds_example() -> None:
    example = read_note("t.md", EXAMPLE.encode())
    assert isinstance(example, LearningNote)
    (found,) = weighted_search([example], "tokio panic")
    assert (found.score, found.matched) == (160, ("title", "symptoms", "tags"))


@given(st.permutations(FIVE), st.sampled_from(["panic", "other", "panic more", "avoid"]))
def test_the_order_of_files_changes_nothing(notes: list[LearningNote], question: str) -> None:
    assert weighted_search(notes, question) == weighted_search(FIVE, question)


def test_tags_categories_and_the_limit() -> None:
    notes = [
        fields("a.md", title="x", tags=["Rust"], category="debugging-sessions"),
        fields("b.md", title="x", tags=["go"], category="decisions"),
    ]
    assert [f.note.path for f in weighted_search(notes, "x", tag="rust")] == ["a.md"]
    assert [f.note.path for f in weighted_search(notes, "x", category="debugging")] == ["a.md"]
    assert [f.note.path for f in weighted_search(notes, "x", limit=1)] == ["a.md"]
    assert weighted_search(notes, "") == []
    assert not in_category("debuggingx", "debugging")


def test_a_note_is_left_out_once_its_time_has_come() -> None:
    raw = "---\ntitle: Walrus\nforget_after: 2026-01-01\n---\ntext\n"
    one = read_note("a.md", raw.encode())
    assert isinstance(one, LearningNote)
    before, after = 1_767_139_200.0, 1_767_312_000.0
    assert [found.note.title for found in weighted_search([one], "walrus", now=before)] == [
        "Walrus"
    ]
    assert weighted_search([one], "walrus", now=after) == []


def test_short_words_do_not_match_inside_others() -> None:
    assert weighted_search([fields("a.md", title="category of cargo")], "go") == []
    assert weighted_search([fields("a.md", title="golang")], "go") != []


@given(st.text(max_size=60), st.text(max_size=20))
def test_a_file_that_is_left_out_unparsed_would_not_have_been_found(body: str, asked: str) -> None:
    raw = f"# {body}".encode()
    one = read_note("a.md", raw)
    if isinstance(one, LearningNote) and weighted_search([one], asked):
        assert may_hold(asked, raw)


def test_notes_of_a_directory_and_what_cannot_be_read(tmp_path: Path) -> None:
    write(tmp_path / "a.md", note("Walrus"))
    write(tmp_path / "b" / "bad.md", "---\na: b: c\n---\nwalrus")
    unread: list[UnreadableFile] = []
    assert [n.title for n in notes_in(str(tmp_path), unread, "walrus")] == ["Walrus"]
    assert [os.path.basename(one.path) for one in unread] == ["bad.md"]


CRITICAL = """# Critical patterns

Read this first.

## Rust: never block in async code

Use `spawn_blocking`.

## SQL: forward only

Never edit an applied migration.
"""


def test_critical_patterns_come_from_the_file_and_from_high_confidence() -> None:
    notes = [
        LearningNote("p/critical-patterns.md", "Critical patterns", {}, CRITICAL),
        fields("a.md", title="High rust", confidence="high", language="Rust", key_insight="k",
               category="build-errors"),
        fields("b.md", title="Low rust", confidence="low", language="rust"),
        fields("c.md", title="High go", confidence="HIGH", tags=["go"], scope="domain:web"),
    ]  # fmt: skip

    def names(**wanted: str) -> list[str]:
        return [one.title for one in critical_patterns(notes, **wanted)]

    rust, sql = "Rust: never block in async code", "SQL: forward only"
    assert names(language="rust") == [rust, "High rust"]
    assert names(domain="sql") == [sql]
    assert names(domain="web") == ["High go"]
    assert names(language="rust", domain="build-errors") == ["High rust"]
    assert names() == [rust, sql, "High rust", "High go"]
    assert critical_patterns(notes, language="rust")[0].insight == "Use `spawn_blocking`."


def test_files_are_found_by_pattern_and_nothing_outside_the_tree(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    for name in ("a.md", "B.MD", "sub/c.md", "sub/deep/d.md", "sub/e.txt", ".hidden/f.md",
                 ".g.md", "node_modules/h.md", ".git/i.md"):  # fmt: skip
        write(root / name, "x")
    write(tmp_path / "outside.md", "x")
    (root / "out.md").symlink_to(tmp_path / "outside.md")
    (root / "in.md").symlink_to(root / "a.md")
    (root / "loop").symlink_to(root)
    (root / "broken.md").symlink_to(root / "nothing.md")

    def names(pattern: str) -> list[str]:
        return [os.path.relpath(path, root) for path in find_files(str(root), pattern).paths]

    assert names("**/*.md") == ["B.MD", "a.md", "in.md", "sub/c.md", "sub/deep/d.md"]
    assert names("*.md") == ["B.MD", "a.md", "in.md"]
    assert names("sub/**/*.md") == ["sub/c.md", "sub/deep/d.md"]
    assert names("sub/*/d.*") == ["sub/deep/d.md"]
    assert find_files(str(tmp_path / "nowhere")) == Tree((), exists=False)


def verdict(known: int, present: int, **options: object) -> tuple[str, int, int]:
    paths = [f"/t/{n}" for n in range(known)]
    tree = Tree(tuple(paths[:present]), exists=bool(options.pop("exists", True)))
    done = find_deletions(
        paths, tree, deselected=lambda _: False, renamed=lambda _: False,
        confirmed=bool(options.pop("confirmed", False)),
    )  # fmt: skip
    return done.state, len(done.gone), len(done.held)


def test_what_is_read_as_a_deletion() -> None:
    assert verdict(10, 9) == (OK, 1, 0)
    assert verdict(10, 8) == (MANY_GONE, 0, 2)
    assert verdict(100, 90) == (OK, 10, 0)
    assert verdict(100, 89) == (MANY_GONE, 0, 11)
    assert verdict(9, 1) == (OK, 8, 0)
    assert verdict(9, 0) == (EMPTY, 0, 9)
    assert verdict(1, 0) == (EMPTY, 0, 1)
    assert verdict(100, 0, exists=False) == (MISSING, 0, 100)
    assert verdict(100, 0, confirmed=True) == (OK, 100, 0)
    assert verdict(0, 0) == (OK, 0, 0)


@given(st.integers(0, 60), st.integers(0, 60), st.booleans())
def test_everything_that_is_absent_is_gone_or_held(known: int, here: int, exists: bool) -> None:  # noqa: FBT001
    here = min(here, known) if exists else 0
    state, gone, held = verdict(known, here, exists=exists)
    assert gone + held == known - here
    assert not (gone and state != OK)


# Collections


def test_collections_are_written_read_and_taken_out_with_comments_kept(tmp_path: Path) -> None:
    file, root = str(tmp_path / "collections.toml"), str(tmp_path)
    odd = str(tmp_path / 'a "quoted" \\ dir')
    add_collection(file, Collection("docs", str(tmp_path / "docs")), root)
    add_collection(file, Collection("odd", odd, "guides/*.md"))
    with open(file, "a", encoding="utf-8") as more:
        more.write('\n# mine\n[third]\npath = "/x"\n')
    assert read_collections(file, root) == [
        Collection("docs", str(tmp_path / "docs")), Collection("odd", odd, "guides/*.md"),
        Collection("third", "/x"),
    ]  # fmt: skip
    assert 'path = "docs"' in Path(file).read_text("utf-8")
    remove_collection(file, "odd")
    assert [one.name for one in read_collections(file, root)] == ["docs", "third"]
    with pytest.raises(NotFoundError):
        remove_collection(file, "odd")


def test_a_damaged_file_of_collections_is_told(tmp_path: Path) -> None:
    file = write(tmp_path / "c.toml", "[a\n")
    with pytest.raises(BadInputError, match="not valid TOML"):
        read_collections(str(file))
    write(file, "[docs]\npattern = 5\n")
    with pytest.raises(BadInputError, match=r"\[docs\] needs a path"):
        read_collections(str(file))
    for name in ("", "a b", "-x", "x" * 41, "../x", "a/b"):
        with pytest.raises(BadInputError):
            check_name(name)


def test_the_seeds_collections_are_offered_where_their_directories_are(tmp_path: Path) -> None:
    assert offered(str(tmp_path)) == []
    for name in ("docs", "agents", "shared-memory"):
        (tmp_path / name).mkdir()
    assert [one.name for one in offered(str(tmp_path))] == [
        "agent-workspaces", "shared-memory", "documentation",
    ]  # fmt: skip


# Fetching

HELD = {"/t/docs/a.md": "abcdef12", "/t/docs/sub/b.md": "abcd0000", "/t/x/b.md": "ffff1111"}


def meant(given: str) -> tuple[str, int]:
    known = {"note-123456": ["/t/docs/a.md"]}
    return resolve_path(given, HELD, {"docs": "/t/docs"}, lambda ident: known.get(ident, []))


def test_files_are_fetched_by_path_name_line_docid_and_id() -> None:
    for spelled, path, line in (
        ("/t/docs/a.md", "/t/docs/a.md", 0), ("a.md", "/t/docs/a.md", 0),
        ("docs/sub/b.md", "/t/docs/sub/b.md", 0), ("x/b.md", "/t/x/b.md", 0),
        ("a.md:12", "/t/docs/a.md", 12), ("#abcdef", "/t/docs/a.md", 0), ("FFFF", "/t/x/b.md", 0),
        ("note-123456", "/t/docs/a.md", 0),
    ):  # fmt: skip
        assert meant(spelled) == (path, line), spelled
    with pytest.raises(AmbiguousIdError):
        meant("#abcd")
    with pytest.raises(NotFoundError) as told:
        meant("aa.md")
    assert "/t/docs/a.md" in told.value.hint
    for outside in ("/etc/passwd", "../../etc/passwd", "docs/../../etc/passwd"):
        with pytest.raises(NotFoundError):
            meant(outside)


def test_lines_are_counted_from_one(tmp_path: Path) -> None:
    path = str(write(tmp_path / "a.md", "one\ntwo\nthree\n"))
    assert fetch_lines(path, "ab", first=2, lines=1).text == "two"
    assert fetch_lines(path, "ab").text == "one\ntwo\nthree"
    with pytest.raises(BadInputError, match="3 lines"):
        fetch_lines(path, "ab", first=4)


def test_what_lies_in_a_directory_that_cannot_be_read_is_held_whoever_confirms() -> None:
    known = ["/t/a.md", "/t/sub/b.md", "/t/c.md"]
    tree = Tree(("/t/a.md",), unreadable=("/t/sub",))
    for confirmed in (False, True):
        done = find_deletions(
            known, tree, deselected=lambda _: False, renamed=lambda _: False, confirmed=confirmed
        )
        assert (done.gone, done.held) == (("/t/c.md",), ("/t/sub/b.md",))
