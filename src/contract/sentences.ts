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
      return isMissing ? `This is required: send one of ${allowed}.` : `Send one of ${allowed}.`
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
