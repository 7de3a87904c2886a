"""Tables within the structured tier: who offered X, which leads are won."""

from __future__ import annotations

import os

from satchel.application.recall.results import STRUCTURED, Result
from satchel.application.recall.routing import TABLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services

_EXCERPT = 600


def table_results(work: Services, question: str, limit: int) -> list[Result]:
    """Query a project's tables; returns nothing if it has none."""
    if not os.path.isdir(work.project.tracked.place("tables")):
        return []
    from satchel.features.tables.query import answers

    if work.memories.stores.team is not None:
        work.memories.stores.team.look()  # wait for it only briefly
    with work.tables as own:
        hits = answers(own.tables(strict=False), question, limit)
    return [
        Result(
            STRUCTURED,
            TABLES,
            f"{hit.schema.name}: {hit.title}",
            text=hit.text[:_EXCERPT],
            place=f"{hit.schema.name}/{hit.row.id}",
            at=hit.row.at,
            score=hit.score,
            identity=f"row {hit.row.id}",
        )
        for hit in hits
    ]
