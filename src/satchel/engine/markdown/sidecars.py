"""Parses sidecars, `NAME.entities.yaml` beside `NAME.md`, row by row. Pure; the only parser.

Returns what is usable along with all problems: one caller refuses a sidecar with any problem,
another reads the rest.
"""

from __future__ import annotations

from collections.abc import Callable

from satchel.core.errors import BadInputError
from satchel.core.values import Any, NamedTuple
from satchel.engine.markdown.yaml_text import read_yaml

ENDING = ".entities.yaml"
#: Larger files are not sidecars, bytes.
LARGEST = 262_144
LONGEST_NAME = 200
LONGEST_TEXT = 4_000
ENTITY_TYPES = tuple(
    "technology error pattern function concept tool artifact code config service platform "
    "framework library".split()
)
RELATION_TYPES = tuple(
    "caused_by causes enables prevents contradicts supersedes part_of uses solves requires "
    "relates_to implements configures triggers".split()
)
#: A relation's default strength, from 1 to 10.
STRENGTH = 5
_STRENGTHS = (1, 10)
_MOST = 2_000
_MOST_FLOWS = 10_000
_ENTITIES, _RELATIONS = "entities", "relationships"


class SidecarProblem(NamedTuple):
    """A problem: its field ("" for the file), and what to do.

    `free`: only a type that is not in the list.
    """

    field: str
    what: str
    step: str
    free: bool = False


class Rows(NamedTuple):
    """A sidecar's rows. `fields` is None if nothing is readable.

    Each row is (its position in the file, from 1; its fields). `name`, `source`, `target`, `type`
    and `description` are texts and `strength` a number; other fields are unchanged.
    """

    fields: dict[str, Any] | None
    entities: tuple[tuple[int, dict[str, Any]], ...]
    relationships: tuple[tuple[int, dict[str, Any]], ...]
    wrong: tuple[SidecarProblem, ...]


def sidecar_of(note: str) -> str:
    """Return the path of a Markdown file's sidecar."""
    return note.removesuffix(".md") + ENDING


def read_rows(raw: bytes, clean: Callable[[Any], Any] | None = None) -> Rows:
    """Parse a sidecar's bytes; `clean` removes secrets before anything is re-encoded."""
    found = _loaded(raw)
    if isinstance(found, SidecarProblem):
        return Rows(None, (), (), (found,))
    if clean is not None:
        found = clean(found)
    wrong: list[SidecarProblem] = []
    entities = [(n, _entity(row, n, wrong)) for n, row in _listed(found, _ENTITIES, wrong)]
    relations = [(n, _relation(row, n, wrong)) for n, row in _listed(found, _RELATIONS, wrong)]
    return Rows(
        found,
        tuple((n, row) for n, row in entities if row),
        tuple((n, row) for n, row in relations if row),
        tuple(wrong),
    )


def normalize_type(text: str) -> str:
    """Normalize a relation's type to the list; empty becomes `relates_to`."""
    return "_".join(text.lower().replace("-", " ").replace("_", " ").split()) or "relates_to"


def text_of(value: Any) -> str | None:
    """Return a field as text, "" for nothing; None for a list or mapping."""
    if value is None:
        return ""
    if isinstance(value, list | dict):
        return None
    return str(value).lower() if isinstance(value, bool) else str(value)[:LONGEST_TEXT]


def _loaded(raw: bytes) -> dict[str, Any] | SidecarProblem:
    if len(raw) > LARGEST:
        return SidecarProblem("", f"is larger than {LARGEST:,} bytes", "Keep what matters.")
    if raw.count(b"[") + raw.count(b"{") > _MOST_FLOWS:
        # A YAML reader takes time quadratic in nesting depth.
        return SidecarProblem("", "has too many brackets", "Write `- ` rows instead.")
    try:
        text = raw.decode("utf-8-sig").replace("\r\n", "\n")
        value = read_yaml(text, largest=LARGEST)
    except UnicodeDecodeError as error:
        line = 1 + raw[: error.start].count(b"\n")
        return SidecarProblem("", f"line {line} is not UTF-8", "Save it as UTF-8.")
    except BadInputError as error:
        return SidecarProblem("", str(error), error.hint.capitalize() or "Fix that line.")
    if isinstance(value, dict):
        return value
    return SidecarProblem("", "it has no fields such as `entities:`", "Write some.")


def _listed(
    fields: dict[str, Any], name: str, wrong: list[SidecarProblem]
) -> list[tuple[int, Any]]:
    rows = fields.get(name)
    if rows is None or rows == "":
        return []
    if not isinstance(rows, list):
        wrong.append(SidecarProblem(name, "must be a list", f"Write `- ` rows below `{name}:`."))
        return []
    if len(rows) > _MOST:
        wrong.append(
            SidecarProblem(name, f"has more than {_MOST:,} rows", "Keep those that matter.")
        )
    return list(enumerate(rows[:_MOST], 1))


def _entity(row: Any, number: int, wrong: list[SidecarProblem]) -> dict[str, Any]:
    where = f"{_ENTITIES}[{number}]"
    name = _name(row, "name", where, wrong, 'Write `- name: "tokio"`.')
    if not name:
        return {}
    kind = _text(row, "type", where, wrong).strip().lower() or "concept"
    if kind not in ENTITY_TYPES:
        wrong.append(_not_listed(f"{where}.type", kind, ENTITY_TYPES))
    aliases = row.get("aliases")
    if aliases is not None and not (
        isinstance(aliases, list) and all(text_of(alias) is not None for alias in aliases)
    ):
        wrong.append(
            SidecarProblem(f"{where}.aliases", "is not a list of names", "Write `[one, other]`.")
        )
        aliases = None
    return {
        **row,
        "name": name,
        "type": kind,
        "description": _text(row, "description", where, wrong),
        "aliases": [text_of(alias) or "" for alias in aliases or ()],
    }


def _relation(row: Any, number: int, wrong: list[SidecarProblem]) -> dict[str, Any]:
    where = f"{_RELATIONS}[{number}]"
    step = "Name two entities of this file."
    source = _name(row, "source", where, wrong, step)
    target = _name(row, "target", where, wrong, step) if source else ""
    if not source or not target:
        return {}
    kind = normalize_type(_text(row, "type", where, wrong))
    if kind not in RELATION_TYPES:
        wrong.append(_not_listed(f"{where}.type", kind, RELATION_TYPES))
    return {
        **row,
        "source": source,
        "target": target,
        "type": kind,
        "description": _text(row, "description", where, wrong),
        "strength": _strength(row.get("strength"), f"{where}.strength", wrong),
    }


def _name(row: Any, field: str, where: str, wrong: list[SidecarProblem], step: str) -> str:
    if not isinstance(row, dict):
        wrong.append(SidecarProblem(where, "has no fields", step))
        return ""
    text = text_of(row.get(field))
    name = (text or "").strip()
    if text is None:
        wrong.append(SidecarProblem(f"{where}.{field}", "is not text", step))
    elif not name:
        wrong.append(SidecarProblem(f"{where}.{field}", "is missing or empty", step))
    elif len(name) > LONGEST_NAME:
        what = f"is longer than {LONGEST_NAME} characters"
        wrong.append(SidecarProblem(f"{where}.{field}", what, "Shorten it."))
        return ""
    return name


def _text(row: dict[str, Any], field: str, where: str, wrong: list[SidecarProblem]) -> str:
    text = text_of(row.get(field))
    if text is None:
        wrong.append(SidecarProblem(f"{where}.{field}", "is not text", "Put it into quotes."))
    return text or ""


def _strength(value: Any, field: str, wrong: list[SidecarProblem]) -> float:
    if value is None or value == "":
        return STRENGTH
    least, most = _STRENGTHS
    if isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most:
        return value
    wrong.append(
        SidecarProblem(field, f"is {value!r}"[:60], f"Write a number from {least} to {most}.")
    )
    return STRENGTH


def _not_listed(field: str, value: str, allowed: tuple[str, ...]) -> SidecarProblem:
    return SidecarProblem(field, f"is {value[:40]!r}", f"Allowed: {', '.join(allowed)}.", free=True)
