"""A client that starts an MCP server, has it work, and then waits to be killed.

`mcp_client.py FORM COMMAND...`: prints the server's process id once it has answered. Forms: `child`;
`orphan`, whose parent is gone before it begins; `held`, whose input somebody else keeps open;
`busy`, which is in the middle of a call.
"""

import json
import os
import subprocess
import sys
import time
from typing import IO

_HELLO = {
    "protocolVersion": "2025-11-25", "capabilities": {},
    "clientInfo": {"name": "victim", "version": "0"},
}  # fmt: skip


def line(number: int, method: str, **params: object) -> bytes:
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps(message).encode() + b"\n"


def start(form: str, command: list[str]) -> tuple[int, IO[bytes], IO[bytes]]:
    """Start the server; return its id, and where it is written to and read from."""
    requests, to_server = os.pipe()
    from_server, answers = os.pipe()
    if form == "held":
        # Somebody unrelated inherits the end that is written to, and outlives this client.
        subprocess.Popen(["sleep", "15"], pass_fds=(to_server,), start_new_session=True)
    if form == "orphan":
        telling, told = os.pipe()
        if os.fork() == 0:
            process = subprocess.Popen(command, stdin=requests, stdout=answers,
                                       stderr=subprocess.DEVNULL, start_new_session=True)  # fmt: skip
            os.write(told, str(process.pid).encode())
            os._exit(0)
        os.wait()
        number = int(os.read(telling, 20))
    else:
        number = subprocess.Popen(command, stdin=requests, stdout=answers,
                                  stderr=subprocess.DEVNULL).pid  # fmt: skip
    os.close(requests)
    os.close(answers)
    return number, os.fdopen(to_server, "wb"), os.fdopen(from_server, "rb")


def main() -> None:
    form, *command = sys.argv[1:]
    number, into, out = start(form, command)
    into.write(line(1, "initialize", **_HELLO))
    into.flush()
    assert b'"id":1' in out.readline()
    if form == "busy":
        into.write(line(2, "tools/call", name="research", arguments={"question": "anything"}))
        into.flush()
    print(number, flush=True)
    time.sleep(600)


if __name__ == "__main__":
    main()
