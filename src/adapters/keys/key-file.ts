import { z } from 'zod'
import { ORIGINS } from '../../core/base/closed-sets.ts'
import type { Principal } from '../../core/model/principal.ts'
import { KEY_ID, type SecretHash } from './token.ts'

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

const VERSION = 1
const FILLED = z.string().min(1)
const TIME = FILLED.transform((text) => Date.parse(text)).pipe(z.number())
const FILE = z.object({
  version: z.literal(VERSION),
  id: z.string().regex(KEY_ID),
  name: z.string(),
  secret_sha256: z.string().regex(/^[0-9a-f]{64}$/),
  tenant_id: FILLED,
  scopes: z.array(z.object({ name: FILLED, is_prefix: z.boolean() })),
  agent_id: FILLED.nullable(),
  team_id: FILLED.nullable(),
  origins: z.array(z.enum(ORIGINS)),
  read_only: z.boolean(),
  operator: z.boolean(),
  metrics: z.boolean(),
  created_at: TIME,
  rotated_at: TIME.nullable(),
  expires_at: TIME.nullable(),
})

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

/** Throws where it says something else than this version writes. */
export function keyIn(text: string): StoredKey {
  const { data: file, error } = FILE.safeParse(jsonIn(text), { reportInput: true })
  if (file === undefined) throw wrong(error?.issues[0])
  return {
    keyId: file.id,
    name: file.name,
    secretHash: file.secret_sha256,
    tenantId: file.tenant_id,
    scopes: file.scopes.map(({ name, is_prefix: isPrefix }) => ({ name, isPrefix })),
    agentId: file.agent_id,
    teamId: file.team_id,
    origins: file.origins,
    isReadOnly: file.read_only,
    isOperator: file.operator,
    readsMetrics: file.metrics,
    createdAtMs: file.created_at,
    rotatedAtMs: file.rotated_at,
    expiresAtMs: file.expires_at,
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error('it is not JSON', { cause })
  }
}

function wrong(issue: z.core.$ZodIssue | undefined): Error {
  const { path = [], input } = issue ?? {}
  if (path.length === 0) return new Error('the file is not an object')
  if (path[0] === 'version') {
    return new Error(`version ${String(input)}: this program reads version ${VERSION}`)
  }
  if (path[0] === 'scopes' && path.length === 2) return new Error('a scope is not an object')
  const field = path.findLast((part) => typeof part === 'string')
  return new Error(`${String(field)} is missing or of another kind`)
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
