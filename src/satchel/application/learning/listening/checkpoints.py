"""Checkpoints: a session's state, from its last messages, without a model."""

from __future__ import annotations

import re
from collections.abc import Sequence

from satchel.application.learning.signals.hearing import hear, may_last
from satchel.application.learning.signals.own_words import own_words, sentences
from satchel.application.learning.signals.values import FACT
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
#: Of a client's session: words of a request that needs no other to be understood, that is more
#: than "yes", and that is a praise beside a lesson; characters of a request and of a step.
_BY_ITSELF, _MORE_THAN_A_NOD, _PRAISE = 5, 2, 3
_REQUEST, _STEP, _STEPS_TOLD = 300, 120, 4
_COMMITS_TOLD = 2
_PLAN = re.compile(r"\s*Implement the following plan:\s*(?:#+\s*)?(?:Plan:\s*)?([^\n]+)")
#: "Done: one transaction per 1000 rows" would say it twice.
_DONE = re.compile(r"\A(?:done|finished|ready)\s?[:.!,\u2014-]\s+(?=\S)", re.IGNORECASE)
#: What leads up to a request.
_LED_UP = re.compile(
    r"\A(?:(?:and|now|then|also|ok(?:ay)?|so)\b[\s,.!]{1,4}){1,3}(?=\w)", re.IGNORECASE
)
#: Goes on from another request, if it is no longer than this: "and commit it, please".
_GOES_ON = re.compile(
    r"(?:(?:ok(?:ay)?|great|perfect|nice|good|yes|thanks)\b[\s,.!]{1,4}){0,2}"
    r"(?:(?:and|then|also)\s{1,4}(?:\S+\s+){0,5}\S+\s*\Z"
    r"|(?:and|then|now|also)\s{1,4}(?:\S+\s+){0,9}(?:same|it|that|this|them|those|ones?)\b(?:\s+\S+){0,4}\s*\Z"
    r"|(?:please\s+)?(?:commit|push|merge|rebase|squash|(?:open|create)\s+(?:a|the)\s+(?:pr|pull\s+request))\b(?:\s+\S+){0,9}\s*\Z"
    r"|\w{1,20}\s+first\b(?:\s+\S+){0,6}\s*\Z"
    r"|(?:\S+\s+){0,8}(?:for|of|with|in|on|about|do|fix|add|update|try|see)\s+(?:this|that|it|them)\W*\Z)",
    re.IGNORECASE,
)
#: How lessons begin that ask for no work, and words of an answer to one.
_TEACHES = re.compile(
    r"(?:(?:ok(?:ay)?|great|perfect|nice|good|yes|thanks|right|cool|und|bitte|please|and|also|so)\b[\s,.!]{1,4}){0,3}"
    r"(?:no\b|nope\b|nein\b|next\s+time\b|not\b|don['\u2019]?t|do\s+not|never\b|always\b|from\s+now\s+on|in\s+future|we\b|our\b|btw\b|by\s+the\s+way"
    r"|fyi\b|remember\b|note\b|I(?:'d)?\s+(?:prefer|like|hate)\b|\w+\s+(?:immer|nie)\b|.{0,80}\bbtw\b)",
    re.IGNORECASE,
)
_A_NOTE = 12
#: Answers what the agent did: what follows corrects the work that was asked for before.
_REPLIES = re.compile(
    r"(?:yes|yeah|yep|no|nope|nah|right|hm+|wait|actually|but|not\s+quite|almost|still)\b"
    r"|(?:(?:wtf|wth|omg|ugh|a+rgh|hey|man)\b[\s,.!?]{1,4}){0,2}why\s+(?:did|do|are|would|have)\s+you\b"
    # "Don't push yet, I want to look first" asks for nothing, nor is a joke work.
    r"|(?:(?:please|pls|and|ok(?:ay)?)\b[\s,]{1,4}){0,2}(?:don['\u2019]?t|do\s+not)\s+\w+\b[^.;]{0,40}\b(?:yet|for\s+now)\b"
    r"|(?:lol|haha\w{0,9}|lmao)\b|.{1,300}\b(?:lol|haha|lmao|jk)\b",
    re.IGNORECASE,
)
#: Asks to be told something, and for no work.
_ONLY_ASKS = re.compile(
    r"(?:(?:ok(?:ay)?|and|so|but|hm+|great|thanks|nice|cool|perfect|good)\b[\s,.!]{1,4}){0,2}"
    r"(?:(?:what(?:'?s)?|why|where|who|when|which|is|are|was|were|does|did|do|has|have|how(?!\s+about\b))\b.*\?\s*\Z"
    r"|(?:what|why|where|who|when|which|how)\b(?!\s+(?:about|we|I|you)\b)[^,;.]{0,80}\Z"
    r"|(?:(?:can|could|would)\s+you\s+(?:please\s+|just\s+|quickly\s+)?)?(?:summari[sz]e|recap|explain|describe|tell\s+me|remind\s+me|walk\s+me)\b)",
    re.IGNORECASE | re.DOTALL,
)
#: Who decides like this asks for it as well.
_SETTLES = re.compile(r"\blet'?s\b|\bgo(?:ing)?\s+with\b|\bdecided\b", re.IGNORECASE)
#: Goodbyes of other languages than English.
_GOODBYE = (
    r"sch[öo]e?nen?s?\s+(?:we|wochenende|abend|feierabend|tag|urlaub)|feierabend"
    r"|mittag(?:spause|essen)?|kurze\s+pause|(?:fertig|genug|schluss)\s+f[üu]e?r\s+heute|gute\s+nacht"
    r"|bis\s+(?:dann|morgen|montag|sp[äa]e?ter|gleich|nachher)|tsch[üu]e?ss?|das\s+war['\u2019]?s|passt"
    r"|bon\s+(?:we|week-?end)|bonne\s+soir[ée]e|[àa]\s+demain|buen\s+(?:fin\s+de\s+semana|finde)"
    r"|hasta\s+(?:luego|ma[ñn]ana)|buon\s+(?:weekend|week-end)|a\s+domani"
)
_CLOSES = re.compile(
    r"(?:(?:ok(?:ay)?|great|perfect|cool|nice|good|awesome|alright|super|gut|prima|klasse|so)\b[\s,.!]{1,4}){0,3}"
    r"(?:thanks?(?:\s+you)?|thx|cheers|perfect|cool|exactly\s+what\s+I\s+(?:wanted|meant)|looks?\s+good|lgtm|good\s+enough|that(?:'?s|\s+is|\s+was)\s+(?:all|it)|bye|good\s+night"
    r"|brb|afk|gtg|gotta\s+go|(?:i'm\s+)?off\s+(?:to|for)\s+\w+|lunch(?:\s+(?:time|break|now))?|(?:i'm\s+)?heading\s+(?:out|home)"
    r"|see\s+you|let'?s\s+call\s+it\s+a\s+day|(?:i'm\s+)?done\s+for\s+today|danke|merci|gracias|obrigad[oa]|grazie"
    rf"|(?:have\s+a\s+)?(?:nice|good|great)\s+(?:weekend|evening|one)|{_GOODBYE})"
    r"\b(?:[\s,.!]{1,4}(?:lunch(?:\s+(?:time|break|now))?|brb|afk|off\s+(?:to|for)\s+\w+|a\s+lot|so\s+much|very\s+much|for\s+(?:now|today)|then|again|all|thanks?(?:\s+you)?|bye|see\s+you|until|tomorrow|later|monday"
    rf"|{_GOODBYE}"
    r"|(?:that|this|it)(?:'?s|\s+is)?\s+(?:all|it|works?(?:\s+(?:great|fine|perfectly|well|now))*|great|perfect)|works?(?:\s+(?:great|fine|now))*))*"
    r"[\s.!]*\Z",
    re.IGNORECASE,
)
_GREETS = re.compile(
    r"(?:hi|hello|hey|yo|moin|hallo|hola|salut|bonjour|ciao|good\s+(?:morning|evening|afternoon)|ping|test)"
    r"(?:\s+(?:there|again|claude|codex|all))?[\s.!]*\Z",
    re.IGNORECASE,
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


def asks(message: Message) -> bool:
    """Return whether a message is a self-contained request by a person."""
    said = _request(message)
    return _stands_alone(said) and not _only_teaches(said)


def _stands_alone(said: str) -> bool:
    """Return whether a request needs no other to be understood."""
    if len(said.split()) < _BY_ITSELF:
        return False
    return not (_GOES_ON.match(said) or _CLOSES.match(said) or _REPLIES.match(said))


def _only_teaches(said: str) -> bool:
    """Return whether a turn holds nothing but lessons: they are kept elsewhere, if at all.

    By its first words, too, unless it tells a fact: "add logging to all handlers" may sound like a
    rule, and is an order.
    """
    if said.isascii() and not may_last(said):
        return False
    taught = bool(_TEACHES.match(said))
    lessons = {
        one.sentence
        for one in hear(said)
        if (taught or one.label == FACT) and not _SETTLES.search(one.sentence)
    }
    return bool(lessons) and all(
        one in lessons or len(one.split()) < _PRAISE or _CLOSES.match(one)
        for one in sentences(said)
    )


def _corrects(messages: Sequence[Message], at: int, said: str) -> bool:
    """Return whether a turn only teaches, and the agent answered it with hardly a word."""
    answer = _until_request(messages[at + 1 :])
    hardly = sum(len(_prose(one).split()) for one in answer) <= _A_NOTE
    return hardly and _only_teaches(said)


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
    end = next((at for at, one in enumerate(messages) if _request(one)), len(messages))
    return messages[:end]


def where_it_stood(messages: Sequence[Message]) -> Checkpoint | None:
    """Return a session's state: asked, done, next, open. None if nobody asked anything.

    Asked is the person's last request in their own words, and what it goes on from where it is
    short ("commit this"); done, next and open are what the agent last said after it. What tools
    printed and what clients inject is none of either, nor is a lesson that was given at the end.
    """
    said = [
        (at, told)
        for at, one in enumerate(messages)
        if (told := _request(one)) and not _GREETS.match(told)
    ]
    # Who says thanks, or goodbye, asks for nothing and waits for no answer.
    asked_for = [one for one in said if not _CLOSES.match(one[1])] or said
    taught = [at for at, told in asked_for if _was_noted(messages, at, told)]
    requests = [one for one in asked_for if one[0] not in taught] or asked_for
    if not requests:
        return None
    begun, last = requests[-1]
    alone = [(at, told) for at, told in reversed(requests) if _stands_alone(told)]
    # What is only asked, and what only corrects, is told behind the work that it is about.
    work = [
        (_was_worked_on(messages, at), told)
        for at, told in alone
        if not (_ONLY_ASKS.match(told) or _corrects(messages, at, told))
    ]
    done = [told for worked, told in work if worked] or [told for _, told in work]
    whole = next(iter(done), alone[0][1] if alone else last)
    began = next((at for at, told in alone if told == whole), begun)
    # Before it is put on one line and cut: half a secret, or one without its line, is not known.
    last, whole = redact(last)[0], redact(whole)[0]
    nod = len(last.split()) < _MORE_THAN_A_NOD
    last, whole = (_LED_UP.sub("", told, count=1) for told in (last, whole))
    then = f"; then: {last}"
    asked = whole if nod or whole == last else f"{_line(whole, _REQUEST)}{then}"
    until = next((at for at in taught if at > begun), len(messages))
    answer, commits = (redact(told)[0] for told in _answer(messages, begun, until))
    told = what_was_told(answer)
    # What was only asked, taught or decided at the end leaves standing what was told of the work.
    settled = not told and _SETTLES.search(last)
    passing = settled or _ONLY_ASKS.match(last) or _only_teaches(last)
    if began < begun and not commits and passing:
        told = what_was_told(redact(_answer(messages, began, begun)[0])[0]) or told
    answered = any(map(_prose, messages[begun + 1 :]))
    steps = tuple(_line(step, _STEP) for step in next_steps(answer)[:_STEPS_TOLD])
    stood = Checkpoint(
        "",
        _line(asked, _REQUEST + _STEP),
        _line(_DONE.sub("", told) or commits, _GIST),
        steps,
        _left_open(answer) if answer or commits or answered else "no answer yet",
    )
    listed = "".join(f"\n- {step}" for step in steps)
    parts = (
        ("Asked: ", stood.asked),
        ("Done: ", stood.summary),
        ("Next:", listed),
        ("Open: ", stood.open),
    )
    return stood._replace(text="\n".join(name + told for name, told in parts if told))


def _request(message: Message) -> str:
    """Return a message's request in the person's own words, or the plan it hands on."""
    if message.role != USER:
        return ""
    plan = _PLAN.match(message.text)
    return own_words(message.text) or (f"implement the plan: {plan[1]}" if plan else "")


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
    """Return what waits for the user: the agent's last question."""
    last = answer.rstrip("*_ \n").split("\n")[-1]
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
        if line.lstrip("#*_- ").lower().startswith(_STEP_HEADINGS):
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
