"""`satchel mcp`: serve the memory to agents, list the tools, print client settings."""

from __future__ import annotations

import argparse
import gc
import os
from collections.abc import Sequence

from satchel.clients.mcp_snippets import HTTP, NAMES, file_of, snippet
from satchel.clients.registry import working_directory
from satchel.core.errors import BadInputError, NotFoundError, StoreError
from satchel.interfaces.cli.arguments import Options, Parser, parser_for
from satchel.interfaces.mcp.profiles import PROFILES, tools_of
from satchel.storage.paths import UserHome
from satchel.storage.settings.environment import home_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.interfaces.mcp.serving import McpServer

_HOST, _PORT, _PORTS = "127.0.0.1", 8765, 65_535
#: The protocol's names for the fields of `Hints`.
_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


def mcp(words: Sequence[str]) -> int:
    """`satchel mcp [serve|tools|config]`."""
    parser = parser_for(
        "mcp",
        "Serve this project's memory to agents over MCP. Without an action: serve over standard "
        "input and output, as clients start it.",
    )
    _serving(parser)
    action = parser.actions(required=False)
    parser.set_defaults(run=_serve, profile="default", directory="", http=False)
    parser.set_defaults(host=_HOST, port=str(_PORT), token_file="")
    _serving(action("serve", "serve, over standard streams or --http", _serve))
    _with_profile(action("tools", "list the tools of a profile with their schemas", _tools))
    config = _with_profile(action("config", "print the settings that a client needs", _config))
    config.add_argument("client", metavar="CLIENT", help=f"one of: {', '.join(NAMES)}")
    return parser.parse_args(words).act(None)


#: Of options that may come before or after an action: the command itself has the defaults.
_EITHER = {"default": argparse.SUPPRESS}


def _with_profile(parser: Parser) -> Parser:
    parser.option("--profile", f"which tools: {', '.join(PROFILES)}", **_EITHER)
    return parser


def _serving(parser: Parser) -> None:
    add = _with_profile(parser).option
    parser.flag("--http", "serve streamable HTTP on loopback", **_EITHER)
    add("--host", f"a loopback address ({_HOST})", **_EITHER)
    add("--port", f"port; 0 takes a free one ({_PORT})", metavar="N", **_EITHER)
    told = "path of the token (server-token in the home)"
    add("--token-file", told, metavar="FILE", **_EITHER)


def _serve(_: None, options: Options) -> int:
    directory = os.path.abspath(options.directory or working_directory())
    if not os.path.isdir(directory):
        raise NotFoundError(f"There is no directory {directory}.", hint="Give another with -C.")
    tools_of(options.profile)
    port = int(options.port) if options.port.isascii() and options.port.isdigit() else -1
    if not 0 <= port <= _PORTS:
        raise BadInputError(f"--port takes a number up to {_PORTS}.", hint=f"For example {_PORT}.")
    if options.http:
        from satchel.interfaces.mcp.http import serve_http

        serving = _server(directory, options.profile)
        return serve_http(serving, options.host, port, options.token_file or _token_file())
    from satchel.interfaces.mcp.streams import take_standard_streams, watch_client

    # Before anything is imported that could write to standard output.
    wire = take_standard_streams()
    serving = _server(directory, options.profile)
    import anyio

    from satchel.interfaces.mcp.stdio import Pipe

    if os.isatty(wire.requests):
        options.aside(
            "satchel mcp serves a client over standard input; `satchel mcp config CLIENT` "
            "prints the settings it needs."
        )
    watch_client(wire)
    anyio.run(Pipe(wire).serve, serving)
    return 0


def _server(directory: str, profile: str) -> McpServer:
    """Load the SDK and make the server."""
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
    serving = McpServer(Project(directory), profile)
    gc.freeze()
    gc.enable()
    return serving


def _token_file() -> str:
    return UserHome(home_path()).server_token


def _tools(_: None, options: Options) -> int:
    tools = tools_of(options.profile)
    for one in tools:
        options.say(f"{one.name}: {one.about}")
        for name, schema in one.takes.items():
            needed = ", needed" if name in one.needs else ""
            options.say(f"  {name} ({schema['type']}{needed}): {schema.get('description', '')}")
    return options.done(
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


def _config(_: None, options: Options) -> int:
    file, text = file_of(options.client), snippet(options.client, profile=options.profile)
    options.warn(f"# {file}")
    options.say(text, end="", flush=True)
    if options.client == HTTP:
        options.warn(f'# export SATCHEL_MCP_TOKEN="$(cat {_token_file()})"')
    return options.done({"client": options.client, "file": file, "text": text})
