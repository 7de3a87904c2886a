"""The review screen: one suggestion at a time with its whole diff, one key per decision.

Keyboard only, and drawn with the terminal's own library, so it works over ssh. Nothing is applied
before the screen is closed: marked decisions are carried out then, and can be checked before.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

from satchel.application.learning.reviewing.review import Review, ReviewReport
from satchel.application.learning.reviewing.words import noun_of
from satchel.core.errors import SatchelError
from satchel.core.trust import clean_line
from satchel.features.proposals.values import KNOWLEDGE, QueuedProposal

try:
    import curses

    _DRAWS = True
except ImportError:  # on Windows
    _DRAWS = False

_HELP = (
    "y accept   n reject   space leave   m say it in other words   j/k next, previous",
    "arrows scroll   a accept all   K all knowledge   B all behavioral   q done   Q leave all",
)
_ESCAPE = 27
#: Milliseconds.
_TURN = 200
_YES, _NO, _OPEN = "+", "-", " "


def can_show() -> bool:
    """Return whether a full screen can be shown; on Windows and on dumb terminals it cannot."""
    if not _DRAWS:
        return False
    try:
        curses.setupterm()
    except curses.error:
        return False
    return bool(curses.tigetstr("cup") and curses.tigetstr("clear"))


def show(queue: Review) -> ReviewReport:
    """Show pending suggestions, then apply the decisions."""
    curses.set_escdelay(25)
    screen = _Screen(queue)
    # The entry point would exit at once, leaving the terminal in the screen's mode.
    with _interrupts(screen.interrupt):
        curses.wrapper(screen.run)
    return screen.carry_out()


@contextmanager
def _interrupts(handler: Callable[[int, FrameType | None], Any]) -> Iterator[None]:
    """Handle Ctrl-C differently for a while, unless the parent process ignores it."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        yield
        return
    signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _left_to_editor(number: int, frame: FrameType | None) -> None:
    """Ignore Ctrl-C while the editor runs; the editor does not inherit this handler."""


class _Screen:
    """The screen's state: what is shown, and the decisions so far."""

    def __init__(self, queue: Review) -> None:
        self.queue = queue
        self.pending = queue.pending()
        self.marks = dict.fromkeys((one.proposal.id for one in self.pending), _OPEN)
        self.at = 0
        self.top = 0
        self.said = ""
        self.leave_all = False
        self._diffs: dict[str, list[str]] = {}

    # Deciding

    def carry_out(self) -> ReviewReport:
        """Apply and reject the marked suggestions."""
        if self.leave_all:
            return ReviewReport()
        by_mark: dict[str, list[Any]] = {_YES: [], _NO: [], _OPEN: []}
        for one in self.pending:
            by_mark[self.marks[one.proposal.id]].append(one.proposal)
        done = self.queue.accept(by_mark[_YES]) if by_mark[_YES] else ReviewReport()
        return done._replace(rejected=self.queue.reject(by_mark[_NO]))

    def press(self, key: int, height: int) -> bool:
        """Handle a key; return whether to continue."""
        self.said = ""
        char = chr(key) if 0 <= key < 0x110000 else ""  # noqa: PLR2004
        if char in ("q", "Q"):
            self.leave_all = char == "Q"
            return False
        if char in ("y", "n", " "):
            self._mark({"y": _YES, "n": _NO, " ": _OPEN}[char])
        elif char == "a":
            self._mark_all(lambda _: True)
        elif char == "K":
            self._mark_all(lambda one: one.proposal.group == KNOWLEDGE)
        elif char == "B":
            self._mark_all(lambda one: one.proposal.group != KNOWLEDGE)
        elif char in ("j", "\t", "\n"):
            self._go(1)
        elif char == "k":
            self._go(-1)
        elif char == "m":
            self._modify()
        elif key in (curses.KEY_DOWN, curses.KEY_UP, curses.KEY_NPAGE, curses.KEY_PPAGE):
            step = 1 if key in (curses.KEY_DOWN, curses.KEY_UP) else max(1, height - 4)
            down = key in (curses.KEY_DOWN, curses.KEY_NPAGE)
            lines = len(self._diff(self.pending[self.at]))
            self.top = max(0, min(lines - 1, self.top + (step if down else -step)))
        return True

    def _mark(self, mark: str) -> None:
        self.marks[self.pending[self.at].proposal.id] = mark
        if mark != _OPEN:
            self._go(1)

    def _mark_all(self, wanted: Any) -> None:
        for one in self.pending:
            if wanted(one):
                self.marks[one.proposal.id] = _YES

    def _go(self, step: int) -> None:
        self.at = max(0, min(len(self.pending) - 1, self.at + step))
        self.top = 0

    def _modify(self) -> None:
        """Edit the words in the user's editor, then redraw the screen."""
        from satchel.interfaces.cli.editing import edited

        proposal = self.pending[self.at].proposal
        curses.endwin()
        try:
            with _interrupts(_left_to_editor):
                text = edited(proposal.edits[0].text, "proposal.md")
        except SatchelError as error:
            self.said = clean_line(str(error))
            return
        finally:
            curses.doupdate()
        if text.strip() == proposal.edits[0].text.strip():
            return
        try:
            made = self.queue.modify(proposal, text.strip() if "\n---" not in text else text)
        except SatchelError as error:
            self.said = clean_line(str(error))
            return
        del self.marks[proposal.id]
        self.pending[self.at] = self.queue.queue.find(made.id)
        self.marks[made.id] = _YES
        self.said = "changed, and marked for acceptance"

    # Drawing

    def run(self, window: Any) -> None:
        """Draw and read keys until the user leaves."""
        with suppress(curses.error):  # not every terminal can hide its cursor
            curses.curs_set(0)
        colours = curses.has_colors()
        if colours:
            curses.use_default_colors()
            for number, colour in enumerate(
                (curses.COLOR_GREEN, curses.COLOR_RED, curses.COLOR_CYAN), 1
            ):
                curses.init_pair(number, colour, -1)
        going = True
        while going and self.pending and not self.leave_all:
            height, width = window.getmaxyx()
            self._draw(window, height, width, colours=colours)
            key = self._key_of(window)
            going = key == curses.KEY_RESIZE or (key >= 0 and self.press(key, height))

    def interrupt(self, *_: object) -> None:
        """Leave at the next turn. An exception here could get lost in running code."""
        self.leave_all = True

    def _key_of(self, window: Any) -> int:
        """Read a key; return -1 if the user leaves.

        Escape sequences that a terminal sends in pieces are never taken for letters.
        """
        window.timeout(_TURN)
        while (key := int(window.getch())) < 0:
            if self.leave_all:
                return key
        if key != _ESCAPE:
            return key
        window.nodelay(True)
        rest = ""
        while (more := window.getch()) >= 0:
            rest += chr(more)
            if rest not in ("[", "O") and not rest[-1].isdigit() and rest[-1] != ";":
                break
        return {"[A": curses.KEY_UP, "[B": curses.KEY_DOWN}.get(rest, key)

    def _draw(self, window: Any, height: int, width: int, *, colours: bool) -> None:
        window.erase()
        one = self.pending[self.at]
        proposal = one.proposal
        counts = [list(self.marks.values()).count(mark) for mark in (_YES, _NO, _OPEN)]
        told = f"{counts[0]} accepted, {counts[1]} rejected, {counts[2]} open"
        head = [
            f"{self.at + 1} of {len(self.pending)}   {told}",
            f"[{self.marks[proposal.id]}] {noun_of(proposal)} ({proposal.tier}): {proposal.title}",
            proposal.why,
            *(f"! {warning}" for warning in proposal.warnings),
        ]
        foot = [*([self.said] if self.said else []), *_HELP]
        body = self._diff(one)[self.top : self.top + max(1, height - len(head) - len(foot) - 1)]
        for number, line in enumerate(head[: height - 1]):
            _put(window, number, line, width, curses.A_BOLD if number == 1 else 0)
        for number, line in enumerate(body, len(head)):
            _put(window, number, line, width, _colour_of(line) if colours else 0)
        for number, line in enumerate(foot, height - len(foot)):
            _put(window, number, line, width, curses.A_DIM)
        window.refresh()

    def _diff(self, one: QueuedProposal) -> list[str]:
        ident = one.proposal.id
        if ident not in self._diffs:
            self._diffs[ident] = self.queue.diff(one.proposal).splitlines()
        return self._diffs[ident]


def _put(window: Any, row: int, line: str, width: int, look: int) -> None:
    with suppress(curses.error):  # a window that is too small shows what fits
        window.addnstr(row, 0, clean_line(line) if row < 0 else line, max(0, width - 1), look)


def _colour_of(line: str) -> int:
    if line.startswith(("+++", "---")):
        return curses.A_BOLD
    number = {"+": 1, "-": 2, "@": 3}.get(line[:1], 0)
    return curses.color_pair(number) if number else 0
