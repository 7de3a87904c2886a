"""What is proposed: lessons that hold, name their object and stand alone."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from machine_speed import least_seconds, slowness
from satchel.application.learning.signals.lesson_filter import why_dropped
from satchel.application.learning.signals.scanning import scan
from satchel.application.learning.signals.values import Signal
from satchel.clients.transcript_format.values import Turn


def is_durable(signal: Signal) -> bool:
    return not why_dropped(signal)


def proposed(*turns: str) -> list[str]:
    """What lasts of a conversation in which a person and the agent take turns."""
    roles = ("user", "assistant")
    said = [Turn(roles[n % 2], text, float(n + 1), f"t{n}") for n, text in enumerate(turns)]
    return [one.learning for one in scan(said) if is_durable(one)]


def by_the_agent(text: str) -> list[str]:
    return proposed("please look into it", text)[:1]


@pytest.mark.parametrize(
    "text",
    [
        "Never commit files below vendor/ by hand",
        "Always run the migrations before the server starts",
        "I prefer small commits with a reason in the message",
        "Use httpx instead of requests for every new client",
        "The staging database only works with a tunnel on port 5433",
        "DPD's sandbox only answers between 8 and 18 on weekdays",
        "The firewall only lets ports 80 and 443 through",
        "We chose SQLite over a server because the tool has to work on a train",
        "We store timestamps in UTC because the `report` job compares them as text",
    ],
)
def test_what_a_person_laid_down_lasts(text: str) -> None:
    assert proposed(text) == [text.replace("I prefer", "Prefer")]


@pytest.mark.parametrize(
    "text",
    [
        "We do have conflicts with main",
        "let's fix that first before moving on",
        "let's do 2 and 4 and skip the rest of them",
        "I think option 3 is fine for now, let's implement it",
        "I just merged main, so the tests are failing now",
        "you should never have removed this, put it back",
        "can you make sure that the tests always pass?",
        "don't push this yet, I want to look at it first",
        "the issue is now that the build is failing again",
        "maybe just a counter that goes up), first will be 1",
        "2026-02-09 09:08:29 INFO never use hook=post-commit strategy=manual",
        "it somehow always lists these under each entry",
        "commit this on a feature branch and open a draft PR",
    ],
)
def test_what_was_said_of_the_work_at_hand_does_not(text: str) -> None:
    assert proposed(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "The root cause was that `load_config` reads the file before `HOME` is set in the container.",
        "The issue was that `Session.close()` never flushed the buffer, so the last line was lost.",
        "The two failures have one root cause: paths are relative to the work tree, not to the shell.",
    ],
)
def test_a_finding_with_a_name_or_told_out_lasts(text: str) -> None:
    assert by_the_agent(text) == [text.rstrip(".")]


@pytest.mark.parametrize(
    "text",
    [
        "The issue is likely in how modified files are detected by the hook.",
        "The fix is complete and all tests pass in `worker.py` and elsewhere.",
        "The fix is to increase this limit or to change the approach altogether.",
        "The real problem is more subtle than what I had understood so far.",
        "I think the issue is that `status` might be read before it is written.",
        "The concurrent flow bypasses this check entirely, which is a security problem.",
    ],
)
def test_a_guess_a_report_and_what_points_nowhere_do_not(text: str) -> None:
    assert by_the_agent(text) == []


@pytest.mark.parametrize(
    ("text", "learnt"),
    [
        ("Never edit generated/. Run make gen instead.",
         "Never edit generated/. Run make gen instead"),
        ("Please never edit the lock file by hand. Use `uv lock` for it.",
         "Never edit the lock file by hand. Use `uv lock` for it"),
        ("Don't call the payment API in tests - use the recorded answers instead",
         "Don't call the payment API in tests. Use the recorded answers instead"),
    ],
)  # fmt: skip
def test_a_rule_keeps_what_is_to_be_done_instead(text: str, learnt: str) -> None:
    assert proposed(text) == [learnt]


@pytest.mark.parametrize(
    "text",
    [
        "Never edit files below generated/ by hand. Commit and push now.",
        "Never edit files below generated/ by hand. Is the build green?",
        "Never edit files below generated/ by hand. The tests are in tests/.",
    ],
)
def test_and_nothing_that_does_not_belong_to_it(text: str) -> None:
    assert proposed(text)[:1] == ["Never edit files below generated/ by hand"]


def test_two_prohibitions_stay_two() -> None:
    text = "Never edit files below generated/ by hand. Don't use tabs in YAML files."
    assert len(proposed(text)) == 2


def arc(error: str, told: str) -> list[Signal]:
    """An agent's test fails, is mended, and passes."""
    return scan([
        Turn("assistant", "", 1.0, "a0", ("Bash: pytest -q",), (error,)),
        Turn("assistant", told, 2.0, "a1", ("Edit: /repo/queue.py",)),
        Turn("assistant", "", 3.0, "a2", ("Bash: pytest -q",)),
    ])  # fmt: skip


def test_an_arc_is_proposed_where_its_error_and_its_cure_are_named() -> None:
    error = "E   ImportError: cannot import name 'run'"
    (good,) = arc(error, "The import of `run` fails because queue.py imports worker.py as well.")
    (untold,) = arc(error, "Let me check whether queue.py needs a change.")
    (conflict,) = arc("error: could not apply 378b6b7c... fix", "It needs `queue.py` instead.")
    assert [is_durable(one) for one in (good, untold, conflict)] == [True, False, False]
    assert "because queue.py imports worker.py" in good.learning


def test_a_call_that_was_put_wrong_and_then_right_is_found_without_wordings() -> None:
    turns = [
        Turn("assistant", "", 1.0, "a0", ("Bash: gh api repos/x?per_page=9",),
             ("Exit code 1 (eval):1: no matches found: repos/x?per_page=9",)),
        Turn("assistant", "", 2.0, "a1", ('Bash: gh api "repos/x?per_page=9"',)),
    ]  # fmt: skip
    (usage,) = scan(turns, wordings=False)
    assert (usage.kind, is_durable(usage)) == ("usage", True)
    assert usage.learning == (
        "Quote the arguments of `gh api`, or the shell reads them first: "
        '`gh api "repos/x?per_page=9"` (no matches found: repos/x?per_page=9)'
    )
    other = turns[1]._replace(tools=("Bash: gh api repos/x --paginate",))
    (usage,) = scan([turns[0], other], wordings=False)
    assert "So it works: `gh api repos/x --paginate`" in usage.learning
    again = [turns[0], turns[1]._replace(tools=turns[0].tools)]
    assert scan(again, wordings=False) == []


def test_a_test_that_failed_is_named_where_its_output_is_a_log() -> None:
    error = "=== RUN TestStore hooks.go:155: output: 2026/01/13 12:42:10 INFO start component=x"
    (found,) = arc(error, "The test needs to write to `.state/` instead of the home.")
    assert "TestStore fails" in found.learning


def test_what_was_sent_again_whole_was_not_said_twice() -> None:
    text = "the config file belongs below etc please"
    turns = [Turn("user", text, 1.0, "u1"), Turn("assistant", "Done.", 2.0, "a1")]
    assert scan([*turns, Turn("user", text, 3.0, "u2")], wordings=False) == []
    other = Turn("user", "The config file belongs below etc!", 3.0, "u2")
    assert [one.kind for one in scan([*turns, other], wordings=False)] == ["said_twice"]


@given(st.text(max_size=300), st.sampled_from(["user", "assistant"]))
@settings(max_examples=80, deadline=None)
def test_any_sentence_is_judged_and_always_the_same(text: str, role: str) -> None:
    for one in scan([Turn(role, text, 1.0, "t")]):
        assert is_durable(one) is is_durable(one)


@pytest.mark.parametrize(
    "seed", ["`", '"a', "the a ", "it ", "never a ", "1, 2 and ", "a/", "let's ", "x=1 ", "aA"]
)
def test_a_long_learning_is_judged_at_once(seed: str) -> None:
    text = (seed * 400)[:400]
    one = Signal("high", "root_cause", "knowledge", "bug-fix", "unknown", text, text, "assistant")
    slow = slowness()
    assert least_seconds(lambda: is_durable(one), enough=0.01) < 0.01 * slow
    assert time.process_time() > 0


@pytest.mark.parametrize("ahead", ["the", "remember: the", "btw the"])
def test_a_sentence_that_holds_a_secret_is_no_lesson(ahead: str) -> None:
    secret = "staging webhook secret is whsec_9aX72kQpLmZ81yTn4c6VbE0R, put it in .env.local"  # nosec
    assert proposed(f"{ahead} {secret}, don't commit it") == []
    assert proposed(f"{ahead} staging webhook secret is in .env.local, don't commit it")
