"""Tools for one memory by id: read it in full, correct it, hide it, erase it."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.application.forgetting.service import Forgetting, Selection
from satchel.core.errors import BadInputError, NotFoundError
from satchel.core.trust import AGENT, clean_text
from satchel.interfaces.mcp import schemas as s
from satchel.interfaces.mcp.formatting import fenced, more_pages
from satchel.interfaces.mcp.paging import text_page
from satchel.interfaces.mcp.schemas import CHANGES, Call, tool
from satchel.interfaces.rendering import Style, record_text
from satchel.project.approvals.rules import trust_of
from satchel.storage.ledger.record import Record

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
)
def _memory(call: Call) -> str:
    given, memories = call.given, call.workspace.memories
    action, ident = given["action"], given["id"]
    if action == _READ:
        return _read(call)
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


def _read(call: Call) -> str:
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


TOOLS = (_memory,)
