"""What agents are told that contradicts itself: marked in briefs, listed for a person to decide."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.application.outlet import Outlet
from satchel.core.kinds import RULE, kinds_for
from satchel.core.trust import REPO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.briefs.sections import Item, Section
    from satchel.application.outlet import Shown
    from satchel.application.services import Services
    from satchel.features.memories.contradicting import Contradiction

_KINDS = kinds_for(RULE)
#: The sections of a brief that tell of them.
_TOLD = ("constraints", "decisions")
_NOTE = "contradicts another one here: ask which holds"


def with_contradictions(rules: Sequence[Shown], decisions: Sequence[Shown]) -> list[list[Shown]]:
    """Return rules and decisions, marking those that contradict another author's."""
    every = [one.record for one in (*rules, *decisions)]
    if not any(one.trust == REPO for one in every):
        return [list(rules), list(decisions)]
    from satchel.features.memories.contradicting import contradicting

    against: set[str] = set()
    for pair in contradicting(every):
        if REPO in (pair.earlier.trust, pair.later.trust):
            against |= {pair.earlier.id, pair.later.id}
    return [
        [
            one._replace(note="; ".join(filter(None, (one.note, _NOTE))))
            if one.record.id in against
            else one
            for one in group
        ]
        for group in (rules, decisions)
    ]


def beside_files(sections: Sequence[Section], files: str) -> list[Section]:
    """Mark rules and decisions that a line of an instruction file contradicts, and that line.

    Args:
        sections: of the brief.
        files: name of the section with the files' lines.
    """
    lines = [item for one in sections if one.name == files for item in one.items if item.raw]
    told = [item for one in sections if one.name in _TOLD for item in one.items if item.raw]
    if not lines or not told:
        return list(sections)
    from satchel.engine.contradictions import AGAINST, Rule, clashes

    written = [Rule(line.raw, at, line.raw) for at, line in enumerate(lines)]
    found = [(item, one) for item in told for one in clashes(item.raw, written)]
    against = {item.text for item, one in found if one.what == AGAINST}
    against |= {lines[one.rule.line].text for _, one in found if one.what == AGAINST}

    def marked(item: Item) -> Item:
        if item.text not in against or _NOTE in item.text:
            return item
        shown = f"{item.text[:-1]}; {_NOTE})" if item.identity else f"{item.text} ({_NOTE})"
        return item._replace(text=shown)

    names = (files, *_TOLD)
    return [
        one._replace(items=tuple(map(marked, one.items))) if one.name in names else one
        for one in sections
    ]


def told_contradictions(work: Services, most: int) -> list[Contradiction]:
    """Return pairs of what agents are told of which a person has to say which holds.

    Args:
        work: the open project.
        most: how many of the newest rules and decisions are compared with each other.
    """
    from satchel.features.memories.contradicting import contradicting, needs_decision

    shown = Outlet(work).newest(_KINDS, most)[:most]
    found = contradicting([one.record for one in shown])
    return sorted(filter(needs_decision, found), key=lambda one: -one.later.when)
