import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { madeFolder } from '../../adapters/files/folders.ts'
import { hasCode } from '../../adapters/files/whole-file.ts'
import {
  createKey,
  factsOf,
  type KeyGrant,
  type KeyHome,
  KeyNotFoundError,
  keyPlaceOf,
  type ListedKey,
  rotateKey,
  type StoredKey,
  withdrawKey,
} from '../../adapters/keys/key-folder.ts'
import { systemClock } from '../../adapters/system/clock-and-entropy.ts'
import { DEFAULT_TENANT, SCOPE, TENANT_ID, tidy } from '../../contract/fields.ts'
import { ORIGINS, type Origin } from '../../core/base/closed-sets.ts'
import { messageOf } from '../../core/base/errors.ts'
import { oneOf, UsageError } from '../../edges/cli/command-flags.ts'
import type { KeysInvocation } from '../../edges/cli/service-arguments.ts'
import { columns, visible } from '../../edges/cli/terminal-text.ts'
import { isoOf } from '../../runtime/parts.ts'
import { ConfigError, readConfig } from '../config/config.ts'
import { type Config, IN_MEMORY, storeUrlOf } from '../config/options.ts'
import { asOwnerOf } from './as-owner.ts'
import type { Terminal } from './offline.ts'

const ID_CHARS_MAX = 256
const OPEN_TO_ALL = 'no keys: whoever reaches the service may do everything'
const GIVE_IT = 'Give the data folder and all in it to the user of the service.'
const NONE_OF_THEM = 'no such key; there are others, and every request needs one'
const UNSEEN = { create: 'the key is revoked, make another.', rotate: 'rotate the key once more.' }
/** Who says nothing of it brings what agents say and what their tools found. */
const ORIGINS_BY_DEFAULT: readonly Origin[] = ['agent', 'tool']

/**
 * `memgov keys`: makes, lists, changes and ends the keys of a data folder or of a shared store, whether a service uses it or not. The exit
 * code: 0 done, 1 there is no such key, 2 the folder cannot be used. `hasArrived`: whether all that was printed has a reader. @throws UsageError
 */
export async function keysCommand(
  invocation: KeysInvocation,
  { stdout, stderr }: Terminal,
  inStore: InStore,
  hasArrived: () => Promise<boolean> = async () => true,
): Promise<number> {
  const nowMs = systemClock().nowMs()
  const print = (text: string, facts: object): Promise<boolean> => {
    stdout.write(invocation.isJson ? `${JSON.stringify(facts)}\n` : text)
    return hasArrived()
  }
  const refuse = (why: string, code: number): number => {
    stderr.write(`memgov keys: ${why}\n`)
    return code
  }
  try {
    const { config } = readConfig(invocation.dataDir === null ? {} : { dataDir: invocation.dataDir })
    const { dataDir } = config
    if (invocation.dataDir === null && storeUrlOf(config) !== null)
      return await inStore(config, (place) => changed(place, invocation, nowMs, print))
    if (dataDir === IN_MEMORY) return refuse('a store in memory has no keys: name a folder by --data-dir.', 2)
    const dir = resolve(dataDir)
    if (invocation.action !== 'create' && !existsSync(dir))
      return refuse(`there is no folder ${dir}; name the data folder by --data-dir DIR.`, 2)
    return await asOwnerOf(dir, () => changed(dir, invocation, nowMs, print))
  } catch (error) {
    if (error instanceof UsageError) throw error
    if (error instanceof KeyNotFoundError) return refuse(`${error.message}: memgov keys list names them.`, 1)
    if (error instanceof ConfigError) return refuse(error.message, 2)
    const hint = hasCode(error, 'EACCES', 'EPERM') ? `. ${GIVE_IT}` : ''
    return refuse(`${messageOf(error)}${hint}`, 2)
  }
}

/** Runs `work` with the keys of the shared store that the configuration names. */
type InStore = (config: Config, work: (home: KeyHome) => Promise<number>) => Promise<number>

/** A whole key stands for its id: who ends one that leaked has nothing else, and no answer repeats its secret. */
function keyIdIn(text: string): string {
  return /^mg_([^_]*)_/.exec(text)?.[1] ?? text
}

type Print = (text: string, facts: object) => Promise<boolean>

async function changed(
  home: KeyHome,
  invocation: KeysInvocation,
  nowMs: number,
  print: Print,
): Promise<number> {
  const { action, tenantId } = invocation
  const keyId = keyIdIn(invocation.keyId ?? '')
  switch (action) {
    case 'create':
    case 'rotate': {
      const { key, token } =
        action === 'create'
          ? await created(home, grantOf(invocation, nowMs), nowMs)
          : await rotateKey(home, keyId, nowMs)
      if (await print(`${token}\n`, { ...told({ ...key, isRevoked: false }), token })) return 0
      if (action === 'create') await withdrawKey(home, key.keyId)
      throw new Error(`nobody saw the secret of ${key.keyId}: ${UNSEEN[action]}`)
    }
    case 'revoke':
      await withdrawKey(home, keyId)
      await print(`revoked ${keyId}\n`, { id: keyId, revoked: true })
      return 0
    default: {
      const { keys, damaged } = await keyPlaceOf(home).read()
      const meant = keys.filter((key) => tenantId === null || key.tenantId === tenantId)
      const lines = damaged.map(({ file, cause }) => `${file} cannot be read: ${cause}`)
      const isOpen = keys.length + damaged.length === 0
      const shown = meant.length > 0 ? table(meant, nowMs) : [isOpen ? OPEN_TO_ALL : NONE_OF_THEM]
      await print(`${[...shown, ...lines].join('\n')}\n`, { keys: meant.map(told), damaged })
      return damaged.length === 0 ? 0 : 1
    }
  }
}

function created(home: KeyHome, grant: KeyGrant, nowMs: number) {
  if (typeof home === 'string') madeFolder(home)
  return createKey(home, grant, nowMs)
}

/** @throws UsageError */
function grantOf(invocation: KeysInvocation, nowMs: number): KeyGrant {
  const { isReadOnly, isOperator, readsMetrics } = invocation
  // Requests are read so: what is not would be the name of nobody who asks.
  const scopes = invocation.scopes.map(tidy)
  // Its end may be a space within a name.
  const scopePrefixes = invocation.scopePrefixes.map((prefix) => prefix.trimStart())
  const agentId = invocation.agentId === null ? null : tidy(invocation.agentId)
  const teamId = invocation.teamId === null ? null : tidy(invocation.teamId)
  const tenantId = invocation.tenantId ?? DEFAULT_TENANT
  if (!TENANT_ID.test(tenantId)) {
    throw new UsageError('--tenant needs 1 to 64 letters, digits, dots, underscores or hyphens.')
  }
  for (const scope of [...scopes, ...scopePrefixes]) {
    if (!SCOPE.test(scope))
      throw new UsageError('A scope has 1 to 256 characters without control characters.')
  }
  if (agentId === '' || teamId === '') throw new UsageError('An agent or a team has a name.')
  for (const id of [agentId, teamId, invocation.name]) {
    if (id !== null && id.length > ID_CHARS_MAX) throw new UsageError(`${id.slice(0, 20)}… is too long.`)
  }
  const origins = Array.from(new Set(invocation.origins), (word) => oneOf('--origin is', ORIGINS, word))
  const { expiresInMs } = invocation
  return {
    name: invocation.name ?? '',
    tenantId,
    scopes: [
      ...Array.from(new Set(scopes), (name) => ({ name, isPrefix: false })),
      ...Array.from(new Set(scopePrefixes), (name) => ({ name, isPrefix: true })),
    ],
    agentId,
    teamId,
    origins: origins.length > 0 ? origins : isOperator ? ORIGINS : ORIGINS_BY_DEFAULT,
    isReadOnly,
    isOperator,
    readsMetrics,
    expiresAtMs: expiresInMs === null ? null : nowMs + expiresInMs,
  }
}

function table(keys: readonly ListedKey[], nowMs: number): readonly string[] {
  const rows = keys.map((key) => ({
    ID: key.keyId,
    STATE: stateOf(key, nowMs),
    TENANT: key.tenantId,
    SCOPES: key.scopes.map(({ name, isPrefix }) => `${name}${isPrefix ? '*' : ''}`).join(' ') || '*',
    AGENT: key.agentId ?? '*',
    TEAM: key.teamId ?? '-',
    ORIGINS: key.origins.join(' '),
    RIGHTS: rightsOf(key).join(' ') || '-',
    CREATED: dayOf(key.createdAtMs),
    EXPIRES: key.expiresAtMs === null ? '-' : dayOf(key.expiresAtMs),
    NAME: key.name,
  }))
  const head = Object.keys(rows[0] ?? {})
  return columns([head, ...rows.map((row) => Object.values(row).map(visible))])
}

function stateOf({ isRevoked, expiresAtMs }: ListedKey, nowMs: number): string {
  if (isRevoked) return 'revoked'
  return expiresAtMs !== null && expiresAtMs <= nowMs ? 'expired' : 'valid'
}

function rightsOf({ isReadOnly, isOperator, readsMetrics }: StoredKey): readonly string[] {
  const rights = { 'read-only': isReadOnly, operator: isOperator, metrics: readsMetrics }
  return Object.entries(rights).flatMap(([word, isGiven]) => (isGiven ? [word] : []))
}

function dayOf(ms: number): string {
  return isoOf(ms).slice(0, 10)
}

function told(key: ListedKey): object {
  const { id, name, ...facts } = factsOf(key)
  return { id, name, revoked: key.isRevoked, ...facts }
}
