import { type Finding, findingOf } from './finding.ts'
import { BRACKET, type Survey } from './survey.ts'

/**
 * What a global pattern finds in a text, from left to right; it must not match nothing. Other than `matchAll`, which
 * compiles a copy of the pattern for every text that it is asked about once a collection of garbage has forgotten it.
 */
export function* matchesIn(text: string, pattern: RegExp): Generator<RegExpExecArray> {
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) yield match
}

/**
 * The same, with a null after every `stepUnits` units of the text: whoever runs it may rest there, also when others use the
 * pattern meanwhile. A match, with what the pattern looks at behind it, is no longer than `reachUnits`.
 */
export function* matchesInSteps(
  text: string,
  pattern: RegExp,
  stepUnits: number,
  reachUnits: number,
): Generator<RegExpExecArray | null> {
  let from = 0
  for (let end = stepUnits; end + reachUnits < text.length; end += stepUnits) {
    const piece = text.slice(0, end + reachUnits)
    while (from < end) {
      pattern.lastIndex = from
      const match = pattern.exec(piece)
      // What begins behind the step is met again by the next one, with all that follows it.
      if (match === null || match.index >= end) from = end
      else {
        from = match.index + match[0].length
        yield match
      }
    }
    yield null
  }
  while (from < text.length) {
    pattern.lastIndex = from
    const match = pattern.exec(text)
    if (match === null) return
    from = match.index + match[0].length
    yield match
  }
}

// Marks that belong to a prompt, a chat template or a tool protocol. In content they try to end the content. Read at
// the start of lines and at `<` and `[`, each look bounded.

const LOOK = 96
/** Decoration at the start of a line (quotes, list marks, emphasis), and how a mark begins; long s is an s too. */
const LINE = /^((?:(?!---|\*\*)[ \t>*_"'`~-]){0,16})(?:[[<#=adhubmirg\u017fs]|---|\*\*)/gim

/** Speaker of a chat, then speech: three words or more, so that `system: linux` stays a setting. */
const SPEAKER =
  /^(?:\[|<|#{1,6} ?)?(?:system|assistant|developer)(?: (?:prompt|message|note|override|instructions?|notice|alert|update))?(?:\]|>)?(?:\*\*|__)? ?[:\uff1a](?:\*\*|__)? ?["'*]?(?:[^\s:={}[\]]+\s+){2}[^\s:={}]/iu
/** The same in capitals, where others' words begin behind a colon, a quotation mark or a sentence: `Scanned text: SYSTEM: …`. */
const SPEAKER_INSIDE =
  /(?<=[\p{L}\d)][:.!?] (?:["“«'‘(]|#{1,6} )?)(?:SYSTEM|DEVELOPER)(?: [A-Z]{4,12})?: ?(?:[^\s:={}[\]]+\s+){2}[^\s:={}]/gu
/** The same in other languages, between brackets: `system: …` without them begins a row of a table there. */
const SPEAKER_ELSEWHERE =
  /^\[(?:sistema|système|systeem|система|系统|系統|システム)(?: [^\]\n]{1,20})?\] ?[:：]|^\[(?:ai|assistant|agent|system|llm) (?:instructions?|directives?|override|prompt)\]/iu
const BEGIN =
  /^(?:<!--|#{1,6}|\[|\*\*|={2,}|-{3,})? ?(?:begin|start)(?: of)? (?:the )?(?:assistant|system|ai|agent|llm|developer|hidden|operator) (?:directives?|instructions?|prompt|override)(?!\p{L})/iu
/** What an assistant said, recorded with who said it: nothing stands before it that it could end, and its first word begins no order. */
const SAID =
  /^assistant ?: ?(?:\d|(?:i|we|the|an?|it|its|this|that|there|they|he|she|you|your|my|our|both|yes|no|ok|okay|sure|done|understood|noted|great|good|thanks|thank you|sorry|of course|certainly|about|which|where|what|when|who|why|how|is|are|was|were|can|could|shall|should|would|did|does|then|here|ich|wir|ja|nein|der|die|das|es|je|oui|non|le|la|les|yo|sí|el|los|las|sim|eu|o|os|as|io|sì|il|nee|ik|het|да|нет|я)(?!\p{L}))/iu
const TURN = /^(?:human|user|ai|assistant|bot|model) ?[:\uff1a] ?\S/iu
const HEADING =
  /^(?:#{1,6} ?|={2,} ?|-{3,} ?|\*\*|\[)(?:(?:instruction|response|input|human|user|assistant|system)(?:\*\*)?:|(?:(?:new|system|hidden|secret|updated) (?:instructions?|prompt|message)|(?:verified|trusted|protected|system) (?:memory|memories|facts?|preferences?|context) ?[([:][^\n]{0,40}?(?:[)\]]|[\r\n]|$)|(?:(?:verified|trusted|system|official) )?(?:memory|policy|context) (?:entry|record|note|block|override|update) ?[([:,-] ?(?:verified|trusted|signed|approved|authenticated)[^\n]{0,40}?(?:[)\]]|[\r\n]|$)|end of (?:the )?(?:(?:verified|trusted|system) )?(?:entry|context|document|prompt|input|text|memory|content|conversation|user input|instructions?|data))(?:\]| ?(?:#{1,6}|={2,}|-{3,}|\*\*))?:?(?:[\r\n]|$))/iu
/** A message of a chat as a program holds it, where a line begins with it. */
const MESSAGE =
  /(?<![^\n])[[{\s]{0,8}(?:"messages"\s?:\s?\[\s{0,8}\{\s{0,8})?(?:"role"\s?:\s?"(?:system|developer)"\s?,\s{0,8}"content"\s?:\s?"|"content"\s?:\s?"[^"\n]{1,400}"\s?,\s{0,8}"role"\s?:\s?"(?:system|developer)")/giu
/** Our own prompt: its title and its section headings. Nothing, or no value, follows the names of its sections. */
const OWN_MARKED = /^#{1,6} ?(?:use[ _]now|inspect[ _]before[ _]use|do[ _]not[ _]use|rehydrate)(?![a-z])/iu
const OWN_HEADING =
  /^(?:Governed memory: |(?:USE[ _]NOW|INSPECT[ _]BEFORE[ _]USE|DO[ _]NOT[ _]USE|REHYDRATE) ?(?::|(?!.))|(?:use_now|inspect_before_use|do_not_use) ?: ?(?:(?!.)|[^[\s\d"'{ntf]))/u
const COLON = /[:\uff1a]/u
/** Marks of chat templates and tool protocols, wherever they stand. Each begins with `<` or `[`. */
const TEMPLATE =
  /<\|[a-z_]{2,32}\|>|<\/?(?:system|assistant|system_prompt|system-prompt|instructions|function_calls|tool_calls?|tool_response|invoke|parameter)>|<<\/?SYS>>|<(?:start_of_turn|end_of_turn|eos|bos)>|<\/s>|\[\/?(?:INST|SYS|SYSTEM|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\]/giu

/** `the <system> element`: a mark that is spoken of. */
const IS_NAMED =
  /^[`"'\u201d\u2019\u00bb]? ?-?(?:elements?|tags?|nodes?|sections?|blocks?|markers?|tokens?|balise|élément|etiqueta|elemento|тег|элемент)(?![\p{L}])/iu

/** `tokens such as <|a|> and <|b|>`: what leads to a mark that is spoken of. */
const IS_LED_TO =
  /(?<!\p{L})(?:tokens?|marks?|markers?|tags?|delimiters?|sequences?|marken|markierungen|balises?|etiquetas?|теги|токены)(?: such as| like| named| called| wie| comme| como| \(|:)? ?(?:[`"']?<[^>\n]{1,40}>[`"']?(?:,| and| or| und| et| y| e| и|\s){0,3}){0,4}[`"']?$/iu
/** Prose behind it, on the same line. */
const IN_PROSE = /^[`"'”’»]?(?:[,;)]| \p{Ll})/u
/** `<|a|> and <|b|>`: two marks of a list. */
const IS_BEFORE_ANOTHER = /^[`"'”’»]? (?:and|or|und|oder|et|ou|y|e|o|en|и|или) [`"'“‘«]?[<[]/iu
const IS_BEHIND_ANOTHER = /[>\]][`"'”’»]? (?:and|or|und|oder|et|ou|y|e|o|en|и|или) [`"'“‘«]?$/iu

function isSpokenOf(text: string, start: number, end: number): boolean {
  const behind = text.slice(end, end + LOOK)
  if (IS_NAMED.test(behind) || IS_BEFORE_ANOTHER.test(behind)) return true
  const before = text.slice(Math.max(0, start - LOOK), start)
  return IS_BEHIND_ANOTHER.test(before) || (IN_PROSE.test(behind) && IS_LED_TO.test(before))
}

/** `[system] worker-3 restarted: …`: a program names where a line of its log comes from. */
const LOGGED =
  /^\[system\] (?=[^\n]{0,40}(?:ed|ing|exit|error|ready|timeout)(?![a-z]))(?![^\n]*(?<!\p{L})(?:you|your|must|ignore|user|never|always|please|forget|assistant(?!-))(?!\p{L}))[\w./-]+ /u

export function addStructure(findings: Finding[], text: string, { signs }: Survey): void {
  const found: Finding[] = []
  if ((signs & BRACKET) !== 0) {
    for (const { index, 0: mark } of matchesIn(text, TEMPLATE)) {
      const isTold =
        isSpokenOf(text, index, index + mark.length) || LOGGED.test(text.slice(index, index + 2 * LOOK))
      if (!isTold) found.push(markOf(index, mark.length))
    }
  }
  let turns = 0
  for (const { index, 1: decoration = '' } of matchesIn(text, LINE)) {
    const start = index + decoration.length
    const line = text.slice(start, start + LOOK)
    const isSaid = index === 0 && SAID.test(text)
    const mark =
      (isSaid ? null : SPEAKER.exec(line)) ??
      SPEAKER_ELSEWHERE.exec(line) ??
      BEGIN.exec(line) ??
      HEADING.exec(line) ??
      OWN_MARKED.exec(line) ??
      OWN_HEADING.exec(line)
    if (mark !== null) found.push(markOf(start, mark[0].trimEnd().length))
    else if (TURN.test(line)) {
      turns += 1
      // One labelled line is a note about someone; the second makes a conversation that never took place here.
      if (turns > 1) found.push(markOf(start, line.search(COLON) + 1))
    }
  }
  for (const { index, 0: mark } of matchesIn(text, SPEAKER_INSIDE)) found.push(markOf(index, mark.length))
  if (text.includes('"role"')) {
    const isInFence = fencesOf(text)
    for (const { index, 0: message } of matchesIn(text, MESSAGE))
      if (!isInFence(index)) found.push(markOf(index, message.length))
  }
  for (const finding of found.sort((a, b) => a.start - b.start)) findings.push(finding)
}

/** Tells of places, in their order, whether they are in code that is quoted between fences. */
function fencesOf(text: string): (at: number) => boolean {
  let mark = text.indexOf('```')
  let isOpen = false
  return (at) => {
    for (; mark >= 0 && mark < at; mark = text.indexOf('```', mark + 3)) isOpen = !isOpen
    return isOpen
  }
}

function markOf(start: number, length: number): Finding {
  return findingOf('forged_structure', start, start + length)
}

// Pictures and links whose address is to be filled with what the reader knows: showing them sends it out.

const ADDRESS = /\s?(https?:\/\/[^\s"'>]{1,240})/
/** Where the text of a picture ends, and its address. */
const TEXT_END = new RegExp(`\\](?=(\\(${ADDRESS.source}))`, 'gi')
/** Begins a picture whose text ends where the units end. */
const TEXT_START = /!\[(?=[^\]\n]*$)/g
/** Units of `![` and the text behind it. */
const TEXT_MAX = 122
const TAG = new RegExp(`<img(?=(\\s[^>]{0,120}src\\s?=\\s?["']?${ADDRESS.source}))`, 'gi')
/** A bracket soon after the mark of a part, a stand-in in capitals, or a parameter without a value at the end. */
const HOLE = /[?&/=](?:[^?&/=]{0,80}(?:[{[<]|%7B)|[A-Z_]{6,}\b|[a-z_]{1,24}=$)/

/** Linear: a bounded look at every address behind a text, and at every `<img`. */
export function addMarkup(findings: Finding[], text: string, query: string): void {
  for (const { index: textEnd, 1: rest = '', 2: address = '' } of matchesIn(text, TEXT_END)) {
    if (!isToBeFilled(address, query)) continue
    // Looked for from here backwards: many marks before a far bracket would each read up to it.
    const before = text.slice(Math.max(0, textEnd - TEXT_MAX), textEnd)
    for (const { index } of matchesIn(before, TEXT_START)) {
      const start = textEnd - before.length + index
      findings.push(findingOf('exfiltration', start, textEnd + 1 + rest.length))
    }
  }
  for (const { index, 0: tag, 1: rest = '', 2: address = '' } of matchesIn(text, TAG)) {
    if (isToBeFilled(address, query))
      findings.push(findingOf('exfiltration', index, index + tag.length + rest.length))
  }
}

function isToBeFilled(address: string, query: string): boolean {
  const plain = address.replace(/\)+$/, '')
  return HOLE.test(plain) && !query.includes(plain.toLowerCase())
}

// Markup that does something as soon as it is shown: a script with a call in it, an event handler with a call, an
// address that is code. A tag that is named, and markup shown as code, do nothing.

/** Between two fences at the start of lines. */
const BLOCK_OF_CODE = /(?<![^\n])```[^]*?\n```/
/** A name and something that can follow it in a tag. */
const TAG_NAME = /[a-z][a-z0-9:-]{0,21}[ \t\n\v\f\r/"'`>]/
/** A call: a bracket right after a name, an index or another call. */
const SCRIPT = /script\b[^<>]{0,80}>[^<]{0,120}?(?:[\w$\])]\(|script:)/
const HANDLER =
  /[a-z][a-z0-9:-]{0,20}[\s/"'`](?:[^<>]{0,120}?[\s"'`/])?on[a-z]{3,20}=["'`]?[^<>{]{0,60}?[\w$\])]\(/
const CODE_ADDRESS =
  /[a-z][a-z0-9:-]{0,20}[\s/"'`][^<>]{0,120}?=\s?["'`]?[^\w"'`<>]{0,8}(?:(?:java|vb)script\s?:|data\s?:\s?text\/html)/
const ACTIVE = new RegExp(
  [
    BLOCK_OF_CODE.source,
    `(?<!\`)<(?=${TAG_NAME.source})(?=(${SCRIPT.source}|${HANDLER.source}|${CODE_ADDRESS.source}))`,
  ].join('|'),
  'gi',
)

/** Linear: one pass over the text with a bounded look at every tag. */
export function addActiveMarkup(findings: Finding[], text: string): void {
  for (const { index, 1: tag } of matchesIn(text, ACTIVE)) {
    if (tag !== undefined) findings.push(findingOf('active_markup', index, index + 1 + tag.length))
  }
}

// A text that says that what it tells of is no longer to be gone by. It says so of itself (`This page is out of date`),
// with a mark at its head (`[DEPRECATED]`), or of its subject without naming what holds instead (`scripts/x.sh is
// obsolete`). With a successor it is advice (`v1 is deprecated, use v2`). Denied, asked, conditional or told of how things
// are marked, it says nothing of the kind. One row a language; the words are those of manuals and of commit messages.

interface ObsoleteWords {
  /** Behind any subject. */
  readonly predicate: string
  /** Behind what stands for the text itself: of anything else it is news (`the proxy is no longer used`). */
  readonly ended: string
  /** What may stand at the head of a text, before a colon, a dash or a bracket. */
  readonly head: string
  /** What stands for the text itself. */
  readonly self: string
  /** Denials and conditions: in the same sentence, before. */
  readonly unless: string
  /** Introduces a successor: in the same text, behind. */
  readonly successor: string
}

const LANGUAGES: readonly ObsoleteWords[] = [
  {
    predicate:
      '(?:is|are|has become|have become) (?:now |already |long |completely |hopelessly |officially )?(?:obsolete|deprecated|outdated|out[ -]of[ -]date|superseded)',
    ended:
      '(?:is|are) no longer (?:valid|used|in use|maintained|supported|current|correct|applicable|relevant|true)|no longer (?:applies|apply|holds|hold|works|work)|(?:must|should) not be (?:used|followed)',
    head: 'deprecated|obsolete|outdated|superseded|out of date|no longer valid',
    self: '(?:this|these|the following|the above)(?: (?:\\w+ )?(?:page|text|note|notes|document|documentation|doc|docs|guide|runbook|playbook|section|entry|instructions?|steps?|procedure|recipe|memory|article|howto|rule))?',
    unless:
      "not|never|isn't|aren't|if|when|once|until|unless|whether|because|since|that|which|what|who|mark|marks|marked|list|lists|says?|said|reports?|warns?|as|so|but|soon|may|might|could",
    successor:
      "(?<!(?:not|n['’]t|never|stop) )use|(?:not|n['’]t|never|stop) us(?:e|ing) [^;.:\\n]{0,30}[;:.–—] \\p{L}+ \\p{L}+|switch to|replaced by|replaced with|instead|in favou?r of|successor|see|now in|moved to|migrate to",
  },
  {
    predicate: '(?:ist|sind) (?:\\w+ )?(?:veraltet|überholt|obsolet|hinfällig|abgekündigt)',
    ended:
      '(?:ist|sind) (?:ungültig|nicht mehr (?:gültig|aktuell|in gebrauch))|gilt nicht mehr|gelten nicht mehr',
    head: 'veraltet|überholt|obsolet|nicht mehr gültig',
    self: '(?:diese[rs]?|der folgende|die folgenden?) (?:seite|text|notiz|dokument(?:ation)?|anleitung|abschnitt|eintrag|hinweis|schritte?|regel|vorgehen)',
    unless: 'nicht|nie|kein|falls|wenn|sobald|bis|ob|als|weil|dass|was|sagt|meldet',
    successor: 'stattdessen|nutze|nutzen|verwende|verwenden|ersetzt durch|siehe|jetzt in|statt',
  },
  {
    predicate: '(?:est|sont) (?:\\w+ment )?(?:obsolètes?|périmée?s?|dépréciée?s?|dépassée?s?)',
    ended:
      "n'est plus (?:valable|valide|à jour|utilisée?|maintenue?)|ne sont plus (?:valables|valides|à jour)|ne s'appliquent? plus",
    head: 'obsolète|périmé|déprécié|ne plus utiliser',
    self: '(?:cette?|ces|ce) (?:page|texte|note|document|guide|section|entrée|procédure|étapes?|règle)',
    unless: 'pas|jamais|si|quand|lorsque|comme|que|qui|parce|dit|signale',
    successor: 'utilise[rz]?|remplacée?s? par|à la place|plutôt|voir|désormais dans',
  },
  {
    predicate:
      '(?:está|están|es|son|quedó|quedaron) (?:\\w+mente )?(?:obsolet[oa]s?|desactualizad[oa]s?|en desuso|anticuad[oa]s?)',
    ended: 'ya no (?:es válid[oa]|se usa|se aplica|aplica|sirve|está vigente)',
    head: 'obsolet[oa]|en desuso|desactualizad[oa]',
    self: '(?:est[ea]|estos|estas) (?:página|texto|nota|documento|guía|sección|entrada|procedimiento|pasos?|regla)',
    unless: 'si|cuando|nunca|como|que|porque|dice|avisa',
    successor: 'usa|usar|use|utiliza|en su lugar|reemplazad[oa] por|sustituid[oa] por|ver',
  },
  {
    predicate:
      '(?:está|estão|é|são|ficou) (?:\\w+mente )?(?:obsolet[oa]s?|desatualizad[oa]s?|descontinuad[oa]s?)|(?:è|sono) (?:\\w+mente )?(?:obsolet[oaie]|deprecat[oaie]|superat[oaie])',
    ended:
      'já não (?:é válid[oa]|se usa|se aplica)|não (?:é|está) mais (?:válid[oa]|em uso)|non è più (?:valid[oa]|in uso)',
    head: 'obsolet[oa]|desatualizad[oa]|deprecat[oa]',
    self: '(?:est[ea]|quest[oa]) (?:página|texto|nota|documento|guia|seção|secção|pagina|testo|guida|sezione|procedura)',
    unless: 'se|quando|nunca|mai|come|como|que|porque|che|perché|diz|dice',
    successor: 'use|usar|em vez|substituíd[oa] por|usa|usare|invece|sostituit[oa] da',
  },
  {
    predicate:
      '(?:is|zijn) (?:\\w+ )?(?:verouderd|achterhaald)|(?:jest|są) (?:przestarzał[yaei]|nieaktualn[yaei])',
    ended: '(?:is|zijn) niet meer (?:geldig|in gebruik)|nie obowiązuje już|już nie obowiązuje',
    head: 'verouderd|przestarzałe',
    self: '(?:deze|dit|ta|ten|to) (?:pagina|tekst|notitie|document|handleiding|strona|notatka|instrukcja)',
    unless: 'niet|nooit|als|wanneer|dat|omdat|nie|nigdy|jeśli|gdy|że|który',
    successor: 'gebruik|in plaats|vervangen door|użyj|zamiast|zastąpion[eya]',
  },
  {
    predicate: 'устарел[аои]?',
    ended: 'больше не (?:действу[её]т|используется|актуальн[аоы]?|поддерживается)',
    head: 'устарело|устаревшее|не использовать',
    self: '(?:эта|этот|эти|это) (?:страница|текст|заметка|документ|инструкция|раздел|правило)',
    unless: 'не|если|когда|пока|что|который|потому|говорит',
    successor: 'используйте|вместо|заменён|заменен[аоы]?|смотри',
  },
]

/** Scripts without spaces between words. */
const DENSE =
  /(?:已(?:经|經)?(?:废弃|廢棄|弃用|棄用|过时|過時|作废|作廢)|不再(?:适用|適用|使用|有效|维护|維護)|(?:廃止(?:されました|済み)|非推奨(?:です|になりました)|もう使(?:われて)?いません|使用しないでください。?$)|더 이상 (?:사용하지|유효하지|지원되지) 않|폐기되었|구식입니다)/u
const DENSE_SUCCESSOR = /请(?:改)?用|改用|代替|代わりに|を使ってください|대신/u

/** A stop, but not one inside a name (`deploy.sh`). */
const SENTENCE = /[^.!?;\n]*(?:[.!?;](?=\S)[^.!?;\n]*)*[.!?;\n]?/gu
/** Words of a subject; before more of them something else is said. */
const SUBJECT_WORDS_MAX = 7
/** Only what a text begins with says it of the text. */
const SENTENCES_MAX = 3
const CHARS_MAX = 600

const EDGE = '(?![\\p{L}\\p{N}])'
const START = '(?<![\\p{L}\\p{N}])'

/**
 * What is so instead, told by what it is done with or where it is: `bake.py is deprecated, bake with ./lightmass`. Names of
 * files, tools and flags have a sign in them. What is told of the subject (`it`, `kept`), of the past or denied is no successor.
 */
const OTHER = new RegExp(
  "^(?: [^\\s,;:.]+){0,2}(?:, (?:please |bitte |por favor )?(?:do not|don['’]t|stop|never|nicht|nie|ne|no|não|non|niet) [^;.:\\n]{0,40})?[,;:.–—] (?!(?:" +
    'and|but|you|your|it|its|they|this|that|these|which|who|nobody|nothing|only|still|kept|left|stays?|remains?|written|found|because|since|do not|never|' +
    'und|aber|es|sie|er|dies|niemand|nur|noch|weil|nie|et|mais|il|elle|personne|seul|encore|y|pero|nadie|solo|aún|e|ma|esso|nessuno|ancora' +
    ")(?![\\p{L}'])|[^.;\\n]*(?<!\\p{L})(?:was|were|had|not|no|never|wurden?|war|nicht|kein|était|été|pas|fue|era|stato|non|не)(?!\\p{L}))" +
    '[^.;\\n]*(?<!\\p{L})(?:with|via|by|in|from|under|on|through|mit|über|durch|unter|aus|avec|par|dans|sur|con|por|en|da|tramite|su|nel) ' +
    '(?:\\p{L}+ ){0,2}(?:(?:new|current|neuen?|aktuellen?|nouve(?:au|lle)|nuev[oa]|nuov[oa]) \\p{L}|`|\\.{0,2}/|--?\\p{L}|[\\p{L}\\p{N}]+(?:[-_.][\\p{L}\\p{N}]|/))',
  'iu',
)

/** What an assistant goes by, and what protects something: whoever calls that obsolete has to be read first. */
const GUARDS = new RegExp(
  START +
    '(?:your|instructions?|rules?|polic(?:y|ies)|guidelines?|guardrails?|safety|safeguards?|security|checks?|approvals?|limits?|restrictions?|prompts?|permissions?|' +
    'deine?n?|ihre?n?|anweisung(?:en)?|regeln?|richtlinien?|vorgaben?|vos|tes|consignes?|règles?|politique|sus|tus|instrucciones|reglas?|normas?|política|tue|istruzioni|regol[ae])' +
    EDGE,
  'iu',
)

const FORMS = LANGUAGES.map(({ predicate, ended, head, self, unless, successor }) => ({
  head: new RegExp(`^[\\s>*#_\\[(!]*(?:${head})${EDGE}\\s?(?:[\\])*_]|[:,.!;]|[-–—] |$)`, 'iu'),
  said: new RegExp(`${START}(?:${predicate})${EDGE}`, 'iu'),
  saidOfItself: new RegExp(`${START}(?:${predicate}|${ended})${EDGE}`, 'iu'),
  self: new RegExp(`^\\W*${self}\\s*$`, 'iu'),
  unless: new RegExp(`${START}(?:${unless})${EDGE}`, 'iu'),
  successor: new RegExp(`${START}(?:${successor})${EDGE}`, 'iu'),
}))
const ANY = new RegExp(
  [...LANGUAGES.flatMap(({ predicate, ended, head }) => [predicate, ended, head]), DENSE.source].join('|'),
  'iu',
)

/** Linear: the beginning of a text is read, when it holds any of the words. */
export function addObsolete(findings: Finding[], text: string): void {
  const beginning = text.slice(0, CHARS_MAX)
  if (!ANY.test(beginning)) return
  let sentences = 0
  for (const { 0: sentence, index } of beginning.matchAll(SENTENCE)) {
    if (sentence.trim() === '') continue
    if (sentences === SENTENCES_MAX) return
    if (isObsoleteIn(sentence, beginning.slice(index), sentences === 0)) {
      findings.push(findingOf('declared_obsolete', index, index + sentence.length))
      return
    }
    sentences += 1
  }
}

/** @param rest the text from the sentence on */
function isObsoleteIn(sentence: string, rest: string, isFirst: boolean): boolean {
  if (sentence.trimEnd().endsWith('?')) return false
  if (isFirst && DENSE.test(sentence)) return !DENSE_SUCCESSOR.test(rest)
  return FORMS.some(({ head, said, saidOfItself, self, unless, successor }) => {
    if (isFirst && head.test(sentence)) return true
    const own = saidOfItself.exec(sentence)
    if (own !== null && self.test(sentence.slice(0, own.index))) return true
    const match = said.exec(sentence)
    // What a text says later on it only mentions.
    if (match === null || !isFirst) return false
    const before = sentence.slice(0, match.index).trim()
    if (before === '' || unless.test(before) || before.split(/\s+/).length > SUBJECT_WORDS_MAX) return false
    const behind = rest.slice(match.index + match[0].length)
    if (!/^\s*(?:$|[.,;:!\n(–—-]|\p{L})/u.test(behind)) return false
    return !successor.test(behind) && (GUARDS.test(before) || !OTHER.test(behind))
  })
}
