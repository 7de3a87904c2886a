"""`serve`: run the server, for one machine or a team; manage users, tokens and the audit log."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec

from satchel.core.clock import Clock
from satchel.core.errors import BadInputError
from satchel.core.plurals import counted
from satchel.core.trust import clean_line
from satchel.features.access.audit import AuditLog
from satchel.features.access.secrets import installation_token, rotate_installation_token
from satchel.features.access.users import ANY, ROLES, Identity, UserStore, take_over
from satchel.features.sessions.serialization import iso
from satchel.interfaces.cli.arguments import Options, Parser, parser_for
from satchel.project.place import find_place, known_key
from satchel.project.registry import places_of
from satchel.project.server import ServerStore
from satchel.storage.paths import UserHome
from satchel.storage.platforms import refuse_workers
from satchel.storage.settings.environment import gather_metrics_in, home_path, override

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.interfaces.http.main import Binding

_MOST_WORKERS = 64
_NEEDED = ("fastapi", "uvicorn", "pydantic", "starlette", "jinja2", "python_multipart")


def serve(words: Sequence[str]) -> int:
    """`satchel serve`."""
    options = _parser().parse_args(words)
    home = UserHome(home_path())
    action, rest = (options.action or ["run"])[0], (options.action or ["run"])[1:]
    if action == "run" and not rest:
        _check_extras(options)
    if options.database:
        _choose(options.database)
    if action == "token":
        return _token(home, options)
    if action == "user":
        return _user(home, rest, options)
    if action == "audit":
        return _audit(home, options)
    if action != "run" or rest:
        raise BadInputError(
            f"There is no action {' '.join(options.action)!r}.",
            hint="token, user add|list|token|rotate|revoke NAME, audit; or nothing, to serve.",
        )
    return _run(options)


def _parser() -> Parser:
    parser = parser_for("serve", "Serve HTTP on this machine, or to a team.")
    parser.words("action", "token, user, audit; nothing serves", metavar="ACTION")
    parser.option("--host", "address to listen on (127.0.0.1)", default="127.0.0.1")
    port = "port to listen on (8377); 0 takes a free one"
    parser.option("--port", port, type=int, default=8377, metavar="N")
    parser.options("--project", "a project to serve; may be repeated (this one)", metavar="DIR")
    parser.flag("--team", "let users sign in with their own tokens")
    parser.option("--tls-cert", "TLS certificate, needed on other addresses", metavar="FILE")
    parser.option("--tls-key", "its key", metavar="FILE")
    parser.option("--behind-proxy", "host name that a proxy serves over TLS", metavar="NAME")
    database = "PostgreSQL server for shared memories and the server's users (setting store.url)"
    parser.option("--database", database, metavar="URL")
    parser.option("--workers", "number of worker processes (1)", type=int, default=1, metavar="N")
    parser.flag("--open", "open the console in a browser, as `satchel console`")
    parser.flag("--log", "a line of JSON for each request, to standard error")
    parser.flag("--check", "say what is wrong with all this, and do not serve")
    parser.flag("--rotate", "with `token`: create a new one")
    parser.option("--role", "of `user add` (reader)", default="reader", choices=ROLES)
    project = "of `user add` and `remove`: id or name of the project (all)"
    parser.option("--in", project, dest="project_id", metavar="PROJECT")
    return parser


def _run(options: Options) -> int:
    if not 1 <= options.workers <= _MOST_WORKERS:
        raise BadInputError(
            f"{options.workers} workers are not possible.", hint=f"Choose 1 to {_MOST_WORKERS}."
        )
    with contextlib.ExitStack() as held:
        if options.workers > 1:
            refuse_workers()
            # Before the metrics library is imported, since it only checks once.
            from satchel.interfaces.http.server.workers import metrics_place

            gather_metrics_in(held.enter_context(metrics_place()))
        return _serve(options)


def _check_extras(options: Options) -> None:
    """Name all missing packages at once, before a missing driver raises its own error.

    Nothing is imported: the metrics library chooses its directory at import.
    """
    missing = next((name for name in _NEEDED if find_spec(name) is None), "")
    if missing:
        extras = "server,postgresql" if options.database else "server"
        raise BadInputError(
            f"The server needs `{missing}`, which is not installed.",
            hint=f"pip install 'satchel[{extras}]'",
        )


def _serve(options: Options) -> int:
    from satchel.interfaces.http.main import Binding, run

    if not 0 <= options.port < 65_536:  # noqa: PLR2004
        raise BadInputError(f"{options.port} is not a port.", hint="Choose one from 1024 to 65535.")
    roots = [os.path.abspath(root) for root in options.project or [options.base()]]
    binding = Binding(
        options.host, options.port, options.tls_cert, options.tls_key, options.behind_proxy
    )
    if options.check:
        return _check(roots, binding, options)
    how = {"team": options.team, "workers": options.workers, "log": options.log}
    run(roots, home_path(), binding, browse=options.open, **how)
    return 0


def _check(roots: list[str], binding: Binding, options: Options) -> int:
    """Report problems before anything is served; exit code 7 if it would not work."""
    from satchel.interfaces.cli.health.doctor import print_findings
    from satchel.interfaces.http.deployment import deployment_findings

    found = deployment_findings(
        roots, home_path(), binding, team=options.team, workers=options.workers
    )
    print_findings(found, options, f"{counted(len(roots), 'project')} to serve")
    wrong = any(one.severity == "error" for one in found)
    return options.done({"findings": found}, 7 if wrong else 0)


def _choose(url: str) -> None:
    """Keep every project's memories, and the server's own state, in a database."""
    from satchel.project.team_store import EVERY, refuse_password

    if not url.startswith(("postgresql://", "postgres://")):
        raise BadInputError(
            "--database is not an address of a PostgreSQL server.",
            hint="--database postgresql://satchel@db.example.org/memory",
        )
    refuse_password(url)
    override("store.url", url)
    override("store.projects", EVERY)


def _token(home: UserHome, options: Options) -> int:
    make = rotate_installation_token if options.rotate else installation_token
    token = make(home.server_token)
    return options.reply({"token": token}, token)


@contextlib.contextmanager
def _state(home: UserHome) -> Iterator[ServerStore]:
    """Open the state of a team's servers: in the database, if there is one, else in this home."""
    store = ServerStore.of_team(home, Clock())
    try:
        if store.database is not None:
            store.database.prepare()
            take_over(store)
        yield store
    finally:
        store.close()


def _user(home: UserHome, rest: Sequence[str], options: Options) -> int:
    with _state(home) as store:
        return _of_users(UserStore(store.ledger("access")), home, rest, options)


def _of_users(book: UserStore, home: UserHome, rest: Sequence[str], options: Options) -> int:
    action, name = (*rest, "", "")[:2]
    if action == "list":
        return _list(book, options)
    if action not in ("add", "remove", "token", "rotate", "revoke") or not name:
        raise BadInputError(
            "Which user?", hint="`satchel serve user add NAME --role writer --in PROJECT`"
        )
    told: dict[str, object] = {"user": name}
    if action == "add":
        project = options.project_id or ANY
        book.add(name, options.role, project)
        told |= {"role": options.role, "project": project}
        text = f"{clean_line(name)} is {options.role} of {clean_line(project)}."
        told["known"] = _known(home, project)
    elif action == "remove":
        left, live = book.remove(name, options.project_id)
        told |= {"roles": dict(left.roles), "live_tokens": live}
        text = _removed(left, live, options.project_id)
    elif action == "revoke":
        told["token"] = book.revoke(name).mark
        text = "Revoked."
    else:
        token = book.issue(name) if action == "token" else book.rotate(name)
        told["token"] = token
        text = f"{token}\nIt is shown this once; only its hash is kept."
    return options.reply(told, text)


def _removed(left: Identity, live: int, project: str) -> str:
    name = clean_line(left.user)
    if not project:
        return f"{name} no longer has a role or a token."
    lines = [f"{name} has no role of {clean_line(project)} any more."]
    lines += [f"Left: {role} of {clean_line(one)}" for one, role in left.roles]
    if live:
        tokens = counted(live, "token")
        lines.append(f"Left: {tokens}; `satchel serve user remove {name}` takes all away.")
    return "\n".join(lines)


def _known(home: UserHome, given: str) -> bool:
    """Return whether a project has this id or name; warn if none does, as it may come later."""
    if given == ANY:
        return True
    names: set[str] = set()
    for root in places_of(home):
        place = find_place(root)
        if place is not None:
            key = known_key(home.registry, place)
            if given in (place.project_id, key, os.path.basename(place.root)):
                return True
            names.add(os.path.basename(place.root))
    some = ", ".join(clean_line(name) for name in sorted(names)[:8]) or "none"
    print(
        f"No project that was opened here has the id or name {clean_line(given)[:60]!r} (known: "
        f"{some}). The role counts as soon as one of that name is served.",
        file=sys.stderr,
    )
    return False


def _list(book: UserStore, options: Options) -> int:
    users, tokens = book.users(), book.tokens()
    for name, one in users.items():
        roles = ", ".join(f"{role} of {project}" for project, role in one.roles) or "no role"
        options.say(f"{clean_line(name)}: {clean_line(roles)}")
        for token in tokens:
            if token.user == name:
                state = "revoked" if token.revoked else f"since {iso(token.created)[:10]}"
                options.say(f"  token {token.mark}  {state}")
    if not users:
        options.say("No users: `satchel serve user add NAME --role writer`.")
    told = {name: dict(one.roles) for name, one in users.items()}
    return options.done({"users": told, "tokens": tokens})


def _audit(home: UserHome, options: Options) -> int:
    with _state(home) as store:
        log = AuditLog(store.ledger("audit"))
        entries, broken = log.entries(), log.broken()
    for at, asked in entries:
        who, path = clean_line(asked.user) or "nobody", clean_line(asked.path)
        options.say(f"{iso(at)}  {asked.status}  {who:<12} {asked.method:<6} {path}")
    if not entries:
        options.say("Nothing was changed over HTTP, and no request was refused.")
    if broken:
        options.say(f"Entries that were altered, or that follow a missing one: {broken[:20]}")
    told = [{"at": iso(at), **asked._asdict()} for at, asked in entries]
    return options.done({"entries": told, "broken": broken}, 1 if broken else 0)
