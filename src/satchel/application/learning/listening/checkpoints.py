"""Checkpoints: a session's state, from its last messages, without a model."""

from __future__ import annotations

import re
from collections.abc import Sequence

from satchel.application.learning.listening.turns import (
    closes,
    greets,
    is_aside,
    only_asks,
    only_teaches,
    request,
    settles,
    stands_alone,
)
from satchel.application.learning.signals.own_words import sentences
from satchel.clients.transcript_format.values import USER
from satchel.clients.transcripts.tail import Message
from satchel.core.redaction.redactor import redact
from satchel.core.trust import strip_fences
from satchel.core.values import NamedTuple

_QUOTE = 500
_SUMMARY = 700
_GIST = 300
_ASKED = 160
_STEPS = 8
#: Of a client's session: words of a request that is more than "yes", and of an answer that is
#: hardly one; characters of a request and of a step.
_MORE_THAN_A_NOD, _A_NOTE = 2, 12
_REQUEST, _STEP, _STEPS_TOLD = 300, 120, 4
_COMMITS_TOLD = 2
#: "Done: one transaction per 1000 rows" would say it twice.
_DONE = re.compile(r"\A(?:done|finished|ready|sorry)\s?[:.!,\u2014-]\s+(?=\S)", re.IGNORECASE)
#: What leads up to a request.
_LED_UP = re.compile(
    r"\A(?:(?:and|now|then|also|ok(?:ay)?|so)\b[\s,.!]{1,4}){1,3}(?=\w)", re.IGNORECASE
)
#: Words of answers that are nothing but a nod, and say nothing of what was done.
_NODS = re.compile(
    r"(?:done|finished|completed?|ok|okay|sure|thing|alright|right|yes|yep|noted|understood|got|of"
    r"|course|will|do|good|to|go|great|perfect|set|you're|welcome|no|problem|sounds|bye|thanks|glad"
    r"|i|i'm|i've|have|am|it|is|it's|that|that's|all|and|now|then|too|everything|been|was|be"
    r"|fertig|erledigt|klar|gerne?|verstanden|alles|hecho|listo|vale|entendido|fait|compris|fatto)"
)
_LONGEST_NOD = 6
#: Of an answer that is hardly longer than a word: what it tells of work.
_OF_WORK = re.compile(r"\wed\b|pass(?:es)?|green|works?|ran|wrote|built|made|`|/|\d")
_A_WORD = 4
_CODE = re.compile(r"((?<!`)```|(?<!~)~~~)[^\n]*\n.*?(?:\n[ \t]*\1[^\n]*|\Z)", re.DOTALL)
_MARKS = re.compile(r"^\s*(?:#{1,6}\s.*|[-*+>]\s+|\d{1,2}[.)]\s+|[-=*_]{3,}\s*$|\|.*)")
#: Begins a line of its own, wherever it stands: "Pushed. Next: the month page. Open: who pays?"
_HEADED = re.compile(
    r"(?<=[.!?;])\s+(?=(?:next(?:\s+steps?)?|open|remaining|left\s+to\s+do|still\s+to\s+do)\s?:)",
    re.IGNORECASE,
)
_OPEN = "open:"
#: Steps that follow in the same line what was done, and what stands between two of them.
_INLINE = re.compile(
    r"\b(?:next steps?|remaining|left to do|still to do)\s*:\**\s*(.*)", re.IGNORECASE
)
_PARTS = re.compile(r";|(?:^|[\s,])\(?\d[.)]\s")
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
    """A session's state: the whole text, and the parts that fit a brief."""

    text: str
    asked: str
    summary: str
    next_steps: tuple[str, ...]
    open: str = ""


class SessionTotals(NamedTuple):
    """A session's totals, if known: its task, seconds, messages."""

    task: str = ""
    seconds: float = 0.0
    messages: int = 0
    summary: str = ""


def _corrects(messages: Sequence[Message], at: int, said: str) -> bool:
    """Return whether a turn only teaches, and the agent answered it with hardly a word."""
    answer = _until_request(messages[at + 1 :])
    hardly = sum(len(_prose(one).split()) for one in answer) <= _A_NOTE
    return hardly and only_teaches(said)


def _was_noted(messages: Sequence[Message], at: int, said: str) -> bool:
    """Return whether a turn only teaches, and nothing was done about it."""
    if not _corrects(messages, at, said):
        return False
    return not _was_worked_on(messages, at)


def _was_worked_on(messages: Sequence[Message], at: int) -> bool:
    """Return whether the agent edited or ran something for a request."""
    return any(one.worked for one in (messages[at], *_until_request(messages[at + 1 :])))


def _until_request(messages: Sequence[Message]) -> Sequence[Message]:
    """Return the messages before the person's next request."""
    end = next((at for at, one in enumerate(messages) if request(one)), len(messages))
    return messages[:end]


class _Asked(NamedTuple):
    """What a session was about: the work that was asked for, and the last request.

    `began` and `begun` are their messages, `until` the first message that belongs to neither.
    """

    work: str
    began: int
    last: str
    begun: int
    until: int


def where_it_stood(messages: Sequence[Message]) -> Checkpoint | None:
    """Return a session's state: asked, done, next, open. None if nobody asked anything.

    Asked is the person's last request in their own words, and what it goes on from where it is
    short ("add a test for this"); done, next and open are what the agent last said after it. What
    tools printed and what clients inject is none of either, nor is a lesson that was given at the
    end. A question or an order to commit is left out once it is answered.
    """
    asked = _asked(messages)
    if asked is None:
        return None
    answer, commits = (redact(one)[0] for one in _answer(messages, asked.begun, asked.until))
    summed_up = _goodbye(messages)
    answer = _HEADED.sub("\n", summed_up or answer)
    answered = bool(commits) or any(map(_prose, messages[asked.begun + 1 :]))
    aside = answered and is_aside(asked.last)
    told = what_was_told(answer)
    # What was only asked, taught or decided at the end leaves standing what was told of the work.
    passing = only_teaches(asked.last) or (not told and settles(asked.last))
    if asked.began < asked.begun and not summed_up and (aside or (passing and not commits)):
        before = what_was_told(redact(_answer(messages, asked.began, asked.begun)[0])[0])
        told = f"{before}\n{commits}" if before and commits else before or told
    open_ = _left_open(answer) if answered else "no answer yet"
    words = _told_together(asked._replace(last=asked.work) if aside else asked)
    steps = tuple(_line(step, _STEP) for step in next_steps(answer)[:_STEPS_TOLD])
    done = _line(_DONE.sub("", told) or commits, _GIST)
    return _with_text(Checkpoint("", _line(words, _REQUEST + _STEP), done, steps, open_))


def _asked(messages: Sequence[Message]) -> _Asked | None:
    """Find the work that a session was about, and its last request, both redacted."""
    said = [
        (at, told) for at, one in enumerate(messages) if (told := request(one)) and not greets(told)
    ]
    # Who says thanks, or goodbye, asks for nothing and waits for no answer.
    asked_for = [one for one in said if not closes(one[1])] or said
    taught = [at for at, told in asked_for if _was_noted(messages, at, told)]
    requests = [one for one in asked_for if one[0] not in taught] or asked_for
    if not requests:
        return None
    begun, last = requests[-1]
    alone = [(at, told) for at, told in reversed(requests) if stands_alone(told)]
    # What is only asked, and what only corrects, is told behind the work that it is about.
    work = [
        (_was_worked_on(messages, at), at, told)
        for at, told in alone
        if not (only_asks(told) or _corrects(messages, at, told))
    ]
    done = [one for one in work if one[0]] or work
    began, whole = done[0][1:] if done else alone[0] if alone else requests[-1]
    until = next((at for at in taught if at > begun), len(messages))
    # Before it is put on one line and cut: half a secret, or one without its line, is not known.
    return _Asked(redact(whole)[0], began, redact(last)[0], begun, until)


def _told_together(asked: _Asked) -> str:
    """Return the work with the last request, unless that is the work or a nod."""
    last, work = (_LED_UP.sub("", told, count=1) for told in (asked.last, asked.work))
    if last == work or len(asked.last.split()) < _MORE_THAN_A_NOD:
        return work
    return f"{_line(work, _REQUEST)}; then: {last}"


def _with_text(stood: Checkpoint) -> Checkpoint:
    """Add the whole text to a checkpoint's parts."""
    listed = "".join(f"\n- {step}" for step in stood.next_steps)
    parts = (
        ("Asked: ", stood.asked),
        ("Done: ", stood.summary),
        ("Next:", listed),
        ("Open: ", stood.open),
    )
    return stood._replace(text="\n".join(name + told for name, told in parts if told))


def _prose(message: Message) -> str:
    """Return the agent's own words, without code and injected text."""
    if message.role == USER:
        return ""
    return _CODE.sub("\n", strip_fences(message.text)).strip()


def _answer(messages: Sequence[Message], begun: int, until: int) -> tuple[str, str]:
    """Return what the agent last said after a request, and what it committed."""
    after = messages[begun:until]
    said = [text for one in after[1:] if (text := _prose(one))]
    commits = [commit for one in after for commit in one.commits]
    committed = "Committed " + ", ".join(commits[-_COMMITS_TOLD:]) if commits else ""
    # "Not that I know." and "See you." tell less than what was said before them.
    telling = [text for text in said if what_was_told(text)] or said
    return telling[-1] if telling else "", committed


def _goodbye(messages: Sequence[Message]) -> str:
    """Return what the agent said when the person left, if it sums up the session; or ""."""
    left = next((at for at in reversed(range(len(messages))) if request(messages[at])), None)
    if left is None or not closes(request(messages[left])):
        return ""
    said = [redact(text)[0] for one in messages[left + 1 :] if (text := _prose(one))]
    return next((one for one in reversed(said) if len(what_was_told(one).split()) > _A_NOTE), "")


def what_was_told(answer: str, *, of_work: bool = True) -> str:
    """Return what an answer tells before its next steps, or "" where it is only a nod.

    `of_work` leaves out what is hardly longer than a word, too: "Mostly." answers a question, and
    is no work done.
    """
    told = _until_steps(answer)
    words = re.findall(r"[\w']+", told.replace("\u2019", "'").lower())
    nods = len(words) <= _LONGEST_NOD and all(map(_NODS.fullmatch, words))
    short = of_work and len(words) <= _A_WORD and not _OF_WORK.search(told.lower())
    return "" if nods or short else told


def _left_open(answer: str) -> str:
    """Return what waits for the user: what is said to be open, or the agent's last question."""
    lines = answer.rstrip("*_ \n").split("\n")
    headed = [one for one in lines if one.lstrip("#*_- ").lower().startswith(_OPEN)]
    if headed and (told := headed[-1].partition(":")[2].strip(" *_.")):
        return _line(told, _STEP)
    last = lines[-1]
    asked = sentences(last)[-1:] if last.endswith("?") else []
    return _line(asked[0], _STEP) if asked else ""


def _line(text: str, limit: int) -> str:
    """Put a text on one line, without headings, tables and list marks."""
    bare = (_MARKS.sub("", line).strip() for line in text.replace("**", "").splitlines())
    kept = [line if line[-1] in ".,:;!?" else f"{line};" for line in bare if line]
    return _cut(" ".join(" ".join(kept).split()).removesuffix(";"), limit)


def checkpoint_of(
    messages: Sequence[Message], *, trigger: str, session: str, spent: SessionTotals | None = None
) -> Checkpoint:
    """Write Beads Console's checkpoint: summary, last exchange, next steps."""
    known = spent or SessionTotals()
    said = [message._replace(text=strip_fences(message.text).strip()) for message in messages]
    user = redact(_last(said, "user"))[0]
    assistant = redact(_last(said, "assistant"))[0]
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
    gist = _cut(_before_steps(summary), _GIST) if known.summary or what_was_told(assistant) else ""
    asked = _cut(" ".join(user.split()), _ASKED)
    return Checkpoint("\n".join(lines), asked, gist, tuple(steps))


def _before_steps(text: str) -> str:
    return " ".join(_until_steps(text).split()) or text


def _until_steps(text: str) -> str:
    """Return a summary up to its next steps, which are stored separately."""
    kept = []
    for line in text.splitlines():
        if line.lstrip("#*_- ").lower().startswith((*_STEP_HEADINGS, _OPEN)):
            break
        kept.append(line)
    return "\n".join(kept)


def next_steps(text: str) -> list[str]:
    """Return open points: unticked boxes anywhere, and lists under a matching heading."""
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
        inline = _INLINE.search(line)
        if listing and item:
            steps.append(item)
        elif inline:
            steps += [step.strip(" .*_") for step in _PARTS.split(inline[1]) if step.strip(" .*_")]
            listing = not inline[1].strip(" .*_")
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
