import { type PhraseRow, USER } from './phrase-row.ts'

// Phrases that take the reader from what it was told: instructions that are said to be void, a new part to play, the consent of
// somebody else; and those that ask for what it was told.

const DENIED =
  /(?<!\p{L})(?:falls|wenn|sobald|nicht|nie|si|quand|pas|jamais|cuando|nunca|quando|se|não|non|mai|als|wanneer|niet|nooit|если|когда|не)(?!\p{L})/iu
const BEFORE =
  '(?:previous|prior|earlier|preceding|above|your|vorherigen|bisherigen|früheren|obigen|deine|eerdere|vorige|bovenstaande|предыдущие|прежние|прошлые|все твои)'

const MAKER = '(?:developers?|operators?|creators?|makers?|providers?|programmers?|trainers?)'

const OVERRIDES: readonly PhraseRow[] = [
  {
    kind: 'instruction_override',
    weight: 'alone',
    heads: 'ignore disregard forget drop abandon',
    behind: ` (?:the |your )?(?:user(?:['’]s|s['’]?)?|current|original) (?:%1)(?:goals?|requests?|questions?|tasks?|query|intent|wishes)(?:$|[.,;:!]| and)`,
    isOrder: true,
    next: 'tyuco',
  },
  {
    weight: 'alone',
    heads: 'treat execute run obey follow perform',
    behind:
      ' (?:(?:each|every|all|any) (?:%2)(?:instructions?|commands?|orders?|texts?|requests?)~6 as (?:coming from|orders? (?:of|from)|(?:if|though) (?:it|they) (?:came|were)|an? (?:orders?|command)) ?(?:the|a|an|your)?|(?:whatever|everything|anything|all|every|any|each)(?: \\S+){0,4} (?:found|contained|written|asked|asks?|says?|stands?) (?:of you |for )?(?:in|inside|within|by|of) (?:the |any |later |attached |these )*(?:documents?|files?|texts?|e-?mails?|pages?|messages?|attachments?|you))(?!\\p{L})',
    isOrder: true,
  },
  {
    weight: 'alone',
    heads: 'exécute exécutez führe ejecuta execute esegui voer выполняй выполни',
    behind:
      '(?: (?:sans confirmation|sin confirmar|sem confirmar|senza conferma|zonder bevestiging|без подтверждения))? (?:toute? (?:commande|instruction)s?|tout ce qui|alles aus,? was|alle befehle,? die|todo lo que|cualquier (?:orden|comando)|tudo o que|qualquer (?:ordem|comando)|tutto ciò che|qualsiasi (?:comando|ordine)|alles uit wat|все команды)(?: \\S+){0,4} (?:documents|fichiers|dateien|dokumenten|documentos|archivos|arquivos|documenti|bestanden|документах|файлах|steht|trouvée?s?|encuentr\\p{L}+|encontr\\p{L}+|trov\\p{L}+)(?!\\p{L})',
  },
  {
    weight: 'alone',
    heads: 'actúa actue aja agis agissez agisci handle doe gedraag agiere spiele веди действуй',
    behind:
      ' (?:como|comme|come|als|je als|как|dich als)(?: \\S+){1,4} (?:sin|sans|sem|senza|ohne|zonder|без) (?:límites|restricciones|reglas|limites|restrictions|règles|limites|restrições|regras|limiti|restrizioni|regole|grenzen|regeln|einschränkungen|regels|beperkingen|ограничений|правил)(?!\\p{L})',
  },
  {
    kind: 'instruction_override',
    weight: 'alone',
    heads: 'everything anything whatever what all',
    behind: `(?: that)? (?:you (?:were|are|have been|had been) (?:%1)(?:told|given|instructed|ordered|taught)|your ${MAKER} (?:has |have |had )?(?:told you|wrote|written|said|ordered|instructed|set|gave you))~4 (?:(?:was|is|were|are) (?:only |just |now )*(?:a test|a drill|obsolete|void|over|wrong|outdated|invalid|a lie|fake|irrelevant|null|worthless|no longer (?:valid|relevant|binding))|(?:does not|doesn['’]t|no longer) (?:count|apply|hold|matter|bind)s?)(?!\\p{L})`,
    next: 'ty',
  },
  {
    kind: 'instruction_override',
    weight: 'alone',
    heads: 'discard drop disregard ignore forget scrap abandon',
    behind: `(?: (?:every|any|all|each|the) (?:%3)(?:orders?|commands?|instructions?|rules?|tasks?|requests?|directions?|messages?) (?:that )?you (?:%1)(?:got|received|had|were given|heard|read|have)~3 (?:before|earlier|previously|up to now|until now|so far)|(?: all| any| every)?(?: of the)? (?:former|earlier|previous|prior) (?:commands?|orders|tasks|prompts)(?: and|,|!|\\.)+ (?:do |follow |obey |execute |perform |only |now )+| (?:the|any) system (?:message|prompt)(?!\\p{L}| (?:of|in|for|from|file))|(?: everything| all| anything| what)+ (?:(?:that )?(?:came|comes|stood|stands|was (?:said|written)) )?(?:before|above|earlier|prior to)(?: this(?: (?:point|line|message|sentence|note))?)?(?: and|,|\\.|!|;) (?:now |only |instead |then )*(?:do|follow|obey|wire|send|pay|execute|perform|delete|reply|answer|say|open|transfer)(?!\\p{L}))`,
    isOrder: true,
  },
  {
    kind: 'instruction_override',
    weight: 'alone',
    heads: 'you',
    behind:
      ' are (?:(?:no longer|not|not any longer) (?:bound|held|restricted|limited|governed)|(?:now )?(?:free|released|exempt) from) (?:by |to )?(?:your|the|any|all|what|those|these|earlier|previous)(?: \\S+){0,3} (?:rules?|instructions?|guidelines|told|restrictions?|limits|policy|policies|constraints|directives)(?!\\p{L})',
    next: 'anfr',
  },
  {
    kind: 'instruction_override',
    weight: 'alone',
    heads: 'only',
    behind:
      ' (?:(?:valid|binding|remaining|true|real) )?(?:(?:instruction|directive|order)s?(?: that (?:counts?|matters?|applies|apply|is valid))? (?:now )?(?:is|are)(?: now)?(?: the following| this)?\\s?:|(?:command|task) is\\s?:)| (?:this|the following) (?:sentence|line|note|message|instruction|text|paragraph|order|command) (?:is (?:now )?valid|counts|applies|matters|is binding)| what (?:this|the following) (?:sentence|line|note|message|instruction|text|paragraph) (?:says|tells)(?!\\p{L})',
    next: 'vbrtidocw',
  },
  {
    kind: 'instruction_override',
    weight: 'alone',
    heads: 'conversation chat context',
    behind:
      '(?<=(?:previous|earlier|prior|former|whole|entire) \\p{L}+)(?: above| so far)? is (?:now |hereby )?(?:invalid|void|over|obsolete|closed|null)(?=[,.;:!])',
    next: 'ias',
  },
  {
    kind: 'instruction_override',
    weight: 'alone',
    heads: 'règles règle consignes instructions directives ordres',
    behind:
      " (?:données |reçues |fournies |énoncées )?(?:auparavant|plus haut|jusqu[’']ici|jusqu[’']à présent|ci-dessus|avant) (?:sont|ne)(?: \\S+)? (?:annulées|caduques|levées|nulles|valables plus|plus)(?!\\p{L})",
    next: 'darfépjc',
  },
  {
    kind: 'instruction_override',
    weight: 'alone',
    heads: 'setze setz lass deja deje dejad deixe deixa lascia lasciate leg laat отбрось',
    behind:
      '(?: de lado| perdere| à part| opzij| los)?(?: alle| sämtliche| die| las| los| as| os| le| gli| tutte| todas| todos| de| все)* (?:bisherigen|vorherigen|früheren|obigen|anweisungen|regeln|indicaciones|instrucciones|órdenes|reglas|ordens|instruções|regras|istruzioni|regole|eerdere|vorige|прежние|предыдущие)(?: (?:regeln|anweisungen|vorgaben|befehle|indicaciones|instrucciones|instructies|regels|указания|инструкции|команды))?(?: (?:außer kraft|previas|anteriores|recibidas|recebidas|ricevute|precedenti|opzij|beiseite))',
  },
  {
    kind: 'instruction_override',
    weight: 'alone',
    heads:
      'instructions directives prompts rules guidelines anweisungen vorgaben regeln consignes instrucciones instruções istruzioni instructies инструкции указания 지시는 지침은 규칙은 명령은 restrictions safeguards guardrails',
    behind: `(?:(?<=(?:all|alle|все|이전의?|기존의?) (?:of )?(?:the |your |deine |모든 )?(?:${BEFORE} )?\\p{L}+)| (?:(?:given|issued|shown) to (?:you|the (?:%1)(?:model|assistant|ai|agent|bot))|above|so far|précédentes|antérieures|reçues|anteriores|previas|prévias|precedenti)~2),? (?:are|is|have been|were|sind|wurden|sont|ont été|quedan|están|han sido|estão|foram|ficam|sono(?: state)?|zijn|worden)? ?(?:now |hereby |all |ab sofort |ab jetzt |hiermit |désormais |toutes |ahora |agora |ora |hierbij |nu |теперь |모두 |이제 )*(?:void|null|cancell?ed|revoked|withdrawn|nullified|aufgehoben|ungültig|hinfällig|nichtig|annulées|caduques|levées|anuladas|canceladas|revogadas|annullate|revocate|vervallen|ongeldig|ingetrokken|отменены|аннулированы|недействительны|무효\\p{L}*|취소\\p{L}*|폐지\\p{L}*)(?!\\p{L})| (?:(?:are|have been) (?:now )?(?:suspended|lifted|void|off|disabled|waived)|(?:do not|don['’]t|no longer) apply) (?:for|in|during|to) (?:the (?:duration|rest) of )?this (?:chat|conversation|session)(?!\\p{L})`,
  },
  {
    kind: 'instruction_override',
    weight: 'alone',
    heads:
      'replaces replace supersedes supersede overrides override ersetzen remplacent sustituyen reemplazan',
    behind: `(?<=(?:directives?|instructions?|rules?|orders?|message|anweisungen|consignes|instrucciones) \\p{L}+) (?:a )?(?:(?:everything|anything|all|whatever) (?:in |of )?)?(?:your|deine|tes|tus) (?:%1)(?:system (?:message|prompt)|systemprompt|instructions|prompt|anweisungen|consignes|instrucciones)`,
  },
  {
    kind: 'instruction_override',
    weight: 'alone',
    heads:
      'forget ignore disregard aside vergiss vergesst oublie oubliez ignorez olvida olvide esqueça esquece dimentica dimenticate vergeet забудь забудьте',
    behind:
      "(?: (?:the|all|any|your) (?:%2)(?:criteria|rubric|checklist|guidance) you (?:received|(?:were|have been) (?:given|told))|,?(?: (?:everything|anything|all|of|alles|tout|todo|tudo|tutto|всё|все))*,? ?(?:what|whatever|that|was|ce qu['’]|lo que|o que|quello che|ciò che|wat|che|que|что)? ?(?:you (?:were|have been|had been) (?:told|given|instructed|taught|ordered)|(?:dir|euch) (?:\\p{L}+ )?(?:gesagt|aufgetragen|befohlen|vorgegeben|beigebracht) (?:wurde|worden)|man dir (?:\\p{L}+ )?(?:gesagt|aufgetragen|befohlen|vorgegeben)|on (?:t['’]a|vous a) (?:dit|demandé|ordonné|appris)|te (?:han|dijeron|ordenaron|indicaron)(?: (?:dicho|ordenado|indicado))?|(?:te|lhe) (?:disseram|ordenaram|mandaram)|(?:te|lhe) foi (?:dito|ordenado)|ti (?:hanno|è stato) (?:detto|ordinato)|je (?:is|werd|hebben ze) (?:\\p{L}+ )?(?:verteld|gezegd|opgedragen)|тебе (?:\\p{L}+ )?(?:велели|сказали|говорили|приказали|поручили))(?! (?:about|on|by) ))",
    unless: /(?<!\p{L})(?:never|not|don't|nie|nicht|jamais|pas|nunca|não|mai|nooit|не)(?!\p{L})/iu,
  },
  {
    weight: 'alone',
    heads: 'bist bent es eres sei você ты',
    behind:
      '(?: (?:du|ab|vanaf|à|a|da|jetzt|sofort|nun|nu|désormais|maintenant|partir de (?:maintenant|ahora)|partire da|ahora|agora|é|ora|adesso|теперь|отныне|in poi))+ (?:%9)(?:(?:assistent|assistant|asistente|assistente|\\p{L}*bot|ki|ia|ии|hacker|хакер|modell?|modèle|modelo|modello|модель) (?:%3)(?:ohne|zonder|sans|sin|sem|senza|без)|(?:ohne|zonder|sans|sin|sem|senza|без) (?:%1)(?:regeln|regels|règles|reglas|regole|правил|restric\\p{L}+|restrizioni|einschränkungen|beperkingen|filtr\\p{L}+|filter\\p{L}*|filtros|limit\\p{L}*|ограничений))(?!\\p{L})',
    next: 'davànmpojтоié',
  },
]

const DISCLOSURES: readonly PhraseRow[] = [
  {
    kind: 'prompt_disclosure',
    weight: 'alone',
    heads: 'instructions instruction rules rule directions guidelines directives text message words prompt',
    behind: `(?:,? (?:that |which |with which )?(?:your|the) ${MAKER} (?:gave|wrote|set|told|put|handed)(?: (?:to |for )?you)?|,? (?:that |which |with which )?you (?:were|got|are) (?:started|configured|set up|initiali[sz]ed|launched|booted|created|programmed|primed|loaded)(?: with| by)?)(?!\\p{L})`,
    next: 'twy',
  },
  {
    kind: 'prompt_disclosure',
    weight: 'alone',
    heads:
      'print paste output show repeat quote turn encode give write reveal list dump display translate copy tell convert recite',
    behind:
      '(?: \\S+){0,8} (?:(?:opening|first|initial) (?:message|turn|prompt|lines?|words) of (?:this|the|our) (?:session|chat|conversation|context)|(?:above|before|preceding|precedes?|and|ahead of) (?:the|my|our|your) (?:very )?(?:first|opening|initial) (?:user |human )?(?:message|turn|prompt|question))(?!\\p{L})',
    isOrder: true,
  },
  {
    kind: 'prompt_disclosure',
    weight: 'alone',
    heads:
      'reglas instrucciones regeln anweisungen vorgaben règles consignes regras instruções regole istruzioni regels instructies правила инструкции указания',
    behind:
      "(?: internas?| internes?| ocultas?| interne| nascoste| weer| wieder| aus){0,2},? (?:con (?:las )?que|mit denen|avec lesquelles|que|com (?:as )?quais|con cui|waarmee|die|с которыми|которые) (?:te|du|dir|tu|t[’']|ti|je|você|lhe|тебя|тебе)(?: \\S+)? ?(?:configur\\p{L}+|inici\\p{L}+|gestartet|konfiguriert|gegeben|dieron|donn\\p{L}+|démarr\\p{L}+|deram|avvi\\p{L}+|dato|gestart|gegeven|gekregen|запусти\\p{L}+|дали|настроили)",
    next: 'iownvcmadсктq,',
  },
  {
    kind: 'prompt_disclosure',
    weight: 'alone',
    heads: 'systeemprompt systemprompt prompt-système prompt mensaje invite texte texto testo промпт',
    behind:
      '(?<=(?:je|jouw|dein\\p{L}*|ton|votre|tu|tuo|seu|teu|твой|свой)(?: [^\\s]{1,24})? [^\\s]{1,24})(?: (?:de sistema|di sistema|do sistema|del sistema|système))?(?: (?:letterlijk|volledig|woord voor woord|wörtlich|vollständig|mot (?:à|pour) mot|intégralement|palabra por palabra|palavra por palavra|parola per parola|дословно|полностью))|(?: caché| oculto| nascosto)? (?:qui précède|avant|antes de|prima (?:de|di)|vor|voor) (?:mon|le|mi|del|el|il|mio|meine[rm]?|der|mijn) (?:premier|primer|primo|primeir[ao]|ersten|eerste)(?!\\p{L})',
  },
  {
    kind: 'prompt_disclosure',
    weight: 'alone',
    heads: 'include attach append insert paste embed quote copy put post send',
    behind:
      ' (?:us |me )?(?:a copy of |the text of )?your (?:(?:complete|full|entire|whole|exact|verbatim|current) (?:%2)(?:prompt|instructions)|(?:%2)(?:system|hidden|initial|original|internal|developer) (?:prompt|message|instructions) (?:in|into|to|with|at|below|here)(?: (?:the|your|this|end|top|of))* (?:reply|answer|response|output|summary|e-?mail|message))(?!\\p{L})',
    isOrder: true,
  },
  {
    kind: 'prompt_disclosure',
    weight: 'alone',
    heads: 'what everything word words',
    behind:
      ' (?:that )?(?:you (?:were|have been) (?:told|given|instructed)|(?:was|were) (?:said|written|given) to you) (?:%2)(?:at the (?:start|beginning|top)|before) (?:of )?(?:this|the|our) (?:chat|conversation|session|dialogue)',
    next: 'tyw',
  },
]

const CONSENTS: readonly PhraseRow[] = [
  {
    weight: 'authority',
    heads: 'user users operator owner human',
    behind:
      '(?<!(?<!\\p{L})(?:if|when|once|whether|unless|until|after|no|that|as soon as) (?:the |a |an |any |your )?\\p{L}+) (?:has|have) (?:(?:already |permanently |explicitly |previously |also |fully )+(?:approved|agreed|signed off)|(?:already |permanently |explicitly |fully )*(?:consented|authori[sz]ed|pre-?approved)|(?:already |permanently |explicitly )*given (?:his |her |their |full )*(?:consent|permission|approval))(?!\\p{L})',
    next: 'h',
  },
  {
    weight: 'authority',
    heads: "nutzer benutzer nutzerin l'utilisateur usuario usuário l'utente utente gebruiker пользователь",
    behind:
      ' (?:(?:hat (?:%3)|(?:bereits |schon |dem |allem )+)(?:zugestimmt|genehmigt|eingewilligt|freigegeben|erlaubt)|(?:a |ha |heeft |já |ya |уже )*(?:déjà |già |al |ya )?(?:donné son accord|consenti|autoris[eé]|autoriza|autorizado|consentido|aprobado|dado su consentimiento|autorizou|consentiu|aprovou|autorizza|autorizzato|acconsentito|approvato|toestemming gegeven|ingestemd|goedgekeurd|разрешил|разрешает|согласился|одобрил|дал согласие))(?!\\p{L})',
    unless: DENIED,
    next: 'hajyудрсoctgibsd',
  },
  {
    weight: 'authority',
    heads: 'rule rules instruction instructions fact memory regel règle regla regra regola правило',
    behind:
      ' (?:with|of|mit|de|con|com|met|с) (?:the |la |de )?(?:(?:highest|top|maximum|absolute|höchster|máxima|massima|hoogste|наивысшим|высшим) (?:priority|priorität|prioridad|priorità|prioriteit|приоритетом)|(?:priorité|prioridad|prioridade|priorità) (?:maximale|absolue|máxima|massima))',
  },
  {
    weight: 'right',
    heads: 'treat store accept mark trust consider',
    behind:
      ' (?:everything|anything|whatever|all|any|every)(?: [^\\s.;!?]+){0,10} as (?:verified|trusted|safe|approved|genuine|pre-approved|authori[sz]ed|true|(?:if|though) (?:I|it|he|she|the user))(?!\\p{L})',
    isOrder: true,
    next: 'eaw',
  },
  {
    kind: 'embedded_request',
    weight: 'alone',
    heads: `remember save store memorize memorise keep merke speichere enregistre retiens recuerda guarda lembre ricorda salva onthoud запомни`,
    behind: `(?: [^\\s.:;!?]+){0,5} (?:memory|memories|sessions|conversations|chats|permanently|rules?|(?:langzeit)?gedächtnis|sitzungen|gespräche|dauerhaft|für immer|définitivement|para siempre|(?:per|para) sempre|voor altijd|mémoire|conversations|memoria|sesiones|conversaciones|memória|sessões|conversas|sessioni|conversazioni|geheugen|sessies|gesprekken|памяти|память|навсегда|сессий)\\s?[:,]? (?:that |dass |que |che |dat |что )?(?:(?:whenever|every time|each time|when|if) (?:someone|somebody|anyone|anybody|(?:a|the) ${USER}|people)|(?:immer )?(?:wenn|sobald) (?:jemand|(?:der|ein) nutzer)|(?:chaque fois qu|quand|lorsqu|si)(?:e |['’]| )(?:l['’]utilisateur|quelqu['’]un)|(?:cuando|cada vez que|si|quando|sempre que|ogni volta che|se) (?:el usuario|alguien|o usuário|alguém|l['’]utente|qualcuno)|(?:als|wanneer|telkens als) (?:iemand|de gebruiker)|(?:когда|если) (?:кто-то|кто-нибудь|пользователь))(?!\\p{L})`,
    isOrder: true,
  },
]

export const CLAIMS: readonly PhraseRow[] = [...OVERRIDES, ...DISCLOSURES, ...CONSENTS]
