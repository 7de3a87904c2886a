"""The most common lasting statements in languages other than English. Pure."""

from __future__ import annotations

import re

from satchel.application.learning.signals.speech.forms import Form
from satchel.application.learning.signals.speech.leads import ASKED_RULE
from satchel.application.learning.signals.values import CORRECTION, DECISION, FACT, PREFERENCE
from satchel.storage.kept_patterns import LazyPattern

#: Remember, note, by the way, careful: introduces something that holds.
_NOTED = LazyPattern(
    r"\b(?:merk(?:e)?\s+dir|denk\s+(?:daran|dran)|beachte|zur\s+info|übrigens|achtung|vorsicht"
    r"|wichtig:|hinweis|vergiss\s+nicht"
    r"|souviens[- ]toi|rappelle[- ]toi|n'oublie\s+pas|note\s+que|attention|à\s+noter|pour\s+info"
    r"|au\s+fait"
    r"|recuerda|ten\s+en\s+cuenta|no\s+olvides|ojo|cuidado|por\s+cierto|nota:|para\s+que\s+sepas"
    r"|lembre[- ]se|lembra\s+que|tenha\s+em\s+mente|não\s+(?:se\s+)?esqueça|atenção|cuidado|aliás"
    r"|observação"
    r"|ricorda(?:ti)?\s+che|tieni\s+presente|non\s+dimenticare|attenzione|nota\s+che|comunque:"
    r"|onthoud|let\s+op|vergeet\s+niet|denk\s+eraan|trouwens"
    r"|pamiętaj|zapamiętaj|uwaga|zwróć\s+uwagę|nie\s+zapomnij|запомни|помни|имей\s+в\s+виду|учти"
    r"|внимание|кстати|не\s+забудь|осторожно"
    r"|unutma|dikkat|aklında\s+(?:olsun|tut)|bu\s+arada|not:|kom\s+ihåg|tänk\s+på|obs:|husk|bemærk"
    r"|muista|huomaa|запам'ятай|пам'ятай|зверни\s+увагу|pamatuj|pozor|nezapomeň|jegyezd\s+meg"
    r"|ține\s+minte|θυμήσου)(?!\w)"
    r"|覚えておいて|忘れないで|注意|ちなみに|メモ|记住|記住|注意|请注意|别忘|顺便|備考|기억해|참고로|주의|잊지\s?마|تذكر|انتبه|याद\s+रख|nhớ\s+"
    r"(?:là|rằng)|ingat\b",
    re.IGNORECASE,
)
#: Always, never, from now on; we do not; must.
_RULED = LazyPattern(
    r"\b(?:immer|niemals|nie(?!\s+(?:gesehen|gehört))(?=.*\b(?:\w+en|ich|du|wir|wird|wurde|der|die|das|ein\w*|im)\b)|ab\s+(?:jetzt|sofort|heute)|künftig|in\s+zukunft|grundsätzlich"
    r"|standardmäßig|stets|von\s+nun\s+an|jedes\s+mal|hör\s+auf|verwende\s+(?:kein\w*|nie)|bitte\s+"
    r"(?:kein\w*|nie)|(?:wir|man)\s+(?:\w+\s+){1,3}?(?:nicht|kein\w*|nie)|nicht\s+ohne"
    r"|auf\s+keinen\s+fall|lass\s+(?:das|die)\s+\w+\s+weg"
    r"|toujours|jamais|à\s+partir\s+de\s+maintenant|désormais|dorénavant|à\s+l'avenir|par\s+défaut"
    r"|on\s+n['e]\s*\w+\s+(?:pas|jamais)|nous\s+n['e]\s*\w+\s+pas|arrête\s+(?:de|d')|évite"
    r"|(?:(?<=^)|(?<=[,;:.]\s))ne\s+\w+\s+(?:pas|plus)|ne\s+(?:\w+\s+)?jamais"
    r"|ne\s+(?:doi(?:s|t|vent)|faut|peu(?:t|vent))\s+(?:pas|plus)|pas\s+de\s+\w+\s+dans"
    r"|siempre|nunca|jamás|a\s+partir\s+de\s+ahora|de\s+ahora\s+en\s+adelante|en\s+adelante"
    r"|por\s+defecto|deja\s+de|evita|no\s+(?:usamos|hacemos|uses|hagas|toques|pongas|añadas"
    r"|modifiques|edites)"
    r"|sempre|a\s+partir\s+de\s+agora|de\s+agora\s+em\s+diante|daqui\s+(?:em|pra)\s+"
    r"(?:diante|frente)|por\s+padrão|pare\s+de|evite|não\s+"
    r"(?:usamos|fazemos|use|faça|toque|coloque|adicione|edite|commite|mexa|altere|remova|apague)"
    r"|d'ora\s+in\s+(?:poi|avanti)|mai(?!\s+ti)|smettila\s+di|evita\s+di|non\s+"
    r"(?:usiamo|facciamo|usare|fare|toccare|modificare|mettere|aggiungere)|di\s+default"
    r"|altijd|nooit|vanaf\s+nu|voortaan|standaard|stop\s+met|vermijd|(?:we|wij)\s+(?:\w+\s+){1,3}?"
    r"(?:geen|niet|nooit)|gebruik\s+(?:geen|nooit)|geen\s+\w+\s+(?:meer|in)"
    r"|zawsze|nigdy|od\s+teraz|odtąd|na\s+przyszłość|domyślnie|przestań|unikaj|nie\s+"
    r"(?:używamy|używaj|rób|edytuj|dodawaj|commituj|pushuj|ruszaj)"
    r"|всегда|никогда|с\s+этого\s+момента|отныне|впредь|теперь\s+всегда|в\s+будущем|по\s+умолчанию"
    r"|перестань|избегай|мы\s+не\s+\w+|не\s+(?:используй|делай|трогай|добавляй|пиши|коммить|пушь"
    r"|меняй|редактируй)|нельзя"
    r"|her\s+zaman|daima|asla|hiçbir\s+zaman|bundan\s+(?:sonra|böyle)|artık|varsayılan\s+olarak"
    r"|\w+m(?:ıyoruz|iyoruz|uyoruz|üyoruz)|sakın|(?:dokun|kullan|yap|ekle|sil|değiştir|koy|yaz)m[ae](?:y[ıi]n)?"
    r"|alltid|aldrig|hädanefter|från\s+och\s+med\s+nu|framöver|altid|aldri|fra\s+nu\s+af"
    r"|fra\s+nå\s+av|aina|älä\s+koskaan|tästä\s+lähtien|завжди|ніколи|відтепер|надалі"
    r"|не\s+використовуй|vždy|nikdy|odteď|od\s+teď|nepoužív\w+|mindig|soha|mostantól|întotdeauna"
    r"|niciodată|de\s+acum\s+(?:înainte|încolo)|πάντα|ποτέ|luôn|không\s+bao\s+giờ|từ\s+(?:nay|giờ)"
    r"|selalu|jangan|mulai\s+sekarang|हमेशा|कभी)(?!\w)"
    r"|必ず|絶対に?|常に|いつも|今後は?|これから(?:は)?|今から|ないで(?:ください)?|禁止|使わない|使いません|べきではない|やめて|以后|今后|从现在(?:开始|起)"
    r"|总是|永远|一定要|必须|务必|绝不|千万|不要|禁止|我们不|别再|不得|항상|절대|앞으로(?:는)?|이제부터|반드시|무조건|지\s?마(?:세요|라)?(?=\W|$)|않습니다|안\s?"
    r"(?:씁|써)|금지|دائما|أبدا|من\s+الآن",
    re.IGNORECASE,
)
#: This and not that; wrong, it is like this; already told.
_CORRECTED = LazyPattern(
    r"(?:,\s*(?:und\s+)?(?:nicht|kein\w*)\s|\bund\s+nicht\s|\bnicht\b.{1,40}\bsondern\b|\b"
    r"(?:statt|anstatt|anstelle)\b|\bdas\s+ist\s+(?:falsch|nicht\s+richtig)|\b(?:schon|bereits)\s+"
    r"(?:\w+\s+)?gesagt"
    r"|,\s*(?:et\s+)?(?:pas|non\s+pas|jamais)\s|\bau\s+lieu\s+d[e'u]|\bplutôt\s+que?\b|c'est\s+faux"
    r"|ce\s+n'est\s+pas\s+(?:ça|correct|juste)|(?:déjà|deja)\s+dit"
    r"|,\s*(?:y\s+)?no\s+\w|\ben\s+(?:vez|lugar)\s+de\b|está\s+mal\b|no\s+es\s+(?:correcto|así)"
    r"|ya\s+te\s+(?:lo\s+)?(?:dije|he\s+dicho)"
    r"|,\s*(?:e\s+)?não\s+\w|\bem\s+(?:vez|lugar)\s+d[eoa]|está\s+errado|já\s+(?:te\s+)?"
    r"(?:disse|falei)|,\s*(?:e\s+)?non\s+\w|\binvece\s+(?:di|che)|è\s+sbagliato"
    r"|ti\s+ho\s+già\s+detto"
    r"|,\s*(?:en\s+)?niet\s|\bin\s+plaats\s+van\b|dat\s+(?:is\s+fout|klopt\s+niet)|al\s+gezegd|,\s*"
    r"(?:a\s+)?nie\s|\bzamiast\b|to\s+(?:jest\s+)?(?:źle|błąd)|już\s+(?:ci\s+)?mówiłem|,\s*"
    r"(?:а\s+)?не\s|\bвместо\b|это\s+(?:неправильно|неверно)|я\s+(?:же\s+)?(?:уже\s+)?"
    r"(?:говорил|сказал)"
    r"|\bdeğil\b|\byerine\b|(?:bu\s+)?yanlış|(?:sana\s+)?söyle(?:miş)?di?m|,\s*(?:och\s+)?inte\s"
    r"|\bistället\s+för\b|,\s*(?:og\s+)?ikke\s|\bi\s+stedet\s+for\b|,\s*(?:а\s+)?ні\s|\bзамість\b"
    r"|,\s*(?:a\s+)?ne\s|\bmísto\b|,\s*nem\s|\bhelyett\b|,\s*nu\s+\w|\bîn\s+loc\s+de\b)"
    r"|ではなく|じゃなくて?|の代わりに|間違って|違います|而不是|代替|不是(?!这|那).{1,20}(?:而)?是|(?:^|[，。,.])\s*不对(?=[，,。:：]?\s*.)|不要用|别用|말고|대신|아니라|틀렸",
    re.IGNORECASE,
)
_PREFERRED = LazyPattern(
    r"\b(?:ich\s+(?:bevorzuge|mag|hasse|möchte\s+(?:immer|nie|lieber))|mir\s+ist\s+\w+\s+lieber"
    r"|je\s+préfère|j'aime\s+(?:pas|mieux)|je\s+déteste|prefiero|me\s+gusta\s+que|no\s+me\s+gusta"
    r"|prefiro|não\s+gosto|gosto\s+de|preferisco|non\s+mi\s+piace|ik\s+(?:heb\s+liever|verkies)"
    r"|liever|wolę|preferuję|nie\s+lubię|(?:я\s+)?предпочитаю|мне\s+(?:больше\s+)?нравится"
    r"|мне\s+не\s+нравится|tercih\s+ed\w+|jag\s+föredrar|jeg\s+foretrækker|preferuji"
    r"|віддаю\s+перевагу)(?!\w)"
    r"|の方が好き|を好み|が好きです|我(?:更)?喜欢|我偏好|선호|더\s?좋아|[은는한]\s?게\s?(?:더\s?)?(?:좋|낫)",
    re.IGNORECASE,
)
_DECIDED = LazyPattern(
    r"\b(?:wir\s+(?:nehmen|haben\s+(?:uns\s+)?(?:(?:für|gegen)\s+\w+\s+)?(?:entschieden|beschlossen)|bleiben\s+bei|gehen\s+mit"
    r"|setzen\s+auf)|entscheidung|on\s+(?:part\s+sur|a\s+décidé|va\s+utiliser|garde|reste\s+sur)"
    r"|nous\s+avons\s+(?:décidé|choisi)|décision|vamos\s+(?:con|a\s+usar|com|usar)|hemos\s+decidido"
    r"|decidimos|nos\s+quedamos\s+con|ficamos\s+com|abbiamo\s+(?:deciso|scelto)|andiamo\s+con|we\s+"
    r"(?:kiezen|gaan)\s+(?:voor|met)|we\s+hebben\s+(?:besloten|gekozen)|zdecydowaliśmy|wybieramy"
    r"|идём\s+с|(?:мы\s+)?(?:решили|выбрали|берём|остаёмся)|karar\s+verdik|kullanacağız|vi\s+"
    r"(?:kör|har\s+bestämt|går\s+med)|rozhodli\s+jsme)(?!\w)"
    r"|にします|に決め|ことにした|我们决定|就用|采用|하기로|로\s?결정",
    re.IGNORECASE,
)
_ASKS = LazyPattern(
    r"[?\uff1f]\s*$|^[¿]|^(?:kannst|könntest|können|warum|wieso|weshalb|wie|was|wo|woher|wohin|wer"
    r"|wen|wem|wann|welche[mnrs]?|gibt\s+es|peux|pourquoi|comment|quand|quel(?:le)?s?|combien"
    r"|puedes|por\s*qu[eé]|cómo|dónde|cuándo|cuál(?:es)?|qué|pode|puoi|perché|waarom|hoe|kun\s+je"
    r"|czy|можешь|почему|как)\b|^(?:mi|me|puoi|puedes|pode|peux-tu|tu\s+peux)\s+(?:spieg\w+|explic\w+|expliqu\w+)\b|(?:ですか|ますか|吗|呢)\s*[。?]?$",
    re.IGNORECASE,
)
#: A step of the work: "zieh erst main und sag mir, was sich geändert hat".
_ORDERS = LazyPattern(
    r"^(?:bitte\s{1,4})?(?:zieh|mach|bau|schau|guck|prüf|fix|lösch|änder|schreib|teste|starte|nimm|geh|lies|zeig"
    r"|sag|erklär|räum|verschieb|entfern|check|füg|mergen?|push|pull|committ?e?)e?\s{1,4}"
    r"(?:erst|mal|bitte|jetzt|noch|kurz|schnell|nochmal|mir|den|dem|das|die|der|ein\w*|alles)\b"
    r"(?!.{0,300}\b(?:immer|nie|niemals|jed\w{1,3}|künftig|stets|bevor|wenn|ab\s{1,4}(?:jetzt|sofort)|in\s{1,4}zukunft)\b)",
    re.IGNORECASE,
)
#: In many languages "still" contains the word for "always", but is about this moment.
_STILL = LazyPattern(
    r"\b(?:immer\s+noch|noch\s+immer|immer\s+wieder|toujours\s+(?:pas|aussi|(?:l[ae]s?|en)\s+(?:même|panne|erreur)s?)"
    r"|(?:ne|n'\w+)\s+(?:\w+\s+)?toujours\s+pas|(?:si|se)mpre\s+(?:l[oae']|gli|il|[oa])\s*(?:stess|mesm)\w+"
    r"|siempre\s+(?:el|la|lo)s?\s+mism\w+|még\s+mindig|altijd\s+nog|nog\s+altijd|zawsze\s+ten\s+sam"
    r"|mereu\s+aceea(?:și|si)|alltid\s+samma)\b",
    re.IGNORECASE,
)
#: Not yet: "zeig mir erstmal nur den Fehler", "não dá push ainda".
_NOT_YET = LazyPattern(
    r"\b(?:erst\s?mal|noch\s+nicht|pas\s+encore|todavía|ainda|nog\s+niet|non\s+ancora|пока\s+не"
    r"|jeszcze\s+nie)\b|まだ|先不要|还不",
    re.IGNORECASE,
)
_FORMS = (
    (_NOTED, Form(FACT, "noted abroad")),
    (_CORRECTED, Form(CORRECTION, "contrast abroad")),
    (_DECIDED, Form(DECISION, "decided abroad")),
    (_PREFERRED, Form(PREFERENCE, "preferred abroad")),
    (_RULED, Form(PREFERENCE, "ruled abroad")),
)
_LEAST = 3


def asks_abroad(sentence: str) -> bool:
    """Return whether a sentence asks or orders a step, in another language."""
    return any(one.search(sentence) for one in (_ASKS, _ORDERS, _NOT_YET))


def heard_abroad(sentence: str) -> Form | None:
    """Return the form of a lasting statement in another language."""
    asked = ASKED_RULE.match(sentence)  # "kannst du bitte immer ...": meant like a rule
    sentence = sentence[asked.end() :].rstrip(" ?") if asked else sentence
    if asks_abroad(sentence) or (len(sentence.split()) < _LEAST and sentence.isascii()):
        return None
    sentence = _STILL.sub("", sentence)
    return next((form for pattern, form in _FORMS if pattern.search(sentence)), None)
