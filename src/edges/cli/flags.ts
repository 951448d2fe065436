// What the parsers of the command line share: flags as they were typed, and what is refused.

/** The command line cannot be understood; the process ends with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export type Flags = Readonly<Record<string, unknown>>

export function onlyArgument(command: string, name: string, rest: readonly string[]): string {
  const [argument, ...more] = rest
  if (argument === undefined || argument === '') throw new UsageError(`${command} needs a ${name}.`)
  if (more.length > 0) throw new UsageError(`${command} takes one ${name}.`)
  return argument
}

export function refuseOtherFlags(command: string, flags: Flags, own: readonly string[]): void {
  const other = Object.keys(flags).find((name) => !own.includes(name))
  if (other !== undefined) throw new UsageError(`${command} has no flag --${other}.`)
}

export function refuseArguments(command: string, rest: readonly string[], instead: string): void {
  if (rest.length === 0) return
  throw new UsageError(`${command} takes no argument ${JSON.stringify(rest.join(' '))}${instead}.`)
}

export function textOf(flags: Flags, name: string): string | null {
  const [value = null, ...others] = listOf(flags, name)
  if (others.length > 0) throw new UsageError(`--${name} is given ${others.length + 1} times: give it once.`)
  return value
}

/** The values of a flag that may be given more than once. */
export function listOf(flags: Flags, name: string): readonly string[] {
  const values = flags[name]
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : []
}

export function filledTextOf(flags: Flags, name: string): string | null {
  const value = textOf(flags, name)
  if (value === '') throw new UsageError(`--${name} is empty.`)
  return value
}

/** Where the service is that a command asks; null: not named. */
export function serviceOf(flags: Flags): {
  readonly url: string | null
  readonly socketPath: string | null
} {
  const url = filledTextOf(flags, 'url')
  const socketPath = filledTextOf(flags, 'socket')
  if (url !== null && socketPath !== null) throw new UsageError('Name the service by --url or by --socket.')
  return { url, socketPath }
}

/** A database that is named on the command line: by its URL, or by a file with it. */
export interface StoreChoice {
  readonly url: string | null
  readonly file: string | null
}

/** Null: none is named. */
export function storeOf(flags: Flags): StoreChoice | null {
  const url = filledTextOf(flags, 'store')
  const file = filledTextOf(flags, 'store-file')
  if (url !== null && file !== null) throw new UsageError('Name the database by --store or by --store-file.')
  return url === null && file === null ? null : { url, file }
}

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
