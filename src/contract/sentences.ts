import type { z } from 'zod'

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

function sizeSentence(issue: z.core.$ZodRawIssue, bound: string, limit: unknown): string {
  switch (issue['origin']) {
    case 'string':
      return limit === 1n || limit === 1
        ? 'This may not be empty: send text, or leave the field out where it is optional.'
        : `Send ${bound} ${String(limit)} characters.`
    case 'array':
      return `Send ${bound} ${String(limit)} items.`
    default:
      return `Send a number of ${bound} ${String(limit)}.`
  }
}

/** Names the fields that a strict object takes. */
function acceptedBy(issue: z.core.$ZodRawIssue): string {
  const definition: unknown = issue.inst?._zod.def
  if (typeof definition !== 'object' || definition === null || !('shape' in definition)) return ''
  const shape = definition.shape
  if (typeof shape !== 'object' || shape === null) return ''
  return `Accepted here: ${Object.keys(shape).join(', ')}.`
}

/**
 * Says what to send instead, in one sentence. Handed to every parse as its error map; rules that carry their own
 * sentence keep it.
 */
export function sentenceOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type': {
      const expected = EXPECTED[String(issue['expected'])] ?? String(issue['expected'])
      const isMissing = issue.input === undefined || issue.input === null
      return isMissing ? `This is required: send ${expected}.` : `Send ${expected}.`
    }
    case 'invalid_value': {
      const values: unknown = issue['values']
      const allowed = Array.isArray(values) ? values.map(String).join(', ') : 'a listed value'
      const isMissing = issue.input === undefined || issue.input === null
      return isMissing
        ? `This is required: send one of ${allowed}.`
        : `Send one of ${allowed}, not ${echoOf(issue.input)}.`
    }
    case 'too_big':
      return sizeSentence(issue, 'at most', issue['maximum'])
    case 'too_small':
      return sizeSentence(issue, 'at least', issue['minimum'])
    case 'unrecognized_keys':
      return acceptedBy(issue)
    default:
      return 'This value is not valid here.'
  }
}

const ECHO_CHARS_MAX = 40

/** What came in the place of a listed word, on one line and cut: enough to recognise a slip. */
export function echoOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value !== 'string') return String(value)
  const line = oneLine(value.slice(0, ECHO_CHARS_MAX)).trim()
  return `"${line}${value.length > ECHO_CHARS_MAX ? '…' : ''}"`
}

const NAME_CHARS_MAX = 80

/** The name of a field that a caller made up, as far as a sentence can carry it. */
export function shortened(name: string): string {
  const line = oneLine(name.slice(0, NAME_CHARS_MAX))
  return name.length > NAME_CHARS_MAX ? `${line}…` : line
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{C}\s]+/gu, ' ')
}
