"""The command lines of reflect, as its CLI reference has them."""

import json
import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from integration.installed import COMMAND, Machine, needs_command
from integration.transcripts_made import a_mornings_work
from satchel.clients.transcript_format.project_key import project_key
from unit.notes_made import EXAMPLE, SIDECAR, note, write

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


@pytest.fixture
def app(machine: Machine) -> Path:
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


@pytest.mark.parametrize("program", ["learnings", "satchel notes"])
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
    assert "Use pnpm instead of npm" in sh(app, "satchel rules")
    sh(app, 'satchel rules add "Quote paths" --scope universal --confidence 0.8')
    assert path.read_text("utf-8").startswith(INSTINCTS)
    assert "decayed inst-20260310-a1b2c3 0.7 -> " in sh(app, "satchel rules review --yes")
    kept = path.read_text("utf-8")
    assert "scope: project # project | domain | universal\n" in kept
    assert sh(app, "satchel rules review --yes").count("decayed") == 0
    assert path.read_text("utf-8") == kept
    ident = json.loads(sh(app, "satchel rules --json"))["instincts"][0]["id"]
    sh(app, f"satchel rules promote {ident} --yes")
    (note_file,) = (app.parent / "home/.learnings/documents/learnings").glob("quote-paths-*.md")
    assert "Quote paths" in note_file.read_text("utf-8")
    assert json.loads(sh(app, "satchel rules prune --yes --json"))["pruned"] in (
        [], ["inst-20260310-a1b2c3"],
    )  # fmt: skip


def test_promote_without_an_id_promotes_all_that_is_ripe(app: Path) -> None:
    for rule in ("Always pin tool versions", "Never block the runtime"):
        sh(app, f'satchel rules add "{rule}" --scope universal --confidence 0.9')
    sh(app, 'satchel rules add "Only here" --confidence 0.9')
    told = json.loads(sh(app, "satchel rules promote --yes --json"))["promoted"]
    assert len(told) == 2
    assert all(os.path.isfile(one["path"]) for one in told)
    assert "Nothing is ripe" in sh(app, "satchel rules promote --yes")


def test_a_note_without_symptoms_may_say_so(app: Path) -> None:
    lines = EXAMPLE.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("symptoms:"))
    end = next(n for n in range(at + 1, len(lines)) if not lines[n].startswith((" ", "-")))
    text = "\n".join([*lines[:at], "symptoms: []", *lines[end:]]) + "\n"
    write(app / "docs/solutions/debugging-sessions/plain.md", text)
    assert "plain.md: `symptoms`" not in sh(app, "satchel notes check docs/solutions || true")


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


OLD_SIDECAR = """document_id: tokio-runtime-panic
extracted_at: 2025-01-10T10:00:00Z
entities:
- {name: tokio, type: technology, description: Async runtime for Rust}
- {name: block_on, type: function, description: Blocking call to run an async future}
- {name: nested runtime panic, type: error, description: The panic}
relationships:
- {source: block_on, target: nested runtime panic, type: caused_by, description: It blocks, strength: 1}
- {source: block_on, target: tokio, type: owned_by, description: Part of it, strength: 1}
"""


def stated(app: Path) -> str:
    """The lines of an entity that state its relations."""
    lines = sh(app, "satchel graph show block_on").splitlines()
    return "\n".join(line for line in lines if "->" in line)


def test_what_a_sidecar_still_says_is_never_decayed_or_ended_by_upkeep(app: Path) -> None:
    folder = app / "docs/solutions/debugging-sessions"
    old = EXAMPLE.replace("2026-03-16", "2025-01-10")
    write(folder / "tokio-runtime-panic.md", old)
    write(folder / "tokio-runtime-panic.entities.yaml", OLD_SIDECAR)
    sh(app, "satchel graph ingest said --relation block_on owned_by 'the runtime'")
    before = stated(app)
    assert "caused_by" in before
    told = json.loads(sh(app, "satchel graph evolve --apply --confirm --json"))
    assert [one for one in told["steps"] if "nested runtime panic" in one["what"]] == []
    assert [one for one in told["steps"] if "block_on -owned_by-> tokio" in one["what"]] == []
    sh(app, "satchel upkeep decay --confirm")
    links = json.loads(sh(app, "satchel graph query block_on --type relationship --json"))
    said = {one["to_name"]: one for one in links["results"]}
    assert said["nested runtime panic"]["retention"] == "strong"
    assert all(said[name]["holds"] for name in ("nested runtime panic", "tokio"))
    sh(app, "satchel graph rebuild")
    assert stated(app) == before
    # What no file says any more ages as everything else does.
    (folder / "tokio-runtime-panic.entities.yaml").write_text("entities: []\n")
    assert "nested runtime panic" not in stated(app)


def test_an_accepted_note_stands_once_in_every_answer(app: Path) -> None:
    note_file = app / "docs/solutions/debugging-sessions/tokio-runtime-panic.md"
    sh(app, f"learnings add {note_file}")
    sh(app, "rm docs/solutions/decisions/* docs/solutions/patterns/* doc.md")
    (copy,) = (app.parent / "home/.learnings/documents/learnings").glob("tokio-*.md")
    note_file.write_text(copy.read_text("utf-8"))  # as an acceptance writes both
    for asked in ("graph search", "learnings search", "recall", "learnings list", "research"):
        question = "" if asked.endswith("list") else ' "tokio runtime panic"'
        told = sh(app, f"satchel {asked}{question}")
        lines = [
            one
            for one in told.splitlines()
            if one.endswith("Tokio runtime panic") or "  Tokio runtime panic  " in one
        ]
        assert len(lines) == 1, (asked, told)


def test_your_own_skills_are_deployed_with_the_shipped_ones(app: Path) -> None:
    own = app.parent / "home" / ".satchel" / "skills" / "release-notes" / "SKILL.md"
    write(
        own,
        "---\nname: release-notes\ndescription: Writes them.\n---\n\nSee `{{TOOL_DIR}}` and "
        "`{{HOME_TOOL_DIR}}`.\n",
    )
    write(own.parents[1] / "prime" / "SKILL.md", "---\nname: prime\n---\nmine\n")
    sh(app, "satchel install claude-code codex copilot --skills --yes 2> told.txt")
    assert "there is a skill `prime` already" in (app / "told.txt").read_text("utf-8")
    for folder, tool in ((".claude", ".claude"), (".agents", ".codex"), (".github", ".copilot")):
        text = (app / folder / "skills" / "release-notes" / "SKILL.md").read_text("utf-8")
        assert f"See `{tool}` and `~/{tool}`." in text
        assert "managed-by: satchel" in text
        assert (app / folder / "skills" / "reflect" / "SKILL.md").is_file()
    assert "wired" in sh(app, "satchel install claude-code --skills --status")
    edited = app / ".claude/skills/release-notes/SKILL.md"
    edited.write_text(edited.read_text("utf-8") + "mine\n")
    own.unlink()
    sh(app, "satchel uninstall claude-code codex copilot --skills --yes")
    assert not (app / ".github/skills/release-notes").exists()
    assert edited.is_file()


def test_files_beside_your_own_skill_come_with_it(machine: Machine, app: Path) -> None:
    own = machine.home / ".satchel" / "skills" / "release"
    write(own / "SKILL.md", "---\nname: release\ndescription: Releases.\n---\n\nRun it.\n")
    write(own / "scripts" / "run.sh", "#!/bin/sh\necho {{TOOL_DIR}}\n")
    write(own / "template.md", "A template.\n")
    (own / "logo.png").write_bytes(b"\x89PNG\0\0")
    (own / "hosts").symlink_to("/etc/hosts")
    done = machine.run("install", "claude-code", "codex", "--skills", "--yes", at=app)
    assert done.code == 0
    assert "hosts is left out: it is a link" in done.err
    for folder, tool in ((".claude", ".claude"), (".agents", ".codex")):
        made = app / folder / "skills" / "release"
        assert (made / "scripts/run.sh").read_text("utf-8") == f"#!/bin/sh\necho {tool}\n"
        assert os.access(made / "scripts/run.sh", os.X_OK)
        assert (made / "logo.png").read_bytes() == b"\x89PNG\0\0"
        assert not (made / "hosts").exists()
    assert "wired" in machine.ok("install", "claude-code", "--skills", "--status", at=app)
    made = app / ".claude" / "skills" / "release"
    write(own / "scripts" / "run.sh", "#!/bin/sh\necho newer\n")
    (own / "logo.png").unlink()
    (made / "template.md").write_text("Mine.\n", "utf-8")
    done = machine.run("install", "claude-code", "--skills", "--yes", at=app)
    assert "template.md is not as it came" in done.err
    assert "newer" in (made / "scripts/run.sh").read_text("utf-8")
    assert not (made / "logo.png").exists()
    machine.ok("uninstall", "claude-code", "codex", "--skills", "--yes", at=app)
    assert [path.name for path in made.rglob("*") if path.is_file()] == ["template.md"]
    assert not (app / ".agents/skills/release").exists()


def test_a_memory_file_far_above_its_limit_is_moved_in_one_suggestion(app: Path) -> None:
    lines = [f"- gotcha {number}: port {5000 + number} is taken" for number in range(900)]
    (app / ".agents" / "MEMORY.md").write_text("\n".join(["# Memory", "", *lines]) + "\n")
    sh(app, "satchel reflect")
    (made,) = json.loads(sh(app, "satchel review --json"))
    assert made["kind"] == "move"
    sh(app, "satchel review Y")
    left = (app / ".agents" / "MEMORY.md").read_text("utf-8").splitlines()
    assert 0 < len(left) <= 200
    moved = "".join(path.read_text("utf-8") for path in (app / "docs/solutions").rglob("*.md"))
    assert all(line in moved or line in left for line in lines)
    assert max(map(moved.count, lines[:100])) == 1


def test_reflect_on_acts_when_a_session_ends(app: Path) -> None:
    machine = Machine(app.parent, "ended")
    machine.home = app.parent / "home"
    machine.environment["HOME"] = str(app.parent / "home")
    machine.ok("reflect", "on", at=app)
    del machine.environment["SATCHEL_EMBED_BACKGROUND"]
    made = a_mornings_work(str(app))
    folder = machine.home / ".claude" / "projects" / project_key(str(app))
    path = made.write(str(folder / f"{made.session}.jsonl"))
    machine.hook("SessionEnd", app, transcript_path=path, reason="other")
    for _ in range(100):
        if waiting := machine.json("review", at=app):
            break
        time.sleep(0.2)
    assert {one["state"] for one in waiting} == {"pending"}
