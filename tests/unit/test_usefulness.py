"""Was what a session was shown of use in it? By the agent's own words, and by what passed then."""

import os

import pytest

from satchel.application.learning.usefulness.judging import judge
from satchel.clients.transcript_format.values import Turn
from satchel.core.clock import FixedClock
from satchel.features.injections.injection_ledger import InjectedItem, Injection
from satchel.features.injections.outcomes import (
    HELPED,
    HURT,
    IGNORED,
    USED,
    OutcomeLedger,
    Usefulness,
)
from satchel.storage.ledger.file import Ledger

MEMORY = "The registry mirror needs the REGISTRY_TOKEN variable and port 5433"


def shown(*texts: str) -> list[Injection]:
    items = tuple(
        InjectedItem(f"m{n}", f"i{n}", "recent", n, 20, "", t) for n, t in enumerate(texts)
    )
    return [Injection(100, "s", "SessionStart", "", 40, 2000, 0, items)]


def agent(at: float, text: str, *tools: str, errors: tuple[str, ...] = ()) -> Turn:
    return Turn("assistant", text, at, f"a{at}", tools, errors)


def person(at: float, text: str) -> Turn:
    return Turn("user", text, at, f"u{at}")


TAKEN_UP = agent(102, "I will set REGISTRY_TOKEN for the registry mirror first.")


@pytest.mark.parametrize(
    ("turns", "outcome"),
    [
        ([agent(101, "hello"), agent(102, "done, nothing to see")], IGNORED),
        ([TAKEN_UP, agent(103, "done")], USED),
        ([TAKEN_UP, agent(103, "", "Bash: pytest -q")], HELPED),
        ([TAKEN_UP, agent(103, "", "Bash: pytest -q", errors=("E failed",))], USED),
        ([TAKEN_UP, person(104, "no, the registry mirror is wrong"), agent(105, "ok")], HURT),
        # The person had said it: the memory was not what the agent took it from.
        ([person(101, "the registry mirror needs REGISTRY_TOKEN and variable"), TAKEN_UP,
          agent(103, "x")], IGNORED),
        # Before it was shown it cannot have been of use.
        ([agent(99, "REGISTRY_TOKEN for the registry mirror"), agent(101, "a"), agent(102, "b")],
         IGNORED),
    ],
)  # fmt: skip
def test_what_became_of_a_memory(turns: list[Turn], outcome: str) -> None:
    assert judge(shown(MEMORY), turns) == {"m0": (outcome, 20)}


def test_of_a_session_that_did_nothing_nothing_can_be_said() -> None:
    assert judge(shown(MEMORY), [agent(101, "hello")]) == {}
    assert judge([], [TAKEN_UP, TAKEN_UP]) == {}


def test_the_last_word_on_a_session_counts(tmp_path: os.PathLike[str]) -> None:
    path = os.path.join(tmp_path, "usefulness.jsonl")
    ledger = OutcomeLedger(Ledger(path, path + ".lock", clock=FixedClock()))
    ledger.note("s1", {"m": (IGNORED, 30)})
    ledger.note("s1", {"m": (HELPED, 20)})
    ledger.note("s2", {"m": (USED, 20), "n": (HURT, 5)})
    standing = ledger.usefulness()
    assert standing["m"] == Usefulness("m", helped=1, used=1, tokens=40)
    assert standing["m"].earned == 37.5
    assert standing["n"].shown == 1
    with open(path, "ab") as file:
        file.write(b'{"kind":"usefulness","session":"s9","data":{"items":{"m":3,"x":["odd",1]}}}\n')
    assert ledger.usefulness() == standing


@pytest.mark.parametrize(("ignored", "said"), [(4, []), (5, ["seldom"]), (10, ["seldom", "never"])])
def test_what_is_never_used_is_shown_less_and_then_put_aside(ignored: int, said: list[str]) -> None:
    one = Usefulness("m", ignored=ignored)
    assert [name for name in ("seldom", "never") if getattr(one, name)] == said
    assert not one._replace(used=1).seldom
