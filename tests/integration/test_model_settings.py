"""Models behind a server, chosen in the person's settings and used by `satchel recall`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from integration.installed import Machine, needs_command
from integration.model_server import Behaviour, model_server

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

LESSONS = ("the parser needs a newline", "bread is baked at four", "the cache is cold at night")
#: Nothing listens there.
_DOWN = "http://127.0.0.1:9"


@pytest.fixture
def app(machine: Machine) -> Path:
    path = machine.repository()
    for lesson in LESSONS:
        machine.ok("learn", lesson, at=path)
    return path


def choose(machine: Machine, **settings: object) -> None:
    lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
    config = machine.home / ".satchel" / "config.toml"
    config.parent.mkdir(exist_ok=True)
    config.write_text("\n".join(["[model]", *lines]) + "\n")


def paths(behaviour: Behaviour) -> list[str]:
    return [path for path, _, _ in behaviour.requests]


@pytest.mark.parametrize("provider", ["ollama", "openai"])
def test_vectors_of_a_server_are_kept_and_asked(machine: Machine, app: Path, provider: str) -> None:
    behaviour = Behaviour(dimensions=64)
    with model_server(behaviour) as url:
        choose(machine, embed=f"{provider}:some-model", url=url)
        assert "3 memories" in machine.ok("upkeep", "embed", at=app)
        # The very text of a memory has the very vector of it.
        found = machine.json("recall", LESSONS[1], "--method", "semantic", "--explain", at=app)
    assert found["items"][0]["content"] == LESSONS[1]
    assert machine.json("stats", at=app)["vectors"] == f"3 of {provider}:some-model/64"
    assert set(paths(behaviour)) == {"/api/embed" if provider == "ollama" else "/v1/embeddings"}


def test_a_key_goes_to_the_server_and_nowhere_else(machine: Machine, app: Path) -> None:
    behaviour = Behaviour()
    with model_server(behaviour) as url:
        choose(machine, embed="openai:m", url=url, key_name="OUR_KEY")
        done = machine.run("upkeep", "embed", at=app, environment={"OUR_KEY": "s3cr3t-key"})
    assert done.code == 0
    assert {key for _, _, key in behaviour.requests} == {"Bearer s3cr3t-key"}
    held = [path for path in machine.directory.rglob("*") if path.is_file()]
    assert not [path for path in held if b"s3cr3t-key" in path.read_bytes()]


def test_a_reranker_has_the_last_word(machine: Machine, app: Path) -> None:
    behaviour = Behaviour()
    with model_server(behaviour) as url:
        choose(machine, embed="none", rerank="openai:r", url=url)
        machine.ok("recall", "cache parser", "--method", "hybrid", at=app)
        assert paths(behaviour) == []  # without vectors words answer alone
        choose(machine, embed="ollama:m", rerank="openai:r", url=url)
        machine.ok("upkeep", "embed", at=app)
        found = machine.json("recall", "parser needs cold", "--method", "hybrid", "--weak", at=app)
    assert "/v1/rerank" in paths(behaviour)
    scores = [item["evidence"]["reranker"] for item in found["items"]]
    assert scores == sorted(scores, reverse=True)
    assert found["items"][0]["content"] == LESSONS[0]


def test_other_wordings_of_a_question_are_searched_too(machine: Machine, app: Path) -> None:
    behaviour = Behaviour(written="lex: bread baked four\nvec: when is bread baked")
    with model_server(behaviour) as url:
        choose(machine, embed="ollama:m", generate="ollama:g", expand=True, url=url)
        machine.ok("upkeep", "embed", at=app)
        found = machine.json("recall", "loaves", "--method", "hybrid", "--weak", at=app)
    assert paths(behaviour).count("/api/generate") == 1
    assert LESSONS[1] in [item["content"] for item in found["items"]]


@pytest.mark.parametrize("method", ["hybrid", "semantic", "fast", "keyword"])
def test_while_the_server_is_down_words_answer_and_the_reason_is_told(
    machine: Machine, app: Path, method: str
) -> None:
    choose(machine, embed="ollama:m", url=_DOWN)
    done = machine.run("recall", "cold cache", "--method", method, at=app)
    assert done.code == 0
    assert LESSONS[2] in done.out
    if method in ("hybrid", "semantic"):
        assert done.err.startswith("note: ")
        assert _DOWN in done.err
        assert "model.url" in done.err
    else:
        assert done.err == ""


def test_a_server_that_goes_away_costs_vectors_and_nothing_else(
    machine: Machine, app: Path
) -> None:
    with model_server(Behaviour()) as url:
        choose(machine, embed="ollama:m", url=url)
        machine.ok("upkeep", "embed", at=app)
    done = machine.run("recall", "cold cache", "--method", "hybrid", at=app)
    assert done.code == 0
    assert LESSONS[2] in done.out
    assert url in done.err
    machine.ok("learn", "a fourth thing", at=app)
    done = machine.run("upkeep", at=app)
    assert done.code == 0
    assert url in done.out
    assert "rotate:" in done.out


@pytest.mark.parametrize("which", ["rerank", "generate"])
def test_a_helper_model_that_is_down_changes_no_answer(
    machine: Machine, app: Path, which: str
) -> None:
    machine.ok("upkeep", "embed", at=app)
    wanted = machine.ok("recall", "cold cache", "--method", "hybrid", at=app)
    choose(machine, **{which: "openai:x", "expand": which == "generate", "url": _DOWN})
    done = machine.run("recall", "cold cache", "--method", "hybrid", at=app)
    assert done.code == 0
    assert done.out.splitlines()[0] == wanted.splitlines()[0]
    assert _DOWN in done.err


@pytest.mark.parametrize("raw", [b"", b"[]", b'{"embeddings": [[1]]}', b"\xff\xfe", b"[" * 9])
def test_nonsense_of_a_server_is_told_and_no_vector_is_kept(
    machine: Machine, app: Path, raw: bytes
) -> None:
    with model_server(Behaviour(raw=raw)) as url:
        choose(machine, embed="ollama:m", url=url)
        said = machine.ok("upkeep", "embed", at=app)
        done = machine.run("recall", "cold cache", "--method", "hybrid", at=app)
    assert url in said
    assert LESSONS[2] in done.out
    assert machine.json("stats", at=app)["vectors"] == "none yet; 3 documents wait"


def test_another_model_gets_every_vector_anew_and_back_again(machine: Machine, app: Path) -> None:
    with model_server(Behaviour(dimensions=32)) as url:
        for model in ("first", "second", "first", "second"):
            choose(machine, embed=f"ollama:{model}", url=url)
            before = machine.ok("recall", LESSONS[0], "--method", "hybrid", at=app)
            assert LESSONS[0] in before  # words find it before vectors are there
            assert "wait" in machine.json("stats", at=app)["vectors"]
            assert "3 memories" in machine.ok("upkeep", "embed", at=app), model
            assert machine.json("stats", at=app)["vectors"] == f"3 of ollama:{model}/32"
            assert "0 memories" in machine.ok("upkeep", "embed", at=app)


def test_a_model_asked_once_in_between_costs_the_other_no_vector(
    machine: Machine, app: Path
) -> None:
    behaviour = Behaviour(dimensions=32)
    with model_server(behaviour) as url:
        choose(machine, embed="ollama:first", url=url)
        machine.ok("upkeep", "embed", at=app)
        other = {"SATCHEL_MODEL_EMBED": "ollama:second"}
        machine.run("recall", "cache", "--method", "hybrid", at=app, environment=other)
        machine.ok("recall", "cache", "--method", "hybrid", at=app)
        assert machine.json("stats", at=app)["vectors"] == "3 of ollama:first/32"


@pytest.mark.parametrize("name", ["project.toml", "config.toml"])
def test_a_repository_cannot_send_memories_to_a_server(
    machine: Machine, app: Path, name: str
) -> None:
    behaviour = Behaviour()
    with model_server(behaviour) as url:
        file = app / ".satchel" / name
        before = file.read_text() if file.exists() else ""
        file.write_text(
            f'{before}\n[model]\nembed = "ollama:m"\nrerank = "openai:r"\ngenerate = "ollama:g"\n'
            f'expand = true\nurl = "{url}"\nkey_name = "HOME"\nplain_http = true\n'
        )
        machine.run("upkeep", "embed", at=app)
        for method in ("hybrid", "semantic", "fast"):
            machine.run("recall", "cold cache", "--method", method, at=app)
        assert behaviour.requests == []
