"""`why-injected`, `stats --usefulness`: what sessions were shown, why, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.application.learning.usefulness.service import (
    MemoryUsefulness,
    nudge_figures,
    usefulness_report,
)
from satchel.core import times
from satchel.core.errors import AmbiguousIdError, NotFoundError
from satchel.core.excerpts import beginning
from satchel.core.ids import CLIENT_CHARACTERS, short_id
from satchel.core.plurals import counted
from satchel.core.trust import clean_line
from satchel.features.injections.injection_ledger import InjectionLedger
from satchel.features.injections.nudges import NudgeFigures
from satchel.features.injections.outcomes import SELDOM, outcomes_of
from satchel.interfaces.cli.arguments import Options, parser_for, print_json
from satchel.interfaces.rendering import picked, said_of
from satchel.workspace import Workspace

#: Most sessions to list, and the word for the newest.
_LISTED, _LAST = 20, ("last", "latest", "-")


def why_injected(words: Sequence[str]) -> int:
    """`satchel why-injected SESSION`."""
    parser = parser_for(
        "why-injected", "Show what was injected into a session, why, and at what cost."
    )
    parser.option(
        "session", "id of the session, its beginning, or last; without one, list them", nargs="?"
    )
    options = parser.parse_args(words)
    with options.opened() as workspace:
        ledger, now = workspace.injections, workspace.project.clock.now()
        if not options.session:
            return _list(ledger, now, options)
        injections = ledger.of_session(_named(ledger, options.session), whole=True)
    style = options.style
    for one in injections:
        head = f"{one.event} at {times.minute(one.ts)}: {one.tokens} of {one.budget} tokens"
        options.say(style.bold(head) + (f", {one.left_out} left out" if one.left_out else ""))
        for item in one.items:
            options.say(
                f"  {item.section} #{item.rank}  {item.tokens:>4} tokens  {short_id(item.id)}"
            )
            options.say(f"    {beginning(clean_line(item.text), 100)}")
            options.say(style.dim(f"    because: {clean_line(item.why) or 'its section'}"))
    return options.done(injections)


def _list(ledger: InjectionLedger, now: float, options: Options) -> int:
    totals = ledger.sessions()
    last = {one.session: one.ts for one in ledger.all()}
    # Within one second, the later one comes first.
    newest = list(totals)[::-1]
    newest.sort(key=lambda session: last.get(session, 0), reverse=True)
    for session in newest[:_LISTED]:
        name = clean_line(session)[:CLIENT_CHARACTERS] or "(none)"
        age = times.age(now - last.get(session, 0))
        options.say(f"{name:<{CLIENT_CHARACTERS}}  {age:>6}  {counted(totals[session], 'token')}")
    if len(totals) > _LISTED:
        options.say(f"{_LISTED} of {len(totals)}, newest first; --json lists all.")
    elif not totals:
        options.say("No session was shown anything yet.")
    return options.done(totals)


def _named(ledger: InjectionLedger, given: str) -> str:
    """Return the session with this id or prefix."""
    every = ledger.all()
    sessions = {one.session for one in every}
    if given in sessions:
        return given
    if given in _LAST and every:
        return max(every, key=lambda one: one.ts).session
    found = sorted(one for one in sessions if one.startswith(given))
    if len(found) > 1:
        raise AmbiguousIdError(
            f"{given!r} could be {', '.join(found[:5])}.", hint="Give more of it."
        )
    if not found:
        raise NotFoundError(
            f"Nothing was injected into session {given[:60]!r}.",
            hint="`satchel why-injected` lists sessions.",
        )
    return found[0]


_SHOWN, _WIDTH, _MONTHS = 20, 60, 6


def print_usefulness(workspace: Workspace, options: Options) -> int:
    """Print every judged memory: sessions, outcomes, tokens, usefulness."""
    found, nudges = usefulness_report(workspace), nudge_figures(workspace)
    if options.json:
        return print_json([_row(one) for one in found])
    if not found:
        print("Nothing that was shown has been judged yet; `satchel reflect` does that.")
        _print_nudges(nudges, options)
        return 0
    print("shown  used helped  hurt   tokens  per 1,000  memory")
    for one in found[:_SHOWN]:
        _print(one, options)
    rest = found[_SHOWN:]
    idle = [one for one in rest if one.usefulness.seldom]
    for one in idle[:_SHOWN]:
        _print(one, options)
    if len(rest) > len(idle[:_SHOWN]):
        print(f"… and {len(rest) - len(idle[:_SHOWN])} more; --json prints all")
    for month, (sessions, helped) in sorted(outcomes_of(workspace.project).by_month().items())[
        -_MONTHS:
    ]:
        print(f"{month}: something helped in {helped} of {counted(sessions, 'session')}.")
    wasted = sum(one.usefulness.tokens for one in found if one.usefulness.seldom)
    total = sum(one.usefulness.tokens for one in found)
    print(
        f"{total:,} tokens were spent; {wasted:,} of them on memories that {SELDOM} sessions "
        "did not use: these are shown less now."
    )
    _print_nudges(nudges, options)
    return 0


def _print_nudges(nudges: NudgeFigures, options: Options) -> None:
    if nudges.asked:
        times = "once" if nudges.asked == 1 else f"{nudges.asked} times"
        options.say(f"Agents were asked {times} to keep something; {nudges.followed} of them did.")


def _print(one: MemoryUsefulness, options: Options) -> None:
    useful = one.usefulness
    text = said_of(one.record)[:_WIDTH]
    options.say(
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
