"""Lists the commits of a period."""

from __future__ import annotations

from satchel.storage.git import GitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.commits import History


def log_between(history: History, since: int, until: int, *revisions: str) -> list[str]:
    """Return the ids of commits of a period, without merges, newest first.

    Git stops looking at the first commit that is older. If there was none before it, all commits
    are looked at: a clock may have been wrong.
    """
    words = ("--no-merges", f"--until=@{until}")
    found = history.log(*words, f"--since=@{since}", *revisions)
    if found:
        return found
    try:
        return history.log(*words, f"--since-as-filter=@{since}", *revisions)
    except GitError:
        return []  # an older git has no such option
