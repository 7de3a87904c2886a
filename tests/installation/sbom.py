"""A bill of materials in CycloneDX: what a lock names, with hashes, licences and who needs whom.

Run as a program (`make sbom`), this file writes `sbom/`. It fetches the wheels that the locks name,
checked by hash, and reads licences and needs from their own metadata. The same locks give the same
bytes: no time and no chance is in them.
"""

from __future__ import annotations

import email
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import uuid
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from email.message import Message
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import (
    ExternalReference,
    ExternalReferenceType,
    HashAlgorithm,
    HashType,
    Property,
    XsUri,
)
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

from installation.locks import BASE, EXTRAS, ROOT, Pinned, requirements

#: Lock -> what is written of it.
WRITTEN = {BASE: "sbom/satchel.cdx.json", EXTRAS: "sbom/satchel-extras.cdx.json"}
_SHORT = 100  # a longer "License" field is the licence's text, not its name
_NOTE = (
    "The releases that Satchel is tested with, one hash for each file of them. The package allows "
    "newer ones."
)


def bill(lock: str, version: str, wheels: Mapping[tuple[str, str], Message]) -> str:
    """Return the bill of a lock as JSON text.

    Args:
        lock: name of a lock of this repository.
        version: Satchel's.
        wheels: (name, version) -> metadata of the wheel.
    """
    pinned = requirements(lock)
    bom = Bom(
        serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"satchel {version} {pinned}"),
        properties=[Property(name="satchel:lock", value=lock)],
    )
    root = Component(
        name="satchel", version=version, type=ComponentType.APPLICATION, bom_ref="satchel",
        licenses=[LicenseFactory().make_from_string("Apache-2.0")], description=_NOTE,
        purl=PackageURL("pypi", None, "satchel", version),
    )  # fmt: skip
    bom.metadata.component = root
    components = {one: _component(one, wheels.get(one[:2])) for one in pinned}
    bom.components.update(components.values())
    by_name = defaultdict(list)
    for one, component in components.items():
        by_name[one.name].append(component)
    needed_by_others = set()
    for one, component in components.items():
        needs = [c for name in _needs(wheels.get(one[:2])) for c in by_name.get(name, ())]
        needed_by_others |= {c.bom_ref.value for c in needs}
        bom.register_dependency(component, needs)
    bom.register_dependency(
        root, [c for c in components.values() if c.bom_ref.value not in needed_by_others]
    )
    made: dict[str, Any] = json.loads(JsonV1Dot6(bom).output_as_string())
    made["metadata"].pop("timestamp", None)
    return json.dumps(made, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def complaint(text: str) -> str:
    """Say what CycloneDX's own schema has against a bill; "" for nothing."""
    wrong = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    return "" if wrong is None else str(wrong)


def _component(one: Pinned, wheel: Message | None) -> Component:
    page = f"https://pypi.org/project/{one.name}/{one.version}/"
    hashes = [HashType(alg=HashAlgorithm.SHA_256, content=digest) for digest in one.hashes]
    return Component(
        name=one.name, version=one.version, bom_ref=f"{one.name}=={one.version}",
        purl=PackageURL("pypi", None, one.name, one.version),
        description=wheel["Summary"] if wheel else None,
        licenses=[LicenseFactory().make_from_string(name) for name in _licences(wheel)],
        properties=[Property(name="satchel:marker", value=one.marker)] if one.marker else [],
        external_references=[
            ExternalReference(
                type=ExternalReferenceType.DISTRIBUTION, url=XsUri(page), hashes=hashes
            )
        ],
    )  # fmt: skip


def _licences(wheel: Message | None) -> list[str]:
    """Name the licences that a wheel says it is under: its expression, its field, its classes."""
    if wheel is None:
        return []
    expression, field = wheel["License-Expression"], wheel["License"] or ""
    if expression:
        return [expression]
    classes = [
        line.rpartition(" :: ")[2]
        for line in wheel.get_all("Classifier") or []
        if line.startswith("License :: ") and line.count(" :: ") > 1
    ]
    return classes or ([field] if field and len(field) < _SHORT and "\n" not in field else [])


def _needs(wheel: Message | None) -> set[str]:
    """Return the normalised names of what a wheel needs without any extra."""
    lines = (wheel.get_all("Requires-Dist") or []) if wheel else []
    names = (re.match(r"[\w.-]+", line) for line in lines if "extra ==" not in line)
    return {re.sub(r"[-_.]+", "-", name[0]).lower() for name in names if name}


def read_wheels(folder: str) -> dict[tuple[str, str], Message]:
    """Read the metadata of every wheel in a folder."""
    found = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.whl"))):
        with zipfile.ZipFile(path) as archive:
            (name,) = (n for n in archive.namelist() if re.fullmatch(r"[^/]+/METADATA", n))
            read = email.message_from_bytes(archive.read(name))
        found[re.sub(r"[-_.]+", "-", read["Name"]).lower(), read["Version"]] = read
    return found


def _fetch(pinned: Iterable[Pinned], folder: str) -> None:
    """Fetch one wheel of each release, also of those that this machine has no use for."""
    rounds: dict[tuple[int, bool], list[Pinned]] = defaultdict(list)
    seen: Counter[str] = Counter()
    for one in pinned:
        rounds[seen[one.name], "win32" in one.marker].append(one)
        seen[one.name] += 1
    for (_, windows), ones in rounds.items():
        lines = [
            f"{p.name}=={p.version} --hash=sha256:{' --hash=sha256:'.join(p.hashes)}" for p in ones
        ]
        path = os.path.join(folder, "round.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        platform = ["--platform", "win_amd64"] if windows else []
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary",
             ":all:", "--ignore-requires-python", "--require-hashes", "-r", path, "-d", folder,
             *platform],
            check=True,
        )  # fmt: skip


def satchel_version() -> str:
    """Read Satchel's version from where it stands."""
    with open(os.path.join(ROOT, "src", "satchel", "__init__.py"), encoding="utf-8") as file:
        (version,) = re.findall(r'^__version__ = "(.+)"$', file.read(), re.MULTILINE)
    return str(version)


def main() -> None:
    """Write the bills of the base install and of all extras."""
    with tempfile.TemporaryDirectory() as folder:
        # The extras' lock holds the base's.
        _fetch(requirements(EXTRAS), folder)
        wheels = read_wheels(folder)
    for lock, path in WRITTEN.items():
        text = bill(lock, satchel_version(), wheels)
        wrong = complaint(text)
        if wrong:
            sys.exit(f"{path}: {wrong}")
        os.makedirs(os.path.dirname(os.path.join(ROOT, path)), exist_ok=True)
        with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
            file.write(text)
        silent = [c["name"] for c in json.loads(text)["components"] if not c.get("licenses")]
        print(f"{path}: {len(json.loads(text)['components'])} components", end="")
        print(f", no licence told by {', '.join(silent)}" if silent else "")


if __name__ == "__main__":
    main()
