import { type Clause, isNumber, type Token } from './dispute-clause.ts'
import { ACTS } from './dispute-slot-words.ts'
import { W } from './dispute-words.ts'
import { sideOf, wordSet, wordsOf } from './fact-words.ts'

// What parts two statements of one form: each holds in a case of its own.

/** `at least` in one and `at most` in the other, `above` and `below`. */
export function isBoundOther(earlier: Clause, later: Clause): boolean {
  const sides = new Map<string, boolean>()
  for (const { text } of earlier.tokens) {
    const side = sideOf(text)
    if (side !== null && BOUNDS.has(side.axis)) sides.set(side.axis, side.isPlus)
  }
  for (const { text } of later.tokens) {
    const side = sideOf(text)
    if (side === null || !BOUNDS.has(side.axis)) continue
    const known = sides.get(side.axis)
    if (known !== undefined && known !== side.isPlus) return true
  }
  return false
}

/** A word that both share stands behind `during` in one and behind `after` in the other: two cases. */
export function isOtherCase(earlier: Clause, later: Clause): boolean {
  for (const [key, at] of earlier.content) {
    const place = later.content.get(key)
    if (place === undefined) continue
    const [one, other] = [caseLeadOf(earlier, at), caseLeadOf(later, place)]
    if (one !== null && other !== null && one !== other) return true
  }
  return false
}

/** The word that leads to a case, articles passed over. */
function caseLeadOf({ tokens }: Clause, at: number): string | null {
  for (let back = at - 1; back >= Math.max(0, at - 3); back -= 1) {
    const token = tokens[back]
    if (token === undefined) return null
    const lead = CASES.get(token.text)
    if (lead !== undefined) return lead
    if (token.isContent || (token.classes & (W.article | W.copula)) === 0) return null
  }
  return null
}

/** Words by the case that they lead to. */
const CASES: ReadonlyMap<string, string> = new Map(
  (
    [
      ['during', 'during während pendant durante tijdens podczas'],
      ['after', 'after following nach après después tras depois após dopo na po после'],
      ['before', 'before prior vor avant antes prima voor przed перед'],
      ['over', 'over above exceeding über oberhalb sopra oltre boven powyżej ponad свыше выше'],
      ['under', 'under below unter unterhalb sous bajo sotto onder poniżej ниже'],
      ['up to', 'to bis jusque hasta até fino tot do до'],
      ['from', 'from ab dès desde da vanaf od от'],
      ['outside', 'outside ausserhalb hors fuera fora fuori buiten poza'],
      ['inside', 'inside within innerhalb dentro entro binnen'],
    ] as const
  ).flatMap(([lead, words]) => wordsOf(words).map((word): [string, string] => [word, lead])),
)

const BOUNDS: ReadonlySet<string> = new Set(['order', 'bound', 'height', 'amount'])

/** `usually 20` and `at most 50` both hold. */
export function isTypical({ tokens }: Clause): boolean {
  return tokens.some(({ text }) => TYPICAL.has(text))
}

const TYPICAL = wordSet(
  'usually often normally typically sometimes mostly average cases gewöhnlich meist meistens oft normalerweise durchschnittlich généralement souvent habituellement moyenne normalmente suele promedio geralmente costuma média solitamente spesso media meestal gewoonlijk gemiddeld zwykle zazwyczaj обычно часто 通常 一般 平均',
)

/** `without a key`, `unless`: what holds with it does not hold without. */
export function exceptionsOf({ tokens }: Clause): string {
  return tokens
    .filter(({ text }) => EXCEPTIONS.has(text))
    .map(({ text }) => text)
    .join(' ')
}

const UNTIL = wordSet("until till bis jusque jusqu'à jusqu hasta até fino tot do до")

const EXCEPTIONS = wordSet(
  'without except unless ohne ausser sans sauf sin salvo excepto sem exceto senza eccetto tranne zonder behalve bez oprócz без кроме 除了 除外',
)

/** Each speaks of one act, and the acts differ: when it begins and when it ends. */
export function isOtherAct(earlier: Clause, later: Clause): boolean {
  const [a, b] = [actsOf(earlier), actsOf(later)]
  return a.size === 1 && b.size === 1 && [...a][0] !== [...b][0]
}

function actsOf({ tokens }: Clause): ReadonlySet<string> {
  const found = new Set<string>()
  const isUntil = tokens.some(({ text }) => UNTIL.has(text))
  for (const { text } of tokens) {
    const act = ACTS.get(text)
    // `open until 8` tells the end.
    if (act !== undefined) found.add(act === 'start' && isUntil ? 'end' : act)
  }
  return found
}

/** `up to 8` leaves room for `6`, where the later is no bound itself. */
export function isWithinBound(
  earlier: Clause,
  later: Clause,
  earlierRest: readonly Token[],
  laterRest: readonly Token[],
): boolean {
  const [x, y] = [earlierRest.find(isNumber), laterRest.find(isNumber)]
  if (x === undefined || y === undefined) return false
  const bound = boundOf(earlier, x)
  if (bound === null || boundOf(later, y) !== null) return false
  const room = Number.parseFloat(x.key.slice(2)) - Number.parseFloat(y.key.slice(2))
  return bound === 'most' ? room > 0 : room < 0
}

/** What the words just before or behind the number say that it is. */
function boundOf({ tokens }: Clause, number: Token): 'most' | 'least' | null {
  const at = tokens.indexOf(number)
  for (const token of [tokens[at - 1], tokens[at - 2], tokens[at + 1], tokens[at + 2]]) {
    if (token === undefined) continue
    if (MOST.has(token.text)) return 'most'
    if (LEAST.has(token.text)) return 'least'
  }
  if (tokens.some(({ text }) => LIMITS.has(text))) return 'most'
  return tokens.some(({ text }) => FLOORS.has(text)) ? 'least' : null
}

const MOST = wordSet(
  'most under below less fewer within maximum max up höchstens maximal unter bis jusque hasta até massimo fino maximaal tot do до 最多 以内 以下 内',
)
const LIMITS = wordSet(
  'limit limited maximum max cap capped ceiling capacity obergrenze höchstgrenze grenze plafond limite límite máximo máxima capacidad capacité kapazität massimo limiet лимит 上限 限制',
)
const FLOORS = wordSet('minimum min mindestlänge mindest mínimo mínima minimo 下限')
const LEAST = wordSet(
  'least over above more minimum min mindestens über mehr moins plus menos más mínimo mais almeno minimo minstens ponad более 至少 以上',
)
