import { ORIGINS, type Origin } from '../../core/base/closed-sets.ts'
import type { Principal, ScopeRight } from '../../core/model/principal.ts'
import { KEY_ID, type SecretHash } from './token.ts'

/** One key as it is kept. */
export interface StoredKey extends Principal {
  /** For people. */
  readonly name: string
  readonly secretHash: SecretHash
  readonly createdAtMs: number
  /** When its secret was last changed; null: never. */
  readonly rotatedAtMs: number | null
  /** Null: it does not expire. */
  readonly expiresAtMs: number | null
}

/** The file of a key says something else than this version writes. */
export class KeyFormatError extends Error {
  override readonly name = 'KeyFormatError'
}

const VERSION = 1
const HASH = /^[0-9a-f]{64}$/

/** The content of its file: one JSON object. */
export function keyText(key: StoredKey): string {
  const { keyId, name, secretHash, tenantId, scopes, agentId, teamId, origins } = key
  const file = {
    version: VERSION,
    id: keyId,
    name,
    secret_sha256: secretHash,
    tenant_id: tenantId,
    scopes: scopes.map(({ name: scope, isPrefix }) => ({ name: scope, is_prefix: isPrefix })),
    agent_id: agentId,
    team_id: teamId,
    origins,
    read_only: key.isReadOnly,
    operator: key.isOperator,
    metrics: key.readsMetrics,
    created_at: isoOf(key.createdAtMs),
    rotated_at: key.rotatedAtMs === null ? null : isoOf(key.rotatedAtMs),
    expires_at: key.expiresAtMs === null ? null : isoOf(key.expiresAtMs),
  }
  return `${JSON.stringify(file, null, 2)}\n`
}

/** @throws KeyFormatError */
export function keyIn(text: string): StoredKey {
  const file = fieldsOf(jsonIn(text), 'the file')
  if (file['version'] !== VERSION) {
    throw new KeyFormatError(`version ${String(file['version'])}: this program reads version ${VERSION}`)
  }
  return {
    keyId: textIn(file, 'id', (id) => KEY_ID.test(id)),
    name: textIn(file, 'name', () => true),
    secretHash: textIn(file, 'secret_sha256', (digest) => HASH.test(digest)),
    tenantId: textIn(file, 'tenant_id', (tenant) => tenant !== ''),
    scopes: listIn(file, 'scopes').map(scopeOf),
    agentId: nullOr(file, 'agent_id', textIn),
    teamId: nullOr(file, 'team_id', textIn),
    origins: listIn(file, 'origins').map(originOf),
    isReadOnly: switchIn(file, 'read_only'),
    isOperator: switchIn(file, 'operator'),
    readsMetrics: switchIn(file, 'metrics'),
    createdAtMs: timeIn(file, 'created_at'),
    rotatedAtMs: nullOr(file, 'rotated_at', timeIn),
    expiresAtMs: nullOr(file, 'expires_at', timeIn),
  }
}

type Fields = Readonly<Record<string, unknown>>

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new KeyFormatError('it is not JSON', { cause })
  }
}

function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw new KeyFormatError(`${what} is not an object`)
}

function textIn(file: Fields, name: string, isRight: (text: string) => boolean = isFilled): string {
  const value = file[name]
  if (typeof value === 'string' && isRight(value)) return value
  throw wrong(name)
}

function isFilled(text: string): boolean {
  return text !== ''
}

function nullOr<Value>(
  file: Fields,
  name: string,
  read: (file: Fields, name: string) => Value,
): Value | null {
  return file[name] === null ? null : read(file, name)
}

function listIn(file: Fields, name: string): readonly unknown[] {
  const value = file[name]
  if (Array.isArray(value)) return value
  throw wrong(name)
}

function scopeOf(value: unknown): ScopeRight {
  const scope = fieldsOf(value, 'a scope')
  return { name: textIn(scope, 'name'), isPrefix: switchIn(scope, 'is_prefix') }
}

function originOf(value: unknown): Origin {
  const origin = ORIGINS.find((each) => each === value)
  if (origin === undefined) throw wrong('origins')
  return origin
}

function switchIn(file: Fields, name: string): boolean {
  const value = file[name]
  if (typeof value === 'boolean') return value
  throw wrong(name)
}

function timeIn(file: Fields, name: string): number {
  const ms = Date.parse(textIn(file, name))
  if (Number.isNaN(ms)) throw wrong(name)
  return ms
}

function wrong(name: string): KeyFormatError {
  return new KeyFormatError(`${name} is missing or of another kind`)
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
