"""`satchel code` and `satchel pack` as a person and an agent use them: real repositories."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from integration.installed import COMMAND, Machine, needs_command
from satchel.testing import run_git

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

FILES = {
    "src/auth/session.py": 'SESSION_TTL = 3600\n\n\nclass SessionStore:\n    """Keeps who is signed in."""\n\n'
    "    def refresh(self, token):\n        return validate_token(token)\n\n\n"
    "def validate_token(token):\n    return bool(token)\n",
    "src/auth/login.py": "from src.auth.session import SessionStore\n\n\ndef login(user):\n"
    "    return SessionStore().refresh(user)\n",
    "src/billing/invoice.py": "def total(lines):\n    return sum(lines)\n",
    "tests/test_session.py": "from src.auth.session import validate_token\n\n\n"
    "def test_validate_token():\n    assert validate_token('x')\n",
    "docs/guide.md": "# Guide\n\nSessions are refreshed by token.\n",
    "scripts/deploy.sh": "#!/bin/sh\n# Bring the release to the servers.\necho ok\n",
    "agents/seldon/SOUL.md": "# Seldon\n\n## Role\n\nOrchestrator\n\n**Division:** command\n",
    ".mcp.json": '{"mcpServers": {"memory": {"command": "satchel", "env": {"KEY": "s3cr3t-value"}}}}',
    "docker-compose.yml": "services:\n  db:\n    image: postgres:16\n    ports: ['5432:5432']\n"
    "  web:\n    build: .\n    depends_on: [db]\n",
    "pyproject.toml": '[project]\nname = "app"\ndependencies = ["requests>=2", "rich"]\n',
}  # fmt: skip


@pytest.fixture
def app(machine: Machine) -> Path:
    """A repository that nobody has made a project of."""
    app = machine.repository(init=False)
    for name, text in FILES.items():
        path = app / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    run_git(str(app), "add", "--all")
    run_git(str(app), "commit", "--quiet", "--message", "Sign people in")
    return app


def test_where_is_it_implemented(machine: Machine, app: Path) -> None:
    out = machine.ok("code", "find", "where", "is", "the", "token", "validated", at=app)
    assert out.splitlines()[0].startswith(
        "src/auth/session.py:11  function  def validate_token(token)"
    )
    told = machine.json("code", "find", "SessionStore", at=app)
    assert (told["symbols"][0]["path"], told["symbols"][0]["line"]) == ("src/auth/session.py", 4)
    assert told["symbols"][0]["documentation"] == "Keeps who is signed in."
    assert told["files"][0]["path"] == "src/auth/session.py"
    assert machine.ok("code", "find", "zyzzyva", at=app).startswith("Nothing found for")
    assert not (app / ".satchel").exists()


def test_symbols_and_who_uses_them(machine: Machine, app: Path) -> None:
    listed = machine.json("code", "symbols", "src/auth/session.py", at=app)
    assert [s["qualified"] for s in listed["symbols"]] == [
        "SESSION_TTL", "SessionStore", "SessionStore.refresh", "validate_token",
    ]  # fmt: skip
    below = machine.json("code", "symbols", "session.py", at=app / "src/auth")
    assert below["symbols"] == listed["symbols"]
    refs = machine.json("code", "refs", "validate_token", at=app)
    assert ("src/auth/session.py", 8, "SessionStore.refresh") in {
        (u["path"], u["line"], u["within"]) for u in refs["callers"]
    }
    assert "used by" in machine.ok("code", "refs", "validate_token", at=app)
    assert "not a file of the map" in machine.fails(4, "code", "symbols", "nowhere.py", at=app)


def test_the_codebase_map_has_its_ten_contents_and_its_time(machine: Machine, app: Path) -> None:
    assert machine.run("code", "map", "--check", at=app).code == 1
    assert "written" in machine.ok("code", "map", at=app)
    path = app / "docs/CODEBASE_MAP.md"
    text = path.read_text()
    for title in (
        "Directory tree", "Files by category", "Agents", "Configuration files", "Scripts",
        "MCP servers", "Tests", "Dependency graph", "Docker Compose services", "Summary",
    ):  # fmt: skip
        assert f"\n## {title}\n" in text
    assert "│   ├── auth/ (2)" in text
    assert "| seldon | command | Orchestrator | `agents/seldon/SOUL.md` |" in text
    assert "| `pyproject.toml` | 3 |" in text
    assert "| `scripts/deploy.sh` | Bring the release to the servers. |" in text
    assert "| memory | `satchel` | `.mcp.json` |" in text
    assert "s3cr3t" not in text
    assert "| `tests/test_session.py` | 5 |" in text
    assert "| db | postgres:16 | 5432:5432 |  | `docker-compose.yml` |" in text
    assert "| web | build . |  | db | `docker-compose.yml` |" in text
    assert "`pyproject.toml` asks for `requests`, `rich`" in text
    assert machine.ok("code", "map", "--check", at=app).startswith("docs/CODEBASE_MAP.md: fresh")
    before = path.read_text()
    assert machine.json("code", "map", at=app)["written"] is False
    mine = (
        "<!-- satchel:own-text:begin -->\nKeep the **walrus** fed.\n<!-- satchel:own-text:end -->"
    )
    begin, _, rest = before.partition("<!-- satchel:own-text:begin -->")
    path.write_text(begin + mine + rest.partition("<!-- satchel:own-text:end -->")[2])
    (app / "src/new.py").write_text("def new():\n    pass\n")
    assert machine.json("code", "map", "--force", at=app)["written"] is True
    after = path.read_text()
    assert mine in after
    assert after != before
    # The map itself is no answer to a question about the code.
    found = machine.json("code", "find", "docker compose services", at=app)["files"]
    assert "docs/CODEBASE_MAP.md" not in [one["path"] for one in found][:3]


def test_an_old_map_is_written_again_and_somebody_elses_is_not_touched(
    machine: Machine, app: Path
) -> None:
    path = app / "docs/CODEBASE_MAP.md"
    machine.ok("code", "map", at=app)
    text = path.read_text()
    line = next(line for line in text.splitlines() if line.startswith("generated: "))
    path.write_text(text.replace(line, "generated: 2020-01-01T00:00:00Z"))
    assert machine.run("code", "map", "--check", at=app).code == 1
    assert machine.json("code", "map", at=app)["written"] is True
    path.write_text("# My own map\n\nBy hand.\n")
    assert "written by something else" in machine.fails(7, "code", "map", at=app)
    assert path.read_text() == "# My own map\n\nBy hand.\n"
    machine.ok("code", "map", "--force", at=app)
    assert "# My own map\n\nBy hand.\n" in path.read_text()


def test_a_pack_ranks_files_and_symbols_for_a_task(machine: Machine, app: Path) -> None:
    told = machine.json("pack", "fix(auth): refresh the session token", at=app)
    assert told["files"][0]["path"] == "src/auth/session.py"
    assert told["ranked"][0]["path"] == "src/auth/session.py"
    assert told["symbols"][0]["filePath"].startswith("src/auth/")
    assert told["generationMethod"] == "codegraph"
    assert told["totalTokens"] <= 50_000
    small = machine.json("pack", "refresh the session", "--max-tokens", "300", at=app)
    assert small["totalTokens"] <= 300
    plain = machine.json("pack", "refresh the session", "--method", "heuristic", at=app)
    assert plain["generationMethod"] == "heuristic"
    assert plain["dependencies"] == []
    hand = machine.json("pack", "x", "--files", "src/billing/invoice.py", at=app)
    assert [one["path"] for one in hand["files"]] == ["src/billing/invoice.py"]
    text = machine.ok("pack", "refresh the session token", at=app)
    assert text.startswith("## Code Context\n\n### Symbol: ")
    assert "no method" in machine.fails(2, "pack", "x", "--method", "magic", at=app)
    assert "No task" in machine.fails(2, "pack", at=app)


@pytest.mark.parametrize(
    "words",
    [("list the invoices",), ("list", "the", "invoices"), ("show", "the", "invoice", "total"),
     ("--", "list"), ("delete the session",)],
)  # fmt: skip
def test_a_task_may_begin_like_a_command(
    machine: Machine, app: Path, words: tuple[str, ...]
) -> None:
    told = json.loads(machine.ok("pack", "--json", *words, at=app))
    assert told["task"] == " ".join(word for word in words if word != "--")


def test_it_answers_at_a_commit_by_what_that_commit_knew(machine: Machine, app: Path) -> None:
    first = run_git(str(app), "rev-parse", "HEAD").strip()
    (app / "src/billing/zeppelin.py").write_text("def inflate():\n    pass\n")
    (app / "src/billing/invoice.py").write_text("def total(lines):\n    return 0\n")
    run_git(str(app), "add", "--all")
    run_git(str(app), "commit", "--quiet", "--message", "Charge for zeppelins")
    machine.ok("pack", "zeppelins", "--json", at=app)
    run_git(str(app), "checkout", "--quiet", "--detach", first)
    told = machine.json("pack", "charge for zeppelins", at=app)
    assert told["commit"] == first
    assert "zeppelin" not in json.dumps([told["files"], told["ranked"]])
    assert not [one for one in told["ranked"] if one["parts"].get("past")]


def test_hostile_names_and_texts_come_through_whole_and_harmless(
    machine: Machine, app: Path
) -> None:
    name = "a\u202eb\nc.py"
    (app / name).write_text("def walrus():\n    return '\x1b[31m\u202e'\n")
    told = machine.json("pack", "walrus", at=app)
    assert told["files"][0]["path"] == name
    machine.ok("pack", "walrus", at=app)
    machine.ok("code", "find", "walrus", at=app)
    machine.ok("code", "map", at=app)
    weird = machine.run("pack", b"walrus \xff\xfe", "--json", at=app)
    assert weird.code == 0
    assert machine.run("code", "find", "\u202e\x1b[2J\"'%*^", at=app).code == 0


def test_two_at_once_make_one_map(machine: Machine, app: Path) -> None:
    for number in range(150):
        (app / f"src/many_{number}.py").write_text(f"def walrus_{number}():\n    pass\n" * 20)
    words = [COMMAND, "code", "find", "walrus_77", "--json"]
    both = [
        subprocess.Popen(words, cwd=app, env=machine.environment, stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    for process in both:
        out, _ = process.communicate(timeout=60)
        assert process.returncode == 0
        assert json.loads(out)["symbols"][0]["path"] == "src/many_77.py"


def test_outside_of_any_repository_the_directory_is_asked_but_never_a_home(
    machine: Machine, tmp_path: Path
) -> None:
    loose = tmp_path / "loose"
    loose.mkdir()
    (loose / "sea.py").write_text("def walrus():\n    pass\n")
    assert machine.json("code", "find", "walrus", at=loose)["symbols"][0]["path"] == "sea.py"
    assert os.listdir(loose) == ["sea.py"]
    assert "not in a Satchel project" in machine.fails(3, "code", "status", at=machine.home)
    assert machine.run("code", "status", at=machine.home.parent).code == 3


def test_without_git_the_files_still_answer(machine: Machine, app: Path, tmp_path: Path) -> None:
    nothing = tmp_path / "nothing"
    nothing.mkdir()
    done = machine.run(
        "code", "find", "validate_token", "--json", at=app, environment={"PATH": str(nothing)}
    )
    assert json.loads(done.out)["symbols"][0]["path"] == "src/auth/session.py"
    without = machine.run("code", "status", at=app, environment={"PATH": str(nothing)})
    assert "git failed" in without.out
    (app / ".gitignore").write_text("src/billing\n")
    run_git(str(app), "rm", "-r", "--quiet", "--cached", "src/billing")
    told = machine.json("code", "status", at=app)
    assert told["git"] == ""
    assert told["commits"] == 2
    found = machine.json("code", "find", "invoice total", at=app)["files"]
    assert "src/billing/invoice.py" not in [one["path"] for one in found]
