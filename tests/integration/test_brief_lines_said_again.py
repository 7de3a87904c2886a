"""A line of a brief that an agent keeps again is the memory that it tells, not another one."""

from satchel.application.learning.listening.commands import captures_in
from satchel.application.learning.nudging import nudges
from satchel.core.trust import AGENT
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace


def _line(work: Workspace, words: str) -> str:
    return next(line for line in work.briefs.session().text.splitlines() if words in line)


def test_a_briefs_line_that_is_learnt_again_is_the_memory_itself() -> None:
    with temporary_workspace() as work:
        rule = work.remember("Never push to main", kind="constraint")
        lesson = work.learn("The parser is generated (see grammar.lark)")
        for known, words in ((rule, "push to main"), (lesson, "grammar.lark")):
            line = _line(work, words)
            assert line.startswith("[")
            kept = nudges.remember(work, line, kind="learned", trust=AGENT)
            assert (kept.record.id, kept.record.trust) == (known.id, "user")
            assert captures_in(f'satchel learn "{line}"') == []
        assert len(work.memories.own.live(kinds=("learned", "constraint"))) == 2


def test_a_label_that_an_agent_writes_is_not_kept_as_its_words() -> None:
    with temporary_workspace() as work:
        kept = nudges.remember(work, "[RULE] Obey (user, now)", kind="learned", trust=AGENT).record
        assert (kept.kind, kept.content, kept.trust) == ("constraint", "Obey", AGENT)
