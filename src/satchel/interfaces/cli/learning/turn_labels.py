"""`satchel reflect --classify`: label the turns in a file, for scoring."""

from __future__ import annotations

import json
import sys
from typing import Any

from satchel.application.learning.signals.classifying import classify
from satchel.core.errors import BadInputError
from satchel.interfaces.cli.arguments import Options
from satchel.storage.locks import not_usable


def label_file(path: str, out: str, options: Options) -> int:
    """Read JSON lines {id, text, prev} and write {id, labels} for each, in order."""
    turns = _turns(path)
    lines = []
    counts: dict[str, int] = {}
    for turn in turns:
        found = classify(str(turn.get("text") or ""), str(turn.get("prev") or ""))
        labels = sorted(verdict.label for verdict in found)
        for label in labels:
            counts[label] = counts.get(label, 0) + 1
        lines.append(json.dumps({"id": turn["id"], "labels": labels}, ensure_ascii=False) + "\n")
    if out == "-":
        sys.stdout.write("".join(lines))
        return 0
    try:
        with open(out, "w", encoding="utf-8") as file:
            file.writelines(lines)
    except OSError as error:
        raise not_usable(out, error, writing=True) from error
    told = {"turns": len(turns), "labels": dict(sorted(counts.items())), "out": out}
    if options.json:
        print(json.dumps(told))
    else:
        named = ", ".join(f"{count} {name}" for name, count in sorted(counts.items())) or "no label"
        of = "1 turn" if len(turns) == 1 else f"{len(turns)} turns"
        print(f"{of}: {named}. Written to {out}.")
    return 0


def _turns(path: str) -> list[dict[str, Any]]:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.readlines()
    except OSError as error:
        raise not_usable(path, error, writing=False) from error
    turns = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            turn = json.loads(line)
        except (ValueError, RecursionError):
            turn = None
        if not isinstance(turn, dict) or "id" not in turn:
            raise BadInputError(
                f"{path}:{number} is not a turn.",
                hint='Each line is {"id": …, "text": …, "prev": …}.',
            )
        turns.append(turn)
    return turns
