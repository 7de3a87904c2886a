"""Clean lines for the redaction tests: what developers write and see, without a secret."""

from __future__ import annotations

import base64
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
_NEW = (
    "mysql -u {w} -p {v}_db < dump-{n}.sql",
    "mysql -u {w} -p$MYSQL_PWD {v}",
    "curl -u $API_USER:$API_TOKEN https://example.org/{w}",
    'curl -sSf -u "{w}:${{TOKEN}}" https://example.org/{v}',
    "docker run -p {n}:80 --user {n}:{n} {w}/{v} && docker login ghcr.io -u {w} --password-stdin",
    "zip -r {w}.zip {v} && ssh -p {n} {w}@example.org",
    "DB_PASSWORD=<{w}>  # and REDIS_PASSWORD=${{{W}_PASSWORD}}",
    "Das Passwort ist falsch, sagt {w}; Passwort: erforderlich.",
    "La contrase\u00f1a es obligatoria para {w}; clave: requerida",
    "\u30d1\u30b9\u30ef\u30fc\u30c9\u306f\u5fc5\u9808\u3067\u3059 {w} \u5bc6\u7801\u9519\u8bef",
    "at {us} {w} took {n} us, request {snow}",
    "sum {h32}{h16} order #{n}-{n}-{n} phone +49 30 {n}",
    "payload {clean64} of {w}",
    "add the model and view for each user who can open this file, then update {w} code and test",
    "https://example.org/{w}?signature=none&sig=1&version={n}.{n}.{n}.{n}",
    "-----BEGIN CERTIFICATE----- {b86}",
)
_W = (
    *("session", "index", "parser", "tokenizer", "billing", "author", "cache", "monkey", "keyring"),
    *("passenger", "compass", "task", "cookiecutter", "secretary", "auth", "worker", "search"),
)


def clean_lines(seed: int, n: int = 10_000) -> list[str]:
    """`n` lines as developers write and see them, without a secret in any."""
    rng = random.Random(seed)
    forms = _PROSE + _CODE + _LOGS + _NEW
    out: list[str] = []
    for i in range(n):
        word = rng.choice(_W)
        fill: dict[str, object] = {"w": word, "W": word.upper(), "v": rng.choice(_W)}
        fill |= {f"h{k}": pick(rng, HEX, k) for k in (6, 7, 16, 32, 40, 64)}
        fill |= {f"b{k}": pick(rng, B64, k) for k in (43, 86)}
        fill |= {"u": uuid(rng), "n": rng.randrange(1, 5000)}
        fill |= {"us": 1_767_000_000_000_000 + rng.randrange(10**13)}
        fill |= {"snow": rng.randrange(10**17, 10**19)}
        said = f"{word}: see {rng.choice(_W)} and its password page {rng.randrange(10**6)}"
        fill |= {"clean64": base64.b64encode(said.encode()).decode()}
        out.append(forms[i % len(forms)].format(**fill))
    return out
