"""What another home forgot, outside the private state of this one: work trees, notes, backups.

Only the run that erases the text here can look for it: afterwards no word is left to search for.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator

from satchel.application.exchange.backups.forgotten import backups_that_say
from satchel.application.exchange.backups.vault import Vault
from satchel.application.forgetting.elsewhere import copies_of_home, unreachable_copies
from satchel.application.forgetting.places import Rules, SearchedFiles
from satchel.application.forgetting.values import KEPT, OWNED, Leftover, Place
from satchel.core.errors import SatchelError
from satchel.core.values import NamedTuple
from satchel.project.registry import every_place
from satchel.project.store import ProjectStore
from satchel.storage.home_paths import backups_of
from satchel.storage.paths import UserHome

_YOURS = "is your own file; take the words out by hand"


class Outside(NamedTuple):
    """Files that lost the words, and what still says them."""

    places: tuple[Place, ...] = ()
    remains: tuple[Leftover, ...] = ()


def scrub_outside(home: UserHome, rules: Rules, keys: Collection[str] | None) -> Outside:
    """Forget in the work trees of projects, and name what is left to the person.

    Args:
        home: this home.
        rules: what to forget.
        keys: of the projects' private states; None for every project.
    """
    done: dict[str, Place] = {}
    remains: dict[Leftover, None] = {}
    for key, root in every_place(home):
        if keys is not None and key not in keys:
            continue
        try:
            project = ProjectStore.open(root, home, strict=False)
            files = SearchedFiles(project, home)
            for place in files.outside():
                if place.path not in done and files.holds(place, rules):
                    remains |= dict.fromkeys(_ended(files, place, rules, done))
            remains |= dict.fromkeys(unreachable_copies(project, rules.traces, sorted(rules.ids)))
        except (OSError, SatchelError) as error:
            remains[Leftover(root, "a work tree", f"could not be searched: {error}")] = None
            continue
        large = (Leftover(path, "a large file", "was not searched") for path in files.passed_over)
        remains |= dict.fromkeys(large)
    remains |= dict.fromkeys(copies_of_home(home.path, rules.traces, sorted(rules.ids)))
    remains |= dict.fromkeys(backups_that_say(home, Vault(backups_of(home.path)), rules))
    return Outside(tuple(done.values()), tuple(remains))


def _ended(
    files: SearchedFiles, place: Place, rules: Rules, done: dict[str, Place]
) -> Iterator[Leftover]:
    """Rewrite one file, or yield it where that is for its owner to do."""
    path = os.path.realpath(place.path)
    if place.action in (OWNED, KEPT):
        yield Leftover(path, place.what, _YOURS if place.action == OWNED else "is kept")
        return
    try:
        files.scrub(place, rules)
    except FileNotFoundError:
        return
    except SatchelError as error:
        yield Leftover(path, place.what, str(error))
        return
    done[place.path] = place
