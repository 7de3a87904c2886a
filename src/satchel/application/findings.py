"""The findings of checks."""

from __future__ import annotations

from typing import NamedTuple

#: Most severe first.
ERROR, WARNING, NOTE = SEVERITIES = ("error", "warning", "note")


class Finding(NamedTuple):
    """A finding.

    `severity`: an `error` hides or endangers memories, a `warning` may do so or keeps something
    from working, a `note` is worth knowing. `next_step` is what to do about it; "" for nothing.
    """

    severity: str
    subject: str
    what: str
    next_step: str = ""


def without_places(found: list[Finding], places: tuple[tuple[str, str], ...]) -> list[Finding]:
    """Return findings for others, with local paths replaced by names."""

    def told(text: str) -> str:
        for place, name in places:
            text = text.replace(place, name)
        return text

    return [
        one._replace(subject=told(one.subject), what=told(one.what), next_step=told(one.next_step))
        for one in found
    ]


def listed(names: list[str], most: int = 5) -> str:
    """Format the first few items of a list and the number of the rest."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
