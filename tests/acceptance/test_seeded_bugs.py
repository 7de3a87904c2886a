"""Each of these promises of the five documents has a test that fails where it is broken."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from acceptance import test_beads_memory as beads_memory
from acceptance import test_beans as beans
from acceptance import test_reflect as reflect
from acceptance import test_the_foundation_graph as graph
from acceptance import test_the_foundation_tiers as tiers
from acceptance.test_beads_memory import app as beads_memory_app
from acceptance.test_beans import app as beans_app
from acceptance.test_reflect import app as reflect_app
from acceptance.test_the_foundation_graph import fleet as graph_fleet
from acceptance.test_the_foundation_tiers import app as tiers_app
from integration import test_guards_cli as guards
from integration.installed import Machine, needs_command
from integration.seeded_bugs import plant

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

at_beads_memory, at_beans, at_tiers, at_graph = beads_memory_app, beans_app, tiers_app, graph_fleet
at_reflect = reflect_app


class Bug(NamedTuple):
    """A defect of the installed command, where it is looked for, and the test that must fail."""

    promise: str
    module: str
    seed: str
    place: str
    test: Callable[..., None]
    more: tuple[Any, ...] = ()


BUGS = [
    Bug(
        "a command that was not found teaches nothing",
        "interfaces.hooks.command_result",
        "not_found = lambda call, programs: ''",
        "at_beads_memory",
        beads_memory.test_what_the_shell_did_not_find_is_not_captured,
    ),
    Bug(
        "recall.sh takes its word as grep does",
        "interfaces.cli.memories.recall_sh",
        "expression = lambda word: word",
        "at_beads_memory",
        beads_memory.test_the_word_is_an_expression_as_grep_has_it,
    ),
    Bug(
        "hot answers only questions of identity and preference",
        "application.recall.tiers.project_tiers",
        "ProjectTiers._is_of_oneself = lambda self: True",
        "at_tiers",
        tiers.test_hot_answers_only_questions_of_identity_and_preference,
    ),
    Bug(
        "the words that routed a question are not searched for",
        "application.recall.routing",
        "asked_about = lambda question, route: question",
        "at_tiers",
        tiers.test_the_words_that_routed_a_question_are_not_searched_for,
    ),
    Bug(
        "several values of one subject and predicate stand side by side",
        "features.memories.facts",
        "is_single = lambda facts: True",
        "at_tiers",
        tiers.test_several_values_of_one_question_stand_side_by_side,
    ),
    Bug(
        "two agents' preferences of one name do not replace each other",
        "storage.ledger.record",
        "_of = Record.identity.fget\n"
        "Record.identity = property(lambda self: _of(self._replace(agent='')))",
        "at_tiers",
        tiers.test_two_agents_preferences_of_one_name_do_not_replace_each_other,
    ),
    Bug(
        "5 % is the limit for what is merged away",
        "features.graph.evolution",
        "_plan = plan_evolution\n"
        "plan_evolution = lambda *given, **more: _plan(*given, **{**more, 'confirmed': True})",
        "at_graph",
        graph.test_five_percent_is_the_limit_for_what_is_merged_away,
    ),
    Bug(
        "adopted memories are linked to what they name",
        "features.graph.ingest",
        "with_known = list",
        "at_graph",
        graph.test_adopted_memories_have_their_text_and_the_entities_that_they_name,
    ),
    Bug(
        "BEANS.md reaches every client that does not read it",
        "application.briefs.unread_files",
        "unread_files = lambda *given, **more: Section('memory_files', '', (), '')",
        "at_beans",
        beans.test_beans_md_of_every_tier_reaches_a_client_that_does_not_read_it,
        ("gemini",),
    ),
    Bug(
        "an edited guard acts as it was approved",
        "features.guards.guard_file",
        "last_approved = lambda decisions: {}",
        "app",
        guards.test_an_edit_changes_nothing_until_it_is_approved,
    ),
    Bug(
        "a question is said in other words once, however many indexes it is put to",
        "engine.models",
        "_expansion = Models.expansion\n"
        "Models.expansion = lambda self: (self._wordings.clear(), _expansion(self))[1]",
        "at_tiers",
        tiers.test_models_of_qmd_run_for_collections_and_notes_once_a_question,
    ),
    Bug(
        "a reranker orders what notes and collections found",
        "features.notes.searching",
        "reranked = lambda question, found, rerank: found",
        "at_tiers",
        tiers.test_models_of_qmd_run_for_collections_and_notes_once_a_question,
    ),
    Bug(
        "files beside your own skill come with it",
        "clients.settings_files.skills",
        "_files_beside = lambda folder, wrong: {}",
        "at_reflect",
        reflect.test_files_beside_your_own_skill_come_with_it,
    ),
    Bug(
        "a decision is told once in a brief",
        "application.briefs.session_start",
        "_once = list",
        "at_beads_memory",
        beads_memory.test_a_decision_is_told_once_in_a_brief,
    ),
    Bug(
        "a session that ends leaves what it learnt to the next",
        "application.learning.listening.session_ends",
        "_learnt_in = lambda memories, session: ''",
        "at_tiers",
        tiers.test_installed_session_hooks_do_what_session_begin_and_end_do,
    ),
]


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.promise)
def test_a_broken_promise_is_noticed(
    machine: Machine, request: pytest.FixtureRequest, bug: Bug
) -> None:
    place: Path | graph.Fleet = request.getfixturevalue(bug.place)
    given: tuple[Any, ...] = (machine, place)
    if isinstance(place, graph.Fleet):
        # It has an environment of its own, in which the command finds the defect, too.
        plant(machine, f"satchel.{bug.module}", bug.seed)
        place.environment["PYTHONPATH"] = (
            f"{machine.environment['PYTHONPATH']}:{place.environment['PYTHONPATH']}"
        )
        given = (place,)
    else:
        plant(machine, f"satchel.{bug.module}", bug.seed)
    with pytest.raises((AssertionError, LookupError, ValueError)) as caught:
        bug.test(*given, *bug.more)
    assert "Traceback" not in str(caught.value), "the seed broke the command, not the promise"
