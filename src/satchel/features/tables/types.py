"""Field types: valid values, their format, and their comparison. Pure.

A value has one form, which JSON can represent without loss: decimals, amounts of money, dates and
times are texts. Different spellings of the same value become the same.
"""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal, InvalidOperation

from satchel.core import times
from satchel.core.errors import BadInputError
from satchel.core.values import Any
from satchel.features.tables.values import (
    BOOLEAN,
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
    Field,
)

_LONGEST = 100_000
_DIGITS = 40
_LARGEST_INTEGER = 10**18
_CURRENCY = 3
_YES, _NO = ("true", "yes", "1", "y"), ("false", "no", "0", "n")
_NEEDS = {
    INTEGER: "a whole number",
    DECIMAL: "a number such as 12.50",
    MONEY: "an amount: 12.50 EUR",
    BOOLEAN: "yes or no",
    DATE: "a day such as 2026-05-01",
    TIME: "a time such as 2026-05-01T14:30Z",
    LIST: "a list: a, b",
    JSON: "JSON",
    REFERENCE: "the id of a row",
}


def encode_value(field: Field, given: Any) -> Any:
    """Return a value as stored; None for nothing. An empty text is nothing.

    Raises `BadInputError` naming the valid values.
    """
    if isinstance(given, str):
        given = given.replace("\r\n", "\n").replace("\r", "\n").strip()
    if given is None or given in ("", []):
        return None
    reader = _READERS.get(field.type)
    value = reader(field, given) if reader is not None else _text(field, given)
    if value is None:
        wanted = _NEEDS.get(field.type, "a text")
        if field.type == CHOICE:
            wanted = f"one of {', '.join(field.of)}"
        raise BadInputError(f"{field.name} takes {wanted}, not {str(given)[:60]!r}.")
    if field.type == JSON and value in ([], '""'):
        return None
    _check_bounds(field, value)
    return value


def key_of(field: Field, value: Any) -> Any:
    """Return a stored value's comparison key; values of one field are comparable.

    A value that no longer fits its type is compared as text, after all others.
    """
    try:
        if field.type in (INTEGER, DECIMAL):
            return (0, "", Decimal(str(value)))
        if field.type == MONEY:
            amount, currency = amount_of(value)
            return (0, currency, amount)
        if field.type == HEAT:
            return (0, "", Decimal(str(value)))
    except (InvalidOperation, ValueError):
        return (1, str(value), Decimal(0))
    text = value if isinstance(value, str) else _json_text(value)
    return (0, text.casefold(), Decimal(0))


def amount_of(value: Any) -> tuple[Decimal, str]:
    """Split an amount of money into number and currency. Raises `ValueError` if invalid."""
    number, _, currency = str(value).partition(" ")
    try:
        return Decimal(number), currency
    except InvalidOperation:
        raise ValueError(f"{value!r} is not an amount") from None


def plain_number(number: Decimal) -> str:
    """Format a number without exponent, keeping its decimal places."""
    return format(number + 0, "f") if number else format(abs(number), "f")


def day_from(text: str, now: float) -> str | None:
    """Parse a day: `today`, `today+7`, `yesterday`, or a date."""
    word = text.strip().lower()
    today = times.utc(now).date()
    word = {"yesterday": "today-1", "tomorrow": "today+1", "now": "today"}.get(word, word)
    if word.startswith("today"):
        shift = word[5:].strip().rstrip("d") or "0"
        try:
            return (today + timedelta(days=int(shift.replace(" ", "")))).isoformat()
        except (ValueError, OverflowError):
            return None
    return None


def _text(_: Field, given: Any) -> str | None:
    if isinstance(given, dict | list):
        return None
    text = str(given).lower() if isinstance(given, bool) else str(given)
    return text if len(text) <= _LONGEST else None


def _integer(_: Field, given: Any) -> int | None:
    number = _number(given)
    if number is None or number != number.to_integral_value() or abs(number) > _LARGEST_INTEGER:
        return None
    return int(number)


def _decimal(_: Field, given: Any) -> str | None:
    number = _number(given)
    return None if number is None else plain_number(number)


def _money(field: Field, given: Any) -> str | None:
    if isinstance(given, dict):
        given = f"{given.get('amount', '')} {given.get('currency', '')}"
    parts = str(given).split()
    if not parts or len(parts) > 2 or isinstance(given, bool):  # noqa: PLR2004 -- amount, currency
        return None
    if len(parts) == 2 and parts[0].isalpha():  # noqa: PLR2004
        parts.reverse()
    number = _number(parts[0])
    currency = parts[1].upper() if len(parts) > 1 else field.currency
    good = len(currency) == _CURRENCY and currency.isascii() and currency.isalpha()
    return f"{plain_number(number)} {currency}" if number is not None and good else None


def _number(given: Any) -> Decimal | None:
    if isinstance(given, bool) or not isinstance(given, int | float | str | Decimal):
        return None
    text = repr(given) if isinstance(given, float) else str(given).strip()
    if not text.isascii() or "_" in text:
        return None
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    if not number.is_finite():
        return None
    sign, digits, exponent = number.as_tuple()
    del sign
    fits = isinstance(exponent, int) and abs(exponent) <= _DIGITS and len(digits) <= _DIGITS
    return number if fits else None


def _boolean(_: Field, given: Any) -> bool | None:
    if isinstance(given, bool):
        return given
    word = str(given).lower()
    return True if word in _YES else False if word in _NO else None


def _date(_: Field, given: Any) -> str | None:
    try:
        return date.fromisoformat(given).isoformat() if isinstance(given, str) else None
    except ValueError:
        pass
    moment = times.moment_of(given)
    return None if moment is None else moment.date().isoformat()


def _time(_: Field, given: Any) -> str | None:
    moment = times.moment_of(given)
    return None if moment is None else moment.isoformat().replace("+00:00", "Z")


def _choice(field: Field, given: Any) -> str | None:
    word = str(given).casefold()
    return next((one for one in field.of if one.casefold() == word), None)


def _list(_: Field, given: Any) -> list[str] | None:
    if isinstance(given, str):
        # Written as JSON if an item contains a comma.
        read = _json(_, given) if given.startswith('["') and given.endswith('"]') else None
        given = given.split(",") if read is None else read
    if not isinstance(given, list) or any(isinstance(one, dict | list) for one in given):
        return None
    found = [str(one).strip() for one in given]
    return list(dict.fromkeys(one for one in found if one)) or None


def _json(_: Field, given: Any) -> Any:
    """Parse JSON from a text, or return a parsed value. Strings keep their quotes."""
    if not isinstance(given, str):
        return plain_json(given)
    from satchel.core.quick_json import dumps, loads

    try:
        value = loads(given)
    except (ValueError, RecursionError):
        return None
    return dumps(value) if isinstance(value, str) else value


def plain_json(value: Any) -> Any:
    """Convert a value to plain JSON; files are parsed with decimals to avoid rounding."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, list):
        return [plain_json(one) for one in value]
    if isinstance(value, dict):
        return {str(name): plain_json(one) for name, one in value.items()}
    return value


_READERS = {
    INTEGER: _integer,
    DECIMAL: _decimal,
    MONEY: _money,
    BOOLEAN: _boolean,
    DATE: _date,
    TIME: _time,
    CHOICE: _choice,
    LIST: _list,
    JSON: _json,
    REFERENCE: _text,
}


def _check_bounds(field: Field, value: Any) -> None:
    if not (field.least or field.most):
        return
    number = amount_of(value)[0] if field.type == MONEY else Decimal(str(value))
    low = field.least and number < Decimal(field.least)
    if low or (field.most and number > Decimal(field.most)):
        raise BadInputError(
            f"{field.name} goes from {field.least or '-'} to {field.most or '-'}, not {value}."
        )


def _json_text(value: Any) -> str:
    from satchel.core.quick_json import canonical

    return str(canonical(value))


def format_value(value: Any) -> str:
    """Format a stored value for people and for CSV."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ", ".join(value)
    return value if isinstance(value, str) else _json_text(value)
