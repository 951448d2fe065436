// How good is recall, and what does it cost? Long public dialogues, one turn a memory, with questions of known evidence;
// what a scope shows to questions that are none of its business; the project's own engineering notes in eight
// languages; and the index beside other search engines.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { isMain } from './measure.ts'
import { dialogueReport, dialogueText } from './recall/dialogue-report.ts'
import { ENGINE_NAMES } from './recall/engines/kinds.ts'
import { arePeersInstalled, INSTALL_PEERS } from './recall/engines/peer-packages.ts'
import { goalsOf } from './recall/goals.ts'
import { guideLatency } from './recall/guide-latency.ts'
import { largeReport, largeText } from './recall/large.ts'
import { comparePeers, FULL, QUICK } from './recall/peers.ts'
import { goalsText, peersText } from './recall/peers-text.ts'
import { qualityReport, qualityText } from './recall/quality.ts'

const DEFAULT_DATA = join('..', 'shared', 'data', 'locomo')
const GUIDE_MEMORIES = 100_000
const PARTS = ['locomo', 'floor', 'quality', 'peers'] as const
type Part = (typeof PARTS)[number]

interface Options {
  readonly parts: readonly Part[]
  readonly folder: string
  /** Smaller sizes, no ablation, no guides over HTTP. */
  readonly isQuick: boolean
  /** A million memories besides. */
  readonly isLarge: boolean
  /** Peers read raw texts. */
  readonly isRaw: boolean
  readonly print: (section: string, report: unknown, text: string) => void
}

async function run({ parts, folder, isQuick, isLarge, isRaw, print }: Options): Promise<void> {
  const wants = (part: Part): boolean => parts.includes(part)
  if (wants('locomo') || wants('floor')) {
    if (existsSync(folder)) {
      const report = await dialogueReport(folder, {
        recall: wants('locomo'),
        floor: wants('floor'),
        ablation: !isQuick,
      })
      print('dialogues', report, dialogueText(report))
    } else {
      print(
        'dialogues',
        null,
        `There is no folder ${folder}: name one with --data DIR. It holds JSON files of dialogues with questions.`,
      )
    }
  }
  if (wants('quality')) {
    const report = await qualityReport()
    print('quality', report, qualityText(report))
  }
  if (wants('peers')) await runPeers({ isQuick, isRaw, print })
  if (isLarge) {
    const report = await largeReport()
    print('large', report, largeText(report))
  }
}

async function runPeers({
  isQuick,
  isRaw,
  print,
}: Pick<Options, 'isQuick' | 'isRaw' | 'print'>): Promise<void> {
  const hasPeers = arePeersInstalled()
  const names = hasPeers ? ENGINE_NAMES : (['memgov'] as const)
  const report = await comparePeers(names, { ...(isQuick ? QUICK : FULL), isRaw })
  print('peers', report, peersText(report))
  if (!hasPeers) print('note', null, `The other engines are not installed: ${INSTALL_PEERS}`)
  const guides = isQuick ? null : await guideLatency(GUIDE_MEMORIES)
  if (guides !== null) {
    const { memories, p50Us, p99Us } = guides
    const text = `guide over HTTP, durable, ${memories} memories: p50 ${p50Us.toFixed(0)}, p99 ${p99Us.toFixed(0)} µs of ${guides.guides}`
    print('guides', guides, text)
  }
  const goals = goalsOf(report, guides?.p99Us ?? null)
  print('goals', goals, goalsText(goals))
}

/** The parts that were named; every part when none was. */
function partsOf(named: readonly string[]): readonly Part[] {
  const unknown = named.find((name) => !PARTS.some((part) => part === name))
  if (unknown !== undefined) throw new Error(`--only ${unknown}: there are ${PARTS.join(', ')}`)
  return named.length === 0 ? PARTS : PARTS.filter((part) => named.includes(part))
}

if (isMain(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      only: { type: 'string', multiple: true },
      quick: { type: 'boolean' },
      large: { type: 'boolean' },
      raw: { type: 'boolean' },
      json: { type: 'boolean' },
    },
  })
  await run({
    parts: partsOf((values.only ?? []).flatMap((each) => each.split(','))),
    folder: values.data ?? DEFAULT_DATA,
    isQuick: values.quick === true,
    isLarge: values.large === true,
    isRaw: values.raw === true,
    print(section, report, text) {
      process.stdout.write(
        values.json === true ? `${JSON.stringify({ [section]: report })}\n` : `${text}\n\n`,
      )
    },
  })
}
