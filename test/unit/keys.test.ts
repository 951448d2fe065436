import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  createKey,
  KeyNotFoundError,
  keyFolderOf,
  keyIn,
  keyPlaceOf,
  keyText,
  type ListedKey,
  NO_FOLDER,
  rotateKey,
  withdrawKey,
} from '../../src/adapters/keys/key-folder.ts'
import { type LiveKeys, openLiveKeys } from '../../src/adapters/keys/live-keys.ts'
import { keyNamedBy, newKeyId, newToken } from '../../src/adapters/keys/token.ts'
import { ORIGINS } from '../../src/core/base/closed-sets.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { memoryLog } from '../harness/system.ts'
import { keyGrant } from '../support/keys.ts'
import { prove, provingAsync } from '../support/prove.ts'

const NOW_MS = Date.UTC(2026, 10, 1)
const opened: LiveKeys[] = []
afterEach(() => {
  for (const keys of opened.splice(0)) keys.close()
})

async function liveKeys(dir: string): Promise<LiveKeys> {
  const keys = await openLiveKeys(dir, memoryLog().log)
  opened.push(keys)
  return keys
}

describe('a token', () => {
  test('names its key to whoever keeps the hash of its secret, and to nobody else', () => {
    const keyId = newKeyId()
    const { token, secretHash } = newToken(keyId)
    expect(token).toMatch(/^mg_[0-9a-v]{12}_[A-Za-z0-9_-]{43}$/)
    const key = { secretHash }
    expect(keyNamedBy(token, (id) => (id === keyId ? key : undefined))).toBe(key)
    expect(keyNamedBy(token, () => newToken(keyId))).toBeNull()
    expect(keyNamedBy(token, () => undefined)).toBeNull()
  })

  test('with any byte changed, cut off or added it is worth nothing', () => {
    const keyId = newKeyId()
    const { token, secretHash } = newToken(keyId)
    const keyOf = (id: string) => (id === keyId ? { secretHash } : undefined)
    prove(fc.nat({ max: token.length - 1 }), fc.string({ maxLength: 2 }), (at, instead) => {
      const changed = token.slice(0, at) + instead + token.slice(at + 1)
      fc.pre(changed !== token)
      expect(keyNamedBy(changed, keyOf)).toBeNull()
    })
  })

  test('no hash is that of a name without a key', () => {
    expect(keyNamedBy('', () => undefined)).toBeNull()
    expect(keyNamedBy('mg_', () => undefined)).toBeNull()
  })
})

const anyGrant = fc.record({
  name: fc.string(),
  scopes: fc.array(fc.record({ name: fc.string({ minLength: 1 }), isPrefix: fc.boolean() })),
  agentId: fc.option(fc.string({ minLength: 1 })),
  teamId: fc.option(fc.string({ minLength: 1 })),
  origins: fc.subarray([...ORIGINS], { minLength: 1 }),
  isReadOnly: fc.boolean(),
  isOperator: fc.boolean(),
  readsMetrics: fc.boolean(),
  expiresAtMs: fc.option(fc.nat()),
})

describe('the file of a key', () => {
  test('says everything of the key', () => {
    prove(anyGrant, (changes) => {
      const { secretHash } = newToken('0123456789ab')
      const times = { createdAtMs: NOW_MS, rotatedAtMs: null }
      const key = { ...keyGrant(changes), keyId: '0123456789ab', secretHash, ...times }
      expect(keyIn(keyText(key))).toEqual(key)
    })
  })

  test('without a field, or with one of another kind, it is refused', () => {
    const { secretHash } = newToken('0123456789ab')
    const text = keyText({
      ...keyGrant(),
      keyId: '0123456789ab',
      secretHash,
      createdAtMs: NOW_MS,
      rotatedAtMs: null,
    })
    const file: Record<string, unknown> = JSON.parse(text)
    for (const field of Object.keys(file)) {
      for (const value of [undefined, 7, {}, ['x'], 'another text of any kind']) {
        const isFree = typeof value === 'string' && /name|_id$/.test(field) && field !== 'id'
        if (isFree) continue
        expect(() => keyIn(JSON.stringify({ ...file, [field]: value })), field).toThrow()
      }
    }
  })
})

describe('the keys of a folder', () => {
  test('lie in files that only their owner reads, and never hold the secret', async () => {
    const dir = dataFolder()
    const { key, token } = await createKey(dir, keyGrant(), NOW_MS)
    const folder = keyFolderOf(dir)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
      expect(readFileSync(join(folder, name), 'utf8')).not.toContain(token.slice(-43))
    }
    expect((await keyPlaceOf(dir).read()).keys).toEqual([{ ...key, isRevoked: false }])
  })

  test('are asked for from the first one on', async () => {
    const dir = dataFolder()
    const keys = await liveKeys(dir)
    expect(keys.areUsed).toBe(false)
    const { key, token } = await createKey(dir, keyGrant(), NOW_MS)
    await keys.look()
    expect(keys.areUsed).toBe(true)
    expect(keys.principalOf(token, NOW_MS)?.keyId).toBe(key.keyId)
    // Whoever removes them opens the service to nobody.
    rmSync(keyFolderOf(dir), { recursive: true })
    await keys.look()
    expect(keys.areUsed).toBe(true)
    expect(keys.principalOf(token, NOW_MS)).toBeNull()
  })

  test('a principal says what the key may do, and nothing of its secret', async () => {
    const dir = dataFolder()
    const { key, token } = await createKey(dir, keyGrant(), NOW_MS)
    const principal = (await liveKeys(dir)).principalOf(token, NOW_MS)
    expect(principal).toMatchObject({ keyId: key.keyId, tenantId: 'acme', agentId: 'planner' })
    expect(JSON.stringify(principal)).not.toContain(key.secretHash)
  })

  test('a key ends with its time', async () => {
    const dir = dataFolder()
    const { token } = await createKey(dir, keyGrant({ expiresAtMs: NOW_MS + 1000 }), NOW_MS)
    const keys = await liveKeys(dir)
    expect(keys.principalOf(token, NOW_MS + 999)).not.toBeNull()
    expect(keys.principalOf(token, NOW_MS + 1000)).toBeNull()
  })

  test('changes act without anybody being told', async () => {
    const dir = dataFolder()
    const first = await createKey(dir, keyGrant(), NOW_MS)
    const keys = await liveKeys(dir)
    const second = await rotateKey(dir, first.key.keyId, NOW_MS + 1)
    await vi.waitFor(() => expect(keys.principalOf(second.token, NOW_MS)).not.toBeNull(), { timeout: 5000 })
    expect(keys.principalOf(first.token, NOW_MS)).toBeNull()
    await withdrawKey(dir, first.key.keyId)
    await vi.waitFor(() => expect(keys.principalOf(second.token, NOW_MS)).toBeNull(), { timeout: 5000 })
  })

  test('what was read before changes nothing of what a folder says', async () => {
    const change = fc.tuple(fc.constantFrom('create', 'rotate', 'revoke', 'damage', 'remove'), fc.nat(9))
    await provingAsync(60)(fc.array(change, { maxLength: 12 }), async (changes) => {
      const dir = dataFolder()
      const place = keyPlaceOf(dir)
      const ids: string[] = []
      for (const [what, which] of changes) {
        const keyId = ids[which % Math.max(1, ids.length)]
        const path = join(keyFolderOf(dir), `${keyId}.json`)
        if (what === 'create' || keyId === undefined) {
          ids.push((await createKey(dir, keyGrant(), NOW_MS)).key.keyId)
        } else if (what === 'damage') writeFileSync(path, '{')
        else if (what === 'remove') rmSync(path, { force: true })
        else {
          const acted = what === 'rotate' ? rotateKey(dir, keyId, NOW_MS) : withdrawKey(dir, keyId)
          await acted.catch(() => undefined)
        }
        const { keys, damaged } = await place.read()
        const anew = await keyPlaceOf(dir).read()
        // Of a key that is revoked nothing is read again: it opens nothing in either case.
        const lives = ({ isRevoked }: ListedKey) => !isRevoked
        expect(keys.filter(lives)).toEqual(anew.keys.filter(lives))
        expect(damaged.length).toBeLessThanOrEqual(anew.damaged.length)
      }
    })
  })

  test('what follows a revocation does not undo it', async () => {
    const dir = dataFolder()
    const { key } = await createKey(dir, keyGrant(), NOW_MS)
    // Its secret was being changed while somebody revoked it.
    const changing = rotateKey(dir, key.keyId, NOW_MS)
    await Promise.all([changing, withdrawKey(dir, key.keyId)])
    const { token } = await changing
    expect((await liveKeys(dir)).principalOf(token, NOW_MS)).toBeNull()
    await expect(rotateKey(dir, key.keyId, NOW_MS)).rejects.toThrow(KeyNotFoundError)
    await expect(withdrawKey(dir, 'nobodysKey01')).rejects.toThrow(KeyNotFoundError)
  })

  test('a file that cannot be read opens nothing until it can, and the others go on', async () => {
    const dir = dataFolder()
    const first = await createKey(dir, keyGrant(), NOW_MS)
    const second = await createKey(dir, keyGrant(), NOW_MS + 1)
    const path = join(keyFolderOf(dir), `${first.key.keyId}.json`)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.slice(0, 40))
    const { log, lines } = memoryLog()
    const keys = await openLiveKeys(dir, log)
    opened.push(keys)
    expect(keys.areUsed).toBe(true)
    expect(keys.principalOf(first.token, NOW_MS)).toBeNull()
    expect(keys.principalOf(second.token, NOW_MS)).not.toBeNull()
    for (let looks = 0; looks < 3; looks += 1) await keys.look()
    expect(lines.map(({ message }) => message)).toEqual(['a key cannot be read: it opens nothing'])
    // In its place: the folder does not change.
    writeFileSync(path, text)
    await keys.look()
    expect(keys.principalOf(first.token, NOW_MS)).not.toBeNull()
    await withdrawKey(dir, first.key.keyId)
  })

  test('that keys cannot be read is told once until they can', async () => {
    vi.useFakeTimers()
    const answers = [true, false, false, true, false]
    const state = async () => {
      if (answers.shift() === false) throw new Error('no answer')
      return 'as it was'
    }
    const read = async () => ({ keys: [], damaged: [] })
    const { log, lines } = memoryLog()
    const keys = await openLiveKeys({ state, read, write: vi.fn(), revoke: vi.fn() }, log)
    await vi.advanceTimersByTimeAsync(2_000)
    keys.close()
    vi.useRealTimers()
    expect(answers).toEqual([])
    expect(lines.map(({ level }) => level)).toEqual(['error', 'error'])
  })

  test('a folder that came with the first key and cannot be read closes the service', async () => {
    const states = [NO_FOLDER, 'made by another user']
    const state = async () => states.shift() ?? 'made by another user'
    const read = vi
      .fn()
      .mockResolvedValueOnce({ keys: [], damaged: [] })
      .mockRejectedValue(new Error('EACCES'))
    const keys = await openLiveKeys({ state, read, write: vi.fn(), revoke: vi.fn() }, memoryLog().log)
    opened.push(keys)
    expect(keys.areUsed).toBe(false)
    await expect(keys.look()).rejects.toThrow('EACCES')
    expect(keys.areUsed).toBe(true)
  })

  test('a folder that cannot be read leaves what was known', async ({ skip }) => {
    if (process.getuid?.() === 0) skip('the superuser reads every folder')
    const dir = dataFolder()
    const { token } = await createKey(dir, keyGrant(), NOW_MS)
    const keys = await liveKeys(dir)
    chmodSync(keyFolderOf(dir), 0)
    await keys.look().catch(() => undefined)
    expect(keys.principalOf(token, NOW_MS)).not.toBeNull()
    chmodSync(keyFolderOf(dir), 0o700)
  })
})
