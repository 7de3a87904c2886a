"""Recall beside a rebuild answers from one state of the index, before or after it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext

import pytest

from satchel.application.recall import service
from satchel.application.recall.questions import RecallRequest
from satchel.application.recall.results import Answer
from satchel.application.recall.search.every_store import recall
from satchel.engine.search import index
from satchel.features.memories.service import Memories
from satchel.storage.database.contract import Row, Value
from satchel.storage.database.sqlite import SqliteDatabase
from satchel.storage.ledger.rewriting import rewrite
from satchel.testing import reopened, temporary_workspace
from satchel.workspace import Workspace

COUNT = 24
ASKED = "token7x: where does harbour 7 keep its ropes?"
_READ = SqliteDatabase.read


@pytest.fixture(params=["keyword", "fast"])
def workspace(request: pytest.FixtureRequest) -> Iterator[Workspace]:
    settings = f'[recall]\nmethod = "{request.param}"\n'
    with temporary_workspace(settings=settings) as made:
        for n in range(COUNT):
            made.learn(f"Harbour {n} keeps its ropes in locker token{n}x.")
        made.embed()
        yield made


def shuffled(workspace: Workspace) -> None:
    """Rebuild as another process would, with the lines in another order: other numbers."""
    ledger = workspace.memories.ledger("learned")
    with ledger.lock():
        rewrite(ledger.path, lambda lines: [*lines[1:], lines[0]])
    with reopened(workspace) as other:
        other.rebuild()
        other.embed()


def wrong_answers(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Ask, with a rebuild before the k-th read of the search, for every k."""
    wrong = []
    before = workspace.recall(ASKED, limit=COUNT).items
    known = {item.record.content: item.evidence.get("alike", 0.0) for item in before}
    first = before[0].record.content
    for k in range(1, 60):
        reads = [0]

        def read(
            self: SqliteDatabase,
            sql: str,
            values: tuple[Value, ...] = (),
            count: list[int] = reads,
            at: int = k,
        ) -> list[Row]:
            count[0] += 1
            if count[0] == at:
                monkeypatch.setattr(SqliteDatabase, "read", _READ)
                shuffled(workspace)
                monkeypatch.setattr(SqliteDatabase, "read", read)
            return _READ(self, sql, values)

        def searched(
            asking: RecallRequest,
            stores: Sequence[Memories],
            own: Callable[..., list[Row]] = read,
        ) -> Answer:
            monkeypatch.setattr(SqliteDatabase, "read", own)
            try:
                return recall(asking, stores)
            finally:
                monkeypatch.setattr(SqliteDatabase, "read", _READ)

        monkeypatch.setattr(service, "recall", searched)
        items = workspace.recall(ASKED, limit=5).items
        for item in items:
            # How much alike a text is to the question does not depend on who rebuilds when.
            alike = item.evidence.get("alike", 0.0)
            if known.setdefault(item.record.content, alike) != alike:
                wrong.append(f"read {k}: {item.record.content} is alike by {alike}")
        if not items or items[0].record.content != first:
            wrong.append(f"read {k}: {[item.record.content for item in items]}")
        if reads[0] < k:
            return wrong
    raise AssertionError("a recall reads more often than that")


def test_a_rebuild_between_two_reads_changes_no_answer(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert wrong_answers(workspace, monkeypatch) == []


def test_reading_without_a_snapshot_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The seeded bug: every read sees its own state, and numbers starts over."""
    with temporary_workspace(settings='[recall]\nmethod = "fast"\n') as made:
        for n in range(COUNT):
            made.learn(f"Harbour {n} keeps its ropes in locker token{n}x.")
        made.embed()
        monkeypatch.setattr(SqliteDatabase, "snapshot", lambda _: nullcontext())
        monkeypatch.setattr(index, "last_number", lambda _: 0)
        assert wrong_answers(made, monkeypatch) != []
