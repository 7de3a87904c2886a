"""What is heard, and what a signal is. Values."""

from __future__ import annotations

from satchel.core.values import NamedTuple

HIGH, MEDIUM, LOW = "high", "medium", "low"
TIERS = (HIGH, MEDIUM, LOW)
#: How to behave; findings; what only this project needs.
BEHAVIORAL, KNOWLEDGE, PROJECT = "behavioral", "knowledge", "project"
#: Failures before a success that make a fix worth a note, or a skill, of its own.
RECURRING = 3
GROUPS = (BEHAVIORAL, KNOWLEDGE, PROJECT)
#: The labels of a user's turn.
DECISION = "decision"
CORRECTION = "correction"
PREFERENCE = "preference"
FACT = "fact"


class Heard(NamedTuple):
    """A lasting statement.

    `label` is decision, correction, fact or preference; `form` names how it was put; `sentence` is
    the original, `wording` the same as a standalone line.
    """

    label: str
    form: str
    sentence: str
    wording: str


class Signal(NamedTuple):
    """Something in a conversation that is worth keeping.

    `kind` names the wording or the structure (`root_cause`, `error_fix`, ...), `learning` the
    lesson in the conversation's words, `quote` the passage. `turns` are the ids of the turns that
    show it, `attempts` how often something failed before. Only arcs have `error` and `files`.
    `structural`: found without any wording; `plain`: meant to last by the sentence's form;
    `weighed`: by its words alone.
    """

    tier: str
    kind: str
    group: str
    learning_type: str
    category: str
    learning: str
    quote: str
    role: str
    at: float = 0.0
    turns: tuple[str, ...] = ()
    attempts: int = 0
    error: str = ""
    files: tuple[str, ...] = ()
    structural: bool = False
    plain: bool = False
    weighed: bool = False
