"""A prompt that names a file is told what was decided about it, whatever its words are."""

from pathlib import Path

import pytest

from integration.installed import Machine, context_of, needs_command

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
DECIDED = "Amounts are rounded half up, the tax office wants it"
ELSEWHERE = "The title of the handbook stays in lower case"


@pytest.fixture
def app(machine: Machine) -> Path:
    """A project with a decision about one file, a lesson about another, and some of neither."""
    app = machine.repository()
    for name in ("src/pay.py", "docs/README.md", "README.md"):
        (app / name).parent.mkdir(exist_ok=True)
        (app / name).write_text("def tax_of(x):\n    return x\n", "utf-8")
    machine.ok("remember", "--kind", "decision", DECIDED, "--at", "src/pay.py:tax_of", at=app)
    machine.ok("learn", ELSEWHERE, "--at", "docs/README.md", at=app)
    for number in range(6):
        machine.ok("learn", f"The moon base number {number} has {number} domes", at=app)
    return app


def told(machine: Machine, app: Path, prompt: str, session: str = "s-1") -> str:
    said = machine.hook("UserPromptSubmit", app, prompt=prompt, session_id=session)
    return context_of(said, "UserPromptSubmit") if said else ""


@pytest.mark.parametrize("name", ["src/pay.py", "pay.py", "./src/pay.py", "`src/pay.py`"])
def test_what_was_decided_about_a_file_comes_with_its_name(
    machine: Machine, app: Path, name: str
) -> None:
    said = told(machine, app, f"please speed up {name} a bit")
    assert DECIDED in said
    assert "about src/pay.py" in said
    assert "moon" not in said


def test_it_is_told_once_in_a_session(machine: Machine, app: Path) -> None:
    assert DECIDED in told(machine, app, "please speed up src/pay.py a bit")
    assert DECIDED not in told(machine, app, "please slow down src/pay.py a bit")


@pytest.mark.parametrize(
    "prompt",
    ["please speed up src/other.py a bit", "fix the layout, e.g. the margins", "see a.com/pay.p"],
)
def test_no_other_name_brings_it(machine: Machine, app: Path, prompt: str) -> None:
    assert DECIDED not in told(machine, app, prompt)


def test_a_name_that_stands_in_the_root_is_that_file(machine: Machine, app: Path) -> None:
    assert ELSEWHERE not in told(machine, app, "please improve README.md somewhat")
    assert ELSEWHERE in told(machine, app, "please improve docs/README.md somewhat", "s-2")
