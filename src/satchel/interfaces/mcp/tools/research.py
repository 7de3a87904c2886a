"""Research: put a question to every source at once."""

from __future__ import annotations

from satchel.application.research.values import SOURCES
from satchel.core.trust import clean_line, clean_text
from satchel.interfaces.mcp import schemas as s
from satchel.interfaces.mcp.formatting import fenced
from satchel.interfaces.mcp.schemas import Call, Hints, tool


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


TOOLS = (_research,)
