"""`satchel tables`: business records with a declared schema."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from satchel.core.errors import BadInputError, ConflictError
from satchel.core.ids import short_id
from satchel.core.plurals import counted
from satchel.core.trust import clean_line
from satchel.features.tables.filters import AVERAGE, LEAST, MOST, SUM
from satchel.features.tables.project_tables import ProjectTables
from satchel.features.tables.service import Tables
from satchel.features.tables.values import Row
from satchel.interfaces.cli.arguments import Options, Parser, count_from, parser_for
from satchel.interfaces.cli.awaiting import unapproved_in
from satchel.interfaces.cli.tables import import_export
from satchel.interfaces.cli.tables.text import (
    fields_json,
    group_text,
    row_line,
    row_text,
    schema_text,
)
from satchel.interfaces.note_rendering import trust_of_path
from satchel.interfaces.rendering import NOT_APPROVED

_FIGURES = {SUM: "its sum", AVERAGE: "its average", LEAST: "its least", MOST: "its most"}


def table(words: Sequence[str]) -> int:
    """`satchel tables list|show|init|add|update|delete|restore|get|history|find|count|...`."""
    parser = parser_for("tables", "Business records: tables with a declared schema and history.")
    action = parser.actions()
    action("list", "list the tables and how many rows they have", _list)
    _table(action("show", "show what a table declares", _show))
    init = action("init", "write the schemas of a preset for you to change", _init)
    init.add_argument("preset", help="foundation")
    init.add_argument("only", nargs="*", metavar="TABLE", help="only these tables")
    _writing(action)
    _reading(action)
    _import_export(action)
    options = parser.parse_args(words)
    with options.opened() as workspace, workspace.tables as own:
        return options.act(own)


def _table(action: Parser) -> Parser:
    action.add_argument("table")
    return action


def _row(action: Parser) -> Parser:
    _table(action)
    action.add_argument("row", help="its id, the beginning of it, or its name")
    return action


def _writing(action: Any) -> None:
    add = _table(action("add", "add a row", _add))
    add.add_argument("values", nargs="+", metavar="FIELD=VALUE")
    add.option("--agent", "who adds it")
    update = _row(action("update", "change fields of a row", _update))
    update.add_argument("values", nargs="+", metavar="FIELD=VALUE", help="FIELD= clears it")
    delete = _row(action("delete", "delete a row; its history stays", _delete))
    restore = _row(action("restore", "restore a deleted row", _restore))
    for one in (update, delete, restore):
        one.option("--agent", "who makes the change")
    for one in (update, delete):
        one.option("--expect-version", "fail if it was changed since", metavar="N")


def _reading(action: Any) -> None:
    _row(action("get", "show a row", _get)).flag("--all", "include values of older schemas")
    _row(action("history", "show every version of a row", _history))
    find = _table(action("find", "find rows by words and conditions", _find))
    find.add_argument("words", nargs="*", help="words that the rows hold")
    find.option("--sort", "-FIELD for descending order", metavar="FIELD")
    find.count("--limit", "how many (20)", default=20)
    count = _table(action("count", "count rows; sum, average, minimum and maximum", _count))
    count.option("--group-by", "one line for each value", metavar="FIELD")
    for figure, text in _FIGURES.items():
        count.add_argument(f"--{figure}", action="append", default=[], metavar="FIELD", help=text)
    for one in (find, count):
        one.options(
            "--where",
            "status=won, price>=10, name~acme, due<today; may be repeated",
            metavar="CONDITION",
        )


def _import_export(action: Any) -> None:
    bring = _table(action("import", "import rows from CSV or JSON", import_export.import_rows))
    bring.add_argument("file", help="- for standard input")
    bring.option("--key", "a unique field: update its row", metavar="FIELD")
    bring.flag("--skip-wrong", "skip rows that do not fit the schema")
    bring.flag("--dry-run", "write nothing")
    export = _table(action("export", "write rows as CSV or JSON", import_export.export_rows))
    export.add_argument("file", nargs="?", default="-", help="- for standard output")
    for one in (bring, export):
        one.option("--format", "csv, json or jsonl")
    check = action("check", "report the rows that do not fit their schema", _check)
    check.add_argument("table", nargs="?", default="", help="without one, all")


def _values(words: Sequence[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign or not name.strip():
            raise BadInputError(
                f"{word[:60]!r} is not of the form FIELD=VALUE.", hint="For example name=Acme"
            )
        if name.strip() in found:
            raise BadInputError(f"{name.strip()[:60]} occurs twice.")
        found[name.strip()] = value
    return found


def _version(options: Options) -> int:
    given = str(options.expect_version)
    return count_from(given, "--expect-version") if given else 0


def _print_row(tables: Tables, row: Row, options: Options, *, whole: bool = False) -> int:
    schema = tables.schema(row.table)
    return options.reply(
        fields_json(row, schema), row_text(tables, row, options.style, whole=whole)
    )


def _list(own: ProjectTables, options: Options) -> int:
    tables = own.tables(strict=False)
    told = []
    # Rows are the user's own or the team's; their declaration came with the repository.
    unapproved = unapproved_in(options.base(), [one.path for one in tables.schemas.values()])
    for schema in tables.schemas.values():
        store = tables.store(schema)
        store.refresh()
        row = {"table": schema.name, "about": schema.about, "rows": store.count(schema.name)}
        told.append(row | trust_of_path(schema.path, unapproved))
    held = own.here().tables()
    others = {name: count for name, count in held.items() if name not in tables.schemas}
    style = options.style
    width = max((len(str(one["table"])) for one in told), default=0)
    for one in told:
        name = style.bold(f"{clean_line(str(one['table'])):<{width}}")
        about = clean_line(str(one["about"])) + (f" · {NOT_APPROVED}" if "trust" in one else "")
        options.say(f"{name}  {one['rows']:>6}  {style.dim(about)}")
    for name, count in others.items():
        options.say(f"{clean_line(name)} has {counted(count, 'row')} and no schema; they are kept")
    for problem in own.problems:
        options.say(clean_line(problem))
    if not told and not own.problems:
        options.say(
            "No tables. `satchel tables init foundation` writes some; or write your own schema."
        )
    return options.done({"tables": told, "without_schema": others, "problems": own.problems})


def _show(own: ProjectTables, options: Options) -> int:
    schema = own.tables().schema(options.table)
    trust = trust_of_path(schema.path, unapproved_in(options.base(), [schema.path]))
    return options.reply(
        {**schema._asdict(), **trust},
        schema_text(schema, options.style) + (f"\n  {NOT_APPROVED}" if trust else ""),
    )


def _init(own: ProjectTables, options: Options) -> int:
    written, there = own.write_preset(options.preset, tuple(options.only))
    if not written:
        raise ConflictError(
            "All of these tables are there already.", hint="`satchel tables list` shows them."
        )
    return options.reply(
        {"written": written, "there": there},
        *(f"wrote {clean_line(os.path.relpath(path))}" for path in written),
        (f"already there, and unchanged: {len(there)}" if there else None),
    )


def _add(own: ProjectTables, options: Options) -> int:
    tables = own.tables()
    row = tables.add(options.table, _values(options.values), agent=options.agent)
    return _print_row(tables, row, options)


def _update(own: ProjectTables, options: Options) -> int:
    tables = own.tables()
    how = {"expect_version": _version(options), "agent": options.agent}
    row = tables.update(options.table, options.row, _values(options.values), **how)
    return _print_row(tables, row, options)


def _delete(own: ProjectTables, options: Options) -> int:
    tables = own.tables()
    expected = _version(options)
    row = tables.delete(options.table, options.row, expect_version=expected, agent=options.agent)
    return options.reply(
        {"id": row.id, "version": row.version, "deleted": True},
        f"deleted {row.table}/{short_id(row.id)}; `satchel tables restore` brings it back",
    )


def _restore(own: ProjectTables, options: Options) -> int:
    tables = own.tables()
    row = tables.restore(options.table, options.row, agent=options.agent)
    return _print_row(tables, row, options)


def _get(own: ProjectTables, options: Options) -> int:
    tables = own.tables()
    return _print_row(tables, tables.get(options.table, options.row), options, whole=options.all)


def _history(own: ProjectTables, options: Options) -> int:
    tables = own.tables()
    versions = tables.history(options.table, options.row)
    style = options.style
    options.say("\n\n".join(row_text(tables, row, style, whole=True) for row in versions))
    schema = tables.schema(options.table)
    return options.done([fields_json(row, schema) for row in versions])


def _find(own: ProjectTables, options: Options) -> int:
    tables = own.tables()
    how = {"where": options.where, "sort": options.sort, "limit": options.limit}
    rows = tables.find(options.table, " ".join(options.words), **how)
    schema = tables.schema(options.table)
    style = options.style
    return options.reply(
        [fields_json(row, schema) for row in rows],
        *([row_line(tables, row, style) for row in rows] or ["nothing found"]),
    )


def _count(own: ProjectTables, options: Options) -> int:
    tables = own.tables()
    wanted = [(figure, name) for figure in _FIGURES for name in getattr(options, figure)]
    groups = tables.aggregate(options.table, wanted, where=options.where, group_by=options.group_by)
    style = options.style
    for group in groups:
        options.say(group_text(group, style, grouped=bool(options.group_by)))
    return options.reply(groups, "nothing found" if not groups else None)


def _check(own: ProjectTables, options: Options) -> int:
    tables = own.tables(strict=bool(options.table))
    names = [tables.schema(options.table).name] if options.table else list(tables.schemas)
    found = [] if options.table else list(own.problems)
    found += [f"{name} {one}" for name in names for one in tables.check(name)]
    options.reply({"problems": found}, *([clean_line(one) for one in found] or ["every row fits"]))
    return 1 if found else 0
