"""What is added to one prompt: a few new memories that matter to it, or nothing."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from satchel.application.briefs.composing import compose
from satchel.application.briefs.labels import item_of
from satchel.application.briefs.sections import Brief, Section
from satchel.application.briefs.session_start import Standing, everything_stands
from satchel.application.recall.answers import Found
from satchel.application.recall.questions import Asking, Method
from satchel.application.recall.search import recall
from satchel.core.kinds import WITH_PROMPT, kinds_for
from satchel.core.scope import Scope
from satchel.engine.search.documents import Filter
from satchel.engine.search.tokens import COMMON, telling_words, words_of
from satchel.features.memories.service import Memories
from satchel.storage.ledger.record import Record
from satchel.storage.settings.table import Settings

#: Kinds worth an interruption.
_KINDS = (*kinds_for(WITH_PROMPT), "investigation", "pattern")
_LOOKED_AT = 12
_KEYWORD = Method()
#: A prompt with more telling words than this is a document; coverage of it means little.
_LONG_PROMPT = 24
_LEAST_SHARED = 2


def prompt_brief(
    prompt: str,
    stores: Sequence[Memories],
    settings: Settings,
    *,
    scope: Scope,
    nonce: str,
    budget: int,
    already: Collection[str],
    pending: Sequence[Record] = (),
    method: Method = _KEYWORD,
    standing: Standing = everything_stands,
) -> Brief:
    """Compose what a prompt gets: at most three memories that are new in this session.

    Args:
        already: identities that were injected in this session before.
        method: how memories are searched.
        standing: how the code of memories stands; those whose code is gone are left out.
    """
    says_something = any(word not in COMMON for word in words_of(prompt))
    if len(prompt.strip()) < settings.integer("prompt.min_characters") or not says_something:
        return Brief("", 0, budget, (), 0)
    only = Filter(kinds=_KINDS)
    asking = Asking(prompt, _LOOKED_AT, only, scope, pending, method, weak=True)
    answer = recall(asking, stores)
    least = settings.number("prompt.min_coverage")
    new = [
        found
        for found in answer.items
        if found.record.identity not in already and _relevant(prompt, found, least)
    ]
    told = standing([found.record for found in new])
    chosen = [f for f in new if f.record.id not in told or told[f.record.id] is not None][
        : settings.integer("prompt.max_items")
    ]
    now = stores[0].clock.now()
    most = settings.integer("brief.max_item_tokens")
    items = tuple(
        item_of(
            f.record,
            now,
            most_tokens=most,
            why=f"matches the prompt ({f.coverage:.0%})",
            standing=told.get(f.record.id) or "",
        )
        for f in chosen
    )
    section = Section("prompt", "## Remembered, and perhaps relevant", items)
    return compose([section], budget=budget, nonce=nonce, label="recalled for this prompt")


def _relevant(prompt: str, found: Found, least: float) -> bool:
    """Say whether a memory holds enough of what the prompt is about.

    One shared word is chance; a long prompt shares a few words with everything.
    """
    words = telling_words(prompt)
    shared = found.coverage * len(words)
    if shared < min(_LEAST_SHARED, len(words)) - 0.01:
        return False
    return found.coverage >= least * min(1.0, _LONG_PROMPT / max(1, len(words)))
