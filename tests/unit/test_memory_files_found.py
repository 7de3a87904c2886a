"""Which instruction files count, in which order, and what their heads say."""

import hashlib
import os
import threading
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machine_speed import SLOWNESS
from satchel.clients.contract.instructions import ALWAYS, CONDITIONAL, ON_REQUEST
from satchel.clients.registry import ALIASES
from satchel.clients.transcript_format.project_key import project_key
from satchel.features.instructions.discovery import (
    DIRECTORIES,
    READS,
    DiscoveryRequest,
    candidates,
    discover,
    run_concurrently,
)
from satchel.features.instructions.front_matter import by_lines, migrated, read_front_matter
from satchel.features.instructions.globs import matches
from satchel.features.instructions.places import Homes
from unit.memory_trees import MemoryTree

NAMES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", "BEANS.md")


@pytest.fixture
def tree(tmp_path: os.PathLike[str]) -> MemoryTree:
    return MemoryTree(tmp_path)


def wanted(tree: MemoryTree, below: str = "", **fields: Any) -> DiscoveryRequest:
    home = tree.home
    homes = Homes(home, home + "/.satchel", home + "/.beans", {n: f"{home}/.{n}" for n in ALIASES})
    cwd = os.path.join(tree.root, below) if below else tree.root
    return DiscoveryRequest(tree.root, cwd, homes, **{"names": NAMES, **fields})


def found(tree: MemoryTree, below: str = "", **fields: Any) -> list[str]:
    """Names of what was found, below the project or the home, in order."""
    paths = [source.path for source in discover(wanted(tree, below, **fields))]
    return [path.replace(tree.root + "/", "").replace(tree.home, "~") for path in paths]


def test_tiers_come_in_order_and_what_overrides_comes_later(tree: MemoryTree) -> None:
    names = [
        "~/.beans/BEANS.md", "~/.beans/BEANS.local.md", "plugins/dev/memory/BEANS.md",
        ".satchel/TEAM.md", ".beans/BEANS.md", "BEANS.md", ".beans/BEANS.local.md",
        "BEANS.local.md",
    ]  # fmt: skip
    for name in reversed(names):
        tree.write(name.replace("~", tree.home), f"text of {name}")
    order = found(tree)
    # .beans/BEANS.local.md has 100 like BEANS.md, and its tier decides.
    assert order == names


def test_figures_of_beans_are_the_priorities(tree: MemoryTree) -> None:
    places = {
        f"{tree.home}/.beans/BEANS.md": 0, f"{tree.home}/.beans/BEANS.local.md": 1,
        "plugins/p/memory/BEANS.md": 50, ".beans/BEANS.md": 99, "BEANS.md": 100,
        "BEANS.local.md": 101,
    }  # fmt: skip
    for name in places:
        tree.write(name, "x")
    assert {s.path: s.priority for s in discover(wanted(tree))} == {
        os.path.join(tree.root, name): priority for name, priority in places.items()
    }


def test_every_directory_from_the_top_to_where_the_agent_works_counts(tree: MemoryTree) -> None:
    for name in ("AGENTS.md", "a/AGENTS.md", "a/b/CLAUDE.md", "a/x/AGENTS.md", "a/b/c/AGENTS.md"):
        tree.write(name, "x")
    assert found(tree, "a/b") == ["AGENTS.md", "a/AGENTS.md", "a/b/CLAUDE.md"]
    assert found(tree) == ["AGENTS.md"]


def test_files_on_the_way_to_what_is_at_hand_count(tree: MemoryTree) -> None:
    tree.write("AGENTS.md", "x")
    tree.write("pkg/AGENTS.md", "x")
    near = (os.path.join(tree.root, "pkg", "deep", "file.py"),)
    assert found(tree, near=near) == ["AGENTS.md", "pkg/AGENTS.md"]


def test_directories_below_are_searched_only_if_asked_and_never_more_than_asked(
    tree: MemoryTree,
) -> None:
    for number in range(30):
        tree.write(f"d{number:02}/AGENTS.md", "x")
    tree.write("node_modules/AGENTS.md", "x")
    assert found(tree) == []
    assert len(found(tree, search=10)) == 10
    assert len(found(tree, search=500, exclude=("node_modules",))) == 30


def test_hidden_and_foreign_places_are_known(tree: MemoryTree) -> None:
    names = {
        ".claude/CLAUDE.md", ".beans/BEANS.md", ".gemini/GEMINI.md", ".satchel/MEMORY.md",
        ".agents/AGENTS.md", ".claude/rules/deep/style.md", ".cursor/rules/base.mdc",
        ".cursorrules", ".github/copilot-instructions.md",
        ".github/instructions/py.instructions.md", "CLAUDE.local.md", ".satchel/team/shared.md",
        "AGENTS.override.md",
    }  # fmt: skip
    for name in names:
        tree.write(name, "x")
    tree.write(".cursor/rules/ignored.md", "x")
    tree.write(".claude/rules/ignored.txt", "x")
    assert set(found(tree)) == names


def test_what_clients_keep_for_the_person_is_known(tree: MemoryTree) -> None:
    key = project_key(tree.root)
    names = [
        "~/.claude/CLAUDE.md", "~/.codex/AGENTS.md", "~/.gemini/GEMINI.md",
        "~/.copilot/copilot-instructions.md", "~/.copilot/AGENTS.md", "~/.claude/rules/a.md",
        f"~/.claude/projects/{key}/memory/MEMORY.md", f"~/.claude/projects/{key}/memory/topic.md",
        f"~/.claude/projects/{key}/memory/team/t.md", "~/.codex/memories/m.md",
        "~/.copilot/instructions/x.instructions.md", "~/.satchel/MEMORY.md",
    ]  # fmt: skip
    for name in names:
        tree.write(name.replace("~", tree.home), "x")
    tree.write(f"{tree.home}/.claude/projects/-other/memory/MEMORY.md", "another project's")
    assert set(found(tree)) == set(names)
    by_name = {os.path.basename(s.path): s for s in discover(wanted(tree)) if "projects" in s.path}
    assert by_name["MEMORY.md"].kind == ALWAYS
    assert (by_name["MEMORY.md"].most_lines, by_name["MEMORY.md"].most_bytes) == (200, 25_000)
    assert by_name["topic.md"].kind == ON_REQUEST
    assert not [name for name in found(tree, auto=False) if "projects" in name]


def test_gemini_names_a_project_by_a_hash_or_by_a_word_that_a_file_explains(
    tree: MemoryTree,
) -> None:
    hashed = hashlib.sha256(tree.root.encode()).hexdigest()
    for name in (hashed, "project", "another"):
        tree.write(f"{tree.home}/.gemini/tmp/{name}/memory/MEMORY.md", "x")
    tree.write(f"{tree.home}/.gemini/tmp/project/.project_root", tree.root + "\n")
    tree.write(f"{tree.home}/.gemini/tmp/another/.project_root", "/elsewhere")
    tmp = "~/.gemini/tmp"
    assert set(found(tree)) == {f"{tmp}/{n}/memory/MEMORY.md" for n in (hashed, "project")}


def test_an_agent_has_memory_of_its_own(tree: MemoryTree) -> None:
    tree.write(".claude/agent-memory/reviewer/MEMORY.md", "x")
    tree.write(".claude/agent-memory/other/MEMORY.md", "x")
    tree.write("../MEMORY.md", "another's")
    assert found(tree, agent="reviewer") == [".claude/agent-memory/reviewer/MEMORY.md"]
    assert found(tree) == []
    assert found(tree, agent="../../..") == []


def test_a_linked_directory_of_rules_is_not_walked_into(tree: MemoryTree) -> None:
    tree.write(".claude/rules/a.md", "x")
    os.symlink(".", os.path.join(tree.root, ".claude", "rules", "again"))
    assert found(tree) == [".claude/rules/a.md"]


def test_a_team_may_keep_its_files_elsewhere(tree: MemoryTree) -> None:
    path = tree.write("../team/rules.md", "x")
    assert [s.tier for s in discover(wanted(tree, team=os.path.dirname(path)))] == ["team"]


@pytest.mark.parametrize("pattern", ["vendor", "vendor/**", "**/CLAUDE.md", "vendor/CLAUDE.md"])
def test_what_is_excluded_does_not_count(tree: MemoryTree, pattern: str) -> None:
    tree.write("AGENTS.md", "x")
    tree.write("vendor/CLAUDE.md", "x")
    assert found(tree, "vendor", exclude=(pattern,)) == ["AGENTS.md"]
    assert found(tree, "vendor") == ["AGENTS.md", "vendor/CLAUDE.md"]


def test_another_name_is_looked_for_where_the_default_ones_are(tree: MemoryTree) -> None:
    names = ["~/.beans/NOTES.md", ".satchel/NOTES.md", "NOTES.md", "NOTES.local.md"]
    for name in names:
        tree.write(name.replace("~", tree.home), "x")
    assert found(tree, names=("NOTES.md",)) == names
    assert found(tree, names=("NOTES.md",), local=False) == names[:3]


def test_every_file_that_counts_by_its_name_is_a_candidate(tree: MemoryTree) -> None:
    asked = wanted(tree)
    for name in ("AGENTS.md", ".beans/BEANS.md", "CLAUDE.local.md", ".satchel/TEAM.md"):
        assert tree.write(name, "x") in candidates(asked)


# Heads


def test_a_head_says_version_priority_and_whether_the_file_counts() -> None:
    head = read_front_matter(b"---\nversion: 1\npriority: 7\nenabled: false\n---\n# Text\n")
    assert (head.version, head.priority, head.enabled) == (1, 7, False)
    assert (head.body, head.body_line) == (b"# Text\n", 6)


def test_without_a_head_everything_is_as_it_was() -> None:
    head = read_front_matter(b"# Text\n")
    assert (head.version, head.priority, head.enabled, head.kind) == (1, None, True, ALWAYS)


def test_a_file_from_before_there_were_versions_is_brought_to_this_one() -> None:
    fields, told = migrated({"disabled": True, "priority": 3})
    assert fields == {"enabled": False, "priority": 3, "version": 1}
    assert told == ()
    assert read_front_matter(b"---\ndisabled: true\n---\nx").enabled is False


def test_two_rules_with_a_text_between_them_are_no_head() -> None:
    data = b"---\nA sentence, and no field\n---\nmore\n"
    assert read_front_matter(data).body == data


def test_a_newer_version_is_read_as_far_as_it_is_known_and_told() -> None:
    head = read_front_matter(b"---\nversion: 9\nenabled: false\n---\nx")
    assert head.enabled is False
    assert "newer" in head.told[0]


@pytest.mark.parametrize(
    ("text", "kind", "globs"),
    [
        ("paths: [src/**/*.py, 'a b.md']", CONDITIONAL, ("src/**/*.py", "a b.md")),
        ("paths:\n  - src/**\n  - '*.ts'", CONDITIONAL, ("src/**", "*.ts")),
        ("paths: **/*.py", CONDITIONAL, ("**/*.py",)),
        ('applyTo: "src/**/*.py,tests/{a,b}.py"', CONDITIONAL, ("src/**/*.py", "tests/{a,b}.py")),
        ("title: x", ALWAYS, ()),
    ],
)
def test_a_rule_may_be_for_some_files_only(text: str, kind: str, globs: tuple[str, ...]) -> None:
    head = read_front_matter(f"---\n{text}\n---\nx".encode())
    assert (head.kind, head.globs) == (kind, globs)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("---\ndescription: a: b\nglobs:\nalwaysApply: true\n---\nx", ALWAYS),
        ("---\nglobs: **/*.py,*.md\nalwaysApply: false\n---\nx", CONDITIONAL),
        ("---\ndescription: When to use: this\nalwaysApply: false\n---\nx", ON_REQUEST),
        ("---\nalwaysApply: false\n---\nx", ON_REQUEST),
        ("no head at all", ON_REQUEST),
    ],
)
def test_rules_of_cursor_are_of_four_kinds(text: str, kind: str) -> None:
    assert read_front_matter(text.encode(), rule="cursor").kind == kind


def test_a_cursor_rules_description_is_cut_where_cursor_cuts_it() -> None:
    head = read_front_matter(f"---\ndescription: {'x' * 2000}\n---\nx".encode(), rule="cursor")
    assert len(head.description) == 1536


def test_nested_fields_and_lists_are_read_by_lines() -> None:
    text = "metadata:\n  environments: a, b\nglobs:\n  - x\n  - 'y'\nname: \"n\"\n"
    assert by_lines(text) == {
        "metadata": "", "metadata.environments": "a, b", "globs": ["x", "y"], "name": "n",
    }  # fmt: skip


@given(st.binary(max_size=200), st.sampled_from(("", "cursor")))
def test_no_head_stops_a_file_from_being_read(data: bytes, rule: str) -> None:
    head = read_front_matter(b"---\n" + data, rule=rule)
    assert head.body_line >= 1
    read_front_matter(b"---\n" + data + b"\n---\nbody", rule=rule)


# Globs and keys


@pytest.mark.parametrize(
    ("path", "glob", "answer"),
    [
        ("src/a.py", "src/*.py", True), ("src/b/a.py", "src/*.py", False),
        ("src/b/a.py", "src/**/*.py", True), ("src/a.py", "src/**/*.py", True),
        ("a.py", "**/*.py", True), ("x/y/a.py", "*.py", True), ("a.py", "/x/*.py", False),
        ("x/y/a.py", "x", True), ("x/y/a.py", "x/", True), ("xx/a.py", "x", False),
        ("a.ts", "*.{ts,tsx}", True), ("a.js", "*.{ts,tsx}", False), ("a.py", "[ab].py", True),
        ("src/a.py", "src/**", True), ("src", "src/**", True), ("a", "", False),
        ("src2/a/b.py", "src*/", True), ("./x/a.py", "./x", True),
        ("src/deep/x", "src/*", False), ("a.py", "{a,b{c,d}}.py", True), ("bd.py", "{a,b{c,d}}.py", True),
    ],
)  # fmt: skip
def test_globs_match_as_people_expect(path: str, glob: str, answer: object) -> None:
    assert matches(path, glob) is answer


def test_no_glob_takes_long() -> None:
    began = time.process_time()
    for glob in ("**/" * 60 + "x", "*a" * 90, "{a,b}" * 40, "{" * 200, "[" * 200, "{a," * 60):
        assert matches("/".join("a" * 30 for _ in range(60)), glob) in (True, False)
    assert time.process_time() - began < 1.0 * SLOWNESS


@pytest.mark.parametrize(
    ("directory", "key"),
    [
        ("/home/u/my.proj", "-home-u-my-proj"),
        ("/a b/ü/🎉", "-a-b-----"),
        ("C:\\work\\x_y", "C--work-x-y"),
    ],
)
def test_the_key_of_a_project_is_that_of_claude_code(directory: str, key: str) -> None:
    assert project_key(directory) == key


def test_a_long_key_is_cut_and_carries_a_hash() -> None:
    directory = "/" + "x" * 250
    number = 0
    for character in directory:
        number = (number * 31 + ord(character)) % 2**32
    number = abs(number - 2**32 if number >= 2**31 else number)
    key = project_key(directory)
    assert key[:201] == "-" + "x" * 199 + "-"
    assert int(key[201:], 36) == number


def test_no_more_is_done_at_once_than_beans_allows() -> None:
    running, most, lock = [0], [0], threading.Lock()

    def work(number: int) -> int:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        time.sleep(0.001)
        with lock:
            running[0] -= 1
        return number

    assert run_concurrently(work, list(range(300)), READS) == list(range(300))
    assert 1 < most[0] <= READS == 20
    assert DIRECTORIES == 15
