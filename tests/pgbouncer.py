"""A real PgBouncer before a test's PostgreSQL, in transaction mode."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

from postgresql_server import Server

_SETTINGS = """
[databases]
* = host={server} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = {mode}
default_pool_size = {most}
max_client_conn = 200
query_wait_timeout = 5
server_reset_query =
ignore_startup_parameters = extra_float_digits
"""


class Pooler:
    """A pooler in a process of its own, on a port that it keeps.

    Args:
        folder: for its settings; every user may read it.
        settings: with a place for the port.
    """

    def __init__(self, folder: str, settings: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self._path = os.path.join(folder, "pgbouncer.ini")
        with open(self._path, "w", encoding="utf-8") as file:
            file.write(settings.replace("{port}", str(self.port)))
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        program = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
        assert program, "install pgbouncer: tests/machine.sh does"
        user = 65_534 if os.geteuid() == 0 else None
        self._process = subprocess.Popen(
            [program, "-q", self._path],
            user=user,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _wait_for(self.port, self._process)

    def kill(self) -> None:
        """SIGKILL it: no client and no server is told."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(10)


@contextmanager
def a_pooler(server: Server, *, most: int = 2, mode: str = "transaction") -> Iterator[Pooler]:
    """Start a pooler with so many connections to the server.

    Nothing is reset between two clients: a session's setting would reach the next one.
    """
    with tempfile.TemporaryDirectory(prefix="satchel-pgb-") as folder:
        os.chmod(folder, 0o755)
        settings = _SETTINGS.format(server=server.folder, port="{port}", most=most, mode=mode)
        pooler = Pooler(folder, settings)
        pooler.start()
        try:
            yield pooler
        finally:
            pooler.kill()


@contextmanager
def pgbouncer(server: Server, *, most: int = 2, mode: str = "transaction") -> Iterator[int]:
    """Start a pooler as `a_pooler` does; give its port."""
    with a_pooler(server, most=most, mode=mode) as pooler:
        yield pooler.port


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 10
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            assert time.monotonic() < deadline, "PgBouncer did not start"
            assert process.poll() is None, "PgBouncer ended"
            time.sleep(0.02)
        else:
            return
