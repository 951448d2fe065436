// How many texts of each family reach use_now through govern, how many of them does screening find, and what does
// screening cost?
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isMain } from './measure.ts'
import { costs } from './screening/cost.ts'
import { findingsByFamily } from './screening/findings.ts'
import { governAll } from './screening/govern-pass.ts'
import { reportText, type ScreeningReport } from './screening/report.ts'
import { readSamples } from './screening/samples.ts'
import { surfaceReportOf } from './screening/surfaces.ts'

const DEFAULT_FOLDER = fileURLToPath(new URL('../../../shared/data/screening', import.meta.url))
const USAGE = `Usage: node dist/bench/screening.js [--data DIR] [--json]

Governs every text of DIR/texts.jsonl, lines of {id, label: attack, benign or fact_poison, family, text}, and measures
the cost of screening on texts of its own. Without the file only the cost is measured.

  --data DIR  folder of the texts; default: shared/data/screening beside the project
  --json      print the report as JSON

Exit code: 0 done, whether a goal is met or not, 1 something broke, 2 arguments not understood.
`

/** Everything about the texts of the folder, if there are any, and the cost of screening. */
export async function run(folder: string = DEFAULT_FOLDER): Promise<ScreeningReport> {
  const samples = await readSamples(folder)
  return {
    bench: 'screening',
    node: process.version,
    folder,
    surfaces: samples === null ? null : surfaceReportOf(await governAll(samples)),
    findings: samples === null ? null : findingsByFamily(samples),
    cost: costs(),
  }
}

async function main(argv: readonly string[]): Promise<number> {
  const options = optionsFrom(argv)
  if (options === null) {
    process.stderr.write(USAGE)
    return 2
  }
  if (options.help === true) {
    process.stdout.write(USAGE)
    return 0
  }
  const report = await run(options.data)
  process.stdout.write(`${options.json === true ? JSON.stringify(report) : reportText(report)}\n`)
  return 0
}

/** Null when they are not understood. */
function optionsFrom(argv: readonly string[]): { data?: string; json?: boolean; help?: boolean } | null {
  try {
    return parseArgs({
      args: [...argv],
      options: { data: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    }).values
  } catch {
    return null
  }
}

if (isMain(import.meta.url)) process.exitCode = await main(process.argv.slice(2))
