"""The table of kinds: what a memory can be, how long it lives, whether it is shared."""

from __future__ import annotations

from satchel.core.errors import UnknownKindError
from satchel.core.values import NamedTuple

# What kinds are used for, besides being stored and searched.
#: A session's start may show it; a prompt may be told of it.
AT_START, WITH_PROMPT = "at start", "with prompt"
#: Shown at a session's start, however rarely it has proved useful.
ALWAYS = "always"
#: Recorded automatically by sessions, so searches show it only on request.
BACKGROUND = "background"
#: True on every branch, merged or not.
EVERYWHERE = "everywhere"
#: Quotes other memories, and loses the quotation when they are forgotten.
QUOTES = "quotes"
#: Says how things must be done: code is checked against it, and guards can be made from it.
RULE, CORRECTS = "rule", "corrects"
#: A later one may replace an earlier one.
REPLACED = "replaced"
#: Permanent, so two that say the same are duplicates.
COMPARED = "compared"
#: Counted as learned on the console's first page.
KNOWLEDGE = "knowledge"
#: Beads memory knows it; Beads Console does; The Foundation stores it, or keeps it structured.
BEADS_MEMORY, BEADS_CONSOLE = "beads memory", "beads console"
FOUNDATION, STRUCTURED = "foundation", "structured"
_TOLD = (AT_START, WITH_PROMPT)


#: The default kind. Its key is derived from its text, as is the suffix that distinguishes two with
#: the same key.
LESSON = "learned"
#: Names for people, where they differ from the name in the ledger.
_NOUNS = {LESSON: "lesson", "constraint": "rule"}


class Kind(NamedTuple):
    """One kind of memory.

    `keyed`: a newer memory with the same key replaces the older one. `long_lived` is false for
    kinds with a private ledger of their own, so that many of them never push lessons out. `label`
    is what a brief shows in brackets; `section` is the part of a session's first brief that shows
    it, or "" for none. `markers` are the words in a comment that introduce such a memory. `weight`
    is its weight in ranking, `share` its weight in Beads Console's formula, both 0 to 1.
    """

    name: str
    default_days: float | None
    long_lived: bool
    shared_by_default: bool
    keyed: bool
    label: str
    help: str
    section: str
    markers: tuple[str, ...]
    uses: tuple[str, ...]
    weight: float
    share: float

    @property
    def noun(self) -> str:
        """Return this kind's name for people."""
        return _NOUNS.get(self.name) or self.name.replace("_", " ")


_HOUR = 1 / 24


def _kind(
    name: str,
    label: str,
    text: str,
    *uses: str,
    days: float | None = None,
    ledger_of_its_own: bool = False,
    shared: bool = False,
    keyed: bool = False,
    section: str = "",
    markers: tuple[str, ...] = (),
    weight: float = 0.5,
    share: float = 0.0,
) -> Kind:
    return Kind(
        name,
        days,
        not ledger_of_its_own,
        shared_by_default=shared,
        keyed=keyed,
        label=label,
        help=text,
        section=section,
        markers=markers,
        uses=uses,
        weight=weight,
        share=share,
    )


#: Every kind by name, in the order help shows them.
KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        _kind(
            "learned",
            "LEARN",
            "something found out while working: a convention, a trap, a pattern",
            *_TOLD,
            REPLACED,
            CORRECTS,
            COMPARED,
            KNOWLEDGE,
            BEADS_MEMORY,
            shared=True,
            keyed=True,
            section="recent",
            markers=("LEARNED",),
            weight=0.8,
        ),
        _kind(
            "constraint",
            "RULE",
            "a rule that always holds; never expires",
            *_TOLD,
            REPLACED,
            ALWAYS,
            RULE,
            EVERYWHERE,
            CORRECTS,
            COMPARED,
            KNOWLEDGE,
            BEADS_MEMORY,
            BEADS_CONSOLE,
            shared=True,
            section="constraints",
            markers=("CONSTRAINT",),
            weight=1.0,
            share=0.3,
        ),
        _kind(
            "decision",
            "DECISION",
            "what was decided, and why",
            *_TOLD,
            REPLACED,
            RULE,
            CORRECTS,
            COMPARED,
            KNOWLEDGE,
            BEADS_MEMORY,
            BEADS_CONSOLE,
            days=90,
            shared=True,
            section="decisions",
            markers=("DECISION",),
            weight=0.9,
            share=0.2,
        ),
        _kind(
            "checkpoint",
            "CHECKPOINT",
            "where a session stood",
            AT_START,
            ALWAYS,
            QUOTES,
            BEADS_CONSOLE,
            days=30,
            section="checkpoint",
            share=0.1,
        ),
        _kind(
            "next_step",
            "NEXT",
            "what is to be done next",
            *_TOLD,
            ALWAYS,
            BEADS_MEMORY,
            BEADS_CONSOLE,
            days=7,
            section="next_steps",
            markers=("NEXT", "NEXT_STEP", "NEXT_STEPS"),
        ),
        _kind(
            "action_report",
            "ACTION",
            "what an agent did, and with what result",
            QUOTES,
            BEADS_CONSOLE,
            days=14,
            ledger_of_its_own=True,
        ),
        _kind(
            "ci_note",
            "CI",
            "something about the build or its checks",
            *_TOLD,
            COMPARED,
            BEADS_MEMORY,
            BEADS_CONSOLE,
            days=30,
            markers=("CI_NOTE",),
        ),
        _kind(
            "preference",
            "PREFERENCE",
            "how someone wants things; a newer one supersedes the older",
            *_TOLD,
            RULE,
            EVERYWHERE,
            CORRECTS,
            KNOWLEDGE,
            BEADS_MEMORY,
            FOUNDATION,
            STRUCTURED,
            keyed=True,
            section="preferences",
            markers=("PREFERENCE",),
        ),
        _kind(
            "fact",
            "FACT",
            "a statement about the world, with its validity",
            *_TOLD,
            REPLACED,
            KNOWLEDGE,
            BEADS_MEMORY,
            FOUNDATION,
            STRUCTURED,
            shared=True,
            markers=("FACT",),
            weight=0.8,
        ),
        _kind(
            "insight",
            "INSIGHT",
            "a passing observation",
            *_TOLD,
            COMPARED,
            STRUCTURED,
            days=_HOUR,
            ledger_of_its_own=True,
        ),
        _kind(
            "activity",
            "ACTIVITY",
            "something that happened",
            BACKGROUND,
            EVERYWHERE,
            QUOTES,
            STRUCTURED,
            ledger_of_its_own=True,
        ),
        _kind(
            "context",
            "CONTEXT",
            "text that an agent stored to find again",
            *_TOLD,
            QUOTES,
            FOUNDATION,
        ),
        _kind(
            "episode",
            "EPISODE",
            "the story of one session or piece of work",
            *_TOLD,
            QUOTES,
            BEADS_MEMORY,
        ),
        _kind(
            "routing_decision",
            "ROUTE",
            "which agent was given a task, and how it went",
            BACKGROUND,
            EVERYWHERE,
            STRUCTURED,
            ledger_of_its_own=True,
        ),
    )
}


#: Kinds recorded in passing for programs to read; lists for people never begin with them.
BY_THE_WAY = ("activity", "routing_decision")
#: The key of activities that record a session's commits.
COMMIT_KEY = "activity-commit"


def kinds_for(use: str) -> tuple[str, ...]:
    """Return the names of kinds with a given use."""
    return tuple(kind.name for kind in KINDS.values() if use in kind.uses)


def kinds_with_prompt() -> tuple[str, ...]:
    """Return the kinds worth interrupting for, including two that other programs write."""
    return (*kinds_for(WITH_PROMPT), "investigation", "pattern")


def kinds_in(section: str) -> tuple[str, ...]:
    """Return the names of the kinds in a section of the brief."""
    return tuple(kind.name for kind in KINDS.values() if kind.section == section)


def kind_named(text: str) -> Kind:
    """Return a kind by name: any case, hyphens or spaces, singular or plural.

    Raises:
        UnknownKindError: there is none; the message names every kind.
    """
    name = "_".join(text.lower().replace("-", " ").replace("_", " ").split())
    named = {noun: kind for kind, noun in _NOUNS.items()}
    for spelling in (name, name.removesuffix("s"), name.removesuffix("ies") + "y"):
        known = named.get(spelling, spelling)
        if known in KINDS:
            return KINDS[known]
    import difflib

    nouns = [kind.noun for kind in KINDS.values()]
    near = difflib.get_close_matches(name[:64].replace("_", " "), nouns, n=3)
    raise UnknownKindError(
        f"there is no kind {text[:64]!r}; the kinds are {', '.join(nouns)}",
        hint=f"did you mean {' or '.join(near)}?" if near else "",
    )
