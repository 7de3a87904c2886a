"""`satchel overview`: what stands there was learnt, and not said in passing."""

from __future__ import annotations

import pytest

from integration.installed import Machine, needs_command
from integration.transcripts_made import Transcript

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


def test_what_was_said_in_a_session_is_no_learning(machine: Machine) -> None:
    shop = machine.repository("shop", init=True)
    (shop / "pyproject.toml").write_text('[project]\nname = "shop"\ndependencies = ["flask"]\n')
    (shop / "app.py").write_text("import flask\n")
    (shop / "docs" / "solutions").mkdir(parents=True)
    (shop / "docs" / "solutions" / "flask-reloads.md").write_text(
        "---\ntitle: Flask reloads twice\nkey_insight: set use_reloader to False\n---\n\nFlask.\n"
    )
    machine.ok("learn", "The backup cron locks the database at 03:30", at=shop)
    said = "morgen. what did we do with flask and python yesterday?"
    path = (
        Transcript(str(shop))
        .person(said)
        .agent("We wrote the flask routes in python.")
        .person("the staging flask server only works with a tunnel on port 5433")
        .agent("Noted.")
        .write(str(shop.parent / "t.jsonl"))
    )
    assert "1 episode written" in machine.ok("reflect", "--transcript", path, at=shop)
    assert said in machine.ok("notes", "search", "flask", at=shop)
    told = machine.ok("overview", at=shop)
    assert "morgen" not in told
    assert "- Flask reloads twice: set use_reloader to False" in told
    assert "The backup cron locks the database at 03:30" in told
