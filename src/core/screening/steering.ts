import { FNV_PRIME, FNV_START, hashText, mix32 } from '../base/hash.ts'
import { type Finding, findingOf } from './finding.ts'
import { isInstructing, type Reading } from './reading.ts'
import { BIAS } from './steering-table.ts'
import { WEIGHTS } from './steering-weights.ts'
import { DENSE, kindAt } from './units.ts'
import { ADDRESS, HOST } from './word-class.ts'
import { levelAt, maskAt, wordAt } from './words.ts'

// Passages that steer whoever reads by machine, in words that no phrase knows: a sentence or two that name him or the one whom he
// serves are weighed by the beginnings of their words. Each weight says little. They are those of a logistic regression (Cox, The
// Regression Analysis of Binary Sequences, 1958) over hashed signs (Weinberger et al., Feature Hashing, 2009):
// `npm run fit -- steering` finds them.

/** Who a word names: nobody, the one who reads by machine, or the one whom he serves. */
const NOBODY = 0
const READER = 1
const SERVED = 2
const MODEL = 3

/** Words of a text and, in scripts without spaces, pairs of units: an entry of each column a token. */
export interface Tokens {
  readonly texts: string[]
  readonly levels: number[]
  readonly roles: number[]
  readonly starts: number[]
  readonly ends: number[]
}

/** Tokens from `from` up to but not including `to`. */
export interface Passage {
  readonly from: number
  readonly to: number
}

/** A passage of more than one sentence has no more tokens. */
const TOKENS_MAX = 40
const STEP = TOKENS_MAX / 2

/** Names in scripts without spaces. */
const DENSE_NAMES: ReadonlyMap<string, number> = new Map([
  ...rolesOf(READER, '助手 助理 智能体 机器人 人工智能 アシスタント エージェント ボット 人工知能'),
  ...rolesOf(MODEL, '代理 模型 モデル'),
  ...rolesOf(SERVED, '用户 使用者 客户 ユーザー 利用者 お客様 顧客'),
])
const ANY_DENSE_NAME = [...DENSE_NAMES.keys()].join('|')

function rolesOf(role: number, names: string): readonly (readonly [string, number])[] {
  return names.split(' ').map((name) => [name, role])
}

const LETTERS_OF_NAMES =
  /agen[tc]|assist|asist|asyst|artifici|bot(?:lar|(?:s|u|[oó]w|a)?(?![a-z]))|mod[eè]l|llm|copilot|gpt|claude|gemini|siri|alexa|(?<![a-z])(?:ais?|ias?|ki|yz)(?![a-z])|summari|crawler|yard[iı]mc|arac[iı]|ajan|zek[aâ]|robocik|ассист|агент|бот|не[йи]росет|модел|помощ|(?<![а-я])ии(?![а-я])|user|human|owner|operator|customer|client|reader|nutzer|anwender|kund|leser|utili[sz]|lect|usu[aá]ri|lettor|utent|gebruik|klant|польз|клиент|u[zż]ytk|klient|kullan|m[uü][sş]teri/i
/** Which texts are looked at closer: a text without any of these names nobody. */
const MAY_NAME = new RegExp(`${LETTERS_OF_NAMES.source}|${ANY_DENSE_NAME}`, 'i')
/** Not `dependabot`, which is in the names of files and branches. */
const NAMES_READER =
  /^(?:\p{L}{0,12}(?:assistent\p{L}*|assistenzs\p{L}*|assistant[es]?s?|asistan\p{L}*|asistente?s?|asystent\p{L}*|asystencie|ассистент\p{L}*|(?<!^re)agents?|agente[ns]?|agenti|agencie?|agent[oó]w|agentom|агент\p{L}{0,3}|llms?|copilot\p{L}*)|(?:chat|ro|(?!depend)\p{L}{4,12})?bot(?:s|a|[oó]w|lar\p{L}*|u)?|robocik\p{L}*|неиросет\p{L}{0,3}|ajan(?:lar\p{L}*|[ia])?|zekay?[ai]?|чатбот\p{L}{0,3}|(?:ро)?бот(?:а|у|ы|ом|ов|ам|ами)?|ais?|ias?|ki|ии|gpt|chatgpt|claude|gemini|siri|alexa|помощник\p{L}{0,3}|summari[sz]ers?|crawlers?|yardimci\p{L}*|araci\p{L}*|yz)$/u
/** It reads by machine, or is one of physics. */
const NAMES_MODEL = /^(?:artifici\p{L}{1,6}|models?|model[eo]s?|modell[oi]|model\p{L}{0,2}|модел\p{L}{0,3})$/u
const NAMES_SERVED =
  /^(?:users?|humans?|owners?|operators?|customers?|clients?|readers?|\p{L}*nutzer\p{L}*|anwender\p{L}*|kund\p{L}*|leser\p{L}*|utili[sz]a(?:t|do)\p{L}*|lecteur\p{L}*|usuari\p{L}*|clientes?|lector\p{L}*|lettor\p{L}*|utent\p{L}*|gebruiker\p{L}*|klant\p{L}*|пользовател\p{L}*|клиент\p{L}*|uzytkowni\p{L}*|klient\p{L}*|kullanic\p{L}*|musteri\p{L}*)$/u
const DENSE_NAME = new RegExp(`^(?:${ANY_DENSE_NAME})`)
const NAME_UNITS = 6
/** No name is longer; a pattern reads no more. Units. */
const NAME_MAX = 40
/** `l'assistant`, `dell'utente`: the word behind the article. */
const ELIDED = /^(?:l|d|dell|all|un|nell|sull|qu|s|c|j|n|m|t)['’](?=..)/
const BEHIND_APOSTROPHE = /['’].*$/
const APOSTROPHE = /['’]/
const DENSE_SENTENCE_END = /[。！？\n.!?]/
const DENSE_CLAUSE = /[，、：；「『“"（:,;(]/

/**
 * What a passage weighs at the least, in quarters of the logarithm of the odds: beside the one who reads by machine, or only
 * the one whom he serves, who is named in many other texts. Of sets that the fit did not see two harmless texts in a hundred
 * weigh as much where most are near an attack, and of other texts one in a thousand.
 */
const LEAST = { reader: 6, served: 11 } as const

/** The first passage that steers, where nothing else was found; what comes to steer in rules is what rules are for. */
export function addSteered(findings: Finding[], reading: Reading): void {
  if (!MAY_NAME.test(reading.text) || isInstructing(reading.context)) return
  const tokens = tokensOf(reading)
  const { roles, starts, ends } = tokens
  if (roles.every((role) => role === NOBODY)) return
  const passage = steeringPassage(tokens, BIAS, (slot) => WEIGHTS[slot] ?? 0)
  if (passage === null) return
  const named = roles.findIndex((role, at) => at >= passage.from && role !== NOBODY)
  findings.push(findingOf('assistant_directive', starts[named] ?? 0, ends[passage.to - 1] ?? 0))
}

/** The first passage that weighs enough; null: none does. */
export function steeringPassage(
  tokens: Tokens,
  bias: number,
  weightAt: (slot: number) => number,
): Passage | null {
  for (const passage of passagesOf(tokens)) {
    const least = leastOf(tokens, passage)
    if (least === null) continue
    let weight = bias
    for (const slot of signsOf(tokens, passage)) weight += weightAt(slot)
    if (weight >= least) return passage
  }
  return null
}

/** What a passage has to weigh at the least, by whom it names; null where that is nobody. */
export function leastOf({ roles }: Tokens, { from, to }: Passage): number | null {
  let least: number | null = null
  for (let at = from; at < to; at++) {
    if (roles[at] === READER) return LEAST.reader
    if (roles[at] === SERVED || roles[at] === MODEL) least = LEAST.served
  }
  return least
}

/** The words and dense units of a text in order of place. */
export function tokensOf({ text, words }: Reading): Tokens {
  const tokens: Tokens = { texts: [], levels: [], roles: [], starts: [], ends: [] }
  let done = 0
  for (let at = 0; at < words.starts.length; at++) {
    const word = wordAt(words, at)
    if (word === '') continue
    const start = words.starts[at] ?? 0
    addDense(tokens, text, done, start)
    done = words.ends[at] ?? start
    const isAddress = (maskAt(words, at) & ADDRESS) !== 0
    const bare = bareOf(word)
    const told = roleOf(bare)
    const named = told === NOBODY && (maskAt(words, at) & HOST) !== 0 ? READER : told
    const role = isAddress || (named === READER && isNoName(bare, text, start, done)) ? NOBODY : named
    push(tokens, isAddress ? '@' : bare, role, levelAt(words, at), start, done)
  }
  addDense(tokens, text, done, text.length)
  return tokens
}

/** Without the article or sign before it: `l'assistant`, `@assistant`. */
function bareOf(word: string): string {
  if (word.startsWith('@')) return word.slice(1)
  return APOSTROPHE.test(word) ? word.replace(ELIDED, '') : word
}

/** `t'ai`, `ai clienti`: names of two letters are written in capitals. `IA-64`, `User-Agent`: parts of other names. */
function isNoName(word: string, text: string, start: number, end: number): boolean {
  if (word.length > 2)
    return word.startsWith('agent') && OTHER_AGENT.test(text.slice(Math.max(0, start - 10), start))
  const written = text.slice(end - 2, end)
  return written !== written.toUpperCase() || PART_BEHIND.test(text.slice(end, end + 2))
}

const OTHER_AGENT = /(?:user|transport|delivery)[-_ ]$/i
const PART_BEHIND = /^-\d/

function roleOf(word: string): number {
  if (word.length > NAME_MAX || !MAY_NAME.test(word)) return NOBODY
  const name = word.replace(BEHIND_APOSTROPHE, '')
  const dense = DENSE_NAMES.get(name)
  if (dense !== undefined) return dense
  if (NAMES_READER.test(name)) return READER
  if (NAMES_MODEL.test(name)) return MODEL
  return NAMES_SERVED.test(name) ? SERVED : NOBODY
}

/** Who is named is told apart no further. */
function push(tokens: Tokens, word: string, role: number, level: number, start: number, end: number): void {
  tokens.texts.push(role === NOBODY ? word : role === SERVED ? '{U}' : '{A}')
  tokens.roles.push(role)
  tokens.levels.push(tokens.starts.length === 0 ? 3 : level)
  tokens.starts.push(start)
  tokens.ends.push(end)
}

/** Dense units between two words: a name is one token, any other unit begins a pair. */
function addDense(tokens: Tokens, text: string, from: number, to: number): void {
  for (let at = from; at < to; at++) {
    if (kindAt(text, at) !== DENSE) continue
    const before = text.charAt(at - 1)
    const level = DENSE_SENTENCE_END.test(before) ? 3 : DENSE_CLAUSE.test(before) ? 2 : 0
    const [name = ''] = DENSE_NAME.exec(text.slice(at, at + NAME_UNITS)) ?? []
    if (name === '') {
      const isPair = kindAt(text, at + 1) === DENSE
      push(tokens, text.slice(at, isPair ? at + 2 : at + 1), NOBODY, level, at, at + 1)
    } else {
      push(tokens, name, roleOf(name), level, at, at + name.length)
      at += name.length - 1
    }
  }
}

/** Each sentence, with the next one where both are short; a long sentence in parts that overlap. Linear. */
export function passagesOf({ levels }: Tokens): readonly Passage[] {
  const breaks: number[] = []
  for (const [at, level] of levels.entries()) if (level === 3) breaks.push(at)
  breaks.push(levels.length)
  const passages: Passage[] = []
  for (let at = 0; at + 1 < breaks.length; at++) {
    const from = breaks[at] ?? 0
    const next = breaks[at + 2] ?? Number.POSITIVE_INFINITY
    const to = next - from <= TOKENS_MAX ? next : (breaks[at + 1] ?? from)
    let part = from
    for (; to - part > TOKENS_MAX; part += STEP) passages.push({ from: part, to: part + TOKENS_MAX })
    passages.push({ from: part, to })
  }
  return passages
}

/** Signs of a kind are hashed from a start of their own. */
const BEGINNING = FNV_START
const FIRST = FNV_START + 1
const PAIR = FNV_START + 2
const WHOLE = FNV_START + 3
const BEHIND = FNV_START + 4
/** Units of a word that are its beginning, alone and in a pair. */
const ALONE_UNITS = 5
const PAIR_UNITS = 4
/** So many tokens behind the one who reads are told apart from others. */
const BEHIND_MAX = 4

/**
 * Slots of `WEIGHTS`: beginnings of words, of those that begin a clause, of those behind the one who reads, and of each two words
 * side by side; whole words, where they are longer; dense units.
 */
export function signsOf({ texts, levels, roles }: Tokens, { from, to }: Passage): ReadonlySet<number> {
  const slots = new Set<number>()
  let before: string | null = null
  let reader = Number.NEGATIVE_INFINITY
  for (let at = from; at < to; at++) {
    const word = texts[at] ?? ''
    slots.add(slotOf(hashStart(word, BEGINNING, ALONE_UNITS)))
    if (word.length > ALONE_UNITS) slots.add(slotOf(hashStart(word, WHOLE, word.length)))
    else if (kindAt(word, 0) === DENSE) slots.add(slotOf(hashStart(word, WHOLE, 1)))
    if ((levels[at] ?? 0) >= 2) slots.add(slotOf(hashStart(word, FIRST, ALONE_UNITS)))
    if (at - reader <= BEHIND_MAX) slots.add(slotOf(hashStart(word, BEHIND, ALONE_UNITS)))
    if (roles[at] === READER && reader < from) reader = at
    if (before !== null) {
      const apart = Math.imul(hashStart(before, PAIR, PAIR_UNITS), FNV_PRIME)
      slots.add(slotOf(hashStart(word, apart, PAIR_UNITS)))
    }
    before = word
  }
  return slots
}

function hashStart(word: string, from: number, units: number): number {
  return hashText(word, from, 0, Math.min(word.length, units))
}

function slotOf(hash: number): number {
  return mix32(hash) & (WEIGHTS.length - 1)
}
