"""The tool `why`: where a line, commit, task, session or note comes from, and what followed."""

from __future__ import annotations

from satchel.core.errors import NotFoundError
from satchel.interfaces.mcp import schemas as s
from satchel.interfaces.mcp.formatting import fenced
from satchel.interfaces.mcp.schemas import Call, tool
from satchel.interfaces.rendering import Style
from satchel.interfaces.thread_rendering import story_text


@tool(
    "why",
    "Why code is the way it is",
    "Why a line, symbol, commit, task or note is so: the session and the person's prompt that "
    "it comes from, what was known then and learnt since. Each link says how sure it is.",
    {"what": s.text("`lib/pay.py:42`, `lib/pay.py:total_of`, a commit, task, session or note")},
)
def _why(call: Call) -> str:
    from satchel.application.thread.explaining import Explainer

    work = call.workspace
    story = Explainer(work, work.project.place.root).why(call.given["what"])
    if story is None:
        raise NotFoundError(
            f"Nothing here is called {call.given['what'][:60]!r}.",
            hint="Ask for FILE:LINE, FILE:SYMBOL, a commit, a task, a session or a note.",
        )
    return fenced("why", story_text(story, Style(colour=False)))


TOOLS = (_why,)
