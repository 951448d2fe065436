import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { agentMix } from '../../bench/load/mix.ts'
import { openLoop } from '../../bench/load/open-loop.ts'
import { FeedbackRequest } from '../../src/contract/feedback.ts'
import { GuideRequest } from '../../src/contract/guide.ts'
import { ObserveRequest } from '../../src/contract/observe.ts'

/** Time passes only where something waits for it. */
function manualPacer() {
  let nowMs = 0
  return {
    now: () => nowMs,
    pause: async (ms: number) => {
      // What has been answered is told first.
      await turn()
      nowMs += Math.max(ms, 0.1)
    },
    pass: (ms: number) => {
      nowMs += ms
    },
  }
}

describe('open loop', () => {
  test('the wait for the next request is one pause: nothing looks at the clock meanwhile', async () => {
    const pacer = manualPacer()
    let pauses = 0
    await openLoop({
      ratePerS: 100,
      durationMs: 100,
      pacer: {
        ...pacer,
        pause(ms) {
          pauses += 1
          return pacer.pause(ms)
        },
      },
      send: async () => undefined,
      onSend: () => undefined,
      onAnswer: () => undefined,
    })
    expect(pauses).toBeLessThanOrEqual(10)
  })

  test('every request is sent when it is due, however slow the answers are', async () => {
    const pacer = manualPacer()
    const sentAt: number[] = []
    const answers: (() => void)[] = []
    const finished = openLoop({
      ratePerS: 100,
      durationMs: 100,
      pacer,
      send: () => {
        sentAt.push(pacer.now())
        return new Promise<void>((resolve) => {
          answers.push(resolve)
          if (answers.length === 10) for (const answer of answers) answer()
        })
      },
      onSend: (lateMs) => expect(lateMs).toBeLessThanOrEqual(0.2),
      onAnswer: () => undefined,
    })
    await finished
    expect(sentAt).toHaveLength(10)
    for (const [at, ms] of sentAt.entries()) expect(ms - at * 10).toBeLessThanOrEqual(0.2)
  })

  test('a service that stands still is charged for the requests that became due meanwhile', async () => {
    const pacer = manualPacer()
    const latencies: number[] = []
    let sent = 0
    await openLoop({
      ratePerS: 100,
      durationMs: 100,
      pacer,
      // The first one keeps everything from running for 50 ms.
      send: async () => {
        sent += 1
        if (sent === 1) pacer.pass(50)
      },
      onSend: () => undefined,
      onAnswer: (_answer, latencyMs) => latencies.push(latencyMs),
    })
    const waited = [50, 40, 30, 20, 10]
    for (const [at, ms] of waited.entries()) expect(latencies[at]).toBeGreaterThanOrEqual(ms)
    expect(latencies.filter((ms) => ms < 1)).toHaveLength(5)
  })
})

describe('mixed load', () => {
  test('its requests are valid, in the shares that are named, and some scopes have far more than others', () => {
    const mix = agentMix(1, 20)
    const counts = { guide: 0, observe: 0, feedback: 0 }
    const scopes = new Map<string, number>()
    mix.learn('load-0', { guide_trace_id: 'trace', agent_context: { memory_ids: ['one'] } })
    const schemas = { guide: GuideRequest, observe: ObserveRequest, feedback: FeedbackRequest }
    for (let made = 0; made < 2_000; made += 1) {
      const { kind, scope, body } = mix.next()
      counts[kind] += 1
      if (kind !== 'feedback') scopes.set(scope, (scopes.get(scope) ?? 0) + 1)
      expect(schemas[kind].safeParse(body).error).toBeUndefined()
    }
    expect(counts.guide / 2_000).toBeCloseTo(0.7, 1)
    expect(counts.observe / 2_000).toBeCloseTo(0.2, 1)
    expect(counts.feedback / 2_000).toBeCloseTo(0.1, 1)
    expect(scopes.get('load-0') ?? 0).toBeGreaterThan(8 * (scopes.get('load-19') ?? 0))
  })

  test('a guide stands in for feedback as long as nothing has been shown', () => {
    const mix = agentMix(1, 3)
    for (let made = 0; made < 200; made += 1) expect(mix.next().kind).not.toBe('feedback')
  })
})
