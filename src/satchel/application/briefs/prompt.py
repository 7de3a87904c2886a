"""What is added to one prompt: a few new memories that matter to it, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from satchel.application.briefs.composing import compose
from satchel.application.briefs.labels import item_of
from satchel.application.briefs.sections import Brief, Section
from satchel.application.outlet import Outlet
from satchel.application.recall.answers import RecallHit
from satchel.application.recall.questions import KEYWORD
from satchel.application.recall.service import recall_memories
from satchel.core.kinds import WITH_PROMPT, kinds_for
from satchel.engine.search.documents import Filter
from satchel.engine.search.records import StoredMemory
from satchel.engine.search.tokens import COMMON, distinctive_words, words_of
from satchel.storage.settings.table import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services

#: Kinds worth an interruption.
_KINDS = (*kinds_for(WITH_PROMPT), "investigation", "pattern")
_LOOKED_AT = 12
#: A prompt with more telling words than this is a document; coverage of it means little.
_LONG_PROMPT = 24
_LEAST_SHARED = 2


def prompt_brief(
    prompt: str,
    outlet: Outlet,
    settings: Settings,
    find: Callable[[str], Sequence[RecallHit]],
    *,
    nonce: str,
    budget: int,
    already: Collection[str],
) -> Brief:
    """Compose what a prompt gets: at most three memories that are new in this session.

    Args:
        prompt: what the person typed.
        outlet: hands out memories.
        settings: how much.
        find: prompt -> memories that may matter to it, best first; see `candidates`.
        nonce: of the fence.
        budget: most tokens, fence included.
        already: identities that were injected in this session before.
    """
    says_something = any(word not in COMMON for word in words_of(prompt))
    if len(prompt.strip()) < settings.integer("prompt.min_characters") or not says_something:
        return Brief("", 0, budget, (), 0)
    least = settings.number("prompt.min_coverage")
    new = [
        found
        for found in find(prompt)
        if found.record.identity not in already and _relevant(prompt, found, least)
    ]
    share = {found.record.id: found.coverage for found in new}
    remembered = [StoredMemory(found.record, found.source) for found in new]
    chosen = outlet.admitted(remembered)[: settings.integer("prompt.max_items")]
    most = settings.integer("brief.max_item_tokens")
    items = tuple(
        item_of(
            one.record,
            outlet.now,
            most_tokens=most,
            why=f"matches the prompt ({share[one.record.id]:.0%})",
            standing=one.note,
        )
        for one in chosen
    )
    section = Section("prompt", "## Remembered, and perhaps relevant", items)
    return compose([section], budget=budget, nonce=nonce, label="recalled for this prompt")


def candidates(work: Services, prompt: str) -> Sequence[RecallHit]:
    """Return memories that may matter to a prompt, by its words, best first."""
    only = Filter(kinds=_KINDS)
    return recall_memories(
        work, prompt, limit=_LOOKED_AT, only=only, method=KEYWORD, weak=True
    ).items


def _relevant(prompt: str, found: RecallHit, least: float) -> bool:
    """Return whether a memory holds enough of what the prompt is about.

    One shared word is chance; a long prompt shares a few words with everything.
    """
    words = distinctive_words(prompt)
    shared = found.coverage * len(words)
    if shared < min(_LEAST_SHARED, len(words)) - 0.01:
        return False
    return found.coverage >= least * min(1.0, _LONG_PROMPT / max(1, len(words)))
