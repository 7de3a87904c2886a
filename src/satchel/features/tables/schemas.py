"""Schemas from YAML files, one per table. The files belong to their author."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from satchel.core.errors import BadInputError
from satchel.core.values import Any
from satchel.engine.markdown.yaml_text import read_yaml
from satchel.features.tables.types import encode_value
from satchel.features.tables.values import (
    CHOICE,
    DATE,
    DECIMAL,
    HEAT,
    INTEGER,
    JSON,
    LIST,
    MONEY,
    REFERENCE,
    TIME,
    TYPES,
    Field,
    Schema,
)

#: Bytes of one schema.
LARGEST = 65_536
ENDING = ".yaml"
#: Shipped sets of tables.
PRESETS = ("foundation",)
_MOST_FIELDS, _LONGEST_NAME = 200, 60
_TABLE = frozenset(
    "table about title fields unique words due closed private help".split()  # noqa: SIM905
)
_FIELD = frozenset(
    "type required unique of to currency min max renamed_from default help".split()  # noqa: SIM905
)
_FLAGS = ("required", "unique")
#: Reserved names of a row's own fields.
_OWN = ("id", "version")


def preset_files(name: str) -> dict[str, str]:
    """Return a shipped set's files by name. Raises `BadInputError` if unknown."""
    if name not in PRESETS:
        raise BadInputError(
            f"There is no preset {name[:40]!r}.", hint=f"Presets are {', '.join(PRESETS)}."
        )
    folder = os.path.join(os.path.dirname(__file__), name)
    found = {}
    for file_name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, file_name), encoding="utf-8") as file:
            found[file_name] = file.read()
    return found


def check_name(name: str, what: str, where: str) -> str:
    """Return a valid table or field name: lower-case letters, digits, `_`, a letter first."""
    bare = name.replace("_", "")
    good = bare.isascii() and bare.isalnum() and name.lower() == name and name[:1].isalpha()
    if not good or len(name) > _LONGEST_NAME:
        raise BadInputError(
            f"{where}: {name[:60]!r} is not a name of a {what}.",
            hint="Small letters, digits and _, for example `due_date`.",
        )
    return name


def read_schema(data: bytes, path: str) -> Schema:
    """Parse a schema. Raises `BadInputError` naming the file, the field and the problem."""
    try:
        body = read_yaml(data.decode("utf-8-sig"), largest=LARGEST)
    except UnicodeDecodeError:
        raise BadInputError(f"{path} is not UTF-8.", hint="Save it as UTF-8.") from None
    except BadInputError as error:
        raise BadInputError(f"{path} is not YAML: {error}.", hint=error.hint) from None
    if not isinstance(body, dict) or not isinstance(body.get("fields"), dict):
        raise BadInputError(f"{path} declares no fields.", hint="It needs `fields:` with names.")
    _only(body, _TABLE, path)
    name = os.path.basename(path).removesuffix(ENDING)
    if body.get("table", name) != name:
        raise BadInputError(f"{path} is about the table {body['table']!r}.", hint=f"Or {name}?")
    check_name(name, "table", path)
    if len(body["fields"]) > _MOST_FIELDS:
        raise BadInputError(f"{path} declares more than {_MOST_FIELDS} fields.")
    fields = tuple(_field(key, value, path) for key, value in body["fields"].items())
    _check_names(fields, path)
    texts = [one.name for one in fields if one.type == "text"]
    together = body.get("unique") or []
    schema = Schema(
        name,
        fields,
        _line(body.get("about")),
        title=_line(body.get("title")) or (texts[0] if texts else fields[0].name),
        unique=tuple(tuple(_words(one)) for one in together) if isinstance(together, list) else (),
        words=tuple(_words(body.get("words"))),
        due=_line(body.get("due")),
        closed=_closed(body.get("closed"), path),
        private=body.get("private") is True,
        path=path,
    )
    named = [schema.title, *[one for group in schema.unique for one in group], *schema.closed[:1]]
    for one in [*named, *([schema.due] if schema.due else [])]:
        if schema.field(one) is None:
            raise BadInputError(f"{path} names the field {one[:60]!r}, which it does not declare.")
    due = schema.field(schema.due)
    if due is not None and due.type not in (DATE, TIME):
        raise BadInputError(f"{path}: `due` is a date or a time, and {due.name} is {due.type}.")
    return schema


def check_together(schemas: Mapping[str, Schema]) -> list[str]:
    """Return problems between schemas: broken references, and references to private tables."""
    found = []
    for schema in schemas.values():
        for field in schema.fields:
            if field.type == REFERENCE and field.to not in schemas:
                told = f"refers to the table {field.to!r}, which is not there."
            elif field.type == REFERENCE and schemas[field.to].private > schema.private:
                told = f"refers to {field.to!r}, which is private: others could not follow it."
            else:
                continue
            found.append(f"{schema.path}: {field.name} {told}")
    return found


def _field(name: Any, given: Any, path: str) -> Field:
    check_name(str(name), "field", path)
    where = f"{path}, field {name}"
    if name in _OWN:
        raise BadInputError(f"{where}: every row already has its own {name}.")
    if isinstance(given, str):
        # Short: `name: text required unique`.
        kind, *flags = given.split() or ["text"]
        wrong = [flag for flag in flags if flag not in _FLAGS]
        if wrong:
            raise BadInputError(f"{where}: {wrong[0][:40]!r} is neither required nor unique.")
        given = {"type": kind, **dict.fromkeys(flags, True)}
    if not isinstance(given, dict):
        raise BadInputError(f"{where} has no type.", hint="For example `name: text required`.")
    _only(given, _FIELD, where)
    kind = str(given.get("type", "text"))
    if kind not in TYPES:
        raise BadInputError(f"{where}: there is no type {kind[:40]!r}.", hint=", ".join(TYPES))
    field = Field(
        str(name),
        kind,
        _flag(given, "required", where),
        unique=_flag(given, "unique", where),
        of=tuple(_words(given.get("of"))),
        to=_line(given.get("to")),
        currency=_line(given.get("currency")).upper(),
        least=_bound(given, "min", where),
        most=_bound(given, "max", where),
        formerly=tuple(_words(given.get("renamed_from"))),
        default=None,
        help=_line(given.get("help")),
    )
    if kind == CHOICE and not field.of:
        raise BadInputError(f"{where} is a choice without options.", hint="Give `of: [new, done]`.")
    if kind == REFERENCE and not field.to:
        raise BadInputError(f"{where} refers to no table.", hint="Give `to: suppliers`.")
    if (field.least or field.most) and kind not in (INTEGER, DECIMAL, MONEY):
        raise BadInputError(f"{where}: only numbers have min and max.")
    if kind == HEAT and (field.required or field.unique):
        raise BadInputError(f"{where}: heat is computed and cannot be written.")
    if field.unique and kind in (LIST, JSON):
        raise BadInputError(f"{where}: a {kind} cannot be unique.")
    if given.get("default") is not None:
        try:
            field = field._replace(default=encode_value(field, given["default"]))
        except BadInputError as error:
            raise BadInputError(f"{where}: the default: {error}") from None
    return field


def _check_names(fields: Sequence[Field], path: str) -> None:
    if not fields:
        raise BadInputError(f"{path} declares no fields.")
    taken = {one.name for one in fields}
    for field in fields:
        for old in field.formerly:
            check_name(old, "field", path)
            if old in taken:
                raise BadInputError(
                    f"{path}: {field.name} was renamed from {old!r}, which is declared as well."
                )
            taken.add(old)


def _closed(given: Any, path: str) -> tuple[str, ...]:
    if given is None:
        return ()
    if not isinstance(given, dict) or len(given) != 1:
        raise BadInputError(
            f"{path}: `closed` must name one field.", hint="closed: {status: [won, lost]}"
        )
    ((field, values),) = given.items()
    return (str(field), *_words(values))


def _only(body: dict[str, Any], known: frozenset[str], where: str) -> None:
    wrong = sorted(str(key) for key in body if key not in known)
    if wrong:
        raise BadInputError(
            f"{where} has {wrong[0][:60]!r}, which has no meaning here.",
            hint=f"It may have {', '.join(sorted(known))}.",
        )


def _flag(given: dict[str, Any], name: str, where: str) -> bool:
    value = given.get(name, False)
    if not isinstance(value, bool):
        raise BadInputError(f"{where}: `{name}` must be true or false.")
    return value


def _bound(given: dict[str, Any], name: str, where: str) -> str:
    value = given.get(name)
    if value is None:
        return ""
    try:
        return str(encode_value(Field(name, DECIMAL), value))
    except BadInputError:
        raise BadInputError(f"{where}: `{name}` is not a number.") from None


def _words(given: Any) -> list[str]:
    items = given if isinstance(given, list) else [] if given is None else [given]
    return [text for text in map(_line, items) if text]


def _line(given: Any) -> str:
    return "" if given is None or isinstance(given, dict | list) else " ".join(str(given).split())


#: Types whose values can be added up.
NUMBERS = (INTEGER, DECIMAL, MONEY, HEAT)
