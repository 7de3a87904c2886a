"""The closed table of kinds: what a memory can be, how long it lives, whether a team sees it."""

from __future__ import annotations

from satchel.core.errors import UnknownKindError
from satchel.core.values import NamedTuple


class Kind(NamedTuple):
    """One kind of memory.

    `keyed`: a newer memory with the same key takes the place of the older one.
    `long_lived` is false for kinds with a private ledger of their own, so that many of them
    never push lessons out.
    `label` is what a brief shows in brackets.
    """

    name: str
    default_days: float | None
    long_lived: bool
    shared_by_default: bool
    keyed: bool
    label: str
    help: str


_HOUR = 1 / 24


def _kind(
    name: str,
    label: str,
    text: str,
    *,
    days: float | None = None,
    ledger_of_its_own: bool = False,
    shared: bool = False,
    keyed: bool = False,
) -> Kind:
    return Kind(name, days, not ledger_of_its_own, shared, keyed, label, text)


#: Every kind by name, in the order in which help shows them.
KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        _kind(
            "learned",
            "LEARN",
            "something found out while working: a convention, a trap, a pattern",
            shared=True,
            keyed=True,
        ),
        _kind("constraint", "RULE", "a rule that always holds; never expires", shared=True),
        _kind("decision", "DECISION", "what was decided, and why", days=90, shared=True),
        _kind("checkpoint", "CHECKPOINT", "where a session stood", days=30),
        _kind("next_step", "NEXT", "what is to be done next", days=7),
        _kind(
            "action_report",
            "ACTION",
            "what an agent did, and with what result",
            days=14,
            ledger_of_its_own=True,
        ),
        _kind("ci_note", "CI", "something about the build or its checks", days=30),
        _kind(
            "preference",
            "PREFERENCE",
            "how someone wants things; a newer one supersedes the older",
            keyed=True,
        ),
        _kind("fact", "FACT", "a statement about the world, with its validity", shared=True),
        _kind("insight", "INSIGHT", "a passing observation", days=_HOUR, ledger_of_its_own=True),
        _kind("activity", "ACTIVITY", "something that happened", ledger_of_its_own=True),
        _kind("context", "CONTEXT", "text that an agent stored to find again"),
        _kind("episode", "EPISODE", "the story of one session or piece of work"),
        _kind(
            "routing_decision",
            "ROUTE",
            "which agent was given a task, and how it went",
            ledger_of_its_own=True,
        ),
    )
}


def kind_named(text: str) -> Kind:
    """Find a kind as people write it: any case, hyphens or blanks, singular or plural.

    Raises:
        UnknownKindError: there is none; the message names every kind.
    """
    name = "_".join(text.lower().replace("-", " ").replace("_", " ").split())
    for spelling in (name, name.removesuffix("s"), name.removesuffix("ies") + "y"):
        if spelling in KINDS:
            return KINDS[spelling]
    import difflib

    near = difflib.get_close_matches(name[:64], KINDS, n=3)
    raise UnknownKindError(
        f"there is no kind {text[:64]!r}; the kinds are {', '.join(KINDS)}",
        hint=f"did you mean {' or '.join(near)}?" if near else "",
    )
