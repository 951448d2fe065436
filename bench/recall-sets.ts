// How much of the evidence of questions does a guide find, set by set, beside search libraries on the same texts in the
// same run? And what is a question shown that is none of a scope's business, on which surface?
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isMain, tableText } from './measure.ts'
import { INSTALL_PEERS } from './recall/engines/peer-packages.ts'
import { type Found, MEASURES, type Measure, meanOf, pairedInterval, valuesOf } from './recall-sets/found.ts'
import { SURFACES } from './recall-sets/guided.ts'
import { type EngineFound, MEMGOV, measuredSet, type SetReport, shownShares } from './recall-sets/measured.ts'
import { PEERS } from './recall-sets/peers.ts'
import { type QuestionSet, readSets } from './recall-sets/sets.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { dataFolder } from './suite/folder.ts'
import { printOutcome } from './suite/text.ts'

async function run(data: string | null, only: string | null, isQuick: boolean): Promise<Outcome> {
  const all = data === null ? [] : readSets(data)
  const sets = all.filter(({ name }) => only === null || name.startsWith(only))
  if (sets.length === 0)
    return nothingMeasured(
      data,
      only,
      all.map(({ name }) => name),
    )
  const reports: SetReport[] = []
  for (const set of sets) reports.push(await measuredSet(set, all, isQuick))
  const missing = PEERS.filter(({ name }) =>
    reports.some(({ engines }) => !engines.some((each) => each.name === name)),
  )
  return {
    settings: { sets: sets.length },
    figures: reports.flatMap(figuresOf),
    notes: [
      ...reports.map(tableOf),
      'Differences: question by question, with the 95 % interval of a paired bootstrap; against the library that is best by that measure.',
      ...PEERS.map(({ name, setup }) => `${name}: ${setup}.`),
      ...(missing.length === 0
        ? []
        : [`Not installed: ${missing.map(({ name }) => name).join(', ')}. ${INSTALL_PEERS}`]),
    ],
  }
}

function nothingMeasured(data: string | null, only: string | null, known: readonly string[]): Outcome {
  const why =
    data === null
      ? 'no folder is named'
      : known.length === 0
        ? `there is no ${join(data, 'recall')} or ${join(data, 'locomo')} with a set`
        : `none begins with ${only}; there are ${known.join('; ')}`
  const note = `No set is measured: ${why}. Name the folder above recall with --data DIR or BENCH_DATA.`
  return { settings: {}, figures: [], notes: [note] }
}

function figuresOf({ set, engines, foreign }: SetReport): readonly Figure[] {
  const ours = foundBy(engines, MEMGOV)
  const shares = shownShares(foreign)
  return [
    ...MEASURES.map((measure) =>
      figureOf(`${set.name}, ${measure}`, 'share', [meanOf(valuesOf(ours, measure))]),
    ),
    ...MEASURES.flatMap((measure) => {
      const best = bestLibrary(engines, measure)
      if (best === null) return []
      const { low, mean, high } = pairedInterval(valuesOf(ours, measure), valuesOf(best.found, measure))
      // The ends of the interval are the least and the greatest.
      return figureOf(`${set.name}, ${measure} less that of the best library`, 'share', [low, mean, high])
    }),
    ...byScope(set, ours).map(([name, found]) =>
      figureOf(`${set.name}, ${name}, recall@10`, 'share', [meanOf(valuesOf(found, 'recall@10'))]),
    ),
    figureOf(`${set.name}, memories on use_now for a foreign question`, 'memories', [
      foreign.reduce((sum, [usable = 0]) => sum + usable, 0) / Math.max(1, foreign.length),
    ]),
    figureOf(`${set.name}, empty answers`, 'share', [meanOf(ours.map(({ isEmpty }) => Number(isEmpty)))]),
    ...[...SURFACES, 'any surface'].map((surface, at) =>
      figureOf(`${set.name}, foreign questions shown anything on ${surface}`, 'share', [shares[at] ?? 0]),
    ),
  ]
}

/** What was found in each scope, where there are several: a weight that suits one dialogue only shows here. */
function byScope(
  { scopes }: QuestionSet,
  found: readonly Found[],
): readonly (readonly [string, readonly Found[]])[] {
  let from = 0
  const parts = scopes.map(({ name, questions }) => {
    from += questions.length
    return [name, found.slice(from - questions.length, from)] as const
  })
  return parts.length === 1 ? [] : parts.filter(([, own]) => own.length > 0)
}

function tableOf({ set, engines }: SetReport): string {
  const head = [set.name, ...MEASURES, 'empty', 'less the best library, recall@10', 'MRR']
  const rows = engines.map((engine) => [
    `  ${engine.name}`,
    ...MEASURES.map((measure) => meanOf(valuesOf(engine.found, measure)).toFixed(3)),
    String(engine.found.filter(({ isEmpty }) => isEmpty).length),
    ...(engine.name === MEMGOV ? [intervalText(engines, 'recall@10'), intervalText(engines, 'MRR')] : []),
  ])
  return tableText([head, ...rows])
}

function intervalText(engines: readonly EngineFound[], measure: Measure): string {
  const best = bestLibrary(engines, measure)
  if (best === null) return 'no library is installed'
  const { low, mean, high } = pairedInterval(
    valuesOf(foundBy(engines, MEMGOV), measure),
    valuesOf(best.found, measure),
  )
  const text = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(3)}`
  return `${text(mean)} [${text(low)}, ${text(high)}] ${best.name}`
}

function foundBy(engines: readonly EngineFound[], name: string): EngineFound['found'] {
  return engines.find((each) => each.name === name)?.found ?? []
}

/** Null when none is installed. */
function bestLibrary(engines: readonly EngineFound[], measure: Measure): EngineFound | null {
  const libraries = engines.filter(({ isLibrary }) => isLibrary)
  const meanBy = ({ found }: EngineFound): number => meanOf(valuesOf(found, measure))
  return libraries.toSorted((a, b) => meanBy(b) - meanBy(a))[0] ?? null
}

if (isMain(import.meta.url)) {
  const flag = { type: 'boolean' } as const
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { data: text, only: text, quick: flag, json: flag } })
  const data = dataFolder(values.data)
  if (data !== null && !existsSync(data)) throw new Error(`there is no folder ${data}`)
  printOutcome('recall-sets', await run(data, values.only ?? null, values.quick === true))
}
