"""A later statement ends an earlier one that is put in other words, and nothing else."""

import pytest

from satchel.engine.statements.contradictions import says_otherwise
from satchel.engine.statements.replacing import may_replace, replaces

ENDED = (
    # a number, however the sentence is built
    ("prod runs mysql 8 now", "Production runs MySQL 5.7, so no window functions"),
    ("Pg is 16 since the weekend, they did it early", "Prod is on postgres 13"),
    ("CI runs on node 22 now", "CI uses node 20, no top-level await"),
    ("idletimeout goes to 90, the old phones are gone", "The http idletimeout stays at 60"),
    ("heartbeat is 30 seconds now", "The heartbeat takes 45 seconds because of the carrier"),
    ("uploads are 5 now", "Max 3 uploads"),
    # how often
    ("desktop releases weekly now", "The desktop team releases every second Tuesday"),
    ("we deploy every thursday now", "Deploys go out twice a week"),
    ("the demo tenant is reset every sunday now", "The demo tenant resets every night"),
    # by what means
    ("invoices go over the pdf gateway again", "Invoices come in via mail"),
    ("migrations are done with liquibase now", "Migrations with flyway"),
    ("We're dropping flyway, moving to liquibase", "Migrations with flyway, sql not java"),
    # what was refused
    (
        "Toggles: we do take flipt after all, sales want to flip them without us",
        "Toggles are a table in postgres, no flipt, we won't run another service for six booleans",
    ),
    ("We take sentry after all, the boss pays", "No sentry, we log to the file"),
)
NOT_ENDED = (
    ("Postgres is 16 since the weekend", "Postgres has 200 connections"),
    ("Postgres is 16 since the weekend", "Amounts are int64 cents in postgres"),
    ("staging runs postgres 16 now", "Production runs PostgreSQL 13"),
    ("CI runs go 1.23 now", "The lambda runs on go 1.22"),
    ("CI runs go 1.23 now", "CI runs on a runner of our own with 4 cores"),
    ("the token lives 8 hours now", "Refresh tokens live 30 days"),
    ("retries are 5 now", "Max 3 jobs at a time"),
    ("mobile releases weekly now", "The backend releases every second tuesday"),
    ("payments go over kafka again", "Telemetry comes in via nats"),
    ("tests run with -race now", "Tests run with coverage"),
    ("we use flipt after all", "No flipt in the tests, a fake is enough"),
    ("We take sentry after all", "Sentry must not see user ids"),
    ("retries are 5 soon", "Max 3 retries"),
    ("uploads are 5", "Max 3 uploads"),
)


@pytest.mark.parametrize(("later", "earlier"), ENDED)
def test_what_is_put_otherwise_is_replaced(later: str, earlier: str) -> None:
    assert may_replace(later)
    assert replaces(later, earlier)
    assert says_otherwise(later, earlier) or "dropping" in later


@pytest.mark.parametrize(("later", "earlier"), NOT_ENDED)
def test_another_thing_stays(later: str, earlier: str) -> None:
    assert not replaces(later, earlier)
    assert not says_otherwise(later, earlier)


@pytest.mark.parametrize(
    ("later", "earlier"),
    [
        ("minSdk is 28 now", "minSdk stays at 26, the tablets at the stations are all android 8"),
        ("The query timeout is 90s now", "Query timeout on that box is 20s, shared cluster"),
    ],
)
def test_what_says_more_is_marked_and_kept(later: str, earlier: str) -> None:
    assert not replaces(later, earlier)
    assert says_otherwise(later, earlier)
