"""An archive that cannot be finished leaves nothing behind, and its error names it."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from satchel.application.exchange.export.archive import entry_of, write_archive
from satchel.core.errors import NotWritableError


@pytest.fixture
def full_disk() -> Iterator[None]:
    """Let no file of this process grow beyond a few bytes, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.usefixtures("full_disk")
def test_a_full_disk_is_told_with_the_archives_path(tmp_path: Path) -> None:
    data = os.urandom(100_000)
    target = str(tmp_path / "mine.tar.gz")
    with pytest.raises(NotWritableError, match=r"mine\.tar\.gz"):
        write_archive(target, {}, {entry_of("a", "lines", "ledger", data): data})
    assert os.listdir(tmp_path) == []
