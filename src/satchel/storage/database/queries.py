"""Named queries: SQL in files, each query with a name and a sentence saying what it is for."""

from __future__ import annotations

import os

_MARK = "-- name: "


def load_queries(directory_of: str, name: str) -> dict[str, str]:
    """Read `name` beside the module file `directory_of`; return SQL by query name.

    A query begins at `-- name: its_name` and ends at the next one. Comment lines right below
    the name describe it.
    """
    with open(os.path.join(os.path.dirname(directory_of), name), encoding="utf-8") as file:
        text = file.read()
    queries = {}
    for block in text.split(_MARK)[1:]:
        title, _, sql = block.partition("\n")
        queries[title.strip()] = sql.strip()
    return queries
