"""Patterns that are compiled on first use, and kept compiled between processes.

A hook lives for a tenth of a second: to compile what hears a lesson would take longer than all else
it does. Python compiles a pattern to numbers first, and makes a matcher of those in no time. They
are kept in the person's home as Python keeps compiled modules: for one version of Python, replaced
when they are out of date, and never needed. See decision 0048.
"""

from __future__ import annotations

import marshal
import re
import sys
from binascii import crc32

from satchel.core.errors import StoreError
from satchel.core.values import Any
from satchel.storage.files import read_file, replace_file
from satchel.storage.paths import UserHome
from satchel.storage.settings.environment import home_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from re import Match, Pattern

    #: A pattern's flags, its numbers as bytes, how many groups it has, and the names of some.
    Code = tuple[int, bytes, int, dict[str, int]]

_SUM = 4
#: What a Python that compiles in another way than those we know may answer.
_UNKNOWN_PYTHON = (ImportError, AttributeError, TypeError, ValueError, EOFError, RuntimeError)
_every: list[LazyPattern] = []
_kept: list[dict[tuple[str, int], Code]] = []


class LazyPattern:
    """A pattern compiled on first use, because a process uses few of them.

    Args:
        source: the pattern.
        flags: of `re`.
    """

    __slots__ = ("_pattern", "flags", "source")

    def __init__(self, source: str, flags: int = 0) -> None:
        self.source, self.flags = source, int(flags)
        self._pattern: Pattern[str] | None = None
        _every.append(self)

    @property
    def compiled(self) -> Pattern[str]:
        """Return the compiled pattern."""
        if self._pattern is None:
            self._pattern = _from_kept(self) or re.compile(self.source, self.flags)
        return self._pattern

    def match(self, text: str) -> Match[str] | None:
        """Match at the beginning of a text."""
        return self.compiled.match(text)

    def fullmatch(self, text: str) -> Match[str] | None:
        """Match a whole text."""
        return self.compiled.fullmatch(text)

    def search(self, text: str) -> Match[str] | None:
        """Search a text."""
        return self.compiled.search(text)

    def sub(self, by: str | Callable[[Match[str]], str], text: str) -> str:
        """Replace matches."""
        return self.compiled.sub(by, text)

    def split(self, text: str, maxsplit: int = 0) -> list[str]:
        """Split a text at matches; groups are kept, as `re.split` does."""
        return self.compiled.split(text, maxsplit=maxsplit)

    def findall(self, text: str) -> list[Any]:
        """Return every match, its only group, or its groups."""
        return self.compiled.findall(text)

    def finditer(self, text: str) -> Iterator[Match[str]]:
        """Yield every match."""
        return self.compiled.finditer(text)


def spoken(source: str) -> LazyPattern:
    r"""Return a pattern of speech: case does not matter, and a blank is any few white spaces.

    What people say is read as they typed it, with double blanks, tabs and line breaks. ` ?` may be
    missing. Nothing else may repeat a blank, and a character class says `\s` instead.
    """
    few = source.replace(" ?", r"\s{0,8}").replace(" ", r"\s{1,8}")
    return LazyPattern(few, re.IGNORECASE)


def keep_patterns() -> None:
    """Keep every pattern of the modules loaded here compiled, unless they already are."""
    held = _read() or {}
    if all((one.source, one.flags) in held for one in _every):
        return
    try:
        made = {(one.source, one.flags): _code_of(one) for one in _every}
    except _UNKNOWN_PYTHON:
        return
    data = marshal.dumps((_version(), made))
    try:
        replace_file(_path(), crc32(data).to_bytes(_SUM, "big") + data)
    except StoreError:
        return  # a full or read-only disk: patterns are compiled as before


def _path() -> str:
    return UserHome(home_path()).patterns


def _version() -> str:
    """Return what the numbers depend on."""
    import _sre  # type: ignore[import-not-found]

    return f"{sys.version} {_sre.MAGIC} {_sre.CODESIZE} {sys.byteorder}"


def _read() -> dict[tuple[str, int], Code] | None:
    """Return what is kept for this Python; None for nothing, or what is damaged."""
    try:
        whole = read_file(_path())
    except StoreError:
        return None
    data = whole[_SUM:]
    if not data or crc32(data) != int.from_bytes(whole[:_SUM], "big"):
        return None
    version, kept = marshal.loads(data)  # noqa: S302 -- of the person's own home, and whole
    return kept if version == _version() else None


def _from_kept(one: LazyPattern) -> Pattern[str] | None:
    """Return a pattern made of what is kept; None if it is not."""
    try:
        if not _kept:
            _kept.append(_read() or {})
        code = _kept[0].get((one.source, one.flags))
        return _made_of(one.source, code) if code is not None else None
    except _UNKNOWN_PYTHON:
        return None


def _made_of(source: str, code: Code) -> Pattern[str]:
    """Make a pattern of its numbers, as `re` does after compiling."""
    import _sre

    flags, numbers, groups, names = code
    of_group: list[str | None] = [None] * (groups + 1)
    for name, group in names.items():
        of_group[group] = name
    listed = memoryview(numbers).cast("I").tolist()
    made: Pattern[str] = _sre.compile(source, flags, listed, groups, names, tuple(of_group))
    return made


def _code_of(one: LazyPattern) -> Code:
    """Compile a pattern to numbers, as `re` does."""
    from array import array
    from re import _compiler, _parser  # type: ignore[attr-defined]

    parsed = _parser.parse(one.source, one.flags)
    numbers = array("I", map(int, _compiler._code(parsed, one.flags)))  # noqa: SLF001 -- see above
    state = parsed.state
    return one.flags | state.flags, numbers.tobytes(), state.groups - 1, dict(state.groupdict)
