"""Runs in a process of its own: imports modules, and says what else happened while it did.

Usage: python watched_imports.py NAME... ; `satchel.*` stands for every module of the package. Prints
one JSON object: `imported`, how many; `missing`, packages that are not installed; `done`, what was
done beside importing, with the module that was being imported.
"""

import importlib
import json
import os
import pkgutil
import sys
from typing import Any

#: Events of Python's audit hooks that no import has any business with.
_NEVER = {
    "socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname",
    "socket.gethostbyaddr", "socket.sendto", "socket.sendmsg", "urllib.Request", "http.client.connect",
    "ftplib.connect", "smtplib.connect", "subprocess.Popen", "os.system", "os.exec", "os.fork",
    "os.forkpty", "os.posix_spawn", "os.spawn", "pty.spawn", "os.remove", "os.rename", "os.mkdir",
    "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod", "os.chown", "os.utime",
    "os.setxattr", "os.kill", "shutil.copyfile", "shutil.rmtree", "shutil.move",
    "tempfile.mkstemp", "tempfile.mkdtemp", "sqlite3.connect", "webbrowser.open",
}  # fmt: skip
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_done: list[dict[str, str]] = []
_current = ""


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if not _current:
        return
    if event == "open":
        path, mode, flags = arguments
        writes = any(sign in mode for sign in "wax+") if isinstance(mode, str) else False
        if not writes and not (isinstance(flags, int) and flags & _WRITES):
            return
        _done.append({"module": _current, "what": "open for writing", "which": str(path)})
    elif event in _NEVER:
        _done.append({"module": _current, "what": event, "which": repr(arguments)[:200]})


def _names(asked: list[str]) -> list[str]:
    names = []
    for name in asked:
        if not name.endswith(".*"):
            names.append(name)
            continue
        top = importlib.import_module(name[:-2])
        found = pkgutil.walk_packages(top.__path__, name[:-1], onerror=lambda _: None)
        names += [name[:-2], *(one.name for one in found if not one.name.endswith("__main__"))]
    return names


def main() -> None:
    """Import, watch, tell."""
    global _current  # noqa: PLW0603 -- hooks are told nothing else
    sys.addaudithook(_watch)
    missing: set[str] = set()
    count = 0
    # Looking for the modules imports their packages: that is watched too.
    _current = "looking for modules"
    for name in _names(sys.argv[1:]):
        _current = name
        try:
            importlib.import_module(name)
            count += 1
        except ModuleNotFoundError as error:
            missing.add(str(error.name).partition(".")[0])
        except Exception as error:
            if type(error).__module__ != "satchel.core.errors":
                raise
            missing.add(str(error))
    _current = ""
    print(json.dumps({"imported": count, "missing": sorted(missing), "done": _done}))


if __name__ == "__main__":
    main()
