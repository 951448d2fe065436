// How good is recall, and what does it cost? Long public dialogues, one turn a memory, with questions of known evidence;
// what a scope shows to questions that are none of its business; the project's own engineering notes in eight
// languages; and the index beside other search engines.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isMain } from './measure.ts'
import { dialogueFigures } from './recall/dialogue-report.ts'
import { ENGINE_NAMES, ENGINES } from './recall/engines/kinds.ts'
import { arePeersInstalled, INSTALL_PEERS } from './recall/engines/peer-packages.ts'
import { goalsOf } from './recall/goals.ts'
import { comparePeers, FULL, type PeersReport, QUICK } from './recall/peers.ts'
import { qualityFigures } from './recall/quality.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { dataFolder } from './suite/folder.ts'
import { partsOf } from './suite/parts.ts'
import { printOutcome } from './suite/text.ts'

const PARTS = ['dialogues', 'quality', 'peers'] as const
type Part = (typeof PARTS)[number]

interface Options {
  readonly parts: readonly Part[]
  /** The folder of recorded texts; the dialogues are in `locomo` below it. */
  readonly data: string | null
  readonly isQuick: boolean
}

type Section = Pick<Outcome, 'figures' | 'notes'>

async function run({ parts, data, isQuick }: Options): Promise<Outcome> {
  const sections: Section[] = []
  if (parts.includes('dialogues')) sections.push(await dialogues(data))
  if (parts.includes('quality')) sections.push(await qualityFigures())
  if (parts.includes('peers')) sections.push(await peers(isQuick))
  return {
    settings: { parts: parts.join(' ') },
    figures: sections.flatMap(({ figures }) => figures),
    notes: sections.flatMap(({ notes }) => notes),
  }
}

async function dialogues(data: string | null): Promise<Section> {
  const folder = data === null ? null : join(data, 'locomo')
  if (folder !== null && existsSync(folder)) return { figures: await dialogueFigures(folder), notes: [] }
  const where = folder === null ? 'no folder is named' : `there is no folder ${folder}`
  const note = `The dialogues are skipped: ${where}. Name the folder above locomo with --data DIR or BENCH_DATA.`
  return { figures: [], notes: [note] }
}

async function peers(isQuick: boolean): Promise<Section> {
  const hasPeers = arePeersInstalled()
  const report = await comparePeers(hasPeers ? ENGINE_NAMES : ['memgov'], isQuick ? QUICK : FULL)
  return {
    figures: [
      ...peerFigures(report),
      ...goalsOf(report).flatMap(({ name, most, seen }) =>
        seen === null || !Number.isFinite(seen)
          ? []
          : [figureOf(name, 'ratio or bytes', [seen], { goal: { bound: 'most', value: most } })],
      ),
    ],
    notes: [
      'Peers get the terms of memgov, read outside of the clock; memgov reads texts.',
      ...ENGINE_NAMES.filter((name) => name in report.upkeep).map(
        (name) => `${name}: ${ENGINES[name].setup}.`,
      ),
      ...(hasPeers ? [] : [`The other engines are not installed: ${INSTALL_PEERS}`]),
      ...Object.entries(report.missing).map(([name, why]) => `${name} was not measured: ${why}`),
    ],
  }
}

function peerFigures({ sizes, upkeep }: PeersReport): readonly Figure[] {
  return [
    ...sizes.flatMap(({ memories, engines }) =>
      Object.entries(engines).flatMap(([name, { cpuUs, p99Us }]) => [
        figureOf(`${name}, query of ${memories}, processor time`, 'µs', cpuUs.samples),
        figureOf(`${name}, query of ${memories}, p99`, 'µs', [p99Us]),
      ]),
    ),
    ...Object.entries(upkeep).flatMap(([name, { insert, remove, bytesPerMemory, reloadMs }]) => [
      figureOf(`${name}, insert p50`, 'µs', [insert.p50Us]),
      figureOf(`${name}, delete p50`, 'µs', [remove.p50Us]),
      figureOf(`${name}, bytes of index a memory`, 'bytes', [bytesPerMemory]),
      figureOf(`${name}, reload to the first answer`, 'ms', reloadMs.samples),
    ]),
  ]
}

if (isMain(import.meta.url)) {
  const flag = { type: 'boolean' } as const
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      only: { type: 'string', multiple: true },
      quick: flag,
      json: flag,
    },
  })
  const isQuick = values.quick === true
  const outcome = await run({
    parts: partsOf(PARTS, values.only, isQuick ? ['quality'] : PARTS),
    data: dataFolder(values.data),
    isQuick,
  })
  printOutcome('recall', outcome)
}
