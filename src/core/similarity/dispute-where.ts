import { type Clause, contentOf, type Token } from './dispute-clause.ts'
import { isNamed } from './dispute-holders.ts'
import { M } from './dispute-lexicon.ts'
import { isDate, isNumber, type Pair } from './dispute-pair.ts'
import { isAbstract } from './dispute-places.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

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

/** Whether a statement may say where something is. */
export function mayBeSomewhere(clause: Clause): boolean {
  return positionOf(clause) !== null
}

function positionOf(clause: Clause): Position | null {
  const { tokens, classes, marks } = clause
  if ((classes & (W.placing | W.to)) === 0 || (marks & M.rule) !== 0) return null
  const verbAt = tokens.findIndex(({ text }) => KEEPS.has(text) || BE.has(text) || GOES.has(text))
  const verb = tokens[verbAt]
  if (verb === undefined) return null
  const leadAt = tokens.findIndex(({ classes: own }, at) => at > verbAt && (own & W.placing) !== 0)
  if (leadAt < 0) return null
  const between = tokens.slice(verbAt + 1, leadAt)
  // `you find the books in …`: what it is stands behind the verb.
  const isFound = FINDS.has(verb.text)
  const rest = between.filter(({ isContent, text }) => isContent && !KEEPS.has(text) && text !== 'up')
  if (!isFound && rest.length > 0) return null
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
    : { subject, place, room: roomOf(place), isWhich: isKept || isDefinite(tokens[0]) }
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

function isDefinite(token: Token | undefined): boolean {
  return token !== undefined && (token.classes & W.article) !== 0 && (token.classes & W.indefinite) === 0
}

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
const GOES = wordSet('go goes end ends belong belongs')
const FINDS = wordSet('find found findest finden trouve trouvez encuentra encuentran encontra trova vindt')
const KEEPS = wordSet(`
  kept stored happen happens located placed housed shelved displayed mounted filed archived installed lie lies stand stands sit sits hang hangs live lives parked held find found liegt liegen steht stehen hängt hängen lagert lagern aufbewahrt findest finden
  trouve trouvent trouvez rangé rangée rangés rangées guarda guardan encuentra encuentran fica ficam guardado guardada guardados guardadas encontra trova trovano
  ligt liggen staat staan hangt hangen vindt лежит лежат стоит стоят висит висят хранится хранятся находится находятся`)
