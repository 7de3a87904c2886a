"""What five people said in passing in a working week: attempts, rules with a reason, bare numbers."""

import pytest

from satchel.application.learning.signals.hearing import hear
from satchel.application.learning.signals.lesson_filter import why_dropped
from satchel.application.learning.signals.scanning import scan
from satchel.application.learning.signals.values import Signal
from satchel.clients.transcript_format.values import Turn


def kept(*said: str) -> list[str]:
    """Return the lessons of a conversation, in which a person and an agent take turns."""
    turns = [
        Turn("assistant" if at % 2 else "user", text, float(at + 1), id=str(at))
        for at, text in enumerate(said)
    ]
    found: list[Signal] = scan(turns)
    return [one.learning for one in found if not why_dropped(one)]


@pytest.mark.parametrize(
    "said",
    [
        "we tried raising the memory limit to 2G last month, didn't help because the pdfs just pile up",
        "we tried karpenter consolidation in prod last quarter, had to turn it off, it evicted the brokers",
        "last year we tried graphql and it was too slow for the mobile app",
        "we tried grpc once, the load balancer killed the streams",
        "the team tried nx last year, it failed on windows",
        "our team tried kafka two years ago but nobody could operate it",
        "we tested snapshot tests in 2024, made every review slower",
        "we tried server components in spring and reverted after two weeks",
        "the platform team piloted istio last winter, latency was worse",
        "we've already tried sharding by tenant, had to go back because of the big ones",
        "we tried smote for the imbalance in spring, made calibration worse, so class weights it is",
        "we experimented with wasm plugins last summer but the cold start killed us",
    ],
)
def test_what_was_tried_long_ago_and_given_up_is_a_lesson(said: str) -> None:
    (lesson,) = kept("please look at the service", "I look at it.", said, "Understood.")
    assert lesson.lower().replace("'", "")[:30] == said.replace("'", "")[:30]


@pytest.mark.parametrize(
    "said",
    [
        "we tried that last week, didn't work",
        "i tried restarting it yesterday, didn't help",
        "we already tried it, no luck",
        "i tested the login before but it failed",
        "we tried to call you before lunch but nobody picked up",
        "tried it once, broke",
    ],
)
def test_what_was_just_tried_is_none(said: str) -> None:
    assert kept("please look at the service", "I look at it.", said, "Ok.") == []


@pytest.mark.parametrize(
    ("said", "wording"),
    [
        ("and always bump the version before a push, the title screen shows it",
         "Always bump the version before a push, the title screen shows it"),
        ("interesting, but the ios app is done by an agency, so no kmp for us",
         "The ios app is done by an agency, so no kmp for us"),
        ("yes known, the huawei build needs the hms flavor, gms won't work there",
         "The huawei build needs the hms flavor, gms won't work there"),
        ("everything lives in eu-central-1 btw except cloudfront certs, those must be us-east-1",
         "Everything lives in eu-central-1 except cloudfront certs, those must be us-east-1"),
        ("skip that one, data must not leave germany so no replication, contract with the bank",
         "Data must not leave germany so no replication, contract with the bank"),
        ("one line each is enough. always like that in release notes, customers don't read more",
         "One line each is enough, always like that in release notes, customers don't read more"),
    ],
)  # fmt: skip
def test_what_leads_up_to_a_lesson_and_its_reason_neither_hide_nor_spoil_it(
    said: str, wording: str
) -> None:
    assert [one.wording for one in hear(said)] == [wording]


@pytest.mark.parametrize(
    "said",
    [
        "frame drops in the lava level",
        "feature importance says support_tickets_90d dominates, suspicious",
        "memory leak in the importer",
        "rds needs a bigger disk in prod",
        "the readme needs a better intro",
        "the export always takes two tries, weird",
    ],
)
def test_what_is_only_seen_by_now_is_no_lesson(said: str) -> None:
    assert kept(said, "I look at it.") == []


@pytest.mark.parametrize(
    ("asked", "said", "lesson"),
    [
        ("seed?", "please use 1234, all our experiments do",
         "Seed: use 1234, all our experiments do"),
        ("how many retries?", "use 5, the provider has outages every friday",
         "How many retries: use 5, the provider has outages every friday"),
        ("what limit do we set for particles", "cap at 2000, my steam deck can't do more",
         "What limit do we set for particles: cap at 2000, my steam deck can't do more"),
    ],
)  # fmt: skip
def test_a_bare_number_is_kept_with_the_question_that_it_answers(
    asked: str, said: str, lesson: str
) -> None:
    assert lesson in kept(asked, "I used 3.", said, "Changed.")


def test_a_rule_is_not_what_the_next_one_is_about() -> None:
    said = (
        "never apply from a laptop, atlantis does it",
        "and its tofu not terraform, we switched",
    )
    told = kept(said[0], "I open a pull request.", said[1], "I use tofu.")
    assert told == [
        "Never apply from a laptop, atlantis does it",
        "Its tofu not terraform, we switched",
    ]


@pytest.mark.parametrize(
    ("question", "said", "lesson"),
    [
        ("Which queue should the retries use?", "sqs, nats gets switched off in march",
         "Which queue should the retries use: sqs, nats gets switched off in march"),
        ("Should the offline cache use Room or DataStore?",
         "room, datastore lost data on app update last year",
         "Use room, not DataStore, for the offline cache: datastore lost data on app update last year"),
    ],
)  # fmt: skip
def test_a_choice_by_name_is_kept_with_the_agents_question(
    question: str, said: str, lesson: str
) -> None:
    assert kept("build the cache", f"I can start.\n{question}", said, "Fine.") == [lesson]
    assert kept("build the cache", "I can start.", said, "Fine.") != [lesson]
