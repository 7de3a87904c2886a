"""Many of everything: what the console is measured on."""

from satchel.core.clock import FixedClock
from satchel.core.quick_json import dumps
from satchel.engine.search.documents import Filter
from satchel.features.graph.values import Entity, Relation, TextGraph
from satchel.features.injections.injection_ledger import InjectedItem, Injection
from satchel.storage.ledger.record import Record
from satchel.workspace import Workspace

_DAY = 86_400
_WORDS = [
    "parser",
    "deploy",
    "queue",
    "cache",
    "index",
    "gateway",
    "cart",
    "retry",
    "schema",
    "worker",
]


def crowd(
    project: Workspace, clock: FixedClock, memories: int, *, tasks: int, sessions: int, nodes: int
) -> None:
    """Add so many of each at once, over a year, of many agents."""
    kinds = ("learned", "decision", "constraint", "next_step")
    for begin in range(0, memories, 5000):
        records = [
            Record(
                kinds[n % 4],
                f"The {_WORDS[n % 10]} of part {n} needs the {_WORDS[n // 10 % 10]} before "
                f"the {_WORDS[n // 100 % 10]}",
                key=f"k{n}",
                trust="agent",
                agent=f"agent-{n % 7}",
                task=f"t-{n % 40}",
                branch=f"b-{n % 9}",
            )
            for n in range(begin, min(memories, begin + 5000))
        ]
        project.memories.own.append(records)
        clock.advance(300 * _DAY * 5000 / memories)
    project.refresh()
    _tasks(project, tasks)
    _sessions(project, int(clock.now()), sessions)
    _graph(project, nodes)


def _tasks(project: Workspace, tasks: int) -> None:
    lines = [
        {
            "id": f"shop-{n:04}",
            "title": f"Look after the {_WORDS[n % 10]} of part {n}",
            "priority": n % 5,
            "issue_type": "task",
            "status": "closed" if n % 3 else "open",
            "created_at": "2026-01-02T10:00:00Z",
            "updated_at": "2026-01-02T10:00:00Z",
        }
        for n in range(tasks)
    ]
    with project.tasks as opened:
        opened.import_lines("".join(dumps(one) + "\n" for one in lines).encode())


def _sessions(project: Workspace, now: int, sessions: int) -> None:
    known = [one.record for one in project.memories.page(Filter(), 0, 20)[0]]
    items = tuple(
        InjectedItem(one.identity, one.id, "recent", n, 20, "most recent", one.content)
        for n, one in enumerate(known)
    )
    for n in range(sessions):
        project.injections.note(
            Injection(now - n * 3600, f"session-{n}", "SessionStart", "agent", 400, 2000, 0, items)
        )


def _graph(project: Workspace, nodes: int) -> None:
    with project.graph as graph:
        for begin in range(0, nodes, 500):
            named = [Entity(f"part {n}") for n in range(begin, min(nodes, begin + 500))]
            ties = tuple(
                Relation(one.name, named[n // 2].name, "uses", 0.5)
                for n, one in enumerate(named)
                if n
            )
            graph.ingest(f"parts from {begin}", TextGraph(tuple(named), ties, explicit=True))
