import type { Pacer } from './pacer.ts'

export interface OpenLoop<Answer> {
  readonly ratePerS: number
  readonly durationMs: number
  readonly pacer: Pacer
  /** Sends one request; resolves when it is answered. It must not reject. */
  readonly send: () => Promise<Answer>
  /** Called for every answer, with its latency from the moment at which its request ought to have been sent. */
  readonly onAnswer: (answer: Answer, latencyMs: number) => void
  /** Called for every request: how much later than intended it was sent. */
  readonly onSend: (lateMs: number) => void
}

/**
 * Sends at a constant rate, whether answers come or not, and resolves when all have come. Latency counts from the
 * moment that the schedule gives, so that a service that stands still is charged for every request that it kept waiting,
 * not for one of each connection (coordinated omission). Gives the milliseconds from the start to the last answer.
 */
export async function openLoop<Answer>(loop: OpenLoop<Answer>): Promise<number> {
  const { ratePerS, durationMs, pacer, send, onAnswer, onSend } = loop
  const startMs = pacer.now()
  const total = Math.floor((ratePerS * durationMs) / 1_000)
  const answers: Promise<void>[] = []
  for (let sent = 0; sent < total; ) {
    const intendedMs = (sent * 1_000) / ratePerS
    const waitMs = startMs + intendedMs - pacer.now()
    if (waitMs > 0) {
      await pacer.pause(waitMs)
      continue
    }
    onSend(-waitMs)
    const answer = send()
    answers.push(answer.then((each) => onAnswer(each, pacer.now() - startMs - intendedMs)))
    sent += 1
  }
  await Promise.all(answers)
  return pacer.now() - startMs
}
