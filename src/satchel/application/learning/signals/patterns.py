"""Wordings of findings, and categories of lessons.

HIGH is a cause with its cure, or a decision with its reason; MEDIUM is effort, or a trap in the
environment. The table is wider than reflect's. What a person says is heard by `hearing`.
"""

from __future__ import annotations

from satchel.application.learning.signals.speech.wording import begun_with_a_capital
from satchel.application.learning.signals.values import HIGH, KNOWLEDGE, MEDIUM, PROJECT
from satchel.core.values import NamedTuple
from satchel.storage.kept_patterns import spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.kept_patterns import LazyPattern


class Wording(NamedTuple):
    """A wording: its tier, its name, and its lesson."""

    tier: str
    kind: str
    group: str
    learning_type: str
    pattern: LazyPattern


def _wording(tier: str, kind: str, group: str, learnt: str, pattern: str) -> Wording:
    return Wording(tier, kind, group, learnt, spoken(pattern))


#: The first that matches a sentence wins.
WORDINGS: tuple[Wording, ...] = (
    _wording(HIGH, "root_cause", KNOWLEDGE, "bug-fix", r"\b(?:the )?(?:root cause|(?:real|actual|underlying) (?:issue|problem|cause)|(?:issue|problem|bug|culprit|reason) (?:was|is|turned out))\b|\b(?:was|is|were) (?:caused|triggered) by\b|\bwas because (?:of\b)?|\bthe reason was\b"),
    _wording(HIGH, "fix_confirmed", KNOWLEDGE, "bug-fix", r"\b(?:fixed|resolved|solved) (?:it )?by\b|\bthe (?:fix|solution|workaround|trick) (?:was|is)\b|\bfixes (?:it|this|the)\b"),
    _wording(HIGH, "breakthrough", KNOWLEDGE, "bug-fix", r"\b(?:turn(?:s|ed) out|figured (?:it )?out|found (?:it|the (?:bug|issue|problem|cause|culprit))|finally\b.{0,30}\b(?:works?|working|fixed|got|passes)|that worked|it['\u2019]?s fixed)\b"),
    _wording(HIGH, "failed_approach", KNOWLEDGE, "anti-pattern", r"\btried\b.{1,60}\bbut\b|\b(?:doesn['\u2019]?t|does not) work because\b|\bdead end\b|\bdon['\u2019]?t bother with\b|\bwaste of time\b|\bwrong approach\b"),
    _wording(HIGH, "integration", KNOWLEDGE, "bug-fix", r"\b(?:breaks when|incompatible with|doesn['\u2019]?t work with|conflicts with|version\b.{1,30}\b(?:required|needed|breaks))\b"),
    _wording(HIGH, "performance", KNOWLEDGE, "bug-fix", r"\b(?:was slow because|performance (?:improved|degraded|dropped)|bottleneck (?:was|is)|N\+1\b|memory leak|timeout\b.{0,40}\b(?:because|caused|from|due))"),
    _wording(HIGH, "security", KNOWLEDGE, "pattern", r"\bexposed\b.{0,20}\b(?:key|secret|token|credential)|\bbypass\w*\b.{0,20}\b(?:auth|RLS|security|check)|\b(?:sql|command|prompt|code) injection\b|\bprivilege escalation\b|\bvulnerabilit(?:y|ies)\b"),
    _wording(HIGH, "docs_vs_reality", KNOWLEDGE, "bug-fix", r"\bthe docs say\b.{1,60}\bbut\b|\b(?:undocumented|not mentioned in|contrary to)\b|\b(?:misleading|wrong|confusing) error\b|\bthe error message (?:is|was) (?:wrong|misleading|confusing)\b"),
    _wording(HIGH, "explicit_decision", KNOWLEDGE, "decision", r"\b(?:chose|chosen)\b.{1,60}\bover\b|\bdecided (?:to|on|against|that)\b|\bwent with\b|\bthe trade-?off is\b|\b(?:better|right) approach is\b|\bshould have used\b"),
    _wording(MEDIUM, "env_gotcha", PROJECT, "pattern", r"\b(?:requires?\b.{1,40}\binstalled|only works?\b|needs to be\b.{1,40}\bfirst|won['\u2019]?t work (?:unless|without|if)|you have to\b.{1,40}\bbefore)\b"),
    _wording(MEDIUM, "design", KNOWLEDGE, "pattern", r"\b(?:the right abstraction|should be (?:separated|decoupled|extracted)|scales (?:better|worse)|the pattern (?:is|for)|lesson learn(?:ed|t))\b"),
    _wording(MEDIUM, "time_investment", KNOWLEDGE, "bug-fix", r"\b(?:spent|took|wasted|lost) (?:about |over )?\d+ ?(?:hours?|minutes?|mins?|days?|h|m)\b|\bafter trying\b|\bbeen debugging\b|\bwasted time on\b"),
)  # fmt: skip

CODE_STYLE, ARCHITECTURE, PROCESS, DOMAIN = "code-style", "architecture", "process", "domain"
TOOLS, SECURITY, NEW_SKILL, UNKNOWN = "tools", "security", "new-skill", "unknown"

#: The first that matches wins; the order of reflect's program, security before the rest.
_CATEGORIES: tuple[tuple[str, LazyPattern], ...] = tuple(
    (name, spoken(pattern))
    for name, pattern in (
        (SECURITY, r"\b(?:security|vulnerab\w+|exploit|xss|csrf|OWASP|CVE|RLS|credentials?|password|encrypt\w*|saniti[sz]\w+)\b|\b(?:secret|token|key)s? (?:expos|leak|hardcod)"),
        (CODE_STYLE, r"\b(?:naming|convention|style|format(?:ting)?|indent\w*|camelCase|snake_case|PascalCase|kebab-case|semicolons?|quotes?|var|const|let(?!['\u2019]?s)|interface|enum|docstrings?|comments?)\b|\b(?:variable|function|class|method|parameter) names?\b"),
        (ARCHITECTURE, r"\b(?:architecture|module|component|separation|coupling|cohesion|layers?|abstraction|design|schema)\b"),
        (PROCESS, r"\b(?:workflow|procedure|protocol|commit\w*|branch\w*|merge\w*|review\w*|deploy\w*|release\w*|tests?|TDD|PR|pull request|changelog)\b"),
        (DOMAIN, r"\b(?:business|domain|customer|invoice|tenant|account|order|billing)\b"),
        (TOOLS, r"\b(?:tool|cli|command|terminal|shell|git|npm|pnpm|yarn|bun|pip|uv|poetry|docker|make|config\w*|settings?|environment)\b"),
        (NEW_SKILL, r"\b(?:workaround|trick|hack|solution)\b|\b(?:took|spent) \d+ ?(?:min|hour|day)"),
    )
)  # fmt: skip

_PREFIX = spoken(
    r"^(?:(?:no|nope|yes|ok(?:ay)?|so|and|but|please|well|actually|hmm+|also|you should"
    r"|remember (?:to|that)|the rule is|note that|keep in mind|from now on|going forward"
    r"|(?:fixed|done|solved|resolved)(?= ?[:!]))\b[\s,.:!]*){1,4}"
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
