"""A changed fact replaces what was, though nobody repeats the words it was first told in."""

import pytest

from satchel.engine.statements.replacing import may_replace, replaces

REPLACED = (
    # Who is in charge, however that is told.
    ("Ines moved to the risk team, tomek has the finance marts now", "Ines owns everything under marts/finance"),
    ("tomek has the finance marts now", "The finance marts are owned by Ines"),
    ("Tomek took over the finance marts", "Ines owns the finance marts"),
    ("tomek takes over the finance marts from ines", "Ines owns the finance marts"),
    ("the finance marts are with tomek now", "Ines owns the finance marts"),
    ("The finance marts belong to Tomek now", "The finance marts belong to Ines"),
    ("billing is owned by Lena now", "Tom owns the billing service"),
    ("btw tomek looks after the finance marts now", "Ines owns the finance marts"),
    ("Ines handed the finance marts over to Tomek", "Ines owns the finance marts"),
    # A number, with what happened before it or after it.
    ("Legal came back, raw is only 14 days from now on instead of 30", "We keep 30 days in raw"),
    ("Legal came back, raw is only 14 days from now on instead of 30",
     "Raw tables retention: we keep 30 days in raw, then its gone"),
    ("Raw tables are kept for 7 days instead of 14", "Raw is only 14 days"),
    ("fx api people raised our limit to 120/min", "The fx api allows 60 calls a minute"),
    ("Fx api people raised our limit to 120/min, bump the limiter",
     "The fx api allows 60 calls a minute, put a limiter in there"),
    ("the vendor lowered the sandbox limit to 10 requests a second",
     "The sandbox allows 50 requests a second"),
    ("the nightly dag starts at 00:30 now, finance wants the numbers earlier",
     "The nightly dag starts at 02:00"),
    ("churn scoring runs daily now, not weekly", "Churn scoring runs weekly"),
    ("they want the churn scoring daily now, not weekly", "Churn scoring runs weekly, on mondays"),
    ("alerts go to #data-oncall since today", "Alerts go to #data-alerts"),
    ("alerts go to #data-oncall since today, the old channel gets archived",
     "Alerts go to #data-alerts"),
)  # fmt: skip
BOTH_HOLD = (
    ("The FX API allows 240 calls a minute",
     "The fx api allows 60 calls a minute, use the batch endpoint for more"),
    ("tomek has access to the finance marts now", "Ines owns the finance marts"),
    ("tomek has the sales marts now", "Ines owns the finance marts"),
    ("the API has rate limits now", "Ines owns the API"),
    ("everyone has the new laptop now", "Ines owns the laptop budget"),
    ("tomek has the flu now", "Ines owns the finance marts"),
    ("Tomek took over the standup notes", "Ines owns the finance marts"),
    ("the finance marts are with dbt 1.9 now", "Ines owns the finance marts"),
    ("the finance marts belong to the core schema", "Ines owns the finance marts"),
    ("Legal came back, logs are only 14 days from now on instead of 30", "We keep 30 days of backups"),
    ("the audit log is 7 years instead of 30 days", "We keep 30 days in raw"),
    ("geo api people raised our limit to 120/min", "The fx api allows 60 calls a minute"),
    ("fx api people raised our limit to 120/min", "The geo api allows 60 calls a minute"),
    ("we raised the pool to 120 connections", "The fx api allows 60 calls a minute"),
    ("backups run daily now, not weekly", "Churn scoring runs weekly"),
    ("reports go to #finance since today", "Failure alerts go to #data-alerts"),
    ("alerts go out at night since today", "Alerts go to #data-alerts"),
)  # fmt: skip


@pytest.mark.parametrize(("later", "earlier"), REPLACED)
def test_a_change_told_in_other_words_replaces_what_was(later: str, earlier: str) -> None:
    assert may_replace(later)
    assert replaces(later, earlier)
    assert not replaces(earlier, later)


@pytest.mark.parametrize(("later", "earlier"), BOTH_HOLD)
def test_a_change_of_something_else_leaves_what_was(later: str, earlier: str) -> None:
    assert not replaces(later, earlier)


def test_an_order_of_the_moment_keeps_no_fact_alive() -> None:
    earlier = "The fx api allows 60 calls a minute, put a limiter in there"
    assert replaces("The FX API allows 240 calls a minute", earlier)
    assert not replaces("The geo API allows 240 calls a minute", earlier)
