import { type Clause, contentOf, type Token } from './dispute-clause.ts'
import { isDayIn } from './dispute-dates.ts'
import { lacks } from './dispute-kinds.ts'
import { M } from './dispute-lexicon.ts'
import { isDate, isName, isNumber, type Pair } from './dispute-pair.ts'
import { isNarrowed } from './dispute-which.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// Whether two statements say the same in other words, up to the values in which they differ.

/** What only one of two statements gives of the same: numbers, dates, names, states. */
export interface Values {
  readonly earlier: readonly Token[]
  readonly later: readonly Token[]
  /** One says more than the other, besides. */
  readonly isMore: boolean
}

/** Of the words that say something both have so many, and this share. */
export const SHARED_MIN = 2
const SHARE_MIN = 0.6
/** Most words that only one of the two has; with one number each a few more. */
export const REWORDED_REST_MAX = 3
export const NUMBERED_REST_MAX = 5
export const NAMED_REST_MAX = 4
const MORE_WORDS_MAX = 3

/** The values of two statements of the same words in whatever order; null: they speak of two things. */
export function valuesOf(
  { earlier, later, shared, earlierRest, laterRest }: Pair,
  restMax = REWORDED_REST_MAX,
): Values | null {
  if (earlierRest.length > restMax || laterRest.length > restMax) return null
  const said = shared.filter((key) => !key.startsWith('=')).length
  // `Without a card the fee is …` is another case.
  if (said < SHARED_MIN || lacks(earlier) !== lacks(later)) return null
  const one = aloneIn(earlier, later)
  const other = aloneIn(later, earlier)
  if ([...one, ...other].some(({ classes }) => (classes & W.qualifier) !== 0)) return null
  const isMatched = (token: Token, among: readonly Token[]): boolean =>
    among.some((each) => isOfOneStem(token, each))
  const [words, values] = parted(
    one.filter((token) => !isMatched(token, other)),
    earlier,
  )
  const [otherWords, otherValues] = parted(
    other.filter((token) => !isMatched(token, one)),
    later,
  )
  const more = Math.max(words.length, otherWords.length)
  if (more > MORE_WORDS_MAX) return null
  // `bread rests` and `cake rests`: each names a thing of its own.
  if (
    !isLabelOf(earlier, later) &&
    !isLabelOf(later, earlier) &&
    ((words.length > 0 && otherWords.length > 0) || said < SHARE_MIN * (said + more))
  )
    return null
  if (isNarrowed(earlier, words) || isNarrowed(later, otherWords)) return null
  return { earlier: values, later: otherValues, isMore: more > 0 }
}

/** `gateway log: …` is about the log of the gateway, whatever words tell its value. */
export function isLabelOf({ fieldKeys }: Clause, { content }: Clause): boolean {
  return fieldKeys.length >= SHARED_MIN && fieldKeys.every((key) => content.has(key))
}

/** Content words that say something of their own, and that the other has not. */
export function aloneIn(clause: Clause, { content }: Clause): readonly Token[] {
  return contentOf(clause).filter(
    ({ key, text, classes, marks }) =>
      !content.has(key) &&
      (classes & W.when) === 0 &&
      (marks & M.rule) === 0 &&
      !GENERIC.has(text) &&
      !RESPONSIBLE.has(text),
  )
}

function parted(
  tokens: readonly Token[],
  clause: Clause,
): readonly [words: readonly Token[], values: readonly Token[]] {
  const isValue = (token: Token): boolean =>
    isNumber(token) ||
    isDate(token) ||
    isDayIn(clause, token) ||
    isName(token) ||
    token.hasCapital ||
    (token.marks & (M.rival | M.side)) !== 0
  return [tokens.filter((token) => !isValue(token)), tokens.filter(isValue)]
}

/** `deliver` and `delivery`, `bakt` and `gebakken`, `Inventur` and `Inventurtermin`. */
function isOfOneStem(one: Token, other: Token): boolean {
  if (one.kind !== 'word' || other.kind !== 'word') return false
  const [a, b] = [
    one.key.length < other.key.length ? one.key : other.key,
    one.key.length < other.key.length ? other.key : one.key,
  ]
  if (b === `non${a}` || b === `nicht${a}`) return false
  if (a.length >= COMPOUND_CHARS_MIN && (b.startsWith(a) || b.endsWith(a))) return true
  const [x, y] = [withoutPrefix(a), withoutPrefix(b)]
  const least = x === a && y === b ? STEM_CHARS_MIN : PARTICIPLE_CHARS_MIN
  let same = 0
  while (same < Math.min(x.length, y.length) && x[same] === y[same]) same += 1
  return same >= least && same >= STEM_SHARE_MIN * Math.max(x.length, y.length)
}

const COMPOUND_CHARS_MIN = 5
const STEM_CHARS_MIN = 5
const PARTICIPLE_CHARS_MIN = 3
const STEM_SHARE_MIN = 0.6

/** `gebakken` is of `bakken`. */
function withoutPrefix(key: string): string {
  return /^ge\p{L}{3,}(?:t|en|n)$/u.test(key) ? key.slice(2).replace(/(?:t|en|n)$/, '') : key
}

/** All say that somebody sees to something. */
const RESPONSIBLE = wordSet(`
  does macht machen trata tratam passou passaram ask asks contact sits rests belongs falls question questions responsible charge manages maintains maintained handles verantwortlich zuständig betreut kümmert verwaltet responsable gère occupe gestiona encargado encargada responsabile gestisce occupa
  responsável cuida verantwoordelijk beheert отвечает ответственный ответственная`)

/** Say that something is, has, takes or keeps, how much each, and nothing of what it is about. */
const GENERIC = wordSet(`
  hold holds holding stay stays remain remains keep keeps last lasts get gets give gives need needs require requires cost costs charge charges contain contains count counts seat seats sleep sleeps
  fit fits fill fills admit admits carry carries show shows find found install installed apply applies put puts pay pays wear wears expire expires expired valid retained retention weigh weighs single limited deleted removed purged erased destroyed start starts begin begins serve serves own one ones apiece piece
  offered provided included tourne tournent roda draait gira
  support supports offer offers include includes provide provides anything bevat zit zitten дата available possible currently always usually normally already due date term appointment duration size place located called works working runs running gone back still people person
  gelöscht vernichtet bekommt bekommen braucht brauchen kostet kosten dauert hält halten bleibt bleiben enthält fasst zählt zahlt passt verlangen berechnet berechnen beginnt beginnen findet statt gibt termin dauer grösse stück installiert
  coûte coûtent dure durent compte comptent contient reste restent prend prennent reçoit commence faut installé installée durée taille pièce
  cuesta cuestan dura duran cabe caben admite admiten contiene queda quedan cobra cobran empieza recibe hay instalado duración tamaño
  custa custam dura leva cabe cabem contém fica cobra começa recebe instalado duração costa costano contiene resta prende comincia riceve durata aufbewahrung aufbewahrungsfrist gültig conservation conservación conservação conservazione
  who quien quem chi wer wie kost kosten duurt blijft krijgt bevat telt betaalt begint moet duur стоит стоят длится содержит остаётся получает начинается нужно`)
