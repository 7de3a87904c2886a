"""What users wrote themselves in a turn, without pasted, quoted or injected text.

A pasted review, a log, a diff or a fenced block describes things; it decides nothing.
"""

from __future__ import annotations

import re

from satchel.application.learning.signals.run_on import with_marks
from satchel.application.learning.signals.unmeant import (
    BEFORE_RETRACTION,
    meant,
    without_quoted,
)
from satchel.clients.transcript_format.texts import said_by_person
from satchel.core.redaction.confidential import MARK, without_confidential
from satchel.storage.kept_patterns import LazyPattern, spoken

#: How much to read at both ends of a turn, in characters: people say what they want there.
LONGEST = 4000
#: A line this long without a word addressed to the agent was pasted.
_LONG_LINE = 280

_FENCED = LazyPattern(r"((?<!`)```|(?<!~)~~~)[^\n]*\n.*?(?:\n[ \t]*\1|\Z)", re.DOTALL)
#: Names the file that an order is about: "@src/flags.go cache them for 30 s".
_MENTIONS = LazyPattern(r"\A\s{0,8}(?:@[\w.~-]{0,80}[./][\w./~-]{1,200}(?:\s{1,8}|\Z)){1,8}")
#: Commands typed for the client itself, and the placeholders that it writes for attachments.
_NOT_SAID = LazyPattern(
    r"\A\s*(?:Implement the following plan|\[Image|<command-name>|/[\w:-]+\s*\Z|!\s)"
)
#: A plan that a client passes on for the user, below what they said.
_HANDED = LazyPattern(
    r"^(?:Implement the following plan:|\[Request interrupted)[^\n]*(?:\n(?!---$)[^\n]*)*",
    re.MULTILINE,
)
#: This many pasted lines are a log, including the lines between them.
_A_LOG = 3
_PASTED_LINE = LazyPattern(
    r"^\s*(?:[$>#%|+]\s|[+-]{1,3}[ \t]{2,}|\d+(?:[|\t]|:(?!\d\d [a-z]))"
    r"|at [\w.$<>]+ ?\(|File \"|Traceback|fatal:"
    r"|(?i:error|warning|fatal|info|debug|panic)\b ?[:=\]]|={3,}|-{3,}|\*{3,}|\{|\}|\[\s{0,8}\d"
    r"|[A-Z]{3,20}(?:_[A-Z]{2,20}){0,6}_(?:EXCEPTION|ERROR|FAILED|FAILURE|DENIED)[,:] "
    r"|[├└│]|npm (?:ERR|WARN|error|warn|notice|info|verb|http)\b|\S+:\d+:\d*|<[a-z/]|@@ "
    # Beginnings of lines of exceptions, compilers and test runs, and their stack frames.
    r"|(?:[\w$]{1,60}(?:\.|::)){0,10}[A-Z]\w{0,60}(?:Error|Exception|Warning)(?: ?:| \(|$)"
    r"|(?!(?i:note|gotcha|fyi|btw|careful|remember|reminder|warning|important|update)\b)"
    r"[\w.-]{2,40}(?: [\w-]{1,30})?: "
    r"(?:failed to (?:open|load|read|write|find|set|start|connect|register|fetch|parse)"
    r"|(?:cannot|could not|unable to) (?:open|load|read|write|find|connect|fetch|retrieve|access"
    r"|resolve|stat)|no such file)\b"
    r"|Command \S{1,60} failed with "
    r"|(?:error|warning)\[\w{1,20}\]|at (?:async |\S{1,300}:\d{1,7}(?::\d|\)?$))"
    r"|Caused by: [\w$]{1,60}\.[\w$]|\.{3} \d{1,6} (?:more|common)|goroutine \d|--> \S{1,300}:\d"
    r"|= (?:note|help): |\d{1,6} {1,8}\||E {2,8}\S|(?:FAILED|PASSED|ERROR|SKIPPED) \S{1,300}::"
    # Lines of logs: by their level, and by the times of syslog and of glog.
    r"|\[(?i:info|warn|warning|error|debug|trace|fatal|notice)\]"
    r"|(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL)(?: {2,8}| (?:\[|\d|\S{1,120}(?:: | - )))"
    r"|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d\b|[IWEF]\d{4} \d\d:\d\d:"
    # The first line of a commit's message.
    r"|(?:fix|feat|chore|refactor|perf|revert)(?:\([\w./ -]{1,30}\))?!?: "
    r"|(?:docs|test|build|ci|style)\([\w./ -]{1,30}\)!?: "
    # Shell prompts, with user and directory.
    r"|(?:\([\w.-]{1,40}\) ?)?[\w.-]{1,40}@[\w.-]{1,60}[: ][^\n$#%]{0,120}[$#%] "
    r"|PS [A-Z]:\\|[\u279c\u276f] )"
)
#: Indented below a pasted line: continues it.
_GOES_ON = ("    ", "\t")
_REVIEW = spoken(
    r"\b(?:low|medium|high|critical) severity\b|\bcould lead to\b"
    r"|\bconsider (?:adding|using|removing|replacing|stubbing|renaming|extracting)\b"
    r"|\bthis (?:function|method|test|struct|change|comment|file|logic|code) (?:is|does|returns"
    r"|was|always|never|could|should)\b|\bdead code\b|\blines? \d+(?:[-\u2013]\d+)?\b"
    r"|\bmay (?:cause|result|lead)\b"
    r"|\bresult(?:s|ing) in (?:an?|the|wrong|incorrect|inconsistent|data|undefined|null|lost)\b"
    r"|\bis missing the\b"
)
#: A long line about code that mentions nobody was written by a reviewer.
_WRITTEN = 180
_CODE = LazyPattern(
    r"`[^`\n]{2,60}`|\b[a-z]\w*[a-z][A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*"
    r"|\b\w+\.(?:go|py|ts|js|rs|md|json)\b|\w\(\)"
)
_PERSON = spoken(r"\b(?:I|I'm|I'd|I've|we|we're|we've|we'd|let's|lets|you|please|my|our|us)\b")
_SPEAKS = spoken(
    r"\b(?:I|I'm|I'd|I've|we|we're|we've|let's|lets|you|please|can|could|my|our|us)\b|\?"
)
#: End with a full stop and no sentence.
_SHORT_FORMS = (
    *("e.g.", "i.e.", "vs.", "cf.", "z.b.", "incl.", "excl.", "inkl.", "approx.", "bzw.", "ca."),
    *("dr.", "st.", "mr.", "mrs.", "ms.", "prof.", "hr.", "fr.", "nr."),
)
_NOT_BEHIND_SHORT_FORMS = "".join(rf"(?<!\b{re.escape(one)})" for one in _SHORT_FORMS)
_SENTENCE_END = spoken(
    rf"(?<=[.!?])(?<!\s!!)(?<!\s!)(?<!\s\.\.\.){_NOT_BEHIND_SHORT_FORMS}[\s]+"
    r"|(?<=[^\s];) (?!(?:they|it|these|those)\b|[^()\n]{1,60}\))|\n+"
    # "Args go after -- always", "needs the -- +goose line": a mark that is named.
    r"|(?<!\bthe)(?<!\ban)(?<!\ba)(?<!\bwith)(?<!\bafter)(?<!\bbefore)(?<!\bof) --? (?![-+/])"
    r"| [\u2013\u2014]{1,2} |\u2026|\.{3,}(?![.`)\]\"']|(?-i:\s[A-Z]{2}))"
    # A remark in parentheses; "we key items by (feed, guid) so ..." goes on, and so does what is
    # told in few words at the end: "it is always the tunnel (ssh pi; systemctl start tunnel)".
    r"|\s\((?![^()\n]{1,25}(?:\([^()\n]{1,20}\)[^()\n]{0,25})?\)"
    r"['\"\u2019\u201d]?[,:;]? (?-i:[a-z])|[^()\n?]{1,60}\)(?:[.!;]\s|[.!;]? ?(?:\n|\Z)))"
    r"|, (?=(?:can|could|would|should|is|does|do) (?:you|we|it|this|that|I)\b)"
    # The choices of a menu; "statements > 30 s" goes on.
    r"| [>*] \*? ?(?=\d{1,2}[.)]\s)|,? and (?=(?:also,? |please |pls )?(?:in general|generally"
    r"|as a rule|from now on|in future|next time|never again|remember|note that|keep in mind)\b"
    r"(?: \S{1,80}){3})"
    r"|,? and (?=(?:btw|by the way)\b(?: \S{1,80}){3})"
    r"|, (?=(?:btw|by the way|fyi)\b(?: \S{1,80}){3})"
    r"|, and (?=(?:please )?use [^,;.\n]{1,40} not \S)|, (?=(?:(?:and )?oh,? (?:and|also)|anyway"
    rf"|(?:and )?while (?:you'?re|youre|u'?r|your) at it)\b)|{BEFORE_RETRACTION}"
)
#: A name that ends with a colon, as `:memory:` does: an introduction also ends with one.
_NAME_IN_COLONS = LazyPattern(r"(?<![\w:`]):\w{1,40}:(?![\w:`])")
_BULLET = LazyPattern(r"^\s*(?:[-*\u2022]|\d{1,2}[.)])\s+")

#: What follows such a dash is the rest of the sentence, as behind a comma: "pnpm - not npm".
_DASH_GOES_ON = LazyPattern(
    r"(?<=\w)[ \t]{1,8}[-\u2013\u2014]{1,2}\s{1,8}"
    r"(?=(?:not|never|ever|always|otherwise|so|or|else|because|since|nicht|nie|sonst|pas|jamais|sinon|nunca|porque)\b)",
    re.IGNORECASE,
)
#: Goes on too: "pnpm!! not npm".
_NOT_THAT = LazyPattern(
    r"(?<=\w)!{1,5}\s{1,4}(?=not\s{1,4}[\w./@+-]{2,40}\s{0,4}(?:[.!]|$))",
    re.IGNORECASE | re.MULTILINE,
)
#: Only stresses the sentence before: "no new dependencies. none."
_ECHO = spoken(
    r"(?:none|ever|period|full stop|really|seriously|please|pretty please"
    r"|that(?:['\u2019]?s| is| was) (?:what|how) (?:we|i|they|you|he|she) (?:all |had |both )?"
    r"(?:agreed|said|decided|settled|discussed|wanted)\b[^.,;:]{0,40})[.!]{0,3}"
)


def own_words(text: str) -> str:
    """Return the user's own words in a turn, at most 2 x 4,000 characters.

    Injected text (fences of Satchel's, reminders of the client), code, quoted lines, logs, diffs
    and pasted reviews are left out. "" if the user wrote none of it, or asks not to keep it.
    """
    said = without_confidential(said_by_person(text)).replace(MARK, "")
    if _NOT_SAID.match(text) or _NOT_SAID.match(said):
        return ""
    text = _FENCED.sub("\n", _HANDED.sub("", _ends(_MENTIONS.sub("", said))))
    lines = _unpasted(text.split("\n"))
    return "\n".join(line for line in lines if not _is_review(line)).strip()


def _unpasted(lines: list[str]) -> list[str]:
    """Remove pasted lines, and log lines between them that address nobody."""
    pasted: list[bool] = []
    for line in lines:
        below = bool(pasted) and pasted[-1] and line.startswith(_GOES_ON)
        pasted.append(below or bool(_PASTED_LINE.match(line)))
    logged = [at for at, line in enumerate(lines) if pasted[at] and line.strip("-= ")]
    if len(logged) < _A_LOG:
        return [line for at, line in enumerate(lines) if not pasted[at]]
    first, last = logged[0], logged[-1]
    return [
        line
        for at, line in enumerate(lines)
        if not pasted[at] and (not first < at < last or _SPEAKS.search(line))
    ]


def _ends(text: str) -> str:
    return text if len(text) <= 2 * LONGEST else f"{text[:LONGEST]}\n{text[-LONGEST:]}"


def _is_review(line: str) -> bool:
    """Return whether a line reads like a code review rather than a message to the agent."""
    if len(line) < 60:  # noqa: PLR2004 -- a short remark is a person's
        return False
    found = len(_REVIEW.findall(line))
    if found and not re.search(r"\b(?:I|I'd|we|let's|lets|please)\b", line):
        return True
    if len(line) > _WRITTEN and len(_CODE.findall(line)) > 1 and not _PERSON.search(line):
        return True
    return len(line) > _LONG_LINE and (found > 1 or not _SPEAKS.search(line))


def sentences(text: str) -> list[str]:
    """Split text into the sentences, list items and clauses after a dash that are meant."""
    text = _NAME_IN_COLONS.sub(r"`\g<0>`", with_marks(without_quoted(text)))
    text = _NOT_THAT.sub(", ", _DASH_GOES_ON.sub(", ", text))
    parts = _SENTENCE_END.split(text)
    found = (_BULLET.sub("", part).strip() for part in parts)
    worded = [part for part in found if part and any(c.isalpha() for c in part)]
    return meant([part for at, part in enumerate(worded) if not at or not _ECHO.fullmatch(part)])
