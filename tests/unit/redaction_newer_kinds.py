"""Forms of tokens that services began to give out in 2025 and 2026."""

from __future__ import annotations

import string

_ALNUM = string.ascii_letters + string.digits
_CAPITALS = string.ascii_uppercase + string.digits
_HEX, _URL64 = "0123456789abcdef", _ALNUM + "-_"
Form = tuple[str | tuple[str, int], ...]

#: Known wherever they stand.
NEWER: dict[str, Form] = {
    "kimi": ("sk-kimi-", (_ALNUM, 64)),
    "openai session": ("sess-", (_ALNUM, 40)),
    "openai ephemeral": ("ek_", (_HEX, 32)),
    "bedrock short": ("bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t", (_ALNUM, 200)),
    "browserbase": ("bb_live_", (_URL64, 27)),
    "runpod": ("rpa_", (_CAPITALS, 44)),
    "voyage": ("pa-Xz0", (_URL64, 39), "q"),
    "context7": (
        "ctx7sk-",
        (_HEX, 8),
        "-",
        (_HEX, 4),
        "-",
        (_HEX, 4),
        "-",
        (_HEX, 4),
        "-",
        (_HEX, 12),
    ),
    "daytona": ("dtn_", (_HEX, 64)),
    "polar": ("polar_oat_", (_ALNUM, 43)),
    "paddle": ("pdl_live_apikey_", (_HEX, 26), "_", (_ALNUM, 22), "_", (_ALNUM, 3)),
    "snyk personal": ("snyk_uat.", (_HEX, 8), ".", (_URL64, 60)),
    "amp": ("sgamp_user_", (_CAPITALS, 26), "_", (_HEX, 64)),
    "factory": ("fk-", (_ALNUM, 20), "-", (_URL64, 43)),
    "warp": ("wk-", (_HEX, 64)),
    "trigger": ("tr_prod_x7", (_ALNUM, 18)),
    "mem0": ("m0-x7", (_ALNUM, 38)),
    "azure ai": ((_ALNUM, 52), "JQQJ99", (_ALNUM, 26)),
}
