"""Format found notes and files as JSON and as text."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import Any

from satchel.core.trust import UNAPPROVED, clean_line, clean_text
from satchel.features.notes.finding import NoteMatch
from satchel.features.notes.searching import Findings
from satchel.interfaces.rendering import NOT_APPROVED, Style, cleaned, indented, picked


def findings_json(found: Findings, held: Collection[str] = ()) -> dict[str, Any]:
    """Return findings for `--json`; `held` are the paths that nobody has approved."""
    return {
        "query": clean_text(found.question),
        "mode": found.mode,
        "count": len(found.items),
        "damaged": found.damaged,
        "missing": found.missing,
        "results": [
            cleaned(
                {
                    "id": one.id or one.docid,
                    **picked(one, "docid", "title", "key_insight", "kind", "where", "path"),
                    **picked(one, "heading", "excerpt", "through"),
                    "category": one.fields.get("category", ""),
                    "confidence": str(one.fields.get("confidence", "")).upper(),
                    "tags": one.fields.get("tags", []),
                    "score": float(f"{one.score:.4g}"),
                    "parts": dict(one.parts),
                    **trust_of_path(one.path, held),
                }
            )
            for one in found.items
        ],
    }


def trust_of_path(path: str, held: Collection[str]) -> dict[str, str]:
    """Return the JSON field that marks an unapproved file."""
    return {"trust": UNAPPROVED} if path in held else {}


def findings_text(
    found: Findings,
    style: Style,
    form: str = "rich",
    *,
    explain: bool = False,
    held: Collection[str] = (),
) -> str:
    """Format findings, or say that there are none; `held` are paths that nobody has approved."""
    if not found.items:
        return f"Nothing found for {clean_line(found.question)!r}."
    return "\n".join(
        _found_text(one, style, form, held) + (_signals(one, style) if explain else "")
        for one in found.items
    )


def _signals(one: NoteMatch, style: Style) -> str:
    told = ", ".join(f"{name} {value:.2f}" for name, value in one.parts.items())
    return style.dim(f"\n  score {one.score:.4f}: {told or 'by rank'}")


def _found_text(one: NoteMatch, style: Style, form: str, held: Collection[str]) -> str:
    title, insight = clean_line(one.title), clean_line(one.key_insight)
    path = shown_path(one.path) if one.path else ""
    if form == "simple":
        mark = f" · {NOT_APPROVED}" if one.path in held else ""
        return f"{title}: {insight or clean_line(one.excerpt)[:120]}{mark}"
    about = [str(one.fields.get("confidence", "")).upper(), str(one.fields.get("category", ""))]
    place = [path, f"#{one.docid}"] if one.path else [one.kind]
    told = [*(part for part in about if part), one.where, *place]
    told += [NOT_APPROVED] if one.path in held else []
    origin = " · ".join(clean_line(part) for part in told)
    lines = [style.bold(title)]
    if insight:
        lines.append(f"  {insight}")
    if form != "summary" and one.excerpt and one.excerpt != one.key_insight:
        under = f"{clean_line(one.heading.split(' > ')[-1])}: " if one.heading else ""
        lines.append(f"  {under}{indented(clean_text(one.excerpt))}")
    if one.fields.get("superseded_by"):
        lines.append(f"  superseded by {clean_line(str(one.fields['superseded_by']))}")
    if form == "full" and one.fields.get("tags"):
        lines.append(style.dim(f"  tags: {clean_line(', '.join(map(str, one.fields['tags'])))}"))
    if one.through:
        lines.append(style.dim(f"  connected by {clean_line(', '.join(one.through))}"))
    lines.append(style.dim(f"  {origin}"))
    return "\n".join(lines)


def shown_path(path: str) -> str:
    """Return a path relative to the current directory if that is shorter."""
    near = os.path.relpath(path)
    return path if near.startswith("..") or len(near) > len(path) else near
