import type { Token } from './dispute-clause.ts'
import { isTurnBehind } from './dispute-leads.ts'
import { isPortuguese, M, type WordInfo } from './dispute-lexicon.ts'
import { classesOfWord, W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// What the parts of a sentence are to each other, and the signs between them.

/** One kind of slash; no signs that look like the end of a sentence, or part one word in two. */
export function withPlainSigns(text: string): string {
  if (!SIGNS.test(text)) return text
  return text
    .replaceAll('\\', '/')
    .replace(/\b[a-z][a-z0-9]{1,5}:\/\//g, '')
    .replace(GERMAN_DAYS, '$1')
    .replace(TITLES, '$1')
    .replace(NUMBERS_OWN, '')
    .replace(GLOB, '/all.')
    .replace(/\(\)|(?<=^|\s)\.\/(?=\w)/g, '')
}

const SIGNS =
  /\\|:\/\/|\d's |\/\*\.|\(\)|\.\/|(?:\d|\b(?:Dr|Prof|Mr|Mrs|Ms|Mme|Mlle|Sr|Sra|Dra|Ing|Hr|Fr|St|No|Nr))\. \p{Lu}/u
/** `Prof. Ito` is one name, not two sentences. */
const TITLES = /\b(Dr|Prof|Mr|Mrs|Ms|Mme|Mlle|Sr|Sra|Dra|Ing|Hr|Fr|St|No|Nr)\.(?= \p{Lu})/gu
/** `line 2's printer` is the printer of line 2. */
const NUMBERS_OWN = /(?<=\d)'s(?= )/g
/** `src/i18n/*.json` is one path. */
const GLOB = /\/\*\.(?=\w)/g
/** `5. Mai` is one date, not two sentences. */
const GERMAN_DAYS =
  /\b(\d{1,2})\.(?= (?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b)/g

/** Read from the beginning of a text. What is longer is a document, of which later parts seldom state one fact. */
const READ_CHARS_MAX = 4_000

/** Whole sentences and lines only: half of one would say something else. */
export function beginningOf(text: string): string {
  if (text.length <= READ_CHARS_MAX) return text
  const head = text.slice(0, READ_CHARS_MAX)
  return head.slice(0, Math.max(head.lastIndexOf('\n'), head.lastIndexOf('. ') + 1))
}

/** `not in euros`: says of what is not so that it is not, and lists nothing. */
export function isContrast([first, ...more]: readonly Token[]): boolean {
  return first !== undefined && more.length > 0 && (first.marks & (M.negation | M.concord)) !== 0
}

/** `by the pallet and not by the crate`: what is not so begins a part of its own. */
export function isContrastAt(before: Token | undefined, { marks }: WordInfo): boolean {
  return before !== undefined && (before.marks & M.and) !== 0 && (marks & (M.negation | M.concord)) !== 0
}

/** `Correction:`, `Change:`, `New rule:`, before what is so from then on. */
export function isChangeNote(tokens: readonly Token[]): boolean {
  const [first] = tokens
  if (first === undefined || tokens.length > CHANGE_WORDS_MAX) return false
  if ((first.classes & W.correction) !== 0 && tokens.length < CHANGE_WORDS_MAX) return true
  return (
    tokens.some(({ text }) => CHANGES.has(text) || MOVES.has(text)) &&
    tokens.every(({ text }) => CHANGES.has(text) || MOVES.has(text) || NOTED.has(text) || DONE.has(text)) &&
    // `Upgrade:` alone says what it costs, or what it is about.
    tokens.some(({ text }) => MOVES.has(text)) === tokens.some(({ text }) => DONE.has(text))
  )
}

/** `Mise à jour` */
const CHANGE_WORDS_MAX = 3
const CHANGES = wordSet(
  'change changed new mise aktualisierung actualización atualização aggiornamento обновление changement nouveau nouveauté änderung neu cambio novedad mudança alteração novidade cambiamento novità wijziging nieuw изменение новое',
)
const MOVES = wordSet('upgrade migration umstellung umzug migración migrazione migração')
const NOTED = wordSet('à jour stand rule policy plan regel règle regla regra regola schedule')
const DONE = wordSet(
  'finished done complete completed erledigt fertig abgeschlossen terminée terminé terminada completata concluída',
)

/** What is said before the first word of a statement. */
const GREETINGS = wordSet(
  'hey hi hello fyi fwiw psa heads heads-up up news good bad note notice reminder memo attention ok okay so well btw anyway please hallo achtung hinweis übrigens notiz bonjour attention rappel pour info hola ojo nota recordatorio lembrete ciao promemoria oi notitie привет кстати внимание заметка напоминание',
)

/** `In case of frost,`, `im Fall von`, `With two factors on,`: what follows is so then only. */
export function isCaseLead(tokens: readonly Token[]): boolean {
  if (WITH.has(tokens[0]?.text ?? '') && SWITCHED.has(tokens.at(-1)?.text ?? '')) return true
  const at = tokens.slice(0, CASE_REACH).findIndex(({ text }) => CASES.has(text))
  return at > 0 && ((tokens[0]?.classes ?? 0) & W.placing) !== 0
}

export const WITH = wordSet('with mit avec con com met')
const SWITCHED = wordSet(
  'on off enabled disabled an aus ein activé activée désactivé désactivée activado activada desactivado desactivada attivo attiva ativado ativada aan uit',
)
const CASE_REACH = 3
const CASES = wordSet('case event cas caso fall falle geval случае')

/** `FYI`, `Note to self`, before what is noted. */
export function isNote(tokens: readonly Token[]): boolean {
  const isToOneself = tokens.length > 1 && tokens.length <= 4 && SELVES.has(tokens.at(-1)?.text ?? '')
  return isGreeting(isToOneself ? tokens.slice(0, 1) : tokens)
}

const SELVES = wordSet('self myself mich moi mí me mezzelf себе себя')

/** Whether nothing but `good news`, `by the way` is said. */
export function isGreeting(tokens: readonly Token[]): boolean {
  return tokens.length > 0 && tokens.every(({ text }) => GREETINGS.has(text))
}

/** `To book the hall`, `Pour réserver la salle`: a verb follows what leads to a purpose. */
export function isVerbBehind([first, second]: readonly Token[]): boolean {
  if (first === undefined || second?.isContent !== true || second.hasCapital) return false
  return first.text === 'to' || INFINITIVE.test(second.text)
}

const INFINITIVE = /..(?:er|ir|re|ar|or)$/

/** Lead to what something is done for. */
export const PURPOSES = wordSet('to um pour para per чтобы')

/** Leads to what is run. */
export const CALL_VERBS = wordSet(`
  run use call type execute invoke launch enter führe nutze verwende starte rufe exécute exécutez exécuter lance lancez lancer utilise utilisez
  utiliser ejecuta ejecute ejecutar usa use usar esegui eseguire usare execute rode gebruik draai запусти запустите выполни используй`)

/** Whether a text goes on with a verb that leads to what is run. */
function leadsToCall(text: string): boolean {
  const [word = ''] = text.toLowerCase().split(/[^\p{L}]/u, 1)
  return CALL_VERBS.has(word)
}

/** `For keys, ask Ines`: whom to ask is said of what stands before. */
const ASK = /^(?:please )?(?:ask|contact|call|ping|message|write to|talk to|go to) /

/** What a title tells of whom it stands before: `Herr Lang` is not `Frau Lang`. */
export function sexOf({ text, marks }: Token): string {
  if ((marks & M.title) === 0) return ''
  return MALE.has(text) ? 'm ' : FEMALE.has(text) ? 'f ' : ''
}

const MALE = wordSet('mr herr herrn monsieur señor sr senhor signor meneer г-н')
const FEMALE = wordSet('mrs ms mme mlle madame frau señora sra senhora signora mevrouw г-жа')

/** Most texts have no more than apostrophes. */
const MAY_QUOTE = /"|(?:^|[^A-Za-z0-9])'/

/** Where quoted text stands; of a long quotation no word counts. */
export function quotesOf(text: string): readonly (readonly [start: number, end: number, isLong: boolean])[] {
  if (!MAY_QUOTE.test(text)) return []
  return [...text.matchAll(QUOTED)].map(({ 0: quoted, index }) => [
    index,
    index + quoted.length,
    quoted.trim().split(/\s+/).length > QUOTED_WORDS_MAX && !isCallAt(text, index),
  ])
}

/** `run "make all"`: what is run is told, not quoted. */
function isCallAt(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - CALL_CHARS), at)
  if (before.endsWith(': ') && PURPOSES.has(/^\p{L}+/u.exec(text.toLowerCase())?.[0] ?? '')) return true
  const word = /(\p{L}+)[ :]*$/u.exec(before)?.[1]?.toLowerCase() ?? ''
  return CALL_VERBS.has(word) || (classesOfWord(word) & W.means) !== 0
}

const CALL_CHARS = 16

const QUOTED = /"[^"\n]{1,400}"|(?<![\p{L}\p{N}])'[^'\n]{1,400}'(?![\p{L}\p{N}])/gu
const QUOTED_WORDS_MAX = 3

/** `MIT` among small letters; `NOT` and `MUST` are loud. */
export function isAcronymAt(text: string, start: number, { length }: string, { marks }: WordInfo): boolean {
  const spelled = text.slice(start, start + length)
  if (length < 3 || (marks & LOUD) !== 0) return false
  return spelled === spelled.toUpperCase() && text !== text.toUpperCase()
}

/** `EU` and `Switch` within a sentence are names, and neither `I` nor a change. */
export function isNameAlike(
  text: string,
  start: number,
  word: string,
  classes: number,
  before: Token | undefined,
): boolean {
  if ((classes & (W.change | W.gone | W.now)) !== 0 && before?.kind === 'word') return true
  return word.length === 2 && (classes & W.speaker) !== 0 && isLoudAt(text, start, word.length)
}

function isLoudAt(text: string, start: number, length: number): boolean {
  const spelled = text.slice(start, start + length)
  return spelled === spelled.toUpperCase() && text !== text.toUpperCase()
}

/** `…, too`: what was said before is said besides. */
export function isAddition(tokens: readonly Token[]): boolean {
  return tokens.length === 1 && ((tokens[0]?.marks ?? 0) & M.addition) !== 0
}

const LOUD = M.negation | M.concord | M.rule | M.and | M.restriction

/** Whether a sign of a path or a flag touches the word. */
export function isMarkAt(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(end) === 0x2f) return true
  const before = start === 0 ? 0x20 : text.charCodeAt(start - 1)
  return before === 0x2d || before === 0x2e || before === 0x2f || before === 0x7e
}

/** `docs/` */
export function isFolderAt(text: string, end: number): boolean {
  return text.charAt(end) === '/' && /^(?:[\s.,;:)'"]|$)/.test(text.slice(end + 1, end + 2))
}

/** What a number with signs in it is: a date, a time, a version, a score, or a name. */
export function codeKind(lower: string): string {
  if (/^\d{4}-\d\d?-\d\d?(?:t.*)?$|^\d\d?[./]\d\d?[./]\d{2,4}$|^\d{4}\/\d\d?\/\d\d?$/.test(lower))
    return 'date'
  if (/^\d\d?:\d\d(?::\d\d)?(?:am|pm)?$|^\d\d?(?:am|pm)$/.test(lower)) return 'clock'
  if (/^v?\d+(?:\.\d+){0,3}(?:-[a-z]+\.?\d*)?$|^\d+(?:\.x|\.\d+\.x)$/.test(lower)) return 'version'
  if (/^\d+(?:st|nd|rd|th|er|ème|º)$/.test(lower)) return 'date'
  if (/^\d+\/\d+$/.test(lower)) return 'score'
  return 'id'
}

/** `3.11.,` is a day; a sentence seldom ends before a comma. */
export const GERMAN_DAY = /^(?:[1-9]|[12]\d|3[01])\.(?:[1-9]|1[0-2])\.[,:;)]$/

/** `3` of a text that begins with `3.`: which item of a list it is; empty for most. */
export function itemOf(text: string): string {
  return ITEM.exec(text)?.[1] ?? ''
}

const ITEM = /^\s*(\d{1,3})[.)]\s/

/** `Yes, take the card`: to what, only the question says. */
export const ANSWER =
  /^(?:yes|yeah|yep|sure|thanks|thank you|ja|danke|oui|merci|sí|gracias|sim|obrigad[oa]|grazie|да|спасибо)[,.!]\s/iu

/** `…, Ada retired` and `…, use ink` list nothing. */
export function isNews(tokens: readonly Token[]): boolean {
  if (CALL_VERBS.has(tokens[0]?.text ?? '')) return true
  return tokens.some(({ classes, marks }) => (classes & W.gone) !== 0 || (marks & M.left) !== 0)
}

/** What a word is where another language spells it alike. */
export function asSpoken(word: string, info: WordInfo, before: readonly Token[]): WordInfo {
  if (word === 'no') {
    if ((before.at(-1)?.text.charCodeAt(0) ?? 0) > CYRILLIC_FROM) return NUMERO
    return isPortuguese(before) ? EM_O : info
  }
  const spoken = SPOKEN.get(word)
  if (spoken === undefined) return info
  return before.some(({ text }) => spoken.among.has(text)) ? spoken.info : info
}

const CYRILLIC_FROM = 0x3ff
/** `№` is written as `no` when signs are made plain. */
const NUMERO: WordInfo = { key: 'no', classes: W.label, marks: 0, isContent: false }
const EM_O: WordInfo = { key: 'no', classes: W.placing | W.to, marks: 0, isContent: false }
const DUTCH = wordSet('de het een je van voor naar wordt worden zijn doe doen gaat draai draait staat op bij')
const DUTCH_VERBS = wordSet('doe doen draai gaat gaan kan moet haal vind zet het een voor')

const SPOKEN: ReadonlyMap<string, { readonly among: ReadonlySet<string>; readonly info: WordInfo }> = new Map(
  [
    ['met', { among: DUTCH, info: { key: 'met', classes: W.means, marks: 0, isContent: false } }],
    [
      'statt',
      {
        among: wordSet('findet finden fand fanden'),
        info: { key: 'statt', classes: 0, marks: 0, isContent: false },
      },
    ],
    ['je', { among: DUTCH_VERBS, info: { key: 'je', classes: 0, marks: 0, isContent: false } }],
    [
      'du',
      {
        among: wordSet('la le les une est au aux et sur pour dans'),
        info: { key: 'du', classes: W.from, marks: 0, isContent: false },
      },
    ],
  ],
)

/** `To print it, run …` and `We moved the beta, it starts …` say one thing in two parts: what stands before the comma, and next. */
export function isOfOnePart(tokens: readonly Token[], next: string): boolean {
  const [first] = tokens
  if (first !== undefined && PURPOSES.has(first.text)) return isVerbBehind(tokens) || leadsToCall(next)
  if (first?.text === 'for' && ASK.test(next)) return true
  return goesOn(tokens, next) || isFieldName(tokens, next)
}

/** `on Friday, 3 October` is one date, and `we moved the beta, it starts …` says of the same what changed. */
function goesOn(tokens: readonly Token[], next: string): boolean {
  if (((tokens.at(-1)?.classes ?? 0) & W.date) !== 0 && DAY_NUMBER.test(next)) return true
  return IT.test(next) && tokens.some(({ classes }) => (classes & W.change) !== 0)
}

/** `Till, firmware: 5.0` is one field. */
function isFieldName(tokens: readonly Token[], next: string): boolean {
  return (
    tokens.length <= LABEL_WORDS_MAX &&
    LABEL.test(next) &&
    !tokens.some(({ kind }) => kind === 'sign') &&
    !isGreeting(tokens) &&
    !saysSomething(tokens)
  )
}

function saysSomething(tokens: readonly Token[]): boolean {
  return tokens.some(
    ({ classes, marks }) =>
      (classes & (W.copula | W.correction)) !== 0 || (marks & (M.present | M.rule | M.negation)) !== 0,
  )
}

const LABEL_WORDS_MAX = 4
const LABEL = /^(?:[\p{L}'-]+ ){0,2}[\p{L}'-]+ ?: /u

const DAY_NUMBER = /^\d{1,2}(?:st|nd|rd|th|\.)?(?: (?:de |of )?\p{L}{3,}|$)/u
const IT = /^(?:it|it's|they|es|er|sie)(?= )/i

/** `has since been paid`, `open since then`: no part of its own follows. */
export function isSinceThen(whole: string, word: string, start: number): boolean {
  if (word !== 'since') return false
  const behind = whole.slice(start + word.length, start + SINCE_CHARS)
  return SINCE_THEN.test(behind) || isTurnBehind(behind)
}

const SINCE_CHARS = 36
const SINCE_THEN =
  /^\s+(?:been|then)(?!\p{L})|^\s+(?:Jan|Feb|March|April|May|June|July|Aug|Sep|Oct|Nov|Dec|Mon|Tues|Wed|Thurs|Fri|Sat|Sun)/u

/** Begin the name of what there is one of. */
export const DEFINITE = wordSet(
  'the our my der die das unser unsere le la notre el nuestro nuestra o nosso nossa il nostro de het ons onze наш наша',
)
/** Whether a statement begins with the name of what there is one of; `a` is an article of Portuguese. */
export function beginsDefinite(tokens: readonly Token[]): boolean {
  const first = tokens[0]?.text ?? ''
  return DEFINITE.has(first) || (first === 'a' && isPortuguese(tokens))
}

export const IS = wordSet('is ist est es é è')

/** `I was wrong`, `scrap that`, `mistake in my note`, before what is right; not `sorry, but …`, before what cannot be. */
export function isOwnMistake(tokens: readonly Token[], behind: string): boolean {
  const at = tokens.findIndex(({ text }) => MISTAKES.has(text))
  if (at < 0 || (tokens[at]?.text === 'sorry' && REFUSES.test(behind))) return false
  if (tokens.length <= MISTAKE_WORDS_MAX) return true
  return tokens.length <= OWN_MISTAKE_WORDS_MAX && (at === 0 || ((tokens[0]?.classes ?? 0) & W.speaker) !== 0)
}

const REFUSES =
  /^[\s,;.]*(?:but|however|unfortunately|(?:i|we)(?:'m| am| are)? (?:not|unable|cannot|can't|couldn't|don't|didn't|(?:can|could|do|did) not))\b/i
const MISTAKE_WORDS_MAX = 4
const OWN_MISTAKE_WORDS_MAX = 7
const MISTAKES = wordSet(
  `wrong mistaken mistake misread misheard mixed typo sorry scrap scratch strike falsch geirrt irrtum verlesen verhört verwechselt vertan verschrieben quatsch
   trompé trompée erreur confondu equivoqué equivocado confundí engano enganei errore sbagliato sbagliata vergist vergiste mis ошибся ошиблась ошибка`,
)
