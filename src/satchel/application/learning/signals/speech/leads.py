"""Lead-ins of a statement: fillers, objections, marks ("note:"), praise.

One sentence each, apostrophes straight, without case; linear in the sentence, repetitions are
bounded.
"""

from __future__ import annotations

from satchel.storage.kept_patterns import spoken

#: Also a smile: "ok nice :) one thing: ...".
_GAP = r"(?:[:;]\)|[\s,.:!\u2013\u2014-]){1,60}"
#: Words that only introduce a statement.
FILLER = spoken(
    r"(?:(?:ok(?:ay)?|kk?|so|and|but|yeah|yes|yep|sure|well|also|now|then|hey|hi|hm+|oh|ah|please"
    r"|pls|plz|just|ugh|look|alright|right|dude|bro|mate|great|nice|cool|good(?! to know)|thanks"
    r"|thank you|(?:thanks|thank you) (?:(?:very|so) much|a lot|again)|um+|uh+|haha|fwiw|huh|top"
    r"|agreed|fair(?: enough)?|(?:that )?makes sense"
    r"|(?:good )?(?:morning|evening|catch|point)"
    r"|(?:that(?:'?s| is) (?:expected|fine|ok(?:ay)?|normal)|interesting|known|true|funny|classic)"
    r"(?= ?[,;.])"
    r"|sorry to (?:be (?:an? (?:pain|nuisance|bother)|that guy|difficult|picky|pedantic)|nag"
    r"|bother(?: you)?|repeat myself)|sorry|(?:(?:one )?last thing|one more(?: thing)?)(?= ?[:,])"
    r"|one more thing|another thing"
    r"|excuse me|pardon(?: me)?|i(?:'m| am) (?:(?:very|so|really) )?sorry"
    r"|@?(?:claude|codex|gemini|copilot|cursor)(?= ?[,:])"
    # Courtesies that bind nobody less.
    r"|if (?:at all )?possible|if it'?s all the same to you|if you don'?t mind"
    r"|while (?:you(?:'?re| are)?|we(?:'?re| are)?|ur) at it"
    r"|(?:you|we|he|she|they|[a-z]{2,20})(?:'re| (?:is|are|was|were)) (?:\w{1,20} )?right that"
    # What was looked for: "ah that was it: the sensor is on 0x77".
    r"|(?:(?:that|this|it)(?:'s| was| is) (?:it|the (?:problem|bug|reason|cause|culprit))"
    r"|found (?:it|the (?:problem|bug|reason|cause|culprit))|mystery solved|solved"
    r"|turns out(?: that)?)(?= ?(?:[:;,\u2013\u2014]|-\s))|first(?:ly)?(?= ?:)"
    r"|second(?:ly)?(?= ?[:,])|third(?:ly)?(?= ?[:,])|lastly|apparently"
    r"|(?:small |quick |new )?(?:update|correction|idea|plan|change(?: of plans?)?)(?= ?:)"
    r"|\u00fcbrigens|by the way|basically|generally|guys"
    r"|th(?:at|is|ats)(?:'s| is)? (?:only |just )?because|the way it works is(?: that)?"
    r"|the thing is(?: that)?|i think(?: that)?|i mean|i (?:disagree|don't agree)|you know|yet"
    r"|once more|as far as i know|afaik|(?:wait )?before you (?:go on|continue|start)"
    r"|just to be clear|to be clear|one thing(?! (?:at|per)\s)|come on|listen|wow|good to know"
    r"|before i forget|to answer (?:your|the) question|my (?:fault|bad|mistake)"
    r"|(?:short|long)(?:er)? answer|i don'?t (?:think|know if) (?:anybody|anyone|i|we)"
    r"(?:'ve| have)? (?:ever )?(?:told|mentioned|said)(?: (?:you|it|this|that|to you)){0,2}"
    r"(?: (?:yet|before|already))?|since you keep \w{2,20}ing (?:it|that|them|those)(?= ?[:,])"
    r"|let me (?:explain|tell you|show you) how [^:.?!\n]{2,60}(?=:)"
    r"|let'?s write (?:it|this|that) down(?=:)|it'?s always the same(?=:)"
    # Who said it: "yesterday I talked with the client and they said ...".
    r"|(?:(?:yesterday|today|this morning|last week|just now) )?(?:i|we) (?:just )?(?:talked|spoke"
    r"|(?:had|got off) an? (?:call|meeting)) (?:to|with) (?:[\w'-]{1,30} ){1,7}?"
    r"(?:(?:and )?(?:he|she|they) (?:said|says|say|confirmed|told (?:me|us))(?: that)?"
    rf"|and(?= (?:we|our|nobody)\s))|und|aber|bitte|mais|pero|por favor)\b{_GAP})"
)
#: Says that something done or believed is wrong.
OBJECTION = spoken(
    r"(?:forget (?:about )?(?!to\b)[^,;.]{2,40}, (?=(?:we|the|i|our|team|it|its|it's|they|use)\b)"
    r"|(?:no,? wait|wait,? (?:no|actually)|actually,? no|scratch that|nein|nee|non|não|нет|nej"
    r"|nem)\b[,.:!\u2014-]{1,6} ?(?:(?:bitte|por favor|пожалуйста|lütfen)\b[\s,]{1,4})?"
    # Louder than "no".
    r"|(?:(?:(?:oh|god|hell|heck|lord|jesus|omg)[\s,]{1,3}){1,3}(?:no{1,9}|please not?)"
    r"|(?:absolutely|certainly|definitely|of course|please|better) not|no way)"
    r"\b[,.:!\u2014-]{1,60} ?"
    r"|(?:das (?:geht|passt|ist|stimmt) (?:so )?nicht(?: so| richtig)?|so nicht"
    r"|das ist (?:so )?falsch|as\u00ed no|eso no(?: es as\u00ed)?|no es as\u00ed|eso est\u00e1 mal"
    r"|(?:\u00e7a|ca) (?:ne )?va pas|c'est (?:pas \u00e7a|faux)|pas comme \u00e7a)"
    r"\b[,.:!\u2014-]{1,6} ?"
    r"|(?:no{1,9}(?:pe)?|nah|(?:still )?(?:wrong|incorrect)(?: again)?|false|actually|not quite"
    r"|again|seriously|stop|wait|hold on|argh|dude|man|rejected|denied)\b[,.:!\u2014-]{1,60} ?"
    r"|not (?:like (?:that|this)|here|there) ?[,.:;!\u2014-]{1,6} ?"
    r"(?=(?:we|i|our|the|it|use|\w{3,20}s (?:go|are|live|belong))\b)"
    r"|(?:wait,? )?(?:actually|seriously) |(?:no(?:pe)?|nah) (?=(?:no\b|nope|we|use|that|it|it's"
    r"|its|don't|dont|the|this|you|always|never|please|put|i|wrong|not)\b)|(?:no,? )?"
    r"(?:that|this|it)(?:['\u2019]?s| is| was)(?:n['\u2019]?t| not)? (?:\w{1,40} ){0,2}?(?:wrong"
    r"|incorrect|false|right|correct|true|what i \w{1,40}(?: for)?|how (?:we|i|it)\b[\w\s]{0,30}?"
    r"|the way we\b[\w\s]{0,30}?) ?[,.:;!\u2014-]{1,60} ?"
    r"|(?:i|you) (?:was|were|am|are) (?:wrong|mistaken)"
    r"(?: (?:yesterday|earlier|before|there|about (?:that|this|it)))? ?[,.:;!\u2014-]{1,60} ?"
    r"|(?:that|this|your) \w{1,20} (?:is|was) (?:wrong|incorrect|outdated|stale) ?"
    r"[,.:;!\u2014-]{1,60} ?|(?:like|as) i (?:already )?(?:said|told you|mentioned)"
    r"(?: (?:before|already|earlier|yesterday|last time))? ?[,:]? "
    r"|i(?:['\u2019]ve| have)? (?:already |just )?"
    r"(?:told|said|asked|mentioned|explained) (?:(?:you|this|it|to you)\b[\s,]{1,4})*"
    r"(?:already|before|twice|many times|again|once)?[\s,:.]*(?:that |to )?"
    r"|(?:for the \w{1,40} time|(?:that(?:'s| is)|this is) (?:now )?the \w{2,12} time(?: (?:now"
    r"|already))?|how (?:many times|often)\b[^,:;?!]{0,60}|once again) ?[,:?!] ?"
    r"|i keep (?:telling|saying|asking|repeating)\b[^,:;]{0,20}[,:] ?(?:that )?"
    r"|(?:didn't|did) i (?:not )?(?:say|tell you|ask(?: for)?|mention)\b[\s,:]*(?:that )?"
    r"|(?:come on|we(?:'ve| have) been (?:over|through) this)\b[\s,.:]*|i meant? (?:that )?"
    r"|you (?:got|have) (?:it|that|this) (?:backwards?|wrong|the wrong way round) ?[,.:] ?"
    r"|wrong (?:approach|command|directory|folder|place|tool|table|library|name) ?[,.:] ?"
    r"|you (?:keep|always) (?:forget\w{0,40}|ignor\w{0,40}) (?:that|to) "
    r"|you (?:forgot|ignored) that )"
)
#: Says on purpose that something is worth keeping.
MARKER = spoken(
    r"(?:(?:an? )?(?:quick |small |side )?(?:note|reminder|thing) before i forget ?[:,] ?"
    r"|(?:please )?(?:save|store|memori[sz]e|remember|note|keep) (?:this|that|it) for (?:next time"
    r"|later|(?:the )?future(?: reference)?) ?[:,] ?|(?:important|note|nb|n\.b\.|fyi|btw|psa"
    r"|gotcha|tip|hint|reminder|warning|caution|careful"
    r"|remember|attention|beware|context|info|fact|heads[-\s]?up|lesson(?: learn(?:ed|t))?"
    r"|rule(?: of thumb)?|convention|policy|til|pro ?tip|side ?note|quick note|small note"
    r"|known issue|caveat|memo|style|preference) ?[:\u2013\u2014-]{1,60} ?|(?:fyi|btw|by the way"
    r"|heads[-\s]?up|reminder|psa|gotcha|watch out|beware|careful|attention)\b[\s,:.!]*"
    r"(?:that |here[\s,:]{1,60}|with this[\s,:]{1,60}|about this[\s,:]{1,60})?"
    r"|for (?:(?:your|my|the|future) )*"
    r"(?:reference|context|record|information|info|next time)\b[\s,:]*|jsyk\b[\s,:]*|(?:just )?"
    r"(?:so (?:that )?you(?:['\u2019]re| are)? (?:know|aware)|to let you know)\b[\s,:]*(?:that )?"
    r"|(?:please )?(?:(?:always )?(?:keep|bear|have) in mind|be aware|note(?: down)?|remember"
    r"|(?:take|make) (?:a )?note|mind(?: you)?|don['\u2019]?t forget|do not forget|never forget"
    r"|be advised)[\s,:]{1,60}(?:that |also )*(?=\w)"
    r"|you (?:should|need to|have to|must|ought to) know[\s,:]{1,60}(?:that )?"
    r"|did you know[\s,:]{1,60}(?:that )?|(?:you (?:may|might) want to know"
    r"|i should (?:perhaps |probably |maybe )?(?:say|mention|add)"
    r"|it (?:might|may|could) be (?:worth knowing|useful to know|good to know))[\s,:]{1,60}"
    r"(?:that )?|(?:one |some |the |a )?(?:important |other )?(?:things?|details?|quirks?) "
    r"(?:to (?:know|note|remember|keep in mind)|worth knowing)(?: (?:is|here))?[\s,:]*(?:that )?"
    r"|(?:it(?:['\u2019]s| is) )?worth (?:knowing|noting|remembering)[\s,:]{1,60}(?:that )?"
    r"|(?:the|our|my|a) (?:\w{1,40} )?(?:rule|convention|policy|agreement|standard)"
    r"(?: (?:here|is))* ?(?:[:,] ?| that )"
    r"|be (?:very |extra )?careful (?=(?:with|about|when|around)\b)"
    r"|(?:it )?turn(?:s|ed)? out(?: that)?[\s,:]{1,60}|lesson learn(?:ed|t)[\s,:]{1,60}"
    r"|(?:(?:i|we) )?(?:(?:found|got|nailed|solved) it(?: in (?:the|my|an?) \w{1,20})?"
    r"|figured it out|tracked it down) ?[,:\u2013\u2014-]{1,6} ?(?:that )?"
    r"|(?:(?:i|we) )?(?:just )?(?:found|figured) out that |what (?:i|we) (?:found|figured) out is "
    r"(?:that )?|(?:(?:i|we) )?(?:found|figured out) (?:the|why|what)\b[^,:]{0,40}[:\u2013\u2014] ?"
    r"|(?:the )?(?:(?:actual|real|root) )?(?:problem|bug|issue|cause|culprit|reason) "
    r"(?:was|turned out to be) that |(?:save|store|memori[sz]e|write (?:down|to memory)"
    r"|add to (?:memory|claude\.md|agents\.md))(?: (?:this|that))? ?[:,] ?)"
)
GENERAL_LEAD = spoken(
    r"(?:unless (?:i|we|told|stated|someone)\b[^,]{0,30}(?=,)"
    r"|(?:from (?:now|here|today) on(?:wards?)?|from now onwards?|going forwards?|moving forwards?"
    r"|in (?:the )?future|in general|as a (?:general )?rule(?: of thumb)?|by default|next time"
    r"|for (?:the )?next time|around here|generally|usually|normally|starting (?:now|today)"
    r"|for (?:the )?future(?: \w{1,40})?|in (?:this|our|the) (?:repo(?:sitory)?|project|codebase"
    r"|code base|monorepo|team|company|org|app|workspace))\b)[\s,:]*"
)
PRAISE = spoken(
    r"(?:(?:perfect|great|excellent|exactly|yes|nice|lovely|awesome|good|beautiful"
    r"|brilliant)\b[\s,.!]*)*(?:(?:that|this|it)(?:['\u2019]s| is) )?(?:exactly )?"
    r"(?:just |exactly )?(?:like (?:that|this)[\s,.]{1,60})?"
    r"(?:(?:that|this|it)(?:['\u2019]s| is) )?(?:exactly |just |precisely )?(?:how|the way|what"
    r"|the (?:style|kind|format|level|tone)(?: of [\w\s]{1,30})?) (?:i|we) (?:always )?"
    r"(?:like|want|prefer|love|expect)(?: (?:it|them|to (?:see|have)))?\b ?"
)
DECIDES = spoken(
    r"(?:(?:final )?(?:decision|decided|agreed|settled|verdict|change of plans?)\b"
    r"(?: (?:made|is))? ?[:,\u2013\u2014-]{1,60} ?(?:that )?|(?:let'?s|lets|to) (?:settle|decide) "
    r"(?:it|this|that)(?: (?:now|then|once and for all))? ?[:\u2013\u2014] ?"
    r"|(?:the )?(?:final )?decision (?:is|was) (?:that |to )?)"
)
#: What the agent did not do, and should do next time.
SHOULD_HAVE_USED = spoken(
    r"^you (?:should|could|ought to|were supposed to|were meant to) (?:have )?(?:used|use|asked"
    r"|called|followed|checked|reused|read|imported|run) \S{1,60} \S"
)
#: Asked like a question, meant like a rule.
ASKED_RULE = spoken(
    r"^(?!.{0,120}\b(?:warum|wieso|weshalb|wie|was|ob|wann|pourquoi|comment|si|por qu\S|perch\S"
    r"|waarom|hoe|of)\b)(?:(?:kannst|k\u00f6nntest) du (?:bitte )?"
    r"(?=.{0,120}\b(?:immer|nie|niemals|k\u00fcnftig|ab jetzt)\b)"
    r"|(?:tu (?:peux|pourrais)|(?:peux|pourrais)[-\s]tu) (?=.{0,120}\b(?:toujours|jamais"
    r"|d\u00e9sormais)\b)|(?:puedes|podr\u00edas) (?:por favor )?(?=.{0,120}\b(?:siempre|nunca)\b)"
    r"|(?:voc\u00ea )?(?:pode|poderia) (?:por favor )?(?=.{0,120}\b(?:sempre|nunca)\b)"
    r"|(?:puoi|potresti) (?:per favore )?(?=.{0,120}\b(?:sempre|mai)\b)"
    r"|kun je (?:alsjeblieft )?(?=.{0,120}\b(?:altijd|nooit|voortaan)\b))"
    r"|^(?:can|could|would|will) (?:you|we) "
    r"(?:please |pls |just |also |make sure (?:that )?(?=whenever\b))*(?=(?:always|never"
    r"|from now on|stop|not\b|in (?:the )?future|whenever\b"
    r"|(?:use|stick|keep|put|write|name|run|add|show)\b[^?]{3,120}\s(?:from now on|every time"
    r"|in (?:the )?future)\b|use\b.{1,40}\b(?:instead|not|rather)"
    r"|(?:keep|make) (?:your |the )?(?:answers?|replies|explanations?|summaries|messages)\b))"
)
#: "Also remember that ...", "for future reference: ...": an explicit request.
ASKED_TO_REMEMBER = spoken(
    r"^\W{0,8}(?:\w{1,12}[\s,]{1,4}){0,2}(?:remember(?: that\b| ?:)|don't forget(?: that\b| ?:)"
    r"|(?:for future reference|make a note|take note|note down)\b)"
)
REMEMBER_TO = spoken(r"^(?:to|adding|running|using|updating) \w{1,40}")
#: A question that objects: the next sentence corrects.
CHALLENGES = spoken(r"^(?:why|how come) (?:do|are|did|would|does|is) you\b")
#: "You used print again, we have a logger for that": what was done, and what to do instead.
TOLD_OFF = spoken(
    r"^you(?:'ve| have)? (?:used|put|wrote|made|picked|chose|created|added|named"
    r"|called|renamed|logged|bumped"
    r"|treated|took|placed|mocked|copied|hardcoded|did|imported|installed)\s[^,;.]{1,60}[,;] "
    r"(?:but )?(?:we(?:'ve)? (?!need\b|should\b|have to\b|can\b|could\b)\w"
    r"|it (?:comes|lives|belongs|is generated)|they (?:come|live|belong|are)|there(?:'s| is) an?\b"
    r"|\w{4,30}s are enough|the \w{2,30} (?:lives|is in|goes|belongs))"
)
#: "That's not how we do errors here, we ...": what it is about.
NOT_HOW = spoken(
    r"^(?:no,? )?that'?s not (?:how|the way) we (?:do|handle|name|write|log|test|structure) "
    r"(?P<topic>[\w-]{3,30}(?: (?!here\b)[\w-]{1,30}){0,2})(?: here)?,\s"
)
#: "Forget the ticket in the commit message, we do that in the PR title": what it is about.
FORGET_IT = spoken(
    r"^(?:(?:ok(?:ay)?|and|so|no|please)\b[\s,]{1,4}){0,2}forget (?:about )?(?:the |our )?"
    r"(?P<topic>(?!what\b|it\b|that\b|this\b|everything\b)[\w-]{2,30}(?: [\w-]{1,30}){0,5}),\s"
)
#: Refers to an action, which must have been mentioned before.
DO_THAT = spoken(
    r"^we (?:(?:now|only|always|just) )?(?:do|put|keep|have|write|handle|use|store|send) "
    r"(?:that|this|it|those|them) (?:\w{1,20} ){0,3}?(?:in|on|with|by|via|at|through|from)\s"
)
#: Decides about what was mentioned before: "i decided we do those only on the big machine".
DO_THOSE = spoken(
    r"^(?:i (?:have )?decided (?:that )?)?we (?:only |always )?"
    r"(?:do|run|keep|put|make) (?:those|these|them)\b"
)
#: How to take the sentence before: "nullable first, then fill. always in that order"; "one line
#: is enough. always like that in release notes".
IN_THAT_ORDER = spoken(
    r"^(?:(?:always|only|never|strictly) )?"
    r"(?:in|like|by) (?:that|this) (?:order|sequence|way)\b(?:[\s,]{1,4}\w{1,12}){0,3}$"
    r"|^(?:always|only|never) (?:like (?:that|this)|so)(?=$|[\s,])"
)
#: Ends with what belongs to somebody of the sentence before: "tickets go to their jira".
THEIRS = spoken(
    r"^(?:\w{1,20} ){1,5}(?:to|via|through|in|on|with|into) (?:their|his|her) [\w-]{2,30}$"
)
#: "It is better to ...", "it'd be good if ...", "it must not be used the mean": stands for nothing.
IMPERSONAL = spoken(
    r"^it(?:'?s|'d be| (?:is|was|has to be|(?:would|might|must|should|can|may)(?: not)? be)) "
    r"(?:(?:not|much|very|really|always|a bit|\w{2,12}ly) ){0,2}(?:(?:better|best|good|nice|nicer"
    r"|kind|important|forbidden|prohibited|allowed|necessary|enough|easier|safer|useful|helpful"
    r"|great|normal|worth|possible|impossible|dangerous"
    r"|wise) (?:(?:for|of) \w{2,12} )?(?:to|if|that|when)\b|\w{2,20}ed (?:the|always|only)\b)"
)
#: Names no owner, which the sentence before does: "port is 5544 here", "the new one lives in lib/".
ELLIPTIC = spoken(
    r"(?:the (?:new|old|other|right|first|second|last|real) ones?\b"
    r"|(?:port|host|path|url|address|user|password|region|timeout|limit|default|version|key|name"
    r"|format|encoding) (?:is|are|has to be|must be)\b)"
)
#: Says by itself that something believed is wrong.
DENIES = spoken(r"(?:it|that|this|they|there)(?:'s|'re| is| are)? (?:not|no longer|isn't|aren't)\b")
