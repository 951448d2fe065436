import type { AppendReport, CpuUs } from '../append.ts'
import { type Figure, figureOf, type Outcome } from '../result.ts'

const GOAL = { bound: 'least', value: 0.8 } as const

export function appendOutcome(json: string): Outcome {
  const { rows, recordBytes, rounds }: AppendReport = JSON.parse(json)
  const rate = { better: 'higher' } as const
  return {
    settings: { recordBytes, rounds },
    figures: rows.flatMap(({ inFlight, journal, bare, checked, ratio, ratioToChecked, cpu }) => [
      figureOf(`journal, ${inFlight} in flight`, 'records/s', journal.samples, rate),
      figureOf(`bare, ${inFlight} in flight`, 'records/s', bare.samples, rate),
      figureOf(`bare with checksums, ${inFlight} in flight`, 'records/s', checked.samples, rate),
      figureOf(`journal over bare, ${inFlight} in flight`, 'ratio', ratio.samples, { ...rate, goal: GOAL }),
      figureOf(`journal over checked, ${inFlight} in flight`, 'ratio', ratioToChecked.samples, rate),
      ...cpuFigures(`journal, ${inFlight} in flight`, cpu.journal),
      ...cpuFigures(`bare, ${inFlight} in flight`, cpu.bare),
      ...cpuFigures(`bare with checksums, ${inFlight} in flight`, cpu.checked),
    ]),
    series: [],
    notes: [],
  }
}

function cpuFigures(name: string, cpu: CpuUs): readonly Figure[] {
  const time = { better: 'lower' } as const
  const all = figureOf(`processor time, ${name}`, 'µs', cpu.process.samples, time)
  if (cpu.thread === null) return [all]
  return [all, figureOf(`processor time of the thread, ${name}`, 'µs', cpu.thread.samples, time)]
}
