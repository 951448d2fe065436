import type { HttpEdgeResult } from '../http-edge.ts'
import type { TraceReport } from '../measure-trace.ts'
import { GOAL_EVENTS, GOAL_MS as RECORDER_GOAL_MS, type RecorderReport } from '../recorder.ts'
import { figureOf, type Outcome } from '../result.ts'

export function httpEdgeOutcome(json: string): Outcome {
  const { rounds, requestsPerRound, bodyBytes, bare, edge, overhead }: HttpEdgeResult = JSON.parse(json)
  const samples = rounds * requestsPerRound
  return {
    settings: { rounds, requestsPerRound, bodyBytes },
    figures: [
      figureOf('bare node:http', 'µs', bare.samples, { samples }),
      figureOf('the edge', 'µs', edge.samples, { samples }),
      figureOf('edge minus bare', 'µs', overhead.samples, { samples }),
    ],
    series: [],
    notes: [],
  }
}

export function measureTraceOutcome(json: string): Outcome {
  const { memories, guides, rows }: TraceReport = JSON.parse(json)
  return {
    settings: { memories, guides },
    figures: rows.flatMap(({ trace, cpuMs, busyMs, answerMs }) => [
      ...(cpuMs === null ? [] : [figureOf(`${trace}, processor time`, 'ms', cpuMs.samples)]),
      figureOf(`${trace}, thread busy`, 'ms', busyMs.samples),
      figureOf(`${trace}, answer`, 'ms', answerMs.samples),
    ]),
    series: [],
    notes: rows.some(({ cpuMs }) => cpuMs === null)
      ? ['This system does not tell the processor time of a thread.']
      : [],
  }
}

export function recorderOutcome(json: string): Outcome {
  const { events, guides, rounds, memories, rows }: RecorderReport = JSON.parse(json)
  return {
    settings: { events, guides, rounds, memories },
    figures: rows.flatMap(({ replay, spread, p99, cpuMedian, cpuP99, hasGoal }) => [
      figureOf(replay, 'ms', spread.samples),
      figureOf(`${replay}, p99`, 'ms', [p99], {
        samples: spread.samples.length,
        ...(hasGoal && events >= GOAL_EVENTS ? { goal: { bound: 'most', value: RECORDER_GOAL_MS } } : {}),
      }),
      figureOf(`${replay}, processor time`, 'ms', [cpuMedian], { samples: spread.samples.length }),
      figureOf(`${replay}, processor time, p99`, 'ms', [cpuP99], { samples: spread.samples.length }),
    ]),
    series: [],
    notes: [],
  }
}
