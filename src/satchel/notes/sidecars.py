"""Sidecars: `name.entities.yaml` beside `name.md`, with the entities and relations of the note."""

from __future__ import annotations

from satchel.errors import BadInputError
from satchel.markdown.yaml_text import read_yaml
from satchel.notes.values import Problem, texts_of
from satchel.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ENDING = ".entities.yaml"
LARGEST = 65_536
ENTITY_TYPES = ("technology", "error", "pattern", "function", "concept", "tool", "artifact", "code",
                "config", "service", "platform", "framework", "library")  # fmt: skip
RELATION_TYPES = ("caused_by", "causes", "enables", "prevents", "contradicts", "supersedes",
                  "part_of", "uses", "solves", "requires", "relates_to", "implements",
                  "configures", "triggers")  # fmt: skip
_STRENGTHS = range(1, 11)


class Sidecar(NamedTuple):
    """A sidecar as it was read. The rows are dicts with text values; `strength` is 1 to 10."""

    path: str
    document_id: str
    extracted_at: str
    entities: tuple[dict[str, Any], ...]
    relationships: tuple[dict[str, Any], ...]


def sidecar_of(path: str) -> str:
    """Return the path of the sidecar that belongs to a note."""
    return path.removesuffix(".md") + ENDING


def read_sidecar(path: str, raw: bytes) -> tuple[Sidecar | None, list[Problem]]:
    """Read a sidecar: what of it is usable, and everything that is wrong with it.

    Rows that cannot be used are left out and named; None where nothing can be read at all.
    """
    try:
        text = raw.decode("utf-8-sig")
        value = read_yaml(text.replace("\r\n", "\n"), largest=LARGEST)
    except UnicodeDecodeError as error:
        line = 1 + raw[: error.start].count(b"\n")
        return None, [Problem(path, "", f"line {line} is not UTF-8", "Save it as UTF-8.")]
    except BadInputError as error:
        return None, [Problem(path, "", str(error), error.hint.capitalize() or "Mend that line.")]
    if not isinstance(value, dict):
        return None, [
            Problem(path, "", "it has no fields", "It needs `entities:` and `relationships:`.")
        ]
    problems: list[Problem] = []
    entities = [
        _entity(path, row, n, problems) for n, row in _rows(path, value, "entities", problems)
    ]
    relations = [
        _relation(path, row, n, problems)
        for n, row in _rows(path, value, "relationships", problems)
    ]
    said = {name: " ".join(texts_of(value.get(name))) for name in ("document_id", "extracted_at")}
    return (
        Sidecar(
            path,
            said["document_id"],
            said["extracted_at"],
            tuple(row for row in entities if row),
            tuple(row for row in relations if row),
        ),
        problems,
    )


def _rows(
    path: str, value: dict[str, Any], name: str, problems: list[Problem]
) -> list[tuple[int, Any]]:
    rows = value.get(name)
    if rows is None:
        return []
    if not isinstance(rows, list):
        problems.append(Problem(path, name, "must be a list", f"Write `- ` rows below `{name}:`."))
        return []
    return list(enumerate(rows, 1))


def _entity(path: str, row: Any, number: int, problems: list[Problem]) -> dict[str, Any]:
    where = f"entities[{number}]"
    name = " ".join(texts_of(row.get("name"))) if isinstance(row, dict) else ""
    if not name:
        problems.append(Problem(path, where, "has no name", 'Write `- name: "tokio"`.'))
        return {}
    kind = " ".join(texts_of(row.get("type"))).lower() or "concept"
    if kind not in ENTITY_TYPES:
        problems.append(_not_allowed(path, where + ".type", kind, ENTITY_TYPES))
        kind = "concept"
    return {**row, "name": name, "type": kind, "description": _text(row, "description")}


def _relation(path: str, row: Any, number: int, problems: list[Problem]) -> dict[str, Any]:
    where = f"relationships[{number}]"
    ends = [_text(row, "source"), _text(row, "target")] if isinstance(row, dict) else ["", ""]
    if not all(ends):
        what = "needs a source and a target"
        problems.append(Problem(path, where, what, "Name two entities of this file."))
        return {}
    kind = _text(row, "type").lower() or "relates_to"
    if kind not in RELATION_TYPES:
        problems.append(_not_allowed(path, where + ".type", kind, RELATION_TYPES))
        kind = "relates_to"
    strength = row.get("strength", 5)
    if isinstance(strength, bool) or not isinstance(strength, int) or strength not in _STRENGTHS:
        what = f"is {strength!r}"[:60]
        problems.append(Problem(path, where + ".strength", what, "Write a number from 1 to 10."))
        strength = 5
    return {
        **row,
        "source": ends[0],
        "target": ends[1],
        "type": kind,
        "description": _text(row, "description"),
        "strength": strength,
    }


def _text(row: dict[str, Any], name: str) -> str:
    return " ".join(texts_of(row.get(name)))


def _not_allowed(path: str, field: str, value: str, allowed: tuple[str, ...]) -> Problem:
    return Problem(path, field, f"is {value[:40]!r}", f"Allowed: {', '.join(allowed)}.")
