"""Which later statement says that a fact of an earlier one has changed, and which does not."""

import pytest

from satchel.engine.statements import changed_facts
from satchel.engine.statements.changed_facts import changed
from satchel.engine.statements.contradictions import AGAINST, Rule, clashes
from satchel.engine.statements.replacing import replaces

CHANGED = (
    ("Prod is now kettle-api-eu, the old kettle-api is gone", "Prod is kettle-api"),
    ("Prod is now kettle-api-eu", "Production is kettle-api on fly"),
    ("staging is back in fra", "Staging is in ams"),
    ("staging is back in fra", "Staging moved, its in ams now not fra"),
    ("Staging moved to ams", "Staging is in fra"),
    ("We moved staging to ams", "Staging runs in fra"),
    ("btw we switched the queue to rabbitmq", "The queue is in redis"),
    ("the rate limit is 50 now", "The rate limit is 100 requests per minute"),
    ("they bumped the rate limit to 50", "The rate limit is 100 requests per minute"),
    ("we raised the pool size to 50", "The pool size is 25"),
    ("CI takes 12 minutes now", "CI takes 8 minutes"),
    ("the reports go  out on friday now", "Reports go out on monday"),
    ("Lena signs  off releases now", "Tom signs off releases"),
    ("support email is now help@x.dev", "Support email is hi@x.dev"),
    ("the tests are in spec/ now", "The tests are in `test/`"),
    ("the worker now runs on arm", "The worker runs on x86"),
    ("config moved to settings.toml", "Config is in config.yaml"),
    ("admin rate limit is back to 300", "Rate limits on the admin API went up to 600 a minute"),
    ("releases are on tuesday again", "Releases are on thursday"),
    ("We're on godot 4.4 now, the shader is fixed", "We stay on godot 4.3 until the demo"),
    ("We moved to Godot 4.4", "We use Godot 4.3"),
    ("we are on python 3.13 now", "We are on python 3.12"),
    ("We upgraded to node 24", "Node is pinned to 22"),
    ("node 24 from now on", "Use node 22"),
    ("We deploy from the release branch now", "We deploy from main"),
    ("we build with bazel now", "We build with make"),
    ("tom owns the billing service now", "Anna owns the billing service"),
    ("prices are stored as integers now", "Prices are stored as floats"),
    ("staging db is on port 5433 now", "The staging database listens on port 5432"),
    ("min node version is 22 now", "Minimum node version is 18"),
    ("We go to zephyr 3.7.0 now, west.yml is done", "Zephyr is pinned to 3.6.0 in west.yml"),
    ("We're on zephyr 3.7.0 now", "Zephyr is at 3.6.0."),
    ("we are switching to gcc 14 now", "We are on gcc 13"),
    ("we flash with openocd now", "we flash with pyocd since the j-link licence ran out"),
    ("baudrate is 1M now, 921600 drops bytes", "Baudrate is 921600 on all boards"),
    ("mondays was wrong, the frame goes out on sundays", "The frame goes out on mondays"),
)  # fmt: skip
STILL_TRUE = (
    ("staging is back in fra", "Staging is reset every night"),
    ("staging is back in fra", "Staging is on fly"),
    ("staging is back in fra", "Prod is in ams"),
    ("the demo is on friday again", "The demo is on staging"),
    ("the importer is now faster with batches", "The importer uses batches of 500"),
    ("tests take 4 min now", "Stg machines autostop after 5 min"),
    ("CI takes 12 minutes now", "CI takes 3 runners"),
    ("the build is slow now", "The build is green"),
    ("config moved to settings.toml", "Config is 40 lines"),
    ("The rate limit is 50", "The rate limit is 100"),
    ("it is in ams now", "It is in fra"),
    ("we moved on to the tests", "The tests are in spec/"),
    ("godot 4.4 breaks the shader now", "We stay on godot 4.3"),
    ("we use port 8081 for the admin now", "We use port 8080 for the api"),
    ("we deploy with docker now", "We deploy from main"),
    ("tom owns the search service now", "Anna owns the billing service"),
    ("tom reviews the billing service now", "Anna owns the billing service"),
    ("prices are stored in redis now", "Prices are stored as floats"),
    ("we meet with jonas now", "We meet with anna"),
    ("we flash with openocd now", "We debug with pyocd"),
    ("zephyr is on the bench now", "Zephyr is at 3.6.0"),
    ("it handles retries now", "The client handles retries"),
    ("we upgraded to node 24", "The docs site is built with node 22"),
)  # fmt: skip
AMOUNTS = (
    ("the veiling limit is 120 a minute now", "The veiling API allows 40 requests a minute per key"),
    ("we get 120 requests a minute from veiling now", "The veiling API allows 40 requests a minute"),
    ("the max upload is 50 MB now", "The API allows uploads of 20 MB"),
    ("sessions last 2 hours now", "A session lasts 30 minutes"),
    ("timeouts are 10s now", "Timeouts are 30s"),
    ("we moved staging off hetzner, its on fly.io now", "Staging runs on the hetzner box at 10.0.0.4"),
    ("we moved the queue off redis, it's on rabbitmq now", "The queue runs on redis"),
)  # fmt: skip
OTHER_AMOUNTS = (
    ("the veiling limit is 120 a minute now", "The auction feed allows 40 requests a minute"),
    ("the veiling limit is 120 a minute now", "The veiling API allows 40 requests a day"),
    ("the max upload is 50 MB now", "Uploads are split into chunks of 5 MB"),
    ("the max upload is 50 MB now", "Uploads expire after 20 minutes"),
    ("the build takes 12 min now", "The build is cached for 7 days"),
    ("the report takes 5 minutes now", "The report is sent every 10 minutes"),
    ("we moved staging off hetzner, its on fly.io now", "Prod runs on the hetzner box"),
    ("we moved the queue off redis, it's on rabbitmq now", "The cache runs on redis"),
)


@pytest.mark.parametrize(("later", "earlier"), AMOUNTS)
def test_another_amount_or_place_of_one_thing_replaces(later: str, earlier: str) -> None:
    assert replaces(later, earlier)


@pytest.mark.parametrize(("later", "earlier"), OTHER_AMOUNTS)
def test_an_amount_or_place_of_something_else_stays(later: str, earlier: str) -> None:
    assert not replaces(later, earlier)


@pytest.mark.parametrize(("later", "earlier"), CHANGED)
def test_a_change_is_seen_and_ends_what_was(later: str, earlier: str) -> None:
    assert changed(later, earlier)
    assert [one.what for one in clashes(later, [Rule("", 0, earlier)])] == [AGAINST]
    assert [one.what for one in clashes(earlier, [Rule("", 0, later)])] == [AGAINST]
    if "," not in earlier:
        assert replaces(later, earlier)


@pytest.mark.parametrize(("later", "earlier"), STILL_TRUE)
def test_what_is_said_of_something_else_stays_true(later: str, earlier: str) -> None:
    assert changed(later, earlier) is None
    assert not replaces(later, earlier)


@pytest.mark.parametrize(
    ("later", "earlier"),
    [
        (
            "We're on godot 4.4 now",
            "We stay on godot 4.3 until the demo is out, 4.4 breaks our shader",
        ),
        ("lobby max is 2 players", "Lobby max is 4 players, the ui has no place for more"),
        ("The lobby is 2 players now, not 4: mira asked", "Lobby max is 4 players, mira says so"),
    ],
)
def test_a_reason_keeps_no_statement_alive(later: str, earlier: str) -> None:
    assert replaces(later, earlier)


@pytest.mark.parametrize(
    "earlier",
    [
        "Lobby max is 4 players, the arena takes 16 players",
        "Lobby max is 4 players, never show more",
        "Lobby max is 4 players, use the small font",
    ],
)
def test_what_is_more_than_a_reason_is_not_lost(earlier: str) -> None:
    assert not replaces("The lobby is 2 players now, not 4", earlier)


def test_of_two_facts_in_one_memory_the_other_is_not_lost() -> None:
    both = "Staging is kettle-stg on fly, prod is kettle-api"
    later = "Prod is now kettle-eu"
    assert clashes(later, [Rule("", 0, both)])
    assert not replaces(later, both)


def test_a_seeded_bug_of_ways_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one subject, whatever is said in whatever way would end the rest."""
    changed_facts._facts.cache_clear()
    monkeypatch.setattr(changed_facts, "_way_of", lambda *_: changed_facts._MOVED)
    assert changed("staging is back in fra", "Staging is reset every night")
    changed_facts._facts.cache_clear()


def test_one_amount_written_in_two_ways_is_no_change() -> None:
    assert changed("the timeout is 8s now", "The timeout is 8 s") is None
    assert changed("the timeout is 9s now", "The timeout is 8s") == ("9s", "8s")
