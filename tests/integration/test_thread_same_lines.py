"""Lines whose text stands more than once: each is of the prompt that wrote it there, or of nobody.

Where each line comes from is kept by hand: comparing files cannot tell lines that are the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from integration.installed import Machine, needs_command
from integration.seeded_bugs import plant
from integration.thread_made import AgentAtWork, Origin, Repository, new_repository

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

ALPHA = (
    "function alpha(total) {\n  if (total > LIMIT_OF_ALPHA) {\n    return total;\n  }\n"
    "  return null;\n}\n"
)
BETA = ALPHA.replace("alpha", "beta").replace("ALPHA", "BETA")
GAMMA = ALPHA.replace("alpha", "gamma").replace("ALPHA", "GAMMA")
TOP, END = "function alpha(total) {\n", "  return null;\n}\n"
PAGES = "class PageTest(TestCase):\n"
PAGE = (
    "    def test_{0}(self):\n        response = self.client.get('/{0}')\n"
    "        self.assertEqual(response.status_code, 200)\n\n"
)
CHARGE = "def f(total):\n    charge_the_customer(total)\n    x = 1\n"
CHARGES = "    x = 1\n\n\ndef g(total):\n    charge_the_customer(total)\n    y = 2\n"
BOTH = "first_line_here = 1\nlast_line_here = 2\n"
MIDDLE = "charge_the_customer(total)\nlast_line_here = 2\n"


class _Shop:
    """A repository in which every edit says exactly which lines are new."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.repository = machine, new_repository(machine)

    def asks(self, prompt: str) -> _Agent:
        """Another session begins, an hour later."""
        self.repository.passes(3600)
        agent = _Agent(self.repository, self.machine.home)
        agent.prompt(prompt)
        return agent

    def types(self, path: str, old: str, new: str, subject: str) -> None:
        """A person changes a file in an editor, and commits."""
        self.repository.passes(4000)
        replace(self.repository, path, old, new, None)
        self.repository.git("add", "--all")
        self.repository.git("commit", "-q", "-m", subject)


class _Agent(AgentAtWork):
    def edit(self, path: str, old: str, new: str) -> None:
        full = os.path.join(os.path.realpath(self.repository.root), path)
        ident = self._calls("Edit", {"file_path": full, "old_string": old, "new_string": new})
        replace(self.repository, path, old, new, self.origin)
        self._returns(ident, f"The file {full} has been updated.")


def replace(shop: Repository, path: str, old: str, new: str, origin: Origin) -> None:
    """Replace whole lines; those that old and new begin and end with stay whose they are."""
    text = (shop.root / path).read_text("utf-8")
    assert text.count(old) == 1, (old, text)
    was, now = old.splitlines(), new.splitlines()
    head = _same(was, now)
    tail = _same(was[head:][::-1], now[head:][::-1])
    begin = text[: text.index(old)].count("\n") + head
    rows = shop.lines[path]
    mine = [(line, origin) for line in now[head : len(now) - tail]]
    rows[begin : begin + len(was) - head - tail] = mine
    (shop.root / path).write_text(text.replace(old, new), "utf-8")
    assert [line for line, _ in rows] == text.replace(old, new).splitlines()


def _same(was: list[str], now: list[str]) -> int:
    """Return how many lines two texts begin with alike."""
    pairs = enumerate(zip(was, now, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(was), len(now)))


def a_function_is_added_behind_another(shop: _Shop) -> None:
    work = shop.asks("alpha")
    work.write("a.js", ALPHA)
    work.commit("Alpha")
    work = shop.asks("beta")
    work.edit("a.js", END, f"{END}\n{BETA}")
    work.commit("Beta")


def functions_are_added_before_it(shop: _Shop) -> None:
    work = shop.asks("alpha")
    work.write("a.js", ALPHA)
    work.commit("Alpha")
    for name, code in (("beta", BETA), ("gamma", GAMMA)):
        work = shop.asks(name)
        work.edit("a.js", TOP, f"{code}\n{TOP}")
        work.commit(name)


def a_function_repeats_most_of_another(shop: _Shop) -> None:
    body = "".join(f"    step_number_{number} = taken(total)\n" for number in range(5))
    work = shop.asks("alpha")
    work.write("a.py", f"def alpha(total):\n{body}")
    work.commit("Alpha")
    work = shop.asks("beta")
    work.edit("a.py", "def alpha(total):\n", f"def beta(total):\n{body}\n\ndef alpha(total):\n")
    work.commit("Beta")


def a_function_is_taken_out_and_typed_again(shop: _Shop) -> None:
    work = shop.asks("alpha and beta")
    work.write("a.js", f"{ALPHA}\n{BETA}")
    work.commit("Both")
    work = shop.asks("no beta")
    work.edit("a.js", f"\n{BETA}", "")
    work.commit("Without")
    work = shop.asks("beta again")
    work.edit("a.js", END, f"{END}\n{BETA}")
    work.commit("Again")


def a_person_types_a_function_between(shop: _Shop) -> None:
    work = shop.asks("alpha")
    work.write("a.js", ALPHA)
    work.commit("Alpha")
    shop.types("a.js", ALPHA, f"{ALPHA}\n{BETA}", "Mine")
    work = shop.asks("the same for gamma")
    work.edit("a.js", BETA, f"{BETA}\n{GAMMA}")
    work.commit("Gamma")


def a_call_is_written_twice_for_one_commit(shop: _Shop) -> None:
    shop.asks("f").write("a.py", CHARGE)
    work = shop.asks("g")
    work.edit("a.py", "    x = 1\n", CHARGES)
    work.commit("Both")


def a_call_is_written_in_two_commits(shop: _Shop) -> None:
    work = shop.asks("f")
    work.write("a.py", CHARGE)
    work.commit("f")
    work = shop.asks("g")
    work.edit("a.py", "    x = 1\n", CHARGES)
    work.commit("g")


def a_line_is_tried_taken_out_and_wanted_again(shop: _Shop) -> None:
    work = shop.asks("begin")
    work.write("a.py", BOTH)
    work.commit("Begin")
    work = shop.asks("try it")
    work.edit("a.py", "last_line_here = 2\n", MIDDLE)
    work.edit("a.py", MIDDLE, "last_line_here = 2\n")
    work = shop.asks("yes, charge")
    work.edit("a.py", "last_line_here = 2\n", MIDDLE)
    work.commit("Charge")


def one_session_writes_it_whole_and_takes_it_out(shop: _Shop) -> None:
    work = shop.asks("begin")
    work.write("a.py", f"first_line_here = 1\n{MIDDLE}")
    work.edit("a.py", MIDDLE, "last_line_here = 2\n")
    work = shop.asks("yes, charge")
    work.edit("a.py", "last_line_here = 2\n", MIDDLE)
    work.commit("Charge")


def an_import_is_written_in_two_files(shop: _Shop) -> None:
    for name in ("alpha", "beta"):
        work = shop.asks(name)
        work.write(f"{name}.py", f"import logging_of_the_house\n\n{name}_of_it = 1\n")
        work.commit(name)


def checks_are_repeated(shop: _Shop) -> None:
    work = shop.asks("home")
    work.write("t.py", PAGES + PAGE.format("home"))
    work.commit("Home")
    for name in ("login", "cart"):
        work = shop.asks(name)
        work.edit("t.py", PAGES, PAGES + PAGE.format(name))
        work.commit(name)


def checks_are_squashed(shop: _Shop) -> None:
    git = shop.repository.git
    git("switch", "-q", "-c", "pages")
    checks_are_repeated(shop)
    git("switch", "-q", "main")
    shop.repository.passes(90_000)
    git("merge", "-q", "--squash", "pages")
    git("commit", "-q", "-m", "Pages (#3)")
    git("branch", "-q", "-D", "pages")


def a_check_is_repeated_within_a_function(shop: _Shop) -> None:
    work = shop.asks("alpha")
    work.write("a.js", ALPHA)
    work.commit("Alpha")
    work = shop.asks("a floor, too")
    end = "    return total;\n  }\n  return null;\n"
    floor = "    return total;\n  }\n  if (total < FLOOR_OF_ALPHA) {\n"
    work.edit("a.js", end, floor + end)
    work.commit("Floor")


def one_session_writes_it_for_two_prompts(shop: _Shop) -> None:
    work = shop.asks("charge")
    work.write("a.py", CHARGE)
    work.commit("Charge")
    shop.repository.passes(600)
    work.prompt("charge twice")
    work.edit("a.py", "    x = 1\n", "    x = 1\n    charge_the_customer(total)\n")
    work.commit("Twice")


STORIES = [
    a_function_is_added_behind_another,
    functions_are_added_before_it,
    a_function_repeats_most_of_another,
    a_function_is_taken_out_and_typed_again,
    a_person_types_a_function_between,
    a_call_is_written_twice_for_one_commit,
    a_call_is_written_in_two_commits,
    a_line_is_tried_taken_out_and_wanted_again,
    one_session_writes_it_whole_and_takes_it_out,
    an_import_is_written_in_two_files,
    checks_are_repeated,
    checks_are_squashed,
    a_check_is_repeated_within_a_function,
    one_session_writes_it_for_two_prompts,
]


def _wrong(shop: _Shop) -> list[str]:
    """Return the lines that are told of another prompt than wrote them, or certain of several."""
    found = []
    for path, rows in shop.repository.lines.items():
        told = shop.machine.json("why", f"{path}:1-{len(rows)}", at=shop.repository.root)
        prompts = {
            (session["session"], one["place"]): one["text"]
            for session in told["sessions"]
            for one in session["prompts"]
        }
        for line, (text, origin) in zip(told["lines"], rows, strict=True):
            first = line["origin"][0] if line["origin"] else {}
            if not text.strip():
                continue
            said = (first["session"], prompts[first["session"], first["place"]]) if first else None
            if said != origin:
                found.append(f"{path}:{line['line']} {text!r}: {said}, not {origin}")
            several = {one for same, one in rows if same == text} != {origin}
            trivial = sum(map(str.isalnum, text)) < len("return a")
            if first.get("confidence") == "certain" and (several or trivial):
                found.append(f"{path}:{line['line']} {text!r} is certain")
    return found


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
def test_a_line_that_stands_twice_is_of_who_wrote_it_there(
    machine: Machine, story: Callable[[_Shop], None]
) -> None:
    shop = _Shop(machine)
    story(shop)
    assert _wrong(shop) == []


@pytest.mark.parametrize(
    ("module", "seed", "story"),
    [
        (
            "application.thread.line_origins",
            "LineOrigins.typed_again = lambda *_: False",
            a_function_repeats_most_of_another,
        ),
        (
            "features.thread.linking",
            (
                "Linker.is_of_one_prompt = lambda *_: True\n"
                "Linker.with_later = lambda self, origin, *_: [*origin]"
            ),
            a_call_is_written_in_two_commits,
        ),
        (
            "features.thread.linking",
            "Linker._were_there = lambda *_: False",
            a_person_types_a_function_between,
        ),
        (
            "features.thread.lines",
            "_living = lambda sought, wrote: set(wrote)",
            one_session_writes_it_whole_and_takes_it_out,
        ),
        (
            "features.thread.linking",
            (
                "sought_line = (lambda found: lambda *given: (one := found(*given))"
                " and one._replace(around=one.around[::-1]))(sought_line)"
            ),
            a_call_is_written_twice_for_one_commit,
        ),
    ],
)
def test_a_broken_promise_is_noticed(
    machine: Machine, module: str, seed: str, story: Callable[[_Shop], None]
) -> None:
    plant(machine, f"satchel.{module}", seed)
    with pytest.raises(AssertionError) as caught:
        test_a_line_that_stands_twice_is_of_who_wrote_it_there(machine, story)
    assert "Traceback" not in str(caught.value)
