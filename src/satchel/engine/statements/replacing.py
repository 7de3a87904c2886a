"""Whether a later statement replaces an earlier one, by words alone. Pure.

It must say so: "we drop Redis", "Postgres instead of MySQL", "no longer", "moved from", "back to",
or that a fact has changed ("the rate limit is 50 now"). A later decision that chooses what the
earlier one refused, or a rival of what it chose, needs no such word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from satchel.engine.statements.changed_facts import changed, is_single, may_change, names_a_part
from satchel.engine.statements.contradictions import Rule, chosen_otherwise, refused_by_one
from satchel.engine.statements.corrected_values import corrected, counts, recounted
from satchel.engine.statements.ended_things import ends_a_habit, gone, habit_ended
from satchel.engine.statements.passing_steps import STEP_LAST
from satchel.engine.statements.put_otherwise import (
    put_otherwise,
    taken_after_all,
    without_what_follows,
)
from satchel.engine.statements.subject_words import NEGATIONS, telling_words, words_of
from satchel.engine.words import in_figures, says_change, says_correction
from satchel.storage.kept_patterns import LazyPattern, spoken

#: Words that end something, followed by at most this many words for what they end.
_ENDING = spoken(
    r"\b(?:instead of|rather than|in place of|no longer(?: us(?:e|ing))?|no more|(?:we )?(?:drop"
    r"|dropped|dropping|ditch|ditched|abandon|abandoned|retire|retired|scrap|scrapped|deprecate"
    r"|deprecated|replace|replaces|replaced|replacing|supersede|supersedes|remove|removed)"
    r"|(?:switch|switched|switching|move|moved|moving|migrate|migrated|migrating|take"
    r"|took) (?P<what>(?:[\w-]+ ){1,3}?)??(?:away )?(?:from|off)|away from|stop(?:ped)? using"
    r"|g[eo]t(?:ting)? rid of|do(?:es)?(?: not|n['\u2019]?t) use(?=[^.;\n]{1,60}\bany ?more)"
    r"|(?:statt|anstelle von|nicht mehr|kein(?:e|en)? \w+ mehr|au lieu de"
    r"|en lugar de)) (?P<ended>(?:[\w.+#/-]+ ?){1,4})"
)
#: Words for things being different from now on, without naming what ends.
_TURNING = spoken(
    r"\b(?:pivot(?:ed|ing)?|instead|from now on|changed (?:our|my) minds?|overturn(?:s|ed)?"
    r"|revers(?:e|es|ed) (?:the|our)"
    r"|(?:not|(?:do|does|is|are|ca)n['\u2019]?t) [^.;\n]{1,60}\bany ?more|nicht mehr"
    r"|supersed(?:es|ed)|obsolete|switch(?:ed|ing)? to|migrat(?:e|ed|ing) to"
    r"|mov(?:e|ed|ing) (?:over )?to|stattdessen|(?:go|goes|going|gone|went|move|moved|moving"
    r"|switch|switched|switching|be|am|are|is|['\u2019]re) back to|after all|ab jetzt|ab sofort)\b"
)
#: "Celery is out, we use dramatiq".
_OUT = spoken(
    r"(?:^|[,;.:] )(?:the )?(?P<ended>[\w+#/-]{2,30}) (?:is|are) (?:now )?(?:out|gone|dead|history"
    r"|retired|dropped|deprecated)\b(?= ?(?:[,;.!]|$|now\b))"
)
_CLAUSES = LazyPattern(r"[,;:.]\s|\b(?:and|but|so)\s")
_CHOOSING = spoken(
    r"\b(?:use|uses|using|choose|chose|chosen|pick|picked|adopt|adopted|go with|went with|prefer"
    r"|build (?:on|with)|store[sd]? in|stored?|host(?:ed)? on|runs? on"
    r"|deploy(?:ed)? (?:to|with))\b"
)
#: What a choice refuses; and where a statement goes on to say why, or something else.
_REFUSED = spoken(r"\b(?:not|never|instead of|rather than) (?P<what>(?:[\w.+#/-]+ ?){1,4})")
_ASIDE = spoken(r",\s|;\s|\.\s|\s(?:because|since|so that|as the)\s")
_SENTENCE = spoken(r"[.;] \w")
#: "Migrations with goose, in sql".
_BY_MEANS = spoken(
    r"(?:[\w-]{2,30} ){1,3}(?:with|via|through|over) (?:the )?(?P<means>[\w.+#/-]{2,30})"
)
#: The share of the earlier one's subject that the later one must mention.
_SHARED, _FEWEST = 0.4, 2
_COUNTED = spoken(r"\b\d[\w.]*(?: [a-z]+)?")
#: Says when, not what: two decisions that share it need not be about one thing.
_WHEN = telling_words("now again today currently")


def may_replace(later: str, *, decides: bool = False) -> bool:
    """Return whether a statement can replace any other: most end nothing, and need no search.

    Args:
        later: the statement.
        decides: it is a decision: an earlier one may have refused what it chooses.
    """
    later = in_figures(later)
    return (
        decides
        or says_correction(later)
        or counts(later)
        or may_change(later)
        or ends_a_habit(later)
        or bool(_ENDING.search(later) or _TURNING.search(later) or _OUT.search(later))
    )


def replaces(later: str, earlier: str, *, decides: bool = False) -> bool:
    """Return whether `later` replaces `earlier`.

    Args:
        decides: both are decisions: then choosing a rival replaces the earlier choice.
    """
    later, earlier = (STEP_LAST.sub("", in_figures(text)) for text in (later, earlier))
    if _chosen_instead(later, earlier, decides=decides) or habit_ended(later, earlier):
        return True
    if recounted(later, earlier) or _takes_up_refused(later, earlier):
        return True
    if taken_after_all(later, earlier):
        return True
    if put_otherwise(later, earlier) and is_single(without_what_follows(earlier)):
        return True
    value = changed(later, earlier) or corrected(later, earlier)
    if (value or gone(later, earlier)) and is_single(earlier, value[0] if value else ""):
        return True
    turns = bool(_TURNING.search(later))
    theirs = telling_words(_without_turns(earlier)) - _WHEN
    found = [
        (telling_words(one["what"] or ""), one["ended"])
        for one in _ENDING.finditer(later)
        if not _is_of_another(one, theirs)
    ]
    found += [(set(), one["ended"]) for one in _OUT.finditer(later)]
    # "We moved staging off Hetzner" leaves what else is there.
    endings = [ended for moved, ended in found if not moved or moved & theirs]
    if (turns or endings) and len(endings) == len(found) and refused_by_one(later, earlier):
        return True
    shared = telling_words(_without_turns(later)) & theirs
    enough = len(shared) >= _FEWEST and len(shared) >= _SHARED * len(theirs)
    # "7 years instead of 30 days" and another "30 days" are about two things.
    enough = enough and bool(shared - _counted(later, earlier))
    refused = {word for one in _REFUSED.findall(earlier) for word in telling_words(one)}
    if any(_first_telling(one) & (theirs - refused) for one in endings):
        return enough or bool(_CHOOSING.search(earlier)) or any(_goes_by(earlier, endings))
    return enough and turns and not names_a_part(earlier, later)


def _chosen_instead(later: str, earlier: str, *, decides: bool) -> bool:
    """Return whether a statement chooses a rival of what an earlier one chose, for good.

    A decision does; others must say that it is a change, and name what the earlier one is about.
    """
    if not (decides or (says_change(later) and _first_telling(earlier) & telling_words(later))):
        return False
    return bool(chosen_otherwise(later, Rule("", 0, earlier)))


def _takes_up_refused(later: str, earlier: str) -> bool:
    """Return whether "money is numeric again" ends "money is integer cents, not numeric".

    The later one has to say that it changed, and nothing but what the earlier one speaks of.
    """
    first = _ASIDE.split(later)[0]
    refused = _REFUSED.search(earlier)
    if not refused or not says_change(first) or _SENTENCE.search(earlier):
        return False
    if not NEGATIONS.isdisjoint(words_of(first)):
        return False
    told = {word for word in telling_words(first) - _WHEN if not word.isdigit()}
    taken = told & telling_words(refused["what"])
    chosen = telling_words(earlier.replace(refused[0], " "))
    return bool(taken and told - taken) and told - taken <= chosen - taken


def _is_of_another(ending: re.Match[str], theirs: set[str]) -> bool:
    """Return whether what is no longer so is said of something that an earlier one does not name.

    "The linter no longer runs in CI" leaves what else runs there, "we no longer mock the db" leaves
    what else is mocked.
    """
    if not ending[0].lower().startswith(("no longer", "no more")):
        return False
    before = _CLAUSES.split(ending.string[: ending.start()])[-1]
    subject = telling_words(before) - _WHEN
    ended = [told for word in ending["ended"].split() if (told := telling_words(word))]
    what = ended[1] if len(ended) > 1 else set()
    return any(named and not named & theirs for named in (subject, what))


def _without_turns(text: str) -> str:
    """Return a statement without the words that end or change something."""
    text = _ENDING.sub(lambda one: f"{one['what'] or ''}{one['ended']}", text)
    return _TURNING.sub(" ", text)


def _counted(*texts: str) -> set[str]:
    """Return the numbers in statements, and what they count, as significant words."""
    found = (_COUNTED.findall(text) for text in texts)
    return {word for every in found for one in every for word in telling_words(one)}


def _goes_by(earlier: str, endings: Iterable[str]) -> Iterator[bool]:
    """Yield whether a statement says what is done by what has ended: "migrations with goose"."""
    means = _BY_MEANS.match(earlier)
    if means:
        told = _first_telling(means["means"])
        yield from (_first_telling(ended) == told for ended in endings)


def _first_telling(text: str) -> set[str]:
    """Return the first significant word, as a set: "drop support for Python" ends support."""
    return next((told for word in text.split() if (told := telling_words(word))), set())
