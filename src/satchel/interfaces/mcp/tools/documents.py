"""QMD's tools (The Foundation), qmd_query and qmd_fetch; and save_memory (beans).

`save_memory` writes nothing before the change has been shown: the first call returns the diff and a
confirmation token bound to it, the second sends that token.
"""

from __future__ import annotations

from typing import Any

from satchel.application.outlet import held_back
from satchel.core.errors import BadInputError, ConflictError
from satchel.core.trust import clean_text
from satchel.features.instructions import adding
from satchel.interfaces.mcp import schemas as s
from satchel.interfaces.mcp.paging import mark_of, text_page
from satchel.interfaces.mcp.schemas import CHANGES, Call, tool
from satchel.interfaces.mcp.tools.beads_memory import json_answer
from satchel.interfaces.note_rendering import findings_json, trust_of_path
from satchel.interfaces.rendering import picked

_MODES = ("hybrid", "keyword", "semantic")
_SCOPES = {"": "", "global": "global", "project": "project"}


@tool(
    "qmd_query",
    "Query documents",
    "Search collections of documents: hybrid, by keywords or by meaning.",
    {
        "query": s.text("words or a question"),
        "mode": s.text("how to search", default="hybrid", choices=_MODES),
        "collections": s.texts("only these collections"),
        "limit": s.count("most documents", default=10, most=100),
        "min_score": s.share("lowest score to return", most=1_000),
    },
)
def _query(call: Call) -> str:
    given = call.given
    with call.workspace.notes as notebook:
        found = notebook.query(
            given["query"],
            mode=given["mode"],
            collections=given.get("collections", ()),
            limit=given["limit"],
            min_score=given.get("min_score", 0.0),
            progress=lambda done, total: call.tell(done, total, "indexing documents"),
        )
    held = held_back(call.workspace, (one.path for one in found.items))
    return json_answer(findings_json(found, held))


@tool(
    "qmd_fetch",
    "Fetch a document",
    "Read a document, or lines of it, by its id or path.",
    {
        "id": s.text("docid or path of the result"),
        "from_line": s.count("first line; 0 for the first", default=0, least=0, most=100_000_000),
        "max_lines": s.count(
            "maximum number of lines; 0 for all", default=0, least=0, most=100_000_000
        ),
        "cursor": s.CURSOR,
    },
)
def _fetch(call: Call) -> str:
    given = call.given
    with call.workspace.notes as notebook:
        whole = notebook.fetch(given["id"], first=given["from_line"], lines=given["max_lines"])
    page = text_page(clean_text(whole.text), given["cursor"])
    return json_answer(
        {
            **picked(whole, "path", "docid", "first", "lines"),
            **trust_of_path(whole.path, held_back(call.workspace, [whole.path])),
            **picked(page, "text", "pages", "next_cursor"),
            "page": page.number,
        }
    )


@tool(
    "save_memory",
    "Save to an instruction file",
    "Save important information to a memory file (AGENTS.md, MEMORY.md) for future sessions. "
    "The first call shows the diff; the second, with `confirm`, writes it.",
    {
        "content": s.text("what to save, Markdown", default=""),
        "section": s.text('heading to add it under, as "Code Style"', default=""),
        "target": s.text(
            "global or project (project)", default="", choices=("", "global", "project")
        ),
        "confirm": s.text("`confirm` of the response that showed the diff", default=""),
        "fact": s.text("`content` in older clients", default=""),
        "scope": s.text("`target` in older clients", default="", choices=tuple(_SCOPES)),
    },
    CHANGES,
)
def _save(call: Call) -> str:
    given = call.given
    content = given["content"] or given["fact"]
    if not content.strip():
        raise BadInputError(
            'Parameter "content" must be a non-empty string.', hint="Older clients call it `fact`."
        )
    target = given["target"] or _SCOPES[given["scope"]] or "project"
    instructions = call.workspace.instructions
    made = adding.propose_entry(instructions, content, target, given["section"])
    told: dict[str, Any] = {
        "success": True,
        "written": False,
        "path": made.target,
        **picked(made, "section", "entry", "diff", "notes"),
        "confirm": "",
        "clashes": [
            f"{one.what}: {one.rule.path}:{one.rule.line} {one.rule.text}" for one in made.clashes
        ],
    }
    if made.repeats is not None and not made.changes:
        return json_answer({**told, "message": "It already exists."})
    word = mark_of(f"{made.target}\0{made.diff}")
    if given["confirm"] != word:
        if given["confirm"]:
            raise ConflictError(
                "The file, or the text to save, has changed since it was shown.",
                hint="Call without `confirm`, show the diff, and confirm that one.",
            )
        said = "Nothing is written yet: show the diff, then call again with `confirm`."
        return json_answer({**told, "confirm": word, "message": said})
    made.apply()
    instructions.refresh()
    said = f'Okay, I\'ve remembered that: "{made.entry}"'
    return json_answer({**told, "written": True, "message": said})


QMD_TOOLS = (_query, _fetch)

SAVE_TOOLS = (_save,)
