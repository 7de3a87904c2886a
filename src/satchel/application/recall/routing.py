"""Routing: selects a question's tier by patterns that a file can replace.

The default table is The Foundation's, with corrected regular expressions: originally, `last week`
or `settings` anywhere in a question was enough, so that "why did we change the nginx settings" went
to the preferences. A question without a match goes to the structured tier and to the fused search.
"""

from __future__ import annotations

from collections.abc import Sequence

from satchel.application.recall.results import (
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
from satchel.core.errors import BadInputError
from satchel.core.values import Any
from satchel.engine.search.tokens import COMMON, words_of

#: The sources of a tier; "" is everything in it.
IDENTITY, PREFERENCES, INSTRUCTIONS = "identity", "preferences", "instructions"
RULES = "rules"
GRAPH, DOCUMENTS, MEMORIES = "graph", "documents", "memories"
RECORDS, TABLES, TASKS = "records", "tables", "tasks"
TRANSCRIPTS, SYMBOLS, REFERENCES = "transcripts", "symbols", "references"
SOURCES = {
    HOT: (IDENTITY, PREFERENCES, INSTRUCTIONS, RULES),
    WARM: (GRAPH, DOCUMENTS, MEMORIES),
    STRUCTURED: (RECORDS, TABLES, TASKS),
    ARCHIVE: (TRANSCRIPTS,),
    CODE: (SYMBOLS, REFERENCES),
}
#: How The Foundation's configuration names sources.
_FOREIGN = {
    "cartographer": SYMBOLS, "graphmem": GRAPH, "qmd": DOCUMENTS, "postgresql": "",
    "transcriptarchive": TRANSCRIPTS, "transcript archive": TRANSCRIPTS, "soul.md": IDENTITY,
    "memory.md": PREFERENCES, "user.md": PREFERENCES, "beads": TASKS,
}  # fmt: skip
_LONGEST_PATTERN, _MOST_PATTERNS = 200, 200
_MOST_ENDLESS, _MOST_OPTIONAL = 2, 4
#: How much of a question patterns read: a pasted document is not a question.
_READ = 400


DEFAULT = Routing(
    (
        Rule(r"\bwhere (is|are|do we|does|did we)\b.*"
             r"\b(implement|defin|declar|handle)", CODE, SYMBOLS),
        Rule(r"\bwhere (is|are) .*\b(used|called|imported)\b", CODE, REFERENCES),
        Rule(r"\bhow (does|do) .*\bworks?\b", CODE, SYMBOLS),
        Rule(r"\b(who|what) (calls|uses|imports)\b", CODE, REFERENCES),
        Rule(r"\b(which|what) (file|function|class|module|method)s? "
             r"(is|are|has|have|contains?|defines?|implements?|handles?|does|do)\b", CODE, SYMBOLS),
        Rule(r"\bwhat (did|have) we (decided?|chosen?|agreed?)\b", WARM, GRAPH),
        Rule(r"\bwhy did we (choose|pick|decide|go with|switch|drop|use)\b", WARM, GRAPH),
        Rule(r"\bfind (the )?(docs|documentation|documents|notes)\b", WARM, DOCUMENTS),
        Rule(r"\bsearch for .* in (the )?(docs|documents|documentation|notes)\b", WARM, DOCUMENTS),
        Rule(r"\bwho (offered|offers|sells|supplies)\b", STRUCTURED),
        Rule(r"\bwhich (leads|contacts|offers|deals|suppliers|campaigns|products|competitors)\b",
             STRUCTURED),
        Rule(r"\b(task status|sprint progress|open tasks|(status of|which) (the )?tasks)\b",
             STRUCTURED, TASKS),
        Rule(r"\boverdue\b", STRUCTURED),
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
    """Return a question's route: the first matching rule, else the default."""
    asked = " ".join(question[:_READ].lower().split())
    if routing.hints and not any(hint in asked for hint in routing.hints):
        return Route(routing.fallback, "")
    import re

    for rule in routing.rules:
        if re.search(rule.pattern, asked, re.IGNORECASE):
            return Route(rule.tier, rule.source, rule.pattern)
    return Route(routing.fallback, "")


def asked_about(question: str, route: Route) -> str:
    """Return a question without the words its route matched, or the whole if none is left.

    What a wildcard matched, such as "oauth" in "search for .* in the docs", stays.
    """
    import re

    asked = " ".join(question.split())
    numbers = iter(range(_LONGEST_PATTERN))
    pattern = re.sub(
        r"(?<!\\)\.[*+]\??", lambda wild: f"(?P<wild{next(numbers)}>{wild[0]})", route.pattern
    )
    found = re.search(pattern, asked[:_READ], re.IGNORECASE)
    if found is None:
        return question
    wild = [text for text in found.groupdict().values() if text]
    kept = " ".join(" ".join([asked[: found.start()], *wild, asked[found.end() :]]).split())
    telling = [word for word in words_of(kept) if word not in COMMON]
    return kept if telling else question


def read_routing(data: bytes, path: str) -> Routing:
    """Read The Foundation's `memory-query-routing.json`, with or without its wrapper.

    Raises `BadInputError` naming the invalid rule and the reason.
    """
    from satchel.core.quick_json import loads

    try:
        document = loads(data.decode("utf-8-sig"))
    except ValueError as error:
        raise BadInputError(
            f"{path} is not JSON: {error}.",
            hint="Fix it, or move it away to use the default table.",
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
    )


def _rule(raw: Any, where: str) -> Rule:
    import re

    pattern = raw.get("pattern") if isinstance(raw, dict) else None
    if not isinstance(pattern, str) or not pattern:
        raise BadInputError(f"{where} has no pattern.", hint='It needs "pattern" and "tier".')
    if len(pattern) > _LONGEST_PATTERN:
        raise BadInputError(
            f"{where} is longer than {_LONGEST_PATTERN} characters.", hint="Split it into several."
        )
    try:
        re.compile(pattern)
    except re.error as error:
        raise BadInputError(
            f"{where} is not a regular expression: {error}.", hint=f"It says {pattern[:80]!r}."
        ) from None
    told = _slow(pattern)
    if told:
        raise BadInputError(
            f"{where} {told}, which can take forever.",
            hint=f"Make {pattern[:80]!r} simpler: words, `.*` twice at most, and (a|b) once each.",
        )
    tier = _tier(raw.get("tier"), where)
    return Rule(pattern, tier, _source(raw.get("source"), tier))


def _slow(pattern: str) -> str:
    """Return why a pattern could be slow; "" if it cannot.

    With no repeated group, at most two unbounded repetitions and four optional parts, the steps are
    at most sixteen times the square of the characters read.
    """
    endless = optional = 0
    at, in_class = 0, False
    while at < len(pattern):
        char, before = pattern[at], pattern[at - 1 : at]
        if char == "\\":
            if pattern[at + 1 : at + 2].isdigit():
                return "refers back to a group"
            at += 2
            continue
        if in_class:
            in_class = char != "]"
        elif char == "[":
            in_class = True
            at += pattern[at + 1 : at + 2] == "]"
        elif char == "(" and pattern[at + 1 : at + 2] == "?":
            if pattern[at + 1 : at + 3] != "?:":
                return "has an extended group"
            at += 2
        elif char in "*+?{":
            if before == ")":
                return "repeats a group"
            if before in tuple("*+?}") and char == "?":
                pass  # a lazy repetition is no further one
            elif char == "?":
                optional += 1
            else:
                endless += 1
        at += 1
    if endless > _MOST_ENDLESS:
        return f"holds more than {_MOST_ENDLESS} repetitions"
    return f"holds more than {_MOST_OPTIONAL} optional parts" if optional > _MOST_OPTIONAL else ""


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
    """Return our name for a source; an unknown one queries the whole tier."""
    name = str(given or "").lower()
    name = _FOREIGN.get(name, name)
    return name if name in SOURCES[tier] else ""
