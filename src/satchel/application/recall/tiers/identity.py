"""The identity tier: agents' files about who they are, what they like and what they decided."""

from __future__ import annotations

from satchel.application.recall.results import HOT, WARM, Result
from satchel.application.recall.routing import GRAPH, IDENTITY, PREFERENCES
from satchel.application.services import Services

_EXCERPT, _TITLE = 600, 120


def identity_results(work: Services, question: str, limit: int, agent: str) -> list[Result]:
    """Query the identity files of the selected agent."""
    return [
        Result(
            HOT,
            PREFERENCES if hit.label == "preference" else IDENTITY,
            hit.title,
            hit.text[:_EXCERPT],
            hit.path,
            score=hit.score,
            identity=f"{hit.path} {hit.title}",
        )
        for hit in work.agents.search(question, limit, agent=agent)
    ]


def decision_results(work: Services, question: str, limit: int, agent: str) -> list[Result]:
    """Return matching rows of DECISIONS.md, of every agent or of one."""
    return [
        Result(
            WARM,
            GRAPH,
            f"decided by {hit.agent}",
            hit.text[:_EXCERPT],
            hit.path,
            score=hit.score,
            identity=f"{hit.path} {hit.text[:_TITLE]}",
        )
        for hit in work.agents.decided(question, limit, agent=agent)
    ]
