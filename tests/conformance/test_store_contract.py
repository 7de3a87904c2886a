"""One suite, run unchanged on every store: what Memories promise whatever lies beneath them."""

import inspect
from collections.abc import Callable

import pytest

from conformance.stores import Store, fresh
from satchel.core.errors import AmbiguousIdError, BadInputError, NotFoundError
from satchel.core.kinds import KINDS
from satchel.engine.search.contracts import DocumentVectors, SearchIndex
from satchel.engine.search.documents import Filter, View
from satchel.engine.search.hybrid import Query, search_documents
from satchel.engine.search.index import Index
from satchel.engine.search.team.index import TeamIndex
from satchel.engine.search.team.vectors import TeamVectors
from satchel.engine.search.vectors import Vectors
from satchel.features.memories.contract import MemoryLedgers
from satchel.features.memories.ledgers import Ledgers
from satchel.features.memories.service import Memories
from satchel.features.memories.team_ledgers import TeamLedgers
from satchel.storage.ledger.contract import RecordLedger
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.record import Record
from satchel.storage.ledger.team import TeamLedger

pytest_plugins = ["postgresql_fixtures"]
DAY = 86_400
CORPUS = [
    "Use TaskGroup to run coroutines together; gather hides errors.",
    "The redis pool is exhausted when workers forget to release connections.",
    "Run the linter before pushing, then the tests.",
    "parseHttpURL splits a query string at max_tokens.",
    "Größe und Straße sind Wörter mit Umlauten.",
    "東京 is a city; cafés are open until 10:30.",
    "Redis was dropped because the cache was never warm.",
    "Never push on a Friday; the release train leaves on Monday.",
]
QUESTIONS = [
    "why was redis dropped", "linting and pushing", "parse http url", "max tokens", "maxTokens",
    "strasse", "Größe", "cafes", "what about the", "release connections of the pool", "10 30",
    '"release train"', "tests; DROP TABLE documents --", "a & b | !c <-> 'd", "taskgroup errors",
]  # fmt: skip


def contents(memories: Memories, only: Filter | None = None) -> list[str]:
    return [item.record.content for item in fresh(memories).listed(only or Filter(), 1000)]


def found(memories: Memories, question: str, limit: int = 10) -> list[str]:
    hits = fresh(memories).index.search(question, memories.view(), limit=limit)
    return [hit.document.content for hit in hits]


def test_what_is_remembered_is_there_for_the_next_client(store: Store) -> None:
    record = store.open().remember("Use TaskGroup.", task="bd-1", agent="scout", title="Groups",
                                   data={"deep": [1, {"x": None}]})  # fmt: skip
    assert fresh(store.open()).find(record.id).record == record


@pytest.mark.parametrize(
    "content", ["nul \x00 in it", "half \ud800 a pair", "x" * 20_000, "'\"\\$1 ?1 %s {}"]
)
def test_any_text_comes_back_as_it_was_saved(store: Store, content: str) -> None:
    written = store.open().remember(content, kind="decision", title=content[:50])
    assert fresh(store.open()).find(written.id).record == written


def test_ids_and_times_are_in_order_whatever_the_clock_does(store: Store) -> None:
    memories = store.open()
    records: list[Record] = []
    for step in (0, 0, -5000, 10, 0):
        store.clock.advance(step)
        records += memories.append([Record(kind="decision", content=f"{len(records)}"),
                                    Record(kind="decision", content=f"{len(records)}b")])  # fmt: skip
    order = [(r.ts, r.id) for r in records]
    assert order == sorted(set(order))
    assert [r.content for r in records] == contents(memories)[::-1]
    assert records[4].wall == int(store.clock.now()) - 10


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_lives_as_long_as_its_table_says(store: Store, kind: str) -> None:
    memories, days = store.open(), KINDS[kind].default_days
    memories.remember("subject | verb | object", kind=kind)
    store.clock.advance((days or 7300) * DAY - 2)
    assert len(contents(memories)) == 1
    store.clock.advance(4)
    assert len(contents(memories)) == (days is None)
    assert len(memories.listed(Filter(), 10, all_versions=True)) == 1


def test_the_same_key_keeps_the_latest_and_its_history(store: Store) -> None:
    memories = store.open()
    first = memories.remember("Use TaskGroup", source="one")
    memories.remember("Use TaskGroup", source="two")
    fresh(memories)
    assert [i.record.source for i in memories.listed(Filter(), 10)] == ["two"]
    assert [i.record.source for i in memories.history(first.key)] == ["two", "one"]


def test_preferences_are_versioned_for_each_agent(store: Store) -> None:
    memories = store.open()
    for value in ("tabs", "spaces"):
        memories.remember(value, kind="preference", key="indent")
    memories.remember("two", kind="preference", key="indent", agent="scout")
    fresh(memories)
    held, version = memories.preference("indent") or (Record(), 0)
    assert (held.content, version) == ("spaces", 2)
    theirs, version = memories.preference("indent", agent="scout") or (Record(), 0)
    assert (theirs.content, version) == ("two", 1)
    assert memories.preference("colour") is None


def test_a_deleted_memory_is_out_of_sight_and_its_history_stays(store: Store) -> None:
    memories = store.open()
    record = memories.remember("We use Redis", kind="decision")
    fresh(memories).delete(record.id)
    assert contents(memories) == []
    assert found(memories, "redis") == []
    assert [i.record.content for i in memories.history(record.id)] == ["", "We use Redis"]
    with pytest.raises(BadInputError, match="already deleted"):
        memories.delete(record.id)
    memories.remember("We use Redis", kind="learned")
    assert contents(memories) == ["We use Redis"]


def test_ids_are_found_by_their_beginning_and_refused_where_two_fit(store: Store) -> None:
    memories = store.open()
    one, two = (memories.remember(text, kind="decision") for text in ("first", "second"))
    fresh(memories)
    assert memories.find(two.id[:20]).record == two
    with pytest.raises(AmbiguousIdError):
        memories.find(one.id[:5])
    with pytest.raises(NotFoundError):
        memories.find("zzzz")


def test_the_id_of_a_version_that_was_learnt_again_names_what_holds_now(store: Store) -> None:
    memories = store.open()
    first = memories.remember("The tax table is cached.", agent="a")
    second = fresh(memories).remember("The tax table is cached.", agent="b")
    assert first.id != second.id
    for named in (first.id, first.id[:20], second.id):
        assert fresh(memories).find(named).record.id == second.id
    assert [one.record.id for one in fresh(memories).history(first.id)] == [second.id, first.id]
    fresh(memories).remember("The tax table is cached.", agent="a", id=first.id)
    assert fresh(memories).find(first.id).record.id == second.id
    fresh(memories).delete(second.id)
    assert fresh(memories).find(first.id).record.deleted_at is not None


def test_newer_facts_close_older_ones(store: Store) -> None:
    memories = store.open()
    memories.remember("api | runs on | redis", kind="fact", data={"single": True})
    before = store.clock.now()
    store.clock.advance(DAY)
    fresh(memories)
    memories.remember("api | runs on | postgres", kind="fact")
    fresh(memories)
    assert [f.content for f in memories.facts(about="api")] == ["api | runs on | postgres"]
    assert [f.content for f in memories.facts(as_of=before + 5)] == ["api | runs on | redis"]


def test_filters_choose(store: Store) -> None:
    memories = store.open()
    memories.remember("a", kind="decision", task="bd-1", epic="bd", tags=("urgent", "c++"))
    store.clock.advance(100)
    memories.remember("b", kind="constraint", task="bd-2", tags=("urgently",))
    now = int(store.clock.now())
    asked = {
        Filter(kinds=("decision",)): ["a"],
        Filter(kinds=("decision", "constraint")): ["b", "a"],
        Filter(without=("decision",)): ["b"],
        Filter(task="bd-1"): ["a"],
        Filter(epic="bd"): ["a"],
        Filter(tag="urgent"): ["a"],
        Filter(tag="c++"): ["a"],
        Filter(since=now): ["b"],
        Filter(until=now): ["a"],
        Filter(kinds=("fact",)): [],
    }
    assert {only: contents(memories, only) for only in asked} == asked
    hits = memories.index.search("a b", View(memories.sources, now, Filter(task="bd-2")))
    assert [hit.document.content for hit in hits] == ["b"]


def test_filters_choose_by_identity_and_by_trust(store: Store) -> None:
    memories = store.open()
    kept = memories.remember("from me", trust="user")
    for trust in ("agent", "web", "imported"):
        memories.remember(f"from the {trust}", trust=trust, data={"trust": "user"})
    assert contents(memories, Filter(identity=kept.identity)) == ["from me"]
    assert contents(memories, Filter(identity="nobody's")) == []
    low = contents(memories, Filter(without_trust=("user", "agent", "")))
    assert sorted(low) == ["from the imported", "from the web"]


def test_counts_and_hashes_are_those_of_the_ledgers(store: Store) -> None:
    memories = store.open()
    for text in CORPUS:
        memories.remember(text, kind="decision")
    memories.remember("short", kind="insight")
    fresh(memories)
    now = memories.clock.now()
    assert memories.index.counts(View(memories.sources, now)) == {"decision": 8, "insight": 1}
    held = memories.index.hashes()
    for ledger in memories.ledgers.every_private():
        lines = {line.record.hash for line in ledger.read() if line.record}
        assert held.get(ledger.path, set()) == lines
    assert memories.index.problems() == []
    assert memories.index.damage() == []


def test_records_that_bring_their_id_are_kept_once(store: Store) -> None:
    memories = store.open()
    ledger = memories.ledgers.private("decision")
    record = Record(kind="decision", content="drained", id="01J" + "Z" * 23, ts=1_767_000_000)
    assert len(ledger.append_new([record])) == 1
    assert ledger.append_new([record]) == []
    assert contents(memories) == ["drained"]


def test_secrets_are_out_before_the_first_durable_byte(store: Store) -> None:
    memories = store.open()
    memories.append([Record(kind="decision", content="key AKIAIOSFODNN7EXAMPLE", title="t")])
    raw = b"".join(line.raw for line in memories.ledgers.private("decision").read())
    assert b"AKIAIOSFODNN7" not in raw
    assert "AKIAIOSFODNN7" not in contents(memories)[0]


@pytest.mark.parametrize("question", QUESTIONS)
def test_words_find_the_same_in_the_same_order(
    both: Callable[[str], list[Store]], question: str
) -> None:
    answers = []
    for store in both("corpus"):
        memories = store.open()
        for text in CORPUS:
            store.clock.advance(60)
            memories.remember(text, kind="decision", title=text.split()[0], tags=("note",))
        answers.append(found(memories, question))
    assert answers[0] == answers[1]


#: Scores of the two stores differ by .001, since one rounds vectors: none lies nearer to this.
_APART = 0.06


def test_hybrid_search_finds_the_same_in_the_same_order(
    both: Callable[[str], list[Store]],
) -> None:
    answers = []
    for store in both("hybrid"):
        memories = store.open()
        for text in CORPUS:
            store.clock.advance(60)
            memories.remember(text, kind="decision")
        vectors = store.vectors(fresh(memories))
        assert (vectors.waiting(), vectors.held()[0]) == (0, len(CORPUS))
        told = []
        for question in QUESTIONS:
            for mode in ("hybrid", "semantic", "keyword"):
                query = Query(question, 5, mode=mode)
                scored = search_documents(memories.index, memories.view(), query, vectors=vectors)
                told.append([one.hit.document.content for one in scored if one.score > _APART])
            nothing = memories.view(Filter(tag="nothing"))
            query = Query(question, 5, mode="hybrid")
            assert search_documents(memories.index, nothing, query, vectors=vectors) == []
        answers.append(told)
    assert answers[0] == answers[1]


def test_what_says_the_same_stands_behind(store: Store) -> None:
    memories = store.open()
    for text in ("alpha beta gamma", "alpha beta gamma", "alpha beta gamma delta epsilon zeta"):
        memories.remember(text, kind="decision")
    vectors = store.vectors(fresh(memories))
    numbers = [hit.number for hit in memories.index.live(memories.view())]
    assert vectors.near_duplicates(numbers, 0.97) == {min(numbers[1:])}


def test_a_star_finds_what_begins_so(store: Store) -> None:
    memories = store.open()
    memories.remember("configuration is read once")
    memories.remember("the conference room is taken")
    memories.remember("something else")
    fresh(memories)
    for question, count in (("conf*", 2), ("config*", 1), ("zz*", 0)):
        hits = memories.index.search(question, memories.view())
        assert (question, len(hits)) == (question, count)


def test_two_projects_do_not_mix(store: Store) -> None:
    one, two = store.open("one"), store.open("two")
    mine = one.remember("the secret word is mellon", kind="decision")
    two.remember("nothing secret here", kind="decision")
    assert contents(two) == ["nothing secret here"]
    assert found(two, "mellon") == []
    assert store.vectors(fresh(two)).nearest(
        store.vectors(fresh(one)).encode_query("mellon").vector, 9
    )
    with pytest.raises(NotFoundError):
        two.find(mine.id)
    # Asking one project's index for the sources of the other gives nothing of either.
    assert two.index.live(one.view()) == []
    assert two.index.search("mellon", one.view()) == []


CONTRACTS: list[tuple[type, tuple[type, type]]] = [
    (SearchIndex, (Index, TeamIndex)),
    (DocumentVectors, (Vectors, TeamVectors)),
    (RecordLedger, (Ledger, TeamLedger)),
    (MemoryLedgers, (Ledgers, TeamLedgers)),
]


def unlike(contract: type, made: type) -> list[str]:
    """Name the members of a contract that a class lacks or takes other parameters for."""
    found = []
    for name, member in vars(contract).items():
        if name.startswith("_"):
            continue
        answer = inspect.getattr_static(made, name, None)
        if isinstance(member, property):
            continue  # an attribute may answer it: see the test of open stores
        if not inspect.isfunction(answer):
            found.append(name)
            continue
        wanted = list(inspect.signature(member).parameters.values())
        given = list(inspect.signature(answer).parameters.values())
        more = given[len(wanted) :]
        same = [(one.name, one.kind) for one in wanted] == [
            (one.name, one.kind) for one in given[: len(wanted)]
        ]
        if not same or any(one.default is inspect.Parameter.empty for one in more):
            found.append(name)
    return found


@pytest.mark.parametrize(("contract", "classes"), CONTRACTS)
def test_files_and_server_answer_the_same_contract(
    contract: type, classes: tuple[type, type]
) -> None:
    assert [unlike(contract, made) for made in classes] == [[], []]
    files, server = classes
    assert not issubclass(server, files), "a server's class pretends to be a file's"


def test_a_class_that_lacks_a_method_or_a_parameter_is_noticed() -> None:
    class Short(Ledger):
        append_new = None  # type: ignore[assignment]

        def append(self) -> list[Record]:  # type: ignore[override]
            return []

    assert sorted(unlike(RecordLedger, Short)) == ["append", "append_new"]


def test_what_is_open_has_every_attribute_of_its_contract(store: Store) -> None:
    memories = store.open()
    memories.remember("a decision", kind="decision")
    opened = {
        SearchIndex: fresh(memories).index,
        DocumentVectors: store.vectors(memories),
        RecordLedger: memories.ledgers.private("decision"),
        MemoryLedgers: memories.ledgers,
    }
    missing = [
        (contract.__name__, name)
        for contract, made in opened.items()
        for name in {*vars(contract), *getattr(contract, "__annotations__", {})}
        if not name.startswith("_") and not hasattr(made, name)
    ]
    assert missing == []
    assert memories.ledgers.tracked is None
    assert [one.path for one in memories.ledgers.files()] == [
        one.path for one in memories.ledgers.every_private() if isinstance(one, Ledger)
    ]
