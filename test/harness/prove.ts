import fc from 'fast-check'
import { type Embedded, startEmbedded } from './embedded.ts'
import { scaled } from './scale.ts'
import { history, Session } from './session.ts'

const waits = fc.array(fc.constantFrom(0, 0, 1, 1000, 60_000, 86_400_000), { minLength: 1, maxLength: 8 })
const anyPast = fc.record({ steps: history, waits, choice: fc.nat({ max: 10_000 }) })
type Past = typeof anyPast extends fc.Arbitrary<infer P> ? P : never

let scopes = 0

/** A scope of its own with a past; the clock moves between its requests. */
async function played(embedded: Embedded, { steps, waits: pauses }: Past): Promise<Session> {
  const session = new Session(embedded, 'sync', `scope ${(scopes += 1)}`)
  for (const [at, step] of steps.entries()) {
    await step.run(session)
    embedded.clock.advance(pauses[at % pauses.length] ?? 0)
  }
  return session
}

/** Proves a law of what is recorded of many pasts. `choice` is a number for picking things. */
export async function provePasts(
  law: (session: Session, embedded: Embedded, choice: number) => Promise<void>,
  runs: number,
  config = {},
): Promise<void> {
  const embedded = await startEmbedded({ config })
  await fc.assert(
    fc.asyncProperty(anyPast, async (past) => law(await played(embedded, past), embedded, past.choice)),
    // To shrink a past would take longer than a test may: a failure would be told as a timeout.
    { numRuns: scaled(runs), seed: 30, endOnFailure: true },
  )
  await embedded.close()
}
