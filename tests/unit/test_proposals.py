"""Proposals: the queue, answers, and edits that only add."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.core.clock import FixedClock
from satchel.core.errors import BadInputError, ConflictError, NotFoundError
from satchel.features.proposals import queue as queue_module
from satchel.features.proposals.edits import edited, only_adds, without_change
from satchel.features.proposals.metrics import project_metrics, summed
from satchel.features.proposals.queue import Numbers, Queue
from satchel.features.proposals.selection import select_proposals
from satchel.features.proposals.values import Decision, Edit, Proposal, QueuedProposal, Scan
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.lines import records_in
from satchel.storage.ledger.record import Record


def proposal(n: int = 1, group: str = "knowledge") -> Proposal:
    edit = Edit("create", "project", f"docs/{n}.md", f"text {n}\n", data={"a": [1]})
    return Proposal("note", group, f"Note {n}", "because", "high", (edit,), f"key{n}", "said",
                    "s1", ("t1", "t2"), ("m1",), ("mind it",), "reviewer", "user", "bug-fix")  # fmt: skip


@pytest.fixture
def queue(tmp_path: os.PathLike[str]) -> Queue:
    path = os.path.join(tmp_path, "proposals.jsonl")
    return Queue(Ledger(path, path + ".lock", clock=FixedClock()))


def test_a_proposal_comes_back_as_it_was(queue: Queue) -> None:
    (made,) = queue.propose([proposal()])
    (standing,) = Queue(queue.ledger).all()
    assert standing == QueuedProposal(made, Decision(), 1)
    assert made._replace(id="", ts=0) == proposal()


def test_the_same_change_is_not_proposed_again_whatever_became_of_it(queue: Queue) -> None:
    (made,) = queue.propose([proposal(), proposal()])
    assert queue.propose([proposal()]) == []
    queue.decide(made, Decision("rejected", by="user"))
    assert queue.propose([proposal()]) == []
    assert queue.pending() == []


def test_the_last_decision_counts(queue: Queue) -> None:
    (made,) = queue.propose([proposal()])
    files = (("/a", "00", None), ("/b", "11", "before"))
    queue.decide(made, Decision("accepted", by="me", commit="abc", files=files))
    decided = queue.all()[0].decided
    assert decided.line
    assert decided._replace(at=0, line="") == Decision("accepted", 0, "me", "abc", "", files)
    queue.decide(made, Decision("undone"))
    assert queue.find(made.id[-6:]).state == "undone"
    with pytest.raises(NotFoundError):
        queue.find("nosuch")


def test_what_was_read_is_not_decoded_again(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reflection on many sessions asks after each one; all of it each time would be quadratic."""
    decoded: list[int] = []

    def counted(data: bytes) -> list[Record]:
        found = list(records_in(data))
        decoded.append(len(found))
        return found

    monkeypatch.setattr(queue_module, "records_in", counted)
    made = [queue.propose([proposal(n)])[0] for n in range(20)]
    queue.decide(made[3], Decision("rejected", by="user"))
    assert [one.proposal.id for one in queue.all()] == [one.id for one in made]
    assert queue.all()[3].state == "rejected"
    assert sum(decoded) == 21


def test_a_ledger_that_was_written_anew_is_read_anew(queue: Queue) -> None:
    (made,) = queue.propose([proposal(1)])
    queue.propose([proposal(2)])
    path = queue.ledger.path
    with open(path, encoding="utf-8") as file:
        first = file.readline()
    with open(path, "w", encoding="utf-8") as file:
        file.write(first)
    assert [one.proposal.id for one in queue.all()] == [made.id]


def test_what_is_no_proposal_in_the_ledger_harms_nothing(queue: Queue) -> None:
    queue.propose([proposal()])
    with open(queue.ledger.path, "ab") as file:
        file.write(b'{"kind": "proposal", "data": {"op": "proposed", "edits": 3}}\n\xff\n[]\n')
    assert len(queue.all()) == 1


# ---- numbers -----------------------------------------------------------------------------------


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["propose", "reword", "reject", "accept", "return"]), st.integers(0, 9)
        )
    )
)
def test_a_number_names_one_suggestion_while_it_waits(steps: list[tuple[str, int]]) -> None:
    numbers, waiting, decided = Numbers(), dict[str, int](), list[str]()
    for made, (step, which) in enumerate(steps):
        ident, known = f"id{made}", list(waiting)
        one = known[which % len(known)] if known else ""
        if step == "propose" or (step == "reword" and one):
            origin = (one,) if step == "reword" else ()
            numbers.propose(proposal()._replace(id=ident, derived_from=origin))
            if origin:
                assert numbers.of[ident] == waiting.pop(one)
                numbers.decide(one, "rejected")
                decided.append(one)
            waiting[ident] = numbers.of[ident]
        elif step in ("reject", "accept") and one:
            numbers.decide(one, f"{step}ed")
            decided.append(one)
            del waiting[one]
        elif step == "return" and decided:
            back = decided.pop(which % len(decided))
            numbers.decide(back, "pending")
            waiting[back] = numbers.of[back]
        assert {one: numbers.of[one] for one in waiting} == waiting
        assert len(set(waiting.values())) == len(waiting)
        assert len(waiting) != 1 or step != "propose" or set(waiting.values()) == {1}


def test_numbers_are_those_that_were_shown_whatever_came_meanwhile(queue: Queue) -> None:
    queue.propose([proposal(1, "behavioral"), proposal(2)])
    shown = [(one.number, one.proposal.title) for one in queue.pending()]
    assert shown == [(1, "Note 2"), (2, "Note 1")]
    queue.propose([proposal(3)])
    queue.decide(queue.pending()[0].proposal, Decision("rejected"))
    left = [(one.number, one.proposal.title) for one in queue.pending()]
    assert left == [(2, "Note 1"), (3, "Note 3")]


# ---- answers -----------------------------------------------------------------------------------


def test_suggestions_that_wait_again_have_the_numbers_that_they_had(queue: Queue) -> None:
    made = queue.propose([proposal(n) for n in (1, 2, 3)])
    for order in ([0, 1, 2], [2, 1, 0], [1, 2, 0]):
        for one in made:
            queue.decide(one, Decision("accepted"))
        for index in order:
            queue.decide(made[index], Decision("pending"))
        assert [one.number for one in queue.pending()] == [1, 2, 3]
    queue.decide(made[0], Decision("accepted"))
    queue.propose([proposal(4)])
    assert [one.number for one in queue.pending()] == [2, 3, 4]


def standings() -> list[QueuedProposal]:
    groups = ("knowledge", "behavioral", "knowledge", "behavioral")
    return [QueuedProposal(proposal(n, group), Decision(), n) for n, group in enumerate(groups, 1)]


@pytest.mark.parametrize(
    ("answer", "accepted", "rejected"),
    [
        ("Y", [1, 2, 3, 4], []), ("yes", [1, 2, 3, 4], []), ("N", [], [1, 2, 3, 4]),
        ("1,3", [1, 3], []), ("2 4", [2, 4], []), ("2-4", [2, 3, 4], []),
        ("all-knowledge", [1, 3], []), ("All_Behavioral", [2, 4], []),
    ],
)  # fmt: skip
def test_what_an_answer_means(answer: str, accepted: list[int], rejected: list[int]) -> None:
    yes, no = select_proposals(answer, standings())
    assert [one.proposal.title for one in yes] == [f"Note {n}" for n in accepted]
    assert [one.proposal.title for one in no] == [f"Note {n}" for n in rejected]


@pytest.mark.parametrize("answer", ["", "maybe", "1,x", "3-2", "-1", "9" * 40, "\u0661"])
def test_what_means_nothing_is_refused(answer: str) -> None:
    with pytest.raises(BadInputError):
        select_proposals(answer, standings())


@pytest.mark.parametrize("answer", ["5", "0", "3-5", "1,9"])
def test_a_number_that_none_has_is_not_found(answer: str) -> None:
    with pytest.raises(NotFoundError):
        select_proposals(answer, standings())


@given(st.text(max_size=20))
def test_no_answer_accepts_what_it_does_not_name(answer: str) -> None:
    try:
        yes, no = select_proposals(answer, standings())
    except (BadInputError, NotFoundError):
        return
    assert not {one.proposal.title for one in yes} & {one.proposal.title for one in no}
    assert len(yes) < 4 or answer.strip().lower() in ("y", "yes", "all", "all-yes", "1-4")


# ---- edits -------------------------------------------------------------------------------------


_LINES = st.lists(st.sampled_from(["a", "b", "- c", "", "## d"]), max_size=8)


@given(_LINES, _LINES)
def test_appending_only_adds_and_twice_is_once(before: list[str], more: list[str]) -> None:
    text = "\n".join(before).encode()
    edit = Edit("append", "project", "x.md", "\n".join(more))
    once = edited(text, edit, {})
    assert only_adds(text, once)
    assert edited(once, edit, {}) == once


def test_an_edit_that_would_rewrite_is_refused() -> None:
    edit = Edit("structured", "project", "x.yaml", "", "shorten")
    with pytest.raises(ConflictError, match=r"rewrite what x\.yaml says"):
        edited(b"one\ntwo\n", edit, {"shorten": lambda *_: b"two\n"})


def test_a_file_that_is_there_is_not_replaced() -> None:
    edit = Edit("create", "project", "x.md", "new\n")
    assert edited(None, edit, {}) == edited(b"new\n", edit, {}) == b"new\n"
    with pytest.raises(ConflictError, match="says something different"):
        edited(b"old\n", edit, {})


def test_lines_are_taken_out_whole_and_once() -> None:
    edit = Edit("take_out", "project", "M.md", "- b\n  more")
    assert edited(b"- a\r\n- b\r\n  more\r\n- b\r\n", edit, {}) == b"- a\r\n- b\r\n"
    assert edited(b"- bb\n", edit, {}) == b"- bb\n"


def test_what_was_added_is_taken_out_of_a_file_that_was_changed_since() -> None:
    before, after = b"# A\n- one\n", b"# A\n- one\n- two\n"
    assert without_change(before, after, b"# A\n- zero\n- one\n- two\n- three\n") == (
        b"# A\n- zero\n- one\n- three\n"
    )
    assert without_change(before, after, b"# A\n- one\n- too\n") is None
    assert without_change(b"no end", b"no end\n- x\n", b"no end\n- x\n- y\n") == b"no end\n- y\n"


def test_what_was_taken_out_is_put_back_where_it_stood() -> None:
    before, after = b"# A\n- one\n- two\n", b"# A\n- two\n- three\n"
    assert without_change(before, after, b"# A\n- two\n- three\n- four\n") == (
        b"# A\n- one\n- two\n- four\n"
    )
    assert without_change(before, after, b"# B\n- two\n- three\n") is None
    assert without_change(b"- one\n", b"", b"- two\n") == b"- one\n- two\n"


@given(*[st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"\n"])).map(b"".join)] * 2)
def test_a_change_is_undone_to_the_byte_where_nobody_edited_since(
    before: bytes, after: bytes
) -> None:
    assert without_change(before, after, after) == before


# ---- figures -----------------------------------------------------------------------------------


def test_the_metrics_count_what_the_ledger_says(queue: Queue) -> None:
    one, two, _ = queue.propose([proposal(1), proposal(2, "behavioral"), proposal(3)])
    queue.decide(one, Decision("accepted"))
    queue.decide(two, Decision("rejected"))
    for found in ({"tier:high": 1}, {"tier:high": 2, "type:bug-fix": 2, "tier:low": 1}):
        queue.note_scan(Scan("s1", "/t.jsonl", "m", found))
    figures = project_metrics(queue.all(), queue.scans())
    assert figures["total_sessions_analyzed"] == 1  # the last look at it counts
    assert figures["total_signals_detected"] == 3
    assert figures["signals_by_type"] == {"bug-fix": 2}
    assert (figures["total_changes_proposed"], figures["pending"]) == (3, 1)
    assert figures["acceptance_rate"] == 0.5
    assert figures["most_updated_agents"] == ["reviewer"]
    total = summed([figures, figures])
    assert (total["total_changes_accepted"], total["acceptance_rate"]) == (2, 0.5)
