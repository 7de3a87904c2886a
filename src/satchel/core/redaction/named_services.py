"""The table of secrets that only the service or the kind of file beside them tells.

Its rows are like those of `satchel.core.redaction.contexts`.
"""

from satchel.core.redaction.patterns import UUID

_PAIR = r"(?:[ \t]{1,8}[\w.-]{1,80}: ?\S{1,4000}(?:\n|$))"

SERVICES: tuple[tuple[str, tuple[str, ...], str, int, str], ...] = (
    (
        "twilio-token",
        ("client(",),
        r"client\([\"']AC[0-9a-f]{32}[\"']{1,2},? {0,2}(?:auth_?token=)?[\"']([0-9a-f]{32})(?!\w)",
        1,
        "any",
    ),
    ("algolia-key", ("algolia",), r"algolia[^\n]{0,60}?[\"']([0-9a-f]{32})[\"']", 1, "any"),
    (
        # Anyone with the address uses the account: Infura, Alchemy.
        "rpc-key",
        ("infura.io/", "alchemy.com/", "alchemyapi.io/"),
        r"[a-z]{6,10}\.[a-z]{2,3}/(?:ws/)?v[23]/([\w-]{32})(?![\w-])",
        1,
        "random",
    ),
    ("url-key", ("?appid=", "&appid="), r".appid=([0-9a-f]{32})(?!\w)", 1, "any"),
    ("opsgenie-key", ("geniekey ",), rf"geniekey ({UUID})", 1, "any"),
    (
        "bitwarden-session",
        ("bw_session",),
        r"bw_session=[\"']?([A-Za-z0-9+/]{40,}={0,2})",
        1,
        "any",
    ),
    (
        "convex-key",
        ("convex_deploy_key",),
        r"convex_deploy_key[\"' ]{0,2}[:=] ?[\"']?[\w-]{1,12}:[\w-]{1,60}\|([\w+/=-]{20,})",
        1,
        "any",
    ),
    (
        "ethereum-key",
        ("wallet(", "privatekeytoaccount("),
        r"(?:wallet|account)\([\"'](?:0x)?([0-9a-f]{64})[\"']",
        1,
        "any",
    ),
    (
        "otp-secret",
        ("totp ", "otp ", "2fa ", "authenticator "),
        (
            r"\w{3,13} (?:seed|secret|key|setup key)(?: is)?[:= ]{1,3}"
            r"((?:[a-z2-7]{4}[ -]){3,12}[a-z2-7]{4})(?!\w)"
        ),
        1,
        "any",
    ),
    ("jwk", ('"kty"',), r"\"kty\"[^{}]{1,600}?\"d\" ?: ?\"([\w-]{20,})\"", 1, "any"),
    (
        "putty-key",
        ("private-lines:",),
        r"private-lines: \d{1,3}\s{1,2}((?:[A-Za-z0-9+/=]{16,80}\s{0,2}){1,60})",
        1,
        "any",
    ),
    (
        # A secret of Kubernetes, whichever comes first.
        "kubernetes-secret",
        ("kind: secret\n",),
        rf"kind: secret\n(?:[^\n]{{0,200}}\n){{0,12}}?(?:string)?data:\n({_PAIR}{{1,40}})",
        1,
        "any",
    ),
    (
        "kubernetes-secret",
        ("\ndata:\n", "\nstringdata:\n"),
        rf"\n(?:string)?data:\n({_PAIR}{{1,40}})(?:[^\n]{{0,200}}\n){{0,4}}?kind: secret(?!\w)",
        1,
        "any",
    ),
    (
        "told-password",
        ("connect(",),
        r"connect\((?:[\"'][^\"'\n]{0,60}[\"'], {0,2}){2}[\"']([^\"'\n]{6,63})[\"']",
        1,
        "made",
    ),
)
