import type { Clause, Token } from './dispute-clause.ts'
import { handsAt, takesAt } from './dispute-events.ts'
import { saysOff } from './dispute-flags.ts'
import { leadOf } from './dispute-kinds.ts'
import { M } from './dispute-lexicon.ts'
import { DONE_BY, isAllOf, isHeldBy, isOwnName, partnerIn, USES, withoutContract } from './dispute-lost.ts'
import { isOrder } from './dispute-means.ts'
import { isAboutSame, US } from './dispute-news.ts'
import type { Pair } from './dispute-pair.ts'
import { NEEDS } from './dispute-permits.ts'
import { W } from './dispute-words.ts'
import { sideOf, wordSet } from './fact-words.ts'

// A later statement that says of the earlier one, or of what it relies on, that it is no longer so.

const COVERED_MIN = 0.6

/** The later denies with `no longer` what the earlier says. */
export function isTakenBack({ earlier, later, texts }: Pair): boolean {
  if (later.noLongerAt < 0 || earlier.isNegated || earlier.noLongerAt >= 0) return false
  if (!isAboutSame(later, later.noLongerAt, texts.earlier)) return false
  const denied = deniedIn(later)
  const shared = denied.filter(({ key }) => earlier.content.has(key))
  // What one no longer uses, others may.
  const by = later.tokens.findIndex(({ classes }) => (classes & W.by) !== 0)
  const doer = by < 0 ? undefined : denied.find((token) => later.tokens.indexOf(token) > by)
  if (doer !== undefined && !texts.earlier.words.has(doer.key)) return false
  if (shared.length < COVERED_MIN * denied.length) return false
  if (shared.length < 2 && !(denied.length === 1 && isOwnName(shared[0]))) return false
  if (denied.some((token) => isOwnName(token) && !texts.earlier.words.has(token.key))) return false
  const [subject] = earlier.content.keys()
  const subjectToken = subject === undefined ? undefined : tokenOf(earlier, subject)
  // What nobody does any more is done by none of whom it is said.
  if (later.tokens.some(({ text }, at) => at < later.noLongerAt && NOBODY.has(text))) return true
  if (subjectToken !== undefined && isOwnName(subjectToken) && !texts.later.words.has(subjectToken.key))
    return false
  return true
}

const NOBODY = wordSet('nobody none niemand keiner nadie nessuno personne ninguém никто')

/**
 * Fewest content words that a statement shares with what it takes back; 0: it takes nothing back. `marks` are those of
 * all its words.
 */
export function leastTakenBack(clause: Clause, marks: number): number {
  const { changeAt, goneAt, noLongerAt } = clause
  if (clause.isEvent) return partnerIn(clause).length
  const mayLose =
    clause.isContrast ||
    changeAt >= 0 ||
    goneAt >= 0 ||
    (clause.classes & W.prefers) !== 0 ||
    (marks & (M.instead | M.left | M.hands | M.takes)) !== 0 ||
    offIn(clause.tokens) !== null
  const taken = mayLose ? lostBy(clause) : partnerIn(clause)
  const lost = new Set((taken.length > 0 ? taken : avoidedBy(clause)).map(({ key }) => key)).size
  // `Only admins may … now` takes back that all may.
  if (noLongerAt < 0) return clause.hasNow && (marks & M.restriction) !== 0 ? Math.min(lost || 2, 2) : lost
  const words = deniedIn(clause).length
  const covered = Math.max(Math.min(words, 2), Math.ceil(COVERED_MIN * words))
  return lost === 0 ? covered : Math.min(lost, covered)
}

/** Content words besides `stopped`, which is the denial itself: from `we` or a `:` on, and up to a `:` behind the denial. */
function deniedIn({ tokens, content, noLongerAt }: Clause): readonly Token[] {
  const from = tokens.findLastIndex(
    ({ text, kind }, at) => at < noLongerAt && (kind === 'sign' || US.has(text)),
  )
  const end = tokens.findIndex(({ kind }, at) => at > noLongerAt && kind === 'sign')
  const places = [...content.values()].filter((at) => at > from && at !== noLongerAt && (end < 0 || at < end))
  return places.flatMap((at) => tokens[at] ?? []).filter(({ text }) => !EXISTS.has(text))
}

const EXISTS = wordSet(
  'exist exists existiert existe existent existen existem esiste esistono bestaat bestaan существует',
)

/** The later says that something is gone, replaced or left, and the earlier relies on it. */
export function isWithout({ earlier, later, texts }: Pair): boolean {
  if (earlier.isNegated || earlier.goneAt >= 0 || earlier.changeAt >= 0 || earlier.noLongerAt >= 0)
    return false
  const avoided = avoidedBy(later)
  if (avoided.length > 0 && isRelied(earlier, avoided) && isRunBy(earlier, avoided)) return true
  if (offIn(later.tokens) !== null && saysOff(earlier)) return false
  const lost = lostBy(later)
  if (isUndone(earlier, later, lost)) return true
  if (lost.length === 0 || !isRelied(earlier, lost) || !isOfTaken(earlier, later)) return false
  if (leavesOther(later, texts.earlier.words)) return false
  // What was moved out of the hall is something else, and so is the Lund rota that went from Ada to Bo.
  if (isOtherMoved(later, lost) && !isAboutSame(later, later.changeAt, texts.earlier)) return false
  // Of what was replaced by another of its kind all else may be as before.
  if (isRenewed(later) && lost.some(({ key }) => key === earlier.content.keys().next().value)) return false
  if (!later.isContrast && lost.some(({ kind }) => kind === 'name')) return true
  const lostKeys = new Set(lost.map(({ key }) => key))
  // What is so instead is said of all that the earlier speaks of.
  if (later.isContrast) {
    const others = [...earlier.content.keys()].filter((key) => !lostKeys.has(key))
    // `Use yarn` and `Use pnpm, not yarn`
    if (others.length === 0) return texts.earlier.spelling[0] === texts.later.spelling[0]
    return others.every((key) => texts.later.words.has(key))
  }
  for (const key of earlier.content.keys()) if (!lostKeys.has(key) && texts.later.words.has(key)) return true
  // What something was moved from is still there.
  if (lost.length > 1 && earlier.content.size <= lost.length + 1 && (later.goneAt >= 0 || later.changeAt < 0))
    return true
  if ((lost.length > 1 || isReplaced(later)) && isDoneBy(earlier, lost)) return true
  if (
    !isRenewed(later) &&
    isAllOf(later, lost) &&
    (lost.length > 1 || isOwnName(tokenOf(earlier, lost[0]?.key ?? ''))) &&
    isHeldBy(earlier, lost)
  )
    return true
  return isLeftByUs(later) && (isDoneBy(earlier, lost) || isUsed(earlier, lost))
}

/** `Ana Berg left Bonn`, of which the earlier does not speak. */
function leavesOther({ tokens }: Clause, words: ReadonlySet<string>): boolean {
  const next = tokens[tokens.findIndex(({ marks }) => (marks & M.left) !== 0) + 1]
  return next !== tokens[0] && next?.hasCapital === true && next.isContent && !words.has(next.key)
}

/** `Never use ops/push`, `hands off ops/push`: the thing alone, and no case of it. */
function avoidedBy({ tokens }: Clause): readonly Token[] {
  const at = tokens.findIndex((_, place) => place < AVOID_WORDS_MAX && isAvoidingAt(tokens, place))
  if (at < 0) return []
  const thing = tokens.slice(at + 1).filter(({ isContent }) => isContent)
  const isAlone = tokens
    .slice(at + 1)
    .every(({ isContent, classes }) => isContent || (classes & W.article) !== 0)
  return isAlone && thing.length <= AVOIDED_WORDS_MAX ? thing : []
}

function isAvoidingAt(tokens: readonly Token[], at: number): boolean {
  const [text, before] = [tokens[at]?.text ?? '', tokens[at - 1]?.text ?? '']
  if (text === 'avoid') return true
  if (text === 'off') return OFF.has(before)
  if (text === 'from') return before === 'away'
  return USING.has(text) && tokens.some((token, place) => place < at && NEVER.has(token.text))
}

const AVOID_WORDS_MAX = 5
const AVOIDED_WORDS_MAX = 3
const OFF = wordSet('hands keep stay')
const USING = wordSet('use using run running call touch')
const NEVER = wordSet("not don't never stop")

/** `with ops/push`, `run ops/push`, `to push: ops/push` */
function isRunBy(earlier: Clause, things: readonly Token[]): boolean {
  const before = earlier.tokens[(placesOf(earlier.tokens, things)?.[0] ?? 0) - 1]
  return isDoneBy(earlier, things) || USING.has(before?.text ?? '') || before?.kind === 'sign'
}

/** `runs on Jenkins`, `goes to Slack`, `we use Slack` */
function isUsed({ tokens }: Clause, lost: readonly Token[]): boolean {
  const lead = tokens[(placesOf(tokens, lost)?.[0] ?? 0) - 1]
  return USES.has(lead?.text ?? '')
}

/** `Refunds by phone are abolished`: of what is no more, nothing is done, and nothing is done in it. */
function isUndone(earlier: Clause, { tokens, goneAt }: Clause, lost: readonly Token[]): boolean {
  if (lost.length < 2 || !FOR_GOOD.has(tokens[goneAt]?.text ?? '')) return false
  const places = lost.map(({ key }) => earlier.content.get(key) ?? -1)
  if (places.some((at) => at < 0)) return false
  if (isOrder(earlier)) return places.includes(0)
  return places.some((at) => {
    const before = earlier.tokens[at - 1]
    const isWhich = before?.isContent === true && lost.some(({ key }) => key === before.key)
    const lead = leadOf(earlier, isWhich ? at - 1 : at)
    if (lead === null) return false
    return (
      NEEDS.has(lead.text) ||
      ((earlier.marks & M.present) !== 0 && (lead.classes & (W.placing | W.means)) !== 0)
    )
  })
}

const FOR_GOOD = wordSet(`
  abolished scrapped discontinued deprecated retired disbanded abgeschafft stillgelegt supprimé supprimée suprimido suprimida eliminado eliminada abolito abolita dismesso dismessa afgeschaft opgeheven`)

/** Names it in one piece, and neither as what it comes from nor as what it does without. */
function isRelied({ tokens, content }: Clause, lost: readonly Token[]): boolean {
  if (tokens.some(({ marks }) => (marks & M.instead) !== 0)) return false
  const places = placesOf(tokens, lost) ?? lost.map(({ key }) => content.get(key) ?? -1)
  const first = Math.min(...places)
  if (first < 0) return false
  for (let at = first; at <= Math.max(...places); at += 1)
    if (tokens[at]?.isContent && !places.includes(at)) return false
  return true
}

/** Where words stand in this order and with nothing between, null where they do not. */
function placesOf(tokens: readonly Token[], lost: readonly Token[]): readonly number[] | null {
  const at = tokens.findIndex((_, from) =>
    lost.every(({ key }, offset) => tokens[from + offset]?.key === key),
  )
  return at < 0 ? null : lost.map((_, offset) => at + offset)
}

/** Whether what is lost stands behind the change, and what moved has a name or was in it. */
function isOtherMoved({ tokens, changeAt, goneAt }: Clause, [first]: readonly Token[]): boolean {
  const at = first === undefined ? -1 : tokens.indexOf(first)
  if (changeAt < 0 || goneAt >= 0 || at < changeAt) return false
  return (
    tokens.slice(changeAt, at).some(({ text }) => text === 'out') ||
    tokens.slice(1, changeAt).some(({ hasCapital }) => hasCapital)
  )
}

/** `We switched from DHL to GLS`: for whatever it was used. */
function isLeftByUs({ tokens, changeAt }: Clause): boolean {
  return changeAt > 0 && US.has(tokens[0]?.text ?? '') && tokens[changeAt + 1]?.text === 'from'
}

/** `is made by the old printer`, `runs through the mail relay`: it relies on it. */
function isDoneBy({ tokens }: Clause, lost: readonly Token[]): boolean {
  const at = placesOf(tokens, lost)?.[0] ?? 0
  const before = tokens[at - 1]
  const lead = before !== undefined && (before.classes & W.article) !== 0 ? tokens[at - 2] : before
  return lead !== undefined && ((lead.classes & W.means) !== 0 || DONE_BY.has(lead.text))
}

/** `was replaced by …`: wherever it was used. */
function isReplaced({ tokens }: Clause): boolean {
  const at = tokens.findIndex(({ text }) => REPLACED.has(text))
  return at > 0 && tokens.slice(at).some(({ classes }) => (classes & W.by) !== 0)
}

/** `Greta takes over the rota from Bo`: of Bo it says nothing else. */
function isOfTaken(earlier: Clause, { tokens }: Clause): boolean {
  const takes = takesAt(tokens)
  const from = takes < 0 ? -1 : tokens.findIndex(({ classes }, at) => at > takes && (classes & W.from) !== 0)
  const taken = from < 0 ? [] : tokens.slice(takes + 1, from).filter(({ isContent }) => isContent)
  return taken.every(({ key, text }) => OVER.has(text) || earlier.content.has(key))
}

const OVER = wordSet('over')

/** `is split into 48 regions`, not `was split` */
function isParted(tokens: readonly Token[], at: number): boolean {
  return (
    tokens[at]?.text === 'split' && PRESENT.has(tokens[at - 1]?.text ?? '') && tokens[at + 1]?.text === 'into'
  )
}

const PRESENT = wordSet('is are')

/** `was replaced`, and not by what. */
function isRenewed({ tokens, goneAt }: Clause): boolean {
  return (
    REPLACED.has(tokens[goneAt]?.text ?? '') &&
    !tokens.slice(goneAt).some(({ classes }) => (classes & W.by) !== 0)
  )
}

const MODALS = wordSet('can may could might must be cannot kann können peut puede pode può kan может')

const OF = wordSet('of von de di van')

/** What a statement says is no longer there: the thing deleted, replaced, or moved away from. */
export function lostBy(clause: Clause): readonly Token[] {
  const { tokens, changeAt, goneAt } = clause
  if (clause.isContrast)
    return clause.content.size <= CONTRAST_WORDS_MAX ? contentIn(clause, 1, tokens.length) : []
  const hands = handsAt(tokens)
  if (hands > 0) return contentIn(clause, 0, hands)
  const takes = takesAt(tokens)
  if (takes > 0) {
    const from = tokens.findIndex(({ classes }, at) => at > takes + 1 && (classes & W.from) !== 0)
    return from < 0 ? [] : contentIn(clause, from + 1, endOfPart(tokens, from + 1))
  }
  const over = (clause.classes & W.prefers) === 0 ? -1 : tokens.findIndex(({ text }) => text === 'over')
  if (over > 0) return contentIn(clause, over + 1, endOfPart(tokens, over + 1))
  const instead = tokens.findIndex(({ marks }) => (marks & M.instead) !== 0)
  if (instead >= 0) {
    const next = tokens[instead + 1]
    const from =
      next !== undefined && OF.has(next.text)
        ? instead + 2
        : OF_FREE.has(tokens[instead]?.text ?? '')
          ? instead + 1
          : -1
    if (from > 0) return contentIn(clause, from, endOfPart(tokens, from))
  }
  const left = tokens.findIndex(({ marks }) => (marks & M.left) !== 0)
  const next = tokens[left + 1]
  const isFromThere =
    LEAVES.has(next?.text ?? 'the') || (next?.hasCapital === true && left + 2 === tokens.length)
  if (left > 0 && tokens[0]?.hasCapital && isFromThere) return contentIn(clause, 0, left)
  // `We left Bitrise`
  if (left === 1 && US.has(tokens[0]?.text ?? '')) return contentIn(clause, 2, endOfPart(tokens, 2))
  const isDone = !clause.isNegated && !tokens.some(({ text }) => MODALS.has(text))
  const off = offIn(tokens)
  if (off !== null) return isDone && off.some(isOwnName) ? off : []
  const cueAt = Math.max(changeAt, goneAt)
  // `wax that was discontinued`: it is said of some of it, or of something else.
  if (tokens.some(({ text }, at) => at > 0 && at < cueAt && RELATIVES.has(text))) return []
  if (changeAt >= 0) {
    const from = tokens.findIndex(
      ({ classes, text }, at) =>
        (at > changeAt || changeAt === tokens.length - 1) && (classes & W.from) !== 0 && text !== 'to',
    )
    if (from > 0) {
      const to = tokens.findIndex(({ classes }, at) => at > from + 1 && (classes & W.to) !== 0)
      if (to > 0) return contentIn(clause, from + 1, to)
    }
    // `was moved out of the hall`, not `to move it out of the hall`
    const isMoved = tokens[changeAt - 1]?.text !== 'to'
    const out = isMoved
      ? tokens.findIndex(({ text }, at) => at > changeAt && text === 'of' && tokens[at - 1]?.text === 'out')
      : -1
    if (out > 0) return contentIn(clause, out + 1, endOfPart(tokens, out + 1))
    if (REPLACED.has(tokens[changeAt]?.text ?? '') && !isPassive(tokens, changeAt)) {
      const by = tokens.findIndex(({ classes }, at) => at > changeAt && (classes & W.by) !== 0)
      if (by > 0) return contentIn(clause, changeAt + 1, by)
    }
  }
  if (goneAt < 0 || !isDone) return []
  // `is deleted after 90 days`: each in its turn; `is split into parts`: how it is.
  if (isParted(tokens, goneAt) || sideOf(tokens[goneAt + 1]?.text ?? '')?.axis === 'order') return []
  const before = withoutContract(contentIn(clause, 0, goneAt))
  const gone = tokens[goneAt]?.text ?? ''
  if (gone === 'yielded' || (gone === 'retired' && goneAt === tokens.length - 1)) return before
  if (REPLACED.has(gone) && isNamed(tokens, goneAt)) return contentIn(clause, goneAt + 1, tokens.length)
  // `Se ha eliminado la firma`: what is gone stands behind.
  if (isPassive(tokens, goneAt) && tokens[0]?.text !== 'se') return before
  return before.length === 0 ? contentIn(clause, goneAt + 1, endOfPart(tokens, goneAt + 1)) : []
}

/** What was switched off: `FedEx switched SOAP off`, `StatsD is turned off`, `we shut down the relay`. Null: nothing was. */
export function offIn(tokens: readonly Token[]): readonly Token[] | null {
  const verb = tokens.findIndex(({ text }) => SWITCHES.has(text))
  if (verb < 0) return null
  const off = tokens.findIndex(({ text }, at) => at > verb && at <= verb + OFF_REACH && IS_OFF.has(text))
  if (off < 0) return null
  const isContent = (token: Token): boolean => token.isContent
  if (off > verb + 1) return tokens.slice(verb + 1, off).filter(isContent)
  return (
    isPassive(tokens, verb) ? tokens.slice(0, verb) : tokens.slice(off + 1, endOfPart(tokens, off + 1))
  ).filter(isContent)
}

const SWITCHES = wordSet('switched turned shut')
const OFF_REACH = 5
const IS_OFF = wordSet('off down')

/** `dprint replaced prettier`: one name for another, and nothing else. */
function isNamed(tokens: readonly Token[], at: number): boolean {
  const [subject, object] = [tokens.slice(0, at), tokens.slice(at + 1)]
  return [subject, object].every(
    (part) => part.length > 0 && part.length <= NAME_WORDS_MAX && part.every(({ isContent }) => isContent),
  )
}

const NAME_WORDS_MAX = 2
const RELATIVES = wordSet(
  'that which who whose welche welcher welches qui laquelle lequel который которая которое которые',
)
const CONTRAST_WORDS_MAX = 3
const LEAVES = wordSet('the us our in on for last das die l la el a o il het de из')
const FOR = wordSet('for für para pour per voor для dla için')
const OF_FREE = wordSet('statt anstatt вместо zamiast')
const REPLACED = wordSet(
  'replaced replace ersetzt ersetzen remplacé reemplazado reemplazamos substituído substituímos sostituito vervangen заменили 替换',
)
const AUXILIARIES = wordSet(`
  is are was were has have had got wurde wurden ist sind worden est sont été fue fueron ha sido está están foi foram é são è stato stata sono
  is zijn werd был была было были został została jest`)

/** `is`, `was`, `has been` stand before: what comes earlier is what it happens to. */
function isPassive(tokens: readonly Token[], at: number): boolean {
  if (MODALS.has(tokens[at - 1]?.text ?? '')) return false
  for (let back = at - 1; back >= Math.max(0, at - 4); back -= 1)
    if (AUXILIARIES.has(tokens[back]?.text ?? '')) return true
  const text = tokens[at]?.text ?? ''
  return text.charCodeAt(0) > 0x3ff
}

function contentIn(clause: Clause, from: number, to: number): readonly Token[] {
  return clause.tokens.slice(from, to).filter(({ isContent, text }) => isContent && text !== 'got')
}

/** Up to a word that leads to something else. */
function endOfPart(tokens: readonly Token[], from: number): number {
  const end = tokens.findIndex(
    ({ classes, marks, text }, at) =>
      at > from &&
      ((classes & (W.placing | W.means | W.to | W.from)) !== 0 || (marks & M.and) !== 0 || FOR.has(text)),
  )
  return end < 0 ? tokens.length : end
}

function tokenOf(clause: Clause, key: string): Token | undefined {
  return clause.tokens[clause.content.get(key) ?? -1]
}
