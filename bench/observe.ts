// What does an observe cost beside what it cannot do without? With many connections beside a bare echo, embedded beside
// a loop that only decides, encodes and indexes, and under a mixed load beside the echo under the same load.
import { join } from 'node:path'
import process from 'node:process'
import { isMain } from './measure.ts'
import { type EmbeddedOptions, measureEmbedded } from './observe/embedded.ts'
import { type InFlightOptions, measureInFlight } from './observe/in-flight.ts'
import { type MixedOptions, measureMixed } from './observe/mixed.ts'
import type { Outcome } from './result.ts'
import { withFolder } from './suite/folder.ts'
import { printOutcome } from './suite/text.ts'

export interface ObserveOptions {
  readonly inFlight: InFlightOptions
  readonly embedded: EmbeddedOptions
  readonly mixed: MixedOptions
}

const FULL: ObserveOptions = {
  inFlight: { inFlight: 256, rounds: 9, sliceMs: 1_000, warmMs: 4_000 },
  embedded: { inFlight: 4_096, rounds: 9, opsPerRound: 8_192, warmOps: 20_000 },
  mixed: { scopes: 50, memoriesPerScope: 100, saturationMs: 8_000, rounds: 7, sliceMs: 3_000 },
}
const QUICK: ObserveOptions = {
  inFlight: { inFlight: 256, rounds: 3, sliceMs: 400, warmMs: 1_000 },
  embedded: { inFlight: 4_096, rounds: 3, opsPerRound: 4_096, warmOps: 4_096 },
  mixed: { scopes: 20, memoriesPerScope: 50, saturationMs: 2_000, rounds: 3, sliceMs: 1_000 },
}

export function run(options: ObserveOptions = FULL): Promise<Outcome> {
  return withFolder('observe', async (folder) => {
    const inFlight = await measureInFlight(join(folder, 'in-flight'), options.inFlight)
    const embedded = await measureEmbedded(join(folder, 'embedded'), options.embedded)
    const mixed = await measureMixed(join(folder, 'mixed'), options.mixed)
    return {
      settings: settingsOf(options),
      figures: [...inFlight, ...embedded, ...mixed.figures],
      notes: mixed.notes,
    }
  })
}

function settingsOf(options: ObserveOptions): Outcome['settings'] {
  const pairs = Object.entries(options).flatMap(([part, settings]) =>
    Object.entries(settings).map(([name, value]) => [`${part} ${name}`, Number(value)] as const),
  )
  return Object.fromEntries(pairs)
}

if (isMain(import.meta.url)) {
  printOutcome('observe', await run(process.argv.includes('--quick') ? QUICK : FULL))
}
