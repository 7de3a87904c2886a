"""What is said in the course of talk is heard whole: with its reason, its choice, what it is about.

The neighbours of a sentence often hold half of it: the question that it answers, the order whose
reason it gives.
"""

import pytest

from satchel.application.learning.signals import reasons, statements
from satchel.application.learning.signals.hearing import hear
from satchel.application.learning.signals.scanning import scan
from satchel.clients.transcript_format.values import Turn


def told(said: str, prev: str = "", asked: str = "") -> list[str]:
    return [one.wording for one in hear(said, prev, asked=asked)]


@pytest.mark.parametrize(
    ("asked", "prev", "said", "expected"),
    [
        (
            "python 3.12 or 3.13?",
            "Both work.",
            "3.12, the cluster image is on it",
            "Use python 3.12, not 3.13: the cluster image is on it",
        ),
        (
            "should we use an outbox or CDC for events?",
            "An outbox is simpler.",
            "Outbox. We don't have anyone who can run Debezium.",
            "Use Outbox, not CDC: we don't have anyone who can run Debezium",
        ),
        (
            "",
            "Stripe or Adyen?",
            "adyen, finance knows it",
            "Use adyen, not Stripe: finance knows it",
        ),
        (
            "",
            "",
            "plots with plotly? no matplotlib, the pdf export can't do plotly",
            "Matplotlib, not plotly: the pdf export can't do plotly",
        ),
        (
            "lombok for the dto?",
            "Lombok is in the pom.",
            "records, we're removing lombok bit by bit",
            "Records, not lombok: we're removing lombok bit by bit",
        ),
        (
            "",
            "With ExternalTaskSensor or a dataset?",
            "Sensor. our airflow is 2.2, it has no datasets",
            "Use Sensor: our airflow is 2.2, it has no datasets",
        ),
        ("", "", "not rsync! the hoster only has sftp", "Not rsync: the hoster only has sftp"),
        (
            "",
            "",
            "shall we use redis? nope, postgres, ops won't run redis for us",
            "Postgres, not redis: ops won't run redis for us",
        ),
    ],
)
def test_a_choice_is_kept_with_what_was_asked(
    asked: str, prev: str, said: str, expected: str
) -> None:
    assert told(said, prev, asked) == [expected]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("should I commit or wait?", "commit, it is late"),
        ("do we merge now or later?", "later, I have a meeting"),
        ("a or b?", "b, it is the newer one"),
        ("should I fix the test or the code?", "the test, it's outdated"),
        ("User or Account?", "account, it reads better"),
        ("unit or e2e?", "unit, e2e is overkill for this"),
        ("last 10 or 100 lines?", "100, the error is further up"),
        ("commit now or after the fix?", "after, it's broken right now"),
        ("", "is it done? no tests, the tests are missing"),
        ("is redis up?", "yes, redis is up"),
        ("where is the config?", "there, in config/"),
        ("", "not bad! but the dates are american"),
        ("", "not the header! the footer"),
        ("", "the chart must start at zero! it looked weird in the demo otherwise"),
    ],
)
def test_an_answer_about_the_work_is_no_choice(asked: str, said: str) -> None:
    assert told(said, "ok", asked) == []


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            "we tried celery, it lost jobs on restart. so it's rq",
            "We tried celery, it lost jobs on restart; so it's rq",
        ),
        (
            "I tried redis streams for this, consumers got stuck, so we went back to lists",
            "I tried redis streams for this, consumers got stuck, so we went back to lists",
        ),
        (
            (
                "I tried lime in spring, it was unstable. two runs gave two answers. So shap, but "
                "precompute it"
            ),
            (
                "I tried lime in spring, it was unstable; two runs gave two answers; so shap, but "
                "precompute it"
            ),
        ),
    ],
)
def test_what_was_tried_is_kept_with_what_is_done_since(said: str, expected: str) -> None:
    assert told(said) == [expected]


@pytest.mark.parametrize(
    "said",
    [
        "I tried restarting the server, it didn't help, so it must be the config",
        "I tried the new build, still broken. so what now",
        "tried clearing the cache, no luck. so look at the network tab",
    ],
)
def test_what_was_tried_in_search_of_a_fault_is_not(said: str) -> None:
    assert told(said) == []


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            (
                "migration looks wrong, add index concurrently. the table is locked for minutes "
                "otherwise and the front desk calls me"
            ),
            (
                "Add index concurrently: the table is locked for minutes otherwise and the front desk "
                "calls me"
            ),
        ),
        (
            "split by customer, not by row! same customer in train and test otherwise",
            "Split by customer, not by row: same customer in train and test otherwise",
        ),
        (
            (
                "clear the outputs before you commit a notebook, they contain names. legal was not "
                "amused last time"
            ),
            (
                "Clear the outputs before you commit a notebook, they contain names: legal was not "
                "amused last time"
            ),
        ),
        (
            "catchup must be False! last year a new dag started 400 runs and killed the warehouse",
            "Catchup must be False: last year a new dag started 400 runs and killed the warehouse",
        ),
        (
            "the button says 'Absenden' not 'Senden'. client's legal wants exactly that word",
            "The button says 'Absenden' not 'Senden': client's legal wants exactly that word",
        ),
        (
            "right, integer scaling only. pixel art looks awful otherwise",
            "Integer scaling only: pixel art looks awful otherwise",
        ),
        (
            "it should exit 2 when there are any, nagios wants that",
            "It should exit 2 when there are any, nagios wants that",
        ),
        (
            "max 3 retries. if we exceed that the provider blocks us for a day",
            "Max 3 retries: if we exceed that the provider blocks us for a day",
        ),
        (
            "A due date is a date, there's no time of day; use the Date message from proto/common.",
            "A due date is a date, there's no time of day; use the Date message from proto/common",
        ),
    ],
)
def test_what_comes_of_it_stays_with_what_is_to_be_done(said: str, expected: str) -> None:
    assert told(said) == [expected]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            (
                "i dont like that table. one line per cert, tab separated so i can awk it; table only "
                "with --pretty. same for all the tools we write from now on"
            ),
            (
                "One line per cert, tab separated so i can awk it; table only with --pretty; same for "
                "all the tools we write from now on"
            ),
        ),
        (
            (
                "turn it back on in ansible, roles/containerd, and note that gc must be off only while "
                "we drain nodes"
            ),
            "Gc must be off only while we drain nodes",
        ),
        ("hm no mail is not encrypted, health data", "Mail is not encrypted, health data"),
        (
            "ok better. but careful with includes on patient, the notes column is encrypted and decrypting 200 rows takes a second",
            "Includes on patient: the notes column is encrypted and decrypting 200 rows takes a second",
        ),
        (
            "und alles mit prefix hb_ sonst kollidiert das mit dem theme",
            "Alles mit prefix hb_ sonst kollidiert das mit dem theme",
        ),
    ],
)
def test_what_it_holds_for_is_told_with_it(said: str, expected: str) -> None:
    assert told(said) == [expected]


@pytest.mark.parametrize(
    ("asked", "answered", "said", "expected"),
    [
        (
            "what about retries",
            "3 attempts, 1 s apart.",
            "yes but max 5, they block our IP for a day after 10 failed requests",
            "Retries: max 5, they block our IP for a day after 10 failed requests",
        ),
        (
            "why did the import fail?",
            "The ministry's server resets connections at 2:10.",
            "ah right, they have a maintenance window every night 2 to 2:30. run it at 3",
            (
                "The ministry's server resets connections at 2:10: they have a maintenance window "
                "every night 2 to 2:30"
            ),
        ),
        (
            "and the refunds?",
            "Should refunds reduce the revenue?",
            "no. never mix them, the auditor was complaining",
            "Should refunds reduce the revenue: never mix them, the auditor was complaining",
        ),
    ],
)
def test_what_it_is_about_was_asked_or_answered(
    asked: str, answered: str, said: str, expected: str
) -> None:
    turns = [Turn("user", asked), Turn("assistant", answered), Turn("user", said)]
    assert [one.learning for one in scan(turns)] == [expected]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("you use px everywhere. we have spacing tokens, see tokens.css",
         "We have spacing tokens, see tokens.css"),
        ("you called malloc in the isr. heap doesn't exist on this target, everything is static",
         "Heap doesn't exist on this target, everything is static"),
    ],
)  # fmt: skip
def test_what_the_agent_did_is_no_lesson_but_why_it_should_not(said: str, expected: str) -> None:
    assert told(said) == [expected]


def test_another_topic_is_no_reason() -> None:
    said = "images as avif, max 1600 wide, always. fonts: self host, google fonts is a gdpr thing"
    assert "Images as avif, max 1600 wide, always" in told(said)


def test_an_objection_that_says_what_to_do_instead_is_kept_with_it() -> None:
    assert told("no not here, laptop melts. submit to the cluster: `ray job submit`") == [
        "Not here, laptop melts: submit to the cluster: `ray job submit`"
    ]
    assert told("no not there, that's the wrong file. put it in utils.py") == []


@pytest.mark.parametrize(
    "said",
    [
        "thx. and tell me, how big is the ota slot",
        "hmm tests take forever",
        "hi. we need an endpoint that returns the tax rate for a zip code",
        "haha ok. invoice goes out on friday, so finish by thursday",
        (
            "new feature: waiting list. when an appointment is cancelled offer it to the next three "
            "on the list, first who answers gets it"
        ),
    ],
)
def test_questions_complaints_and_tasks_pass(said: str) -> None:
    assert told(said) == []


def test_without_its_neighbours_half_of_it_would_be_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statements, "choice_among", lambda *_: None)  # the seeded bugs
    monkeypatch.setattr(reasons, "looks_back", lambda _: False)
    monkeypatch.setattr(statements, "looks_back", lambda _: False)
    assert told("adyen, finance knows it", "Stripe or Adyen?") != [
        "Use adyen, not Stripe: finance knows it"
    ]
    assert told("we tried celery, it lost jobs on restart. so it's rq") == []
    said = "split by customer, not by row! same customer in train and test otherwise"
    assert len(told(said)) > 1
