import type { StoredKey } from './key-file.ts'
import { type FoundKeys, type KeyHome, keyPlaceOf } from './key-folder.ts'
import { newKeyId, newToken } from './token.ts'

export type KeyGrant = Omit<StoredKey, 'keyId' | 'secretHash' | 'createdAtMs' | 'rotatedAtMs'>

export class KeyNotFoundError extends Error {
  override readonly name = 'KeyNotFoundError'
}

/** Resolves with the token, which nobody can read again, when the key is durable. */
export function createKey(home: KeyHome, grant: KeyGrant, nowMs: number) {
  return withSecret(home, { ...grant, keyId: newKeyId(), createdAtMs: nowMs, rotatedAtMs: null })
}

/** Gives a key another secret: the one before is worth nothing from now on. @throws KeyNotFoundError */
export async function rotateKey(home: KeyHome, keyId: string, nowMs: number) {
  return withSecret(home, { ...knownKey(await keyPlaceOf(home).read(), keyId), rotatedAtMs: nowMs })
}

async function withSecret(home: KeyHome, known: Omit<StoredKey, 'secretHash'>) {
  const { token, secretHash } = newToken(known.keyId)
  const key: StoredKey = { ...known, secretHash }
  await keyPlaceOf(home).write(key)
  return { key, token }
}

/** Takes the right of a key away for good. @throws KeyNotFoundError when there is no such key, or it is revoked */
export async function withdrawKey(home: KeyHome, keyId: string): Promise<void> {
  const found = await keyPlaceOf(home).read()
  // Who cannot read the file of a key may still revoke it.
  if (!found.damaged.some(({ file }) => file.endsWith(`${keyId}.json`))) knownKey(found, keyId)
  await keyPlaceOf(home).revoke(keyId)
}

function knownKey({ keys }: FoundKeys, keyId: string): StoredKey {
  const found = keys.find((key) => key.keyId === keyId)
  if (found === undefined) throw new KeyNotFoundError(`there is no key ${keyId}`)
  if (found.isRevoked) throw new KeyNotFoundError(`the key ${keyId} is revoked`)
  return found
}
