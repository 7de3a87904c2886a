"""`satchel recall --method`: every method in real processes, with the model and without it."""

from __future__ import annotations

import os
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from integration.installed import Machine, as_ordinary_user, needs_command
from ordinary_user import reachable_directory

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
needs_model = pytest.mark.skipif(
    find_spec("satchel_models") is None, reason="the built-in model is not installed"
)

METHODS = ("keyword", "fast", "hybrid", "semantic")
LESSONS = (
    "Run the linter before pushing to main.",
    "The cache is cold after a restart, so warm it up.",
    "Ports of services are listed in the harbour table.",
    "Customers are invoiced on the first of each month.",
)
#: No word of it is in the lesson it asks for.
IN_OTHER_WORDS = "when do clients get billed"
#: Keeps Python from finding the package with the built-in model.
_BLOCK = """\
import sys


class Nowhere:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "satchel_models":
            raise ModuleNotFoundError(name)


sys.meta_path.insert(0, Nowhere())
"""


@pytest.fixture
def app(machine: Machine) -> Path:
    path = machine.repository()
    for lesson in LESSONS:
        machine.ok("learn", lesson, at=path)
    return path


def without_model(directory: Path) -> dict[str, str]:
    place = directory / "nowhere"
    place.mkdir(exist_ok=True)
    (place / "sitecustomize.py").write_text(_BLOCK)
    return {"PYTHONPATH": str(place)}


def contents(found: Any) -> list[str]:
    return [item["content"] for item in found["items"]]


@pytest.mark.parametrize("method", METHODS)
def test_an_empty_project_answers_that_there_is_nothing(machine: Machine, method: str) -> None:
    path = machine.repository()
    assert "Nothing found" in machine.ok("recall", "anything at all", "--method", method, at=path)


@pytest.mark.parametrize("embedded", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_every_method_finds_what_shares_the_words(
    machine: Machine, app: Path, method: str, *, embedded: bool
) -> None:
    if embedded:
        machine.ok("upkeep", "embed", at=app)
    found = machine.json("recall", "why is the cache cold", "--method", method, at=app)
    assert contents(found)[0] == LESSONS[1]


@needs_model
def test_vectors_find_what_words_cannot(machine: Machine, app: Path) -> None:
    assert not contents(machine.json("recall", IN_OTHER_WORDS, "--method", "keyword", at=app))
    machine.ok("upkeep", "embed", at=app)
    for method in ("hybrid", "semantic"):
        found = contents(machine.json("recall", IN_OTHER_WORDS, "--method", method, at=app))
        assert found[:1] == [LESSONS[3]], method


@pytest.mark.parametrize("method", METHODS)
def test_what_is_about_something_else_is_not_found(
    machine: Machine, app: Path, method: str
) -> None:
    machine.ok("upkeep", "embed", at=app)
    said = machine.ok("recall", "how tall is the tallest volcano", "--method", method, at=app)
    assert said.startswith("Nothing found")


def test_weak_matches_are_told_of_and_shown_when_asked_for(machine: Machine, app: Path) -> None:
    machine.ok("upkeep", "embed", at=app)
    question = ("recall", "how do whales sing to their calves at night before winter")
    weak = machine.json(*question, "--method", "hybrid", "--weak", at=app)
    assert len(contents(weak)) == len(LESSONS)
    said = machine.ok(*question, "--method", "hybrid", at=app)
    assert said.startswith("Nothing found")
    assert "4 weak matches" in said


@pytest.mark.parametrize("method", METHODS)
def test_without_the_model_words_and_the_graph_answer(
    machine: Machine, app: Path, method: str
) -> None:
    absent = without_model(machine.directory)
    done = machine.run("recall", "cold cache", "--method", method, at=app, environment=absent)
    assert done.code == 0
    assert LESSONS[1] in done.out
    told = "built-in model is not installed" in done.err
    assert told == (method in ("hybrid", "semantic"))
    graph = machine.run("graph", "search", "cache", at=app, environment=absent)
    assert LESSONS[1].split(",")[0] in graph.out


def test_without_the_model_upkeep_says_so_and_does_the_rest(machine: Machine, app: Path) -> None:
    done = machine.run("upkeep", at=app, environment=without_model(machine.directory))
    assert done.code == 0
    assert "rotate:" in done.out
    assert "embed: The built-in model is not installed" in done.out


def test_without_the_model_no_process_is_started_again_and_again(
    machine: Machine, app: Path
) -> None:
    """What waits for vectors waits for ever then: one try in 30 s is enough."""
    more = without_model(machine.directory) | {"SATCHEL_EMBED_BACKGROUND": "1"}
    machine.run("recall", "cold cache", at=app, environment=more)
    lock = next(machine.home.glob(".satchel/projects/*/locks")) / "embed.lock"
    deadline = time.monotonic() + 20
    while not lock.exists():
        assert time.monotonic() < deadline, "the background process leaves no trace of its try"
        time.sleep(0.05)
    before = lock.stat().st_mtime_ns
    machine.run("recall", "cold cache", at=app, environment=more)
    assert lock.stat().st_mtime_ns == before


@needs_model
def test_a_recall_leaves_missing_vectors_to_a_process_of_its_own(
    machine: Machine, app: Path
) -> None:
    done = machine.run("recall", "cache", at=app, environment={"SATCHEL_EMBED_BACKGROUND": "1"})
    assert done.code == 0
    deadline = time.monotonic() + 30
    while "wait" in machine.json("stats", at=app)["vectors"]:
        assert time.monotonic() < deadline, "nobody made the vectors"
        time.sleep(0.2)
    assert machine.json("stats", at=app)["vectors"].startswith(f"{len(LESSONS)} of ")


@pytest.mark.parametrize("method", METHODS)
def test_a_home_that_cannot_be_written_is_still_read(method: str) -> None:
    with reachable_directory() as directory:
        machine = Machine(Path(directory))
        app = machine.repository()
        machine.ok("learn", LESSONS[1], at=app)
        machine.ok("recall", "cache", at=app)
        places = [machine.home, *machine.home.rglob("*")]
        for place in places:
            place.chmod(place.stat().st_mode & ~0o222)
        try:
            done = machine.run(
                "recall", "cold cache", "--method", method, at=app, before=as_ordinary_user
            )
        finally:
            for place in places:
                place.chmod(place.stat().st_mode | 0o200)
        assert done.code == 0, done
        assert LESSONS[1] in done.out


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "question",
    [
        "🎉",
        "ما هو المنفذ؟",
        "קאש קר",
        "日本語の質問",
        "\x01\x02",
        '"',
        "NEAR(a b",
        "a AND",
        "x:y*",
        "^",
    ],
)
def test_any_question_is_answered(machine: Machine, app: Path, method: str, question: str) -> None:
    done = machine.run("recall", "--method", method, "--", question, at=app)
    assert done.code == 0, done


@pytest.mark.parametrize("method", METHODS)
def test_a_question_as_long_as_a_file_takes_a_moment(
    machine: Machine, app: Path, method: str
) -> None:
    words = " ".join(f"{os.urandom(4).hex()}" for _ in range(11_000))
    began = time.monotonic()
    done = machine.run("recall", "--method", method, at=app, stdin=words)
    assert done.code == 0
    assert time.monotonic() - began < 5


@needs_model
def test_the_model_leaves_nothing_in_the_home_but_ours(machine: Machine, app: Path) -> None:
    """A library under the model would note down an id of the machine, for its maker."""
    machine.ok("upkeep", "embed", at=app)
    machine.ok("recall", "cold cache", "--method", "hybrid", at=app)
    assert os.listdir(machine.home) == [".satchel"]


def test_an_unknown_method_is_told_with_those_that_there_are(machine: Machine, app: Path) -> None:
    said = machine.fails(2, "recall", "cache", "--method", "psychic", at=app)
    assert "keyword, fast, hybrid, semantic" in said


def test_an_index_of_an_older_schema_is_built_anew(machine: Machine, app: Path) -> None:
    """As a person meets it who has just upgraded."""
    import apsw

    machine.ok("recall", "cache", at=app)
    (index,) = machine.home.glob(".satchel/projects/*/index.db")
    connection = apsw.Connection(str(index))
    connection.execute("UPDATE meta SET value = '4' WHERE name = 'schema'; DROP TABLE vectors;")
    connection.close()
    for method in METHODS:
        assert LESSONS[1] in machine.ok("recall", "cold cache", "--method", method, at=app)
    told = machine.run("doctor", at=app)
    assert told.code == 0, told  # the old index was set aside, which is told and no error
    assert "is rebuilt" in told.out
