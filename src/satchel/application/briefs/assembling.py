"""The full prompt of Beads Console: instructions, intent, memory and code in XML sections. Pure."""

from __future__ import annotations

from collections.abc import Callable

from satchel.core.token_budget import estimate_tokens
from satchel.core.trust import clean_text, fence
from satchel.core.values import NamedTuple

#: Sections in their order, and the label of the data in each.
INSTRUCTIONS, TASK, INTENT, MEMORY, CODE = SECTIONS = (
    "project-instructions",
    "task-details",
    "intent-context",
    "memory-context",
    "code-context",
)
_LABELS = {
    TASK: "the task",
    INTENT: "project intent",
    MEMORY: "scoped memories",
    CODE: "code of this project",
}
_TAGS = ("system", *SECTIONS)


class Assembled(NamedTuple):
    """A prompt: the system text with its sections, the user's message, and each part's cost."""

    system: str
    user: str
    tokens: int
    budget: int
    sections: dict[str, int]
    left_out: tuple[str, ...]

    @property
    def text(self) -> str:
        """Return system text and message together, as Beads Console prints them."""
        return f"{self.system}\n\nUser: {self.user}" if self.user else self.system


def assemble(
    parts: dict[str, str],
    user: str,
    *,
    budget: int,
    nonce: str,
    count: Callable[[str], int] = estimate_tokens,
) -> Assembled:
    """Assemble the sections within `budget` tokens, including the user's message.

    Sections come as they are or not at all, from the most important to the least: instructions,
    task, intent, memory, code. Each but the first is data, and stands in a fence.

    Args:
        parts: section -> its text; an empty one is left out.
        user: what the user says now; it is never cut, and counts.
        budget: most tokens of it all.
        count: tokens of a text.
    """
    user = clean_text(user)
    kept: dict[str, str] = {}
    left_out = []
    for name in SECTIONS:
        body = clean_text(parts.get(name, "")).strip("\n")
        if not body:
            continue
        kept[name] = _section(name, body, nonce)
        if count(_joined(kept, user)) > budget:
            del kept[name]
            left_out.append(name)
    system = _system(kept)
    tokens = count(_joined(kept, user)) if kept or user else 0
    sizes = {name: count(text) for name, text in kept.items()}
    return Assembled(system, user, tokens, budget, sizes, tuple(left_out))


def _joined(kept: dict[str, str], user: str) -> str:
    system = _system(kept)
    return f"{system}\n\nUser: {user}" if user else system


def _system(kept: dict[str, str]) -> str:
    return "\n".join(["<system>", *kept.values(), "</system>"]) if kept else ""


def _section(name: str, body: str, nonce: str) -> str:
    inner = _without_tags(body)
    if name in _LABELS:
        inner = fence(nonce, _LABELS[name], inner)
    return f"<{name}>\n{inner}\n</{name}>"


def _without_tags(body: str) -> str:
    """Escape text that looks like one of Satchel's tags."""
    lowered = body.lower()
    if not any(f"<{tag}" in lowered or f"</{tag}" in lowered for tag in _TAGS):
        return body
    import re

    return re.sub(rf"<(?=\s*/?\s*(?:{'|'.join(_TAGS)})\b)", "&lt;", body, flags=re.IGNORECASE)
