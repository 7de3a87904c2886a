r"""Patterns of guards: a part of regular expressions that can always be decided in one pass.

A pattern becomes a table of states. Finding it takes one step a character, whatever the pattern
and whatever the text: there is no backtracking, so none can explode. What would need it
(back-references, looking ahead or behind) is refused, and so is what needs too many states.
Also against `re`: `^` and `$` are of lines, `\w` and `\b` take every letter beyond ASCII for a
word's, and groups capture nothing.
"""

from __future__ import annotations

from satchel.core.errors import BadInputError
from satchel.features.guards.pattern_text import LAST, WORDS, Parser, Ranges

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Characters of a pattern, states of its machine, states of its table.
LONGEST, MOST_NODES, MOST_STATES = 500, 1500, 600
_LINE, _WORD, _OTHER = 0, 1, 2  # what stands before or behind a place: a line's edge, ...


def compiled(pattern: str) -> dict[str, Any]:
    """Return the table of a pattern, as `matching.found` reads it.

    Raises `BadInputError` with the reason, and the place in the pattern (from 1).
    """
    if len(pattern) > LONGEST:
        raise BadInputError(f"it has {len(pattern)} characters; at most {LONGEST} are taken")
    fold = pattern.startswith("(?i)")
    tree = Parser(pattern[4:] if fold else pattern, fold=fold, shift=4 if fold else 0).whole()
    machine = _Machine()
    end = machine.build(tree, machine.start)
    machine.free(end, "", _MATCH)
    return _table(machine)


def from_glob(glob: str) -> str:
    """Return the pattern of a glob over paths: `**` crosses directories, `*` and `?` do not."""
    glob = glob.removeprefix("./")
    if glob.endswith("/"):
        glob += "**"
    out, at = [], 0
    while at < len(glob):
        if glob.startswith("**/", at):
            out.append("(?:.*/)?")
            at += 3
        elif glob.startswith("**", at):
            out.append(".*")
            at += 2
        elif glob[at] == "*":
            out.append("[^/]*")
            at += 1
        elif glob[at] == "?":
            out.append("[^/]")
            at += 1
        else:
            out.append(literal(glob[at]))
            at += 1
    anywhere = "(?:^|/)" if "/" not in glob else "^/?" if glob.startswith("/") else "^"
    return anywhere + "".join(out).removeprefix("/" if glob.startswith("/") else "") + "$"


def literal(text: str) -> str:
    """Return the pattern that finds exactly this text."""
    return "".join(c if c.isalnum() or c in "_-/ " or not c.isascii() else "\\" + c for c in text)


_MATCH = 1


class _Machine:
    """States with steps over characters, and free ones that hold at certain places."""

    def __init__(self) -> None:
        self.steps: list[list[tuple[Ranges, int]]] = [[], []]
        self.frees: list[list[tuple[str, int]]] = [[], []]
        self.start = 0

    def new(self) -> int:
        if len(self.steps) >= MOST_NODES:
            raise BadInputError("it is too large once its repetitions are written out")
        self.steps.append([])
        self.frees.append([])
        return len(self.steps) - 1

    def free(self, begin: int, where: str, end: int) -> None:
        self.frees[begin].append((where, end))

    def build(self, tree: Any, begin: int) -> int:
        """Add a tree after a state; return the state that it ends in."""
        if tree[0] == "of":
            end = self.new()
            self.steps[begin].append((tree[1], end))
            return end
        if tree[0] == "at":
            end = self.new()
            self.free(begin, tree[1], end)
            return end
        if tree[0] == "row":
            for part in tree[1]:
                begin = self.build(part, begin)
            return begin
        if tree[0] == "or":
            end = self.new()
            for option in tree[1]:
                entry = self.new()
                self.free(begin, "", entry)
                self.free(self.build(option, entry), "", end)
            return end
        return self._times(tree, begin)

    def _times(self, tree: Any, begin: int) -> int:
        _, one, low, high = tree
        for _ in range(low):
            begin = self.build(one, begin)
        if high is None:
            again = self.new()
            self.free(begin, "", again)
            self.free(self.build(one, again), "", again)
            end = self.new()
            self.free(again, "", end)
            return end
        end = self.new()
        for _ in range(high - low):
            self.free(begin, "", end)
            begin = self.build(one, begin)
        self.free(begin, "", end)
        return end


def _kind(code: int) -> int:
    if code == 10:  # noqa: PLR2004 -- a new line
        return _LINE
    return _WORD if any(low <= code <= high for low, high in WORDS) else _OTHER


def _holds(where: str, before: int, behind: int) -> bool:
    if where == "^":
        return before == _LINE
    if where == "$":
        return behind == _LINE
    edge = (before == _WORD) != (behind == _WORD)
    return not where or edge == (where == "b")


def _table(machine: _Machine) -> dict[str, Any]:
    cuts = {0, 10, 11, 128}
    for low, high in WORDS:
        cuts |= {low, high + 1}
    for steps in machine.steps:
        for ranges, _ in steps:
            for low, high in ranges:
                cuts |= {low, high + 1}
    starts = sorted(cut for cut in cuts if cut <= LAST)
    starts, names = _alike(machine, starts)
    samples = {name: start for start, name in zip(reversed(starts), reversed(names), strict=True)}
    first = (frozenset((machine.start,)), _LINE)
    known = {first: 0}
    queue = [first]
    rows: list[list[int]] = []
    final = []
    for state in queue:
        kernel, before = state
        row = []
        closures: dict[int, frozenset[int]] = {}
        for name in range(len(samples)):
            code = samples[name]
            behind = _kind(code)
            if behind not in closures:
                closures[behind] = _closure(machine, kernel, before, behind)
            now = closures[behind]
            if _MATCH in now:
                row.append(-1)
                continue
            after = frozenset(
                end
                for node in now
                for ranges, end in machine.steps[node]
                if any(low <= code <= high for low, high in ranges)
            )
            target = (after | {machine.start}, behind)
            if target not in known:
                if len(known) >= MOST_STATES:
                    raise BadInputError("it would need too many states; make it simpler")
                known[target] = len(known)
                queue.append(target)
            row.append(known[target])
        rows.append(row)
        final.append(int(_MATCH in _closure(machine, kernel, before, _LINE)))
    ascii_names = [names[max(n for n, s in enumerate(starts) if s <= code)] for code in range(128)]
    wide = [(s, name) for s, name in zip(starts, names, strict=True) if s >= 128]  # noqa: PLR2004
    return {
        "ascii": ascii_names,
        "wide": [list(pair) for pair in wide],
        "next": rows,
        "final": final,
    }


def _alike(machine: _Machine, starts: list[int]) -> tuple[list[int], list[int]]:
    """Give one name to all stretches of characters that no step tells apart."""
    sets = sorted({ranges for steps in machine.steps for ranges, _ in steps})
    seen: dict[tuple[Any, ...], int] = {}
    names = []
    for start in starts:
        mark = (_kind(start), *(any(lo <= start <= hi for lo, hi in one) for one in sets))
        names.append(seen.setdefault(mark, len(seen)))
    return starts, names


def _closure(machine: _Machine, kernel: frozenset[int], before: int, behind: int) -> frozenset[int]:
    found = set(kernel)
    queue = list(kernel)
    while queue:
        for where, end in machine.frees[queue.pop()]:
            if end not in found and _holds(where, before, behind):
                found.add(end)
                queue.append(end)
    return frozenset(found)
