"""The vocabulary of extraction: technology names, causal phrases, noise words."""

from __future__ import annotations

_TOOLS = """
ansible apt babel bash bazel black brew bun cargo chromium chrome cmake composer conda cron curl
cypress docker docker-compose eslint esbuild ffmpeg firefox gcc gdb git gradle grep helm homebrew
istio jest jq kubectl llvm make maven mypy nginx npm nvm pip pipx playwright pnpm podman poetry
prettier puppeteer pylint pyright pytest rollup ruff rustc rustup selenium sentry sqlx ssh strace
systemd terraform tmux tox turborepo uv valgrind vagrant vite vitest webpack wget yarn zsh
"""
_TECHNOLOGIES = """
actix airflow angular apache apollo arm64 asyncio axum azure bootstrap c++ c# caddy cassandra
celery clickhouse cloudflare consul css cuda deno django dynamodb elasticsearch elixir electron
envoy erlang express fastapi fastify flask flutter gatsby gcp github gitlab golang graphql grpc
haproxy haskell hadoop hibernate html http2 ios java javascript jenkins jinja2 jotai jwt kafka
keycloak kotlin kubernetes lambda laravel linux lua macos mariadb memcached minio mongodb mqtt
mysql nestjs next.js node.js numpy nuxt oauth openapi openssl opentelemetry orjson pandas
pgbouncer pgvector php postgis postgresql prisma prometheus protobuf pulsar pydantic python
pytorch rabbitmq rails react redis redux remix rocksdb ruby rust rxjs s3 saml sass scala
scikit-learn snowflake socket.io solidity solr spark spring sqlalchemy sqlite svelte swift tailwind
tensorflow tls tokio trpc typescript uvicorn vault vercel vue wasm webassembly websocket
websockets windows wsl xml yaml zookeeper zig
"""
_ALSO_WORDS_TEXT = """
apt babel black bootstrap brew composer express flask gatsby go helm lambda make node pip poetry
rabbit rails react remix rust sass solidity spark spring swift vault windows yarn apollo apache
consul caddy celery chrome sentry envoy selenium prometheus pulsar snowflake tf pg ts js py arm64
scala uv
"""
_NAMES_A_THING_TEXT = """
caused by, due to, because of, root cause is, root cause was, stems from, results from, fixed by,
solved by, resolved by, requires, depends on, relies on, replaced by, superseded by, prevents,
avoids, conflicts with, part of
"""
_NOISE_TEXT = """
true false null none nil undefined self this var let const def class return if else for while int
str bool float string number object array list dict ok yes no todo fixme note e.g i.e etc foo bar
baz main test tests src lib dist id key name value type data file path
"""
_LABELS_TEXT = """
rationale alternatives considered applies topic decision decisions date status summary problem
solution context symptoms symptom cause insight consequences options owner confidence category
agent note notes source why how impact outcome result results title description
"""
#: Other spellings -> the name that is kept.
_SPELLINGS = {
    "postgres": "postgresql", "pg": "postgresql", "psql": "postgresql", "k8s": "kubernetes",
    "js": "javascript", "ts": "typescript", "py": "python", "node": "node.js", "nodejs": "node.js",
    "nextjs": "next.js", "vuejs": "vue", "vue.js": "vue", "reactjs": "react", "react.js": "react",
    "mongo": "mongodb", "cpp": "c++", "csharp": "c#", "sklearn": "scikit-learn", "osx": "macos",
    "sqlite3": "sqlite", "dockerfile": "docker", "wasm": "webassembly", "websockets": "websocket",
    "kube": "kubernetes", "tf": "tensorflow", "rabbit": "rabbitmq", "jinja": "jinja2",
}  # fmt: skip
#: Two words that are one name.
PAIRS = {
    ("github", "actions"): "github actions", ("gitlab", "ci"): "gitlab ci",
    ("docker", "compose"): "docker-compose", ("google", "cloud"): "gcp",
    ("spring", "boot"): "spring", ("ruby", "on"): "rails", ("event", "loop"): "event loop",
    ("connection", "pool"): "connection pool", ("race", "condition"): "race condition",
    ("memory", "leak"): "memory leak", ("dead", "lock"): "deadlock",
}  # fmt: skip
#: Kinds of trouble, as the type `error`.
_TROUBLES = """
deadlock segfault timeout oom livelock starvation flake panic stacktrace traceback memory\u00a0leak
race\u00a0condition
"""
#: Words that are technologies only if spelled as names: `make`, `spark`, `express`.
ALSO_WORDS = frozenset(_ALSO_WORDS_TEXT.strip().split())


def _known() -> dict[str, tuple[str, str]]:
    """Map each spelling to its canonical name and type."""
    known = dict.fromkeys(_TOOLS.split(), "tool") | dict.fromkeys(
        _TECHNOLOGIES.split(), "technology"
    )
    found = {name: (name, kind) for name, kind in known.items()}
    for spelling, name in _SPELLINGS.items():
        found[spelling] = (name, known.get(name, "technology"))
    for trouble in _TROUBLES.split("\n"):
        for name in trouble.split(" "):
            if name:
                found[name.replace("\u00a0", " ")] = (name.replace("\u00a0", " "), "error")
    return found


#: Lower-case spelling -> (name, type).
KNOWN = _known()

#: Causal phrase -> (type of relation, whether the source comes after it).
PHRASES = {
    "caused by": ("caused_by", False), "due to": ("caused_by", False),
    "because of": ("caused_by", False), "because": ("caused_by", False),
    "root cause is": ("caused_by", False), "root cause was": ("caused_by", False),
    "stems from": ("caused_by", False), "results from": ("caused_by", False),
    "causes": ("causes", False), "caused": ("causes", False), "leads to": ("causes", False),
    "led to": ("causes", False), "results in": ("causes", False), "breaks": ("causes", False),
    "lead to": ("causes", False), "result in": ("causes", False), "resulted in": ("causes", False),
    "stemmed from": ("caused_by", False), "resulted from": ("caused_by", False),
    "triggers": ("triggers", False), "triggered by": ("triggers", True),
    "fixed by": ("solves", True), "solved by": ("solves", True), "resolved by": ("solves", True),
    "worked around by": ("solves", True), "fixed with": ("solves", True),
    "fixes": ("solves", False), "solves": ("solves", False), "resolves": ("solves", False),
    "requires": ("requires", False), "depends on": ("requires", False),
    "needs": ("requires", False), "relies on": ("requires", False),
    "required by": ("requires", True), "needed by": ("requires", True),
    "replaced by": ("supersedes", True), "superseded by": ("supersedes", True),
    "replaced with": ("supersedes", True), "in favour of": ("supersedes", True),
    "in favor of": ("supersedes", True), "migrated to": ("supersedes", True),
    "replaces": ("supersedes", False), "supersedes": ("supersedes", False),
    "instead of": ("supersedes", False), "rather than": ("supersedes", False),
    "prevents": ("prevents", False), "avoids": ("prevents", False),
    "guards against": ("prevents", False), "protects against": ("prevents", False),
    "prevented by": ("prevents", True), "avoided by": ("prevents", True),
    "conflicts with": ("contradicts", False), "contradicts": ("contradicts", False),
    "incompatible with": ("contradicts", False), "clashes with": ("contradicts", False),
    "enables": ("enables", False), "allows": ("enables", False), "enabled by": ("enables", True),
    "uses": ("uses", False), "built on": ("uses", False), "powered by": ("uses", False),
    "runs on": ("uses", False), "used by": ("uses", True), "written in": ("uses", False),
    "part of": ("part_of", False), "belongs to": ("part_of", False),
    "implements": ("implements", False), "implemented by": ("implements", True),
    "configures": ("configures", False), "configured by": ("configures", True),
    "related to": ("relates_to", False), "see also": ("relates_to", False),
}  # fmt: skip
#: After these, the object may be a few plain words: "caused by connection pool exhaustion".
NAMES_A_THING = frozenset(_NAMES_A_THING_TEXT.strip().replace("\n", " ").split(", "))

#: Capitalized, these are headings; they name nothing.
LABELS = frozenset(_LABELS_TEXT.split())
#: In backticks or as an identifier, these say nothing.
NOISE = frozenset(_NOISE_TEXT.strip().split())


def _by_first_word() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    heads: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for phrase in sorted(PHRASES, key=lambda text: -len(text.split())):
        first, *rest = phrase.split()
        heads.setdefault(first, []).append((tuple(rest), phrase))
    return heads


#: First word of a phrase -> the words that must follow, and the phrase; longest first.
HEADS = _by_first_word()
