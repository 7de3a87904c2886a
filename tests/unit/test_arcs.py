"""What the course of a session teaches, without any wording: failures and what ended them."""

import pytest

from satchel.application.learning.signals.arcs import is_test
from satchel.application.learning.signals.calls import family_of
from satchel.application.learning.signals.error_lines import first_error
from satchel.application.learning.signals.lesson_filter import why_dropped
from satchel.application.learning.signals.scanning import scan
from satchel.clients.transcript_format.values import Turn


def course(*steps: tuple[str, str]) -> list[Turn]:
    """Turns of an agent: (call, error)."""
    return [
        Turn("assistant", "", float(n), f"a{n}", (call,), (error,) if error else ())
        for n, (call, error) in enumerate(steps)
    ]


def test_a_failure_that_work_ended_is_found_without_any_wording() -> None:
    turns = course(
        ("Bash: pytest -q tests/unit", "Exit code 1 E   ImportError: cannot import name 'x'"),
        ("Read: /repo/src/a.py", ""),
        ("Edit: /repo/src/a.py", ""),
        ("Bash: pytest -q", ""),
    )
    (arc,) = scan(turns, wordings=False)
    assert (arc.kind, arc.tier, arc.attempts, arc.structural) == ("tests_green", "high", 1, True)
    assert "ImportError: cannot import name 'x'" in arc.learning
    assert "a.py" in arc.learning
    assert arc.files == ("/repo/src/a.py",)
    assert arc.turns == ("a0", "a3")


@pytest.mark.parametrize(
    ("told", "learning"),
    [
        ("Everything is green now.", "{failed}. It passed after `docker compose up -d db`"),
        (
            "The tests need the database: `docker compose up -d db` starts it.",
            "The tests need the database: `docker compose up -d db` starts it. ({failed})",
        ),
    ],
)
def test_a_command_that_made_another_pass_is_the_cure(told: str, learning: str) -> None:
    steps = [("Bash: ./gradlew check", "Connection refused localhost:5432")]
    steps.append(("Bash: cd server && docker compose up -d db && ./gradlew check", ""))
    (arc,) = scan([*course(*steps), Turn("assistant", told, 9.0, "z")])
    failed = "`gradlew check` failed: Connection refused localhost:5432"
    assert (arc.kind, arc.learning) == ("error_fix", learning.format(failed=failed))
    # What only looks, waits or goes somewhere cures nothing.
    looked = (steps[0], ("Bash: cd server && git status; sleep 5 && ./gradlew check", ""))
    assert scan(course(*looked), wordings=False) == []


@pytest.mark.parametrize("failures", [1, 2, 3])
def test_a_failure_whose_cause_and_cure_are_told_is_one_lesson(failures: int) -> None:
    tries = [("Bash: go test ./pool", "Exit code 1 deadline exceeded"), ("Edit: /repo/pool.go", "")]
    cause = "the pool was limited to 2 connections because `MAX_CONNS` is read too early."
    told = f"**Root cause:** {cause} I moved it behind `config.Load()`; the test passes now."
    turns = [
        *course(*tries * failures, ("Bash: go test ./pool", "")),
        Turn("assistant", told, 99.0, "z"),
    ]
    (one,) = scan(turns)
    assert (one.kind, one.attempts) == ("tests_green", failures)
    assert "I moved it behind" in one.learning
    assert one.learning.endswith("(`go test` failed: deadline exceeded)")


@pytest.mark.parametrize(
    "steps",
    [
        (("Bash: pytest", "E Failed"), ("Bash: pytest", "")),  # nothing was changed in between
        (("Bash: pytest", "E Failed"), ("Edit: a.py", "")),  # it never passed
        (("Bash: pytest", ""), ("Edit: a.py", ""), ("Bash: pytest", "")),  # it never failed
        (("Bash: pytest", "E Failed"), ("Edit: a.py", ""), ("Bash: ls", "")),  # another command
        (("Bash: rm x", "The user doesn't want to proceed with this tool use."), ("Edit: a.py", ""),
         ("Bash: rm x", "")),
    ],
)  # fmt: skip
def test_what_is_no_arc(steps: tuple[tuple[str, str], ...]) -> None:
    assert scan(course(*steps), wordings=False) == []


def test_several_failures_are_one_arc() -> None:
    turns = course(
        ("Bash: go test ./...", "FAIL: TestX expected 1"), ("Edit: x.go", ""),
        ("Bash: go test ./...", "FAIL: TestX expected 2"), ("Edit: y.go", ""),
        ("Bash: cd sub && go test ./...", ""),
    )  # fmt: skip
    (arc,) = scan(turns, wordings=False)
    assert arc.attempts == 2
    assert arc.files == ("x.go", "y.go")


def test_what_a_person_says_twice_is_a_correction_whatever_its_words() -> None:
    turns = [
        Turn("user", "the config file belongs below etc please", 1.0, "u1"),
        Turn("assistant", "Done.", 2.0, "a1"),
        Turn("user", "The config file belongs below etc, please", 3.0, "u2"),
    ]
    (twice,) = scan(turns, wordings=False)
    assert (twice.kind, twice.tier, twice.turns) == ("said_twice", "high", ("u1", "u2"))


@pytest.mark.parametrize(
    ("command", "family"),
    [
        ("cd x && go test ./... -v", "go test"), ("FOO=1 pytest -q", "pytest"),
        ("/usr/bin/git rebase origin/main", "git rebase"), ("npm run build", "npm run build"),
        ("python -m pytest", "python pytest"), ("", ""),
    ],
)  # fmt: skip
def test_the_family_of_a_command(command: str, family: str) -> None:
    assert family_of(command) == family


def test_which_commands_run_tests() -> None:
    assert all(
        map(is_test, ("pytest -q", "go test ./x", "cargo test", "npm run test:unit", "make check"))
    )
    assert not any(map(is_test, ("git status", "ls tests", "cat pytestrc.txt")))


def test_the_telling_part_of_an_error() -> None:
    assert first_error("Exit code 1 # pkg a.go:3:1: undefined: time b.go:4:2: undefined: os") == (
        "undefined: time"
    )
    assert first_error("") == ""
    assert (
        first_error(
            "FAIL: test_wrong (tests.T.test_wrong) ----- Traceback (most recent call last): "
            'File "/tmp/t.py", line 5, in test_wrong AssertionError: 99 != 100 ----- Ran 3 tests'
        )
        == "AssertionError: 99 != 100"
    )


def test_what_was_tried_again_and_again_is_learnt_with_its_cause() -> None:
    failed = ("Bash: ./scripts/deploy.sh", "Error: failed to fetch an image")
    told = "Root cause: the remote builder fly-builder-quiet was stuck; `fly apps destroy` ends it."
    destroyed = ("Bash: fly apps destroy fly-builder-quiet", "")
    done = ("Bash: ./scripts/deploy.sh", "")
    turns = [*course(failed, failed, failed, destroyed, done), Turn("assistant", told, 9.0, "z")]
    assert any("fly-builder-quiet was stuck" in one.learning for one in scan(turns))
    assert [why_dropped(one) for one in scan(turns) if one.structural] in ([""], [])


@pytest.mark.parametrize(
    ("failed", "passed"),
    [
        ("python dags/nightly.py", "PYTHONPATH=. python dags/nightly.py"),
        ("fly deploy", "FLY_API_TOKEN=$(cat .fly/token) fly deploy"),
        ("pytest -q", "env TZ='Europe/Berlin' LANG=C pytest -q"),
    ],
)
def test_a_variable_that_a_command_needs_is_a_lesson(failed: str, passed: str) -> None:
    error = "Exit code 1 ModuleNotFoundError: No module named 'dags'"
    (found,) = scan(course((f"Bash: {failed}", error), (f"Bash: {passed}", "")), wordings=False)
    assert found.learning.endswith(f"So it works: `{passed.replace('`', chr(39))}`")
    assert why_dropped(found) == ""


def test_another_argument_is_no_variable_that_was_needed() -> None:
    runs = course(("Bash: pytest -q", "Exit code 1 1 failed"), ("Bash: pytest -q tests/unit", ""))
    assert scan(runs, wordings=False) == []


@pytest.mark.parametrize(
    ("command", "between", "learnt"),
    [
        ("pytest -q", "docker compose up -d db", "docker compose up -d db"),
        ("npm run e2e", "cd web && npx playwright install chromium", "npx playwright install chromium"),
        ("pytest -q", "make db-up", "make db-up"),
        ("rspec", "RAILS_ENV=test bin/rails db:create", "RAILS_ENV=test bin/rails db:create"),
        # Looking does nothing, and to install what the lock file says is no news.
        ("pytest -q", "docker ps", ""),
        ("pytest -q", "cat docker-compose.yml", ""),
        ("npm test", "npm install", ""),
    ],
)  # fmt: skip
def test_what_had_to_be_started_first_is_learnt(command: str, between: str, learnt: str) -> None:
    refused = "E   OperationalError: could not connect to server: Connection refused"
    turns = [
        Turn("assistant", "", tools=(f"Bash: {command}",), errors=(refused,)),
        Turn("assistant", "", tools=(f"Bash: {between}",)),
        Turn("assistant", "", tools=(f"Bash: {command}",)),
    ]
    told = [one.learning for one in scan(turns)]
    assert bool(told) == bool(learnt)
    assert not learnt or told[0].endswith(f"It passed after `{learnt}`")
    # What failed itself prepared nothing.
    turns[1] = turns[1]._replace(errors=("exit 1",))
    assert scan(turns) == []


def test_a_step_that_the_agent_names_is_what_helped() -> None:
    turns = [
        Turn("assistant", "", tools=("Bash: helm upgrade prom",), errors=("another operation is in progress",)),
        Turn("assistant", "", tools=("Bash: helm rollback prom 41",)),
        Turn("assistant", "", tools=("Bash: helm upgrade prom",)),
        Turn("assistant", "A pending release had blocked it; `helm rollback prom 41` released it."),
    ]  # fmt: skip
    (one,) = scan(turns)
    assert one.learning.startswith("A pending release had blocked it; `helm rollback prom 41`")
    assert scan([*turns[:3], Turn("assistant", "Upgraded, the release needs `helm` 4.")]) == []


def test_a_cause_is_heard_in_the_middle_of_a_line() -> None:
    said = "I found it. The cause: the csv has a BOM and `read_csv` keeps it in the first name."
    (one,) = scan([Turn("assistant", said)])
    assert one.learning.startswith("Cause: the csv has a BOM and `read_csv` keeps it")


def test_a_cause_told_in_plain_words_is_kept_with_the_message_by_which_one_meets_it() -> None:
    failed = ("Bash: pytest -q tests/export", "Exit code 1 E   PoolTimeout: no connection in 30 s")
    turns = course(failed, ("Edit: /repo/export.py", ""))
    cause = "the export opened one connection for each row, and the pool has 20"
    turns.append(Turn("assistant", f"**Root cause**: {cause}. It uses one cursor now.", 3.0, "a3"))
    turns += [one._replace(id="a4") for one in course(("Bash: pytest -q tests/export", ""))]
    (one,) = scan(turns)
    assert one.learning == (
        f"Root cause: {cause}. It uses one cursor now. "
        "(`pytest` failed: PoolTimeout: no connection in 30 s)"
    )
    assert why_dropped(one) == ""
