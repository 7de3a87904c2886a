"""The arguments of `satchel mcp`: serve, tools, config."""

from __future__ import annotations

import argparse
import functools
import gc
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from satchel.clients.mcp_snippets import HTTP, NAMES, file_of, snippet
from satchel.clients.registry import working_directory
from satchel.core.errors import BadInputError, NotFoundError, StoreError
from satchel.interfaces.mcp.profiles import PROFILES, tools_of
from satchel.storage.paths import UserHome
from satchel.storage.settings.environment import home_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.interfaces.mcp.streams import Wire

_HOST, _PORT, _PORTS = "127.0.0.1", 8765, 65_535
_WIDTH = 96
#: The protocol's names for the fields of `Hints`.
_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


class _Help(argparse.HelpFormatter):
    def __init__(self, prog: str, **options: Any) -> None:
        super().__init__(prog, **{"width": _WIDTH, **options})


class _Parser(argparse.ArgumentParser):
    """A parser that raises our own errors, so that every usage error ends the same way."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": _Help, "allow_abbrev": False, **options})

    def error(self, message: str) -> NoReturn:
        """Raise the error that argparse would have printed."""
        told = message[0].upper() + message[1:]
        raise BadInputError(f"{told}.", hint=f"`{self.prog} --help` lists the options.")


def run(words: Sequence[str], wire: Wire | None) -> int:
    """Run an action, `serve` by default. `wire` holds standard output if it was taken over."""
    options = _parser().parse_args(words)
    options.action = options.action or "serve"
    if wire is not None and (options.action != "serve" or options.http):
        from satchel.interfaces.mcp.streams import give_back

        give_back(wire)
    if options.action == "tools":
        return _tools(options)
    if options.action == "config":
        return _config(options)
    return _serve(options, wire)


def _parser() -> _Parser:
    parser = _Parser(
        prog="satchel mcp",
        description="Serve this project's memory to agents over MCP. Without an action: serve "
        "over standard input and output, as clients start it.",
    )
    parser.set_defaults(profile="default", json=False, directory="", http=False)
    parser.set_defaults(host=_HOST, port=str(_PORT), token_file="")
    _serving(parser)
    actions = parser.add_subparsers(dest="action", metavar="ACTION", parser_class=_Parser)
    _serving(actions.add_parser("serve", help="serve, over standard streams or --http"))
    _shared(actions.add_parser("tools", help="list the tools of a profile with their schemas"))
    config = actions.add_parser("config", help="print the settings that a client needs")
    config.add_argument("client", metavar="CLIENT", help=f"one of: {', '.join(NAMES)}")
    _shared(config)
    return parser


def _shared(parser: argparse.ArgumentParser) -> None:
    """Add the options of every action; defaults come from the parser, before or after an action."""
    told = ", ".join(PROFILES)
    add = functools.partial(parser.add_argument, default=argparse.SUPPRESS)
    add("--profile", help=f"which tools: {told}")
    add("--json", action="store_true", help="print JSON")
    add("-C", dest="directory", metavar="DIR", help="run as if started in DIR")


def _serving(parser: argparse.ArgumentParser) -> None:
    _shared(parser)
    add = functools.partial(parser.add_argument, default=argparse.SUPPRESS)
    add("--http", action="store_true", help="serve streamable HTTP on loopback")
    add("--host", help=f"a loopback address ({_HOST})")
    add("--port", metavar="N", help=f"port; 0 takes a free one ({_PORT})")
    add("--token-file", metavar="FILE", help="path of the token (server-token in the home)")


def _serve(options: argparse.Namespace, wire: Wire | None) -> int:
    directory = os.path.abspath(options.directory or working_directory())
    if not os.path.isdir(directory):
        raise NotFoundError(f"There is no directory {directory}.", hint="Give another with -C.")
    tools_of(options.profile)
    port = int(options.port) if options.port.isascii() and options.port.isdigit() else -1
    if not 0 <= port <= _PORTS:
        raise BadInputError(f"--port takes a number up to {_PORTS}.", hint=f"For example {_PORT}.")
    # Nothing imported now is ever garbage: collecting costs a tenth of the start.
    gc.disable()
    try:
        import pydantic

        # Build the SDK's 600 models on first use: most are never used.
        pydantic.BaseModel.model_config["defer_build"] = True
        from satchel.interfaces.mcp.calls import Project
        from satchel.interfaces.mcp.serving import McpServer
    except ImportError as error:
        if error.name and error.name.partition(".")[0] in ("satchel", ""):
            raise
        raise StoreError(
            "The MCP server needs the package `mcp` 2, which is not installed.",
            hint="pip install 'satchel[mcp]'",
        ) from None
    serving = McpServer(Project(directory), options.profile)
    if options.http:
        from satchel.interfaces.mcp.http import serve_http

        _collect_again()
        return serve_http(serving, options.host, port, options.token_file or _token_file())
    assert wire is not None, "standard output was not taken over"  # noqa: S101
    return _serve_wire(serving, wire)


def _serve_wire(serving: Any, wire: Wire) -> int:
    import anyio

    from satchel.interfaces.mcp.stdio import Pipe
    from satchel.interfaces.mcp.streams import watch_client

    if os.isatty(wire.requests):
        print(
            "satchel mcp serves a client over standard input; `satchel mcp config CLIENT` "
            "prints the settings it needs.",
            file=sys.stderr,
        )
    watch_client(wire)
    _collect_again()
    anyio.run(Pipe(wire).serve, serving)
    return 0


def _collect_again() -> None:
    gc.freeze()
    gc.enable()


def _token_file() -> str:
    return UserHome(home_path()).server_token


def _tools(options: argparse.Namespace) -> int:
    tools = tools_of(options.profile)
    if options.json:
        return _print_json(
            [
                {
                    "name": one.name,
                    "title": one.title,
                    "description": one.about,
                    "inputSchema": one.input_schema,
                    "annotations": dict(zip(_HINTS, one.hints, strict=True)),
                }
                for one in tools
            ]
        )
    for one in tools:
        print(f"{one.name}: {one.about}")
        for name, schema in one.takes.items():
            needed = ", needed" if name in one.needs else ""
            print(f"  {name} ({schema['type']}{needed}): {schema.get('description', '')}")
    return 0


def _print_json(value: Any) -> int:
    import json

    print(json.dumps(value, indent=2))
    return 0


def _config(options: argparse.Namespace) -> int:
    file, text = file_of(options.client), snippet(options.client, profile=options.profile)
    if options.json:
        return _print_json({"client": options.client, "file": file, "text": text})
    print(f"# {file}", file=sys.stderr)
    print(text, end="", flush=True)
    if options.client == HTTP:
        print(f'# export SATCHEL_MCP_TOKEN="$(cat {_token_file()})"', file=sys.stderr)
    return 0
