"""Indexes after forgetting: brought up to date with what was rewritten, and packed."""

from __future__ import annotations

import os

from satchel.application.forgetting.matching import Traces
from satchel.application.forgetting.scrub import says
from satchel.application.forgetting.values import DERIVED, Remains
from satchel.core.errors import BusyError, StoreError
from satchel.storage.database.raw_bytes import raw_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.forgetting.places import Places
    from satchel.application.services import RememberingProject

_ENDS = ("", "-wal", "-shm", "-journal")


def pack_indexes(project: RememberingProject, places: Places, traces: Traces) -> list[Remains]:
    """Take what is gone from its sources out of every index's file too.

    An index that still says it is dropped: it is derived, and the next reader makes it anew.
    """
    remains = []
    for pack in (_memories, _notes, _graph, _sessions, _tables):
        try:
            pack(project)
        except (BusyError, StoreError, OSError) as error:
            remains.append(Remains(project.state.path, pack.__name__.strip("_"), str(error)))
    if not traces:
        return remains
    project.close()
    for place in [one for one in places.every() if one.action == DERIVED]:
        path = place.path
        for end in _ENDS[1:]:
            path = path.removesuffix(end)
        if os.path.exists(place.path) and says(raw_bytes(place.path), traces):
            for end in _ENDS:
                if os.path.exists(path + end):
                    os.unlink(path + end)
    return remains


def _memories(project: RememberingProject) -> None:
    stores = [project.memories]
    if os.path.exists(project.home.user_state.index):
        stores.append(project.user_memories)
    for memories in stores:
        project.catch_up(memories)
        memories.index.compact()


def _notes(project: RememberingProject) -> None:
    states = (project.state.notes, project.home.user_state.notes)
    if not any(os.path.exists(state.index) for state in states):
        return
    with project.notebook as notebook:
        notebook.reindex()
        for shelf in notebook.shelves():
            shelf.index.compact()


def _graph(project: RememberingProject) -> None:
    with project.graph as graph:
        for user, state in ((False, project.state), (True, project.home.user_state)):
            if os.path.exists(state.graph):
                graph.graph(user=user).store.compact()


def _sessions(project: RememberingProject) -> None:
    if os.path.exists(project.state.sessions.index):
        with project.sessions as sessions:
            sessions.index().compact()


def _tables(project: RememberingProject) -> None:
    from satchel.storage.paths import TABLES_INDEX

    if os.path.exists(project.state.derived(TABLES_INDEX)):
        with project.tables as tables:
            store = tables.here()
            store.fresh()
            store.index.compact()
