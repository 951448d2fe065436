import type { Clause, Token } from './dispute-clause.ts'
import type { Pair } from './dispute-pair.ts'
import type { SlotKind } from './dispute-rows.ts'
import { DATED, EVERY, FREQUENCIES, PER, SPANS } from './dispute-slot-words.ts'
import { holeOf, isAlike, isCued, RECURRING } from './dispute-subject.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

/** `hourly`, `every six hours`, `every day`. */
export function intervalIn({ tokens }: Clause): readonly [string | null, readonly number[]] {
  for (const [at, token] of tokens.entries()) {
    const known = FREQUENCIES.get(token.text)
    if (known !== undefined) return [known, [at]]
    const rate = rateAt(tokens, at)
    if (rate !== null) return [rate, [at, at + 1, at + 2]]
    if (!EVERY.has(token.text)) continue
    const next = tokens[at + 1]
    if (next === undefined) continue
    if (next.kind === 'number' && (next.dimension === 'time' || next.dimension === 'month'))
      return [next.key.replace('= ', ''), [at, at + 1]]
    const span = SPANS.get(next.text)
    if (span !== undefined) return [span, [at, at + 1]]
    const other = OTHERS.has(next.text) ? SPANS.get(tokens[at + 2]?.text ?? '') : undefined
    if (other !== undefined) return [`other ${other}`, [at, at + 1, at + 2]]
  }
  return [null, []]
}

/** `twice a week`, `3 times per day`. */
function rateAt(tokens: readonly Token[], at: number): string | null {
  const [token, next] = [tokens[at], tokens[at + 1]]
  if (token === undefined || next === undefined || !PER.has(next.text)) return null
  if (TIMES.has(token.text) && ((tokens[at - 1]?.classes ?? 0) & W.indefinite) !== 0)
    return SPANS.get(tokens[at + 2]?.text ?? '') ?? null
  const count =
    token.text === 'once' ? '1' : token.dimension === 'times' || token.text === 'twice' ? token.key : null
  const span = SPANS.get(tokens[at + 2]?.text ?? '')
  if (count === null || span === undefined) return null
  return count === '1' ? span : `${count} in ${span}`
}

const OTHERS = wordSet('other second zweite zwei deux dos dois due twee два')
const TIMES = wordSet('fois vez volta keer')

/** A number beside a month. */
export function isDayAt({ tokens }: Clause, at: number): boolean {
  const token = tokens[at]
  if (token?.kind !== 'number' || token.dimension !== '' || !/^\d{1,4}$/.test(token.text)) return false
  return [tokens[at - 2], tokens[at - 1], tokens[at + 1], tokens[at + 2]].some(
    (near) => near !== undefined && near.kind === 'word' && (near.classes & W.date) !== 0,
  )
}

/** `at 10`, `18 Uhr`, `8 h`, `noon`. */
export function isHourAt({ tokens }: Pick<Clause, 'tokens'>, at: number): boolean {
  const token = tokens[at]
  if (token === undefined) return false
  if (NOONS.has(token.text)) return true
  if (token.kind !== 'number' || !/^\d\d?(?:h|:\d\d)?$/.test(token.text)) return false
  if (HOUR_WORDS.has(tokens[at + 1]?.text ?? '')) return true
  const isHour = token.dimension === '' || token.dimension === 'time'
  if (!isHour || !HOUR_LEADS.has(tokens[at - 1]?.text ?? '')) return false
  const next = tokens[at + 1]
  if (token.dimension === 'time')
    return / time$/.test(token.key) && Number.parseInt(token.text, 10) <= 24 && /h$|^\d+$/.test(token.text)
  return next === undefined || !next.isContent
}

const HOUR_LEADS = wordSet('at um à às las alle om kl o в')
const HOUR_WORDS = wordSet("uhr o'clock oclock am pm 点 時 点钟")
const NOONS = wordSet('noon midnight midday mittag mitternacht midi minuit mediodía medianoche')

/** A quarter or a year. */
export function isPeriod({ text, kind }: Token): boolean {
  return /^q[1-4]$/.test(text) || (kind === 'number' && /^20[2-4]\d$/.test(text))
}

/** Another day or hour of what is planned or comes again. */
export function dateKind(pair: Pair, a: readonly number[], b: readonly number[]): SlotKind | null {
  const { earlier, later } = pair
  if (earlier.isEvent || (later.isEvent && later.changeAt < 0)) return null
  if (((earlier.classes | later.classes) & W.reading) !== 0) return null
  const [x, y] = [datesByType(earlier, a), datesByType(later, b)]
  if (![...x.keys()].some((type) => y.has(type))) return null
  // What the later says of Sundays only is no change.
  if (!isCued(pair) && [...y.keys()].some((type) => !x.has(type))) return null
  if ([...x].every(([type, at]) => isSameDate(type, earlier, at, later, y.get(type)))) return null
  const hasMoved = later.changeAt >= 0 || (isCued(pair) && !later.isEvent)
  if (!isDated(earlier) && !isDated(later) && !hasMoved) return null
  if (!isDated(earlier) && !isDated(later) && earlier.tokens.length < 3) return null
  if (((earlier.classes | later.classes) & W.speaker) !== 0) return null
  return isAlike(pair, holeOf(earlier, a, partsOfDay(earlier)), holeOf(later, b, partsOfDay(later)))
    ? 'deadline'
    : null
}

/** `9 am` is `09:00`. */
function isSameHour(earlier: Clause, a: readonly number[], later: Clause, b: readonly number[]): boolean {
  const one = a.map((at) => minuteAt(earlier, at)).filter((minute) => minute !== null)
  const other = b.map((at) => minuteAt(later, at)).filter((minute) => minute !== null)
  return one.join(' ') === other.join(' ')
}

function minuteAt({ tokens }: Clause, at: number): number | null {
  const token = tokens[at]
  const noon = NOON_MINUTES.get(token?.text ?? '')
  if (noon !== undefined) return noon
  const parts = /^(\d\d?)(?:[:h.](\d\d))?h?(am|pm)?/.exec(token?.text ?? '')
  if (parts === null) return null
  const half = parts[3] ?? tokens[at + 1]?.text
  const hour = Number(parts[1]) % (half === 'am' || half === 'pm' ? 12 : 24)
  return (half === 'pm' ? hour + 12 : hour) * 60 + Number(parts[2] ?? 0)
}

const NOON_MINUTES: ReadonlyMap<string, number> = new Map(
  [...NOONS].map((word) => [word, /^(?:midnight|mitternacht|minuit|medianoche)$/.test(word) ? 0 : 720]),
)

export function isDated({ tokens }: Clause): boolean {
  return tokens.some(
    ({ text, classes, kind }) =>
      kind === 'sign' || (classes & W.plan) !== 0 || DATED.has(text) || RECURRING.test(text),
  )
}

/** Places of hours, days of the week, and days of a month: like is compared with like. */
function datesByType({ tokens }: Clause, at: readonly number[]): ReadonlyMap<string, readonly number[]> {
  const types = new Map<string, number[]>()
  for (const place of at) {
    const token = tokens[place]
    if (token === undefined) continue
    const isClock = token.dimension === 'clock' || isHourAt({ tokens }, place)
    const type = isClock ? 'clock' : isWeekday(token.text) ? 'weekday' : 'day'
    const known = types.get(type)
    if (known === undefined) types.set(type, [place])
    else known.push(place)
  }
  // `Friday the 8th` is a day.
  if (types.has('day')) types.delete('weekday')
  return types
}

function isSameDate(
  type: string,
  earlier: Clause,
  a: readonly number[],
  later: Clause,
  b: readonly number[] | undefined,
): boolean {
  if (b === undefined) return true
  return type === 'clock' && isSameHour(earlier, a, later, b)
}

function isWeekday(text: string): boolean {
  return WEEKDAYS.test(text)
}

const WEEKDAYS =
  /(?:day|days|tag|tags|abend|dag|woch|wochs)$|^(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|segunda|terça|quarta|quinta|sexta|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|понедельник|вторник|сред|четверг|пятниц|суббот|воскресень|poniedziałek|wtorek|środ|czwartek|piątek|sobot|niedziel|周|星期|.曜)/

/** `evening` and `first` beside a day are part of when. */
function partsOfDay({ tokens }: Clause): readonly number[] {
  return [...tokens.keys()].filter((at) => {
    const { text = '' } = tokens[at] ?? {}
    if (PARTS_OF_DAY.has(text) || FREQUENCIES.has(text)) return true
    const next = tokens[at + 1]
    return ORDINALS.has(text) && next !== undefined && ((next.classes & W.date) !== 0 || SPANS.has(next.text))
  })
}

const PARTS_OF_DAY = wordSet(`
  end beginning start middle mid ende anfang mitte fin début finales principios fim início fine inizio metà einde begin koniec początek конец конца начало
  morning mornings afternoon afternoons evening evenings night nights morgen vormittag nachmittag abend nacht
  matin soir nuit mañana tarde noche manhã noite mattina pomeriggio sera notte ochtend middag avond rano wieczór wieczorem утром вечером ночью
  早上 上午 下午 晚上 朝 夜 午前 午後`)
const ORDINALS = wordSet(
  'first second third fourth last ersten zweiten dritten letzten premier deuxième dernier primer último primo ultimo eerste laatste',
)
