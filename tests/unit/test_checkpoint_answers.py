"""What a checkpoint tells of answers that are hardly more than a word, and of what is held off."""

from pathlib import Path

import pytest

from satchel.application.learning.listening.checkpoints import where_it_stood
from satchel.clients.transcripts.tail import Message
from unit.test_checkpoints import ASK, checkpoint, transcript


def test_a_word_in_answer_to_a_question_is_no_work_done(tmp_path: Path) -> None:
    said = [
        ("user", ASK),
        ("assistant", "It passes: the timeout was too short."),
        ("user", "is there anything else that uses it"),
        ("assistant", "Not that I know."),
    ]
    found = checkpoint(transcript(tmp_path / "t.jsonl", *said))
    assert found is not None
    assert "Not that I know" not in found.content
    assert "no answer yet" not in found.content


def test_who_holds_something_off_asks_for_no_work(tmp_path: Path) -> None:
    said = [
        ("user", ASK),
        ("assistant", "It passes: the timeout was too short."),
        ("user", "dont push yet, i wanna look first"),
        ("assistant", "Ok."),
        ("user", "ok push"),
        ("assistant", "Pushed."),
    ]
    found = checkpoint(transcript(tmp_path / "t.jsonl", *said))
    assert found is not None
    assert found.content.startswith(f"Asked: {ASK}")


def test_a_week_s_last_words_are_told_with_the_work_and_not_in_its_place(tmp_path: Path) -> None:
    said = [
        ("user", "great. commit that. and dont add the co-authored-by line"),
        ("assistant", "Committed."),
        ("user", "now make the import faster, 30k rows take 50 seconds"),
        ("assistant", "Done: one transaction per 1000 rows."),
        ("user", "nice! whats the memory now?"),
        ("assistant", "48 MB."),
        ("user", "ok good enough. btw the ftp is only open from 6 to 8 in the morning"),
        ("assistant", "Noted."),
        ("user", "thx, lunch"),
        ("assistant", "Enjoy!"),
    ]
    found = checkpoint(transcript(tmp_path / "t.jsonl", *said))
    assert found is not None
    assert found.content == (
        "Asked: make the import faster, 30k rows take 50 seconds\nDone: one transaction per 1000 rows."
    )


def test_a_decision_that_is_nodded_at_leaves_standing_what_was_done() -> None:
    decided = "lets go with sqlite for the offline cache, redis is too heavy for a till"
    stood = where_it_stood(
        [
            Message("user", "the receipts are cut off at the right, fix the layout"),
            Message("assistant", "Done, wrapped lines at 72.", worked=True),
            Message("user", decided),
            Message("assistant", "ok"),
        ]
    )
    assert stood is not None
    assert stood.text.endswith("\nDone: wrapped lines at 72.")


@pytest.mark.parametrize(
    "order",
    [
        "commit, and dont push yet",
        "ok great, commit that and push",
        "perfect. commit everything with a good message please",
        "push it to origin main",
        "lgtm, open a PR",
        "and merge that into main, thanks",
    ],
)
def test_an_order_to_commit_is_routine_once_it_is_done(order: str) -> None:
    said = [
        Message("user", ASK),
        Message("assistant", "The timeout was too short.", worked=True),
        Message("user", order),
    ]
    stood = where_it_stood([*said, Message("assistant", "Committed as 1a2b3c4.")])
    assert stood is not None
    assert stood.text == f"Asked: {ASK}\nDone: The timeout was too short."
    waiting = where_it_stood(said)
    assert waiting is not None
    assert waiting.asked.removeprefix(f"{ASK}; then: ") in order
    assert waiting.open == "no answer yet"


def test_what_sums_up_the_session_when_the_person_leaves_is_told() -> None:
    said = [
        Message("user", "rename the cursor parameter to after in the api"),
        Message("assistant", "Renamed.", worked=True),
        Message("user", "maria is the only one who may run migrations on prod"),
        Message("assistant", "Ok."),
        Message("user", "remember to have lunch, note to self"),
        Message("assistant", "Enjoy."),
        Message("user", "thanks, bye"),
        Message(
            "assistant",
            "Pagination is finished and pushed, and the parameter is called after everywhere now."
            " Next: the month page with plain SQL. Open: who signs off the migration.",
        ),
    ]
    stood = where_it_stood(said)
    assert stood is not None
    assert stood.text == (
        "Asked: rename the cursor parameter to after in the api"
        "\nDone: Pagination is finished and pushed, and the parameter is called after everywhere"
        " now.\nNext:\n- the month page with plain SQL."
        "\nOpen: who signs off the migration"
    )


def test_more_work_beside_a_commit_is_told() -> None:
    for more in ("commit that and add a test for the retry", "push it, then tag v1.4"):
        said = [Message("user", ASK), Message("assistant", "Fixed.", worked=True)]
        stood = where_it_stood([*said, Message("user", more), Message("assistant", "I did both.")])
        assert stood is not None
        assert stood.asked == f"{ASK}; then: {more}"


def test_a_greeting_is_no_work(tmp_path: Path) -> None:
    assert (
        checkpoint(transcript(tmp_path / "t.jsonl", ("user", "hello"), ("assistant", "Hi!")))
        is None
    )


def test_who_complains_of_what_was_done_asks_for_no_work(tmp_path: Path) -> None:
    said = [
        ("user", ASK),
        ("assistant", "It passes: the timeout was too short."),
        ("user", "wtf why did you rename that method, thats used in the scene"),
        ("assistant", "Sorry, it has its old name again."),
        ("user", "ok commit and done for today"),
        ("assistant", "Committed."),
    ]
    found = checkpoint(transcript(tmp_path / "t.jsonl", *said))
    assert found is not None
    assert found.content == f"Asked: {ASK}\nDone: it has its old name again."


def _stood(*said: tuple[str, str], worked: str = "") -> str:
    """Return the text of a checkpoint; the agent worked for the requests that begin like this."""
    messages = [
        Message(role, text, worked=role == "user" and bool(worked) and text.startswith(worked))
        for role, text in said
    ]
    stood = where_it_stood(messages)
    assert stood is not None
    return stood.text


@pytest.mark.parametrize(
    ("goodbye", "last", "rest"),
    [
        ("cool. lunch", "Enjoy. Open: shipments are not tested yet.", "\nOpen: shipments are not tested yet"),
        ("bye :)", "Bye. Next: the retention policy.", "\nNext:\n- the retention policy."),
        ("have a nice weekend :)", "You too. Everything is committed.", ""),
        ("works now, thanks!", "Great.", ""),
        ("stop, I'll do the rest myself", "Sure.", ""),
        ("im off, tmrw we do the retention policy", "Sleep well.", "\nNext:\n- do the retention policy"),
        ("ok thats it for now, next i'll do the freshness thing", "Fine.", "\nNext:\n- do the freshness thing"),
    ],
)  # fmt: skip
def test_a_goodbye_leaves_standing_what_was_done(goodbye: str, last: str, rest: str) -> None:
    said = [("user", ASK), ("assistant", "Moved to 00:30."), ("user", goodbye), ("assistant", last)]
    assert _stood(*said) == f"Asked: {ASK}\nDone: Moved to 00:30.{rest}"


@pytest.mark.parametrize(
    ("end", "step"),
    [
        ("cool. tomorrow we do the invoice pdf", "do the invoice pdf"),
        ("nice, we'll continue with the pdf next time", "continue with the pdf"),
        ("great work. tomorrow we need to fix the login", "fix the login"),
        ("thanks! on monday let's look at the flaky test", "look at the flaky test"),
        ("ok that's enough for today, tomorrow the export", "the export"),
        (
            "thanks that's it for today tomorrow we do the export and the reminder mails",
            "do the export and the reminder mails",
        ),
        (
            "I have to go now please commit it and tomorrow we continue with the pdf",
            "continue with the pdf",
        ),
        ("tomorrow the server is down", ""),
        ("thanks, we look at it later", ""),
        ("we do releases on fridays", ""),
        ("can we do it tomorrow?", ""),
    ],
)
def test_what_the_person_leaves_for_later_is_next(end: str, step: str) -> None:
    said = [("user", ASK), ("assistant", "Moved to 00:30."), ("user", end), ("assistant", "Ok!")]
    assert _stood(*said).partition("\nNext:\n- ")[2] == step


def test_an_order_to_commit_beside_it_is_not_where_the_work_stands() -> None:
    end = "nice. commit and we're done for today, next time we look at the export for accounting"
    said = [("user", ASK), ("assistant", "Moved to 00:30."), ("user", end), ("assistant", "Ok!")]
    stood = _stood(*said, worked="nice")
    assert (
        stood == f"Asked: {ASK}\nDone: Moved to 00:30.\nNext:\n- look at the export for accounting"
    )


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        (
            ["can you review PR 231?", "Two findings.", "fix the first one, the second is on purpose", "Removed it."],
            "can you review PR 231?; then: fix the first one, the second is on purpose",
        ),
        (["implement oauth with github", "Passport or by hand?", "passport", "Which callback url?"], "implement oauth with github"),
        (
            ["refactor billing.py into modules, it is 2400 lines", "Split.", "commit with message 'refactor(billing): split'", "Committed."],
            "refactor billing.py into modules, it is 2400 lines",
        ),
    ],
)  # fmt: skip
def test_what_was_asked_makes_sense_by_itself(said: list[str], asked: str) -> None:
    turns = [("assistant" if at % 2 else "user", text) for at, text in enumerate(said)]
    assert _stood(*turns).partition("\n")[0] == f"Asked: {asked}"


def test_a_request_that_also_teaches_is_the_work_if_it_was_worked_on() -> None:
    built = "Build the cart page. Prices via lib/money.ts. VAT is shown per line."
    turns = [("user", built), ("assistant", "Created."), ("user", "can you write a test?")]
    stood = _stood(*turns, ("assistant", "Done."), worked="Build")
    assert stood.partition("\n")[0] == f"Asked: {built}; then: can you write a test?"


def test_a_step_that_both_name_is_told_once() -> None:
    said = [
        ("user", ASK),
        ("assistant", "Moved.\nNext steps:\n- run the backfill on staging"),
        ("user", "thx, tomorrow I'll run the backfill"),
    ]
    assert _stood(*said).partition("\nNext:\n")[2] == "- run the backfill on staging"


@pytest.mark.parametrize(
    ("answer", "done", "open_"),
    [
        ("Committed. The full refresh is still open.", "", "The full refresh is still open."),
        ("All checks pass now. Pull request 88 waits for your review.", "All checks pass now.",
         "Pull request 88 waits for your review."),
        ("I added a row-count test. Shall I set the limit at 1%?", "I added a row-count test.",
         "Shall I set the limit at 1%?"),
        ("The scoring DAG is not written yet. Should it run daily or weekly?", "",
         "The scoring DAG is not written yet. Should it run daily or weekly?"),
    ],
)  # fmt: skip
def test_what_an_answer_leaves_open_is_told_once_and_whole(
    answer: str, done: str, open_: str
) -> None:
    told = f"\nDone: {done}" if done else ""
    found = _stood(("user", ASK), ("assistant", answer)).replace("\nDone: Committed.", "")
    assert found == f"Asked: {ASK}{told}\nOpen: {open_}"


def test_an_answer_to_a_question_or_a_promise_is_no_work_done() -> None:
    said = [
        ("user", "put a limiter of 60 calls a minute into src/fx.py"),
        ("assistant", "Added a limiter."),
        ("user", "how did you test that?"),
        ("assistant", "With a fake clock, in tests/test_fx.py."),
        ("user", "when you write tests never mock snowflake, we have a fixture for it"),
        ("assistant", "I will use the fixture."),
        ("user", "commit + pr"),
        ("assistant", "Done."),
    ]
    asked = "Asked: put a limiter of 60 calls a minute into src/fx.py"
    assert _stood(*said, worked="put") == f"{asked}\nDone: Added a limiter."


def test_a_rule_that_was_applied_at_once_is_not_the_work() -> None:
    said = [
        ("user", "can you rename the variable `wh` to `warehouse` in the module"),
        ("assistant", "Renamed in infra/snowflake.tf."),
        ("user", "in tf we always put the env last, like loader_dev, not dev_loader"),
        ("assistant", "Renamed dev_loader."),
        ("user", "the owner is always 'data-platform', not a person"),
        ("assistant", "Changed."),
        ("user", "fix it"),
        ("assistant", "All checks pass now."),
    ]
    found = _stood(*said, worked="")
    assert found.startswith("Asked: can you rename the variable `wh` to `warehouse` in the module;")


def test_who_calls_a_thing_it_goes_on_from_what_was_asked_before() -> None:
    said = [
        ("user", "rename the dev schema DEV_RITA in profiles.yml"),
        ("assistant", "Renamed."),
        ("user", "raise it to 20 for this one"),
        ("assistant", "Raised to 20."),
    ]
    assert _stood(*said) == (
        "Asked: rename the dev schema DEV_RITA in profiles.yml; then: raise it to 20 for this one"
        "\nDone: Raised to 20."
    )


@pytest.mark.parametrize(
    ("last", "done", "step"),
    [
        ("Now let me look at the other failing tests in `test_fx.py`:", "Wrote the limiter in src/fx.py.",
         "look at the other failing tests in `test_fx.py`"),
        ("Tests pass. Let me also run lint.", "Tests pass.", "run lint"),
        ("Now I have everything I need. I need to check the imports first.",
         "Wrote the limiter in src/fx.py.", "check the imports first"),
        ("All 12 tests pass. Let me know if you want it on main.", "All 12 tests pass.", ""),
        ("I'll leave it as it is.", "Wrote the limiter in src/fx.py.", ""),
    ],
)  # fmt: skip
def test_what_is_announced_in_the_middle_of_work_is_next_and_not_done(
    last: str, done: str, step: str
) -> None:
    said = [("user", ASK), ("assistant", "Wrote the limiter in src/fx.py."), ("assistant", last)]
    next_ = f"\nNext:\n- {step}" if step else ""
    assert _stood(*said) == f"Asked: {ASK}\nDone: {done}{next_}"


@pytest.mark.parametrize(
    "praise",
    [
        "\U0001f44d",
        "sehr schön so",
        "super, so muss das",
        "great",
        "bom, perfeito!",
        "super gemacht, bis morgen",
        "und jetzt wirklich feierabend",
        "good bot",
    ],
)
def test_praise_waits_for_no_answer(praise: str) -> None:
    stood = where_it_stood(
        [
            Message("user", ASK),
            Message("assistant", "The timeout was too short.", worked=True),
            Message("user", praise),
        ]
    )
    assert stood is not None
    assert stood.text == f"Asked: {ASK}\nDone: The timeout was too short."


@pytest.mark.parametrize(
    "goodbye",
    ["perfect. stop here, my kid is crying", "ok gotta run, the train leaves", "bye, dinner"],
)
def test_who_leaves_and_says_why_waits_for_no_answer(tmp_path: Path, goodbye: str) -> None:
    said = [("user", ASK), ("assistant", "It passes: the timeout was too short.")]
    found = checkpoint(transcript(tmp_path / "t.jsonl", *said, ("user", goodbye)))
    assert found is not None
    assert found.content.startswith(f"Asked: {ASK}\nDone:")
    assert "no answer yet" not in found.content


def test_what_the_agent_is_about_to_do_is_not_done(tmp_path: Path) -> None:
    about = "Let me look into how sessions are created, particularly below the root."
    works = (
        "assistant",
        [{"type": "tool_use", "id": "t", "name": "Edit", "input": {"file_path": "a.py"}}],
    )
    found = checkpoint(transcript(tmp_path / "t.jsonl", ("user", ASK), works, ("assistant", about)))  # fmt: skip
    assert found is not None
    assert "Done:" not in found.content
    assert "look into how sessions are created" in found.content


def test_an_answer_to_the_agent_s_question_is_not_the_work(tmp_path: Path) -> None:
    task = "make the save system for the game, json files, one per slot"
    said = [
        ("user", task),
        ("assistant", "With JsonUtility or Newtonsoft?"),
        ("user", "newtonsoft, JsonUtility can't do dictionaries"),
        ("assistant", "Saves are written with Newtonsoft now, in Assets/Save.cs."),
        ("user", "love it"),
    ]
    found = checkpoint(transcript(tmp_path / "t.jsonl", *said))
    assert found is not None
    assert found.content.startswith(f"Asked: {task}; then: newtonsoft")
    assert "no answer yet" not in found.content
