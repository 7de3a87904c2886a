"""`install`, `uninstall`: hooks, MCP server and skills for each agent client."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any

from satchel.clients.registry import BY_NAME, client_home, named
from satchel.clients.settings_files import plan
from satchel.clients.settings_files.plan import Plan
from satchel.clients.setup import wiring
from satchel.clients.setup.wired import (
    CLIENTS,
    PROJECT,
    USER,
    found_in,
    found_on_machine,
    places_of,
)
from satchel.clients.setup.wiring import PARTS, WiringRequest
from satchel.core.errors import BadInputError
from satchel.core.plurals import counted
from satchel.core.times import ago
from satchel.core.trust import clean_line
from satchel.interfaces.cli.arguments import Options, Parser, parser_for
from satchel.interfaces.cli.own_command import lay_ready, own_command
from satchel.interfaces.cli.setup import agreeing
from satchel.interfaces.cli.setup.init import (
    journal_of,
    journals_of,
    next_steps,
    place_of_home,
    place_to_change,
)
from satchel.project.place import Place, known_key
from satchel.storage import git
from satchel.storage.files import changed_at
from satchel.storage.git import GitError
from satchel.storage.paths import UserHome
from satchel.storage.settings.environment import home_path

_ANY = "any"


def install(words: Sequence[str]) -> int:
    """`satchel install`."""
    parser = _parser("install", "Wire Satchel into agent clients, after showing the diff.")
    parser.flag("--print", "--dry-run", "print the diff without changing anything")
    parser.flag("--status", "show what is wired, and its state")
    parser.flag("--guard", "also the hook before tools")
    parser.option("--plugin", "make a Claude Code plugin", metavar="DIR")
    parser.option("--file", "JSON file of the client `any`", metavar="PATH")
    parser.add_argument("--key", default="mcpServers", help="member of that file for MCP servers")
    options = parser.parse_args(words)
    if options.plugin:
        return _plugin(options)
    place = _place(options)
    if _ANY in options.clients or options.file:
        return _any_client(options, place)
    asked = _asked(options, place)
    if options.status:
        return _status(asked, place, options)
    if not asked.clients:
        raise BadInputError(
            "No agent client was found here or in your home.",
            hint=f"Name it: {', '.join(CLIENTS)}, or `any --file PATH`.",
        )
    return _carry_out(wiring.plan_wiring(asked), place, options, asked.clients)


def uninstall(words: Sequence[str]) -> int:
    """`satchel uninstall`."""
    parser = _parser("uninstall", "Remove Satchel's entries from agent clients, and nothing else.")
    parser.flag("--print", "--dry-run", "print the diff without changing anything")
    options = parser.parse_args(words)
    place = _place(options)
    asked = _asked(options, place)
    if not options.clients:
        asked = asked._replace(clients=tuple(CLIENTS))
    planned = wiring.plan_unwiring(asked)
    for name in asked.clients:
        whole = BY_NAME[name].part_of
        if whole and whole not in asked.clients:
            planned = _but_shared(planned, asked, name)
    planned = plan.as_before(planned, journals_of(UserHome(home_path()), place))
    planned = planned._replace(notes=(*planned.notes, *tracked_notes(planned, place.root)))
    code = _carry_out(planned, place, options)
    if not options.print:
        for change in planned.changes:
            if change.after is None:
                _prune(os.path.dirname(change.path), place.root)
        options.reply(None, *left_behind(place, user=options.user), show=lambda _: None)
    return code


def _but_shared(planned: Plan, asked: WiringRequest, name: str) -> Plan:
    """Keep what a client shares with the client it is part of."""
    places = places_of(name, asked.scope, asked.root)
    left = tuple(
        one
        for one in planned.changes
        if one.path != places.hooks and not one.path.startswith(places.skills + os.sep)
    )
    if len(left) == len(planned.changes):
        return planned
    return Plan(left, (*planned.notes, CLIENTS[name].shared))


def _parser(name: str, text: str) -> Parser:
    parser = parser_for(name, text)
    parser.words("clients", f"{', '.join(CLIENTS)}, all; default: those found", metavar="CLIENT")
    for part, told in zip(PARTS, ("hooks", "the MCP server", "skills"), strict=True):
        parser.add_argument(f"--{part}", action="store_true", help=f"{told}; default: all three")
    scope = parser.add_mutually_exclusive_group()
    scope.add_argument("--user", action="store_true", help="your own files, for every repository")
    scope.add_argument("--project", action="store_true", help="the repository's (the default)")
    agreeing.add_options(parser)
    return parser


def _place(options: Options) -> Place:
    return place_of_home() if options.user else place_to_change(options.base())


def _asked(options: Options, place: Place) -> WiringRequest:
    names = [named(name) or name for name in options.clients]
    unknown = [name for name in names if name not in CLIENTS and name != "all"]
    if unknown:
        raise BadInputError(
            f"There is no client `{clean_line(unknown[0])[:40]}`.",
            hint=f"Say {', '.join(CLIENTS)}, `any --file PATH`, or `all`.",
        )
    if "all" in names:
        names = list(CLIENTS)
    if not names:
        names = list(found_on_machine() if options.user else found_in(place.root))
        names = names or list(found_on_machine())
    parts = tuple(part for part in PARTS if getattr(options, part)) or PARTS
    return WiringRequest(
        clients=tuple(dict.fromkeys(names)),
        parts=parts,
        scope=USER if options.user else PROJECT,
        root=place.root,
        command=own_command(),
        guard=bool(getattr(options, "guard", False)),
        own_skills=UserHome(home_path()).skills,
    )


def _any_client(options: Options, place: Place) -> int:
    if not options.file or options.clients not in ([], [_ANY]):
        raise BadInputError(
            "Another client needs the file that holds its MCP servers.",
            hint="Say `satchel install any --file PATH`, with --key where it is not mcpServers.",
        )
    path = os.path.abspath(os.path.expanduser(options.file))
    asked = WiringRequest(
        (), (wiring.MCP,), USER if options.user else PROJECT, place.root, own_command()
    )
    return _carry_out(wiring.plan_any_client(path, options.key, asked), place, options)


def _plugin(options: Options) -> int:
    from satchel.clients.claude_code.plugin import plan_plugin

    directory = os.path.abspath(os.path.expanduser(options.plugin))
    place = place_of_home() if options.user else place_to_change(options.base())
    code = _carry_out(plan_plugin(directory), place, options)
    if not options.json and not options.print:
        print(f"claude plugin marketplace add {clean_line(directory)}")
        print("claude plugin install satchel@satchel")
    return code


def _carry_out(planned: Plan, place: Place, options: Options, clients: Sequence[str] = ()) -> int:
    planned = planned._replace(notes=(*planned.notes, *server_notes(planned)))
    files = [change.path for change in planned.changes]
    if options.print:
        options.diff = True
        agreeing.show(planned, options, place.root)
    elif agreeing.agree(planned, options, place.root):
        plan.apply(planned, journal_of(UserHome(home_path()), place))
        lay_ready()
    if not files:
        options.say("Everything is up to date; nothing was changed.")
    elif not options.print:
        take_back = "satchel undo --user" if options.user else "satchel undo --setup"
        options.say(f"{counted(len(files), 'file')} changed. `{take_back}` reverts this.")
        for step in next_steps(clients, place.root):
            options.say(step)
    return options.done(
        {"changed": files, "applied": not options.print, "notes": list(planned.notes)}
    )


def server_notes(planned: Plan) -> list[str]:
    """Warn if the MCP server is configured but its dependencies are not installed."""
    from importlib.util import find_spec

    written = [part for one in planned.changes if one.after is not None for part in one.parts]
    wired = any(part == "toml" or part.startswith("mcp:") for part in written)
    needed = "the MCP server needs one more package: pip install 'satchel[mcp]'"
    return [needed] if wired and find_spec("mcp") is None else []


def _status(asked: WiringRequest, place: Place, options: Options) -> int:
    here = set(found_in(place.root)) if not options.user else set()
    there = set(found_on_machine())
    asked = asked._replace(clients=tuple(asked.clients if options.clients else CLIENTS))
    scopes = [USER] if options.user else [PROJECT] if options.project else [PROJECT, USER]
    told = (wiring.wiring_status(asked._replace(scope=scope)) for scope in scopes)
    standings = [one for row in told for one in row]
    known = {name: _life_of(name, place) for name in asked.clients}
    for one in standings:
        if one.state == "absent" and not options.clients and one.client not in here | there:
            continue
        options.say(
            f"{one.client:<12} {one.scope:<8} {one.part:<7} {one.state:<8} {clean_line(one.path)}"
        )
        if one.detail:
            options.say(f"    {clean_line(one.detail)}")
        if one.part == wiring.HOOKS and one.state != "absent":
            options.say(f"    {_said_of(known[one.client])}")
    for name in wiring.wired_twice(standings):
        options.warn(f"note: {name} has hooks in both scopes and runs both; remove one")
    if any(one.state == "upgrade" for one in standings):
        options.warn("`satchel install` updates what says `upgrade`.")
    found = here | there
    rows = [{**one._asdict(), "found": one.client in found} for one in standings]
    return options.done([{**row, **known[row["client"]]} for row in rows])


def _life_of(name: str, place: Place) -> dict[str, Any]:
    """Return whether a client is trusted here and when its hooks last ran, or None if unknown."""
    trusts, whole = CLIENTS[name].trusts, BY_NAME[name].part_of or name
    trusted = trusts(client_home(name), place.root) if trusts is not None and place.root else None
    home = UserHome(home_path())
    key = known_key(home.registry, place)
    seen = changed_at(home.project_state(key).seen(whole)) if key else 0.0
    return {"trusted": trusted, "seen": int(seen) or None}


def _said_of(life: dict[str, Any]) -> str:
    trusted = {True: "yes", False: "no", None: "not known"}[life["trusted"]]
    seen = ago(time.time() - life["seen"]) if life["seen"] else "never"
    return f"trusted: {trusted}; last event: {seen}"


def _prune(directory: str, root: str) -> None:
    """Remove directories that held only our file."""
    for _ in range(3):
        if os.path.realpath(directory) == os.path.realpath(root):
            return
        try:
            os.rmdir(directory)
        except OSError:
            return
        directory = os.path.dirname(directory)


def tracked_notes(planned: Plan, root: str) -> list[str]:
    """Say which files of a plan git tracks: colleagues keep the committed versions."""
    tracked = [one.path for one in planned.changes if _is_tracked(one.path)]
    if not tracked:
        return []
    shown = ", ".join(clean_line(os.path.relpath(path, root)) for path in tracked)
    one = len(tracked) == 1
    told = f"git tracks {shown}: commit the change to take {'it' if one else 'them'} out for"
    back = f"`satchel undo --setup` puts {'the file' if one else 'the files'} back here"
    return [f"{told} colleagues too; until then they keep what is committed, and {back}"]


def left_behind(place: Place, *, user: bool) -> list[str]:
    """Name what is left here, and how to remove it."""
    home = UserHome(home_path())
    key = "" if user else known_key(home.registry, place)
    private = home.project_state(key).path if key else home.path
    whose = "this project's" if key else "every project's"
    told = f"{whose} private memories and state"
    kept = [(private, told)] if os.path.isdir(private) else []
    shared = os.path.join(place.root, ".satchel")
    if not user and os.path.isdir(shared):
        told = "the project's id, and what was shared"
        kept.append((shared, f"{told}; git tracks it" if _is_tracked(shared) else told))
    if not kept:
        return []
    return [
        "What stays:",
        *(f"  {clean_line(path)}  ({what})" for path, what in kept),
        "To remove memories too: `satchel forget` erases the ones you name and writes a receipt;",
        "or remove these directories yourself, after `satchel backup` if in doubt.",
    ]


def _is_tracked(path: str) -> bool:
    directory = os.path.dirname(path)
    try:
        return os.path.isdir(directory) and git.is_tracked(directory, path)
    except GitError:
        return False  # no git, nothing tracked
