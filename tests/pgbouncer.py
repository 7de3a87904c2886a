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


@contextmanager
def pgbouncer(server: Server, *, most: int = 2, mode: str = "transaction") -> Iterator[int]:
    """Start a pooler with so many connections to the server; give its port.

    Nothing is reset between two clients: a session's setting would reach the next one.
    """
    program = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
    assert program, "install pgbouncer: tests/machine.sh does"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    with tempfile.TemporaryDirectory(prefix="satchel-pgb-") as folder:
        os.chmod(folder, 0o755)
        path = os.path.join(folder, "pgbouncer.ini")
        with open(path, "w", encoding="utf-8") as file:
            file.write(_SETTINGS.format(server=server.folder, port=port, most=most, mode=mode))
        user = 65_534 if os.geteuid() == 0 else None
        process = subprocess.Popen(
            [program, "-q", path], user=user, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            _wait_for(port, process)
            yield port
        finally:
            process.terminate()
            process.wait(10)


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
