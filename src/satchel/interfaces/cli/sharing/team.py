"""`team`: memories on a PostgreSQL server shared by a team."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.application.approval import approve_authors, refuse_agent
from satchel.application.exchange.team import TeamExchange
from satchel.core.errors import BadInputError
from satchel.core.plurals import counted
from satchel.core.trust import clean_line
from satchel.features.memories.embedding import embed_in_background
from satchel.features.memories.team import TeamMemories
from satchel.interfaces.cli.arguments import Options, parser_for, print_json
from satchel.project.approvals.rules import is_key
from satchel.project.team_store import TeamStore, refuse_password, team_project
from satchel.storage.files import read_file
from satchel.storage.settings.person_file import put_settings
from satchel.workspace import Workspace


def team(words: Sequence[str]) -> int:
    """`satchel team init|status|migrate|push|pull|rebuild|trust`."""
    parser = parser_for(
        "team", "Keep memories on your team's PostgreSQL server; choose whom to trust."
    )
    action = parser.actions(metavar=None)
    beginning = action("init", "keep this project's memories on a server", _init)
    beginning.add_argument("url", help="postgresql://name@host/database; password in ~/.pgpass")
    beginning.option("--replica", "a replica for reading", metavar="URL")
    action("status", "show the state of the server", _status)
    action("migrate", "migrate its tables to this version", _migrate)
    pushing = action("push", "send what may be shared and is missing there", _push)
    pushing.flag("--everything", "every line as it is, private ones too")
    trusting = action("trust", "trust the authors listed in a file", _trust)
    trusting.add_argument("file", help="e-mail addresses as commits carry them, one to a line")
    action("pull", "copy what is there into this machine's ledgers", _pull)
    action("rebuild", "rebuild its documents from its lines", _rebuild)
    options = parser.parse_args(words)
    with options.opened() as workspace:
        return options.act(workspace)


def _team(workspace: Workspace) -> TeamMemories:
    """Return the project's memories on a server; raise if it keeps them in files only."""
    team = workspace.memories.stores.team
    if team is None:
        raise BadInputError(
            "This project's memories are kept in files only.",
            hint="`satchel team init postgresql://name@host/database` puts it on a server.",
        )
    return team


def _init(workspace: Workspace, options: Options) -> int:
    refuse_agent(workspace)
    for url in (options.url, options.replica):
        refuse_password(url)
    settings, place = workspace.project.settings, workspace.project.place
    project = team_project(place)
    store = TeamStore(settings, place, options.url)
    try:
        done = store.migrate()
    finally:
        store.close()
    there = [*settings.words("store.projects"), place.project_id]
    values = {"url": options.url, "projects": ",".join(dict.fromkeys(there))}
    if options.replica:
        values["replica_url"] = options.replica
    put_settings(workspace.owner().home.configuration, "store", values)
    options.say(f"{len(done)} migrations applied; this project is {project} there.")
    options.say("What is here already stays here until you say `satchel team push`.")
    return options.done({"project": project, "migrations": done})


def _trust(workspace: Workspace, options: Options) -> int:
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
    return options.reply(
        {"authors": addresses},
        f"{len(addresses)} trusted from now on: {', '.join(map(clean_line, addresses))}.",
        "An address in a commit is what its author typed there: git does not prove it.",
    )


def _status(workspace: Workspace, options: Options) -> int:
    status = TeamExchange(workspace, _team(workspace)).status()
    if options.json:
        return print_json(status)
    print(options.style.bold(clean_line(status.engine)))
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


def _migrate(workspace: Workspace, options: Options) -> int:
    done = _team(workspace).store.migrate()
    return options.reply(
        {"migrations": done}, "\n".join(done) if done else "Nothing to do: the store is up to date."
    )


def _push(workspace: Workspace, options: Options) -> int:
    workspace.refresh()
    moved = TeamExchange(workspace, _team(workspace)).push(everything=options.everything)
    embed_in_background(workspace)  # any machine with the model makes the vectors
    for name, one in moved.items():
        kept = f", {one.left} stay here" if one.left else ""
        options.say(f"{name}: {one.new} sent of {one.read}{kept}")
    return options.done({name: one._asdict() for name, one in moved.items()})


def _pull(workspace: Workspace, options: Options) -> int:
    moved = TeamExchange(workspace, _team(workspace)).pull()
    workspace.refresh()
    return options.reply(
        {name: one._asdict() for name, one in moved.items()},
        *(f"{name}: {one.new} new of {one.read}" for name, one in moved.items()),
    )


def _rebuild(workspace: Workspace, options: Options) -> int:
    count = _team(workspace).rebuild()
    return options.reply({"documents": count}, f"{counted(count, 'document')} rebuilt.")
