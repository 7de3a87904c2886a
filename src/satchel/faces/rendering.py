"""Rendering: what people and programs are shown. Text for a terminal, JSON for the rest."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.ledger.lines import fields_of
from satchel.ledger.record import Record
from satchel.memories.kinds import KINDS
from satchel.memories.origins import age_of, origin_of
from satchel.memories.service import Remembered
from satchel.recall.answers import Answer, Found
from satchel.trust import clean_line, clean_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_WIDTH = 88
_BOLD, _DIM, _PLAIN = "\033[1m", "\033[2m", "\033[0m"


class Style:
    """Colours, or their absence."""

    def __init__(self, *, colour: bool) -> None:
        self._colour = colour

    def bold(self, text: str) -> str:
        """Emphasise."""
        return f"{_BOLD}{text}{_PLAIN}" if self._colour else text

    def dim(self, text: str) -> str:
        """Step back."""
        return f"{_DIM}{text}{_PLAIN}" if self._colour else text


def label_of(record: Record) -> str:
    """Return the label of a record's kind, as briefs show it."""
    kind = KINDS.get(record.kind)
    return clean_line(kind.label if kind else record.kind.upper())


def short_id(record: Record) -> str:
    """Return enough of an id to name it: time and the first of the random part."""
    return record.id[:14]


#: Characters of a question that are repeated to who asked it.
_QUESTION = 120


def answer_text(answer: Answer, style: Style, now: float, *, explain: bool = False) -> str:
    """Show an answer: each item with its source, or the plain statement that there is none."""
    if not answer.items:
        weak = (
            f" {answer.weak} weak matches were left out; --weak shows them." if answer.weak else ""
        )
        return f"Nothing found for {clean_line(answer.question)[:_QUESTION]!r}.{weak}"
    return "\n".join(_found_text(found, style, now, explain=explain) for found in answer.items)


def _found_text(found: Found, style: Style, now: float, *, explain: bool) -> str:
    record = found.record
    title = f"{clean_line(record.title)}\n" if record.title else ""
    if record.kind == "preference":
        title = f"{clean_line(record.key)}: "
    body = indented(title + clean_text(record.content), "  ")
    origin = f"  {found.source} · {origin_of(record, now)} · {short_id(record)}"
    lines = [f"{style.bold(f'[{label_of(record)}]')} {body}", style.dim(origin)]
    if explain:
        parts = " * ".join(f"{name} {value:.4g}" for name, value in found.parts.items())
        lines.append(style.dim(f"  score {found.score:.4g} = {parts}; covers {found.coverage:.0%}"))
        if found.evidence:
            seen = ", ".join(f"{name} {value:.4g}" for name, value in found.evidence.items())
            lines.append(style.dim(f"  relevance from {seen}"))
    return "\n".join(lines)


def list_text(items: Sequence[Remembered], style: Style, now: float) -> str:
    """Show memories one line each."""
    lines = []
    for item in items:
        record = item.record
        state = _state(record, now)
        content = clean_line(record.title or record.content)
        if record.kind == "preference":
            content = f"{clean_line(record.key)}: {content}"
        content = content if len(content) <= _WIDTH else content[: _WIDTH - 1] + "…"
        head = f"{short_id(record)}  {label_of(record):<10} {age_of(record, now):>6}  "
        lines.append(style.dim(head) + content + (style.dim(f"  ({state})") if state else ""))
    return "\n".join(lines)


def _state(record: Record, now: float) -> str:
    if record.deleted_at is not None:
        return "deleted"
    if record.expires_at is not None and record.expires_at <= now:
        return "expired"
    return "edited by hand" if record.edited else ""


def record_text(item: Remembered, style: Style, now: float) -> str:
    """Show one memory whole."""
    record = item.record
    rows = [
        ("id", record.id),
        ("key", record.key),
        ("kind", record.kind),
        ("written", f"{stamp(record.when)} ({age_of(record, now)})"),
        ("origin", origin_of(record, now)),
        ("ledger", item.source),
        ("tags", " ".join(record.tags)),
        ("session", record.session),
        ("branch", record.branch),
        ("expires", stamp(record.expires_at) if record.expires_at else ""),
        ("deleted", stamp(record.deleted_at) if record.deleted_at else ""),
        ("valid", _validity(record)),
        ("version", str(record.rev + 1) if record.rev else ""),
        ("note", "edited by hand" if record.edited else ""),
    ]
    head = "\n".join(f"{style.dim(f'{k:<8}')} {clean_line(v)}" for k, v in rows if v)
    title = style.bold(clean_line(record.title)) + "\n" if record.title else ""
    return f"{head}\n\n{title}{clean_text(record.content)}"


def _validity(record: Record) -> str:
    if record.valid_from is None and record.valid_to is None:
        return ""
    begin = stamp(record.valid_from if record.valid_from is not None else record.when)
    return f"{begin} to {stamp(record.valid_to) if record.valid_to is not None else 'now'}"


def indented(text: str, indent: str) -> str:
    """Indent every line but the first. Terminals wrap by themselves."""
    return text.replace("\n", "\n" + indent)


def stamp(seconds: int) -> str:
    """Spell a time: UTC, to the minute."""
    from datetime import UTC, datetime

    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (ValueError, OverflowError, OSError):
        return f"{seconds} s"


def record_json(record: Record, source: str = "") -> dict[str, Any]:
    """Return a record for `--json`: the fields of its line, cleaned, and where it stands."""
    fields: dict[str, Any] = cleaned(fields_of(record))
    fields["hash"] = record.hash
    if source:
        fields["ledger"] = source
    if record.edited:
        fields["edited"] = True
    return fields


def answer_json(answer: Answer, now: float) -> dict[str, Any]:
    """Return an answer for `--json`."""
    return {
        "question": clean_text(answer.question),
        "count": len(answer.items),
        "weak": answer.weak,
        "items": [
            {
                **record_json(found.record, found.source),
                "score": float(f"{found.score:.4g}"),
                "coverage": round(found.coverage, 3),
                "parts": {name: float(f"{part:.4g}") for name, part in found.parts.items()},
                "evidence": found.evidence,
                "age_seconds": max(0, int(now - found.record.when)),
            }
            for found in answer.items
        ],
    }


def cleaned(value: Any) -> Any:
    """Clean every text in a JSON value: what a terminal or a model may not be shown is gone."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list | tuple):
        return [cleaned(item) for item in value]
    if isinstance(value, dict):
        return {clean_text(str(key)): cleaned(item) for key, item in value.items()}
    return value


def size(count: float) -> str:
    """Spell a number of bytes."""
    for unit in ("B", "KB", "MB"):
        if count < 1000:  # noqa: PLR2004
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"
