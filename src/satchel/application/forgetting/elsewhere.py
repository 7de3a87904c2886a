"""Copies that forgetting cannot reach: git history, clients' own files, backups."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from satchel.application.forgetting.matching import TraceMatcher
from satchel.application.forgetting.scrub import contains_trace
from satchel.application.forgetting.values import Leftover
from satchel.clients.registry import ALIASES, client_home
from satchel.clients.transcripts.reading import transcript_files
from satchel.core.errors import SatchelError
from satchel.storage import git
from satchel.storage.files import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services

_SECONDS = 60.0
_LARGEST = 512 << 20
#: Most ids in one git query.
_AT_ONCE = 100
_BACKUP = (".bak", ".old", ".orig", "~", ".tar", ".tar.gz", ".tgz", ".zip", ".backup")


def unreachable_copies(
    work: Services, traces: TraceMatcher, ids: Sequence[str]
) -> Iterator[Leftover]:
    """Yield every place outside Satchel's reach that contains it, as far as can be checked."""
    yield from _history(work.project.place.root, traces, ids)
    yield from _transcripts(work, traces)
    yield from _backups(work.owner().home.path)


def _history(root: str, traces: TraceMatcher, ids: Sequence[str]) -> Iterator[Leftover]:
    """Yield commits that added or removed lines with these ids or distinctive words.

    A stash is a commit too, and a merge, which git searches only with `-m`: too slow for every
    commit. What is staged is in no commit yet, and stays in git's own files.
    """
    wanted = [re.escape(ident) for ident in ids]
    wanted += [re.escape(word) for word in sorted(traces.telling)]
    patterns = ["|".join(wanted[at : at + _AT_ONCE]) for at in range(0, len(wanted), _AT_ONCE)]
    commits: dict[str, None] = {}
    try:
        for pattern in patterns:
            searched = ("-i", "--pickaxe-regex", f"-S{pattern}")
            for which in (("--all", "--reflog"), ("-m", "-g", "refs/stash")):
                words = ("log", *which, "--no-patch", "--format=%H", *searched, "--")
                told = git.ask(root, *words, seconds=_SECONDS)
                if told.code == 0:
                    commits |= dict.fromkeys(told.out.split())
            for tree in _trees(root):
                told = git.ask(tree, "diff", "--cached", "--name-only", *searched, seconds=_SECONDS)
                if told.code == 0:
                    for name in told.out.splitlines():
                        where = os.path.join(tree, name)
                        yield Leftover(where, "what is staged in git", "`git add` it once more")
    except git.GitError as error:
        yield Leftover(root, "git history", f"could not be searched: {error}")
        return
    for commit in commits:
        yield Leftover(commit, "git history", "only rewriting history removes it")
    if commits and git.ask(root, "remote", seconds=_SECONDS).out.strip():
        why = "what was pushed is there too, and in other people's clones"
        yield Leftover(root, "git remotes", why)


def _trees(root: str) -> list[str]:
    return [one.path for one in git.work_trees(root, seconds=_SECONDS)] or [root]


def _transcripts(work: Services, traces: TraceMatcher) -> Iterator[Leftover]:
    """Yield clients' own files, which are read but never changed."""
    root = os.path.realpath(work.project.place.root)
    looked = work.project.settings.flag("sessions.import")
    for client in ALIASES:
        if not looked:
            if os.path.isdir(client_home(client)):
                why = "were not searched, because sessions.import is off"
                yield Leftover(client_home(client), f"{client}'s own transcripts", why)
            continue
        for file in transcript_files(client, client_home(client), root):
            try:
                said = os.path.getsize(file.path) <= _LARGEST and contains_trace(
                    read_file(file.path), traces
                )
            except (OSError, SatchelError):
                continue
            if said:
                yield Leftover(file.path, f"{client}'s own transcript", "is that program's file")


def _backups(home: str) -> Iterator[Leftover]:
    """Yield what looks like a copy of the home beside it; copies are not opened."""
    above, name = os.path.split(home.rstrip(os.sep))
    try:
        names = sorted(os.listdir(above))
    except OSError:
        return
    for other in names:
        if other != name and other.startswith(name) and other.endswith(_BACKUP):
            why = "looks like a backup of the home, and was not searched"
            yield Leftover(os.path.join(above, other), "backup", why)
