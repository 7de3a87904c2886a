"""Tells a pass phrase of several words from prose. Loaded only where a password's name precedes."""

from __future__ import annotations

from satchel.core.redaction.values import STATES, is_placeholder

_FEWEST, _MOST = 4, 10
_SHORTEST, _LONGEST = 3, 12
#: How words of prose end that no list of words for pass phrases has many of.
_ENDINGS = ("ed", "ing", "ly", "tion", "ment", "ity")
_ENDS = ".,;:!)"
#: Words that connect others, and words that are said of passwords. A pass phrase has at most one of
#: the first.
_CONNECTING_TEXT = """\
about above after again against all almost also always and another any anyone anything are around
because been before being below between both but can cannot could did does done during each either
else enough ever every everyone everything few first for from get gets had has have having hence
her here him his how into its itself just last least less like made make makes many may maybe
might more most much must need needs neither never next nobody none nor not nothing now off often
once one only onto other others our out over own per please put same see seen several shall she
should since some someone something somewhere soon still such take taken than that the their them
then there these they this those though three through thus too twice two under until upon use used
uses using very via was way were what when where whether which while who whole whom whose why will
with within without would yet you your yours aber alle als auch auf aus bei bis das dass dem den
der des die doch dort ein eine einem einen einer erst falls hat hier ihr ihre immer ist jede jeder
jetzt kann kein keine mehr mit muss nach nicht noch nur oder ohne schon sehr sein seine sich sie
sind steht und unter vom von vor war wenn wer werden wie wird zum zur
"""
_TOPICS_TEXT = """\
account accounts admin administrator api app application attempt auth base bits browser bytes
cache case change changes character characters chars check client code command config console
containing contain contains cookie count credential credentials data database days default device
digit digits directory disk docs domain dotenv email empty enter entropy entry env environment
error expiry expires fails field file files flag folder form format function git github hash help
hidden history hour hours host id input install installer instance key keychain keyring kubernetes
laptop length letter letters line list local lock log login logs long lowercase machine manager
match maximum memory message method minimum minutes model module month months name names network
number numbers onboarding option options output page parameter password passwords person pipeline
plain policy process prod production prompt property protocol provider query readme record
registry remote repository reset role root rotation rule rules salt schema script secret secrets
secure sensitive server servers service session setting settings setup shell sign sits space
staging store string symbol symbols system table team template terminal test tests text times
token tokens tool type unique update uppercase url usage user username users utf value variable
vault verify version weak wiki wizard word words wrong yaml year years
"""
_CONNECTING = frozenset(_CONNECTING_TEXT.split())
#: Of these a pass phrase may have one.
_TOPICS = STATES.union(_TOPICS_TEXT.split())


def says_phrase(text: str) -> bool:
    """Return whether four words or more under a password's name are a pass phrase."""
    words = text.replace("-", " ").split()
    if not _FEWEST <= len(words) <= _MOST or is_placeholder(text):
        return False
    if not all(_SHORTEST <= len(word) <= _LONGEST and word.isalpha() for word in words):
        return False
    lower = [word.lower() for word in words]
    if len(set(lower)) < len(lower):
        return False
    said = sum(word in _TOPICS or word.endswith(_ENDINGS) for word in lower)
    joins = [number for number, word in enumerate(lower) if word in _CONNECTING]
    if not joins:
        return said <= 1
    # One of them, inside, and nothing about passwords: "purple monkey dances with lanterns".
    inside = len(joins) == 1 and 0 < joins[0] < len(lower) - 1
    return inside and said == 0 and len(lower) > _FEWEST


def may_say_phrase(text: str) -> bool:
    """Return, quickly, whether so many unconnected words follow each other in a text."""
    row, joined = 0, False
    for word in text.replace("-", " ").split():
        bare = word.strip("\"'`.,;:!)\\")
        if bare in _CONNECTING:
            row, joined = (0, False) if joined else (row, row > 0)
        elif _SHORTEST <= len(bare) <= _LONGEST and bare.isalpha():
            row += 1
        else:
            row, joined = 0, False
        if row == _FEWEST:
            return True
        row, joined = (0, False) if word[-1] in _ENDS else (row, joined)
    return False
