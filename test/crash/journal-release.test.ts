import { expect, test } from 'vitest'
import { coverTwice } from './history-life.ts'
import { GRANT, ManualTimers, openOn } from './journal-life.ts'
import { SimulatedDisk } from './simulated-disk.ts'

const KEY = 'a/x'
const OTHER = 'b/y'

test('a release answers how many segments went, also when as many were begun meanwhile', async () => {
  const process = new SimulatedDisk().start()
  let meanwhile: () => Promise<void> = async () => undefined
  const journal = await openOn(process, new ManualTimers(), { padTo: 512, beforeUnlink: () => meanwhile() })
  const append = (actorKey: string, actorSeq: number) =>
    journal.append(GRANT, { actorKey, actorSeq, payload: Buffer.alloc(500, actorSeq) })
  await append(KEY, 1)
  await journal.rotate()
  let begun = 0
  meanwhile = async () => {
    for (; begun < 3; begun += 1) {
      await append(OTHER, begun + 1)
      await journal.rotate()
    }
  }
  coverTwice(journal, KEY, 1)
  expect(await journal.release(KEY, 1)).toBe(1)
  expect(begun).toBe(3)
  await journal.close()
})
