import type { Clause, Token } from './dispute-clause.ts'
import { M } from './dispute-lexicon.ts'
import { isRival } from './dispute-rivals.ts'
import { STATES } from './dispute-slot-axes.ts'
import {
  AFTER,
  BESIDE,
  BY_MEANS,
  HOLDER_LEADS,
  HOLDING,
  NEUTRAL,
  PLACED,
  TITLES,
  USES,
  WORKING,
} from './dispute-slot-words.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// Where the value stands that a statement gives: who, where, with what. Null when it is not one run of words.

const RUN_MAX = 4

/** The name of who holds or answers for it. */
export function holderOf(clause: Clause, rest: readonly Token[]): readonly number[] | null {
  const { tokens } = clause
  if (!tokens.some((token, at) => isHolding(token) && !isIndefinite(tokens[at - 1]))) return null
  if (tokens.some((token, at) => isHolding(token) && isIndefinite(tokens[at - 1]))) return null
  // Many may review one thing, unless one alone does.
  if (
    tokens.every((token) => !isHolding(token) || MANY_DO.has(token.text)) &&
    !tokens.some(({ marks }) => (marks & M.restriction) !== 0)
  )
    return null
  const names: number[] = []
  for (const token of rest) {
    const at = tokens.indexOf(token)
    // `the platform team`
    if (GROUPS.has(tokens[at + 1]?.text ?? '') && token.kind === 'word') {
      names.push(at)
      continue
    }
    if (!token.hasCapital || token.kind !== 'word' || (token.classes & W.date) !== 0) continue
    if (isHolding(token) || NEUTRAL.has(token.text)) continue
    names.push(at)
  }
  const named = names.filter((at) => at > 0)
  const of = named.length > 0 && names.length > named.length && !isOneRun(names) ? named : names
  if (of.length === 0 || of.length > RUN_MAX || !isOneRun(of)) return null
  if (!isHolderAt(clause, of[0] ?? 0)) return null
  const titles = [...tokens.keys()].filter((at) => TITLES.has(tokens[at]?.text ?? ''))
  return [...of, ...titles]
}

function isHolding({ text, key, classes }: Token): boolean {
  return HOLDING.has(text) || HOLDING.has(key) || (classes & W.role) !== 0
}

/** `a reviewer` is one of many. */
function isIndefinite(token: Token | undefined): boolean {
  return token !== undefined && (token.classes & W.indefinite) !== 0
}

/** First, or behind the verb or a word that leads to a person. */
function isHolderAt({ tokens }: Clause, at: number): boolean {
  for (let back = at - 1; back >= 0; back -= 1) {
    const token = tokens[back]
    if (token === undefined) return false
    if (TITLES.has(token.text) || (token.classes & (W.now | W.article)) !== 0) {
      if (HOLDER_LEADS.has(token.text) && token.text !== 'a') return true
      continue
    }
    if (token.kind === 'sign' || (HOLDER_LEADS.has(token.text) && token.text !== 'a')) return true
    // `owns a Tesla`: what follows the verb is not who does it, where somebody stands before it or in English.
    return (
      isHolding(token) &&
      tokens[0]?.hasCapital === true &&
      !tokens[0].isContent &&
      !tokens.some(({ text }) => ENGLISH.has(text))
    )
  }
  return true
}

const GROUPS = wordSet('team group department squad crew desk guild')
const ENGLISH = wordSet('the is are of by user and')

export function isOneRun(at: readonly number[]): boolean {
  const last = at.at(-1) ?? 0
  return last - (at[0] ?? 0) === at.length - 1
}

/** What stands behind `in`, `under`, `to`, when the statement says where something is. */
export function placeOf(clause: Clause, rest: readonly Token[], isMoved: boolean): readonly number[] | null {
  const { tokens } = clause
  const lead = leadBefore(clause, rest, W.placing | W.to)
  if (lead < 1) return null
  let from = lead - 1
  while (from > 0 && isBetween(tokens[from])) from -= 1
  const before = tokens[from]
  // There may be an office in many places.
  if (!isMoved && tokens.some(({ text }, at) => at < lead && INDEFINITE.has(text))) return null
  if (before === undefined || rest.some(({ text }) => isRival(text))) return null
  const isLed =
    PLACED.has(before.text) || (before.classes & (W.located | W.copula)) !== 0 || before.kind === 'sign'
  if (!isLed && !(isMoved && clause.changeAt >= 0)) return null
  // A person is in many places; a thing that has an article is in one.
  const isBe = (before.classes & W.copula) !== 0 && before.kind !== 'sign'
  if (
    isBe &&
    tokens[0]?.hasCapital &&
    !isThing(clause, lead) &&
    (tokens[0].isContent || MANY.has(before.text))
  )
    return null
  return restBehind(clause, lead)
}

/** All words behind a place: none of a case that it holds for. */
function restBehind({ tokens }: Clause, lead: number): readonly number[] | null {
  const run: number[] = []
  for (let at = lead; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined || (at > lead && CASE_LEADS.has(token.text))) return null
    if (token.isContent && (token.classes & (W.date | W.when)) === 0) run.push(at)
  }
  return run.length === 0 || run.length > PLACE_WORDS_MAX ? null : run
}

const PLACE_WORDS_MAX = 6
const CASE_LEADS = wordSet(
  'for during while with without except für während mit ohne bei pour pendant avec sans para durante con sin com sem per senza voor tijdens met zonder dla podczas z bez для с без',
)

/** First and second word of `out of order`. */
export const OUT: ReadonlyMap<string, string> = new Map([
  ['ausser', 'betrieb'],
  ['hors', 'service'],
  ['fuera', 'servicio'],
  ['fora', 'serviço'],
  ['fuori', 'servizio'],
  ['buiten', 'gebruik'],
])

/** `is on`, `turned off` */
export function isSwitcher({ text, classes }: Token): boolean {
  return (classes & W.copula) !== 0 || /^(?:turn|switch|stay|be)/.test(text)
}

/** May stand between the verb and what leads to a place. */
export function isBetween(token: Token | undefined): boolean {
  return token !== undefined && ((token.classes & W.now) !== 0 || BETWEEN.has(token.text))
}

const INDEFINITE = wordSet(
  'an another some several two three ein eine einen einige une des una unos unas uma umas uns een kilka kilku',
)
const BETWEEN = wordSet('sich se si zich się here still')
const MANY_DO = wordSet('review reviews reviewed reviewer answer answers cover covers')
const MANY = wordSet('are sind sont son están são estão sono zijn są')

function isThing({ tokens }: Clause, lead: number): boolean {
  return tokens.some(({ classes }, at) => at < lead && (classes & W.article) !== 0)
}

/** What work is done with: `with Vault`, `uses Vault`. */
export function meansOf(clause: Clause, rest: readonly Token[]): readonly number[] | null {
  const { tokens } = clause
  if (!tokens.some(({ text }) => WORKING.has(text))) return null
  if (tokens.some(({ text }) => STATES.has(text) && !WORKING.has(text))) return null
  const direct = tokens.findIndex(({ text }) => USES.has(text))
  if (direct >= 0) {
    const found = behind(clause, rest, direct)
    if (found !== null) return found
  }
  for (let lead = tokens.length - 2; lead > 0; lead -= 1) {
    const { text = '' } = tokens[lead] ?? {}
    if (!BY_MEANS.has(text) && !(RUNS_ON.test(text) && RUNS.test(tokens[lead - 1]?.text ?? ''))) continue
    const found = behind(clause, rest, lead)
    if (found !== null) return found
  }
  return null
}

/** One thing runs on one; tests run on many. */
const RUNS_ON = /^(?:on|auf|sur|op)$/
const RUNS = /^(?:runs|running|built|based|läuft|tourne|draait|wechselt)$/

/** The last placing word with only words of the rest behind it. */
function leadBefore({ tokens }: Clause, rest: readonly Token[], mask: number): number {
  for (let lead = 1; lead < tokens.length - 1; lead += 1) {
    const token = tokens[lead]
    if (token === undefined || ((token.classes & mask) === 0 && !BESIDE.has(token.text))) continue
    if (
      AFTER.has(token.text) &&
      tokens.some(({ classes }, at) => at > lead + 1 && (classes & W.placing) !== 0)
    )
      continue
    const isLed = tokens
      .slice(lead + 1)
      .every((next) => !next.isContent || rest.includes(next) || (next.classes & W.label) !== 0)
    if (isLed) return lead
  }
  return -1
}

/** The run of words of the rest right behind a place, articles passed over. */
function behind({ tokens }: Clause, rest: readonly Token[], lead: number): readonly number[] | null {
  const run: number[] = []
  for (let at = lead + 1; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) break
    const isWord =
      token.kind === 'word' || (token.kind === 'id' && ((tokens[at - 1]?.classes ?? 0) & W.label) !== 0)
    if (token.isContent && rest.includes(token) && isWord && (token.classes & W.date) === 0) run.push(at)
    else if (run.length > 0 && tokens[run[0] ?? 0]?.hasCapital && !token.hasCapital) break
    else if (token.hasCapital && tokens[at - 1]?.hasCapital && run.length > 0) run.push(at)
    else if (run.length === 0 && (token.classes & W.label) !== 0) continue
    else if (token.isContent || run.length > 0) break
    else if ((token.classes & W.article) === 0 || (token.classes & W.indefinite) !== 0) break
  }
  return run.length === 0 || run.length > RUN_MAX ? null : run
}
