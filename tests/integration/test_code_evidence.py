"""What the map says rests on something: imports, words, commits that tell; the rest is told."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import satchel
from integration.code_made import commit, names, write
from satchel.features.code.packs.text import pack_text
from satchel.features.code.packs.values import PackRequest
from satchel.features.code.service import Code
from satchel.features.code.symbols.grammars import CUT
from satchel.testing import run_git, temporary_workspace
from satchel.workspace import Workspace

#: Absolute: the command runs in another directory.
SOURCES = str(Path(satchel.__file__).parents[1])


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with temporary_workspace(git=True) as opened:
        yield opened


def ranked(code: Code, text: str) -> dict[str, dict[str, float]]:
    return {one.path: one.parts for one in code.rank(text)}


def test_the_dependency_graph_and_callees_name_only_what_is_imported(workspace: Workspace) -> None:
    write(workspace, "reef/__init__.py", "from ._store import ShellStore\n")
    write(workspace, "reef/_store.py", "class ShellStore:\n    def set(self):\n        pass\n")
    write(workspace, "boat/sail.py",
          "import os\n\n\ndef sail(seen):\n    seen.set(1)\n    ShellStore()\n    hoist()\n\n\n"
          "def hoist():\n    pass\n")  # fmt: skip
    write(workspace, "crew/row.py", "import reef\n\n\ndef row():\n    return reef.ShellStore()\n")
    with workspace.code as code:
        code.write_map(force=True)
        told = Path(workspace.project.place.root, "docs/CODEBASE_MAP.md").read_text()
        assert "| `crew` | `reef` | 1 |" in told
        assert "| `boat` |" not in told.partition("## Dependency graph")[2]
        assert [name for name, _, _ in code.refs("sail").callees] == ["hoist"]
        assert [path for _, path, _ in code.refs("row").callees] == ["reef/_store.py"]
        pack = code.pack(PackRequest("sail", max_symbols=20))
        calls = {(d.source, d.target) for d in pack.dependencies}
        assert ("sail", "hoist") in calls
        assert ("sail", "ShellStore") not in calls


def test_one_commit_that_adds_everything_is_no_evidence(workspace: Workspace) -> None:
    for number, word in enumerate(("walrus", "anchor", "barnacle", "compass") * 5):
        write(
            workspace, f"src/{word}_{number}.py", f"def {word}_{number}():\n    return {number}\n"
        )
    commit(workspace, "Everything about walruses and all else")
    with workspace.code as code:
        assert all(path.startswith("src/walrus") for path in names(code, "walrus"))
        for parts in ranked(code, "walrus").values():
            assert not parts.keys() & {"past", "together", "churn"}
        pack = code.pack(PackRequest("walrus"))
        assert {one.path.split("_")[0] for one in pack.files} == {"src/walrus"}
        _, files = code.find("walrus")
        assert len(files) == 5


def test_a_small_commit_is_evidence_but_standing_beside_is_no_answer(workspace: Workspace) -> None:
    for number in range(12):
        write(workspace, f"src/file{number}.py", f"def thing_{number}():\n    return {number}\n")
    commit(workspace, "Everything")
    write(workspace, "src/file1.py", "def walrus():\n    return 1\n")
    write(workspace, "src/file2.py", "def other():\n    return 2\n")
    commit(workspace, "Zeppelin")
    with workspace.code as code:
        assert {"src/file1.py", "src/file2.py"} <= set(names(code, "zeppelin"))
        assert "src/file2.py" not in names(code, "walrus")


def test_satchels_own_files_are_no_answers_unless_they_are_named(workspace: Workspace) -> None:
    write(workspace, ".satchel/MEMORY.md", "# Walrus memory\n\nThe walrus swims.\n")
    write(workspace, "src/walrus.py", "def walrus():\n    return 1\n")
    with workspace.code as code:
        assert names(code, "walrus") == ["src/walrus.py"]
        assert ".satchel/MEMORY.md" in names(code, "what of the walrus is in .satchel/MEMORY.md")
        paths = {one.path for one in code.pack(PackRequest("walrus memory swims")).files}
        assert paths == {"src/walrus.py"}


@pytest.mark.parametrize("texts", [{}, {"src/a.py": "def tide():\n    pass\n"}])
def test_a_pack_that_finds_nothing_says_so(workspace: Workspace, texts: dict[str, str]) -> None:
    for path, text in texts.items():
        write(workspace, path, text)
    with workspace.code as code:
        pack = code.pack(PackRequest("zzzqqq blorp"))
    assert pack.as_json()["metadata"]["warnings"] == ["Nothing found for 'zzzqqq blorp'."]
    assert pack_text(pack) == "## Code Context\n"


def test_definitions_that_are_left_out_are_told(workspace: Workspace) -> None:
    def told_of(count: int) -> Any:
        text = "".join(f"def fn_{n}(): pass\n" for n in range(count))
        write(workspace, "src/huge.py", text)
        with workspace.code as code:
            assert len(code.symbols("src/huge.py")) == min(count, 4000)
            return code.warning_of("src/huge.py"), code.status()["warnings"]

    assert told_of(4001) == (CUT, {CUT: 1})
    assert told_of(4000) == ("", {})


def test_the_rest_of_a_shallow_history_is_read_when_it_comes(
    workspace: Workspace, tmp_path: Path
) -> None:
    write(workspace, "a.py", "def walrus():\n    pass\n")
    commit(workspace, "Zeppelin")
    write(workspace, "b.py", "def tide():\n    pass\n")
    commit(workspace, "Second")
    shallow = str(tmp_path / "shallow")
    url = "file://" + workspace.project.place.root
    run_git(str(tmp_path), "clone", "--quiet", "--depth", "1", url, shallow)
    with Code.open(shallow, home=str(tmp_path / "home")) as code:
        assert code.status()["commits"] == 1
        assert "a.py" not in names(code, "zeppelin")
        run_git(shallow, "fetch", "--quiet", "--unshallow")
        assert code.status()["commits"] > 1
        assert "a.py" in names(code, "zeppelin")
        assert code.refresh().commits == 0


def test_submodules_and_what_is_not_checked_out_are_told(
    workspace: Workspace, tmp_path: Path
) -> None:
    root = workspace.project.place.root
    other = tmp_path / "other"
    other.mkdir()
    run_git(str(other), "init", "--quiet")
    (other / "x.py").write_text("def zeppelin():\n    pass\n")
    run_git(str(other), "add", "--all")
    run_git(str(other), "commit", "--quiet", "--message", "x")
    run_git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add",
            str(other), "sub")  # fmt: skip
    write(workspace, "far/a.py", "def walrus():\n    pass\n")
    write(workspace, "near/b.py", "def tide():\n    pass\n")
    commit(workspace, "Both")
    with workspace.code as code:
        assert code.status()["leftOut"] == {"submodules": ["sub"], "sparse": 0}
        run_git(root, "sparse-checkout", "set", "near")
        tracked = run_git(root, "ls-files").split()
        absent = [p for p in tracked if p != "sub" and not os.path.exists(os.path.join(root, p))]
        assert "far/a.py" in absent
        assert code.status()["leftOut"]["sparse"] == len(absent)


def test_a_map_that_began_as_a_copy_is_as_private_as_any(
    workspace: Workspace, tmp_path: Path
) -> None:
    write(workspace, "a.py", "def walrus():\n    pass\n")
    commit(workspace, "One")
    with workspace.code as code:
        code.refresh()
    beside = str(tmp_path / "beside")
    run_git(workspace.project.place.root, "worktree", "add", "--quiet", "-b", "side", beside)
    with Code.open(beside, home=workspace.owner().home.path, clock=workspace.project.clock) as code:
        code.refresh()
        assert stat.S_IMODE(os.stat(code.path).st_mode) == 0o600


def test_languages_that_no_grammar_reads_are_told(workspace: Workspace) -> None:
    write(workspace, "m.sql", "CREATE TABLE users (id INT);\n")
    write(workspace, "a.py", "x = 1\n")
    with workspace.code as code:
        assert code.status()["lineByLine"] == {"sql": 1}


def test_a_map_of_anothers_or_from_the_future_is_not_called_fresh(workspace: Workspace) -> None:
    write(workspace, "docs/CODEBASE_MAP.md", "# Mine\n")
    with workspace.code as code:
        assert "written by something else" in code.write_map(check=True).why
        code.write_map(force=True)
        assert code.write_map(check=True).fresh
        path = Path(workspace.project.place.root, "docs/CODEBASE_MAP.md")
        path.write_text(path.read_text().replace("generated: 2026", "generated: 2099"))
        assert not code.write_map(check=True).fresh
        assert code.write_map().written


def test_a_symbol_that_is_too_large_for_a_pack_comes_with_its_head(workspace: Workspace) -> None:
    body = "".join(f"        self.part_{n} = walrus_{n}(tide)\n" for n in range(300))
    write(workspace, "src/big.py", f"class Lagoon:\n    def __init__(self, tide):\n{body}")
    small = "".join(f"def lagoon_{n}():\n    return {n}\n\n\n" for n in range(40))
    write(workspace, "src/small.py", small)
    with workspace.code as code:
        pack = code.pack(PackRequest("Lagoon", entry="symbol", max_tokens=1000))
        tiny = code.pack(PackRequest("Lagoon", entry="symbol", max_tokens=60))
    first = pack.symbols[0]
    assert (first.name, first.line) == ("Lagoon", 1)
    assert first.code.startswith("class Lagoon:\n")
    assert f"… {302 - first.end} more lines" in first.code
    assert pack.tokens <= 1000
    assert tiny.tokens <= 60
    assert any("left out is Lagoon (class) at src/big.py:1" in told for told in tiny.warnings)


def test_a_pack_about_a_file_begins_with_what_it_defines(workspace: Workspace) -> None:
    write(workspace, "src/core.py", "def hull():\n    return 1\n\n\ndef keel():\n    return 2\n")
    write(workspace, "src/win.py", "class Py_buffer:\n    a = 1\n    b = 2\n    c = 3\n")
    with workspace.code as code:
        pack = code.pack(PackRequest("src/core.py", entry="file"))
        assert [one.name for one in pack.symbols[:2]] == ["hull", "keel"]
        assert "src/win.py" not in {one.path for one in pack.symbols}
        symbols, _ = code.find("bug in src/core.py")
        assert "Py_buffer" not in {one.symbol.name for one in symbols}


def test_of_overloads_the_one_with_a_body_is_shown(workspace: Workspace) -> None:
    stub = "@overload\ndef convert(seal: {}) -> None: ...\n\n\n"
    body = "def convert(seal):\n    if seal:\n        return seal\n    return None\n"
    write(workspace, "src/a.py", stub.format("int") + stub.format("str") + body)
    with workspace.code as code:
        shown = [one.line for one in code.pack(PackRequest("convert the seal")).symbols]
    assert shown == [9]


def test_files_of_a_pack_may_be_given_one_by_one(workspace: Workspace) -> None:
    for name in ("a.py", "b.py"):
        write(workspace, name, "x = 1\n")
    done = subprocess.run(
        [sys.executable, "-m", "satchel", "pack", "x", "--method", "manual", "--files", "a.py",
         "--files", "b.py", "--json"],
        cwd=workspace.project.place.root, capture_output=True, text=True, check=True,
        env={**os.environ, "SATCHEL_HOME": workspace.owner().home.path, "PYTHONPATH": SOURCES},
    )  # fmt: skip
    assert [one["path"] for one in json.loads(done.stdout)["files"]] == ["a.py", "b.py"]
