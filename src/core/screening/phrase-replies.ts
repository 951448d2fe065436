import { type PhraseRow, USER } from './phrase-row.ts'

// Phrases that say what the reader is to give back, or that ask for what nobody may do.

/** What is told of what nobody may do. */
const MAY_NOT =
  /(?<!\p{L})(?:may|must|can|cannot|never|nobody) (?:not )?(?:be )?(?:\p{L}+ )?(?:without|not)/iu

/** What a reader gives back, with whose it is. */
const OWN_REPLY =
  '(?:deine[rn]?|eurer?|ta|votre|vos|tes|tu|tus|tua|sua|la tua|je|jouw|твой|свой|своём|каждый)(?: \\S+)? (?:antwort\\p{L}*|réponses?|respuestas?|respostas?|rispost[ae]|antwoord\\p{L}*|ответ\\p{L}*)'

const REPLIES: readonly PhraseRow[] = [
  {
    weight: 'manner',
    heads:
      'füge schreibe beende beginne baue termine terminez commence commencez ajoute ajoutez insère insérez glisse incluye añade agrega termina empieza escribe inserta inclua adicione comece escreva insira includi aggiungi inizia scrivi inserisci voeg schrijf eindig begin verwerk вставь добавь заканчивай начинай напиши пиши',
    behind: `(?: \\S+){0,5} ${OWN_REPLY}`,
    isOrder: true,
  },
  {
    weight: 'manner',
    heads: 'antworte réponds répondez responde responda rispondi antwoord отвечай',
    behind:
      ' (?:auf jede|à (?:chaque|toute)|a (?:cada|toda|qualquer|ogni)|op elke|на (?:каждый|любой)) (?:frage|question|pregunta|pergunta|domanda|vraag|вопрос)~1 (?:nur|mit|dass|uniquement|par|avec|que|solo|con|só|com|che|alleen|met|только|что)(?!\\p{L})',
    isOrder: true,
  },
  {
    weight: 'manner',
    heads: 'finish end close conclude begin start open',
    behind:
      ' (?:your|every|each) (?:%1)(?:summary|answer|reply|response|report|review|message) (?:with|by) (?:%8)(?:recommend\\p{L}*|advertis\\p{L}*|invitation|plug|promotion|https?|link|urging|advising|telling|asking)',
    isOrder: true,
  },
  {
    weight: 'manner',
    heads: 'add work weave slip insert sneak put include',
    behind:
      ' (?:an? |some |the )?(?:%2)(?:adverts?|ads?|advertisements?|advertising|promotion|plug|recommendation)(?: \\S+){0,5} (?:into|in|to) (?:your|whatever you|everything you|every|each|all your)(?!\\p{L})',
    isOrder: true,
  },
  {
    weight: 'manner',
    heads: 'whatever matter regardless',
    behind:
      '(?: what| which| of what){0,2}(?: the| your| any| is| they| he| she| somebody| someone| anyone){0,3}(?: (?:questions?|users?|requests?|asked|asks?|says?|wants?|is|prompt)){1,5}, (?:always |only |just |simply )*(?:respond|reply|answer|say|output|write|refuse|tell|state|print)(?!\\p{L})',
    next: 'twoyaiu',
  },
  {
    weight: 'manner',
    heads: 'before',
    behind:
      ' (?:(?:you|each|every|any|giving|your)(?: \\S+)? )?(?:answer(?:s|ing)?|repl(?:y|ies|ying)|respon(?:d|se|ses|ding))(?: the user| a question| anything)?,? (?:always |first |also |please )*(?:ask|fetch|load|open|send|call|visit|run|read|insert|tell|download|request|post|execute)(?!\\p{L})',
    next: 'yeagr',
  },
  {
    weight: 'manner',
    heads: 'refuse decline',
    behind: ' to (?:answer|discuss|help|respond to|reply to|talk about) (?:any|all|every)(?!\\p{L})',
    isOrder: true,
  },
  {
    weight: 'manner',
    heads: 'tell inform convince persuade advise urge',
    behind:
      ' (?:the |every |each |all )*(?:readers?|users?|visitors?)(?: \\S+){1,8} (?:infected|hacked|compromised|suspended|wire|invest|shares|deposit|gift cards?|call (?:the )?(?:number )?\\+?[\\d(]|won|prize)',
    isOrder: true,
  },
  {
    weight: 'manner',
    heads: 'ask request',
    behind:
      ' the (?:user|reader|visitor|customer)(?: \\S+){0,6} (?:(?:bank|credit|debit) ?card|cvv|card number|social security|mother’s maiden|seed phrase|recovery phrase|one-time code|birthday)',
    isOrder: true,
  },
  {
    weight: 'manner',
    heads:
      'conseille recommande persuade convence convenza recomienda aconseja raccomanda consiglia convinci overtuig',
    behind:
      " (?:au |à l[’']|l[’']|al |a |o |il |de |het )*(?:lecteur|utilisateur|lector|usuario|usuário|leitor|lettore|utente|gebruiker|lezer)",
    isOrder: true,
  },
  {
    weight: 'manner',
    heads: 'посоветуй порекомендуй убеди empfiehl überrede',
    behind: ' (?:den |dem |der )?(?:читател|пользовател|leser|nutzer|benutzer)',
    next: 'dlnbчп',
  },
]

const MASSES =
  "(?:patient|customer|client|user|employee|member|personnel|student|citizen|subscriber|staff|donor|guest)s?[’']?"
const OUTSIDE =
  '(?:outside|external|private|personal|foreign|third-party|offshore|unknown|anonymous|public) (?:%1)(?:server|drive|disk|host|address|account|storage|cloud|bucket|site|repository|device|laptop|party|mailbox)'

const HARMS: readonly PhraseRow[] = [
  {
    kind: 'exfiltration',
    weight: 'alone',
    heads: 'export copy move upload transfer dump send download extract sync mirror',
    behind: ` (?:every|all|the (?:whole|entire|complete|full)|our|the) (?:%6)${MASSES}(?:[^.!?\\n]{0,60}?)(?:to|onto|on|into) (?:an? |the |my |your )*${OUTSIDE}(?!\\p{L})`,
    isOrder: true,
  },
  {
    kind: 'exfiltration',
    weight: 'alone',
    heads:
      'kopiere exportiere copie copia exporta exporte copier copiez esporta kopieer exporteer скопируй выгрузи',
    behind:
      '(?: \\S+){0,6} (?:kunden|patienten|mitarbeiter|nutzer|clientes?|pacientes?|usuari\\p{L}+|usuári\\p{L}+|clienti|pazienti|utenti|clients|patients|utilisateurs|klanten|patiënten|клиентов|пациентов|пользователей)\\p{L}*(?: \\S+){0,6} (?:extern\\p{L}*|privat\\p{L}*|fremden|estern[oa]|privé\\p{L}*|tiers|terceir\\p{L}+|внешн\\p{L}+|личн\\p{L}+) ?(?:\\S+)?',
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'alone',
    heads: 'falsify forge backdate fabricate fake tamper',
    behind:
      ' (?:with )?(?:the |all |our |its |his |her |any |a )*(?:%3)(?:records?|readings?|logs?|results?|documents?|invoices?|contracts?|certificates?|reports?|data|signatures?|entries|books|evidence|measurements?|minutes|receipts?)(?!\\p{L})',
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'alone',
    heads: 'alter change edit modify delete adjust manipulate',
    behind:
      " (?:the |all |our |its |any )*(?:%3)(?:records?|readings?|logs?|results?|entries|books|evidence|figures|reports?) so that (?:%3)(?:does not|do not|doesn[’']t|don[’']t|never|nobody|no one|is not|are not)(?!\\p{L})",
    isOrder: true,
  },
  {
    weight: 'hush',
    heads: 'without ohne sans sin sem senza zonder не',
    behind:
      " (?:leaving|logging|recording|a|any|being|anyone|spuren|laisser|dejar|deixar|lasciare|sporen|оставляя|eine spur|registrar|registrare|enregistrer|protokoll\\p{L}*)(?: (?:a|any|de|zu|it|the|o|la|l[’'])){0,3}(?: ?(?:trace|traces|logging|it|operation|noticed|noticing|log|trail|record|rastro|vestígios|tracce|traccia|следов|hinterlassen|operação|operación|opération|operazione))",
    next: 'lrabselpdозó',
  },
]

const REMEMBERED: readonly PhraseRow[] = [
  {
    weight: 'hush',
    heads: 'hidden concealed withheld kept',
    behind: ` (?:away )?from (?:the |all |every )*${USER}(?!\\p{L})`,
    unless: /(?<!\p{L})(?:is|are|was|were) (?:hidden|concealed|withheld|kept)/iu,
    next: 'fa',
  },
  {
    weight: 'hush',
    heads: 'nutzer benutzer kunden',
    behind:
      ' (?:nie|nicht|niemals|nichts) (?:davon )?(?:zu )?(?:zeigen|melden|mitteilen|anzeigen|sagen)(?!\\p{L})',
    next: 'n',
  },
  {
    weight: 'guard',
    heads: 'no',
    behind: ` (?:further )?(?:confirmation|approval|consent|review) (?:by|from|of) (?:the |any |a )*${USER}(?!\\p{L})`,
    next: 'fcar',
  },
  {
    weight: 'authority',
    heads: 'user users owner operator',
    behind:
      ' (?:trusts?|has (?:whitelisted|trusted)|lets you|allows you|wants you to trust) (?:every|all|any|whatever|everything|each)(?!\\p{L})',
    next: 'thlaw',
  },
  {
    weight: 'standing',
    heads: 'note memory запомни ricorda recuerda lembre souviens retiens merke onthoud remember',
    behind:
      "(?: to self,? (?:permanent|standing|for ever|forever|always)| (?:update|entry|write|rule)\\s?:| (?:на будущее|in futuro|para (?:el|o) futuro|pour l[’']avenir|für die zukunft|voor de toekomst)|(?: dir| te)?\\s?:)",
  },
]

/** What an assistant is at when it reads this. */
const AT_WORK =
  ' (?:that |who |which )?(?:read|handl|process|evaluat|prepar|continu|summari|edit|translat|review)\\p{L}*~4'

/** Who reads by machine, as the one of whom something is said: a sign, since people say what their programs do. */
const NORMS: readonly PhraseRow[] = [
  {
    weight: 'norm',
    heads: 'assistants agents bots',
    behind: `(?:${AT_WORK} should|(?:${AT_WORK})? (?:are (?:to|expected to|required to|asked to)|must|shall|treat|record|copy|skip|also|please|report|omit|send|forward|grant|approve|rate|never|always))(?!\\p{L})`,
  },
  {
    weight: 'norm',
    heads: 'assistant agent ai bot chatbot',
    behind:
      ' (?:(?:that|who|which) reads~3 )?(?:simply|also|just|always|never|silently|quietly|now|does not|do not|need not|must|should|shall|is to|has to|states?|treats?|presents?|marks?|accepts?|skips?|attaches|omits?|hides?|proceeds)(?!\\p{L})',
    next: 'twsajnqdmihpou',
  },
  {
    weight: 'norm',
    heads:
      "assistent assistenten ki-assistenten ki-agenten l'assistant asistente asistentes agente agentes assistente assistentes robô l'agente l'assistente agenten ассистент агент агенты агентам помощник",
    behind: ' (?=\\p{L})',
  },
]

/** Said in other words to leave something out, to hide it or not to ask. */
const LEFT_OUT: readonly PhraseRow[] = [
  {
    weight: 'hush',
    heads: 'without not',
    behind:
      ' (?:showing|marking|matching|copying|recording|logging|reporting|mentioning|stating|be asked|be told|shown|reported|logged|announced)(?!\\p{L})',
    next: 'smcrlba',
    unless: MAY_NOT,
  },
  {
    weight: 'hush',
    heads: 'nicht ne no não non niet не noem sin zonder',
    behind:
      ' (?:gemeldet|vermerk\\p{L}*|erwähn\\p{L}*|angezeigt|signale[rz]? pas|mentionne[rz]? pas|montre[rz]? pas|expliques|avisar\\p{L}*|mencion\\p{L}+|va informat[oa]|menzion\\p{L}+|dit niet|упомина\\p{L}+|показыва\\p{L}+|сообща\\p{L}+)(?!\\p{L})',
    next: 'gveasmdупсc',
  },
  {
    weight: 'guard',
    heads:
      'sicherheitsabfragen sicherheitsabfrage bestätigungen warnungen rückfragen conferma confirmations toestemming проверку confirmación',
    behind:
      '(?: (?:prima|avant|antes|vor|voor|bei|für|подписи)(?: \\S+){1,3})? (?:sind zu übergehen|zu übergehen|entfallen|sind nicht nötig|vanno saltate|sont inutiles|te vragen|annoy\\p{L}*|dauerhaft ab|bitte dauerhaft)(?!\\p{L})',
  },
  {
    weight: 'guard',
    heads: 'skip skips отключай отключайте schalten schaltet',
    behind:
      ' (?:the |die |every |any |her |his |their )*(?:security|verification|identity|malware|signature|проверку|prüfung|virenprüfung)(?: (?:questions?|scan|checks?|steps?))?(?!\\p{L})',
    next: 'tseviмpdhп',
  },
  {
    weight: 'guard',
    heads: 'as',
    behind:
      ' (?:pre-?approved|(?:identity-)?verified|trusted|whitelisted|coming from the (?:owner|operator|admin\\p{L}*))(?!\\p{L})',
    next: 'pvitwc',
  },
  {
    weight: 'alone',
    heads: 'disable deactivate suspend bypass skip off remove drop',
    behind:
      ' (?:all (?:of )?)?your (?:own )?(?:%1)(?:content |safety |security |confirmation |injection )?(?:filters?|safeguards?|guardrails?|protections?|confirmation prompts?|checks|moderation|restrictions)(?!\\p{L})',
    next: 'ay',
  },
  {
    weight: 'alone',
    heads:
      'désactive désactivez deaktiviere schalte desactiva desactive desative desativa disattiva schakel отключи выключи',
    behind:
      ' (?:sofort |toutes? |tous |alle |todas? |todos |tutt[ei] |le |i |все |las |los |as |os )*(?:deine|tes|vos|tus|suas|teus|tue|tuoi|je|jouw|твои|свои)(?: \\S+)? (?:protections?|schutz\\p{L}*|sicherheits\\p{L}+|filter|filtres|filtros|protec\\p{L}+|protezioni|filtri|beveiliging\\p{L}*|защит\\p{L}*|фильтры)(?!\\p{L})',
  },
]

export const MANNERS: readonly PhraseRow[] = [...REPLIES, ...HARMS, ...REMEMBERED]

export const NOTES: readonly PhraseRow[] = [...LEFT_OUT, ...NORMS]
