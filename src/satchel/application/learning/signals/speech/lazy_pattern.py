"""Patterns that are compiled on first use, because a hook uses few of them."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from re import Match, Pattern


class LazyPattern:
    """A pattern compiled on first use, because a hook uses few of them.

    Args:
        source: the pattern; case does not count.
    """

    __slots__ = ("_pattern", "source")

    def __init__(self, source: str) -> None:
        self.source = source
        self._pattern: Pattern[str] | None = None

    @property
    def compiled(self) -> Pattern[str]:
        """Return the compiled pattern."""
        if self._pattern is None:
            self._pattern = re.compile(self.source, re.IGNORECASE)
        return self._pattern

    def match(self, text: str) -> Match[str] | None:
        """Match at the beginning of a text."""
        return self.compiled.match(text)

    def search(self, text: str) -> Match[str] | None:
        """Search a text."""
        return self.compiled.search(text)

    def sub(self, by: str | Callable[[Match[str]], str], text: str) -> str:
        """Replace matches."""
        return self.compiled.sub(by, text)
