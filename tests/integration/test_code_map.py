"""The map follows the work tree and the history behind it: never later, never another's."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from integration.code_made import DIVE, SEA, commit, names, write
from satchel.core.errors import NotFoundError
from satchel.features.code.map.store import CodeStore
from satchel.features.code.map.updating import NO_CODER, BinaryEncoder, refresh
from satchel.features.code.search.ranking import Ranker
from satchel.features.code.service import Code
from satchel.storage.database.sqlite import SqliteDatabase
from satchel.testing import run_git, temporary_workspace
from satchel.workspace import Workspace


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with temporary_workspace(git=True) as opened:
        write(opened, "src/sea.py", SEA)
        write(opened, "src/dive.py", DIVE)
        commit(opened, "Let the walrus swim")
        yield opened


def content(store: CodeStore) -> dict[str, Any]:
    """Everything that a map says, without its own numbers and stamps."""
    told: dict[str, Any] = {}
    paths = {}
    for number, file in store.files().items():
        paths[number] = file.path
        told[file.path] = (file._replace(stamp=""), store.symbols_of(file.path))
    uses = store.database.read("SELECT file, name, kind, count, line FROM uses")
    told["uses"] = sorted((paths[int(str(row[0]))], *row[1:]) for row in uses)
    imports = "SELECT f.path, i.target FROM imports i JOIN files f ON f.number = i.file"
    told["imports"] = sorted((str(a), str(b)) for a, b in store.database.read(imports))
    for arm in ("path", "name", "text"):
        for word in ("walrus", "dive", "swim", "py", "return"):
            found = store.match(arm, f'"{word}"', 100)
            told[f"{arm} {word}"] = sorted((paths[n], round(s, 6)) for n, s in found.items())
    told["commits"] = [row[1:] for row in store.ask("commit_rows")]
    rows = store.database.read(
        "SELECT c.sha, t.path FROM touched t JOIN commits c ON c.number = t.commit_number"
    )
    told["touched"] = sorted((str(a), str(b)) for a, b in rows)
    return told


def test_an_edit_reads_one_file_again_and_no_change_reads_none(workspace: Workspace) -> None:
    with workspace.code as code:
        assert code.refresh().read >= 3
        assert code.refresh().read == 0
        write(workspace, "src/dive.py", DIVE + "\n\ndef deeper():\n    return dive()\n")
        done = code.refresh()
        assert (done.read, done.whole) == (1, False)
        assert [s.name for s in code.symbols("src/dive.py")] == ["dive", "deeper"]
        run_git(workspace.project.place.root, "checkout", "--quiet", "src/dive.py")
        assert [s.name for s in code.symbols("src/dive.py")] == ["dive"]


def test_new_renamed_deleted_and_ignored_files_are_followed(workspace: Workspace) -> None:
    with workspace.code as code:
        code.refresh()
        write(workspace, "src/new.py", "def tusk():\n    pass\n")
        assert "src/new.py" in names(code, "tusk")
        write(workspace, ".gitignore", "new.py\n")
        assert "src/new.py" not in names(code, "tusk")
        os.unlink(os.path.join(workspace.project.place.root, ".gitignore"))
        assert "src/new.py" in names(code, "tusk")
        run_git(workspace.project.place.root, "mv", "src/sea.py", "src/ocean.py")
        assert "src/ocean.py" in names(code, "walrus")
        assert "src/sea.py" not in names(code, "walrus")
        commit(workspace, "Rename")
        os.unlink(os.path.join(workspace.project.place.root, "src/ocean.py"))
        # The commit that said so touched it too.
        assert names(code, "walrus") == ["src/dive.py"]


EDITS = st.lists(
    st.tuples(
        st.sampled_from(
            ["write", "delete", "move", "commit", "back", "add", "ignore", "look", "uncache"]
        ),
        st.sampled_from(["a.py", "b/walrus.py", "b/c.go", "d.md", "e.js"]),
        st.sampled_from(
            [SEA, DIVE, "", "package a\nfunc Dive() {}\n", "# Walrus\n", "x = '\\0'\n", "\0\1"]
        ),
    ),
    max_size=9,
)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(EDITS)
def test_however_it_was_edited_the_map_is_what_a_new_one_would_be(
    edits: list[tuple[str, str, str]],
) -> None:
    with temporary_workspace(git=True) as workspace, workspace.code as code:
        root = workspace.project.place.root
        for what, path, text in edits:
            whole = os.path.join(root, path)
            if what == "write":
                write(workspace, path, text)
            elif what == "delete" and os.path.exists(whole):
                os.unlink(whole)
            elif what == "move" and os.path.exists(whole):
                os.replace(whole, os.path.join(root, "moved.py"))
            elif what == "add":
                run_git(root, "add", "--all")
            elif what == "ignore":
                write(workspace, ".gitignore", path + "\n")
            elif what == "commit":
                run_git(root, "add", "--all")
                run_git(root, "commit", "--quiet", "--allow-empty", "--message", "walrus")
            elif what == "back" and run_git(root, "rev-list", "--count", "HEAD").strip() != "1":
                run_git(root, "reset", "--quiet", "--hard", "HEAD^")
            elif what == "uncache":
                run_git(root, "rm", "-r", "--quiet", "--cached", "--ignore-unmatch", "--", path)
            elif what == "look":
                code.refresh()
        code.refresh()
        followed = content(code.store)
        code.rebuild()
        assert followed == content(code.store)


def test_an_older_commit_does_not_see_what_came_after_it(workspace: Workspace) -> None:
    root = workspace.project.place.root
    first = run_git(root, "rev-parse", "HEAD").strip()
    write(workspace, "src/dive.py", DIVE + "# deeper\n")
    later = commit(workspace, "Teach zeppelins to land")
    with workspace.code as code:
        assert "src/dive.py" in names(code, "zeppelins")
        assert code.status()["commits"] == 3
        run_git(root, "checkout", "--quiet", "--detach", first)
        assert names(code, "zeppelins") == []
        assert code.status()["commits"] == 2
        assert code.status()["commit"] == first
        run_git(root, "checkout", "--quiet", "--detach", later)
        assert "src/dive.py" in names(code, "zeppelins")
        # A branch beside it is no ancestor either.
        run_git(root, "checkout", "--quiet", "-b", "beside", first)
        write(workspace, "src/sea.py", SEA + "\n")
        commit(workspace, "Paint the walrus turquoise")
        run_git(root, "checkout", "--quiet", "--detach", later)
        assert names(code, "turquoise") == []


def test_work_trees_of_one_project_have_maps_of_their_own(
    workspace: Workspace, tmp_path: Path
) -> None:
    other = str(tmp_path / "other")
    with workspace.code as code:
        code.refresh()
        run_git(workspace.project.place.root, "worktree", "add", "--quiet", "-b", "side", other)
        Path(other, "src/dive.py").write_text("def plunge():\n    pass\n")
        with Code.open(
            other, home=workspace.owner().home.path, clock=workspace.project.clock
        ) as beside:
            assert beside.path != code.path
            # It began with a copy: only what differs was read.
            assert beside.refresh().read == 1
            assert [s.name for s in beside.symbols("src/dive.py")] == ["plunge"]
        assert [s.name for s in code.symbols("src/dive.py")] == ["dive"]
        maps = workspace.project.state.code_maps
        assert len([name for name in os.listdir(maps) if name.endswith(".db")]) == 2
        run_git(workspace.project.place.root, "worktree", "remove", "--force", other)
        third = str(tmp_path / "third")
        run_git(workspace.project.place.root, "worktree", "add", "--quiet", "-b", "aside", third)
        with Code.open(
            third, home=workspace.owner().home.path, clock=workspace.project.clock
        ) as beside:
            beside.refresh()
        # The map of the work tree that is gone went with it.
        assert len([name for name in os.listdir(maps) if name.endswith(".db")]) == 2


def test_a_map_of_an_older_release_is_no_beginning_for_another_work_tree(
    workspace: Workspace, tmp_path: Path
) -> None:
    other = str(tmp_path / "other")
    with workspace.code as code:
        code.refresh()
        code.store.put_meta("schema", "0")
    run_git(workspace.project.place.root, "worktree", "add", "--quiet", "-b", "side", other)
    with Code.open(other, home=workspace.owner().home.path) as beside:
        assert beside.refresh().read == 3


def test_a_damaged_map_is_set_aside_and_told_until_its_work_tree_is_gone(
    workspace: Workspace, tmp_path: Path
) -> None:
    other = str(tmp_path / "other")
    run_git(workspace.project.place.root, "worktree", "add", "--quiet", "-b", "side", other)
    with Code.open(other, home=workspace.owner().home.path) as beside:
        read = beside.refresh().read
        beside.store.database.script("DROP TABLE files")
        assert beside.refresh().read == read
        aside = Path(beside.path + ".damaged")
    assert aside.exists()
    assert [f.subject for f in workspace.examine() if "set aside" in f.what] == [str(aside)]
    run_git(workspace.project.place.root, "worktree", "remove", "--force", other)
    with workspace.code as code:
        code.refresh()
    assert not aside.exists()


def test_a_repository_needs_no_project_to_be_asked(tmp_path: Path) -> None:
    root = tmp_path / "plain"
    root.mkdir()
    run_git(str(root), "init", "--quiet")
    (root / "walrus.py").write_text(SEA)
    with Code.open(str(root), home=str(tmp_path / "home")) as code:
        symbols, _ = code.find("where is Walrus implemented")
    assert [(s.path, s.symbol.name) for s in symbols][:1] == [("walrus.py", "Walrus")]
    assert os.listdir(root) == [".git", "walrus.py"] or len(os.listdir(root)) == 2


def test_a_project_below_the_top_of_a_repository_sees_only_its_own(tmp_path: Path) -> None:
    top = tmp_path / "top"
    below = top / "packages/sea"
    (below / ".satchel").mkdir(parents=True)
    (below / ".satchel/project.toml").write_text('[project]\nid = "01TESTTESTTESTTESTTESTTES1"\n')
    (below / "walrus.py").write_text(SEA)
    (top / "outside.py").write_text("def walrus_outside():\n    pass\n")
    run_git(str(top), "init", "--quiet")
    run_git(str(top), "add", "--all")
    run_git(str(top), "commit", "--quiet", "--message", "Zeppelin")
    (below / "new.py").write_text("def walrus_new():\n    pass\n")
    with Code.open(str(below), home=str(tmp_path / "home")) as code:
        assert {"new.py", "walrus.py"} <= set(names(code, "walrus"))
        assert "../../outside.py" not in names(code, "walrus outside")
        assert "outside.py" not in names(code, "walrus outside")
        (below / "new.py").write_text("def tusk():\n    pass\n")
        assert names(code, "tusk")[0] == "new.py"
        assert "walrus.py" in names(code, "zeppelin")


def test_without_git_the_files_are_walked(tmp_path: Path) -> None:
    with temporary_workspace() as workspace, workspace.code as code:
        write(workspace, "src/sea.py", SEA)
        write(workspace, "node_modules/x/index.js", "function walrus() {}\n")
        assert names(code, "walrus") == ["src/sea.py"]
        assert code.refresh().read == 0
        write(workspace, "src/sea.py", DIVE)
        assert names(code, "walrus") == []


def test_who_uses_a_symbol_is_told_with_the_place_and_what_it_uses(workspace: Workspace) -> None:
    write(workspace, "src/sea.py", "from .dive import dive\n\n\n" + SEA)
    with workspace.code as code:
        users = code.refs("dive")
        assert [(use.path, use.line, use.within) for use in users.callers] == [
            ("src/sea.py", 1, ""),
            ("src/sea.py", 6, "Walrus.swim"),
        ]
        assert [name for name, _, _ in code.refs("Walrus.swim").callees] == ["dive"]
        with pytest.raises(NotFoundError, match="The map has nothing"):
            code.refs("zeppelin")
        with pytest.raises(NotFoundError, match="not a file of the map"):
            code.symbols("nowhere.py")


def test_with_another_table_of_vectors_every_file_is_read_again(workspace: Workspace) -> None:
    root, store = workspace.project.place.root, CodeStore(SqliteDatabase(":memory:"))
    with_table = BinaryEncoder("table 1", lambda texts: [b"\x0f" * 48 for _ in texts])

    def read(coder: BinaryEncoder) -> int:
        common = workspace.project.place.common
        return refresh(store, root, common=common, coder=coder, most_commits=2000).read

    every = read(with_table)
    assert len(store.ask("codes")) == every >= 3
    assert read(with_table) == 0
    assert read(NO_CODER) == every
    assert store.ask("codes") == []
    assert read(with_table) == every
    near = Ranker(store, code_of=lambda _: b"\x0f" * 48).rank("zzz")
    assert {one.path for one in near} >= {"src/sea.py", "src/dive.py"}
    assert near[0].parts["meaning"] == 1.0
    assert Ranker(store, code_of=lambda _: b"\xf0" * 48).rank("zzz") == []
    store.database.close()


def test_the_same_map_gives_the_same_answer_whatever_the_hash_seed(workspace: Workspace) -> None:
    for number in range(12):
        write(
            workspace, f"src/many{number}.py", f"def dive_{number % 3}():\n    swim()\n    dive()\n"
        )
    commit(workspace, "many walrus dives")
    script = (
        "import sys; from satchel.features.code.service import Code\n"
        "with Code.open(sys.argv[1], home=sys.argv[2]) as code:\n"
        "    print([(r.path, r.score) for r in code.rank('walrus dive')])\n"
    )
    import sys

    seen = set()
    for seed in ("0", "1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", script, workspace.project.place.root, workspace.owner().home.path],
            env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True,
        )  # fmt: skip
        seen.add(done.stdout)
    assert len(seen) == 1
