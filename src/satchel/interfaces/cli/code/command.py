"""`code`: find symbols, files and references; write docs/CODEBASE_MAP.md."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

from satchel.core.plurals import counted
from satchel.core.trust import clean_line, clean_text
from satchel.features.code.service import Code
from satchel.interfaces.cli.arguments import (
    Parser,
    content_from,
    directory_of,
    parser_for,
    style_of,
)
from satchel.interfaces.cli.progress import ProgressBar
from satchel.interfaces.rendering import Style

#: Arms that found a file by a word of the question; the others went by what it is like or beside.
_BY_WORDS = frozenset({"text", "name", "path", "named", "past"})
_SPELLED = {"lineByLine": "read line by line"}

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.features.code.queries import SymbolUsages
    from satchel.features.code.values import RankedFile, Symbol, SymbolMatch


def code(words: Sequence[str]) -> int:
    """`satchel code find|symbols|refs|map|status|rebuild`."""
    options = _parser().parse_args(list(words))
    with Code.open(directory_of(options)) as opened, ProgressBar("reading code") as bar:
        opened.progress = bar
        return int(options.run(opened, options))


def _parser() -> Parser:
    parser = parser_for("code", "Find code, show who uses it, map all of it.")
    actions = parser.add_subparsers(dest="action", required=True, parser_class=Parser)
    finding = actions.add_parser("find", help="where is it implemented? symbols, then files")
    finding.add_argument("words", nargs="+", help="a name, or a question")
    finding.count("-n", "--limit", "maximum number of symbols, and of files (10)", default=10)
    finding.set_defaults(run=_find)
    listing = actions.add_parser("symbols", help="what a file defines")
    listing.add_argument("path")
    listing.set_defaults(run=_symbols)
    using = actions.add_parser("refs", help="who uses a symbol, and what it uses")
    using.add_argument("symbol", help="for example Store.open")
    using.count("-n", "--limit", "most places (50)", default=50)
    using.set_defaults(run=_refs)
    mapping = actions.add_parser("map", help="write docs/CODEBASE_MAP.md if it is stale")
    mapping.flag("--force", "write it even if it is fresh")
    mapping.flag("--check", "write nothing; exit 1 if it is stale")
    mapping.set_defaults(run=_map)
    standing = actions.add_parser("status", help="what the map holds, and how fresh it is")
    standing.set_defaults(run=_status)
    rebuilding = actions.add_parser("rebuild", help="rebuild the map")
    rebuilding.set_defaults(run=_rebuild)
    for action in (finding, listing, using, mapping, standing, rebuilding):
        action.add_argument(
            "--json", action="store_true", default=argparse.SUPPRESS, help="print JSON"
        )
        action.add_argument(
            "-C",
            dest="directory",
            default=argparse.SUPPRESS,
            metavar="DIR",
            help="run as if started in DIR",
        )
    return parser


def print_exactly(value: Any) -> None:
    """Print JSON with exact file names, escaped where a terminal needs it."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    print(text if clean_text(text) == text else json.dumps(value, indent=2))


def _find(opened: Code, options: argparse.Namespace) -> int:
    text = content_from(options.words, missing="Nothing to search for was given.")
    symbols, files = opened.find(text, limit=options.limit)
    if options.json:
        print_exactly(
            {
                "query": text,
                "symbols": [found_json(one) for one in symbols],
                "files": [file_json(one) for one in files],
            }
        )
        return 0
    style = style_of(options)
    if not symbols and not files:
        print(f"Nothing found for {clean_line(text)[:120]!r}.")
        _print_left_out(opened.left_out())
    for one in symbols:
        print(_found_line(one, style))
    if files:
        print(("\n" if symbols else "") + style.dim("files"))
    for file in files:
        alike = "" if _BY_WORDS & file.parts.keys() else style.dim("  none of the words")
        print(f"  {file.score:.2f}  {clean_line(file.path)}{alike}")
    return 0


def found_json(one: SymbolMatch) -> dict[str, Any]:
    """Return a found symbol as JSON."""
    return {"path": one.path, "score": one.score, **symbol_json(one.symbol)}


def file_json(one: RankedFile) -> dict[str, Any]:
    """Return a ranked file as JSON."""
    return {
        "path": one.path,
        "score": one.score,
        "role": one.role,
        "language": one.language,
        "parts": one.parts,
    }


def symbol_json(symbol: Symbol) -> dict[str, Any]:
    """Return a symbol as JSON."""
    return {
        "name": symbol.name,
        "qualified": symbol.qualified,
        "kind": symbol.kind,
        "line": symbol.line,
        "endLine": symbol.end_line,
        "signature": symbol.signature,
        "documentation": symbol.documentation,
    }


def _print_left_out(told: dict[str, Any]) -> None:
    """Print what the map leaves out: submodules, and files outside a sparse checkout."""
    names, absent = told["submodules"], told["sparse"]
    if names:
        shown = ", ".join(clean_line(name) for name in names[:8])
        more = f" and {len(names) - 8} more" if len(names) > 8 else ""  # noqa: PLR2004
        what = "1 submodule is" if len(names) == 1 else f"{len(names)} submodules are"
        print(f"{what} not in this map: {shown}{more}")
    if absent:
        what = "1 file is" if absent == 1 else f"{absent} files are"
        print(f"{what} not in this map: outside the sparse checkout")


def _found_line(one: SymbolMatch, style: Style) -> str:
    symbol = one.symbol
    head = style.bold(f"{clean_line(one.path)}:{symbol.line}")
    told = clean_line(symbol.signature or symbol.name)
    about = clean_line(symbol.documentation)[:100]
    return f"{head}  {symbol.kind}  {told}" + (style.dim(f"\n    {about}") if about else "")


def _symbols(opened: Code, options: argparse.Namespace) -> int:
    found = opened.symbols(options.path)
    warning = opened.warning_of(options.path)
    if options.json:
        print_exactly(
            {
                "path": options.path,
                "symbols": [symbol_json(one) for one in found],
                "warning": warning,
            }
        )
        return 0
    for one in found:
        depth = one.qualified.count(".") if one.kind != "route" else 0
        print(f"{one.line:>6}  {'  ' * depth}{one.kind} {clean_line(one.signature or one.name)}")
    if not found:
        print("The map has no symbols of this file.")
    if warning:
        print(style_of(options).dim(clean_line(warning)))
    return 0


def _refs(opened: Code, options: argparse.Namespace) -> int:
    users = opened.refs(options.symbol, limit=options.limit)
    if options.json:
        print_exactly(_users_json(users))
        return 0
    style = style_of(options)
    for path, symbol in users.definitions:
        print(style.bold(f"{clean_line(path)}:{symbol.line}") + f"  {clean_line(symbol.signature)}")
    print(style.dim("used by"))
    for use in users.callers:
        within = f"  in {clean_line(use.within)}" if use.within else ""
        print(f"  {clean_line(use.path)}:{use.line}  {use.kind}{within}")
    if users.left_out:
        print(f"  and {users.left_out} more places")
    print(style.dim("uses"))
    for name, path, line in users.callees:
        print(f"  {clean_line(name)}  {clean_line(path)}:{line}")
    return 0


def _users_json(users: SymbolUsages) -> dict[str, Any]:
    return {
        "definitions": [{"path": p, **symbol_json(s)} for p, s in users.definitions],
        "callers": [
            {"path": u.path, "line": u.line, "within": u.within, "kind": u.kind}
            for u in users.callers
        ],
        "callees": [{"name": n, "path": p, "line": line} for n, p, line in users.callees],
        "leftOut": users.left_out,
    }


def _map(opened: Code, options: argparse.Namespace) -> int:
    done = opened.write_map(force=options.force, check=options.check)
    if options.json:
        print_exactly(
            {
                "path": done.path,
                "written": done.written,
                "fresh": done.fresh,
                "ageHours": done.age_hours,
                "why": done.why,
            }
        )
    else:
        print(clean_line(f"{done.path}: {done.why}"))
    return 1 if options.check and not done.fresh else 0


def _status(opened: Code, options: argparse.Namespace) -> int:
    told = opened.status()
    if options.json:
        print_exactly(told)
        return 0
    symbols = sum(told["symbols"].values())
    amounts = {
        "file": told["files"],
        "line": told["lines"],
        "symbol": symbols,
        "use": told["uses"],
        "past commit": told["commits"],
    }
    print(", ".join(counted(number, one) for one, number in amounts.items()))
    for name in ("languages", "roles", "symbols", "lineByLine", "warnings"):
        if told[name]:
            parts = (f"{clean_line(str(k))} {v}" for k, v in told[name].items())
            print(f"{_SPELLED.get(name, name)}: {', '.join(parts)}")
    _print_left_out(told["leftOut"])
    if told["git"]:
        print(f"git failed, so the directory was walked instead: {clean_line(told['git'])}")
    age = told["map"]["ageHours"]
    fresh = "fresh" if told["map"]["fresh"] else "old"
    print(f"{told['map']['path']}: " + ("not written" if age is None else f"{age} h, {fresh}"))
    print(f"map: {clean_line(told['database']['path'])}, {told['database']['bytes']} bytes")
    return 0


def _rebuild(opened: Code, options: argparse.Namespace) -> int:
    done = opened.rebuild()
    if options.json:
        print_exactly(
            {"read": done.read, "commits": done.commits, "seconds": round(done.seconds, 3)}
        )
    else:
        read = f"{counted(done.read, 'file')} and {counted(done.commits, 'commit')} read"
        print(f"{read} in {done.seconds:.1f} s")
    return 0


COMMANDS = {"code": code}
