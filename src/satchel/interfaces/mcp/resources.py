"""Resources: preferences, the current context, facts by category, memories and notes."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote, unquote

from satchel.application.briefs.sections import Reader
from satchel.application.outlet import held_back
from satchel.core.errors import NotFoundError
from satchel.core.quick_json import dumps
from satchel.core.trust import clean_text
from satchel.core.values import NamedTuple
from satchel.interfaces.mcp.formatting import fenced, memory_item, with_warning
from satchel.interfaces.mcp.tools.foundation import CONTEXT, FACT, PREFERENCE, entries, entry
from satchel.interfaces.mcp.tools.memories import HOW_TO_REMEMBER
from satchel.interfaces.rendering import cleaned
from satchel.workspace import Workspace

_JSON, _MARKDOWN = "application/json", "text/markdown"
_FACTS, _MEMORY, _NOTE = "memory://facts/", "memory://record/", "memory://note/"
_UNSORTED = "uncategorized"
_BRIEF, _INSTINCTS = "memory://brief", "memory://instincts"


class ResourceSpec(NamedTuple):
    """A resource, or a template if its address contains braces."""

    uri: str
    name: str
    about: str
    kind: str = _JSON


FIXED = (
    ResourceSpec("memory://preferences", "preferences", "All stored preferences"),
    ResourceSpec("memory://context/current", "current context", "Active conversation contexts"),
    ResourceSpec(_BRIEF, "brief", "What a session starts with", _MARKDOWN),
    ResourceSpec(_INSTINCTS, "instincts", "Soft rules with their confidence", _MARKDOWN),
)
TEMPLATES = (
    ResourceSpec(_FACTS + "{category}", "facts", "Facts of one category"),
    ResourceSpec(_MEMORY + "{id}", "memory", "One memory by its id"),
    ResourceSpec(_NOTE + "{id}", "note", "One learning note by its id", _MARKDOWN),
)


def available_resources(work: Workspace) -> list[ResourceSpec]:
    """Return every available resource: the fixed ones, and facts by category."""
    facts = [
        ResourceSpec(_FACTS + quote(one, safe=""), f"facts: {one}", f"Facts of the category {one}")
        for one in categories(work)
    ]
    return [*FIXED, *facts]


def categories(work: Workspace) -> list[str]:
    """Return the sorted categories of current facts."""
    return sorted({clean_text(one.category) or _UNSORTED for one in entries(work, [FACT])})


def read(work: Workspace, uri: str) -> tuple[str, str]:
    """Return a resource's text and media type. Raises `NotFoundError` if there is none."""
    fixed: dict[str, Callable[[Workspace], tuple[str, str]]] = {
        "memory://preferences": lambda w: _entries(w, PREFERENCE),
        "memory://context/current": lambda w: _entries(w, CONTEXT),
        _BRIEF: lambda w: (w.briefs.session(Reader(how=HOW_TO_REMEMBER)).text, _MARKDOWN),
        _INSTINCTS: lambda w: (instincts_text(w), _MARKDOWN),
    }
    if uri in fixed:
        return fixed[uri](work)
    for prefix, reader in ((_FACTS, _facts), (_MEMORY, _record), (_NOTE, _note)):
        rest = uri.removeprefix(prefix)
        if rest != uri and rest and "/" not in rest:
            return reader(work, unquote(rest))
    raise NotFoundError(f"There is no resource {uri[:200]}.", hint="resources/list names them.")


def _entries(work: Workspace, kind: str) -> tuple[str, str]:
    return dumps(cleaned([entry(one) for one in entries(work, [kind])])), _JSON


def _facts(work: Workspace, category: str) -> tuple[str, str]:
    found = [one for one in entries(work, [FACT]) if (one.category or _UNSORTED) == category]
    return dumps(cleaned([entry(one) for one in found])), _JSON


def _record(work: Workspace, given: str) -> tuple[str, str]:
    return dumps(memory_item(work.memories.find(given).record, work.project.clock.now())), _JSON


def _note(work: Workspace, given: str) -> tuple[str, str]:
    with work.notes as notebook:
        whole = notebook.fetch(given)
    return fenced(with_warning(work, "learning note", whole.path), whole.text), _MARKDOWN


def instincts_text(work: Workspace) -> str:
    """Return active soft rules in a fence, most certain first."""
    if held_back(work, [work.project.tracked.place("instincts")]):
        return "The soft rules came with this repository, and wait for the person's approval."
    ours = work.instincts
    lines = [
        f"{ours.current_confidence(one):.2f} [{one.category}] {one.rule}"
        for one in ours.strongest()
    ]
    return fenced("instincts", "\n".join(lines) or "No instincts yet.")
