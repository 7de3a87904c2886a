"""DECISIONS.md: one row per decision, appended without changing existing text."""

from __future__ import annotations

import os

from satchel.core import times
from satchel.core.errors import BadInputError
from satchel.core.redaction.redactor import redact
from satchel.core.trust import clean_line
from satchel.features.agents.souls import parts_of
from satchel.features.agents.tables import row_of, tables, with_row
from satchel.features.agents.templates import is_untouched
from satchel.features.agents.values import Decision
from satchel.storage.locks import FileLock, read_file, replace_file

COLUMNS = ("Date", "Topic", "Decision", "Rationale", "Alternatives Considered")
_WANTED = ("date", "topic", "decision")
_LONGEST = 4000


def checked(decision: Decision) -> Decision:
    """Return a decision without secrets, each part on one line. Raises if a part is empty."""
    texts = {
        name: clean_line(redact(value)[0])
        for name, value in decision._asdict().items()
        if isinstance(value, str)
    }
    for name in ("topic", "decision", "rationale"):
        if not texts[name] or len(texts[name]) > _LONGEST:
            raise BadInputError(
                f"A decision needs a {name} of 1 to {_LONGEST} characters.",
                hint="satchel agents log-decision --topic T --decision D --rationale R",
            )
    others = tuple(clean_line(redact(one)[0]) for one in decision.alternatives)
    return decision._replace(**texts, alternatives=tuple(one for one in others if one))


def log_decision(path: str, lock: str, decision: Decision, agent: str, now: float) -> str:
    """Add a row to an agent's log, creating the file if needed; return the row."""
    day = times.day(now)
    others = ", ".join(decision.alternatives)
    values = {
        "date": day,
        "topic": decision.topic,
        "decision": decision.decision,
        "rationale": decision.rationale,
        "alternatives": others,
        "applies": decision.applies_to,
        "agent": agent,
    }
    row = row_of((day, decision.topic, decision.decision, decision.rationale, others))
    with FileLock(lock):
        text = read_file(path).decode("utf-8", "surrogateescape")
        after = with_row(text, _WANTED, values)
        if after is None:
            after = _with_table(text, agent) + row + "\n"
        mode = os.stat(path).st_mode & 0o777 if os.path.exists(path) else 0o644
        replace_file(path, after.encode("utf-8", "surrogateescape"), mode=mode)
    return row


def decisions_in(text: str) -> list[dict[str, str]]:
    """Return a log's rows, keyed by lower-case column name."""
    found = []
    for table in tables(text):
        columns = [column.lower() for column in table.columns]
        if all(any(c.startswith(name) for c in columns) for name in _WANTED):
            found += [dict(zip(columns, row, strict=True)) for row in table.rows]
    return found


def entries_in(text: str) -> list[str]:
    """Return a log's decisions: table rows, and sections without a table."""
    rows = [" | ".join(cell for cell in row if cell) for one in tables(text) for row in one.rows]
    sections = [
        f"{part.title}\n{part.text}"
        for part in parts_of(text)
        if part.title and part.text and not (tables(part.text) or is_untouched(part.text))
    ]
    return [*rows, *sections]


def _with_table(text: str, agent: str) -> str:
    if not text.strip():
        text = f"# {agent}: decisions\n"
    gap = "\n" if text.endswith("\n") else "\n\n"
    rule = "|" + "|".join("---" for _ in COLUMNS) + "|"
    return f"{text}{gap}## Decision Log\n\n{row_of(COLUMNS)}\n{rule}\n"
