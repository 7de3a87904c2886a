"""The items of the Inbox, all of one type: suggestions and unapproved items."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

from satchel.application import approval
from satchel.application.approval import Waiting
from satchel.application.learning.reviewing.memories import additions
from satchel.application.learning.reviewing.review import Review
from satchel.application.learning.signals.values import CORRECTION, DECISION, FACT, PREFERENCE
from satchel.clients.transcript_format.values import Turn
from satchel.core.errors import SatchelError
from satchel.core.hashing import short_hash
from satchel.core.token_budget import estimate_tokens
from satchel.core.values import NamedTuple
from satchel.features.memories.contradicting import Contradiction
from satchel.features.proposals import values as proposals
from satchel.features.proposals.values import Proposal, QueuedProposal
from satchel.interfaces.http.console.diffs import FileDiff, diff_of
from satchel.interfaces.http.console.presentation import GUARD, NOTE, RULE, kind_look
from satchel.storage.ledger.record import Record
from satchel.workspace import Workspace

CONTRADICTIONS = "Contradict each other"
SUGGESTIONS, UNAPPROVED = "Suggestions", "Not approved, held back from agents"
_KINDS = {
    "note": NOTE,
    "update": NOTE,
    "skill": NOTE,
    "instinct": RULE,
    "promotion": RULE,
    "guard": GUARD,
    "memory": "learned",
    "agent_file": "constraint",
}
_CAUSES = {
    "captured": "an agent noted it",
    CORRECTION: "somebody corrected an agent",
    PREFERENCE: "somebody stated a preference",
    DECISION: "somebody decided it",
    FACT: "somebody said so",
}
_FROM = {
    "": "from another program",
    "imported": "imported",
    "tool": "the output of a tool",
    "web": "from the web",
}
_EFFECTS = {
    proposals.GUARD: "It is checked on every tool call, and blocks those that match.",
    proposals.INSTINCT: "A soft rule: agents are told this and weigh it against the others.",
    proposals.PROMOTION: "A soft rule: agents are told this and weigh it against the others.",
    proposals.ARCHIVE: "Agents are no longer told this.",
}
_AGAINST = re.compile(
    r"contradicts (?P<place>\S+): (?P<text>.*?)(?: \((?P<why>[^()]*)\))?$", re.DOTALL
)


class Item(NamedTuple):
    """An item to decide: its key, group, kind, title, link and reason."""

    key: str
    group: str
    kind: str
    title: str
    about: str
    sure: str = ""


class Against(NamedTuple):
    """A line that a suggestion contradicts: its location, its text and the reason."""

    place: str
    text: str
    why: str


class Suggestion(NamedTuple):
    """A suggestion in full: its files, the words that caused it, and what it contradicts.

    `file` is the one it changes, "" for a new one; `effect` is the result of accepting.
    """

    queued: QueuedProposal
    files: list[FileDiff]
    problem: str
    against: list[Against]
    others: list[str]
    words: list[tuple[Turn, bool]]
    text: str
    tokens: int
    file: str
    effect: str


def suggestions(waiting: list[QueuedProposal]) -> list[Item]:
    """Return pending suggestions."""
    found = []
    for one in waiting:
        proposal = one.proposal
        first = proposal.edits[0]
        remembers = first.operation == proposals.REMEMBER
        kind = first.section if remembers else _KINDS.get(proposal.kind, "other")
        made = remembers or first.operation == proposals.CREATE
        to = f"new {kind_look(kind).name.lower()}" if made else _file_of(proposal)
        about = " · ".join(filter(None, (to, _cause(proposal))))
        key = f"s-{proposal.id}"
        found.append(
            Item(key, SUGGESTIONS, kind, title=proposal.title, about=about, sure=proposal.tier)
        )
    return found


def _file_of(proposal: Proposal) -> str:
    """Return the name of the file that a suggestion changes; "" if none."""
    first = proposal.edits[0]
    return "" if first.operation in proposals.OF_MEMORIES else os.path.basename(first.path)


def _cause(proposal: Proposal) -> str:
    why = proposal.why.partition(": ")[2] or proposal.why
    what, comma, sure = why.rpartition(", ")
    what = what if comma and sure.endswith("confidence") else why
    return _CAUSES.get(what, what)


def _effect(proposal: Proposal) -> str:
    if proposal.kind == proposals.AGENT_FILE:
        return f"Every agent that reads {_file_of(proposal)} is told this from its next session on."
    return _EFFECTS.get(proposal.kind, "Agents are told this when their task or prompt matches.")


def unapproved(found: Waiting, root: str) -> list[Item]:
    """Return unapproved items, by the keys that `approval.with_keys` reads."""
    items = [
        Item(approval.memory_key(one), UNAPPROVED, one.kind, one.title or one.content, _origin(one))
        for one in (*found.memories, *found.lines)
    ]
    for file in found.files:
        name = os.path.relpath(file.path, root)
        who = ", ".join(str(one) for one in file.authors) or "nobody committed it"
        key = approval.file_key(name, file.data)
        items.append(Item(key, UNAPPROVED, NOTE, name, f"file · {who}"))
    return items


def contradictions(found: Sequence[Contradiction]) -> list[Item]:
    """Return memories that contradict each other, by the key of their pair."""
    items = []
    for one in found:
        title, against = (r.title or r.content for r in (one.later, one.earlier))
        key, about = contradiction_key(one), f"against: {against}"
        items.append(Item(key, CONTRADICTIONS, one.later.kind, title, about))
    return items


def contradiction_key(one: Contradiction) -> str:
    """Return a pair's key for addresses and forms."""
    return "c-" + short_hash(f"{one.earlier.id}\0{one.later.id}".encode())


def suggestion(work: Workspace, review: Review, ident: str) -> Suggestion:
    """Return one suggestion in full."""
    queued = review.find(ident)
    proposal = queued.proposal
    files, problem = [], ""
    try:
        seen: set[bytes] = set()
        for one in review.changes(proposal):
            side = one.path.endswith((".entities.yaml", ".entities.yml")) or one.after in seen
            seen.add(one.after)
            files.append(diff_of(review.places.shown(one.path), one.before, one.after, folded=side))
        for name, one in additions(proposal):
            files.append(diff_of(name, None, one.after))
    except SatchelError as error:
        problem = str(error)
    clashes = [_AGAINST.match(one) for one in proposal.warnings]
    against = [Against(c["place"], c["text"], c["why"] or "") for c in clashes if c]
    others = [one for one, c in zip(proposal.warnings, clashes, strict=True) if not c]
    first = proposal.edits[0]
    worded = (
        first.operation in (proposals.CREATE, proposals.ENTRY, proposals.APPEND, proposals.REMEMBER)
        or first.section == proposals.INSTINCT
    )
    text = first.text if worded else ""
    told: dict[str, Any] = {
        "words": _words(work, queued),
        "effect": _effect(proposal),
        "text": text,
    }
    told["tokens"] = estimate_tokens(first.text or proposal.title)
    told["file"] = "" if first.operation == proposals.CREATE else _file_of(proposal)
    return Suggestion(queued, files, problem, against=against, others=others, **told)


def _words(work: Workspace, queued: QueuedProposal) -> list[tuple[Turn, bool]]:
    """Return the turns that caused it, with one before and one after, if the user may read them."""
    session, turns = queued.proposal.session, set(queued.proposal.turns)
    if work.person is None or not session or not turns:
        return []
    try:
        with work.sessions as opened:
            every = [one for one in opened.archive.archived(session).turns if one.text.strip()]
    except SatchelError:
        return []
    at = [n for n, one in enumerate(every) if one.id in turns]
    near = sorted({m for n in at[:3] for m in (n - 1, n, n + 1) if 0 <= m < len(every)})
    return [(every[n], n in at) for n in near]


def _origin(one: Record) -> str:
    return " · ".join(filter(None, (one.source or one.agent, _FROM.get(one.trust, ""))))
