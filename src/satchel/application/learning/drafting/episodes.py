"""The episode of a session: a dated note of what happened. Written without asking."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.application.learning.signals.own_words import own_words
from satchel.application.learning.signals.values import Signal
from satchel.clients.transcript_format.texts import shortened
from satchel.clients.transcript_format.values import ASSISTANT, USER, Turn
from satchel.core import times
from satchel.core.hashing import digest
from satchel.core.redaction.redactor import redact, redact_start
from satchel.core.values import NamedTuple
from satchel.engine.markdown.yaml_text import write_yaml

_ASKED, _MOST_ASKED, _MOST_SIGNALS = 200, 8, 12
_TITLE = 90


class Episode(NamedTuple):
    """A dated note: `path` is below `episodes/`, the same for the same session."""

    id: str
    path: str
    text: str


def episode_of(
    turns: Sequence[Turn], signals: Sequence[Signal], *, session: str, project: str, now: float
) -> Episode | None:
    """Write a session's episode; None if the user said nothing in it."""
    asked = [
        redact_start(" ".join(words.split()), _ASKED)[0]
        for turn in turns
        if turn.role == USER and (words := own_words(turn.text))
    ]
    if not asked:
        return None
    begun = next((turn.at for turn in turns if turn.at), now)
    ended = next((turn.at for turn in reversed(turns) if turn.at), now)
    day = times.utc(begun)
    mark = digest((session or "\n".join(asked)).encode("utf-8", "replace")).hex()[:6]
    ident = f"ep-{day:%Y%m%d}-{mark}"
    calls = sum(len(turn.tools) for turn in turns)
    errors = sum(len(turn.errors) for turn in turns)
    minutes = max(0.0, ended - begun) / 60
    said = sum(turn.role == ASSISTANT for turn in turns)
    course = f"{len(asked)} requests, {said} answers, {calls} tool calls, {errors} failed"
    fields = {
        "type": "episode",
        "id": ident,
        "title": shortened(asked[0], _TITLE),
        "created": f"{day:%Y-%m-%d}",
        "session": session,
        "project": project,
        "course": f"{course}, {minutes:.0f} minutes",
    }
    lines = ["", "## Asked", "", *(f"- {text}" for text in asked[:_MOST_ASKED])]
    if len(asked) > _MOST_ASKED:
        lines.append(f"- … and {len(asked) - _MOST_ASKED} more")
    if signals:
        lines += ["", "## Learnt", ""]
        lines += [
            f"- {one.learning} ({one.kind.replace('_', ' ')})" for one in signals[:_MOST_SIGNALS]
        ]
    text = f"---\n{write_yaml(fields)}---\n" + "\n".join(lines) + "\n"
    return Episode(ident, f"{day:%Y-%m-%d}/{ident}.md", redact(text)[0])
