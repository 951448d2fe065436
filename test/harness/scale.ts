import process from 'node:process'

const FACTOR = numberOf('TEST_RUNS')

/** What a suite draws depends on it alone: another number looks at other values, histories and kills. */
export const SEED = numberOf('TEST_SEED')

/** How many cases, kills, crashes or histories a suite tries that usually tries so many; at least one. */
export function scaled(usual: number): number {
  return Math.max(1, Math.round(usual * FACTOR))
}

/**
 * How many cases of a kind a suite has to meet that meets `usual` of them in its usual size, so that it proves something.
 * In a smaller size, where chance weighs more, half of the share is enough, and nothing has to be met of a few.
 */
export function enough(usual: number): number {
  return FACTOR < 1 ? Math.floor((usual * FACTOR) / 2) : usual
}

/** Every so manieth place is tried where usually it is every `usual`th; from a factor of `usual` on, all of them. */
export function stride(usual: number): number {
  return Math.max(1, Math.round(usual / FACTOR))
}

/** Every `stride(1)`th of a list, beginning with another one for another `first`: all of it in its usual size. */
export function someOf<T>(all: readonly T[], first = 0): readonly T[] {
  const step = stride(1)
  return all.filter((_, at) => at % step === first % step)
}

function numberOf(variable: string): number {
  const value = Number(process.env[variable] ?? 1)
  if (!(value > 0)) throw new Error(`${variable} must be a number above zero, for example 10`)
  return value
}
