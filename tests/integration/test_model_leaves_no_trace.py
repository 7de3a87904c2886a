"""The built-in model works from what is installed, and neither asks nor tells anybody anything."""

import os
import subprocess
import sys
from pathlib import Path

from satchel.engine.inference.built_in import open_built_in

CODE = """
import socket, sys
def refuse(*_, **__):
    raise AssertionError("the network was asked")
socket.socket.connect = socket.socket.connect_ex = refuse
socket.getaddrinfo = socket.create_connection = refuse
from satchel.engine.inference.built_in import open_built_in
embedder = open_built_in(threads=1)
print(embedder.embed(["why did we drop redis"]).shape)
"""


def test_the_model_is_installed_for_the_tests() -> None:
    assert open_built_in() is not None


LEAVES_SOMETHING = (
    CODE
    + """
import os
os.makedirs(os.path.expanduser("~/.cache/runtime"))
"""
)
ASKS_SOMEBODY = (
    CODE
    + """
socket.create_connection(("127.0.0.1", 9))
"""
)


def run_at_home(code: str, home: Path) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """Run code with a home of its own: what it printed, and every path it left there."""
    environment = {k: v for k, v in os.environ.items() if k != "ORT_DISABLE_TELEMETRY"}
    environment |= {"HOME": str(home), "XDG_CACHE_HOME": str(home / ".cache")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    return done, sorted(str(path) for path in home.rglob("*"))


def test_it_asks_no_network_and_writes_nothing_at_home(tmp_path: Path) -> None:
    done, left = run_at_home(CODE, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "(1, 384)"
    assert done.stderr == ""
    assert left == []


def test_the_check_above_can_fail(tmp_path: Path) -> None:
    """What the runtime does without its switch depends on the machine; these two do not."""
    assert run_at_home(LEAVES_SOMETHING, tmp_path)[1]
    done, _ = run_at_home(ASKS_SOMEBODY, tmp_path)
    assert "the network was asked" in done.stderr
