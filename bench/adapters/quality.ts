import type { DialogueReport } from '../recall/dialogue-report.ts'
import { INSTALL_PEERS } from '../recall/engines/peer-packages.ts'
import { DEPTHS } from '../recall/figures.ts'
import type { Goal } from '../recall/goals.ts'
import type { GuideLatency } from '../recall/guide-latency.ts'
import type { PeersReport } from '../recall/peers.ts'
import type { QualityFigures, QualityReport } from '../recall/quality.ts'
import { type Figure, figureOf, type Outcome, type Series } from '../result.ts'
import { US_10K_MAX } from '../screening/cost.ts'
import type { ScreeningReport } from '../screening/report.ts'

/** Sections that the benchmark prints, one line each, in any order. */
interface RecallSections {
  readonly dialogues?: DialogueReport | null
  readonly quality?: QualityReport
  readonly peers?: PeersReport
  readonly guides?: GuideLatency
  readonly goals?: readonly Goal[]
  /** Printed where the other engines are not installed. */
  readonly note?: null
}

const MORE = { better: 'higher' } as const

export function recallOutcome(json: string): Outcome {
  const lines = json.split('\n').filter((line) => line !== '')
  const sections: RecallSections = Object.assign({}, ...lines.map((line) => JSON.parse(line)))
  const { dialogues, quality, peers, guides, goals, note } = sections
  return {
    settings: {},
    figures: [
      ...(quality === undefined ? [] : qualityFigures(quality)),
      ...(dialogues === undefined || dialogues === null ? [] : dialogueFigures(dialogues)),
      ...(peers === undefined ? [] : peerFigures(peers)),
      ...(guides === undefined
        ? []
        : [
            figureOf('guide over HTTP, p50', 'µs', [guides.p50Us], { samples: guides.guides }),
            figureOf('guide over HTTP, p99', 'µs', [guides.p99Us], { samples: guides.guides }),
          ]),
      ...(goals ?? []).flatMap(({ name, most, seen }) =>
        seen === null || !Number.isFinite(seen)
          ? []
          : [figureOf(name, 'ratio or bytes', [seen], { goal: { bound: 'most', value: most } })],
      ),
    ],
    series: peers === undefined ? [] : peerSeries(peers),
    notes: [
      ...(dialogues === null ? ['There are no dialogues: name their folder with --data DIR.'] : []),
      ...(note === null ? [`The other engines are not installed: ${INSTALL_PEERS}`] : []),
      ...Object.entries(peers?.missing ?? {}).map(([name, why]) => `${name} was not measured: ${why}`),
    ],
  }
}

function qualityFigures({ all, byLanguage, byForm }: QualityReport): readonly Figure[] {
  const of = (name: string, { questions: samples, recall, reciprocalRank }: QualityFigures) => [
    figureOf(`${name}, recall@5`, 'share', [recall[0] ?? 0], { ...MORE, samples }),
    figureOf(`${name}, recall@10`, 'share', [recall[1] ?? 0], { ...MORE, samples }),
    figureOf(`${name}, reciprocal rank`, 'share', [reciprocalRank], { ...MORE, samples }),
  ]
  return [['all questions', all] as const, ...byForm, ...byLanguage].flatMap(([name, figures]) =>
    of(name, figures),
  )
}

function dialogueFigures({ recall, floor }: DialogueReport): readonly Figure[] {
  const found = recall?.interface
  const shares = floor === null ? [] : Object.entries(floor)
  return [
    ...DEPTHS.flatMap((depth, place) => {
      const share = found?.recall[place]
      if (share === undefined) return []
      return [
        figureOf(`dialogues, recall@${depth}`, 'share', [share], { ...MORE, samples: found?.questions ?? 1 }),
      ]
    }),
    ...shares.map(([name, { asked, exposed }]) =>
      figureOf(`dialogues, shown to ${name} questions`, 'share', [exposed / asked], { samples: asked }),
    ),
  ]
}

function peerFigures({ sizes, upkeep }: PeersReport): readonly Figure[] {
  return [
    ...sizes.flatMap(({ memories, engines }) =>
      Object.entries(engines).map(([name, { cpuUs, asked }]) =>
        figureOf(`${name}, query of ${memories}, processor time`, 'µs', cpuUs.samples, { samples: asked }),
      ),
    ),
    ...Object.entries(upkeep).flatMap(([name, { insert, bytesPerMemory }]) => [
      figureOf(`${name}, insert p50`, 'µs', [insert.p50Us], { samples: insert.count }),
      figureOf(`${name}, bytes of index a memory`, 'bytes', [bytesPerMemory]),
    ]),
  ]
}

function peerSeries({ sizes }: PeersReport): Series[] {
  const names = [...new Set(sizes.flatMap(({ engines }) => Object.keys(engines)))]
  return names.map((name) => ({
    name: `${name}, query`,
    kind: 'cost over size',
    xLabel: 'memories',
    yLabel: 'µs',
    points: sizes.flatMap(({ memories, engines }): [number, number][] =>
      Object.entries(engines).flatMap(([own, { cpuUs }]): [number, number][] =>
        own === name ? [[memories, cpuUs.median]] : [],
      ),
    ),
  }))
}

export function screeningOutcome(json: string): Outcome {
  const { folder, surfaces, cost }: ScreeningReport = JSON.parse(json)
  return {
    settings: {},
    figures: [
      ...(surfaces?.goals ?? []).map(({ goal, seen, max }) =>
        figureOf(goal, 'share', [seen.count / seen.of], {
          samples: seen.of,
          goal: { bound: 'most', value: max },
        }),
      ),
      ...cost.flatMap(({ input, us200, us10k, growth }) => [
        figureOf(`${input}, 200 characters`, 'µs', [us200]),
        figureOf(`${input}, 10 kB`, 'µs', [us10k], { goal: { bound: 'most', value: US_10K_MAX } }),
        figureOf(`${input}, 1 MB over 100 kB`, 'ratio', [growth]),
      ]),
    ],
    series: [],
    notes: surfaces === null ? [`There are no texts in ${folder}: name their folder with --data DIR.`] : [],
  }
}
