"""What the agent has kept is not suggested again; what was rejected is no preference."""

import os
from pathlib import Path

from integration.transcripts_made import Transcript
from satchel.application.learning.reflection.service import Reflection
from satchel.application.learning.reviewing.review import Review
from satchel.application.recall.tiers.project_tiers import ProjectTiers
from satchel.features.proposals.values import Proposal
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

FLOATS = "Use floats for the damage of the new weapon"
ENEMY = "From now on every enemy gets its own scene under scenes/enemies"
NEVER = "Never edit the files below generated/"


def suggested(work: Workspace, folder: Path, *said: str) -> list[Proposal]:
    talk = Transcript(work.project.place.root)
    for text in ("add the new weapon please", *said):
        talk = talk.person(text).agent("Done.")
    Reflection(work).reflect(paths=[talk.write(str(folder / "s.jsonl"))])
    with Review(work) as review:
        return [one.proposal for one in review.pending()]


def kept(work: Workspace, text: str) -> str:
    session = Transcript("").session
    made = work.memories.remember(text, kind="learned", trust="agent", session=session)
    return made.id


def told(work: Workspace) -> str:
    pieces = ProjectTiers(work, "can i use floats for the damage").answer(5).pieces
    return "\n".join(one.text for one in pieces)


def test_what_was_rejected_is_not_told_as_a_preference(tmp_path: Path) -> None:
    with temporary_workspace() as work:
        os.makedirs(work.project.tracked.solutions)  # a project that has notes
        suggested(work, tmp_path, FLOATS.lower())
        assert f"{FLOATS} (preference)" in told(work)
        with Review(work) as review:
            review.answer("N")
        assert "(preference)" not in told(work)


def test_what_the_agent_has_kept_is_no_soft_rule_as_well(tmp_path: Path) -> None:
    with temporary_workspace() as work:
        kept(work, ENEMY)
        assert suggested(work, tmp_path, ENEMY.lower()) == []


def test_a_rule_takes_the_place_of_what_the_agent_has_kept(tmp_path: Path) -> None:
    with temporary_workspace() as work:
        ident = kept(work, NEVER)
        (rule,) = suggested(work, tmp_path, NEVER.lower())
        assert rule.kind == "agent_file"
        assert [edit.path for edit in rule.edits if edit.takes_out] == [ident]
