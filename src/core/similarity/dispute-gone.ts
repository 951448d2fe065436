import type { Clause, Token } from './dispute-clause.ts'
import { M } from './dispute-lexicon.ts'
import { isBrief, type Pair } from './dispute-pair.ts'
import { HEADS, USES } from './dispute-slot-words.ts'
import { isAkin } from './dispute-subject.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// A later statement that says of the earlier one, or of what it relies on, that it is no longer so.

const COVERED_MIN = 0.6

/** The later denies with `no longer` what the earlier says. */
export function isTakenBack({ earlier, later, shared, laterRest, laterText, earlierText }: Pair): boolean {
  if (later.noLongerAt < 0 || earlier.isNegated || earlier.noLongerAt >= 0) return false
  const words = wordsTakenBack(later)
  const akin = laterRest.filter(
    (token) => token.kind === 'word' && [...earlier.content.keys()].some((key) => isAkin(key, token.key)),
  ).length
  if (shared.length + akin < COVERED_MIN * words) return false
  const hasName = shared.some((key) => isOwnName(tokenOf(later, key)))
  if (shared.length + akin < 2 && !(hasName && words === 1)) return false
  if (
    words === later.content.size &&
    laterRest.some((token) => isOwnName(token) && !earlierText.words.has(token.key))
  )
    return false
  const [subject] = earlier.content.keys()
  const subjectToken = subject === undefined ? undefined : tokenOf(earlier, subject)
  if (subjectToken === undefined || !isOwnName(subjectToken) || laterText.words.has(subjectToken.key))
    return true
  return [...laterText.words].some((key) => isAkin(key, subjectToken.key))
}

/** Content words of what is taken back: `switched to Emacs and no longer uses Vim` takes back the second part. */
function wordsTakenBack({ tokens, content, noLongerAt }: Clause): number {
  const and = tokens.findLastIndex(({ marks }, at) => at < noLongerAt && (marks & M.and) !== 0)
  if (and < 0) return [...content.values()].filter((at) => ((tokens[at]?.marks ?? 0) & M.more) === 0).length
  const behind = contentIn({ tokens }, and + 1, tokens.length).length
  return behind === 0 ? content.size : behind + 1
}

/**
 * Fewest content words that a statement shares with what it takes back; 0: it takes nothing back. `marks` are those of
 * all its words.
 */
export function leastTakenBack(clause: Clause, marks: number): number {
  const { changeAt, goneAt, noLongerAt } = clause
  const mayLose =
    changeAt >= 0 ||
    goneAt >= 0 ||
    noLongerAt >= 0 ||
    (marks & (M.instead | M.left | M.negation | M.concord | M.lost)) !== 0
  const lost = mayLose
    ? Math.max(
        ...[lostBy(clause), lostInNote(clause)].map((tokens) => new Set(tokens.map(({ key }) => key)).size),
      )
    : 0
  if (noLongerAt < 0) return lost
  const words = clause.content.size
  // Of the others, inflections may be shared.
  return Math.min(words, lost === 0 ? 1 : Math.min(lost, 1))
}

/** The later says that something is gone, replaced or left, and the earlier relies on it. */
export function isWithout({ earlier, later, earlierText, laterText }: Pair): boolean {
  if (earlier.isNegated || earlier.goneAt >= 0 || earlier.changeAt >= 0 || earlier.noLongerAt >= 0)
    return false
  let lost = lostBy(later)
  const isNote = isBrief(earlierText) && isBrief(laterText)
  if (lost.length === 0 && isNote) {
    lost = lostInNote(later)
    // Of what the earlier is about, the later may only say how it is.
    const [subject] = earlier.content.keys()
    if (contrastedBy(later).length === 0 && lost.some(({ key }) => key === subject)) return false
  }
  // `the manager role` is gone where `the manager` is spoken of.
  if (lost.length > 1)
    lost = lost.filter(({ key, text }) => earlier.content.has(key) || !(HEADS.has(text) || HEADS.has(key)))
  if (lost.length === 0 || !isRelied(earlier, lost, later.goneAt < 0)) return false
  const lostKeys = new Set(lost.map(({ key }) => key))
  if (contrastedBy(later).length > 0) {
    const before = laterText.clauses[laterText.clauses.indexOf(later) - 1]
    return (
      before !== undefined &&
      [...earlier.content.keys()].some((key) => !lostKeys.has(key) && before.content.has(key))
    )
  }
  if (lost.some(({ kind }) => kind === 'name')) return true
  for (const key of earlier.content.keys()) if (!lostKeys.has(key) && laterText.words.has(key)) return true
  return lost.length > 1 && earlier.content.size <= lost.length + (isNote ? 2 : 1)
}

/** Names it in one piece, and neither as what it comes from nor as what it does without. */
function isRelied({ tokens, content }: Clause, lost: readonly Token[], isMoved: boolean): boolean {
  if (tokens.some(({ marks }) => (marks & M.instead) !== 0)) return false
  const places = lost.map(({ key }) => content.get(key) ?? -1)
  const first = Math.min(...places)
  if (first < 0) return false
  for (let at = first; at <= Math.max(...places); at += 1)
    if (tokens[at]?.isContent && !places.includes(at)) return false
  const before = tokens[first - 1]
  const lead = before !== undefined && (before.classes & W.article) !== 0 ? tokens[first - 2] : before
  return !isMoved || lead?.text !== 'from'
}

const MODALS = wordSet('can may could might must be cannot kann können peut puede pode può kan может')

const OF = wordSet('of von de di van')

/** What a statement says is no longer there: the thing deleted, replaced, or moved away from. */
function lostBy(clause: Clause): readonly Token[] {
  const { tokens, changeAt, goneAt } = clause
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
  if (left > 0 && tokens[0]?.hasCapital && LEAVES.has(tokens[left + 1]?.text ?? 'the'))
    return contentIn(clause, 0, left)
  if (changeAt >= 0) {
    const from = tokens.findIndex(
      ({ classes, text }, at) =>
        (at > changeAt || changeAt === tokens.length - 1) && (classes & W.from) !== 0 && text !== 'to',
    )
    if (from > 0) {
      const to = tokens.findIndex(({ classes }, at) => at > from + 1 && (classes & W.to) !== 0)
      if (to > 0) return contentIn(clause, from + 1, to)
    }
    if (REPLACED.has(tokens[changeAt]?.text ?? '') && !isPassive(tokens, changeAt)) {
      const by = tokens.findIndex(({ classes }, at) => at > changeAt && (classes & W.by) !== 0)
      if (by > 0) return contentIn(clause, changeAt + 1, by)
    }
  }
  if (goneAt < 0 || clause.isNegated || tokens.some(({ text }) => MODALS.has(text))) return []
  if (isPassive(tokens, goneAt)) {
    const by = tokens.findIndex(({ classes }, at) => at > 0 && at < goneAt && (classes & W.by) !== 0)
    return contentIn(clause, 0, by > 0 ? by : goneAt)
  }
  return contentIn(clause, 0, goneAt).length === 0
    ? contentIn(clause, goneAt + 1, endOfPart(tokens, goneAt + 1))
    : []
}

/** The same, said in ways that other texts use for other things, too: of notes only, not of stories. */
function lostInNote(clause: Clause): readonly Token[] {
  const { tokens, noLongerAt } = clause
  const contrast = contrastedBy(clause)
  if (contrast.length > 0) return contrast
  const than = tokens.findIndex(({ text }, at) => text === 'than' && tokens[at - 1]?.text === 'rather')
  if (than > 0) return contentIn(clause, than + 1, endOfPart(tokens, than + 1))
  const succeeded = tokens.findIndex((_, at) => at > 0 && isSuccessionAt(tokens, at))
  if (succeeded > 0) return contentIn(clause, succeeded + 1, endOfPart(tokens, succeeded + 1))
  const stop = tokens.findIndex(({ text }) => STOPS.has(text))
  if (stop >= 0 && contentIn(clause, 0, stop).length === 0)
    return contentIn(clause, stop + (USES.has(tokens[stop + 1]?.text ?? '') ? 2 : 1), tokens.length)
  const closed = tokens.findIndex(({ text }, at) => CLOSED.has(text) && isPassive(tokens, at))
  if (closed > 0) return contentIn(clause, 0, closed)
  const existence = noLongerAt < 0 ? -1 : tokens.findIndex(({ text }) => EXISTS.has(text))
  if (existence >= 0) {
    const before = contentIn(clause, 0, existence)
    return before.length > 0 ? before : contentIn(clause, existence + 1, endOfPart(tokens, existence + 1))
  }
  const contract = tokens.findIndex(({ text }) => CONTRACTS.has(text))
  if (contract < 1 || !tokens.some(({ text }) => ENDED.has(text))) return []
  const from = tokens.findIndex(({ classes }, at) => at > contract && (classes & W.means) !== 0)
  return from > 0 ? contentIn(clause, from + 1, tokens.length) : []
}

/** `…, not in writing`: the part of a sentence that denies the value of before, and says nothing else. */
function contrastedBy({ tokens, isPart, content }: Clause): readonly Token[] {
  const first = tokens.find(({ text }) => !ANDS.has(text))
  if (!isPart || first === undefined || (first.marks & (M.negation | M.concord)) === 0) return []
  const isShort = content.size <= CONTRAST_WORDS_MAX && tokens.length <= CONTRAST_WORDS_MAX + 3
  const isSaid = tokens.some(
    ({ classes, marks }) =>
      (classes & (W.copula | W.condition | W.plan)) !== 0 ||
      ((marks & (M.rule | M.and)) !== 0 && !NEVER.has(first.text)),
  )
  return isShort && !isSaid ? tokens.filter(({ isContent }) => isContent) : []
}

/** Says of what it is that there is none, with `no longer`. */
const EXISTS = wordSet(`
  accepted supported valid offered possible maintained available used akzeptiert unterstützt verwendet genutzt angeboten gültig möglich accepté acceptée utilisé utilisée valable
  aceptado aceptada acepta aceptan usa utiliza disponible aceito aceita usado usada disponível accettato accettata usato usata disponibile geaccepteerd gebruikt ondersteund
  akceptowany używany принимается используется
  exists exist existiert existieren gibt existe existent existen existem esiste esistono bestaat bestaan istnieje istnieją существует существуют 存在 存在し`)
const STOPS = wordSet(
  'stop stopped avoid arrête arrêtez évite évitez deja dejad evita evite pare smetti vermeide vermeiden',
)
const CLOSED = wordSet(
  'closed geschlossen zu fermé fermée cerrado cerrada fechado fechada chiuso chiusa gesloten закрыт закрыта',
)
const CONTRACTS = wordSet(
  'contract subscription agreement partnership vertrag abo abonnement contrat contrato suscripción assinatura contratto contract umowę umowa договор контракт',
)
const ENDED = wordSet(
  'ended end terminated cancelled canceled quit closed gekündigt beendet résilié terminé rescindido rescindimos cancelado cancelamos terminó encerrado encerramos disdetto opgezegd beëindigd rozwiązaliśmy расторгли расторгнут прекратили',
)

/** `X replaces Y`, `X has taken the place of Y`, `X took over from Y`: where the word stands before Y. */
function isSuccessionAt(tokens: readonly Token[], at: number): boolean {
  const { text = '' } = tokens[at] ?? {}
  if (SUCCEEDS.has(text))
    return !isPassive(tokens, at) && !tokens.slice(at).some(({ classes }) => (classes & W.by) !== 0)
  const before = tokens[at - 1]?.text ?? ''
  if (!OF.has(text) && text !== 'from') return false
  if (PLACES_TAKEN.has(before)) return tokens.slice(0, at).some((token) => TAKES.has(token.text))
  return text === 'from' && before === 'over' && TAKES.has(tokens[at - 2]?.text ?? '')
}

const SUCCEEDS = wordSet(`
  replaces replaced supersedes superseded succeeds succeeded ersetzt remplace remplacent reemplaza sustituye reemplazó sustituyó substitui substituiu sostituisce
  vervangt zastępuje zastąpił zastąpiła заменяет заменил заменила`)
const PLACES_TAKEN = wordSet('place stelle place lugar posto plaats miejsce место')
const TAKES = wordSet(
  'takes take taken took taking tritt treten trat pris prend prit tomado ocupa tomó tomou preso prende genomen neemt',
)

const ANDS = wordSet('do and und et y e en a i а и')
const CONTRAST_WORDS_MAX = 3
const NEVER = wordSet('never nie jamais nunca mai nooit nigdy никогда')

const LEAVES = wordSet('the us our in on for last das die l la el a o il het de из')
const FOR = wordSet('as als comme como come jako как for für para pour per voor для dla için')
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

function contentIn(clause: Pick<Clause, 'tokens'>, from: number, to: number): readonly Token[] {
  return clause.tokens
    .slice(from, to)
    .filter(({ isContent, marks }) => isContent && (marks & (M.more | M.noLonger)) === 0)
}

/** Up to a word that leads to something else. */
function endOfPart(tokens: readonly Token[], from: number): number {
  const end = tokens.findIndex(
    ({ classes, text }, at) =>
      at > from && ((classes & (W.placing | W.means | W.to | W.from)) !== 0 || FOR.has(text)),
  )
  return end < 0 ? tokens.length : end
}

function tokenOf(clause: Clause, key: string): Token | undefined {
  return clause.tokens[clause.content.get(key) ?? -1]
}

/** An id, a path, or a word with a capital. */
function isOwnName(token: Token | undefined): boolean {
  return token !== undefined && (token.kind === 'id' || token.kind === 'name' || token.hasCapital)
}
