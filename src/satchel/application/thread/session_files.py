"""Finds what a session wrote, and what its commands did to files: whose lines those are then.

A command's changes to files are not seen. So what a session writes is in doubt where its commands
took lines away that may be a person's: the same ones may be written again, there or elsewhere.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from os.path import splitext

from satchel.application.thread.work_trees import SessionDirectory
from satchel.clients.transcript_format.values import Turn
from satchel.features.thread.values import TurnFacts, WrittenFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: Commands that take lines out of the files they name.
_TAKES = re.compile(
    r"(?<![\w-])(rm|unlink|(?:git )?mv|sed -i[^;&|]*?d['\"]|git (?:rm|checkout|restore|stash))"
    r" ([^;&|]+)"
)
#: Those of them that end a move by hand: the lines were written elsewhere before, or will be.
_MOVES = ("rm", "unlink", "sed", "git rm")
#: A call of a patch, which names files itself; a file's name.
_PATCHES, _NAME = "apply_patch", re.compile(r"[\w.@+-]+")
#: What is given to a command that prints files.
_PRINTED = re.compile(r"\b(?:cat|head|tail|less|more|bat|nl|sed|awk)\b([^;&|\n]{1,400})")


class SessionFiles:
    """The files of a session, whose turns are given in their order.

    Args:
        where: resolves the paths that its tools wrote to.
    """

    def __init__(self, where: SessionDirectory) -> None:
        self._where = where
        self._prompt = -1
        self._own: set[str] = set()
        self._gone: set[str] = set()
        self._named: set[str] = set()
        self._wild: set[str] = set()
        #: Prompt -> names of files that its commands took lines out of.
        self._moved: dict[int, set[str]] = {}

    def written(self, turn: Turn, place: int, *, is_prompt: bool) -> tuple[WrittenFile, ...]:
        """Return what a turn wrote."""
        if is_prompt:
            self._prompt = place
        for command, names in _taken(turn):
            self._gone |= names
            if command.startswith(_MOVES):
                # A scratch file of its own that it removes is not a move.
                others = names if command.startswith("sed") else names - self._own
                self._moved.setdefault(self._prompt, set()).update(others)
        for call in turn.tools:
            if _PATCHES not in call:
                self._named.update(_NAME.findall(call))
                words = (word for part in _PRINTED.findall(call) for word in part.split())
                self._wild.update(_name_of(word) for word in words if set(word) & {"*", "?"})
        return tuple(self._written(turn))

    def _written(self, turn: Turn) -> Iterator[WrittenFile]:
        for one in turn.edits:
            path = self._where.path(one.path)
            name = _name_of(path)
            if not one.marks and not one.gone:
                # A patch deleted it, or wrote it whole, maybe over what a command had shown.
                if one.whole or self._has_shown(name):
                    self._gone.add(name)
            elif path:
                self._own.add(name)
                # What was taken away may come back with a person's lines.
                whole = one.whole or not self._where.is_known(path) or name in self._gone
                yield WrittenFile(path, one.marks, whole, one.gone, one.at)

    def _has_shown(self, name: str) -> bool:
        """Return whether a command named a file, so that the session may know its lines."""
        return name in self._named or any(fnmatchcase(name, wild) for wild in self._wild)

    def doubted(self, turns: Iterable[TurnFacts]) -> Iterator[TurnFacts]:
        """Yield all turns, with what they may only have moved here marked as maybe there before."""
        prompt = -1
        for turn in turns:
            prompt = turn.place if turn.is_prompt else prompt
            moved = self._moved.get(prompt, ())
            yield turn._replace(
                wrote=tuple(
                    one._replace(whole=True) if _may_come_from(moved, one.path) else one
                    for one in turn.wrote
                )
            )


def _taken(turn: Turn) -> Iterator[tuple[str, set[str]]]:
    """Yield commands of a turn that may have taken lines away, with the names of their files."""
    for call in turn.tools:
        for command, rest in _TAKES.findall(call):
            words = rest.split()
            named = words[:-1] if command.endswith("mv") else words
            names = {_name_of(word.strip("'\"")) for word in named if not word.startswith("-")}
            yield command, names - {""}


def _may_come_from(names: Iterable[str], path: str) -> bool:
    """Return whether lines of one of these files may be in another: it is in the same language."""
    own = _name_of(path)
    return any(name != own and splitext(name)[1] == splitext(own)[1] for name in names)


def _name_of(path: str) -> str:
    return path.rpartition("/")[2]
