"""Conditions, order and aggregates over rows. Pure, exact, and equal on every store.

Numbers are decimals: only averages are rounded, to ten places. Amounts of money are added per
currency, never across currencies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext

from satchel.core.errors import BadInputError
from satchel.core.values import Any, NamedTuple
from satchel.features.tables.schemas import NUMBERS
from satchel.features.tables.types import (
    amount_of,
    day_from,
    encode_value,
    format_value,
    key_of,
    plain_number,
)
from satchel.features.tables.values import CHOICE, DATE, LIST, MONEY, TEXT, TIME, Field, Row, Schema

#: Longer ones first: `<=` is not `<`.
_SIGNS = ("!=", "<=", ">=", "!~", "=", "<", ">", "~")
_OWN = {"id": Field("id"), "version": Field("version", "integer")}
_PLACES = Decimal("0.0000000001")
_EXACT = Context(prec=120, rounding=ROUND_HALF_EVEN)
SUM, AVERAGE, LEAST, MOST, COUNT = "sum", "avg", "min", "max", "count"


class Condition(NamedTuple):
    """A field, an operator and a stored value; None for nothing."""

    field: Field
    sign: str
    value: Any


def condition(schema: Schema, text: str, now: float) -> Condition:
    """Parse `price>=10`, `status=won`, `name~acme`, `due<today+7`, `email=` (empty).

    Raises `BadInputError` for an unknown field, sign or value.
    """
    at = min((text.find(sign) for sign in _SIGNS if sign in text), default=-1)
    if at < 1:
        raise BadInputError(
            f"{text[:60]!r} is not a condition.",
            hint="Write FIELD, one of = != < <= > >= ~ !~, and a value: `status=won`.",
        )
    sign = next(sign for sign in _SIGNS if text.startswith(sign, at))
    name, given = text[:at].strip(), text[at + len(sign) :].strip()
    field = _field(schema, name)
    if sign in ("~", "!~") or not given:
        if not given and sign not in ("=", "!="):
            raise BadInputError(f"{text[:60]!r} has no value to compare with.")
        return Condition(field, sign, given or None)
    if field.type in (DATE, TIME):
        given = day_from(given, now) or given
    if field.type == CHOICE and sign in ("=", "!="):
        # A value dropped from the schema is still found.
        return Condition(field, sign, given)
    if field.type == LIST:
        return Condition(field, sign, given)
    return Condition(field, sign, encode_value(field, given))


def holds(one: Condition, row: Row) -> bool:
    """Return whether a row meets a condition. A missing value meets only `!=` and `!~`."""
    value = _value(row, one.field)
    sign, wanted = one.sign, one.value
    if wanted is None:
        return (value is None) == (sign == "=")
    if value is None:
        return sign in ("!=", "!~")
    if sign in ("~", "!~"):
        return (str(wanted).casefold() in format_value(value).casefold()) == (sign == "~")
    if isinstance(value, list) and sign in ("=", "!="):
        return (str(wanted).casefold() in [v.casefold() for v in map(str, value)]) == (sign == "=")
    if one.field.type == MONEY and sign not in ("=", "!=") and not _same_currency(value, wanted):
        return False
    mine, theirs = key_of(one.field, value), key_of(one.field, wanted)
    if mine[0] != theirs[0]:
        return sign == "!="
    return _compare(sign, mine, theirs)


def _compare(sign: str, mine: Any, theirs: Any) -> bool:
    return bool(
        {
            "=": mine == theirs,
            "!=": mine != theirs,
            "<": mine < theirs,
            "<=": mine <= theirs,
            ">": mine > theirs,
            ">=": mine >= theirs,
        }[sign]
    )


def ordered(schema: Schema, rows: Iterable[Row], by: str) -> list[Row]:
    """Sort rows by `field` or `-field`, those without value last; by default newest first."""
    found = sorted(rows, key=lambda row: (row.at, row.id), reverse=True)
    if not by:
        return found
    field = _field(schema, by.removeprefix("-"))
    have = [row for row in found if _value(row, field) is not None]
    have.sort(key=lambda row: key_of(field, _value(row, field)), reverse=by.startswith("-"))
    return have + [row for row in found if _value(row, field) is None]


class Group(NamedTuple):
    """A group of rows: its value, its size, and its aggregates, by `sum price`."""

    group: Any
    rows: int
    figures: dict[str, Any]


def aggregated(
    schema: Schema, rows: Sequence[Row], wanted: Sequence[tuple[str, str]], group_by: str = ""
) -> list[Group]:
    """Compute aggregates over groups of rows, largest group first.

    Args:
        wanted: pairs of `sum`, `avg`, `min` or `max`, and a field.
        group_by: a field; a list counts in the group of each of its values.
    """
    for what, name in wanted:
        field = _field(schema, name)
        if what in (SUM, AVERAGE) and field.type not in NUMBERS:
            raise BadInputError(f"{name} is {field.type}: only numbers have a {what}.")
    groups: dict[Any, list[Row]] = {}
    if group_by:
        field = _field(schema, group_by)
        for row in rows:
            value = _value(row, field)
            for one in value if isinstance(value, list) else [value]:
                groups.setdefault(
                    one if isinstance(one, str | int | None) else format_value(one), []
                )
                groups[one if isinstance(one, str | int | None) else format_value(one)].append(row)
    else:
        groups[None] = list(rows)
    found = [
        Group(
            value,
            len(some),
            {f"{what} {name}": _figure(what, _field(schema, name), some) for what, name in wanted},
        )
        for value, some in groups.items()
    ]
    return sorted(found, key=lambda one: (-one.rows, str(one.group or "")))


def _figure(what: str, field: Field, rows: Sequence[Row]) -> Any:
    values = [value for row in rows if (value := _value(row, field)) is not None]
    if what in (LEAST, MOST):
        # Values that do not fit their type are not compared.
        fitting = [value for value in values if key_of(field, value)[0] == 0]
        if field.type == MONEY:
            return _by_currency(fitting, min if what == LEAST else max)
        choose = min if what == LEAST else max
        return choose(fitting, key=lambda value: key_of(field, value), default=None)
    if field.type == MONEY:
        return _by_currency(values, lambda some: _added(what, some))
    numbers = [key_of(field, v)[2] for v in values if key_of(field, v)[0] == 0]
    return plain_number(_added(what, numbers)) if numbers else None


def _by_currency(values: Sequence[Any], work_out: Callable[[list[Decimal]], Decimal]) -> Any:
    """Compute an aggregate per currency; one amount, or a list of them."""
    amounts: dict[str, list[Decimal]] = {}
    for value in values:
        try:
            number, currency = amount_of(value)
        except ValueError:
            continue
        amounts.setdefault(currency, []).append(number)
    found = [f"{plain_number(work_out(some))} {name}" for name, some in sorted(amounts.items())]
    return found[0] if len(found) == 1 else found or None


def _added(what: str, numbers: Sequence[Decimal]) -> Decimal:
    with localcontext(_EXACT):
        total = sum(numbers, Decimal(0))
        if what == SUM:
            return total
        average = total / len(numbers)
        rounded = average.quantize(_PLACES)
        return rounded.normalize() if rounded == average or rounded else rounded


def _same_currency(one: Any, other: Any) -> bool:
    return str(one).rpartition(" ")[2] == str(other).rpartition(" ")[2]


def _field(schema: Schema, name: str) -> Field:
    field = schema.field(name) or _OWN.get(name)
    if field is None:
        names = ", ".join(one.name for one in schema.fields)
        raise BadInputError(
            f"{schema.name} has no field {name[:60]!r}.", hint=f"It has {names}, id and version."
        )
    return field


def _value(row: Row, field: Field) -> Any:
    if field.name in _OWN and field.type in (TEXT, "integer"):
        return row.id if field.name == "id" else row.version
    return row.values.get(field.name)
