"""T24: stores of every schema that there was go up; those of a newer release are not touched.

What is durable has had one form, lines, since the first release: nothing of it is migrated, and its
bytes must be the same afterwards. Databases are derived and rebuilt. The server's migrations
are tested in `tests/migration`.
"""

import json
import os
import shutil
from collections.abc import Iterator

import pytest

from reliability.filling import use_model
from reliability.stand import FULL, Stand, say, scale
from reliability.stores_of_releases import (
    GHOST,
    NEWER,
    SUBJECTS,
    Release,
    make_store,
    older_releases,
    schema_of,
    version_in,
)
from satchel.application.exchange.backups.vault import Vault
from satchel.core.errors import ConflictError
from satchel.core.hashing import is_whole, sealed
from satchel.storage.database import versions
from satchel.storage.ledger.lines import decode
from satchel.workspace import Workspace

pytestmark = pytest.mark.torture
#: Lines as beads memory's own scripts write them, and as they come from another program.
_BEADS_MEMORY_LINES = (
    b'{"key":"learned-old-way","type":"learned","content":"The old way of writing lines still '
    b'holds.","source":"orchestrator","tags":["learned"],"ts":1700000000,"bead":"bd-1"}\n'
    b'{"key":"k","type":"investigation","content":"Another program looked into it.","ts":1700000001}'
    b"\n"
)
_LESSON = "Lint before pushing the branch"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Stand:
    """One project with everything derived."""
    stand = Stand(os.fspath(tmp_path_factory.mktemp("made")))
    assert stand.satchel("learn", _LESSON).code == 0
    assert stand.satchel("remember", "--kind", "decision", "PostgreSQL holds the orders").code == 0
    gone = json.loads(stand.satchel("learn", "Taken back", "--json").out)["id"]
    assert stand.satchel("memory", "delete", gone, "--yes").code == 0
    with open(stand.state.ledger("knowledge"), "ab") as file:
        file.write(_BEADS_MEMORY_LINES)
    assert stand.satchel("task", "create", "Mend the roof").code == 0
    with open(os.path.join(stand.repo, "roof.py"), "w", encoding="utf-8") as file:
        file.write("def mend_roof():\n    return 1\n")
    for words in (("graph", "rebuild"), ("code", "find", "mend_roof"), ("task", "ready")):
        done = stand.satchel(*words)
        assert done.code == 0, done.text
    return stand


@pytest.fixture(scope="module")
def right(made: Stand) -> list[str]:
    """What everybody is told of the project as it was made."""
    return answers(made)


@pytest.fixture
def stand(made: Stand, tmp_path: os.PathLike[str]) -> Iterator[Stand]:
    """The project as it was made. It stays where it is: the registry knows it by its place."""
    kept = os.path.join(tmp_path, "home")
    shutil.copytree(made.home, kept)
    yield made
    shutil.rmtree(made.home)
    shutil.copytree(kept, made.home)


def store_of(stand: Stand, subject: str) -> str:
    if subject == "search":
        return stand.state.index
    if subject == "graph":
        return stand.state.graph
    folder = stand.state.code_maps if subject == "code" else stand.state.derived("tasks")
    (name,) = [name for name in os.listdir(folder) if name.endswith(".db")]
    return os.path.join(folder, name)


def ledgers(stand: Stand) -> dict[str, bytes]:
    found = {}
    for name in sorted(os.listdir(stand.state.ledgers)):
        with open(os.path.join(stand.state.ledgers, name), "rb") as file:
            found[name] = file.read()
    return found


def answers(stand: Stand) -> list[str]:
    """What everybody who reads is told, and whatever is wrong with it."""
    found = []
    for words in (
        ("recall", "lint", "--memories", "--json"), ("recall", "old way", "--memories", "--json"),
        ("recall", GHOST, "--memories", "--json"), ("memory", "list", "--all", "--json"),
        ("graph", "search", "PostgreSQL", "--json"), ("task", "ready", "--json"),
        ("code", "find", "mend_roof", "--json"),
    ):  # fmt: skip
        done = stand.satchel(*words)
        assert done.code in (0, 4), done.text
        found.append(_timeless(json.loads(done.out or b"null")))
    return found


def _timeless(value: object) -> str:
    if isinstance(value, dict):
        kept = {k: _timeless(v) for k, v in value.items() if "seconds" not in k and k != "age"}
        return json.dumps(kept, sort_keys=True)
    if isinstance(value, list):
        return json.dumps([_timeless(one) for one in value])
    return json.dumps(value)


def index_is_the_ledger(stand: Stand) -> None:
    """Row hashes of the index are those of the lines."""
    with stand.workspace() as workspace:
        workspace.refresh()
        held = workspace.memories.own.index.hashes()
        lines = ledgers(stand)["knowledge.jsonl"].splitlines()
        there = {record.hash for raw in lines if (record := decode(raw).record) is not None}
        assert held[stand.state.ledger("knowledge")] == there
        assert workspace.memories.own.index.problems() == []
        use_model(workspace)
        assert workspace.embed(patience=10).left == 0
        assert not workspace.memories.own.index.waits_for_vectors()


@pytest.mark.parametrize("release", older_releases(), ids=lambda r: f"{r.subject}-{r.version}")
def test_a_store_of_each_release_goes_up(right: list[str], stand: Stand, release: Release) -> None:
    fresh = schema_of(store_of(stand, release.subject))
    before, path = ledgers(stand), store_of(stand, release.subject)
    assert make_store(path, release) >= 1
    with open(path, "rb") as file:
        old = file.read()
    assert answers(stand) == right
    assert schema_of(path) == fresh
    assert version_in(path) == SUBJECTS[release.subject][0]
    assert ledgers(stand) == before
    index_is_the_ledger(stand)
    if release.subject in ("search", "graph"):
        with open(path + ".damaged", "rb") as file:
            assert file.read() == old, "the older one is kept beside, as it was"
    say("T24", 1, f"{release.subject} of schema {release.version}: rows, schema and ledgers equal")


@pytest.mark.parametrize("subject", ["search", "graph", "tasks"])
def test_killed_at_a_statement_on_the_way_up_the_next_one_finishes(
    right: list[str], stand: Stand, subject: str
) -> None:
    fresh = schema_of(store_of(stand, subject))
    before, path = ledgers(stand), store_of(stand, subject)
    oldest = next(r for r in older_releases() if r.subject == subject)
    step, number, kills = scale(23, 1), 0, 0
    while True:
        make_store(path, oldest)
        with stand.start("upgrader", stand.repo, stand.home, number) as process:
            code = process.wait(timeout=120)
        assert ledgers(stand) == before
        if code == 0:
            break
        assert code == 9
        kills += 1
        number += step
        if FULL or kills % 3 == 1:
            assert answers(stand) == right, f"killed at statement {number - step}"
            assert schema_of(path) == fresh
    assert kills >= 3
    assert answers(stand) == right
    say("T24", kills, f"{subject}: killed at every {step}. statement, the next reader finishes")


@pytest.mark.parametrize("subject", sorted(SUBJECTS))
def test_a_newer_store_is_read_around_and_not_written(
    right: list[str], stand: Stand, subject: str
) -> None:
    path = store_of(stand, subject)
    make_store(path, Release(subject, NEWER))
    with open(path, "rb") as file:
        newer = file.read()
    assert answers(stand) == right
    for words in (("learn", "One more lesson"), ("rebuild",), ("upkeep", "all"), ("stats",)):
        done = stand.satchel(*words)
        assert done.code == 0, done.text
    told = stand.satchel("doctor")
    assert subject != "search" or "newer Satchel" in told.text
    with open(path, "rb") as file:
        assert file.read() == newer, "an older release wrote to it"
    assert not os.path.exists(path + ".damaged")
    found = json.loads(stand.satchel("recall", "one more lesson", "--memories", "--json").out)
    assert found["items"][0]["content"] == "One more lesson"


def test_the_way_down_is_a_backup(right: list[str], stand: Stand) -> None:
    """A newer release has been here; its backup, and what it derived, do not stand in the way."""
    before = ledgers(stand)
    assert stand.satchel("backup", stand.path("kept")).code == 0
    assert stand.satchel("learn", "Learnt under the newer release").code == 0
    path = stand.state.index
    make_store(path, Release("search", NEWER))
    done = stand.satchel("restore", "latest", "--from", stand.path("kept"), "--yes")
    assert done.code == 0, done.text
    assert version_in(path) == SUBJECTS["search"][0]
    assert ledgers(stand) == before
    for words in (("graph", "rebuild"), ("code", "rebuild")):
        assert stand.satchel(*words).code == 0
    assert answers(stand) == right


def test_a_backup_of_a_newer_form_is_refused(stand: Stand) -> None:
    place = stand.path("newer")
    assert stand.satchel("backup", place).code == 0
    path = os.path.join(place, "satchel-backups.json")
    with open(path, "rb") as file:
        line = file.read()
    assert is_whole(line.rstrip())
    with open(path, "wb") as file:
        file.write(sealed('{"format":2}')[0] + b"\n")
    told = stand.satchel("backup", place)
    assert told.code == 7
    assert "format 2" in told.text
    with pytest.raises(ConflictError):
        Vault(place).prepare()
    assert len(os.listdir(os.path.join(place, "backups"))) == 1


def test_a_schema_that_was_changed_without_its_number_is_caught(stand: Stand) -> None:
    """Seeded: an index has something more, and the number of ours."""
    fresh = schema_of(stand.state.index)
    release = Release("search", SUBJECTS["search"][0])
    make_store(stand.state.index, release, more="CREATE INDEX stray ON documents (id);")
    answers(stand)
    assert schema_of(stand.state.index) != fresh


def test_a_release_that_writes_to_a_newer_store_is_caught(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded: whatever has another number is set aside, newer or not."""
    from satchel.core.errors import NotReadableError

    def careless(found: str, ours: str, what: str) -> None:
        if found != ours:
            raise NotReadableError(what)

    make_store(stand.state.index, Release("search", NEWER))
    monkeypatch.setattr(versions, "check_version", careless)
    with Workspace.open(stand.repo, home=stand.home) as workspace:
        workspace.refresh()
    assert version_in(stand.state.index) != NEWER
