"""What git keeps and forgetting does not change: old commits, messages, names, the sync's past."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence

from satchel.application.forgetting.matching import TraceMatcher
from satchel.application.forgetting.scrub import contains_trace
from satchel.application.forgetting.values import Leftover
from satchel.storage import git
from satchel.storage.home_paths import sync_in
from satchel.storage.work_trees import work_trees

_SECONDS = 60.0
#: Most patterns, or objects, in one git query.
_AT_ONCE = 100
#: What may stand between two words. A POSIX class, because git asks for a POSIX expression.
_BETWEEN = "[[:space:][:punct:]]*"
_HEX = re.compile(r"[0-9a-f]{40,64}")
_NAME_TO_WORDS = str.maketrans("-_./", "    ")


def in_repository(root: str, traces: TraceMatcher, ids: Sequence[str]) -> Iterator[Leftover]:
    """Yield commits, tags and names of a project's repository that still say it.

    A commit says it if it added or removed it, or in its message. What is staged is in no commit
    yet, and stays in git's own files.
    """
    try:
        commits = _commits(root, traces, ids)
        yield from _staged(root, _patterns(traces, ids))
        yield from _names(root, traces)
    except git.GitError as error:
        yield Leftover(root, "git history", f"could not be searched: {error}")
        return
    for commit in commits:
        yield Leftover(commit, "git history", "only rewriting history removes it")
    if commits and git.ask(root, "remote", seconds=_SECONDS).out.strip():
        why = "what was pushed is there too, and in other people's clones"
        yield Leftover(root, "git remotes", why)


def in_sync(home: str, traces: TraceMatcher, ids: Sequence[str]) -> Iterator[Leftover]:
    """Yield the repository of `satchel sync` if its older commits say it."""
    path = os.path.join(sync_in(home), "repository")
    if os.path.isdir(path + ".damaged"):
        yield Leftover(path + ".damaged", "a repository of sync", "is damaged; was not searched")
    if not os.path.isfile(os.path.join(path, "HEAD")):
        return
    where = {"GIT_DIR": path}
    what = "the repository of sync"
    try:
        said = bool(_commits(path, traces, ids, where)) or _packed(path, traces, where)
    except git.GitError as error:
        yield Leftover(path, what, f"could not be searched: {error}")
        return
    if said:
        why = "its older commits hold it, also at its remote; a new, empty remote ends that"
        yield Leftover(path, what, why)


def _patterns(traces: TraceMatcher, ids: Sequence[str]) -> list[str]:
    wanted = [re.escape(one) for one in (*ids, *sorted(traces.telling))]
    wanted += [_BETWEEN.join(map(re.escape, words)) for words in traces.ends()]
    return ["|".join(wanted[at : at + _AT_ONCE]) for at in range(0, len(wanted), _AT_ONCE)]


def _commits(
    root: str, traces: TraceMatcher, ids: Sequence[str], where: Mapping[str, str] | None = None
) -> list[str]:
    """Return the commits that added or removed it, and those whose message says it.

    A stash is a commit too, and a merge, which git searches only with `-m`: too slow for every
    commit.
    """
    found: dict[str, None] = {}
    every, stashes = ("--all", "--reflog"), ("-m", "-g", "refs/stash")
    for pattern in _patterns(traces, ids):
        searched = ("--no-patch", "--format=%H", "-i", "--pickaxe-regex", f"-S{pattern}")
        for which in (every, stashes):
            told = git.ask(root, "log", *which, *searched, "--", seconds=_SECONDS, variables=where)
            if told.code == 0:
                found |= dict.fromkeys(told.out.split())
    told = git.ask(root, "log", *every, "-z", "--format=%H %B", seconds=_SECONDS, variables=where)
    if told.code == 0 and traces.may_hit(told.data):
        for entry in told.out.split("\0"):
            commit, _, message = entry.partition(" ")
            if traces.hits(message):
                found[commit] = None
    return list(found)


def _staged(root: str, patterns: Sequence[str]) -> Iterator[Leftover]:
    trees = [one.path for one in work_trees(root, seconds=_SECONDS)] or [root]
    for tree in trees:
        for pattern in patterns:
            words = ("diff", "--cached", "--name-only", "-i", "--pickaxe-regex", f"-S{pattern}")
            told = git.ask(tree, *words, "--", seconds=_SECONDS)
            for name in told.out.splitlines() if told.code == 0 else ():
                where = os.path.join(tree, name)
                yield Leftover(where, "what is staged in git", "`git add` it once more")


def _names(root: str, traces: TraceMatcher) -> Iterator[Leftover]:
    """Yield tags that say it, and whether a name of a branch or tag does: without the name."""
    words = ("for-each-ref", "--format=%(objectname) %(refname)%0a%(contents)%00")
    told = git.ask(root, *words, "refs/tags", "refs/heads", "refs/remotes", seconds=_SECONDS)
    if told.code:
        return
    for entry in told.out.split("\0"):
        head, _, message = entry.strip("\n").partition("\n")
        ident, _, name = head.partition(" ")
        if name.startswith("refs/tags/") and traces.hits(message):
            yield Leftover(ident, "a tag in git", "its message says it; only you can replace it")
        if name and traces.hits(name.translate(_NAME_TO_WORDS)):
            yield Leftover(root, "the name of a branch or tag", "says it; `git branch -m` renames")


def _packed(root: str, traces: TraceMatcher, where: Mapping[str, str]) -> bool:
    """Return whether an archive in any commit says it: git does not look into packed files."""
    told = git.answer(root, "rev-list", "--objects", "--all", seconds=_SECONDS, variables=where)
    rows = (line.partition(" ") for line in told.splitlines())
    packed = [ident for ident, _, path in rows if path.endswith(".gz") and _HEX.fullmatch(ident)]
    return any(
        contains_trace(git.ask(root, "cat-file", "blob", one, variables=where).data, traces)
        for one in packed
    )
