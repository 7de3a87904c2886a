"""Tells of a merge what it brought: it has no lines of its own, and was asked for by nobody."""

from __future__ import annotations

from satchel.storage.commits import Commit, History


def brought_by(history: History, merge: Commit, most: int) -> tuple[int, list[Commit]]:
    """Return how many commits a merge brought, and the newest of them; none for other commits."""
    if len(merge.parents) < 2:  # noqa: PLR2004 -- two lines of history
        return 0, []
    shas = history.log("--no-merges", f"{merge.parents[0]}..{merge.sha}")
    read = {one.sha: one for one in history.commits(shas[:most])} if most else {}
    return len(shas), [read[sha] for sha in shas if sha in read]
