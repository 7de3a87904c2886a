"""The status of a task, from `bd`."""

from __future__ import annotations

import json
import shutil
from typing import Any

from satchel.storage.commands import CheckFailedError, run

_SECONDS = 3.0


def bd_is_installed() -> bool:
    """Return whether `bd` is installed."""
    return shutil.which("bd") is not None


def status_from_bd(task: str, cwd: str) -> str | None:
    """Return a task's status; None if bd does not know it.

    Raises `CheckFailedError` if bd gives no answer, or an unreadable one.
    """
    if not task or task.startswith("-"):
        return None
    done = run(["bd", "show", task, "--json"], cwd, _SECONDS, BD_JSON_ENVELOPE="1")
    if done.code:
        if "not found" in done.err or "not_found" in done.err or "no issue" in done.err:
            return None
        first = (done.err.strip().splitlines() or ["no reason given"])[0]
        raise CheckFailedError(f"bd show: {first[:200]}")
    try:
        value: Any = json.loads(done.out)
    except (ValueError, RecursionError):
        raise CheckFailedError("bd show: the answer is not JSON") from None
    return _status(value)


def _status(value: Any) -> str | None:
    """Parse a status from a list, an object, or the envelope around either."""
    for _ in range(3):
        if isinstance(value, list):
            value = value[0] if value else None
        elif isinstance(value, dict) and "status" not in value and "data" in value:
            value = value["data"]
    status = value.get("status") if isinstance(value, dict) else None
    return status if isinstance(status, str) and status else None
