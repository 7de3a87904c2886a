"""Saving an entry: what is kept of it, where it goes, what stays as it was, what it clashes with."""

import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.core.errors import BadInputError, ConflictError
from satchel.engine.statements.contradictions import AGAINST, SAME, Clash, Rule, clashes
from satchel.features.instructions.rule_lines import rules_in
from satchel.features.instructions.saving import (
    Proposal,
    Target,
    entry_text,
    ignore_change,
    propose,
    section_of,
    with_entry,
)
from satchel.features.instructions.scanning import BEANS, CLAUDE, GEMINI, mentions

SECTION = "Added Memories"


@pytest.mark.parametrize(
    ("given_text", "kept"),
    [
        ("plain", "plain"),
        ("two\nlines\r\nthree", "two lines three"),
        ("  - item ", "item"),
        ("- - -- deep", "deep"),
        ("## Heading", "Heading"),
        ("#- # mixed", "mixed"),
        ("a <b>c</b> <!-- d -->", "a  b c /b   !-- d --"),
        ("red \x1b[31mtext\x1b[0m \u202eevil\u200b \x00", "red text evil"),
        ("use @docs/x.md", "use `@docs/x.md`"),
        ("mail a@b.org", "mail a@b.org"),
        ("key AKIAIOSFODNN7EXAMPLE", "key [redacted:aws-key]"),
        ("---", ""),
        ("\n\t ", ""),
    ],
)
def test_of_a_text_one_harmless_line_is_kept(given_text: str, kept: str) -> None:
    got = entry_text(given_text)
    if "redacted" in kept:
        assert "AKIA" not in got
        assert got.startswith("key [redacted:")
        assert entry_text(given_text, secrets=True) == given_text
    else:
        assert got == kept


@given(st.text(max_size=80))
def test_an_entry_is_never_more_than_a_line_and_never_an_import(text: str) -> None:
    entry = entry_text(text)
    assert "\n" not in entry
    assert "\r" not in entry
    assert "<" not in entry
    assert not entry.startswith(("-", "#"))
    line = f"- {entry}\n"
    assert [mentions(line, dialect) for dialect in (BEANS, CLAUDE, GEMINI)] == [[], [], []]


def test_an_entry_that_is_saved_twice_is_the_same() -> None:
    once = entry_text("- see <x> @a.md and `code`")
    assert entry_text(once) == once


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "## Added Memories\n- e\n"),
        ("# T\n", "# T\n\n## Added Memories\n- e\n"),
        ("# T", "# T\n\n## Added Memories\n- e\n"),
        ("# T\n\n", "# T\n\n## Added Memories\n- e\n"),
        ("## Added Memories\n", "## Added Memories\n- e\n"),
        ("## Added Memories\n- a\n", "## Added Memories\n- a\n- e\n"),
        ("## Added Memories\n- a", "## Added Memories\n- a\n- e\n"),
        (
            "## Added Memories\n- a\n\n\n## Next\nx\n",
            "## Added Memories\n- a\n- e\n\n\n## Next\nx\n",
        ),
        ("## Added Memories\n- a\n\ntail  \n\n", "## Added Memories\n- a\n\ntail  \n- e\n\n"),
        ("# T\r\ntext\r\n", "# T\r\ntext\r\n\r\n## Added Memories\r\n- e\r\n"),
        (
            "```\n## Added Memories\n```\n",
            "```\n## Added Memories\n```\n\n## Added Memories\n- e\n",
        ),
        ("### Added Memories\n", "### Added Memories\n- e\n"),
        ("## Added Memories too\n", "## Added Memories too\n\n## Added Memories\n- e\n"),
        ("\ufeff# T\n", "\ufeff# T\n\n## Added Memories\n- e\n"),
        ("## Added Memories\n\n### Sub\nx\n", "## Added Memories\n- e\n\n### Sub\nx\n"),
    ],
)
def test_an_entry_goes_to_the_end_of_its_section(before: str, after: str) -> None:
    assert with_entry(before.encode(), "e", SECTION).decode() == after


@given(st.binary(max_size=120), st.sampled_from(("Added Memories", "A", "X y")))
def test_every_byte_that_is_no_entry_stays(data: bytes, section: str) -> None:
    for text in (data, b"## A\r\n" + data, data + b"\n## A\n- x\n\n# End", data + b"\n"):
        after = with_entry(text, "e", section)
        rest = iter(after)
        assert all(byte in rest for byte in text), "something was lost or moved"
        assert b"- e" in after
        assert len(after) <= len(text) + len(section.encode()) + 16


@pytest.mark.parametrize(
    ("name", "section"),
    [
        ("GEMINI.md", "Gemini Added Memories"),
        ("BEANS.local.md", "Beans Added Memories"),
        ("AGENTS.md", "Added Memories"),
    ],
)
def test_the_section_is_the_clients_own(name: str, section: str) -> None:
    assert section_of(name) == section


# Proposals


@pytest.fixture
def place(tmp_path: os.PathLike[str]) -> str:
    return os.path.realpath(os.fspath(tmp_path))


def proposed(
    place: str, name: str = "AGENTS.md", *, own: bool = False, text: str = "be kind"
) -> Proposal:
    target = Target(os.path.join(place, name), own, (place,))
    lock = os.path.join(place, "locks", "l")
    return propose(text, target, SECTION, lock=lock, clashing=lambda _: ())


def write(place: str, name: str, data: bytes) -> str:
    path = os.path.join(place, name)
    with open(path, "wb") as file:
        file.write(data)
    return path


def test_nothing_is_written_before_it_is_applied(place: str) -> None:
    path = write(place, "AGENTS.md", b"# T\n")
    proposal = proposed(place)
    with open(path, "rb") as file:
        assert file.read() == b"# T\n"
    assert "+- be kind\n" in proposal.diff
    assert proposal.apply() == [path]
    with open(path, "rb") as file:
        assert file.read() == b"# T\n\n## Added Memories\n- be kind\n"


def test_a_file_that_changed_since_the_diff_is_not_written(place: str) -> None:
    path = write(place, "AGENTS.md", b"# T\n")
    proposal = proposed(place)
    write(place, "AGENTS.md", b"# Another\n")
    with pytest.raises(ConflictError, match="has changed since"):
        proposal.apply()
    with open(path, "rb") as file:
        assert file.read() == b"# Another\n"


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o755])
def test_a_file_keeps_its_mode(place: str, mode: int) -> None:
    path = write(place, "AGENTS.md", b"x\n")
    os.chmod(path, mode)
    proposed(place).apply()
    assert stat.S_IMODE(os.stat(path).st_mode) == mode


def test_a_new_file_is_for_all_and_a_local_one_for_its_owner(place: str) -> None:
    proposed(place).apply()
    proposed(place, "AGENTS.local.md", own=True).apply()
    modes = [
        os.stat(os.path.join(place, n)).st_mode & 0o777 for n in ("AGENTS.md", "AGENTS.local.md")
    ]
    assert modes == [0o644, 0o600]


def test_a_link_stays_a_link_and_its_file_is_written(place: str) -> None:
    real = write(place, "AGENTS.md", b"x\n")
    os.symlink("AGENTS.md", os.path.join(place, "CLAUDE.md"))
    assert proposed(place, "CLAUDE.md").apply() == [real]
    assert os.path.islink(os.path.join(place, "CLAUDE.md"))


def test_a_link_that_leads_elsewhere_is_not_written_through(place: str) -> None:
    inner = os.path.join(place, "project")
    os.mkdir(inner)
    outside = write(place, "outside.md", b"x\n")
    os.symlink(outside, os.path.join(inner, "AGENTS.md"))
    with pytest.raises(BadInputError, match="where instruction files are not written"):
        proposed(inner)
    with open(outside, "rb") as file:
        assert file.read() == b"x\n"


def test_a_pipe_is_no_target(place: str) -> None:
    os.mkfifo(os.path.join(place, "AGENTS.md"))
    with pytest.raises(BadInputError, match="not a regular file"):
        proposed(place)


@pytest.mark.parametrize("text", ["", " \n", "---", "\u200b\u202e", "# #"])
def test_nothing_is_nothing_to_save(place: str, text: str) -> None:
    with pytest.raises(BadInputError, match="nothing to save"):
        proposed(place, text=text)


def test_what_stands_already_is_not_written_again(place: str) -> None:
    rule = Rule("AGENTS.md", 3, "be kind")
    target = Target(os.path.join(place, "AGENTS.md"), own=False, within=(place,))
    proposal = propose(
        "be kind", target, SECTION, lock=os.path.join(place, "l"),
        clashing=lambda _: (Clash(SAME, rule, "x"),),
    )  # fmt: skip
    assert proposal.repeats is not None
    assert proposal.changes == ()


@pytest.mark.parametrize(
    ("before", "name", "after"),
    [
        (None, "AGENTS.local.md", b"/AGENTS.local.md\n"),
        (b"*.pyc", "AGENTS.local.md", b"*.pyc\n/AGENTS.local.md\n"),
        (b"a\r\n", "x/B.local.md", b"a\r\n/x/B.local.md\r\n"),
        (b"", "a [1].local.md", b"/a\\ \\[1\\].local.md\n"),
    ],
)
def test_a_local_file_is_ignored_by_its_own_line(
    place: str, before: bytes | None, name: str, after: bytes
) -> None:
    if before is not None:
        write(place, ".gitignore", before)
    change = ignore_change(place, os.path.join(place, name))
    assert (change.before, change.after) == (before, after)


# Clashes


@pytest.mark.parametrize(
    ("entry", "rule", "what"),
    [
        ("Always run the tests", "Run the tests.", SAME),
        ("run the linter before pushing", "Run the linter before pushing!", SAME),
        ("Never commit to main", "Commit to main", AGAINST),
        ("Use tabs for indentation", "Indent with spaces", AGAINST),
        ("Use 4-space indentation", "Use 2-space indentation", AGAINST),
        ("Use pnpm for installing packages", "Use npm for installing packages", AGAINST),
        ("Use double quotes in Python", "Prefer single quotes in Python", AGAINST),
        ("The port is 8080", "The port is 9090", AGAINST),
        ("Deploy on Friday", "The linter is ruff", None),
        ("Tests live in tests/unit", "Never push without a review", None),
    ],
)
def test_rules_that_say_the_same_or_the_contrary_are_found(
    entry: str, rule: str, what: str | None
) -> None:
    found = clashes(entry, [Rule("AGENTS.md", 1, rule)])
    assert [one.what for one in found] == ([what] if what else [])


def test_rules_are_items_and_sentences_with_their_lines() -> None:
    text = (
        "# Title here\n\n- one rule\n```\n- in code\n```\n1. x\nA sentence here.\n<!-- a note -->\n"
    )
    assert [(r.line, r.text) for r in rules_in("a.md", text)] == [
        (3, "one rule"), (7, "1. x"), (8, "A sentence here."),
    ]  # fmt: skip
