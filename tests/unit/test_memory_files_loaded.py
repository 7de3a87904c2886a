"""What an agent gets: each text once, within the budget, with its source; and what has changed."""

import os
import random
import tempfile
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.clients.registry import ALIASES
from satchel.core.token_budget import estimate_tokens
from satchel.features.instructions.budget import Budget, context_of, fit
from satchel.features.instructions.discovery import DiscoveryRequest, discover
from satchel.features.instructions.loading import LoadedInstructions, Options, load, rendered
from satchel.features.instructions.places import Homes
from satchel.features.instructions.reading import Reader
from satchel.features.instructions.trust_policy import TrustPolicy
from satchel.features.instructions.values import Limits, Segment
from unit.memory_trees import MemoryTree

NAMES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", "BEANS.md")


@pytest.fixture
def tree(tmp_path: os.PathLike[str]) -> MemoryTree:
    return MemoryTree(tmp_path)


def loaded(tree: MemoryTree, budget: Budget | None = None, **options: Any) -> LoadedInstructions:
    home = tree.home
    homes = Homes(home, home + "/.satchel", home + "/.beans", {n: f"{home}/.{n}" for n in ALIASES})
    sources = discover(DiscoveryRequest(tree.root, tree.root, homes, NAMES))
    reader = Reader(TrustPolicy(tree.root, home), 102_400)
    chosen = Options(Limits(), budget or Budget.of(200_000), **options)
    return load(sources, reader, chosen, root=tree.root, home=home)


def why_not(found: LoadedInstructions, name: str) -> str:
    return next(file.skipped for file in found.files if file.source.path.endswith(name))


def test_each_file_stands_between_two_lines_that_name_it(tree: MemoryTree) -> None:
    path = tree.write("AGENTS.md", "# A\ntext\n")
    found = loaded(tree)
    assert rendered(found.segments) == (
        f"--- PROJECT: {path} ---\n# A\ntext\n--- End of {path} ---\n"
    )
    assert found.tokens == estimate_tokens(rendered(found.segments))


def test_what_two_files_lead_to_is_shown_once(tree: MemoryTree) -> None:
    tree.write("AGENTS.md", "# Rules\n- one rule\n")
    tree.write("CLAUDE.md", "@AGENTS.md\n")
    found = loaded(tree)
    assert rendered(found.segments).count("- one rule") == 1
    assert "CLAUDE.md imports it" in why_not(found, "AGENTS.md")


def test_a_link_and_a_copy_are_shown_once(tree: MemoryTree) -> None:
    tree.write("AGENTS.md", "# Rules\n- one rule\n")
    os.symlink("AGENTS.md", os.path.join(tree.root, "CLAUDE.md"))
    tree.write("GEMINI.md", "# Rules\n- one rule\n\n")
    found = loaded(tree)
    assert rendered(found.segments).count("- one rule") == 1
    assert [bool(file.skipped) for file in found.files] == [True, True, False]


def test_of_two_copies_the_one_that_overrides_is_shown(tree: MemoryTree) -> None:
    tree.write(f"{tree.home}/.claude/CLAUDE.md", "the same")
    tree.write("AGENTS.md", "the same")
    assert [s.tier for s in loaded(tree).segments] == ["project"]


def test_front_matter_orders_and_switches_off(tree: MemoryTree) -> None:
    tree.write("AGENTS.md", "---\npriority: 500\n---\nlast\n")
    tree.write("CLAUDE.md", "first\n")
    tree.write("GEMINI.md", "---\nenabled: false\n---\nnever\n")
    found = loaded(tree)
    assert [s.text.strip() for s in found.segments] == ["first", "last"]
    assert found.segments[1].first_line == 4
    assert why_not(found, "GEMINI.md") == "it says `enabled: false`"


def test_a_rule_for_some_files_is_shown_when_one_of_them_is_at_hand(tree: MemoryTree) -> None:
    tree.write(".claude/rules/py.md", "---\npaths: ['src/**/*.py']\n---\nuse types\n")
    assert loaded(tree).segments == []
    assert loaded(tree, touching=("docs/x.md",)).segments == []
    assert len(loaded(tree, touching=("src/a/b.py",)).segments) == 1
    assert len(loaded(tree, touching=(os.path.join(tree.root, "src/a.py"),)).segments) == 1


def test_a_client_sees_what_it_reads_and_what_it_does_not_read_can_be_had(tree: MemoryTree) -> None:
    tree.write("AGENTS.md", "for codex\n")
    tree.write("CLAUDE.md", "for claude\n")
    tree.write(".satchel/MEMORY.md", "for all\n")
    assert "for codex" not in rendered(loaded(tree, client="claude").segments)
    assert "for claude" in rendered(loaded(tree, client="claude").segments)
    beyond = rendered(loaded(tree, beyond="claude").segments)
    assert "for claude" not in beyond
    assert "for codex" in beyond
    assert "for all" in beyond


def test_a_clients_view_follows_the_imports_that_it_follows(tree: MemoryTree) -> None:
    tree.write("AGENTS.md", "general\n@import a.md\n")
    tree.write("sub/AGENTS.override.md", "elsewhere\n")
    tree.write("a.md", "IMPORTED\n")
    assert "IMPORTED" in rendered(loaded(tree).segments)
    codex = loaded(tree, client="codex", imports="none")
    assert "general" in rendered(codex.segments)
    assert "IMPORTED" not in rendered(codex.segments)
    tree.write("AGENTS.override.md", "instead\n")
    codex = loaded(tree, client="codex", imports="none")
    assert "general" not in rendered(codex.segments)
    assert why_not(codex, "AGENTS.md") == "codex reads AGENTS.override.md instead"


def test_of_a_clients_own_notes_the_first_two_hundred_lines_are_shown(tree: MemoryTree) -> None:
    from satchel.clients.transcript_format.project_key import project_key

    place = f"{tree.home}/.claude/projects/{project_key(tree.root)}/memory"
    tree.write(f"{place}/MEMORY.md", "".join(f"line {n}\n" for n in range(1, 400)))
    tree.write(f"{place}/topic.md", "a topic\n")
    found = loaded(tree)
    text = rendered(found.segments)
    assert "line 200\n" in text
    assert "line 201" not in text
    assert "a topic" not in text
    assert "a topic" in rendered(loaded(tree, requested=True).segments)
    tree.write(f"{place}/MEMORY.md", ("x" * 99 + "\n") * 400)
    assert len(rendered(loaded(tree).segments)) < 25_000


def test_what_was_imported_and_is_no_markdown_loses_its_secrets(tree: MemoryTree) -> None:
    tree.write("GEMINI.md", "@./deploy.env\n")
    tree.write("deploy.env", "AWS_KEY=AKIAIOSFODNN7EXAMPLE\nREGION=eu\n")
    text = rendered(loaded(tree).segments)
    assert "REGION=eu" in text
    assert "AKIAIOSFODNN7EXAMPLE" not in text


def test_a_memory_file_that_leads_to_another_kind_of_file_is_not_read(tree: MemoryTree) -> None:
    tree.write(".env", "KEY=S3CRET")
    os.symlink(".env", os.path.join(tree.root, "AGENTS.md"))
    found = loaded(tree)
    assert found.segments == []
    assert why_not(found, "AGENTS.md") == "it leads to a file of another kind"


def test_nothing_that_a_terminal_or_a_model_obeys_unseen_is_shown(tree: MemoryTree) -> None:
    tree.write("AGENTS.md", "a\x1b[31mred\x1b]0;t\x07 \u202etxt\u200b \U000e0041 b\r\n")
    text = rendered(loaded(tree).segments)
    assert text.isascii()
    assert "\x1b" not in text
    assert "ared" in text


def test_a_file_that_is_too_large_is_read_so_far_and_told(tree: MemoryTree) -> None:
    tree.write("AGENTS.md", "# Head\n" + "x\n" * 100_000)
    found = loaded(tree)
    assert [p.what for p in found.problems] == ["large"]
    assert found.bytes <= 51_200


# Budgets


@pytest.mark.parametrize(
    ("model", "size"),
    [("claude-sonnet-4-5", 200_000), ("anthropic/claude-opus-4", 200_000), ("sonnet[1m]", 1_000_000),
     ("gpt-4o-mini", 128_000), ("gpt-4", 8_192), ("gemini-2.5-pro", 1_000_000), ("mine", 200_000),
     ("", 200_000)],
)  # fmt: skip
def test_a_model_has_its_context(model: str, size: int) -> None:
    assert context_of(model) == size


def test_the_budget_is_that_of_beans() -> None:
    budget = Budget.of(128_000)
    assert (budget.share, budget.warn, budget.most) == (12_800, 10_240, 19_200)
    assert (budget.warn_bytes, budget.most_bytes) == (30_720, 51_200)


@pytest.mark.parametrize(
    ("size", "warnings"), [(1000, 0), (33_000, 2), (41_000, 2), (20_000, 0), (30_000, 0)]
)
def test_warnings_come_above_eight_and_ten_percent_and_thirty_kilobytes(
    tree: MemoryTree, size: int, warnings: int
) -> None:
    tree.write("AGENTS.md", "x" * size)
    found = loaded(tree, Budget.of(100_000))
    assert len(found.warnings) == warnings, found.warnings


def test_what_is_left_out_is_named_with_its_lines_and_headings(tree: MemoryTree) -> None:
    body = "".join(f"## Part {n}\n" + "word " * 400 + "\n" for n in range(20))
    path = tree.write("AGENTS.md", body)
    found = loaded(tree, Budget.of(200_000, most=3000))
    assert found.tokens <= 3000
    assert "## Part 4\n" in found.segments[0].text
    (left,) = found.left_out
    assert (left.path, left.last_line) == (path, 40)
    assert left.first_line == found.segments[0].last_line + 1
    assert left.headings[0] == f"Part {found.segments[0].text.count('## Part')}"


def test_what_overrides_is_kept_when_not_everything_fits(tree: MemoryTree) -> None:
    for name in (f"{tree.home}/.claude/CLAUDE.md", "AGENTS.md", "AGENTS.local.md"):
        tree.write(name, f"# {os.path.basename(name)}\n" + "word " * 300)
    found = loaded(tree, Budget.of(200_000, most=500))
    assert [s.tier for s in found.segments] == ["project-local"]
    assert [os.path.basename(left.path) for left in found.left_out] == ["AGENTS.md", "CLAUDE.md"]


_pieces = st.lists(
    st.tuples(st.integers(0, 3), st.text(st.sampled_from("ab #\né日"), max_size=80)), max_size=12
)


@given(_pieces, st.integers(1, 120), st.integers(1, 400))
def test_what_fits_fits_and_is_the_same_every_time(
    pieces: list[tuple[int, str]], most: int, size: int
) -> None:
    segments = [
        Segment(f"/{p}.md", "project", p, 1, text.count("\n") + 1, "", estimate_tokens(text), "",
                text, f"/{p}.md")
        for p, text in pieces
    ]  # fmt: skip
    budget = Budget.of(1_000_000, sizes=(1, size), most=most)
    around = len("--- PROJECT: /0.md ---\n\n--- End of /0.md ---\n") + 1
    fitted = fit(segments, budget, lambda _: around)
    text = "".join(
        f"{'x' * around}{''.join(s.text for s in fitted.kept if s.file == f)}"
        for f in dict.fromkeys(s.file for s in fitted.kept)
    )
    assert estimate_tokens(text) <= most
    assert len(text.encode()) <= size
    assert fit(segments, budget, lambda _: around) == fitted
    whole = [s for s in segments if s in fitted.kept]
    assert all(
        s.text.startswith(k.text) for s, k in zip(whole, fitted.kept, strict=False) if s == k
    )


def test_no_tree_makes_memory_files_cost_more_than_their_budget(tree: MemoryTree) -> None:
    dice = random.Random(5)
    for round_ in range(30):
        for name in ("AGENTS.md", "CLAUDE.md", ".satchel/MEMORY.md", "a.md", "b.md"):
            text = "".join(
                dice.choice(("# H\n", "日本" * 50 + "\n", "word " * 60 + "\n", "@a.md\n",
                             "@import b.md\n", "```\n", "x" * 900 + "\n"))
                for _ in range(dice.randrange(40))
            )  # fmt: skip
            tree.write(name, text)
        most = dice.choice((10, 100, 1000, 5000))
        found = loaded(tree, Budget.of(200_000, most=most))
        assert found.tokens <= most, round_


@given(st.lists(st.binary(max_size=120), min_size=4, max_size=4))
def test_no_bytes_stop_memory_files_from_being_read(parts: list[bytes]) -> None:
    with tempfile.TemporaryDirectory() as directory:
        tree = MemoryTree(directory)
        for name, part in zip(("AGENTS.md", "CLAUDE.md", "GEMINI.md"), parts, strict=False):
            tree.write(name, part + b"\n@import a.md\n@a.md\n")
        tree.write("a.md", b"---\n" + parts[3])
        tree.write(".cursor/rules/r.mdc", b"---\n" + parts[3] + b"\n---\n" + parts[0])
        found = loaded(tree)
        text = rendered(found.segments)
        assert found.tokens == estimate_tokens(text)
        assert len(found.files) == 4
