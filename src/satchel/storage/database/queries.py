"""Named queries: SQL in files, each query with a name and a description."""

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


def without_comments(sql: str) -> str:
    """Return a query without its comments, for use inside another query."""
    return "\n".join(line for line in sql.splitlines() if not line.startswith("--"))


#: How Python, and how a database, represents the bytes 0x80 to 0xff of a path that is not UTF-8.
_ESCAPED, _STORED = 0xDC00, 0x10FE00


def stored_path(path: str) -> str:
    """Encode a path for a database: undecodable bytes become private-use characters."""
    return "".join(
        chr(ord(c) - _ESCAPED + _STORED) if "\udc80" <= c <= "\udcff" else c for c in path
    )


def path_stored_as(text: str) -> str:
    """Decode a path from a database."""
    if text.isascii():
        return text
    first, last = chr(_STORED + 0x80), chr(_STORED + 0xFF)
    return "".join(chr(ord(c) - _STORED + _ESCAPED) if first <= c <= last else c for c in text)
