"""The wheel and the source archive: what they hold, what they say of themselves, byte for byte."""

import ast
import base64
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from packaging.metadata import Metadata
from packaging.version import Version

import satchel
from installation.locks import ROOT
from installation.wheels import build, contents, runs_in_venv

SOURCE = Path(ROOT, "src", "satchel")
#: Whatever else lies below src is a mistake, or belongs on this list and into the wheel.
DATA = {".css", ".html", ".js", ".json", ".md", ".png", ".scm", ".sql", ".svg", ".txt", ".typed"}
DATA |= {".yaml", ".LICENSE"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("wheel"), "-t", "wheel")


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("sdist"), "-t", "sdist")


@pytest.fixture(scope="module")
def said(wheel: Path) -> Metadata:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        return Metadata.from_email(archive.read(name), validate=True)


def project() -> dict[str, Any]:
    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as file:
        read: dict[str, Any] = tomllib.load(file)
    return read


def in_source_tree() -> set[str]:
    """Names of the package's files, as git and the file system have them."""
    done = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "src/satchel"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode == 0 and done.stdout:
        names = [name for name in done.stdout.splitlines() if os.path.exists(f"{ROOT}/{name}")]
        return {name.removeprefix("src/") for name in names}
    return {
        "satchel/" + str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_wheel_holds_the_package_whole_and_nothing_else(wheel: Path) -> None:
    held = {name for name in contents(wheel) if ".dist-info/" not in name}
    assert held == in_source_tree()
    endings = {os.path.splitext(name)[1] or os.path.basename(name) for name in held}
    assert endings - DATA == {".py"}
    assert {".sql", ".html", ".css", ".js", ".typed"} <= endings
    info = {name.partition("/")[2] for name in contents(wheel) if ".dist-info/" in name}
    assert info == {
        "METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE",
        "sboms/satchel.cdx.json",
    }  # fmt: skip


def test_a_file_that_is_missing_or_too_much_is_seen(wheel: Path, tmp_path: Path) -> None:
    """Seeded: a wheel without the queries, with a test in it."""
    broken = tmp_path / wheel.name
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(broken, "w") as new:
        for name in old.namelist():
            if name != "satchel/engine/search/queries.sql":
                new.writestr(name, old.read(name))
        new.writestr("satchel/test_something.py", "")
    held = {name for name in contents(broken) if ".dist-info/" not in name}
    assert held ^ in_source_tree() == {
        "satchel/engine/search/queries.sql",
        "satchel/test_something.py",
    }


def test_version_and_needs_are_said_once(said: Metadata) -> None:
    told = project()["project"]
    assert "version" not in told
    assert said.version == Version(satchel.__version__)
    assert said.name == "satchel"
    assert str(said.requires_python) == told["requires-python"] == ">=3.11"
    extras = {f'; extra == "{name}"' for name in told["optional-dependencies"]}
    plain = [str(one) for one in said.requires_dist or []]
    assert len([one for one in plain if "extra ==" not in one]) == len(told["dependencies"])
    assert {one[one.index("; extra") :] for one in plain if "; extra" in one} == extras
    assert said.license_expression == "Apache-2.0"
    assert said.license_files == ["LICENSE"]
    assert said.project_urls in (None, {})  # there is no address yet, so none is claimed


def test_each_program_leads_to_a_function(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith("entry_points.txt"))
        programs = re.findall(r"^(\S+) = (\S+):(\S+)$", archive.read(name).decode(), re.MULTILINE)
        assert {program for program, _, _ in programs} == set(project()["project"]["scripts"])
        for _, module, function in programs:
            tree = ast.parse(archive.read(module.replace(".", "/") + ".py"))
            assert function in {n.name for n in tree.body if isinstance(n, ast.FunctionDef)}


def test_the_description_stands_by_itself(said: Metadata) -> None:
    assert said.description_content_type == "text/markdown"
    text = said.description or ""
    assert text.startswith("# Satchel\n")
    # An index shows this page alone: a relative link or picture would lead nowhere there.
    assert re.findall(r"\]\((?!https?://)", text) == []
    # Comments show nothing; tags might.
    assert "<" not in re.sub(r"```.*?```|`[^`]*`|<!--.*?-->", "", text, flags=re.DOTALL)
    table = set(re.findall(r"^\| `([a-z]+)` \|", text, re.MULTILINE))
    assert table == set(project()["project"]["optional-dependencies"])


def test_two_builds_are_the_same_bytes(wheel: Path, sdist: Path, tmp_path: Path) -> None:
    again = build(tmp_path / "wheel", "-t", "wheel")
    assert again.name == wheel.name
    assert again.read_bytes() == wheel.read_bytes()
    archives = [build(tmp_path / name, "-t", "sdist", epoch="1700000000") for name in ("a", "b")]
    assert archives[0].read_bytes() == archives[1].read_bytes()
    # Seeded: another moment in the archive is another archive.
    assert archives[0].read_bytes() != sdist.read_bytes()


def test_the_source_archive_builds_the_same_wheel(wheel: Path, sdist: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
        names = archive.getnames()
    (top,) = (path for path in tmp_path.iterdir())
    held = {name.partition("/")[2].partition("/")[0] for name in names}
    assert {"src", "LICENSE", "README.md", "CHANGELOG.md", "requirements.lock"} <= held
    assert not held & {"tests", ".ci", ".venv", "packages"}
    assert not [name for name in names if "__pycache__" in name]
    again = build(tmp_path / "built", "-t", "wheel", source=str(top))
    assert contents(again) == contents(wheel)
    assert again.read_bytes() == wheel.read_bytes()


def test_this_run_tests_the_built_wheel(wheel: Path) -> None:
    """Under `make test` the package under test is the wheel, file by file."""
    if not runs_in_venv():
        pytest.skip(f"a source checkout: satchel comes from {os.path.dirname(satchel.__file__)}")
    assert "site-packages" in Path(satchel.__file__).parts
    inside = [p for p in sys.path if os.path.realpath(p or ".").startswith(str(SOURCE.parent))]
    assert inside == []
    built = {name: digest for name, digest in contents(wheel).items() if not _own(name)}
    installed = {}
    for file in metadata.distribution("satchel").files or []:
        name = str(file)
        if file.hash is None or _own(name) or name.startswith(".."):
            continue
        digest = base64.urlsafe_b64decode(file.hash.value + "=").hex()
        installed[name] = digest
        assert metadata.FileHash(f"sha256={_spelled(file.read_binary())}").value == file.hash.value
    assert installed == built


def _own(name: str) -> bool:
    """What an installer writes itself."""
    return name.rpartition("/")[2] in ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")


def _spelled(content: bytes) -> str:
    import hashlib

    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def test_no_test_reaches_for_the_source_tree() -> None:
    """Whoever puts `src` on the path tests something else than what is installed."""
    told = project()["tool"]["pytest"]["ini_options"]["pythonpath"]
    assert told == ["tests", "."]
    spelled = re.compile(
        r"""sys\.path\.(?:insert|append)\([^)\n]*src\b|^SOURCES? = .*["']src["']""", re.MULTILINE
    )
    reaching = [
        str(path.relative_to(ROOT))
        for path in sorted(Path(ROOT, "tests").rglob("*.py"))
        if "node_modules" not in path.parts and spelled.search(path.read_text("utf-8"))
    ]
    # These read the sources as text.
    assert set(reaching) == {
        "tests/architecture/test_house.py", "tests/architecture/test_one_git.py",
        "tests/architecture/test_one_table_of_kinds.py", "tests/installation/test_wheel.py",
    }  # fmt: skip
