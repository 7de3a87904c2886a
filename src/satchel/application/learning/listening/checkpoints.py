"""Checkpoints: a session's state, from its last messages, without a model."""

from __future__ import annotations

import re
from collections.abc import Sequence

from satchel.application.learning.listening.answers import (
    CODE,
    DONE,
    HEADED,
    announced_step,
    answer_summary,
    next_steps,
    one_line,
    shorten,
    until_steps,
    without_open,
)
from satchel.application.learning.listening.turns import (
    closes,
    is_aside,
    left_for_later,
    only_asks,
    only_teaches,
    request,
    stands_alone,
    teaches,
    tells_its_subject,
)
from satchel.application.learning.signals.courtesies import agrees, greets
from satchel.application.learning.signals.own_words import sentences
from satchel.application.learning.signals.speech.words import BEGUN
from satchel.clients.transcript_format.values import USER
from satchel.clients.transcripts.tail import Message
from satchel.core.redaction.redactor import redact
from satchel.core.trust import strip_fences
from satchel.core.values import NamedTuple
from satchel.engine.search.tokens import distinctive_words

_QUOTE = 500
_SUMMARY = 700
_GIST = 300
_ASKED = 160
#: Of a client's session: words of a request that is more than "yes", and of an answer that is
#: hardly one; characters of a request and of a step.
_MORE_THAN_A_NOD, _A_NOTE = 2, 12
#: Words of an answer that only repeats what it was told: "Understood, from now on ...".
_AN_ECHO = 40
_NOTED = re.compile(
    rf"{BEGUN}(?:got\s+it|understood|noted|good\s+to\s+know|will\s+do"
    r"|thanks\s+for\s+|i(?:['\u2019]ll|\s+will)\s+(?:keep|remember|follow|stick)\b)",
    re.IGNORECASE,
)
_REQUEST, _STEP, _STEPS_TOLD = 300, 120, 4
_COMMITS_TOLD = 2
#: What leads up to a request.
_LED_UP = re.compile(
    r"\A(?:(?:and|now|then|also|ok(?:ay)?|so)\b[\s,.!]{1,4}){1,3}(?=\w)", re.IGNORECASE
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
    return _hardly_answered(messages, at) and only_teaches(
        said, surely=_was_worked_on(messages, at)
    )


def _hardly_answered(messages: Sequence[Message], at: int) -> bool:
    """Return whether the agent answered a turn with hardly a word, and no question about it."""
    said = " ".join(_prose(one) for one in _until_request(messages[at + 1 :])).strip()
    if said.endswith("?"):
        return False
    words = len(said.split())
    return words <= _A_NOTE or (words <= _AN_ECHO and bool(_NOTED.match(said)))


def _says_its_subject(messages: Sequence[Message], at: int, said: str) -> bool:
    """Return whether a request says what it is about, and is no lesson that was only noted."""
    return tells_its_subject(said) and not (_hardly_answered(messages, at) and teaches(said))


def _was_noted(messages: Sequence[Message], at: int, said: str) -> bool:
    """Return whether a turn only teaches, and nothing was done about it."""
    if not _corrects(messages, at, said):
        return False
    return not _was_worked_on(messages, at)


def _was_worked_on(messages: Sequence[Message], at: int) -> bool:
    """Return whether the agent edited or ran something for a request."""
    return any(one.worked for one in (messages[at], *_until_request(messages[at + 1 :])))


def _settled(messages: Sequence[Message], at: int, said: str) -> bool:
    """Return whether a turn only thanks, says goodbye, or agrees with what asked nothing."""
    if closes(said):
        return True
    told = next((text for one in reversed(messages[:at]) if (text := _prose(one))), "")
    agreed = bool(told) and agrees(said) and "?" not in told
    return agreed and not _was_worked_on(messages, at)


def _until_request(messages: Sequence[Message]) -> Sequence[Message]:
    """Return the messages before the person's next request."""
    end = next((at for at, one in enumerate(messages) if request(one)), len(messages))
    return messages[:end]


class _Asked(NamedTuple):
    """What a session was about: the work that was asked for, and the last request.

    `began` and `begun` are their messages, `until` the first message that belongs to neither.
    `step` is the work, too, unless that says too little by itself: "could you check the size?".
    """

    work: str
    step: str
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
    told, open_ = without_open(summed_up or answer)
    worked = _was_worked_on(messages, asked.begun)
    if worked and not (told or summed_up or announced_step(answer)):
        told = answer_summary(answer, of_work=False)  # "Back to the old name."
    said = [redact(text)[0] for one in messages[asked.begun + 1 :] if (text := _prose(one))]
    answered = bool(said or commits)
    aside = answered and is_aside(asked.last)
    # What was only asked, taught or decided at the end leaves standing what was told of the work,
    # unless that was changed for it.
    passing = not worked and ((answered and not told) or only_teaches(asked.last))
    if asked.began < asked.begun and not summed_up and (aside or (passing and not commits)):
        before = without_open(redact(_answer(messages, asked.began, asked.begun)[0])[0])[0]
        told = f"{before}\n{commits}" if before and commits else before or told
    words = _told_together(asked._replace(last=asked.step) if aside else asked)
    ending = said[-1] if said else ""  # "Bye. Next: the month page."
    steps = next_steps(ending) or next_steps(summed_up or answer)
    begun = announced_step(ending)  # a compaction comes in the middle of work
    steps = steps or ([begun] if begun else [])
    put_off = _put_off(messages)
    if put_off and not any(put_off.lower() in step.lower() for step in steps):
        steps = [put_off, *steps]
    open_ = without_open(ending)[1] or ("" if _taken_up(messages, asked.begun) else open_)
    if not answered:
        open_ = "no answer yet"
    done = one_line(DONE.sub("", told) or commits, _GIST)
    next_ = tuple(one_line(step, _STEP) for step in steps[:_STEPS_TOLD])
    return _with_text(Checkpoint("", one_line(words, _REQUEST + _STEP), done, next_, open_))


def _asked(messages: Sequence[Message]) -> _Asked | None:
    """Find the work that a session was about, and its last request, both redacted."""
    turns = ((at, left_for_later(request(one))[0]) for at, one in enumerate(messages))
    every = [(at, told) for at, told in turns if told and not greets(told)]
    # What is said about a refused call goes on from what was asked for.
    said = [one for one in every if not messages[one[0]].rejects] or every
    # Who says thanks, or goodbye, asks for nothing and waits for no answer.
    asked_for = [one for one in said if not _settled(messages, *one)] or said
    taught = [at for at, told in asked_for if _was_noted(messages, at, told)]
    requests = [one for one in asked_for if one[0] not in taught] or asked_for
    if not requests:
        return None
    begun, last = requests[-1]
    alone = [
        (at, told)
        for at, told in reversed(requests)
        if stands_alone(told) and not _answers_question(messages, at, told)
    ]
    # What is only asked, and what only corrects, is told behind the work that it is about.
    work = [
        (_was_worked_on(messages, at), at, told)
        for at, told in alone
        if not (only_asks(told) or _corrects(messages, at, told))
    ]
    # "Run it" goes on from what was asked before, though only that was worked on.
    aside = stands_alone(last) or is_aside(last)
    goes_on = not aside and _was_worked_on(messages, begun)
    done = [one for one in work if one[0] and not goes_on] or work
    longest = max(requests, key=lambda one: len(one[1].split()))
    began, whole = done[0][1:] if done else alone[0] if alone else longest
    left = [at for at, told in said[-1:] if closes(told) and not _was_worked_on(messages, at)]
    until = next((at for at in sorted(taught + left) if at > begun), len(messages))
    # Before it is put on one line and cut: half a secret, or one without its line, is not known.
    before = [one for one in work if one[1] < began]
    subject = [one for one in before if one[0] and tells_its_subject(one[2])]
    subject = (subject or [one for one in before if _says_its_subject(messages, *one[1:])])[:1]
    enough = not subject or _says_its_subject(messages, began, whole)
    about = whole if enough else subject[0][2]
    return _Asked(redact(about)[0], redact(whole)[0], began, redact(last)[0], begun, until)


def _answers_question(messages: Sequence[Message], at: int, said: str) -> bool:
    """Return whether a turn takes up what the agent asked last: it goes on from other work."""
    asked = next((text for one in reversed(messages[:at]) if (text := _prose(one))), "").rstrip()
    question = asked.rpartition("\n")[2] if asked.endswith("?") else ""
    first = sentences(said)[:1]
    words = set(distinctive_words(" ".join(first)))
    return bool(words & set(distinctive_words(question)))


def _taken_up(messages: Sequence[Message], begun: int) -> bool:
    """Return whether the person answered what the agent asked last, if they said more since."""
    since = [at for at in range(begun + 1, len(messages)) if request(messages[at])]
    return any(_answers_question(messages, at, request(messages[at])) for at in since)


def _told_together(asked: _Asked) -> str:
    """Return the work with the last request, unless that is the work or a nod."""
    last, work = (_LED_UP.sub("", told, count=1) for told in (asked.last, asked.work))
    if last == work or len(asked.last.split()) < _MORE_THAN_A_NOD:
        return work
    return f"{one_line(work, _REQUEST)}; then: {last}"


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
    return HEADED.sub("\n", CODE.sub("\n", strip_fences(message.text)).strip())


def _answer(messages: Sequence[Message], begun: int, until: int) -> tuple[str, str]:
    """Return what the agent last said after a request, and what it committed."""
    said = [
        text
        for at in range(begun + 1, until)
        if (text := _prose(messages[at])) and not _answers_aside(messages, begun, at)
    ]
    commits = [commit for one in messages[begun:until] for commit in one.commits]
    committed = "Committed " + ", ".join(commits[-_COMMITS_TOLD:]) if commits else ""
    # "Not that I know." and "See you." tell less than what was said before them.
    telling = [text for text in said if without_open(text)[0]] or said
    return telling[-1] if telling else "", committed


def _answers_aside(messages: Sequence[Message], begun: int, at: int) -> bool:
    """Return whether an answer is to a question or a lesson behind the work, and not about it."""
    asked = next((i for i in range(at - 1, begun, -1) if request(messages[i])), begun)
    if asked == begun:
        return False
    said = request(messages[asked])
    return only_asks(said) or _was_noted(messages, asked, said)


def _put_off(messages: Sequence[Message]) -> str:
    """Return what the person last said is for another time, unless it was worked on; or ""."""
    last = next((at for at in reversed(range(len(messages))) if request(messages[at])), None)
    if last is None:
        return ""
    before, later = left_for_later(redact(request(messages[last]))[0])
    return later if is_aside(before) or not _was_worked_on(messages, last) else ""


def _goodbye(messages: Sequence[Message]) -> str:
    """Return what the agent said when the person left, if it sums up the session; or ""."""
    left = next((at for at in reversed(range(len(messages))) if request(messages[at])), None)
    if left is None or not closes(request(messages[left])):
        return ""
    said = [redact(text)[0] for one in messages[left + 1 :] if (text := _prose(one))]
    return next((one for one in reversed(said) if len(answer_summary(one).split()) > _A_NOTE), "")


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
    summary = shorten(known.summary or assistant or user, _SUMMARY)
    lines += [f"**Messages:** {known.messages or len(said)}", "", "### Summary", summary]
    lines += ["", "### Last Exchange", "", f"**User:** {shorten(user, _QUOTE)}"]
    if assistant:
        lines += ["", f"**Assistant:** {shorten(assistant, _QUOTE)}"]
    steps = next_steps(assistant)
    if steps:
        lines += ["", "### Next Steps", *(f"- {step}" for step in steps)]
    gist = (
        shorten(_before_steps(summary), _GIST) if known.summary or answer_summary(assistant) else ""
    )
    asked = shorten(" ".join(user.split()), _ASKED)
    return Checkpoint("\n".join(lines), asked, gist, tuple(steps))


def _before_steps(text: str) -> str:
    return " ".join(until_steps(text).split()) or text


def _last(messages: Sequence[Message], role: str) -> str:
    return next((m.text for m in reversed(messages) if m.role == role and m.text), "")
