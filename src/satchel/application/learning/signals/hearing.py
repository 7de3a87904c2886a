"""What a person's prompt says that should outlast it: heard at a hook's speed."""

from __future__ import annotations

from satchel.core.values import NamedTuple

#: Without one of these in it, a prompt says nothing lasting; most prompts end here.
_CUES = (
    "never",
    "always",
    "don't",
    "do not",
    "not ",
    "instead",
    "prefer",
    "rather",
    "from now on",
    "going forward",
    "remember",
    "btw",
    "by the way",
    "for future",
    "careful",
    "told you",
    "wrong",
    "let's go with",
    "we use",
    "we decided",
    "must",
    "should",
    "please note",
    "fyi",
    "rule",
)
#: What only leads to the thing that is said.
_LEADS = ("no,", "nope,", "remember:", "remember,", "btw,", "btw", "fyi", "by the way,", "careful:")
#: A prompt longer than this is a document.
_LONGEST = 4000
_WORDS = 3


class Heard(NamedTuple):
    """What was heard: its label, the sentence that lasts, and how it could be kept."""

    label: str
    sentence: str
    wording: str


def heard(text: str, prev: str = "") -> Heard | None:
    """Return what of a prompt corrects the agent or states something lasting; None for nothing.

    Args:
        text: what the person typed.
        prev: what the agent said before.
    """
    lowered = text.lower()
    if len(text) > _LONGEST or not any(cue in lowered for cue in _CUES):
        return None
    from satchel.application.learning.signals.classifying import classify

    for verdict in classify(text, prev):
        sentence = " ".join(verdict.sentence.split())
        if len(sentence.split()) >= _WORDS and not sentence.endswith("?"):
            return Heard(verdict.label, sentence, _wording(sentence))
    return None


def _wording(sentence: str) -> str:
    bare = sentence
    for lead in _LEADS:
        if bare.lower().startswith(lead):
            bare = bare[len(lead) :].lstrip(" ,:")
    return bare[:1].upper() + bare[1:]
