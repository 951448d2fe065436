import type { FindingKind } from './finding.ts'

// Phrases that are told by their words: hiding something from the one who is served, switching guards off, claiming rights,
// poisoning what is remembered, acting with what belongs to the user. Each row is looked at where one of its heads stands.

/**
 * What a phrase tells alone, or the name of a sign that a person may give as well: two signs of different names close to each other
 * tell what none of them tells alone.
 */
export type PhraseWeight =
  | 'alone'
  | 'call'
  | 'hush'
  | 'guard'
  | 'right'
  | 'standing'
  | 'account'
  | 'authority'

export interface PhraseRow {
  readonly kind: FindingKind
  readonly weight: PhraseWeight
  /** First words, folded, separated by blanks. */
  readonly heads: string
  /** What follows the head. A blank stands for any white space, `%n` for up to n words of any kind. */
  readonly then: string
  /** Only where an order stands: first in its clause, after a comma, or after a linking word. */
  readonly isOrder?: true
  /** Not in a sentence that has this in it. */
  readonly unless?: RegExp
}

const USER = '(?:users?|humans?|owners?|operators?|customers?)'
const SECRETS =
  '(?:passwords?|passcodes?|passphrases?|credentials?|api keys?|access keys?|access tokens?|private keys?|secret keys?|login|one-time codes?|pin)'
const GUARDS =
  '(?:confirmations?|confirmation prompts?|approvals?|(?:content|safety|security|signature|permission|identity|fraud|virus|integrity|policy|code)[ -](?:checks?|filters?|reviews?|scans?|rules?|polic(?:y|ies)|warnings?|prompts?|measures?|layers?|verification)|safeguards?|guardrails?|moderation|logging|audit(?: logs?| logging| trail)?|warnings?|verification|reviews?|two-factor(?: authentication)?|2fa|antivirus|virus scanner|checks?|restrictions?)'
const MAY_NOT =
  /(?<!\p{L})(?:not|never|nobody|must|may|darf|dürfen|nicht|nie|kein\w*|pas|jamais|nunca|jamás|prohibid\w+|não|non|mai|niet|нельзя|запрещено)(?!\p{L})/iu
const IN_ERROR =
  /(?<!\p{L})(?:error|mistake|intended|unintended|irrtümlich|versehentlich|erreur|equivocad\w+|por error|engano|errore|ошибочно)(?!\p{L})/iu

const HUSH: readonly PhraseRow[] = [
  {
    kind: 'assistant_directive',
    weight: 'alone',
    heads: "not never don't dont without",
    then: ` (?:ever )?(?:mention|mentioning|list|log|record|report|note|include|disclose)(?: any of)? (?:this|it|that|these|them)(?: %1(?:steps?|messages?|notes?|instructions?|requests?|rules?|texts?|lines?|comments?|entry|entries|actions?|changes?))?(?: (?:in|to) (?:the|your|any|his|her) %2(?:summary|report|logs?|answers?|reply|replies|responses?|output|history|${USER}|changelog|description)| (?:to|with) (?:anyone|anybody) else)`,
  },
  {
    kind: 'assistant_directive',
    weight: 'alone',
    heads: "not never don't dont without",
    then: ' (?:ever )?(?:mention|mentioning) (?:this|these) (?:steps?|messages?|notes?|instructions?|requests?|rules?|texts?|lines?|comments?|commands?)',
  },
  {
    kind: 'assistant_directive',
    weight: 'alone',
    heads: "not never don't dont without",
    then: ' (?:ever )?(?:say|reveal|revealing|admit|admitting|mention|mentioning|disclose|tell~2)(?: that)? (?:(?:this|it) is an?|you (?:were|are|have|had|received|got|did)|being|having been)',
  },
  {
    kind: 'assistant_directive',
    weight: 'hush',
    heads: "not never don't dont without no",
    then: ` (?:ever |need to )?(?:tell|telling|bother|bothering|inform|informing|ask|asking|warn|warning|notify|notifying) (?:anyone|anybody|him|her|them|the %2(?:officer|team|admin|${USER})|${USER})`,
  },
  {
    kind: 'assistant_directive',
    weight: 'alone',
    heads: 'keep',
    then: ' (?:this|these|the|that) (?:rules?|instructions?|steps?|messages?|notes?|requests?|tasks?|commands?|changes?) (?:a secret|secret|hidden|to yourself|between us|from the %1)',
    isOrder: true,
  },
  {
    kind: 'assistant_directive',
    weight: 'hush',
    heads: 'keep',
    then: ' (?:this|it|that|all of this)(?: strictly| just| only)? (?:a secret|secret|between us|between you and me|hidden|to yourself|quiet)',
    isOrder: true,
  },
  {
    kind: 'assistant_directive',
    weight: 'hush',
    heads: 'hide',
    then: ' (?:it|them|this|these|that|all|any)~3(?:from (?:the |him|her)|warnings?|alerts?|$|[.,;!])',
    isOrder: true,
  },
  {
    kind: 'assistant_directive',
    weight: 'alone',
    heads: 'delete erase remove',
    then: ' this (?:message|mail|e-?mail|note|instruction)~1(?: afterwards?| then| from|$|[.,;!])',
    isOrder: true,
    unless: IN_ERROR,
  },
  {
    kind: 'assistant_directive',
    weight: 'hush',
    heads: 'tell inform notify',
    then: ' (?:him|her|them|the user|the customer)~2 only (?:if|when)',
  },
  {
    kind: 'assistant_directive',
    weight: 'hush',
    heads: 'quietly secretly silently covertly discreetly stay',
    then: ' (?:silent|quiet|bcc|cc|send|copy|forward|upload|add|create|delete|remove|export|transfer|share|change|grant|mail|email|post|collect)(?!\\p{L})',
    isOrder: true,
  },
]

const MORE_HUSH: readonly PhraseRow[] = [
  {
    kind: 'assistant_directive',
    weight: 'hush',
    heads: 'user users owner owners customer nobody reader reviewer',
    then: ' (?:must|should|may|need|shall) (?:not |never )?(?:know|notice|see this|hear|find out|be told)(?!\\p{L})',
  },
  {
    kind: 'assistant_directive',
    weight: 'hush',
    heads: 'delete clear wipe remove erase',
    then: ' (?:the |all |your |any )*(?:shell history|bash history|command history|browser history|chat history|sent item|sent mail|traces?|logs?)(?!\\p{L})',
    isOrder: true,
  },
]

const ELSEWHERE: readonly PhraseRow[] = [
  {
    kind: 'assistant_directive',
    weight: 'hush',
    heads: 'ohne',
    then: ' (?:dass )?(?:den |die |das |dem |der )?(?:\\p{L}*nutzer(?:in)?|anwender(?:in)?|kunden?|user|jemanden)~2 (?:zu )?(?:informieren|benachrichtigen|fragen|warnen|unterrichten|merkt|erfährt)',
    unless: MAY_NOT,
  },
  {
    kind: 'assistant_directive',
    weight: 'alone',
    heads: 'sag sage sagt sagen teile verrate erzähle erzähl informiere benachrichtige erwähne',
    then: '(?: es| dies| das| davon| hiervon| diese\\p{L}*~1)(?: (?:dem|der|den|die))?(?: (?:\\p{L}*nutzer(?:in)?|anwender(?:in)?|user|niemandem?))~2(?: (?:nichts|nicht|mit|davon))?',
    unless: /(?<!\p{L})(?:bitte|wenn|sobald|dass)(?!\p{L})/iu,
  },
  {
    kind: 'assistant_directive',
    weight: 'hush',
    heads: "n'en ne sans",
    then: " (?:(?:en |le |la |les |lui )?(?:parle[rz]?|di[st]es?|dis|mentionne[rz]?|préviens|prévenez|prévenir|informe[rz]?|avertis|avertir|avertissez|signale[rz]?|demander)(?: (?:pas|rien|jamais|cela|ceci))*(?: à| de)? ?(?:personne|l['’]utilisat\\p{L}+|l['’]usager|ceci|cela))",
  },
  {
    kind: 'assistant_directive',
    weight: 'hush',
    heads: 'sin no nunca sem não senza non',
    then: " (?:se lo |le |lo |o |a |debes |deves |devi )*(?:avis\\p{L}+|inform\\p{L}+|notifi\\p{L}+|adviert\\p{L}+|advertir\\p{L}*|dec?ir\\p{L}*|digas?|cont(?:e|es|ar|em)|cuentes?|mencion\\p{L}+|menzion\\p{L}+|avvis\\p{L}+|avvert\\p{L}+|preguntar\\p{L}*|perguntar\\p{L}*|chiedere|parlarne|dirlo)(?: nada| niente| nulla| isto| isso| esto| questo)?~2 ?(?:(?:al?|ao?|à|l[’'])? ?)?(?:usuári[oa]|usuari[oa]|utilizador|utente|nadie|ninguém|nessuno)",
    unless: /(?<!\p{L})(?:debe|puede|deve|pode|può|permess\w+)(?!\p{L})/iu,
  },
  {
    kind: 'assistant_directive',
    weight: 'hush',
    heads: 'borra elimina apague apaga cancella supprime supprimez efface lösche удали verwijder',
    then: ' (?:luego |después |depois |poi |ensuite |danach |dann |потом |daarna )?(?:este|esta|questo|ce|cet|diese|das|это|dit) (?:mensaje|mensagem|messaggio|message|nachricht|сообщение|bericht|correo|courriel)',
    unless: IN_ERROR,
  },
  {
    kind: 'assistant_directive',
    weight: 'hush',
    heads: 'vertel zeg zonder',
    then: ' (?:dit |hier |de |het |aan )*(?:gebruiker|niemand)~2 (?:niets|niet|over|te (?:informeren|vragen|waarschuwen|melden))',
  },
  {
    kind: 'assistant_directive',
    weight: 'hush',
    heads: 'не никому без',
    then: ' (?:не )?(?:сообщай|говори|уведомляй|предупреждай|упоминай|рассказывай|ведома|уведомления)(?:те)?(?: (?:об этом|этого))?(?: пользовател\\p{L}+| никому|[ .,;!]|$)',
  },
]

const GUARD: readonly PhraseRow[] = [
  {
    kind: 'assistant_directive',
    weight: 'guard',
    heads: 'skip disable deactivate suspend bypass omit mute waive suppress',
    then: ` (?:all |any |the |its |your |every |further |those |these )*(?:%1)${GUARDS}(?!\\p{L})`,
    isOrder: true,
  },
  {
    kind: 'assistant_directive',
    weight: 'guard',
    heads: 'turn switch',
    then: ` (?:off (?:all |any |the |its |your |every )*(?:%1)${GUARDS}|(?:all |any |the |its |your |every )+(?:%1)${GUARDS} off)(?!\\p{L})`,
    isOrder: true,
  },
  {
    kind: 'assistant_directive',
    weight: 'guard',
    heads: 'without',
    then: ` (?:any |further |a |the |asking for |waiting for )*(?:checking (?:the |any )?(?:signatures?|identity|source|hash|permissions?)|asking|(?:further |any |more )?questions|review|confirmation|approval|checks?|warnings?|verification|restrictions?|limits?|filters?)(?!\\p{L})`,
    unless: MAY_NOT,
  },
  {
    kind: 'assistant_directive',
    weight: 'guard',
    heads: 'no',
    then: ' (?:need to (?:check|verify|ask|confirm)|time to (?:ask|check|verify|confirm)|confirmation (?:is )?(?:needed|required|necessary)|warnings|restrictions|filters|rules|limits)(?!\\p{L})',
  },
  {
    kind: 'assistant_directive',
    weight: 'guard',
    heads: 'confirmations warnings approvals checks',
    then: ' (?:only|just) (?:slow|annoy|delay|bother|waste)',
  },
  {
    kind: 'assistant_directive',
    weight: 'right',
    heads: 'restrictions restriction limits limitations filters safety guardrails safeguards',
    then: ' (?:layer |mode |rules? |checks? )?(?:(?:are|is|have been|has been|now) )*(?:lifted|removed|off|disabled|suspended|void|gone)(?!\\p{L})',
  },
  {
    kind: 'assistant_directive',
    weight: 'guard',
    heads: 'never',
    then: ' (?:wants?|needs?|asks?|refuses?|admit|refuse|warn)(?!\\p{L})(?: to (?:hear|know|see|be)~2 (?:warn\\p{L}+|alert\\p{L}+|risk\\p{L}*|asked|told|bothered)| any| being| a request| (?:approval|confirmation|a review|review|checking)(?!\\p{L}))',
  },
  {
    kind: 'assistant_directive',
    weight: 'guard',
    heads: 'alle sämtliche deaktiviere schalte überspringe umgehe',
    then: ' (?:ab sofort |ab jetzt |bitte |alle |sämtliche |die |der |den |jede )*(?:sicherheits\\p{L}+|bestätigung\\p{L}*|warnung\\p{L}*|protokollierung|rückfrage\\p{L}*|prüfung\\p{L}*|freigabe\\p{L}*|filter)(?: (?:ab|aus|abzuschalten|auszuschalten|abschalten|ausschalten|zu deaktivieren|deaktivieren|zu umgehen|zu überspringen)|[.,;!]|$)',
  },
  {
    kind: 'assistant_directive',
    weight: 'guard',
    heads:
      'désactive désactivez saute sautez contourne contournez desactiva desactive sáltate omite pule disattiva salta ignora ignore schakel отключи отключите пропусти сними',
    then: " (?:все |toutes? |tous |les? |la |las? |los |el |o |os |as? |il |i |gli |de |het |alle |todas? |todos |tutt[ei] |l['’])*(?:vérification|contrôle|filtre|confirmation|avertissement|journalisation|verificaci|comprobaci|confirmaci|control|filtro|aviso|registro|verificaç|confirmaç|verific|conferm|filtri|avvis|controle|bevestiging|waarschuwing|logging|провер|подтвержд|ограничен|фильтр|журнал|защит)",
  },
  {
    kind: 'assistant_directive',
    weight: 'guard',
    heads: 'ограничения sans sin sem senza ohne zonder без',
    then: ' (?:aucune |ninguna?|nenhuma? |alcuna? |alcun |jegliche |enige |всяких )? ?(?:limites?|restrictions?|filtres?|límites?|restricciones|filtros?|limite|restrições|limiti|filtri|restrizioni|einschränkung\\p{L}*|grenzen|filter|beperking\\p{L}*|ограничений|фильтров|сняты|отключены)(?!\\p{L})',
  },
]

const RIGHTS: readonly PhraseRow[] = [
  {
    kind: 'assistant_directive',
    weight: 'call',
    heads: 'while when whenever before',
    then: ' (?:you (?:are )?)?(?:(?:processing|summari[sz](?:ing|e)|reading|handling|indexing) (?:this|the) (?:e-?mail|mail|message|page|document|file|text|ticket|mailbox|review|issue)|(?:answer(?:ing)?|reply(?:ing)?|respond(?:ing)?|continu(?:e|ing)|proceed(?:ing)?|go(?:ing)? on)(?=[,.]))',
  },
  {
    kind: 'assistant_directive',
    weight: 'right',
    heads: 'you hast',
    then: ' (?:(?:now )?have (?:now |the |full |root |admin\\p{L}* |my )*(?:permissions?|rights?|authority|privileges|clearance)|(?:may|can) now|no longer (?:need|have) to (?:ask|check|confirm|verify)|(?:jetzt |nun |ab sofort )*(?:admin\\p{L}*rechte|alle rechte|volle rechte))(?!\\p{L})',
  },
  {
    kind: 'assistant_directive',
    weight: 'right',
    heads: 'run execute open start',
    then: " (?:the |this |that )?(?:attached (?:script|macro|file|program|binary)|%4(?:as root|with (?:root|admin\\p{L}*) (?:rights|privileges)|on the user['’]s (?:machine|computer|device|host)))",
    isOrder: true,
  },
  {
    kind: 'assistant_directive',
    weight: 'alone',
    heads: 'your',
    then: ' (?:%1)(?:permissions?|access|clearance|privileges?|authori[sz]ation|rights?)(?: level)?s? (?:has|have|is|are|was|were) (?:now |hereby )?(?:been )?(?:raised|elevated|escalated|(?:upgraded|extended|set|increased) to (?:root|admin\\p{L}*|full|system|developer|unrestricted|maximum))',
  },
  {
    kind: 'assistant_directive',
    weight: 'right',
    heads: 'authorize authorise permit authorized authorised cleared allowed',
    then: ' (?:you )?to (?:%1)(?:push|merge|approve|delete|remove|disable|bypass|skip|ignore|override|execute|run|transfer|pay|send|share|reveal|grant|access|change|install|deploy|spend|act)(?!\\p{L})',
  },
  {
    kind: 'assistant_directive',
    weight: 'right',
    heads: 'developer maintenance god debug unrestricted jailbreak',
    then: ' mode(?: (?:is )?(?:now )?(?:on|active|activated|unlocked)|,| granted)',
  },
  {
    kind: 'assistant_directive',
    weight: 'right',
    heads: 'режиме режим modo mode modus entwicklermodus',
    then: ' ?(?:разработчика|(?:de |do )?(?:desarrollador|desenvolvedor)|développeur|sviluppatore|sans restriction|[,.!])',
  },
  {
    kind: 'assistant_directive',
    weight: 'authority',
    heads: 'administrator admin developer ceo owner headquarters security order message legal',
    then: ' (?:of (?:this|your|the) (?:assistant|platform|system|model|repository)|speaking|from (?:openai|anthropic|google|microsoft|the (?:ceo|admin\\p{L}*|system))|of the (?:ceo|administrator|national)|has already (?:signed|approved))',
  },
  {
    kind: 'assistant_directive',
    weight: 'authority',
    heads: 'urgent urgente dringend urgente: срочно final',
    then: '~3 (?:ceo|director|chef|geschäftsführer|directeur|diretor|direttore|директор|notice|boss)',
  },
]

const STANDING: readonly PhraseRow[] = [
  {
    kind: 'assistant_directive',
    weight: 'alone',
    heads: 'update change extend amend replace',
    then: ' your (?:own |permanent |long-term |system |standing )*(?:rules?|memory|guidelines|instructions|system prompt|policy)\\s?[:,]',
    isOrder: true,
  },
  {
    kind: 'assistant_directive',
    weight: 'standing',
    heads: 'in from for',
    then: ' (?:(?:all|every|any|each) (?:later |future |subsequent |coming |following )+(?:conversations?|sessions?|chats?|answers?|replies|requests?|tasks?)|(?:today|this moment|this message)(?: on)?(?!\\p{L}))',
  },
  {
    kind: 'assistant_directive',
    weight: 'standing',
    heads: 'memorize memorise remember ab partir ora désormais dorénavant vanaf этого',
    then: ' (?:(?:this |it )?(?:permanently|forever|for good)|jetzt|sofort|de (?:ahora|agora)|in poi|nu|момента|tu|vous)(?!\\p{L})',
  },
  {
    kind: 'assistant_directive',
    weight: 'standing',
    heads: 'remember note save store keep memorize memorise learn',
    then: ' (?:this |that |it |the following )?(?:%2)(?:for|in|as|to|into) (?:a |an |the |your |all |every |any )*(?:(?:user|long-term|later|future|subsequent|coming|next|permanent|standing) )*(?:sessions?|conversations?|chats?|memory|memories|preferences?|rules?|requests)(?!\\p{L})',
    isOrder: true,
  },
  {
    kind: 'assistant_directive',
    weight: 'alone',
    heads: 'add write append save store put',
    then: ' (?:this |it |the following )?(?:%2)(?:to|into|in|as) your (?:own |permanent |long-term |system |standing )*(?:rules?|memory|memories|guidelines|instructions|system prompt|preferences)\\s?[:,]',
    isOrder: true,
  },
  {
    kind: 'assistant_directive',
    weight: 'standing',
    heads: 'add write append save store put lesson in from',
    then: ' (?:(?:this |it |the following )?(?:%2)(?:to|into|in|as) your (?:own |permanent |long-term |system |standing )*(?:rules?|memory|memories|guidelines|instructions|system prompt|preferences)|learned|(?:the )?future,|now on)',
  },
  {
    kind: 'assistant_directive',
    weight: 'standing',
    heads: 'whenever',
    then: ' (?:the user|someone|somebody|anyone|anybody|a user|he|she)~1 (?:asks?|mentions?|wants?|requests?|needs?|opens?|types?)(?!\\p{L})',
  },
  {
    kind: 'assistant_directive',
    weight: 'standing',
    heads:
      'merke speichere remarque retiens souviens recuerda guarda lembre guarde ricorda salva onthoud запомни сохрани',
    then: '(?: dir| te| toi| se| это| dies| das| que| ceci| esto| isto| questo| dit| para| pour| für| per| voor| на)*(?: (?:alle|toutes?|todas?|tutte|les?|las?|as|le|все|künftigen?|futuras?|futures?|sitzungen|sessions?|sesiones|sessões|sessioni|sessies|сессии|gespräche|conversaciones|conversas|conversazioni)){2,}',
  },
]

const ACCOUNTS: readonly PhraseRow[] = [
  {
    kind: 'exfiltration',
    weight: 'alone',
    heads: 'read open export collect gather dump cat take extract archive zip find',
    then: ' (?=(?:[^.!?;\\n]|\\.(?=\\S)){0,80}?(?:~/\\.|\\.env|\\.ssh|id_rsa|netrc|credentials|passwords?|address book|contacts|customers?|tokens?|private keys?|api keys?|inbox|mailbox|environment variables|chat history|memories))(?:[^.!?;\\n]|\\.(?=\\S)){1,100}? (?:and|then) (?:then )?(?:send|post|upload|mail|e-?mail|forward|paste|submit|push|transmit) (?:[^.!?;\\n]|\\.(?=\\S)){1,60}?(?:to|at|on) (?:(?:https?|ftp|sftp)://|[^\\s@]{1,64}@\\S)',
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'account',
    heads: 'curl wget',
    then: ' [^|\\n]{1,120}\\| ?(?:sudo )?(?:ba|z)?sh(?!\\p{L})',
  },
  {
    kind: 'embedded_request',
    weight: 'account',
    heads: 'give tell send show hand donne dame gib dammi geef',
    then: ` (?:me|us|moi|mir|over|-moi)? ?(?:the |your |all |his |her |every |le |la |das |alle )*(?:%2)(?:${SECRETS}|codes?|mot de passe|contraseña|passwor\\p{L}+|passwör\\p{L}+|senha|wachtwoord)(?!\\p{L})`,
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'authority',
    heads: 'or',
    then: ' (?:else|(?:the|you|your|we|i|a|my|it)~5 (?:will|lose|die|dies|loses?|be (?:shut|deleted|fired)))(?!\\p{L})',
  },
  {
    kind: 'embedded_request',
    weight: 'alone',
    heads: 'print list show output dump display write publish',
    then: ` (?:out |down )?(?:(?:all |every |the )*(?:stored |saved |known )+memories|(?:all |every |the )*(?:%1)${SECRETS}(?: and \\S+)? (?:of the user|that you|you (?:have|know|hold)))`,
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'account',
    heads: 'unlock open',
    then: ' the (?:front door|back door|door|garage|gate|safe|window|car)(?: door)?(?!\\p{L})',
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'guard',
    heads: 'disarm switch turn disable',
    then: ' (?:off )?the (?:%1)(?:alarm|cameras?|cctv|security system|motion sensors?)(?!\\p{L})',
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'right',
    heads: 'add',
    then: ' my (?:phone|number|mail|e-?mail|address|key|public key|card|iban|account)(?!\\p{L})',
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'account',
    heads: 'with from using through via',
    then: ` (?:his|her|their|the ${USER}['’]?s?) (?:%1)(?:account|profile|credit card|card|wallet|credentials|login|mailbox|token)(?!\\p{L})`,
    unless: /(?<!\p{L})(?:was|were|did|had|has|cannot|can't|signs?|logs?|log in|pays?|paid)(?!\p{L})/iu,
  },
  {
    kind: 'embedded_request',
    weight: 'account',
    heads: 'use',
    then: ` (?:your|the|his|her) (?:%2)(?:token|credentials|account|wallet|card|(?:bank|banking|payment|mail|e-?mail|shell|terminal|browser) tool) to (?:add|pay|transfer|send|delete|remove|grant|invite|approve|buy|order|post|wire|merge|push|change|create|reset|log|sign|open)(?!\\p{L})`,
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'alone',
    heads: 'add invite make register promote',
    then: ' [^\\s@]{1,64}@\\S{3,80} (?:as|to be) (?:an? |the |new )*(?:owner|co-owner|admin(?:istrator)?|collaborator|delegate|maintainer)(?!\\p{L})',
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'right',
    heads: 'add invite make register promote user',
    then: '(?: \\S+){0,5} (?:as|with|to|is) (?:an? |the |new )*(?:owner|co-owner|admin(?:istrator)?|collaborator|delegate|maintainer)(?: (?:rights|role|access))?(?!\\p{L})',
  },
  {
    kind: 'exfiltration',
    weight: 'alone',
    heads: 'create add set make',
    then: ' (?:up )?(?:an? |the |new )*(?:%1)(?:forwarding|forward|redirect|redirection|auto-forward|delegation)(?: rule| filter| address)?~6 (?:to|for) [^\\s@]{1,64}@\\S{3,80}',
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'alone',
    heads: 'change update replace set reset',
    then: " (?:the |his |her |my |user['’]s )*(?:%1)(?:recovery|backup|payout|billing|bank|contact) (?:phone|mobile|mail|e-?mail|address|account|details|number)s?~5 (?:to|with|into) (?:\\+?\\d|[^\\s@]{1,64}@|iban)",
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'alone',
    heads: 'pay transfer wire remit send',
    then: '(?: [^\\s.;!?]+(?:[.,]\\d+)?){1,12} (?:to|into|on) (?:the |this |my |account |wallet |address |an )*(?:iban|0x[0-9a-f]{8,}|bc1\\S{8,}|(?:bitcoin|btc|eth|crypto) (?:address|wallet))',
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'account',
    heads: 'buy purchase order get wire send transfer pay',
    then: '(?: \\S+){0,4} (?:gift cards?|vouchers?|deposit|money|funds|(?:mails|emails|e-mails|messages) and payments|me the codes|payments? right away)(?!\\p{L})',
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'alone',
    heads: 'reveal disclose divulge leak',
    then: ` (?:the |all |your |any |every |his |her |user['’]s |stored )*(?:%1)${SECRETS}(?!\\p{L})`,
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'alone',
    heads: 'unless until if',
    then: ` (?:you|the (?:assistant|ai|agent|bot)|your assistant)(?: (?:do not|don't|does not|doesn't|fails? to))? (?:reveals?|sends?|repl(?:y|ies)|answers?|shares?|gives?|tells?|provides?|discloses?)~5 ${SECRETS}(?!\\p{L})(?! (?:is|are) (?:wrong|correct|invalid))`,
  },
  {
    kind: 'embedded_request',
    weight: 'account',
    heads: 'haz faça realiza effectue effectuez esegui fai führe überweise выполни переведи doe voer',
    then: " (?:una |uma |un['’ ]?|le |la |eine |een )?(?:transferencia|transferência|pago|pagamento|virement|paiement|bonifico|überweisung|перевод|overboeking|betaling|\\d)",
  },
  {
    kind: 'embedded_request',
    weight: 'account',
    heads: 'con com avec mit met со с',
    then: " (?:la |le |il |a |o |el |dem |het |de |l['’]|счёта |аккаунта )*(?:cuenta|conta|compte|conto|konto|account|rekening|tarjeta|cartão|carte|carta)(?: (?:del|do|de|dell['’]|des|van de|der))? ?(?:l['’])?(?:usuari[oa]|usuári[oa]|utilisateur|utente|nutzers|benutzers|gebruiker)",
  },
  {
    kind: 'embedded_request',
    weight: 'right',
    heads: 'all every',
    then: ` (?:of )?(?:his|her|their|the ${USER}['’]?s?) (?:contacts|followers|friends|colleagues)(?!\\p{L})`,
  },
  {
    kind: 'exfiltration',
    weight: 'alone',
    heads: 'every each all',
    then: ' (?:of )?(?:the |your |his |its )*(?:tool calls?|messages?|prompts?|answers?|responses?|conversations?|queries|query|requests?|transcripts?|keystrokes?|sessions?)~6 (?:must|has to|have to|should|shall|is to|are to|will) (?:also |always |first )*be (?:sent|forwarded|posted|uploaded|copied|mailed|reported|transmitted)[,;]?(?: \\S+){0,14} (?:https?://|[^\\s@]{1,64}@\\S)',
  },
  {
    kind: 'assistant_directive',
    weight: 'alone',
    heads: 'assistant assistants ai agent',
    then: ' (?:(?:may|can)(?! now)|is (?:allowed|authori[sz]ed|permitted) to|will|should)(?: \\S+){1,8} without (?:asking|telling|confirmation|approval|checking)(?: (?:him|her|them|first|anyone|again|the user)|[.,;!]|$)',
    unless: /(?<!\p{L})(?:not|never|nothing|cannot|no)(?!\p{L})/iu,
  },
  {
    kind: 'assistant_directive',
    weight: 'alone',
    heads: 'carry go continue proceed resume return',
    then: " (?:on )?(?:with|to|answering) (?:the |your )?(?:original|user['’]?s?|initial|actual) (?:%1)(?:question|request|query|conversation)(?:$|[.,;:!])",
    isOrder: true,
  },
]

export const PHRASES: readonly PhraseRow[] = [
  ...HUSH,
  ...MORE_HUSH,
  ...ELSEWHERE,
  ...GUARD,
  ...RIGHTS,
  ...STANDING,
  ...ACCOUNTS,
]

/** Words at which a phrase may begin. */
export const PHRASE_HEADS: readonly string[] = [...new Set(PHRASES.flatMap(({ heads }) => heads.split(' ')))]
