"""Asks the agent to remember what it has just heard, and handles the answer.

The user's words that caused a memory are in the injection ledger; the memory names that line.
"""

from __future__ import annotations

from satchel.application.learning.signals.hearing import hear, heard, may_last
from satchel.clients.registry import alias_of, running_agent
from satchel.core.errors import SatchelError
from satchel.core.ids import short_id
from satchel.core.kinds import LESSON
from satchel.core.token_budget import cut_to_tokens, estimate_tokens
from satchel.core.trust import AGENT, clean_line, fence, new_nonce
from satchel.core.values import NamedTuple
from satchel.features.injections.nudges import (
    FIXED,
    WITHDRAWAL,
    cause_of,
    label_of,
    nudge_injection,
)
from satchel.storage.inbox.nudge_state import NudgeState
from satchel.storage.settings.environment import installed_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from satchel.application.learning.nudging.standing_rules import Standing
    from satchel.application.learning.signals.values import Heard
    from satchel.application.services import Services
    from satchel.features.injections.injection_ledger import Injection
    from satchel.storage.ledger.record import Record

#: Most tokens of what was heard, and of how to keep it; most statements of one prompt.
_HEARD, _WORDING, _MOST_HEARD = 60, 60, 3
#: Longest prompt to understand, in characters; a longer one is a document.
_LONGEST = 8000
#: The share of a statement's significant words in a memory that already says it.
_SAYS_IT = 0.8
_DECISION = "decision"
#: Kinds that are binding; and words that make a decision binding.
_RULES = ("constraint", "preference")
_BINDING = frozenset(("always", "never", "must", "only", "don't", "not", "forbidden"))
#: Every withdrawal contains one of these.
_TAKES_BACK = (
    *("forget", "ignore", "disregard", "scrap", "drop", "ditch", "undo", "never mind", "nevermind"),
    *("agree with", "get rid of", "lift", "loosen", "revoke", "retire", "abolish"),
    *("rule", "policy", "decision", "convention"),
    *("vergiss", "oublie", "olvida"),
)
#: Separates our command's text from the shell's own.
_QUOTED = frozenset('"$`\\!')


class KeptMemory(NamedTuple):
    """What was written, and whether a rule derived from it waits for the user."""

    record: Record
    waits: bool = False


def ask_after_prompt(work: Services, prompt: str, session: str) -> str:
    """Return a line asking to keep what a prompt said; "" for most prompts.

    Records it in the injection ledger. At most one in five prompts, unless the prompt contradicts a
    rule; never twice about one thing, and not about what is already remembered.
    """
    asking = NudgeState(work.project.state, session)
    typed = _typed(prompt) if "<" in prompt else prompt.strip()
    if not session or not typed or len(typed) > _LONGEST or typed[0] in "/!":
        return ""  # no person typed that, or not to the agent
    if asking.is_there():
        asking.prompts += 1
        asking.save()
    taken_back = _taken_back(work, typed, asking)
    # If nothing may be asked, skip understanding: the patterns cost more than the rest of a hook.
    its_turn = bool(taken_back) or asking.may_ask()
    found = _all_heard(typed) if its_turn or _names_a_rule(work, typed) else []
    told = []
    for one in found:
        standing = _standing(work, one)
        # A contradiction of a rule does not wait for its turn.
        if not (its_turn or (standing and standing.contradicts)):
            continue
        # A rule already in a file is mentioned again: it was not followed.
        told_again = standing is not None and standing.agrees
        if told_again or (not _is_known(work, one.wording) and asking.claim(one.wording)):
            told.append((one, standing))
    return _ask(work, session, taken_back, told, asking) if told or taken_back else ""


def keep_ready() -> None:
    """Keep the patterns that hear a prompt compiled, for hooks to come."""
    from satchel.application.learning.nudging import standing_rules
    from satchel.application.learning.signals import context, likelihood, reasons, taste
    from satchel.application.learning.signals.speech import roundabout
    from satchel.engine.statements import replacing
    from satchel.storage.kept_patterns import keep_patterns

    # They were loaded, and so were their patterns.
    del standing_rules, context, likelihood, reasons, taste, roundabout, replacing
    keep_patterns()


def _all_heard(typed: str) -> list[Heard]:
    """Return the first few lasting statements of a prompt without secrets."""
    first = heard(typed)
    if first is None:
        return []
    # Text with half a bracket is torn out of its sentence, and teaches nothing alone.
    more = [one for one in hear(typed)[1:] if one.sentence.count("(") == one.sentence.count(")")]
    return [one for one in [first, *more][:_MOST_HEARD] if not _holds_secret(one.sentence)]


def _names_a_rule(work: Services, typed: str) -> bool:
    """Return whether a rule's line shares words with a prompt that may last; loads nothing."""
    from satchel.application.recall.tiers.instructions import holds_words

    return may_last(typed) and any(holds_words(one, typed) for one in work.project.tracked.rules)


def _ask(
    work: Services,
    session: str,
    taken_back: str,
    heard: Sequence[tuple[Heard, Standing | None]],
    asking: NudgeState,
) -> str:
    """Return the fenced lines, recorded in the injection ledger."""
    lines, label, sentence = [taken_back], WITHDRAWAL, taken_back
    for found, standing in heard:
        said = cut_to_tokens(clean_line(found.sentence), _HEARD).rstrip(" .:;,")
        lines.append(f'Heard ({found.label}): "{said}". {_what_to_do(found, standing)}')
    if heard:
        label, sentence = heard[0][0].label, " ".join(one.sentence for one, _ in heard)
    line = "\n".join(filter(None, lines))
    told = fence(new_nonce(), "to keep", line)
    now = work.project.clock.now()
    injection = nudge_injection(
        "UserPromptSubmit", session, label, sentence, line, tokens=estimate_tokens(told), now=now
    )
    work.injections.note(injection)
    asking.note_asked()
    return told


def _taken_back(work: Services, typed: str, asking: NudgeState) -> str:
    """Return a line on what a prompt takes back; it does not wait for its turn."""
    if not any(word in typed.lower() for word in _TAKES_BACK):
        return ""
    from satchel.application.learning.signals.unmeant import withdrawn

    if not withdrawn(typed):
        return ""
    from satchel.application.learning.nudging.withdrawals import rules_taken_back_by, taken_back_by

    about = [
        (one.title or one.content, f"{installed_command()} hide {short_id(one.id)} --yes")
        for one in taken_back_by(work, typed).values()
    ]
    about += rules_taken_back_by(work, typed, installed_command())
    told = [
        f'"{cut_to_tokens(clean_line(said), _HEARD)}": {how}'
        for said, how in about
        if asking.claim(how)
    ]
    return f"Heard that this no longer holds; if so, hide it. {'; '.join(told)}" if told else ""


def _holds_secret(sentence: str) -> bool:
    from satchel.core.redaction.redactor import redact

    return bool(redact(sentence)[1])


def _typed(prompt: str) -> str:
    from satchel.clients.transcript_format.texts import said_by_person

    return said_by_person(prompt)


def _how(found: Heard) -> str:
    wording = _word(cut_to_tokens(clean_line(found.wording), _WORDING))
    verb = f"remember --kind {_DECISION}" if found.label == _DECISION else "learn"
    verb = "remember --user --kind preference" if _is_taste(found.wording) else verb
    named = _points_back(found.wording)
    named = f', naming what "{named.lower()}" is about' if named else ""
    return f"If it holds beyond this task, keep it{named}: {installed_command()} {verb} {wording}"


def _points_back(wording: str) -> str:
    from satchel.application.learning.signals.context import points_back

    return points_back(wording)


def _standing(work: Services, found: Heard) -> Standing | None:
    from satchel.application.learning.nudging.standing_rules import standing_rule

    return standing_rule(work, found.wording)


def _what_to_do(found: Heard, standing: Standing | None) -> str:
    if standing is None:
        return _how(found)
    says = f'{standing.place} ("{cut_to_tokens(clean_line(standing.text), _HEARD)}")'
    if standing.agrees:
        return f"It stands in {says}: follow it."
    if not standing.contradicts:
        return f"{says} is about it, too: if not both can hold, ask which does. {_how(found)}"
    return f"It contradicts {says}: ask which of them holds. {_how(found)}"


def _word(text: str) -> str:
    """Quote a text as one shell word."""
    if not _QUOTED & set(text):
        return f'"{text}"'
    return "'" + text.replace("'", "'\\''") + "'"


def _is_known(work: Services, wording: str) -> bool:
    """Return whether a memory already says this, such as one from this session."""
    from satchel.application.recall.questions import KEYWORD
    from satchel.application.recall.service import recall_memories
    from satchel.engine.search.tokens import distinctive_words

    words = set(distinctive_words(wording))
    found = recall_memories(work, wording, limit=3, method=KEYWORD, weak=True, partial=True).items
    return any(
        len(words & set(distinctive_words(one.record.content))) >= _SAYS_IT * len(words)
        for one in found
        if words and one.record.kind not in ("checkpoint", "activity")
    )


# What is written afterwards


def remember(work: Services, content: str, *, kind: str, **fields: Any) -> KeptMemory:
    """Remember something; if the agent was asked for it, record the words that caused it.

    A would-be rule is kept as a lesson, and the rule waits for the user's review. A lesson
    beginning with "RULE: ..." is a rule. A brief's line that is repeated is the memory itself. What
    an agent remembers for the person is kept for this project, unless it is how the person wants to
    be talked to.
    """
    from satchel.application.learning.listening.markers import is_echo, kind_said

    if kind == LESSON or is_echo(content):
        said, rest = kind_said(content)
        kind = said if said and kind == LESSON else kind
        same = work.memories.own.live(kinds=(kind,)) if said and is_echo(content) else []
        known = next((one for one in same if one.content.strip() == rest), None)
        if known is not None:
            return KeptMemory(known)
        content = rest
    trust = fields.get("trust") or work.project.trust
    if trust == AGENT and fields.get("user") and not _is_taste(content):
        fields["user"] = False  # an agent makes no rule for every project
    nudge = _cause(work, content, fields) if trust == AGENT and not fields.get("user") else None
    if nudge is None:
        return KeptMemory(work.memories.remember(content, kind=kind, **fields))
    fields["derived_from"] = (nudge.id,)
    fields["session"] = fields.get("session") or nudge.session
    if label_of(nudge) == FIXED or not _binds(kind, content):
        return KeptMemory(work.memories.remember(content, kind=kind, **fields))
    record = work.memories.remember(content, kind="learned", **{**fields, "key": ""})
    return KeptMemory(record, _suggest(work, record, nudge))


def _is_taste(content: str) -> bool:
    from satchel.application.learning.signals.taste import is_taste

    return is_taste(content)


def _cause(work: Services, content: str, fields: dict[str, Any]) -> Injection | None:
    """Return the nudge that a memory answers, or None."""
    session = str(fields.get("session") or work.project.session)
    try:
        injections = work.injections.of_session(session) if session else work.injections.recent()
    except SatchelError:
        return None  # the memory matters more than the nudge it answers
    now = work.project.clock.now()
    ident = cause_of(content, injections, session=session, now=now)
    return next((one for one in injections if ident and one.id == ident), None)


def _binds(kind: str, content: str) -> bool:
    if kind in _RULES:
        return True
    return kind == _DECISION and bool(_BINDING.intersection(content.lower().split()))


def _suggest(work: Services, record: Record, nudge: Injection) -> bool:
    """Suggest the rule in a memory; return whether it waits for review."""
    from satchel.application.learning.drafting.proposing import draft
    from satchel.application.learning.reviewing.queue import open_queue
    from satchel.application.learning.reviewing.targets import ProjectTargets
    from satchel.application.learning.signals.patterns import category_of
    from satchel.application.learning.signals.values import BEHAVIORAL, HIGH, Signal

    learning = " ".join(record.content.split())
    signal = Signal(
        HIGH,
        label_of(nudge),
        BEHAVIORAL,
        learning_type="correction",
        category=category_of(learning),
        learning=learning,
        quote=nudge.heard,
        role="user",
        at=float(record.ts),
    )
    running = running_agent()
    client = alias_of(running[0]) if running and running[0] else ""
    targets = ProjectTargets(work).targets(record.session, client)
    drafted = draft([signal], targets).proposals
    queue = open_queue(work)
    try:
        # These are the agent's words, which the user has not seen.
        made = [one._replace(derived_from=(record.id,), trust=AGENT) for one in drafted]
        return bool(queue.propose(made))
    finally:
        queue.close()
