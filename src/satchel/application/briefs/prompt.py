"""Memories added to a prompt: a few new, relevant ones, usually none."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from satchel.application.briefs.composing import compose, item_of
from satchel.application.briefs.contradicting import outdated_marked
from satchel.application.briefs.sections import Brief, Section
from satchel.application.briefs.topics import topic_of
from satchel.application.outlet import Outlet
from satchel.application.recall.relevance import Relevant, relevant_memories
from satchel.core.kinds import kinds_with_prompt
from satchel.engine.search.documents import Filter
from satchel.engine.search.records import StoredMemory
from satchel.engine.search.tokens import COMMON, words_of
from satchel.engine.words import says_correction
from satchel.storage.settings.table import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services

#: Longest prompt that may deny something, in characters; a longer one is a document.
_LONGEST = 600
#: Shortest prompt that gets memories, in characters.
_SHORTEST = 12
#: Words near the beginning that take something back, and those that cancel them: "don't forget".
_TAKEN_BACK, _BEGUN = frozenset(("forget", "scrap", "disregard")), 4
#: Say that something known has changed, without naming it.
_CORRECTS = (
    "was wrong",
    "were wrong",
    "got replaced",
    "has changed",
    " changed:",
    "rule changed",
    "not true",
    "isn't true",
)
_KEPT = frozenset(("don't", "dont", "not", "never"))
_ENDS = str.maketrans({"!": ".", "\n": ".", ";": "."})


def prompt_brief(
    prompt: str,
    outlet: Outlet,
    settings: Settings,
    find: Callable[[str], Sequence[Relevant]],
    *,
    nonce: str,
    budget: int,
    already: Callable[[], Collection[str]],
) -> Brief:
    """Compose the addition to a prompt: at most three memories new to this session.

    Args:
        find: prompt -> relevant memories, best first; see `concerning`.
        budget: most tokens, fence included.
        already: returns identities already injected in this session; called only if any memory is
            found.
    """
    says_something = any(word not in COMMON for word in words_of(prompt))
    if len(prompt.strip()) < _SHORTEST or not says_something:
        return Brief("", 0, budget, (), 0)
    found = find(prompt)
    known = already() if found else ()
    new = [one for one in found if one.record.identity not in known]
    likely = {one.record.id: _how_likely(one) for one in new}
    if _takes_back(prompt):
        likely = dict.fromkeys(likely, "the prompt may take it back")
    elif any(one in prompt.lower() for one in _CORRECTS):
        likely = dict.fromkeys(likely, "the prompt may correct it")
    likely |= dict.fromkeys(_denied(prompt, new), "the prompt says otherwise")
    found_here = [StoredMemory(one.record, one.source) for one in new]
    (admitted,) = outdated_marked(outlet.admitted(found_here))
    chosen = admitted[: settings.integer("prompt.max_items")]
    most = settings.integer("brief.max_item_tokens")
    items = tuple(
        item_of(
            one.record,
            outlet.now,
            most_tokens=most,
            why=f"concerns the prompt ({likely[one.record.id]})",
            standing="; ".join(filter(None, [likely[one.record.id], one.note])),
        )
        for one in chosen
    )
    section = Section("prompt", "## Remembered, and perhaps relevant", items)
    return compose([section], budget=budget, nonce=nonce, label="recalled for this prompt")


def _takes_back(prompt: str) -> bool:
    """Return whether a prompt begins by taking something back: "ok forget what I said"."""
    begun = prompt.lower().split()[:_BEGUN]
    return not _TAKEN_BACK.isdisjoint(begun) and _KEPT.isdisjoint(begun)


def _how_likely(one: Relevant) -> str:
    return f"about {one.about}" if one.about else f"{min(0.99, one.likely):.0%} likely"


def _denied(prompt: str, found: Sequence[Relevant]) -> list[str]:
    """Return the ids of memories that a prompt says no longer hold."""
    if not found or len(prompt) > _LONGEST or not says_correction(prompt):
        return []
    from satchel.engine.statements.contradictions import (  # few prompts need it
        AGAINST,
        Rule,
        clashes,
    )
    from satchel.engine.statements.replacing import replaces

    ended = f"{prompt} ".replace("?", "?. ").translate(_ENDS).split(". ")
    said = [one for one in ended if not one.endswith("?")]
    rules = [Rule(one.record.id, 0, one.record.content) for one in found]
    against = [
        clash.rule.path for one in said for clash in clashes(one, rules) if clash.what == AGAINST
    ]
    return against + [rule.path for rule in rules if any(replaces(one, rule.text) for one in said)]


def concerning(work: Services, prompt: str) -> Sequence[Relevant]:
    """Return memories relevant to a prompt above the configured threshold, best first.

    Memories anchored to a file that the prompt names come first.
    """
    least = work.project.settings.number("prompt.min_confidence")
    found = relevant_memories(work, prompt, kinds=kinds_with_prompt(), least=least)
    topic = topic_of(prompt)
    if topic:
        found += _about_topic(work, topic, {one.record.identity for one in found})
    if "." not in prompt:
        return found
    from satchel.application.recall.named_files import about_named_files

    named = about_named_files(work, prompt, kinds=kinds_with_prompt())
    known = {one.record.identity for one in named}
    return [*named, *(one for one in found if one.record.identity not in known)]


def _about_topic(work: Services, topic: str, known: Collection[str]) -> list[Relevant]:
    """Return what recall answers on a topic that a prompt asks about by its name."""
    from satchel.application.recall.questions import KEYWORD
    from satchel.application.recall.service import recall_memories

    only = Filter(kinds=kinds_with_prompt())
    found = recall_memories(work, topic, only=only, method=KEYWORD, partial=True).items
    new = [one for one in found if one.record.identity not in known]
    return [Relevant(one.record, one.source, 1.0, about=topic) for one in new]
