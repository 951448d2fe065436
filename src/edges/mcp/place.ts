import { OPERATIONS, type RequestedName } from '../../contract/operations.ts'
import { LOCAL_AGENT } from '../../contract/shared-request.ts'
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

type Headers = Readonly<Record<string, readonly string[] | undefined>>

/** @throws invalid_request for a header of ours that is unknown, given twice, empty, or beyond ASCII: no place is guessed */
export function placeIn(headers: Headers): Place {
  const place: { -readonly [Field in keyof Place]: Place[Field] } = {}
  for (const [name, values = []] of Object.entries(headers)) {
    if (!name.startsWith(PREFIX) || name === CLIENT_HEADER) continue
    if (!isPlaceHeader(name)) {
      throw refused(name, `is not known here: send ${Object.keys(PLACE_HEADERS).join(', ')}.`)
    }
    const [value = '', ...others] = values
    if (others.length > 0) throw refused(name, 'is given twice: give it once.')
    if (!PRINTABLE.test(value)) throw refused(name, 'takes printable ASCII: for another name, use its key.')
    place[PLACE_HEADERS[name]] = value
  }
  return place
}

function isPlaceHeader(name: string): name is keyof typeof PLACE_HEADERS {
  return Object.hasOwn(PLACE_HEADERS, name)
}

function refused(header: string, sentence: string): Error {
  return invalidRequest([{ path: header, message: `${header} ${sentence}` }])
}

/**
 * The body of an operation in its place. An operation that would act on a whole actor when nobody is named acts for the
 * agent that every other one stands for then; with a key, the key says who asks.
 */
export function placed(operation: RequestedName, place: Place, isKeyed: boolean, body: object): object {
  const isWhole = OPERATIONS[operation].access === 'consumer' && !isKeyed
  return { ...(isWhole ? { consumer_agent_id: LOCAL_AGENT } : {}), ...body, ...place }
}
