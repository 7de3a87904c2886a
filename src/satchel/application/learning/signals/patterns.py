"""Wordings of findings, and categories of lessons.

HIGH is a cause with its cure, or a decision with its reason; MEDIUM is effort, or a trap in the
environment. The table is wider than reflect's. What a person says is heard by `hearing`.
"""

from __future__ import annotations

import re

from satchel.application.learning.signals.own_words import begun_with_a_capital
from satchel.application.learning.signals.values import HIGH, KNOWLEDGE, MEDIUM, PROJECT
from satchel.core.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Pattern


class Wording(NamedTuple):
    """A wording: its tier, its name, and its lesson."""

    tier: str
    kind: str
    group: str
    learning_type: str
    pattern: Pattern[str]


def _wording(tier: str, kind: str, group: str, learnt: str, pattern: str) -> Wording:
    return Wording(tier, kind, group, learnt, re.compile(pattern, re.IGNORECASE))


#: The first that matches a sentence wins.
WORDINGS: tuple[Wording, ...] = (
    _wording(HIGH, "root_cause", KNOWLEDGE, "bug-fix", r"\b(?:the\s+)?(?:root\s+cause|(?:real|actual|underlying)\s+(?:issue|problem|cause)|(?:issue|problem|bug|culprit|reason)\s+(?:was|is|turned\s+out))\b|\b(?:was|is|were)\s+(?:caused|triggered)\s+by\b|\bwas\s+because\s+(?:of\b)?|\bthe\s+reason\s+was\b"),
    _wording(HIGH, "fix_confirmed", KNOWLEDGE, "bug-fix", r"\b(?:fixed|resolved|solved)\s+(?:it\s+)?by\b|\bthe\s+(?:fix|solution|workaround|trick)\s+(?:was|is)\b|\bfixes\s+(?:it|this|the)\b"),
    _wording(HIGH, "breakthrough", KNOWLEDGE, "bug-fix", r"\b(?:turn(?:s|ed)\s+out|figured\s+(?:it\s+)?out|found\s+(?:it|the\s+(?:bug|issue|problem|cause|culprit))|finally\b.{0,30}\b(?:works?|working|fixed|got|passes)|that\s+worked|it['\u2019]?s\s+fixed)\b"),
    _wording(HIGH, "failed_approach", KNOWLEDGE, "anti-pattern", r"\btried\b.{1,60}\bbut\b|\b(?:doesn['\u2019]?t|does\s+not)\s+work\s+because\b|\bdead\s+end\b|\bdon['\u2019]?t\s+bother\s+with\b|\bwaste\s+of\s+time\b|\bwrong\s+approach\b"),
    _wording(HIGH, "integration", KNOWLEDGE, "bug-fix", r"\b(?:breaks\s+when|incompatible\s+with|doesn['\u2019]?t\s+work\s+with|conflicts\s+with|version\b.{1,30}\b(?:required|needed|breaks))\b"),
    _wording(HIGH, "performance", KNOWLEDGE, "bug-fix", r"\b(?:was\s+slow\s+because|performance\s+(?:improved|degraded|dropped)|bottleneck\s+(?:was|is)|N\+1\b|memory\s+leak|timeout\b.{0,40}\b(?:because|caused|from|due))"),
    _wording(HIGH, "security", KNOWLEDGE, "pattern", r"\bexposed\b.{0,20}\b(?:key|secret|token|credential)|\bbypass\w*\b.{0,20}\b(?:auth|RLS|security|check)|\b(?:sql|command|prompt|code)\s+injection\b|\bprivilege\s+escalation\b|\bvulnerabilit(?:y|ies)\b"),
    _wording(HIGH, "docs_vs_reality", KNOWLEDGE, "bug-fix", r"\bthe\s+docs\s+say\b.{1,60}\bbut\b|\b(?:undocumented|not\s+mentioned\s+in|contrary\s+to)\b|\b(?:misleading|wrong|confusing)\s+error\b|\bthe\s+error\s+message\s+(?:is|was)\s+(?:wrong|misleading|confusing)\b"),
    _wording(HIGH, "explicit_decision", KNOWLEDGE, "decision", r"\b(?:chose|chosen)\b.{1,60}\bover\b|\bdecided\s+(?:to|on|against|that)\b|\bwent\s+with\b|\bthe\s+trade-?off\s+is\b|\b(?:better|right)\s+approach\s+is\b|\bshould\s+have\s+used\b"),
    _wording(MEDIUM, "env_gotcha", PROJECT, "pattern", r"\b(?:requires?\b.{1,40}\binstalled|only\s+works?\b|needs\s+to\s+be\b.{1,40}\bfirst|won['\u2019]?t\s+work\s+(?:unless|without|if)|you\s+have\s+to\b.{1,40}\bbefore)\b"),
    _wording(MEDIUM, "design", KNOWLEDGE, "pattern", r"\b(?:the\s+right\s+abstraction|should\s+be\s+(?:separated|decoupled|extracted)|scales\s+(?:better|worse)|the\s+pattern\s+(?:is|for)|lesson\s+learn(?:ed|t))\b"),
    _wording(MEDIUM, "time_investment", KNOWLEDGE, "bug-fix", r"\b(?:spent|took|wasted|lost)\s+(?:about\s+|over\s+)?\d+\s*(?:hours?|minutes?|mins?|days?|h|m)\b|\bafter\s+trying\b|\bbeen\s+debugging\b|\bwasted\s+time\s+on\b"),
)  # fmt: skip

CODE_STYLE, ARCHITECTURE, PROCESS, DOMAIN = "code-style", "architecture", "process", "domain"
TOOLS, SECURITY, NEW_SKILL, UNKNOWN = "tools", "security", "new-skill", "unknown"

#: The first that matches wins; the order of reflect's program, security before the rest.
_CATEGORIES: tuple[tuple[str, Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        (SECURITY, r"\b(?:security|vulnerab\w+|exploit|xss|csrf|OWASP|CVE|RLS|credentials?|password|encrypt\w*|saniti[sz]\w+)\b|\b(?:secret|token|key)s?\s+(?:expos|leak|hardcod)"),
        (CODE_STYLE, r"\b(?:naming|convention|style|format(?:ting)?|indent\w*|camelCase|snake_case|PascalCase|kebab-case|semicolons?|quotes?|var|const|let(?!['\u2019]?s)|interface|enum|docstrings?|comments?)\b|\b(?:variable|function|class|method|parameter)\s+names?\b"),
        (ARCHITECTURE, r"\b(?:architecture|module|component|separation|coupling|cohesion|layers?|abstraction|design|schema)\b"),
        (PROCESS, r"\b(?:workflow|procedure|protocol|commit\w*|branch\w*|merge\w*|review\w*|deploy\w*|release\w*|tests?|TDD|PR|pull\s+request|changelog)\b"),
        (DOMAIN, r"\b(?:business|domain|customer|invoice|tenant|account|order|billing)\b"),
        (TOOLS, r"\b(?:tool|cli|command|terminal|shell|git|npm|pnpm|yarn|bun|pip|uv|poetry|docker|make|config\w*|settings?|environment)\b"),
        (NEW_SKILL, r"\b(?:workaround|trick|hack|solution)\b|\b(?:took|spent)\s+\d+\s*(?:min|hour|day)"),
    )
)  # fmt: skip

_PREFIX = re.compile(
    r"^(?:(?:no|nope|yes|ok(?:ay)?|so|and|but|please|well|actually|hmm+|also|you\s+should"
    r"|remember\s+"
    r"(?:to|that)|the\s+rule\s+is|note\s+that|keep\s+in\s+mind|from\s+now\s+on|going\s+forward"
    r"|(?:fixed|done|solved|resolved)(?=\s?[:!]))\b"
    r"[\s,.:!]*){1,4}",
    re.IGNORECASE,
)


def wording_of(sentence: str) -> Wording | None:
    """Return the first wording of a finding in a sentence."""
    return next((one for one in WORDINGS if one.pattern.search(sentence)), None)


def category_of(text: str) -> str:
    """Return a lesson's category; `unknown` if none fits."""
    return next((name for name, pattern in _CATEGORIES if pattern.search(text)), UNKNOWN)


def stripped(sentence: str) -> str:
    """Return a sentence without its introductory words."""
    bare = _PREFIX.sub("", sentence.strip()).strip(" ,.:;-")
    return begun_with_a_capital(bare) or sentence.strip()
