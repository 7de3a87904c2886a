"""Routes signals to targets, by reflect's routing table. Pure."""

from __future__ import annotations

import re

from satchel.application.learning.signals.patterns import (
    ARCHITECTURE,
    CODE_STYLE,
    DOMAIN,
    PROCESS,
    SECURITY,
    TOOLS,
)
from satchel.application.learning.signals.values import (
    BEHAVIORAL,
    KNOWLEDGE,
    LOW,
    MEDIUM,
    PROJECT,
    RECURRING,
    Signal,
)
from satchel.features.proposals.values import AGENT_FILE, INSTINCT, MEMORY, NOTE

#: The agents that a category's rules concern, the first existing one; none: everybody.
_AGENTS = {
    CODE_STYLE: ("code-reviewer", "backend-developer", "frontend-developer"),
    ARCHITECTURE: ("solution-architect", "api-architect", "architecture-reviewer"),
    PROCESS: ("devops-automator", "release-manager", "test-writer-fixer"),
    SECURITY: ("security-agent", "supabase-security-reviewer"),
    DOMAIN: (),
    TOOLS: (),
}
#: A preference shown once is an instinct; stated on purpose, it is a rule.
_SOFT = ("preference", "suggestion")


def route(signal: Signal, *, remembers: bool) -> str:
    """Return the kind of suggestion for a signal; `remembers` is whether lessons are memories.

    One sentence is a line; more goes into a note. In reflect's own layout each finding of an agent
    is a note.
    """
    is_line = signal.plain or (remembers and not _takes_more(signal))
    if signal.group == PROJECT or (signal.group == KNOWLEDGE and is_line):
        return MEMORY
    if signal.tier == LOW:
        return INSTINCT
    if signal.group == BEHAVIORAL:
        return INSTINCT if signal.tier == MEDIUM and signal.kind in _SOFT else AGENT_FILE
    return NOTE


def _takes_more(signal: Signal) -> bool:
    """Return whether there is more to tell than one sentence: an error, tries, files."""
    return bool(signal.error or signal.attempts or signal.files)


def agents_for(signal: Signal) -> tuple[str, ...]:
    """Return the agents that a rule concerns."""
    return _AGENTS.get(signal.category, ())


def wants_skill(signal: Signal) -> bool:
    """Return whether a fix is frequent and certain enough for a skill."""
    return signal.structural and signal.attempts >= RECURRING and bool(signal.files)


_BY_WORDS = (
    ("security-fixes", r"\b(?:security|credential|token leak|xss|csrf|injection|vulnerab)\w*"),
    ("database-migrations", r"\b(?:migration|migrate|schema change|alter table|foreign key)\w*"),
    ("performance-issues", r"\b(?:slow|performance|bottleneck|memory leak|timeout|N\+1|latency)\b"),
    ("dependency-issues", r"\b(?:dependenc(?:y|ies)|incompatible|version conflict|lockfile)\b"),
    ("dependency-issues", r"\b(?:npm|pnpm|pip|uv|cargo|yarn) (?:install|add|update)\b"),
    ("build-errors", r"\b(?:go|cargo|npm run|gradle|mvn|dotnet) build\b|\b(?:tsc|webpack)\b"),
    ("build-errors", r"\b(?:compil\w+|linker|undefined:|cannot find module|ModuleNotFoundError)"),
    ("deployment-fixes", r"\b(?:deploy\w*|kubernetes|helm|terraform|docker push|rollout)\b"),
    ("api-integrations", r"\b(?:api|webhook|endpoint|oauth|rate limit|http [45]\d\d)\b"),
    ("ui-patterns", r"\b(?:css|layout|button|component|render|hydration|tailwind|react)\b"),
    ("testing-patterns", r"\b(?:flaky|fixture|mock|test (?:needs|must|expects)|assert\w*)\b"),
    ("tooling-setup", r"\b(?:linter|formatter|editor|shell|toolchain|pre-commit|ci config)\b"),
)
_COMPILED = tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _BY_WORDS)
_BY_TYPE = {"decision": "architecture-decisions", "anti-pattern": "anti-patterns"}


def note_category(signal: Signal) -> str:
    """Return the docs/solutions directory of a note."""
    if signal.learning_type in _BY_TYPE:
        return _BY_TYPE[signal.learning_type]
    text = f"{signal.learning} {signal.error}"
    found = next((name for name, pattern in _COMPILED if pattern.search(text)), "")
    return found or ("debugging-sessions" if signal.learning_type == "bug-fix" else "patterns")
