"""What a person had forgotten is not suggested again, though the client's own file still says it."""

from pathlib import Path

import pytest

from integration.installed import Machine, needs_command
from integration.transcripts_made import Transcript
from satchel.clients.transcript_format.project_key import project_key

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
SAID = "we send receipts through Postmark, the Mailgun account was closed in October"
OTHER = "never run the migrations against the staging database"


def test_a_later_turn_brings_nothing_of_it_back(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    app = machine.repository()
    machine.ok("init", "--yes", at=app)
    made = Transcript(str(app)).person(SAID).agent("Understood.")
    folder = machine.home / ".claude" / "projects" / project_key(str(app))
    path = str(folder / f"{made.session}.jsonl")
    made.write(path)
    machine.ok("reflect", at=app)
    machine.ok("review", "Y", at=app)
    (kept,) = (one for one in machine.json("list", at=app) if "Postmark" in one["content"])
    machine.ok("forget", kept["id"], "--yes", at=app)
    made.person(OTHER).agent("Never.").write(path)
    assert "Postmark" in Path(path).read_text("utf-8")
    assert "Postmark" not in machine.ok("reflect", "--dry-run", at=app)
    machine.ok("reflect", at=app)
    waiting = machine.ok("review", "--list", at=app)
    assert "Postmark" not in waiting
    assert "migrations" in waiting
    assert "Postmark" not in machine.ok("guards", "stats", "--json", at=app)
