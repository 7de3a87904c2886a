"""Rendering: text for a terminal, JSON for programs."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from satchel.application.outlet import ASIDE
from satchel.application.recall.results import Answer, RecallHit
from satchel.core import times
from satchel.core.ids import chosen_key, short_id
from satchel.core.kinds import KINDS
from satchel.core.plurals import counted
from satchel.core.trust import UNAPPROVED, clean_line, clean_text
from satchel.engine.search.records import StoredMemory
from satchel.features.memories.origins import age_of, origin_of
from satchel.storage.ledger.lines import fields_of
from satchel.storage.ledger.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.application.recall.results import Result, RoutedAnswer
    from satchel.features.code.anchored import CodeState

#: The state of anchored code, if nobody asked for it.
_UNKNOWN: Mapping[str, CodeState] = {}
#: How many lines of a memory an answer shows, and their most characters.
_SHOWN, _SHOWN_CHARACTERS = 3, 400
#: How many lines of a piece to show, and characters of each.
_LINES, _LINE = 3, 200
#: How many characters of a session's id to show.
_SESSION = 8
#: Labels of pieces by source; those of other sources are notes, or named after their tier.
_LABELS = {
    "graph": "GRAPH",
    "tasks": "TASK",
    "identity": "IDENTITY",
    "preferences": "PREFERENCES",
    "instructions": "INSTRUCTIONS",
    "rules": "SOFT RULE",
    "transcripts": "SESSION",
    "episodes": "SESSION",
    "symbols": "CODE",
    "references": "USE",
}
#: The remark on a text that came with the repository, with the command that approves it.
NOT_APPROVED = f"{UNAPPROVED} (`satchel approve`)"

_BOLD, _DIM, _PLAIN = "\033[1m", "\033[2m", "\033[0m"
#: First character of a diff's line -> its color, as in git.
_DIFF = {"+": "\033[32m", "-": "\033[31m", "@": "\033[36m"}


def trust_mark(trust: str) -> str:
    """Return the mark of what agents should take as data, for people."""
    return NOT_APPROVED if trust == UNAPPROVED else trust


class Style:
    """ANSI styles, or none."""

    def __init__(self, *, colour: bool) -> None:
        self._colour = colour

    def bold(self, text: str) -> str:
        """Make text bold."""
        return f"{_BOLD}{text}{_PLAIN}" if self._colour else text

    def dim(self, text: str) -> str:
        """Dim text."""
        return f"{_DIM}{text}{_PLAIN}" if self._colour else text

    def diff(self, text: str) -> str:
        """Color a unified diff: added lines, removed lines and hunk headers."""
        return "".join(map(self._diff_line, text.splitlines(keepends=True)))

    def _diff_line(self, line: str) -> str:
        heads = ("+++", "---")
        colour = "" if line.startswith(heads) else _DIFF.get(line[:1], "")
        if not (self._colour and colour):
            return line
        body = line.rstrip("\n")
        return f"{colour}{body}{_PLAIN}{line[len(body) :]}"


def label_of(record: Record) -> str:
    """Return the label of a record's kind, as briefs show it."""
    kind = KINDS.get(record.kind)
    return clean_line(kind.label if kind else record.kind.upper())


def title_of(record: Record) -> str:
    """Return the title if it is informative: all checkpoints have the same."""
    return "" if record.kind == "checkpoint" else record.title


def said_of(record: Record) -> str:
    """Return a memory on one line: its title, or what a checkpoint's session was asked."""
    asked = record.data.get("asked") if record.kind == "checkpoint" and record.data else ""
    return clean_line(title_of(record) or str(asked or "") or record.content)


#: How much of a question to repeat, in characters.
_QUESTION = 120


def answer_text(answer: Answer, style: Style, now: float, *, explain: bool = False) -> str:
    """Format an answer: each item with its source, or say that nothing was found."""
    if not answer.items:
        return _nothing(answer)
    return "\n".join(_found_text(found, style, now, explain=explain) for found in answer.items)


def _nothing(answer: Answer | RoutedAnswer) -> str:
    weak = counted(answer.weak, "weak match", "weak matches")
    more = f" {weak} left out: see --weak." if answer.weak else ""
    return f"Nothing found for {clean_line(answer.question)[:_QUESTION]!r}.{more}"


def _found_text(
    found: RecallHit, style: Style, now: float, *, explain: bool, shared: Collection[str] = ()
) -> str:
    record = found.record
    title = title_of(record)
    title = f"{clean_line(title)}\n" if title else ""
    if record.kind == "preference":
        name = chosen_key(record.kind, record.key)
        title = f"{clean_line(name)}: " if name else ""
    body = indented(_beginning(title + clean_text(record.content), short_id(record.id)))
    source = NOT_APPROVED if found.source == UNAPPROVED else found.source
    source = "shared" if record.id in shared else source
    origin = f"  {source} · {origin_of(record, now, source=found.source)} · {short_id(record.id)}"
    lines = [f"{style.bold(f'[{label_of(record)}]')} {body}", style.dim(origin)]
    if ASIDE in record.tags:
        lines.append(style.dim(f"  {_put_aside(record)}"))
    if found.replaced_by:
        lines.append(style.dim(f"  replaced by {short_id(found.replaced_by)}"))
    if found.branch:
        lines.append(style.dim(f"  {clean_line(found.branch.told)}"))
    if explain:
        parts = " * ".join(f"{name} {value:.4g}" for name, value in found.parts.items())
        lines.append(style.dim(f"  score {found.score:.4g} = {parts}; covers {found.coverage:.0%}"))
        if found.evidence:
            seen = ", ".join(f"{name} {value:.4g}" for name, value in found.evidence.items())
            lines.append(style.dim(f"  relevance from {seen}"))
    return "\n".join(lines)


def _beginning(text: str, reference: str) -> str:
    """Return the first lines of a text, and how to see the rest."""
    text = text.replace("\nNext:\n- ", "\nNext: ")  # a checkpoint's first step fits, too
    kept = "\n".join(text.split("\n")[:_SHOWN])
    if len(kept) > _SHOWN_CHARACTERS:
        kept = kept[:_SHOWN_CHARACTERS].rpartition(" ")[0] or kept[:_SHOWN_CHARACTERS]
    return kept if kept == text else f"{kept} … (satchel show {reference})"


def routed_text(
    answer: RoutedAnswer,
    style: Style,
    now: float,
    *,
    explain: bool = False,
    standings: Mapping[str, CodeState] = _UNKNOWN,
    shared: Collection[str] = (),
) -> str:
    """Format an answer from the tiers: memories as usual, other results with their location.

    `standings` has the state of memories' code, by record id; `shared` the ids of your own memories
    that colleagues also see.
    """
    lines = [_route_text(answer, style)] if explain else []
    if not answer.pieces:
        lines.append(_nothing(answer))
    for piece in answer.pieces:
        if piece.found is not None:
            lines.append(_found_text(piece.found, style, now, explain=explain, shared=shared))
            standing = standings.get(piece.found.record.id)
            # Of work that is not here, its code here says nothing.
            if standing is not None and not piece.found.branch:
                lines.append(style.dim(f"  {clean_line(standing.told)}"))
        else:
            lines.append(_piece_text(piece, style, now, explain=explain))
    return "\n".join(lines)


def _piece_text(piece: Result, style: Style, now: float, *, explain: bool) -> str:
    label = _LABELS.get(piece.source, piece.tier.upper() if piece.tier != "warm" else "NOTE")
    title, text = clean_line(piece.title), clean_text(piece.text).strip()
    if text.removeprefix("- ").startswith(title.rstrip("…")):
        title, text = _shortened(text.removeprefix("- ")), ""
    shown = "\n  " + indented(_shortened(text)) if text else ""
    age = f", {_ago(now - piece.at)}" if piece.at else ""
    place = f"session {piece.story_of[:_SESSION]}" if piece.story_of else piece.place
    where = clean_line(place or piece.source)
    if explain:
        where = " · ".join(filter(None, (piece.tier, clean_line(piece.source), clean_line(place))))
    trust = f" · {trust_mark(piece.trust)}" if piece.trust else ""
    head = f"{style.bold(f'[{label}]')} {indented(title)}{shown}"
    lines = [head, style.dim(f"  {where}{age}{trust}")]
    if explain:
        parts = ", ".join(f"{name} {value:.4g}" for name, value in piece.parts.items())
        lines.append(style.dim(f"  score {piece.score:.4g}" + (f" from {parts}" if parts else "")))
    return "\n".join(lines)


def _ago(seconds: float) -> str:
    return f"{times.span(int(seconds))} ago" if seconds >= times.MINUTE else "just now"


def _route_text(answer: RoutedAnswer, style: Style) -> str:
    route = answer.route
    to = f"{route.tier}/{route.source}" if route.source else route.tier
    why = f"matches {route.pattern}" if route.matched else "matches no pattern"
    told = "; ".join(
        f"{one.tier}{'/' + one.source if one.source else ''} gave {one.given} in "
        f"{one.milliseconds:.1f} ms" + (f" ({clean_line(one.why)})" if one.why else "")
        for one in answer.reports
    )
    return style.dim(f"route {to}: {why}\nasked {told}")


def _shortened(text: str) -> str:
    lines = [line for line in text.split("\n") if line.strip()]
    kept = "\n".join(map(_cut, lines[:_LINES]))
    return kept if len(lines) <= _LINES else kept + " …"


def _cut(line: str) -> str:
    return line if len(line) <= _LINE else (line[:_LINE].rpartition(" ")[0] or line[:_LINE]) + " …"


def routed_json(
    answer: RoutedAnswer, now: float, standings: Mapping[str, CodeState] = _UNKNOWN
) -> dict[str, Any]:
    """Return an answer from the tiers for `--json`, with each memory's ledger fields."""
    items: list[dict[str, Any]] = []
    for piece in answer.pieces:
        shared = {
            "tier": piece.tier,
            "score": float(f"{piece.score:.4g}"),
            "parts": {name: float(f"{part:.4g}") for name, part in piece.parts.items()},
        }
        if piece.found is not None:
            standing = standings.get(piece.found.record.id)
            code = {"code": standing.state, "code_told": standing.told} if standing else {}
            items.append({**_found_json(piece.found, now), **shared, **cleaned(code)})
            continue
        about = {"source": piece.source, "title": piece.title, "content": piece.text}
        about |= {"trust": piece.trust} if piece.trust else {}
        age = max(0, int(now - piece.at)) if piece.at else None
        items.append({**cleaned({**about, "place": piece.place}), **shared, "age_seconds": age})
    return {
        "question": clean_text(answer.question),
        "route": answer.route._asdict(),
        "problem": clean_text("; ".join(filter(None, [answer.problem, answer.missing]))),
        "asked": cleaned(answer.reports),
        "count": len(items),
        "weak": answer.weak,
        "items": items,
    }


def record_text(item: StoredMemory, style: Style, now: float) -> str:
    """Format one memory in full."""
    record = item.record
    rows = [
        ("id", record.id),
        ("key", record.key),
        ("kind", record.kind),
        ("written", f"{times.minute(record.when)} ({age_of(record, now)})"),
        ("origin", origin_of(record, now)),
        ("ledger", item.source),
        ("tags", " ".join(record.tags)),
        ("session", record.session),
        ("branch", record.branch),
        ("expires", times.minute(record.expires_at) if record.expires_at else ""),
        ("deleted", times.minute(record.deleted_at) if record.deleted_at else ""),
        ("valid", _validity(record)),
        ("version", str(record.rev + 1) if record.rev else ""),
        ("note", _put_aside(record) or ("edited by hand" if record.edited else "")),
    ]
    head = "\n".join(f"{style.dim(f'{k:<8}')} {clean_line(v)}" for k, v in rows if v)
    title = style.bold(clean_line(record.title)) + "\n" if record.title else ""
    return f"{head}\n\n{title}{clean_text(record.content)}"


def _put_aside(record: Record) -> str:
    """Say that a memory was put aside and what tells why; "" if it was not."""
    return f"put aside: `satchel why {short_id(record.id)}`" if ASIDE in record.tags else ""


def _validity(record: Record) -> str:
    if record.valid_from is None and record.valid_to is None:
        return ""
    begin = times.minute(record.valid_from if record.valid_from is not None else record.when)
    return f"{begin} to {times.minute(record.valid_to) if record.valid_to is not None else 'now'}"


def indented(text: str) -> str:
    """Indent every line but the first by two spaces. Terminals wrap lines themselves."""
    return text.replace("\n", "\n  ")


def record_json(record: Record, source: str = "") -> dict[str, Any]:
    """Return a record for `--json`: its ledger fields, cleaned, and its location."""
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
        "problem": clean_text(answer.missing),
        "count": len(answer.items),
        "weak": answer.weak,
        "items": [_found_json(found, now) for found in answer.items],
    }


def _found_json(found: RecallHit, now: float) -> dict[str, Any]:
    return {
        **record_json(found.record, found.source),
        "score": float(f"{found.score:.4g}"),
        "coverage": round(found.coverage, 3),
        "parts": {name: float(f"{part:.4g}") for name, part in found.parts.items()},
        "evidence": found.evidence,
        "age_seconds": max(0, int(now - found.record.when)),
        **({"replaced_by": found.replaced_by} if found.replaced_by else {}),
        **({"git": cleaned(found.branch)} if found.branch else {}),
    }


def cleaned(value: Any) -> Any:
    """Remove from every text in a JSON value what a terminal or model must not receive.

    A named tuple becomes an object.
    """
    if isinstance(value, str):
        return clean_text(value)
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, list | tuple):
        return [cleaned(item) for item in value]
    if isinstance(value, dict):
        return {clean_text(str(key)): cleaned(item) for key, item in value.items()}
    return value


def picked(one: object, *names: str) -> dict[str, Any]:
    """Return fields of a value by their names, for `--json`."""
    return {name: getattr(one, name) for name in names}


def size(count: float) -> str:
    """Format a number of bytes."""
    for unit in ("B", "KB", "MB"):
        if count < 1000:  # noqa: PLR2004
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"
