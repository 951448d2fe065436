import type { AnswerOf } from '../../src/contract/operations.ts'
import type { Session } from './session.ts'

export type Report = AnswerOf<'flightRecorder'>['agent_flight_recorder']

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
