import type { AnswerOf } from '../../../contract/operations.ts'

/** One request to the service, as data: what is sent, and what `copy as curl` writes, are the same. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  /** The query of a GET, the body of a POST. Undefined and null are left out. */
  readonly fields: Fields
}

export type Field = string | number | boolean | null | undefined | readonly string[] | readonly Field[]
export type Fields = Readonly<Record<string, Field>>

export function get(path: string, fields: Fields = {}): Call {
  return { method: 'GET', path, fields: sent(fields) }
}

export function post(path: string, fields: Fields): Call {
  return { method: 'POST', path, fields: sent(fields) }
}

function sent(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  )
}

export function addressOf({ method, path, fields }: Call): string {
  if (method !== 'GET') return path
  const query = new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  )
  return query.size === 0 ? path : `${path}?${query}`
}

/** The same request for a shell. The key is never in the page, so the shell has to have it. */
export function curlOf(call: Call, origin: string, isKeyed: boolean): string {
  const parts = ['curl -s', ...(isKeyed ? ['-H "authorization: Bearer $MEMGOV_KEY"'] : [])]
  if (call.method === 'POST') {
    parts.push("-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(call.fields))}`)
  }
  return [...parts, quoted(origin + addressOf(call))].join(' ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

// The shapes are those of the contract, so that a screen cannot drift from what is answered.

export type Health = AnswerOf<'health'>
export type Actors = AnswerOf<'listActors'>
export type Scope = Actors['items'][number]
export type Memories = AnswerOf<'listMemories'>
export type Memory = Memories['items'][number]
export type MemoryDetail = NonNullable<Memory['detail']>
export type Guides = AnswerOf<'listGuides'>
export type Guide = Guides['items'][number]
export type GuideDetail = NonNullable<Guide['detail']>
export type Decided = GuideDetail['memories'][number]
export type Review = AnswerOf<'listReview'>
export type Waiting = Review['items'][number]
export type Rules = AnswerOf<'countRules'>
export type Rule = Rules['items'][number]
export type Effects = AnswerOf<'compareEffect'>
export type Effect = Effects['items'][number]
export type Radius = AnswerOf<'blastRadius'>['blast_radius']
export type RadiusAnswer = AnswerOf<'blastRadius'>
export type Recorded = AnswerOf<'flightRecorder'>['agent_flight_recorder']
export type RecordedAnswer = AnswerOf<'flightRecorder'>
export type Snapshot = AnswerOf<'operatorSnapshot'>['operator_snapshot']
export type SnapshotAnswer = AnswerOf<'operatorSnapshot'>
export type Surface = Memory['surface']
export type LifecycleState = Memory['lifecycle_state']
export type { OperatorEvent } from '../../../contract/operator-events.ts'
