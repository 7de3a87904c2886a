"""Types, schemas, conditions and figures of tables: laws, and what is refused."""

from contextlib import suppress
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satchel.core.errors import BadInputError
from satchel.features.tables.files import exported, read_rows
from satchel.features.tables.filters import aggregated, condition, holds, ordered
from satchel.features.tables.reading import heat_of
from satchel.features.tables.rows import checked, row_of
from satchel.features.tables.rows import record_of as line_of
from satchel.features.tables.schemas import PRESETS, check_together, preset_files, read_schema
from satchel.features.tables.types import encode_value, key_of
from satchel.features.tables.values import TYPES, Field, Row, Schema

NOW = 1_767_225_600.0
SCHEMA = read_schema(
    b"""
fields:
  name: text required
  count: integer
  size: {type: decimal, min: -5}
  price: {type: money, currency: EUR}
  open: boolean
  day: date
  at: time
  state: {type: choice, of: [New, Done]}
  tags: list
  more: json
  note: text
""",
    "things.yaml",
)
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=20)
DECIMALS = st.decimals(-5, 10**12, places=4, allow_nan=False, allow_infinity=False)
JSONS = st.recursive(
    st.booleans()
    | st.integers(-(2**40), 2**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text('abc,[]"', min_size=1, max_size=5),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3)
        | st.dictionaries(st.text("ab", min_size=1, max_size=2), inner, min_size=1, max_size=2)
    ),
    max_leaves=4,
)
ROWS = st.fixed_dictionaries(
    {"name": TEXTS.filter(lambda t: t.strip() != "")},
    optional={
        "count": st.integers(-(10**18), 10**18),
        "size": DECIMALS.map(str),
        "price": DECIMALS.map(lambda d: f"{d} usd"),
        "open": st.booleans(),
        "day": st.dates().map(str),
        "at": st.datetimes(timezones=st.timezones()).map(lambda t: t.isoformat()),
        "state": st.sampled_from(["new", "DONE"]),
        "tags": st.lists(st.text('ab,[]" x\r', min_size=1, max_size=4), min_size=1, max_size=3),
        "more": JSONS,
        "note": st.text('a[]",\r', max_size=6),
    },
)


def kept(values: dict[str, Any]) -> dict[str, Any] | None:
    try:
        return checked(SCHEMA, values)
    except BadInputError:
        return None


def row(n: int = 1, **values: Any) -> Row:
    return Row(f"{n:026}", "things", 1, checked(SCHEMA, values), {})


@pytest.mark.parametrize(
    ("kind", "given_", "wanted"),
    [
        ("integer", "12", 12), ("integer", "1.0", 1), ("integer", 7, 7),
        ("decimal", "0.10", "0.10"), ("decimal", "1e3", "1000"), ("decimal", "-0", "0"),
        ("decimal", 0.1, "0.1"), ("money", "12.50", "12.50 EUR"), ("money", "usd 3", "3 USD"),
        ("money", {"amount": "3.10", "currency": "gbp"}, "3.10 GBP"),
        ("boolean", "Yes", True), ("boolean", 0, False), ("date", "2026-05-01", "2026-05-01"),
        ("date", "2026-05-01T23:30-05:00", "2026-05-02"),
        ("time", "2026-05-01T14:30+02:00", "2026-05-01T12:30:00Z"),
        ("time", "2026-05-01", "2026-05-01T00:00:00Z"),
        ("list", "a, b, a", ["a", "b"]), ("text", "  x  ", "x"), ("text", "", None),
        ("json", '{"a": [1]}', {"a": [1]}), ("choice", "NEW", "New"),
    ],
)  # fmt: skip
def test_values_are_spelled_one_way(kind: str, given_: Any, wanted: Any) -> None:
    field = Field("f", kind, of=("New", "Done"), currency="EUR")
    assert encode_value(field, given_) == wanted
    assert encode_value(field, wanted) == wanted


@pytest.mark.parametrize(
    ("kind", "given_"),
    [
        ("integer", "1.5"), ("integer", "1_000"), ("integer", True), ("integer", 10**19),
        ("decimal", "nan"), ("decimal", "inf"), ("decimal", "1e99999999"), ("decimal", "\u0661"),
        ("money", "12 EURO"), ("money", "x EUR"), ("money", "1 2 3"), ("boolean", "perhaps"),
        ("date", "2026-02-30"), ("date", 20260501), ("time", "noon"), ("choice", "old"),
        ("json", "{"), ("list", [[1]]), ("text", {"a": 1}),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(kind: str, given_: Any) -> None:
    with pytest.raises(BadInputError, match="takes"):
        encode_value(Field("f", kind, of=("New",)), given_)


@given(ROWS)
@settings(max_examples=120)
def test_a_row_survives_its_line_csv_and_json(values: dict[str, Any]) -> None:
    clean = kept(values)
    if clean is None:
        return
    one = Row("0" * 26, "things", 1, clean, {"gone": "old"})
    full = {field.name: clean.get(field.name) for field in SCHEMA.fields}
    read = row_of(line_of(SCHEMA, one), SCHEMA)
    assert (read.values, read.kept, read.problems) == (full, {"gone": "old"}, ())
    for form in ("csv", "json", "jsonl"):
        ((_, back),) = read_rows(exported(SCHEMA, [one], form).encode(), form)
        assert back.pop("kept.gone") == "old"
        assert (back.pop("id"), str(back.pop("version"))) == ("0" * 26, "1")
        again = checked(SCHEMA, back)
        assert {name: again.get(name) for name in full} == full


@given(st.lists(DECIMALS, min_size=1, max_size=20))
@settings(max_examples=80)
def test_sums_are_exact_and_order_is_that_of_numbers(numbers: list[Decimal]) -> None:
    rows = [row(name="x", size=str(n), price=f"{n} EUR", n=i) for i, n in enumerate(numbers)]
    figures = [("sum", "size"), ("min", "size"), ("max", "size"), ("sum", "price"), ("avg", "size")]
    (group,) = aggregated(SCHEMA, rows, figures)
    assert Decimal(group.figures["sum size"]) == sum(numbers)
    assert Decimal(group.figures["min size"]) == min(numbers)
    assert Decimal(group.figures["max size"]) == max(numbers)
    assert group.figures["sum price"].endswith(" EUR")
    assert Decimal(group.figures["sum price"].split()[0]) == sum(numbers)
    difference = Decimal(group.figures["avg size"]) * len(numbers) - sum(numbers)
    assert abs(difference) < Decimal("0.00000001")
    down = [Decimal(one.values["size"]) for one in ordered(SCHEMA, rows, "-size")]
    assert down == sorted(numbers, reverse=True)
    middle = numbers[0]
    for sign in ("<", "<=", "=", "!=", ">=", ">"):
        one = condition(SCHEMA, f"size{sign}{middle}", NOW)
        wanted = sum(bool(eval(f"n {'==' if sign == '=' else sign} m", {"n": n, "m": middle}))  # noqa: S307
                     for n in numbers)  # fmt: skip
        assert sum(holds(one, each) for each in rows) == wanted


def test_adding_up_in_binary_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeded bug: sums of floats."""
    from satchel.features.tables import filters

    rows = [row(name="x", size="0.1"), row(name="y", size="0.2")]
    assert aggregated(SCHEMA, rows, [("sum", "size")])[0].figures == {"sum size": "0.3"}
    monkeypatch.setattr(filters, "_added", lambda _, n: Decimal(sum(map(float, n))))
    assert aggregated(SCHEMA, rows, [("sum", "size")])[0].figures != {"sum size": "0.3"}


def test_money_of_different_currencies_is_never_added() -> None:
    rows = [row(name="a", price="1.10"), row(name="b", price="2 USD"), row(name="c")]
    (group,) = aggregated(SCHEMA, rows, [("sum", "price"), ("max", "price")])
    assert group.figures["sum price"] == ["1.10 EUR", "2 USD"]
    assert not holds(condition(SCHEMA, "price>1 usd", NOW), rows[0])
    assert holds(condition(SCHEMA, "price>1 usd", NOW), rows[1])
    with pytest.raises(BadInputError, match="only numbers"):
        aggregated(SCHEMA, rows, [("sum", "name")])


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("day<today", "a"), ("day=2026-01-05", "b"), ("day<=today+4", "ab"), ("day=", "c"),
        ("day!=", "ab"), ("name~A", "a"), ("tags=x", "ab"), ("tags!=x", "c"), ("state=new", "ab"),
        ("open=yes", "a"), ("count>=2", "bc"), ("version=1", "abc"), ("at>2026-01-01", "c"),
    ],
)  # fmt: skip
def test_conditions(text: str, names: str) -> None:
    rows = [
        row(name="a", day="2025-12-31", tags=["x"], state="new", open=True, count=1),
        row(name="b", day="2026-01-05", tags=["X", "y"], state="new", count=2),
        row(name="c", count=3, state="done", at="2026-01-01T00:00:01Z"),
    ]
    one = condition(SCHEMA, text, NOW)
    assert "".join(each.values["name"] for each in rows if holds(one, each)) == names


@pytest.mark.parametrize("text", ["name", "=x", "nothing=1", "day>never", "count>many", "name~"])
def test_a_wrong_condition_is_refused(text: str) -> None:
    with pytest.raises(BadInputError):
        condition(SCHEMA, text, NOW)


def test_groups_by_value_and_by_each_of_a_list() -> None:
    rows = [row(name="a", tags=["x", "y"]), row(name="b", tags=["x"]), row(name="c")]
    found = [(one.group, one.rows) for one in aggregated(SCHEMA, rows, [], "tags")]
    assert found == [("x", 2), (None, 1), ("y", 1)]


@given(st.lists(st.integers(0, int(NOW) + 10**6), max_size=30))
def test_heat_lies_between_0_and_10_and_grows_with_what_happens(changes: list[int]) -> None:
    heat = Decimal(heat_of(changes, NOW))
    assert 0 <= heat <= 10
    assert Decimal(heat_of([*changes, int(NOW)], NOW)) >= heat
    assert Decimal(heat_of(changes, NOW + 10**6)) <= heat


def test_heat_of_four_fresh_changes_is_five() -> None:
    assert heat_of([int(NOW)] * 4, NOW) == "5.0"
    assert heat_of([int(NOW)] * 8, NOW + 14 * 86_400) == "5.0"


def test_the_preset_has_the_seeds_tables() -> None:
    schemas: dict[str, Schema] = {}
    for name, text in preset_files(PRESETS[0]).items():
        schema = read_schema(text.encode(), name)
        schemas[schema.name] = schema
    assert set(schemas) == {
        "leads", "deals", "outreach_log", "campaigns", "suppliers", "products", "revenue",
        "trading_positions", "competitors", "competitor_changes", "scan_history", "projects",
        "workflows", "handoffs",
    }  # fmt: skip
    assert check_together(schemas) == []
    assert {field.type for one in schemas.values() for field in one.fields} == set(TYPES)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: 1", "no fields"), ("fields: {}", "no fields"), ("fields: {a: colour}", "no type"),
        ("fields: {A: text}", "not a name"), ("fields: {id: text}", "its own id"),
        ("fields: {a: choice}", "choice without options"), ("fields: {a: reference}", "no table"),
        ("fields: {a: text wanted}", "neither"), ("fields: {a: {type: text, min: 1}}", "numbers"),
        ("fields: {a: {type: integer, default: x}}", "default"), ("fields: {a: 1}", "no type"),
        ("fields: {a: {type: text, colour: 1}}", "has no meaning"),
        ("title: b\nfields: {a: text}", "does not declare"),
        ("due: a\nfields: {a: text}", "`due`"), ("table: x\nfields: {a: text}", "about the table"),
        ("closed: 1\nfields: {a: text}", "closed"), ("fields: {a: &x text, b: *x}", "alias"),
        ("fields: {a: {renamed_from: b}, b: text}", "as well"),
        ("fields: {a: heat required}", "computed"), ("fields: {a: list unique}", "unique"),
    ],
)  # fmt: skip
def test_a_wrong_schema_is_told(text: str, told: str) -> None:
    with pytest.raises(BadInputError, match=told):
        read_schema(text.encode(), "t.yaml")


@given(st.binary(max_size=200))
@settings(max_examples=60)
def test_any_bytes_are_a_schema_and_rows_or_refused(data: bytes) -> None:
    for read in (lambda: read_schema(data, "t.yaml"), lambda: read_rows(data, "csv"),
                 lambda: read_rows(data, "json"), lambda: read_rows(data, "jsonl")):  # fmt: skip
        with suppress(BadInputError):
            read()


@given(st.sampled_from(["a", "b"]), JSONS, JSONS)
def test_what_does_not_fit_its_type_any_more_still_compares(kind: str, one: Any, two: Any) -> None:
    field = Field("f", "decimal" if kind == "a" else "money")
    assert sorted([key_of(field, one), key_of(field, two), key_of(field, "1 EUR")])
