"""What a project is built with, told by its files, and how sure that is."""

from satchel.features.code.stack import DATABASE, FRAMEWORK, LANGUAGE, TOOL, stack_of


def found(paths: list[str], manifests: dict[str, str] | None = None) -> dict[str, float]:
    stack = stack_of([*paths, *(manifests or {})], manifests or {})
    return {f"{one.kind}:{one.name}": one.confidence for one in stack}


def test_manifests_name_languages_frameworks_databases_and_tools() -> None:
    stack = found(
        ["src/a.py", "uv.lock", ".github/workflows/ci.yml"],
        {
            "pyproject.toml": 'dependencies = ["fastapi>=0.1", "psycopg[binary]"]\n# "django"\n',
            "web/package.json": '{"dependencies": {"@sveltejs/kit": "2", "vitest": "1"}}',
            "docker-compose.yml": "services:\n  db:\n    image: docker.io/library/redis:7\n",
        },
    )
    assert stack[f"{LANGUAGE}:Python"] >= 0.9
    assert stack[f"{FRAMEWORK}:FastAPI"] == 0.95
    assert stack[f"{FRAMEWORK}:SvelteKit"] == 0.95
    assert stack[f"{DATABASE}:PostgreSQL"] == 0.95
    assert stack[f"{DATABASE}:Redis"] == 0.8
    assert stack[f"{TOOL}:uv"] == 0.85
    assert stack[f"{TOOL}:GitHub Actions"] == 0.85
    assert f"{FRAMEWORK}:Django" not in stack


def test_a_description_is_no_dependency() -> None:
    stack = found([], {"pyproject.toml": 'description = "replaces redis and django"\n'})
    assert set(stack) == {f"{LANGUAGE}:Python"}


def test_one_file_among_many_of_another_language_is_less_sure() -> None:
    stack = found([f"m{n}.go" for n in range(60)] + ["tool.rb"])
    assert stack[f"{LANGUAGE}:Go"] > 0.9
    assert stack.get(f"{LANGUAGE}:Ruby", 0) < 0.3


def test_the_surest_language_comes_first_and_an_empty_tree_has_no_stack() -> None:
    stack = stack_of([f"{n}.rs" for n in range(30)] + ["a.sh", "b.sh", "c.sh"], {})
    assert stack[0].name == "Rust"
    assert stack_of([], {}) == []
