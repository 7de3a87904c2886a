"""Results as JUnit XML, which CI servers read. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.features.checks.reading import ERROR, FAILED, PASSED, Result


def junit(results: Sequence[Result]) -> str:
    """Return one test suite with a test case for each result."""
    from xml.etree import ElementTree as ET

    counts = {
        "tests": len(results),
        "failures": sum(one.outcome == FAILED for one in results),
        "errors": sum(one.outcome == ERROR for one in results),
        "skipped": 0,
    }
    figures = {name: str(count) for name, count in counts.items()}
    figures["time"] = f"{sum(one.seconds for one in results):.3f}"
    root = ET.Element("testsuites", {"name": "satchel check", **figures})
    suite = ET.SubElement(root, "testsuite", {"name": "satchel check", **figures})
    for one in results:
        check = one.check
        case = ET.SubElement(
            suite,
            "testcase",
            {
                "classname": _allowed(f"satchel.{check.about}"),
                "name": _allowed(check.name),
                "file": _allowed(check.path),
                "line": str(check.line),
                "time": f"{one.seconds:.3f}",
            },
        )
        if one.outcome != PASSED:
            name = "failure" if one.outcome == FAILED else "error"
            told = _allowed("\n".join(one.why))
            ET.SubElement(case, name, {"message": told.partition("\n")[0][:300]}).text = told
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _allowed(text: str) -> str:
    """Remove characters that XML does not allow, in any encoding."""
    return "".join(
        c
        for c in text.encode("utf-8", "replace").decode("utf-8")
        if c in "\t\n" or (c >= " " and not "\x7f" <= c <= "\x9f" and c not in "\ufffe\uffff")
    )
