"""What a project tells others: nothing private, whichever way it is asked."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from satchel.application.health.derived_stores import rebuild
from satchel.application.learning.listening.task_comments import comment
from satchel.application.learning.reflection.service import Reflection
from satchel.application.learning.reviewing.review import Review
from satchel.core.clock import Clock
from satchel.core.errors import BadInputError, NotFoundError
from satchel.core.redaction.personal import without_personal
from satchel.engine.search.documents import Filter, View
from satchel.features.proposals.values import ENTRY, KNOWLEDGE, PROJECT, Edit, Proposal
from satchel.features.sessions.values import Message
from satchel.storage.inbox.events import COMMAND
from satchel.storage.ledger.record import Record
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

ADDRESS = "jane@harbour.org"


@pytest.fixture
def own() -> Iterator[Workspace]:
    with temporary_workspace(git=True) as workspace:
        yield workspace


@contextmanager
def others(own: Workspace) -> Iterator[Workspace]:
    root, home = own.project.place.root, own.owner().home.path
    with Workspace.open_for_others(root, home=home) as workspace:
        yield workspace


def everything(work: Workspace, *idents: str) -> set[str]:
    """Ask the index of the project in every way it has; return the texts."""
    work.refresh()
    index, sources, now = work.memories.own.index, work.memories.own.sources, 2e9
    hits = [
        *index.search("lamp", View(sources, now)), *index.live(View(sources, now)),
        *index.live(View(sources, now, Filter(kinds=("learned", "decision")))),
        *index.latest(sources), *index.documents_in_rows(range(1, 50), View(sources, now)),
        *index.documents_in_rows(index.live_numbers(View(sources, now)), View(sources, now)),
    ]  # fmt: skip
    for ident in idents:
        for hit in index.with_id(ident, sources):
            hits += [hit, *index.history(hit.document.identity, sources)]
    few = sources[:1]
    hits += [*index.search("lamp", View(few, now)), *index.live(View(few, now)), *index.latest(few)]
    return {hit.document.content for hit in hits}


def test_no_question_to_the_index_shows_what_is_private(own: Workspace) -> None:
    shown = own.learn("the lamp is green")
    hidden = own.learn("the lamp is mine", visibility="private")
    personal = own.learn(f"ask {ADDRESS} about the lamp")
    ids = (shown.id, hidden.id, personal.id)
    assert len(everything(own, *ids)) == 3
    with others(own) as work:
        assert everything(work, *ids) == {"the lamp is green"}
        counts = work.memories.own.index.counts(View(work.memories.own.sources, 2e9))
        assert counts == {"learned": 1}
        assert not work.memories.own.index.sees_all(work.memories.own.sources)
        rebuild(work, "memories")
        assert everything(work, *ids) == {"the lamp is green"}
        for ident in ids[1:]:
            with pytest.raises(NotFoundError):
                work.memories.find(ident)


def test_what_became_private_is_gone_and_what_was_is_not_told(own: Workspace) -> None:
    first = own.remember("the lamp is green", kind="preference", key="lamp")
    own.remember("the lamp is mine", kind="preference", key="lamp", visibility="private")
    with others(own) as work:
        assert everything(work, first.id) == set()
        with pytest.raises(NotFoundError):
            work.memories.find("lamp")
    last = own.remember("the lamp is yellow", kind="preference", key="lamp")
    with others(own) as work:
        assert everything(work, last.id) == {"the lamp is yellow"}


def test_the_end_of_a_private_memory_does_not_tell_of_it(own: Workspace) -> None:
    gone = own.learn(f"ask {ADDRESS} about the lamp")
    own.memories.delete(gone.id)
    ended = own.learn("the lamp is green")
    own.memories.delete(ended.id)
    with others(own) as work:
        work.refresh()
        found = work.memories.list(Filter(), 10, all_versions=True)
        assert {one.record.id for one in found} == {ended.id}


@pytest.mark.parametrize(
    "given",
    [
        {"content": f"ask {ADDRESS}"},
        {"content": "lamp", "visibility": "private"},
        {"content": "lamp", "title": ADDRESS},
        {"content": "lamp", "data": {"by": ADDRESS}},
    ],
)
def test_others_keep_nothing_that_nobody_could_see(own: Workspace, given: dict[str, Any]) -> None:
    with others(own) as work, pytest.raises(BadInputError, match="nobody here could see"):
        work.learn(**given)
    kept = own.learn(**given).id
    with others(own) as work, pytest.raises(NotFoundError):
        work.memories.find(kept)


def test_what_still_waits_in_the_inbox_is_as_private(own: Workspace) -> None:
    said = f"bd comment t-1 'LEARNED: ask {ADDRESS} about it' && bd comment t-1 'LEARNED: lamp'"
    event = {"what": COMMAND, "command": said, "session": "s"}
    own.project.inbox.append(event, own.project.clock.now())
    assert len(own.pending()) == 2
    with others(own) as work:
        assert [one.content for one in work.pending()] == ["lamp"]


def test_a_session_closed_by_others_leaves_a_checkpoint_without_addresses(own: Workspace) -> None:
    with others(own) as work:
        session = work.sessions.new(title="lamps")
        work.sessions.move(session.id, "start")
        work.sessions.say(session.id, Message("user", f"write to {ADDRESS}, +49 30 1234 5678"))
        _, checkpoint = work.sessions.move(session.id, "close")
        assert checkpoint is not None
        assert "write to [personal], [personal]" in work.memories.find(checkpoint.id).record.content
    assert without_personal("nobody @ home + 3") == "nobody @ home + 3"


def test_a_session_keeps_a_brief_that_all_may_read(own: Workspace) -> None:
    own.remember("the lamp is mine", kind="constraint", visibility="private")
    own.remember("the lamp is green", kind="constraint")
    brief = own.sessions.new(task="t-1").memory_brief
    assert "green" in brief
    assert "mine" not in brief


def test_a_comment_of_others_is_kept_and_its_address_not_remembered(own: Workspace) -> None:
    with own.tasks as tasks:
        task = tasks.create("Light the lamp")
    with others(own) as work, work.tasks as tasks:
        said = f"LEARNED: ask {ADDRESS} about it\nLEARNED: the lamp is green"
        _, taught = comment(work, tasks, task.id, said)
    assert [one.content for one in taught] == ["the lamp is green"]


def test_research_of_the_owner_is_not_handed_to_others() -> None:
    with temporary_workspace(git=True, clock=Clock()) as own:
        own.learn("the lamp is mine", visibility="private")
        own.research.ask("lamp", save=False)  # makes the index of notes
        kept = [own.research.ask("lamp", save=False) for _ in range(2)][-1]
        assert kept.cached
        assert "mine" in str(kept)
        with others(own) as work:
            assert "mine" not in str(work.research.ask("lamp", save=False))


def test_the_graph_of_a_project_is_drawn_without_what_is_private(own: Workspace) -> None:
    own.remember("`Lamp` uses `GreenGlass`", kind="decision")
    own.remember("`Lamp` uses `MyOwnGlass`", kind="decision", visibility="private")
    with own.graph as graph:
        told = str(graph.search("Lamp"))
        names = {row[0] for row in graph.graph().store.database.read("SELECT name FROM entities")}
    assert "GreenGlass" in told
    assert "MyOwnGlass" not in told
    assert not any("myown" in str(name).lower() for name in names)


def _proposal(memory: Record, words: str) -> Proposal:
    edit = Edit(ENTRY, PROJECT, "AGENTS.md", words, "Rules")
    return Proposal("memory", KNOWLEDGE, words, "seen", "high", (edit,), words,
                    quote=f"the person said {words}", derived_from=(memory.id,))  # fmt: skip


def test_others_see_no_suggestion_drawn_from_a_session(own: Workspace) -> None:
    """Its title and text are what the person said there, whatever becomes of the quote."""
    memory = own.learn("the lamp is green")
    with Review(own) as review:
        review.queue.propose([_proposal(memory, "kim goes")._replace(session="s-1")])
        assert len(review.pending()) == 1
    with others(own) as work, Review(work) as review:
        assert review.pending() == []


def test_others_decide_about_proposals_and_see_no_words_of_the_owner(own: Workspace) -> None:
    memory = own.learn("the lamp is green")
    with Review(own) as review:
        review.queue.propose([_proposal(memory, words) for words in ("green", "yellow")])
    with others(own) as work, Review(work) as review:
        one, other = review.pending()
        assert one.proposal.quote == other.proposal.quote == ""
        assert not review.accept([one.proposal], by="kim").failed
        assert review.reject([other.proposal], by="kim")
        assert review.pending() == []
    with others(own) as work:
        assert Reflection(work).reflect().sessions == 0
