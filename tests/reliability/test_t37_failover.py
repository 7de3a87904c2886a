"""T37: the primary stops at once and its synchronous replica takes over; clients name both."""

import os
import signal
import time
from pathlib import Path

import psycopg
import pytest

from patroni_cluster import a_cluster
from postgresql_server import Server, a_replica, a_server
from reliability.stand import FULL, say, scale
from reliability.test_t26_team_server import CLIENTS, Outcome, back_after, outcome, writing
from satchel.storage.database.acting import MAINTENANCE
from satchel.storage.database.migrating import migrate
from satchel.storage.database.postgresql import PostgresDatabase

pytestmark = pytest.mark.torture
#: Seconds within which clients write again.
_BACK = 15


def migrated(url: str) -> str:
    database = PostgresDatabase(url, MAINTENANCE, patience=60)
    migrate(database)
    database.close()
    return url


def receiver_of(replica: Server) -> int:
    with psycopg.connect(replica.url(), autocommit=True) as connection:
        row = connection.execute("SELECT pid FROM pg_stat_wal_receiver").fetchone()
    assert row is not None
    return int(row[0])


def until_followed(primary: Server, state: str) -> None:
    deadline = time.monotonic() + 30
    with psycopg.connect(primary.url(), autocommit=True) as connection:
        while connection.execute("SELECT sync_state FROM pg_stat_replication").fetchall() != [
            (state,)
        ]:
            assert time.monotonic() < deadline
            time.sleep(0.05)


def fail_over(folder: str, *, synchronous: bool) -> Outcome:
    """Let the replica's line break down, then the primary stop; promote the replica."""
    with a_server(durable=FULL) as primary, a_replica(primary) as replica:
        if synchronous:
            primary.settle("synchronous_standby_names = '*'\n")
            primary.run("pg_ctl", "-D", primary.data, "reload")
        until_followed(primary, "sync" if synchronous else "async")
        name = migrated(primary.database()).partition("@/")[2].partition("?")[0]
        hosts = f"{primary.folder},{replica.folder}"
        url = f"postgresql://postgres@/{name}?host={hosts}&target_session_attrs=read-write"
        with writing(url, folder):
            time.sleep(scale(1, 20))
            receiver = receiver_of(replica)
            os.kill(receiver, signal.SIGSTOP)
            time.sleep(0.5)
            began = time.monotonic()
            primary.stop("immediate")
            os.kill(receiver, signal.SIGKILL)
            # The replica's server recovers from the killed process before it can be promoted.
            back_after(replica.url())
            replica.run("pg_ctl", "-D", replica.data, "-w", "promote")
            back_after(url)
            away = time.monotonic() - began
            time.sleep(1)
        return outcome(replica.url(name), folder, [away])


def test_nothing_acknowledged_is_lost_or_doubled_when_a_replica_takes_over(
    tmp_path: Path,
) -> None:
    done = fail_over(str(tmp_path / "writes"), synchronous=True)
    assert done.verdict.ok, done.verdict.describe()
    assert done.problems == []
    assert done.acked > CLIENTS
    # The short form runs beside other tests, whose disk and processors it shares.
    assert max(done.away) <= scale(60, _BACK)
    say(
        "T37", done.acked,
        f"{CLIENTS} clients, the primary stopped at once, its synchronous replica promoted: 0 of "
        f"{done.acked} acknowledged writes lost, 0 doubled; back in {max(done.away):.2f} s",
    )  # fmt: skip


def test_a_replica_that_nobody_waits_for_is_caught(tmp_path: Path) -> None:
    """Seeded bug: the server does not wait for its replica before it acknowledges."""
    done = fail_over(str(tmp_path / "writes"), synchronous=False)
    assert done.verdict.missing, "writes that the replica never had were not missed"


@pytest.mark.skipif(not FULL, reason="the full form alone has Patroni; above it is done by hand")
def test_patroni_lets_the_replica_take_over(tmp_path: Path) -> None:
    with a_cluster() as cluster:
        with psycopg.connect(cluster.url("postgres"), autocommit=True) as connection:
            connection.execute("CREATE DATABASE memory")
        url, away = migrated(cluster.url("memory")), []
        folder = str(tmp_path / "writes")
        with writing(url, folder):
            for _ in range(3):
                time.sleep(3)
                before = cluster.primary()
                began = time.monotonic()
                cluster.kill_primary()
                back_after(url)
                away.append(time.monotonic() - began)
                cluster.settled()  # the former primary follows the new one
                assert cluster.primary() != before
        done = outcome(url, folder, away)
    assert done.verdict.ok, done.verdict.describe()
    assert done.problems == []
    assert max(done.away) <= _BACK
    say(
        "T37", done.acked,
        f"{CLIENTS} clients, 3 primaries killed, Patroni with etcd promotes: 0 of {done.acked} "
        f"acknowledged writes lost, 0 doubled; back in at most {max(done.away):.2f} s",
    )  # fmt: skip
