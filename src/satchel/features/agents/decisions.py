"""DECISIONS.md: one row per decision, appended without changing existing text."""

from __future__ import annotations

import os
from collections.abc import Sequence

from satchel.core import times
from satchel.core.errors import BadInputError
from satchel.core.redaction.redactor import redact
from satchel.core.trust import clean_line
from satchel.engine.markdown.sections import lines_of, sections
from satchel.features.agents.values import Decision, Table, is_untouched, parts_of
from satchel.storage.files import read_file, replace_file
from satchel.storage.locks import FileLock

_NOTHING = frozenset("-\u2013\u2014 ")


def cells_of(line: str) -> tuple[str, ...]:
    r"""Split a row into cells; `\|` is an escaped pipe."""
    text = line.strip()
    text = text.removeprefix("|")
    cells, current, at = [], "", 0
    while at < len(text):
        if text[at] == "\\" and text[at + 1 : at + 2] == "|":
            current += "|"
            at += 2
            continue
        if text[at] == "|":
            cells.append(current.strip())
            current = ""
        else:
            current += text[at]
        at += 1
    if current.strip():
        cells.append(current.strip())
    return tuple(cells)


def row_of(cells: Sequence[str]) -> str:
    r"""Format a row; pipes become `\|`, line breaks become spaces."""
    clean = [" ".join(cell.split()).replace("\\|", "|").replace("|", "\\|") for cell in cells]
    return "| " + " | ".join(clean) + " |"


def is_empty_row(cells: Sequence[str]) -> bool:
    """Return whether a row is a placeholder: dashes, or nothing."""
    return all(set(cell) <= _NOTHING for cell in cells)


def tables(text: str) -> list[Table]:
    """Return every table with its heading, skipping code."""
    found = []
    for section in sections(text):
        block: list[str] = []
        for line in [*lines_of(text[section.start : section.end]), None]:
            if line is not None and not line.code and line.text.lstrip().startswith("|"):
                block.append(line.text)
                continue
            if len(block) > 1 and _is_rule(block[1]):
                columns = cells_of(block[0])
                rows = [_fitted(cells_of(row), len(columns)) for row in block[2:]]
                kept = tuple(row for row in rows if not is_empty_row(row))
                found.append(Table(section.title, columns, kept))
            block = []
    return found


def with_row(text: str, wanted: Sequence[str], values: dict[str, str]) -> str | None:
    """Add a row to the first table with the given columns.

    Args:
        wanted: prefixes of column names, in lower case: all must occur, in any order.
        values: cells by the prefix of their column's name; other columns stay empty.

    Returns:
        The text with one more line, with the file's own line ending, replacing a placeholder row;
        None if no table fits.
    """
    ending = "\r\n" if "\r\n" in text else "\n"
    lines = list(lines_of(text))
    for number in range(len(lines) - 1):
        head, rule = lines[number], lines[number + 1]
        if head.code or "|" not in head.text or not _is_rule(rule.text):
            continue
        columns = [cell.lower() for cell in cells_of(head.text)]
        if not all(any(column.startswith(name) for column in columns) for name in wanted):
            continue
        last = number + 1
        while last + 1 < len(lines) and lines[last + 1].text.lstrip().startswith("|"):
            last += 1
        cells = [next((v for k, v in values.items() if c.startswith(k)), "") for c in columns]
        row = row_of(cells) + ending
        end = lines[last].end
        if last > number + 1 and is_empty_row(cells_of(lines[last].text)):
            return text[: lines[last].start] + row + text[end:]
        before = text[:end] if text[:end].endswith("\n") else text[:end] + ending
        return before + row + text[end:]
    return None


def _fitted(cells: tuple[str, ...], count: int) -> tuple[str, ...]:
    return (*cells[:count], *[""] * (count - len(cells)))


def _is_rule(line: str) -> bool:
    cells = cells_of(line)
    return bool(cells) and all(cell and set(cell) <= {"-", ":"} for cell in cells)


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
