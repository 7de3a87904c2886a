"""Turns that ask for nothing: greetings, thanks, praise, a yes and goodbyes, in several languages.

They are a few words, put together freely ("ok danke, bis morgen"). So a turn is one if all its
words are in these tables, and at least one says more than what stands beside such words.
"""

from __future__ import annotations

import re

from satchel.engine.search.tokens import without_accents
from satchel.storage.kept_patterns import spoken

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
#: A thumb, a smile, a row of dots; a path has a slash.
_SIGNS = re.compile(r"[^\w\n?/]{1,12}")
#: A smile that is spelled with letters: "thanks :D".
_SMILE = re.compile(r"(?<!\S)[:;=8][-']?[DPp]{1,9}(?!\S)")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# All of them without accents, as many type them: "bis spater", "bis spaeter".
_GREETING = _words(
    "afternoon bonjour ciao evening hallo hello hey hi hola moin morning ping salut test yo"
)
_YES = _words(
    "agreed correct exactly fine indeed jup kk np ok okay perfect right sure true yeah yep yes yup"
)
#: Thanks and praise. None of them answers a question, as "yes" does.
_KIND = _words(
    "amazing awesome better bien bom brilliant bueno cheers cool danke diky excellent fair fajn"
    " genau genial good gracias grazie great gut haha helped hooray klasse lgtm lol lovely merci"
    " neat nice obrigada obrigado parfait passt perfect perfecto perfeito perfetto phew prima"
    " sauber schoen schon slick smooth solid spitze super sweet thank thanks thx tnx top ty tysm"
    " understood worked works wow yay"
)
_GOODBYE = _words(
    "abend afk brb bye cau ciao cu cya demain done feierabend gg gtg leaving lunch manana mittag"
    " mittagessen mittagspause morgen nacht night shledanou soiree tschuess tschus tschuss ttyl"
    " urlaub waiting weekend wochenende zitra"
)
#: What stands beside these, in any order.
_BESIDE = _words(
    "a again ah ahh all and au aujourd'hui aussi bis bon bonne bot break buddy buen buon but by"
    " c'est catch charm d'accord das dinner dir dobry enough evening ever exactly feels find fine"
    " for from fuer fur gemacht gute guys haha have he heute home i i'm im is it it's its ja je"
    " jetzt job la later like looks lot man mate me monday much muss my na now oh ok okay on por"
    " pour reads really right schoenen schoenes schonen schones see sehr she so sounds stuff sure"
    " that that's thats the then they this time to today tomorrow tonight tres und vale very was"
    " week well wirklich with work you your"
)
_WITH_GREETING = _words("again all claude codex good there")
_WITH_YES = _words("all by good me so")
#: Courtesies of words that mean something else elsewhere.
_PHRASE = spoken(
    r"\b(?:i (?:like|love) (?:it|that)|love (?:it|that)|(?:that )?makes sense|thought so|you rock"
    r"|got it|i see|of course|no worries|right you are|see you|good to know|(?:nice|good) one"
    r"|(?:you(?:['\u2019]re| are) )?the best|you(?:['\u2019]re| are) (?=awesome|great|amazing)"
    r"|exactly what i (?:wanted|meant)|(?:looks?|feels?|sounds?|reads?) (?:right|fine)"
    r"|(?:that|this|it)(?:['\u2019]?s| is| was) (?:it|all)"
    r"|(?:i think )?(?:that|this)(?:['\u2019]ll| will) do"
    # "Ah ok" and "yesss" say that it was seen.
    r"|(?:a{1,9}h{1,9}|o{1,9}h{1,9}|lol|haha)[\s,.!]{1,4}(?:ok(?:ay)?|right)|yes{2,9}|wo{2,9}ho{2,9}"
    r"|c['\u2019]est tout|(?:eso|esto) es todo|das war['\u2019]?s|vse|all good|did it"
    r"|week-end|kurze pause|your help"
    r"|for (?:now|the day)|not (?:today|now) though|(?:fertig|genug|schluss) fue?r|until \w{3,8}"
    r"|bis (?:dann|montag|spae?ter|gleich|nachher)|a domani|mej se|hasta \w{5,6}"
    r"|buen fin(?: de semana|de)|bon we|schoe?nes we|por hoy|pour aujourd'hui"
    r"|(?:let['\u2019]?s )?(?:wrap (?:it|this|things) up|call it a day|stop here"
    r"|leave it (?:there|here|at that))|(?:done|enough) for (?:today|tonight)"
    r"|i(?:['\u2019]?m| am) (?:off|out|done|leaving)|(?:off|heading) (?:to|for|out|home)(?: \w+)?"
    r"|back to (?:bed|sleep)"
    r"|(?:i(?:['\u2019]ve)? )?(?:got to|gotta|have to|need to|must) (?:go|run|leave)"
    r"|(?:stop,? )?i(?:['\u2019]ll| will) (?:do|take|finish|handle) (?:it|that|this|the rest)"
    r"(?: (?:myself|by hand))?|(?:i(?:['\u2019]ll)? )?wait)\b"
)
#: Leaves, and says why: "stop here, my kid is crying".
_LEAVES = spoken(
    r"(?:\w{1,8}[\s,.!]{1,4}){0,2}(?:(?:let['\u2019]?s |we )?stop here|bye|enough for today"
    r"|that['\u2019]?s (?:it|all|enough)(?: for (?:today|now))?"
    r"|i['\u2019]?m (?:off|done for today|out)"
    r"|(?:i(?:['\u2019]ve)? )?(?:(?:got|have|need) to|gotta|must) (?:go|run|leave))[\s,.!:-]{1,4}"
    r"(?:my|i|i['\u2019]m|the|we|it['\u2019]?s|there['\u2019]?s|got|meeting|kids?|dinner|train)\b"
    r"[^?\n]{0,60}\Z"
)


def greets(said: str) -> bool:
    """Return whether a turn is nothing but a greeting."""
    return _is_made_of(said, _GREETING, _WITH_GREETING)


def agrees(said: str) -> bool:
    """Return whether a turn is nothing but a "yes": an order only where something was asked."""
    return _is_made_of(said, _YES, _WITH_YES)


def thanks_or_leaves(said: str) -> bool:
    """Return whether a turn is nothing but thanks, praise, a smile or a goodbye."""
    if "?" in said:
        return False
    told = _PHRASE.sub(" bye ", without_accents(said))
    only = _is_made_of(told, _KIND | _GOODBYE, _BESIDE) or bool(_LEAVES.match(said))
    return only or bool(_SIGNS.fullmatch(said))


def _is_made_of(said: str, telling: frozenset[str], beside: frozenset[str]) -> bool:
    """Return whether a turn has one of some words at least, and none but them and others."""
    bare = without_accents(_SMILE.sub("", said).lower().replace("\u2019", "'"))
    words = set(_WORD.findall(bare))
    return not words.isdisjoint(telling) and words <= telling | beside
