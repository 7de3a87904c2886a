"""The review queue of an open project, and its figures."""

from __future__ import annotations

from satchel.core.errors import NotWritableError, SatchelError
from satchel.features.proposals.metrics import project_metrics, summed
from satchel.features.proposals.queue import Queue
from satchel.features.proposals.waiting import LEDGER
from satchel.storage.files import replace_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services


def open_queue(work: Services) -> Queue:
    """Open the review queue of a project; the caller closes it."""
    return Queue(work.project.log(LEDGER))


def write_metrics(work: Services, queue: Queue) -> None:
    """Write `metrics.yaml` in the user's home: sums, and each project's figures.

    What was decided is on disk by then: that figures could not be written does not undo it.
    """
    from satchel.engine.markdown.yaml_text import read_yaml, write_yaml

    if work.person is None:
        return  # the figures are the user's, over all their projects
    path = work.person.home.metrics
    try:
        with open(path, encoding="utf-8") as file:
            held = read_yaml(file.read())
    except (OSError, ValueError, SatchelError):
        held = {}
    projects = held.get("projects") if isinstance(held, dict) else None
    projects = dict(projects) if isinstance(projects, dict) else {}
    projects[work.project.key] = project_metrics(queue.all(), queue.scans())
    figures = [one for one in projects.values() if isinstance(one, dict)]
    text = write_yaml({**summed(figures), "projects": projects})
    try:
        replace_file(path, text.encode("utf-8", "replace"), mode=0o600)
    except NotWritableError as error:
        work.project.work_around("metrics", error)
