"""A rule goes into a file that the clients in use here read; who does not read it is told."""

from __future__ import annotations

import itertools
import json
import os
from pathlib import Path

import pytest

from integration.transcripts_made import Transcript
from satchel.application.briefs.sections import Reader
from satchel.application.learning.reflection.service import Reflection
from satchel.application.learning.reviewing.review import Review
from satchel.application.learning.reviewing.targets import ProjectTargets
from satchel.clients.registry import ALIASES
from satchel.features.instructions.saving import with_entry
from satchel.features.instructions.service import InstructionRequest
from satchel.features.instructions.values import LEARNED_RULES
from satchel.testing import run_git, temporary_workspace
from satchel.workspace import Workspace

HOOKS = {
    "hooks": {
        "SessionStart": [
            {"hooks": [{"type": "command", "command": "satchel hook SessionStart", "timeout": 10}]}
        ]
    }
}


def written_to(tmp_path: Path, files: dict[str, str], *, wired: bool = True) -> set[str]:
    """Return the files that have an accepted rule, where Claude Code is wired."""
    with temporary_workspace() as work:
        root = Path(work.project.place.root)
        for name, text in files.items():
            (root / name).write_text(text)
        if wired:
            (root / ".claude").mkdir()
            (root / ".claude" / "settings.json").write_text(json.dumps(HOOKS))
        said = "never call the billing api from tests, it costs real money"
        made = Transcript(work.project.place.root).person(said).agent("Done.")
        Reflection(work).reflect(paths=[made.write(str(tmp_path / "s.jsonl"))])
        with Review(work) as review:
            review.accept([one.proposal for one in review.pending()])
        return {
            name
            for name in os.listdir(root)
            if name in files and "billing" in (root / name).read_text()
        }


BOTH = {"AGENTS.md": "# Shop\n", "CLAUDE.md": "# Shop\n"}


@pytest.mark.parametrize(
    ("files", "wired", "where"),
    [
        (BOTH, True, {"CLAUDE.md"}),
        (BOTH, False, {"CLAUDE.md"}),
        ({**BOTH, "CLAUDE.md": "@AGENTS.md\n"}, True, {"AGENTS.md"}),
        ({"AGENTS.md": "# Shop\n"}, True, {"AGENTS.md"}),
    ],
)
def test_a_rule_goes_where_it_is_read(
    tmp_path: Path, files: dict[str, str], *, wired: bool, where: set[str]
) -> None:
    assert written_to(tmp_path, files, wired=wired) == where


FILES = {
    "AGENTS.md": "# Agents\n\n- Small pull requests\n",
    "CLAUDE.md": "# Claude\n\n- Use pnpm\n",
    "GEMINI.md": "# Gemini\n\n- Use pnpm\n",
    ".cursor/rules/web.mdc": "---\nglobs: web/**\n---\n- No Tailwind\n",
}
RULE = "Don't rename things that were not asked for"


def accepted(work: Workspace, files: dict[str, str], client: str) -> str:
    """Write the files, and a rule where one that was said in this client goes."""
    root = Path(work.project.place.root)
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    name = ProjectTargets(work).targets(client=client).instructions
    there = (root / name).read_bytes() if (root / name).exists() else b""
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_bytes(with_entry(there, RULE, LEARNED_RULES))
    return name


def told(work: Workspace, client: str) -> tuple[int, int]:
    """How often the client reads the rule by itself, and how often its brief tells it."""
    read = work.instructions.loaded(InstructionRequest(client=client)).segments
    brief = work.briefs.session(Reader(client)).text
    return sum(one.text.count(RULE) for one in read), brief.count(RULE)


@pytest.mark.parametrize("count", range(len(FILES) + 1))
def test_every_client_has_an_accepted_rule_once_whatever_files_there_are(count: int) -> None:
    for names in itertools.combinations(FILES, count):
        for said_in in ALIASES:
            with temporary_workspace() as work:
                where = accepted(work, {name: FILES[name] for name in names}, said_in)
                for client in ALIASES:
                    assert sum(told(work, client)) == 1, (names, said_in, where, client)


def test_a_rule_goes_into_a_file_that_the_client_reads_in_which_it_was_said() -> None:
    for said_in, where in {
        "claude": "CLAUDE.md",
        "cursor": "AGENTS.md",
        "codex": "AGENTS.md",
        "opencode": "AGENTS.md",
        "gemini": "GEMINI.md",
    }.items():
        with temporary_workspace() as work:
            assert accepted(work, FILES, said_in) == where


def test_many_rules_keep_to_their_share() -> None:
    with temporary_workspace() as work:
        root = Path(work.project.place.root)
        rules = "".join(f"- Rule {number} of the house is to be kept\n" for number in range(200))
        (root / "AGENTS.md").write_text(f"# A\n\n## {LEARNED_RULES}\n{rules}")
        brief = work.briefs.session(Reader("claude"), most=1000)
        kept = brief.text.count("of the house")
        assert 0 < kept < 50
        assert f"({200 - kept} more: AGENTS.md)" in brief.text


def test_ones_own_rule_is_told_though_others_write_the_file_and_theirs_wait(
    tmp_path: Path,
) -> None:
    with temporary_workspace(git=True) as work:
        root = Path(work.project.place.root)
        (root / "CLAUDE.md").write_text(f"# Shop\n\n## {LEARNED_RULES}\n- Ask before you delete\n")
        run_git(work.project.place.root, "add", "CLAUDE.md")
        run_git(
            work.project.place.root, "-c", "user.email=eve@example.org", "commit", "-m", "rules"
        )
        said = "never call the billing api from tests, it costs real money"
        made = Transcript(work.project.place.root).person(said).agent("Done.")
        Reflection(work).reflect(paths=[made.write(str(tmp_path / "s.jsonl"))])
        with Review(work) as review:
            assert review.answer("Y").failed == ()
        assert "billing" in (root / "CLAUDE.md").read_text()
        brief = work.briefs.session(Reader("cursor")).text
        assert "billing" in brief
        assert "Ask before you delete" not in brief
        assert "is waiting for the person's approval" in brief
        assert "billing" not in work.briefs.session(Reader("claude")).text


@pytest.mark.parametrize(
    ("files", "headings"),
    [
        ({".satchel/MEMORY.md": "## Learned Rules\n- Use pnpm\n"}, ["## Learned Rules"]),
        ({".satchel/MEMORY.md": "- Use pnpm\n"}, ["## Instruction files"]),
        (
            {"BEANS.md": "# Beans\n- Small ones\n", ".satchel/MEMORY.md": "## Rules\n- Use pnpm\n"},
            ["## Instruction files", "## Rules", "# Beans"],
        ),
    ],
)
def test_a_brief_puts_no_heading_above_another(files: dict[str, str], headings: list[str]) -> None:
    with temporary_workspace() as work:
        for name, text in files.items():
            path = Path(work.project.place.root, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        told = work.briefs.session(Reader(client="claude-code")).text
    assert [line for line in told.splitlines() if line.startswith("#")] == headings
    assert "- Use pnpm" in told
