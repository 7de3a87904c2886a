"""Routing: which tier a question belongs to, by patterns that a file may replace.

The default table is seed 001's, with its regular expressions mended: there, `last week` or
`settings` anywhere in a question was enough, so that "why did we change the nginx settings" went
to the preferences. What matches nothing goes to the structured tier and to the fused search.
"""

from __future__ import annotations

from satchel.errors import BadInputError
from satchel.recall.tiers import (
    ARCHIVE,
    CODE,
    HOT,
    NUMBERED,
    STRUCTURED,
    TIERS,
    WARM,
    Route,
    Routing,
    Rule,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

#: What a tier can be asked for. "" asks for everything in it.
IDENTITY, PREFERENCES, INSTRUCTIONS = "identity", "preferences", "instructions"
GRAPH, DOCUMENTS, MEMORIES = "graph", "documents", "memories"
RECORDS, TASKS = "records", "tasks"
TRANSCRIPTS, SYMBOLS = "transcripts", "symbols"
SOURCES = {
    HOT: (IDENTITY, PREFERENCES, INSTRUCTIONS),
    WARM: (GRAPH, DOCUMENTS, MEMORIES),
    STRUCTURED: (RECORDS, TASKS),
    ARCHIVE: (TRANSCRIPTS,),
    CODE: (SYMBOLS,),
}
#: How the seeds' configuration names sources.
_FOREIGN = {
    "cartographer": SYMBOLS, "graphmem": GRAPH, "qmd": DOCUMENTS, "postgresql": "",
    "transcriptarchive": TRANSCRIPTS, "transcript archive": TRANSCRIPTS, "soul.md": IDENTITY,
    "memory.md": PREFERENCES, "user.md": PREFERENCES, "beads": TASKS,
}  # fmt: skip
_LONGEST_PATTERN, _MOST_PATTERNS = 200, 200
#: No pattern reads more of a question: a pasted document is no question.
_READ = 400


DEFAULT = Routing(
    (
        Rule(r"\bwhere (is|are|do we|does|did we)\b.*"
             r"\b(implement|defin|declar|handle|call|used\b|uses\b)", CODE, SYMBOLS),
        Rule(r"\bhow (does|do) .*\bworks?\b", CODE, SYMBOLS),
        Rule(r"\b(who|what) (calls|uses|imports)\b", CODE, SYMBOLS),
        Rule(r"\b(which|what) (file|function|class|module|method)s? "
             r"(is|are|has|have|contains?|defines?|implements?|handles?|does|do)\b", CODE, SYMBOLS),
        Rule(r"\bwhat (did|have) we (decided?|chosen?|agreed?)\b", WARM, GRAPH),
        Rule(r"\bwhy did we (choose|pick|decide|go with|switch|drop|use)\b", WARM, GRAPH),
        Rule(r"\bfind (the )?(docs|documentation|documents|notes)\b", WARM, DOCUMENTS),
        Rule(r"\bsearch for .* in (the )?(docs|documents|documentation|notes)\b", WARM, DOCUMENTS),
        Rule(r"\bwho offered\b", STRUCTURED, RECORDS),
        Rule(r"\bwhich (leads|contacts|offers|deals|suppliers|campaigns)\b", STRUCTURED, RECORDS),
        Rule(r"\b(task status|sprint progress|open tasks|overdue|(status of|which) (the )?tasks)\b",
             STRUCTURED, TASKS),
        Rule(r"\bwhat (happened|did (i|we|you)( \w+)? (do|work on|talk about|discuss)|was done)\b.*"
             r"\b(yesterday|today|tonight|last|this|ago|earlier|on|in|since|monday|tuesday|"
             r"wednesday|thursday|friday|saturday|sunday)\b", ARCHIVE, TRANSCRIPTS),
        Rule(r"^(what happened )?(yesterday|last week|earlier today)\W*$", ARCHIVE, TRANSCRIPTS),
        Rule(r"\b(who am i|what is my role|what('s| is) my (name|job|mission)|my personality)\b",
             HOT, IDENTITY),
        Rule(r"\b(what are|show|list) my (preferences|settings)\b", HOT, PREFERENCES),
    ),
    hints=(
        "where", "how do", "calls", "uses", "imports", "which", "what", "why did we", "find ",
        "search for", "who ", "status", "sprint", "overdue", "open tasks", "yesterday",
        "last week", "earlier", "personality", "my ",
    ),
)  # fmt: skip


def route_of(question: str, routing: Routing) -> Route:
    """Return where a question goes: the first rule that finds it, else the fallback."""
    asked = " ".join(question[:_READ].lower().split())
    if routing.hints and not any(hint in asked for hint in routing.hints):
        return Route(routing.fallback, "")
    import re

    for rule in routing.rules:
        if re.search(rule.pattern, asked, re.IGNORECASE):
            return Route(rule.tier, rule.source, rule.pattern)
    return Route(routing.fallback, "")


def read_routing(data: bytes, path: str) -> Routing:
    """Read a routing file: seed 001's `memory-query-routing.json`, or the same without its frame.

    Raises `BadInputError` naming the rule that is wrong and why.
    """
    from satchel.quick_json import loads

    try:
        document = loads(data.decode("utf-8-sig"))
    except ValueError as error:
        raise BadInputError(
            f"{path} is no JSON: {error}.", hint="Mend it, or move it away for the default table."
        ) from None
    body = document.get("query_routing", document) if isinstance(document, dict) else None
    rules = body.get("patterns", body.get("rules")) if isinstance(body, dict) else None
    if not isinstance(body, dict) or not isinstance(rules, list) or len(rules) > _MOST_PATTERNS:
        raise BadInputError(
            f"{path} holds no routing rules.",
            hint='It should be {"query_routing": {"patterns": [{"pattern": …, "tier": …}]}}.',
        )
    fallback, cascade = body.get("fallback", {}), body.get("cascade", {})
    wanted = fallback.get("tier") if isinstance(fallback, dict) else fallback
    order = cascade.get("sequence") if isinstance(cascade, dict) else cascade
    enabled = cascade.get("enabled", True) if isinstance(cascade, dict) else True
    return Routing(
        tuple(_rule(raw, f"{path}, rule {number}") for number, raw in enumerate(rules, start=1)),
        _tier(wanted or STRUCTURED, f"{path}, fallback"),
        _tiers(order, f"{path}, cascade") if isinstance(order, list) and order else TIERS,
        enabled is not False,
        path=path,
    )


def _rule(raw: Any, where: str) -> Rule:
    import re

    pattern = raw.get("pattern") if isinstance(raw, dict) else None
    if not isinstance(pattern, str) or not pattern:
        raise BadInputError(f"{where} has no pattern.", hint='It needs "pattern" and "tier".')
    if len(pattern) > _LONGEST_PATTERN:
        raise BadInputError(f"{where} is longer than {_LONGEST_PATTERN} characters.",
                            hint="Split it into several.")  # fmt: skip
    try:
        re.compile(pattern)
    except re.error as error:
        raise BadInputError(
            f"{where} is no regular expression: {error}.", hint=f"It says {pattern[:80]!r}."
        ) from None
    if _repeats_twice(pattern):
        raise BadInputError(
            f"{where} repeats a repetition, which can take forever.",
            hint=f"Write {pattern[:80]!r} without the inner + or *.",
        )
    tier = _tier(raw.get("tier"), where)
    return Rule(pattern, tier, _source(raw.get("source"), tier), str(raw.get("description", "")))


def _repeats_twice(pattern: str) -> bool:
    """Say whether a group that repeats holds a repetition: `(a+)+` takes exponential time."""
    opened: list[bool] = []
    at = 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at += 2
            continue
        if char == "(":
            opened.append(False)
        elif char == ")" and opened:
            holds = opened.pop()
            if holds and pattern[at + 1 : at + 2] in ("*", "+", "{"):
                return True
            if opened and (holds or pattern[at + 1 : at + 2] in ("*", "+")):
                opened[-1] = True
        elif char in "*+" and opened:
            opened[-1] = True
        at += 1
    return False


def _tier(given: Any, where: str) -> str:
    name = NUMBERED.get(str(given).upper(), str(given).lower())
    if name not in TIERS:
        raise BadInputError(
            f"{where}: there is no tier {str(given)[:40]!r}.",
            hint=f"Tiers are {', '.join(TIERS)}, or L1 to L5.",
        )
    return name


def _tiers(given: Sequence[Any], where: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_tier(one, where) for one in given))


def _source(given: Any, tier: str) -> str:
    """Return our name of a source; one that is not of this tier asks the whole of it."""
    name = str(given or "").lower()
    name = _FOREIGN.get(name, name)
    return name if name in SOURCES[tier] else ""
