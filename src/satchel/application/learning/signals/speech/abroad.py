"""The most common lasting statements in languages other than English. Pure."""

from __future__ import annotations

from satchel.application.learning.signals.speech.forms import Form
from satchel.application.learning.signals.speech.leads import ASKED_RULE
from satchel.application.learning.signals.values import CORRECTION, DECISION, FACT, PREFERENCE
from satchel.storage.kept_patterns import spoken

#: Remember, note, by the way, careful: introduces something that holds.
_NOTED = spoken(
    r"\b(?:merk(?:e)? dir|denk (?:daran|dran)|beachte|zur info|übrigens|achtung|vorsicht|wichtig:"
    r"|hinweis|vergiss nicht|souviens[-\s]toi|rappelle[-\s]toi|n'oublie pas|note que|attention"
    r"|à noter|pour info|au fait|recuerda|ten en cuenta|no olvides|ojo|cuidado|por cierto|nota:"
    r"|para que sepas|lembre[-\s]se|lembra que|tenha em mente|não (?:se )?esqueça|atenção|cuidado"
    r"|aliás|observação|ricorda(?:ti)? che|tieni presente|non dimenticare|attenzione|nota che"
    r"|comunque:|onthoud|let op|vergeet niet|denk eraan|trouwens|pamiętaj|zapamiętaj|uwaga"
    r"|zwróć uwagę|nie zapomnij|запомни|помни|имей в виду|учти|внимание|кстати|не забудь|осторожно"
    r"|unutma|dikkat|aklında (?:olsun|tut)|bu arada|not:|kom ihåg|tänk på|obs:|husk|bemærk|muista"
    r"|huomaa|запам'ятай|пам'ятай|зверни увагу|pamatuj|pozor|nezapomeň|jegyezd meg|ține minte"
    r"|θυμήσου)(?!\w)|覚えておいて|忘れないで|注意|ちなみに|メモ|记住|記住|注意|请注意|别忘|顺便"
    r"|備考|기억해|참고로|주의|잊지 ?마|تذكر|انتبه|याद रख|nhớ (?:là|rằng)|ingat\b"
)
#: Always, never, from now on; we do not; must.
_RULED = spoken(
    r"\b(?:immer|niemals"
    r"|nie(?! (?:gesehen|gehört))(?=.*\b(?:\w+en|ich|du|wir|wird|wurde|der|die|das|ein\w*|im)\b)"
    r"|ab (?:jetzt|sofort|heute)|künftig|in zukunft|grundsätzlich|standardmäßig|stets|von nun an"
    r"|jedes mal|hör auf|verwende (?:kein\w*|nie)|bitte (?:kein\w*|nie)"
    r"|(?:wir|man) (?:\w+ ){1,3}?(?:nicht|kein\w*|nie)|nicht ohne|auf keinen fall"
    r"|lass (?:das|die) \w+ weg|bei jede[mnr] (?:neuen? |neue[mr] )?\w+"
    r"|(?:nee|nein|ne),? kein\w* \w+"
    r"|sonst (?!noch\b|alles\b|nichts?\b|wäre\b|würde\b|was\b|so\b)\w{3,}(?= )"
    r"|toujours|jamais|à partir de maintenant|désormais|dorénavant"
    r"|à l'avenir|par défaut|on n['e] ?\w+ (?:pas|jamais)|nous n['e] ?\w+ pas|arrête (?:de|d')"
    r"|évite|(?:(?<=^)|(?<=[,;:.]\s))ne \w+ (?:pas|plus)|ne (?:\w+ )?jamais"
    r"|ne (?:doi(?:s|t|vent)|faut|peu(?:t|vent)) (?:pas|plus)|pas de \w+ dans|siempre|nunca|jamás"
    r"|a partir de ahora|de ahora en adelante|en adelante|por defecto|deja de|evita"
    r"|no (?:usamos|hacemos|uses|hagas|toques|pongas|añadas|modifiques|edites)|sempre"
    r"|a partir de agora|de agora em diante|daqui (?:em|pra) (?:diante|frente)|por padrão|pare de"
    r"|evite|não (?:usamos|fazemos|use|faça|toque|coloque|adicione|edite|commite|mexa|altere"
    r"|remova|apague)|d'ora in (?:poi|avanti)|mai(?! ti)|smettila di|evita di"
    r"|non (?:usiamo|facciamo|usare|fare|toccare|modificare|mettere|aggiungere)|di default|altijd"
    r"|nooit|vanaf nu|voortaan|standaard|stop met|vermijd"
    r"|(?:we|wij) (?:\w+ ){1,3}?(?:geen|niet|nooit)|gebruik (?:geen|nooit)|geen \w+ (?:meer|in)"
    r"|zawsze|nigdy|od teraz|odtąd|na przyszłość|domyślnie|przestań|unikaj"
    r"|nie (?:używamy|używaj|rób|edytuj|dodawaj|commituj|pushuj|ruszaj)|всегда|никогда"
    r"|с этого момента|отныне|впредь|теперь всегда|в будущем|по умолчанию|перестань|избегай"
    r"|мы не \w+|не (?:используй|делай|трогай|добавляй|пиши|коммить|пушь|меняй|редактируй)|нельзя"
    r"|her zaman|daima|asla|hiçbir zaman|bundan (?:sonra|böyle)|artık|varsayılan olarak"
    r"|\w+m(?:ıyoruz|iyoruz|uyoruz|üyoruz)|sakın"
    r"|(?:dokun|kullan|yap|ekle|sil|değiştir|koy|yaz)m[ae](?:y[ıi]n)?|alltid|aldrig|hädanefter"
    r"|från och med nu|framöver|altid|aldri|fra nu af|fra nå av|aina|älä koskaan|tästä lähtien"
    r"|завжди|ніколи|відтепер|надалі|не використовуй|vždy|nikdy|odteď|od teď|nepoužív\w+|mindig"
    r"|soha|mostantól|întotdeauna|niciodată|de acum (?:înainte|încolo)|πάντα|ποτέ|luôn"
    r"|không bao giờ|từ (?:nay|giờ)|selalu|jangan|mulai sekarang|हमेशा|कभी)(?!\w)|必ず|絶対に?"
    r"|常に|いつも|今後は?|これから(?:は)?|今から|ないで(?:ください)?|禁止|使わない|使いません"
    r"|べきではない|やめて|以后|今后|从现在(?:开始|起)|总是|永远|一定要|必须|务必|绝不|千万|不要"
    r"|禁止|我们不|别再|不得|항상|절대|앞으로(?:는)?|이제부터|반드시|무조건"
    r"|지 ?마(?:세요|라)?(?=\W|$)|않습니다|안 ?(?:씁|써)|금지|دائما|أبدا|من الآن"
)
#: This and not that; wrong, it is like this; already told.
_CORRECTED = spoken(
    r"(?:, ?(?:und )?(?:nicht|kein\w*)\s|\bund nicht\s|\bnicht\b.{1,40}\bsondern\b"
    r"|\b(?:statt|anstatt|anstelle)\b|\bdas ist (?:falsch|nicht richtig)"
    r"|\b(?:schon|bereits) (?:\w+ )?gesagt|, ?(?:et )?(?:pas|non pas|jamais)\s|\bau lieu d[e'u]"
    r"|\bplutôt que?\b|c'est faux|ce n'est pas (?:ça|correct|juste)|(?:déjà|deja) dit"
    r"|, ?(?:y )?no (?!(?:luck|effect|success|difference|idea|dice)\b|change[.!]?$)\w"
    r"|\ben (?:vez|lugar) de\b|está mal\b|no es (?:correcto|así)"
    r"|ya te (?:lo )?(?:dije|he dicho)|, ?(?:e )?não \w|\bem (?:vez|lugar) d[eoa]|está errado"
    r"|já (?:te )?(?:disse|falei)|, ?(?:e )?non \w|\binvece (?:di|che)|è sbagliato|ti ho già detto"
    r"|, ?(?:en )?niet\s|\bin plaats van\b|dat (?:is fout|klopt niet)|al gezegd|, ?(?:a )?nie\s"
    r"|\bzamiast\b|to (?:jest )?(?:źle|błąd)|już (?:ci )?mówiłem|, ?(?:а )?не\s|\bвместо\b"
    r"|это (?:неправильно|неверно)|я (?:же )?(?:уже )?(?:говорил|сказал)|\bdeğil\b|\byerine\b"
    r"|(?:bu )?yanlış|(?:sana )?söyle(?:miş)?di?m|, ?(?:och )?inte\s|\bistället för\b"
    r"|, ?(?:og )?ikke\s|\bi stedet for\b|, ?(?:а )?ні\s|\bзамість\b|, ?(?:a )?ne\s|\bmísto\b"
    r"|, ?nem\s|\bhelyett\b|, ?nu \w|\bîn loc de\b)|ではなく|じゃなくて?|の代わりに|間違って"
    r"|違います|而不是|代替|不是(?!这|那).{1,20}(?:而)?是|(?:^|[，。,.]) ?不对(?=[，,。:：]? ?.)"
    r"|不要用|别用|말고|대신|아니라|틀렸"
)
_PREFERRED = spoken(
    r"\b(?:ich (?:bevorzuge|mag|hasse|möchte (?:immer|nie|lieber)|will (?:keine?|nie))"
    r"|lieber (?:\S{1,40} ){1,8}?als|mir ist \w+ lieber|je préfère"
    r"|j'aime (?:pas|mieux)|je déteste|prefiero|me gusta que|no me gusta|prefiro|não gosto"
    r"|gosto de|preferisco|non mi piace|ik (?:heb liever|verkies)|liever|wolę|preferuję|nie lubię"
    r"|(?:я )?предпочитаю|мне (?:больше )?нравится|мне не нравится|tercih ed\w+|jag föredrar"
    r"|jeg foretrækker|preferuji|віддаю перевагу)(?!\w)|の方が好き|を好み|が好きです|我(?:更)?喜欢"
    r"|我偏好|선호|더 ?좋아|[은는한] ?게 ?(?:더 ?)?(?:좋|낫)"
)
_DECIDED = spoken(
    r"\b(?:wir (?:nehmen|haben (?:uns )?(?:(?:für|gegen) \w+ )?(?:entschieden|beschlossen)|bleiben"
    r" bei|gehen mit|setzen auf)|entscheidung|on (?:part sur|a décidé|va utiliser|garde|reste sur)"
    r"|nous avons (?:décidé|choisi)|décision|vamos (?:con|a usar|com|usar)|hemos decidido"
    r"|decidimos|nos quedamos con|ficamos com|abbiamo (?:deciso|scelto)|andiamo con"
    r"|we (?:kiezen|gaan) (?:voor|met)|we hebben (?:besloten|gekozen)|zdecydowaliśmy|wybieramy"
    r"|идём с|(?:мы )?(?:решили|выбрали|берём|остаёмся)|karar verdik|kullanacağız"
    r"|vi (?:kör|har bestämt|går med)|rozhodli jsme)(?!\w)|にします|に決め|ことにした|我们决定"
    r"|就用|采用|하기로|로 ?결정"
)
_ASKS = spoken(
    r"[?\uff1f] ?$|^[¿]|^(?:kannst|könntest|können|warum|wieso|weshalb|wie|was|wo|woher|wohin|wer"
    r"|wen|wem|wann|welche[mnrs]?|gibt es|peux|pourquoi|comment|quand|quel(?:le)?s?|combien|puedes"
    r"|por ?qu[eé]|cómo|dónde|cuándo|cuál(?:es)?|qué|pode|puoi|perché|waarom|hoe|kun je|czy|можешь"
    r"|почему|как)\b"
    r"|^(?:mi|me|puoi|puedes|pode|peux-tu|tu peux) (?:spieg\w+|explic\w+|expliqu\w+)\b"
    r"|(?:ですか|ますか|吗|呢) ?[。?]?$"
)
#: A step of the work: "zieh erst main und sag mir, was sich geändert hat".
_ORDERS = spoken(
    r"^(?:bitte )?(?:zieh|mach|bau|schau|guck|prüf|fix|lösch|änder|schreib|teste|starte|nimm|geh"
    r"|lies|zeig|sag|erklär|räum|verschieb|entfern|check|füg|mergen?|push|pull"
    r"|committ?e?)e? (?:erst|mal|bitte|jetzt|noch|kurz|schnell|nochmal|mir|den|dem|das|die|der"
    r"|ein\w*|alles)\b(?!.{0,300}\b(?:immer|nie|niemals|jed\w{1,3}|künftig|stets|bevor|wenn"
    r"|ab (?:jetzt|sofort)|in zukunft)\b)"
)
#: In many languages "still" contains the word for "always", but is about this moment.
_STILL = spoken(
    r"\b(?:immer noch|noch immer|immer wieder"
    r"|toujours (?:pas|aussi|(?:l[ae]s?|en) (?:même|panne|erreur)s?)"
    r"|(?:ne|n'\w+) (?:\w+ )?toujours pas|(?:si|se)mpre (?:l[oae']|gli|il|[oa]) ?(?:stess|mesm)\w+"
    r"|siempre (?:el|la|lo)s? mism\w+|még mindig|altijd nog|nog altijd|zawsze ten sam"
    r"|mereu aceea(?:și|si)|alltid samma)\b"
)
#: Not yet: "zeig mir erstmal nur den Fehler", "não dá push ainda".
_NOT_YET = spoken(
    r"\b(?:erst ?mal|noch nicht|pas encore|todavía|ainda|nog niet|non ancora|пока не"
    r"|jeszcze nie)\b|まだ|先不要|还不"
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
