import fc from 'fast-check'
import type { FlightRecorderResponse } from '../../src/contract/flight-recorder.ts'
import { type Embedded, startEmbedded } from './embedded.ts'
import { history, Session } from './session.ts'

const SCALE = Number(process.env['MEMGOV_RUNS'] ?? 1)

export type Report = FlightRecorderResponse['agent_flight_recorder']

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
    { numRuns: Math.max(1, Math.round(runs * SCALE)), seed: 30, endOnFailure: SCALE === 1 },
  )
  await embedded.close()
}

/** The newest guides of a past with what they were asked: enough of them, and few enough to be quick. */
export function guidesOf(session: Session) {
  return session.guides
    .map((answer, at) => ({ answer, ...(session.asked[at] ?? { body: {}, atMs: 0 }) }))
    .slice(-4)
}

export async function replay(session: Session, body: object): Promise<Report> {
  const answer = await session.embedded.ok('flightRecorder', { ...session.place, ...body })
  return answer.agent_flight_recorder
}

export const fromJournal = (guide_trace_id: string) => ({ replay_source: 'journal', guide_trace_id })
