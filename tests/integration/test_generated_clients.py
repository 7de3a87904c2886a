"""Typed clients that generators make of the OpenAPI document, used against a running server."""

import json
import os
import re
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from integration.installed import COMMAND, Machine
from integration.mcp_machine import NODE_PROGRAM

_NODE = Path(__file__).parents[1] / "node"
_TOOLS = _NODE / "node_modules"
#: What somebody writes with the generated Python client.
_PYTHON = """
import json
import sys

from satchel_api import AuthenticatedClient
from satchel_api.api.memory import create_memory, edit_memory, get_memory, list_memories
from satchel_api.models import Memory, MemoryBody, MemoryChange, Problem, WrittenMemory

client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2])


def remember(kind: str, content: str) -> WrittenMemory:
    made = create_memory.sync("current", client=client, body=MemoryBody(kind, content))
    assert isinstance(made, WrittenMemory), made
    return made


def change(content: str) -> Memory | Problem | None:
    body = MemoryChange(content)
    return edit_memory.sync("current", lesson.id, client=client, body=body, if_match=tag)


first = remember("fact", "python | deployed on | CPython 3.11")
second = remember("fact", "python | deployed on | CPython 3.14")
replaced: list[str] = [one.content for one in second.replaced]
lesson = remember("learned", "python runs on CPython")
read = get_memory.sync_detailed("current", lesson.id, client=client)
tag = read.headers["etag"]
changed, late = change("python runs on PyPy"), change("python runs on Jython")
assert isinstance(changed, Memory), changed
assert isinstance(late, Problem), late
wrong = create_memory.sync("current", client=client, body=MemoryBody("nonsense", "x", tags=[""]))
assert isinstance(wrong, Problem)
pages: list[str] = []
cursor = ""
while True:
    page = list_memories.sync("current", client=client, limit=1, cursor=cursor)
    assert page is not None and not isinstance(page, Problem)
    pages += [one.content for one in page.memories]
    cursor = page.next_cursor
    if not cursor:
        break
print(json.dumps({
    "first": first.id,
    "replaced": replaced,
    "changed": changed.content,
    "late": late.status,
    "wrong": sorted(str(one.pointer) for one in wrong.errors or []),
    "listed": sorted(pages),
}))
"""


class Server(NamedTuple):
    """A server that runs, and what generators make of what it says of itself."""

    url: str
    token: str
    document: Path
    folder: Path


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    machine = Machine(tmp_path_factory.mktemp("clients"))
    repo = machine.repository()
    token = machine.ok("serve", "token", at=repo).strip()
    process = subprocess.Popen(
        [COMMAND, "serve", "--port", "0"], cwd=repo, env=machine.environment, stdout=subprocess.PIPE
    )  # fmt: skip
    try:
        assert process.stdout
        found = re.search(rb"http://[\d.:]+", process.stdout.readline())
        assert found
        url = found[0].decode()
        document = machine.directory / "api.json"
        with urllib.request.urlopen(f"{url}/api/openapi.json", timeout=20) as answer:  # noqa: S310 -- loopback
            document.write_bytes(answer.read())
        yield Server(url, token, document, machine.directory)
    finally:
        process.terminate()
        process.communicate(timeout=20)


def run(*words: str | Path, at: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    path = f"{os.path.dirname(COMMAND)}:{NODE_PROGRAM.parent}:/usr/bin:/bin"
    return subprocess.run(
        [str(word) for word in words], cwd=at, capture_output=True, text=True, timeout=120,
        env={"PATH": path, "HOME": str(at), "LANG": "C.UTF-8", **environment},
    )  # fmt: skip


def succeeded(*words: str | Path, at: Path) -> str:
    done = run(*words, at=at)
    assert done.returncode == 0, (done.stdout[-3000:], done.stderr[-3000:])
    return done.stdout


# ---- Python -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def python(server: Server) -> Path:
    """A folder with the generated package and a program that uses it."""
    folder = server.folder / "python"
    folder.mkdir()
    generator = os.path.join(os.path.dirname(COMMAND), "openapi-python-client")
    succeeded(generator, "generate", "--path", server.document, "--output-path",
              folder / "satchel_api", "--meta", "none", "--fail-on-warning", at=folder)  # fmt: skip
    (folder / "use.py").write_text(_PYTHON)
    return folder


def test_a_python_client_is_generated_checked_and_used(server: Server, python: Path) -> None:
    succeeded(
        sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "use.py", at=python
    )
    seen = json.loads(succeeded(sys.executable, "use.py", server.url, server.token, at=python))
    assert seen["replaced"] == ["python | deployed on | CPython 3.11"]
    assert (seen["changed"], seen["late"]) == ("python runs on PyPy", 412)
    assert seen["wrong"] == ["#/kind", "#/tags/0"]
    assert "python runs on PyPy" in seen["listed"]


def test_an_answer_that_is_not_as_described_fails_in_the_client(python: Path) -> None:
    """A seeded bug: a server whose memories have no `content`."""

    class Lying(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = b'{"id": "m", "projectId": "p", "kind": "fact", "replaced": []}'
            self.send_response(201)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None: ...

    lying = HTTPServer(("127.0.0.1", 0), Lying)
    threading.Thread(target=lying.handle_request, daemon=True).start()
    url = f"http://127.0.0.1:{lying.server_port}"
    done = run(sys.executable, "use.py", url, "token", at=python)
    lying.server_close()
    assert done.returncode == 1
    assert "KeyError: 'content'" in done.stderr


# ---- TypeScript ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def typescript(server: Server) -> Path:
    """A folder with the generated types and a program that uses them, checked by nobody yet."""
    folder = server.folder / "typescript"
    folder.mkdir()
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "node_modules").symlink_to(_TOOLS)
    (folder / "rest_client.ts").write_text((_NODE / "rest_client.ts").read_text())
    (folder / "globals.d.ts").write_text("declare const process: { argv: string[] };\n")
    generator = _TOOLS / "openapi-typescript" / "bin" / "cli.js"
    succeeded(NODE_PROGRAM, generator, server.document, "-o", "satchel.d.ts", at=folder)
    return folder


def type_check(folder: Path) -> subprocess.CompletedProcess[str]:
    options = {"noEmit": True, "strict": True, "skipLibCheck": True, "target": "es2023",
               "lib": ["es2023", "dom", "dom.iterable"], "module": "nodenext", "types": []}  # fmt: skip
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": options}))
    return run(NODE_PROGRAM, _TOOLS / "typescript" / "bin" / "tsc", "--project", ".", at=folder)


def test_a_typescript_client_is_generated_checked_and_used(
    server: Server, typescript: Path
) -> None:
    checked = type_check(typescript)
    assert checked.returncode == 0, checked.stdout
    out = succeeded(NODE_PROGRAM, "rest_client.ts", server.url, server.token, at=typescript)
    seen = json.loads(out)
    assert seen["replaced"] == ["typescript | deployed on | Node 20"]
    assert (seen["changed"], seen["late"]) == ("typescript runs on Node 24", 412)
    assert seen["wrong"] == ["#/kind", "#/tags/0"]
    assert "typescript runs on Node 24" in seen["listed"]


def test_an_api_that_is_described_otherwise_fails_the_type_check(typescript: Path) -> None:
    """A seeded bug: a field that clients read is gone from the description."""
    types = typescript / "satchel.d.ts"
    whole = types.read_text()
    assert whole.count("replaced: components") == 2
    types.write_text(whole.replace("replaced: components", "instead: components"))
    told = type_check(typescript).stdout
    types.write_text(whole)
    assert "Property 'replaced' does not exist" in told
