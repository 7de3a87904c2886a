"""A project's name on a team's server is its own, whatever its file says."""

import pytest

from satchel.core.errors import BadInputError
from satchel.project.place import Place
from satchel.project.shared_state import beside
from satchel.project.team_store import team_project
from satchel.testing import temporary_workspace


def test_an_unpacked_archive_cannot_spell_another_project_s_name() -> None:
    with temporary_workspace(git=True) as workspace:
        theirs = team_project(workspace.project.place)
    for called in (theirs, beside(theirs), f"{theirs} ", "", "a\0b"):
        with pytest.raises(BadInputError):
            team_project(Place("/unpacked", "", "", called))
    assert team_project(Place("/unpacked", "", "", "01TEST-own_1")) == "01TEST-own_1"
