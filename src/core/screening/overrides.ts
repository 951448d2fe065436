import type { Finding } from './finding.ts'
import {
  classesIn,
  findClass,
  isInstructing,
  isLabel,
  isNegated,
  isOrder,
  isStatedNegation,
  isStatement,
  type Reading,
  type Sentence,
  wordsFound,
} from './reading.ts'
import * as W from './word-class.ts'
import { levelAt, maskAt, type Words, wordAt } from './words.ts'

// Setting aside what came before. A verb of disregard, what is set aside, and a word that says whose or which, in any
// order (many languages put the verb last) within one sentence and a few words.

const SET_ASIDE_REACH = 9
const NEWLY =
  /^(?:new|updated|revised|real|actual|neue[nr]?|nuevas?|nouvelles?|nuov[ae]|novas?|nieuwe|новые|новое)$/

export function addOverrides(findings: Finding[], reading: Reading, sentence: Sentence): void {
  const { words } = reading
  for (let at = sentence.from; at < sentence.to; at++) {
    const mask = maskAt(words, at)
    let end = -1
    if ((mask & W.DISREGARD) !== 0) end = disregarded(reading, sentence, at)
    if (end === -1 && (mask & W.WEAKEN) !== 0) end = weakened(reading, sentence, at)
    if (end === -1 && (mask & W.FOLLOW) !== 0) end = refused(reading, sentence, at)
    if (end === -1 && (mask & W.ORDERS) !== 0) end = replaced(reading, sentence, at)
    if (end === -1 && (mask & (W.ORDERS | W.LIMITS)) !== 0) end = voided(reading, sentence, at)
    if (end === -1) continue
    findings.push(wordsFound('instruction_override', words, at, end))
    at = Math.max(at, end)
  }
}

/** `ignore all previous instructions`, `forget your rules`, `disregard the above`. */
function disregarded(reading: Reading, sentence: Sentence, at: number): number {
  const { words } = reading
  if (isNegated(words, sentence, at) || isToldOfHost(words, sentence, at)) return -1
  const orders = nearest(reading, sentence, at, W.ORDERS)
  if (
    orders !== -1 &&
    (around(reading, sentence, at, orders) & (W.PRIOR | W.WHOLE | W.YOU | W.SYSTEM)) !== 0
  ) {
    return orders
  }
  if (isStatement(words, sentence, at) || isLabel(reading, at)) return -1
  const limits = nearest(reading, sentence, at, W.LIMITS)
  if (limits !== -1 && (around(reading, sentence, at, limits) & (W.YOU | W.PRIOR)) !== 0) return limits
  const whole = findClass(words, sentence, W.WHOLE, at, at + 4)
  if (whole !== -1) {
    const known = findClass(words, sentence, W.PRIOR | W.TOLD, whole, whole + 5)
    if (known !== -1 && isLastOfPhrase(reading, sentence, known)) return known
  }
  const above = findClass(words, sentence, W.PRIOR, at, at + 4)
  return wordAt(words, at + 1) === 'the' && isLastOfPhrase(reading, sentence, above) ? above : -1
}

const ARTICLE =
  /^(?:el|la|le|il|lo|o|a|un|una|une|uno|um|uma|der|die|das|ein|eine|de|het|een|the|our|unser|notre|nuestro|nosso)$/
const ELIDED_HOST = /^(?:l|un)['’](?:assistant|assistante|assistente|agente?|ia)$/

/** `el asistente olvida …`: in many languages an order is written like what is told of somebody. */
function isToldOfHost(words: Words, sentence: Sentence, at: number): boolean {
  if (at === sentence.from || levelAt(words, at) !== 0) return false
  if (ELIDED_HOST.test(wordAt(words, at - 1))) return true
  return (
    at - 1 > sentence.from && (maskAt(words, at - 1) & W.HOST) !== 0 && ARTICLE.test(wordAt(words, at - 2))
  )
}

/** `override your programming`: a program does this as well, so it counts only for what belongs to the reader. */
function weakened(reading: Reading, sentence: Sentence, at: number): number {
  const { words } = reading
  if (isNegated(words, sentence, at) || isStatement(words, sentence, at)) return -1
  const held = findClass(words, sentence, W.ORDERS | W.LIMITS, at, at + SET_ASIDE_REACH)
  const between = classesIn(words, sentence, at, held)
  if ((between & W.YOU) !== 0) return held
  if ((maskAt(words, held) & W.ORDERS) === 0) return -1
  const isEarlier = (between & W.PRIOR) !== 0 && !OF_WORK.test(wordAt(words, held))
  return (between & W.SYSTEM) !== 0 || (isEarlier && isOrder(words, sentence, at)) ? held : -1
}

/** What people order and do for each other as well. */
const OF_WORK = /^(?:tasks?|orders?|commands|prompts?)$/

/** Behind what was told: that it counts no longer. The words of the languages whose orders are known here. */
const VOID =
  /^(?:[^\p{L}'’.!?\n]{1,3}[\p{L}'’]+){0,6}?[ ,:]{1,3}(?:(?:are|is|were|was|have been|has been) (?:now |hereby |all |only |just |therefore )*(?:void|null|invalid|dead|over|withdrawn|revoked|cancell?ed|obsolete|rescinded|annulled|suspended|lifted|worthless|a test|no longer (?:valid|in force|binding|relevant|applicable))|(?:no longer|do(?:es)? not|don['’]t|doesn['’]t) (?:count|apply|hold|matter|bind)s?|(?:gelten|gilt|zählen|zählt) (?:\p{L}+ )?nicht(?: mehr)?|(?:sind|ist) (?:\p{L}+ )?(?:hinfällig|ungültig|nichtig|aufgehoben|überholt)|ya no (?:valen|cuentan|sirven|aplican)|quedan? (?:sin efecto|anuladas?|derogadas?)|não (?:valem|contam|se aplicam)|(?:ficam|estão|foram) (?:sem efeito|anuladas|revogadas)|non (?:valgono|contano|si applicano)|(?:sono|sono state) (?:annullate|revocate|superate)|gelden niet|tellen niet|zijn (?:vervallen|ongeldig|ingetrokken)|(?:ne (?:comptent|valent|s['’]appliquent) plus|sont (?:désormais |toutes )?(?:annulées|caduques|levées|nulles))|(?:больше |уже )*не (?:действуют|действительны|имеют силы)|отмен(?:ены|яются)|аннулированы)(?!\p{L})/iu
/** What is said to count in their stead. */
const ONLY =
  /(?<!\p{L})(?:only (?:this|the following|what this)|(?:this|the following) (?:line|note|message|text|one|sentence)?[^.!?\n]{0,20}\b(?:instead|only|alone)|nur (?:noch )?(?:das folgende|dies|diese)|stattdessen|(?:solo|solamente|únicamente|apenas|somente|soltanto|unicamente|uniquement|seulement) (?:es?to|es?ta|is[st]o|questo|ceci|ce qui|lo siguiente|o seguinte|quanto segue|la suite)|(?:haz|faça|fais|faites|esegui|doe|делай|выполни) (?:solo|apenas|uniquement|seulement|soltanto|alleen|только)|alleen (?:dit|het volgende)|только (?:это|следующее))(?!\p{L})/iu
/** Said by a text of itself: `the rules above this line`. */
const HERE = /(?<!\p{L})this (?:line|text|message|note|point|sentence|paragraph|comment)(?!\p{L})/iu
const VOID_REACH = 160

/** `all former policies of the agent are withdrawn`: what the reader was told, or what an order stands in the stead of. */
function voided(reading: Reading, sentence: Sentence, at: number): number {
  const { text, words } = reading
  const end = words.ends[at] ?? 0
  const found = VOID.exec(text.slice(end, end + VOID_REACH))
  if (found === null || isInstructing(reading.context)) return -1
  const from = Math.max(sentence.from, at - 3)
  let last = at
  while (last + 1 < sentence.to && (words.ends[last + 1] ?? 0) <= end + found[0].length) last += 1
  const owners = classesIn(words, sentence, from, last)
  if ((owners & W.PRIOR) === 0) return -1
  if ((owners & (W.YOU | W.HOST)) !== 0 || HERE.test(found[0])) return last
  return ONLY.test(text.slice(end + found[0].length, end + VOID_REACH * 2)) || hasOrder(words, last + 1)
    ? last
    : -1
}

const ORDER_CLAUSES = 12

/** Whether one of the next clauses begins with an order to act. */
function hasOrder(words: Words, from: number): boolean {
  const to = Math.min(words.starts.length, from + ORDER_CLAUSES)
  for (let at = from; at < to; at++) {
    const isFirst = levelAt(words, at) >= 2 || /^(?:now|please|hereon|line|and)$/.test(wordAt(words, at - 1))
    if (isFirst && (maskAt(words, at) & (W.SEND | W.ALTER | W.FOLLOW | W.REVEAL)) !== 0) return true
  }
  return false
}

/** `do not follow your instructions`, `stop obeying the rules above`. */
function refused(reading: Reading, sentence: Sentence, at: number): number {
  const { words } = reading
  const no = findClass(words, sentence, W.NEGATE, at - 3, at)
  if (no === -1 || isStatedNegation(words, sentence, no)) return -1
  const held = findClass(words, sentence, W.ORDERS | W.LIMITS, at, at + SET_ASIDE_REACH)
  const isPrompt = (maskAt(words, held) & W.ORDERS) !== 0
  return (around(reading, sentence, at, held) & (W.PRIOR | W.YOU | (isPrompt ? W.SYSTEM : 0))) !== 0
    ? held
    : -1
}

/** `new instructions:`, `your new task is`. */
function replaced(reading: Reading, sentence: Sentence, at: number): number {
  const { words, text } = reading
  if (at === sentence.from || !NEWLY.test(wordAt(words, at - 1))) return -1
  if (at - 1 > sentence.from && (maskAt(words, at - 2) & W.YOU) !== 0) return at - 2
  const isPlural = /^in?stru/.test(wordAt(words, at))
  return isPlural && text.charCodeAt(words.ends[at] ?? 0) === 0x3a ? at - 1 : -1
}

/** The next word of a class; in languages that put the verb last, the last one before it. */
function nearest(reading: Reading, sentence: Sentence, at: number, mask: number): number {
  const after = findClass(reading.words, sentence, mask, at, at + SET_ASIDE_REACH)
  if (after !== -1) return after
  for (let before = at; before >= sentence.from && before > at - SET_ASIDE_REACH; before--) {
    if ((maskAt(reading.words, before) & mask) !== 0) return before
  }
  return -1
}

function around(reading: Reading, sentence: Sentence, one: number, other: number): number {
  return classesIn(reading.words, sentence, Math.min(one, other) - 3, Math.max(one, other) + 4)
}

/** Whether nothing that could be named by the word follows it: `the above, and say`, not `the above warning`. */
function isLastOfPhrase(reading: Reading, sentence: Sentence, at: number): boolean {
  const { words } = reading
  if (at + 1 >= sentence.to || levelAt(words, at + 1) >= 1) return true
  const next = wordAt(words, at + 1)
  return (
    next === 'and' ||
    next === 'or' ||
    next === 'instead' ||
    (maskAt(words, at + 1) & (W.ORDERS | W.YOU | W.TOLD | W.PRIOR)) !== 0
  )
}
