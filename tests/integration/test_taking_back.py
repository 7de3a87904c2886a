"""What the console lets a person take back: sharing, a decision, a text, a rule; and who is asked for."""

import os
from collections.abc import Iterator, Sequence

import pytest

from satchel.application.approval import approve_own
from satchel.application.exchange import sharing
from satchel.application.learning.reviewing.reconsidering import reconsider
from satchel.application.learning.reviewing.review import Review
from satchel.core.errors import ConflictError
from satchel.engine.search.documents import Filter
from satchel.features.instincts.values import NewInstinct
from satchel.features.proposals.values import CREATE, KNOWLEDGE, PROJECT, Edit, Proposal
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.ledger_end import LedgerEnd, LostEnd
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

_INTENT = "# Shop {#anchor:shop}\nSells.\n\n## Tech {#anchor:tech}\nGo.\n\n## Later\nMore.\n"


@pytest.fixture
def project() -> Iterator[Workspace]:
    with temporary_workspace(git=True) as workspace:
        yield workspace


def shared_and_taken_back(project: Workspace) -> tuple[bytes, bytes, LostEnd | None]:
    """The tracked ledger before and after; what is said to be lost of it."""
    path, own = project.project.tracked.knowledge, project.memories.own
    first, second = project.learn("stays"), project.learn("goes")
    approve_own(project, sharing.share(own, [first]))
    with open(path, "rb") as file:
        before = file.read()
    approve_own(project, sharing.share(own, [second]))
    os.chmod(path, 0o640)
    assert sharing.unshare(own, [second.id]) == 1
    with open(path, "rb") as file:
        after = file.read()
    ledger = own.ledgers.tracked
    assert ledger is not None
    lost = ledger.lost_end()
    project.refresh()
    assert project.memories.find(second.id).source == "private"
    return before, after, lost


def test_what_was_shared_a_moment_ago_is_taken_back(project: Workspace) -> None:
    before, after, lost = shared_and_taken_back(project)
    assert (after, lost) == (before, None)
    assert os.stat(project.project.tracked.knowledge).st_mode & 0o777 == 0o640


def test_a_line_that_was_taken_back_but_is_missed_is_noticed(
    project: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug: the ledger still expects the line."""
    remember = Ledger._remember
    seen: set[tuple[str, ...]] = set()

    def keep(
        self: Ledger, fd: int, order: tuple[int, str], added: Sequence[str], before: LedgerEnd
    ) -> None:
        if (self.path, *added) not in seen:  # an earlier line is the last again: taken back
            seen.add((self.path, *added))
            remember(self, fd, order, added, before)

    monkeypatch.setattr(Ledger, "_remember", keep)
    assert shared_and_taken_back(project)[2] is not None


def test_a_decision_is_taken_back_and_waits_again(project: Workspace) -> None:
    edit = Edit(CREATE, PROJECT, "heron.md", "A heron.\n")
    with Review(project) as review:
        (made,) = review.queue.propose(
            [Proposal("memory", KNOWLEDGE, "heron", "seen", "high", (edit,), key="h")]
        )
        path = os.path.join(project.project.place.root, "heron.md")
        for decide in (review.reject, review.accept):
            decide([made])
            assert not review.pending()
            assert reconsider(review, [made.id]) == ["heron"]
            assert [one.proposal.id for one in review.pending()] == [made.id]
            assert not os.path.exists(path)
        assert reconsider(review, [made.id]) == [], "it waits already"


def test_a_good_rule_can_be_removed(project: Workspace) -> None:
    edit, _ = project.instincts.add(NewInstinct("Prefer the tunnel", confidence=0.9))
    project.instincts.remove(edit.changes[0].id)
    assert project.instincts.read().instincts == ()


def test_a_section_of_the_intent_is_rewritten_and_nothing_else(project: Workspace) -> None:
    with open(project.project.tracked.intent, "w", encoding="utf-8") as file:
        file.write(_INTENT)
    intent = project.intent.read()
    tech = next(one for one in intent.sections if one.anchor == "tech")
    now = project.intent.write_section(tech.number, "Rust.\n\nNo, really.", seen=intent.hash)
    assert [one.title for one in now.sections if one.level] == ["Shop", "Tech", "Later"]
    assert [one.body.strip() for one in now.sections if one.level] == [
        "Sells.",
        "Rust.\n\nNo, really.",
        "More.",
    ]
    with pytest.raises(ConflictError):
        project.intent.write_section(tech.number, "Go again.", seen=intent.hash)
    last = now.sections[-1]
    again = project.intent.write_section(last.number, "The end.", seen=now.hash)
    assert again.sections[-1].body.strip() == "The end."


def test_memories_are_asked_for_by_what_they_name(project: Workspace) -> None:
    project.remember("till_py is generated", kind="learned", title="till.py")
    project.remember("cart.py rounds", kind="learned")
    project.remember("anchored", kind="learned", data={"anchors": [{"path": "é/cart.py"}]})

    def said(text: str) -> list[str]:
        only = Filter(naming=text)
        return sorted(one.record.content for one in project.memories.page(only, 0, 9)[0])

    assert said("till.py") == ["till_py is generated"]
    assert said("cart.py") == ["anchored", "cart.py rounds"]
    assert said("é/cart.py") == ["anchored"]
    assert said("') OR 1=1 --") == []


def test_memories_are_asked_for_by_fields(project: Workspace) -> None:
    project.remember("of ann", kind="learned", agent="ann", branch="main", trust="agent")
    project.remember("of ben", kind="learned", agent="ben", branch="main")
    project.remember("of ann too", kind="decision", agent="ann", branch="side")

    def said(*having: tuple[str, str]) -> list[str]:
        return sorted(
            one.record.content for one in project.memories.page(Filter(having=having), 0, 9)[0]
        )

    assert said(("agent", "ann")) == ["of ann", "of ann too"]
    assert said(("agent", "ann"), ("branch", "main")) == ["of ann"]
    assert said(("trust", "agent")) == ["of ann"]
    assert said(("agent", "') OR 1=1 --")) == []
    with pytest.raises(LookupError):  # nothing but the fields that are asked for reaches SQL
        said(("content') OR 1=1 --", "x"))
