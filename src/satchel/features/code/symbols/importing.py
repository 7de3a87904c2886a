"""Resolves imports: which files a file can refer to, by the rules of its language. Pure.

A name alone says little: `x.get` is defined somewhere in every repository. A file's imports limit
what it can use. No file is read here: imports are resolved against the paths of the map.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from posixpath import dirname, join, normpath, splitext

from satchel.features.code.symbols.languages import words_in
from satchel.features.code.symbols.values import CodeFile

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
#: Directories below which paths are packages of Java, Kotlin or Scala.
_JAVA_ROOTS = ("java/", "kotlin/", "scala/", "groovy/")


def without_ending(path: str) -> str:
    """Return a path without its extension, if that is known."""
    bare, ending = splitext(path)
    known = ending in _SCRIPT_ENDINGS or (0 < len(ending) <= 7 and ending[1:].isalnum())  # noqa: PLR2004
    return bare if known else path


def module_names(path: str, packages: Collection[str]) -> list[str]:
    """Return the names a Python file may be imported under.

    `packages` are directories with an `__init__.py`: modules in one are never named without it, so
    that `import json` does not mean `flask/json`.
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
    """Return the names in a `use`: crates, modules and the names imported from them."""
    return [word for word in _WORD.findall(target) if word not in ("crate", "self", "super", "as")]


def go_prefixes(imports: Iterable[str], directories: Collection[str]) -> list[str]:
    """Return the import paths of this repository's modules, longest first.

    No `go.mod` is read: if an import ends in a directory of the repository, the prefix before it
    gets a vote, and the prefix that most directories share is the module's. `github.com/pkg/errors`
    beside a directory `errors` has one vote.
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


#: Languages that can use one another's names.
_FAMILIES = {
    name: family
    for family, names in {
        "script": "javascript typescript tsx svelte vue",
        "jvm": "java kotlin scala groovy",
        "c": "c cpp objectivec swift",
    }.items()
    for name in names.split()
}
#: In these, nothing of another file is visible without an import.
_STRICT = frozenset({"python", "go", "jvm", "script"})
_ALIASES = ("@/", "~/", "$lib/", "#/", "src/")
#: Without an import, shorter names could be anybody's.
_TELLING = 6
#: The weight of a link without an import.
GUESS = 0.5


def family_of(language: str) -> str:
    """Return the languages that a file's names can come from."""
    return _FAMILIES.get(language, language)


class ImportScope:
    """Which files of a map each file can use.

    Args:
        files: every file by number.
        imports: number of a file -> its imports, as written.
        names_used: returns the names that a file uses.
    """

    def __init__(
        self,
        files: Mapping[int, CodeFile],
        imports: Mapping[int, Iterable[str]],
        names_used: Callable[[int], set[str]],
    ) -> None:
        self._files, self._names_used = files, names_used
        self._imports = {number: tuple(targets) for number, targets in imports.items()}
        self._reached: dict[int, frozenset[int]] = {}
        self._by_stem: dict[str, list[int]] = {}
        self._by_name: dict[str, list[int]] = {}
        self._directories: dict[str, list[int]] = {}
        self._modules: dict[str, list[int]] = {}
        self._packages: dict[str, list[str]] = {}
        self._index()
        go = {t for n, ts in self._imports.items() if self._family(n) == "go" for t in ts}
        self._go = go_prefixes(go, self._directories)
        self._top = self._top_package()
        self._by_target: dict[str, frozenset[int]] = {}

    def _index(self) -> None:
        starts = {
            dirname(f.path)
            for f in self._files.values()
            if f.path.rsplit("/", 1)[-1] in ("__init__.py", "__init__.pyi")
        }
        for number, file in self._files.items():
            name = file.path.rsplit("/", 1)[-1]
            if name == "package.json":
                above = dirname(file.path)
                self._packages.setdefault(above.rsplit("/", 1)[-1], []).append(above)
            if not file.language:
                continue
            self._by_stem.setdefault(without_ending(file.path), []).append(number)
            self._by_name.setdefault(splitext(name)[0], []).append(number)
            if family_of(file.language) in ("go", "jvm"):
                self._directories.setdefault(dirname(file.path), []).append(number)
            if file.language == "python":
                for module in module_names(file.path, starts):
                    self._modules.setdefault(module, []).append(number)

    def _top_package(self) -> str:
        """Return the top directory's name if it is a Python package, judged by imports."""
        if "__init__" not in self._by_stem:
            return ""
        python = (t for n, ts in self._imports.items() if self._family(n) == "python" for t in ts)
        split = (target.partition(".") for target in python if not target.startswith("."))
        votes = Counter(top for top, _, rest in split if top and rest in self._modules)
        return min(votes, key=lambda top: (-votes[top], top), default="")

    def share(self, user: int, definer: int, name: str, kind: str, definers: int) -> float:
        """Return how sure a reference to a file is: 1 imported, `GUESS`, 0 never."""
        if user != definer and name in EVERYBODYS:
            return 0.0
        if self.sees(user, definer, name):
            return 1.0
        family = self._family(user)
        if family != self._family(definer) or self._needs_import(user, family):
            return 0.0
        telling = len(name) >= _TELLING and kind != "member"
        return GUESS if telling and definers == 1 else 0.0

    def _needs_import(self, user: int, family: str) -> bool:
        # A script without imports shares a page with others, or its imports are unknown.
        return family in _STRICT and (family != "script" or bool(self._imports.get(user)))

    def sees(self, user: int, definer: int, name: str) -> bool:
        """Return whether a file imports another, or is in the same package."""
        family = self._family(user)
        if user == definer:
            return True
        if family != self._family(definer):
            return False
        one, other = self._files[user].path, self._files[definer].path
        if family == "go" and dirname(one) == dirname(other):
            return True
        if family == "jvm" and java_package(one) == java_package(other):
            return True
        if family == "rust":
            words = {word for target in self._imports.get(user, ()) for word in rust_words(target)}
            stem = splitext(other.rsplit("/", 1)[-1])[0]
            above = dirname(other).rsplit("/", 1)[-1]
            return name in words or (above if stem in ("mod", "lib", "main") else stem) in words
        return definer in self.reached(user)

    def _family(self, number: int) -> str:
        return family_of(self._files[number].language)

    def reached(self, user: int) -> frozenset[int]:
        """Return the files that a file imports, including re-exports."""
        if user not in self._reached:
            self._reached[user] = frozenset()  # a circle ends here
            self._reached[user] = frozenset(self._resolved(user))
        return self._reached[user]

    def _resolved(self, user: int) -> set[int]:
        family, path = self._family(user), self._files[user].path
        if family == "c":
            return self._included(user)
        found: set[int] = set()
        for target in self._imports.get(user, ()):
            if family == "python":
                found |= self._python(user, target)
            elif family == "script":
                found |= self._script(path, target)
            elif family == "go":
                found |= self._once(target, self._of_go)
            elif family == "jvm":
                found |= self._once(target, self._jvm)
            elif family == "ruby":
                found |= self._ending_in(normpath(target), "ruby")
        return found - {user}

    def _once(self, target: str, resolve: Callable[[str], set[int]]) -> frozenset[int]:
        """Resolve imports that mean the same in every file."""
        if target not in self._by_target:
            self._by_target[target] = frozenset(resolve(target))
        return self._by_target[target]

    def _with_handed_on(self, numbers: Iterable[int]) -> set[int]:
        """Add re-exports of packages and barrel files."""
        found = set(numbers)
        for number in list(found):
            name = self._files[number].path.rsplit("/", 1)[-1]
            if name.startswith(("__init__.", "index.")):
                found |= self.reached(number)
        return found

    def _python(self, user: int, target: str) -> set[int]:
        """Return a module's file; for a package, its re-exports and the named modules."""
        if target.startswith("."):
            bare = target.lstrip(".")
            above = self._files[user].path
            for _ in range(len(target) - len(bare)):
                above = dirname(above)
            module = ".".join(part for part in (above.replace("/", "."), bare) if part)
        else:
            module = target
            if self._top and (target + ".").startswith(self._top + "."):
                module = target[len(self._top) + 1 :] or "__init__"
        found = self._with_handed_on(self._modules.get(module, ()))
        for name in self._names_used(user):
            found |= self._with_handed_on(self._modules.get(f"{module}.{name}", ()))
        return found

    def _script(self, path: str, target: str) -> set[int]:
        if target.startswith("."):
            whole = normpath(join(dirname(path), target))
            return self._with_handed_on(self._at(whole))
        for alias in _ALIASES:
            if target.startswith(alias):
                bare = without_ending(target.removeprefix(alias))
                index = self._ending_in(bare + "/index", "script")
                return self._with_handed_on(self._ending_in(bare, "script") | index)
        package = "/".join(target.split("/")[: 2 if target.startswith("@") else 1])
        roots = self._packages.get(package.rsplit("/", 1)[-1], ())
        below = tuple(root + "/" for root in roots if root)
        return {n for n, f in self._files.items() if f.path.startswith(below)} if below else set()

    def _at(self, whole: str) -> set[int]:
        found: set[int] = set()
        for stem in (whole, without_ending(whole), whole + "/index"):
            found.update(self._by_stem.get(stem, ()))
        return {n for n in found if self._family(n) == "script"}

    def _ending_in(self, stem: str, family: str) -> set[int]:
        """Return a family's files whose path without extension ends in this one."""
        named = self._by_name.get(stem.rsplit("/", 1)[-1], ())
        wanted = "/" + stem.lstrip("./")
        return {
            n
            for n in named
            if self._family(n) == family
            and ("/" + without_ending(self._files[n].path)).endswith(wanted)
        }

    def _of_go(self, target: str) -> set[int]:
        for prefix in self._go:
            if target == prefix or target.startswith(prefix + "/"):
                return set(self._directories.get(target[len(prefix) + 1 :], ()))
        return {
            number
            for directory, numbers in self._directories.items()
            for number in numbers
            if ("/" + directory).endswith("/" + target)
        }

    def _jvm(self, target: str) -> set[int]:
        parts = target.split(".")
        for end in (len(parts), len(parts) - 1):
            found = self._ending_in("/".join(parts[:end]), "jvm") if end > 1 else set()
            if found:
                return found
        package = "/" + "/".join(parts)
        return {
            number
            for directory, numbers in self._directories.items()
            for number in numbers
            if ("/" + directory).endswith(package)
        }

    def _included(self, user: int) -> set[int]:
        """Return included headers, transitively, and their matching source files."""
        waiting, headers = [user], {user}
        while waiting:
            for target in self._imports.get(waiting.pop(), ()):
                bare, ending = splitext(normpath(target))
                for n in self._ending_in(bare.replace("../", ""), "c"):
                    if n not in headers and self._files[n].path.endswith(ending):
                        headers.add(n)
                        waiting.append(n)
        stems = Counter(splitext(self._files[n].path.rsplit("/", 1)[-1])[0] for n in headers)
        sources = {n for stem in stems for n in self._by_name.get(stem, ())}
        return headers | {n for n in sources if self._family(n) == "c"}
