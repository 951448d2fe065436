import { PAGE_LIMIT } from '../../contract/operator-lists.ts'
import { digestOf } from '../../core/base/digest.ts'
import { invalidRequest } from '../../core/base/errors.ts'
import { consumerOf, identityOf, viewerIn } from '../normalise/identity.ts'

type Request = Parameters<typeof identityOf>[0] &
  Parameters<typeof consumerOf>[0] & {
    readonly cursor?: string | null | undefined
    readonly limit?: number | null | undefined
  }

export type OperatorRead = ReturnType<typeof operatorRead>

/**
 * What every operator read is asked for; without a viewer by an operator, who sees every lane.
 * @throws invalid_request for a cursor of another list
 */
export function operatorRead(name: string, request: Request) {
  const { tenantId, scope } = identityOf(request)
  return {
    tenantId,
    scope,
    viewer: viewerIn(request),
    limit: request.limit ?? PAGE_LIMIT,
    cursor: cursorScope(name, request),
  }
}

/** Where a list goes on: what its reader needs, as plain values. */
export type Position = readonly (string | number)[]

/** A list and its filters, as cursors know them. */
export interface CursorScope {
  /** Equal for requests that differ in cursor and limit only. */
  readonly key: string
  /** Null: the first page. */
  readonly position: Position | null
}

const VERSION = 1
/** What may be another one on the next page. */
const FREE_FIELDS: readonly string[] = ['cursor', 'limit', 'operation_id']

/**
 * Which page a request asks for. A cursor holds its place by itself, so that it is good after a restart, and whose list it
 * is of.
 * @throws invalid_request when it is of another list, or none of ours
 */
function cursorScope(
  name: string,
  request: object & { readonly cursor?: string | null | undefined },
): CursorScope {
  const fields = Object.entries(request)
    .filter(([field, value]) => !FREE_FIELDS.includes(field) && value !== undefined && value !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const key = digestOf([name, fields])
  return { key, position: request.cursor == null ? null : positionIn(request.cursor, key) }
}

export function cursorAt({ key }: CursorScope, position: Position): string {
  const bytes = new TextEncoder().encode(JSON.stringify([VERSION, key, ...position]))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

function positionIn(cursor: string, key: string): Position {
  const read = decoded(cursor)
  if (read === null) {
    throw refusedPosition()
  }
  const [version, keyThen, ...position] = read
  if (version !== VERSION || keyThen !== key) {
    throw refused(
      'This cursor is of another filter: send what the page before was asked with, or leave the cursor out to begin anew.',
    )
  }
  return position
}

/** For a position that does not fit its list: it was made by hand. */
function refusedPosition(): Error {
  return refused('This is no cursor of ours: send next_cursor of the page before as it came, or none.')
}

function refused(message: string): Error {
  return invalidRequest([{ path: 'cursor', message: `cursor: ${message}` }])
}

function decoded(cursor: string): Position | null {
  try {
    const text = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0))
    const read: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return Array.isArray(read) && read.every(isPlain) ? read : null
  } catch {
    return null
  }
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

/** The whole number at a place of a position. @throws invalid_request */
export function numberAt(position: Position, at: number): number {
  const value = position[at]
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw refusedPosition()
  return value
}

/** The text at a place of a position. @throws invalid_request */
export function textAt(position: Position, at: number): string {
  const value = position[at]
  if (typeof value !== 'string') throw refusedPosition()
  return value
}
