"""Which memory a later one replaces, and which stays beside it."""

import pytest

from satchel.engine.statements.contradictions import AGAINST, Rule, clashes
from satchel.engine.statements.replacing import may_replace, replaces

REPLACED = (
    ("Amounts are in CHF, not EUR any more", "All amounts are in EUR"),
    ("retries are 5 now on the warehouse jobs, 3 wasn't enough", "Airflow retries are 3 for everything in the warehouse"),
    ("Celery is out, we use dramatiq now", "Background jobs run on celery"),
    ("Celery is gone, jobs run on dramatiq", "We use celery for background jobs"),
    ("We dropped kafka, events go through nats now", "Events are published to kafka topics"),
    ("Staging moved to ams", "Staging runs on the hetzner box"),
    ("Sentry is gone, we use Glitchtip", "Report errors to Sentry"),
    ("We dropped Storybook", "Write a story in Storybook for each component"),
    ("We replaced Tyk by Kong", "The API gateway is Tyk"),
    ("We got rid of Redux", "UI state lives in the Redux store"),
    ("Backend runs on Java 25 now", "The backend is built with Java 21"),
    ("The vendor's new contact is jana@acme.io", "The vendor's contact is peter@acme.io"),
    ("Releases are made on wednesday now", "Releases are made on friday"),
    ("Lena owns billing now", "Tom owns the billing service"),
    ("Ask Lena about billing, Tom left", "Ask Tom about billing"),
    ("We are on python 3.13 now", "The project runs on python 3.11"),
    ("Node 22 is required since monday", "Use node 20"),
    ("Feature flags live in unleash now", "Feature flags live in launchdarkly"),
    ("Logs go to loki instead of elastic", "Logs are shipped to elastic"),
    ("We no longer squash, merge commits are fine", "Always squash before merging"),
    ("Tests run with vitest since last week", "Run the tests with jest"),
    ("Terraform state is in the s3 bucket tf-state-eu now", "Terraform state lives in the bucket tf-state"),
    ("Back to pandas, polars broke on the csv", "Use polars for the loader, not pandas"),
    ("The standup moved to 10:30", "Standup is at 9:15"),
    ("Releases go out on tuesdays, not thursdays", "Releases go out on thursdays"),
    ("Playtest builds go out on tuesday now", "Playtest builds go out on thursday"),
    ("The rate limit is 200 a minute now, sales promised it", "The rate limit is 120 a minute, we had 60"),
    ("the rate limit is 250 a minute now", "The rate limit is 200 a minute, sales promised it to a client"),
    ("sandbox key moved, it's in 1password now", "The API key of the sandbox lives in vault"),
    ("the queue size is 50 now", "The size of the upload queue is 20"),
    ("No more squashing, merge commits from now on", "Always squash before merging, auditors read it"),
    ("Stop squashing, we keep merge commits", "We squash before a merge"),
    ("Don't squash any more", "Always squash before merging"),
    ("No more logging to files, loki has it all", "Log to files"),
    ("Uploads can be 50 MB now, marketing asked for it", "Uploads are limited to 25 MB"),
    ("The pool has 16 threads now, ops doubled the machine", "The pool has 8 threads"),
    ("Money is numeric(14,2) again, the new bank wants it", "We keep money as cents, not numeric"),
    ("Ids are uuids now", "Ids are integers, not uuids, because the mainframe needs them"),
)  # fmt: skip
#: Each shares words, a value or a verb with what came before, and is about something else.
BOTH_HOLD = (
    ("We dropped Storybook for the admin", "Every component needs a story in Storybook"),
    ("We removed tests", "Tests live in tests/"),
    ("We removed Sentry from the worker", "Errors go to Sentry"),
    ("We dropped support for Python 3.9", "The scripts are written in Python"),
    ("Jest is out", "Use Vitest, never Jest"),
    ("Backend runs on Java 25 now", "The android app is built with Java 17"),
    ("Secrets Manager is gone since friday, billing reads from Vault too",
     "We use Vault for secrets, not Secrets Manager, its module is only there for billing"),
    ("mail retries are 5 now, 3 wasn't enough", "Airflow retries are 3 for the warehouse"),
    ("We no longer mock the db in tests", "Mock the mail server in tests"),
    ("We no longer use redis for sessions", "Use black for formatting"),
    ("The linter no longer runs in CI", "CI runs the unit tests"),
    ("Staging no longer sends mails", "Staging runs on hetzner"),
    ("Celery is out, we use dramatiq now", "The celery dashboard is at /flower"),
    ("Bob is out, ask Lena", "Bob owns search"),
    ("The new importer is in src/importer2", "The importer takes 200 rows a batch"),
    ("The new dashboard is at /v2", "The dashboard is slow with many users"),
    ("Our new office is in Bern", "The database is in fra"),
    ("Releases are cut on wednesday, not friday", "Demos are held on friday"),
    ("Invoices are sent by mail now", "Invoices are numbered by year"),
    ("Invoices are sent on the 1st, not by fax", "Invoices are sent in PDF format"),
    ("Tickets are closed by the bot now", "Tickets are written in German"),
    ("The tests are run by tox now", "The tests are run in parallel"),
    ("Reports are built with pandas now", "Reports are built on monday"),
    ("Reports are built with pandas now", "Reports are built by the cron job"),
    ("Ask Lena about billing", "Ask Tom about search"),
    ("Tom left", "Tom's branch is feature/x"),
    ("Lena reviews the German texts now", "Tom reviews the code"),
    ("Python 3.13 is required since monday", "Use node 20"),
    ("Node 22 is required since monday", "The lambda runs on node 18"),
    ("We use vitest now", "Run the e2e tests with playwright"),
    ("The frontend uses pnpm now", "The backend uses poetry"),
    ("The frontend uses pnpm now", "The docs site uses npm"),
    ("New pages are written in tsx now", "The emails are written in mjml"),
    ("The api starts at port 8000 now", "The api starts with uvicorn"),
    ("The job starts at 5:00 now", "The job starts with a lock"),
    ("The sale ends on sunday, not saturday", "The sale starts on saturday"),
    ("The trial expires in 14 days now", "The token expires in 14 minutes"),
    ("The build happens in docker now", "The build happens on every push"),
    ("Deploys go out on tuesday now", "Newsletters go out on friday"),
    ("We no longer squash", "Squash commits of the bot"),
    ("We switched CI to buildkite, tests run there now", "Run the tests with pytest"),
    ("We use uv now, not pip", "The Dockerfile uses pip because of the mirror"),
    ("Dates are shown in ISO now", "Dates are stored in UTC"),
    ("Logs are kept for 30 days now", "Logs are written to /var/log/app"),
    ("Amounts are in CHF, not EUR any more", "Amounts are in cents"),
    ("Backups are kept on s3 now", "Backups are made at night"),
    ("The queue is on rabbitmq now", "The queue is named orders"),
    ("Users are stored in keycloak now", "Users are created by the import"),
    ("Use tabs from now on", "Use two spaces after a bullet"),
    ("We are on python 3.13 now", "The lambda runs on python 3.11"),
    ("The admin rate limit is 200 a minute now, sales asked", "The upload rate limit is 120 a minute"),
    ("The pool has 16 threads now, not the 32 of the api", "The api pool has 8 connections"),
    ("The report column is numeric now, finance wanted it", "Money is integer cents, not numeric"),
    ("Invoices use integers again", "Use uuids for orders, not integers"),
    ("Preferences are in postgres now", "Session state is in redis, not in postgres"),
    ("The port is 8081 now", "The port is 8080, restart it after a change"),
    ("the search index moved to ams", "The backups of the search index are in fra"),
    ("the sandbox moved to ams", "The API key of the sandbox is in vault"),
    ("No more mocking in the repository tests", "Mock the mail server in tests"),
    ("No more rebasing of shared branches", "Always rebase feature branches"),
    ("Stop squashing", "Squash commits of the bot"),
    ("No more pinging the API", "Always pin the dependencies"),
    ("Money is never numeric again", "Money is integer cents, not numeric"),
    ("Money is numeric now", "Money is cents, not numeric. Round half up."),
)  # fmt: skip


@pytest.mark.parametrize(("later", "earlier"), REPLACED)
def test_what_has_changed_is_replaced(later: str, earlier: str) -> None:
    assert may_replace(later)
    assert replaces(later, earlier)
    assert not replaces(earlier, later)


@pytest.mark.parametrize(("later", "earlier"), BOTH_HOLD)
def test_what_is_about_something_else_stays(later: str, earlier: str) -> None:
    assert not replaces(later, earlier)


@pytest.mark.parametrize(
    ("later", "earlier"),
    [
        ("Releases go out on tuesdays, not thursdays", "Releases go out on thursdays"),
        ("Ask Lena about billing, Tom left", "Ask Tom about billing"),
        ("The vendor's new contact is jana@acme.io", "The vendor's contact is peter@acme.io"),
    ],
)
def test_a_line_of_a_file_that_has_changed_is_found(later: str, earlier: str) -> None:
    (clash,) = clashes(later, [Rule("CLAUDE.md", 3, earlier)])
    assert clash.what == AGAINST
    assert clash.certain


def test_a_rule_in_a_file_that_is_no_longer_followed_is_contradicted() -> None:
    rule = Rule("CLAUDE.md", 3, "Always squash before merging, auditors read the history")
    (found,) = clashes("No more squashing, merge commits from now on", [rule])
    assert found.what == AGAINST
