import subprocess
import sys

import pytest

from satchel.core.errors import UnknownKindError
from satchel.core.kinds import KINDS, kind_named


def test_every_kind_lives_as_long_as_the_design_says() -> None:
    assert {name: kind.default_days for name, kind in KINDS.items()} == {
        "learned": None,
        "constraint": None,
        "decision": 90,
        "checkpoint": 30,
        "next_step": 7,
        "action_report": 14,
        "ci_note": 30,
        "preference": None,
        "fact": None,
        "insight": 1 / 24,
        "activity": None,
        "context": None,
        "episode": None,
        "routing_decision": None,
    }


def test_only_lessons_decisions_rules_and_facts_are_shared_by_default() -> None:
    shared = {name for name, kind in KINDS.items() if kind.shared_by_default}
    assert shared == {"learned", "decision", "constraint", "fact"}


def test_a_key_is_identity_for_lessons_and_preferences_only() -> None:
    assert {name for name, kind in KINDS.items() if kind.keyed} == {"learned", "preference"}


def test_short_lived_kinds_have_ledgers_of_their_own() -> None:
    short = {name for name, kind in KINDS.items() if not kind.long_lived}
    assert short == {"activity", "insight", "action_report", "routing_decision"}


def test_labels_are_distinct_and_those_of_beads_memory() -> None:
    labels = [kind.label for kind in KINDS.values()]
    assert len(set(labels)) == len(labels)
    assert KINDS["learned"].label == "LEARN"
    assert KINDS["constraint"].label == "RULE"


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("next-step", "next_step"),
        ("Decisions", "decision"),
        ("NEXT_STEPS", "next_step"),
        ("ci note", "ci_note"),
        ("Activities", "activity"),
        (" learned ", "learned"),
        ("routing-decisions", "routing_decision"),
    ],
)
def test_a_kind_is_found_however_people_write_it(written: str, name: str) -> None:
    assert kind_named(written).name == name


def test_each_kind_is_found_by_its_own_name() -> None:
    assert all(kind_named(name) is kind for name, kind in KINDS.items())


def test_an_unknown_kind_is_refused_with_all_kinds_and_the_nearest() -> None:
    with pytest.raises(UnknownKindError) as refused:
        kind_named("desicion")
    assert all(kind.noun in str(refused.value) for kind in KINDS.values())
    assert refused.value.hint == "did you mean decision?"


@pytest.mark.parametrize("text", ["", "s", "ies", "-", "\ud800", "x" * 10_000])
def test_nonsense_is_refused_in_few_words(text: str) -> None:
    with pytest.raises(UnknownKindError) as refused:
        kind_named(text)
    assert len(str(refused.value)) < 500


def test_the_table_loads_without_re_and_difflib() -> None:
    code = (
        "import sys; import satchel.core.kinds, satchel.features.memories.tags;"
        "print(sorted({'re', 'difflib', 'dataclasses', 'json'} & set(sys.modules)))"
    )
    bare = [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {code}"]
    loaded = subprocess.run(bare, capture_output=True, text=True, check=True).stdout.strip()
    assert loaded == "[]"
