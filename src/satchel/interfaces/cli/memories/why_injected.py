"""`why-injected`: what sessions were shown, why, and at what cost."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core import times
from satchel.core.errors import AmbiguousIdError, NotFoundError
from satchel.core.ids import CLIENT_CHARACTERS, short_id
from satchel.core.plurals import counted
from satchel.core.trust import clean_line
from satchel.features.injections.injection_ledger import InjectionLedger
from satchel.interfaces.cli.arguments import Options, parser_for
from satchel.interfaces.rendering import stamp

#: Sessions that are listed, and the word for the newest.
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
        head = f"{one.event} at {stamp(one.ts)}: {one.tokens} of {one.budget} tokens"
        options.say(style.bold(head) + (f", {one.left_out} left out" if one.left_out else ""))
        for item in one.items:
            options.say(
                f"  {item.section} #{item.rank}  {item.tokens:>4} tokens  {short_id(item.id)}"
            )
            options.say(f"    {clean_line(item.text)[:100]}")
            options.say(style.dim(f"    because: {clean_line(item.why) or 'its section'}"))
    return options.done(injections)


def _list(ledger: InjectionLedger, now: float, options: Options) -> int:
    totals = ledger.sessions()
    last = {one.session: one.ts for one in ledger.all()}
    # Of two in one second the later one stands first.
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
    """Return the session that is called so, or begins so."""
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


COMMANDS = {"why-injected": why_injected}
