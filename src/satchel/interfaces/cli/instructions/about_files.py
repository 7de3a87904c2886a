"""Whether a command line is about instruction files: asked before what reads them is imported."""

from __future__ import annotations

from collections.abc import Sequence

#: Verbs of `satchel memory` that only apply to files.
_VERBS = ("add", "refresh", "edit", "stats", "trust", "watch", "compile")
#: Options before or after a verb that take a value.
_TAKING = ("-C", "--client", "--beyond", "--budget", "--model", "--touching", "--agent")


def about_files(words: Sequence[str]) -> bool:
    """Return whether `satchel memory ...` is about instruction files rather than memories."""
    plain, skip = list[str](), False
    for word in words:
        if skip or word.startswith("-"):
            skip = not skip and word in _TAKING
            continue
        plain.append(word)
    if not plain:
        return False
    if plain[0] == "show" or (plain[0] == "edit" and not _is_file(plain[1:2])):
        return len(plain) == 1 and not {"-h", "--help"} & set(words)
    return plain[0] in _VERBS or (plain[0] == "list" and "--files" in words)


def _is_file(words: Sequence[str]) -> bool:
    """Return whether the target is an instruction file rather than a memory id."""
    return any(w in ("project", "local", "global") or "/" in w or w.endswith(".md") for w in words)
