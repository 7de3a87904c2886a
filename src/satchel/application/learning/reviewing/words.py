"""Texts of a review: a change's commit message, a reworded note. Pure."""

from __future__ import annotations

from satchel.core.ids import short_id
from satchel.core.kinds import kind_named
from satchel.core.plurals import counted
from satchel.features.notes.reading import read_note
from satchel.features.proposals.values import (
    AGENT_FILE,
    ARCHIVE,
    ENTRY,
    INSTINCT,
    MOVE,
    NOTE,
    PROMOTION,
    REINFORCE,
    REJECTED,
    REMEMBER,
    SET_ASIDE,
    STRUCTURED,
    UPDATE,
    Decision,
    Proposal,
)

#: Names for people of what a suggestion becomes, if different from its kind's.
_NOUNS = {
    AGENT_FILE: "rule",
    ARCHIVE: "memory",
    INSTINCT: "soft rule",
    PROMOTION: "soft rule",
    UPDATE: "note",
    MOVE: "note",
}


def noun_of(proposal: Proposal) -> str:
    """Return the name of what a suggestion becomes: a rule, a lesson, a note."""
    first = proposal.edits[0]
    if first.operation == REMEMBER:
        return kind_named(first.section).noun
    if proposal.kind == ARCHIVE and first.operation != SET_ASIDE:
        return "line"  # of an instruction file or of the soft rules; it is no memory
    return _NOUNS.get(proposal.kind, proposal.kind)


def in_one_line(proposal: Proposal) -> str:
    """Return the effect of accepting, if the lesson and one line say it all; otherwise ""."""
    edit = proposal.edits[0]
    if proposal.kind == NOTE:
        return f"Becomes {edit.path}, with {counted(len(proposal.edits) - 1, 'file')} for search"
    if len(proposal.own_edits) > 1 or "\n" in edit.text.strip():
        return ""
    if edit.takes_out:
        left = "briefs; recall still finds it" if edit.operation == SET_ASIDE else edit.path
        return f"Leaves {left}"
    if edit.operation == REMEMBER:
        whose = " of yours, in every project" if edit.for_person else ", private until you share it"
        return f"Becomes a {noun_of(proposal)}{whose}"
    if edit.operation == ENTRY:
        return f"Goes into {edit.path}, below `{edit.section}`"
    if edit.operation == STRUCTURED and edit.section == REINFORCE:
        return f"Raises its confidence in {edit.path}"
    if edit.operation == STRUCTURED and proposal.kind == INSTINCT:
        return f"Goes into {edit.path}, confidence {(edit.data or {}).get('confidence')}"
    return ""


def lesson_of(proposal: Proposal) -> str:
    """Return what a suggestion says: a note's insight, a text of one line, else its title."""
    edit = proposal.edits[0]
    if proposal.kind == NOTE:
        note = read_note(edit.path, edit.text.encode())
        told = "" if isinstance(note, str) else note.text("key_insight")
        return told or proposal.title
    says_it = edit.operation in (REMEMBER, ENTRY) or edit.section == "instinct"
    return edit.text if says_it and in_one_line(proposal) else proposal.title


def message_of(proposal: Proposal) -> str:
    """Return the commit message for a suggestion."""
    kinds = {
        INSTINCT: "Add an instinct",
        "note": "Add a learning note",
        "memory": "Note in memory",
        "agent_file": "Add a rule",
        "skill": "Add a skill",
        "update": "Add to a note",
        "move": "Move to a note",
        "guard": "Add a guard",
        "promotion": "Promote an instinct",
    }
    subject = f"{kinds.get(proposal.kind, 'Change')}: {' '.join(proposal.title.split())[:60]}"
    lines = [subject, "", proposal.why]
    if proposal.session:
        lines.append(f"Session: {proposal.session}")
    return "\n".join([*lines, f"Proposal: {proposal.id}"]) + "\n"


def why_not(proposal: Proposal, decided: Decision) -> str:
    """Return why a decided suggestion cannot be accepted."""
    if decided.reworded:
        return f"it was reworded; `satchel review {short_id(decided.reworded)}` accepts that"
    if decided.state == REJECTED:
        return f"it was rejected; `satchel review --undo {short_id(proposal.id)}` brings it back"
    return "it was decided in the meantime"
