"""Sessions are read in the order in which they ended, however their files are called."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from integration.transcripts_made import Transcript
from satchel.application.learning.reflection import service as reflection
from satchel.application.learning.reflection.service import Reflection
from satchel.application.learning.reflection.transcripts import corrections_said
from satchel.application.learning.reviewing import contradicted
from satchel.application.learning.reviewing.review import Review
from satchel.clients.transcript_format.project_key import project_key
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

EARLIER, LATER = "zephyr is pinned to 3.6.0 in west.yml", "we go to zephyr 3.7.0 now"
SHORT, LONG = "no, never use tabs in the overlays", "no, never flash a board without asking"


def two_sessions(work: Workspace) -> None:
    """Keep two sessions of which the later one has the name that comes first."""
    assert work.person is not None
    root = work.project.place.root
    folder = os.path.join(work.person.client_home("claude"), "projects", project_key(root))
    for at, (name, fact, rule) in enumerate((("b", EARLIER, SHORT), ("a", LATER, LONG))):
        made = Transcript(root, session=f"5d3a1c9e-0000-4000-8000-00000000000{at}")
        for said in (fact, rule):
            made = made.person(said).agent("Done.")
        os.utime(made.write(os.path.join(folder, f"{name}.jsonl")), (1000 + at, 1000 + at))


def accepted(work: Workspace) -> list[str]:
    """Accept every suggestion; return the memories about Zephyr, the newest first."""
    two_sessions(work)
    Reflection(work).reflect()
    with Review(work) as review:
        assert not review.answer("Y").failed
    held = work.memories.caught_up().live(kinds=("learned", "decision"), limit=50)
    return [one.content for one in held if "ephyr" in one.content]


def test_what_was_said_last_holds_after_all_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    with temporary_workspace() as work:
        assert accepted(work)[0] == "We go to zephyr 3.7.0 now"
    with temporary_workspace() as work:
        # Seeded bug: the order of names.
        monkeypatch.setattr(reflection, "oldest_first", sorted)
        assert accepted(work)[0] != "We go to zephyr 3.7.0 now"


def test_corrections_are_counted_from_the_newest_session_on() -> None:
    with temporary_workspace() as work:
        two_sessions(work)
        said = [one.text for one in corrections_said(work)]
        assert said.index(LONG) < said.index(SHORT)


def asked_after_all(work: Workspace) -> list[str]:
    """Accept a rule that ends a line of CLAUDE.md, and the fact before it; return what is asked."""
    path = Path(work.project.place.root, "CLAUDE.md")
    path.write_text("# App\n\n- Zephyr is at 3.6.0.\n", "utf-8")
    os.utime(path, (1000, 1000))  # nobody has changed it since it was said
    two_sessions(work)
    Reflection(work).reflect()
    with Review(work) as review:
        review.answer("Y")
        return [one.proposal.title for one in review.pending()]


def test_of_two_accepted_together_the_later_one_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    with temporary_workspace() as work:
        assert asked_after_all(work) == ["Take back: Zephyr is pinned to 3.6.0 in west.yml"]
        with Review(work) as review:
            (removal,) = review.pending()
            assert re.match(r"\(memory \w{14} leaves briefs: Zephyr", review.diff(removal.proposal))
            review.answer("Y")
        told = work.briefs.session().text
        assert "3.6.0" not in told
        told = Path(work.project.place.root, "CLAUDE.md").read_text("utf-8")
        assert "3.7.0" in told
        assert "3.6.0" not in told
    with temporary_workspace() as work:
        # Seeded bug: whatever contradicts goes, however new it is.
        monkeypatch.setattr(contradicted, "_is_later", lambda *_: False)
        assert "Take back: We go to zephyr 3.7.0 now" in asked_after_all(work)
