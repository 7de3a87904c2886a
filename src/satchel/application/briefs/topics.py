"""What a prompt wants to be told about: "is there anything about the boss name I should know?".

Such a prompt is about its topic, whatever else it says. Pure, and without patterns: hooks use it.
"""

from __future__ import annotations

#: Ask what is known about what follows.
_ASKS = (
    *("anything about", "something about", "know about", "known about", "remember about"),
    *("said about", "say about", "told you about", "decided about", "decide about", "decided on"),
    *("wissen wir \u00fcber", "gesagt \u00fcber", "etwas \u00fcber", "etwas zu", "noch zu"),
)
#: Words that begin another clause, and marks at which the topic ends.
_NEXT_CLAUSE = frozenset(
    (
        *("i", "we", "you", "they", "it", "that", "which", "who", "before", "when", "if", "so"),
        *("because", "while", "and", "then", "but", "or", "ich", "wir", "du", "bevor", "wenn"),
    )
)
_MARKS = str.maketrans(dict.fromkeys('?!.,;:()"\n', "\n"))
#: Longest such prompt, in characters; most words of a topic.
_LONGEST, _MOST_WORDS = 600, 6


def topic_of(prompt: str) -> str:
    """Return the topic that a prompt asks about, as it names it; "" for most prompts."""
    lowered = prompt.lower()
    asks = next((one for one in _ASKS if f" {one} " in f" {lowered}"), "")
    if not asks or len(prompt) > _LONGEST:
        return ""
    words = []
    for word in lowered.partition(f"{asks} ")[2].translate(_MARKS).partition("\n")[0].split():
        if word in _NEXT_CLAUSE:
            break
        words.append(word)
    return " ".join(words) if len(words) <= _MOST_WORDS else ""
