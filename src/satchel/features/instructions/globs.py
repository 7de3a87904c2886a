"""Matches paths against globs: `*`, `?`, `[...]`, `**` over directories, `{a,b}`. Pure.

RE2 does it, in linear time for any glob. It is imported only for a file that has globs.
"""

from __future__ import annotations

from satchel.core.globs import regex_of

#: What `regex_of` leaves literal and means something here.
_ALSO = {"\\{": "(?:", "\\}": ")", "\\,": "|", "\\[\\!": "[^", "\\[": "[", "\\]": "]"}
_BELOW = "(?:/.*)?"


def matches(path: str, glob: str) -> bool:
    """Return whether a path below the project, with slashes, matches a glob.

    A glob without a slash matches a name in any directory; one that ends in a slash, or names a
    directory, matches everything below it. One whose brackets do not close matches nothing.
    """
    import re2

    bare = glob.removeprefix("./").strip("/")
    names = [name for name in path.replace("\\", "/").split("/") if name not in ("", ".")]
    last = bare.rpartition("/")[2]
    names_directory = glob.endswith("/") or last == "**" or not set("*?[").intersection(last)
    pattern = regex_of(bare).removesuffix("/.*")
    for plain, meant in _ALSO.items():
        pattern = pattern.replace(plain, meant)
    anywhere = "" if "/" in glob.rstrip("/") else "(?:.*/)?"
    pattern = f"{anywhere}(?:{pattern}){_BELOW if names_directory else ''}"
    options = re2.Options()
    options.log_errors, options.dot_nl = False, True
    try:
        compiled = re2.compile(pattern.encode("utf-8", "replace"), options)
    except re2.error:
        return False
    whole = "/".join(names).encode("utf-8", "replace")
    return bool(bare) and compiled.fullmatch(whole) is not None
