import type { Clause, Token } from './dispute-clause.ts'
import { isOfSomething } from './dispute-holders.ts'
import { isFiller, isSameForm } from './dispute-kinds.ts'
import { M } from './dispute-lexicon.ts'
import { isName, isNumber, type Pair } from './dispute-pair.ts'
import { beginsDefinite } from './dispute-parts.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// In which style, of which sort, of which field another value is.

/** Another word before what a thing has one of: `in title case`, `in sentence case`. */
export function differsInStyle(pair: Pair): boolean {
  const { earlier, later, earlierRest, laterRest } = pair
  if (earlier.isNegated !== later.isNegated) return false
  return isStyled(earlier, earlierRest) && isStyled(later, laterRest) && isSameForm(pair)
}

function isStyled({ tokens }: Clause, filler: readonly Token[]): boolean {
  const [first] = filler
  if (first === undefined || filler.length > 2 || !isFiller(filler)) return false
  if (filler.some(({ classes }) => (classes & W.qualifier) !== 0) || !isOnePiece(tokens, filler)) return false
  const at = tokens.indexOf(first)
  const lead = tokens[at - 1]
  const leadsToValue = lead !== undefined && (lead.classes & (W.placing | W.means | W.copula)) !== 0 && at > 1
  return leadsToValue && ((tokens[at + filler.length]?.marks ?? 0) & M.styled) !== 0
}

/** Whether words stand one behind the other. */
export function isOnePiece(tokens: readonly Token[], words: readonly Token[]): boolean {
  const [first] = words
  const at = first === undefined ? -1 : tokens.indexOf(first)
  return words.every((word, offset) => tokens[at + offset] === word)
}

/** `wants a refund` and `wants a replacement instead` */
export function isWantedInstead({ earlier, later, earlierRest, laterRest, shared }: Pair): boolean {
  if ((earlier.classes & later.classes & W.prefers) === 0 || (later.marks & M.instead) === 0) return false
  if (earlier.isNegated || later.isNegated || shared.length === 0) return false
  return [earlierRest, laterRest].every((rest) => rest.length === 1 && isFiller(rest))
}

/** `The main config is base.yml` and `The main config is prod.yml`: one name of the one that it is. */
export function isNamedOtherwise(pair: Pair): boolean {
  const { earlier, later, earlierRest, laterRest } = pair
  if (earlier.isNegated || later.isNegated || !beginsDefinite(earlier.tokens)) return false
  const isNamed = ({ tokens }: Clause, [name, ...more]: readonly Token[]): boolean =>
    more.length === 0 &&
    name?.kind === 'name' &&
    tokens.at(-1) === name &&
    ((tokens.at(-2)?.classes ?? 0) & W.copula) !== 0
  return isNamed(earlier, earlierRest) && isNamed(later, laterRest) && isSameForm(pair)
}

/** `prefers matt paper` and `préfère le papier mat`: of what kind the thing is that is preferred. */
export function differsInSort(pair: Pair): boolean {
  const { earlier, later, earlierRest, laterRest, shared } = pair
  if (earlier.isNegated || later.isNegated || earlierRest.length !== 1 || laterRest.length !== 1) return false
  const isSort = ({ tokens, content }: Clause, [sort]: readonly Token[]): boolean => {
    const prefers = tokens.findIndex(({ text, classes }) => (classes & W.prefers) !== 0 && !LIKES.has(text))
    const at = sort === undefined ? -1 : tokens.indexOf(sort)
    const thing = shared.find((key) => (content.get(key) ?? -1) > prefers)
    return (
      prefers > 0 &&
      thing !== undefined &&
      isBeside(tokens, content.get(thing) ?? -9, at) &&
      isFiller(sort === undefined ? [] : [sort])
    )
  }
  return isSort(earlier, earlierRest) && isSort(later, laterRest) && isSameForm(pair)
}

/** `wants reminders by letter` and `wants reminders by phone call`: how somebody wants a thing, of which there is one way. */
export function isWantedOtherwise(pair: Pair): boolean {
  const { earlier, later, earlierRest, laterRest, shared } = pair
  if (earlier.isNegated || later.isNegated) return false
  const leadTo = ({ tokens, content }: Clause, way: readonly Token[]): string | null => {
    const [first] = way
    if (first === undefined || way.length > 2 || !isFiller(way) || !isOnePiece(tokens, way)) return null
    const at = tokens.indexOf(first)
    if (at + way.length !== tokens.length) return null
    const isArticle = ((tokens[at - 1]?.classes ?? 0) & W.article) !== 0
    const lead = isArticle ? at - 2 : at - 1
    if (((tokens[lead]?.classes ?? 0) & (W.by | W.means)) === 0) return null
    const prefers = tokens.findIndex(({ text, classes }) => (classes & W.prefers) !== 0 && !LIKES.has(text))
    const isOfThing = shared.some((key) => {
      const place = content.get(key) ?? -1
      return place > prefers && place < lead
    })
    return prefers > 0 && isOfThing ? (tokens[lead]?.text ?? null) : null
  }
  const lead = leadTo(earlier, earlierRest)
  return lead !== null && lead === leadTo(later, laterRest)
}

/** Of what somebody likes he may like more. */
const LIKES = wordSet('likes favorite favourite favorito favorita preferito любимый любимая lieblings 喜欢')

/** No other word that says something stands between. */
function isBeside(tokens: readonly Token[], one: number, other: number): boolean {
  const [from, to] = one < other ? [one, other] : [other, one]
  return to - from <= 2 && tokens.slice(from + 1, to).every(({ isContent }) => !isContent)
}

/** Words of a field that tell which it is. */
export const FIELD_WORDS_MIN = 2

/** Another value of one field: `Favourite pizza of the twins: …`, `Dentist of the girls: …`. */
export function differsInField(pair: Pair): boolean {
  const { earlier, later, earlierRest, laterRest, shared } = pair
  const keys = earlier.fieldKeys
  if (keys.length < FIELD_WORDS_MIN || keys.length !== later.fieldKeys.length) return false
  if (!keys.every((key) => later.fieldKeys.includes(key))) return false
  if (isFieldOfOne(pair)) return true
  if (shared.length !== keys.length || !isFiller(earlierRest) || !isFiller(laterRest)) return false
  if (((earlier.classes | later.classes) & W.date) !== 0 || earlier.isNegated !== later.isNegated)
    return false
  const fillers = [...earlierRest, ...laterRest]
  const isOfSlot = keys.some((key) => {
    const token = earlier.tokens[earlier.content.get(key) ?? -1]
    return token !== undefined && (token.classes & (W.slot | W.role)) !== 0 && (token.classes & W.label) === 0
  })
  if (isOfSlot || (earlier.classes & W.prefers) !== 0 || fillers.every(isName)) return true
  return (
    isOfSomething(
      earlier.tokens,
      earlier.tokens.findIndex(({ kind }) => kind === 'sign'),
    ) && [earlierRest, laterRest].every((filler) => isPersonIn(pair, filler))
  )
}

/** `Parent evening: room 4` and `Parent evening: library`: short values of a field that lists nothing. */
function isFieldOfOne({ earlier, later, earlierRest, laterRest }: Pair): boolean {
  if (earlier.isNegated || later.isNegated || earlier.isPart || later.isPart) return false
  if (earlierRest.some(isNumber) && laterRest.some(isNumber)) return false
  return isShortField(earlier, earlierRest) && isShortField(later, laterRest)
}

function isShortField({ tokens, fieldKeys, content }: Clause, value: readonly Token[]): boolean {
  const at = tokens.findIndex(({ kind }) => kind === 'sign')
  const behind = tokens.slice(at + 1)
  const said = behind.filter(({ isContent }) => isContent)
  if (value.length === 0 || said.length > VALUE_WORDS_MAX || !value.every((token) => behind.includes(token)))
    return false
  // A field and its value, and neither a sentence nor a date or an amount.
  if (
    behind.some(
      ({ classes, marks }) => (classes & (W.copula | W.date)) !== 0 || (marks & (M.rule | M.possible)) !== 0,
    )
  )
    return false
  // Of people there may be several, at a party as in a team.
  if (
    behind.some(({ marks }) => (marks & M.title) !== 0) ||
    said.filter(({ hasCapital }) => hasCapital).length > 1
  )
    return false
  const first = tokens[content.get(fieldKeys[0] ?? '') ?? -1]
  return first !== undefined && !isSeveral(first) && !tokens.slice(0, at).some(isOfList)
}

const VALUE_WORDS_MAX = 3

/** `Guests of the fair: …` names one of them; `Settings of the lathe` a plural that English forms. */
function isSeveral({ text, classes }: Token): boolean {
  return (classes & (W.prefers | W.slot)) === 0 && /[^s]s$/.test(text)
}

function isOfList({ text }: Token): boolean {
  return LISTS.has(text) || text.endsWith('liste') || text.endsWith('lijst')
}

/** What has more than one entry, or tells what somebody said. */
const LISTS = wordSet(`
  list note reminder todo idea question task shopping packing agenda log news message tip hint feedback comment quote error warning bug issue example result call chat mail step part present gift
  member guest speaker participant ingredient liste notiz erinnerung aufgabe frage nachricht fehler hinweis tipp beispiel ergebnis anruf mitglied gast zutat
  rappel idée tâche erreur exemple membre invité ingrédient nota recordatorio tarea pregunta mensaje ejemplo miembro invitado lembrete tarefa pergunta mensagem membro
  promemoria domanda messaggio errore esempio ospite lijst notitie herinnering taak vraag bericht fout список заметка напоминание задача вопрос сообщение ошибка`)

/** Behind `Dr`, or of two names. */
function isPersonIn({ earlier, later }: Pair, filler: readonly Token[]): boolean {
  const [first] = filler
  if (first === undefined || !filler.every(({ kind, hasCapital }) => kind === 'word' && hasCapital))
    return false
  const before = [earlier, later].flatMap(({ tokens }) => {
    const token = tokens[tokens.indexOf(first) - 1]
    return tokens.includes(first) && token !== undefined ? [token] : []
  })
  return filler.length === 2 || before.some(({ marks }) => (marks & M.title) !== 0)
}
