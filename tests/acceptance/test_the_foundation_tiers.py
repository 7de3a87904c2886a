"""The Foundation's tiers through the installed command: routing, cascade, and what each tier says."""

import json
from pathlib import Path
from typing import Any

import pytest

from integration.installed import Machine, needs_command
from satchel.testing import run_git
from unit.notes_made import note, write

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


@pytest.fixture
def app(machine: Machine) -> Path:
    app = machine.repository("app")
    machine.ok("remember", "--kind", "decision", "We chose Postgres over Redis for jobs", at=app)
    machine.ok("remember", "--kind", "fact", "Acme | offered | 200 seats", at=app)
    machine.ok("remember", "--kind", "preference", "--key", "editor", "vim", at=app)
    machine.ok("agent", "new", "seldon", at=app)
    soul = app / ".satchel" / "agents" / "seldon" / "SOUL.md"
    soul.write_text("# Agent: Seldon\n\n## Role\n\nKeeps the plan of the fleet.\n")
    write(app / "docs" / "solutions" / "build-errors" / "pool.md",
          note("FastAPI deployment where the pool runs dry", tags="[deploy]"))  # fmt: skip
    (app / "retry.py").write_text('def retry_request(url):\n    """Try again."""\n')
    (app / ".satchel" / "tasks.jsonl").write_text(
        '{"id": "bd-1", "title": "Mend the login", "status": "in_progress"}\n'
        '{"id": "bd-2", "title": "Old thing", "status": "closed"}\n'
    )
    return app


def first(machine: Machine, app: Path, question: str, *more: str) -> dict[str, Any]:
    answer = machine.json("recall", question, *more, at=app)
    assert answer["items"], answer
    item: dict[str, Any] = answer["items"][0]
    return {**item, "route": answer["route"]}


@pytest.mark.parametrize(
    ("question", "tier", "holds"),
    [
        ("who am I", "hot", "Keeps the plan"),
        ("what are my preferences", "hot", "vim"),
        ("why did we choose Postgres", "warm", "over Redis"),
        ("find docs about deployment", "warm", "the pool runs dry"),
        ("who offered seats", "structured", "Acme"),
        ("task status", "structured", "bd-1"),
        ("where is retry_request implemented", "code", "retry.py:1"),
    ],
)
def test_each_question_of_the_table_is_answered_by_its_tier(
    machine: Machine, app: Path, question: str, tier: str, holds: str
) -> None:
    found = first(machine, app, question)
    assert found["route"]["tier"] == tier
    assert found["tier"] == tier
    assert holds in json.dumps(found)


def test_hot_answers_only_questions_of_identity_and_preference(machine: Machine, app: Path) -> None:
    soul = app / ".satchel" / "agents" / "seldon" / "SOUL.md"
    soul.write_text("# Agent: Seldon\n\n## Role\n\nWho keeps the build: Orchestrator.\n")
    for question in ("who broke the build", "who keeps the build"):
        assert machine.json("recall", question, at=app)["items"] == [], question
    assert "Orchestrator" in json.dumps(first(machine, app, "who am I"))
    assert "Orchestrator" in json.dumps(first(machine, app, "who keeps the build", "--tier", "hot"))


def test_the_words_that_routed_a_question_are_not_searched_for(machine: Machine, app: Path) -> None:
    path = app / "docs" / "solutions" / "patterns" / "oauth.md"
    write(path, note("OAuth refresh tokens rotate", tags="[auth]"))
    found = first(machine, app, "find docs about oauth")
    assert (found["tier"], "OAuth refresh" in json.dumps(found)) == ("warm", True)
    log = app / ".satchel" / "agents" / "seldon" / "DECISIONS.md"
    log.write_text("| Date | Decision |\n|---|---|\n| 2026-10-01 | Use Kafka for events |\n")
    assert "Use Kafka" in json.dumps(first(machine, app, "what did we decide about Kafka"))
    (app / "handbook").mkdir()
    (app / "handbook" / "leave.md").write_text("# Leave\n\nAsk a week before.\n")
    machine.ok("collection", "add", "handbook", "handbook", at=app)
    asked = ("find docs about leave", "search for leave in the docs")
    assert all("week before" in json.dumps(first(machine, app, one)) for one in asked)


def test_what_matches_no_pattern_is_asked_of_the_structured_tier_too(
    machine: Machine, app: Path
) -> None:
    found = first(machine, app, "mend login")
    assert found["route"]["tier"] == "structured"
    assert "bd-1" in json.dumps(found)


def test_settings_and_identity_are_no_answers_of_the_code_tier(machine: Machine, app: Path) -> None:
    (app / "config").mkdir()
    (app / "config" / "zeppelin.json").write_text('{"zeppelin_hangar": {"zeppelin": 1}}\n')
    (app / "agents" / "pilot").mkdir(parents=True)
    (app / "agents" / "pilot" / "SOUL.md").write_text("# Agent: zeppelin\n\nFlies zeppelins.\n")
    for question in ("where is zeppelin implemented", "how does the zeppelin work"):
        answer = machine.json("recall", question, "--tier", "code", at=app)
        assert answer["items"] == [], question


def test_rows_of_decisions_answer_what_was_decided(machine: Machine, app: Path) -> None:
    path = app / ".satchel" / "agents" / "seldon" / "DECISIONS.md"
    path.write_text(
        "# Seldon: decisions\n\n| Date | Decision | Rationale |\n|---|---|---|\n"
        "| 2026-01-02 | Ship on Thursdays only | Nobody reviews on Friday |\n"
    )
    found = first(machine, app, "what did we decide about shipping on Thursdays")
    assert found["tier"] == "warm"
    assert "Ship on Thursdays only" in json.dumps(found)
    path.write_text("# Decisions\n\n## 2026-11-01: Move to Hetzner\n\n**Rationale:** cheaper\n")
    found = first(machine, app, "what did we decide about Hetzner")
    assert "cheaper" in json.dumps(found)
    found = first(machine, app, "what did we decide")
    assert "Move to Hetzner" in json.dumps(found)


def test_the_archive_answers_what_happened_yesterday(machine: Machine, app: Path) -> None:
    from datetime import UTC, datetime, timedelta

    yesterday = datetime.now(UTC) - timedelta(days=1)
    stamp = yesterday.strftime("%Y-%m-%dT12:00:00.000Z")
    shared = {"cwd": str(app), "sessionId": "s-9", "timestamp": stamp, "isSidechain": False}
    lines = [
        {**shared, "type": "user", "uuid": "a", "message":
            {"role": "user", "content": "Why does the migration hang?"}},
        {**shared, "type": "assistant", "uuid": "b", "message":
            {"id": "m", "role": "assistant", "content": [
                {"type": "text", "text": "A lock on the orders table was held."}]}},
    ]  # fmt: skip
    transcript = app.parent / "s-9.jsonl"
    transcript.write_text("".join(json.dumps(line) + "\n" for line in lines))
    machine.ok("session", "import", str(transcript), at=app)
    found = first(machine, app, "what happened yesterday")
    assert found["tier"] == "archive"
    assert "migration" in json.dumps(found)
    assert first(machine, app, "orders table lock", "--tier", "archive")["tier"] == "archive"


def test_an_empty_tier_cascades_and_explains_itself(machine: Machine, app: Path) -> None:
    said = machine.ok("recall", "what happened yesterday with retry_request", "--explain", at=app)
    assert said.startswith("route archive/transcripts: matches ")
    assert "archive/transcripts gave 0" in said
    assert "[CODE] retry_request (function)" in said
    nothing = machine.ok("recall", "zebra crossing stripes", "--explain", at=app)
    assert "matches no pattern" in nothing
    assert "Nothing found for 'zebra crossing stripes'." in nothing


def test_the_seeds_own_routing_file_is_read_where_it_lies(machine: Machine, app: Path) -> None:
    (app / "config").mkdir()
    routing = app / "config" / "memory-query-routing.json"
    rule = {"pattern": "who knows about", "tier": "L5", "source": "Cartographer"}
    routing.write_text(json.dumps({"query_routing": {"patterns": [rule]}}))
    assert first(machine, app, "who knows about retry_request")["tier"] == "code"
    routing.write_text("{")
    broken = machine.run("recall", "where is retry_request implemented", at=app)
    assert broken.code == 0
    assert broken.out.startswith("[CODE] retry_request")
    assert "not JSON" in broken.err


def test_a_tier_can_be_asked_alone_and_a_wrong_one_is_named(machine: Machine, app: Path) -> None:
    found = first(machine, app, "retry_request", "--tier", "code")
    assert found["place"] == "retry.py:1"
    assert "Tiers are hot" in machine.fails(2, "recall", "x", "--tier", "lukewarm", at=app)
    machine.fails(2, "recall", "x", "--tier", "code", "--kind", "fact", at=app)
    only = machine.json("recall", "retry_request", "--memories", at=app)
    assert only["items"] == []


def test_who_calls_a_function_is_answered_with_its_callers(machine: Machine, app: Path) -> None:
    (app / "caller.py").write_text(
        "from retry import retry_request\n\n\ndef fetch():\n    return retry_request(1)\n"
    )
    found = first(machine, app, "who calls retry_request?")
    assert (found["tier"], found["place"]) == ("code", "caller.py:5")
    assert "fetch" in found["title"]


@pytest.mark.parametrize("question", ["?", "AND OR NOT *", "..."])
def test_a_question_without_a_telling_word_finds_nothing_by_chance(
    machine: Machine, app: Path, question: str
) -> None:
    assert machine.json("recall", question, at=app)["items"] == []


def test_prime_tells_stack_purpose_and_what_must_be_known(machine: Machine, app: Path) -> None:
    (app / "pyproject.toml").write_text('[project]\ndependencies = ["fastapi", "psycopg"]\n')
    (app / "README.md").write_text(
        "# Shop\n\nA shop for bread.\n\n## Test\n\n```\nmake test\n```\n"
    )
    machine.ok("remember", "--kind", "constraint", "Never log request bodies", at=app)
    text = machine.ok("prime", at=app)
    for part in ("Python (", "FastAPI (", "PostgreSQL (", "A shop for bread.", "`make test`",
                 "Never log request bodies", "the pool runs dry"):  # fmt: skip
        assert part in text
    empty = app.parent / "empty"
    empty.mkdir()
    machine.fails(3, "prime", at=empty)


def test_a_large_repository_that_was_never_mapped_says_why_the_code_is_not_asked(
    machine: Machine, app: Path
) -> None:
    for number in range(1200):
        (app / f"module_{number:04d}_with_a_long_name_of_its_own.py").write_text("x = 1\n")
    run_git(str(app), "add", "--all")
    done = machine.run("recall", "where is walrus_swim implemented", at=app)
    assert "Nothing found" in done.out
    assert "the code is being mapped for the first time" in done.err
    machine.ok("upkeep", "code", at=app)
    (app / "swim.py").write_text("def walrus_swim():\n    pass\n")
    assert first(machine, app, "where is walrus_swim implemented")["place"] == "swim.py:1"


def test_several_values_of_one_question_stand_side_by_side(machine: Machine, app: Path) -> None:
    machine.ok("remember", "--kind", "fact", "Acme | offered | 300 seats", at=app)
    told = json.dumps(machine.json("recall", "who offered seats", at=app))
    assert "200 seats" in told
    assert "300 seats" in told
    done = machine.run("remember", "--kind", "fact", "--single", "Acme | offered | 9 seats", at=app)
    assert "it replaces" in done.err
    assert "Acme | offered | 200 seats" in done.err
    assert "Acme | offered | 300 seats" in done.err
    assert "300 seats" not in json.dumps(machine.json("recall", "who offered seats", at=app))


def test_whatever_is_replaced_is_said(machine: Machine, app: Path) -> None:
    done = machine.run("remember", "--kind", "preference", "--key", "editor", "emacs", at=app)
    assert "it replaces" in done.err
    assert ": vim" in done.err
    words = ("remember", "--kind", "decision", "Use SQLite for jobs instead of Postgres")
    assert "Postgres over Redis" in machine.run(*words, at=app).err
    assert machine.run("remember", "Something quite new about ferries", at=app).err == ""


def daneel(machine: Machine, app: Path) -> None:
    machine.ok("agent", "new", "daneel", at=app)
    soul = app / ".satchel" / "agents" / "daneel" / "SOUL.md"
    soul.write_text("# Agent: Daneel\n\n## Role\n\nWatches the machines.\n")
    run_git(str(app), "add", "--all")
    run_git(str(app), "commit", "--quiet", "--message", "agents")


def test_two_agents_preferences_of_one_name_do_not_replace_each_other(
    machine: Machine, app: Path
) -> None:
    daneel(machine, app)
    for agent, editor in (("seldon", "emacs"), ("daneel", "nano")):
        words = ("remember", "--kind", "preference", "--key", "editor", "--agent", agent, editor)
        assert "takes the place" not in machine.run(*words, at=app).err
    asked = ("recall", "what are my preferences")
    told = {item["content"] for item in machine.json(*asked, at=app)["items"]}
    assert {"vim", "emacs", "nano"} <= told
    told = {item["content"] for item in machine.json(*asked, "--agent", "daneel", at=app)["items"]}
    assert "nano" in told
    assert "emacs" not in told


def test_recall_asks_as_an_agent(machine: Machine, app: Path) -> None:
    daneel(machine, app)
    assert "Watches the machines" in json.dumps(
        first(machine, app, "who am I", "--agent", "daneel")
    )
    assert "Keeps the plan" in json.dumps(first(machine, app, "who am I", "--agent", "Seldon"))
    asked = machine.run("recall", "who am I", at=app)
    assert "Nothing found" in asked.out
    assert "2 agents have files here (daneel, seldon)" in asked.err
    assert "nobody" in machine.fails(4, "recall", "who am I", "--agent", "nobody", at=app)


def test_a_session_of_an_agent_begins_with_its_soul(machine: Machine, app: Path) -> None:
    daneel(machine, app)
    told = json.dumps(machine.hook("SessionStart", app, source="startup", agent_type="Daneel"))
    assert "Watches the machines" in told
    assert "Keeps the plan" not in told
    told = json.dumps(machine.hook("SessionStart", app, source="startup", agent_type="explore"))
    assert "Watches the machines" not in told


def test_cartographer_lists_mcp_servers_that_are_there(machine: Machine, app: Path) -> None:
    write(app / "mcp-servers" / "graphmem" / "src" / "index.ts", "export {}\n")
    write(app / "mcp-servers" / "memory" / "README.md", "# Memory\n")
    write(app / ".mcp.json", '{"mcpServers": {"ctx": {"command": "npx"}}}')
    run_git(str(app), "add", "--all")
    machine.ok("code", "map", at=app)
    text = (app / "docs" / "CODEBASE_MAP.md").read_text("utf-8")
    listed = text.partition("## MCP servers")[2].partition("\n## ")[0]
    assert "| ctx | `npx` | `.mcp.json` |" in listed
    assert "| graphmem | `mcp-servers/graphmem/src/index.ts` | `mcp-servers/graphmem/` |" in listed
    assert "| memory |" in listed


def test_models_of_qmd_run_for_collections_and_notes_once_a_question(
    machine: Machine, app: Path
) -> None:
    from integration.mcp_machine import Lines
    from integration.model_server import Behaviour, model_server

    write(app / "handbook" / "deploy.md", "# Deploying\n\nPress the button, then wait.\n")
    write(app / "handbook" / "leave.md", "# Leave\n\nAsk for the button of leave.\n")
    machine.ok("learnings", "add", "docs/solutions/build-errors/pool.md", at=app)
    behaviour = Behaviour(written="lex: button press")
    with model_server(behaviour) as url:
        (machine.home / ".satchel" / "config.toml").write_text(
            f'[model]\nembed = "ollama:m"\nrerank = "openai:r"\ngenerate = "ollama:g"\n'
            f'expand = true\nurl = "{url}"\n'
        )
        machine.ok("collection", "add", "handbook", "handbook", at=app)
        machine.ok("upkeep", "embed", at=app)

        def calls() -> tuple[int, int]:
            asked = [path for path, _, _ in behaviour.requests]
            behaviour.requests.clear()
            return asked.count("/v1/rerank"), asked.count("/api/generate")

        calls()
        found = machine.json("collection", "query", "press the button", at=app)
        assert calls() == (1, 1)
        assert "Deploying" in json.dumps(found)
        machine.ok("learnings", "search", "the pool runs dry", at=app)
        assert calls() == (1, 1)
        with Lines(machine, app, "serve", "--profile", "qmd") as server:
            told = server.hello().text("qmd_query", query="press the button")
        assert "Press the button" in told
        assert calls() == (1, 1)
        machine.ok("collection", "query", "press the button", "--mode", "keyword", at=app)
        assert calls() == (0, 0)
        # Memories, notes and collections are several sources of one question.
        for asked in ("press the button", "find docs about the button", "why did we choose pools"):
            answer = machine.json("recall", asked, "--method", "hybrid", at=app)
            assert calls() == (1, 1), asked
        assert answer["items"]


def test_installed_session_hooks_do_what_session_begin_and_end_do(
    machine: Machine, app: Path
) -> None:
    write(
        app / "config" / "session-hooks.json",
        json.dumps(
            {
                "hooks": {"pre_session": {"args": ["--insights", "5"]}},
                "agent_overrides": {
                    "seldon": {"pre_session": {"args": ["--include-fleet-status"]}}
                },
            }
        ),
    )
    run_git(str(app), "add", "--all")
    run_git(str(app), "commit", "--quiet", "--message", "hooks")
    machine.ok("remember", "--kind", "insight", "Deploys hang on Fridays", at=app)
    machine.ok("remember", "--kind", "activity", "patrol found nothing", at=app)
    told = json.dumps(machine.hook("SessionStart", app, source="startup", agent_type="seldon"))
    assert "- insight: Deploys hang on Fridays" in told
    assert "patrol found nothing" in told
    machine.hook(
        "PostToolUse",
        app,
        tool_name="Bash",
        tool_response={"stdout": "", "stderr": ""},
        tool_input={"command": 'bd comment bd-1 "LEARNED: the cache needs a warm-up"'},
    )
    machine.hook("SessionEnd", app, reason="other")
    machine.ok("upkeep", "drain", at=app)
    insights = machine.json("memory", "list", "--kind", "insight", at=app)
    (made,) = [one for one in insights if "warm-up" in one["content"]]
    ident = made["data"]["learning"]
    assert ident.startswith("LEARN-")
    assert made["expires_at"] - made["ts"] == 24 * 3600
    activities = machine.json("memory", "list", "--kind", "activity", at=app)
    assert [
        one["data"]["learning"]
        for one in activities
        if (one.get("data") or {}).get("event") == "session_end"
    ] == [ident]
    (log,) = (machine.home / ".satchel" / "projects").rglob("LEARNINGS.md")
    assert f"### {ident}" in log.read_text("utf-8")
    assert run_git(str(app), "status", "--porcelain") == ""  # hooks write no tracked file
    ended = machine.ok("session", "end", "--learned", "Something else", at=app)
    assert ident not in ended
    told = json.dumps(machine.hook("SessionStart", app, source="startup", agent_type="seldon"))
    assert "the cache needs a warm-up" in told
    assert "Fleet" in told
