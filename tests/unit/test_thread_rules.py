"""The rules of the thread: marks of lines, what tools wrote, what records of others say."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from satchel.application.thread.guesses import rank
from satchel.clients.transcript_format.building import commits_in, edits_of, may_commit
from satchel.core.line_marks import mark_of, marks_of, packed, unpacked
from satchel.features.thread.commits import Signs, link
from satchel.features.thread.lines import SoughtLine, agreement, origins
from satchel.features.thread.records import (
    RecordedSession,
    checkpoints_of,
    of_agent_trace,
    of_checkpoint,
    of_git_ai,
    of_trailers,
)
from satchel.features.thread.store import ThreadStore
from satchel.features.thread.values import (
    CERTAIN,
    LIKELY,
    FileEdit,
    PrintedCommit,
    SessionFacts,
    TurnFacts,
    Written,
    WrittenFile,
)
from satchel.interfaces.hooks.commits import commits_told
from satchel.interfaces.hooks.commits import may_commit as may_commit_by_hook
from satchel.project.derived_store import open_database
from satchel.storage.commits import Commit

lines = st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=40)


@given(lines, st.integers(0, 9))
def test_a_mark_does_not_see_white_space(line: str, indent: int) -> None:
    assert mark_of(" " * indent + line + "\t") == mark_of(line)
    assert mark_of("".join(line.split())) == mark_of(line)


@given(st.lists(lines, max_size=10))
def test_marks_are_packed_and_unpacked(texts: list[str]) -> None:
    marks = marks_of("\n".join(texts))
    assert unpacked(packed(marks)) == marks
    assert len(marks) == sum(bool(mark_of(one)) for one in texts), (
        "git ends lines at newlines alone"
    )


PATCH = """*** Begin Patch
*** Update File: src/a.py
@@
-old line here
+new line here
 context stays
*** Add File: src/b.py
+first of b
*** End Patch"""


@pytest.mark.parametrize(
    ("given", "wrote"),
    [
        ({"file_path": "a.py", "old_string": "x\ny", "new_string": "x\nz\ny"}, {"a.py": "z"}),
        ({"filePath": "a.py", "oldString": "x", "newString": "z"}, {"a.py": "z"}),
        ({"path": "a.py", "old_str": "", "new_str": "z"}, {"a.py": "z"}),
        ({"file_path": "a.py", "content": "x\nz"}, {"a.py": "x\nz"}),
        (
            {"file_path": "a.py", "edits": [{"old_string": "x", "new_string": "x\nq"}]},
            {"a.py": "q"},
        ),
        (PATCH, {"src/a.py": "new line here", "src/b.py": "first of b"}),
        ({"input": PATCH}, {"src/a.py": "new line here", "src/b.py": "first of b"}),
        (
            {"command": ["apply_patch", PATCH]},
            {"src/a.py": "new line here", "src/b.py": "first of b"},
        ),
        ({"file_path": "a.py"}, {}),
        ({"command": "ls"}, {}),
        (None, {}),
        ({"file_path": "a.py", "old_string": "x\ny", "new_string": "y"}, {}),
    ],
)
def test_what_a_call_writes(given: object, wrote: dict[str, str]) -> None:
    assert {one.path: one.marks for one in edits_of(given) if one.marks} == {
        path: marks_of(text) for path, text in wrote.items()
    }


@pytest.mark.parametrize(
    ("given", "gone"),
    [
        ({"file_path": "a.py", "old_string": "x\ny", "new_string": "y"}, "x"),
        ({"file_path": "a.py", "old_string": "x", "new_string": "if y:\n    x"}, ""),
        (
            {"file_path": "a.py", "edits": [{"old_string": "x", "new_string": ""},
                                            {"old_string": "y", "new_string": "x\nz"}]},
            "y",
        ),
        (PATCH, "old line here"),
        (PATCH.replace("+new line", "+    old line"), ""),
    ],
)  # fmt: skip
def test_what_a_call_removes_and_does_not_add(given: object, gone: str) -> None:
    found = [mark for one in edits_of(given) for mark in one.gone]
    assert found == [*marks_of(gone)]


def test_only_git_makes_commits() -> None:
    told = "[main 1a2b3c4] Add payments\n 1 file changed\n[x] not one\n[main (root-commit) 00aabbc] One"
    assert commits_in(told) == ["1a2b3c4 Add payments", "00aabbc One"]
    assert may_commit({"cmd": ["git", "cherry-pick", "abc"]})
    assert not may_commit({"file_path": "commit.py", "content": "git commit"})


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git add -A && git commit -m 'x'", True),
        ("bash -lc 'git commit'", True),
        ("(cd lib && git rebase --continue; git commit)", True),
        ("(cd lib && git commit)", True),
        ("git -c user.name=x \\\n  commit -m x", True),
        ('git commit -m "Add --dry-run"', True),
        ("git commit --dry-run; git commit -m x", True),
        ("cat notes.md", False),
        ("git commit --dry-run; cat ci.log", False),
        ("git commit -a --dry-run -m 'x'\ncat ci.log", False),
        ("git merge-base main tax && cat ci.log", False),
        ("git log; cat merge ci.log", False),
    ],
)
def test_which_commands_may_commit(command: str, *, expected: bool) -> None:
    assert may_commit({"command": command}) is expected
    assert may_commit_by_hook(command) is expected


_PART = st.sampled_from(["[main", " ", "1a2b3c4", "0" * 41, "abc", "]", "[", "\n", "Say it", "(x)"])


@given(st.lists(_PART, max_size=12).map("".join))
@example("[main 1a2b3c4] Add payments\n 1 file changed\n[x (root-commit) 00aabbc] One\n")
@example("[detached HEAD 1a2b3c4]")
def test_hooks_read_commits_as_transcripts_are_read(printed: str) -> None:
    assert commits_told(printed) == commits_in(printed)


NOTE = """src/main.rs
  s_c9883b05a2487d::t_9f8e7d6c5b4a32 1-10,15
  h_31dce776f88375 42-50
"src/my file.rs"
  abcd1234abcd1234 7
---
{"schema_version": "authorship/3.0.0", "base_commit_sha": "7734", "git_ai_version": "1.4.5",
 "prompts": {"abcd1234abcd1234": {"agent_id": {"tool": "cursor", "id": "6ef2", "model": "x"}}},
 "humans": {"h_31dce776f88375": {"author": "Dev <d@example.com>"}},
 "sessions": {"s_c9883b05a2487d": {"agent_id": {"tool": "claude", "id": "conv_1", "model": "m"}}}}
"""


def test_an_authorship_log_of_git_ai_is_read() -> None:
    first, second = of_git_ai(NOTE)
    assert (first.session, first.client, first.path) == ("conv_1", "claude", "src/main.rs")
    assert [first.covers("src/main.rs", n) for n in (1, 10, 11, 15, 42)] == [1, 1, 0, 1, 0]
    assert (second.session, second.path, second.ranges) == ("6ef2", "src/my file.rs", ((7, 7),))


@pytest.mark.parametrize(
    "note", ["", "---", "a\n---\nno json", "a\n---\n[]", 'x\n---\n{"prompts": 3}']
)
def test_what_is_no_log_says_nothing(note: str) -> None:
    assert of_git_ai(note) == []


def test_entires_trailers_and_checkpoints_are_read() -> None:
    body = "Why.\n\nEntire-Checkpoint: 0ff8ca6db1c9\nEntire-Session: 5a3bb1c8-x\n"
    assert checkpoints_of(body) == ["0ff8ca6db1c9"]
    assert of_trailers(body) == [RecordedSession("trailer", "5a3bb1c8-x")]
    texts = ['{"session_id": "2026-01-13-5a3bb1c8-c3ce", "agent": "Claude Code"}', "no", "[]"]
    assert of_checkpoint(texts) == [RecordedSession("Entire", "5a3bb1c8-c3ce", "Claude Code")]


def test_agent_trace_names_sessions_by_related_resource_or_url() -> None:
    text = (
        '{"version": "0.1.0", "vcs": {"type": "git", "revision": "abc"}, "tool": {"name": "cursor"},'
        ' "files": [{"path": "a.ts", "conversations": ['
        '{"url": "https://x/v1/conversations/12", "contributor": {"type": "ai", "model_id": "o/m"},'
        ' "ranges": [{"start_line": 1, "end_line": 3}], "related": [{"type": "session", "url":'
        ' "https://x/v1/sessions/67?y#z"}]},'
        '{"contributor": {"type": "human"}, "url": "u:h", "ranges": [{"start_line": 4, "end_line": 9}]}'
        "]}]}\nno json\n{}\n"
    )
    ((revision, one),) = of_agent_trace(text)
    assert (revision, one.session, one.path, one.ranges) == ("abc", "67", "a.ts", ((1, 3),))


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.tuples(st.floats(0, 1e6), st.floats(0, 1e6))),
    st.dictionaries(st.sampled_from("abcdefg"), st.floats(0, 1)),
    st.floats(0, 1e6),
)
def test_guesses_are_every_session_once(
    spans: dict[str, tuple[float, float]], words: dict[str, float], at: float
) -> None:
    ranked = [one for one, _ in rank(at, spans, words)]
    assert sorted(ranked) == sorted(spans)


def written(mark: str, session: str, place: int, *, edit: int = 1, whole: bool = False) -> Written:
    return Written(mark, edit, "/w/src/a.py", whole, session, "claude", "t", place, float(edit))


def sought(*around: str) -> SoughtLine:
    return SoughtLine("m", True, around, ("src/a.py",), (100.0, 100.0))


def test_a_line_that_two_prompts_wrote_is_never_certain() -> None:
    rows = [written("m", "one", 0), written("n", "one", 0), written("m", "two", 0, edit=2)]
    assert {one.confidence for one in origins(sought("n"), rows)} == {LIKELY}
    (alone,) = origins(sought("n"), rows[:2])
    assert alone.confidence == CERTAIN


def test_a_line_alone_is_certain_only_by_its_commit() -> None:
    rows = [written("m", "one", 0)]
    assert [one.confidence for one in origins(sought(), rows)] == [LIKELY]
    assert [one.confidence for one in origins(sought(), rows, {"one": 100.0})] == [CERTAIN]
    assert [one.confidence for one in origins(sought(), rows, {"two": 100.0})] == [LIKELY]


def test_what_was_asked_after_a_commit_is_no_reason_for_it() -> None:
    commit = Commit(
        "c", 100, 100, parents=(), author="", subject="", body="",
        added={"a.py": ((1, "y"),)}, renamed={},
    )  # fmt: skip
    asked, later = (FileEdit("a.py", "one", "claude", "t", at, at) for at in (90, 140))
    (found,) = link(commit, Signs(touched=[asked, later]))
    assert found.place == 90
    (only,) = link(commit, Signs(touched=[later]))
    assert only.place == 140, "clocks differ"


def test_who_wrote_over_a_file_is_not_certain() -> None:
    rows = [written("m", "one", 0, whole=True), written("n", "one", 0, whole=True)]
    assert [one.confidence for one in origins(sought("n"), rows)] == [LIKELY]


@pytest.mark.parametrize(("whole", "expected"), [(False, CERTAIN), (True, LIKELY)])
def test_who_wrote_over_a_file_did_not_certainly_make_its_commit(
    expected: str, *, whole: bool
) -> None:
    texts = [f"rate_{number} = rates[{number}]" for number in range(4)]
    commit = Commit(
        "c", 100, 100, parents=(), author="", subject="", body="",
        added={"src/a.py": tuple(enumerate(texts, 1))}, renamed={},
    )  # fmt: skip
    rows = [written(mark_of(text), "one", 0, whole=whole) for text in texts]
    assert [one.confidence for one in link(commit, Signs(wrote=rows))] == [expected]


@pytest.mark.parametrize(
    ("more", "expected"),  # after the author did; taken out again, or moved
    [({}, CERTAIN), ({"at": 160.0}, LIKELY), ({"times": -1}, LIKELY)],
)
def test_a_commit_is_certain_by_what_its_session_alone_wrote(more: Any, expected: str) -> None:
    texts = [f"rate_{number} = rates[{number}]" for number in range(4)]
    commit = Commit(
        "c", 100, 200, parents=(), author="", subject="", body="",
        added={"src/a.py": tuple(enumerate(texts, 1))}, renamed={},
    )  # fmt: skip
    rows = [written(mark_of(text), "one", 0) for text in texts]
    again = [one._replace(edit=2, **more) for one in rows]
    removed = [*rows, *again] if more.get("times") else again
    (found,) = link(commit, Signs(wrote=removed))
    assert found.confidence == expected


@given(st.dictionaries(st.integers(1, 20), lines, max_size=9), st.integers(0, 21))
def test_a_commit_knows_the_lines_that_it_adds(added: dict[int, str], number: int) -> None:
    commit = Commit(
        "c", 0, 0, parents=(), author="", subject="", body="",
        added={"a.py": tuple(sorted(added.items()))}, renamed={},
    )  # fmt: skip
    assert commit.line("a.py", number) == added.get(number)
    assert commit.line("b.py", number) is None


@pytest.mark.parametrize(("at", "expected"), [(100.0, CERTAIN), (160.0, LIKELY)])
def test_who_made_the_same_change_after_its_author_may_have_picked_it(
    at: float, expected: str
) -> None:
    commit = Commit(
        "c", 100, 200, parents=(), author="", subject="", body="", added={}, renamed={}
    )  # fmt: skip
    made = PrintedCommit("abc1234", "m", "one", "claude", "t", 0, at)
    assert [one.confidence for one in link(commit, Signs(same=[made]))] == [expected]


def test_a_subagents_work_is_of_the_prompt_that_began_it() -> None:
    store = ThreadStore(open_database())
    prompts = [TurnFacts(f"p{place}", place, at, True) for place, at in ((0, 10.0), (1, 30.0))]
    store.put("x", "1", SessionFacts("s", "claude", began=10.0, ended=30.0, turns=(*prompts,)))
    wrote = (WrittenFile("a.py", marks_of("one"), at=60.0),)
    turns = (
        TurnFacts("asked", 0, 20.0, True),
        TurnFacts("t", 1, 50.0, False, wrote, (("abc1234", "m"),)),
    )
    child = SessionFacts("agent-1", "claude", parent="s", began=20.0, ended=60.0, turns=turns)
    store.put("y", "1", child)
    (row,) = store.wrote(marks_of("one"), 99.0)
    (touched,) = store.touched(["a.py"], 0.0, 99.0)
    (made,) = store.sessions_printing("abc1234" + "0" * 33)
    assert (row.session, row.place, row.at) == ("s", 0, 60.0)
    assert (touched.place, made.place) == (0, 0)


def test_only_a_path_whose_work_tree_is_gone_is_compared_by_its_end() -> None:
    assert agreement("/w/src/a.py", ("src/a.py",)) == 2
    assert agreement("src/a.py", ("src/a.py",)) == 2
    assert agreement("vendor/src/a.py", ("src/a.py",)) == 1


def test_a_line_of_another_file_is_not_this_one() -> None:
    row = written("m", "one", 0)._replace(path="/w/src/b.py")
    assert origins(sought(), [row]) == []


facts = st.builds(
    SessionFacts,
    st.sampled_from(("s1", "s2", "s3")),
    st.just("claude"),
    turns=st.lists(
        st.builds(
            TurnFacts,
            st.sampled_from("tuv"),
            st.integers(0, 9),
            st.floats(0, 100),
            st.booleans(),
            st.lists(
                st.builds(
                    WrittenFile,
                    st.sampled_from(("a.py", "b/a.py")),
                    st.lists(st.sampled_from(marks_of("one\ntwo\nthree")), max_size=3).map(tuple),
                ),
                max_size=2,
            ).map(tuple),
            st.just((("abc1234", "m"),)),
        ),
        max_size=4,
        unique_by=lambda turn: turn.place,
    ).map(tuple),
)


def dump(store: ThreadStore) -> list[object]:
    marks = marks_of("one\ntwo\nthree")
    wrote = sorted(one._replace(edit=0) for one in store.wrote(marks, 1e9))
    return [wrote, sorted(store.sessions_printing("abc1234" + "0" * 33)), store.counts()]


@given(st.lists(st.tuples(st.sampled_from("xyz"), st.one_of(st.none(), facts)), max_size=8))
def test_kept_up_is_what_is_built_from_nothing(
    changes: list[tuple[str, SessionFacts | None]],
) -> None:
    kept = ThreadStore(open_database())
    last: dict[str, SessionFacts] = {}
    for source, one in changes:
        if one is None:
            kept.drop([source])
            last.pop(source, None)
        else:
            kept.put(source, "stamp", one)
            last[source] = one
    built = ThreadStore(open_database())
    for source, one in last.items():
        built.put(source, "stamp", one)
    assert dump(kept) == dump(built)


def test_the_store_keeps_no_word(tmp_path: Path) -> None:
    path = os.path.join(tmp_path, "thread.db")
    database = open_database(path)
    store = ThreadStore(database)
    wrote = (WrittenFile("a.py", marks_of("SECRET_WORD = 1")),)
    turn = TurnFacts("t", 0, 1.0, True, wrote, (("abc1234", mark_of("SECRET_WORD commit")),))
    store.put("x", "1", SessionFacts("s", "claude", turns=(turn,)))
    store.compact()
    database.close()
    assert b"SECRET_WORD" not in Path(path).read_bytes()
