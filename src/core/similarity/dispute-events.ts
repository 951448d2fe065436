import { M, type WordInfo } from './dispute-lexicon.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// Whether a statement tells of something that happened once.

interface Spoken extends WordInfo {
  readonly text: string
  readonly kind: string
  readonly dimension: string
  readonly hasCapital: boolean
}

/** A verb of something that happened, without the `is` or `are` of what happens each time. */
export function isEventAt(tokens: readonly Spoken[], at: number): boolean {
  if (at === 0 && (isNewsOf(tokens) || isDoneFirst(tokens))) return true
  if (((tokens[at]?.classes ?? 0) & W.event) === 0 && !isDoneAt(tokens, at) && !isCountedAt(tokens, at))
    return false
  if (GERMAN_PRESENT.has(tokens[at]?.text ?? '') && isGermanPresent(tokens, at)) return false
  // `the limit nerfed to 5`: what counts is how it is now.
  if (
    TO.has(tokens[at + 1]?.text ?? '') &&
    tokens[at + 2]?.kind === 'number' &&
    tokens[0]?.isContent === true
  )
    return false
  // `a failed delivery` is a kind of delivery.
  if (isKindAt(tokens, at)) return false
  // `got postponed`, `went up`, `handed … over`: what counts is how it is now.
  if (
    isRise(tokens, at) ||
    handsAt(tokens) === at ||
    takesAt(tokens) === at ||
    isPutOff(tokens, at) ||
    // `transferred from Ines to Bo`
    (tokens[at]?.text === 'transferred' && tokens[at + 1]?.text === 'from') ||
    (tokens[at]?.text === 'got' && ((tokens[at + 1]?.classes ?? 0) & (W.change | W.gone)) !== 0)
  )
    return false
  for (let back = at - 1; back >= Math.max(0, at - EVENT_REACH); back -= 1)
    if (((tokens[back]?.marks ?? 0) & M.present) !== 0) return false
  return at === tokens.length - 1 || !PRESENT_AFTER.has(tokens[at + 1]?.text ?? '')
}

/** `New review for the tent: 2 stars`, and not `New limit for uploads: 5 MB`. */
function isNewsOf(tokens: readonly Spoken[]): boolean {
  const sign = NEW.has(tokens[0]?.text ?? '') ? tokens.findIndex(({ kind }) => kind === 'sign') : -1
  return sign > 1 && !tokens.slice(1, sign).some(({ classes }) => (classes & OF_ONE) !== 0)
}

const NEW = wordSet(
  'new neue neuer neues nouvelle nouveau nueva nuevo nuova nuovo nova novo nieuwe nieuw новый новая новое',
)
/** Words for what there is one of. */
const OF_ONE = W.measure | W.slot | W.plan | W.role | W.located | W.date

/** `Refuelled truck 12 with 140 litres`, and not `Fixed rate of 5 euros for members`. */
function isDoneFirst(tokens: readonly Spoken[]): boolean {
  const [first, next] = tokens
  if (first === undefined || next === undefined || isPresent(tokens)) return false
  const isEnglish = ENGLISH_DONE.test(first.text) && next.kind === 'word' && next.isContent
  if (!isEnglish && !GERMAN_DONE.test(first.text)) return false
  if ((first.classes & W.change) !== 0 || OF_SORTS.has(first.text)) return false
  return tokens.some(
    ({ kind, dimension }, at) =>
      kind === 'number' &&
      (dimension !== '' || tokens[at + 1]?.isContent === true) &&
      BEFORE_AMOUNT.has(tokens[at - 1]?.text ?? ''),
  )
}

const BEFORE_AMOUNT = wordSet('with by for from a an für mit um von')
/** Before a noun they tell which. */
const OF_SORTS = wordSet(
  'fixed shared planned required recommended limited allowed supported preferred estimated expected reserved combined used needed attached scheduled permitted accepted included',
)

function isKindAt(tokens: readonly Spoken[], at: number): boolean {
  const next = tokens[at + 1]
  // `Closed sessions start on …`
  if (at === 0 && next?.isContent === true && next.kind === 'word' && saysMore(tokens.slice(2))) return true
  const before = tokens[at - 1]
  const isOfNoun = ((before?.classes ?? 0) & W.article) !== 0 || before?.text === 'of'
  if (!isOfNoun || next === undefined || next.kind === 'number') return false
  return next.isContent || (next.classes & W.measure) !== 0
}

/** Of what stands before, something is said: how it is, when it begins. */
function saysMore(tokens: readonly Spoken[]): boolean {
  return tokens.some(
    ({ classes, marks }) =>
      (classes & (W.copula | W.plan | W.prefers)) !== 0 || (marks & (M.present | M.rule)) !== 0,
  )
}

/** `Read 12 rows`, `lint found 3 errors`: of verbs whose past is spelled as something else, too. */
function isCountedAt(tokens: readonly Spoken[], at: number): boolean {
  const text = tokens[at]?.text ?? ''
  const [before, next] = [tokens[at - 1], tokens[at + 1]]
  if (next === undefined || (next.kind !== 'number' && next.text !== 'no')) return false
  if (before !== undefined) {
    if (text === 'found') return before.isContent || WE.has(before.text)
    const isDone = ENGLISH_DONE.test(text) && ((tokens[at]?.classes ?? 0) & (W.change | W.located)) === 0
    return isDone && before.isContent && !isPresent(tokens)
  }
  return COUNTING.has(text) || ENGLISH_DONE.test(text) || ROMANCE_DONE.test(text)
}

/** `Payé 12 euros`, `Pagato 12 euro`, `Retirados 12 euros` */
const ROMANCE_DONE = /\p{L}{2,}(?:ée?s?|[aiu][dt][oaie]s?)$/u

const WE = wordSet('we i they')
const COUNTING = wordSet('read found hit lost wrote ran spent sold bought drove rode swam cycled')

/** `Discount of 5 EUR granted`, `Anruf von 3 Minuten geführt`: what was done, without the verb that says when. */
function isDoneAt(tokens: readonly Spoken[], at: number): boolean {
  const token = tokens[at]
  // `is called` names it, `called` alone tells what somebody did.
  if (token?.text === 'called' && !isPresent(tokens.slice(0, at)))
    return at > 0 || tokens[1]?.hasCapital === true || ((tokens[1]?.marks ?? 0) & M.title) !== 0
  const next = tokens[at + 1]
  const isLast = next === undefined && at > 0 && ((token?.classes ?? 0) & W.located) !== 0
  if (token === undefined || (!token.isContent && !isLast) || (token.hasCapital && at > 0)) return false
  if (
    next === undefined &&
    (GERMAN_DONE.test(token.text) ||
      (GERMAN_COUNTED.test(token.text) && tokens.some(({ kind }) => kind === 'number'))) &&
    (tokens[0]?.isContent === true || tokens.some(({ kind }) => kind === 'number')) &&
    !isPresent(tokens)
  )
    return true
  // Before a noun it says of what kind: `the shared cache`; before a number what came of it: `the check returned 5`.
  const isKind = next?.isContent === true && next.kind !== 'number'
  if (!isKind && next?.kind !== 'sign' && ENGLISH_DONE.test(token.text) && !isPresent(tokens))
    return !(STANDING.has(token.text) && ((next?.classes ?? 0) & (W.placing | W.to)) !== 0)
  return isPerfectAt(tokens, at)
}

/** `pinned to 3.1`, `hosted on …`: how it is, where a note leaves `is` out. */
const STANDING = wordSet('pinned based hosted stored capped limited mounted configured located mirrored')

/** `a redémarré`, `ha riavviato`, `hat … gestartet`, `reinició`: told of once. */
function isPerfectAt(tokens: readonly Spoken[], at: number): boolean {
  const text = tokens[at]?.text ?? ''
  const before = tokens[at - 1]?.text ?? ''
  if (FRENCH_HAVE.has(before) && FRENCH_DONE.test(text)) return true
  if (ITALIAN_HAVE.has(before) && ITALIAN_DONE.test(text)) return true
  if (text.endsWith('ó') && text.length > SPANISH_CHARS_MIN) return true
  return (
    at === tokens.length - 1 && GERMAN_DONE.test(text) && tokens.some((token) => GERMAN_HAVE.has(token.text))
  )
}

const FRENCH_HAVE = wordSet('a ont')
const FRENCH_DONE = /\p{L}{3,}é(?:e?s?)$/u
const ITALIAN_HAVE = wordSet('ha hanno')
const ITALIAN_DONE = /(?<!^st)\p{L}[aiu]to$/u
const SPANISH_CHARS_MIN = 3
const GERMAN_HAVE = wordSet('hat haben')

function isPresent(tokens: readonly Spoken[]): boolean {
  return tokens.some(
    ({ classes, marks }) => (marks & M.present) !== 0 || (classes & (W.copula | W.prefers)) !== 0,
  )
}

/** `need` and `speed` are no participles. */
export const ENGLISH_DONE = /..[^e]ed$/
const GERMAN_DONE = /^\p{L}{0,4}ge\p{L}{2,}(?:t|en)$/u

/** `Paket mit 3 kg verschickt` */
const GERMAN_COUNTED = /^(?:ver|be|er|ent|zer)\p{L}{3,}t$/u

/** Of one form for what is done and what was done: `Der Kunde bezahlt mit Karte`, `Rechnung bezahlt`. */
const GERMAN_PRESENT = wordSet('bezahlt verkauft')
const GERMAN_HELPERS = wordSet('hat haben hatte hatten wurde wurden worden ist sind')

function isGermanPresent(tokens: readonly Spoken[], at: number): boolean {
  return (
    at < tokens.length - 1 &&
    ((tokens[0]?.classes ?? 0) & W.article) !== 0 &&
    !tokens.some(({ text }) => GERMAN_HELPERS.has(text))
  )
}

const TO = wordSet('to auf à a')
const EVENT_REACH = 5
const PRESENT_AFTER = wordSet('wird werden')

/** `went up`, `went from 5 to 10`: who went to a place is told of by his name. */
export function isRise(tokens: readonly Spoken[], at: number): boolean {
  if (tokens[at]?.text !== 'went') return false
  const way = tokens[at + 1]?.text ?? ''
  return WAYS.has(way) || (way === 'to' && tokens.slice(0, at).some(isThing))
}

const WAYS = wordSet('up down from')

function isThing({ isContent, hasCapital, kind }: Spoken): boolean {
  return isContent && !hasCapital && kind === 'word'
}

/** `pushed back to 9:00`, but `pushed to main`. */
function isPutOff(tokens: readonly Spoken[], at: number): boolean {
  return tokens[at]?.text === 'pushed' && PUT_OFF.has(tokens[at + 1]?.text ?? '')
}

const PUT_OFF = wordSet('back forward out')

// Who gives a thing on, and who takes it.

/** `Ines handed invoices over to Bo`: where the verb stands, -1: nothing is handed over. */
export function handsAt(tokens: readonly Spoken[]): number {
  const at = tokens.findIndex(({ marks }) => (marks & M.hands) !== 0)
  if (at < 1 || at > 2 || tokens[0]?.hasCapital !== true) return -1
  const behind = tokens.slice(at + 1)
  if (ENGLISH_HANDS.has(tokens[at]?.text ?? '') && !behind.some(({ text }) => OVER.has(text))) return -1
  return behind.some(({ classes }) => (classes & W.to) !== 0) ? at : -1
}

/** `Greta has taken over the rota from Bo`: where the verb stands, -1: nothing is taken over. */
export function takesAt(tokens: readonly Spoken[]): number {
  return tokens.findIndex(
    ({ text, marks }, at) =>
      at > 0 &&
      (marks & M.takes) !== 0 &&
      (!ENGLISH_TAKES.has(text) ||
        tokens[THEM.has(tokens[at + 1]?.text ?? '') ? at + 2 : at + 1]?.text === 'over'),
  )
}

const THEM = wordSet('it them this that')
const ENGLISH_TAKES = wordSet('took taken takes')
const ENGLISH_HANDS = wordSet('handed hands passed')
const OVER = wordSet('over on off')

// From when on something is so.

/** `since yesterday` speaks of now. */
export function isSinceAt(tokens: readonly Spoken[], at: number): boolean {
  const text = tokens[at]?.text ?? ''
  const isSince =
    SINCE.has(text) ||
    (text === 'of' && tokens[at - 1]?.text === 'as') ||
    (text === 'from' && tokens[at + 1]?.text === 'this')
  if (isFromOnAt(tokens, at)) return true
  const next = THIS.has(tokens[at + 1]?.text ?? '') ? at + 2 : at + 1
  if (isSince && tokens[next]?.text === 'been') return true
  return isSince && ((tokens[next]?.classes ?? 0) & (W.when | W.date)) !== 0
}

/** `From October …`, `… à partir du 3 mai`, without an end: it is so from then on. Hours are those of every day. */
export function isFromOnAt(tokens: readonly Spoken[], at: number): boolean {
  if (!FROM_ON.has(tokens[at]?.text ?? '')) return false
  const day = tokens.findIndex(
    ({ isContent, classes }, place) => place > at && (isContent || (classes & W.when) !== 0),
  )
  const { classes = 0, dimension = '' } = tokens[day] ?? {}
  if ((classes & (W.when | W.date)) === 0 || dimension === 'clock') return false
  // `Notes from Monday are …`: which notes.
  if (at > 1 && tokens.slice(day).some((token) => token.isContent && (token.classes & W.date) === 0))
    return false
  return !tokens.some(({ text }) => ENDS.has(text))
}

const FROM_ON = wordSet('from vanaf partir dal da с')
const ENDS = wordSet("to until till through and bis jusqu jusqu'à jusqu'au hasta até fino al tot до по")

const THIS = wordSet('this diesem dieser diesen ce cette este esta questo questa dit deze')
export const SINCE = wordSet('since seit depuis desde sinds ab')

/** `will be collected on Fridays from now on`: what is so from a day on is more than a promise. */
export function isSettled(tokens: readonly Spoken[]): boolean {
  return (
    tokens.every(({ classes, text }) => (classes & W.promise) === 0 || WILL.has(text)) &&
    tokens.some(
      ({ text }, at) =>
        HENCE.has(text) || (text === 'now' && tokens[at - 1]?.text === 'from') || isFromOnAt(tokens, at),
    )
  )
}

const WILL = wordSet("will shall zal zullen буду будем we'll they'll he'll she'll")
const HENCE = wordSet('henceforth voortaan désormais dorénavant künftig fortan doravante отныне')

// What somebody wants to do, does at the moment, or has at hand.

/** `I want to return …`, `I'd like to change …`, `Quiero cambiar …`, `Ich möchte … umbuchen`. */
export function isWish(tokens: readonly Spoken[], isPersonal: boolean): boolean {
  if (!isPersonal && !WISHES_ALONE.has(tokens[0]?.text ?? '')) return false
  const at = tokens.findIndex(({ text }) => WISHES.has(text) || WISHES_ALONE.has(text))
  if (at < 0) return false
  if (tokens[at + 1]?.text === 'to')
    return !LASTING.has(tokens[at + 2]?.text ?? '') && isOfSpeaker(tokens, at)
  const verb = [tokens[at + 1], tokens[at + 2]].find((token) => INFINITIVE.test(token?.text ?? ''))
  const last = tokens[0]?.text === 'ich' || tokens[0]?.text === 'ik' ? tokens.at(-1) : undefined
  const wanted = WISHES_ALONE.has(tokens[at]?.text ?? '') ? verb : last
  if (wanted === undefined || wanted.hasCapital || LASTING.has(wanted.text)) return false
  return wanted === verb || GERMAN_INFINITIVE.test(wanted.text)
}

/** `I want`, `I'd like`, `I really need`, not `you need`. */
function isOfSpeaker(tokens: readonly Spoken[], at: number): boolean {
  return tokens.slice(Math.max(0, at - 2), at).some(({ text }) => SPEAKERS.has(text))
}

const SPEAKERS = wordSet("i i'd i'm i've")
const WISHES = wordSet(
  'want need like love wish hope intend plan try trying going have möchte will muss würde wil moet',
)
/** Of these the speaker is known by their form, and the verb follows. */
const WISHES_ALONE = wordSet(`
  veux voudrais souhaite dois aimerais quiero quisiera necesito deseo debo quero gostaria preciso desejo voglio vorrei devo desidero хочу`)
/** What is wanted to be so, or each time. */
const LASTING = wordSet(`
  be get receive have hear see know read stay bekommen erhalten sein haben krijgen hebben recevoir être avoir recibir ser estar tener receber ter
  ricevere essere avere получать`)
const INFINITIVE = /..(?:[aei]r|re|ть)$/u
const GERMAN_INFINITIVE = /..e[lr]?n$/

interface Told {
  readonly tokens: readonly Spoken[]
  readonly isPersonal: boolean
}

/** `I have the key here`, `with me`, `right now`: of the moment in which it is said. */
export function isAtHand({ tokens, isPersonal }: Told): boolean {
  return (
    isPersonal &&
    tokens.some(
      ({ text }, at) =>
        HERE.has(text) ||
        (text === 'me' && tokens[at - 1]?.text === 'with') ||
        (text === 'now' && tokens[at - 1]?.text === 'right') ||
        isStepAt(tokens, at),
    )
  )
}

/** `I'm now working on the export`, `I'm fixing the login`: at that moment. */
function isStepAt(tokens: readonly Spoken[], at: number): boolean {
  const text = tokens[at]?.text ?? ''
  if (!STEPS.has(text) && !(text === 'working' && tokens[at + 1]?.text === 'on')) return false
  return tokens.slice(Math.max(0, at - 3), at).some((token) => token.text === "i'm" || token.text === 'i')
}

const STEPS = wordSet(`
  looking checking running reading waiting trying testing fixing writing adding starting updating investigating debugging reviewing editing building
  deploying removing moving changing`)
const HERE = wordSet('here hier ici aquí aqui qui handy dabei')
