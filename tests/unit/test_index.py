"""The index follows its files, whatever happens to them."""

import hashlib
import os
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reliability.stand import scale
from satchel.core.clock import FixedClock
from satchel.core.ids import derived_ulid
from satchel.engine.search.documents import Filter, Hit, Source, View
from satchel.engine.search.index import Index
from satchel.engine.search.records import parse_line
from satchel.storage.database.sqlite import SqliteDatabase
from satchel.storage.ledger.lines import encode
from satchel.storage.ledger.record import Record
from unit.records import records

NOW = FixedClock().now()


def open_index(tmp_path: Path, name: str = "index.db") -> Index:
    return Index(SqliteDatabase(str(tmp_path / name)), parse_line)


def line(key: str, content: str, ts: int = 1, **fields: object) -> bytes:
    ident = derived_ulid(ts * 1000, hashlib.sha256(f"{key}/{content}".encode()).digest())
    record = Record(kind="learned", key=key, content=content, ts=ts, id=ident)
    return encode(record._replace(**fields))  # type: ignore[arg-type]


def shown(index: Index, sources: list[Source]) -> list[str]:
    index.catch_up(sources)
    return sorted(h.document.content for h in index.live(View(sources, NOW)))


def replaced(path: str, data: bytes) -> None:
    Path(path + ".new").write_bytes(data)
    os.replace(path + ".new", path)


def appended(path: str, data: bytes) -> None:
    with open(path, "ab") as file:
        file.write(data)


class Overtaken(Index):
    """An index that another process adds a source to, after it has looked which ones there are."""

    other: Callable[[], object]

    def _visible(self, sources: Sequence[Source]) -> tuple[str, bool]:
        seen = super()._visible(sources)
        self.other()
        return seen


def test_a_source_that_is_indexed_within_a_question_is_not_shown_without_its_name(
    tmp_path: Path,
) -> None:
    first, late = Source(str(tmp_path / "a.jsonl"), "own"), Source(str(tmp_path / "b.jsonl"), "b")
    Path(first.path).write_bytes(line("a", "alpha one"))
    index = Overtaken(SqliteDatabase(str(tmp_path / "index.db")), parse_line)
    index.other = lambda: None
    index.catch_up([first])

    def overtake() -> None:
        appended(late.path, line("b", "alpha two"))
        open_index(tmp_path).catch_up([first, late])

    def labels(hits: list[Hit]) -> list[tuple[str, str]]:
        return [(hit.document.content, hit.path) for hit in hits]

    ways: dict[str, Callable[[], list[Hit]]] = {
        "search": lambda: index.search("alpha", View([first], NOW)),
        "live": lambda: index.live(View([first], NOW)),
        "latest": lambda: index.latest([first]),
        "numbered": lambda: index.documents_in_rows([1, 2], View([first], NOW)),
    }
    for name, ask in ways.items():
        Path(late.path).unlink(missing_ok=True)
        open_index(tmp_path).catch_up([first, late])
        index.other = overtake
        assert labels(ask()) == [("alpha one", first.path)], name
        index.other = lambda: None


FIRST = line("a", "alpha") + line("b", "beta")
CHANGES: dict[str, tuple[Callable[[str], object], list[str]]] = {
    "an append": (lambda p: appended(p, line("c", "gamma")), ["alpha", "beta", "gamma"]),
    "a newer version": (
        lambda p: appended(p, line("a", "alpha two", 2)),
        ["alpha two", "beta"],
    ),
    "a hand edit in the middle": (
        lambda p: Path(p).write_bytes(FIRST.replace(b"alpha", b"ALPHA")),
        ["ALPHA", "beta"],
    ),
    "a line less at the end": (lambda p: os.truncate(p, len(line("a", "alpha"))), ["alpha"]),
    "a line less at the start": (lambda p: Path(p).write_bytes(line("b", "beta")), ["beta"]),
    "nothing left": (lambda p: os.truncate(p, 0), []),
    "the file is gone": (os.unlink, []),
    "another file of the same size": (
        lambda p: replaced(p, FIRST.replace(b"beta", b"zeta")),
        ["alpha", "zeta"],
    ),
    "a half line at the end": (
        lambda p: appended(p, b'{"type":"lear'),
        ["alpha", "beta"],
    ),
    "a last line without a newline": (
        lambda p: appended(p, line("c", "gamma")[:-1]),
        ["alpha", "beta", "gamma"],
    ),
    "lines in another order, twice": (
        lambda p: Path(p).write_bytes(line("b", "beta") * 2 + line("a", "alpha") * 2),
        ["alpha", "beta"],
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_reading_catches_up_with(tmp_path: Path, name: str) -> None:
    change, expected = CHANGES[name]
    path = str(tmp_path / "k.jsonl")
    Path(path).write_bytes(FIRST)
    sources, index = [Source(path, "private")], open_index(tmp_path)
    assert shown(index, sources) == ["alpha", "beta"]
    change(path)
    assert shown(index, sources) == expected
    assert index.problems() == []


def test_a_change_that_keeps_size_and_time_is_noticed_by_its_change_time(tmp_path: Path) -> None:
    path = str(tmp_path / "k.jsonl")
    Path(path).write_bytes(FIRST)
    sources, index = [Source(path, "private")], open_index(tmp_path)
    shown(index, sources)
    status = os.stat(path)
    Path(path).write_bytes(FIRST.replace(b"beta", b"zeta"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert shown(index, sources) == ["alpha", "zeta"]


def test_a_last_line_without_newline_that_is_changed_leaves_nothing_of_the_old_one(
    tmp_path: Path,
) -> None:
    path = str(tmp_path / "k.jsonl")
    sources, index = [Source(path, "private")], open_index(tmp_path)
    Path(path).write_bytes(FIRST[:-1])
    assert shown(index, sources) == ["alpha", "beta"]
    Path(path).write_bytes(line("a", "alpha") + line("c", "gamma")[:-1])
    assert shown(index, sources) == ["alpha", "gamma"]


def test_lines_that_move_from_one_source_to_another_stay(tmp_path: Path) -> None:
    path, archive = str(tmp_path / "k.jsonl"), str(tmp_path / "k.archive.jsonl")
    sources, index = [Source(path, "private"), Source(archive, "private")], open_index(tmp_path)
    Path(path).write_bytes(FIRST + line("c", "gamma"))
    assert shown(index, sources) == ["alpha", "beta", "gamma"]
    Path(archive).write_bytes(line("a", "alpha"))
    Path(path).write_bytes(line("b", "beta") + line("c", "gamma"))
    assert shown(index, sources) == ["alpha", "beta", "gamma"]
    Path(archive).write_bytes(line("a", "alpha") + line("b", "beta"))
    Path(path).write_bytes(line("c", "gamma"))
    assert shown(index, sources) == ["alpha", "beta", "gamma"]
    assert [h.document.content for h in index.search("beta", View(sources, NOW))] == ["beta"]


def test_damaged_lines_are_noted_where_they_stand_until_they_are_mended(tmp_path: Path) -> None:
    path = str(tmp_path / "k.jsonl")
    Path(path).write_bytes(line("a", "alpha") + b"<<<<<<< HEAD\n" + line("b", "beta"))
    sources, index = [Source(path, "private")], open_index(tmp_path)
    assert shown(index, sources) == ["alpha", "beta"]
    (damage,) = index.damage()
    assert (damage.line, damage.raw.strip(), damage.path) == (2, b"<<<<<<< HEAD", path)
    Path(path).write_bytes(FIRST)
    shown(index, sources)
    assert index.damage() == []


HOSTILE = [
    b'{"type":"learned","content":"\\ud800"}',
    b'{"type":"learned","content":"x","ts":1e300}',
    b'{"type":"learned","content":"x","rev":99999999999999999999999999}',
    b'{"type":"learned","content":"x","expires_at":1e40}',
    b'{"type":"learned","content":"x","ts":-99999999999999999999}',
    b'{"type":"learned","content":"x","valid_to":"9999-12-31T23:59:59-14:00"}',
    b'{"type":"learned","content":"a\\u0000b","tags":{"a":[1]}}',
    b'{"type":["learned"],"content":{"b":1},"key":5,"data":[1],"id":7}',
    b'{"type":"learned","content":"x","\\udfff":1}',
    b'{"type":"learned","content":"x","id":"\\ud83d"}',
    b"\x00" * 50,
]


@pytest.mark.parametrize("raw", HOSTILE)
def test_no_line_keeps_the_others_from_being_indexed(tmp_path: Path, raw: bytes) -> None:
    path = str(tmp_path / "k.jsonl")
    Path(path).write_bytes(line("a", "alpha") + raw + b"\n" + line("b", "beta"))
    sources, index = [Source(path, "private")], open_index(tmp_path)
    assert {"alpha", "beta"} <= set(shown(index, sources))
    assert len(index.damage()) + len(index.latest(sources)) == 3


def visible(hits: list[Hit]) -> list[tuple[object, ...]]:
    return [(h.document.identity, h.document.hash, h.document.content) for h in hits]


@settings(max_examples=30, deadline=None)
@given(
    held=st.lists(records(), min_size=1, max_size=12),
    order=st.randoms(use_true_random=False),
)
def test_the_same_lines_in_any_order_any_number_of_times_in_two_files_are_the_same_memories(
    tmp_path_factory: pytest.TempPathFactory, held: list[Record], order: random.Random
) -> None:
    tmp_path = tmp_path_factory.mktemp("i")
    lines = [encode(record) for record in held]
    one, two = str(tmp_path / "one.jsonl"), str(tmp_path / "two.jsonl")
    Path(one).write_bytes(b"".join(lines))
    plain, mixed = open_index(tmp_path, "plain.db"), open_index(tmp_path, "mixed.db")
    sources = [Source(one, "private")]
    plain.catch_up(sources)
    doubled = lines + order.choices(lines, k=len(lines))
    order.shuffle(doubled)
    half = order.randint(0, len(doubled))
    other = str(tmp_path / "other.jsonl")
    Path(other).write_bytes(b"".join(doubled[:half]))
    Path(two).write_bytes(b"".join(doubled[half:]))
    pair = [Source(other, "private"), Source(two, "tracked")]
    mixed.catch_up(pair)
    mixed.catch_up(pair)
    assert visible(plain.latest(sources)) == visible(mixed.latest(pair))
    assert visible(plain.live(View(sources, NOW))) == visible(mixed.live(View(pair, NOW)))
    # Latest is the greatest version, by the value's own word and not only by SQL's.
    newest: dict[str, Record] = {}
    for raw in lines:
        document = parse_line(raw)
        assert not isinstance(document, str)
        record = next(r for r, e in zip(held, lines, strict=True) if e == raw)
        record = record._replace(hash=document.hash)
        known = newest.get(record.identity)
        if known is None or record.version > known.version:
            newest[record.identity] = record
    # A tombstone ends what has its id, also under another key: what is left after a purge has one.
    ended = [one for one in held if one.deleted_at is not None]
    left = {
        one.hash
        for one in newest.values()
        if not any(end.id == one.id and (end.ts, end.rev) > (one.ts, one.rev) for end in ended)
    }
    assert {h.document.hash for h in plain.latest(sources)} == left


@settings(max_examples=15, deadline=None)
@given(steps=st.lists(st.sampled_from(["append", "edit", "cut", "move"]), max_size=8),
       seed=st.randoms(use_true_random=False))  # fmt: skip
def test_an_index_that_followed_every_change_equals_one_built_anew(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str], seed: random.Random
) -> None:
    tmp_path = tmp_path_factory.mktemp("i")
    paths = [str(tmp_path / "one.jsonl"), str(tmp_path / "two.jsonl")]
    for path in paths:
        Path(path).write_bytes(FIRST)
    sources = [Source(path, "private") for path in paths]
    index = open_index(tmp_path)
    for number, step in enumerate(["start", *steps]):
        path = seed.choice(paths)
        lines = Path(path).read_bytes().splitlines(keepends=True)
        if step == "append":
            lines.append(line(seed.choice("abcd"), f"new {number}", seed.randint(1, 40)))
        elif step == "edit" and lines:
            lines[seed.randrange(len(lines))] = line(seed.choice("abcd"), f"edit {number}", 3)
        elif step == "cut":
            lines = lines[: len(lines) // 2]
        elif step == "move":
            other = paths[1 - paths.index(path)]
            with open(other, "ab") as file:
                file.write(b"".join(lines))
            lines = []
        Path(path).write_bytes(b"".join(lines))
        index.catch_up(sources)
    fresh = open_index(tmp_path, "fresh.db")
    fresh.catch_up(sources)
    assert visible(index.latest(sources)) == visible(fresh.latest(sources))
    question = "alpha new edit 3"
    assert visible(index.search(question, View(sources, NOW))) == visible(
        fresh.search(question, View(sources, NOW))
    )
    assert index.hashes() == fresh.hashes()
    assert index.problems() == []


_WATCHED: list[list[str]] = []


def _audit(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and _WATCHED:
        _WATCHED[-1].append(str(arguments[0]))


@pytest.mark.torture
def test_unchanged_files_cost_one_stat_each_and_no_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = scale(1_000, 10_000)
    old = int(NOW - 1000) * 10**9
    sources = []
    for number in range(files):
        path = str(tmp_path / f"{number}.jsonl")
        Path(path).write_bytes(line(f"k{number}", f"lesson {number}"))
        os.utime(path, ns=(old, old))
        sources.append(Source(path, "private"))
    index = open_index(tmp_path)
    assert index.catch_up(sources).added == files
    stats: list[object] = []
    real = os.stat

    def counting(path: str, **options: object) -> os.stat_result:
        stats.append(path)
        return real(path, **options)  # type: ignore[arg-type]

    opens: list[str] = []
    sys.addaudithook(_audit)
    monkeypatch.setattr(os, "stat", counting)
    _WATCHED.append(opens)
    try:
        done = index.catch_up(sources)
    finally:
        _WATCHED.pop()
    assert done.read == 0
    assert [path for path in opens if path.endswith(".jsonl")] == []
    assert sorted(map(str, stats)) == sorted(source.path for source in sources)
    with open(sources[17].path, "ab") as file:
        file.write(line("k", "one more"))
    assert index.changed(sources) == [sources[17].path]


def test_sources_that_are_not_asked_for_are_not_seen(tmp_path: Path) -> None:
    mine, theirs = Source(str(tmp_path / "m"), "tracked"), Source(str(tmp_path / "t"), "tracked")
    Path(mine.path).write_bytes(line("a", "mine", 1))
    Path(theirs.path).write_bytes(line("a", "theirs", 2))
    index = open_index(tmp_path)
    index.catch_up([mine, theirs])
    assert shown(index, [mine]) == ["mine"]
    assert shown(index, [theirs]) == ["theirs"]
    assert shown(index, [mine, theirs]) == ["theirs"]


def test_a_live_document_is_found_behind_any_number_of_dead_ones(tmp_path: Path) -> None:
    path = str(tmp_path / "k.jsonl")
    dead = [line(f"d{i}", "needle", expires_at=1) for i in range(6000)]
    Path(path).write_bytes(b"".join(dead) + line("a", "a needle in quite a long haystack of words"))
    index, sources = open_index(tmp_path), [Source(path, "private")]
    index.catch_up(sources)
    (hit,) = index.search("needle", View(sources, NOW), limit=3)
    assert hit.document.identity.endswith(":a")


@settings(max_examples=60, deadline=None)
@given(
    st.text() | st.sampled_from(['"', "a AND", "NEAR(", "*", "col:x", "\x00", '"a b" c', "(", "-a"])
)
def test_no_question_is_ever_read_as_query_syntax(
    tmp_path_factory: pytest.TempPathFactory, question: str
) -> None:
    index = open_index(tmp_path_factory.mktemp("q"))
    index.search(question, View([], NOW, Filter(kinds=("learned",))))
