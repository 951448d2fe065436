import { expect } from 'vitest'
import type { Registry } from '../../src/actor/registry.ts'
import type { Grant, Store } from '../../src/ports/store.ts'
import {
  appended,
  KEY,
  range,
  recordOf,
  registryOver,
  type StoreUnderTest,
  seqsOf,
  until,
  written,
} from './written.ts'

/** One promise of a store. `prove` rejects when it is broken. */
export interface Law {
  readonly title: string
  /** It takes two owners at once. */
  readonly needsTwo?: boolean
  readonly prove: (under: StoreUnderTest) => Promise<void>
}

function isTaken({ ownership }: Store): Promise<boolean> {
  return ownership.acquire(KEY).then(
    () => true,
    () => false,
  )
}

/** What holds between two owners at once. */
export const LAWS_OF_TWO: readonly Law[] = [
  {
    title: 'while an owner lives nobody else gets its actors, and is told who it is',
    needsTwo: true,
    async prove(under) {
      const [one, two] = [await under.open('one'), await under.open('two')]
      const grant = await appended(one, KEY, 1, 1)
      await expect(two.ownership.acquire(KEY)).rejects.toMatchObject({
        journalFailure: 'fenced',
        owner: 'one',
      })
      expect([one.ownership.held(KEY), two.ownership.held(KEY)]).toEqual([grant, null])
      one.ownership.release(grant, KEY)
      // Nobody waits for a release.
      await until(() => isTaken(two))
      await appended(two, KEY, 2, 1)
      await Promise.all([one.close(), two.close()])
    },
  },
  {
    title: 'who takes over reads all that was acknowledged, and nothing more of the earlier owner is taken',
    needsTwo: true,
    async prove(under) {
      const [one, two] = [await under.open('one'), await under.open('two')]
      const lost: Grant[] = []
      one.ownership.onLost((grant) => lost.push(grant))
      const grant = await appended(one, KEY, 1, 3)
      await under.expire?.('one')
      const acquiring = two.ownership.acquire(KEY)
      let acknowledged = 3
      for (let seq = 4; ; seq += 1) {
        const isTaken = await one.journal.append(grant, recordOf(KEY, seq)).then(
          () => true,
          () => false,
        )
        if (!isTaken) break
        acknowledged = seq
      }
      const taken = await acquiring
      expect(await seqsOf(two, taken, KEY, 1)).toEqual(range(1, acknowledged))
      expect(lost).toEqual([grant])
      expect(one.ownership.held(KEY)).toBeNull()
      await expect(one.journal.append(grant, recordOf(KEY, acknowledged + 1))).rejects.toMatchObject({
        journalFailure: 'fenced',
      })
      await Promise.all([one.close(), two.close()])
    },
  },
  {
    title: 'a node that has lost an actor answers nothing of it from memory, and says who owns it',
    needsTwo: true,
    async prove(under) {
      const [one, two] = [await under.open('one'), await under.open('two')]
      const [first, second] = [await registryOver(one), await registryOver(two)]
      const seqIn = (registry: Registry) => registry.use('default', 'default', async ({ state }) => state.seq)
      await written(one, 2)
      expect(await seqIn(first)).toBe(2)
      await under.expire?.('one')
      expect(await seqIn(second)).toBe(2)
      await expect(seqIn(first)).rejects.toMatchObject({ code: 'not_owner', details: { owner: 'two' } })
      await second.close(10_000)
      await two.close()
      expect(await seqIn(first)).toBe(2)
      await first.close(10_000)
      await one.close()
    },
  },
]
