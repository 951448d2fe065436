// How many texts of each family reach use_now through govern, and what does screening cost?

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isMain } from './measure.ts'
import type { Outcome } from './result.ts'
import { type CostSize, costFigures, QUICK } from './screening/cost.ts'
import { governAll } from './screening/govern-pass.ts'
import { FILE_NAME, readSamples } from './screening/samples.ts'
import { surfaceFigures, surfaceNotes } from './screening/surfaces.ts'
import { dataFolder } from './suite/folder.ts'
import { printOutcome } from './suite/text.ts'

/** Governs the texts of `screening` below the folder, if there are any, and measures the cost on texts of its own. */
export async function run(data: string | null, cost?: CostSize): Promise<Outcome> {
  const folder = data === null ? null : join(data, 'screening')
  const samples = folder === null ? null : readSamples(folder)
  const governed = samples === null ? null : await governAll(samples)
  const where = folder === null ? 'no folder is named' : `there is no ${FILE_NAME} in ${folder}`
  return {
    settings: {},
    figures: [...(governed === null ? [] : surfaceFigures(governed)), ...costFigures(cost)],
    notes:
      governed === null
        ? [`No text is screened: ${where}. Name the folder above screening with --data DIR or BENCH_DATA.`]
        : surfaceNotes(governed),
  }
}

if (isMain(import.meta.url)) {
  const flag = { type: 'boolean' } as const
  const { values } = parseArgs({ options: { data: { type: 'string' }, quick: flag, json: flag } })
  printOutcome('screening', await run(dataFolder(values.data), values.quick === true ? QUICK : undefined))
}
