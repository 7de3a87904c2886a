"""The state of upkeep in a project: when each step last ran, and what a killed run left.

Derived: a file that is damaged or gone means that nothing is known, and everything runs.
"""

from __future__ import annotations

from satchel.core import quick_json
from satchel.core.errors import StoreError
from satchel.core.values import NamedTuple
from satchel.storage.locks import read_file, replace_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: Seconds after which a run that was killed is started over, not taken up.
STALE = 20 * 3600.0


class StepRun(NamedTuple):
    """When a step last ended, in Unix seconds, and its report."""

    at: float
    told: str


class RunState(NamedTuple):
    """Each step's last end; when the open run began (0: none), and its remaining steps."""

    steps: dict[str, StepRun]
    began: float = 0.0
    left: tuple[str, ...] = ()

    def resumes(self, now: float) -> bool:
        """Return whether a killed run is being resumed."""
        return bool(self.left) and 0 <= now - self.began < STALE

    def with_begun(self, now: float, names: Sequence[str]) -> RunState:
        """Return the state with a run of these steps started."""
        return self._replace(began=now, left=tuple(names))

    def with_ended(self, name: str, now: float, told: str | None) -> RunState:
        """Return the state with one step ended; None means it was skipped."""
        left = tuple(one for one in self.left if one != name)
        steps = self.steps if told is None else {**self.steps, name: StepRun(now, told)}
        return RunState(steps, self.began, left)


def read_run_state(path: str) -> RunState:
    """Read the state of upkeep; empty if the file is unreadable."""
    try:
        value = quick_json.loads(read_file(path).decode("utf-8") or "{}")
        steps = {
            str(name): StepRun(float(one["at"]), str(one["told"]))
            for name, one in value.get("steps", {}).items()
        }
        left = tuple(str(name) for name in value.get("left", ()))
        return RunState(steps, float(value.get("began", 0)), left)
    except (ValueError, KeyError, TypeError, AttributeError, StoreError):
        return RunState({})


def write_run_state(path: str, standing: RunState) -> None:
    """Write the state atomically."""
    fields = {
        "steps": {name: one._asdict() for name, one in standing.steps.items()},
        "began": standing.began,
        "left": list(standing.left),
    }
    replace_file(path, (quick_json.dumps(fields) + "\n").encode("utf-8", "replace"))
