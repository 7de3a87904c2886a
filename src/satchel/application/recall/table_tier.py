"""What tables answer within the structured tier: who offered X, which leads are won."""

from __future__ import annotations

import os

from satchel.application.recall.results import STRUCTURED, Result
from satchel.application.recall.routing import TABLES
from satchel.core.errors import BusyError, SatchelError
from satchel.storage.inbox.faults import note_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services

_EXCERPT = 600


def table_results(work: Services, question: str, limit: int) -> list[Result]:
    """Ask the tables of a project; nothing where it declares none."""
    if not os.path.isdir(work.project.tracked.place("tables")):
        return []
    from satchel.features.tables.query import answers

    try:
        if work.memories.stores.team is not None and work.memories.stores.team.readable() is None:
            raise BusyError("the team's store is away")
        with work.tables as own:
            hits = answers(own.tables(strict=False), question, limit)
    except SatchelError as error:
        # What stands beside tables in their tier answers all the same.
        note_fault(work.project.state.faults, "tables", str(error), work.project.clock.now())
        return []
    return [
        Result(
            STRUCTURED,
            TABLES,
            f"{hit.schema.name}: {hit.title}",
            hit.text[:_EXCERPT],
            f"{hit.schema.name}/{hit.row.id}",
            hit.row.at,
            hit.score,
            identity=f"row {hit.row.id}",
        )
        for hit in hits
    ]
