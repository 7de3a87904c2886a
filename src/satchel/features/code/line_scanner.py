"""Finds definitions line by line if no grammar is available. Knows no syntax."""

from __future__ import annotations

import re

from satchel.features.code.values import ParsedFile, Reference, Symbol

_LONGEST = 400
_WORDS = {
    "function": "function",
    "func": "function",
    "fun": "function",
    "fn": "function",
    "def": "function",
    "defp": "function",
    "sub": "function",
    "proc": "function",
    "macro": "function",
    "defmacro": "function",
    "rpc": "function",
    "local function": "function",
    "class": "class",
    "object": "class",
    "struct": "class",
    "defmodule": "class",
    "contract": "class",
    "message": "class",
    "service": "interface",
    "interface": "interface",
    "trait": "interface",
    "protocol": "interface",
    "type": "type",
    "enum": "type",
    "typedef": "type",
    "union": "type",
    "data": "type",
    "table": "type",
    "view": "type",
    "resource": "type",
    "module": "class",
}
_HEAD = re.compile(
    r"^\s*(?:(?:export|default|public|private|protected|internal|static|abstract|final|async|pub|"
    r"open|override|sealed|case|data|local|create|or|replace|external|pure|view|virtual|inline|"
    r"const|unsafe|extern|@\w+)\s+)*"
    r"(?P<word>" + "|".join(sorted(_WORDS, key=len, reverse=True)) + r")\b\s+"
    r"(?:if\s+not\s+exists\s+)?[\"'`]?(?P<name>[A-Za-z_$][\w$.:?!-]*)",
    re.IGNORECASE,
)
_CALL = re.compile(r"\b([A-Za-z_][A-Za-z0-9_]{2,})\s*\(")


def scan(text: str, language: str, comments: tuple[str, ...]) -> ParsedFile:
    """Return likely definitions; each ends before the next."""
    lines = text.splitlines()
    heads: list[tuple[int, str, str]] = []
    counted: dict[str, list[int]] = {}
    for number, line in enumerate(lines, 1):
        short = line[:_LONGEST]
        if comments and short.lstrip().startswith(comments):
            continue
        match = _HEAD.match(short)
        if match:
            name = match.group("name").strip(".:-")
            if name:
                heads.append((number, name[:120], _WORDS[match.group("word").lower()]))
                continue
        for name in _CALL.findall(short):
            there = counted.setdefault(name, [0, number])
            there[0] += 1
    symbols = []
    for place, (number, name, kind) in enumerate(heads):
        end = heads[place + 1][0] - 1 if place + 1 < len(heads) else len(lines)
        while end > number and not lines[end - 1].strip():
            end -= 1
        symbols.append(Symbol(name, kind, number, end, " ".join(lines[number - 1].split())[:200]))
    references = tuple(Reference(n, "call", c, line) for n, (c, line) in sorted(counted.items()))
    return ParsedFile(language, tuple(symbols), references)


def calls_of(text: str) -> list[tuple[str, int, str]]:
    """Return likely calls: name, line, `call`."""
    return [
        (name, number, "call")
        for number, line in enumerate(text.splitlines(), 1)
        for name in _CALL.findall(line[:_LONGEST])
    ]
