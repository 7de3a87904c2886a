"""One server for REST and everything mounted next to it, behind one middleware."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import threading
from types import FrameType

from satchel.core.clock import Clock
from satchel.core.errors import BadInputError, SatchelError
from satchel.core.values import NamedTuple
from satchel.features.access.browser_sessions import LINK_SECONDS, LONGEST, BrowserSessions
from satchel.features.access.secrets import hash_of, installation_token
from satchel.features.access.users import take_over
from satchel.interfaces.http.rest.app import create_app
from satchel.interfaces.http.server.mcp_endpoint import PATH as MCP_PATH
from satchel.interfaces.http.server.mcp_endpoint import McpEndpoint
from satchel.interfaces.http.server.middleware import RequestGuard
from satchel.interfaces.http.server.project_pool import MOST_IDLE, ProjectPool
from satchel.interfaces.listening import listen_on
from satchel.project.server import ServerStore
from satchel.project.server_database import note_database
from satchel.storage.files import not_usable
from satchel.storage.paths import UserHome
from satchel.storage.settings.environment import has_desktop
from satchel.workspace import Workspace

PORT = 8377
#: Seconds for running requests to finish when a server stops.
GRACE = 10
#: glibc's number of that setting.
_ARENAS = -8
#: Seconds from the start until projects are examined as a whole.
_LOOK_AFTER = 3.0
#: Seconds between two projects whose sessions are kept, since nobody waits for it, and two rounds.
_BETWEEN_PROJECTS, _HOUR = 1.0, 3600.0
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Binding(NamedTuple):
    """Where a server listens, and how it is protected.

    `public` is the host name that clients use, behind a proxy that terminates TLS.
    """

    host: str = "127.0.0.1"
    port: int = PORT
    certificate: str = ""
    key: str = ""
    public: str = ""

    @property
    def loopback(self) -> bool:
        """Return whether only this machine can reach it."""
        return self.host in LOOPBACK


def checked(binding: Binding, *, team: bool) -> Binding:
    """Refuse to listen where others could read traffic or use a single user's token.

    Raises `BadInputError` for an address other than loopback without TLS or a proxy, or without a
    team's users.
    """
    if binding.loopback:
        return binding
    if not (binding.certificate and binding.key) and not binding.public:
        raise BadInputError(
            f"{binding.host} can be reached by others, and nothing would be encrypted.",
            hint="Give --tls-cert and --tls-key, or --behind-proxy NAME if a proxy does that.",
        )
    if not team:
        raise BadInputError(
            f"{binding.host} can be reached by others, and one token is for one person.",
            hint="Give --team, and make users: `satchel serve user add`.",
        )
    return binding


def encrypts(binding: Binding) -> None:
    """Raise if the certificate and key are unusable, before opening anything."""
    import ssl

    if not (binding.certificate or binding.key):
        return
    if not (binding.certificate and binding.key):
        raise BadInputError("TLS needs a certificate and its key.", hint="--tls-cert and --tls-key")
    for path in (binding.certificate, binding.key):
        try:
            with open(path, "rb"):
                pass
        except OSError as error:
            raise not_usable(path, error, writing=False) from None
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(
            binding.certificate, binding.key, password=_no_password
        )
    except (ssl.SSLError, ValueError) as error:
        why = getattr(error, "reason", None) or str(error)
        raise BadInputError(
            f"{binding.certificate} and {binding.key} are not a certificate and its key: {why}.",
            hint="Both as PEM; the key without a password.",
        ) from None


def _no_password() -> str:
    raise ValueError("the key has a password")


def hosts_of(binding: Binding) -> list[str]:
    """Return the allowed `Host` names; any other came from another site's page."""
    names = [binding.public] if binding.public else []
    names += [binding.host] if not binding.loopback else ["127.0.0.1", "localhost", "[::1]"]
    hosts = [f"{name}:{binding.port}" for name in names]
    return [*hosts, *([binding.public] if binding.public else [])]


def application(served: ProjectPool) -> RequestGuard:
    """Return the ASGI application."""
    from starlette.routing import Route

    from satchel.interfaces.http.console.app import OPEN_PATHS, STATIC, router
    from satchel.interfaces.http.console.pages import failed, refused
    from satchel.interfaces.http.rest.routes.reading import OPEN_PATHS as DOCUMENTATION

    app = create_app(served, failed)
    # Before the pages: what needs no token is never a page of a project that is called "static".
    app.mount("/console/static", STATIC)
    app.include_router(router)
    app.router.routes.append(Route(MCP_PATH, endpoint=McpEndpoint(served), methods=["POST"]))
    open_paths = (*OPEN_PATHS, *DOCUMENTATION)
    return RequestGuard(app, served, open_paths, sign_in="/console/login", page=refused)


def run(
    roots: list[str],
    home: str,
    binding: Binding,
    *,
    team: bool,
    quiet: bool = False,
    workers: int = 1,
    log: bool = False,
    browse: bool = False,
) -> None:
    """Serve until interrupted; running requests are answered first.

    Args:
        team: users with tokens of their own.
        quiet: say nothing about where it listens.
        workers: processes that share the socket.
        log: write a line of JSON for each request to standard error.
        browse: open the console in the user's browser, if there is a desktop.

    Raises `BadInputError` if the address is in use or not allowed.
    """
    checked(binding, team=team)
    encrypts(binding)
    listening = listen(binding)
    at = binding._replace(port=int(listening.getsockname()[1]))

    def serve(_number: int = 0) -> None:
        serve_on(listening, roots, home, at, team=team, log=log)

    try:
        link = _made_ready(roots, home, at, team=team, quiet=quiet)
        if browse and link and has_desktop():
            import webbrowser

            webbrowser.open(link)
        if workers == 1:
            serve()
        else:
            from satchel.interfaces.http.server.metrics import forget_worker
            from satchel.interfaces.http.server.workers import watch

            watch(workers, serve, ended=forget_worker)
    finally:
        listening.close()


def listen(binding: Binding) -> socket.socket:
    """Open the socket. Raises `BadInputError` if the address is in use."""
    try:
        return listen_on(binding.host, binding.port)
    except OSError as error:
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            raise BadInputError(
                f"{binding.host} is not an address of this machine.", hint="--host 127.0.0.1"
            ) from None
        raise BadInputError(
            f"{binding.host}:{binding.port}: {os.strerror(error.errno or 0)}.",
            hint="Choose another --port; 0 picks a free one.",
        ) from None


def _made_ready(
    roots: list[str], home: str, at: Binding, *, team: bool = False, quiet: bool
) -> str:
    """Open and close each project once, to report problems before serving.

    A team's store is migrated to this version, under the lock of `migrate`; one without users gets
    those of this home. Returns the one-time sign-in link; "" if others could read it.
    """
    link = ""
    names, migrated = [], False
    token = installation_token(UserHome(home).server_token)
    store = ServerStore.open(UserHome(home), Clock(), team=team)
    note_database(UserHome(home), store.database)
    brought = 0
    if store.database is not None:
        store.database.migrate()
        brought = take_over(store)
        migrated = True
    for root in roots:
        with Workspace.open(root, home=home) as workspace:
            names.append(os.path.basename(workspace.project.place.root))
            if not migrated and workspace.memories.stores.team is not None:
                workspace.memories.stores.team.store.migrate()
                migrated = True  # all projects of a server have the same one
    if not quiet:
        scheme = "https" if at.certificate else "http"
        address = f"{scheme}://{f'[{at.host}]' if ':' in at.host else at.host}:{at.port}"
        told = [f"Satchel serves {', '.join(names)} at {address}/ (API: /api/projects)"]
        told += ["The users of this home are in the database now."] * bool(brought)
        if at.loopback and not at.public:  # otherwise this goes to a log that others may read
            sessions = BrowserSessions(store.browser_sessions(LONGEST))
            link = f"{address}/console/login?once={sessions.new_link(hash_of(token))}"
            told.append(f"Sign in, once and within {LINK_SECONDS // 60} minutes: {link}")
        print("\n".join(told), flush=True)  # noqa: T201
    store.close()  # before workers are forked
    return link


def serve_on(
    listening: socket.socket,
    roots: list[str],
    home: str,
    at: Binding,
    *,
    team: bool,
    log: bool = False,
) -> None:
    """Serve on an open socket until interrupted."""
    import uvicorn

    _share_one_heap()
    from satchel.interfaces.http.server.connections import Connection

    served = ProjectPool(roots, home, team=team, hosts=hosts_of(at), log=log)
    config = uvicorn.Config(
        application(served),
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=GRACE,
        http=Connection,
        ssl_certfile=at.certificate or None,
        ssl_keyfile=at.key or None,
        h11_max_incomplete_event_size=32_768,
    )
    ended = threading.Event()
    _read_first(served)
    threading.Thread(target=_look_after, args=(served, ended), daemon=True).start()
    server = uvicorn.Server(config)
    told = server.handle_exit

    def ending(sig: int, frame: FrameType | None) -> None:
        served.stopping.set()
        told(sig, frame)

    server.handle_exit = ending  # type: ignore[method-assign]
    try:
        server.run(sockets=[listening])
    finally:
        ended.set()
        served.close()


def _share_one_heap() -> None:
    """Make threads share one heap; otherwise each keeps its largest allocation.

    glibc's `mallopt(M_ARENA_MAX, 1)`; other C libraries have no equivalent.
    """
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_ARENAS, 1)


def _read_first(served: ProjectPool) -> None:
    """Load what every page shows of the first project, so that its first page is fast."""
    from satchel.interfaces.http.console.project_reading import ProjectReading

    # The page itself will report problems.
    with contextlib.suppress(SatchelError, OSError), served.projects[0].opened() as workspace:
        first = ProjectReading(served.projects[0], workspace)
        first.sidebar_counts()
        first.facets()


def _look_after(served: ProjectPool, ended: threading.Event) -> None:
    """Compute the first projects' overviews, once the printed link had time to open.

    Then, once an hour, keep the sessions of each project.
    """
    if ended.wait(_LOOK_AFTER):
        return
    for project in served.projects[:MOST_IDLE]:
        project.look()
    while True:
        for project in served.projects:
            project.keep_sessions()
            if ended.wait(_BETWEEN_PROJECTS):
                return
        if ended.wait(_HOUR):
            return
