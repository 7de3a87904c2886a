"""Look at sessions that have ended or may soon be compacted, in background processes."""

from __future__ import annotations

from satchel.core.errors import SatchelError
from satchel.interfaces.hooks.call import HookCall


def look_at_sessions(call: HookCall, every: float) -> None:
    """Archive sessions and reflect on them, each unless that was done within `every` seconds."""
    settings, state = call.settings, call.state
    if not settings.flag("embed.background"):
        return
    from satchel.project.background import is_due, start

    steps = (
        ("archive", "sessions.import", state.sessions.lock("archive")),
        ("reflect", "reflect.auto", state.lock("reflect")),
    )
    for step, wanted, lock in steps:
        try:
            if settings.flag(wanted) and is_due(lock, every):
                start(step, call.place.root, call.home.path, lock)
        except (OSError, SatchelError) as error:
            call.fault(f"{step} not started: {error}")
