"""Clean lines for the redaction tests: what developers write and see, without a secret."""

from __future__ import annotations

import random

from unit.redaction_corpus import B64, HEX, pick, uuid

_PROSE = (
    "The password: must be at least 12 characters, says the policy for {w}.",
    "Please rotate the token of {w} before Friday; the secret is in the vault.",
    "We decided that {w} uses cookies and not bearer tokens for the {v} page.",
    "password is required, token is optional, and {w} does the authorization.",
    "Set API_KEY to your own key, for example <your-{w}-key>.",
    "Fix: the {w} task-runner read risk-{v} twice; see disk-usage of {v}.",
)
_CODE = (
    "from {w}.auth import get_token, Token{v}",
    "token = self.get_token({w}, timeout={n})",
    "password = os.environ['{W}_PASSWORD']",
    "    secret: str | None = None,  # {w}",
    "max_tokens={n}, token_count={n}, input_tokens: {n}",
    "api_key=settings.{w}_api_key",
    "def check_password(self, password: str, {w}: int = {n}) -> bool:",
    "const token = await fetchToken({w}.clientId, {n});",
    'password: "${{{W}_PASSWORD}}"',
    "  api_key: {{{{ .Values.{w}.apiKey }}}}",
    "TOKEN=$(cat /run/secrets/{w}_token)",
    "API_KEY=your-{w}-api-key-here",
    "if token.type == TokenType.{W} and tokens[i + 1] != secret:",
    '<input type="password" name="password" placeholder="Password" id="{w}-password">',
    ".sk-{w}-{v} {{ color: #{h6}; margin: {n}px }}",
    "self.assertEqual(auth.user, '{w}')  # token_url = '/oauth/token'",
    "next_token: {h16}",
    "secretName: {w}-tls-secret-{n}",
    "Authorization: Bearer $TOKEN",
    "postgres://{w}:${{DB_PASSWORD}}@localhost:5432/{v}",
)
_LOGS = (
    "commit {h40}",
    "index {h7}..{h7} 100644",
    "2026-01-{n} 10:00:00,123 INFO {w}.{v}: request {u} took {n} ms",
    '      "integrity": "sha512-{b86}==",',
    "sha256-{b43}=",
    "    --hash=sha256:{h64} \\",
    "background: url(data:image/png;base64,iVBORw0KGgo{b86})",
    "/srv/{w}/{v}/node_modules/.cache/{h32}/index.js:{n}:{n}",
    "Digest: sha256:{h64}",
    "  uses: {w}/checkout@{h40} # v{n}",
    "https://docs.example.org/{w}/{v}?page={n}&sort=token",
    "docker run -u {n}:{n} -v /srv/{w}:/data {w}/{v}:latest",
    'id: "{u}", session_id: "{u}", key: "{w}:{v}:{n}"',
    'ETag: W/"{h32}"  Content-Length: {n}',
    "Bearer authentication for {w}: 401 after {n} tries",
    "git push -u origin feature/{w}-{v}-{n}",
    "{w}@{v}.example.org signed off the author {w} <{w}@example.org>",
)
_W = (
    *("session", "index", "parser", "tokenizer", "billing", "author", "cache", "monkey", "keyring"),
    *("passenger", "compass", "task", "cookiecutter", "secretary", "auth", "worker", "search"),
)


def clean_lines(seed: int, n: int = 10_000) -> list[str]:
    """`n` lines as developers write and see them, without a secret in any."""
    rng = random.Random(seed)
    forms = _PROSE + _CODE + _LOGS
    out: list[str] = []
    for i in range(n):
        word = rng.choice(_W)
        fill: dict[str, object] = {"w": word, "W": word.upper(), "v": rng.choice(_W)}
        fill |= {f"h{k}": pick(rng, HEX, k) for k in (6, 7, 16, 32, 40, 64)}
        fill |= {f"b{k}": pick(rng, B64, k) for k in (43, 86)}
        fill |= {"u": uuid(rng), "n": rng.randrange(1, 5000)}
        out.append(forms[i % len(forms)].format(**fill))
    return out
