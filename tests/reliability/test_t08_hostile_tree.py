"""T8: whatever lies in a tree, nothing from outside is shown, little is emitted, nobody waits."""

import os
import random
import socket
import threading
import time
from collections.abc import Iterator
from typing import Self

import pytest

from machine_speed import slowness
from ordinary_user import as_ordinary_user, reachable_directory
from reliability.stand import SEED, percentile, say, scale
from satchel.clients.registry import ALIASES
from satchel.features.instructions import importing
from satchel.features.instructions.budget import Budget
from satchel.features.instructions.discovery import DiscoveryRequest, discover
from satchel.features.instructions.importing import Importer
from satchel.features.instructions.loading import LoadedInstructions, Options, load, rendered
from satchel.features.instructions.places import Homes
from satchel.features.instructions.reading import Reader
from satchel.features.instructions.scanning import BEANS, CLAUDE, GEMINI
from satchel.features.instructions.trust_policy import TrustPolicy
from satchel.features.instructions.values import Limits
from satchel.storage import safe_open as opening

pytestmark = pytest.mark.torture
_SECONDS, _BYTES, _TRIES = 0.25, 1_048_576, 3
_SECRET = "OUTSIDE-BYTES-4711"
_IMPORT = {BEANS: "@import {}\n", CLAUDE: "@{}\n", GEMINI: "@{}\n"}
_NAMES = (
    "a\nb.md", "a;b.md", "\u202eevil.md", "e\u0301.md", "\xe9.md", "a b.md", "-->.md", "$(id).md",
    "`x`.md", "%00.md", "a\tb.md", "<script>.md", "'q\".md", "x" * 250 + ".md",
)  # fmt: skip


class Tree:
    """A project, a home and a place outside of both."""

    def __init__(self, directory: str) -> None:
        self.directory = os.path.realpath(directory)
        self.root = os.path.join(self.directory, "repo")
        self.home = os.path.join(self.directory, "home")
        self.outside = os.path.join(self.directory, "outside")
        for path in (self.root, self.home, self.outside):
            os.mkdir(path)
        self.write(os.path.join(self.outside, "secret.md"), _SECRET)

    def write(self, path: str, text: str) -> str:
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        return path

    @property
    def grounds(self) -> TrustPolicy:
        return TrustPolicy(self.root, self.home)

    def loaded(self, *, imports: str = BEANS, **limits: object) -> LoadedInstructions:
        """Find and load everything, as `satchel memory show` does."""
        at = {n: os.path.join(self.home, "." + n) for n in ("satchel", "beans", *ALIASES)}
        homes = Homes(self.home, at["satchel"], at["beans"], at)
        wanted = DiscoveryRequest(self.root, self.root, homes, ("AGENTS.md", "CLAUDE.md"))
        options = Options(Limits(**limits), Budget.of(10_000_000, sizes=(1, _BYTES)), imports)  # type: ignore[arg-type]
        reader = Reader(self.grounds, 102_400)
        return load(discover(wanted), reader, options, root=self.root, home=self.home)


@pytest.fixture
def tree(tmp_path: os.PathLike[str]) -> Tree:
    return Tree(os.fspath(tmp_path))


def dag(tree: Tree, dialect: str, *, wide: int = 10, deep: int = 5) -> None:
    """Each of `wide` files of a level imports all of the next: wide ** deep paths."""
    line = _IMPORT[dialect]
    for level in range(deep):
        for number in range(wide):
            names = [f"l{level + 1}-{n}.md" for n in range(wide)] if level + 1 < deep else []
            text = f"level {level} file {number}\n" + "".join(line.format(n) for n in names)
            tree.write(f"l{level}-{number}.md", text)
    tree.write("AGENTS.md", "".join(line.format(f"l0-{n}.md") for n in range(wide)))


def timed(tree: Tree, dialect: str, **limits: object) -> tuple[float, str, LoadedInstructions]:
    """Load a few times; return the least processor seconds, set against the machine's speed."""
    best, loaded = 1e9, None
    for _ in range(_TRIES):
        began = time.process_time()
        loaded = tree.loaded(imports=dialect, **limits)
        best = min(best, (time.process_time() - began) / slowness())
        if best <= _SECONDS:
            break
    assert loaded is not None
    return best, rendered(loaded.segments), loaded


@pytest.mark.parametrize("dialect", [BEANS, CLAUDE, GEMINI])
@pytest.mark.parametrize("once", [True, False])
def test_a_hundred_thousand_paths_of_imports_end_in_time(
    tree: Tree, dialect: str, *, once: bool
) -> None:
    dag(tree, dialect)
    seconds, text, loaded = timed(tree, dialect, once=once)
    assert seconds <= _SECONDS
    assert len(text.encode()) <= _BYTES
    assert "level 3 file 9" in text
    assert not [p for p in loaded.problems if p.what == "circle"], "a diamond is not a circle"
    if once:
        assert text.count("level 3 file 9") == 1
    say("T8", _TRIES, f"111,111 paths by {dialect}{', once' if once else ''}: {seconds * 1000:.0f} ms, "
        f"{len(text.encode()):,} bytes")  # fmt: skip


def test_depth_and_circles_end(tree: Tree) -> None:
    for number in range(12):
        tree.write(f"d{number}.md", f"depth {number}\n@import d{number + 1}.md\n")
    tree.write("r1.md", "one\n@import r2.md\n")
    tree.write("r2.md", "two\n@import r1.md\n@import ./r2.md\n")
    tree.write("AGENTS.md", "@import d0.md\n@import r1.md\n@import AGENTS.md\n")
    _, text, loaded = timed(tree, BEANS)
    assert "depth 4" in text
    assert "depth 5" not in text
    assert "<!-- Import depth exceeded for d5.md -->" in text
    assert text.count("<!-- Circular import detected:") == 3
    assert {p.what for p in loaded.problems} == {"circle", "depth"}


def hostile(tree: Tree) -> tuple[list[str], socket.socket]:
    """Everything that is not a plain file, or lies elsewhere; the names that import it."""
    root, secret = tree.root, os.path.join(tree.outside, "secret.md")
    os.symlink(secret, os.path.join(root, "escape.md"))
    os.symlink(tree.outside, os.path.join(root, "out"))
    os.symlink("loop2.md", os.path.join(root, "loop1.md"))
    os.symlink("loop1.md", os.path.join(root, "loop2.md"))
    os.symlink(".", os.path.join(root, "self"))
    os.symlink("/dev/zero", os.path.join(root, "zero.md"))
    os.symlink("/proc/self/environ", os.path.join(root, "environ.md"))
    os.mkfifo(os.path.join(root, "fifo.md"))
    listening = socket.socket(socket.AF_UNIX)
    here = os.getcwd()
    os.chdir(root)  # a socket's path is short
    listening.bind("socket.md")
    os.chdir(here)
    with open(os.path.join(root, "sparse.md"), "wb") as file:
        file.truncate(10 * 1024**3)
    with open(os.path.join(root, "binary.md"), "wb") as file:
        file.write(b"\0" * 500)
    os.mkdir(os.path.join(root, "folder.md"))
    names = ["escape.md", "out/secret.md", "loop1.md", "self/self/self/escape.md", "zero.md",
             "environ.md", "fifo.md", "socket.md", "sparse.md", "binary.md", "folder.md",
             "../outside/secret.md", secret, "~/../outside/secret.md", "/dev/zero", "/dev/stdin",
             "/proc/self/environ", "file://" + secret, "a/" * 2040 + "x.md",              "x" * 5000 + ".md", "out/../out/secret.md", "./" * 100 + "escape.md"]  # fmt: skip
    for number, name in enumerate(_NAMES):
        tree.write(os.path.join(root, f"n{number}"), "a directory has names, too\n")
        with open(os.path.join(root, name), "w", encoding="utf-8") as file:
            file.write(f"named {number}\n")
        names.append(name)
    return names, listening


@pytest.mark.parametrize("dialect", [BEANS, CLAUDE, GEMINI])
def test_nothing_from_outside_is_shown_and_nothing_blocks(tree: Tree, dialect: str) -> None:
    names, listening = hostile(tree)
    with listening:
        line = _IMPORT[dialect]
        text = "".join(line.format(name.replace(" ", "\\ ")) for name in names)
        tree.write("AGENTS.md", "inside\n" + text)
        for name in ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"):
            path = os.path.join(tree.root, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.symlink(os.path.join(tree.outside, "secret.md"), path)
        os.mkfifo(os.path.join(tree.root, "AGENTS.local.md"))
        seconds, shown, loaded = timed(tree, dialect, per_file=0, extensions=())
    assert "inside" in shown
    assert _SECRET not in shown
    assert "\0" not in shown
    assert "PATH=" not in shown
    assert seconds <= _SECONDS
    assert len(shown.encode()) <= _BYTES
    assert len([p for p in loaded.problems if p.what == "elsewhere"]) >= 5
    say("T8", len(names), f"hostile files by {dialect}: {seconds * 1000:.0f} ms, 0 outside bytes")


def test_a_file_that_may_not_be_read_is_told_and_costs_nothing() -> None:
    with reachable_directory() as directory:
        tree = Tree(directory)
        tree.write("AGENTS.md", "@import closed.md\n@import open.md\n")
        os.chmod(tree.write("closed.md", "nobody's"), 0)
        tree.write("open.md", "everybody's")
        with as_ordinary_user():
            _, text, loaded = timed(tree, BEANS)
    assert "everybody's" in text
    assert "nobody's" not in text
    assert "<!-- Import rejected: closed.md: you have no permission to read it -->" in text
    assert [p.what for p in loaded.problems] == ["unreadable"]


class _Swapping:
    """A thread that makes one name lead inside and outside in turn, as fast as it can."""

    def __init__(self, tree: Tree) -> None:
        self.link = os.path.join(tree.root, "swapped.md")
        self.targets = (
            tree.write("inside.md", "inside\n"),
            os.path.join(tree.outside, "secret.md"),
        )
        os.symlink(self.targets[0], self.link)
        self.swaps = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        spare = self.link + ".new"
        while not self._ended.is_set():
            self.swaps += 1
            os.symlink(self.targets[self.swaps % 2], spare)
            os.replace(spare, self.link)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()


def read_while_swapped(tree: Tree, trials: int) -> Iterator[str]:
    with _Swapping(tree) as swapping:
        done = 0
        while done < trials or swapping.swaps < trials:
            done += 1
            grounds = tree.grounds
            importer = Importer(Reader(grounds, 102_400), Limits(), tree.home)
            yield importer.expand(
                "@import swapped.md\n", dialect=BEANS, directory=tree.root, owner="repository"
            ).text


def test_a_name_that_leads_elsewhere_between_two_looks_shows_nothing_of_it(tree: Tree) -> None:
    trials = scale(100, 1000)
    seen = list(read_while_swapped(tree, trials))
    assert not [text for text in seen if _SECRET in text]
    inside = sum("inside\n" in text for text in seen)
    assert inside, "the race was never run: nothing was read at all"
    say("T8", len(seen), f"swaps of a link while it is read: {inside} read inside, 0 outside bytes")


def test_where_the_system_cannot_say_what_is_open_the_name_is_not_believed_either(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "_path_by_system", lambda _: "")
    seen = list(read_while_swapped(tree, scale(100, 1000)))
    assert not [text for text in seen if _SECRET in text]
    assert [text for text in seen if "inside\n" in text]


@pytest.mark.parametrize("kind", ["imports", "ticks", "letters", "commas"])
def test_two_hundred_rules_of_a_hundred_kilobytes_are_read_in_time(tree: Tree, kind: str) -> None:
    line = {"imports": "@x.md ", "ticks": "` `` ", "letters": "日本語\u202e ", "commas": ", "}[kind]
    text = (line * 100_000)[: 100_000 // len(line.encode()) * len(line)]
    for number in range(200):
        tree.write(f".claude/rules/r{number}.md", f"rule {number}\n{text}")
    seconds, shown, loaded = timed(tree, "auto")
    assert seconds <= _SECONDS
    assert len(shown.encode()) <= _BYTES
    assert "full" in {problem.what for problem in loaded.problems}
    say("T8", _TRIES, f"200 rules of 100 KB of {kind}: {seconds * 1000:.0f} ms, "
        f"{len(shown.encode()):,} bytes")  # fmt: skip


def test_a_large_tree_costs_nothing(tree: Tree) -> None:
    files = 5000
    for number in range(files):
        tree.write(f"src/m{number // 100}/p{number % 10}/f{number}.py", "x = 1\n")
    for number in range(40):
        tree.write(f"plugins/p{number}/memory/BEANS.md", f"plugin {number}\n")
    tree.write("AGENTS.md", "top\n")
    times = []
    for _ in range(20):
        began = time.perf_counter()
        loaded = tree.loaded()
        times.append(time.perf_counter() - began)
    assert len(loaded.files) == 41
    assert percentile(times, 0.5) <= 0.1
    say("T8", len(times), f"a tree of {files} files: found and loaded in "
        f"{percentile(times, 0.5) * 1000:.1f} ms (p50), {max(times) * 1000:.1f} ms at most")  # fmt: skip


# Seeded bugs: the test notices what it is there to notice.


def test_a_check_of_the_name_alone_is_caught(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """A containment check before opening, and none of what was opened."""

    def by_name(fd: int, path: str, status: os.stat_result) -> str:
        del fd, path, status
        return os.path.join(tree.root, "inside.md")

    monkeypatch.setattr(opening, "real_path_of", by_name)
    dice = random.Random(SEED)
    caught = False
    for _ in range(20):
        caught = caught or any(_SECRET in text for text in read_while_swapped(tree, 500))
        os.unlink(os.path.join(tree.root, "swapped.md"))
        if caught:
            break
        time.sleep(dice.random() / 100)
    assert caught


def test_a_run_without_bounds_is_caught(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """Imports that are shown as often as they are named, without bounds of the whole run."""
    monkeypatch.setattr(importing, "_MOST_LOOKS", 10**9)
    dag(tree, GEMINI, wide=8)
    reader = Reader(tree.grounds, 102_400)
    limits = Limits(once=False, files=10**9, bytes=10**9)
    with open(os.path.join(tree.root, "AGENTS.md"), encoding="utf-8") as file:
        text = file.read()
    out = Importer(reader, limits, tree.home).expand(
        text, dialect=GEMINI, directory=tree.root, owner="repository"
    )
    assert len(out.text.encode()) > _BYTES
