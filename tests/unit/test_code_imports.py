"""What a file imports bounds what it can use, as its language reads imports."""

import pytest

from satchel.features.code.symbols.importing import (
    GUESS,
    ImportScope,
    go_prefixes,
    java_package,
    module_names,
)
from satchel.features.code.symbols.languages import language_of
from satchel.features.code.symbols.values import CodeFile

FILES = {
    # Python: a package that hands on, one beside it, one that shadows a name of the library.
    "pkg/__init__.py": ["._client", "."],
    "pkg/_client.py": ["json", "..other"],
    "pkg/json.py": [],
    "pkg/deep/__init__.py": [],
    "pkg/deep/far.py": ["...pkg._client"],
    "other.py": ["pkg"],
    "lone.py": ["json", "sys"],
    # Scripts: relative, barrels, aliases, packages of one repository.
    "web/src/app.ts": ["./parts", "../lib/net.js", "react"],
    "web/src/parts/index.ts": ["./button"],
    "web/src/parts/button.tsx": ["@/deep/store"],
    "web/src/deep/store.ts": ["@scope/shared"],
    "web/lib/net.ts": ["left-pad"],
    "packages/shared/package.json": [],
    "packages/shared/src/main.js": [],
    # Go.
    "cmd/main.go": ["example.org/x/internal/store", "github.com/pkg/errors", "fmt"],
    "cmd/flags.go": [],
    "internal/store/store.go": ["example.org/x/errors"],
    "errors/errors.go": [],
    # Java: the same package in another source root needs no import.
    "a/src/main/java/org/x/One.java": ["org.y.Two", "org.z"],
    "a/src/test/java/org/x/OneTest.java": [],
    "a/src/main/java/org/y/Two.java": [],
    "a/src/main/java/org/z/Three.java": [],
    # Rust, C, Ruby.
    "src/lib.rs": ["crate::net::{Socket, wire}"],
    "src/net.rs": [],
    "src/disk.rs": [],
    "c/main.c": ["all.h", "stdio.h"],
    "c/include/all.h": ["sub/one.h"],
    "c/include/sub/one.h": [],
    "c/one.c": [],
    "c/two.c": [],
    "r/a.rb": ["r/b", "./c"],
    "r/b.rb": [],
    "r/c.rb": [],
}
USED = {"other.py": {"deep", "Client"}, "pkg/__init__.py": {"_client"}}
NUMBERS = {path: number for number, path in enumerate(FILES, 1)}


@pytest.fixture(scope="module")
def reach() -> ImportScope:
    paths = {number: path for path, number in NUMBERS.items()}
    files = {n: CodeFile(p, "source", language_of(p), 1, 1, "", "") for n, p in paths.items()}
    imports = {NUMBERS[path]: targets for path, targets in FILES.items()}
    return ImportScope(files, imports, lambda number: USED.get(paths[number], set()))


@pytest.mark.parametrize(
    ("user", "definer", "seen"),
    [
        ("other.py", "pkg/_client.py", True),  # by way of the package
        ("other.py", "pkg/deep/__init__.py", True),  # it names it
        ("other.py", "pkg/json.py", False),
        ("pkg/_client.py", "pkg/json.py", False),  # `import json` is the library's
        ("lone.py", "pkg/json.py", False),
        ("pkg/deep/far.py", "pkg/_client.py", True),
        ("pkg/deep/far.py", "pkg/json.py", False),
        ("pkg/_client.py", "other.py", True),
        ("web/src/app.ts", "web/src/parts/button.tsx", True),
        ("web/src/app.ts", "web/lib/net.ts", True),
        ("web/src/app.ts", "web/src/deep/store.ts", False),
        ("web/src/parts/button.tsx", "web/src/deep/store.ts", True),
        ("web/src/deep/store.ts", "packages/shared/src/main.js", True),
        ("web/lib/net.ts", "packages/shared/src/main.js", False),
        ("cmd/main.go", "internal/store/store.go", True),
        ("cmd/main.go", "cmd/flags.go", True),
        ("cmd/main.go", "errors/errors.go", False),  # it is somebody else's `errors`
        ("internal/store/store.go", "errors/errors.go", True),
        ("a/src/main/java/org/x/One.java", "a/src/main/java/org/y/Two.java", True),
        ("a/src/main/java/org/x/One.java", "a/src/main/java/org/z/Three.java", True),
        ("a/src/test/java/org/x/OneTest.java", "a/src/main/java/org/x/One.java", True),
        ("a/src/test/java/org/x/OneTest.java", "a/src/main/java/org/y/Two.java", False),
        ("src/lib.rs", "src/net.rs", True),
        ("src/lib.rs", "src/disk.rs", False),
        ("c/main.c", "c/include/sub/one.h", True),
        ("c/main.c", "c/one.c", True),
        ("c/main.c", "c/two.c", False),
        ("r/a.rb", "r/b.rb", True),
        ("r/a.rb", "r/c.rb", True),
        ("r/b.rb", "r/c.rb", False),
        ("lone.py", "src/net.rs", False),
    ],
)
def test_a_file_sees_what_it_imports(
    reach: ImportScope, user: str, definer: str, *, seen: bool
) -> None:
    assert reach.sees(NUMBERS[user], NUMBERS[definer], "anything") is seen


def test_without_an_import_only_a_telling_name_of_one_file_is_guessed(reach: ImportScope) -> None:
    def share(user: str, definer: str, name: str, kind: str = "call", definers: int = 1) -> float:
        return reach.share(NUMBERS[user], NUMBERS[definer], name, kind, definers)

    assert share("c/main.c", "c/two.c", "open_session") == GUESS
    assert share("c/main.c", "c/two.c", "open_session", definers=2) == 0
    assert share("c/main.c", "c/two.c", "open_session", kind="member") == 0
    assert share("c/main.c", "c/two.c", "get") == 0
    assert share("lone.py", "pkg/_client.py", "open_session") == 0
    assert share("other.py", "pkg/_client.py", "fetch", definers=9) == 1
    # A method of every dictionary is no other file's; a file's own is.
    assert share("other.py", "pkg/_client.py", "get") == 0
    assert share("other.py", "other.py", "get") == 1


def test_a_repository_may_be_the_package_that_its_imports_name() -> None:
    given = {"__init__.py": [], "db/models.py": ["whale.conf", "whale.utils.text", "os.path"],
             "utils/text.py": ["re"], "conf.py": [], "path.py": []}  # fmt: skip
    numbers = {path: number for number, path in enumerate(given, 1)}
    files = {n: CodeFile(p, "source", "python", 1, 1, "", "") for p, n in numbers.items()}
    reach = ImportScope(files, {numbers[p]: t for p, t in given.items()}, lambda _: set())
    seen = {path for path in given if reach.sees(numbers["db/models.py"], numbers[path], "x")}
    assert seen == {"db/models.py", "conf.py", "utils/text.py"}


def test_places_are_spelled_as_languages_spell_them() -> None:
    assert module_names("src/pkg/a.py", {"src/pkg"}) == ["src.pkg.a", "pkg.a"]
    assert module_names("src/pkg/__init__.py", {"src/pkg"}) == ["src.pkg", "pkg"]
    assert module_names("tools/run.py", set()) == ["tools.run", "run"]
    assert java_package("a/src/test/java/org/x/T.java") == java_package("b/java/org/x/M.java")
    given = ["example.org/x/a", "example.org/x/b", "github.com/pkg/errors", "fmt"]
    assert go_prefixes(given, {"a", "b", "errors", "fmt"}) == ["example.org/x"]
