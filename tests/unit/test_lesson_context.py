"""A lesson that names no subject is kept with the question or the sentence that does."""

import pytest

from satchel.application.learning.signals.context import with_subject
from satchel.application.learning.signals.hearing import hear
from satchel.application.learning.signals.own_words import sentences
from satchel.application.learning.signals.scanning import scan
from satchel.clients.transcript_format.values import Turn


def learnt(*said: str) -> list[str]:
    """Return what a conversation teaches; person and agent speak in turns."""
    roles = ("user", "assistant")
    turns = [Turn(role=roles[at % 2], text=one) for at, one in enumerate(said)]
    return [one.learning for one in scan(turns) if one.plain and one.role == "user"]


@pytest.mark.parametrize(
    ("said", "learning"),
    [
        (
            (
                "so how many retries do we do now",
                "3.",
                "make it 5, the provider has outages of half a minute all the time",
            ),
            "How many retries do we do now: make it 5, the provider has outages of half a minute all the time",
        ),
        (
            (
                "how long should an offer be open",
                "That is not decided.",
                "20 minutes during opening hours, at night until 8 in the morning",
            ),
            (
                "How long should an offer be open: 20 minutes during opening hours, at night until"
                " 8 in the morning"
            ),
        ),
        (
            (
                "the export for the insurance wants xml. what lib",
                "encoding/xml.",
                "ok use that",
                "Done.",
                "they want latin1 encoding, not utf8, and crlf",
            ),
            "The export for the insurance wants xml: they want latin1 encoding, not utf8, and crlf",
        ),
        (
            ("look at the importer", "What is the price of a message?", "its 6.8 cents per sms"),
            "What is the price of a message: its 6.8 cents per sms",
        ),
        (
            (
                "stripe or adyen?",
                "Both know SEPA and TWINT. Which do you prefer?",
                "stripe then, we have an account",
            ),
            "Use stripe, not adyen: we have an account",
        ),
        (
            (
                "types for the api are where?",
                "web/src/api/types.ts",
                "those are generated from openapi.yaml, dont edit by hand",
            ),
            "Types for the api: those are generated from openapi.yaml, don't edit by hand",
        ),
    ],
)
def test_an_answer_is_kept_with_its_question(said: tuple[str, ...], learning: str) -> None:
    assert learnt(*said) == [learning]


def test_a_correction_is_not_the_subject_of_the_next_one() -> None:
    first = "nah dont memoize, query keys are arrays of primitives everywhere"
    told = learnt(first, "Changed.", "its pnpm in web/, never npm, the lockfile breaks otherwise")
    assert told[1:] == ["Pnpm in web/, never npm, the lockfile breaks otherwise"]
    later = with_subject("They are arrays of primitives", [first], "Ok.", objects=False)
    assert later == "They are arrays of primitives"


def test_what_names_its_subject_stays_as_it_is() -> None:
    said = ("how many retries do we do", "3.", "never retry a payment")
    assert learnt(*said) == ["Never retry a payment"]


def test_what_takes_back_the_last_statement_is_not_about_it() -> None:
    asked = ["add a login for the doctors", "jwt is fine for doctors"]
    told = with_subject("Same sessions as reception", asked, "Ok.", objects=True)
    assert told == "Add a login for the doctors: same sessions as reception"


@pytest.mark.parametrize(
    ("said", "wording"),
    [
        (
            "patients don't get accounts. magic link by sms, valid 15 min, thats it",
            "Patients don't get accounts: magic link by sms, valid 15 min",
        ),
        (
            "also i hate these huge commit messages you write. one line, no bullet lists",
            "I hate these huge commit messages you write: one line, no bullet lists",
        ),
    ],
)
def test_a_fragment_is_kept_with_the_sentence_before_it(said: str, wording: str) -> None:
    assert wording in [one.wording for one in hear(said)]


@pytest.mark.parametrize(
    ("said", "wording"),
    [
        (
            "stop!! TestAlarm with -sms=live texts the real brigade phones. use -sms=fake",
            "TestAlarm with -sms=live texts the real brigade phones: use -sms=fake",
        ),
        (
            "No, migrations are append only. never edit one thats been released",
            "Migrations are append only: never edit one thats been released",
        ),
    ],
)
def test_a_rejection_keeps_subject_and_cure_together(said: str, wording: str) -> None:
    assert [one.wording for one in hear(said, rejected=True)] == [wording]


def test_how_to_answer_has_no_subject_in_the_prompt_before() -> None:
    taste = "Keep it short, no summaries at the end of every answer"
    assert with_subject(taste, ["add a test for the parser"], "Done.", objects=False) == taste


@pytest.mark.parametrize(
    ("said", "learnt"),
    [
        ("this file is generated", "api_pb2.py is generated"),
        ("no, this file is generated, change the .proto instead",
         "api_pb2.py is generated, change the .proto instead"),
        ("never edit this one by hand, it comes from the schema",
         "Never edit api_pb2.py by hand, it comes from the schema"),
        ("don't touch this file", "Don't touch api_pb2.py"),
        ("that's exactly one of the generated files, change the .proto instead",
         "api_pb2.py is exactly one of the generated files, change the .proto instead"),
    ],
)  # fmt: skip
def test_what_is_said_of_a_refused_edit_names_its_file(said: str, learnt: str) -> None:
    edit = Turn("assistant", "I add the field.", tools=("Edit: src/api_pb2.py",))
    assert [one.learning for one in scan([edit, Turn("user", said, rejects=True)])] == [learnt]
    # Which file is meant without an edit is not known.
    read = Turn("assistant", "I read it.", tools=("Read: src/api_pb2.py",))
    assert "api_pb2" not in str(scan([read, Turn("user", said, rejects=True)]))


@pytest.mark.parametrize(
    ("said", "learnt"),
    [
        ("never run this against staging, it locks the tables",
         "Never run `alembic upgrade head` against staging, it locks the tables"),
        ("no, use `make migrate`, this skips the backup",
         "Use `make migrate`, `alembic upgrade head` skips the backup"),
        ("stop, this needs the vpn", "`alembic upgrade head` needs the vpn"),
        ("not like that, we use make test here", "We use make test"),
        ("we never do this by hand", "We never do this by hand"),
    ],
)  # fmt: skip
def test_what_is_said_of_a_refused_command_names_it(said: str, learnt: str) -> None:
    call = Turn("assistant", "I run it.", tools=("Bash: alembic upgrade head",))
    assert [one.learning for one in scan([call, Turn("user", said, rejects=True)])] == [learnt]


def test_a_refused_command_of_many_words_is_not_named() -> None:
    call = Turn("assistant", "I run it.", tools=("Bash: " + "alembic upgrade head && " * 9,))
    (one,) = scan([call, Turn("user", "never run this against staging", rejects=True)])
    assert one.learning == "Never run this against staging"


@pytest.mark.parametrize(
    ("said", "learnt"),
    [
        ("apply only happens in the release job, you just plan",
         "`terraform apply` only happens in the release job, you just plan"),
        ("no, never apply from a laptop", "Never `terraform apply` from a laptop"),
        ("no -auto-approve. plan to a file, then apply that file",
         "No `terraform apply -auto-approve`: plan to a file, then apply that file"),
        ("never run terraform apply without a plan", "Never run terraform apply without a plan"),
    ],
)  # fmt: skip
def test_what_is_said_of_a_subcommand_names_its_program(said: str, learnt: str) -> None:
    call = Turn("assistant", "I run it.", tools=("Bash: terraform apply -auto-approve",))
    assert [one.learning for one in scan([call, Turn("user", said, rejects=True)])] == [learnt]


def test_what_was_not_chosen_is_left_out_of_the_question() -> None:
    asked = ["so for the cache, redis or memcached, what do u think"]
    told = with_subject("Redis then, we have it anyway", asked, "", objects=False)
    assert told == "For the cache: redis then, we have it anyway"
    other = with_subject("Neither then, a file is enough", asked, "", objects=False)
    assert other == "For the cache, redis or memcached: neither then, a file is enough"


@pytest.mark.parametrize(
    ("said", "wording"),
    [
        ("the geocoder allows 50 calls a second, put a limiter in there",
         "The geocoder allows 50 calls a second"),
        ("receipts have to be kept for 10 years, take them out", "Receipts have to be kept for 10 years"),
        # What to do because of it stays.
        ("the geocoder is down on sundays, use the cached file",
         "The geocoder is down on sundays, use the cached file"),
        ("put mira in there, she owns everything below maps/", "Mira owns everything below maps/"),
        ("makes sense, the depot is closed every second friday, so no pickups then is fine",
         "The depot is closed every second friday, so no pickups then is fine"),
        ("8 gb wont do for the nightly tiles. i decided we run those only on the big box because it has its own disk",
         "8 gb wont do for the nightly tiles: i decided we run those only on the big box because it has its own disk"),
        ("always strip the exif before publishing photos, we leaked a home address once :/",
         "Always strip the exif before publishing photos, we leaked a home address once"),
        ("subjects in this repo start with the area, like `maps: ...` or `infra: ...`",
         "Subjects in this repo start with the area, like `maps: ...` or `infra: ...`"),
        ("thats expected, the maps schema got renamed to tiles last week",
         "The maps schema got renamed to tiles last week"),
        ("and pages go to #maps-oncall since today, the old channel gets archived",
         "Pages go to #maps-oncall since today, the old channel gets archived"),
    ],
)  # fmt: skip
def test_a_lesson_leaves_out_what_is_of_the_moment(said: str, wording: str) -> None:
    assert [one.wording for one in hear(said)][-1:] == [wording]


@pytest.mark.parametrize(
    "said",
    [
        "write me a quick query to count rows per street for june in raw.places",
        "add a freshness check to models/maps/_sources.yml, warn after 6h error after 12",
        "the file got renamed to places.py",
        'put a banner on top: "closed 12.-19. august, we are at the sea"',
        "let's port the parser from python to rust. one struct per message type",
    ],
)
def test_a_step_is_no_lesson(said: str) -> None:
    assert hear(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "goose wraps migrations in a transaction, so indexes need the -- +goose NO TRANSACTION line",
        "npm swallows flags, so arguments always go after -- in our scripts",
    ],
)
def test_a_mark_that_is_named_ends_no_sentence(said: str) -> None:
    assert [one.casefold() for one in learnt(said)] == [said.casefold()]


def test_a_dash_between_clauses_does() -> None:
    assert sentences("use pnpm here -- npm breaks the lockfile") == [
        "use pnpm here", "npm breaks the lockfile",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("said", "learning"),
    [
        (  # all that is said of it is in the sentence before
            ("add the email column", "Added.", "nullable first, fill it, then unique. always in that order"),
            "Nullable first, fill it, then unique, always in that order",
        ),
        (
            ("write the notes for 3.4", "Here they are.", "shorter, for drivers, they read on a phone. max 5 lines, no jargon"),
            "Write the notes for 3.4: shorter, for drivers, they read on a phone: max 5 lines, no jargon",
        ),
        (  # a number or a comparison of nothing that is named
            (
                "Priya asks if we could raise the number of workers to 16",
                "The machine has 8 cores.",
                "no, max 4 per queue, we have two queues and the box has 8 cores",
            ),
            (
                "Priya asks if we could raise the number of workers to 16: max 4 per queue, we have"
                " two queues and the box has 8 cores"
            ),
        ),
        (
            (
                "and the gateway has a retry delay of its own?",
                "Yes, 2 seconds.",
                "set that to 5, always a bit longer than the client's or the two collide",
            ),
            (
                "The gateway has a retry delay of its own: always a bit longer than the client's or"
                " the two collide"
            ),
        ),
        (  # "they" contradicts the agent, and means what the person had asked about
            (
                "the types of the invoice api are old",
                "I can edit invoice.ts by hand.",
                "NO. they are generated, from schema.graphql with `make types`",
            ),
            (
                "The types of the invoice api are old: they are generated, from schema.graphql with"
                " `make types`"
            ),
        ),
        (  # whose tracker it is
            (
                "are we done?",
                "Yes.",
                "last thing, Ines left on friday, design is done by the agency (Korngold) now. questions go to their slack",
            ),
            (
                "Ines left on friday, design is done by the agency (Korngold) now: questions go to"
                " their slack"
            ),
        ),
    ],
)  # fmt: skip
def test_a_lesson_is_kept_with_what_it_is_about(said: tuple[str, ...], learning: str) -> None:
    assert learning in learnt(*said)


@pytest.mark.parametrize(
    ("said", "learning"),
    [
        # "Not here" says where.
        (
            "builds are made by jenkins, not here, so forget the zip",
            "Builds are made by jenkins, not here",
        ),
        # An order about what is on the screen is no part of the rule behind it.
        (
            "take it out, globals in views are forbidden here, use the request",
            "Globals in views are forbidden, use the request",
        ),
        # What the agent did wrong is no reason.
        (
            "every error we return has the form {code, detail} - you returned plain text",
            "Every error we return has the form {code, detail}",
        ),
        # Who else decided it, and why.
        (
            "we're dropping flyway, moving to liquibase. Decided with Anna this morning because flyway can't roll back",
            "We're dropping flyway, moving to liquibase: flyway can't roll back",
        ),
        (
            "docker images: pin the digest, not the tag. our auditor checks that",
            "Docker images: pin the digest, not the tag; our auditor checks that",
        ),
        (
            "prod runs mysql 5.7 until spring. so no window functions, rank in code",
            "Prod runs mysql 5.7 until spring, so no window functions, rank in code",
        ),
        (
            "invoices close per tenant, never globally. a hotel in lisbon complained",
            "Invoices close per tenant, never globally: a hotel in lisbon complained",
        ),
        (
            "no, separate tables please. the auditors insisted",
            "Separate tables: the auditors insisted",
        ),
        (
            "dates always in iso format, no slashes. the parser rejects it otherwise",
            "Dates always in iso format, no slashes: the parser rejects it otherwise",
        ),
        (
            "ok nice :) one thing: fixtures live in `tests/data`, not beside the test",
            "Fixtures live in `tests/data`, not beside the test",
        ),
    ],
)
def test_a_lesson_is_cut_where_it_ends(said: str, learning: str) -> None:
    assert learnt("go on", "Done.", said) == [learning]


@pytest.mark.parametrize(
    "said",
    [
        "@services/flags/flags.go cache them for 30s in memory",
        'the german word for "trip" in the app, is it Fahrt or Reise? check the texts',
        "need an endpoint for the occupancy: GET /v1/rooms/{id}/occupancy, last 24h",
        "eslint is angry, fix the imports in CartMapper",
        "review my diff in src/checkout/pay, be harsh",
        "still renders as if each tenant always had its own theme",
        "the sync: POST /v1/orders comes back with 413 for large photos. where is that limit?",
    ],
)
def test_what_is_asked_or_ordered_is_no_lesson(said: str) -> None:
    assert learnt("go on", "Done.", said) == []


def test_what_a_lesson_was_joined_to_is_no_lesson_of_its_own() -> None:
    said = (
        "the invoice api rejects floats, we send cents as integers",
        "I will round them.",
        "no, they are integers from the database up, never round",
    )
    told = [one.lower() for one in learnt(*said)]
    assert len(told) == len(set(told))
    assert not [one for one in told if any(more.startswith(f"{one}: ") for more in told)]
