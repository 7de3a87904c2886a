"""How languages name a file's location: module, package, crate, directory. Pure."""

from __future__ import annotations

import re
from collections import Counter
from posixpath import dirname, splitext

from satchel.features.code.languages import words_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

#: Methods of texts, lists and dictionaries: `x.get()` means no other file's `get`.
EVERYBODYS = frozenset(
    name for kind in (str, bytes, dict, list, set) for name in dir(kind) if name[0] != "_"
) | words_in(
    "push shift unshift slice splice concat forEach filter map reduce some every flat has set add "
    "delete entries then catch finally toString valueOf hasOwnProperty includes indexOf trim "
    "toLowerCase toUpperCase charAt substring match test exec length size equals hashCode "
    "compareTo close read write open next call apply bind"
)
_WORD = re.compile(r"[A-Za-z_]\w*")
_SCRIPT_ENDINGS = (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts")
#: Directories below which a path is a package of Java, Kotlin or Scala.
_JAVA_ROOTS = ("java/", "kotlin/", "scala/", "groovy/")


def without_ending(path: str) -> str:
    """Return a path without its extension, if that is known."""
    bare, ending = splitext(path)
    known = ending in _SCRIPT_ENDINGS or (0 < len(ending) <= 7 and ending[1:].isalnum())  # noqa: PLR2004
    return bare if known else path


def module_names(path: str, packages: Collection[str]) -> list[str]:
    """Return the names a Python file may be imported under.

    `packages` are directories that hold an `__init__.py`: what lies in one is never named without
    it, so that `import json` does not mean `flask/json`.
    """
    parts = splitext(path)[0].split("/")
    first = len(parts) - 1
    while first > 0 and "/".join(parts[:first]) in packages:
        first -= 1
    if parts[-1] == "__init__":
        parts = parts[:-1]
    return [".".join(parts[at:]) for at in range(min(first, len(parts) - 1) + 1)] if parts else []


def java_package(path: str) -> str:
    """Return a file's directory below its source root, the same for tests and sources."""
    above = dirname(path) + "/"
    for root in _JAVA_ROOTS:
        at = ("/" + above).find("/" + root)
        if at >= 0:
            return above[at + len(root) :]
    return above


def rust_words(target: str) -> list[str]:
    """Return the names in a `use`: crates, modules and what is imported from them."""
    return [word for word in _WORD.findall(target) if word not in ("crate", "self", "super", "as")]


def go_prefixes(imports: Iterable[str], directories: Collection[str]) -> list[str]:
    """Return the import paths of this repository's modules, longest first.

    No `go.mod` is read: a prefix that leaves a directory of the repository over is voted for, and
    that which most directories share is the module's. `github.com/pkg/errors` beside a directory
    `errors` has one vote.
    """
    votes: Counter[str] = Counter()
    for target in imports:
        parts = target.split("/")
        for at in range(1, len(parts)):
            if "." in parts[0] and "/".join(parts[at:]) in directories:
                votes["/".join(parts[:at])] += 1
                break
    most = max(votes.values(), default=0)
    kept = [prefix for prefix, count in votes.items() if count == most or count > 2]  # noqa: PLR2004
    return sorted(kept, key=lambda prefix: (-len(prefix), prefix))
