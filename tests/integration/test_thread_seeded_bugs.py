"""Each promise about the thread has a test that fails where the promise is broken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from integration import test_thread_cli as told
from integration import test_thread_rewritten as rewritten
from integration import thread_ways
from integration.installed import Machine, needs_command
from integration.seeded_bugs import plant
from integration.test_thread_cli import shop as made_shop
from integration.test_thread_rewritten import repository as made_repository
from integration.thread_made import Repository
from satchel.application.thread import guesses
from satchel.clients.transcript_format import building
from satchel.core.line_marks import marks_of
from satchel.features.thread import lines, linking
from satchel.features.thread.store import ThreadStore
from satchel.features.thread.values import SessionFacts, TurnFacts, WrittenFile
from unit import test_thread_rules as rules

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

shop, repository = made_shop, made_repository


class Bug(NamedTuple):
    """A defect of the installed command, and the test that must fail of it."""

    promise: str
    module: str
    seed: str
    test: Callable[[Machine, Repository], None]


BUGS = [
    Bug(
        "a refused edit wrote nothing",
        "clients.transcript_format.building",
        "TurnBuilder.fails = lambda self, text, ident='': None",
        told.test_a_refused_edit_wrote_nothing,
    ),
    Bug(
        "records of others make nothing certain",
        "features.thread.linking",
        "LIKELY = CERTAIN",
        told.test_records_of_others_are_evidence_and_never_certain,
    ),
    Bug(
        "ignored revisions are seen through",
        "storage.commits",
        "_IGNORED = 'no-such-file'",
        told.test_ignored_revisions_are_seen_through,
    ),
    Bug(
        "a list that is none is passed over",
        "storage.commits",
        "os = type('os', (), {'path': type('path', (), {**vars(os.path), 'isfile': "
        "staticmethod(lambda path: False)})})",
        told.test_ignored_revisions_are_seen_through,
    ),
    Bug(
        "a subagent's work was asked for in its parent's session",
        "features.thread.store",
        "ThreadStore._owned = lambda self, one, parent, asked: one",
        told.test_what_a_subagent_wrote_was_asked_for_in_its_parents_session,
    ),
    Bug(
        "no word is in the store",
        "application.thread.sessions",
        "mark_of = lambda text: text",
        told.test_no_word_and_no_code_is_in_the_store,
    ),
    Bug(
        "only what is certain is exported",
        "application.thread.certain_lines",
        "CERTAIN = 'likely'",
        told.test_traces_are_valid_certain_and_read_back,
    ),
    Bug(
        "what a person typed is of no session",
        "features.thread.linking",
        "_is_of_session = lambda link: True",
        told.test_what_nobody_wrote_in_a_session_says_so,
    ),
    Bug(
        "a prompt is told with the line",
        "application.thread.sessions",
        "is_prompt = lambda turn: False",
        told.test_a_line_is_told_with_its_prompt_and_what_was_known,
    ),
    Bug(
        "the thread of a commit is in the order of time",
        "interfaces.thread_rendering",
        "sorted = lambda events: list(reversed(list(events)))",
        told.test_a_thread_goes_both_ways_in_the_order_of_time,
    ),
    Bug(
        "a repository starts no program",
        "storage.git",
        "_without = lambda *words, **more: []",
        told.test_a_repository_names_no_program_that_runs,
    ),
    Bug(
        "a forgotten session is off the thread",
        "features.thread.service",
        "Thread._there = lambda self: self.store.file_stats() or {path: 'x' for path in self._files()}",
        told.test_forgetting_a_session_takes_it_off_the_thread,
    ),
]


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.promise)
def test_a_broken_promise_is_noticed(machine: Machine, shop: Repository, bug: Bug) -> None:
    plant(machine, f"satchel.{bug.module}", bug.seed)
    with pytest.raises((AssertionError, LookupError, ValueError)) as caught:
        bug.test(machine, shop)
    assert "Traceback" not in str(caught.value), "the seed broke the command, not the promise"


# Where the test looks in its own process


def always(*_: Any) -> bool:
    return True


def test_what_is_wrongly_certain_is_noticed(
    machine: Machine, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "_is_certain", always)
    monkeypatch.setattr(linking.Linker, "is_of_one_prompt", always)
    way = thread_ways.squash
    with pytest.raises(AssertionError):
        rewritten.test_lines_keep_their_prompts(machine, repository, way, monkeypatch)


def test_lines_that_an_edit_only_repeats_are_not_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "_OLD", ())
    given = {"file_path": "a.py", "old_string": "x\ny", "new_string": "x\nz\ny"}
    with pytest.raises(AssertionError):
        rules.test_what_a_call_writes(given, {"a.py": "z"})


def test_a_link_by_ids_alone_is_lost(
    machine: Machine, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linking, "origins", lambda *_: [])
    with pytest.raises(AssertionError):
        rewritten.test_lines_keep_their_prompts(
            machine, repository, thread_ways.force_push, monkeypatch
        )


def test_a_store_that_leaves_lines_behind_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaves(self: ThreadStore, sources: list[str]) -> None:
        for source in sources:
            self.database.write("DELETE FROM sessions WHERE source = ?", (source,))

    wrote = (WrittenFile("a.py", marks_of("one")),)
    facts = SessionFacts("s1", "claude", turns=(TurnFacts("t", 0, 1.0, True, wrote),))
    law: Any = rules.test_kept_up_is_what_is_built_from_nothing
    law.hypothesis.inner_test([("x", facts), ("x", facts)])
    monkeypatch.setattr(ThreadStore, "drop", leaves)
    with pytest.raises(AssertionError):
        law.hypothesis.inner_test([("x", facts), ("x", facts)])


def test_a_guess_that_forgets_a_session_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guesses, "_hedged", lambda both, *_: list(both)[:1])
    monkeypatch.setattr(rules, "rank", guesses.rank)
    law: Any = rules.test_guesses_are_every_session_once
    with pytest.raises(AssertionError):
        law.hypothesis.inner_test({"a": (0.0, 1.0), "b": (2.0, 3.0)}, {}, 0.0)
