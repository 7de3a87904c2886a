"""Reports of communities that a model writes, and what is told where it does not."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from integration.model_server import Behaviour, model_server
from satchel.core.clock import FixedClock
from satchel.testing import reopened, temporary_workspace
from satchel.workspace import Workspace

SAID = "The gateway keeps too few connections, and the warden has to wake it up again."


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with temporary_workspace(clock=FixedClock()) as opened:
        os.makedirs(opened.project.tracked.solutions)
        text = "# Checkout hangs\n\n`ledger_gateway` requires `pool_warden`."
        Path(opened.project.tracked.solutions, "a.md").write_text(text, "utf-8")
        yield opened


def reports(workspace: Workspace, url: str = "") -> list[str]:
    """Ask as another process would, with the model at `url`."""
    Path(workspace.owner().home.configuration).parent.mkdir(parents=True, exist_ok=True)
    lines = f'[model]\nembed = "none"\ngenerate = "ollama:m"\nurl = "{url}"\n' if url else ""
    Path(workspace.owner().home.configuration).write_text(lines, "utf-8")
    with reopened(workspace) as again, again.graph as graph:
        hits = graph.search("ledger_gateway pool", mode="global", user=False).hits
        return [hit.cluster.report for hit in hits if hit.cluster]


def test_a_model_writes_reports_once_and_the_facts_stay_below(workspace: Workspace) -> None:
    (plain,) = reports(workspace)
    behaviour = Behaviour(written=f"<think>hm</think>\n{SAID}")
    with model_server(behaviour) as url:
        assert reports(workspace, url) == [f"{SAID}\n{plain}"]
        assert reports(workspace, url) == [f"{SAID}\n{plain}"]
        assert [path for path, _, _ in behaviour.requests] == ["/api/generate"]
        assert plain in behaviour.requests[0][1]["prompt"]
        workspace.learn("`pool_warden` requires `night_shift`.")
        (after,) = reports(workspace, url)
    assert "night_shift" in after
    assert after.startswith(SAID)
    assert len(behaviour.requests) == 2


@pytest.mark.parametrize(
    "behaviour",
    [
        Behaviour(failures=[500] * 20), Behaviour(raw=b"{"), Behaviour(raw=b"[]"),
        Behaviour(written=""), Behaviour(written="no"), Behaviour(written="x" * 100_000),
        Behaviour(written="\x1b[31mred alert in the terminal of whoever reads this report"),
        Behaviour(cut_short=50),
    ],
)  # fmt: skip
def test_whatever_a_model_does_badly_the_plain_report_is_told(
    workspace: Workspace, behaviour: Behaviour
) -> None:
    plain = reports(workspace)
    assert plain
    with model_server(behaviour) as url:
        assert reports(workspace, url) == plain
        assert behaviour.requests


def test_a_server_that_is_away_is_no_hindrance_and_a_fault(workspace: Workspace) -> None:
    assert reports(workspace, "http://127.0.0.1:9") == reports(workspace)
    assert "graph reports" in Path(workspace.project.state.faults).read_text("utf-8")


def test_what_a_model_writes_is_cleaned_of_secrets(workspace: Workspace) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    with model_server(Behaviour(written=f"{SAID} The key is {key}.")) as url:
        (told,) = reports(workspace, url)
    assert key not in told
    assert key.encode() not in Path(workspace.project.state.graph).read_bytes()
