"""A lesson is told before the story of the session that quotes it."""

from hypothesis import given
from hypothesis import strategies as st

from satchel.application.recall.quoting import stories_behind
from satchel.testing import temporary_workspace

LESSON = "The export opened one connection for each row, and the pool has 20"
WORDS = st.lists(st.sampled_from(["export", "pool", "row", "quay", "tide"]), min_size=1, max_size=3)


def test_a_lesson_outranks_the_checkpoint_that_quotes_it() -> None:
    question = "why did the export time out on its connection"
    with temporary_workspace() as workspace:
        workspace.learn(f"{LESSON} (`pytest` failed: PoolTimeout)")
        told = f"Asked: why does the export time out\nDone: {LESSON}.\nNext:\n- migrate the rows"
        workspace.remember(told, kind="checkpoint", session="s1")
        found = [one.record.kind for one in workspace.recall(question).items]
        assert found == ["learned", "checkpoint"]
        pieces = [one.found.record.kind for one in workspace.ask(question).pieces if one.found]
        assert pieces == ["learned", "checkpoint"]


def test_what_was_only_asked_for_is_no_answer() -> None:
    question = "write patch notes for the jitter fix"
    with temporary_workspace() as workspace:
        asked = {"asked": question, "summary": "", "next_steps": []}
        told = f"Asked: {question}\nOpen: no answer yet"
        workspace.remember(told, kind="checkpoint", session="s2", data=asked)
        rule = workspace.learn("Patch notes for a fix are funny and short: nobody reads long ones")
        assert workspace.recall(question).items[0].record.id == rule.id
        pieces = [one.found.record.id for one in workspace.ask(question).pieces if one.found]
        assert pieces[0] == rule.id
        # What was done about it answers.
        done = f"Asked: {question}\nDone: wrote the patch notes for the jitter fix in notes/1.4.md"
        data = {**asked, "summary": done.partition("Done: ")[2]}
        workspace.remember(done, kind="checkpoint", session="s3", data=data)
        assert workspace.recall(question).items[0].record.data == data


@given(st.lists(st.tuples(st.booleans(), WORDS), max_size=6))
def test_nothing_is_lost_and_what_is_no_story_keeps_its_order(
    given_: list[tuple[bool, list[str]]],
) -> None:
    found = [(number, story, " ".join(words)) for number, (story, words) in enumerate(given_)]
    placed = stories_behind(found, lambda one: one[1], lambda one: one[2])
    assert sorted(placed) == found
    assert [one for one in placed if not one[1]] == [one for one in found if not one[1]]
    for at, (_, story, text) in enumerate(placed):
        if story:
            assert all(other or quoted != text for _, other, quoted in placed[at + 1 :])
