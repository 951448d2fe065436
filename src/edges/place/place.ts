import { LOCAL_AGENT } from '../../contract/fields.ts'
import type { OPERATIONS, RequestedName } from '../../contract/operations.ts'
import { invalidRequest } from '../../core/base/errors.ts'

/** Where the calls of a connection go and who makes them. What is left out the key says, else the default of the operation. */
export interface Place {
  readonly tenant_id?: string
  readonly scope?: string
  readonly consumer_agent_id?: string
  readonly consumer_team_id?: string
}

/** The headers by which a client says the place of its calls. No argument of a tool does. */
export const PLACE_HEADERS = {
  'x-memgov-tenant': 'tenant_id',
  'x-memgov-scope': 'scope',
  'x-memgov-agent': 'consumer_agent_id',
  'x-memgov-team': 'consumer_team_id',
} as const satisfies Readonly<Record<string, keyof Place>>

const PREFIX = 'x-memgov-'
/** Which program asks; it places nothing. */
const CLIENT_HEADER = 'x-memgov-client'
const PRINTABLE = /^[\x20-\x7e]+$/

/**
 * @param rawHeaders names and values in turn, as they came
 * @throws invalid_request for a header of ours that is unknown, given twice, or not printable ASCII: no place is guessed
 */
export function placeIn(rawHeaders: readonly string[]): Place {
  const place: { -readonly [Field in keyof Place]: Place[Field] } = {}
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? ''
    if (!name.startsWith(PREFIX) || name === CLIENT_HEADER) continue
    if (!isPlaceHeader(name)) {
      throw refused(name, `is not known here: send ${Object.keys(PLACE_HEADERS).join(', ')}.`)
    }
    const field = PLACE_HEADERS[name]
    const value = rawHeaders[at + 1] ?? ''
    if (place[field] !== undefined) throw refused(name, 'is given twice: give it once.')
    if (!PRINTABLE.test(value)) throw refused(name, 'takes printable ASCII: for another name, use its key.')
    place[field] = value
  }
  return place
}

function isPlaceHeader(name: string): name is keyof typeof PLACE_HEADERS {
  return Object.hasOwn(PLACE_HEADERS, name)
}

function refused(header: string, sentence: string): Error {
  return invalidRequest([{ path: header, message: `${header} ${sentence}` }])
}

type OfConsumer = {
  [Name in RequestedName]: (typeof OPERATIONS)[Name]['access'] extends 'consumer' ? Name : never
}[RequestedName]

/** They stand here once more, because the table brings every schema along; the compiler holds them against it. */
const OF_CONSUMER = {
  blastRadius: true,
  decisionReport: true,
  decisionTrace: true,
  flightRecorder: true,
  forget: true,
  listSkills: true,
  measure: true,
  operatorSnapshot: true,
  proposeSkills: true,
} as const satisfies Readonly<Record<OfConsumer, true>>

/**
 * The body of an operation in its place. An operation that would act on a whole actor when nobody is named acts for the
 * agent that every other one stands for then; with a key, the key says who asks.
 */
export function placed(operation: RequestedName, place: Place, isKeyed: boolean, body: object): object {
  const isWhole = operation in OF_CONSUMER && !isKeyed
  return { ...(isWhole ? { consumer_agent_id: LOCAL_AGENT } : {}), ...body, ...place }
}
