"""The token of an installation: made once, and refused where others can read it."""

import os
from pathlib import Path

import pytest

from satchel.core.errors import NotReadableError
from satchel.features.access.secrets import InstallationToken, installation_token


def test_a_token_is_made_once_and_others_cannot_read_it(tmp_path: Path) -> None:
    path = tmp_path / "server-token"
    assert installation_token(str(path)) == installation_token(str(path)) != ""
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_token_that_others_can_read_opens_nothing(tmp_path: Path) -> None:
    path = tmp_path / "server-token"
    running = InstallationToken(str(path))
    held = running.now()
    path.chmod(0o644)
    with pytest.raises(NotReadableError, match="can be read by other users"):
        InstallationToken(str(path))
    assert running.now() == held, "a server that runs is stopped in other ways"


def test_a_link_in_place_of_a_token_is_not_followed(tmp_path: Path) -> None:
    other = tmp_path / "other"
    installation_token(str(other))
    os.symlink(other, tmp_path / "server-token")
    with pytest.raises(NotReadableError):
        installation_token(str(tmp_path / "server-token"))
