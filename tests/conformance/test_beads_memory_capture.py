"""What beads memory's memory-capture.sh wrote for a command, and what we make of it.

The first block is equal to the letter. The second names each fault of the script and our answer.
"""

import pytest

from satchel.application.learning.listening.commands import captures_in
from satchel.core.ids import memory_key


def line(command: str) -> list[dict[str, object]]:
    return [
        {
            "key": memory_key(one.kind, one.content),
            "type": one.kind,
            "content": one.content,
            "tags": list(one.tags),
            "bead": one.task,
        }
        for one in captures_in(command)
    ]


def test_an_ordinary_comment_gives_the_line_of_beads_memory() -> None:
    command = (
        'bd comment bd-a1b2.1 "LEARNED: Use TaskGroup, not DispatchGroup: the latter crashes on '
        'macOS 15 (see #42)"'
    )
    assert line(command) == [
        {
            "key": "learned-use-taskgroup-not-dispatchgroup-the-latter-crashes-on-maco",
            "type": "learned",
            "content": (
                "Use TaskGroup, not DispatchGroup: the latter crashes on macOS 15 (see #42)"
            ),
            "tags": ["learned", "crash"],
            "bead": "bd-a1b2.1",
        }
    ]


def test_an_unquoted_word_gives_the_line_of_beads_memory() -> None:
    (only,) = line("bd comment bd-3 LEARNED:noquote")
    assert (only["key"], only["content"], only["bead"]) == ("learned-noquote", "noquote", "bd-3")


def test_an_empty_lesson_gives_nothing_as_in_beads_memory() -> None:
    assert line('bd comment bd-3 "LEARNED:   "') == []


@pytest.mark.parametrize(
    ("fault", "command", "expected"),
    [
        (
            "only the last of several markers was kept",
            "bd comment BD-9 'INVESTIGATION: root cause. LEARNED: first LEARNED: second'",
            [
                ("BD-9", "root cause.", ["learned", "investigation"]),
                ("BD-9", "first", ["learned"]),
                ("BD-9", "second", ["learned"]),
            ],
        ),
        (
            "the id swallowed the second line",
            'bd comment bd-1 "LEARNED: line one\nline two about auth"',
            [("bd-1", "line one\nline two about auth", ["learned", "auth"])],
        ),
        (
            "the chained command became part of the lesson, and quotes stayed escaped",
            'bd comment bd-2 "LEARNED: a \\"quoted\\" word" && bd close bd-2',
            [("bd-2", 'a "quoted" word', ["learned"])],
        ),
        (
            "the current spelling of the command was missed",
            'bd comments add bd-1 "LEARNED: kept"',
            [("bd-1", "kept", ["learned"])],
        ),
        (
            "requires was taken for a ui",
            'bd comment bd-4 "LEARNED: TaskGroup requires @Sendable closures"',
            [("bd-4", "TaskGroup requires @Sendable closures", ["learned"])],
        ),
    ],
)
def test_the_faults_of_beads_memory_are_answered(
    fault: str, command: str, expected: list[tuple[str, str, list[str]]]
) -> None:
    found = [(one["bead"], one["content"], one["tags"]) for one in line(command)]
    assert found == expected, fault


def test_the_document_s_own_example_keeps_its_key() -> None:
    (only,) = line('bd comment BD-001 "LEARNED: TaskGroup requires @Sendable closures"')
    assert only["key"] == "learned-taskgroup-requires-sendable-closures"
    assert only["bead"] == "BD-001"
