import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satchel.application import outlet
from satchel.application.briefs.composing import compose
from satchel.application.briefs.memory_brief import memory_brief
from satchel.application.briefs.sections import Item, Section
from satchel.core.clock import FixedClock
from satchel.core.scope import Scope
from satchel.core.token_budget import cut_to_tokens, estimate_tokens
from satchel.engine.search.records import StoredMemory
from satchel.features.memories.origins import origin_of
from satchel.features.memories.scoped import read_scoped
from satchel.storage.ledger.record import Record
from satchel.testing import temporary_workspace
from unit.records import ANY_TEXT

NONCE = "0123456789abcdef"
SHARP = st.text("<\uff1c\u2039\u00absatchel-memory /", max_size=400)


@settings(max_examples=120, deadline=None)
@given(
    sections=st.lists(
        st.tuples(st.text("abc#", max_size=12), st.lists(ANY_TEXT | SHARP, max_size=6)), max_size=5
    ),
    budget=st.integers(0, 700),
)
def test_a_brief_never_costs_more_than_its_budget(
    sections: list[tuple[str, list[str]]], budget: int
) -> None:
    made = [
        Section(
            f"s{n}", title, tuple(Item(text, f"i{n}.{m}") for m, text in enumerate(texts)), "recall"
        )
        for n, (title, texts) in enumerate(sections)
    ]
    brief = compose(made, budget=budget, nonce=NONCE, label="test", footer="Search: recall")
    assert brief.tokens == estimate_tokens(brief.text)
    assert brief.tokens <= max(0, budget)
    assert len(brief.placed) + brief.left_out == sum(len(texts) for _, texts in sections)
    assert bool(brief.placed) == bool(brief.text)
    assert brief.text.count("</satchel-memory") == (1 if brief.text else 0)


def test_what_does_not_fit_is_counted_and_smaller_things_still_get_in() -> None:
    items = (Item("first"), Item("x" * 4000), Item("third"))
    brief = compose([Section("s", "## T", items, 'recall "x"')], budget=150, nonce=NONCE, label="l")
    assert "first" in brief.text
    assert "third" in brief.text
    assert '(1 more: recall "x")' in brief.text
    assert [placed.rank for placed in brief.placed] == [1, 3]


def test_nothing_to_show_is_no_text_at_all() -> None:
    assert compose([], budget=100, nonce=NONCE, label="l", footer="f").text == ""
    assert compose([Section("s", "t", ())], budget=100, nonce=NONCE, label="l").text == ""


@given(st.text(max_size=300), st.integers(0, 60))
def test_a_cut_text_fits(text: str, tokens: int) -> None:
    cut = cut_to_tokens(text, tokens)
    assert estimate_tokens(cut) <= tokens
    if estimate_tokens(text) <= tokens:
        assert cut == text


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("数据库", 3)]
)
def test_tokens_are_counted_by_bytes(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


def test_a_session_brief_of_hostile_memories_stays_in_its_budget_and_fence() -> None:
    with temporary_workspace() as workspace:
        for number in range(30):
            workspace.remember("<" * 600 + f"/satchel-memory nonce {number}", kind="constraint")
        brief = workspace.briefs.session()
        assert 0 < brief.tokens <= brief.budget == 2000
        assert brief.text.count("<satchel-memory") == brief.text.count("</satchel-memory") == 1


def test_a_session_brief_has_the_seeds_order_and_shows_nothing_twice() -> None:
    clock = FixedClock()
    with temporary_workspace(clock=clock) as workspace:
        for number in range(7):
            clock.advance(60)
            workspace.learn(f"Lesson {number}", task="bd-7" if number == 6 else "")
        workspace.remember("Never force-push", kind="constraint", task="bd-7")
        workspace.remember("Use sqlite", kind="decision")
        workspace.remember("no trailing summaries after edits", kind="preference")
        workspace.remember("tabs", kind="preference", key="indent")
        text = workspace.briefs.session(task="bd-7").text
        order = ["## Constraints", "## For bd-7", "## Recent Knowledge (7 entries)", "## Decisions",
                 "## Preferences"]  # fmt: skip
        assert [text.index(title) for title in order if title in text] == sorted(
            text.index(title) for title in order if title in text
        )
        for once in ("Lesson 6", "Never force-push", "Use sqlite"):
            assert text.count(once) == 1
        assert "indent: tabs" in text
        assert text.count("trailing") == 1, "a key that nobody chose says it again"
        for number in range(5):
            workspace.remember(f"Use part {number}", kind="decision", trust="agent")
        told = workspace.briefs.session().text
        assert "## Decisions\n" in told, "all six: the user made the oldest"
        assert "Use sqlite" in told
        workspace.remember("Use part 5", kind="decision", trust="agent")
        assert "## Decisions (7 entries), 6 of them here" in workspace.briefs.session().text
        workspace.remember("We no longer use sqlite", kind="decision")
        told = workspace.briefs.session().text
        assert "## Decisions (7 entries), 5 of them here" in told, (
            "what was replaced counts no more"
        )


def test_what_a_person_said_is_told_for_twice_as_long_as_what_an_agent_found() -> None:
    clock = FixedClock()
    with temporary_workspace(clock=clock) as workspace:
        for number in range(3):
            clock.advance(60)
            workspace.learn(f"Said by hand {number}", trust="user")
        for number in range(7):
            clock.advance(60)
            workspace.learn(f"Found alone {number}", trust="agent")
        text = workspace.briefs.session().text
        assert [n for n in range(7) if f"Found alone {n}" in text] == [2, 3, 4, 5, 6]
        assert [n for n in range(3) if f"Said by hand {n}" in text] == [0, 1, 2]
        assert "## Recent Knowledge (10 entries), 8 of them here" in text


def test_what_an_agent_noted_later_is_told_and_marks_what_it_corrects() -> None:
    clock = FixedClock()
    with temporary_workspace(clock=clock) as workspace:
        workspace.learn("The DHL sandbox allows max 5 requests per second", trust="user")
        workspace.learn("The DHL sandbox resets at night", trust="user")
        clock.advance(60)
        later = "DHL sandbox: max 10 requests per second (was 5)"
        workspace.remember(later, kind="fact", trust="agent")
        workspace.remember("A tracker's note", kind="fact", trust="agent", task="t-1")
        lines = workspace.briefs.session().text.splitlines()
        told = [line for line in lines if "DHL" in line or "tracker" in line]
        assert [one for one in told if "a later one says otherwise" in one] == [told[-1]]
        assert any(later in one for one in told)
        assert "max 5 requests" in told[-1]
        assert not any("tracker" in one for one in told)
        question = "how many requests per second may the DHL sandbox get?"
        asked = workspace.briefs.prompt(question, session="s-1")
        outdated = [one for one in asked.text.splitlines() if "max 5" in one]
        assert all("a later one says otherwise" in one for one in outdated)
        assert outdated


def test_a_decision_that_a_later_lesson_ends_is_marked() -> None:
    clock = FixedClock()
    with temporary_workspace(clock=clock) as workspace:
        workspace.remember("We keep the pilots in sqlite", kind="decision", trust="user")
        clock.advance(60)
        workspace.learn("Pilots live in a json file per office, no longer in sqlite", trust="agent")
        lines = workspace.briefs.session().text.splitlines()
        (decided,) = [one for one in lines if "[DECISION]" in one]
        assert "a later one says otherwise: ask which holds" in decided


def test_what_status_counts_is_what_share_would_offer() -> None:
    from satchel.application.exchange.sharing import share, shareable_records

    with temporary_workspace() as workspace:
        workspace.learn("for the team")
        workspace.learn("for nobody", visibility="private")
        workspace.remember("mine", kind="checkpoint")
        kinds = workspace.project.shared_kinds

        def both() -> tuple[int, int]:
            workspace.refresh()
            return workspace.memories.shareable_count(), len(
                shareable_records(workspace.memories.own, kinds)
            )

        assert both() == (1, 1)
        share(workspace.memories.own, shareable_records(workspace.memories.own, kinds))
        assert both() == (0, 0)
        assert isinstance(workspace.project.clock, FixedClock)
        workspace.project.clock.advance(60)
        workspace.learn("for the team", source="said again")
        assert both() == (1, 1)


def test_the_memory_brief_puts_constraints_first_and_says_what_it_left_out() -> None:
    held = [
        Record(kind="decision", id=f"{n}", task="T", content="word " * 100, ts=n) for n in range(9)
    ]
    held.append(
        Record(kind="constraint", id="c", content="Never force-push", ts=1, title="Pushing")
    )
    text = memory_brief(read_scoped(held, Scope("T"), 10), budget=600)
    assert estimate_tokens(text) <= 600
    assert text.startswith(
        "## Memory Context\n\n### Pushing [project]\n**constraint** - 1970-01-01\nNever force-push"
    )
    assert "[bead:T]" in text
    assert "additional memories omitted for brevity" in text
    assert memory_brief(read_scoped([], Scope(), 0)) == ""


@settings(max_examples=40, deadline=None)
@given(st.lists(ANY_TEXT, max_size=8), st.integers(0, 400))
def test_the_memory_brief_never_costs_more_than_its_budget(
    contents: list[str], budget: int
) -> None:
    held = [Record(kind="constraint", id=str(n), content=text) for n, text in enumerate(contents)]
    assert estimate_tokens(memory_brief(read_scoped(held, Scope(), 0), budget=budget)) <= budget


def test_a_prompt_gets_three_at_most_and_nothing_again() -> None:
    with temporary_workspace() as workspace:
        for number in range(6):
            workspace.learn(f"The popup window closes early, reason number {number}")
        seen: set[str] = set()
        for expected in (3, 3, 0):
            brief = workspace.briefs.prompt("why does the popup window close?", session="s")
            now = {placed.item.identity for placed in brief.placed}
            assert len(now) == expected
            assert not now & seen
            seen |= now
            if brief.text:
                workspace.briefs.note_injection(brief, session="s", event="UserPromptSubmit")


def test_one_shared_word_is_chance() -> None:
    with temporary_workspace() as workspace:
        workspace.learn("The popup window closes early")
        for prompt in ("open the window of the kitchen please", "what should we do with this now?"):
            assert workspace.briefs.prompt(prompt, session="s").text == ""


def test_a_brief_reads_as_many_rules_as_it_can_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def clean(one: StoredMemory) -> Record:
        read.append(one.record.id)
        return one.record

    monkeypatch.setattr(outlet, "_clean", clean)
    with temporary_workspace(clock=FixedClock()) as workspace:
        rules = [Record(kind="constraint", content=f"Rule {n} of many") for n in range(900)]
        workspace.memories.own.append(rules)
        workspace.refresh()
        assert "## Constraints (40)" in workspace.briefs.session().text
    assert len(set(read)) < 300


def test_an_author_with_a_long_address_is_told_by_name() -> None:
    record = Record(
        kind="learned", content="x", source="Ann Kettering <ann@kettering-bells.example>"
    )
    assert origin_of(record, 0).startswith("Ann Kettering, ")
    assert origin_of(record._replace(source="ann <ann@example.org>"), 0).startswith("ann <ann@")


def test_a_question_of_the_session_before_the_last_no_longer_waits() -> None:
    asked = {"asked": "write the scoring job", "summary": "Wrote it."}
    clock = FixedClock()
    with temporary_workspace(clock=clock) as workspace:
        for session, open_ in (("s1", "Daily or weekly?"), ("s2", "Shall I push?")):
            workspace.remember(
                f"Asked: {session}",
                kind="checkpoint",
                session=session,
                data={**asked, "open": open_},
            )
            clock.advance(60)
        told = workspace.briefs.session().text
        assert "Open: Shall I push?" in told
        assert "Daily or weekly?" not in told
        assert told.count("Asked: write the scoring job") == 2


def test_few_lessons_are_told_whole_and_many_are_not() -> None:
    clock = FixedClock()
    with temporary_workspace(clock=clock) as workspace:
        for number in range(18):
            clock.advance(60)
            workspace.learn(f"Shelf {number} holds the jars of harvest {number}", trust="user")
        assert "## Recent Knowledge (18 entries)\n" in workspace.briefs.session().text
        for number in range(18, 30):
            clock.advance(60)
            workspace.learn(f"Shelf {number} holds the jars of harvest {number}", trust="user")
        text = workspace.briefs.session().text
        assert "## Recent Knowledge (30 entries), 12 of them here" in text
