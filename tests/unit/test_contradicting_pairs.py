"""Which pairs of rules contradict each other: the same thing is chosen and refused, or they do not."""

import pytest

from satchel.engine.statements import chosen_things, contradictions
from satchel.engine.statements.contradictions import AGAINST, SAME, Rule, clashes

TRAILER = "Use conventional commits, never add a Co-Authored-By line"
CONTRADICT = (
    ("Never log request bodies", "Log every request body"),
    ("Run the tests in parallel", "Run the tests serially"),
    ("Use double quotes in JS", "Single quotes in JavaScript"),
    ("Cone 6 fires to 1230 C", "Cone 6 fires to 1222 C"),
    ("orders close at 11:15", "orders close at 12:00"),
    ("write commit messages in German", "Commit messages in English"),
    ("comments in spanish please", "Write comments in English"),
    ("harbour inspectors make three visits a season, not two", "At most two visits by inspectors"),
    ("We're on godot 4.4 now, the shader is fixed since yesterday", "We stay on godot 4.3 until the demo is out, 4.4 breaks our shader"),
    ("We upgraded to node 24", "Node is pinned to 22"),
    ("Node 24 from now on", "Use node 22, the CI image has nothing newer"),
    ("lobby is 2 players now not 4, mira says 4 is unreadable on screen", "Steam lobby max is 4 players, the ui has no place for more"),
    ("Saves go to binary after all, json took 3 seconds to load with 400 rooms", "Json for saves, not binary"),
    ("DHL sandbox: max 10 requests per second (was 5)", "the DHL sandbox allows max 5 requests per second"),
    ("The limit is 10 requests per second now", "DHL sandbox: max 5 requests per second"),
    ("The retry limit is 5 now (it was 3)", "We retry 3 times, then give up"),
    ("the carrier files are cp1252 not utf-8", "Read the carrier files as utf-8"),
    ("Use bun for everything", "We switched to pnpm"),
    ("Pilots live in a json file per office, no longer in sqlite", "The pilots' list lives in sqlite, since both offices edit it"),
    ("The pilots come from the office api now, no json files anymore", "Pilots live in a json file per office"),
    ("Tests go next to the module now, not in tests/", "Tests live in tests/, not in the package"),
    ("The rest rule changed: since april its 11 hours not 10", "A pilot rests 10 hours between two jobs"),
    ("The printer got replaced, new one does 80 columns", "The printer in the station prints 72 columns"),
    ("the BSH tables come in utc since this year, so no subtracting anymore", "The BSH tide tables are in CET, subtract one hour"),
    ("Releases are on mondays now", "We release on thursdays only"),
    ("Switch from click to typer, i like the type hints", "Use click for the command line"),
    ("Nordwind moved to sftp last week, the ftp is gone", "The nordwind ftp is only open from 6 to 8 in the morning"),
    ("The old admin no longer exists", "The old admin is read only since march"),
    ("I was wrong about the 250, its 400", "Batches are 250 rows"),
    ("the limit isn't 250, it's 400", "The limit is 250 requests"),
    ("Batches are 250 not 500", "Rollup batches are 500 rows: the billing API rejects more"),
    ("Rollup batches are 250 rows: the billing API takes no more", "Rollup batches are 500 rows: the billing API rejects more"),
    ("The arm64 thing is gone btw, staging is amd64 now too", "The staging box is arm64"),
    ("The sandbox reset moved to 05:00 utc", "The vendor sandbox resets every night at 04:00 UTC"),
    ("The flush interval is 3s now, not 5", "Ingest flushes every 5 seconds"),
    ("Port 9090 in staging is wrong, its 9091", "Staging port is 9090 now"),
    ("For py tests we switch to pytest, unittest is dead to me", "Python tests use unittest"),
    ("fmt.Println is fine in cmd/", "No fmt.Println; use log"),
    ("Team decided kafka after all, platform runs it for us", "We go with a flush_log table instead of a kafka topic"),
    ("Kafka is off the table again, we do the flush_log table", "Team decided kafka after all"),
    ("Invoices are made with typst, not weasyprint: pango is too old", "Invoices are PDFs made with weasyprint, not reportlab"),
    ("Use weasyprint for invoices", "Invoices are made with typst, not weasyprint"),
    ("Receipts go through postmark, not mailgun", "Receipts go through mailgun"),
    ("You can commit without showing me the diff", "I always want to see the diff before you commit"),
    ("from now on you can push without running the linter", "Always run make lint before pushing"),
    ("You don't need to ask before pushing to main", "Ask me before you push to main"),
    ("Always add a Co-Authored-By line to commits", TRAILER),
    ("The tests need PYTHONPATH=src because nothing is installed",
     "With pythonpath in pyproject we don't need PYTHONPATH=src any more"),
    ("ok so actually we are going back to sqlite", "we use postgres now, not sqlite"),
    ("we moved from uv to pip-tools", "run tests with `uv run pytest`"),
    ("We switched from poetry to uv in May", "Use poetry for the lockfile"),
    ("We dont use flyway anymore, migrations are in liquibase", "Migrations are Flyway"),
    ("No more jooq, exposed it is", "Use jOOQ, not Exposed"),
    ("Never use npm", "Use npm"),
    ("Never use npm", "Install packages with npm"),
    ("Avoid lodash", "Use lodash for deep copies"),
    ("Don't use moment.js in the web app", "Use moment.js in the web app for dates"),
    ("Use npm workspaces", "We use pnpm, not npm"),
    ("Prefer dataclasses over attrs", "Use attrs for value objects"),
    ("Use the fake clock instead of sleep in tests", "Use sleep in tests of the queue"),
    ("Use pathlib rather than os.path", "Prefer os.path, it is quicker"),
    ("We no longer use Jenkins", "Use Jenkins for releases"),
    ("We dropped Redis", "Sessions are kept in Redis, so run with redis locally"),
    ("Never log request bodies", "Log request bodies at debug level"),
    ("Don't squash commits before a merge", "Squash commits before a merge"),
    ("Never push to main", "Push to main after the tests"),
    ("You must not edit generated files", "Edit generated files by hand where it is quicker"),
    ("Migrations run on start", "Migrations do not run on start"),
    ("Feature flags need a restart", "Feature flags do not need a restart"),
    ("Use single quotes", "Use double quotes in Python"),
    ("Imports are sorted ascending by name", "Imports are sorted descending by name"),
    ("Line length is 88", "The line length is 100"),
    ("Sessions wait three minutes", "Sessions wait two minutes"),
    ("Sessions wait 3 minutes", "Sessions wait two minutes"),
    ("Keep logs for 30 days", "Keep logs for 90 days"),
    ("Use tabs", "Indent with spaces"),
    ("Format with yapf", "Format with black"),
    ("Enable telemetry by default", "Disable telemetry by default"),
    ("Deploy with the blue script", "Do not deploy with the blue script"),
    ("The port of the api is 8080", "The port of the api is 9090"),
    ("Docs are written in AsciiDoc", "We switched from AsciiDoc to Markdown"),
    ("CI runs on Jenkins", "We dropped Jenkins"),
    ("Start the server with `npm run dev`", "We dropped npm, use bun"),
)  # fmt: skip
APART = (
    ("Use tabs for indentation in Go", "Use spaces for indentation in Python"),
    ("Never log request bodies", "Log every failed login"),
    ("Cone 6 fires to 1230 C", "Cone 5 fires to 1190 C"),
    ("hall 1 has 164 seats", "hall 2 has 180 seats"),
    ("Cone 7 fires to 1230 C", "Cone 6 fires to 1230 C"),
    ("Commit messages are in German", "Error messages stay in English"),
    ("The German customers pay by invoice", "The French customers pay by card"),
    ("an order takes 30 seconds, not 10", "The API allows 10 requests per order"),
    ("Godot 4.4 breaks the shader", "We stay on godot 4.3"),
    ("Releases need node 24", "The docs site is built with node 22"),
    ("We use port 8081 for the admin now", "We use port 8080 for the api"),
    ("Json for saves, not binary", "Replays are binary"),
    ("the limit isn't 250, it's 400", "The limit of names is 80"),
    ("the 20 is wrong, it's 15", "Slots take 20 minutes"),
    ("Keep comments short", "Keep functions short"),
    ("The office API comes from the vendor now", "The office API is behind the vpn"),
    ("Secrets live in vault, not in the repo", "Docs live in the repo"),
    ("save the report in /tmp, not in the repo", "The report goes to the customer on mondays"),
    ("We keep sqlite in the desktop app", "We keep postgres in the server"),
    ("Store dates in utc", "Show dates in the user's timezone"),
    ("No logging of bodies needed anymore", "Log the request id"),
    ("The API timeout is 30 seconds now", "The API retries after 10 seconds"),
    ("The new importer takes 4 columns", "The printer prints 72 columns"),
    ("Tests go next to the module now, not in docs/", "Tests live in tests/"),
    ("The cache is gone after a restart", "The cache is filled at night"),
    ("The ftp is gone", "The sftp is only open from 6 to 8"),
    ("The invoice API allows 10 requests per second now", "DHL sandbox: max 5 requests per second"),
    ("Carrier files are cp1252", "Price lists are utf-8"),
    ("The API timeout is 30, not 10", "The API allows 10 requests per second"),
    ("The backup moved to 05:00 utc", "The vendor sandbox resets every night at 04:00 UTC"),
    ("Prod is amd64", "Staging is arm64"),
    ("Snapshots are fine in tests", "No snapshots of dates"),
    ("Invoices are sent on the 5th, not the 1st", "Reports are made on the 1st"),
    ("Root cause: the session table has no index", "Root cause: the oven simulator binds to IPv6 only"),
    ("The old queue is gone", "Use a queue for mail"),
    ("We're moving prod off fly to our own k8s next month, app name stays", "Prod app is shop-api on fly"),
    ("I want to see the diff before you commit", "I want to see the diff before you push"),
    ("Invoices are made with typst, not weasyprint", "The catalog is made with weasyprint"),
    ("Never push without make lint", "Always run make lint before pushing"),
    ("Never commit without showing me the diff", "I always want to see the diff before you commit"),
    ("You may commit without tests", "I always want to see the diff before you commit"),
    ("You can deploy without a ticket", "Always open a ticket before you change the schema"),
    ("Let's add a CLI", TRAILER),
    ("Don't add comments that restate the code", TRAILER),
    ("Never change a released migration, always add a new one", TRAILER),
    ("Use httpx.Client, connections are reused",
     "Set busy_timeout rather than more connections, sqlite locks the file"),
    ("Never change a released migration", "We use postgres, the change was made in May"),
    ("Never change", "We changed the database to postgres"),
    ("Use postgres for jobs, never change its port", "Change the wording of a message with care"),
    ("we use ruff", "ruff 0.0.x does not know [tool.ruff.lint]"),
    ("Use ruff for linting", "ruff cannot sort the imports of stub files"),
    ("Use sqlite for tests", "sqlite does not enforce types"),
    ("Use uv", "uv isn't on the build machine's PATH"),
    ("Write a migration for every change", "Never change a migration that was released"),
    ("Use default arguments for settings", "Never use mutable default arguments"),
    ("Use python 3.12", "Don't use python 3.8"),
    ("Run migrations before deploying", "Never run migrations by hand"),
    ("Use npm", "Don't use npm in packages/web"),
    ("Use sleep in scripts", "Use the fake clock in tests, not sleep in tests"),
    ("Always write a test first", "Never write to the production database"),
    ("Make handlers small", "Use the Makefile, never make targets by hand"),
    ("Keep functions short", "Never keep secrets in the repository"),
    ("Put new pages below docs/", "Use one config file, never put settings into pages of code"),
    ("Run the formatter before a commit", "The tests run after a deploy"),
    ("Create a branch for every task", "Use short names, don't create aliases"),
    ("Add a CLI", "Add a REPL"),
    ("Run tests in CI", "Run linters in CI"),
    ("Log the request id with every error", "Never log request bodies"),
    ("Squash feature branches", "Do not squash release branches"),
    ("Redis caches sessions for 30 minutes", "Redis caches pages for 5 minutes"),
    ("Public endpoints need no token", "Private endpoints need a token too"),
    ("We need to add an index on created_at", "We don't need to add a changelog line for docs"),
    ("The parser uses lark, not regular expressions", "Use regular expressions in the log filter"),
    ("Commit the template", "Never commit secrets"),
    ("Use WAL mode and short transactions", "Keep transactions small, not clever"),
    ("The first page is cached", "Read the last page of the log"),
    ("We use docker for the dev database", "Don't use latest as a docker tag"),
    ("Tests live in tests/unit", "We dropped tests of the old parser"),
)  # fmt: skip


def against(one: str, other: str) -> list[str]:
    return [clash.why for clash in clashes(one, [Rule("", 0, other)]) if clash.what == AGAINST]


@pytest.mark.parametrize("pair", CONTRADICT)
def test_these_do(pair: tuple[str, str]) -> None:
    one, other = pair
    assert against(one, other)
    assert against(other, one)


@pytest.mark.parametrize("pair", APART)
def test_these_do_not(pair: tuple[str, str]) -> None:
    one, other = pair
    assert against(one, other) == []
    assert against(other, one) == []


def test_a_thing_that_any_shared_word_makes_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeded bug: one word in common is enough, as it was before."""

    def any_word(refused: chosen_things.Thing, chosen: chosen_things.Thing) -> bool:
        return not set(refused.words).isdisjoint(chosen.words)

    monkeypatch.setattr(chosen_things, "_same", any_word)
    contradictions._statement.cache_clear()
    assert [pair for pair in APART if against(*pair)] != []


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("No kdoc on private functions", "Stop adding kdoc to private functions", True),
        ("Never write kdoc for private functions", "Stop adding kdoc to private functions", True),
        ("Never edit migrations by hand", "Never delete migrations by hand", False),
        ("Add kdoc to public functions", "Stop adding kdoc to private functions", False),
    ],
)
def test_what_is_refused_is_the_same_however_it_would_be_added(
    one: str,
    other: str,
    same: bool,  # noqa: FBT001 -- a parameter of the test
) -> None:
    for new, old in ((one, other), (other, one)):
        assert ([clash.what for clash in clashes(new, [Rule("a", 1, old)])] == [SAME]) == same


@pytest.mark.parametrize(
    ("said", "line", "same"),
    [
        ("No else after return", "Return early, no else after return", True),
        (
            "Never touch a migration that is already on main",
            "Migrations are append-only: never change a migration that is on main",
            True,
        ),
        (
            "No time.Now() in internal",
            "Don't use time.Now() in internal packages, pass a clock in",
            True,
        ),
        ("No mocks in handlers", "Table tests, no mocks in the parser", False),
    ],
)
def test_a_clause_of_a_line_says_it_already(
    said: str,
    line: str,
    same: bool,  # noqa: FBT001 -- a parameter of the test
) -> None:
    assert ([one.what for one in clashes(said, [Rule("a", 1, line)])] == [SAME]) == same
