"""A text's words as the index sees them: code identifiers split, stop words removed."""

from __future__ import annotations

from satchel.engine.words import WRITTEN_SHORT

#: Words without meaning of their own in a question, including the remains of "what's" and "we'll".
#: "Asked" and "done" are headings of checkpoints.
COMMON = frozenset(
    "a about after all also an and any are as asked at be because been before but by can could "
    "deal dealt did do does done for from get had handle handled has have he her here him his "
    "how i if in into is it its just ll many me more most much my no not now of on one only or "
    "our out over please s she should so solve solved some such t than that the their them then "
    "there these they this those to too up us use used using ve very was we were what when "
    "where which while who why will with would you your".split()
)
#: The same in French, German, Spanish, Italian, Portuguese, Dutch, Czech, Polish and Russian: two
#: sentences of one language share some of them, whatever they are about. None is a word of English
#: or of the trade, as "die", "comment", "est", "em" and "ci" are.
_COMMON_ABROAD = frozenset(
    "la le les un une des de et ou où en dans par pour pas ne que qui quoi ce cet cette ces sont"
    " être était avec sans sur sous nous vous ils elles elle je te se leur ma mes ta notre nos"
    " votre aux au quand quel quelle aussi mais donc comme tout tous toute toujours même faut der"
    " das den dem ein eine einen einem einer und oder nicht kein keine ist sind wird werden wie wo"
    " wer wenn dann auf aus bei nach von vor zu zum zur für über im ins am um ich sie wir ihr mein"
    " meine meinem meiner unser unsere auch nur noch schon mal bitte doch aber denn dass hier als"
    " sich haben kann soll muss immer el los las una unos unas al qué como cómo con por para son"
    " está están ser fue sus mi tu nuestro nuestra este esta estos estas ese esa eso más muy ya si"
    " sí cuando cuándo donde dónde cual cuál cuales quien pero porque hay siempre gli da per tra e"
    " non che chi dove quale è sono era ti questo questa nel nella dei delle degli alla anche più"
    " uma na não onde qual isso het een voor niet geen dat dit deze aan naar uit maar ook nog wel"
    " wat waar hoe wij ik jij hij zij wordt worden heeft hebben kunnen moet onze ons altijd ve ze"
    " ke od za jsou být tato toto že ale nebo aby jak kde kdy kdo co který která které jen už také"
    " není vždy nie się jest gdzie kiedy kto dla przy tylko już zawsze и в на не по для что как"
    " где когда это из от до же ли бы мы он она они вы наш при без или но то так уже"
    " всегда".split()
)
_ACCENTS = str.maketrans(
    "àâçèéêëîïôùûüöäáíóúñãõìòčďěňřšťůýžąćęłńśźż", "aaceeeeiiouuuoaaiounaoiocdenrstuyzacelnszz"
)
COMMON |= _COMMON_ABROAD | {word.translate(_ACCENTS) for word in _COMMON_ABROAD}

#: What is asked of a thing, which whoever tells of the thing need not name: the boss name, the save
#: format.
ATTRIBUTES = frozenset(
    "color colors colour colours convention conventions format formats name names naming number"
    " numbers version versions".split()
)

#: A match is an answer if it has this share of the question's significant words, or is nearer than
#: 9 of 10 nearest neighbors of unrelated questions (docs/search.md).
LEAST_COVERAGE = 0.34


#: Maps ASCII characters that are neither letters nor digits to spaces.
_APART = {code: " " for code in range(128) if not chr(code).isalnum()}


def words_of(text: str) -> list[str]:
    """Return runs of letters and digits, lower-cased, as FTS5's unicode61 splits them."""
    if text.isascii():
        return text.lower().translate(_APART).split()
    out: list[str] = []
    current: list[str] = []
    for c in text:
        if c.isalnum():
            current.append(c)
        elif current:
            out.append("".join(current).lower())
            current = []
    if current:
        out.append("".join(current).lower())
    return out


def code_words(text: str) -> list[str]:
    """Return parts of camelCase words and joined snake_case words, which unicode61 cannot see.

    `parseHttpURL` gives parse, http, url; `max_tokens` gives maxtokens.
    """
    out: list[str] = []
    for word in text.split():
        if word.islower() and "_" not in word and "-" not in word:
            continue
        bare = word.strip(".,:;!?()[]{}\"'`<>")
        if "_" in bare or "-" in bare:
            glued = "".join(c for c in bare if c.isalnum())
            if glued and glued != bare:
                out.append(glued.lower())
        for part in "".join(c if c.isalnum() else " " for c in bare).split():
            humps = _humps(part)
            if len(humps) > 1:
                out += humps
    return list(dict.fromkeys(out))


def _humps(word: str) -> list[str]:
    """Split at a capital after a lower-case letter, or at the start of a word after an acronym."""
    parts, start = [], 0
    for i in range(1, len(word)):
        before, here = word[i - 1], word[i]
        after = word[i + 1] if i + 1 < len(word) else ""
        hump = here.isupper() and (before.islower() or (before.isupper() and after.islower()))
        if hump or (here.isdigit() != before.isdigit() and here.isalpha() and i - start > 1):
            parts.append(word[start:i].lower())
            start = i
    parts.append(word[start:].lower())
    return [part for part in parts if part]


def distinctive_words(text: str) -> list[str]:
    """Return a question's significant words, without duplicates, in order.

    If only common words are left, all of them count: someone may search for "what".
    """
    every = list(dict.fromkeys(words_of(text) + code_words(text)))
    telling = [w for w in every if w not in COMMON]
    return telling or every


def subject_words(question: str) -> list[str]:
    """Return a question's significant words; only the thing, if it asks for one's attribute."""
    telling = distinctive_words(question)
    things = [word for word in telling if word not in ATTRIBUTES]
    return things if len(things) == 1 else telling


#: Later characters are newer or rarer than the tables of FTS5's unicode61.
_LATIN = 0x2FF
#: Most words of a question to search for, and most of its words with such characters.
_MOST_WORDS, _MOST_ODD = 96, 32


def match_expression(text: str) -> str:
    """Return an FTS5 query for any significant word of `text`, or "".

    Every word is quoted, so that no input is ever read as FTS5 syntax. Quoted spans of two or more
    words are also searched as phrases, which ranks them first; `conf*` matches by prefix.
    """
    words = distinctive_words(text)[:_MOST_WORDS]
    terms = [f'"{one}"' for word in words for one in spellings(word)]
    terms += [f'"{w}" *' for w in prefixes(text)]
    for phrase in text.split('"')[1::2]:
        inside = words_of(phrase)
        if len(inside) > 1:
            terms.append('"' + " ".join(inside) + '"')
    if not text.isascii():
        terms += _as_they_stand(text)
    return " OR ".join(terms)


def _as_they_stand(text: str) -> list[str]:
    """Return words with marks that Python knows but FTS5, with older tables, does not.

    FTS5 takes such a mark for a letter. Quoted whole, it splits the word as it split the document.
    """
    odd = [
        word
        for word in text.replace('"', " ").replace("\0", " ").split()
        if not word.isascii() and any(ord(c) > _LATIN and not c.isalnum() for c in word)
    ]
    return [f'"{word}"' for word in dict.fromkeys(odd[:_MOST_ODD]) if any(map(str.isalnum, word))]


def prefixes(text: str) -> list[str]:
    """Return the prefixes that a question marks with a star: `conf*`, at least two letters."""
    if "*" not in text:
        return []
    begun = (words_of(word) for word in text.split() if word.rstrip("?!.,;:)").endswith("*"))
    return [words[-1] for words in begun if words and len(words[-1]) > 1]


def _undoubled(word: str) -> str:
    """Undo a doubled consonant: `dropp` is drop and `runn` run; `pass` and `call` stay."""
    doubled = len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeioulsz"  # noqa: PLR2004
    return word[:-1] if doubled else word


#: How every ending below ends: most words have none of them.
_ENDS = "sgdye"


def stem(word: str) -> str:
    """Remove common English endings, enough to compare two texts without the index.

    `bookings`, `booking` and `booked` are the same, and so are `retries`, `retried` and `retry`.
    """
    if word[-1:] not in _ENDS:
        return word
    one = _singular(word)
    for ending in ("ing", "ed"):
        if one.endswith(ending) and len(one) - len(ending) >= 3:  # noqa: PLR2004
            one = _undoubled(one[: -len(ending)])
            break
    if one.endswith("y") and len(one) > 2 and one[-2] not in "aeiou":  # noqa: PLR2004
        return one[:-1] + "i"
    # After the endings above: `closures` and `closure` are the same.
    return one[:-1] if one.endswith("e") and len(one) > 3 else one  # noqa: PLR2004


def _singular(word: str) -> str:
    """Remove the ending of a plural: `classes` is class, and `status` stays."""
    if word.endswith("ies") and len(word) > 4:  # noqa: PLR2004
        return word[:-2]
    if word.endswith("es") and len(word) > 4:  # noqa: PLR2004
        return word[:-2]
    kept = word.endswith(("ss", "us", "sis", "xis"))
    return word[:-1] if word.endswith("s") and len(word) > 3 and not kept else word  # noqa: PLR2004


_PAIRS = [tuple(pair.split()) for pair in WRITTEN_SHORT]
_OTHER = {one: other for short, long in _PAIRS for one, other in ((short, long), (long, short))}
_MEANS = {stem(short): stem(long) for short, long in _PAIRS}


def meaning(word: str) -> str:
    """Return a word's stem, with developers' abbreviations expanded: `prod` is `production`."""
    bare = stem(word)
    return _MEANS.get(bare, bare)


def spellings(word: str) -> tuple[str, ...]:
    """Return a word, and its short or long form if it has one."""
    other = _OTHER.get(word) or _OTHER.get(word.removesuffix("s"))
    return (word, other) if other else (word,)


def without_accents(text: str) -> str:
    """Return the text as FTS5 compares it: `prüfen` is prufen."""
    if text.isascii():
        return text
    import unicodedata

    apart = unicodedata.normalize("NFD", text)
    return "".join(c for c in apart if not unicodedata.combining(c))


#: A longer question shares a smaller part of its words with its answer.
_LONG_QUESTION = 6
#: One of several significant words may be shared by chance.
_LEAST_SHARED = 2


def least_coverage(question: str) -> float:
    """Return the minimum share of a question's words in an answer."""
    words = max(1, round(question.count(" ") * 0.7))
    return LEAST_COVERAGE * min(1.0, _LONG_QUESTION / words)


def shares_enough(question: str, text: str) -> bool:
    """Return whether a text shares more with a question than chance: two words, and a share."""
    share = coverage(question, text)
    return share >= least_coverage(question) and shares_two(question, share)


def shares_two(question: str, share: float) -> bool:
    """Return whether a share of a question's words is two words, or its only one."""
    asked = len(_asked(without_accents(question)))
    return share * asked > min(_LEAST_SHARED, asked) - 0.01


#: The last question, cached: it is compared with every text found.
_last: dict[str, frozenset[str]] = {}


def _asked(question: str) -> frozenset[str]:
    found = _last.get(question)
    if found is None:
        found = frozenset(map(meaning, subject_words(question)))
        _last.clear()
        _last[question] = found
    return found


def coverage(question: str, text: str) -> float:
    """Return the share of the question's significant words in the text, 0 to 1."""
    question, text = without_accents(question), without_accents(text)
    asked = _asked(question)
    if not asked:
        return 0.0
    held = {meaning(word) for word in (*words_of(text), *code_words(text))}
    found = held & asked
    for begun in prefixes(question):
        if any(word.startswith(begun) for word in held):
            found.add(stem(begun))
    return min(1.0, len(found) / len(asked))
