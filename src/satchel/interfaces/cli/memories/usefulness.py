"""`satchel stats --usefulness`: show which memories are worth their tokens."""

from __future__ import annotations

from satchel.application.learning.usefulness import (
    MemoryUsefulness,
    nudge_figures,
    usefulness_report,
)
from satchel.core.plurals import counted
from satchel.features.injections.nudges import NudgeFigures
from satchel.features.injections.outcomes import outcomes_of
from satchel.interfaces.cli.arguments import print_json
from satchel.interfaces.rendering import picked, said_of
from satchel.workspace import Workspace

_SHOWN, _WIDTH, _MONTHS = 20, 60, 6


def print_usefulness(workspace: Workspace, *, as_json: bool) -> int:
    """Print every judged memory: sessions, outcomes, tokens, usefulness."""
    found, nudges = usefulness_report(workspace), nudge_figures(workspace)
    if as_json:
        return print_json([_row(one) for one in found])
    if not found:
        print("Nothing that was shown has been judged yet; `satchel reflect` does that.")
        _print_nudges(nudges)
        return 0
    print("shown  used helped  hurt   tokens  per 1,000  memory")
    for one in found[:_SHOWN]:
        _print(one)
    rest = found[_SHOWN:]
    idle = [one for one in rest if one.usefulness.seldom]
    for one in idle[:_SHOWN]:
        _print(one)
    if len(rest) > len(idle[:_SHOWN]):
        print(f"… and {len(rest) - len(idle[:_SHOWN])} more; --json prints all")
    for month, (sessions, helped) in sorted(outcomes_of(workspace.project).by_month().items())[
        -_MONTHS:
    ]:
        print(f"{month}: something helped in {helped} of {counted(sessions, 'session')}.")
    wasted = sum(one.usefulness.tokens for one in found if one.usefulness.seldom)
    total = sum(one.usefulness.tokens for one in found)
    print(
        f"{total:,} tokens were spent; {wasted:,} of them on memories that no session used: "
        "these are shown less now."
    )
    _print_nudges(nudges)
    return 0


def _print_nudges(nudges: NudgeFigures) -> None:
    if nudges.asked:
        times = "once" if nudges.asked == 1 else f"{nudges.asked} times"
        print(f"Agents were asked {times} to keep something; {nudges.followed} of them did.")


def _print(one: MemoryUsefulness) -> None:
    useful = one.usefulness
    text = said_of(one.record)[:_WIDTH]
    print(
        f"{useful.shown:>5} {useful.used:>5} {useful.helped:>6} {useful.hurt:>5} "
        f"{useful.tokens:>8} {useful.earned:>10.2f}  {one.record.kind}: {text}"
    )


def _row(one: MemoryUsefulness) -> dict[str, object]:
    useful = one.usefulness
    return {
        **picked(one.record, "id", "kind", "content"),
        **picked(useful, "shown", "used", "helped", "ignored", "hurt", "tokens"),
        "per_1000_tokens": useful.earned,
        "shown_less": useful.seldom,
    }
