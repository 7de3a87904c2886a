"""Indexes after forgetting: refreshed from the rewritten files, then compacted."""

from __future__ import annotations

import os

from satchel.application.forgetting.matching import TraceMatcher
from satchel.application.forgetting.places import SearchedFiles
from satchel.application.forgetting.scrub import contains_trace
from satchel.application.forgetting.values import DERIVED, Leftover
from satchel.application.services import Services, private_states
from satchel.core.errors import BusyError, StoreError
from satchel.storage.database.raw_bytes import raw_bytes

_ENDS = ("", "-wal", "-shm", "-journal")


def pack_indexes(
    work: Services, places: SearchedFiles, traces: TraceMatcher, *, episodes: bool = False
) -> list[Leftover]:
    """Remove from every index file what its sources no longer have.

    An index that still contains it is deleted: it is derived, and the next reader rebuilds it. So
    is the index of notes if whole `episodes` were removed, since it keeps vanished files until
    somebody confirms.
    """
    remains = []
    if episodes:
        work.close()
        for _, state in private_states(work):
            drop_database(state.notes.index)
    for pack in (_memories, _notes, _graph, _sessions, _thread, _tables):
        try:
            pack(work)
        except (BusyError, StoreError, OSError) as error:
            remains.append(Leftover(work.project.state.path, pack.__name__.strip("_"), str(error)))
    if not traces:
        return remains
    work.close()
    for place in [one for one in places.every() if one.action == DERIVED]:
        path = place.path
        for end in _ENDS[1:]:
            path = path.removesuffix(end)
        if os.path.exists(place.path) and contains_trace(raw_bytes(place.path), traces):
            drop_database(path)
    return remains


def drop_database(path: str) -> None:
    """Remove a database and its companion files."""
    for end in _ENDS:
        if os.path.exists(path + end):
            os.unlink(path + end)


def _memories(work: Services) -> None:
    stores = work.memories.stores
    found = [stores.own]
    if stores.person is not None and os.path.exists(stores.person.ledgers.state.index):
        found.append(stores.person)
    for memories in found:
        stores.catch_up(memories)
        memories.index.compact()


def _notes(work: Services) -> None:
    states = [state.notes for _, state in private_states(work)]
    if not any(os.path.exists(state.index) for state in states):
        return
    with work.notes as notebook:
        notebook.reindex()
        for shelf in notebook.indexes.indexes():
            shelf.index.compact()


def _graph(work: Services) -> None:
    with work.graph as graph:
        for user, state in private_states(work):
            if os.path.exists(state.graph):
                graph.graph(user=user).store.compact()


def _sessions(work: Services) -> None:
    with work.sessions as sessions:
        if os.path.exists(sessions.archive.place.index):
            sessions.archive.index().compact()


def _thread(work: Services) -> None:
    """Update the thread from the rewritten archive, and compact its store."""
    with work.thread as thread:
        if thread.exists:
            thread.catch_up(float("inf"))
            thread.store.compact()


def _tables(work: Services) -> None:
    from satchel.storage.paths import TABLES_INDEX

    if os.path.exists(work.project.state.derived(TABLES_INDEX)):
        with work.tables as tables:
            store = tables.here()
            store.refresh()
            store.index.compact()
