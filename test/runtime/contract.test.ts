import fc from 'fast-check'
import { describe, test } from 'vitest'
import { startEmbedded } from '../harness/embedded.ts'
import { scaled } from '../harness/scale.ts'
import { history, Session } from '../harness/session.ts'

const RUNS = scaled(25)

describe.each(['sync', 'interval', 'none'] as const)('with durability %s', (durability) => {
  test('every answer to a valid request satisfies the response schema of its operation', async () => {
    const embedded = await startEmbedded({ config: { durability } })
    let scopes = 0
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const session = new Session(embedded, durability, `scope ${(scopes += 1)}/ä`)
        for (const step of steps) await step.run(session)
      }),
      { numRuns: RUNS },
    )
    await embedded.close()
  })
})
