"""Instincts: what raises and lowers them, and a file that stays the team's own."""

from __future__ import annotations

import os
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satchel.application.learning.reviewing.instincts import promote
from satchel.core.clock import FixedClock
from satchel.core.errors import AmbiguousIdError, BadInputError, ConflictError, NotFoundError
from satchel.features.instincts import editing, lifecycle
from satchel.features.instincts.reading import find, read_instincts
from satchel.features.instincts.values import Edit, Instinct, NewInstinct
from satchel.testing import temporary_workspace

TODAY = date(2026, 5, 10)
DAY = 86_400
REFLECT_EXAMPLE = """# .agents/instincts.yaml
version: 1
instincts:
  - id: inst-20260310-a1b2c3
    rule: "Use pnpm instead of npm for this project"
    confidence: 0.7
    scope: project # project | domain | universal
    category: tooling # tooling | style | api | testing | architecture
    created: 2026-03-10
    last_reinforced: 2026-03-10
    reinforcement_count: 1
    source: "User corrected npm to pnpm"
"""


def one(confidence: float, last: date, decayed_to: str = "") -> Instinct:
    return Instinct(
        "i",
        "r",
        confidence,
        "universal",
        "style",
        "",
        last.isoformat(),
        1,
        "",
        (),
        "",
        decayed_to,
        1,
    )


def test_the_seeds_own_example_is_read() -> None:
    (instinct,) = read_instincts(REFLECT_EXAMPLE).instincts
    assert instinct[:6] == (
        "inst-20260310-a1b2c3", "Use pnpm instead of npm for this project", 0.7, "project",
        "tooling", "2026-03-10",
    )  # fmt: skip
    assert read_instincts(REFLECT_EXAMPLE).problems == ()


def test_confirming_adds_a_tenth_up_to_nine_and_contradicting_takes_two() -> None:
    text, seen = REFLECT_EXAMPLE, []
    for _ in range(6):
        edit = editing.reinforced(text, "inst-20260310-a1b2c3", today=TODAY)
        text = edit.text
        seen.append(edit.changes[0].after)
    # The first settles two idle spans as well: 0.7 is worth 0.5 by then.
    assert seen == [0.6, 0.7, 0.8, 0.9, 0.9, 0.9]
    edit = editing.contradicted(text, "a1b2c3", today=TODAY)
    assert edit.changes[0].after == round(edit.changes[0].before - 0.2, 2)
    assert lifecycle.lowered(0.1) == 0.0
    assert lifecycle.raised(0.95) == 0.95


def test_only_what_changed_is_another_byte() -> None:
    edit = editing.reinforced(REFLECT_EXAMPLE, "inst-20260310-a1b2c3", today=date(2026, 3, 12))
    assert edit.text == REFLECT_EXAMPLE.replace("0.7", "0.8").replace(
        "last_reinforced: 2026-03-10", "last_reinforced: 2026-03-12"
    ).replace("count: 1", "count: 2")


def test_thirty_idle_days_cost_a_tenth_and_never_twice() -> None:
    first = editing.reviewed(REFLECT_EXAMPLE, today=date(2026, 4, 9))
    assert [(c.before, c.after, c.detail) for c in first.changes] == [(0.7, 0.6, "2026-04-09")]
    assert editing.reviewed(first.text, today=date(2026, 4, 9)).changes == ()
    assert editing.reviewed(first.text, today=date(2026, 5, 8)).changes == ()
    second = editing.reviewed(first.text, today=date(2026, 5, 9))
    assert [c.after for c in second.changes] == [0.5]
    assert editing.reviewed(REFLECT_EXAMPLE, today=date(2026, 5, 9)).changes[0].after == 0.5


@given(st.integers(30, 90), st.lists(st.integers(0, 120), max_size=6), st.integers(0, 400))
@settings(max_examples=200, deadline=None)
def test_how_often_it_is_reviewed_makes_no_difference(
    percent: int, reviews: list[int], last: int
) -> None:
    start = one(percent / 100, TODAY)
    stepped = start
    for day in sorted({*reviews, last}):
        after, until = lifecycle.faded(stepped, TODAY + timedelta(days=day))
        if until:
            stepped = stepped._replace(confidence=after, decayed_to=until)
    at_end = TODAY + timedelta(days=max([*reviews, last]))
    assert lifecycle.current_confidence(stepped, at_end) == pytest.approx(
        lifecycle.current_confidence(start, at_end)
    )


def test_a_review_that_forgets_how_far_it_counted_is_noticed() -> None:
    """The seeded bug: without `decayed_to`, the same thirty days count again."""
    once = editing.reviewed(REFLECT_EXAMPLE, today=date(2026, 4, 9)).text
    forgetful = once.replace("    decayed_to: 2026-04-09\n", "")
    assert editing.reviewed(forgetful, today=date(2026, 4, 9)).changes != ()


@pytest.mark.parametrize(
    ("evidence", "begins"),
    [("", 0.5), ("correction", 0.7), ("approval", 0.5), ("repeated", 0.5), ("single", 0.3)],
)
def test_a_new_one_begins_by_its_evidence(evidence: str, begins: float) -> None:
    edit = editing.added("", NewInstinct("Use tabs", evidence), today=TODAY)
    (instinct,) = read_instincts(edit.text).instincts
    assert instinct.confidence == begins
    assert instinct.id.startswith("inst-20260510-")
    assert len(instinct.id) == len("inst-20260310-a1b2c3")


def test_the_same_rule_again_confirms_the_one_that_is_there() -> None:
    edit = editing.added(
        REFLECT_EXAMPLE, NewInstinct("use pnpm instead  of npm for this project."), today=TODAY
    )
    assert [change.what for change in edit.changes] == ["reinforced"]
    assert len(read_instincts(edit.text).instincts) == 1


def test_a_contradiction_that_says_what_holds_adds_it_at_one_half() -> None:
    edit = editing.contradicted(REFLECT_EXAMPLE, "inst-20260310-a1b2c3", today=TODAY, by="Use bun")
    old, new = read_instincts(edit.text).instincts
    assert (old.confidence, new.rule, new.confidence) == (0.5, "Use bun", 0.5)
    assert new.source == "contradicts inst-20260310-a1b2c3"
    assert [c.rule.text for c in editing.contradicted_by([new], "Do not use bun")] == ["Use bun"]
    with pytest.raises(BadInputError):
        editing.contradicted(
            REFLECT_EXAMPLE,
            "a1b2c3",
            today=TODAY,
            by=read_instincts(REFLECT_EXAMPLE).instincts[0].rule,
        )


def test_what_is_still_good_is_not_pruned() -> None:
    with pytest.raises(ConflictError, match=r"worth 0\.5"):
        editing.pruned(REFLECT_EXAMPLE, ["a1b2c3"], today=TODAY)
    late = TODAY + timedelta(days=120)
    edit = editing.pruned(REFLECT_EXAMPLE, ["a1b2c3"], today=late)
    assert read_instincts(edit.text).instincts == ()
    assert edit.text.startswith("# .agents/instincts.yaml\nversion: 1\ninstincts:\n")


def test_only_what_is_certain_and_universal_is_promoted() -> None:
    assert lifecycle.may_be_promoted(one(0.8, TODAY), TODAY)
    assert not lifecycle.may_be_promoted(one(0.79, TODAY), TODAY)
    assert not lifecycle.may_be_promoted(one(0.8, TODAY - timedelta(days=30)), TODAY)
    assert not lifecycle.may_be_promoted(one(0.8, TODAY)._replace(scope="domain"), TODAY)
    assert not lifecycle.may_be_promoted(one(0.8, TODAY)._replace(promoted="a-note"), TODAY)


def test_what_is_wrong_with_a_file_is_told_and_the_rest_is_read() -> None:
    text = (
        "instincts:\n  - rule: no id\n  - id: a\n  - {id: b, rule: r, confidence: high}\n"
        "  - {id: b, rule: s, scope: galaxy, created: soon}\n"
    )
    shelf = read_instincts(text)
    assert [i.rule for i in shelf.instincts] == ["no id", "r", "s"]
    told = "\n".join(shelf.problems)
    for part in (
        "line 2: it has no id",
        "line 3: it has no rule",
        "not a number",
        "occurs twice",
        "none of project",
        "not a date",
    ):
        assert part in told
    with pytest.raises(AmbiguousIdError):
        find(shelf, "b")
    with pytest.raises(NotFoundError):
        find(shelf, "c")


def test_secrets_and_control_characters_never_reach_the_file() -> None:
    key = "ghp_" + "A1b2C3d4" * 5
    edit = editing.added("", NewInstinct(f"Use the token {key}\x1b[31m\nhere"), today=TODAY)
    assert key not in edit.text
    assert "\x1b" not in edit.text
    for wrong in (
        NewInstinct(""),
        NewInstinct("x" * 501),
        NewInstinct("r", scope="galaxy"),
        NewInstinct("r", confidence=1.5),
    ):
        with pytest.raises(BadInputError):
            editing.added("", wrong, today=TODAY)


def test_a_change_by_hand_in_between_is_kept() -> None:
    with temporary_workspace() as work:
        ours = work.instincts
        ours.add(NewInstinct("Use tabs"))
        path = ours.file.path
        calls: list[str] = []

        def make(text: str) -> Edit:
            if not calls:
                with open(path, "a", encoding="utf-8") as file:
                    file.write("# by hand\n")
            calls.append(text)
            return editing.added(text, NewInstinct("Write tests"), today=ours.today)

        ours.file.apply(make)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        assert len(calls) == 2
        assert "# by hand\n" in text
        assert [i.rule for i in ours.read().instincts] == ["Use tabs", "Write tests"]


def test_a_file_that_is_not_the_one_that_was_shown_is_left_alone() -> None:
    clock = FixedClock()
    with temporary_workspace(clock=clock) as work:
        ours = work.instincts
        ours.add(NewInstinct("Use tabs"))
        clock.advance(31 * DAY)
        reviewed = ours.review()
        ours.add(NewInstinct("Write tests"))
        with pytest.raises(ConflictError, match="has changed"):
            ours.write_review(reviewed)
        assert ours.write_review(ours.review()).changes[0].after == 0.4
        assert ours.write_review(ours.review()).changes == ()


def test_history_tells_what_the_file_no_longer_shows() -> None:
    clock = FixedClock()
    with temporary_workspace(clock=clock) as work:
        ours = work.instincts
        ident = ours.add(NewInstinct("Use tabs"))[0].changes[0].id
        ours.reinforce(ident, agent="ada")
        clock.advance(70 * DAY)
        assert (
            work.upkeep("instincts", dry_run=True, confirmed=False)["instincts"] == "1 would fade"
        )
        assert work.upkeep("instincts", dry_run=False, confirmed=False)["instincts"] == "1 faded"
        assert (
            work.upkeep("all", dry_run=False, confirmed=False)["instincts"] == "no instinct is idle"
        )
        told = [(e.change.what, e.change.after, e.agent) for e in ours.history(ident)]
        assert told == [("added", 0.5, ""), ("reinforced", 0.6, "ada"), ("decayed", 0.4, "")]


def test_the_brief_shows_the_most_certain_first_and_leaves_the_weak_out() -> None:
    with temporary_workspace() as work:
        for rule, confidence in (("Use tabs", 0.4), ("Use pnpm", 0.9), ("Use vim", 0.29)):
            work.instincts.add(NewInstinct(rule, confidence=confidence))
        brief = work.briefs.session()
        assert brief.text.index("[0.9] Use pnpm") < brief.text.index("[0.4] Use tabs")
        assert "vim" not in brief.text
        placed = [p for p in brief.placed if p.section == "instincts"]
        assert [p.item.why for p in placed] == [
            "soft rule, confidence 0.9, project", "soft rule, confidence 0.4, project",
        ]  # fmt: skip
        with open(work.instincts.file.path, "a", encoding="utf-8") as file:
            file.write("# long\n" * 40_000)
        assert "Instincts" not in work.briefs.session().text
        with open(work.instincts.file.path, "w", encoding="utf-8") as file:
            file.write("instincts: [broken\n")
        assert "Instincts" not in work.briefs.session().text
        with pytest.raises(BadInputError, match=r"instincts\.yaml: line"):
            work.instincts.read()


@pytest.mark.parametrize("kind", ["pipe", "outside", "latin"])
def test_what_is_no_file_of_this_project_is_refused(kind: str) -> None:
    with temporary_workspace() as work:
        path = work.instincts.file.path
        if kind == "pipe":
            os.mkfifo(path)
        elif kind == "outside":
            os.symlink("/etc/hostname", path)
        else:
            with open(path, "wb") as file:
                file.write(b"instincts: []  # caf\xe9\n")
        with pytest.raises(BadInputError):
            work.instincts.add(NewInstinct("Use tabs"))


def test_promoting_writes_the_note_and_its_sidecar_once() -> None:
    with temporary_workspace() as work:
        ours = work.instincts
        new = NewInstinct(
            "Quote paths in shell scripts", confidence=0.9, scope="universal", tags=("bash",)
        )
        ident = ours.add(new)[0].changes[0].id
        instinct, draft = ours.draft(ident)
        added = promote(work, instinct, draft)
        with work.notes as notebook:
            (note,) = [n for n in notebook.notes() if n.id == added.id or n.path == added.path]
        assert note.key_insight == "Quote paths in shell scripts"
        assert os.path.isfile(added.sidecar)
        assert ours.find(ident).promoted == added.id
        with pytest.raises(ConflictError, match="already"):
            ours.draft(ident)
        weak = ours.add(NewInstinct("Use tabs", confidence=0.9))[0].changes[0].id
        with pytest.raises(ConflictError, match="holds for this project"):
            ours.draft(weak)
