"""Examines one open project as a whole: what is wrong, and how much there is."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.application.findings import ERROR, Finding, without_places
from satchel.application.health.derived_stores import findings_of, graphs_of, notes_of
from satchel.application.health.doctor import examine as examine_parts
from satchel.application.health.doctor import lesson_findings
from satchel.application.health.statistics import collect
from satchel.core.errors import SatchelError
from satchel.project.derived_store import engine_is_safe
from satchel.storage.settings.loading import load_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.health.statistics import Statistics
    from satchel.application.services import Services


def examine(work: Services, *, every_line: bool = True) -> Sequence[Finding]:
    """Find and explain what is wrong. Changes nothing but the index.

    Without `every_line`, ledgers are not read, nor graphs drawn: reports what the index recorded
    about the ledgers. If others can see the findings, they name no path outside the project.
    """
    memories, project = work.memories, work.project
    memories.caught_up()
    found = examine_parts(
        engine_is_safe=engine_is_safe(),
        memories=memories.own,
        state=project.state,
        tracked=project.tracked,
        inbox=project.inbox,
        injections=work.injections,
        root=project.place.root,
        clock=project.clock,
        derived=[*_settings(work), *findings_of(work, graphs=every_line), *lesson_findings(work)],
        every_line=every_line,
    )
    if work.person is not None:
        return found
    places = (
        (project.place.root, "."),
        (project.state.path, "(private)"),
        (project.home_path, "(home)"),
    )
    return without_places(found, places)


def _settings(work: Services) -> list[Finding]:
    """Report a broken settings file of the user; the project's is checked with git."""
    path = work.project.configuration
    try:
        load_settings(path, "")
    except SatchelError as error:
        return [Finding(ERROR, path, str(error), "Until then the previous settings apply.")]
    return []


def statistics(work: Services) -> Statistics:
    """Count memories, tokens and bytes."""
    work.refresh()
    project = work.project
    return collect(
        memories=work.memories.own,
        state=project.state,
        tracked=project.tracked,
        inbox=project.inbox,
        injections=work.injections,
        clock=project.clock,
        archives=work.sessions.archive.directories(),
    )._replace(notes=tuple(notes_of(work)), graphs=tuple(graphs_of(work)))
