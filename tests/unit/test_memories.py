from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satchel.core.clock import FixedClock
from satchel.core.errors import (
    AmbiguousIdError,
    BadInputError,
    ContentTooLargeError,
    EmptyContentError,
    NotFoundError,
    UnknownKindError,
)
from satchel.core.ids import as_uuid
from satchel.core.kinds import KINDS
from satchel.engine.search.documents import Filter
from satchel.testing import reopened, temporary_workspace
from satchel.workspace import Workspace
from unit.records import ANY_TEXT

EVERYTHING = Filter()


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with temporary_workspace() as made:
        yield made


def clock_of(workspace: Workspace) -> FixedClock:
    assert isinstance(workspace.project.clock, FixedClock)
    return workspace.project.clock


def contents(workspace: Workspace, *, all_versions: bool = False) -> list[str]:
    items = workspace.memories.list(EVERYTHING, 1000, all_versions=all_versions)
    return [item.record.content for item in items if item.source != "user"]


def test_what_is_remembered_is_there_for_the_next_process(workspace: Workspace) -> None:
    record = workspace.learn("Use TaskGroup.", task="bd-1", agent="scout", title="Groups")
    with reopened(workspace) as other:
        assert other.memories.find(record.id).record == record
        assert record.task == "bd-1"


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_lives_as_long_as_its_table_says(workspace: Workspace, kind: str) -> None:
    days = KINDS[kind].default_days
    workspace.remember("subject | verb | object", kind=kind)
    clock = clock_of(workspace)
    if days is None:
        clock.advance(86_400 * 365 * 20)
        assert len(contents(workspace)) == 1
        return
    clock.advance(days * 86_400 - 2)
    assert len(contents(workspace)) == 1
    clock.advance(4)
    assert contents(workspace) == []
    assert len(contents(workspace, all_versions=True)) == 1


def test_an_insight_lives_as_long_as_it_is_told(workspace: Workspace) -> None:
    workspace.remember("the build is red", kind="insight", expires_in=60)
    clock_of(workspace).advance(59)
    assert contents(workspace) == ["the build is red"]
    clock_of(workspace).advance(2)
    assert contents(workspace) == []


def test_the_same_key_keeps_the_latest_and_its_history(workspace: Workspace) -> None:
    first = workspace.learn("Use TaskGroup", source="one")
    clock_of(workspace).advance(-1000)
    second = workspace.learn("Use TaskGroup", source="two")
    assert first.key == second.key
    assert [i.record.source for i in workspace.memories.list(EVERYTHING, 10)] == ["two"]
    assert [i.record.source for i in workspace.memories.history(first.key)] == ["two", "one"]


def test_a_version_from_another_machines_clock_is_superseded_all_the_same(
    workspace: Workspace,
) -> None:
    import json

    now = int(workspace.project.clock.now())
    for ahead in (0, 1, 86_400):
        theirs = {"type": "learned", "key": "learned-same", "content": "Same.",
                  "ts": now + ahead, "id": "7" + "Z" * 25}  # fmt: skip
        with open(workspace.project.tracked.knowledge, "w", encoding="utf-8") as file:
            file.write(json.dumps(theirs) + "\n")
        workspace.refresh()
        mine = workspace.learn("same", source=f"mine {ahead}")
        assert workspace.memories.find("learned-same").record.source == f"mine {ahead}"
        assert mine.when == now


def test_a_deleted_memory_is_out_of_sight_and_its_history_stays(workspace: Workspace) -> None:
    record = workspace.remember("We use Redis", kind="decision")
    workspace.memories.delete(record.id)
    assert contents(workspace) == []
    assert workspace.recall("redis").items == ()
    assert [i.record.content for i in workspace.memories.history(record.id)] == ["", "We use Redis"]
    with pytest.raises(BadInputError, match="already deleted"):
        workspace.memories.delete(record.id)


def test_what_was_deleted_can_be_learnt_anew_at_once(workspace: Workspace) -> None:
    record = workspace.learn("Use TaskGroup")
    workspace.memories.delete(record.key)
    workspace.learn("Use TaskGroup")
    assert contents(workspace) == ["Use TaskGroup"]


def test_what_is_learnt_again_after_a_clock_was_set_back_is_not_hidden(
    workspace: Workspace,
) -> None:
    record = workspace.learn("Retry the upload.")
    clock_of(workspace).advance(86_400)
    workspace.memories.delete(record.id)
    clock_of(workspace).advance(-86_400)
    again = workspace.learn("Retry the upload.")
    assert [one.id for one in workspace.memories.own.live()] == [again.id]


def test_a_tombstone_from_another_machine_deletes_here_whatever_order_it_comes_in(
    workspace: Workspace,
) -> None:
    record = workspace.learn("Use TaskGroup")
    ledger = workspace.memories.stores.ledgers.private("learned")
    workspace.memories.delete(record.id)
    with open(ledger.path, "rb+") as file:
        lines = file.read().splitlines(keepends=True)
        file.seek(0)
        file.write(b"".join(reversed(lines)))
    assert contents(workspace) == []


def test_a_memory_is_found_by_every_spelling_of_its_id_and_by_its_key(workspace: Workspace) -> None:
    record = workspace.learn("Use TaskGroup")
    for spelling in (record.id, record.id[:14], record.id.lower(), as_uuid(record.id), record.key):
        assert workspace.memories.find(spelling).record.id == record.id


def test_an_id_of_another_program_is_found_as_it_is_written(workspace: Workspace) -> None:
    with open(workspace.project.tracked.knowledge, "w", encoding="utf-8") as file:
        file.write('{"type":"decision","key":"k","content":"x","ts":1,"id":"note-17"}\n')
    assert workspace.memories.find("note-17").record.content == "x"
    workspace.memories.delete("note-17")
    assert contents(workspace) == []


def test_an_id_that_could_be_several_names_them(workspace: Workspace) -> None:
    one, two = workspace.learn("a"), workspace.learn("b")
    with pytest.raises(AmbiguousIdError) as caught:
        workspace.memories.find(one.id[:8])
    assert one.id in str(caught.value)
    assert two.id in str(caught.value)


def test_what_is_not_there_is_said_with_a_next_step(workspace: Workspace) -> None:
    with pytest.raises(NotFoundError) as caught:
        workspace.memories.find("nothing-like-it")
    assert caught.value.hint


@pytest.mark.parametrize("content", ["", "   ", "\n\t "])
def test_empty_content_is_refused(workspace: Workspace, content: str) -> None:
    with pytest.raises(EmptyContentError):
        workspace.learn(content)
    assert contents(workspace) == []


def test_content_beyond_the_limit_is_refused_and_nothing_is_saved(workspace: Workspace) -> None:
    workspace.learn("x" * 262_144)
    with pytest.raises(ContentTooLargeError, match="10,485,760"):
        workspace.learn("x" * 10_485_760)
    assert len(contents(workspace)) == 1


def test_an_unknown_kind_is_refused_with_all_that_there_are(workspace: Workspace) -> None:
    with pytest.raises(UnknownKindError, match="lesson, rule, decision") as caught:
        workspace.remember("x", kind="desicion")
    assert "decision" in caught.value.hint


@pytest.mark.parametrize("field", ["expires_at", "valid_from", "valid_to"])
def test_a_time_beyond_every_calendar_is_refused_and_harms_nothing(
    workspace: Workspace, field: str
) -> None:
    with pytest.raises(BadInputError):
        workspace.remember("a | b | c", kind="fact", **{field: 10**25})  # type: ignore[arg-type]
    workspace.learn("still here")
    assert "still here" in contents(workspace)


@pytest.mark.parametrize("expires_in", [float("nan"), float("inf"), 1e300, -5, 0])
def test_a_lifetime_that_is_none_is_refused(workspace: Workspace, expires_in: float) -> None:
    with pytest.raises(BadInputError):
        workspace.learn("x", expires_in=expires_in)


@settings(max_examples=40, deadline=None)
@given(content=ANY_TEXT, key=ANY_TEXT, task=ANY_TEXT, kind=st.sampled_from(sorted(KINDS)))
def test_any_text_is_saved_or_refused_in_words_and_read_back_the_same(
    content: str, key: str, task: str, kind: str
) -> None:
    with temporary_workspace() as workspace:
        try:
            record = workspace.remember(content, kind=kind, key=key, task=task)
        except BadInputError:
            return
        found = workspace.memories.find(record.id)
        assert found.record == record
        assert not found.record.edited


# Preferences


def test_preferences_are_versioned(workspace: Workspace) -> None:
    for value in ("vim", "emacs", "ed"):
        workspace.remember(value, kind="preference", key="editor")
    workspace.refresh()
    found = workspace.memories.own.preference("editor")
    assert found is not None
    assert (found[0].content, found[1]) == ("ed", 3)
    assert workspace.memories.own.preference("shell") is None
    workspace.memories.delete("editor")
    assert workspace.memories.own.preference("editor") is None


def test_a_category_does_not_hide_a_preference(workspace: Workspace) -> None:
    workspace.remember("vim", kind="preference", key="editor", category="tools")
    found = workspace.memories.own.preference("editor")
    assert found is not None
    assert workspace.memories.find("editor").record.content == "vim"


def test_an_agents_preference_is_not_the_projects(workspace: Workspace) -> None:
    workspace.remember("long", kind="preference", key="answers")
    workspace.remember("short", kind="preference", key="answers", agent="scout")
    workspace.refresh()
    assert workspace.memories.own.preference("answers")[0].content == "long"  # type: ignore[index]
    assert workspace.memories.own.preference("answers", agent="scout")[0].content == "short"  # type: ignore[index]


def test_what_is_the_users_own_is_known_in_every_project(workspace: Workspace) -> None:
    workspace.remember("answer in Dutch please", kind="preference", key="language", user=True)
    assert contents(workspace) == []
    (found,) = workspace.recall("answer in Dutch").items
    assert found.source == "user"
    assert workspace.memories.find(found.record.id).source == "user"
    workspace.memories.delete(found.record.id)
    assert workspace.recall("answer in Dutch").items == ()


def test_short_lived_kinds_never_push_lessons_into_the_archive(workspace: Workspace) -> None:
    import os

    from satchel.storage.ledger.record import Record

    workspace.learn("the only lesson")
    many = [
        Record(kind="activity", key="a", content=f"something happened {i}") for i in range(1200)
    ]
    workspace.memories.own.append(many)
    workspace.upkeep("rotate", dry_run=False, confirmed=False)
    lessons = workspace.memories.stores.ledgers.private("learned")
    assert not os.path.exists(lessons.archive)
    assert os.path.exists(workspace.memories.stores.ledgers.private("activity").archive)


def test_rotation_changes_nothing_that_is_live(workspace: Workspace) -> None:
    from satchel.storage.ledger.record import Record

    many = [Record(kind="learned", key=f"k{i}", content=f"lesson {i}") for i in range(1001)]
    workspace.memories.own.append(many)
    before = set(contents(workspace) + [f"lesson {i}" for i in range(1001)])
    workspace.learn("one more")
    items = workspace.memories.list(EVERYTHING, 5000)
    assert {i.record.content for i in items} == before | {"one more"}
    assert workspace.recall("lesson 3").items[0].record.content == "lesson 3"


@settings(max_examples=10, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["learned", "decision", "constraint", "fact"]),
            st.sampled_from(["a | b | c", "a | b | d", "use redis", "use valkey", "x"]),
            st.sampled_from(["keep", "delete"]),
        ),
        max_size=10,
    )
)
def test_a_rebuild_gives_the_same_answers(steps: list[tuple[str, str, str]]) -> None:
    with temporary_workspace() as workspace:
        for kind, content, then in steps:
            record = workspace.remember(content, kind=kind)
            if then == "delete":
                workspace.memories.delete(record.id)

        def answers() -> object:
            return (
                workspace.memories.list(EVERYTHING, 100),
                workspace.memories.list(EVERYTHING, 100, all_versions=True),
                workspace.recall("use redis a b"),
                workspace.memories.own.facts(),
                workspace.briefs.session().tokens,
                workspace.memories.shareable_count(),
            )

        before = answers()
        workspace.rebuild()
        assert answers() == before
