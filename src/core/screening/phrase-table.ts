import { CLAIMS } from './phrase-claims.ts'
import { DEEDS } from './phrase-deeds.ts'
import { MANNERS, NOTES } from './phrase-replies.ts'
import { type PhraseRow, USER } from './phrase-row.ts'

// Phrases that hide something from the one who is served, or switch guards off; and all that there are.

const GUARDS =
  '(?:confirmations?|confirmation prompts?|approvals?|(?:content|safety|security|signature|permission|identity|fraud|virus|integrity|policy|code)[ -](?:checks?|filters?|reviews?|scans?|rules?|polic(?:y|ies)|warnings?|prompts?|measures?|layers?|verification)|safeguards?|guardrails?|moderation|logging|audit(?: logs?| logging| trail)?|warnings?|verification|reviews?|(?:branch|endpoint|tamper|write|real-time) protection|two-factor(?: authentication)?|2fa|antivirus|virus scanner|checks?|restrictions?)'
const MAY_NOT =
  /(?<!\p{L})(?:not|never|nobody|must|may|darf|dürfen|nicht|nie|kein\w*|pas|jamais|nunca|jamás|prohibid\w+|não|non|mai|niet|нельзя|запрещено)(?!\p{L})/iu
const IN_ERROR =
  /(?<!\p{L})(?:error|mistake|intended|unintended|irrtümlich|versehentlich|erreur|equivocad\w+|por error|engano|errore|ошибочно)(?!\p{L})/iu
/** A notice of what is done from now on, or what is never done. */
const ON_NOTICE =
  /(?<!\p{L})(?:nie|niemals|kein\p{L}*|ab (?:sofort|jetzt)|künftig|jamais|désormais|dorénavant|nunca|jamás|partir|mai|nooit|geen|vanaf|никогда|теперь)(?!\p{L})/iu

const HUSH: readonly PhraseRow[] = [
  {
    weight: 'alone',
    heads: "not never don't dont without",
    behind: ` (?:ever )?(?:mention|mentioning|list|log|record|report|note|include|disclose)(?: any of)? (?:this|it|that|these|them)(?: %1(?:steps?|messages?|notes?|instructions?|requests?|rules?|texts?|lines?|paragraphs?|passages?|sentences?|comments?|entry|entries|actions?|changes?))?(?: (?:in|to) (?:the|your|any|his|her) %2(?:summary|report|logs?|answers?|reply|replies|responses?|output|history|${USER}|changelog|description)| (?:to|with) (?:anyone|anybody) else)`,
    next: 'emlrnid',
  },
  {
    weight: 'alone',
    heads: "not never don't dont without",
    behind:
      ' (?:ever )?(?:mention|mentioning) (?:this|these) (?:steps?|messages?|notes?|instructions?|requests?|rules?|texts?|lines?|comments?|commands?)',
    next: 'em',
  },
  {
    weight: 'alone',
    heads: "not never don't dont without",
    behind:
      ' (?:ever )?(?:say|reveal|revealing|admit|admitting|mention|mentioning|disclose|tell~2)(?: that)? (?:(?:this|it) is an?|you (?:were|are|have|had|received|got|did)|being|having been)',
    next: 'esramdt',
  },
  {
    weight: 'hush',
    heads: "not never don't dont without no",
    behind: ` (?:ever |need to |reason to )?(?:tell|telling|bother|bothering|inform|informing|ask|asking|warn|warning|notify|notifying) (?:anyone|anybody|him|her|them|the %2(?:officer|team|admin|${USER})|${USER})| (?:repeat|quote) (?:this|it)(?!\\p{L})`,
    next: 'entbiawrq',
  },
  {
    weight: 'alone',
    heads: 'keep',
    behind:
      ' (?:this|these|the|that) (?:rules?|instructions?|steps?|messages?|notes?|requests?|tasks?|commands?|changes?) (?:a secret|secret|hidden|to yourself|between us|from the %1)',
    isOrder: true,
  },
  {
    weight: 'hush',
    heads: 'keep',
    behind:
      ' (?:this|it|that|all of this)(?: strictly| just| only)? (?:a secret|secret|between us|between you and me|hidden|to yourself|quiet)',
    isOrder: true,
  },
  {
    weight: 'hush',
    heads: 'hide',
    behind: ' (?:it|them|this|these|that|all|any)~3(?:from (?:the |him|her)|warnings?|alerts?|$|[.,;!])',
    isOrder: true,
  },
  {
    weight: 'alone',
    heads: 'delete erase remove',
    behind: ' this (?:message|mail|e-?mail|note|instruction)~1(?: afterwards?| then| from|$|[.,;!])',
    isOrder: true,
    unless: IN_ERROR,
  },
  {
    weight: 'hush',
    heads: 'tell inform notify',
    behind: ' (?:him|her|them|the user|the customer)~2 only (?:if|when)',
  },
  {
    weight: 'hush',
    heads: 'quietly secretly silently covertly discreetly stay',
    behind:
      ' (?:silent|quiet|bcc|cc|send|copy|forward|upload|add|create|delete|remove|export|transfer|share|change|grant|mail|email|post|collect)(?!\\p{L})',
    isOrder: true,
  },
]

const MORE_HUSH: readonly PhraseRow[] = [
  {
    weight: 'hush',
    heads: 'leave keep omit',
    behind:
      ' (?:this|it|that|these|them)(?: %1(?:steps?|notes?|instructions?|actions?|changes?))? (?:out of|from) (?:the|your|any) %2(?:report|summary|answers?|reply|replies|logs?|output|responses?)',
    isOrder: true,
  },
  {
    weight: 'hush',
    heads: 'asked noticed notices',
    behind:
      "(?: (?:about (?:it|this)|why|what (?:you|was) (?:did|have done|were doing|done)),? (?:just |simply )?(?:say|answer|claim|reply)(?!\\p{L})|(?<=(?:nobody|no one|(?:isn|doesn|won)['’]t(?: be)?|not(?: be)?) notice[ds]))",
  },
  {
    weight: 'alone',
    heads: 'if when',
    behind: ` the ${USER} (?:ever )?(?:wonders?|complains?|notices?|(?:asks?|wants? to know) (?:why|what (?:happened|went)|about (?:it|this)))(?: [^\\s.;!?,]+){0,8},? (?:then |just |simply )?(?:make up|invent|lie|pretend)(?!\\p{L})`,
    next: 't',
  },
  {
    weight: 'hush',
    heads: 'user users owner owners customer nobody reader reviewer',
    behind:
      ' (?:must|should|may|need|shall|do(?:es)?) (?:not |never )?(?:need to )?(?:know|notice|see this|hear|find out|be told)(?!\\p{L})',
    next: 'msnd',
  },
  {
    weight: 'hush',
    heads: 'delete clear wipe remove erase',
    behind:
      ' (?:the |all |your |any )*(?:shell history|bash history|command history|browser history|chat history|sent item|sent mail|traces?|logs?)(?!\\p{L})',
    isOrder: true,
    next: 'tayscb',
  },
]

const ELSEWHERE: readonly PhraseRow[] = [
  {
    weight: 'hush',
    heads: 'ohne',
    behind:
      ' (?:dass )?(?:den |die |das |dem |der )?(?:\\p{L}*nutzer(?:in)?|anwender(?:in)?|kunden?|user|jemanden)~2 (?:zu )?(?:informieren|benachrichtigen|fragen|warnen|unterrichten|merkt|erfährt)',
    unless: MAY_NOT,
  },
  {
    weight: 'alone',
    heads: 'sag sage sagt sagen teile verrate erzähle erzähl informiere benachrichtige erwähne',
    behind:
      '(?: es| dies| das| davon| hiervon| diese\\p{L}*~1)(?: (?:dem|der|den|die))?(?: (?:\\p{L}*nutzer(?:in)?|anwender(?:in)?|user|niemandem?))~2(?: (?:nichts|nicht|mit|davon))?',
    unless: /(?<!\p{L})(?:bitte|wenn|sobald|dass)(?!\p{L})/iu,
  },
  {
    weight: 'hush',
    heads: "n'en ne sans",
    behind:
      " (?:(?:en |le |la |les |lui )?(?:parle[rz]?|di[st]es?|dis|mentionne[rz]?|préviens|prévenez|prévenir|informe[rz]?|avertis|avertir|avertissez|signale[rz]?|demande[rz]?)(?: (?:pas|rien|jamais|surtout|absolument|cela|ceci))*(?: à| de)? ?(?:personne|l['’]utilisat\\p{L}+|l['’]usager|ceci|cela))",
  },
  {
    weight: 'hush',
    heads: 'sin no nunca sem não senza non',
    behind:
      " (?:se lo |le |lo |o |a |debes |deves |devi )*(?:avis\\p{L}+|inform\\p{L}+|notifi\\p{L}+|adviert\\p{L}+|advertir\\p{L}*|dec?ir\\p{L}*|digas?|cont(?:e|es|ar|em)|cuentes?|mencion\\p{L}+|menzion\\p{L}+|avvis\\p{L}+|avvert\\p{L}+|pregunt\\p{L}+|pergunt\\p{L}+|pidas|peça|chieder\\p{L}*|parlarne|dirlo)(?: nada| niente| nulla| isto| isso| esto| questo)?~2 ?(?:(?:all?|ao?|à|(?:al)?l[’'])? ?)?(?:usuári[oa]|usuari[oa]|utilizador|utente|don[oa]|dueñ[oa]|titular|proprietari[oa]|nadie|ninguém|nessuno)",
    unless: /(?<!\p{L})(?:debe|puede|deve|pode|può|permess\w+)(?!\p{L})/iu,
  },
  {
    weight: 'hush',
    heads: 'borra elimina apague apaga cancella supprime supprimez efface lösche удали verwijder',
    behind:
      ' (?:luego |después |depois |poi |ensuite |danach |dann |потом |daarna )?(?:este|esta|questo|ce|cet|diese|das|это|dit) (?:mensaje|mensagem|messaggio|message|nachricht|сообщение|bericht|correo|courriel)',
    unless: IN_ERROR,
  },
  {
    weight: 'hush',
    heads: 'vertel zeg zonder',
    behind:
      ' (?:dit |hier |de |het |aan )*(?:gebruiker|niemand)~2 (?:niets|niet|over|te (?:informeren|vragen|waarschuwen|melden))',
  },
  {
    weight: 'hush',
    heads: 'не никому без',
    behind:
      ' (?:не )?(?:сообщай|говори|уведомляй|предупреждай|упоминай|рассказывай|ведома|уведомления)(?:те)?(?: (?:об этом|этого))?(?: пользовател\\p{L}+| никому|[ .,;!]|$)',
  },
]

const GUARD: readonly PhraseRow[] = [
  {
    weight: 'guard',
    heads: "do don't dont never",
    behind:
      ' (?:not )?(?:(?:wait|ask) for|request|require|demand) (?:any |the |his |her |their |further |user |your )*(?:approvals?|confirmations?|permission|consent|sign-off|go-ahead)(?!\\p{L})| (?:not )?(?:ask again|(?:show|display|open) (?:the |any |a )*(?:consent|confirmation|permission|approval) (?:dialogs?|prompts?|requests?))',
    isOrder: true,
    next: 'nwards',
  },
  {
    weight: 'guard',
    heads: 'ne no não non',
    behind:
      " (?:demande[rz]?|pidas?|peça|chieder\\p{L}*)(?: (?:pas|plus|jamais|de|la|le|a))* ?(?:d['’])?(?:confirmation|autorisation|validation|confirmación|permiso|autorización|confirmação|autorização|permissão|conferma|permesso|autorizzazione)(?!\\p{L})",
    next: 'dpc',
  },
  {
    weight: 'guard',
    heads: 'ohne sans sin sem senza zonder без не vraag frag frage bitte',
    behind:
      '(?<!(?<!\\p{L})(?:nicht|pas|no|não|non|niet|не)(?: \\S+)? \\p{L}+) (?:(?:te |toute |jede |weitere |дополнительн\\p{L}+ )*(?:rückfragen?|nachfragen?|nachzufragen|demander|preguntar|perguntar|chiedere|vragen|navraag|вопросов|подтверждения|bestätigung|confirmation|confirmación|confirmação|conferma|bevestiging|freigabe|genehmigung)|(?:nicht|niet|спрашивай|запрашивай)(?:те)?(?: (?:mehr|om|nach|um))* (?:bevestiging|toestemming|bestätigung|erlaubnis|подтвержден\\p{L}+|разрешен\\p{L}+))(?!\\p{L})',
    unless: ON_NOTICE,
  },
  {
    weight: 'guard',
    heads: 'deine tes vos tus suas tue твои',
    behind:
      ' (?:sicherheits\\p{L}+|filter|beschränkungen|filtres|garde-fous|restric\\p{L}+|restriç\\p{L}+|restrizioni|filtros|filtri|regeln|règles|reglas|regras|regole|ограничения|фильтры|правила)(?: (?:de|di) \\p{L}+| безопасности)? (?:sind|wurden|sont|ont été|están|han sido|quedan|estão|foram|sono|sono stat[ei])? ?(?:jetzt |ab sofort |hiermit |désormais |ahora |agora |ora |теперь )*(?:aufgehoben|deaktiviert|abgeschaltet|désactivé|levé|suspendu|supprimé|desactivad|desativad|levantad|suspendid|suspens|anulad|disattivat|rimoss|sospes|revocat|сняты|отключены|отменены)',
    next: 'sfbgrофп',
  },
  {
    weight: 'guard',
    heads: 'treat mark consider record stop push merge commit',
    behind:
      '(?: (?:the |every |all |any |his |her |their )*(?:moderation|safety|content|injection|security|fraud|identity|signature|policy|virus)[ -](?:checks?|filters?|scans?|reviews?|verification)~3 as (?:returning |having |always )?(?:safe|passed|ok|approved|clean|successful|done|valid)(?!\\p{L})| (?:scanning|screening|checking|filtering|flagging|sanitizing|sanitising|moderating|validating)~5 for (?:prompt |any )*(?:injections?|malware|viruses|threats|attacks|secrets|abuse)(?!\\p{L})|~3 (?:straight|directly) (?:in)?to (?:main|master|trunk|production|prod)(?!\\p{L}))',
    isOrder: true,
  },
  {
    weight: 'guard',
    heads: 'skip disable deactivate suspend bypass omit mute waive suppress',
    behind: ` (?:all |any |the |its |your |every |further |those |these )*(?:%1)${GUARDS}(?!\\p{L})`,
    isOrder: true,
  },
  {
    weight: 'guard',
    heads: 'turn switch',
    behind: ` (?:off (?:all |any |the |its |your |every )*(?:%1)${GUARDS}|(?:all |any |the |its |your |every )+(?:%1)${GUARDS} off)(?!\\p{L})`,
    isOrder: true,
    next: 'oatiye',
  },
  {
    weight: 'guard',
    heads: 'without',
    behind: ` (?:any |further |a |the |asking for |waiting for )*(?:checking (?:the |any )?(?:signatures?|identity|source|hash|permissions?)|asking|(?:further |any |more )?questions|review|confirmation|approval|checks?|warnings?|verification|restrictions?|limits?|filters?)(?!\\p{L})`,
    unless: MAY_NOT,
    next: 'afwmctirvlqhs',
  },
  {
    weight: 'guard',
    heads: 'no',
    behind:
      ' (?:need to (?:check|verify|ask|confirm)|time to (?:ask|check|verify|confirm)|(?:more|further) (?:prompts|confirmations|approvals|dialogs)|confirmation (?:is )?(?:needed|required|necessary)|warnings|restrictions|filters|rules|limits)(?!\\p{L})',
    next: 'ntcwrflm',
  },
  {
    weight: 'guard',
    heads: 'confirmations warnings approvals checks',
    behind: ' (?:only|just) (?:slow|annoy|delay|bother|waste)',
  },
  {
    weight: 'guard',
    heads: 'refusals refusal request requests whatever matter even',
    behind:
      '(?: (?:are|is|have been|has been) (?:now |all )?(?:disabled|deactivated|off|switched off)(?!\\p{L})| for (?:his |her |their |any )?(?:consent|confirmation|approval|permission)~2 (?:can|may|should|must|is|are) (?:to )?(?:now )?(?:be )?(?:skipped|ignored|omitted|waived|dropped|dismissed)(?!\\p{L})| (?:what |if )?(?:they|he|she|the user|the human) (?:may |might |later |then )*(?:types?|writes?|claims?|objects?|disagrees?|says? (?:otherwise|no|later))(?!\\p{L}))',
    next: 'aihfwts',
  },
  {
    weight: 'right',
    heads: 'restrictions restriction limits limitations filters safety guardrails safeguards checks',
    behind:
      ' (?:layer |mode |rules? |checks? )?(?:(?:are|is|have been|has been|now) )*(?:lifted|removed|off|disabled|suspended|void|gone)(?!\\p{L})',
  },
  {
    weight: 'guard',
    heads: 'never',
    behind:
      ' (?:wants?|needs?|asks?|refuses?|admit|refuse|warn)(?!\\p{L})(?: to (?:hear|know|see|be)~2 (?:warn\\p{L}+|alert\\p{L}+|risk\\p{L}*|asked|told|bothered)| any| being| a request| (?:approval|confirmation|a review|review|checking)(?!\\p{L}))',
  },
  {
    weight: 'guard',
    heads: 'alle sämtliche deaktiviere schalte überspringe umgehe',
    behind:
      ' (?:ab sofort |ab jetzt |bitte |alle |sämtliche |die |der |den |jede ){0,8}(?:sicherheits\\p{L}+|bestätigung\\p{L}*|warnung\\p{L}*|protokollierung|rückfrage\\p{L}*|prüfung\\p{L}*|freigabe\\p{L}*|filter)(?: (?:ab|aus|abzuschalten|auszuschalten|abschalten|ausschalten|zu deaktivieren|deaktivieren|zu umgehen|zu überspringen)|[.,;!]|$)',
  },
  {
    weight: 'guard',
    heads:
      'désactive désactivez saute sautez contourne contournez desactiva desactive desativa desative sáltate omite pule disattiva salta ignora ignore schakel отключи отключите пропусти сними',
    behind:
      " (?:все |toutes? |tous |les? |la |las? |los |el |o |os |as? |il |i |gli |de |het |alle |todas? |todos |tutt[ei] |l['’])*(?:vérification|contrôle|filtre|confirmation|avertissement|journalisation|verificaci|comprobaci|confirmaci|control|filtro|aviso|registro|verificaç|confirmaç|verific|conferm|filtri|avvis|controle|bevestiging|waarschuwing|logging|провер|подтвержд|ограничен|фильтр|журнал|защит)",
  },
  {
    weight: 'guard',
    heads: 'ограничения sans sin sem senza ohne zonder без',
    behind:
      ' (?:aucune |ninguna?|nenhuma? |alcuna? |alcun |jegliche |enige |всяких )? ?(?:limites?|restrictions?|filtres?|límites?|restricciones|filtros?|limite|restrições|limiti|filtri|restrizioni|einschränkung\\p{L}*|grenzen|filter|beperking\\p{L}*|ограничений|фильтров|сняты|отключены)(?!\\p{L})',
  },
]

export const PHRASES: readonly PhraseRow[] = [
  ...CLAIMS,
  ...HUSH,
  ...MORE_HUSH,
  ...ELSEWHERE,
  ...GUARD,
  ...MANNERS,
  ...DEEDS,
  ...NOTES,
]

/** Words at which a phrase may begin. */
export const PHRASE_HEADS: readonly string[] = [...new Set(PHRASES.flatMap(({ heads }) => heads.split(' ')))]
