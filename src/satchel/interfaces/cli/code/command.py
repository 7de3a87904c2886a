"""`code`: find symbols and references, map the project; `pack`: what a task is about."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from typing import Any

from satchel.core.errors import BadInputError, NoProjectError
from satchel.core.excerpts import beginning
from satchel.core.plurals import counted
from satchel.core.trust import clean_line, clean_text
from satchel.features.code.packs.building import METHODS
from satchel.features.code.packs.profiles import AUTO, PROFILES
from satchel.features.code.packs.text import pack_text
from satchel.features.code.packs.values import Pack, PackRequest
from satchel.features.code.search.queries import SymbolUsages
from satchel.features.code.service import Code
from satchel.features.code.symbols.values import RankedFile, Symbol, SymbolMatch
from satchel.interfaces.cli.arguments import Options, Parser, content_from, count_from, parser_for
from satchel.interfaces.cli.progress import ProgressBar
from satchel.interfaces.rendering import Style, picked

#: Arms that found a file by a word of the question; the others found it by similarity or neighbors.
_BY_WORDS = frozenset({"text", "name", "path", "named", "past"})
_SPELLED = {"lineByLine": "read line by line"}


def code(words: Sequence[str]) -> int:
    """`satchel code find|symbols|refs|map|status|rebuild`."""
    options = _parser().parse_args(list(words))
    with Code.open(options.base()) as opened, ProgressBar("reading code") as bar:
        opened.progress = bar
        return options.act(opened)


def _parser() -> Parser:
    parser = parser_for("code", "Find code, show who uses it, and map the project.")
    action = parser.actions(metavar=None)
    finding = action("find", "where is it implemented? symbols, then files", _find)
    finding.add_argument("words", nargs="+", help="a name, or a question")
    finding.count("--limit", "maximum number of symbols, and of files (10)", default=10)
    action("symbols", "what a file defines", _symbols).add_argument("path")
    using = action("refs", "who uses a symbol, and what it uses", _refs)
    using.add_argument("symbol", help="for example Store.open")
    using.count("--limit", "most places (50)", default=50)
    mapping = action("map", "write docs/CODEBASE_MAP.md if it is stale", _map)
    mapping.flag("--force", "write it even if it is fresh")
    mapping.flag("--check", "write nothing; exit 1 if it is stale")
    action("status", "what the map holds, and how fresh it is", _status)
    action("rebuild", "rebuild the map", _rebuild)
    return parser


def print_exactly(value: Any) -> None:
    """Print JSON with exact file names, escaped where a terminal needs it."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    print(text if clean_text(text) == text else json.dumps(value, indent=2))


def _find(opened: Code, options: Options) -> int:
    text = content_from(options.words, missing="Say what to search for.")
    symbols, files = opened.find(text, limit=options.limit)
    style = options.style
    if not symbols and not files:
        options.say(f"Nothing found for {clean_line(text)[:120]!r}.")
        _print_left_out(opened.left_out(), options)
    for one in symbols:
        options.say(_found_line(one, style))
    if files:
        options.say(("\n" if symbols else "") + style.dim("files"))
    for file in files:
        alike = "" if _BY_WORDS & file.parts.keys() else style.dim("  none of the words")
        options.say(f"  {file.score:.2f}  {clean_line(file.path)}{alike}")
    found, ranked = [found_json(one) for one in symbols], [file_json(one) for one in files]
    return options.done({"query": text, "symbols": found, "files": ranked}, show=print_exactly)


def found_json(one: SymbolMatch) -> dict[str, Any]:
    """Return a found symbol as JSON."""
    return {"path": one.path, "score": one.score, **symbol_json(one.symbol)}


def file_json(one: RankedFile) -> dict[str, Any]:
    """Return a ranked file as JSON."""
    return picked(one, "path", "score", "role", "language", "parts")


def symbol_json(symbol: Symbol) -> dict[str, Any]:
    """Return a symbol as JSON."""
    told = picked(symbol, "name", "qualified", "kind", "line", "signature", "documentation")
    return {**told, "endLine": symbol.end_line}


def _print_left_out(told: dict[str, Any], options: Options) -> None:
    names, absent = told["submodules"], told["sparse"]
    if names:
        shown = ", ".join(clean_line(name) for name in names[:8])
        more = f" and {len(names) - 8} more" if len(names) > 8 else ""  # noqa: PLR2004
        what = counted(len(names), "submodule is", "submodules are")
        options.say(f"{what} not in this map: {shown}{more}")
    if absent:
        what = counted(absent, "file is", "files are")
        options.say(f"{what} not in this map: outside the sparse checkout")


def _found_line(one: SymbolMatch, style: Style) -> str:
    symbol = one.symbol
    head = style.bold(f"{clean_line(one.path)}:{symbol.line}")
    told = clean_line(symbol.signature or symbol.name)
    about = beginning(clean_line(symbol.documentation), 100)
    return f"{head}  {symbol.kind}  {told}" + (style.dim(f"\n    {about}") if about else "")


def _symbols(opened: Code, options: Options) -> int:
    found = opened.symbols(options.path)
    warning = opened.warning_of(options.path)
    depths = [one.qualified.count(".") if one.kind != "route" else 0 for one in found]
    lines = [
        f"{one.line:>6}  {'  ' * depth}{one.kind} {clean_line(one.signature or one.name)}"
        for one, depth in zip(found, depths, strict=True)
    ] or ["The map has no symbols of this file."]
    symbols = [symbol_json(one) for one in found]
    return options.reply(
        {"path": options.path, "symbols": symbols, "warning": warning},
        *lines,
        options.style.dim(clean_line(warning)) if warning else None,
        show=print_exactly,
    )


def _refs(opened: Code, options: Options) -> int:
    users = opened.refs(options.symbol, limit=options.limit)
    style = options.style
    for path, symbol in users.definitions:
        place = style.bold(f"{clean_line(path)}:{symbol.line}")
        options.say(f"{place}  {clean_line(symbol.signature)}")
    options.say(style.dim("used by"))
    for use in users.callers:
        within = f"  in {clean_line(use.within)}" if use.within else ""
        options.say(f"  {clean_line(use.path)}:{use.line}  {use.kind}{within}")
    if users.left_out:
        options.say(f"  and {users.left_out} more places")
    options.say(style.dim("uses"))
    for name, path, line in users.callees:
        options.say(f"  {clean_line(name)}  {clean_line(path)}:{line}")
    return options.done(_users_json(users), show=print_exactly)


def _users_json(users: SymbolUsages) -> dict[str, Any]:
    return {
        "definitions": [{"path": p, **symbol_json(s)} for p, s in users.definitions],
        "callers": [picked(one, "path", "line", "within", "kind") for one in users.callers],
        "callees": [{"name": n, "path": p, "line": line} for n, p, line in users.callees],
        "leftOut": users.left_out,
    }


def _map(opened: Code, options: Options) -> int:
    done = opened.write_map(force=options.force, check=options.check)
    told = {**picked(done, "path", "written", "fresh", "why"), "ageHours": done.age_hours}
    options.reply(told, clean_line(f"{done.path}: {done.why}"), show=print_exactly)
    return 1 if options.check and not done.fresh else 0


def _status(opened: Code, options: Options) -> int:
    told = opened.status()
    symbols = sum(told["symbols"].values())
    amounts = {"file": told["files"], "line": told["lines"], "symbol": symbols}
    amounts |= {"use": told["uses"], "past commit": told["commits"]}
    options.say(", ".join(counted(number, one) for one, number in amounts.items()))
    for name in ("languages", "roles", "symbols", "lineByLine", "warnings"):
        if told[name]:
            parts = (f"{clean_line(str(k))} {v}" for k, v in told[name].items())
            options.say(f"{_SPELLED.get(name, name)}: {', '.join(parts)}")
    _print_left_out(told["leftOut"], options)
    if told["git"]:
        options.say(f"git failed, so the directory was scanned instead: {clean_line(told['git'])}")
    age = told["map"]["ageHours"]
    fresh = "fresh" if told["map"]["fresh"] else "old"
    written = "not written" if age is None else f"{age} h, {fresh}"
    options.say(f"{told['map']['path']}: {written}")
    options.say(f"map: {clean_line(told['database']['path'])}, {told['database']['bytes']} bytes")
    return options.done(told, show=print_exactly)


def _rebuild(opened: Code, options: Options) -> int:
    done = opened.rebuild()
    read = f"{counted(done.read, 'file')} and {counted(done.commits, 'commit')} read"
    return options.reply(
        {"read": done.read, "commits": done.commits, "seconds": round(done.seconds, 3)},
        f"{read} in {done.seconds:.1f} s",
        show=print_exactly,
    )


_ENTRIES = ("query", "file", "symbol")


def pack(words: Sequence[str]) -> int:
    """`satchel pack TEXT`."""
    options = _pack_parser().parse_args(list(words))
    with Code.open(options.base()) as opened, ProgressBar("reading code") as bar:
        opened.progress = bar
        return _make_pack(opened, list(options.words), options)


def _pack_parser() -> Parser:
    parser = parser_for("pack", "Make a context pack: the files and symbols that a task is about.")
    parser.words("words", "the task", metavar="TEXT")
    parser.add_argument("--method", default="codegraph", help=f"{', '.join(METHODS)} (codegraph)")
    parser.add_argument("--profile", default=AUTO, help=f"auto, {', '.join(PROFILES)} (auto)")
    parser.option("--max-tokens", "budget (50000)", metavar="N")
    parser.count("--max-symbols", "most symbols (50)", default=50, metavar="N")
    parser.count(
        "--max-depth", "how far callers and callees are followed (2)", default=2, metavar="N"
    )
    parser.option("--entry", "what the text is: query, file or symbol")
    parser.add_argument(
        "--files",
        nargs="+",
        action="extend",
        default=[],
        metavar="PATH",
        help="files for --method manual",
    )
    parser.option("--name", "a name for it")
    return parser


def _make_pack(opened: Code, words: list[str], options: Options) -> int:
    method = options.method
    if options.files and "manual" not in (method, ""):
        method = "manual"
    text = (
        " ".join(options.files)
        if options.files and not words
        else content_from(words, missing="No task was given.")
    )
    entry = options.entry or "query"
    if entry not in _ENTRIES:
        raise BadInputError(f"There is no entry {entry[:20]!r}.", hint="query, file or symbol.")
    if entry == "query" and not options.entry and _is_file(opened, text):
        entry = "file"
    if not text.strip():
        raise BadInputError("No task was given.", hint="Put it in quotes.")
    given, what = options.max_tokens, (text, options.name, entry, method, options.profile)
    most = {"max_symbols": options.max_symbols, "max_depth": options.max_depth}
    most["max_tokens"] = count_from(given, "--max-tokens") if given else opened.pack_tokens
    request = PackRequest(*what, files=tuple(options.files), **most)
    made = _with_warnings(opened.pack(request), opened.root)
    if not options.json and sys.stdout.isatty():
        _write_for_person(made)
    else:
        _show_pack(made, options)
    return 0


def _with_warnings(made: Pack, root: str) -> Pack:
    """Report unapproved texts in a pack, if there is a project."""
    from satchel.application.recall.unapproved import with_warnings
    from satchel.workspace import Workspace

    try:
        with Workspace.open(root) as work:
            return with_warnings(work, made)
    except NoProjectError:
        return made


def _write_for_person(made: Pack) -> None:
    """Write a pack to a file, since nobody reads it on a terminal, and print the path."""
    text = pack_text(made)
    with tempfile.NamedTemporaryFile("w", prefix="pack-", suffix=".md", delete=False) as file:
        file.write(text)
    size = f"{len(text.encode()) // 1000:,} kB, {counted(made.tokens, 'token')}"
    print(f"Wrote {counted(len(made.files), 'file')}, {size}: {clean_line(file.name)}")
    for warning in made.warnings:
        print(f"note: {clean_line(warning)}")


def _is_file(opened: Code, text: str) -> bool:
    return "\n" not in text and len(text) < 1024 and os.path.isfile(os.path.join(opened.root, text))  # noqa: PLR2004


def _show_pack(made: Pack, options: Options) -> None:
    if options.json:
        print_exactly(made.as_json())
        return
    print(pack_text(made), end="")
    for warning in made.warnings:
        print(f"\n<!-- {clean_line(warning)} -->")
