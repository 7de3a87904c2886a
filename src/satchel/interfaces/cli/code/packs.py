"""`pack`: the files and symbols relevant to a task, within a token budget."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence

from satchel.application.recall.unapproved import with_warnings
from satchel.core.errors import BadInputError, NoProjectError
from satchel.core.plurals import counted
from satchel.core.trust import clean_line
from satchel.features.code.pack_text import pack_text
from satchel.features.code.pack_values import Pack, Request
from satchel.features.code.packs import METHODS
from satchel.features.code.profiles import AUTO, PROFILES
from satchel.features.code.service import Code
from satchel.interfaces.cli.arguments import Options, Parser, content_from, count_from, parser_for
from satchel.interfaces.cli.code.command import print_exactly
from satchel.interfaces.cli.progress import ProgressBar
from satchel.workspace import Workspace

_ENTRIES = ("query", "file", "symbol")


def pack(words: Sequence[str]) -> int:
    """`satchel pack TEXT`."""
    options = _parser().parse_args(list(words))
    with Code.open(options.base()) as opened, ProgressBar("reading code") as bar:
        opened.progress = bar
        return _make(opened, list(options.words), options)


def _parser() -> Parser:
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


def _make(opened: Code, words: list[str], options: Options) -> int:
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
    given = options.max_tokens
    request = Request(
        text,
        options.name,
        entry,
        method,
        options.profile,
        max_tokens=count_from(given, "--max-tokens") if given else opened.pack_tokens,
        max_symbols=options.max_symbols,
        max_depth=options.max_depth,
        files=tuple(options.files),
    )
    made = _with_warnings(opened.pack(request), opened.root)
    if not options.json and sys.stdout.isatty():
        _write_for_person(made)
    else:
        _show(made, options)
    return 0


def _with_warnings(made: Pack, root: str) -> Pack:
    """Say which texts in a pack nobody has approved, where there is a project."""
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


def _show(made: Pack, options: Options) -> None:
    if options.json:
        print_exactly(made.as_json())
        return
    print(pack_text(made), end="")
    for warning in made.warnings:
        print(f"\n<!-- {clean_line(warning)} -->")


COMMANDS = {"pack": pack}
