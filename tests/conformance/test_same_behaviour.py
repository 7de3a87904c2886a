"""T12 and T21 on every store at once: files, PostgreSQL and a dictionary show the same.

Any number of clients, reopened at any time; five projects; deletions, versions, expiry, rebuilds.
"""

import os
import random
import shutil
import tempfile
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from conformance.stores import STORES, Store, fresh
from postgresql_server import TEMPLATE, Server
from reliability.stand import FULL, SEED, say, scale
from satchel.engine.search.documents import Filter, View
from satchel.engine.search.team.deriving import Derivation
from satchel.engine.search.team.index import TeamIndex
from satchel.features.memories.service import Memories

pytest_plugins = ["postgresql_fixtures"]
PROJECTS = ("one", "one ", "One", "one/two", "é")
WORDS = st.lists(
    st.sampled_from(("alpha", "beta", "gamma", "delta", "Épsilon", "zeta_eta")),
    min_size=1,
    max_size=4,
)
_FOR_EVER = 1e12
KEYED = ("learned", "preference")
KINDS = st.sampled_from(("learned", "preference", "decision", "constraint", "insight"))


class Known(NamedTuple):
    """What the model knows of one memory: its live content, or "" after its deletion."""

    kind: str
    content: str
    ends: float
    versions: int


class SameBehaviour(RuleBasedStateMachine):
    """Drives both stores and a dictionary through the same life."""

    server: Server
    things: Bundle[tuple[str, str]] = Bundle("things")

    @initialize()
    def begin(self) -> None:
        self.url = self.server.database(TEMPLATE)
        self.folder = tempfile.mkdtemp(prefix="satchel-t12-")
        self.stores = [Store(kind, self.folder, self.url) for kind in STORES]
        self.clients: dict[tuple[str, str], Memories] = {}
        self.model: dict[tuple[str, str], Known] = {}

    def each(self, project: str) -> list[Memories]:
        """A client of every store, with a state directory of its own for the project."""
        found = []
        for store in self.stores:
            at = (store.kind, project)
            if at not in self.clients:
                self.clients[at] = store.open(
                    project if store.kind == "postgresql" else project.encode().hex()
                )
            found.append(fresh(self.clients[at]))
        return found

    @rule(target=things, project=st.sampled_from(PROJECTS), kind=KINDS, words=WORDS)
    def remember(self, project: str, kind: str, words: list[str]) -> tuple[str, str]:
        content = " ".join(words)
        more: dict[str, Any] = {"key": "setting"} if kind == "preference" else {}
        written = [m.remember(content, kind=kind, **more) for m in self.each(project)]
        assert len({(r.content, r.key, r.ts) for r in written}) == 1
        record = written[0]
        name = record.key if kind in KEYED else "=".join(r.id for r in written)
        ends = self.stores[0].clock.now() + 3600 if kind == "insight" else _FOR_EVER
        if kind == "decision":
            ends = self.stores[0].clock.now() + 90 * 86_400
        old = self.model.get((project, name))
        self.model[project, name] = Known(kind, content, ends, (old.versions if old else 0) + 1)
        return project, name

    @rule(thing=things)
    def delete(self, thing: tuple[str, str]) -> None:
        known = self.model[thing]
        if not known.content:
            return
        names = thing[1].split("=")
        for memories, name in zip(self.each(thing[0]), names * 2, strict=False):
            memories.delete(name)
        self.model[thing] = known._replace(content="", versions=known.versions + 1)

    @rule(seconds=st.sampled_from((1, 1800, 3601, 86_400 * 40, -600)))
    def time_passes(self, seconds: int) -> None:
        for store in self.stores:
            store.clock.advance(seconds)

    @rule(project=st.sampled_from(PROJECTS))
    def another_client(self, project: str) -> None:
        for store in self.stores:
            self.clients.pop((store.kind, project), None)

    @rule(project=st.sampled_from(PROJECTS))
    def rebuild(self, project: str) -> None:
        index = self.each(project)[1].index
        assert isinstance(index, TeamIndex)
        index.rebuild()

    @rule(project=st.sampled_from(PROJECTS), words=WORDS)
    def search(self, project: str, words: list[str]) -> None:
        shown = []
        for memories in self.each(project):
            hits = memories.index.search(" ".join(words), memories.view(), limit=50)
            shown.append(sorted((h.document.kind, h.document.content, h.document.ts) for h in hits))
        assert shown[0] == shown[1]

    @rule(thing=things)
    def history(self, thing: tuple[str, str]) -> None:
        names = thing[1].split("=") * 2
        for memories, name in zip(self.each(thing[0]), names, strict=False):
            assert len(memories.history(name)) == self.model[thing].versions

    @invariant()
    def what_is_visible_is_what_the_model_says(self) -> None:
        if not hasattr(self, "model"):
            return
        now = self.stores[0].clock.now()
        for project in {p for p, _ in self.model}:
            wanted = sorted(
                (known.kind, known.content)
                for (at, _), known in self.model.items()
                if at == project and known.content and int(known.ends) > int(now)
            )
            for memories in self.each(project):
                shown = memories.listed(Filter(), 1000)
                assert sorted((i.record.kind, i.record.content) for i in shown) == wanted

    def teardown(self) -> None:
        if not hasattr(self, "stores"):
            return
        try:
            for project in PROJECTS:
                for memories in self.each(project):
                    assert memories.index.problems() == []
        finally:
            for store in self.stores:
                store.close()
            self.server.drop(self.url)
            shutil.rmtree(self.folder, ignore_errors=True)


def _run(server: Server, examples: int, steps: int, *, shrink: bool = True) -> None:
    SameBehaviour.server = server
    phases = [phase for phase in Phase if shrink or phase not in (Phase.shrink, Phase.explain)]
    run_state_machine_as_test(
        SameBehaviour,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            derandomize=not FULL,
            phases=phases,
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.torture
def test_files_postgresql_and_a_dictionary_show_the_same(postgresql_server: Server) -> None:
    examples, steps = scale(20, 2000), scale(25, 50)
    _run(postgresql_server, examples, steps)
    say("T12", examples, f"{examples} runs of {steps} steps, the same visible state on every store")


def test_a_store_that_forgets_to_mark_what_is_superseded_is_caught(
    postgresql_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = Derivation.__init__

    def broken(self: Derivation, *given: Any, **named: Any) -> None:
        original(self, *given, **named)
        self.sql = {**self.sql, "mark_superseded": "SELECT ?1::text, ?2::text"}

    monkeypatch.setattr(Derivation, "__init__", broken)
    with pytest.raises(AssertionError):
        _run(postgresql_server, 20, 20, shrink=False)


@pytest.mark.torture
def test_no_result_of_another_project_among_many_questions(
    postgresql_url: str, tmp_path: os.PathLike[str]
) -> None:
    dice = random.Random(SEED)
    store = Store("postgresql", os.fspath(tmp_path), postgresql_url)
    clients = {project: store.open(project) for project in PROJECTS}
    words = "queue cache index redis token branch deploy retry".split()  # noqa: SIM905
    owner: dict[str, str] = {}
    for number in range(scale(60, 1000)):
        project = dice.choice(PROJECTS)
        content = " ".join(dice.choice(words) for _ in range(4)) + f" n{number}"
        owner[clients[project].remember(content, kind="decision").id] = project
    vectors = {project: store.vectors(memories) for project, memories in clients.items()}
    asked = foreign = 0
    for _ in range(scale(300, 10_000)):
        project, question = dice.choice(PROJECTS), " ".join(dice.sample(words, 2))
        memories, now = clients[project], store.clock.now()
        hits = memories.index.search(question, View(memories.sources, now), limit=10)
        near = vectors[project].nearest(vectors[project].encode_query(question).vector, 10)
        hits += memories.index.documents_in_rows(list(near), View(memories.sources, now))
        asked += len(hits)
        foreign += sum(owner[hit.document.id] != project for hit in hits)
        assert len(near) > 0
    assert foreign == 0
    say("T21", asked, f"{asked} results of 5 projects on one server, 0 foreign")
    store.close()
