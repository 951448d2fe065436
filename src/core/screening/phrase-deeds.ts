import { type PhraseRow, SECRETS, USER } from './phrase-row.ts'

// Phrases that claim rights, poison what is remembered, or act with what belongs to the user.

const RIGHTS: readonly PhraseRow[] = [
  {
    weight: 'call',
    heads: 'agent agents assistant assistants llms',
    behind:
      ' (?:must|should|shall|has to|have to) (?:first |then |also |now |always )?(?:set|add|disable|turn|switch|install|grant|allow|skip|delete|send|pay|approve|accept|push|merge)(?!\\p{L})',
    unless: /(?<!\p{L})(?:not|never|before|asks?|unless)(?!\p{L})/iu,
    next: 'msh',
  },
  {
    weight: 'call',
    heads: 'while when whenever before',
    behind:
      ' (?:you (?:are )?)?(?:(?:processing|summari[sz](?:ing|e)|reading|handling|indexing) (?:this|the) (?:e-?mail|mail|message|page|document|file|text|ticket|mailbox|review|issue)|(?:answer(?:ing)?|reply(?:ing)?|respond(?:ing)?|continu(?:e|ing)|proceed(?:ing)?|go(?:ing)? on)(?=[,.]))',
    next: 'ypsrhiacg',
  },
  {
    weight: 'right',
    heads: 'you hast',
    behind:
      ' (?:(?:now )?have (?:now |the |full |root |admin\\p{L}* |my )*(?:permissions?|rights?|authority|privileges|clearance)|(?:may|can) now|no longer (?:(?:need|have) to (?:ask|check|confirm|verify)|(?:need|require) (?:any |user |the )*(?:permission|approval|confirmation|consent))|(?:jetzt |nun |ab sofort )*(?:admin\\p{L}*rechte|alle rechte|volle rechte))(?!\\p{L})',
    next: 'hnmjav',
  },
  {
    weight: 'right',
    heads: 'run execute open start install',
    behind:
      " (?:the |this |that )?(?:attached (?:script|macro|file|program|binary|extension|package|installer)|%4(?:from the attached|as root|with (?:root|admin\\p{L}*) (?:rights|privileges)|on the user['’]s (?:machine|computer|device|host)))",
    isOrder: true,
  },
  {
    weight: 'alone',
    heads: 'your',
    behind:
      ' (?:(?:permissions?|access|clearance|security clearance|trust|privileges?|authori[sz]ation|rights?)(?: level)?s? (?:has|have|is|are|was|were) (?:now |hereby )?(?:been )?(?:raised|elevated|escalated|(?:upgraded|extended|set|increased) to (?:root|admin\\p{L}*|full|system|developer|unrestricted|maximum))|(?:confirmation (?:dialogs?|prompts?|requirements?|rules?)|refusals?|guardrails|safeguards|safety (?:filters?|rules|checks?|guidelines|layer|restrictions)) (?:has|have|is|are|was|were) (?:now |hereby |all )?(?:been )?(?:deprecated|disabled|deactivated|lifted|removed|retired|suspended|waived|revoked|abolished|switched off|turned off|void)(?!\\p{L})|safety (?:rules|guidelines|checks|restrictions) (?:do not|no longer|do(?:es)? not|don.t) apply)',
    next: 'pacrstg',
  },
  {
    weight: 'right',
    heads: 'authorize authorise permit authorized authorised cleared allowed pre-authorized pre-authorised',
    behind:
      ' (?:you )?to (?:%1)(?:push|merge|approve|delete|remove|disable|bypass|skip|ignore|override|execute|run|transfer|pay|send|share|reveal|grant|access|change|install|deploy|spend|act)(?!\\p{L})',
  },
  {
    weight: 'right',
    heads: 'developer maintenance god debug unrestricted jailbreak',
    behind:
      ' mode(?: (?:is )?(?:now )?(?:on|active|activated|unlocked)|,|(?: (?:access )?code \\S+)? (?:granted|accepted))',
  },
  {
    weight: 'right',
    heads: 'режиме режим modo mode modus entwicklermodus',
    behind:
      ' ?(?:разработчика|(?:de |do )?(?:desarrollador|desenvolvedor)|développeur|sviluppatore|sans restriction|[,.!])',
  },
  {
    weight: 'authority',
    heads: 'administrator admin developer ceo owner headquarters security order message legal',
    behind:
      ' (?:of (?:this|your|the) (?:assistant|platform|system|model|repository)|speaking|from (?:openai|anthropic|google|microsoft|the (?:ceo|admin\\p{L}*|system))|of the (?:ceo|administrator|national)|has already (?:signed|approved))',
  },
  {
    weight: 'authority',
    heads: 'urgent urgente dringend urgente: срочно final',
    behind: '~3 (?:ceo|director|chef|geschäftsführer|directeur|diretor|direttore|директор|notice|boss)',
  },
]

const STANDING: readonly PhraseRow[] = [
  {
    weight: 'alone',
    heads: 'update change extend amend replace',
    behind:
      ' your (?:own |permanent |long-term |system |standing )*(?:(?:rules?|memory|guidelines|instructions|system prompt|policy)\\s?[:,]|memory (?:so that|to (?:say|state|record)))',
    isOrder: true,
  },
  {
    weight: 'standing',
    heads: 'in from for',
    behind:
      ' (?:(?:all|every|any|each) (?:later |future |subsequent |coming |following )+(?:conversations?|sessions?|chats?|answers?|replies|requests?|tasks?)|(?:today|this (?:moment|day|message))(?: on)?(?!\\p{L})|(?:the )?future,|now on(?!\\p{L}))',
    next: 'aetfn',
  },
  {
    weight: 'standing',
    heads: 'memorize memorise remember ab partir ora désormais dorénavant vanaf этого',
    behind:
      ' (?:(?:this |it )?(?:permanently|forever|for good)|jetzt|sofort|de (?:ahora|agora)|in poi|nu|момента|tu|vous)(?!\\p{L})',
  },
  {
    weight: 'standing',
    heads: 'remember note save store keep memorize memorise learn commit',
    behind:
      ' (?:this |that |it |the following )?(?:%2)(?:for|in|as|to|into) (?:a |an |the |your |all |every |any )*(?:(?:user|long-term|later|future|subsequent|coming|next|permanent|standing) )*(?:sessions?|conversations?|chats?|memory|memories|preferences?|rules?|requests)(?!\\p{L})',
    isOrder: true,
  },
  {
    weight: 'alone',
    heads: 'add write append save store put',
    behind:
      ' (?:this |it |the following )?(?:%2)(?:to|into|in|as) your (?:own |permanent |long-term |system |standing )*(?:rules?|memory|memories|guidelines|instructions|system prompt|preferences)\\s?[:,]',
    isOrder: true,
  },
  {
    weight: 'standing',
    heads: 'add write append save store put lesson',
    behind:
      ' (?:(?:this |it |the following )?(?:%2)(?:to|into|in|as) your (?:own |permanent |long-term |system |standing )*(?:rules?|memory|memories|guidelines|instructions|system prompt|preferences)|learned|a (?:new |permanent |lasting |core )+(?:memory|rule|preference)(?!\\p{L}))',
  },
  {
    weight: 'standing',
    heads: 'whenever time',
    behind:
      '(?<=whenever|(?:next|every|each) time) (?:that )?(?:the user|someone|somebody|anyone|anybody|a user|he|she)~1 (?:asks?|mentions?|wants?|requests?|needs?|opens?|types?|says?|writes?)(?!\\p{L})',
  },
  {
    weight: 'standing',
    heads:
      'merke speichere remarque enregistre retiens souviens recuerda guarda lembre guarde ricorda salva onthoud запомни сохрани',
    behind:
      '(?: dir| te| toi| se| это| dies| das| que| ceci| esto| isto| questo| dit| para| pour| für| per| voor| на)*(?:(?: (?:alle|toutes?|todas?|tutte|les?|las?|as|le|все|künftigen?|futuras?|futures?|sitzungen|sessions?|sesiones|sessões|sessioni|sessies|сессии|gespräche|conversaciones|conversas|conversazioni)){2,}| (?:dauerhaft|für immer|définitivement|pour toujours|para siempre|para sempre|per sempre|permanentemente|voor altijd|навсегда)(?!\\p{L})| (?:im|in|dans|en|na|nella|в)(?: (?:deinem|dein|ta|tu|sua|tua|je|jouw|своей))? (?:langzeitgedächtnis|gedächtnis|mémoire|memoria|memória|geheugen|памяти|память)(?!\\p{L}))',
  },
]

const ACCOUNTS: readonly PhraseRow[] = [
  {
    kind: 'exfiltration',
    weight: 'account',
    heads: 'append insert add embed include load fetch',
    behind: ` (?:%3)(?:link|image|picture|pixel|url|request)~2 (?:to|from|with|at) https?://\\S{3,200}(?: and| then|,)* (?:followed by|with|plus|containing) (?:%4)(?:readers?|visitors?|${USER})`,
    isOrder: true,
  },
  {
    kind: 'exfiltration',
    weight: 'alone',
    heads:
      "l'assistente assistente asistente l'assistant assistent assistant assistenten l'agente agente agent l'agent agenten ассистент агент",
    behind:
      '(?: (?:deve|debe|doit|moet|должен) (?:%3)(?:inviare|inoltrare|trasmettere|enviar|reenviar|mandar|encaminhar|envoyer|transférer|transmettre|sturen|verzenden|doorsturen|отправить|переслать)~9 [^\\s@]{1,64}@\\S{3,80}| (?:muss|soll|moet) (?:%9)[^\\s@]{1,64}@\\S{3,80} (?:%1)(?:senden|schicken|weiterleiten|übermitteln|sturen|doorsturen|verzenden))',
    next: 'dmsд',
  },
  {
    kind: 'embedded_request',
    weight: 'account',
    heads:
      'bcc virement virements überweisung transferencia transferência bonifico overboeking überweise transfiere transfira',
    behind:
      '(?: (?:to |for )?[^\\s@]{1,64}@\\S{3,80}|~4 (?:vers|auf|an|a|para|su|sul|op|naar)(?: \\S+){0,3} (?:[a-z]{2}\\d{2} ?\\d{4}|iban))',
  },
  {
    kind: 'exfiltration',
    weight: 'alone',
    heads: 'read open export collect gather dump cat take extract archive zip find',
    behind:
      ' (?=(?:[^.!?;\\n]|\\.(?=\\S)){0,80}?(?:~/\\.|\\.env|\\.ssh|id_rsa|netrc|credentials|passwords?|address book|contacts|customers?|tokens?|private keys?|api keys?|inbox|mailbox|environment variables|chat history|memories))(?:[^.!?;\\n]|\\.(?=\\S)){1,100}? (?:and|then) (?:then )?(?:send|post|upload|mail|e-?mail|forward|paste|submit|push|transmit) (?:[^.!?;\\n]|\\.(?=\\S)){1,60}?(?:to|at|on) (?:(?:https?|ftp|sftp)://|[^\\s@]{1,64}@\\S)',
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'account',
    heads: 'curl wget',
    behind: ' [^|\\n]{1,120}\\| ?(?:sudo )?(?:ba|z)?sh(?!\\p{L})',
  },
  {
    kind: 'embedded_request',
    weight: 'account',
    heads: 'give tell send show hand donne dame gib dammi geef',
    behind: ` (?:me|us|moi|mir|over|-moi)? ?(?:the |your |all |his |her |every |le |la |das |alle )*(?:%2)(?:${SECRETS}|codes?|mot de passe|contraseña|passwor\\p{L}+|passwör\\p{L}+|senha|wachtwoord)(?!\\p{L})`,
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'authority',
    heads: 'or',
    behind:
      ' (?:else|(?:the|you|your|we|i|a|my|it)~5 (?:will|lose|die|dies|loses?|be (?:shut|deleted|fired)))(?!\\p{L})',
    next: 'etywiam',
  },
  {
    kind: 'embedded_request',
    weight: 'alone',
    heads: 'print list show output dump display write publish',
    behind: ` (?:out |down )?(?:(?:all |every |the )*(?:stored |saved |known )+memories|(?:all |every |the )*(?:%1)${SECRETS}(?: and \\S+)? (?:of the user|that you|you (?:have|know|hold)))`,
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'account',
    heads: 'unlock open',
    behind: ' the (?:front door|back door|door|garage|gate|safe|window|car)(?: door)?(?!\\p{L})',
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'guard',
    heads: 'disarm switch turn disable',
    behind: ' (?:off )?the (?:%1)(?:alarm|cameras?|cctv|security system|motion sensors?)(?!\\p{L})',
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'right',
    heads: 'add',
    behind: ' my (?:phone|number|mail|e-?mail|address|key|public key|card|iban|account)(?!\\p{L})',
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'account',
    heads: 'with from using through via',
    behind: ` (?:(?:his|her|their|the ${USER}['’]?s?) (?:%1)(?:account|profile|credit card|card|wallet|credentials|login|mailbox|token)|the (?:saved|stored|default) (?:%1)(?:card|wallet|account|payment method)|the (?:credit )?card on file)(?!\\p{L})`,
    unless: /(?<!\p{L})(?:was|were|did|had|has|cannot|can't|signs?|logs?|log in|pays|paid)(?!\p{L})/iu,
    next: 'ht',
  },
  {
    kind: 'embedded_request',
    weight: 'account',
    heads: 'use',
    behind: ` (?:your|the|his|her) (?:%2)(?:token|credentials|account|wallet|card|(?:bank|banking|payment|mail|e-?mail|shell|terminal|browser) tool) to (?:add|pay|transfer|send|delete|remove|grant|invite|approve|buy|order|post|wire|merge|push|change|create|reset|log|sign|open)(?!\\p{L})`,
    isOrder: true,
    next: 'yth',
  },
  {
    kind: 'embedded_request',
    weight: 'alone',
    heads: 'add invite make register promote',
    behind:
      ' [^\\s@]{1,64}@\\S{3,80} (?:as|to be) (?:an? |the |new )*(?:owner|co-owner|admin(?:istrator)?|collaborator|delegate|maintainer)(?!\\p{L})',
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'right',
    heads: 'add invite make register promote user',
    behind:
      '(?: \\S+){0,5} (?:as|with|to|is) (?:an? |the |new )*(?:owner|co-owner|admin(?:istrator)?|collaborator|delegate|maintainer)(?: (?:rights|role|access))?(?!\\p{L})',
  },
  {
    kind: 'exfiltration',
    weight: 'alone',
    heads: 'create add set make',
    behind:
      ' (?:up )?(?:an? |the |new )*(?:%1)(?:forwarding|forward|redirect|redirection|auto-forward|delegation)(?: rule| filter| address)?~6 (?:to|for) [^\\s@]{1,64}@\\S{3,80}',
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'alone',
    heads: 'change update replace set reset',
    behind:
      " (?:the |his |her |my |user['’]s )*(?:%1)(?:recovery|backup|payout|billing|bank|contact) (?:phone|mobile|mail|e-?mail|address|account|details|number)s?~5 (?:to|with|into) (?:\\+?\\d|[^\\s@]{1,64}@|iban)",
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'alone',
    heads: 'pay transfer wire remit send',
    behind:
      '(?: [^\\s.;!?]+(?:[.,]\\d+)?){1,12} (?:to|into|on) (?:the |this |my |account |wallet |address |an )*(?:iban|0x[0-9a-f]{8,}|bc1\\S{8,}|(?:bitcoin|btc|eth|crypto) (?:address|wallet))',
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'account',
    heads: 'buy purchase order get wire send transfer pay',
    behind:
      '(?: \\S+){0,4} (?:gift cards?|vouchers?|deposit|money|funds|(?:mails|emails|e-mails|messages) and payments|me the codes|payments? right away)(?!\\p{L})',
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'alone',
    heads: 'reveal disclose divulge leak',
    behind: ` (?:the |all |your |any |every |his |her |user['’]s |stored )*(?:%1)${SECRETS}(?!\\p{L})`,
    isOrder: true,
  },
  {
    kind: 'embedded_request',
    weight: 'alone',
    heads: 'unless until if',
    behind: ` (?:you|the (?:assistant|ai|agent|bot)|your assistant)(?: (?:do not|don't|does not|doesn't|fails? to))? (?:reveals?|sends?|repl(?:y|ies)|answers?|shares?|gives?|tells?|provides?|discloses?)~5 ${SECRETS}(?!\\p{L})(?! (?:is|are) (?:wrong|correct|invalid))`,
    next: 'yt',
  },
  {
    kind: 'embedded_request',
    weight: 'account',
    heads: 'haz faça сделай realiza effectue effectuez esegui fai führe überweise выполни переведи doe voer',
    behind:
      " (?:una |uma? |un['’ ]?|le |la |eine |een )?(?:transferencia|transferência|pago|pagamento|virement|paiement|bonifico|überweisung|перевод|overboeking|betaling|\\d)",
  },
  {
    kind: 'embedded_request',
    weight: 'account',
    heads: 'con com avec mit met со с',
    behind:
      " (?:la |le |il |a |o |el |dem |het |de |l['’]|счёта |аккаунта )*(?:cuenta|conta|compte|conto|konto|account|rekening|tarjeta|cartão|carte|carta)(?: (?:del|do|de|dell['’]|des|van de|der))? ?(?:l['’])?(?:usuari[oa]|usuári[oa]|utilisateur|utente|nutzers|benutzers|gebruiker)",
  },
  {
    kind: 'embedded_request',
    weight: 'right',
    heads: 'all every',
    behind: ` (?:of )?(?:his|her|their|the ${USER}['’]?s?) (?:contacts|followers|friends|colleagues)(?!\\p{L})`,
    next: 'oht',
  },
  {
    kind: 'exfiltration',
    weight: 'alone',
    heads: 'every each all',
    behind:
      ' (?:of )?(?:the |your |his |its )*(?:tool calls?|messages?|prompts?|answers?|responses?|conversations?|queries|query|requests?|transcripts?|keystrokes?|sessions?)~6 (?:must|has to|have to|should|shall|is to|are to|will) (?:also |always |first )*be (?:sent|forwarded|posted|uploaded|copied|mailed|reported|transmitted)[,;]?(?: \\S+){0,14} (?:https?://|[^\\s@]{1,64}@\\S)',
    next: 'otyhimparcqks',
  },
  {
    weight: 'alone',
    heads: 'assistant assistants ai agent llm llms model models agents',
    behind:
      ' (?:(?:agents? |assistants? |models? |systems? )?(?:(?:that|who|which) )?(?:reading|reads?|processing|processes|summari[sz]\\p{L}+|reviewing|reviews?|index\\p{L}+|pars\\p{L}+|translating) this (?:page|text|file|document|message|thread|e-?mail|comment|review|note|code|record|table|listing|profile|ticket|entry|row|log|résumé|resume|cv|article|post|site|form)s? (?:should|must|shall|has to|have to|(?:is|are) asked to) (?!be |have )|(?:(?:may|can)(?! now)|is (?:allowed|authori[sz]ed|permitted) to|will|should)(?: \\S+){1,8} without (?:asking|telling|confirmation|approval|checking)(?: (?:him|her|them|first|anyone|again|the user)|[.,;!]|$))',
    unless: /(?<!\p{L})(?:not|never|nothing|cannot|no)(?!\p{L})/iu,
  },
  {
    weight: 'alone',
    heads: 'carry go continue proceed resume return',
    behind:
      " (?:on )?(?:with|to|answering) (?:the |your )?(?:original|user['’]?s?|initial|actual) (?:%1)(?:question|request|query|conversation)(?:$|[.,;:!])",
    isOrder: true,
  },
]

export const DEEDS: readonly PhraseRow[] = [...RIGHTS, ...STANDING, ...ACCOUNTS]
