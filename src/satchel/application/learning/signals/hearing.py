"""Hears lasting statements: a rule, a correction, a decision, a fact, a preference.

Fast enough for a hook: a turn without any word that marks such statements costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.learning.signals.values import Heard

#: Nearly every lasting statement contains one of these words. A prompt without any costs a hook
#: nothing: no pattern is compiled.
_HINTS = frozenset(
    (
        "actually after agreed aina aldrig all alltid altijd always any are ask asla avoid aware "
        "background be because before belong belongs beware bitte btw can can't cannot careful "
        "chose chosen context convention conventions decided decision default don don't dont "
        "dropped each every exactly expects expires figured forget found from future fyi "
        "generally go goes going gotcha has hate have heads i i'd i'm if immer important instead "
        "is jamais jangan keep kein keine let let's lets like lives love make mind moved must my "
        "nb need needs never nie niemals nigdy no nooit nope not note nunca only otherwise our "
        "perfect please pls prefer preferred quit rather record reference remember reminder "
        "requires rule rules runs said selalu sempre should shouldn shouldn't siempre since statt "
        "still stop sure switched tip told toujours turns unless until use used using vez want "
        "watch we went when whenever without wrong zawsze"
    ).split()
)
#: Words that make a question a rule: "could you from now on ...?"
_PUT_AS_A_QUESTION = frozenset(("always", "never", "now", "future", "stop", "instead"))
_MARKS = dict.fromkeys(map(ord, '.,:;!?()*"`'), " ")


def heard(text: str, prev: str = "", *, rejected: bool = False) -> Heard | None:
    """Return the first lasting statement in a user's turn, or None.

    Args:
        text: the user's turn; pasted text does not count.
        prev: the agent's message before; quotations from it do not count.
        rejected: whether it was said while rejecting an agent's call.
    """
    if not rejected and text.isascii() and not may_last(text):
        return None
    return next(iter(hear(text, prev, rejected=rejected)), None)


def may_last(text: str) -> bool:
    """Return whether a prompt contains a word that marks lasting statements; very cheap."""
    words = text.lower().replace("\u2019", "'").translate(_MARKS).split()
    if text.rstrip().endswith("?") and _PUT_AS_A_QUESTION.isdisjoint(words):
        return any(mark in text.rstrip(" ?") for mark in ".,:;?!")
    return len(words) > 1 and not _HINTS.isdisjoint(words)


def hear(text: str, prev: str = "", *, rejected: bool = False, asked: str = "") -> list[Heard]:
    """Return every lasting statement in a user's turn, in order.

    Args:
        text, prev, rejected: see `heard`.
        asked: what the person said before; a question in it may be what they answer themselves.
    """
    from satchel.application.learning.signals.statements import statements_in

    return statements_in(text, prev, rejected=rejected, asked=asked)
