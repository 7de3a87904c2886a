"""The note a soft rule is promoted to, with its sidecar. Pure."""

from __future__ import annotations

from datetime import date

from satchel.core.excerpts import beginning
from satchel.core.values import Any, NamedTuple
from satchel.engine.markdown.yaml_text import write_yaml
from satchel.features.instincts.values import Instinct

_LONGEST_TITLE = 120
#: Category of an instinct -> category of a note, type of its entity.
_CATEGORIES = {
    "tooling": ("tooling-setup", "tool"),
    "style": ("patterns", "pattern"),
    "api": ("api-integrations", "service"),
    "testing": ("testing-patterns", "pattern"),
    "architecture": ("architecture-decisions", "pattern"),
}


class Draft(NamedTuple):
    """A drafted note and its sidecar: the title, and both texts."""

    title: str
    note: str
    sidecar: str


def draft(instinct: Instinct, *, today: date, worth: float) -> Draft:
    """Write the note of a rule whose current confidence is `worth`."""
    title = beginning(instinct.rule.rstrip("."), _LONGEST_TITLE)
    category, kind = _CATEGORIES.get(instinct.category, ("patterns", "pattern"))
    fields: dict[str, Any] = {
        "title": title,
        "type": "learning",
        "category": category,
        "tags": list(dict.fromkeys(tag.lower() for tag in instinct.tags)) or [instinct.category],
        "key_insight": instinct.rule,
        "rule": instinct.rule,
        "scope": instinct.scope,
        "learning_type": "correction" if "correct" in instinct.source.lower() else "pattern",
        "confidence": "high",
        "confidence_num": worth,
        "created": today.isoformat(),
        "provenance": {
            "source_tool": "satchel",
            "source_memory_ids": [instinct.id],
            "proof_count": instinct.reinforcement_count,
        },
    }
    fields["tags"] = [tag for tag in fields["tags"] if tag] or ["instinct"]
    times = "once" if instinct.reinforcement_count == 1 else f"{instinct.reinforcement_count} times"
    since = f" since {instinct.created}" if instinct.created else ""
    source = f" It came from: {instinct.source.rstrip('.')}." if instinct.source else ""
    body = (
        f"\n## Problem\n\nDoing it otherwise was corrected.{source}\n"
        f"\n## Solution\n\n{instinct.rule}\n"
        f"\n## Context\n\nConfirmed {times}{since}, with a confidence of {worth:g}.\n"
    )
    sidecar = {
        "document_id": instinct.id,
        "entities": [
            {"name": title, "type": kind, "description": instinct.rule},
            *(
                {"name": tag, "type": "concept", "description": f"Tag of: {title}"}
                for tag in dict.fromkeys(instinct.tags)
                if tag != title
            ),
        ],
        "relationships": [
            {
                "source": title,
                "target": tag,
                "type": "relates_to",
                "description": f"The rule is about {tag}",
                "strength": 5,
            }
            for tag in dict.fromkeys(instinct.tags)
            if tag != title
        ],
    }
    return Draft(title, f"---\n{write_yaml(fields)}---\n{body}", write_yaml(sidecar))
