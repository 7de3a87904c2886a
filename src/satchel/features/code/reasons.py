"""Why a file was found, in words."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.features.code.values import RankedFile

_SAYS = {
    "named": "the task names it or what it defines",
    "text": "its text holds the task's words",
    "name": "it defines such names",
    "path": "its path holds the task's words",
    "past": "similar past commits changed it",
    "churn": "it changes often",
    "graph": "code found for the task uses it or is used by it",
    "together": "it changes together with files found",
    "pair": "it tests a file found, or is tested by it",
    "meaning": "its names mean something like it",
    "manual": "chosen by hand",
}
#: Below this an arm is no reason.
_LEAST = 0.3


def reason_of(one: RankedFile) -> str:
    """Return at most three reasons, the strongest first."""
    strong = sorted(one.parts.items(), key=lambda part: -part[1])
    told = [_SAYS[arm] for arm, score in strong if arm in _SAYS and score >= _LEAST]
    return "; ".join(told[:3]) or "it is near files found"
