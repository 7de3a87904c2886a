"""Contradictions in what agents are told: marked in briefs, listed for a person to decide."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from satchel.application.outlet import Outlet
from satchel.core.errors import SatchelError
from satchel.core.kinds import RULE, kinds_for
from satchel.core.trust import REPO, clean_line
from satchel.engine.words import says_correction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.briefs.sections import Item, Section
    from satchel.application.outlet import Shown
    from satchel.application.services import Services
    from satchel.engine.statements.contradictions import Rule
    from satchel.features.memories.contradicting import Contradiction

_KINDS = kinds_for(RULE)
#: The sections of a brief with rules and decisions.
_TOLD = ("constraints", "decisions")
_ASK = "ask which holds"
_NOTE = f"contradicts another one here: {_ASK}"
#: What two memories have in common if one says that the other has changed: words, by their first
#: letters.
_IN_COMMON, _BEGINNING = 2, 4
_OUTDATED = f"a later one says otherwise: {_ASK}"
#: Most lines of files that clients read themselves to compare with the brief.
_MOST_LINES = 500


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


def outdated_marked(*groups: Sequence[Shown]) -> list[list[Shown]]:
    """Return groups of memories, marking those that a later one contradicts."""
    every = [one.record for group in groups for one in group]
    words = {one.id: _beginnings(one.content) for one in every}
    pairs = [
        (later, one)
        for later in every
        if says_correction(later.content)
        for one in every
        if later.when > one.when and len(words[later.id] & words[one.id]) >= _IN_COMMON
    ]
    if not pairs:
        return [list(group) for group in groups]
    from satchel.engine.statements.contradictions import says_otherwise  # few memories need it

    outdated = {one.id for later, one in pairs if says_otherwise(later.content, one.content)}
    return [[_marked(one, outdated) for one in group] for group in groups]


def _beginnings(text: str) -> frozenset[str]:
    """Return the beginnings of possibly significant words, without compiling a pattern."""
    return frozenset(word[:_BEGINNING] for word in text.lower().split() if len(word) >= _BEGINNING)


def _marked(one: Shown, outdated: set[str]) -> Shown:
    if one.record.id not in outdated:
        return one
    return one._replace(note="; ".join(filter(None, (one.note, _OUTDATED))))


def beside_files(
    sections: Sequence[Section], files: str, unseen: Callable[[], Sequence[Rule]] = tuple
) -> list[Section]:
    """Mark rules and decisions that a line of an instruction file contradicts, and that line.

    Args:
        sections: the brief's.
        files: the name of the section with the files' lines.
        unseen: lines that the client reads itself: the memory names their place.
    """
    lines = [item for one in sections if one.name == files for item in one.items if item.raw]
    told = [item for one in sections if one.name in _TOLD for item in one.items if item.raw]
    elsewhere = unseen() if told else ()
    if not (told and (lines or elsewhere)):
        return list(sections)
    from satchel.engine.statements.contradictions import AGAINST, clashes
    from satchel.engine.statements.contradictions import Rule as Line

    written = [Line(line.raw, at, line.raw) for at, line in enumerate(lines)]
    notes: dict[str, str] = {}
    for item in told:
        for one in clashes(item.raw, written):
            if one.what == AGAINST:
                notes[item.text] = notes[lines[one.rule.line].text] = _NOTE
        for one in clashes(item.raw, elsewhere):
            if one.what == AGAINST:
                place = f"{clean_line(one.rule.path)} line {one.rule.line}"
                notes.setdefault(item.text, f"{place} says otherwise: {_ASK}")

    def marked(item: Item) -> Item:
        note = notes.get(item.text, "")
        if not note or _ASK in item.text:
            return item
        shown = f"{item.text[:-1]}; {note})" if item.identity else f"{item.text} ({note})"
        return item._replace(text=shown)

    names = (files, *_TOLD)
    return [
        one._replace(items=tuple(map(marked, one.items))) if one.name in names else one
        for one in sections
    ]


def lines_of_clients(work: Services, client: str) -> list[Rule]:
    """Return lines of the instruction files that a client reads itself, such as CLAUDE.md.

    A colleague's lines count, approved or not: the client reads them anyway, and a brief only names
    their place.
    """
    try:
        theirs = {source.path for source in work.instructions.sources() if source.clients}
        return _lines(work, client, theirs.__contains__) if theirs else []
    except SatchelError:
        return []  # doctor reports what is wrong with the file


def lines_of_project(work: Services) -> list[Rule]:
    """Return lines of every instruction file in the work tree, whoever reads it.

    Raises `BadInputError` for an unreadable one.
    """
    from satchel.storage.safe_open import escapes_root

    root = work.instructions.root
    return _lines(work, "", lambda path: not escapes_root(path, root))


def _lines(work: Services, client: str, wanted: Callable[[str], bool]) -> list[Rule]:
    from satchel.features.instructions.rule_lines import rules_in
    from satchel.features.instructions.service import InstructionRequest

    files = work.instructions
    found: list[Rule] = []
    for part in files.load_with(files.reader(), InstructionRequest(client=client)).segments:
        if wanted(part.file):
            lines = rules_in(files.shown(part.path), part.text)
            found += [one._replace(line=one.line + part.first_line - 1) for one in lines]
    return found[:_MOST_LINES]


def told_contradictions(work: Services, most: int) -> list[Contradiction]:
    """Return contradictory pairs of what agents are told, for a person to decide.

    Args:
        most: how many of the newest rules and decisions to compare with each other.
    """
    from satchel.features.memories.contradicting import contradicting, needs_decision

    shown = Outlet(work).newest(_KINDS, most)[:most]
    found = contradicting([one.record for one in shown])
    return sorted(filter(needs_decision, found), key=lambda one: -one.later.when)
