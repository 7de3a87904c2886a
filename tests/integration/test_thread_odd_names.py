"""Lines of files whose names are no text in UTF-8, or read like something else."""

from __future__ import annotations

import os

import pytest

from integration.installed import Machine, needs_command
from integration.thread_made import new_repository
from satchel.application.thread.neighbours import neighbours
from satchel.application.thread.targets import target_of
from satchel.core.errors import NotFoundError
from satchel.testing import temporary_workspace

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

NAMES = (b"caf\xe9.py", "naïve.py".encode(), b"new\nline.py", b'q"uote.py', b"b:1.py", b"[a]*.py")


@pytest.mark.parametrize("name", NAMES, ids=repr)
def test_a_line_of_a_file_of_any_name_is_told(machine: Machine, name: bytes) -> None:
    shop = new_repository(machine)
    with open(os.path.join(os.fsencode(shop.root), name), "w", encoding="utf-8") as file:
        file.write("first = 1\nsecond = first + 1\n")
    shop.git("add", "--all")
    shop.git("commit", "-q", "-m", "By hand")
    done = machine.run(b"why", name + b":2", at=shop.root)
    assert done.code == 0, done.err
    assert "second = first + 1" in done.out
    assert "By hand (Ann" in done.out
    assert machine.run(b"why", name + b":3", at=shop.root).code in (2, 4)


def test_what_can_be_no_name_is_nothing() -> None:
    with temporary_workspace(git=True) as work:
        root = work.project.place.root
        with pytest.raises(NotFoundError, match="There is no file"):
            target_of(work, "a.b\0c:1", root)
        for asked in ("a.b\0c", "a.b\0c:d", "\0", ":", "a.b:::", "\n"):
            assert target_of(work, asked, root) is None
            with pytest.raises(NotFoundError):
                neighbours(work, asked, root)
