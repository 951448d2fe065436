import { createKey, type KeyGrant } from '../../src/adapters/keys/key-folder.ts'
import { type LiveKeys, openLiveKeys } from '../../src/adapters/keys/live-keys.ts'
import { keyGrant } from '../support/keys.ts'
import { dataFolder } from './data-folder.ts'
import { memoryLog } from './system.ts'

/** Keys of a folder of their own, as a service holds them. */
export interface HeldKeys {
  readonly dir: string
  readonly live: LiveKeys
  /** Makes a key that counts at once: that of an agent, but for these changes. */
  tokenFor(changes?: Partial<KeyGrant>, nowMs?: number): Promise<string>
}

/** What makes the key of an operator of every scope out of that of an agent. */
export const OPERATOR = { isOperator: true, scopes: [], agentId: null, teamId: null } as const

export async function heldKeys(): Promise<HeldKeys> {
  const dir = dataFolder()
  const live = await openLiveKeys(dir, memoryLog().log)
  return {
    dir,
    live,
    async tokenFor(changes = {}, nowMs = 0) {
      const { token } = await createKey(dir, keyGrant(changes), nowMs)
      await live.look()
      return token
    },
  }
}
