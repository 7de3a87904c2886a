"""`serve`: what is told before it serves, and what a killed one left."""

import os
import signal
import tempfile
from pathlib import Path

import pytest

from integration.installed import Machine
from satchel.interfaces.http.server.workers import metrics_place


def test_a_role_in_a_project_that_is_not_there_is_given_and_said(machine: Machine) -> None:
    app = machine.repository("shop")
    machine.ok("learn", "The tunnel is on 5433", at=app)
    words = ("serve", "user", "add", "ann", "--role", "writer", "--in")
    good = machine.run(*words, "shop", at=app)
    assert (good.code, good.err) == (0, "")
    odd = machine.run(*words, "nope", at=app)
    assert odd.code == 0
    assert odd.out == "ann is writer of nope.\n"
    assert "'nope' (known: shop)" in odd.err
    for name, known in (("shop", True), ("nope", False)):
        assert machine.json(*words, name, at=app)["known"] is known
    assert machine.run("serve", "user", "add", "ann", at=app).err == "", "of every project"


def test_a_wrong_option_below_serve_names_the_command(machine: Machine) -> None:
    told = machine.fails(2, "serve", "user", "remove", "wri", "--nope", at=machine.repository())
    assert "See `satchel serve --help`." in told


def test_what_a_killed_server_left_is_removed_and_a_living_one_s_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "satchel-metrics-others").mkdir()  # no lock: none of ours
    (tmp_path / "satchel-metrics-link").symlink_to(tmp_path)
    ready, told = os.pipe()
    child = os.fork()
    if child == 0:
        with metrics_place() as made:
            os.write(told, made.encode())
            signal.pause()
        os._exit(1)
    place = Path(os.read(ready, 4096).decode())
    (place / "counter_1.db").write_bytes(b"figures")
    with metrics_place() as mine:
        assert place.is_dir(), "its server lives"
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        with metrics_place():
            assert not place.exists()
            assert Path(mine).is_dir()
    assert sorted(one.name for one in tmp_path.iterdir()) == [
        "satchel-metrics-link", "satchel-metrics-others",
    ]  # fmt: skip
    os.close(ready)
    os.close(told)
