"""`satchel mcp serve --http`: the official client over streamable HTTP, and whom it refuses."""

import asyncio
import http.client
import json
import os
import socket
import stat
from pathlib import Path

import anyio
import httpx2
import pytest

from integration.installed import Machine
from integration.mcp_machine import ERAS, HttpServer, over_http
from satchel.interfaces.mcp.http import bound_socket

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'


@pytest.fixture
def project(machine: Machine) -> Path:
    path = machine.repository()
    machine.ok("learn", "Use pnpm, not npm", at=path)
    return path


def status_of(server: HttpServer, method: str = "POST", **headers: str) -> int:
    """The status of one request with exactly these headers."""
    given = {"Host": f"127.0.0.1:{server.port}", "Content-Type": "application/json",
             "Accept": "application/json, text/event-stream",
             "Authorization": f"Bearer {server.token}"}  # fmt: skip
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.putrequest(method, "/mcp", skip_host=True)
    for name, value in given.items():
        if value:
            connection.putheader(name, value)
    connection.putheader("Content-Length", str(len(PING)))
    connection.endheaders(PING)
    status = connection.getresponse().status
    connection.close()
    return status


@pytest.mark.parametrize("mode", ERAS)
def test_a_session_in_either_era(machine: Machine, project: Path, mode: str) -> None:
    async def session(server: HttpServer) -> None:
        async with over_http(server.url, server.token, mode=mode) as client:
            assert len((await client.list_tools()).tools) == 8
            found = await client.call_tool("recall", {"question": "pnpm"})
            assert "Use pnpm, not npm" in found.content[0].text  # type: ignore[union-attr]
            await client.call_tool("remember", {"content": f"Said over HTTP, {mode}"})
            told = await client.read_resource("memory://preferences")
            assert json.loads(told.contents[0].text) == []  # type: ignore[union-attr]

    with HttpServer(machine, project) as server:
        anyio.run(session, server)
    assert f"Said over HTTP, {mode}" in machine.contents(project)


def test_clients_side_by_side_lose_nothing(machine: Machine, project: Path) -> None:
    async def client(server: HttpServer, name: int) -> None:
        async with over_http(server.url, server.token) as one:
            for number in range(5):
                done = await one.call_tool("remember", {"content": f"Client {name} says {number}"})
                assert not done.is_error, done

    async def clients(server: HttpServer) -> None:
        async with anyio.create_task_group() as group:
            for name in range(6):
                group.start_soon(client, server, name)

    with HttpServer(machine, project) as server:
        anyio.run(clients, server)
    said = [one for one in machine.contents(project) if one.startswith("Client ")]
    assert len(said) == len(set(said)) == 30


def test_every_request_shows_host_origin_and_token(machine: Machine, project: Path) -> None:
    with HttpServer(machine, project) as server:
        port = server.port
        assert status_of(server) not in (401, 403, 421)
        for host in ("evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}",
                     "127.0.0.1", f"127.0.0.1:{port + 1}", ""):  # fmt: skip
            assert status_of(server, Host=host) in (400, 421), host
        for origin in ("http://evil.example", "null", f"http://127.0.0.1.evil.example:{port}",
                       f"http://evil.example:{port}", "file://127.0.0.1", "http://"):  # fmt: skip
            assert status_of(server, Origin=origin) == 403, origin
        for local in (f"http://127.0.0.1:{port}", "http://localhost:5173", "http://[::1]:80"):
            assert status_of(server, Origin=local) not in (401, 403, 421), local
        for shown in ("", "Bearer", "Bearer x", f"Basic {server.token}", f"Bearer {server.token}x",
                      f"Bearer {server.token[:-1]}", server.token, "Bearer \xe9"):  # fmt: skip
            assert status_of(server, Authorization=shown) == 401, shown
        for method in ("GET", "DELETE", "PUT", "OPTIONS"):
            assert status_of(server, method, Authorization="") == 401, method


def test_the_token_is_for_its_owners_eyes(machine: Machine, project: Path) -> None:
    with HttpServer(machine, project) as server:
        status = os.stat(server.token_file)
        assert stat.S_IMODE(status.st_mode) == 0o600
        first = server.token
    with HttpServer(machine, project) as server:
        assert server.token == first
        assert len(first) >= 43
    os.chmod(server.token_file, 0o644)
    told = machine.fails(5, "mcp", "serve", "--http", "--port", "0", at=project)
    assert "can be read by other users" in told
    os.unlink(server.token_file)
    os.mkfifo(server.token_file, 0o600)
    assert "not an ordinary file" in machine.fails(
        5, "mcp", "serve", "--http", "--port", "0", at=project
    )


def test_a_token_that_was_rotated_is_worth_nothing_at_once(machine: Machine, project: Path) -> None:
    with HttpServer(machine, project) as server:
        assert status_of(server) != 401
        new = machine.ok("serve", "token", "--rotate", at=project).strip()
        assert status_of(server) == 401
        assert status_of(server, Authorization=f"Bearer {new}") != 401
        # Who can read it now has been shown nothing new: the last good one stays.
        os.chmod(server.token_file, 0o644)
        os.utime(server.token_file)
        assert status_of(server, Authorization=f"Bearer {new}") != 401


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org", ""])  # noqa: S104
def test_it_binds_nothing_but_loopback(machine: Machine, project: Path, host: str) -> None:
    told = machine.fails(2, "mcp", "serve", "--http", "--host", host, "--port", "0", at=project)
    assert "loopback" in told


def test_a_port_in_use_is_told(machine: Machine, project: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = str(held.getsockname()[1])
        told = machine.fails(7, "mcp", "serve", "--http", "--port", port, at=project)
    assert "--port" in told


def test_no_answer_waits_for_the_acknowledgement_of_its_head() -> None:
    """A head and a body are two writes: the second must not be held back until the first arrived."""

    async def delays() -> int:
        ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            here = writer.get_extra_info("socket")
            ended.set_result(here.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        with bound_socket("127.0.0.1", 0) as listening:
            server = await asyncio.start_server(answer, sock=listening)
            async with server:
                _, writer = await asyncio.open_connection(*listening.getsockname())
                writer.close()
                return await ended

    assert asyncio.run(delays())


def test_a_body_that_is_too_large_or_broken_is_refused(machine: Machine, project: Path) -> None:
    with HttpServer(machine, project) as server:
        headers = {"Authorization": f"Bearer {server.token}",
                   "Accept": "application/json, text/event-stream",
                   "Content-Type": "application/json"}  # fmt: skip
        with httpx2.Client(headers=headers, timeout=30) as client:
            assert client.post(server.url, content=b"x" * 5_000_000).status_code == 413
            assert client.post(server.url, content=b"{broken").status_code == 400
            assert client.post(server.url, content=b"[]").status_code == 400
