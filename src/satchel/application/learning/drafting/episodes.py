"""The episode of a session: a dated note of what happened. Written without asking."""

from __future__ import annotations

import re
from collections.abc import Sequence

from satchel.application.learning.listening.answers import answer_summary
from satchel.application.learning.signals.own_words import own_words
from satchel.application.learning.signals.values import Signal
from satchel.clients.transcript_format.values import ASSISTANT, USER, Turn
from satchel.core import times
from satchel.core.excerpts import beginning
from satchel.core.hashing import digest
from satchel.core.redaction.redactor import redact, redact_start
from satchel.core.values import NamedTuple
from satchel.engine.markdown.yaml_text import write_yaml

_ASKED, _ANSWERED, _MOST_ASKED, _MOST_SIGNALS = 200, 200, 8, 12
_TITLE = 90
_QUESTION = re.compile(
    r"(?:(?:hey|ok|so|and|hm+)[\s,]+)*"
    r"(?:what|who|where|which|why|how|when|is|are|was|were|do|does|did|has|have)\b",
    re.IGNORECASE,
)


class Episode(NamedTuple):
    """A dated note: `path` is below `episodes/`, the same for the same session."""

    id: str
    path: str
    text: str


def episode_of(
    turns: Sequence[Turn], signals: Sequence[Signal], *, session: str, project: str, now: float
) -> Episode | None:
    """Write a session's episode; None if the user said nothing in it."""
    asked = _asked(turns)
    if not asked:
        return None
    begun = next((turn.at for turn in turns if turn.at), now)
    ended = next((turn.at for turn in reversed(turns) if turn.at), now)
    day = times.utc(begun)
    mark = digest((session or "\n".join(one for one, _ in asked)).encode("utf-8", "replace"))
    ident = f"ep-{day:%Y%m%d}-{mark.hex()[:6]}"
    calls = sum(len(turn.tools) for turn in turns)
    errors = sum(len(turn.errors) for turn in turns)
    minutes = max(0.0, ended - begun) / 60
    said = sum(turn.role == ASSISTANT for turn in turns)
    course = f"{len(asked)} requests, {said} answers, {calls} tool calls, {errors} failed"
    fields = {
        "type": "episode",
        "id": ident,
        "title": beginning(asked[0][0], _TITLE),
        "created": f"{day:%Y-%m-%d}",
        "session": session,
        "project": project,
        "course": f"{course}, {minutes:.0f} minutes",
    }
    lines = ["", "## Asked", "", *map(_item, asked[:_MOST_ASKED])]
    if len(asked) > _MOST_ASKED:
        lines.append(f"- … and {len(asked) - _MOST_ASKED} more")
    if signals:
        lines += ["", "## Learnt", ""]
        lines += [
            f"- {one.learning} ({one.kind.replace('_', ' ')})" for one in signals[:_MOST_SIGNALS]
        ]
    text = f"---\n{write_yaml(fields)}---\n" + "\n".join(lines) + "\n"
    return Episode(ident, f"{day:%Y-%m-%d}/{ident}.md", redact(text)[0])


def _asked(turns: Sequence[Turn]) -> list[tuple[str, str]]:
    """Return the user's requests, one line each, and the answers to questions."""
    found: list[tuple[str, str]] = []
    for turn in turns:
        if turn.role == USER and (words := own_words(turn.text)):
            found.append((redact_start(" ".join(words.split()), _ASKED)[0], ""))
        elif found and turn.role == ASSISTANT and _is_question(found[-1][0]):
            answer = " ".join(answer_summary(turn.text, of_work=False).split())
            if answer:
                # The last before the next request is the answer; "let me look" came first.
                found[-1] = (found[-1][0], redact_start(answer, _ANSWERED)[0])
    return found


def _is_question(words: str) -> bool:
    return words.endswith("?") or bool(_QUESTION.match(words))


def _item(asked: tuple[str, str]) -> str:
    return f"- {asked[0]}" + (f" → {asked[1]}" if asked[1] else "")
