"""`satchel tables import` and `export`: read and write rows as files."""

from __future__ import annotations

import os
import sys

from satchel.core.errors import BadInputError, ConflictError
from satchel.core.plurals import counted
from satchel.core.trust import clean_line, clean_text
from satchel.features.tables.files import CSV, JSON_FILE, LARGEST, exported, format_of, read_rows
from satchel.features.tables.project_tables import ProjectTables
from satchel.features.tables.values import ImportReport
from satchel.interfaces.cli.arguments import Options, print_json
from satchel.storage.files import replace_file
from satchel.storage.safe_open import open_text


def import_rows(own: ProjectTables, options: Options) -> int:
    """Add and update rows from a CSV or JSON file; - reads standard input."""
    form = format_of("" if options.file == "-" else options.file, options.format)
    if options.file == "-":
        data = sys.stdin.buffer.read(LARGEST + 1)
    else:
        opened = open_text(options.file, lambda _: "", most=LARGEST)
        if opened.refused:
            raise BadInputError(f"{options.file} is not read: {opened.told}.")
        data = opened.data
    if len(data) > LARGEST:
        raise BadInputError(f"More than {LARGEST:,} bytes are not imported at once.")
    how = {"key": options.key, "skip_wrong": options.skip_wrong, "dry_run": options.dry_run}
    done = own.tables().import_rows(options.table, read_rows(data, form), **how)
    return _said(done, options, refused=bool(done.wrong) and not options.skip_wrong)


def _said(done: ImportReport, options: Options, *, refused: bool) -> int:
    if options.json:
        print_json(done)
        return BadInputError.exit_code if refused else 0
    for one in done.wrong[:20]:
        options.aside(clean_line(one))
    if len(done.wrong) > 20:  # noqa: PLR2004
        options.aside(f"and {len(done.wrong) - 20} more")
    if refused:
        raise BadInputError(
            f"{counted(len(done.wrong), 'row')} do not fit; nothing was imported.",
            hint="--skip-wrong imports the others.",
        )
    would = "would be " if options.dry_run else ""
    print(
        f"{would}added {done.added}, updated {done.updated}, unchanged {done.unchanged}"
        + (f", left out {len(done.wrong)}" if done.wrong else "")
    )
    return 0


def export_rows(own: ProjectTables, options: Options) -> int:
    """Write a table's rows as CSV or JSON, oldest first."""
    tables = own.tables()
    schema = tables.schema(options.table)
    default = (JSON_FILE if options.json else CSV) if options.file == "-" else ""
    form = format_of(options.file, options.format or default)
    # Oldest first: rows that others refer to come before them, and a second export is the same.
    rows = sorted(tables.rows(schema.name), key=lambda row: row.id)
    text = exported(schema, rows, form)
    if options.file == "-":
        sys.stdout.write(clean_text(text) if sys.stdout.isatty() else text)
        return 0
    path = os.path.abspath(options.file)
    if os.path.lexists(path) and not os.path.isfile(path):
        raise ConflictError(f"{options.file} is not an ordinary file.")
    replace_file(path, text.encode("utf-8"), mode=0o600)
    return options.reply(
        {"path": path, "rows": len(rows)},
        f"wrote {counted(len(rows), 'row')} to {clean_line(options.file)}",
    )
