"""Two PostgreSQL servers under Patroni with etcd, as a distribution ships them: `make torture`."""

import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from postgresql_server import binaries, own_folder

_NOBODY = 65_534
_SECONDS = 90
_NODE = """
scope: satchel
name: {name}
restapi: {{listen: '127.0.0.1:{rest}', connect_address: '127.0.0.1:{rest}'}}
etcd3: {{host: '127.0.0.1:{etcd}'}}
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 1
    retry_timeout: 3
    primary_start_timeout: 0
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters: {{max_connections: 60, shared_buffers: 32MB, wal_log_hints: 'on'}}
  initdb: [{{encoding: UTF8}}, {{auth: trust}}]
postgresql:
  listen: '127.0.0.1:{port}'
  connect_address: '127.0.0.1:{port}'
  data_dir: {folder}/{name}
  bin_dir: {programs}
  pgpass: {folder}/{name}.pgpass
  authentication:
    superuser: {{username: postgres, password: any}}
    replication: {{username: postgres, password: any}}
    rewind: {{username: postgres, password: any}}
  parameters: {{unix_socket_directories: '{folder}'}}
  pg_hba:
    - local all all trust
    - host all all 127.0.0.1/32 trust
    - host replication all 127.0.0.1/32 trust
"""


class Cluster:
    """Two servers, of which Patroni makes one the primary."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.rest, self.ports, self._etcd = _free(2), _free(2), _free(2)
        self._processes: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        """Start etcd and both, and wait until the replica follows synchronously."""
        client, peer = (f"http://127.0.0.1:{port}" for port in self._etcd)
        self._spawn(
            "etcd", "--data-dir", f"{self.folder}/etcd",
            "--listen-client-urls", client, "--advertise-client-urls", client,
            "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
            "--initial-cluster", f"default={peer}",
        )  # fmt: skip
        for number, (rest, port) in enumerate(zip(self.rest, self.ports, strict=True)):
            path = os.path.join(self.folder, f"node{number}.yaml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(
                    _NODE.format(
                        name=f"node{number}", rest=rest, etcd=self._etcd[0], port=port,
                        folder=self.folder, programs=binaries(),
                    )
                )  # fmt: skip
            self._spawn("patroni", path)
        self.settled()

    def settled(self) -> None:
        """Wait until there is a primary whose replica is synchronous."""
        deadline = time.monotonic() + _SECONDS
        while not any(
            one.get("sync_state") in ("sync", "quorum")
            for state in map(self._state, self.rest)
            for one in state.get("replication") or ()
        ):
            assert time.monotonic() < deadline, "Patroni made no synchronous replica"
            time.sleep(0.2)

    def primary(self) -> int:
        """Return the number of the primary."""
        roles = [self._state(port).get("role") for port in self.rest]
        return next(n for n, role in enumerate(roles) if role in ("master", "primary"))

    def kill_primary(self) -> None:
        """SIGKILL every process of the primary's server; Patroni finds out by itself."""
        number = self.primary()
        with open(os.path.join(self.folder, f"node{number}", "postmaster.pid")) as file:
            postmaster = int(file.readline())
        with open(f"/proc/{postmaster}/task/{postmaster}/children") as file:
            children = file.read().split()
        for pid in (postmaster, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def url(self, database: str) -> str:
        """Return the address that names both servers."""
        hosts = ",".join(f"127.0.0.1:{port}" for port in self.ports)
        return f"postgresql://postgres@{hosts}/{database}?target_session_attrs=read-write"

    def close(self) -> None:
        """Stop everything."""
        for process in self._processes[1:]:
            process.send_signal(signal.SIGTERM)  # Patroni stops its server
        for process in self._processes[1:]:
            with suppress(subprocess.TimeoutExpired):
                process.wait(20)
        for process in self._processes:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    @staticmethod
    def _state(port: int) -> dict[str, Any]:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/patroni", timeout=2) as answer:
                return dict(json.load(answer))
        except OSError:
            return {}

    def _spawn(self, *words: str) -> None:
        user = _NOBODY if os.geteuid() == 0 else None
        with open(os.path.join(self.folder, f"log{len(self._processes)}"), "wb") as log:
            self._processes.append(
                subprocess.Popen(
                    words, cwd=self.folder, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                    env={"PATH": f"{binaries()}:{os.defpath}", "LC_ALL": "C.UTF-8",
                         "HOME": self.folder},
                    user=user, group=user, extra_groups=None if user is None else [],
                    start_new_session=True,
                )
            )  # fmt: skip


@contextmanager
def a_cluster() -> Iterator[Cluster]:
    """Make a cluster of one's own."""
    folder = own_folder()
    if os.geteuid() == 0:
        os.chown(folder, _NOBODY, _NOBODY)
    cluster = Cluster(folder)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.close()
        shutil.rmtree(folder, ignore_errors=True)


def _free(count: int) -> Sequence[int]:
    """Return free ports."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [int(one.getsockname()[1]) for one in sockets]
    for one in sockets:
        one.close()
    return ports
