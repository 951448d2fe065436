import { UsageError } from './flags.ts'

const HOUR_MS = 3_600_000
const UNITS_MS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS }
const SPAN = /^([1-9]\d{0,5})([hd])$/

/** Null: the flag is not there. */
export function spanMs(need: string, text: string | null): number | null {
  if (text === null) return null
  const [, number = '', unit = ''] = SPAN.exec(text) ?? []
  const unitMs = UNITS_MS[unit]
  if (unitMs === undefined) throw new UsageError(`${need} with days or hours, as 90d or 12h.`)
  return Number(number) * unitMs
}
