"""Identity files: which are read, what is read of them, and what a new row leaves alone."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordinary_user import as_ordinary_user, reachable_directory
from satchel.core.errors import BadInputError, NotFoundError
from satchel.features.agents.decisions import (
    cells_of,
    decisions_in,
    log_decision,
    row_of,
    tables,
    with_row,
)
from satchel.features.agents.files import LARGEST, IdentityFiles, check_name
from satchel.features.agents.service import answers, files_for
from satchel.features.agents.values import EAGER, FILES, Decision, IdentityFile, read_soul

SOUL = """# Agent: Daneel

## Role
SysAdmin & Infrastructure

### Personality
- Methodical, precise

## capabilities
- exec — executing shell commands
* `ssh` - remote access
1. docker: containers
- git

## Boundaries
- Must NOT make financial decisions
- Escalate security incidents to hardin

## Division
Infrastructure
"""

CELL = st.text(st.characters(codec="utf-8", exclude_characters="\\"), max_size=30)


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "../x", "a/b", "a\\b", "a b", "-x", ".hidden", "x.", "a..b", "souls", "x" * 65,
     "a\x00b", "a\nb"],
)  # fmt: skip
def test_no_name_is_a_path(name: str) -> None:
    with pytest.raises(BadInputError):
        check_name(name)


@pytest.mark.parametrize("name", ["seldon", "r2-d2", "Ärzte", "v1.2", "a_b", "x"])
def test_ordinary_names_are_names(name: str) -> None:
    assert check_name(name) == name


def test_a_soul_is_read_whatever_the_case_and_level_of_its_headings() -> None:
    soul = read_soul(SOUL, "daneel")
    assert (soul.name, soul.division) == ("Daneel", "Infrastructure")
    assert soul.role == "SysAdmin & Infrastructure"
    assert [one.name for one in soul.capabilities] == ["exec", "ssh", "docker", "git"]
    assert soul.capabilities[0].description == "executing shell commands"
    assert soul.must_not == ("Must NOT make financial decisions",)
    assert len(soul.boundaries) == 2


@given(st.text())
def test_whatever_a_soul_says_it_is_read(text: str) -> None:
    assert read_soul(text, "x").name is not None


@given(st.lists(CELL, min_size=1, max_size=6))
def test_a_row_gives_its_cells_back(cells: list[str]) -> None:
    row = row_of(cells)
    assert "\n" not in row
    clean = [" ".join(cell.split()) for cell in cells]
    found = cells_of(row)
    assert list(found) == clean[: len(found)]
    assert not any(clean[len(found) :])


LINES = st.lists(
    st.sampled_from(["text", "", "## Heading", "- item", "> quote", "```", "a | b", "   code"])
    | st.text(st.characters(codec="utf-8", exclude_characters="\r\n|"), max_size=20),
    max_size=8,
)


@given(before=LINES, after=LINES, rows=st.integers(0, 3), crlf=st.booleans())
def test_a_new_row_changes_no_other_line(
    before: list[str], after: list[str], rows: int, *, crlf: bool
) -> None:
    end = "\r\n" if crlf else "\n"
    table = ["| Date | Topic | Decision | Notes |", "|:---|---|---:|---|"]
    table += [f"| 2026-01-0{n + 1} |  t{n}| kept  as it is | x |" for n in range(rows)]
    fenced = before.count("```") % 2 == 1
    text = end.join([*before, "", *table, "", *after])
    found = with_row(text, ("date", "topic", "decision"), {"date": "D", "topic": "T"})
    if found is None:
        assert fenced
        return
    old, new = text.split(end), found.split(end)
    (added,) = [i for i, line in enumerate(new) if line == "| D | T |  |  |"][:1]
    assert new[:added] + new[added + 1 :] == old
    assert old[added - 1] == table[-1]


def test_a_row_that_held_the_table_open_makes_room() -> None:
    text = "| Date | Topic | Decision |\n|---|---|---|\n| — | — | — |\n\nmore\n"
    found = with_row(text, ("date", "topic", "decision"), {"date": "D", "topic": "T"})
    assert found == "| Date | Topic | Decision |\n|---|---|---|\n| D | T |  |\n\nmore\n"


def test_an_example_in_code_is_no_table() -> None:
    text = "```\n| Date | Topic | Decision |\n|---|---|---|\n```\n"
    assert with_row(text, ("date", "topic"), {}) is None
    assert tables(text) == []


def test_decisions_are_logged_one_after_the_other(tmp_path: Path) -> None:
    path, lock = str(tmp_path / "a" / "DECISIONS.md"), str(tmp_path / "lock")
    first = Decision("cache", "use a|pipe", "it is\nfast", ("redis", "memcached"), "api")
    log_decision(path, lock, first, "bob", 1_767_225_600.0)
    Path(path).write_text(Path(path).read_text("utf-8") + "\n## Notes\nby hand\n", "utf-8")
    os.chmod(path, 0o640)
    log_decision(path, lock, first._replace(topic="queue"), "bob", 1_767_312_000.0)
    text = Path(path).read_text("utf-8")
    rows = decisions_in(text)
    assert [row["topic"] for row in rows] == ["cache", "queue"]
    assert [row["date"] for row in rows] == ["2026-01-01", "2026-01-02"]
    assert rows[0]["decision"] == "use a|pipe"
    assert rows[0]["rationale"] == "it is fast"
    assert rows[0]["alternatives considered"] == "redis, memcached"
    assert text.endswith("\n## Notes\nby hand\n")
    assert os.stat(path).st_mode & 0o777 == 0o640


def test_a_file_without_a_table_gets_one(tmp_path: Path) -> None:
    path = tmp_path / "DECISIONS.md"
    path.write_text("# Ours\n\nA text without a newline at its end", "utf-8")
    log_decision(str(path), str(tmp_path / "l"), Decision("t", "d", "r"), "bob", 0.0)
    text = path.read_text("utf-8")
    assert text.startswith("# Ours\n\nA text without a newline at its end\n\n## Decision Log\n")
    assert [row["topic"] for row in decisions_in(text)] == ["t"]


# Which files are read


class Places:
    def __init__(self, root: Path) -> None:
        self.root = root / "project"
        self.outside = root / "outside"
        self.outside.mkdir()
        self.own, self.foundation = self.root / ".satchel" / "agents", self.root / "agents"
        self.files = IdentityFiles([str(self.own), str(self.foundation)], [str(self.root)])

    def put(self, path: Path, text: str) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path)


def test_the_first_place_wins_file_by_file_and_shared_files_fill_in(places: Places) -> None:
    places.put(places.foundation / "bob" / "SOUL.md", "foundation soul")
    places.put(places.foundation / "bob" / "MEMORY.md", "foundation memory")
    places.put(places.own / "bob" / "SOUL.md", "own soul")
    places.put(places.own / "USER.md", "of everybody")
    places.put(places.own / "MEMORY.md", "never shared")
    found = places.files.read("bob", FILES)
    assert [(f.label, f.text, f.shared) for f in found] == [
        ("SOUL", "own soul", False), ("USER", "of everybody", True), ("MEMORY", "foundation memory", False),
    ]  # fmt: skip
    assert [f.label for f in places.files.read("bob", EAGER)] == ["SOUL", "USER"]


def test_names_are_those_with_files_and_spelled_as_on_disk(places: Places) -> None:
    places.put(places.own / "Bob" / "SOUL.md", "x")
    places.put(places.foundation / "ann" / "MEMORY.md", "x")
    places.put(places.foundation / "souls" / "ares-SOUL.md", "extra soul")
    (places.foundation / "empty").mkdir()
    assert places.files.names() == ["ann", "ares", "Bob"]
    assert places.files.known("bOB") == "Bob"
    assert places.files.read("ares")[0].text == "extra soul"
    with pytest.raises(NotFoundError):
        places.files.known("empty")


@pytest.mark.parametrize("kind", ["link out", "fifo", "directory", "too large"])
def test_what_is_no_file_of_the_project_is_not_read(places: Places, kind: str) -> None:
    path = places.put(places.own / "bob" / "SOUL.md", "fine")
    path.unlink()
    if kind == "link out":
        path.symlink_to(places.put(places.outside / "secret.md", "secret"))
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "directory":
        path.mkdir()
    else:
        path.write_bytes(b"x" * (LARGEST + 1))
    assert places.files.read("bob") == []


def test_a_file_without_permission_is_not_read_and_the_others_are() -> None:
    with reachable_directory() as root:
        directory = os.path.join(root, "agents", "bob")
        os.makedirs(directory)
        for name in ("SOUL.md", "USER.md"):
            with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
                file.write(name)
        os.chmod(os.path.join(directory, "SOUL.md"), 0)
        files = IdentityFiles((os.path.join(root, "agents"),), (root,))
        with as_ordinary_user():
            assert [one.label for one in files.read("bob")] == ["USER"]


def test_a_link_inside_the_project_is_followed(places: Places) -> None:
    real = places.put(places.root / "docs" / "soul.md", "linked")
    (places.own / "bob").mkdir(parents=True)
    (places.own / "bob" / "SOUL.md").symlink_to(real)
    assert places.files.read("bob")[0].text == "linked"


# Questions


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("who am I?", "SOUL"), ("what is my role", "SOUL"), ("my personality", "SOUL"),
        ("what are my preferences", "USER"), ("my settings", "USER"),
        ("what did I decide", "DECISIONS"), ("what do I remember", "MEMORY"),
    ],
)  # fmt: skip
def test_a_question_is_about_a_file(question: str, first: str) -> None:
    assert files_for(question)[0] == first


def test_who_am_i_is_answered_by_the_soul_and_a_word_by_the_section_that_has_it() -> None:
    files = [
        IdentityFile("SOUL", "/s", SOUL),
        IdentityFile("USER", "/u", "# User\n\n## Preferences\n- four spaces, no tabs\n"),
        IdentityFile("MEMORY", "/m", "# M\n\n## Facts\n\n| Subject | Object |\n|---|---|\n"),
    ]
    hits = answers("who am I", "daneel", files, 3)
    assert hits[0].label == "SOUL"
    assert hits[0].title == "Role"
    assert answers("what is my role", "daneel", files, 1)[0].title == "Role"
    assert answers("may I make financial decisions", "d", files, 1)[0].title == "Boundaries"
    assert answers("my preferences", "d", files, 1)[0].text == "- four spaces, no tabs"
    assert "MEMORY" not in [hit.label for hit in answers("what do I remember", "d", files, 9)]
    assert answers("weather in Paris", "d", files, 3) == []
