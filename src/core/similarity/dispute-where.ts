import { type Clause, contentOf, type Token } from './dispute-clause.ts'
import { isNamed } from './dispute-holders.ts'
import { M } from './dispute-lexicon.ts'
import { isDate, isNumber, type Pair } from './dispute-pair.ts'
import { isAbstract } from './dispute-places.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// Where one thing is, said in any words: what it is, and behind the verb the place.

interface Position {
  readonly verb: Token
  readonly subject: readonly Token[]
  readonly place: readonly Token[]
}

const PLACE_WORDS_MAX = 4

/** `Os livros estão na sala velha` and `You find the books in the attic`: another place of the same. */
export function isElsewhereNow({ earlier, later }: Pair): boolean {
  if (earlier.isNegated || later.isNegated) return false
  const [one, other] = [positionOf(earlier), positionOf(later)]
  if (one === null || other === null) return false
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
  return subject.every(({ key }) => content.has(key) && !place.some((token) => token.key === key))
}

/** Whether a statement may say where something is. */
export function mayBeSomewhere(clause: Clause): boolean {
  return positionOf(clause) !== null
}

function positionOf(clause: Clause): Position | null {
  const { tokens, classes, marks } = clause
  if ((classes & (W.placing | W.to)) === 0 || (marks & M.rule) !== 0) return null
  const verbAt = tokens.findIndex(({ text }) => KEEPS.has(text) || BE.has(text))
  const verb = tokens[verbAt]
  if (verb === undefined) return null
  const leadAt = tokens.findIndex(({ classes: own }, at) => at > verbAt && (own & W.placing) !== 0)
  if (leadAt < 0) return null
  const between = tokens.slice(verbAt + 1, leadAt)
  // `you find the books in …`: what it is stands behind the verb.
  const isFound = FINDS.has(verb.text)
  const rest = between.filter(({ isContent, text }) => isContent && !KEEPS.has(text))
  if (!isFound && rest.length > 0) return null
  // Of several things that are somewhere, the article says which.
  if (BE.has(verb.text) && !between.some(({ text }) => KEEPS.has(text)) && !isDefinite(tokens[0])) return null
  const subject = isFound ? rest : contentOf(clause).filter((token) => tokens.indexOf(token) < verbAt)
  const place = contentOf(clause).filter((token) => tokens.indexOf(token) > leadAt)
  if (subject.length === 0 || place.length === 0 || place.length > PLACE_WORDS_MAX) return null
  return place.some(isNoPlace) || isState(place.at(-1)) ? null : { verb, subject, place }
}

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
const FINDS = wordSet('find found findest finden trouve trouvez encuentra encuentran encontra trova vindt')
const KEEPS = wordSet(`
  kept stored lie lies stand stands sit sits hang hangs live lives parked held find found liegt liegen steht stehen hängt hängen lagert lagern aufbewahrt findest finden
  trouve trouvent trouvez rangé rangée rangés rangées guarda guardan encuentra encuentran fica ficam guardado guardada guardados guardadas encontra trova trovano
  ligt liggen staat staan hangt hangen vindt лежит лежат стоит стоят висит висят хранится хранятся находится находятся`)
