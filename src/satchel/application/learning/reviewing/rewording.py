"""Suggestions in a person's own words, or of another kind. Pure."""

from __future__ import annotations

from satchel.application.learning.drafting.proposing import RULES
from satchel.application.learning.reviewing.bringing_back import NEW_SOFT_RULE
from satchel.core.errors import BadInputError
from satchel.core.excerpts import beginning
from satchel.core.hashing import digest
from satchel.core.kinds import KNOWLEDGE as LASTING
from satchel.core.kinds import kind_named, kinds_for
from satchel.engine.markdown.front_matter import split, with_fields
from satchel.features.notes.reading import read_note
from satchel.features.proposals.values import (
    AGENT_FILE,
    BEHAVIORAL,
    CREATE,
    ENTRY,
    INSTINCT,
    KNOWLEDGE,
    MEMORIES,
    MEMORY,
    PROJECT,
    REMEMBER,
    STRUCTURED,
    USER,
    Edit,
    Proposal,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.learning.drafting.values import Targets

#: Names for people of a line of CLAUDE.md, and an entry of instincts.yaml.
_RULE, _SOFT_RULE = "rule", "soft rule"
#: Characters around a list line's words, and how many words a warning quotes.
_BULLET, _WARNED = " -*+\n", 100


def reworded(proposal: Proposal, text: str) -> Proposal:
    """Return a suggestion with `text` in its first edit, not queued yet.

    Raises `BadInputError` for an empty text, or an invalid note.
    """
    if not text.strip():
        raise BadInputError("Nothing is left of it.", hint="Reject it instead: N.")
    first = proposal.edits[0]
    if first.operation == CREATE and first.path.endswith(".md"):
        text = as_note(first, text)
    edits = [first._replace(text=text)]
    kept, warnings = _still_contradicted(proposal, text)
    for edit in kept:
        # The copy in the knowledge base has the note's text.
        same = edit.operation == CREATE and edit.text == first.text
        edits.append(edit._replace(text=text) if same else edit)
    key = digest(f"{proposal.key}\0{text}".encode("utf-8", "replace")).hex()[:24]
    title = beginning(text, 120) if first.operation != CREATE else proposal.title
    return proposal._replace(
        edits=tuple(edits),
        key=key,
        title=title,
        warnings=warnings,
        derived_from=(proposal.id,),
        id="",
        ts=0,
        trust="user",
    )


def _still_contradicted(proposal: Proposal, text: str) -> tuple[list[Edit], tuple[str, ...]]:
    """Return the other edits and the warnings, without those about lines compatible with `text`."""
    from satchel.engine.statements.contradictions import AGAINST, Rule, clashes

    kept: list[Edit] = []
    standing: list[str] = []
    for edit in proposal.edits[1:]:
        said = edit.text.strip(_BULLET)
        against = any(one.what == AGAINST for one in clashes(text, [Rule("", 0, said)]))
        if edit.takes_out and not against:
            standing.append(said[:_WARNED])
        else:
            kept.append(edit)
    warnings = [one for one in proposal.warnings if not any(said in one for said in standing)]
    return kept, tuple(warnings)


def of_other_kind(proposal: Proposal, kind: str, targets: Targets) -> Proposal:
    """Return a suggestion of one sentence as a rule, a soft rule, or a memory of a kind.

    Raises `BadInputError` for an unknown kind, and for anything but one sentence.
    """
    first = proposal.edits[0]
    said = first.operation in (ENTRY, REMEMBER) or first.section == INSTINCT
    if not said or first.takes_out:
        raise BadInputError(
            f"What this becomes ({proposal.kind.replace('_', ' ')}) has one kind only.",
            hint="--modify with --text rewords it.",
        )
    named = kind.replace("-", " ").strip().lower()
    if named == _RULE:
        edit = Edit(ENTRY, PROJECT, targets.instructions, first.text, RULES)
        became, group = AGENT_FILE, BEHAVIORAL
    elif named == _SOFT_RULE:
        edit = Edit(
            STRUCTURED,
            PROJECT,
            targets.instincts,
            text=first.text,
            section=INSTINCT,
            data=dict(NEW_SOFT_RULE),
        )
        became, group = INSTINCT, BEHAVIORAL
    else:
        kind_of_it = _kind_of_memory(named)
        # A personal preference is the user's, and binds no colleague.
        mine = {USER: True} if kind_of_it == "preference" and targets.has_person else None
        edit = Edit(REMEMBER, MEMORIES, "", text=first.text, section=kind_of_it, data=mine)
        became, group = MEMORY, KNOWLEDGE
    key = digest(f"{proposal.key}\0{named}".encode("utf-8", "replace")).hex()[:24]
    edits = (edit, *proposal.edits[1:])
    return proposal._replace(kind=became, group=group, edits=edits, key=key, agent="")


def _kind_of_memory(named: str) -> str:
    kind = kind_named(named).name
    if kind not in kinds_for(LASTING):
        raise BadInputError(
            f"What is learnt is no {kind_named(kind).noun}.",
            hint=f"It may be a {_RULE}, a {_SOFT_RULE}, {', '.join(sorted(kinds_for(LASTING)))}.",
        )
    return kind


def as_note(first: Edit, text: str) -> str:
    """Return a new file's reworded text; for a note, with valid front matter.

    Plain words replace the note's text, below its existing front matter.
    """
    old, new = first.text.encode("utf-8", "replace"), text.encode("utf-8", "replace")
    if not split(old).has_fields:
        return text
    if not text.startswith("---"):
        kept = with_fields(old, {"key_insight": " ".join(text.split())})
        body = len(split(kept).body)
        return f"{kept[: len(kept) - body].decode('utf-8', 'replace')}\n{text.strip()}\n"
    note = read_note(first.path, new)
    if isinstance(note, str):
        raise BadInputError(f"That is no longer a note: {note}.", hint="Fix it and try again.")
    if not note.fields:
        raise BadInputError(
            "That is no longer a note: its front matter says nothing.",
            hint="Keep the lines between the two `---`, or give the words below them alone.",
        )
    return text
