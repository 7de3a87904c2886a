"""A checkpoint names what a session was about, not a nod, a sigh, a lesson or a goodbye at its end."""

from pathlib import Path

import pytest

from satchel.application.learning.listening import checkpoints
from satchel.application.learning.listening.turns import closes
from unit.test_checkpoints import checkpoint, transcript, works

ASK = "the CRC in the bootloader is wrong for images over 64k, please look into it"
DONE = "I looked at every caller of it and ran the checks again, they are all green now."
REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a"
    " file edit, the new_string was NOT written to the file). To tell you how to proceed, the user"
    " said:\n"
)


def asked(path: Path, *said: tuple[str, object]) -> str:
    found = checkpoint(transcript(path / "t.jsonl", *said))
    assert found is not None
    return found.content.split("\n")[0]


@pytest.mark.parametrize(
    "step", ["could you check the size, please?", "then do this in the reader"]
)
def test_a_step_that_says_too_little_is_told_with_what_it_belongs_to(
    tmp_path: Path, step: str
) -> None:
    said = [("user", ASK), *works(2), ("user", step), *works(1), ("assistant", DONE)]
    told = step.removeprefix("then ")
    assert asked(tmp_path, *said) == f"Asked: {ASK}; then: {told}"


def test_a_step_that_says_enough_is_told_alone(tmp_path: Path) -> None:
    step = "rename the column tenant to tenant_id in the orders table"
    said = [("user", ASK), *works(2), ("user", step), *works(1), ("assistant", DONE)]
    assert asked(tmp_path, *said) == f"Asked: {step}"


def test_a_sigh_before_the_next_call_is_not_what_was_asked(tmp_path: Path) -> None:
    sigh = "always the same with this job, sigh"
    said = [("user", ASK), *works(2), ("user", sigh), *works(1), ("assistant", DONE)]
    assert asked(tmp_path, *said).startswith(f"Asked: {ASK}")


def test_feedback_on_a_refused_call_is_not_what_was_asked(tmp_path: Path) -> None:
    call = {"type": "tool_use", "id": "r", "name": "Bash", "input": {"command": "helm upgrade"}}
    no = {"type": "tool_result", "tool_use_id": "r", "is_error": True}
    why = f"{REFUSED}go through the wrapper and look at its diff first"
    said = [("user", ASK), ("assistant", [call]), ("user", [{**no, "content": why}]), *works(1)]
    assert asked(tmp_path, *said, ("assistant", DONE)) == f"Asked: {ASK}"


@pytest.mark.parametrize(
    "answer",
    [
        "Understood: from now on every deviation gets a comment with the rule's number and its reason, here too.",
        "Got it. I'll keep that in mind for the other modules as well, and look at the ones that lack it.",
    ],
)
def test_a_lesson_that_is_only_repeated_is_not_what_was_asked(tmp_path: Path, answer: str) -> None:
    lesson = (
        "we comment every MISRA deviation with its rule and the reason, the audit counts the others"
    )
    said = [("user", ASK), *works(2), ("assistant", DONE), ("user", lesson), ("assistant", answer)]
    assert asked(tmp_path, *said) == f"Asked: {ASK}"
    assert "; then: " in asked(tmp_path, *said[:-1], ("assistant", f"I added them. {DONE}"))


@pytest.mark.parametrize(
    "goodbye",
    [
        "done, thx", "let's wrap it up", "stop here", "thanks, that's it from me", "right you are",
        "perfect, thank you so much! let's leave it there for today", "until monday", "i wait",
        "I think that'll do for today, thanks ever so much", "Thanks so much for your help this week!",
    ],
)  # fmt: skip
def test_a_goodbye_asks_for_nothing(goodbye: str) -> None:
    assert closes(goodbye)


@pytest.mark.parametrize(
    "said", ["done with the parser, now the lexer", "wait for the build", "stop the job"]
)
def test_what_goes_on_is_no_goodbye(said: str) -> None:
    assert not closes(said)


def test_a_step_that_hides_the_session_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "tells_its_subject", bool)
    said = [("user", ASK), *works(2), ("user", "could you check the size, please?"), *works(1)]
    assert ASK not in asked(tmp_path, *said, ("assistant", DONE))


def test_a_correction_or_details_of_it_are_told_behind_the_work_they_go_on_from(
    tmp_path: Path,
) -> None:
    task = "write the proto of the billing service in the style of proto/orders"
    said = [
        ("user", task),
        ("assistant", "proto/billing.proto is written in that style."),
        ("user", "you used a Timestamp for due_date. a due date is a date, use the Date message"),
        ("assistant", "Changed to common.Date in proto/billing.proto."),
        ("user", "spec it. with buf breaking, we dropped prototool"),
        ("assistant", "Added a check with buf breaking to the pipeline."),
    ]
    found = checkpoint(transcript(tmp_path / "t.jsonl", *said))
    assert found is not None
    assert found.content.startswith(f"Asked: {task}; then: spec it.")


@pytest.mark.parametrize(
    "last",
    ["good to know", "looks right", "looks good to me", "ahh ok", "great find", "yesss", "phew",
     "of course", "smooth", "feels great!!", "lol ok. night!", "yep", "exactly", "right, sure",
     "ty", "tysm!", "gotta run", "you rock", "he is the best", "amazing", "all good", "fine by me"],
)  # fmt: skip
def test_who_only_nods_at_what_was_told_waits_for_no_answer(tmp_path: Path, last: str) -> None:
    told = "The screen shows the tickets, newest first."
    said = [("user", ASK), *works(2), ("assistant", told), ("user", last)]
    found = checkpoint(transcript(tmp_path / "t.jsonl", *said))
    assert found is not None
    assert found.content == f"Asked: {ASK}\nDone: {told}"


@pytest.mark.parametrize("last", ["yes", "go on", "bit more", "retries too", "the second one"])
def test_who_asks_to_go_on_waits_for_an_answer(tmp_path: Path, last: str) -> None:
    said = [
        ("user", ASK),
        *works(2),
        ("assistant", "Shall I do the same elsewhere?"),
        ("user", last),
    ]
    found = checkpoint(transcript(tmp_path / "t.jsonl", *said))
    assert found is not None
    assert "Open: no answer yet" in found.content


@pytest.mark.parametrize(
    ("lesson", "answer"),
    [
        ("right. legal says the first reminder only after 21 days, 14 was a mistake", "21 days now."),
        ("hm wait, leave the old name, the frontend parses it", "Back to the old name."),
        ("careful, prices go through Money.parse, never toDouble", "Uses Money.parse."),
    ],
)  # fmt: skip
def test_what_was_changed_for_a_correction_is_done_and_not_what_was_told_before(
    tmp_path: Path, lesson: str, answer: str
) -> None:
    before = "I select the invoices that are overdue by 14 days."
    said = [("user", ASK), *works(1), ("assistant", before), ("user", lesson), *works(1)]
    found = checkpoint(
        transcript(tmp_path / "t.jsonl", *said, ("assistant", answer), ("user", "ok"))
    )
    assert found is not None
    assert found.content.partition("Done: ")[2] == answer


def test_what_an_agent_calls_done_is_not_open(tmp_path: Path) -> None:
    told = "Done: credit notes may be negative, everything else still fails. Tests pass."
    found = checkpoint(
        transcript(tmp_path / "t.jsonl", ("user", ASK), *works(1), ("assistant", told))
    )
    assert found is not None
    assert "Open:" not in found.content


def test_a_question_that_the_person_answered_is_no_longer_open(tmp_path: Path) -> None:
    said = [
        ("user", ASK),
        *works(2),
        ("assistant", DONE),
        ("user", "e2e?"),
        ("assistant", "None yet. Cypress or Playwright?"),
        ("user", "playwright. cypress has no safari and the client's ceo uses an ipad"),
        ("assistant", "Playwright with webkit."),
    ]
    told = checkpoint(transcript(tmp_path / "t.jsonl", *said))
    assert told is not None
    assert "Open:" not in told.content
    left = checkpoint(transcript(tmp_path / "u.jsonl", *said[:-2], ("user", "bye")))
    assert left is not None
    assert left.content.endswith("Open: Cypress or Playwright?")


@pytest.mark.parametrize(
    "said",
    [
        "all good, thanks", "danke und tschüss", "merci, c'est parfait", "that's enough for today",
        "haha ok that's neat", "to me it looks fine", "thx :D", "ok danke, bis morgen", "👍",
        "thanks a lot", "ciao", "thx buddy", "danke, bis spaeter", "tsch\u00fcss", "tschuess", "vale, gracias",
        "bon week-end", "you are awesome", "gute nacht",
    ],
)  # fmt: skip
def test_courtesies_are_known_however_they_are_put_together(said: str) -> None:
    assert closes(said)


@pytest.mark.parametrize(
    "said",
    [
        "looks good, next: the checkout page", "cool. next, a list of workouts", "is it good?",
        "thanks, now the same for orders", "make it better", "/", "lunch menu", "back to plan a",
    ],
)  # fmt: skip
def test_a_request_beside_a_courtesy_is_one(said: str) -> None:
    assert not closes(said)


def test_work_that_the_agent_first_asked_about_is_told_with_what_was_changed_in_it(
    tmp_path: Path,
) -> None:
    work = (
        "we need idempotency for POST /transfers. clients retry and we double booked one on friday"
    )
    said = [
        ("user", work),
        ("assistant", "I'd store an Idempotency-Key with the response. Redis or Postgres?"),
        ("user", "postgres, same tx as the booking. redis lost keys on failover last time"),
        *works(2),
        ("assistant", "Key and booking are in one transaction now. Keys expire after 24h."),
        ("user", "7 days, batch clients retry over the weekend"),
        *works(1),
        ("assistant", "7 days."),
        ("user", "perfect, push it. not to main obviously"),
        ("assistant", "Pushed."),
    ]
    assert asked(tmp_path, *said).startswith(f"Asked: {work}")
