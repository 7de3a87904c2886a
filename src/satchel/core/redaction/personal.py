"""Personal data, which says who somebody is or how to reach them. It stays private.

Not redacted, since a person may want to remember an address; but never offered to a team unasked.
Runs while indexing, so a cheap check precedes the patterns.
"""

from __future__ import annotations

_NOBODY = r"(?!(?:git|noreply|no-reply|user|you|me|name|test)@)"
_EMAIL = r"\b" + _NOBODY + r"[\w.+-]{1,64}@(?!example\.)[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}\b"
_PHONE = r"(?<![\w.])\+\d{1,3}[ ()/-]*(?:\d[ ()/-]*){7,12}(?!\w)"


def is_personal(text: str) -> bool:
    """Return whether a text contains somebody's e-mail address or an international phone number."""
    if "@" not in text and "+" not in text:
        return False
    import re

    return bool(re.search(_EMAIL, text) or re.search(_PHONE, text))


def without_personal(text: str) -> str:
    """Return a text with `[personal]` in place of addresses and numbers."""
    if not is_personal(text):
        return text
    import re

    return re.sub(_PHONE, "[personal]", re.sub(_EMAIL, "[personal]", text))
