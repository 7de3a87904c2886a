"""The words of a statement that say what it is about. Pure."""

from __future__ import annotations

_STEM = 6
#: Words that reverse a statement.
NEGATIONS = frozenset(
    "not never no don't dont avoid without stop cannot can't forbid forbidden disallow disallowed"
    " mustn't shouldn't doesn't isn't nie nicht kein keine".split()
)
#: Words that say nothing about a statement's subject.
FILLING = frozenset(
    "a an the is are be to of in on for and or with this that it we you i our your please always"
    " must should shall will use using used do does all every any when if as at by from into rule"
    " remember note prefer preferred keep make sure need needs have has package packages".split()
)
_IN_FULL = {
    "dep": "dependency",
    "deps": "dependencies",
    "msg": "message",
    "msgs": "messages",
    "func": "function",
    "funcs": "functions",
    "params": "parameters",
    "args": "arguments",
    "js": "javascript",
    "ts": "typescript",
    "py": "python",
    "k8s": "kubernetes",
}


def telling_words(text: str) -> set[str]:
    """Return the prefixes of a statement's significant words."""
    return telling_of(set(words_of(text)))


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, common short forms written out."""
    lowered = text.lower().replace("\u2019", "'")
    kept = "".join(c if c.isalnum() or c in "_'./+#" else " " for c in lowered)
    words = [word.strip("'./") for word in kept.split() if word.strip("'./")]
    return [_IN_FULL.get(word, word) for word in words]


def telling_of(words: set[str]) -> set[str]:
    """Return the prefixes of significant words: `indent` is in `indentation`."""
    return {stem(word) for word in words - FILLING - NEGATIONS}


def stem(word: str) -> str:
    """Return the beginning of a word by which its forms are equal; numbers and names stay."""
    return word[:_STEM] if word.isalpha() else word
