"""The share of a model's context for instruction files, and what is dropped beyond it. Pure.

The figures are those of beans: their share is 10 %, with a warning above 8 % and a cut above 15 %;
at most 50 KB for any model, with a warning above 30 KB.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from satchel.core.token_budget import estimate_tokens
from satchel.core.values import NamedTuple
from satchel.engine.markdown.sections import sections
from satchel.features.instructions.values import Omission, Segment

#: Beginning of a model's name -> its context, tokens. If a family's members differ, the least.
CONTEXTS = (
    ("gemini-1.5-pro", 2_000_000),
    ("gemini", 1_000_000),
    ("gpt-4.1", 1_000_000),
    ("gpt-4o", 128_000),
    ("gpt-4-turbo", 128_000),
    ("gpt-4", 8_192),
    ("gpt-3.5", 16_385),
    ("gpt-5", 400_000),
    ("codex", 400_000),
    ("o1", 200_000),
    ("o3", 200_000),
    ("o4", 200_000),
    ("claude-2.0", 100_000),
    ("claude", 200_000),
    ("opus", 200_000),
    ("sonnet", 200_000),
    ("haiku", 200_000),
    ("deepseek", 128_000),
    ("qwen", 128_000),
    ("llama", 128_000),
    ("mistral", 128_000),
    ("devstral", 128_000),
    ("kimi", 128_000),
    ("glm", 128_000),
    ("grok", 256_000),
)
OTHERWISE = 200_000


def context_of(model: str) -> int:
    """Return a model's context size in tokens; 200,000 if it is unknown.

    `claude-...[1m]` has a million.
    """
    name = model.strip().lower().rpartition("/")[2]
    if name.endswith("[1m]"):
        return 1_000_000
    return next((size for family, size in CONTEXTS if name.startswith(family)), OTHERWISE)


class Budget(NamedTuple):
    """Limits in tokens and bytes. `most` is enforced; the others only warn."""

    context: int
    share: int
    warn: int
    most: int
    warn_bytes: int
    most_bytes: int

    @classmethod
    def of(
        cls,
        context: int,
        *,
        percents: tuple[float, float, float] = (10.0, 8.0, 15.0),
        sizes: tuple[int, int] = (30_720, 51_200),
        most: int = 0,
    ) -> Budget:
        """Return the budget for a context: share, warning and hard limit in percent of it.

        `sizes` are the bytes to warn above and to keep at most; `most` is the caller's limit in
        tokens, 0 for none.
        """
        share, warn, hard = (int(context * percent / 100) for percent in percents)
        hard = max(hard, share)
        most = min(most, hard) if most else hard
        return cls(context, share, min(warn, share), most, *sizes)

    def warnings(self, tokens: int, size: int) -> list[str]:
        """Return warnings for each limit that is exceeded."""
        told = []
        if tokens > self.share:
            told.append(
                f"{tokens:,} tokens exceed the instruction files' share of {self.share:,}"
                f" in a context of {self.context:,}"
            )
        elif tokens > self.warn:
            told.append(
                f"{tokens:,} tokens are close to the instruction files' share of {self.share:,}"
            )
        if size > self.warn_bytes:
            told.append(f"{size:,} bytes are more than the {self.warn_bytes:,} to stay below")
        return told


class FitResult(NamedTuple):
    """What was kept, in order, and what was not."""

    kept: list[Segment]
    left_out: list[Omission]


def fit(
    segments: Sequence[Segment], budget: Budget, around: Callable[[str], int] = lambda _: 0
) -> FitResult:
    """Keep what fits, highest priority first, cut at section starts, deterministically.

    `around` gives the bytes of the lines put around an instruction file.
    """
    room_tokens, room_bytes = budget.most, budget.most_bytes
    kept: dict[int, Segment] = {}
    left_out: list[Omission] = []
    files: set[str] = set()
    order = sorted(range(len(segments)), key=lambda n: (-segments[n].priority, n))
    for number in order:
        segment = segments[number]
        lines = 0 if segment.file in files else around(segment.file)
        tokens, size = room_tokens - (lines + 3) // 4, room_bytes - lines
        part, rest = segment, None
        if segment.tokens > tokens or _size(segment.text) > size:
            part, rest = _beginning(segment, tokens, size)
        if rest is not None:
            left_out.append(rest)
        if part.text:
            files.add(segment.file)
            kept[number] = part
            room_tokens = tokens - part.tokens
            room_bytes = size - _size(part.text)
    return FitResult([kept[number] for number in sorted(kept)], left_out)


def _beginning(segment: Segment, tokens: int, size: int) -> tuple[Segment, Omission]:
    """Return the first sections of a segment that fit, and the headings of the rest."""
    text = segment.text
    end, rest = 0, list[str]()
    room = min(tokens * 4, size)
    for section in sections(text):
        room -= _size(text[section.start : section.end])
        if not rest and room >= 0:
            end = section.end
        else:
            rest.append(section.title or "its beginning")
    kept = text[:end]
    lines = kept.count("\n")
    part = segment._replace(
        text=kept, tokens=estimate_tokens(kept), last_line=segment.first_line + lines - 1
    )
    first = segment.first_line + lines
    lost = estimate_tokens(text[end:])
    return part, Omission(segment.path, first, segment.last_line, lost, tuple(rest[:20]))


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
