"""Finds private keys in armour: PEM, OpenSSH and PGP blocks, whole or cut short."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_MARKER = r"-{4,5} ?(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}"
_RUN = r"[^A-Za-z0-9+/=]{0,12}([A-Za-z0-9+/=]+)"
_LONG_RUN = 24
_MOST_SHORT_RUNS = 6
_LONGEST_LINE = 80


def find_key_blocks(text: str) -> list[tuple[int, int, str]]:
    """Find (start, end, kind) of each private key block in `text`."""
    import re

    runs = re.compile(_RUN)
    spans: list[tuple[int, int, str]] = []
    markers = list(re.finditer(_MARKER, text))
    for i, marker in enumerate(markers):
        start, end = marker.span()
        kind = _kind(marker.group())
        if marker.group(1) == "END":
            before = markers[i - 1].end() if i else 0
            if i == 0 or markers[i - 1].group(1) == "END":
                start = _body_start(text, before, start)
                if start < marker.start():
                    spans.append((start, end, kind))
            continue
        following = markers[i + 1] if i + 1 < len(markers) else None
        limit = following.start() if following else len(text)
        if following and following.group(1) == "END":
            if re.search(r"[A-Za-z0-9+/=]{16}", text[end:limit]):
                spans.append((start, following.end(), kind))
            continue
        stop = _body_end(runs, text, end, limit)
        if stop > end:
            spans.append((start, stop, kind))
    return spans


def _kind(marker: str) -> str:
    if "PGP" in marker:
        return "pgp-private-key"
    return "ssh-private-key" if "SSH" in marker else "private-key"


def _body_end(runs: re.Pattern[str], text: str, at: int, limit: int) -> int:
    """Return where the body of a key without an end stops: after its last long run of base64.

    Short runs in between (line numbers, `Proc-Type:` headers) are skipped; one more run on its own
    line is the key's last, unfinished line.
    """
    end = at
    short = 0
    while at < limit and short <= _MOST_SHORT_RUNS:
        run = runs.match(text, at, limit)
        if not run:
            break
        gap = text[at : run.start(1)]
        at = run.end()
        if len(run.group(1)) >= _LONG_RUN:
            end = at
            short = 0
            continue
        alone = text[at : at + 1] in ("", "\n", "\r", "\\", '"', "'", "`", ".")
        if short == 0 and alone and ("\n" in gap or "\\" in gap):
            end = at
        short += 1
    return end


def _body_start(text: str, floor: int, at: int) -> int:
    """Return where the body of a key without a beginning starts: its base64 lines."""
    start = at
    while start > floor:
        line_from = max(text.rfind("\n", floor, start - 1) + 1, floor)
        if not _is_body_line(text[line_from:start].strip()):
            break
        start = line_from
    return start


def _is_body_line(line: str) -> bool:
    letters = line.replace("+", "").replace("/", "").rstrip("=")
    return _LONG_RUN <= len(line) <= _LONGEST_LINE and letters.isalnum()
