"""T32: what is installed is what was looked at, by hash; importing it does nothing but import.

Known vulnerabilities are asked for by `make audit`: that needs a network, and no test has one.
"""

import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from installation import sbom
from installation.locks import BASE, DEV, EXTRAS, LOCKS, ROOT, read, requirements, text_of
from installation.pythons import Python
from installation.wheels import FETCHED, Fresh, build, need_fetched
from reliability.stand import say

pytestmark = [pytest.mark.torture]
WATCHER = os.path.join(ROOT, "tests", "installation", "watched_imports.py")
#: What a wheel may put where Python runs it at every start, unasked: nothing that we know of.
KNOWN_STARTERS: frozenset[tuple[str, str]] = frozenset()
_STARTERS = re.compile(r"(?:^|/)(?:[^/]+\.(?:pth|start)|(?:site|user)customize\.py)$")
_GOOD = "shtab==1.8.1 --hash=sha256:" + "a" * 64
#: Lines that let something else in than what was looked at.
BAD_LINES = (
    "shtab --hash=sha256:" + "a" * 64,
    "shtab>=1.8 --hash=sha256:" + "a" * 64,
    "shtab==1.* --hash=sha256:" + "a" * 64,
    "shtab==1.8.1",
    "shtab==1.8.1 --hash=md5:" + "a" * 32,
    "shtab==1.8.1 --hash=sha256:" + "a" * 63,
    "shtab==1.8.1 --hash=sha256:" + "a" * 64 + " --config-settings=x=y",
    "shtab @ https://example.org/shtab.whl --hash=sha256:" + "a" * 64,
    "git+https://example.org/shtab.git",
    "-e .",
    "./shtab-1.8.1-py3-none-any.whl",
    "-r more.txt",
    "--index-url https://example.org/simple",
    "--extra-index-url https://example.org/simple",
    "--find-links wheels",
    "--trusted-host example.org",
    "--pre",
)
#: What a module may do to whoever imports it, and what must be said of it.
BAD_MODULES = {
    "import socket; s = socket.socket(); s.settimeout(1)\n"
    "try: s.connect(('127.0.0.1', 9))\nexcept OSError: pass\nfinally: s.close()": "socket.connect",
    "import socket\ntry: socket.getaddrinfo('localhost', 1)\nexcept OSError: pass":
        "socket.getaddrinfo",
    "import subprocess; subprocess.run(['true'])": "subprocess.Popen",
    "import os; os.system('true')": "os.system",
    "open('written', 'w').close()": "open for writing",
    "import os; os.close(os.open('written', os.O_CREAT | os.O_WRONLY))": "open for writing",
    "import os; os.mkdir('made')": "os.mkdir",
}  # fmt: skip


def declared() -> dict[str, Any]:
    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as file:
        read: dict[str, Any] = tomllib.load(file)["project"]
    return read


def name_of(requirement: str) -> str:
    match = re.match(r"[\w.-]+", requirement)
    assert match
    return re.sub(r"[-_.]+", "-", match[0]).lower()


def watched(*names: str, at: str = ROOT, path: Iterable[str] = ()) -> dict[str, Any]:
    """Import modules in a process of their own; what it did, and what was missing."""
    done = subprocess.run(
        [sys.executable, "-B", WATCHER, *names], cwd=at, capture_output=True, text=True, timeout=120,
        # The variable keeps onnxruntime's compiled code from writing to the home; Satchel sets it.
        env={"PATH": os.defpath, "HOME": at, "ORT_DISABLE_TELEMETRY": "1",
             "PYTHONPATH": os.pathsep.join([*path, *(one for one in sys.path if one)])},
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def starters(wheel: Path) -> set[tuple[str, str]]:
    """Return (distribution, file) of whatever in a wheel runs without being imported."""
    with zipfile.ZipFile(wheel) as archive:
        return {
            (wheel.name.partition("-")[0], name)
            for name in archive.namelist()
            if _STARTERS.search(name) or re.match(r"[^/]+\.data/(?:scripts|data)/", name)
        }


@pytest.fixture
def bare(tmp_path: Path) -> Fresh:
    """An environment of this Python with nothing in it."""
    version = (sys.version_info[0], sys.version_info[1], sys.version_info[2])
    return Fresh(tmp_path / "environment", Python(version, sys.executable))


# Pinned


@pytest.mark.parametrize("lock", LOCKS)
def test_every_line_is_one_release_by_hash(lock: str) -> None:
    pinned, wrong = read(text_of(lock))
    assert wrong == []
    assert pinned
    say("T32", len(pinned), f"{lock}: every line is one release of the index, by SHA-256")


def test_a_lock_holds_what_the_package_asks_for() -> None:
    project = declared()
    base = {one.name for one in requirements(BASE)}
    extras = {one.name for one in requirements(EXTRAS)}
    assert {name_of(one) for one in project["dependencies"]} <= base <= extras
    for names in project["optional-dependencies"].values():
        assert {name_of(one) for one in names} <= extras


def test_the_locks_agree() -> None:
    """What is tested is what is installed: one release of each package for one environment."""
    chosen: dict[tuple[str, str], set[str]] = {}
    for lock in LOCKS:
        for one in requirements(lock):
            chosen.setdefault((one.name, one.marker), set()).add(one.version)
    assert [name for name, versions in chosen.items() if len(versions) > 1] == []


@pytest.mark.parametrize("line", BAD_LINES)
def test_a_line_that_lets_something_else_in_is_caught(line: str) -> None:
    """Seeded, in a lock that is good otherwise."""
    pinned, wrong = read(f"{_GOOD}\n{line}\n# a comment\n")
    assert len(pinned) == 1
    assert len(wrong) == 1


def test_make_installs_nothing_without_hashes() -> None:
    text = Path(ROOT, "Makefile").read_text("utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.startswith("\t") and " -r " in line]
    unpinned = [line for line in lines if "--require-hashes" not in line]
    # Peers to compare with have an environment of their own, which no test uses.
    assert len(unpinned) == 1
    assert ".venv-peers" in unpinned[0] or "$<" in unpinned[0]
    direct = [line for line in text.splitlines() if "$(INSTALL)" in line and " -r " not in line]
    assert all("--no-deps" in line for line in direct if line.startswith("\t"))


# Installed


def one_wheel(folder: Path) -> tuple[Path, str]:
    """Copy one small wheel; return it and its line of the lock."""
    (one,) = [one for one in requirements(BASE) if one.name == "shtab"]
    (wheel,) = Path(FETCHED).glob(f"shtab-{one.version}-*.whl")
    folder.mkdir()
    hashes = " ".join(f"--hash=sha256:{digest}" for digest in one.hashes)
    return Path(shutil.copy(wheel, folder)), f"{one.name}=={one.version} {hashes}"


def test_a_wheel_with_one_changed_byte_is_refused(bare: Fresh, tmp_path: Path) -> None:
    need_fetched()
    wheel, line = one_wheel(tmp_path / "wheels")
    lock = tmp_path / "one.lock"
    lock.write_text(line + "\n")
    content = bytearray(wheel.read_bytes())
    content[len(content) // 2] ^= 1
    wheel.write_bytes(content)
    refused = bare.install(str(lock), wheels=str(wheel.parent), check=False)
    assert refused.returncode != 0
    assert "DO NOT MATCH THE HASHES" in refused.stderr
    assert [one.name for one in bare.distributions()] == []
    content[len(content) // 2] ^= 1
    wheel.write_bytes(content)
    bare.install(str(lock), wheels=str(wheel.parent))
    assert [one.name for one in bare.distributions()] == ["shtab"]


def test_a_wheel_that_no_hash_names_is_refused(bare: Fresh, tmp_path: Path) -> None:
    need_fetched()
    wheel, line = one_wheel(tmp_path / "wheels")
    lock = tmp_path / "one.lock"
    lock.write_text(re.sub(r" --hash=\S+", "", line) + "\n")
    refused = bare.install(str(lock), wheels=str(wheel.parent), check=False)
    assert refused.returncode != 0
    assert "Hashes are required" in refused.stderr


# Imported


def test_importing_satchel_does_nothing_else(tmp_path: Path) -> None:
    """Python's own audit events; what compiled libraries do by themselves is not seen by these."""
    told = watched("satchel.*", at=str(tmp_path))
    assert told["done"] == []
    assert told["missing"] == []
    assert told["imported"] > 500
    assert os.listdir(tmp_path) == []
    say("T32", told["imported"], "modules imported: no network, no process, no file written")


def test_importing_what_the_package_asks_for_does_nothing_else(tmp_path: Path) -> None:
    asked = {name_of(one) for one in declared()["dependencies"]}
    here = importlib.metadata.distributions()
    names = sorted({top for one in here if one.name and name_of(one.name) in asked
                    for top in _tops(one)})  # fmt: skip
    assert {"apsw", "numpy", "tree_sitter", "yaml"} <= set(names)
    told = watched(*names, at=str(tmp_path))
    assert told["done"] == []
    assert told["imported"] == len(names)
    assert os.listdir(tmp_path) == []
    say("T32", told["imported"], "packages that Satchel asks for imported: nothing else was done")


def test_compiled_code_that_writes_is_caught_by_what_it_leaves(tmp_path: Path) -> None:
    """Seeded by a real one, which comes with the extra `tokenizers`, and which nothing here imports."""
    told = watched("hf_xet", at=str(tmp_path))
    assert told["done"] == []  # no event tells of it
    assert os.listdir(tmp_path) == [".cache"]


def _tops(one: importlib.metadata.Distribution) -> set[str]:
    """Names that a distribution can be imported by."""
    tops = {str(file).partition("/")[0] for file in one.files or [] if "/" in str(file)}
    inits = {str(file).partition("/")[0] for file in one.files or []
             if re.fullmatch(r"[^/]+/__init__\.(?:py|[^/]*so)", str(file))}  # fmt: skip
    return {name for name in tops & inits if name.isidentifier()}


@pytest.mark.parametrize("code", BAD_MODULES, ids=list(BAD_MODULES.values()))
def test_a_module_that_does_more_is_caught(code: str, tmp_path: Path) -> None:
    """Seeded: each thing that an import may do to whoever imports."""
    (tmp_path / "innocent.py").write_text(code + "\n")
    told = watched("innocent", at=str(tmp_path), path=[str(tmp_path)])
    assert BAD_MODULES[code] in {one["what"] for one in told["done"]}
    assert {one["module"] for one in told["done"]} == {"innocent"}


def test_nothing_starts_with_python_by_itself(tmp_path: Path) -> None:
    need_fetched()
    ours = build(tmp_path / "wheel", "-t", "wheel")
    tops = {name.partition("/")[0] for name in zipfile.ZipFile(ours).namelist()}
    assert tops == {"satchel", ours.name.rpartition("-py3")[0] + ".dist-info"}
    wheels = [ours, *sorted(Path(FETCHED).glob("*.whl"))]
    names = {name_of(wheel.name.partition("-")[0]) for wheel in wheels}
    assert {one.name for one in requirements(BASE) if not one.marker} <= names
    assert {found for wheel in wheels for found in starters(wheel)} == KNOWN_STARTERS
    # Seeded: the same wheel with a line for every start.
    shutil.copy(ours, tmp_path / "other-1-py3-none-any.whl")
    with zipfile.ZipFile(tmp_path / "other-1-py3-none-any.whl", "a") as archive:
        archive.writestr("other.pth", "import os; os.environ\n")
        archive.writestr("sitecustomize.py", "")
    assert starters(tmp_path / "other-1-py3-none-any.whl") == {
        ("other", "other.pth"), ("other", "sitecustomize.py"),
    }  # fmt: skip
    say("T32", len(wheels), "wheels: none runs anything at Python's start")


# Listed


def in_bill(text: str) -> dict[tuple[str, str], set[str]]:
    """Return (name, version) -> SHA-256 of its files, as a bill of materials has them."""
    return {
        (one["name"], one["version"]): {
            found["content"]
            for reference in one["externalReferences"]
            for found in reference["hashes"]
            if found["alg"] == "SHA-256"
        }
        for one in json.loads(text)["components"]
    }


@pytest.mark.parametrize("lock", sbom.WRITTEN)
def test_the_bill_of_materials_names_all_that_is_locked(lock: str) -> None:
    text = text_of(sbom.WRITTEN[lock])
    assert sbom.complaint(text) == ""
    locked = {(one.name, one.version): set(one.hashes) for one in requirements(lock)}
    assert in_bill(text) == locked, "`make sbom` renews it"
    bill = json.loads(text)
    assert bill["metadata"]["component"]["version"] == sbom.satchel_version()
    assert [one["name"] for one in bill["components"] if not one.get("licenses")] == []
    known = {one["bom-ref"] for one in bill["components"]} | {"satchel"}
    assert {one["ref"] for one in bill["dependencies"]} == known
    say("T32", len(locked), f"{sbom.WRITTEN[lock]}: every component with its hashes and licence")


def test_a_bill_that_lags_behind_or_is_broken_is_caught() -> None:
    """Seeded: another hash; a name gone; what the schema does not know."""
    text = text_of(sbom.WRITTEN[BASE])
    digest = requirements(BASE)[0].hashes[0]
    assert in_bill(text.replace(digest, "0" * 64)) != in_bill(text)
    assert sbom.complaint(text.replace('"type": "library"', '"type": "bibliotheca"')) != ""
    assert sbom.complaint(text.replace('"bomFormat": "CycloneDX"', '"bomFormat": "x"')) != ""


def test_the_bill_is_made_from_the_wheels_own_words() -> None:
    """The same wheels give the same words, needs among them."""
    need_fetched()
    wheels = sbom.read_wheels(FETCHED)
    made = json.loads(sbom.bill(BASE, sbom.satchel_version(), wheels))
    kept = json.loads(text_of(sbom.WRITTEN[BASE]))
    assert made["serialNumber"] == kept["serialNumber"]
    assert made["metadata"] == kept["metadata"]
    here = {f"{name}=={version}" for name, version in wheels}
    for part in ("components", "dependencies"):
        key = "bom-ref" if part == "components" else "ref"
        ours = {one[key]: one for one in made[part] if one[key] in here}
        assert ours
        assert {one[key]: one for one in kept[part] if one[key] in ours} == ours


def test_no_test_needs_more_than_the_dev_lock() -> None:
    assert {one.name for one in requirements(BASE)} <= {one.name for one in requirements(DEV)}
