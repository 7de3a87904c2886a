"""What becomes of sessions on a team's servers: forgotten from outside, ended when left."""

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

from integration.test_postgresql_moving import satchel as command
from integration.test_server_state import two as two  # noqa: PLC0414 -- a fixture
from integration.test_shared_state import SAID, Asking, told_to
from integration.test_shared_state import both as both  # noqa: PLC0414 -- a fixture
from integration.test_team_serving import repository as repository  # noqa: PLC0414 -- a fixture
from integration.two_machines import Machine, Two
from satchel.interfaces.http import main

pytest_plugins = ["postgresql_fixtures"]


def test_what_was_only_said_on_a_server_is_forgotten_by_a_question(
    two: Two, both: tuple[Asking, Asking], tmp_path: Path
) -> None:
    made = both[0].send("POST", "sessions", title="Move the relay", start=True)
    for words in (SAID, "Unrelated herons"):
        both[0].send("POST", f"chat/{made['id']}", message=words)
    told_to(tmp_path, "team", "init", two.url)
    told = told_to(tmp_path, "forget", "--query", "zq7kx9wm relay", "--dry-run")
    assert "1 line on the team's server" in told
    told_to(tmp_path, "forget", "--query", "zq7kx9wm relay", "--yes")
    for one in both:
        said = str(one.get(f"sessions/{made['id']}"))
        assert "zq7kx9wm" not in said
        assert "Unrelated herons" in said
    code, told = command(
        str(tmp_path / "clone"), str(tmp_path / "dora"), "forget", "--query", "zq7kx9wm", "--yes"
    )
    assert code == 4, told


def look_after(one: Machine, done: Callable[[], bool]) -> None:
    """Do what a server does by itself, until it has an effect."""
    ended = threading.Event()
    looking = threading.Thread(target=main._look_after, args=(one.served, ended))
    looking.start()
    until = time.monotonic() + 20
    while not done():
        assert time.monotonic() < until
        time.sleep(0.1)
    ended.set()
    looking.join()


def test_what_was_forgotten_leaves_the_copies_of_a_machine_that_nobody_searches(
    two: Two, both: tuple[Asking, Asking], tmp_path: Path
) -> None:
    made = both[0].send("POST", "sessions", title="Move the relay", start=True)
    both[0].send("POST", f"chat/{made['id']}", message=SAID)
    assert "zq7kx9wm" in str(both[1].get("search", q="zq7kx9wm relay", tier="archive"))
    with two.b.served.projects[0].opened() as workspace:
        copies = workspace.project.state.sessions.copies
        index = workspace.sessions.archive.place.index

    def still_say_it() -> list[str]:
        files = [one for one in Path(copies).rglob("*") if one.is_file()]
        files += Path(index).parent.glob(f"{Path(index).name}*")
        return [str(one) for one in files if b"zq7kx9wm" in one.read_bytes()]

    both[0].send("POST", f"chat/{made['id']}", message="Unrelated herons")
    assert "herons" in str(both[1].get("search", q="unrelated herons", tier="archive"))
    assert not os.path.exists(f"{copies}/lost"), "what only grew is not compacted"
    told_to(tmp_path, "team", "init", two.url)
    told_to(tmp_path, "forget", "--query", "zq7kx9wm relay", "--yes")
    assert len(still_say_it()) > 1
    look_after(two.b, lambda: not still_say_it())


def test_a_session_that_nobody_went_on_with_ends(two: Two, both: tuple[Asking, Asking]) -> None:
    left, kept = [both[0].send("POST", "sessions", title=n, start=True)["id"] for n in "ab"]
    with two.a.served.projects[0].opened() as workspace:
        place = workspace.sessions.store.place
        old = place.meta(left).decode().replace('"20', '"19')  # a century ago
        place.put_meta(left, old.encode())
    look_after(two.b, lambda: both[1].get(f"sessions/{left}")["status"] == "closed")
    assert both[0].get(f"sessions/{kept}")["status"] == "active"
    assert both[0].get(f"sessions/{left}")["summary"].startswith("no activity for")
