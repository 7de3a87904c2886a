"""Tools about memories: recall, remember, brief, research, notes."""

from __future__ import annotations

from satchel.application.learning import asking
from satchel.application.research.values import SOURCES
from satchel.core.errors import BadInputError
from satchel.core.kinds import KINDS
from satchel.core.trust import AGENT, TOOL, WEB, clean_line, clean_text
from satchel.engine.search.documents import Filter
from satchel.features.code.anchored import pinned
from satchel.interfaces.mcp import schemas as s
from satchel.interfaces.mcp.formatting import fenced, found_item, listing, memory_item, result_item
from satchel.interfaces.mcp.paging import answer_page, asked_for, offset_of, ranked_to, text_page
from satchel.interfaces.mcp.values import ADDS, Answer, Call, Hints, Tool
from satchel.interfaces.note_rendering import findings_json
from satchel.interfaces.rendering import cleaned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_DAY = 86_400
_MODES = ("hybrid", "keyword", "semantic", "local", "global")
_BRIEFS = ("session", "prime", "memory", "intent", "instructions")
_ITEM: dict[str, Any] = {
    "id": s.TEXT,
    "kind": s.TEXT,
    "title": s.TEXT,
    "content": s.TEXT,
    "key": s.TEXT,
    "trust": s.text("whose words these are: user, agent, tool, web, imported"),
    "origin": s.TEXT,
    "tags": s.TEXTS,
    "task": s.TEXT,
    "age_seconds": s.COUNT,
    "tier": s.TEXT,
    "source": s.TEXT,
    "place": s.text("where it can be read"),
    "score": s.NUMBER,
}
#: The last line of a brief for an agent that has this server and perhaps no shell.
HOW_TO_REMEMBER = (
    'Remember what lasts: call the tool `remember` of this server with content "what, when, why"'
)
ITEMS = s.rows("what was found, best first", _ITEM, ("id", "kind", "content", "trust"))


def _recall(call: Call) -> Answer:
    given = call.given
    question, limit, work = given["question"], given["limit"], call.workspace
    if not question.strip():
        raise BadInputError("There is nothing to search for.", hint="Give words or a question.")
    about = asked_for(given)
    start = offset_of(given["cursor"], about)
    only = Filter(kinds=tuple(given.get("kinds", ())), tag=given["tag"])
    now = work.project.clock.now()
    route, weak = "memory", 0

    def ask(most: int) -> list[dict[str, Any]]:
        nonlocal route, weak
        if only != Filter() or given["task"]:
            found = work.recall(question, limit=most, only=only, task=given["task"])
            weak = found.weak
            return [found_item(one, now) for one in found.items]
        asked = work.ask(question, limit=most, tier=given["tier"])
        route, weak = asked.route.tier, asked.weak
        return [result_item(one, now) for one in asked.pieces]

    items = ranked_to(start, limit, ask, lambda one: (one["tier"], one["id"], one["place"]))
    page, more = answer_page(items, start, limit, about)
    told = listing(page, more) if page else "Nothing found."
    data = {
        "question": clean_line(question),
        "count": len(page),
        "items": list(page),
        "weak": weak,
        "route": route,
        "next_cursor": more,
    }
    return Answer(fenced("memories found", told), data)


def _remember(call: Call) -> Answer:
    given, work = call.given, call.workspace
    fields: dict[str, Any] = {"key": given["key"]}
    if given.get("at"):
        fields["data"] = pinned(work.code, given["at"])
    if given.get("intent"):
        sections = [work.intent.section(anchor) for anchor in given["intent"]]
        fields["intent_anchors"] = tuple(one.anchor or one.path for one in sections)
    if given["expires_days"]:
        fields["expires_in"] = given["expires_days"] * _DAY
    kept = asking.remember(
        work,
        given["content"],
        kind=given["kind"],
        user=given["for_user"],
        title=given["title"],
        task=given["task"],
        tags=tuple(given.get("tags", ())),
        trust=given["origin"],
        client=call.client,
        **fields,
    )
    record, held = kept.record, given["origin"] != AGENT
    item = memory_item(record, work.project.clock.now())
    redacted = "[redacted:" in record.content
    told = f"Remembered {item['kind']} {item['id']}"
    told += " (quarantined until a person approves it)" if held else ""
    told += " (secrets were redacted)" if redacted else ""
    told += " (as a rule it waits for the person's review)" if kept.waits else ""
    return Answer(told, {**item, "quarantined": held, "redacted": redacted})


def _brief(call: Call) -> Answer:
    given, work = call.given, call.workspace
    kind, task, budget = given["kind"], given["task"], given["max_tokens"]
    briefing = work.briefs
    if kind in ("session", "prime"):
        made = (
            work.session_brief(task=task, most=budget, how=HOW_TO_REMEMBER)
            if kind == "session"
            else briefing.prime(budget=budget, task=task, how=HOW_TO_REMEMBER)
        )
        text, tokens, left = made.text, made.tokens, made.left_out
    else:
        if kind == "memory":
            body = briefing.parts.memory(task=task, budget=budget)
        elif kind == "intent":
            body = work.briefs.parts.intent(task=task, budget=budget).text
        else:
            body = briefing.parts.instructions(task=task)
        text = fenced(kind, body) if body else ""
        tokens, left = briefing.parts.token_count().count(text), 0
    shown = clean_text(text) or "Nothing to tell yet."
    return Answer(shown, {"kind": kind, "text": shown, "tokens": tokens, "left_out": left})


def _research(call: Call) -> Answer:
    given, work = call.given, call.workspace
    steps = len(given.get("sources") or SOURCES)
    call.tell(0, steps, "asking learnings, memories, code, documentation")
    made = work.research.ask(
        given["question"], only=given.get("sources", ()), fresh=given["fresh"], save=given["save"]
    )
    call.tell(steps, steps, "asked")
    findings = [cleaned(one._asdict()) for one in made.findings]
    conflicts = [
        cleaned(
            {
                "said": one.said,
                "by": one.one.source,
                "against": one.against,
                "from": one.other.source,
                "why": one.why,
            }
        )
        for one in made.conflicts
    ]
    lines = [clean_text(made.summary)]
    lines += [f"[{one['source']}] {clean_line(one['title'])} ({one['place']})" for one in findings]
    lines += [f"disagree: {one['said']} / {one['against']}: {one['why']}" for one in conflicts]
    data = {
        "question": clean_line(made.question),
        "summary": clean_text(made.summary),
        "findings": findings,
        "conflicts": conflicts,
        "cached": made.cached,
        "asked": [cleaned(one._asdict()) for one in made.reports],
        "path": clean_line(made.path),
    }
    return Answer(fenced("research", "\n".join(lines)), data)


def _notes(call: Call) -> Answer:
    given = call.given
    if bool(given["query"].strip()) == bool(given["id"]):
        raise BadInputError("Give either `query` or `id`.", hint="`id` is that of a found note.")
    with call.workspace.notes as notebook:
        if given["id"]:
            whole = notebook.fetch(given["id"])
            page = text_page(clean_text(whole.text), given["cursor"])
            data = {
                "query": "",
                "mode": "fetch",
                "results": [],
                "count": 0,
                "text": page.text,
                "path": clean_line(whole.path),
                "next_cursor": page.next_cursor,
            }
            return Answer(fenced(f"note {clean_line(whole.path)}", page.text), data)
        question, limit = given["query"], given["limit"]
        about = asked_for(given)
        start = offset_of(given["cursor"], about)
        told: dict[str, Any] = {}

        def ask(most: int) -> list[dict[str, Any]]:
            found = notebook.search(
                question,
                mode=given["mode"],
                tags=given.get("tags", ()),
                category=given["category"],
                limit=most,
                progress=lambda done, total: call.tell(done, total, "indexing notes"),
            )
            told.update(findings_json(found))
            return list(told["results"])

        every = ranked_to(start, limit, ask, lambda one: one["id"])
    results, more = answer_page(every, start, limit, about)
    lines = [
        f"{one['title']}: {one['key_insight'] or one['excerpt'][:200]}\n  "
        f"{one['path']} · {one['id']}"
        for one in results
    ]
    data = {
        "query": told["query"],
        "mode": told["mode"],
        "count": len(results),
        "results": list(results),
        "text": "",
        "path": "",
        "next_cursor": more,
    }
    return Answer(fenced("learning notes", "\n".join(lines) or "Nothing found."), data)


TOOLS = (
    Tool(
        "recall",
        "Recall",
        "Search everything remembered here: lessons, decisions, rules, notes, sessions, code. "
        "Call it before you start work and when something fails.",
        {
            "question": s.text("words, an error message or a question"),
            "limit": s.count("most items", default=10, most=100),
            "kinds": s.texts("only these kinds of memory", choices=tuple(KINDS)),
            "task": s.text("prefer memories of this task", default=""),
            "tag": s.text("only with this tag", default=""),
            "tier": s.text("ask hot, warm, structured, archive or code alone", default=""),
            "cursor": {**s.CURSOR, "default": ""},
        },
        ("question",),
        {
            "question": s.TEXT,
            "count": s.COUNT,
            "items": ITEMS,
            "weak": s.COUNT,
            "route": s.TEXT,
            "next_cursor": s.TEXT,
        },
        _recall,
        from_start=True,
    ),
    Tool(
        "remember",
        "Remember",
        "Keep one thing for later sessions: a lesson, decision, rule, fact, next step.",
        {
            "content": s.text("what to keep, understandable on its own"),
            "kind": s.text("what it is", default="learned", choices=tuple(KINDS)),
            "title": s.text("a short title", default=""),
            "task": s.text("the task it belongs to", default=""),
            "tags": s.texts("tags"),
            "at": s.texts("code it is about: path or path:symbol"),
            "intent": s.texts("sections of the intent it is about"),
            "key": s.text("name of a preference", default=""),
            "origin": s.text(
                "whose words: yours (agent), or a tool's or the web's, which wait "
                "for a person's approval",
                default=AGENT,
                choices=(AGENT, TOOL, WEB),
            ),
            "expires_days": s.count(
                "forget after so many days; 0 never or by kind", default=0, most=36_500, least=0
            ),
            "for_user": s.flag("keep it for the person, in every project"),
        },
        ("content",),
        {
            **{name: _ITEM[name] for name in ("id", "kind", "title", "content", "key", "trust")},
            "quarantined": s.FLAG,
            "redacted": s.FLAG,
        },
        _remember,
        ADDS,
        from_start=True,
    ),
    Tool(
        "brief",
        "Brief",
        "What to know now: of this session, of the project (prime), of a task's memory or intent.",
        {
            "kind": s.text("which brief", default="session", choices=_BRIEFS),
            "task": s.text("the task being worked on", default=""),
            "max_tokens": s.count("budget; 0 for the setting", default=0, most=20_000, least=0),
        },
        (),
        {"kind": s.TEXT, "text": s.TEXT, "tokens": s.COUNT, "left_out": s.COUNT},
        _brief,
    ),
    Tool(
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
        ("question",),
        {
            "question": s.TEXT,
            "summary": s.TEXT,
            "findings": s.OBJECTS,
            "conflicts": s.OBJECTS,
            "asked": s.OBJECTS,
            "cached": s.FLAG,
            "path": s.TEXT,
        },
        _research,
        Hints(reads=False, open_world=True),
    ),
    Tool(
        "notes",
        "Learning notes",
        "Search learning notes, the project's and the person's, or read one by its id.",
        {
            "query": s.text("words or a question", default=""),
            "id": s.text("a note to read: id or path of a found one", default=""),
            "mode": s.text("how to search", default="hybrid", choices=_MODES),
            "category": s.text("only of this category", default=""),
            "tags": s.texts("only with all of these"),
            "limit": s.count("most notes", default=10, most=100),
            "cursor": {**s.CURSOR, "default": ""},
        },
        (),
        {
            "query": s.TEXT,
            "mode": s.TEXT,
            "count": s.COUNT,
            "results": s.OBJECTS,
            "text": s.TEXT,
            "path": s.TEXT,
            "next_cursor": s.TEXT,
        },
        _notes,
    ),
)
