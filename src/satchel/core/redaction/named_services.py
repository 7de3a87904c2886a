"""The table of secrets that only the service or the kind of file beside them tells.

Its rows are like those of `satchel.core.redaction.contexts`.
"""

from satchel.core.redaction.patterns import UUID

_PAIR = r"(?:[ \t]{1,8}[\w.-]{1,80}: ?\S{1,4000}(?:\n|$))"

SERVICES: tuple[tuple[str, tuple[str, ...], str, str], ...] = (
    (
        "twilio-token",
        ("client(",),
        r"client\([\"']AC[0-9a-f]{32}[\"']{1,2},? {0,2}(?:auth_?token=)?[\"']([0-9a-f]{32})(?!\w)",
        "any",
    ),
    ("algolia-key", ("algolia",), r"algolia[^\n]{0,60}?[\"']([0-9a-f]{32})[\"']", "any"),
    (
        # Anyone with the address uses the account: Infura, Alchemy.
        "rpc-key",
        ("infura.io/", "alchemy.com/", "alchemyapi.io/"),
        r"[a-z]{6,10}\.[a-z]{2,3}/(?:ws/)?v[23]/([\w-]{32})(?![\w-])",
        "random",
    ),
    ("url-key", ("?appid=", "&appid="), r".appid=([0-9a-f]{32})(?!\w)", "any"),
    ("opsgenie-key", ("geniekey ",), rf"geniekey ({UUID})", "any"),
    ("bitwarden-session", ("bw_session",), r"bw_session=[\"']?([A-Za-z0-9+/]{40,}={0,2})", "any"),
    (
        "convex-key",
        ("convex_deploy_key",),
        r"convex_deploy_key[\"' ]{0,2}[:=] ?[\"']?[\w-]{1,12}:[\w-]{1,60}\|([\w+/=-]{20,})",
        "any",
    ),
    (
        "ethereum-key",
        ("wallet(", "privatekeytoaccount("),
        r"(?:wallet|account)\([\"'](?:0x)?([0-9a-f]{64})[\"']",
        "any",
    ),
    (
        "otp-secret",
        ("totp ", "otp ", "2fa ", "authenticator "),
        (
            r"\w{3,13} (?:seed|secret|key|setup key)(?: is)?[:= ]{1,3}"
            r"((?:[a-z2-7]{4}[ -]){3,12}[a-z2-7]{4})(?!\w)"
        ),
        "any",
    ),
    ("jwk", ('"kty"',), r"\"kty\"[^{}]{1,600}?\"d\" ?: ?\"([\w-]{20,})\"", "any"),
    (
        "putty-key",
        ("private-lines:",),
        r"private-lines: \d{1,3}\s{1,2}((?:[A-Za-z0-9+/=]{16,80}\s{0,2}){1,60})",
        "any",
    ),
    (
        # A secret of Kubernetes, whichever comes first.
        "kubernetes-secret",
        ("kind: secret\n",),
        rf"kind: secret\n(?:[^\n]{{0,200}}\n){{0,12}}?(?:string)?data:\n({_PAIR}{{1,40}})",
        "any",
    ),
    (
        "kubernetes-secret",
        ("\ndata:\n", "\nstringdata:\n"),
        rf"\n(?:string)?data:\n({_PAIR}{{1,40}})(?:[^\n]{{0,200}}\n){{0,4}}?kind: secret(?!\w)",
        "any",
    ),
    (
        "told-password",
        ("connect(",),
        r"connect\((?:[\"'][^\"'\n]{0,60}[\"'], {0,2}){2}[\"']([^\"'\n]{6,63})[\"']",
        "made",
    ),
    (
        "ethereum-key",
        (
            *("private key", "privatekey", "private_key", "from_key(", "startbroadcast("),
            *("accounts: [", "accounts:[", "_pk=", "_pk =", " pk =", " pk=", "--pk "),
            *("signer key", "deployer key", "wallet key", "anvil key"),
        ),
        r"[a-z_ (:\[=-]{3,20}[^\n0]{0,24}?(?:\(\d\) )?(0x[0-9a-f]{64})(?!\w)",
        "any",
    ),
    (
        # A transaction's signature of Solana looks like a key: the words beside it tell.
        "wallet-key",
        ("private key", "privatekey", "secret key", "secretkey", "keypair", "secret ="),
        r"[a-z ]{7,12}[^\n]{0,40}?(?<!\w)([1-9A-HJ-NP-Za-km-z]{86,88})(?!\w)",
        "any",
    ),
    ("wallet-key", ("bs58.decode(",), r"bs58\.decode\([\"'](\w{86,88})[\"']", "any"),
    (
        "ntlm-hash",
        ("aad3b435b51404eeaad3b435b51404ee:",),
        r"[0-9a-f]{32}:([0-9a-f]{32})(?!\w)",
        "any",
    ),
    (
        "ntlm-hash",
        ("ntlm", "nt hash", "nthash", "-hashes ", "/pth:"),
        r"[/-]?(?:ntlm|nt ?hash|hashes|pth)[^\n]{0,24}?(?<!\w)([0-9a-f]{32})(?!\w)",
        "any",
    ),
    (
        "pagerduty-key",
        ("pagerduty",),
        r"pagerduty[\w ]{0,20}?(?:[\s\"'\\:=]{1,8}|\s{1,2}is\s)([\w+-]{20}|[0-9a-f]{32})(?![\w+-])",
        "random",
    ),
    (
        "pagerduty-key",
        ("routing_key", "integration_key", "integration key", "pagerduty.com/integration/"),
        r"[a-z_ ./]{11,26}[\s\"'\\:=]{0,8}([0-9a-f]{32})(?!\w)",
        "any",
    ),
    ("pagerduty-key", ("token token=",), r"token token=[\"']?([\w+-]{16,64})", "random"),
    (
        # Anyone with the address may post: Mattermost, Rocket.Chat.
        "webhook",
        ("/hooks/",),
        r"/hooks/([a-z0-9]{26}|[A-Za-z0-9]{17,24}/[A-Za-z0-9]{20,64})(?![\w/])",
        "random",
    ),
    (
        "mattermost-token",
        ("mattermost",),
        r"mattermost[\w ]{0,20}?(?:token|key)(?: is)?[\s\"'\\:=]{1,8}([a-z0-9]{26})(?!\w)",
        "random",
    ),
    (
        "vault-unseal-key",
        ("unseal key", "recovery key"),
        (
            r"(?:unseal|recovery) key(?: \d{1,2})?(?: \(\w{3,6}\))?(?: is|:)\s{1,4}"
            r"([A-Za-z0-9+/]{43,88}={0,2})(?!\w)"
        ),
        "random",
    ),
    (
        "vault-unseal-key",
        ('keys"', "keys_b64", "keys_base64", "keys_hex", "keys_shares"),
        r"keys\w{0,8}\\?\" ?: ?\[\s{0,8}((?:\\?\"[A-Za-z0-9+/=]{43,88}\\?\"[,\s]{0,12}){1,12})\]",
        "any",
    ),
    (
        "fernet-key",
        ("fernet", "ey = b", "ey=b"),
        r"(?:fernet\( ?|fernet[ _-]?key(?: is)?[\s\"'\\:=]{1,6}|ey ?= ?)b?[\"']?([\w-]{43}=)",
        "any",
    ),
    (
        # SQL's function, which is not somebody's own function of that name.
        "sql-password",
        ("password('", 'password("'),
        r"(?<![\w.>:])password\([\"']([^\"'\s]{4,64})[\"']\)",
        "given",
    ),
    (
        "sql-password",
        ("set password", "with password"),
        r"(?:set|with) password(?: for \S{1,80})? ?= ?n?[\"']([^\"'\n]{3,64})[\"']",
        "given",
    ),
    (
        "hashed-password",
        ("crypt('", 'crypt("', "crypt(b'", "hashpw(b'", 'hashpw(b"'),
        r"(?:crypt|hashpw)\(b?[\"']([^\"'\s]{4,64})[\"']",
        "given",
    ),
    (
        # Lines of fstab, and an address with a login.
        "mount-password",
        ("cifs ", "cifs\t", "smb3 ", "davfs "),
        r"\w{4,5}[ \t]{1,8}[^\s]{0,200}?pass(?:word)?=([^\s,\"']{4,64})",
        "given",
    ),
    (
        "mount-password",
        ("mount_smbfs", "smbutil"),
        r"[a-z_]{7,11}[^\n]{0,40}?//[^\s/:@]{1,64}:([^\s/@]{3,128})@",
        "real",
    ),
)
