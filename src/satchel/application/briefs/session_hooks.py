"""The brief's section configured by `session-hooks.json`, which `session begin` shows."""

from __future__ import annotations

import os

from satchel.application.briefs.sections import Item, Section

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.outlet import Outlet
    from satchel.application.services import Services

_LONGEST = 400


def session_hooks_section(work: Services, outlet: Outlet, agent: str) -> Section:
    """Return insights, activities, conversations and the file's extras; empty without the file."""
    section = Section("opening", "## This session", (), "satchel sessions begin")
    tracked = work.project.tracked.session_hooks
    adopted = os.path.isfile(work.project.state.sessions.hooks)
    if not adopted and not (os.path.isfile(tracked) and outlet.admits(tracked)):
        return section
    from satchel.application.briefs.session_steps import begin, opening_lines
    from satchel.core.trust import clean_line

    told = opening_lines(begin(work, agent))
    items = (Item(clean_line(one)[:_LONGEST], why="session-hooks.json") for one in told)
    return section._replace(items=tuple(items))
