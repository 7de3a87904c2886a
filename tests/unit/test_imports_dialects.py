"""Imports of beans and of Claude Code: what is one, where it goes, what is said in its place."""

import os
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machine_speed import SLOWNESS
from satchel.clients.contract.instructions import USER
from satchel.features.instructions.code_regions import backtick_regions
from satchel.features.instructions.scanning import (
    BEANS,
    BOTH,
    CLAUDE,
    DIALECTS,
    GEMINI,
    dialect_of,
    mentions,
)
from unit.memory_trees import MemoryTree


@pytest.fixture
def tree(tmp_path: os.PathLike[str]) -> MemoryTree:
    return MemoryTree(tmp_path)


def paths(text: str, dialect: str) -> list[str]:
    return [one.path for one in mentions(text, dialect)]


# beans


def test_an_import_stands_on_a_line_of_its_own(tree: MemoryTree) -> None:
    tree.write("docs/a.md", "A\n")
    found = tree.expand("# Top\n@import ./docs/a.md\nend\n", BEANS)
    wanted = "<!-- Imported from: ./docs/a.md -->\nA\n\n<!-- End of import: ./docs/a.md -->"
    assert found.text == f"# Top\n{wanted}\nend\n"


@pytest.mark.parametrize(
    "text",
    ["x @import a.md", " @import a.md", "@imports a.md", "@import", "@import ", "@IMPORT a.md",
     "```\n@import a.md\n```", "~~~\n@import a.md\n~~~", "`\n@import a.md\n`", "@a.md"],
)  # fmt: skip
def test_what_only_resembles_an_import_stays(tree: MemoryTree, text: str) -> None:
    tree.write("a.md", "A")
    assert tree.expand(text, BEANS).text == text


def test_a_path_may_hold_spaces_and_lines_may_end_as_windows_ends_them() -> None:
    assert paths("@import ./my notes/a b.md\r\n@import\tb.md \n", BEANS) == [
        "./my notes/a b.md", "b.md",
    ]  # fmt: skip


def test_a_diamond_is_no_circle_and_is_shown_once(tree: MemoryTree) -> None:
    tree.write("left.md", "L\n@import base.md\n")
    tree.write("right.md", "R\n@import base.md\n")
    tree.write("base.md", "B\n")
    found = tree.expand("@import left.md\n@import right.md\n", BEANS)
    assert found.text.count("\nB\n") == 1
    assert "<!-- Already shown: base.md -->" in found.text
    assert "Circular" not in found.text
    assert found.problems == []


def test_a_circle_is_named(tree: MemoryTree) -> None:
    a = tree.write("a.md", "@import b.md\n")
    tree.write("b.md", "@import ./a.md\n")
    found = tree.expand("@import b.md\n", BEANS, path=a)
    assert "<!-- Circular import detected: ./a.md -->" in found.text
    assert [(p.what, os.path.basename(p.path)) for p in found.problems] == [("circle", "a.md")]


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("./none.md", "<!-- Import not found: ./none.md -->"),
        ("notes.txt", "<!-- Import rejected: notes.txt: only .md files are imported -->"),
        ("../up.md", "<!-- Import rejected: ../up.md: it is outside the project -->"),
        ("~/me.md", "<!-- Import rejected: ~/me.md: it is outside the project -->"),
        ("/etc/a.md", "<!-- Import rejected: /etc/a.md: it is outside the project -->"),
        ("/proc/self/a.md", "<!-- Import rejected: /proc/self/a.md: its place is off limits -->"),
        ("~/.ssh/a.md", "<!-- Import rejected: ~/.ssh/a.md: its place is off limits -->"),
        ("https://x.org/a.md", "<!-- Import rejected: https://x.org/a.md: it is an address -->"),
        (
            "big.md",
            "<!-- Import rejected: big.md: it has 102,401 bytes; at most 102,400 are read -->",
        ),
        ("nul.md", "<!-- Import rejected: nul.md: it holds binary data -->"),
        ("a/-->.md", "<!-- Import not found: a/--).md -->"),
    ],
)
def test_what_cannot_be_imported_is_explained_in_place(
    tree: MemoryTree, path: str, told: str
) -> None:
    tree.write("notes.txt", "n")
    tree.write("nul.md", "a\0b")
    tree.write("../up.md", "OUT")
    tree.write("big.md", "x" * 102_401)
    tree.write(os.path.join(tree.home, "me.md"), "OUT")
    tree.write(os.path.join(tree.home, ".ssh", "a.md"), "OUT")
    found = tree.expand(f"before\n@import {path}\nafter\n", BEANS)
    # The tests' own directory may lie where anybody may write.
    text = found.text.replace("anybody can write there", "it is outside the project")
    assert text == f"before\n{told}\nafter\n"
    assert len(found.problems) == 1


def test_twenty_imports_of_one_file_are_followed_and_the_next_is_refused(tree: MemoryTree) -> None:
    for n in range(22):
        tree.write(f"{n}.md", f"number {n}\n")
    text = tree.expand("".join(f"@import {n}.md\n" for n in range(22)), BEANS).text
    assert "number 19\n" in text
    assert "number 20\n" not in text
    assert text.count("more than 20 imports in one file") == 2


def test_five_hops_are_followed(tree: MemoryTree) -> None:
    for n in range(1, 8):
        tree.write(f"{n}.md", f"hop {n}\n@import {n + 1}.md\n")
    text = tree.expand("@import 1.md\n", BEANS).text
    assert "hop 5\n<!-- Import depth exceeded for 6.md -->" in text
    assert "hop 6" not in text


def test_a_persons_file_may_import_from_the_home_but_not_through_a_repository(
    tree: MemoryTree,
) -> None:
    tree.write(os.path.join(tree.home, "mine.md"), "MINE\n")
    tree.write("theirs.md", "THEIRS\n@import ~/mine.md\n")
    found = tree.expand("@import ~/mine.md\n", BEANS, owner=USER)
    assert "MINE" in found.text
    through = tree.expand(f"@import {tree.root}/theirs.md\n", BEANS, owner=USER).text
    assert "THEIRS" in through
    assert "MINE" not in through


def test_what_was_approved_is_imported_until_it_changes(tree: MemoryTree) -> None:
    from satchel.core.hashing import digest

    path = tree.write("../shared.md", "SHARED\n")
    approved = {path: digest(b"SHARED\n").hex()}
    assert "SHARED" in tree.expand("@import ../shared.md\n", BEANS, approved=approved).text
    tree.write("../shared.md", "SHARED and more\n")
    found = tree.expand("@import ../shared.md\n", BEANS, approved=approved)
    assert "SHARED" not in found.text
    assert found.problems[0].what == "changed"


@pytest.mark.parametrize("dialect", [BEANS, BOTH])
def test_a_link_of_the_right_name_to_a_file_of_another_kind_is_refused(
    tree: MemoryTree, dialect: str
) -> None:
    tree.write(".env", "KEY=S3CRET")
    os.symlink(".env", os.path.join(tree.root, "notes.md"))
    found = tree.expand("@import notes.md\n", dialect)
    assert "S3CRET" not in found.text
    assert [problem.what for problem in found.problems] == ["extension"]


def test_an_imported_files_head_is_understood_and_not_shown(tree: MemoryTree) -> None:
    path = tree.write("a.md", "---\nversion: 1\n---\nbody\n")
    tree.write("off.md", "---\nenabled: false\n---\nnever\n")
    found = tree.expand("@import a.md\n@import off.md\n", BEANS)
    assert "version" not in found.text
    assert "never" not in found.text
    assert "<!-- Import rejected: off.md: it says `enabled: false` -->" in found.text
    assert [(p.first_line, p.last_line) for p in found.pieces if p.path == path] == [(4, 4)]


def test_pieces_say_which_lines_of_which_file_they_are(tree: MemoryTree) -> None:
    main = tree.write("main.md", "one\ntwo\n@import a.md\nfour\n")
    a = tree.write("a.md", "first\nsecond\n")
    found = tree.expand("one\ntwo\n@import a.md\nfour\n", BEANS, path=main)
    told = [(p.path, p.first_line, p.last_line, p.imported_from) for p in found.pieces]
    assert told == [(main, 1, 3, ""), (a, 1, 2, main), (main, 3, 4, "")]
    assert "".join(piece.text for piece in found.pieces) == found.text


# Claude Code


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("@a.md", ["a.md"]),
        ("see @./docs/a.md, and @~/b.md", ["./docs/a.md,", "~/b.md"]),
        ("x\n@/abs/a.md\t@../up.md", ["/abs/a.md", "../up.md"]),
        ("@my\\ file.md rest", ["my file.md"]),
        ("@a.md#section", ["a.md"]),
        ("@-a.md @_b.md @1.md @.c.md", ["-a.md", "_b.md", "1.md", ".c.md"]),
        ("@@a.md @#a @%a @(a) @/ @ me@a.md (@a.md)", []),
        ("x\u00a0@a.md", ["a.md"]),
        ("**@a.md** and _@b.md_", ["a.md", "b.md"]),
        ("`@a.md` ``@b.md ` @c.md``", []),
        ("```\n@a.md\n```\n@b.md", ["b.md"]),
        ("text\n\n    @code.md\n\n@b.md", ["b.md"]),
        ("- item\n\n    @part-of-the-item.md", ["part-of-the-item.md"]),
        ("<!-- @a.md -->\n@b.md", ["b.md"]),
        ("<!-- @a.md", []),
        ("open ` tick @a.md\n\n` @b.md", ["a.md", "b.md"]),
        ("\\`@a.md @b.md", ["b.md"]),
        ("\\`a @c.md` @b.md `", ["c.md"]),
    ],
)
def test_claude_code_takes_these_for_imports(text: str, found: list[str]) -> None:
    assert paths(text, CLAUDE) == found


def test_a_claude_file_may_import_as_beans_does_unless_its_own_view_is_asked_for(
    tree: MemoryTree,
) -> None:
    tree.write("a.md", "IMPORTED @b.md")
    tree.write("b.md", "NESTED")
    text = "top\n@import a.md\n@none.md\n"
    both = tree.expand(text, BOTH)
    assert "IMPORTED" in both.text
    assert "NESTED" in both.text
    assert both.text.startswith("top\n@import a.md\n@none.md <!-- Import not found: none.md -->\n")
    assert "IMPORTED" not in tree.expand(text, CLAUDE).text


def test_what_a_comment_hides_is_neither_imported_nor_shown_nor_explained(
    tree: MemoryTree,
) -> None:
    text = "top\n<!--\n@import docs/none.md\n@docs/none.md\n-->\nend\n"
    for dialect in (BOTH, CLAUDE):
        found = tree.expand(text, dialect)
        assert found.text == "top\n\nend\n"
        assert found.problems == []


def test_an_entry_is_told_from_what_it_follows_however_it_begins(tree: MemoryTree) -> None:
    tree.write("a.md", "\n\nA\n")
    text = tree.expand("@a.md", CLAUDE).text
    assert text == "@a.md\n<!-- Imported from: a.md -->\n\n\nA\n<!-- End of import: a.md -->"


def test_imported_files_follow_as_entries_of_their_own(tree: MemoryTree) -> None:
    main = tree.write("CLAUDE.md", "see @a.md now\n")
    a = tree.write("a.md", "A\n")
    found = tree.expand("see @a.md now\n", CLAUDE, path=main)
    assert [piece.path for piece in found.pieces] == [main, a]
    assert found.pieces[0].text == "see @a.md now\n"
    assert "A" in found.pieces[1].text
    assert found.pieces[1].imported_from == main


def test_what_nobody_meant_as_a_file_is_left_alone_and_a_missing_path_is_told(
    tree: MemoryTree,
) -> None:
    found = tree.expand("ask @alice, use @types and @docs/none.md\n", CLAUDE)
    assert found.text == (
        "ask @alice, use @types and @docs/none.md <!-- Import not found: docs/none.md -->\n"
    )


def test_many_people_named_do_not_use_up_the_imports(tree: MemoryTree) -> None:
    tree.write("a.md", "REACHED")
    text = " ".join(f"@user{n}" for n in range(60)) + " @a.md"
    assert "REACHED" in tree.expand(text, CLAUDE).text


def test_files_five_hops_away_are_not_read(tree: MemoryTree) -> None:
    for n in range(1, 7):
        tree.write(f"{n}.md", f"hop {n} @{n + 1}.md")
    found = tree.expand("@1.md", CLAUDE)
    assert "hop 4" in found.text
    assert "hop 5" not in found.text
    assert [p.what for p in found.problems] == ["depth"]


def test_a_file_named_twice_is_one_entry_and_a_circle_is_named(tree: MemoryTree) -> None:
    main = tree.write("CLAUDE.md", "@a.md @a.md @b.md")
    tree.write("a.md", "AAA @b.md @CLAUDE.md")
    tree.write("b.md", "BBB")
    text = tree.expand("@a.md @a.md @b.md", CLAUDE, path=main).text
    assert (text.count("AAA"), text.count("BBB")) == (1, 1)
    assert "<!-- Circular import detected: CLAUDE.md -->" in text


# Choosing, and laws of all dialects


@pytest.mark.parametrize(
    ("name", "dialect"),
    [("CLAUDE.md", BOTH), ("CLAUDE.local.md", BOTH), ("GEMINI.md", GEMINI), ("BEANS.md", BEANS),
     ("AGENTS.md", BEANS), ("MEMORY.md", BEANS)],
)  # fmt: skip
def test_the_name_of_a_file_says_its_dialect_unless_a_setting_does(name: str, dialect: str) -> None:
    assert dialect_of(name) == dialect
    assert dialect_of(name, "none") == "none"


texts = st.text(st.sampled_from("`@a./\n ~-\\#x\t<!>*"), max_size=60)


@given(texts)
def test_backticks_are_paired_as_the_regular_expression_pairs_them(text: str) -> None:
    wanted = [match.span() for match in re.finditer(r"(`+)([\s\S]*?)\1", text)]
    assert backtick_regions(text) == wanted


@given(texts, st.sampled_from((*DIALECTS, BOTH)))
def test_imports_are_in_order_apart_and_written_where_they_are_said_to_be(
    text: str, dialect: str
) -> None:
    end = 0
    for one in mentions(text, dialect):
        assert end <= one.start < one.end <= len(text)
        assert text[one.start] == "@"
        written = text[one.start : one.end].replace("\\ ", " ")
        assert one.path in written
        end = one.end


@given(texts, st.sampled_from((BEANS, CLAUDE, GEMINI)))
def test_no_import_stands_in_a_fenced_block(text: str, dialect: str) -> None:
    fenced = "````\n" + text.replace("`", "'") + "\n````\n"
    assert mentions(fenced, dialect) == []


@given(texts, st.sampled_from((BEANS, CLAUDE, GEMINI)))
def test_a_text_before_a_blank_line_and_closed_code_changes_nothing_behind(
    text: str, dialect: str
) -> None:
    before = text.replace("`", "'").replace("<", "(")
    line = "\n\n@import q.md\n" if dialect == BEANS else "\n\n@q.md\n"
    assert paths(before + line, dialect)[-1:] == ["q.md"]


@pytest.mark.parametrize("dialect", [BEANS, BOTH, CLAUDE, GEMINI])
@pytest.mark.parametrize(
    "attack",
    ["`" * 100_000, "@" * 100_000, "@a " * 33_000, "<!--" * 25_000, "```\n" * 25_000,
     " ".join("`" * (n % 60 + 1) for n in range(3000)), "@" + "a" * 100_000, "***@a " * 16_000,
     "\\`" * 50_000, "@import a\n" * 10_000, "@a\\ " * 25_000, "- `\n\n" * 20_000,
     "@import a @a @a\n" * 6000],
    ids=range(13),
)  # fmt: skip
def test_no_text_holds_the_scanner_up(dialect: str, attack: str) -> None:
    best = 1e9
    for _ in range(3):
        began = time.process_time()
        mentions(attack, dialect)
        best = min(best, time.process_time() - began)
    assert best < 0.2 * SLOWNESS


def test_comments_that_stand_alone_are_taken_out_and_others_stay(tree: MemoryTree) -> None:
    text = "a\n<!-- hidden\n@x.md -->\nb <!-- stays -->\n```\n<!-- code -->\n```\n"
    assert tree.expand(text, CLAUDE).text == "a\n\nb <!-- stays -->\n```\n<!-- code -->\n```\n"
