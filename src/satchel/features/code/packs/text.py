"""A pack as text for agents, in Beads Console's injection format. Pure."""

from __future__ import annotations

from satchel.core.trust import clean_line, clean_text
from satchel.features.code.packs.values import Pack, PackFile, PackSymbol

HEADING = "## Code Context\n"


def symbol_text(symbol: PackSymbol) -> str:
    """Return a symbol's block, with a leading newline."""
    name = f"{clean_line(symbol.name)} ({symbol.kind})"
    where = f"{clean_line(symbol.path)}:{symbol.line}"
    return (
        f"\n### Symbol: {name}\n**File:** {where}\n**Relevance:** {symbol.relevance:.2f}\n"
        f"{_why(symbol.reason)}\n{_fenced(symbol.code, symbol.language)}\n"
    )


def file_text(file: PackFile) -> str:
    """Return a file's block, with a leading newline."""
    part = (
        ""
        if (file.start, file.end) == (1, file.total)
        else (f"**Lines:** {file.start}-{file.end} of {file.total}\n")
    )
    return (
        f"\n### File: {clean_line(file.path)}\n**Relevance:** {file.relevance:.2f}\n{part}"
        f"{_why(file.reason)}\n{_fenced(file.content, file.language)}\n"
    )


def pack_text(pack: Pack) -> str:
    """Return the whole pack: symbols first, then files."""
    blocks = [symbol_text(s) for s in pack.symbols] + [file_text(f) for f in pack.files]
    return HEADING + "".join(blocks)


def _why(reason: str) -> str:
    return f"**Why:** {clean_line(reason)}\n" if reason else ""


def _fenced(code: str, language: str) -> str:
    """Put code in a fence that it cannot close."""
    body, longest, run = clean_text(code), 2, 0
    for c in body:
        run = run + 1 if c == "`" else 0
        longest = max(longest, run)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{body.rstrip(chr(10))}\n{fence}"
