import { describe, test } from 'vitest'
import { startEmbedded } from '../harness/embedded.ts'
import { history, Session } from '../harness/session.ts'
import { provingAsync } from '../support/prove.ts'

const prove = provingAsync(25)

describe.each(['sync', 'interval', 'none'] as const)('with durability %s', (durability) => {
  test('every answer to a valid request satisfies the response schema of its operation', async () => {
    const embedded = await startEmbedded({ config: { durability } })
    let scopes = 0
    await prove(history, async (steps) => {
      const session = new Session(embedded, durability, `scope ${(scopes += 1)}/ä`)
      for (const step of steps) await step.run(session)
    })
    await embedded.close()
  })
})
