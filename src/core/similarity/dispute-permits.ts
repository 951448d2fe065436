import { type Clause, contentOf, type Token } from './dispute-clause.ts'
import { M } from './dispute-lexicon.ts'
import { isOrder } from './dispute-means.ts'
import { isName, isNumber, type Pair, WITHOUT } from './dispute-pair.ts'
import { WITH } from './dispute-parts.ts'
import type { DisputeReading } from './dispute-reading.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// What may be, and what must be there for it.

/** `Bo must not dive` and `Bo may dive again`: allowed once more. */
export function isAllowedAgain({ earlier, later, laterRest, shared }: Pair): boolean {
  if (!earlier.isNegated || later.isNegated || (earlier.marks & M.rule) === 0) return false
  if ((later.marks & (M.rule | M.possible)) === 0 || shared.length < SHARED_MIN) return false
  return later.tokens.some(({ text }) => AGAIN.has(text)) && laterRest.every(({ text }) => AGAIN.has(text))
}

const AGAIN = wordSet('again wieder weer nouveau vez nuovo novo снова')
const SHARED_MIN = 2
const SHARE_MIN = 0.6

/** `The ban on dogs is lifted`: what was forbidden, or had to be, is no longer so. */
export function isLifted({ earlier, texts }: Pair): boolean {
  if (!isDuty(earlier) || !texts.later.clauses.some(isLifting)) return false
  const said = contentOf(earlier).filter(
    ({ kind, marks }) => kind === 'word' && (marks & (M.side | M.ban)) === 0,
  )
  const shared = said.filter(({ key }) => texts.later.words.has(key))
  return shared.length >= SHARED_MIN && shared.length >= SHARE_MIN * said.length
}

function isDuty({ isNegated, marks, tokens }: Clause): boolean {
  if (isNegated) return (marks & M.rule) !== 0 || FORBIDS.has(tokens[0]?.text ?? '')
  return tokens.some(({ text }) => NEEDS.has(text))
}

/** Whether a text says that a rule is no more. */
export function mayLift({ clauses }: DisputeReading): boolean {
  return clauses.some(isLifting)
}

function isLifting({ tokens, marks, isNegated, isConditional, isPromise }: Clause): boolean {
  if ((marks & M.ban) === 0 || isNegated || isConditional || isPromise) return false
  return tokens.some(({ text }) => LIFTED.has(text))
}

const LIFTED = wordSet(`
  lifted over gone dropped ended scrapped abolished withdrawn revoked repealed removed aufgehoben abgeschafft gefallen weggefallen levé levée supprimé supprimée abolie levantada levantado
  eliminada eliminado suprimida suprimido revocato abolito tolto revogada revogado opgeheven afgeschaft vervallen`)
const FORBIDS = wordSet("no do don't never kein keine nie nicht ne pas nunca não non niet geen")

/** `wants it with salt` and `wants it without salt`: one has what the other is without. */
export function isWithAndWithout(pair: Pair): boolean {
  const { earlier, later } = pair
  if (((earlier.marks ^ later.marks) & M.restriction) === 0 || earlier.isNegated || later.isNegated)
    return false
  const [has, lacks] = (earlier.marks & M.restriction) === 0 ? [earlier, later] : [later, earlier]
  const without = behind(lacks, WITHOUT)
  if (without === undefined || behind(has, WITH)?.key !== without.key) return false
  // `with tax to guests` and `without tax to firms`
  if (pair.earlierRest.length > 0 && pair.laterRest.length > 0) return false
  return (
    isOneOnly(pair) && isSmall(pair.earlierRest) && isSmall(pair.laterRest) && pair.shared.length > SHARED_MIN
  )
}

/** `may come in without a card` and `must show a card`, `works without a key`: what was not needed is. */
export function isNeededNow({ earlier, later, earlierRest, laterRest, shared }: Pair): boolean {
  if (((earlier.marks ^ later.marks) & M.restriction) === 0 || earlier.isNegated || later.isNegated)
    return false
  const [needs, lacks] = (earlier.marks & M.restriction) === 0 ? [earlier, later] : [later, earlier]
  const without = behind(lacks, WITHOUT)
  if (without === undefined || !shared.includes(without.key) || shared.length < SHARED_MIN) return false
  if (![needs, lacks].every(({ content }) => shared.includes(content.keys().next().value ?? ''))) return false
  const isUsed = (lacks === later ? laterRest : earlierRest).length === 0
  if ((lacks.marks & (M.rule | M.possible)) === 0 && !isUsed) return false
  const at = needs.content.get(without.key) ?? -1
  return (
    needs.tokens.slice(0, at).some(({ text }) => NEEDS.has(text)) &&
    isSmall(earlierRest) &&
    isSmall(laterRest)
  )
}

/** `The museum charges for entry` and `Entry to the museum is free`. */
export function isPriced({ earlier, later, earlierRest, laterRest, shared, hasCue }: Pair): boolean {
  if (earlier.isNegated || later.isNegated || (shared.length < SHARED_MIN && !hasCue)) return false
  const isFree = ({ tokens }: Clause) => tokens.some(({ text }) => FREE.has(text))
  const hasPrice = ({ tokens }: Clause) => tokens.some(({ text }) => PRICES.has(text))
  if (isFree(earlier) === isFree(later) || !hasPrice(isFree(earlier) ? later : earlier)) return false
  return [...earlierRest, ...laterRest].every(
    (token) => isNumber(token) || FREE.has(token.text) || PRICES.has(token.text) || PER.has(token.text),
  )
}

const FREE = wordSet('free frei kostenlos umsonst gratis gratuit gratuite gratuito gratuita grátis бесплатно')
const PRICES = wordSet(`
  cost costs charge charges fee fees pay pays paid price kostet kosten gebühr coûte coûtent payer payant payante cuesta cuestan pagar costa costano pagare
  custa custam kost betalen стоит платить`)
const PER = wordSet(
  'year month week day hour evening person head jahr monat tag person an mois jour año mes día anno mese ano mês jaar maand',
)

export const NEEDS = wordSet(`
  must need needs require requires required muss müssen braucht brauchen doit doivent faut debe deben necesita necesitan exige deve devono devem precisa moet moeten`)

/** What is wanted, ordered, or so from now on, is so in one way only. */
function isOneOnly({ earlier, later, hasCue }: Pair): boolean {
  return (
    hasCue || ((earlier.classes | later.classes) & W.prefers) !== 0 || (isOrder(earlier) && isOrder(later))
  )
}

/** Few words more, and none that tells one thing from another. */
function isSmall(rest: readonly Token[]): boolean {
  return (
    rest.length <= 2 &&
    !rest.some(
      (token) => token.hasCapital || isName(token) || isNumber(token) || (token.classes & W.qualifier) !== 0,
    )
  )
}

/** The first word that says something behind one of these, unless another word of its kind stands between. */
function behind({ tokens }: Clause, leads: ReadonlySet<string>): Token | undefined {
  const at = tokens.findIndex(({ text }) => leads.has(text))
  if (at < 0) return undefined
  const next = tokens.findIndex(({ isContent }, place) => place > at && isContent)
  const word = tokens[next]
  // `with a lot of text`
  return word !== undefined && MUCH.has(word.text)
    ? tokens.slice(next + 1).find(({ isContent }) => isContent)
    : word
}

const MUCH = wordSet('lot lots plenty viel viel beaucoup')

/** Whether a statement says what something has, or needs. */
export function mayHave({ tokens }: Clause): boolean {
  return tokens.some(({ text }) => WITH.has(text) || NEEDS.has(text))
}
