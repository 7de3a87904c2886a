"""A change that is checked is checked while nobody else writes, in files and on a server."""

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pytest

from conformance.stores import Store, fresh
from satchel.core.errors import BadInputError, ConflictError
from satchel.engine.search.records import StoredMemory
from satchel.features.memories.service import Memories
from satchel.storage.ledger.record import Record

if TYPE_CHECKING:
    from satchel.features.memories.service import Check

pytest_plugins = ["postgresql_fixtures"]
_WRITERS = 4
Change = Callable[[Memories, str, "Check"], Record]
CHANGES: dict[str, Change] = {
    "edit": lambda memories, ident, check: memories.edit(
        ident, f"by {threading.get_ident()}", check=check
    ),
    "delete": lambda memories, ident, check: memories.delete(ident, check=check),
}


class ChangedError(Exception):
    """It is not as it was read."""


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
def test_of_those_who_expect_the_same_one_writes(store: Store, change: Change) -> None:
    made = store.open().remember("the port is 8000")
    ready, told = threading.Barrier(_WRITERS), list[str]()

    def check(versions: Sequence[StoredMemory]) -> None:
        if [one.record.version for one in versions] != [made.version]:
            raise ChangedError

    def write() -> None:
        memories = fresh(store.open())
        assert memories.find(made.id).record.version == made.version
        ready.wait(30)
        try:
            change(memories, made.id, check)
            told.append("done")
        except (ChangedError, ConflictError, BadInputError) as error:
            told.append(type(error).__name__)

    threads = [threading.Thread(target=write) for _ in range(_WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(told) == ["ChangedError"] * (_WRITERS - 1) + ["done"]
    assert len(fresh(store.open()).history(made.id)) == 2
