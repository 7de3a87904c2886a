"""What must hold of lines that a real client wrote: `satchel why` names their session and prompt."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from clients.at_work import ClientAtWork, LiveRepository, begin
from clients.checks import Check
from clients.recording import folder
from clients.stand import Stand
from clients.thread_recording import THREAD, record_thread
from integration.thread_made import Repository
from integration.thread_scored import scores
from integration.thread_story import feature_branch, fees_on_main, main_branch

#: The share of lines that must be told right, likely or certain; none may be wrong and certain.
RIGHT = 0.9
SCORES = "thread.json"


def thread_checks(stand: Stand) -> Iterator[Check]:
    """Let the client do the story's work; rewrite its history in each way, and ask about lines."""
    repository = begin(stand)
    agents = _tell(stand, repository)
    failed = [one for agent in agents for one in agent.failed]
    yield Check("the client does the story's work", not failed, ", ".join(failed))
    record_thread(stand, repository, folder(stand.client.name, stand.version) / THREAD)
    repository.now = time.time()

    def why(asked: str) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(stand.satchel("why", asked, "--json"))
        return told

    cells = {}
    for way, found in scores(why, repository):
        cells[way] = str(found)
        good = found.right >= RIGHT and not found.wrong_certain
        wrong = "; ".join(map(str, {*found.wrong, *found.wrong_certain}))
        yield Check(f"lines keep their prompts after {way}: {found}", good, wrong)
    (stand.logs / SCORES).write_text(json.dumps(cells), "utf-8")


def _tell(stand: Stand, repository: LiveRepository) -> list[ClientAtWork]:
    """Tell the whole story; what is on the branch is done by a model that patches."""
    agents: list[ClientAtWork] = []

    def begins(repository: Repository, _home: Path, branch: str = "") -> ClientAtWork:
        agents.append(ClientAtWork(stand, repository, patches=bool(branch)))
        return agents[-1]

    for part in (main_branch, fees_on_main, feature_branch):
        part(repository, stand.home, begins)
    return agents
