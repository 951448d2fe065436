import { type Clause, contentOf, type Token } from './dispute-clause.ts'
import { isDateText } from './dispute-dates.ts'
import { gathers, isDefinite, isGathering } from './dispute-gathered.ts'
import { isNamed } from './dispute-holders.ts'
import { isFiller, isSubjectOnly, leadOf } from './dispute-kinds.ts'
import { M } from './dispute-lexicon.ts'
import { isDate, isNumber, type Pair } from './dispute-pair.ts'
import { beginsDefinite, IS } from './dispute-parts.ts'
import { isLabelOf, SHARED_MIN } from './dispute-sameness.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// Where something is, and where it is now.

/** Where something is: another place behind `in`, `under`, `to`. */
export function differsInPlace(pair: Pair): boolean {
  const { earlier, later, earlierRest, laterRest, shared, hasCue } = pair
  if (earlier.isNegated || later.isNegated) return false
  if (mayHaveMoved(later) && isElsewhere(pair)) return true
  if (!isFiller(earlierRest) || !isFiller(laterRest)) return false
  if (isPathText(earlierRest) !== isPathText(laterRest) && !pair.hasCue) return false
  if (!hasCue && (isOfOtherDoing(pair) || areTwoThings(pair))) return false
  const hasMoved = later.changeAt >= 0
  if (!isPlaced(earlier, earlierRest, hasMoved) || !isPlaced(later, laterRest, hasMoved, hasMoved))
    return (
      (shared.length > 1 || isSubjectOnly(pair)) &&
      ((isKept(earlier, earlierRest) &&
        isKept(later, laterRest) &&
        earlierRest.every(isNamed) === laterRest.every(isNamed)) ||
        (hasCue && isDoneIn(earlier, earlierRest) && isDoneIn(later, laterRest)))
    )
  return shared.length > 1 || isSubjectOnly(pair)
}

/** `The test server is in Kiel` and `The spare server is in Bonn`: each has a word of its own before the verb, too. */
function areTwoThings({ earlier, later, earlierRest, laterRest }: Pair): boolean {
  const isOther = ({ tokens }: Clause, [first, ...more]: readonly Token[]): boolean => {
    const verb = tokens.findIndex(({ classes }) => (classes & (W.copula | W.located)) !== 0)
    return first !== undefined && more.length > 0 && tokens.indexOf(first) < verb
  }
  return isOther(earlier, earlierRest) && isOther(later, laterRest)
}

/** `lives in Kiel` and `works in Bonn`: each is in a place of its own. */
function isOfOtherDoing({ earlier, later }: Pair): boolean {
  const says = ({ tokens }: Clause, words: ReadonlySet<string>) => tokens.some(({ text }) => words.has(text))
  return (says(earlier, LIVES) && says(later, WORKS)) || (says(earlier, WORKS) && says(later, LIVES))
}

const LIVES = wordSet(
  'live lives wohnt wohnen habite habitent vive viven vivono mora woont wonen живёт живет',
)
const WORKS = wordSet('work works arbeitet arbeiten travaille trabaja trabalha lavora werkt werken работает')

/** `The trolley is kept by the lift` and `The trolley was moved to the attic`: it is not where it was. */
function isElsewhere({ earlier, later, earlierRest, laterRest, shared }: Pair): boolean {
  if (!MOVED.has(later.tokens[later.changeAt]?.text ?? '') || !mayStand(earlier)) return false
  const first = earlierRest.find(({ text, classes }) => !RUNS.has(text) && (classes & W.placing) === 0)
  if (first === undefined || isDate(first) || laterRest.some(isDate)) return false
  const at = earlier.tokens.indexOf(first)
  const lead = leadToPlace(earlier, at)
  if (lead === null || (lead.classes & (W.placing | W.to)) === 0) return false
  if (!shared.every((key) => (earlier.content.get(key) ?? at) < at)) return false
  const to = later.tokens.findIndex(
    ({ classes, text }, place) =>
      place > later.changeAt && (TO.has(text) || (classes & W.to & ~W.placing) !== 0),
  )
  return to > 0 && laterRest.every((token) => later.tokens.indexOf(token) > to)
}

const TO = wordSet('to into nach zum zur in à au vers a al hacia para naar в на')
const MOVED = wordSet(`
  moved relocated transferred shifted migrated umgelagert umgehängt umgeräumt migriert migré migrée migrado migrada migrato verlegt umgezogen verschoben verlagert déplacé déplacée déplacés transféré trasladado trasladada movido movida
  transferido spostato spostata trasferito trasferita verplaatst verhuisd перенесён перенесен перенесена перемещён`)

/** Whether it says in which place something is. */
function mayStand({ tokens, classes }: Clause): boolean {
  if ((classes & W.placing) === 0) return false
  return (classes & (W.located | W.copula)) !== 0 || tokens.some(({ text }) => RUNS.has(text))
}

/** What a service does where it is. */
const RUNS = wordSet(
  'happens happen held runs run läuft laufen tourne tournent corre corren roda rodam gira girano draait draaien работает',
)

/** Whether it says that something was brought to another place. */
function mayHaveMoved({ tokens, changeAt }: Clause): boolean {
  return MOVED.has(tokens[changeAt]?.text ?? '')
}

/** `in compressed form`, `unter Strom`: how it is, not where. */
export function isAbstract({ text }: Token): boolean {
  return ABSTRACT.has(text)
}

const ABSTRACT = wordSet(`
  shape trouble sale form style mode use progress transit motion danger order pieces power parallel sequence detail general advance batches chunks pairs groups private person turns silence public strom form weise stil betrieb gefahr arbeit ordnung
  forme style marche cours forma estilo marcha modo corso stijl vorm`)

const KEPT_WORDS_MAX = 3

/** `The spare key is kept at the reception`: one thing, kept in one place. */
function isKept(clause: Clause, filler: readonly Token[]): boolean {
  const [first] = filler
  if (first === undefined || filler.length > KEPT_WORDS_MAX || !mayBeKept(clause)) return false
  const at = clause.tokens.indexOf(first)
  const lead = leadOf(clause, at)
  if (lead === null || (lead.classes & W.placing) === 0 || filler.some(isAbstract)) return false
  // Many people can be in as many towns.
  if (clause.tokens.some(({ text }) => SEVERAL.has(text)) && filler.some(isNamed)) return false
  // Nothing of both stands behind the place.
  return clause.tokens.slice(at).every((token) => !token.isContent || filler.includes(token))
}

function mayBeKept({ tokens, classes }: Clause): boolean {
  if (!beginsDefinite(tokens)) return false
  // `The spare keys are in the safe`
  const is = tokens.findIndex(({ text }) => IS.has(text) || SEVERAL.has(text))
  if (is > 1 && ((tokens[is + 1]?.classes ?? 0) & W.placing) !== 0) return true
  return (
    ((classes & W.located) !== 0 && tokens.some(({ text }) => IS.has(text))) ||
    tokens.some(({ text }) => STANDS.has(text))
  )
}

/** Says of one thing where it is. */
const STANDS = wordSet(
  'hangs lies sits sit stands hängt liegt steht está pend cuelga hangt staat ligt висит лежит стоит',
)

/** `Draw diagrams in Inkscape`: what an order does something in. */
function isDoneIn(clause: Clause, filler: readonly Token[]): boolean {
  const [first] = filler
  const lead = first === undefined ? null : leadOf(clause, clause.tokens.indexOf(first))
  return (
    lead !== null &&
    (lead.classes & W.placing) !== 0 &&
    filler.every((token) => token.kind === 'name' || isNamed(token))
  )
}

function isPathText(tokens: readonly Token[]): boolean {
  return tokens.some((token) => token.kind === 'name')
}

function isPlaced(clause: Clause, filler: readonly Token[], hasMoved: boolean, isMove = false): boolean {
  const [first] = filler
  if (first === undefined) return false
  const at = clause.tokens.indexOf(first)
  const lead = leadToPlace(clause, at)
  if (lead === null) return false
  const isDense = lead.text.charCodeAt(0) > 0x2e7f
  const leading = W.placing | W.to | W.from | (isDense ? W.located | W.change : 0)
  // A field of a path: `Templates: mail/old`.
  const isLed = (lead.classes & leading) !== 0 || (lead.kind === 'sign' && isPathText(filler))
  const isPlace = filler.some((token) => token.kind !== 'word' || isNamed(token))
  if (!isLed || !isPlace || filler.some(isAbstract)) return false
  if (isMove) return true
  // `during the week` and `at the weekend`
  const isTimed = filler.some(
    ({ classes, hasCapital }) => !hasCapital && (classes & (W.when | W.qualifier)) !== 0,
  )
  if (isTimed && filler.some(({ kind }) => kind === 'id')) return false
  const isSource = clause.tokens.some(({ text }) => COMES.has(text))
  if (isSource && !isPathText(filler) && !beginsDefinite(clause.tokens)) return false
  if ((clause.classes & W.located) !== 0) return true
  if (isPathText(filler) && (lead.kind === 'sign' || clause.tokens.some(({ text }) => GOES.has(text))))
    return true
  const leadAt = clause.tokens.indexOf(lead)
  const before = clause.tokens[leadAt - 1]
  if (before === undefined || (before.classes & W.copula) === 0) return false
  // Many people can be in as many countries, until they move.
  return hasMoved || isPathText(filler) || !SEVERAL.has(before.text) || (clause.classes & W.slot) !== 0
}

/** As `leadOf`, past a noun that says of what kind the place is: `on host m1`, `im Ordner alt`. */
function leadToPlace(clause: Clause, at: number): Token | null {
  const lead = leadOf(clause, at)
  return lead !== null && CONTAINERS.has(lead.text) ? leadOf(clause, clause.tokens.indexOf(lead)) : lead
}

const CONTAINERS = wordSet(`
  host server node machine cluster folder directory file bucket room hall building floor wing bay shelf rack drawer cabinet region branch ordner halle regal schrank schublade fach etage stockwerk gang verzeichnis datei raum gebäude rechner
  serveur dossier répertoire fichier salle bâtiment servidor carpeta directorio archivo sala edificio cartella edificio pasta arquivo map kamer папке сервере`)

const GOES = wordSet(
  'go goes exported uploaded copied published rendered emitted geht gehen exportiert va vont exporté van vanno vai vão gaat gaan',
)

/** Much comes from many places; what is ours has its source. */
const COMES = wordSet('come comes kommt kommen vient viennent viene vienen vem vêm komt komen')

const SEVERAL = wordSet('are sind sont son están são estão sono zijn są')

// Where one thing is, said in any words: what it is, and behind the verb the place.

interface Position {
  readonly subject: readonly Token[]
  readonly place: readonly Token[]
  /** `floor` of `the second floor`; empty where it is not told which of several it is. */
  readonly room: string
  /** It says of which thing. */
  readonly isWhich: boolean
}

const PLACE_WORDS_MAX = 4

/** `Os livros estão na sala velha` and `You find the books in the attic`: another place of the same. */
export function isElsewhereNow({ earlier, later, earlierRest, laterRest }: Pair): boolean {
  if (earlierRest.length === 0 || laterRest.length === 0) return false
  if (earlier.isNegated || later.isNegated) return false
  const [one, other] = [positionOf(earlier), positionOf(later)]
  // Of several things that are somewhere, the article says which.
  if (one === null || other === null || (!one.isWhich && !other.isWhich)) return false
  // On the second floor it can be beside the lift.
  if (one.room !== other.room && !(hasRoom(one.place, other.room) && hasRoom(other.place, one.room)))
    return false
  if (!isAbout(one.subject, later, other.place) || !isAbout(other.subject, earlier, one.place)) return false
  const has = (place: readonly Token[], { key }: Token): boolean => place.some((token) => token.key === key)
  const isOwn = (place: readonly Token[], than: readonly Token[]): boolean =>
    place.some((token) => !has(than, token))
  if (!isOwn(one.place, other.place) || !isOwn(other.place, one.place)) return false
  // Many people can be in as many towns.
  return !one.place.every(isNamed) && !other.place.every(isNamed)
}

/** Each word of what it is, is said in the other statement, too, and not as its place. */
function isAbout(subject: readonly Token[], { content }: Clause, place: readonly Token[]): boolean {
  return subject.every(
    ({ key, text }) => HOLDERS.has(text) || (content.has(key) && !place.some((token) => token.key === key)),
  )
}

/** What holds a thing is where the thing is: `the map shelves`. */
const HOLDERS = wordSet('shelf shelves rack racks case cases collection section corner')

function positionOf(clause: Clause): Position | null {
  const { tokens, classes, marks } = clause
  if ((classes & (W.placing | W.to)) === 0 || (marks & M.rule) !== 0) return null
  const hasMoved = mayHaveMoved(clause)
  const verbAt = hasMoved
    ? clause.changeAt
    : tokens.findIndex(
        ({ text }) => KEEPS.has(text) || gathers({ text }) || BE.has(text) || ENDS_UP.has(text),
      )
  const verb = tokens[verbAt]
  if (verb === undefined) return null
  const leadAt = tokens.findIndex(
    ({ classes: own, text }, at) => at > verbAt && (hasMoved ? TO.has(text) : (own & W.placing) !== 0),
  )
  if (leadAt < 0) return null
  const between = tokens.slice(verbAt + 1, leadAt)
  // `you find the books in …`: what it is stands behind the verb.
  const isFound = FINDS.has(verb.text)
  const rest = between.filter(({ isContent, text }) => isContent && !KEEPS.has(text) && text !== 'up')
  if (!isFound && rest.length > 0) return null
  if (gathers(verb) && !isGathering(tokens, verbAt, leadAt)) return null
  const isKept = !BE.has(verb.text) || between.some(({ text }) => KEEPS.has(text))
  const subject = isFound ? rest : contentOf(clause).filter((token) => tokens.indexOf(token) < verbAt)
  const place = contentOf(clause).filter((token) => tokens.indexOf(token) > leadAt)
  if (subject.length === 0 || place.length === 0 || place.length > PLACE_WORDS_MAX) return null
  const isNowhere = place.some(
    (token, at) =>
      isNoPlace(token) &&
      !ROOMS.has(token.text) &&
      !isOfRoom(token, place[at + 1]) &&
      !(OLD.has(token.text) && at < place.length - 1),
  )
  return isNowhere || isState(place.at(-1))
    ? null
    : {
        subject,
        place,
        room: roomOf(place),
        isWhich: isKept || isDefinite(tokens[0]) || beginsDefinite(tokens),
      }
}

function hasRoom(place: readonly Token[], room: string): boolean {
  return room === '' || place.some(({ key }) => key === room)
}

function roomOf(place: readonly Token[]): string {
  return place.find((_, at) => isOfRoom(place[at - 1], place[at]))?.key ?? ''
}

/** `on the second floor`, `in the left drawer`: which of several rooms it is. */
function isOfRoom(which: Token | undefined, room: Token | undefined): boolean {
  return which !== undefined && (which.classes & W.qualifier) !== 0 && ROOMS.has(room?.text ?? '')
}

/** Part of what a place is called. */
const OLD = wordSet('old main alte alten vieux ancien antiguo vecchia antigo oude')
const ROOMS = wordSet(
  'floor room drawer shelf cupboard cabinet wing hall door corner building bay rack stock stockwerk fach schublade étage tiroir piso planta cajón piano cassetto andar gaveta verdieping lade',
)

/** A time, a number, or a manner. */
function isNoPlace(token: Token): boolean {
  return (
    isDate(token) ||
    isNumber(token) ||
    isAbstract(token) ||
    (token.classes & (W.when | W.qualifier | W.slot)) !== 0
  )
}

/** `in the open`; of `in the blue room` the room is the place. */
function isState(last: Token | undefined): boolean {
  return ((last?.marks ?? 0) & (M.rival | M.side)) !== 0
}

const BE = wordSet('is are ist sind est sont está están estão é são è sono zijn')
/** Where something ends up each time. */
const ENDS_UP = wordSet('go goes end ends belong belongs')
const FINDS = wordSet('find found findest finden trouve trouvez encuentra encuentran encontra trova vindt')
const KEEPS = wordSet(`
  kept stored happen happens located placed housed shelved displayed mounted filed archived installed lie lies stand stands sit sits hang hangs live lives parked held find found liegt liegen steht stehen hängt hängen lagert lagern aufbewahrt findest finden
  trouve trouvent trouvez rangé rangée rangés rangées guarda guardan encuentra encuentran fica ficam guardado guardada guardados guardadas encontra trova trovano
  ligt liggen staat staan hangt hangen vindt лежит лежат стоит стоят висит висят хранится хранятся находится находятся`)

// A note against a sentence: its label says what it is about, and nothing in it is new; its value is that of the sentence, anew.

/** Words of the sentence that the note leaves out: its verb, and what the thing is for. */
const LEFT_OUT_MAX = 2

/** `The choir of the harbour sings on Mondays` and `Harbour choir: Thursdays`. */
export function isDayNoted(pair: Pair): boolean {
  return isNoted(pair, (note, value, { tokens }, rest) => {
    const days = rest.filter((token) => (token.classes & W.date) !== 0)
    return (
      days.length > 0 &&
      rest.length - days.length <= LEFT_OUT_MAX &&
      !rest.some((token) => isNumber(token) && tokens.includes(token) && !days.includes(token)) &&
      isDateText(note, value)
    )
  })
}

/** `The spare key of the harbour is in the safe` and `Spare key harbour: with Mr Lund`. */
export function isPlaceNoted(pair: Pair): boolean {
  return isNoted(
    pair,
    (note, value, sentence, rest) =>
      leadsToPlace(note) &&
      isFiller(value) &&
      isFiller(rest) &&
      (mayStand(sentence) || positionOf(sentence) !== null),
  )
}

type Judge = (note: Clause, value: readonly Token[], sentence: Clause, rest: readonly Token[]) => boolean

function isNoted({ earlier, later, earlierRest, laterRest }: Pair, judge: Judge): boolean {
  if (earlier.isNegated || later.isNegated || earlierRest.length === 0 || laterRest.length === 0) return false
  if (isLabelOf(later, earlier) && earlier.fieldKeys.length === 0)
    return judge(later, laterRest, earlier, earlierRest)
  return isLabelOf(earlier, later) && later.fieldKeys.length === 0
    ? judge(earlier, earlierRest, later, laterRest)
    : false
}

/** Behind its label it says where something is. */
function leadsToPlace({ tokens }: Clause): boolean {
  const lead = tokens[tokens.findIndex(({ kind }) => kind === 'sign') + 1]
  return lead !== undefined && ((lead.classes & W.placing) !== 0 || WITH.has(lead.text))
}

/** Whether a statement may say where something is, or was brought. */
export function mayTellPlace(clause: Clause): boolean {
  return (
    mayBeKept(clause) ||
    mayStand(clause) ||
    mayHaveMoved(clause) ||
    positionOf(clause) !== null ||
    (clause.fieldKeys.length >= SHARED_MIN && leadsToPlace(clause))
  )
}

const WITH = wordSet('with chez bei con com met')
