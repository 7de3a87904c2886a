"""A checkpoint quotes what was asked for: not what the person rejected in review."""

from __future__ import annotations

from pathlib import Path

from integration.transcripts_made import Transcript
from satchel.application.learning.reflection.service import Reflection
from satchel.application.learning.reviewing.review import Review
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

JWT = "from now on the sessions use jwt, not cookies"


def checkpoint(work: Workspace, asked: str, done: str = "") -> None:
    work.memories.remember(
        f"Asked: {asked}" + (f"\nDone: {done}" if done else ""),
        kind="checkpoint",
        trust="agent",
        session="before",
        data={"asked": asked, "summary": done, "next_steps": [], "open": ""},
    )


def suggest(work: Workspace, folder: Path) -> None:
    talk = Transcript(work.project.place.root).person(JWT).agent("Done.")
    Reflection(work).reflect(paths=[talk.write(str(folder / "s.jsonl"))])


def test_what_was_rejected_leaves_the_checkpoint(tmp_path: Path) -> None:
    with temporary_workspace() as work:
        suggest(work, tmp_path)
        checkpoint(work, f"add a login for the doctors; then: {JWT}", "Changed session.go")
        assert "jwt" in work.briefs.session().text
        with Review(work) as review:
            assert review.answer("N").rejected
        brief = work.briefs.session().text
        assert "jwt" not in brief
        assert "Asked: add a login for the doctors" in brief
        assert "Done: Changed session.go" in brief


def test_a_checkpoint_of_nothing_else_is_not_told(tmp_path: Path) -> None:
    with temporary_workspace() as work:
        suggest(work, tmp_path)
        checkpoint(work, JWT)
        with Review(work) as review:
            review.answer("N")
        assert "stopped" not in work.briefs.session().text


def test_what_was_accepted_or_reworded_is_told_as_it_was_asked(tmp_path: Path) -> None:
    with temporary_workspace() as work:
        suggest(work, tmp_path)
        checkpoint(work, JWT, "Changed session.go")
        with Review(work) as review:
            (waits,) = review.pending()
            made = review.modify(waits.proposal, "Sessions of doctors use JWT")
            review.accept([made])
        assert f"Asked: {JWT}" in work.briefs.session().text
