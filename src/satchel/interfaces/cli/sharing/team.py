"""`team`: memories on a PostgreSQL server shared by a team."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from satchel.application.approval import approve_authors
from satchel.application.exchange.team import TeamExchange
from satchel.core.errors import BadInputError
from satchel.core.plurals import counted
from satchel.core.trust import clean_line
from satchel.features.memories.embedding import embed_in_background
from satchel.features.memories.team import TeamMemories
from satchel.interfaces.cli.arguments import (
    Parser,
    directory_of,
    parser_for,
    print_answer,
    print_json,
    style_of,
)
from satchel.project.approvals.rules import is_key
from satchel.project.team_store import TeamStore, refuse_password, team_project
from satchel.storage.locks import read_file
from satchel.storage.settings.person_file import put_settings
from satchel.workspace import Workspace


def team(words: Sequence[str]) -> int:
    """`satchel team init|status|migrate|push|pull|rebuild|trust`."""
    parser = parser_for(
        "team", "Keep memories on your team's PostgreSQL server; choose whom to trust."
    )
    actions = parser.add_subparsers(dest="action", required=True, parser_class=Parser)
    beginning = actions.add_parser("init", help="keep this project's memories on a server")
    beginning.add_argument("url", help="postgresql://name@host/database; password in ~/.pgpass")
    beginning.option("--replica", "a replica for reading", metavar="URL")
    actions.add_parser("status", help="show the state of the server")
    actions.add_parser("migrate", help="migrate its tables to this version")
    pushing = actions.add_parser("push", help="send what may be shared and is missing there")
    pushing.flag("--everything", "every line as it is, private ones too")
    trusting = actions.add_parser("trust", help="trust the authors listed in a file")
    trusting.add_argument("file", help="e-mail addresses as commits carry them, one to a line")
    actions.add_parser("pull", help="copy what is there into this machine's ledgers")
    actions.add_parser("rebuild", help="rebuild its documents from its lines")
    for sub in actions.choices.values():
        sub.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
    options = parser.parse_args(words)
    with Workspace.open(directory_of(options)) as workspace:
        if options.action == "init":
            return _init(workspace, options)
        if options.action == "trust":
            return _trust(workspace, options)
        team = workspace.memories.stores.team
        if team is None:
            raise BadInputError(
                "This project's memories are kept in files only.",
                hint="`satchel team init postgresql://name@host/database` puts it on a server.",
            )
        return _ACTIONS[options.action](workspace, team, options)


def _init(workspace: Workspace, options: argparse.Namespace) -> int:
    for url in (options.url, options.replica):
        refuse_password(url)
    project = team_project(workspace.project.place)
    store = TeamStore(workspace.project, options.url)
    try:
        done = store.migrate()
    finally:
        store.close()
    there = [
        *workspace.project.settings.words("store.projects"),
        workspace.project.place.project_id,
    ]
    values = {"url": options.url, "projects": ",".join(dict.fromkeys(there))}
    if options.replica:
        values["replica_url"] = options.replica
    put_settings(workspace.owner().home.configuration, "store", values)
    if options.json:
        return print_json({"project": project, "migrations": done})
    print(f"{len(done)} migrations applied; this project is {project} there.")
    print("What is here already stays here until you say `satchel team push`.")
    return 0


def _trust(workspace: Workspace, options: argparse.Namespace) -> int:
    """Trust these authors; the file is read once, later additions to it are not."""
    text = read_file(options.file).decode("utf-8", "replace")
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    addresses = sorted({line if is_key(line) else line.lower() for line in lines if line})
    wrong = [one for one in addresses if not (is_key(one) or "@" in one) or len(one.split()) > 1]
    if wrong or not addresses:
        what = (
            f"{wrong[0]!r} is neither an e-mail address nor a key."
            if wrong
            else "The file lists no authors."
        )
        raise BadInputError(what, hint="One address or fingerprint to a line; # begins a comment.")
    approve_authors(workspace, addresses)
    if options.json:
        print_json({"authors": addresses})
    else:
        print(f"{len(addresses)} believed from now on: {', '.join(map(clean_line, addresses))}.")
        print("An address in a commit is what its author typed there: git does not prove it.")
    return 0


def _status(workspace: Workspace, team: TeamMemories, options: argparse.Namespace) -> int:
    status = TeamExchange(workspace, team).status()
    if options.json:
        return print_json(status._asdict())
    style = style_of(options)
    print(style.bold(clean_line(status.engine)))
    if status.replica:
        print(f"replica: {clean_line(status.replica)}")
    print(f"version {status.version} of {status.newest}; {status.size / 1e6:.1f} MB on the server")
    if status.version < status.newest:
        print("`satchel team migrate` migrates it.")
        return 0
    print(
        f"project {status.project}: {sum(status.counts.values())} live memories"
        + "".join(f"; {n} {kind}" for kind, n in status.counts.items())
    )
    for subject, count in status.published.items():
        print(f"{count} published: {subject}")
    print(f"{counted(status.waiting, 'memory', 'memories')} wait for their vectors")
    for problem in status.problems:
        print(f"PROBLEM: {clean_line(problem)}")
    return 1 if status.problems else 0


def _migrate(workspace: Workspace, team: TeamMemories, options: argparse.Namespace) -> int:
    del workspace
    done = team.store.migrate()
    if options.json:
        print_json({"migrations": done})
    else:
        print("\n".join(done) if done else "Nothing to do: the store is up to date.")
    return 0


def _push(workspace: Workspace, team: TeamMemories, options: argparse.Namespace) -> int:
    workspace.refresh()
    moved = TeamExchange(workspace, team).push(everything=options.everything)
    embed_in_background(workspace)  # whoever has the model makes the vectors
    if options.json:
        return print_json({name: one._asdict() for name, one in moved.items()})
    for name, one in moved.items():
        kept = f", {one.left} stay here" if one.left else ""
        print(f"{name}: {one.new} sent of {one.read}{kept}")
    return 0


def _pull(workspace: Workspace, team: TeamMemories, options: argparse.Namespace) -> int:
    moved = TeamExchange(workspace, team).pull()
    workspace.refresh()
    if options.json:
        return print_json({name: one._asdict() for name, one in moved.items()})
    for name, one in moved.items():
        print(f"{name}: {one.new} new of {one.read}")
    return 0


def _rebuild(workspace: Workspace, team: TeamMemories, options: argparse.Namespace) -> int:
    del workspace
    count = team.rebuild()
    return print_answer(options, {"documents": count}, f"{counted(count, 'document')} rebuilt.")


_ACTIONS = {
    "status": _status,
    "migrate": _migrate,
    "push": _push,
    "pull": _pull,
    "rebuild": _rebuild,
}
COMMANDS = {"team": team}
