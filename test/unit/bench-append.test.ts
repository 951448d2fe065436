import { expect, test } from 'vitest'
import { appendOutcome } from '../../bench/adapters/append.ts'
import type { AppendReport } from '../../bench/append.ts'
import { spreadOf } from '../../bench/measure.ts'

function report(threadUs: number | null): string {
  const cpu = (us: number) => ({
    thread: threadUs === null ? null : spreadOf([threadUs]),
    process: spreadOf([us]),
  })
  const spread = spreadOf([1])
  const row = { inFlight: 16, journal: spread, bare: spread, checked: spread, ratio: spread }
  const times = { journal: cpu(0.7), bare: cpu(0.2), checked: cpu(0.5) }
  const all: AppendReport = {
    bench: 'append',
    node: 'v20',
    recordBytes: 300,
    rounds: 1,
    rows: [{ ...row, ratioToChecked: spread, cpu: times }],
  }
  return JSON.stringify(all)
}

function times(json: string): readonly (readonly [string, number])[] {
  return appendOutcome(json)
    .figures.filter(({ name }) => name.startsWith('processor time'))
    .map(({ name, median }) => [name, median])
}

test('the append bench tells the processor time of the process, and of the thread where the system tells it', () => {
  expect(times(report(null))).toEqual([
    ['processor time, journal, 16 in flight', 0.7],
    ['processor time, bare, 16 in flight', 0.2],
    ['processor time, bare with checksums, 16 in flight', 0.5],
  ])
  expect(times(report(0.1))).toHaveLength(6)
})
