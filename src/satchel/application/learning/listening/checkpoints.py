"""Checkpoints: where a session stood, from its last messages, without any model."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.clients.transcripts.tail import Message
from satchel.core.trust import strip_fences
from satchel.core.values import NamedTuple

_QUOTE = 500
_SUMMARY = 700
_GIST = 300
_ASKED = 160
_STEPS = 8
_STEP_HEADINGS = (
    "next step",
    "next:",
    "todo",
    "remaining",
    "left to do",
    "still to do",
    "follow-up",
)


class Checkpoint(NamedTuple):
    """Where a session stood: the whole text, and the parts that a brief has room for."""

    text: str
    asked: str
    summary: str
    next_steps: tuple[str, ...]


class SessionTotals(NamedTuple):
    """What a session is about and came to, where that is known: its task, seconds, messages."""

    task: str = ""
    seconds: float = 0.0
    messages: int = 0
    summary: str = ""


def checkpoint_of(
    messages: Sequence[Message], *, trigger: str, session: str, spent: SessionTotals | None = None
) -> Checkpoint:
    """Write the checkpoint of Beads Console: summary, last exchange, next steps."""
    known = spent or SessionTotals()
    said = [message._replace(text=strip_fences(message.text).strip()) for message in messages]
    user = _last(said, "user")
    assistant = _last(said, "assistant")
    lines = ["## Session Checkpoint", "", f"**Trigger:** {trigger}"]
    if session:
        lines.append(f"**Session:** {session}")
    if known.task:
        lines.append(f"**Bead:** {known.task}")
    if known.seconds:
        lines.append(f"**Duration:** {known.seconds:.0f}s ({known.seconds / 60:.0f} min)")
    summary = _cut(known.summary or assistant or user, _SUMMARY)
    lines += [f"**Messages:** {known.messages or len(said)}", "", "### Summary", summary]
    lines += ["", "### Last Exchange", "", f"**User:** {_cut(user, _QUOTE)}"]
    if assistant:
        lines += ["", f"**Assistant:** {_cut(assistant, _QUOTE)}"]
    steps = next_steps(assistant)
    if steps:
        lines += ["", "### Next Steps", *(f"- {step}" for step in steps)]
    gist = _cut(_before_steps(summary), _GIST)
    asked = _cut(" ".join(user.split()), _ASKED)
    return Checkpoint("\n".join(lines), asked, gist, tuple(steps))


def _before_steps(text: str) -> str:
    """Return what a summary says before it comes to the next steps, which stand apart."""
    kept = []
    for line in text.splitlines():
        if line.lstrip("#*_- ").lower().startswith(_STEP_HEADINGS):
            break
        kept.append(line)
    return " ".join(" ".join(kept).split()) or text


def next_steps(text: str) -> list[str]:
    """Find open points: unticked boxes anywhere, and lists under a heading for them."""
    steps: list[str] = []
    listing = False
    for raw in text.splitlines():
        line = raw.strip()
        if line.startswith(("- [ ]", "* [ ]")):
            steps.append(line[5:].strip())
            continue
        bare = line.lstrip("#*_ ").lower()
        if bare.startswith(_STEP_HEADINGS):
            listing = True
            after = line.partition(":")[2].strip(" *_")
            if after:
                steps.append(after)
            continue
        item = _list_item(line)
        if listing and item:
            steps.append(item)
        elif line:
            listing = False
    return [step for step in steps if step][:_STEPS]


def _list_item(line: str) -> str:
    if line.startswith(("- ", "* ")):
        return line[2:].strip()
    number, dot, rest = line.partition(". ")
    return rest.strip() if dot and number.isdigit() else ""


def _last(messages: Sequence[Message], role: str) -> str:
    return next((m.text for m in reversed(messages) if m.role == role and m.text), "")


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit].rsplit(" ", 1)[0] + "…"
