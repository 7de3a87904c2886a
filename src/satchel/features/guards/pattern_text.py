"""The text of a pattern, read into a tree. Raises the reason and the place for what is refused."""

from __future__ import annotations

from satchel.core.errors import BadInputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MOST_REPEATS, _DEEPEST = 200, 40
LAST = 0x10FFFF
_DIGITS = ((48, 57),)
WORDS = ((48, 57), (65, 90), (95, 95), (97, 122), (128, LAST))
_SPACES = ((9, 13), (32, 32))
_CLASSES = {"d": _DIGITS, "w": WORDS, "s": _SPACES}
_CONTROLS = {"n": 10, "t": 9, "r": 13, "f": 12, "v": 11, "a": 7}
_HEX = {"x": 2, "u": 4, "U": 8}

Ranges = tuple[tuple[int, int], ...]


class Parser:
    """Reads one pattern.

    Args:
        text: the pattern, without its flags.
        fold: take upper and lower case for one.
        shift: characters before it, for the places of errors.
    """

    def __init__(self, text: str, *, fold: bool, shift: int) -> None:
        self.text = text
        self.at = 0
        self.fold = fold
        self.shift = shift
        self.depth = 0

    def whole(self) -> Any:
        """Return the tree of the pattern: `of`, `at`, `row`, `or`, `times`."""
        tree = self._choice()
        if self.at < len(self.text):
            raise self._wrong("`)` without its `(`")
        return tree

    def _wrong(self, what: str) -> BadInputError:
        return BadInputError(f"{what}, at character {self.at + self.shift + 1}")

    def _next(self) -> str:
        return self.text[self.at : self.at + 1]

    def _takes(self, what: str) -> bool:
        if self.text.startswith(what, self.at):
            self.at += len(what)
            return True
        return False

    def _choice(self) -> Any:
        options = [self._row()]
        while self._takes("|"):
            options.append(self._row())
        return ("or", options) if len(options) > 1 else options[0]

    def _row(self) -> Any:
        parts = []
        while self._next() and self._next() not in "|)":
            parts.append(self._repeated(self._one()))
        return ("row", parts)

    def _repeated(self, one: Any) -> Any:
        while True:
            bounds = self._bounds()
            if bounds is None:
                return one
            low, high = bounds
            if one[0] == "at":
                raise self._wrong("an anchor cannot be repeated")
            if max(low, high or 0) > _MOST_REPEATS:
                raise self._wrong(f"more than {_MOST_REPEATS} repetitions")
            if high is not None and low > high:
                raise self._wrong("a repetition whose minimum exceeds its maximum")
            if self._next() == "+":
                raise self._wrong("`+` after a repetition")
            self._takes("?")  # how much is taken makes no difference to whether it is found
            one = ("times", one, low, high)

    def _bounds(self) -> tuple[int, int | None] | None:
        for sign, bounds in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self._takes(sign):
                return bounds
        if self._next() != "{":
            return None
        close = self.text.find("}", self.at)
        low, comma, high = self.text[self.at + 1 : max(close, 0)].partition(",")
        numbers = [n for n in (low, high) if n]
        if close < 0 or not all(n.isascii() and n.isdigit() and len(n) < 6 for n in numbers):  # noqa: PLR2004
            return None
        if not low and not (comma and high):
            return None
        self.at = close + 1
        most = (int(high) if high else None) if comma else int(low)
        return int(low or 0), most

    def _one(self) -> Any:
        character = self._next()
        if character == "(":
            return self._group()
        self.at += 1
        if character == "[":
            return self._set()
        if character == ".":
            return ("of", _without(((10, 10),)))
        if character in "^$":
            return ("at", character)
        if character == "\\":
            return self._escaped()
        if character in "*+?":
            self.at -= 1
            raise self._wrong(f"`{character}` with nothing to repeat")
        return ("of", self._folded(ord(character)))

    def _group(self) -> Any:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self._wrong("groups are nested too deeply")
        begin = self.at
        if not self._takes("(?:"):
            if self.text.startswith("(?P<", self.at) and ">" in self.text[self.at :]:
                self.at = self.text.index(">", self.at) + 1
            elif self.text.startswith("(?", self.at):
                raise self._wrong(
                    "lookaround and other `(?` are not supported; use `unless` for exceptions"
                )
            else:
                self.at += 1
        tree = self._choice()
        if not self._takes(")"):
            self.at = begin
            raise self._wrong("`(` without its `)`")
        self.depth -= 1
        return tree

    def _escaped(self) -> Any:
        letter = self._next()
        if letter in ("b", "B"):
            self.at += 1
            return ("at", letter)
        if letter.lower() in _CLASSES and letter:
            self.at += 1
            ranges = _CLASSES[letter.lower()]
            return ("of", ranges if letter.islower() else _without(ranges))
        return ("of", self._folded(self._code()))

    def _code(self) -> int:
        """Read what stands behind a backslash as one character."""
        letter = self._next()
        if not letter:
            raise self._wrong("a backslash at the end")
        self.at += 1
        if letter in _CONTROLS:
            return _CONTROLS[letter]
        if letter in _HEX:
            digits = self.text[self.at : self.at + _HEX[letter]]
            try:
                code = int(digits, 16) if len(digits) == _HEX[letter] and digits.isalnum() else -1
            except ValueError:
                code = -1
            if not 0 <= code <= LAST:
                raise self._wrong(f"`\\{letter}` without its digits")
            self.at += len(digits)
            return code
        if letter.isalnum() and letter.isascii():
            self.at -= 1
            what = "a reference back" if letter.isdigit() else f"`\\{letter}`, which has no meaning"
            raise self._wrong(what)
        return ord(letter)

    def _set(self) -> Any:
        begin = self.at - 1
        negated = self._takes("^")
        ranges: list[tuple[int, int]] = []
        first = True
        while first or self._next() != "]":
            if not self._next():
                self.at = begin
                raise self._wrong("`[` without its `]`")
            first = False
            low = self._member(ranges)
            if low is None:
                continue
            high = low
            if self._next() == "-" and self.text[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                other = self._member([])
                if other is None or other < low:
                    raise self._wrong("a range whose end comes before its start")
                high = other
            ranges.append((low, high))
        self.at += 1
        found = _merged([part for low, high in ranges for part in self._folded(low, high)])
        return ("of", _without(found) if negated else found)

    def _member(self, ranges: list[tuple[int, int]]) -> int | None:
        r"""Read one character of a set; a class such as `\d` goes to `ranges`, and gives None."""
        character = self._next()
        self.at += 1
        if character != "\\":
            return ord(character)
        letter = self._next()
        if letter and letter.lower() in _CLASSES:
            self.at += 1
            found = _CLASSES[letter.lower()]
            ranges.extend(found if letter.islower() else _without(found))
            return None
        if letter == "b":
            self.at += 1
            return 8
        return self._code()

    def _folded(self, low: int, high: int | None = None) -> Ranges:
        high = low if high is None else high
        found = [(low, high)]
        if self.fold:
            for first, last, step in ((65, 90, 32), (97, 122, -32)):
                begin, end = max(low, first), min(high, last)
                if begin <= end:
                    found.append((begin + step, end + step))
            if low == high and low > 127:  # noqa: PLR2004
                found += [
                    (ord(c), ord(c)) for c in (chr(low).lower(), chr(low).upper()) if len(c) == 1
                ]
        return _merged(found)


def _merged(ranges: list[tuple[int, int]]) -> Ranges:
    out: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if out and low <= out[-1][1] + 1:
            out[-1] = (out[-1][0], max(out[-1][1], high))
        else:
            out.append((low, high))
    return tuple(out)


def _without(ranges: Ranges) -> Ranges:
    out, at = [], 0
    for low, high in ranges:
        if low > at:
            out.append((at, low - 1))
        at = high + 1
    return (*out, (at, LAST)) if at <= LAST else tuple(out)
