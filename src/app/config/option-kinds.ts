import { isIPv4 } from 'node:net'
import { z } from 'zod'

export function integer(min: number, max: number) {
  return z.preprocess(integerFromText, z.int().min(min).max(max))
}

/** The same, or nothing unless it is set. */
export function integerOrNull(min: number, max: number, meta: { description: string; unit?: string }) {
  const allowed = `an integer from ${min} to ${max}`
  return integer(min, max)
    .nullable()
    .default(null)
    .meta({ ...meta, allowed })
}

/** False unless it is set; on the command line to name it means true. */
export function switchOf(description: string) {
  return z
    .preprocess(booleanFromText, z.boolean())
    .default(false)
    .meta({ description, allowed: 'true or false', isSwitch: true })
}

/** Values with commas between; none unless they are set. */
export function listOf<Item extends z.ZodType>(item: Item, description: string, allowed: string) {
  return z.preprocess(listFromText, z.array(item)).default([]).meta({ description, allowed })
}

/** Environment and flags carry text; what is not a plain integer stays text, so that the schema refuses it. */
export function integerFromText(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
}

function booleanFromText(value: unknown): unknown {
  return value === 'true' || value === 'false' ? value === 'true' : value
}

function listFromText(value: unknown): unknown {
  if (typeof value !== 'string') return value
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

export function path() {
  // A NUL byte would cut the path off in the operating system.
  return z
    .string()
    .min(1)
    .refine((text) => !text.includes('\0'), { message: 'contains a NUL byte' })
}

export function isProviderUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, host, username, password } = new URL(text)
  if (protocol === 'file:') return host === ''
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}

/** As a browser names it: scheme, name and port, in lower case, without a slash at its end. */
export function isOrigin(text: string): boolean {
  if (!/^https?:/.test(text) || !URL.canParse(text)) return false
  return new URL(text).origin === text
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}
