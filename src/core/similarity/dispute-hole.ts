import type { Clause, Token } from './dispute-clause.ts'
import { M } from './dispute-lexicon.ts'
import { isOrder } from './dispute-means.ts'
import { isDate, isName, isNumber, type Pair } from './dispute-pair.ts'
import { WITH } from './dispute-parts.ts'
import { isAbstract } from './dispute-places.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// Two statements of one form but for one place, in which each has words of its own.

/** The place: the word that leads to it, and what stands in it. */
interface Hole {
  readonly lead: Token
  readonly words: readonly Token[]
  /** Content words of both before the place, and behind it. */
  readonly before: number
  readonly behind: number
}

export const WORDS_MAX = 3

/** Whether a statement may name a means or form of which there is one. */
export function hasOneEach({ tokens }: Clause): boolean {
  return tokens.some(({ text }) => ONE_EACH.has(text) || PAYS.has(text))
}

/** What the two have of their own, where each has one of it: another means or form, another place; null: neither. */
export function ownOf(pair: Pair): 'means' | 'place' | null {
  const { earlier, later } = pair
  if (earlier.isNegated || later.isNegated) return null
  const [one, other] = holesOf(earlier, later)
  if (one === null || other === null || one.before === 0) return null
  if (one.lead.text !== other.lead.text || !isFilled(one) || !isFilled(other)) return null
  const { lead } = one
  const said = one.before + one.behind
  if ((ONE_EACH.has(lead.text) || isPaid(earlier)) && said > 1) return 'means'
  if (!areNamesOf(one, earlier) || !areNamesOf(other, later)) return null
  if (one.words.every(isPath) !== other.words.every(isPath)) return null
  if ((lead.classes & W.means) !== 0)
    return isJoined(earlier) || ((lead.classes & W.by) !== 0 && !WITH.has(lead.text)) ? null : 'means'
  return (lead.classes & W.placing) !== 0 &&
    (said > 1 || RUNS.has(earlier.tokens[1]?.text ?? '')) &&
    isWorkedIn(earlier)
    ? 'place'
    : null
}

function isPath(token: Token): boolean {
  return isName(token) || token.kind === 'id'
}

/** `pays by transfer` */
function isPaid({ tokens }: Clause): boolean {
  return tokens.some(({ text }) => PAYS.has(text))
}

const PAYS = wordSet(
  'pays pay zahlt zahlen bezahlt paie paient paye paga pagan pagam pagano betaalt betalen платит',
)

/** `per hour`, `as a PDF` */
const ONE_EACH = wordSet('per pro as als comme como come')

/** What is done, or runs, each time in one place. */
export function isWorkedIn(clause: Clause): boolean {
  const { tokens, marks, classes } = clause
  if ((classes & W.placing) === 0) return false
  return (
    isOrder(clause) ||
    tokens.some(({ text }) => RUNS.has(text) || ITSELF.has(text)) ||
    ((classes & W.copula) !== 0 && (marks & M.present) !== 0 && tokens.some(({ text }) => DONE.test(text)))
  )
}

const RUNS = wordSet(
  'runs run läuft laufen tourne tournent corre corren roda rodam gira girano draait draaien',
)
/** `se imprimen`: is done. */
const ITSELF = wordSet('se si')
const DONE =
  /..ed$|^(?:kept|done|held|built|made|run|sent|written)$|^ge\p{L}+(?:t|en)$|é(?:e?s?)$|[ai]d[oa]s?$|[aiu]t[oaie]$/u

/** Of these `with` names who is there, or a part. */
function isJoined({ tokens }: Clause): boolean {
  return tokens.some(({ text }) => JOINED.has(text))
}

const JOINED = wordSet(`
  works work comes come travels travel goes go lives live plays play meets meet talks talk shares share shared deals starts ends agrees competes sits appears sings dances trains
  served filled covered made combined connected integrated compatible associated synced decorated arbeitet kommt reist lebt spielt spricht trifft vient voyage vit joue trabaja
  viene viaja vive juega trabalha vem lavora viaggia gioca integriert verbunden`)

/** Each word has a name of its own. */
function areNamesOf({ words }: Hole, { tokens }: Clause): boolean {
  const isGerman = tokens.some(({ text }) => GERMAN.has(text))
  return words.every(
    (token) =>
      isName(token) || token.kind === 'id' || (token.hasCapital && !isGerman && token.kind === 'word'),
  )
}

const GERMAN = wordSet('der die das den dem des ein eine einem ist sind wird werden im am zum zur')

function isFilled({ words }: Hole): boolean {
  if (words.length === 0 || words.length > WORDS_MAX) return false
  const last = words.at(-1)
  if (last !== undefined && isAbstract(last)) return false
  return !words.some((token) => isNumber(token) || isDate(token) || (token.classes & W.qualifier) !== 0)
}

/** Where two statements differ, each with its own words; null where they are not of one form. */
function holesOf(earlier: Clause, later: Clause): readonly [Hole | null, Hole | null] {
  const [a, b] = [formOf(earlier), formOf(later)]
  const most = Math.min(a.length, b.length)
  let start = 0
  while (start < most && a[start]?.key === b[start]?.key) start += 1
  let behind = 0
  while (behind < most - start && a.at(-1 - behind)?.key === b.at(-1 - behind)?.key) behind += 1
  return [holeAt(a, start, behind), holeAt(b, start, behind)]
}

/** Without words that say nothing of the form. */
function formOf({ tokens }: Clause): readonly Token[] {
  return tokens.filter(
    ({ classes, marks, text }) =>
      (marks & M.title) === 0 &&
      ((classes & (W.article | W.now | W.indefinite)) === 0 ||
        (classes & (W.placing | W.to | W.means)) !== 0 ||
        ONE_EACH.has(text)),
  )
}

function holeAt(form: readonly Token[], start: number, behind: number): Hole | null {
  const inner = form.slice(start, form.length - behind)
  const first = inner.findIndex(({ isContent }) => isContent)
  const words = inner.slice(Math.max(first, 0))
  const lead = first > 0 ? inner[first - 1] : form[start - 1]
  if (first < 0 || lead === undefined || lead.isContent || !words.every(({ isContent }) => isContent))
    return null
  return {
    lead,
    words,
    before: form.slice(0, start).filter(({ isContent }) => isContent).length,
    behind: form.slice(form.length - behind).filter(({ isContent }) => isContent).length,
  }
}
