"""Turns signals into complete suggestions: routed and compared with existing rules."""

from __future__ import annotations

import os
from collections.abc import Sequence

from satchel.application.learning.drafting.note_texts import NoteText, note_text, title_of
from satchel.application.learning.drafting.routes import agents_for, route, wants_skill
from satchel.application.learning.drafting.values import SimilarNote, Targets
from satchel.application.learning.signals.taste import is_taste
from satchel.application.learning.signals.values import DECISION, HIGH, KNOWLEDGE, LOW, Signal
from satchel.core import times
from satchel.core.excerpts import beginning
from satchel.core.hashing import digest
from satchel.core.kinds import LESSON
from satchel.core.quick_json import canonical
from satchel.core.redaction.redactor import redact
from satchel.core.values import NamedTuple
from satchel.engine.statements.contradictions import SAME
from satchel.engine.words import says_later
from satchel.features.instructions.values import LEARNED_RULES
from satchel.features.notes.values import slug
from satchel.features.proposals.values import (
    AGENT_FILE,
    APPEND,
    BEHAVIORAL,
    CREATE,
    ENTRY,
    INSTINCT,
    LEARNINGS,
    MEMORIES,
    MEMORY,
    NOTE,
    PROJECT,
    REINFORCE,
    REMEMBER,
    SKILL,
    STRUCTURED,
    TAKE_OUT,
    UPDATE,
    USER,
    Edit,
    Proposal,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.engine.statements.contradictions import Clash

#: How similar a note must be to be the same, and to be linked.
SAME_NOTE, NEAR_NOTE = 0.6, 0.3
#: Headings for rules and findings.
RULES, GOTCHAS = LEARNED_RULES, "Project Notes"
#: What an instinct begins with, by where it comes from (reflect documents .5, and its program
#: goes by evidence).
_START = {"correction": 0.7, "said_twice": 0.7}
_GUESS, _USUAL = 0.3, 0.5
#: Characters of a suggestion's title.
_TITLE = 120
#: Most contradictions to name, and most to remove on acceptance.
_MOST_AGAINST, _MOST_REPLACED = 5, 2
_INSTINCT_CATEGORIES = {
    "tools": "tooling",
    "code-style": "style",
    "architecture": "architecture",
    "process": "convention",
    "security": "convention",
    "domain": "convention",
}


class DraftResult(NamedTuple):
    """Suggestions, and the signals that are already known."""

    proposals: tuple[Proposal, ...]
    known: tuple[tuple[Signal, str], ...]


def draft(signals: Sequence[Signal], targets: Targets, *, agent: str = "") -> DraftResult:
    """Draft a suggestion for each signal that says something new.

    Args:
        signals: from `signals.scanning`.
        targets: the places for suggestions.
        agent: only for this agent's file; other signals are left out.
    """
    proposals: list[Proposal] = []
    known: list[tuple[Signal, str]] = []
    for one in signals:
        signal = redacted(one)
        kind = route(signal, remembers=targets.remembers)
        if agent and kind != AGENT_FILE:
            continue
        if targets.has_person and signal.role == "user" and is_taste(signal.learning):
            made, why = _taste(signal, targets)
        elif kind == NOTE:
            made, why = _note(signal, targets)
        elif kind == AGENT_FILE:
            made, why = _rule(signal, targets, agent)
        elif kind == MEMORY:
            made, why = _entry(signal, targets)
        else:
            made, why = _instinct(signal, targets)
        proposals += made
        if why:
            known.append((signal, why))
    return DraftResult(tuple(proposals), tuple(known))


def redacted(signal: Signal) -> Signal:
    """Return a signal without secrets in its texts."""
    return signal._replace(
        learning=redact(signal.learning)[0],
        quote=redact(signal.quote)[0],
        error=redact(signal.error)[0],
    )


def _made(signal: Signal, targets: Targets, kind: str, edit: Edit, standing: _Standing) -> Proposal:
    """Return the suggestion to record a lesson, replacing what it contradicts."""
    made = _proposal(
        signal, targets, kind, beginning(signal.learning, _TITLE), edit, *standing.gone
    )
    return made._replace(warnings=standing.warnings)


def _proposal(signal: Signal, targets: Targets, kind: str, title: str, *edits: Edit) -> Proposal:
    group = KNOWLEDGE if kind in (NOTE, UPDATE, SKILL, MEMORY) else BEHAVIORAL
    return Proposal(
        kind,
        group,
        title,
        why=_why(signal),
        tier=signal.tier,
        edits=edits,
        key=key_of(kind, signal.learning),
        quote=signal.quote,
        session=targets.session,
        turns=signal.turns,
        derived_from=(),
        trust="user" if signal.role == "user" else "agent",
        learning_type=signal.learning_type,
    )


def key_of(kind: str, learning: str) -> str:
    """Return the key that identifies equal suggestions: their kind and the lesson's words."""
    words = " ".join("".join(c if c.isalnum() else " " for c in learning.lower()).split())
    return digest(canonical([kind, words]).encode("utf-8", "replace")).hex()[:24]


def _why(signal: Signal) -> str:
    who = "you" if signal.role == "user" else "the agent"
    told = f"From {who}: {signal.kind.replace('_', ' ')}"
    if signal.structural and signal.attempts:
        times = "once" if signal.attempts == 1 else f"{signal.attempts} times"
        told += f"; failed {times}, then passed" if signal.error or signal.files else f", {times}"
    return told


class _Standing(NamedTuple):
    """Existing content: where a lesson already is, what it contradicts, what it removes."""

    place: str
    warnings: tuple[str, ...]
    gone: tuple[Edit, ...]


def _standing(signal: Signal, targets: Targets) -> _Standing:
    """Search existing content for a lesson.

    A user's statement replaces older content that it certainly contradicts, but not what holds
    until a plan is carried out.
    """
    found = targets.clashing(signal.learning)
    against = [one for one in found if one.what != SAME][:_MOST_AGAINST]
    holds = not says_later(signal.learning) and not says_later(signal.quote)
    by_person = signal.role == "user" and len(against) <= _MOST_REPLACED and holds
    warnings, gone = [], []
    for one in against:
        edit = targets.outdated(one, signal.at) if by_person and one.certain else None
        gone += [edit] if edit else []
        does = "takes the place of" if edit else "contradicts"
        warnings.append(f"{does} {_place(one)}: {beginning(one.rule.text, _TITLE)} ({one.why})")
    same = next((_place(one) for one in found if one.what == SAME), "")
    return _Standing(same, tuple(warnings), tuple(gone))


def _place(clash: Clash) -> str:
    return f"{clash.rule.path}:{clash.rule.line}" if clash.rule.line else clash.rule.path


def _rule(signal: Signal, targets: Targets, agent: str) -> tuple[list[Proposal], str]:
    standing = _standing(signal, targets)
    if standing.place:
        return [], f"{standing.place} already says this"
    names = (agent,) if agent else agents_for(signal)
    named = next((name for name in names if name in targets.agents), "")
    below, path = targets.agents[named] if named else (PROJECT, targets.instructions)
    edit = Edit(ENTRY, below, path, signal.learning, RULES)
    # The rule replaces what the agent had remembered of it.
    kept = targets.kept(signal.learning)
    if kept is not None and kept not in standing.gone:
        standing = standing._replace(gone=(*standing.gone, kept))
    return [_made(signal, targets, AGENT_FILE, edit, standing)._replace(agent=named)], ""


def _entry(signal: Signal, targets: Targets) -> tuple[list[Proposal], str]:
    standing = _standing(signal, targets)
    if not standing.place and _line_of(standing):
        return [_in_place(signal, targets, standing)], ""
    known = standing.place or (targets.remembered(signal.learning) if targets.remembers else "")
    if known:
        return [], f"{known} already says this"
    edit = Edit(ENTRY, PROJECT, targets.memory, signal.learning, GOTCHAS)
    if targets.remembers:
        decided = DECISION in (signal.kind, signal.learning_type)
        kind = "decision" if decided else LESSON
        edit = Edit(REMEMBER, MEMORIES, "", signal.learning, kind)
    return [_made(signal, targets, MEMORY, edit, standing)], ""


def _line_of(standing: _Standing) -> str:
    """Return the file of a line to remove; "" if there is none."""
    return next((one.path for one in standing.gone if one.operation == TAKE_OUT), "")


def _in_place(signal: Signal, targets: Targets, standing: _Standing) -> Proposal:
    """Draft a line in place of one: who reads the file without Satchel would be left without."""
    edit = Edit(ENTRY, PROJECT, _line_of(standing), signal.learning, RULES)
    return _made(signal, targets, AGENT_FILE, edit, standing)


def _taste(signal: Signal, targets: Targets) -> tuple[list[Proposal], str]:
    """Draft a user's preference, which goes into no project file that colleagues read."""
    standing = _standing(signal, targets)
    known = standing.place or targets.remembered(signal.learning)
    if known:
        return [], f"{known} already says this"
    edit = Edit(
        REMEMBER, MEMORIES, "", text=signal.learning, section="preference", data={USER: True}
    )
    return [_made(signal, targets, MEMORY, edit, standing)], ""


def _instinct(signal: Signal, targets: Targets) -> tuple[list[Proposal], str]:
    standing = _standing(signal, targets)
    if standing.place.startswith(f"{targets.instincts}:"):
        return [_confirmation(signal, targets)], ""
    known = standing.place or targets.remembered(signal.learning)
    if known:
        return [], f"{known} already says this"
    if _line_of(standing):
        return [_in_place(signal, targets, standing)], ""
    usual = _GUESS if signal.tier == LOW else _USUAL
    confidence = max(usual, _START.get(signal.kind, usual))
    data = {
        "confidence": confidence,
        "category": _INSTINCT_CATEGORIES.get(signal.category, "convention"),
        # The file is committed, so the quotation stays in the user's own queue.
        "source": signal.kind.replace("_", " "),
        "scope": "project",
    }
    edit = Edit(
        STRUCTURED, PROJECT, targets.instincts, text=signal.learning, section="instinct", data=data
    )
    return [_made(signal, targets, INSTINCT, edit, standing)], ""


def _confirmation(signal: Signal, targets: Targets) -> Proposal:
    """Reinforce a soft rule that was observed again, at most once per session."""
    rule = next(
        one.rule.text
        for one in targets.clashing(signal.learning)
        if one.what == SAME and one.rule.path == targets.instincts
    )
    edit = Edit(STRUCTURED, PROJECT, targets.instincts, rule, REINFORCE)
    made = _proposal(signal, targets, INSTINCT, beginning(f"Confirm: {rule}", _TITLE), edit)
    return made._replace(key=key_of(INSTINCT, f"{rule} {targets.session}"))


def _note(signal: Signal, targets: Targets) -> tuple[list[Proposal], str]:
    similar = list(targets.similar(f"{signal.learning} {signal.error}"))
    nearest = similar[0] if similar else None
    if nearest is not None and nearest.near >= SAME_NOTE:
        return [_update(signal, nearest, targets)], ""
    links = tuple(one.id or one.path for one in similar if one.near >= NEAR_NOTE)[:3]
    note = note_text(signal, session=targets.session, now=targets.now, links=links)
    warnings = tuple(f"resembles {one.path}: linked" for one in similar if one.near >= NEAR_NOTE)
    edits = _note_edits(note, targets)
    made = [_proposal(signal, targets, NOTE, note.title, *edits)._replace(warnings=warnings[:3])]
    if wants_skill(signal):
        made.append(_skill(signal, targets))
    return made, ""


def _note_edits(note: NoteText, targets: Targets) -> tuple[Edit, ...]:
    """Return edits for note and sidecar, in the project and the user's knowledge base."""
    here = f"{targets.solutions}/{note.category}/{note.file}"
    base = f"learnings/{note.id}"
    return (
        Edit(CREATE, PROJECT, f"{here}.md", note.text),
        Edit(CREATE, PROJECT, f"{here}.entities.yaml", note.sidecar),
        Edit(CREATE, LEARNINGS, f"{base}.md", note.text),
        Edit(CREATE, LEARNINGS, f"{base}.entities.yaml", note.sidecar),
    )


def _update(signal: Signal, known: SimilarNote, targets: Targets) -> Proposal:
    """Append to the existing note on the same subject instead of writing a new one."""
    day = times.day(signal.at or targets.now)
    lines = [f"## Seen again, {day}", "", signal.learning]
    if signal.error:
        lines += ["", f"> {signal.error}"]
    text = "\n".join(lines) + "\n"
    places = ((known.below, known.path), *known.copies)
    edits = [Edit(APPEND, below, path, text) for below, path in places]
    return _proposal(signal, targets, UPDATE, beginning(f"Add to: {known.title}", _TITLE), *edits)


def _skill(signal: Signal, targets: Targets) -> Proposal:
    title = title_of(signal)
    name = slug(title)[:48].strip("-") or "fix"
    steps = [f"1. Recognise it: `{signal.error or signal.quote}`.", f"2. {signal.learning}"]
    files = ", ".join(f"`{os.path.basename(path)}`" for path in signal.files[:5])
    if files:
        steps.append(f"3. Look at {files} first: that is where it was changed.")
    steps.append(f"{len(steps) + 1}. Run the command again; it passed that way.")
    description = " ".join(f"Use when {signal.error or title} comes up again.".split())
    head = f'---\nname: {name}\ndescription: "{description.replace(chr(34), chr(39))[:300]}"\n---\n'
    text = f"{head}\n# {title}\n\n" + "\n".join(steps) + "\n"
    edit = Edit(CREATE, PROJECT, f"{targets.skills}/{name}/SKILL.md", text)
    proposal = _proposal(signal, targets, SKILL, beginning(f"Skill: {title}", _TITLE), edit)
    return proposal._replace(tier=HIGH)
