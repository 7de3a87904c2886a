"""A graph redrawn is the same graph: after any operations, any damage, and many writers."""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import satchel
from integration.graph_content import content_of
from reliability.mutants import mutants
from satchel.core.clock import FixedClock
from satchel.core.errors import NotFoundError
from satchel.features.graph.knowledge_graph import KnowledgeGraph
from satchel.features.graph.values import Relation, TextGraph
from satchel.testing import reopened, temporary_workspace
from satchel.workspace import Workspace

DAY = 86_400
SOURCES = str(Path(satchel.__file__).parents[1])


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with temporary_workspace(clock=FixedClock()) as opened:
        yield opened


OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("ingest"), st.sampled_from("abcd"), st.sampled_from("wxyz")),
        st.tuples(st.just("learn"), st.sampled_from("abcd"), st.sampled_from("wxyz")),
        st.tuples(st.just("merge"), st.sampled_from("abcd"), st.sampled_from("abwx")),
        st.tuples(st.just("unmerge"), st.sampled_from("abcd"), st.just("")),
        st.tuples(st.just("update"), st.sampled_from("abcd"), st.sampled_from("wxyz")),
        st.tuples(st.just("evolve"), st.sampled_from(["1", "40", "200"]), st.just("")),
        st.tuples(st.just("restore"), st.sampled_from("abcd"), st.just("")),
        st.tuples(st.just("undo"), st.just(""), st.just("")),
    ),
    max_size=14,
)


def do(workspace: Workspace, own: KnowledgeGraph, step: tuple[str, str, str]) -> None:
    what, one, other = step
    name, target = f"{one}{one}", f"{other}{other}"
    try:
        if what == "ingest":
            own.ingest(
                f"{name} and {target}", TextGraph((), (Relation(name, target, "uses", 0.6),))
            )
        elif what == "learn":
            workspace.learn(f"`{name}` requires `{target}`")
        elif what == "merge":
            own.write(lambda g: g.merge(name, [target]))
        elif what == "unmerge":
            own.write(lambda g: g.unmerge([name]))
        elif what == "update":
            own.write(lambda g: g.update(name, {"description": other, "attributes": {other: one}}))
        elif what == "evolve":
            assert isinstance(workspace.project.clock, FixedClock)
            workspace.project.clock.advance(int(one) * DAY)
            own.evolve(apply=True, confirmed=True)
        elif what == "restore":
            own.write(lambda g: g.restore([name]))
        else:
            own.write(lambda g: g.undo())
    except NotFoundError:
        pass


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(OPERATIONS)
def test_a_graph_drawn_anew_is_the_same_graph(steps: list[tuple[str, str, str]]) -> None:
    with temporary_workspace(clock=FixedClock()) as workspace, workspace.graph as own:
        for step in steps:
            do(workspace, own, step)
        before = content_of(own)
        own.rebuild()
        assert content_of(own) == before


def test_no_damage_of_the_database_is_ever_answered_from(workspace: Workspace) -> None:
    for n in range(30):
        workspace.learn(f"`service_{n}` requires `store_{n % 7}` because of `reason_{n % 5}`")
    with workspace.graph as own:
        for n in range(10):
            own.ingest(f"note {n}", TextGraph((), (Relation(f"x{n}", f"y{n}", "uses", 0.5),)))
        right = content_of(own)
    path, copy = workspace.project.state.graph, workspace.project.state.graph + ".good"
    checkpoint(path)
    shutil.copy(path, copy)
    good = Path(copy).read_bytes()
    dice = random.Random(int(os.environ.get("SATCHEL_SEED", "20261122")))
    wrong = 0
    for mutate in mutants(dice, good, 60, heavy=0):
        for ending in ("-wal", "-shm"):
            Path(path + ending).unlink(missing_ok=True)
        Path(path).write_bytes(mutate(dice, good))
        with reopened(workspace) as again, again.graph as own:
            found = own.retry_after_rebuild(lambda g: [r._asdict() for r in g.store.relations()])
            wrong += [r for r in found if r not in right["relations"]] != []
            own.retry_after_rebuild(lambda g: g.store.entities())
            own.search("service_3 reason_3")
            own.rebuild()
            assert content_of(own) == right
    assert wrong == 0


def checkpoint(path: str) -> None:
    """Bring everything into the one file."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


WORKER = """
import sys
from satchel.features.graph.values import Relation, TextGraph
from satchel.workspace import Workspace
name = sys.argv[2]
with Workspace.open(sys.argv[1]) as workspace, workspace.graph as own:
    for n in range(25):
        links = tuple(Relation(f"{name}{n}", f"shared{k}", "uses", 0.5) for k in range(4))
        own.ingest(f"{name} {n}", TextGraph((), links, explicit=True))
    if len(sys.argv) > 3:
        own.evolve(apply=True, confirmed=True)
"""


def processes(workspace: Workspace, *more: str) -> None:
    environment = {**os.environ, "PYTHONPATH": SOURCES, "SATCHEL_HOME": workspace.owner().home.path}
    started = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, workspace.project.place.root, name, *more],
            env=environment, stderr=subprocess.PIPE, text=True,
        )
        for name in ("left", "right")
    ]  # fmt: skip
    told = [one.communicate(timeout=120)[1] for one in started]
    assert [one.returncode for one in started] == [0, 0], told


def test_two_processes_that_ingest_at_once_lose_nothing(workspace: Workspace) -> None:
    processes(workspace)
    with workspace.graph as own:
        counts = own.graph().store.counts()
        assert (counts["texts"], counts["relations"], counts["entities"]) == (50, 200, 54)
        before = content_of(own)
        own.rebuild()
        assert content_of(own) == before


def test_two_evolutions_at_once_do_nothing_twice(workspace: Workspace) -> None:
    assert isinstance(workspace.project.clock, FixedClock)
    with workspace.graph as own:
        old = tuple(Relation(f"old{n}", "gone", "uses", 0.5) for n in range(20))
        own.ingest("old", TextGraph((), old, explicit=True))
    processes(workspace, "evolve")
    with workspace.graph as own:
        assert own.graph().store.counts()["texts"] == 51
        lines = [line.record for line in own.graph().ledger.read()]
        pruned = [
            tuple(relation)
            for record in lines
            if record is not None and (record.data or {}).get("op") == "prune"
            for relation in (record.data or {})["relations"]
        ]
        assert len(pruned) == len(set(pruned)) == 20
