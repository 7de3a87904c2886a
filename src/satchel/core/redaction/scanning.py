"""Finds secrets of known formats. Compiles a pattern only when its anchor occurs."""

from __future__ import annotations

from satchel.core.redaction.contexts import CONTEXTS
from satchel.core.redaction.named_services import SERVICES
from satchel.core.redaction.patterns import TAILED, TOKENS
from satchel.core.redaction.sentences import SENTENCES
from satchel.core.redaction.values import is_placeholder, looks_made, looks_secret, says_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

    Span = tuple[int, int, str]
    Token = tuple[str, tuple[str, ...], int, str]
    Context = tuple[str, tuple[str, ...], str, str]
    Tailed = tuple[str, tuple[str, ...], str, str, int, int]

MARK = "[redacted:"
_CLEAR_ANCHOR = 4
_LONGEST_LOGIN = 400
_LONGEST_SENTENCE = 300
_LONGEST_FOREIGN = 120
#: The fewest digits of a PIN, and what may stand around it.
_PIN, _AROUND = 4, "\"'`*.,;!?()"
_SIGNS = frozenset("0123456789!#$%^&*?+@~")
_CONTEXTS = (*CONTEXTS, *SERVICES, *SENTENCES)
#: How the heading of a column with passwords begins or ends, in a table of text.
_HEADINGS = tuple(
    heading
    for name in ("password", "passwd", "passwort", "secret", "token", "key", "pwd")
    for heading in (f",{name}", f"{name},", f"| {name}", f"{name} |", f"\t{name}", f"{name}\t")
)
#: Stands for the anchors that never occur in ASCII text.
_FOREIGN = "\0"
#: Most anchors of tokens and of contexts contain one of these; a text without it is not searched
#: for them.
_SEPARATORS = ("_", "-", "$", ".")
_PARTS = ("pass", "://", "secret", "key", "=", "log", "(", "pw", "hook", " code", ":", "set")
_SHORTEST = min(row[2] for row in TOKENS)
_compiled: dict[str, re.Pattern[str]] = {}


def find_known(text: str, lower: str) -> list[Span]:
    """Find (start, end, kind) of every secret of a known format, earlier rows first."""
    spans: list[Span] = []
    # No token is shorter or contains a space: most sentences stop here.
    if any(len(word) >= _SHORTEST for word in text.split(" ")):
        for number in _met(text, _TOKENS):
            spans += token_spans(text, TOKENS[number])
    for number in _met(lower, _ANCHORS):
        spans += context_spans(text, lower, _CONTEXTS[number])
    for tailed in TAILED:
        spans += tailed_spans(text, tailed)
    if "\n" in text and any(heading in lower for heading in _HEADINGS):
        from satchel.core.redaction.columns import find_columns

        spans += find_columns(text)
    return spans


def _by_parts(
    rows: Sequence[Token | Context], parts: tuple[str, ...]
) -> dict[str, list[tuple[str, int]]]:
    found: dict[str, list[tuple[str, int]]] = {}
    for number, row in enumerate(rows):
        for anchor in row[1]:
            ascii_part = next((part for part in parts if part in anchor), "")
            part = ascii_part if anchor.isascii() else _FOREIGN
            found.setdefault(part, []).append((anchor, number))
    return found


_TOKENS = _by_parts(TOKENS, _SEPARATORS)
_ANCHORS = _by_parts(_CONTEXTS, _PARTS)


def _met(text: str, anchors: dict[str, list[tuple[str, int]]]) -> list[int]:
    """Return the rows whose anchors occur in a text, in order."""
    foreign = not text.isascii()
    return sorted(
        {
            number
            for part, some in anchors.items()
            if (foreign if part == _FOREIGN else part in text)
            for anchor, number in some
            if anchor in text
        }
    )


def token_spans(text: str, row: Token) -> Iterator[Span]:
    """Find the secrets of one row of TOKENS."""
    kind, anchors, shortest, expression = row
    for anchor in anchors:
        at = text.find(anchor)
        while at >= 0:
            resume = at + len(anchor)
            ahead = text[at : at + shortest]
            if len(ahead) == shortest and " " not in ahead and _starts_word(text, at, anchor):
                found = _compile(expression).match(text, at)
                if found:
                    resume = found.end()
                    if kind != "jwt" or "." in found.group():
                        yield at, resume, kind
            at = text.find(anchor, resume)


def context_spans(text: str, lower: str, row: Context) -> Iterator[Span]:
    """Find the secrets of one row of CONTEXTS."""
    kind, anchors, expression, rule = row
    for anchor in anchors:
        at = lower.find(anchor)
        while at >= 0:
            resume = at + len(anchor)
            in_mark = text.startswith(MARK, max(0, at - len(MARK)))
            if not in_mark and _may_follow(lower, at, anchor, rule):
                found = _compile("(?i)" + expression).match(text, at)
                if found:
                    # Skip a refused value too: searching it again would not be linear.
                    resume = found.end(1)
                    if _obeys(rule, found.group(1)):
                        yield *found.span(1), kind
            at = lower.find(anchor, resume)


def tailed_spans(text: str, row: Tailed) -> Iterator[Span]:
    """Find the secrets of one row of TAILED."""
    kind, anchors, expression, letters, least, most = row
    for anchor in anchors:
        at = text.find(anchor)
        while at >= 0:
            resume = at + len(anchor)
            start = at
            while start and at - start < most and text[start - 1] in letters:
                start -= 1
            if at - start >= least:
                found = _compile(expression).match(text, at)
                if found:
                    yield start, found.end(), kind
                    resume = found.end()
            at = text.find(anchor, resume)


#: Arrows and emoji begin here, behind all letters of Europe.
_ARROWS = "\u2190"


def _compile(expression: str) -> re.Pattern[str]:
    pattern = _compiled.get(expression)
    if pattern is None:
        import re

        pattern = _compiled[expression] = re.compile(expression, re.ASCII)
    return pattern


def _starts_word(text: str, at: int, anchor: str) -> bool:
    r"""Return whether a secret may start here: at `sk-`, but not within `task-`.

    An escape before it (a JSON `\n`, a URL's `%3D`, a terminal color) is not part of a word.
    """
    if at == 0 or (len(anchor) >= _CLEAR_ANCHOR and not anchor[-1].isalnum()):
        return True
    before = text[at - 1]
    if not (before.isascii() and before.isalnum()):
        return True
    return (
        (before in "nrt" and text[at - 2 : at - 1] == "\\")
        or text[max(0, at - 3) : at - 2] == "%"
        or text[max(0, at - 6) : at - 4] == "\\u"
        or (before == "m" and "\x1b[" in text[max(0, at - 10) : at])
    )


def _may_follow(lower: str, at: int, anchor: str, rule: str) -> bool:
    """Return whether a secret may follow its anchor at `at`; if not, nothing is compiled.

    Most URLs have no user, few lines that say `login` say `password`, and few sentences about a
    password hold a digit or a sign of one.
    """
    if rule == "made":
        end = at + len(anchor)
        if anchor[-1] in "-_=":  # in the name of a file
            ahead = lower[end : end + _LONGEST_FOREIGN].split(None, 1)[:1]
            return bool(ahead) and "." in ahead[0] and any(c in _SIGNS for c in ahead[0])
        if anchor.startswith("pass"):
            sign = lower[end : end + 1]
            if sign < _ARROWS and (not sign or sign not in " -'=<>~\u00bb"):
                return False
        longest = _LONGEST_SENTENCE if anchor.isascii() else _LONGEST_FOREIGN
        return any(c in _SIGNS for c in lower[end : end + longest])
    if rule == "digits":
        first, *rest = lower[at : at + _LONGEST_FOREIGN].split()
        given = (first.replace(":", "=").rpartition("=")[2], *rest)
        return any(len(word) >= _PIN and word.strip(_AROUND).isdigit() for word in given)
    if rule == "phrase":
        from satchel.core.redaction.phrases import may_say_phrase

        return may_say_phrase(lower[at : at + _LONGEST_FOREIGN].partition("\n")[0])
    if anchor.startswith("key "):
        return " api" in lower[at : at + _LONGEST_SENTENCE]
    if anchor == "://":
        return "@" in lower[at : at + _LONGEST_LOGIN].split(None, 1)[0]
    return anchor.strip() != "login" or "password" in lower[at : at + _LONGEST_LOGIN]


def _obeys(rule: str, value: str) -> bool:
    if rule == "random":
        return looks_secret(value, quoted=True)
    if rule == "made":
        return looks_made(value)
    if rule == "phrase":
        from satchel.core.redaction.phrases import says_phrase

        return says_phrase(value)
    if rule == "given" and says_state(value):
        return False
    return rule in ("any", "digits") or not (is_placeholder(value) or value.startswith(MARK))
