"""The installed command on a terminal, as a person sees it."""

import os
import pty
import struct
import subprocess
from fcntl import ioctl
from pathlib import Path
from termios import TIOCSWINSZ

from integration.installed import COMMAND, Machine


def on_a_terminal(
    machine: Machine,
    app: Path,
    columns: int,
    *words: str,
    colours: bool = False,
    typed: str = "",
) -> list[str]:
    """Run a command on a terminal of so many columns, with what is typed; return its lines."""
    reader, terminal = pty.openpty()
    ioctl(terminal, TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {**machine.environment, "NO_COLOR": "" if colours else "1", "TERM": "xterm"}
    os.write(reader, typed.encode())
    stderr = terminal if typed else None
    done = subprocess.Popen(
        (COMMAND, *words), cwd=app, env=environment, stdin=terminal, stdout=terminal, stderr=stderr
    )
    os.close(terminal)
    said = b""
    while True:
        try:
            part = os.read(reader, 65_536)
        except OSError:
            break
        if not part:
            break
        said += part
    os.close(reader)
    assert done.wait() == 0
    return said.decode().replace("\r\n", "\n").splitlines()
