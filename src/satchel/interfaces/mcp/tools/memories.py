"""Tools about memories: recall, remember, brief, notes; and one memory by its id."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from satchel.application.briefs.sections import Reader
from satchel.application.forgetting.service import Forgetting, Selection
from satchel.application.learning.nudging import nudges
from satchel.application.learning.nudging.standing_rules import contradicted_by
from satchel.application.outlet import held_back
from satchel.application.recall.conversions import memory_results
from satchel.application.recall.results import Result
from satchel.core.errors import BadInputError, NotFoundError, StoreAwayError
from satchel.core.kinds import KINDS, kind_named
from satchel.core.plurals import counted
from satchel.core.times import DAY
from satchel.core.trust import AGENT, TOOL, WEB, clean_line, clean_text
from satchel.engine.search.documents import Filter
from satchel.features.code.anchored import pinned
from satchel.interfaces.mcp import schemas as s
from satchel.interfaces.mcp.formatting import fenced, more_pages, result_lines, trust_label
from satchel.interfaces.mcp.paging import answer_page, asked_for, offset_of, ranked_to, text_page
from satchel.interfaces.mcp.schemas import ADDS, CHANGES, Call, tool
from satchel.interfaces.note_rendering import findings_json
from satchel.interfaces.rendering import Style, record_text
from satchel.project.approvals.rules import trust_of
from satchel.storage.ledger.record import Record

_MODES = ("hybrid", "keyword", "semantic", "local", "global")
_BRIEFS = ("session", "prime", "memory", "intent", "instructions")
#: The last line of a brief for an agent that has this server and perhaps no shell.
HOW_TO_REMEMBER = (
    'Remember what lasts: call the tool `remember` of this server with content "what, when, why"'
)


@tool(
    "recall",
    "Recall",
    "Search all that was remembered here before you start work and when something fails. "
    "Lists ids with one line each; `memory` reads one in full.",
    {
        "question": s.text("words, an error message or a question"),
        "limit": s.count("", default=10, most=100),
        "kinds": s.texts("only these kinds"),
        "task": s.text("prefer this task's", default=""),
        "tag": s.text("only with this tag", default=""),
        "tier": s.text("only hot, warm, structured, archive or code", default=""),
        "cursor": s.CURSOR,
    },
    from_start=True,
)
def _recall(call: Call) -> str:
    given = call.given
    question, limit, work = given["question"], given["limit"], call.workspace
    if not question.strip():
        raise BadInputError("There is nothing to search for.", hint="Give words or a question.")
    about = asked_for(given)
    start = offset_of(given["cursor"], about)
    kinds = tuple(kind_named(one).name for one in given.get("kinds", ()))
    only = Filter(kinds=kinds, tag=given["tag"])
    weak, missing = 0, ""

    def ask(most: int) -> list[Result]:
        nonlocal weak, missing
        if only != Filter() or given["task"]:
            found = work.recall(question, limit=most, only=only, task=given["task"], partial=True)
            weak, missing = found.weak, found.missing
            return memory_results(found.items)
        asked = work.ask(question, limit=most, tier=given["tier"], partial=True)
        weak, missing = asked.weak, asked.missing
        return list(asked.pieces)

    found = ranked_to(start, limit, ask, lambda one: (one.tier, one.identity, one.place))
    page, more = answer_page(found, start, limit, about)
    if missing and not page:
        raise StoreAwayError(missing, hint="Ask again in a moment.")
    told = result_lines(work, page)
    told += f"\nPartial answer: {clean_line(missing)}" if missing else ""
    left = weak if not page else 0
    told += f"\n{counted(left, 'weak match', 'weak matches')} left out." if left else ""
    return fenced(f"memories found: {clean_line(question)[:80]}", told) + more_pages(more)


@tool(
    "remember",
    "Remember",
    "Keep one thing for later sessions: a lesson, decision, rule, fact, next step.",
    {
        "content": s.text("what to keep, understandable on its own"),
        "kind": s.text("", default="learned", choices=tuple(KINDS)),
        "title": s.text("", default=""),
        "task": s.text("the task it belongs to", default=""),
        "tags": s.texts(""),
        "at": s.texts("code it is about: path or path:symbol"),
        "intent": s.texts("sections of the intent it is about"),
        "key": s.text("name of a preference", default=""),
        "origin": s.text(
            "whose words; a tool's or the web's wait for a person's approval",
            default=AGENT,
            choices=(AGENT, TOOL, WEB),
        ),
        "expires_days": s.count("0: never, or by kind", default=0, most=36_500, least=0),
        "for_user": s.flag("keep it for the person, in every project"),
    },
    ADDS,
    from_start=True,
)
def _remember(call: Call) -> str:
    given, work = call.given, call.workspace
    if given["for_user"] and work.person is None:
        raise BadInputError("A team's server keeps nothing personal.")
    fields: dict[str, Any] = {"key": given["key"]}
    if given.get("at"):
        fields["data"] = pinned(work.code, given["at"])
    if given.get("intent"):
        sections = [work.intent.section(anchor) for anchor in given["intent"]]
        fields["intent_anchors"] = tuple(one.anchor or one.path for one in sections)
    if given["expires_days"]:
        fields["expires_in"] = given["expires_days"] * DAY
    fields |= {name: given[name] for name in ("kind", "title", "task")}
    fields |= {"user": given["for_user"], "trust": given["origin"], "client": call.client}
    fields |= {"source": call.user} if call.user else {}
    kept = nudges.remember(work, given["content"], tags=tuple(given.get("tags", ())), **fields)
    record = kept.record
    told = f"Remembered {record.kind} {record.id}, trust {trust_label(record)}"
    told += " (waits until a person approves it)" if given["origin"] != AGENT else ""
    replaced = work.memories.replaced_by(record, user=given["for_user"])
    told += "".join(f"; replaces {one.id}" for one in replaced)
    told += " (secrets were redacted)" if "[redacted:" in record.content else ""
    for one in contradicted_by(work, record):
        told += f"; contradicts {clean_line(one.place)}"
    return told + (" (as a rule it waits for a person's review)" if kept.waits else "")


@tool(
    "brief",
    "Brief",
    "What to know now: of this session, of the project (prime), of a task's memory or intent.",
    {
        "kind": s.text("", default="session", choices=_BRIEFS),
        "task": s.text("the task being worked on", default=""),
        "max_tokens": s.count("0: the setting", default=0, most=20_000, least=0),
    },
)
def _brief(call: Call) -> str:
    given, work = call.given, call.workspace
    kind, task, budget = given["kind"], given["task"], given["max_tokens"]
    parts = work.briefs.parts
    if kind in ("session", "prime"):
        made = (
            work.briefs.session(Reader(how=HOW_TO_REMEMBER), task=task, most=budget)
            if kind == "session"
            else work.briefs.prime(budget=budget, task=task, how=HOW_TO_REMEMBER)
        )
        text = made.text
        if made.left_out and not made.placed:
            told = f"{made.left_out} items do not fit into {made.budget} tokens."
            text = f"{told}\n{text}".rstrip()
    else:
        body = (
            parts.memory(task=task, budget=budget)
            if kind == "memory"
            else parts.intent(task=task, budget=budget).text
            if kind == "intent"
            else parts.instructions(task=task)
        )
        text = fenced(kind, body) if body else ""
    return clean_text(text) or "Nothing to tell yet."


@tool(
    "notes",
    "Learning notes",
    "Long write-ups of solved problems, filtered by tag or category.",
    {
        "query": s.text("words or a question"),
        "mode": s.text("", default="hybrid", choices=_MODES),
        "tags": s.texts("only with all of these"),
        "category": s.text("", default=""),
        "limit": s.count("", default=10, most=100),
        "cursor": s.CURSOR,
    },
)
def _notes(call: Call) -> str:
    given, limit = call.given, call.given["limit"]
    about = asked_for(given)
    start = offset_of(given["cursor"], about)

    def ask(most: int) -> list[dict[str, Any]]:
        found = notebook.search(
            given["query"],
            mode=given["mode"],
            tags=given.get("tags", ()),
            category=given["category"],
            limit=most,
            progress=lambda done, total: call.tell(done, total, "indexing notes"),
        )
        return list(findings_json(found)["results"])

    with call.workspace.notes as notebook:
        every = ranked_to(start, limit, ask, lambda one: one["id"])
    page, more = answer_page(every, start, limit, about)
    held = held_back(call.workspace, (one["path"] for one in page))
    lines = [
        f"{clean_line(one['path'])} · {one['id']}{' · unapproved' * (one['path'] in held)}: "
        f"{clean_line(one['title'])}: "
        f"{clean_line(one['key_insight'] or one['excerpt'])[:200]}"
        for one in page
    ]
    return fenced("learning notes", "\n".join(lines) or "Nothing found.") + more_pages(more)


TOOLS = (_recall, _remember, _brief, _notes)

_READ, _CORRECT, _HIDE, _ERASE = _ACTIONS = ("read", "correct", "hide", "erase")


@tool(
    "memory",
    "Memory by id",
    "Read in full what `recall` or `notes` listed; correct, hide or erase a memory that an "
    "agent wrote.",
    {
        "id": s.text("its id"),
        "action": s.text("", default=_READ, choices=_ACTIONS),
        "content": s.text("correct: the whole new text", default=""),
        "cursor": s.CURSOR,
    },
    CHANGES,
    reading=("read",),
)
def _memory(call: Call) -> str:
    given, memories = call.given, call.workspace.memories
    action, ident = given["action"], given["id"]
    if action == _READ:
        return _read_whole(call)
    record = memories.find(ident).record
    if action == _CORRECT:
        if not given["content"].strip():
            raise BadInputError("There is no new text.", hint="Give it as `content`.")
        _require_own([record])
        memories.edit(record.id, given["content"])
        return f"Corrected {record.id}; the earlier text stays in its history."
    if action == _HIDE:
        _require_own([record])
        memories.delete(record.id)
        return f"Hid {record.id}; `satchel memory restore {record.id}` brings it back."
    forgetting = Forgetting(call.workspace)
    plan = forgetting.plan(Selection((record.id,)))
    _require_own([*plan.chosen, *plan.derived])
    receipt = forgetting.apply(plan)
    left = "".join(f"\nLeft in {one.where}: {one.why}" for one in receipt.remains)
    return f"Erased {', '.join(receipt.ids)}.{clean_text(left)}"


def _read_whole(call: Call) -> str:
    work, ident = call.workspace, call.given["id"]
    try:
        item = work.memories.find(ident)
    except NotFoundError:
        with work.notes as notebook:
            whole = notebook.fetch(ident)
        page = text_page(clean_text(whole.text), call.given["cursor"])
        return fenced(f"note {whole.path}", page.text) + more_pages(page.next_cursor)
    if item.record.deleted_at is not None:
        raise NotFoundError(
            f"{item.record.id} was hidden or erased.",
            hint=f"`satchel memory restore {item.record.id}` brings back what was hidden.",
        )
    label = f"memory, {trust_of(item.record) or 'imported'}'s words"
    return fenced(label, record_text(item, Style(colour=False), work.project.clock.now()))


def _require_own(records: Sequence[Record]) -> None:
    """Raise unless agents wrote all of it: a web page must not revoke a user's rule."""
    for one in records:
        if trust_of(one) != AGENT:
            raise BadInputError(
                f"{one.id} was not written by an agent: a person changes it.",
                hint=f"Ask for `satchel edit {one.id}`, or `remember` what holds now.",
            )


BY_ID = (_memory,)
