"""The tools `why`, where something comes from, and `research`, which asks every source."""

from __future__ import annotations

from satchel.application.research.values import SOURCES
from satchel.core.errors import NotFoundError
from satchel.core.trust import clean_line, clean_text
from satchel.interfaces.mcp import schemas as s
from satchel.interfaces.mcp.formatting import fenced
from satchel.interfaces.mcp.schemas import Call, Hints, tool
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


@tool(
    "research",
    "Research",
    "Ask learnings, memories, code and documentation (and the web, if configured) at once, "
    "and report where they disagree.",
    {
        "question": s.text("the question"),
        "sources": s.texts("only these", choices=SOURCES),
        "fresh": s.flag("ask again, ignoring kept answers"),
        "save": s.flag("write the dossier below research/"),
    },
    Hints(reads=False, open_world=True),
)
def _research(call: Call) -> str:
    given, work = call.given, call.workspace
    steps = len(given.get("sources") or SOURCES)
    call.tell(0, steps, "asking learnings, memories, code, documentation")
    made = work.research.ask(
        given["question"], only=given.get("sources", ()), fresh=given["fresh"], save=given["save"]
    )
    call.tell(steps, steps, "asked")
    lines = [clean_text(made.summary)]
    lines += [f"[{one.source}] {clean_line(one.title)} ({one.place})" for one in made.findings]
    lines += [f"disagree: {one.said} / {one.against}: {one.why}" for one in made.conflicts]
    lines += [f"written to {made.path}"] if made.path else []
    return fenced("research", "\n".join(lines))


RESEARCH_TOOLS = (_research,)
