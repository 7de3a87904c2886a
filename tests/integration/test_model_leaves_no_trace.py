"""The built-in model works from what is installed, and neither asks nor tells anybody anything."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from satchel.inference.built_in import open_built_in

CODE = """
import socket, sys
def refuse(*_, **__):
    raise AssertionError("the network was asked")
socket.socket.connect = socket.socket.connect_ex = refuse
socket.getaddrinfo = socket.create_connection = refuse
from satchel.inference.built_in import open_built_in
embedder = open_built_in(threads=1)
print(embedder.embed(["why did we drop redis"]).shape)
"""


def test_the_model_is_installed_for_the_tests() -> None:
    assert open_built_in() is not None


def test_it_asks_no_network_and_writes_nothing_at_home(tmp_path: Path) -> None:
    environment = {k: v for k, v in os.environ.items() if k != "ORT_DISABLE_TELEMETRY"}
    environment |= {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / ".cache")}
    done = subprocess.run(
        [sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "(1, 384)"
    assert done.stderr == ""
    assert sorted(str(path) for path in tmp_path.rglob("*")) == []


def test_the_runtime_would_leave_something_if_it_were_let(tmp_path: Path) -> None:
    """The check above can fail: without the switch, its maker's directory appears."""
    environment = {k: v for k, v in os.environ.items() if k != "ORT_DISABLE_TELEMETRY"}
    environment |= {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / ".cache")}
    # Without a network, so that even this test leaves nothing elsewhere.
    alone = ["unshare", "--map-root-user", "--net", sys.executable, "-c", "import onnxruntime"]
    done = subprocess.run(alone, env=environment, capture_output=True, text=True, check=False)
    if "unshare" in done.stderr:
        pytest.skip(f"no namespace without a network here: {done.stderr.strip()}")
    assert list(tmp_path.rglob("*"))
