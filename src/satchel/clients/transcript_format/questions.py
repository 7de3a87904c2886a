"""What an agent asked by a tool, and what a person typed in answer.

A choice among the answers offered has the agent's words, and is left out.
"""

from __future__ import annotations

from satchel.clients.transcript_format.texts import word_of
from satchel.core.shapes import dict_of, list_of
from satchel.core.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

#: The clients' names of the tool. Other tools' results are no person's words.
_ASKING = ("AskUserQuestion", "ask_user", "question", "request_user_input")
#: Between the choices of one answer.
_AND = ", "


class Asked(NamedTuple):
    """The questions of one call, in their order, and the answers that it offered."""

    questions: tuple[str, ...]
    offered: frozenset[str]


NOTHING = Asked((), frozenset())


def asked_in(name: Any, given: Any) -> Asked:
    """Return what a call asks."""
    if name not in _ASKING:
        return NOTHING
    every = [dict_of(one) for one in (dict_of(given), *list_of(dict_of(given).get("questions")))]
    questions = tuple(word_of(one["question"]) for one in every if "question" in one)
    offered = [label for one in every for label in (*list_of(one.get("choices")), *_labels(one))]
    return Asked(questions, frozenset(one for one in offered if isinstance(one, str)))


def _labels(one: dict[str, Any]) -> list[Any]:
    return [dict_of(option).get("label") for option in list_of(one.get("options"))]


def typed_in(asked: Asked, answers: Iterable[Any]) -> str:
    """Return those answers to questions that were not among the offered ones; "" for none."""
    if not any(asked.questions):
        return ""
    said = [answer for answer in answers if isinstance(answer, str)]
    return "\n".join(one for one in said if not asked.offered.issuperset(one.split(_AND)))
