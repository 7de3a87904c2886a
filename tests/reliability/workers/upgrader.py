"""T24: opens a project, and is killed at the k-th statement of a database, if there are so many."""

import os
import sys
from typing import Any

import satchel.storage.database.sqlite as engine
from satchel.application.health.derived_stores import rebuild
from satchel.workspace import Workspace


def main() -> None:
    repo, home, number = sys.argv[1:]
    left = int(number)
    made = engine.SqliteDatabase.__init__
    counted = 0

    def count(cursor: Any, sql: Any, bindings: Any) -> bool:
        nonlocal counted
        counted += 1
        if counted > left:
            os._exit(9)
        return True

    def make(self: engine.SqliteDatabase, *words: Any, **options: Any) -> None:
        made(self, *words, **options)
        self._connection.exec_trace = count

    engine.SqliteDatabase.__init__ = make  # type: ignore[method-assign]
    with Workspace.open(repo, home=home) as workspace:
        workspace.refresh()
        rebuild(workspace, "graph")
        with workspace.tasks as tasks:
            tasks.view.ready()
    print(counted)


if __name__ == "__main__":
    main()
