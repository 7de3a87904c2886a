"""What a project and its servers do in their life, for tests that look at each statement of it."""

from collections.abc import Iterable, Sequence

from conformance.stores import WordHashes
from satchel.application.exchange import publishing
from satchel.application.exchange.publishing import publish, published_counts, published_messages
from satchel.application.forgetting import on_server
from satchel.application.forgetting.choosing import keeps_its_words
from satchel.application.forgetting.matching import TraceMatcher
from satchel.application.forgetting.places import Rules
from satchel.core.clock import FixedClock
from satchel.core.hashing import digest
from satchel.core.times import DAY
from satchel.engine.search.documents import Filter, View
from satchel.engine.search.records import parse_line
from satchel.engine.search.team.index import TeamIndex
from satchel.engine.search.team.purging import drop_unheld, purge_team
from satchel.engine.search.team.vectors import EXACT, TeamVectors
from satchel.engine.search.vector_scoring import Floats
from satchel.features.access.audit import AuditEntry, AuditLog
from satchel.features.access.browser_sessions import BrowserSessions
from satchel.features.access.idempotency import RequestName, StoredResponse
from satchel.features.access.secrets import hash_of
from satchel.features.access.shared_idempotency import SharedIdempotency
from satchel.features.access.users import ANY, READER, UserStore
from satchel.features.memories.service import Limits, Memories
from satchel.features.memories.team_ledgers import TeamLedgers
from satchel.features.proposals.queue import Queue
from satchel.features.proposals.values import Scan
from satchel.features.sessions.shared import SharedSessions
from satchel.features.sessions.store import SessionStore
from satchel.features.sessions.values import START, Message, Session
from satchel.project.place import Place
from satchel.project.server_database import SERVER, ServerDatabase
from satchel.project.server_documents import SharedDocuments
from satchel.project.server_ledgers import SharedLedger
from satchel.project.shared_state import SharedState
from satchel.storage.database.contract import Row, Statement, TeamDatabase, Value
from satchel.storage.database.postgresql import PostgresDatabase
from satchel.storage.database.queries import load_queries
from satchel.storage.ledger.team import TeamLedger, array_of
from satchel.storage.paths import SessionsState, UserHome


class Watched(PostgresDatabase):
    """A database that tells of each statement before it is run."""

    def told(self, sql: str, values: Sequence[Value]) -> None:
        """For tests to replace."""

    def _answers(self, asked: Sequence[Statement]) -> list[list[Row]]:
        for sql, values in asked:
            self.told(sql, values)
        return super()._answers(asked)

    def write_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
        every = list(rows)
        if every:
            self.told(sql, every[0])
        super().write_many(sql, every)


def opened(database: PostgresDatabase, folder: str, project: str) -> Memories:
    index = TeamIndex(database, project, parse_line)
    state, clock = UserHome(folder).project_state(project), FixedClock()
    ledgers = TeamLedgers(index, clock=clock, state=state)
    return Memories(ledgers, index, clock, Limits())


def live(memories: Memories) -> None:
    """Do what a project does: write, search, count, embed, rebuild."""
    index, now = memories.index, memories.clock.now()
    assert isinstance(index, TeamIndex)
    made = [memories.remember(f"the quay {n} is swept", kind="decision") for n in range(4)]
    memories.edit(made[0].id, "the quay is swept at noon")
    memories.delete(made[1].id)
    vectors = index.vectors(WordHashes(), lambda texts: [b"\1" * 48] * len(texts))
    embed(vectors)
    sources, only = memories.sources, Filter(kinds=("decision",), since=1)
    for question in ("quay swept", '"is swept" qua*'):
        assert index.search(question, View(sources, now, only))
    for few in (sources, sources[:1]):
        index.search("quay", View(few, now))
        index.live(View(few, now))
        index.counts(View(few, now))
    for text, count in (("at noon", 1), ("quay", 3), ("100%", 0)):
        assert len(index.live(View(sources, now, Filter(naming=text)))) == count
    index.latest(sources)
    index.with_id(made[0].id[:6], sources)
    index.versions_with_id(made[0].id[:6], sources)
    index.history(made[0].identity, sources)
    index.replacing([made[0].id], View(sources, now))
    index.nearest_codes(b"\1" * 48, 5)
    index.code_likeness(b"\1" * 48, [1, 2])
    index.search_near("quay", b"\1" * 48, View(sources, now, only), limit=5, nearest=5)
    vectors.nearest(WordHashes().embed(["quay"])[0], 3)
    index.waits_for_vectors()
    index.vector_counts()
    index.hashes()
    index.damage()
    ledger = memories.ledgers.private("decision")
    ledger.look()  # type: ignore[attr-defined]
    raws = list(ledger.raws())  # type: ignore[attr-defined]
    ledger.append_lines(raws)  # type: ignore[attr-defined]
    index.rebuild()
    index.problems()


def live_rarely(memories: Memories) -> None:
    """Do what a project seldom does: publish, forget, count what is not shared."""
    index, now = memories.index, memories.clock.now()
    assert isinstance(index, TeamIndex)
    database, project, sources = index.database, index.project, memories.sources
    for subject in ("task", "message"):
        assert publish(database, project, subject, {"p-1": {"title": "the quay"}}, now) == 1
    publishing.name_project(database, project, "the quay")
    assert published_counts(database, project)
    assert list(published_messages(database, project))
    live = index.live(View(sources, now))
    numbers = [one.number for one in live]
    index.size()
    index.live_numbers(View(sources, now))
    index.documents_in_rows(numbers, View(sources, now))
    index.neighbours(numbers, View(sources, now))
    index.count_unshared(sources[:1], View(sources, now, Filter()))
    index.held([one.document.identity for one in live])
    index.lines_of([one.document.identity for one in live])
    index.search('"the quay"', View(sources, now))
    vectors, vector = index.vectors(WordHashes()), WordHashes().embed(["quay"])[0]
    vectors.waiting()
    vectors.held()
    vectors.cosines(vector, numbers)
    vectors.near_duplicates(numbers, 0.5)
    embedded_rarely(vectors, vector, numbers)
    ledgers = memories.ledgers
    assert isinstance(ledgers, TeamLedgers)
    ledgers.held()
    ledger = ledgers.private("decision")
    held = [line.record for line in ledger.read() if line.record is not None]
    ledger.held_marks([digest(raw) for raw in ledger.raws()])
    ledger.append_new(held[:1])
    forget(database, project, ledger, live[0].document.id)
    index.rebuild()
    purge_team([ledger], now=now + 60 * DAY, after_days=30)
    drop_unheld(database, project)
    embed(vectors)


def embed(vectors: TeamVectors) -> None:
    """Make every vector; a rebuild has taken them away."""
    while vectors.embed_waiting():
        pass


def embedded_rarely(vectors: TeamVectors, vector: Floats, numbers: list[int]) -> None:
    """Ask as a large project with a real model does, which the tests' model is not."""
    embed(vectors)
    vectors._size = 2 * EXACT
    assert vectors.nearest(vector, 3)
    vectors.database.write_many(vectors._sql["count_piece"], [(*vectors._mine, 7, 1)])
    assert vectors._piece_counts([7])
    vectors._passage_count()
    vectors._token_rows(vector, numbers)


def forget(database: TeamDatabase, project: str, ledger: TeamLedger, ident: str) -> None:
    """Take back what is published, and a memory's lines."""
    rules = Rules(TraceMatcher(()), lambda one: one.id == ident, keeps_its_words, 5)
    assert on_server.forget_lines(ledger, rules)
    sql = load_queries(publishing.__file__, "publishing.sql")
    database.write_rows(sql["put_newer"], [("p-2", "{}")], (project, "task", 5))
    database.write(sql["drop"], (project, "task", array_of(["p-2"])))
    sql = load_queries(on_server.__file__, "on_server.sql")
    for name in ("published", "answers", "hold", "sessions"):
        database.read(sql[name], (project,))
    assert database.write(sql["drop_session"], (project, "none")) == 0
    database.write(sql["reword_session"], (project, "session", "none", b"{}"))
    database.write(sql["take_back"], (project, "message", array_of(["p-2"])))
    database.write(sql["drop_answers"], (project, array_of(["none"])))


def share_state(database: ServerDatabase, folder: str) -> None:
    """Do what servers do with what they know of a project."""
    state = SharedState(database, Place("/", "", "", "one"), FixedClock())
    Queue(state.ledger("proposals")).note_scan(Scan("s", "source", "mark", {}, 1))
    store = SessionStore(SharedSessions(state, SessionsState(folder)), FixedClock())
    made = store.new(Session("", title="Move the relay"))
    store.move(made.id, START)
    store.say(made.id, Message("user", "Drain it first"))
    assert store.place.sources()
    assert store.find(made.id).metrics.messages == len(store.messages(made.id)) == 1
    assert store.size()
    assert [one.id for one in store.every()] == [made.id]
    assert state.stamp()[0] == 1


def serve(database: ServerDatabase, folder: str) -> None:
    """Do what servers do for themselves."""
    clock = FixedClock()
    share_state(database, folder)
    book = UserStore(SharedLedger(database, "access", clock))
    book.add("ann", READER, ANY)
    assert book.with_hash(hash_of(book.issue("ann")))
    AuditLog(SharedLedger(database, "audit", clock)).note(AuditEntry("ann", "GET", "/", 200))
    sessions = BrowserSessions(SharedDocuments(database, SERVER, "session", 60))
    session = sessions.begin("token", "browser")
    assert sessions.token_of(session, "browser") == "token"
    sessions.end(session)
    answers = SharedDocuments(database, "one", "answer", 60)
    once = SharedIdempotency(lambda _: answers).once
    name = RequestName("one", "ann", "POST", "/memory", "key")
    for _ in range(2):
        assert once(name, "a", lambda _: StoredResponse(201, 1)).value == 1
    answers.renew("name", "me")
    answers.release("name", "me")
    answers.touch("name")
    answers.sweep()
