import type { Clause } from './dispute-clause.ts'
import { wordSet } from './fact-words.ts'

export const NOONS = wordSet('noon midnight midday mittag mitternacht midi minuit mediodía medianoche')

/** `9 am` is `09:00`. */
export function isSameHour(
  earlier: Clause,
  a: readonly number[],
  later: Clause,
  b: readonly number[],
): boolean {
  const one = a.map((at) => minuteAt(earlier, at)).filter((minute) => minute !== null)
  const other = b.map((at) => minuteAt(later, at)).filter((minute) => minute !== null)
  return one.length > 0 && one.join(' ') === other.join(' ')
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
