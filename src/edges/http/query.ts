import { Buffer } from 'node:buffer'
import type { OperationSpec } from '../../contract/operations.ts'
import { parseBody } from './body.ts'

const BEGINS_AS_JSON = /^(?:[{[]|true$|false$|null$|-?\d)/

/**
 * The query of a GET as the body that a POST would have. A parameter that its field takes as text is text; for any
 * other field it is JSON. What is neither stays as it is, so that validation says what to send instead.
 * @throws invalid_json, invalid_request as for a body
 */
export function bodyOfQuery(request: OperationSpec['request'], query: object): object {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]: [string, unknown]) => {
      const field = request !== null && Object.hasOwn(request.shape, name) ? request.shape[name] : undefined
      const isPlain = field === undefined || typeof value !== 'string' || field.safeParse(value).success
      return [name, isPlain ? value : valueOf(value)]
    }),
  )
}

function valueOf(text: string): unknown {
  return BEGINS_AS_JSON.test(text) ? parseBody(Buffer.from(text)) : text
}
