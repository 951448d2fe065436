import { Buffer } from 'node:buffer'
import { boundaryMeantBy, isBoundary } from '../../contract/boundary-fields.ts'
import type { OperationSpec } from '../../contract/operations.ts'
import { shortened } from '../../contract/sentences.ts'
import { invalidRequest, type RequestIssue } from '../../core/base/errors.ts'
import { parseBody } from './body.ts'

const BEGINS_AS_JSON = /^(?:[{[]|true$|false$|null$|-?\d)/

/**
 * Refuses a parameter that is given twice: whichever counted, a proxy may have gone by the other. And a boundary in the
 * query of a request whose fields are in its body: it would be ignored.
 * @throws invalid_request
 */
export function refuseUnclearQuery(query: object, isBodySent: boolean): void {
  let issues: RequestIssue[] | null = null
  for (const name in query) {
    const path = shortened(name)
    if (Array.isArray(Reflect.get(query, name))) {
      issues ??= []
      issues.push({ path, message: `${path}: Send this parameter once; send a list as JSON.` })
    } else if (isBodySent) {
      const meant = isBoundary(name) ? name : boundaryMeantBy(name)
      if (meant === null) continue
      issues ??= []
      issues.push({ path, message: `${path}: Send ${meant} in the body: the query of a POST is not read.` })
    }
  }
  if (issues !== null) throw invalidRequest(issues)
}

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
