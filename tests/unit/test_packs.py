"""Context packs: the budget, the data model and format of Beads Console, profiles, saving without the code."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from satchel.core.errors import BadInputError, NotFoundError
from satchel.core.token_budget import estimate_tokens
from satchel.features.code.packs.building import METHODS, Packer
from satchel.features.code.packs.profiles import PROFILES, excluded, included, profile_named
from satchel.features.code.packs.symbol_choice import best_window
from satchel.features.code.packs.text import pack_text
from satchel.features.code.packs.values import Pack, PackFile, PackRequest, PackSymbol
from satchel.features.code.symbols.values import KINDS
from satchel.testing import run_git, temporary_workspace
from satchel.workspace import Workspace

WORDS = st.text("abcdefgh _{}()`#\n\t\u202e\x1bé漢", max_size=80)


@pytest.fixture(scope="module")
def workspace() -> Iterator[Workspace]:
    with temporary_workspace(git=True) as opened:
        root = Path(opened.project.place.root)
        write(root / "src/walrus.py", '"""Walruses."""\n\n\nclass Walrus:\n    """Swims."""\n\n'
              "    def swim(self, far):\n        return dive(far)\n\n\ndef dive(far):\n"
              '    """Go deep."""\n    return far * 2\n')  # fmt: skip
        write(root / "src/sea.py", "from src.walrus import Walrus\n\n\ndef tide():\n"
              "    return Walrus().swim(3)\n")  # fmt: skip
        write(root / "tests/test_walrus.py", "from src.walrus import dive\n\n\ndef test_dive():\n"
              "    assert dive(1) == 2\n")  # fmt: skip
        write(
            root / "src/long.py",
            "".join(f"def walrus_{n}():\n    return {n}\n\n" for n in range(900)),
        )
        write(root / "src/fences.md", "# Walrus\n\n````python\n```\nwalrus\n````\n")
        write(root / "web/App.svelte", "<script>\n  let walrus = 1;\n</script>\n")
        run_git(str(root), "add", "--all")
        run_git(str(root), "commit", "--quiet", "--message", "Walrus")
        yield opened


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def made(workspace: Workspace, request: PackRequest) -> Pack:
    with workspace.code as code:
        return code.pack(request)


def test_a_pack_has_everything_that_beads_console_names(workspace: Workspace) -> None:
    told = made(workspace, PackRequest("Let the Walrus swim deeper")).as_json()
    assert told["generationMethod"] == "codegraph"
    assert told["projectId"] == workspace.project.key
    assert set(told["metadata"]) == {
        "generationTimeMs", "codegraphAvailable", "codegraphQueries", "warnings",
    }  # fmt: skip
    assert told["metadata"]["codegraphAvailable"] is True
    assert "callers of Walrus.swim" in told["metadata"]["codegraphQueries"]
    assert told["createdAt"] == "2026-01-01T00:00:00Z"
    first = told["files"][0]
    assert first["path"] == "src/walrus.py"
    assert {"content", "language", "relevance", "reason", "tokenEstimate"} <= set(first)
    symbol = next(s for s in told["symbols"] if s["name"] == "Walrus.swim" or s["name"] == "Walrus")
    assert symbol["filePath"] == "src/walrus.py"
    assert symbol["code"].strip().startswith(("class Walrus", "def swim"))
    assert {s["kind"] for s in told["symbols"]} <= set(KINDS)
    assert told["totalTokens"] == sum(
        one["tokenEstimate"] for one in told["files"] + told["symbols"]
    ) + estimate_tokens("## Code Context\n")
    assert json.dumps(told)
    assert told["ranked"][0]["path"] == "src/walrus.py"


def test_callers_and_callees_come_with_their_share_of_relevance(workspace: Workspace) -> None:
    pack = made(workspace, PackRequest("swim", max_symbols=20))
    by_name = {s.name: s for s in pack.symbols}
    assert by_name["dive"].reason == "called by Walrus.swim" or by_name["dive"].relevance >= 0.5
    assert by_name["tide"].relevance <= by_name["Walrus.swim"].relevance
    calls = {(d.source, d.target) for d in pack.dependencies}
    assert ("tide", "Walrus.swim") in calls
    assert ("Walrus.swim", "dive") in calls


def test_the_text_is_the_seeds_format(workspace: Workspace) -> None:
    text = pack_text(made(workspace, PackRequest("walrus swim", max_tokens=4000)))
    assert text.startswith("## Code Context\n\n### Symbol: ")
    assert "\n**File:** src/walrus.py:" in text
    assert "\n**Relevance:** 1.00\n" in text
    assert "\n### File: src/walrus.py\n**Relevance:** " in text
    assert "```python\n" in text


def test_no_code_closes_the_fence_that_it_stands_in(workspace: Workspace) -> None:
    text = pack_text(made(workspace, PackRequest("x", method="manual", files=("src/fences.md",))))
    fence = "`" * 5
    assert text.count(fence) == 2


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    task=WORDS.filter(str.strip),
    tokens=st.integers(1, 3000),
    method=st.sampled_from(["codegraph", "heuristic"]),
    profile=st.sampled_from([*PROFILES, "auto"]),
    symbols=st.integers(1, 60),
)
def test_no_pack_is_larger_than_its_budget(
    workspace: Workspace, *, task: str, tokens: int, method: str, profile: str, symbols: int
) -> None:
    with workspace.code as code:
        packer = Packer(code.store, code.root, code.ranker)
        request = PackRequest(
            "walrus " + task, method=method, profile=profile, max_tokens=tokens, max_symbols=symbols
        )
        pack = packer.make(request, ident="x", project="p", created="now")
    assert pack.tokens <= tokens
    if pack.files or pack.symbols:
        assert estimate_tokens(pack_text(pack)) <= pack.tokens
    assert len(pack.symbols) <= symbols
    in_symbols = sum(s.tokens for s in pack.symbols)
    assert in_symbols <= tokens * 0.7


@given(st.lists(WORDS, max_size=30), st.integers(1, 200))
def test_a_window_lies_in_the_file_and_in_its_budget(lines: list[str], tokens: int) -> None:
    start, end = best_window(lines, {"abc": 2, "d": 1}, tokens)
    assert 0 <= start <= end <= len(lines)
    assert sum(estimate_tokens(line) + 1 for line in lines[start:end]) <= tokens


def test_a_window_stands_where_the_words_are() -> None:
    lines = [f"line {n}" for n in range(100)]
    lines[70] = "the walrus dives"
    start, end = best_window(lines, {"walrus": 2, "dives": 2}, 40)
    assert start <= 70 < end
    assert end - start < 30


def test_a_long_file_is_cut_and_says_which_lines_it_shows(workspace: Workspace) -> None:
    pack = made(workspace, PackRequest("walrus_700", max_tokens=2000))
    long = next(file for file in pack.files if file.path == "src/long.py")
    assert long.as_json()["excerpt"]["totalLines"] == 2700
    assert long.start <= 2101 <= long.end
    lines = Path(workspace.project.place.root, "src/long.py").read_text().split("\n")
    assert long.content == "\n".join(lines[long.start - 1 : long.end])
    assert any("left out" in warning for warning in pack.warnings)


def test_a_pack_by_hand_holds_the_files_that_were_given(workspace: Workspace) -> None:
    files = ("src/sea.py", "src/fences.md")
    pack = made(workspace, PackRequest("anything", method="manual", files=files))
    assert tuple(file.path for file in pack.files) == files
    assert pack.symbols == ()
    with pytest.raises(BadInputError, match="not a file of this project"):
        made(workspace, PackRequest("x", method="manual", files=("../outside.py",)))
    with pytest.raises(BadInputError, match="needs files"):
        made(workspace, PackRequest("x", method="manual"))


def test_files_of_keys_come_into_no_pack(workspace: Workspace) -> None:
    path = Path(workspace.project.place.root, "deploy.pem")
    path.write_text("walrus swim dive tide\n")
    try:
        pack = made(workspace, PackRequest("walrus swim deploy"))
        assert "deploy.pem" not in {f.path for f in pack.files} | {r.path for r in pack.ranked}
        with pytest.raises(BadInputError, match="holds keys"):
            made(workspace, PackRequest("x", method="manual", files=("deploy.pem",)))
    finally:
        path.unlink()


def test_a_pack_begins_at_a_file_or_a_symbol_too(workspace: Workspace) -> None:
    pack = made(workspace, PackRequest("src/sea.py", entry="file"))
    assert pack.ranked[0].path == "src/sea.py"
    assert "src/walrus.py" in [one.path for one in pack.ranked]
    pack = made(workspace, PackRequest("Walrus.swim", entry="symbol"))
    assert pack.ranked[0].path == "src/walrus.py"
    assert pack.symbols[0].name == "Walrus.swim"
    with pytest.raises(NotFoundError, match="no symbol 'Zeppelin'"):
        made(workspace, PackRequest("Zeppelin", entry="symbol"))


def test_wrong_methods_and_profiles_are_named(workspace: Workspace) -> None:
    with pytest.raises(BadInputError, match="no method 'magic'"):
        made(workspace, PackRequest("x", method="magic"))
    with pytest.raises(BadInputError, match="no profile 'cobol'"):
        made(workspace, PackRequest("x", profile="cobol"))
    assert METHODS == ("codegraph", "heuristic", "manual")


def test_profiles_prefer_and_exclude(workspace: Workspace) -> None:
    web = [one.path for one in made(workspace, PackRequest("walrus", profile="web")).ranked]
    python = [one.path for one in made(workspace, PackRequest("walrus", profile="python")).ranked]
    assert web.index("web/App.svelte") < python.index("web/App.svelte")
    assert excluded(PROFILES["ios"], "Pods/A/B.swift")
    assert excluded(PROFILES["generic"], "a/node_modules/b.js")
    assert not excluded(PROFILES["generic"], "a/nodes/b.js")
    assert included(PROFILES["web"], "src/routes/x.anything")
    assert not included(PROFILES["go"], "a.py")
    assert profile_named("auto", ["a.swift", "b.swift"]) == (PROFILES["ios"], False)
    assert profile_named("auto", ["a.md", "b.md", "c.md", "d.md", "e.py"])[0].name == "generic"


def test_controls_and_direction_marks_do_not_reach_an_agent() -> None:
    file = PackFile("a\u202e\n.py", "x = '\x1b[2J\u202e'", "python", 1.0, 1, 1, 1, "why\n## Hi", 1)
    symbol = PackSymbol("s\n", "class", "p", 1, 1, "", "c\x07", "", "python", 1.0, "", 1)
    pack = Pack("i", "n", "p", "t", "manual", "generic", "query", 9, (file,), (symbol,), (), 1, "", 0,
                codegraph=True, queries=(), warnings=())  # fmt: skip
    text = pack_text(pack)
    assert not set(text) & {"\u202e", "\x1b", "\x07"}
    assert "\n## Hi" not in text


def test_a_svelte_or_typescript_project_is_web() -> None:
    beside = [
        "package.json",
        "README.md",
        "a.md",
        "b.md",
        "logo.svg",
        "a.json",
        "x.css",
        "a.png",
        "b.png",
        "c.yaml",
    ]
    for code in (["src/App.svelte"], ["src/main.ts"], ["src/routes/+page.svelte", "a.ts"]):
        assert profile_named("auto", [*beside, *code])[0].name == "web"
    rust = [f"src/{name}.rs" for name in "abcdefgh"]
    assert profile_named("auto", [*rust, "tools/build.ts"])[0].name == "generic"
    assert profile_named("auto", beside)[0].name == "generic"
