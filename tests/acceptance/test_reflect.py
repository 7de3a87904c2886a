"""The command lines of reflect, as its CLI reference has them."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from integration.installed import COMMAND, Machine, needs_command
from unit.notes_made import EXAMPLE, SIDECAR, note, write

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


@pytest.fixture
def app(tmp_path: Path) -> Path:
    machine = Machine(tmp_path)
    app = machine.repository("app", layout="agents")
    solutions = app / "docs" / "solutions"
    write(solutions / "debugging-sessions/tokio-runtime-panic.md", EXAMPLE)
    write(solutions / "debugging-sessions/tokio-runtime-panic.entities.yaml", SIDECAR)
    write(solutions / "patterns/critical-patterns.md",
          "# Critical patterns\n\n## Rust: never block\n\nUse spawn_blocking.\n")  # fmt: skip
    write(solutions / "decisions/chose-sqlx-over-diesel.md",
          note("Chose sqlx over diesel", tags="[rust, sql]", confidence="medium"))  # fmt: skip
    write(app / "doc.md", EXAMPLE.replace("Tokio runtime panic", "A doc about tmux timing"))
    write(app / "doc.entities.yaml", SIDECAR)
    return app


def sh(app: Path, line: str) -> str:
    machine_home = app.parent / "home"
    done = subprocess.run(
        ["sh", "-c", line], cwd=app, capture_output=True, text=True, timeout=60, check=False,
        env={"HOME": str(machine_home), "LANG": "C.UTF-8",
             "PATH": f"{os.path.dirname(COMMAND)}:/usr/bin:/bin"},
    )  # fmt: skip
    assert done.returncode == 0, (line, done)
    assert "Traceback" not in done.stderr
    return done.stdout


def test_the_console_scripts_are_installed() -> None:
    for name in ("learnings", "search-learnings"):
        assert shutil.which(name, path=os.path.dirname(COMMAND)), f"{name} is no console script"


@pytest.mark.parametrize("program", ["learnings", "satchel learnings"])
def test_the_learnings_command_line(app: Path, program: str) -> None:
    added = sh(app, f"{program} add ./doc.md --entities ./doc.entities.yaml")
    assert "A doc about tmux timing" in (
        (app.parent / "home/.learnings/documents/learnings").glob("a-doc-about-tmux-timing-*.md")
    ).__next__().read_text("utf-8")
    assert "a-doc-about-tmux-timing-" in added
    for mode in ("naive", "local", "global"):
        assert "tmux timing" in sh(app, f'{program} search "tmux timing" --mode {mode}')
    found = json.loads(sh(app, f'{program} search "nested runtime panic" --format json'))
    assert found["results"][0]["title"] in ("Tokio runtime panic", "A doc about tmux timing")
    assert "Read" in sh(app, f"{program} reindex")
    assert "Read" in sh(app, f"{program} reindex --force")
    assert "4 notes" in sh(app, f"{program} stats")
    critical = sh(app, f"{program} critical-patterns --language rust")
    assert "Rust: never block" in critical
    assert "Tokio runtime panic" in critical
    assert "sqlx" not in critical
    assert "sqlx" in sh(app, f"{program} list")
    debugging = sh(app, f"{program} list --category debugging")
    assert "Tokio runtime panic" in debugging
    assert "sqlx" not in debugging
    sh(app, f"{program} visualize")
    assert "<html" in (app / "knowledge-graph.html").read_text("utf-8").lower()


@pytest.mark.parametrize("program", ["search-learnings", "satchel search-learnings"])
def test_the_hot_tier_search(app: Path, program: str) -> None:
    out = sh(app, f'{program} "tokio panic"')
    assert out.startswith("[160] Tokio runtime panic\n")
    assert "docs/solutions/debugging-sessions/tokio-runtime-panic.md" in out
    (found,) = json.loads(sh(app, f'{program} "tokio" -d docs/solutions -c debugging-sessions '
                                  "-t rust -l 1 -f json"))  # fmt: skip
    assert (found["score"], found["matched"]) == (140, ["title", "tags"])
    long = f'{program} "sqlx" --dir ./docs/solutions --category decisions --tag sql --limit 5'
    assert "Chose sqlx" in sh(app, f"{long} --format summary")
    assert "Chose sqlx" in sh(app, f"{long} --format full")
    assert sh(app, f'{program} "walrus"') == "No learnings found for 'walrus'.\n"


def test_search_weights_order_the_notes(app: Path) -> None:
    base = app / "docs" / "solutions" / "decisions"
    write(base / "a.md", note("Walrus in the title", "x"))
    write(base / "b.md", note("B", "x", symptoms='["a walrus"]'))
    write(base / "c.md", note("C", "x", key_insight="walrus"))
    write(base / "d.md", note("D", "x", tags="[walrus]"))
    write(base / "e.md", note("E", "walrus"))
    found = json.loads(sh(app, 'search-learnings "walrus" -f json'))
    assert [(one["score"], one["title"]) for one in found] == [
        (160, "Walrus in the title"), (80, "B"), (60, "C"), (40, "D"), (20, "E"),
    ]  # fmt: skip


def test_the_sidecar_stands_beside_the_note_and_names_it(app: Path) -> None:
    sh(app, "learnings add ./doc.md --entities ./doc.entities.yaml")
    (sidecar,) = (app.parent / "home/.learnings/documents/learnings").glob("*.entities.yaml")
    name = sidecar.name.removesuffix(".entities.yaml")
    assert sidecar.with_name(f"{name}.md").is_file()
    assert sidecar.read_text("utf-8").startswith(f"document_id: {name}\n")


INSTINCTS = """# Tier 4
version: 1
instincts:
  - id: inst-20260310-a1b2c3
    rule: "Use pnpm instead of npm for this project"
    confidence: 0.7
    scope: project # project | domain | universal
    category: tooling # tooling | style | api | testing | architecture
    created: 2026-03-10
    last_reinforced: 2026-03-10
    reinforcement_count: 1
    source: "User corrected npm to pnpm"
"""


def test_the_instincts_of_a_team_that_used_reflect(app: Path) -> None:
    path = app / ".agents" / "instincts.yaml"
    path.write_text(INSTINCTS, "utf-8")
    assert "Use pnpm instead of npm" in sh(app, "satchel instincts")
    sh(app, 'satchel instincts add "Quote paths" --scope universal --confidence 0.8')
    assert path.read_text("utf-8").startswith(INSTINCTS)
    assert "decayed inst-20260310-a1b2c3 0.7 -> " in sh(app, "satchel instincts review --yes")
    kept = path.read_text("utf-8")
    assert "scope: project # project | domain | universal\n" in kept
    assert sh(app, "satchel instincts review --yes").count("decayed") == 0
    assert path.read_text("utf-8") == kept
    ident = json.loads(sh(app, "satchel instincts --json"))["instincts"][0]["id"]
    sh(app, f"satchel instincts promote {ident} --yes")
    (note_file,) = (app.parent / "home/.learnings/documents/learnings").glob("quote-paths-*.md")
    assert "Quote paths" in note_file.read_text("utf-8")
    assert json.loads(sh(app, "satchel instincts prune --yes --json"))["pruned"] in (
        [], ["inst-20260310-a1b2c3"],
    )  # fmt: skip


def test_promote_without_an_id_promotes_all_that_is_ripe(app: Path) -> None:
    for rule in ("Always pin tool versions", "Never block the runtime"):
        sh(app, f'satchel instincts add "{rule}" --scope universal --confidence 0.9')
    sh(app, 'satchel instincts add "Only here" --confidence 0.9')
    told = json.loads(sh(app, "satchel instincts promote --yes --json"))["promoted"]
    assert len(told) == 2
    assert all(os.path.isfile(one["path"]) for one in told)
    assert "Nothing is ripe" in sh(app, "satchel instincts promote --yes")


def test_a_note_without_symptoms_may_say_so(app: Path) -> None:
    lines = EXAMPLE.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("symptoms:"))
    end = next(n for n in range(at + 1, len(lines)) if not lines[n].startswith((" ", "-")))
    text = "\n".join([*lines[:at], "symptoms: []", *lines[end:]]) + "\n"
    write(app / "docs/solutions/debugging-sessions/plain.md", text)
    assert "plain.md: `symptoms`" not in sh(app, "satchel learnings check docs/solutions || true")


def test_there_is_one_knowledge_base_whatever_the_layout(app: Path) -> None:
    sh(app, "learnings add ./doc.md --entities ./doc.entities.yaml")
    other = Machine(app.parent, "home2")
    other.home.rmdir()
    other.environment["HOME"] = str(app.parent / "home")
    plain = other.repository("plain")
    assert "tmux timing" in other.ok("learnings", "search", "tmux timing", at=plain)


def test_instructions_show_tells_the_limit_of_the_memory_file(app: Path) -> None:
    path = app / ".agents" / "MEMORY.md"
    path.write_text("- a rule\n" * 350, "utf-8")
    told = sh(app, "satchel instructions show")
    assert ".agents/MEMORY.md has 350 lines, and agents are told the first 200" in told


def test_a_committed_local_file_is_warned_of_and_show_names_its_options(app: Path) -> None:
    (app / "AGENTS.local.md").write_text("- mine\n", "utf-8")
    assert "means for you alone" not in sh(app, "satchel doctor || true")
    sh(app, "git add -f AGENTS.local.md")
    assert "means for you alone: AGENTS.local.md" in sh(app, "satchel doctor || true")
    told = " ".join(sh(app, "satchel memory show --help").split())
    assert "--client, --beyond" in told
