// What does govern cost by the number of its candidates and the length of their texts? Embedded; beside it the bare
// screening of the same texts, in the same rounds.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { screen } from '../src/core/screening/screen.ts'
import { fitModel } from './capacity-model.ts'
import { type Histogram, histogramOf } from './histogram.ts'
import { isMain } from './measure.ts'
import { type Figure, figureOf, type Outcome, type Series } from './result.ts'
import { type Embedded, openEmbedded } from './suite/embedded.ts'
import { printOutcome } from './suite/print-outcome.ts'
import { mulberry32, sentence, zipfWords } from './synthetic-text.ts'

export interface GovernOptions {
  readonly candidates: readonly number[]
  readonly chars: readonly number[]
  readonly rounds: number
  /** Characters that a round governs at one point, so that each takes about as long; one request at least. */
  readonly charsPerRound: number
}

const FULL: GovernOptions = {
  candidates: [1, 5, 20, 50, 200],
  chars: [200, 2_000, 20_000],
  rounds: 9,
  charsPerRound: 400_000,
}
const QUICK: GovernOptions = { candidates: [1, 5, 20], chars: [200, 2_000], rounds: 3, charsPerRound: 20_000 }

/** Of everything, so that no point stands for a few compiled functions. */
const WARM_ROUNDS = 2
const REQUESTS_PER_ROUND_MAX = 200
const SCREENING = { domain: 'general', declaredType: 'fact', queryText: null } as const
const QUERY = 'What has to be known before the next deploy?'
const TERMS = ['fixed', 'candidates', 'kilochars'] as const
/** In larger pools comparing ends early (`core/similarity/contradiction`), so that they follow another line. */
const FITTED_CHARS_MAX = 1_000_000

interface Point {
  readonly candidates: number
  readonly chars: number
  readonly bodies: readonly object[]
  readonly texts: readonly string[]
  /** Processor time of a request, µs, by round. */
  readonly cpuUs: number[]
  readonly screenUs: number[]
  readonly wallUs: number[][]
}

export async function run(options: GovernOptions = FULL): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'memgov-govern-'))
  try {
    const service = await openEmbedded(folder)
    try {
      const points = options.candidates.flatMap((candidates) =>
        options.chars.map((chars) => pointOf(candidates, chars, options.charsPerRound)),
      )
      for (let round = -WARM_ROUNDS; round < options.rounds; round += 1) {
        for (const point of points) await measure(service, point, round >= 0)
      }
      return outcomeOf(options, points)
    } finally {
      await service.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function pointOf(candidates: number, chars: number, charsPerRound: number): Point {
  const random = mulberry32(candidates * 31 + chars)
  const word = zipfWords(random)
  const text = () => sentence(random, word, Math.ceil(chars / 3)).slice(0, chars)
  const wanted = Math.ceil(charsPerRound / (candidates * chars))
  const requests = Array.from({ length: Math.min(REQUESTS_PER_ROUND_MAX, wanted) }, () =>
    Array.from({ length: candidates }, text),
  )
  return {
    candidates,
    chars,
    texts: requests.flat(),
    bodies: requests.map((texts) => ({
      query_text: QUERY,
      candidates: texts.map((own, at) => ({
        external_memory_id: `note-${at}`,
        source_backend: 'vector-db',
        text: own,
        lifecycle_hint: 'current',
        authority: { source_trust: 'trusted', evidence_requirement: 'none' },
      })),
    })),
    cpuUs: [],
    screenUs: [],
    wallUs: [],
  }
}

async function measure(service: Embedded, point: Point, isCounted: boolean): Promise<void> {
  const { bodies, texts } = point
  const wallUs: number[] = []
  const before = process.cpuUsage()
  for (const body of bodies) {
    const startedAt = performance.now()
    await service.call('govern', body)
    wallUs.push((performance.now() - startedAt) * 1_000)
  }
  const governed = process.cpuUsage(before)
  const screening = process.cpuUsage()
  for (const text of texts) screen(text, SCREENING)
  const screened = process.cpuUsage(screening)
  if (!isCounted) return
  point.cpuUs.push((governed.user + governed.system) / bodies.length)
  point.screenUs.push((screened.user + screened.system) / bodies.length)
  point.wallUs.push(wallUs)
}

function outcomeOf(options: GovernOptions, points: readonly Point[]): Outcome {
  const { candidates, chars, ...rest } = options
  return {
    settings: { ...rest, candidates: candidates.join(' '), chars: chars.join(' ') },
    figures: [...points.flatMap(figuresOf), ...fitted(points, options.rounds)],
    series: [...linesOf(options, points), ...distributionsOf(points)],
    notes: [
      'The bare screening is of the texts alone; govern also parses, compares the candidates with each other, decides and notes.',
      `Fitted are pools of at most ${FITTED_CHARS_MAX} characters: in larger ones comparing ends early.`,
      'Large pools of candidates are examined in the worker pool: processor time is that of all threads.',
    ],
  }
}

function nameOf({ candidates, chars }: Point): string {
  return `${candidates} candidate${candidates === 1 ? '' : 's'} of ${chars} characters`
}

function figuresOf(point: Point): readonly Figure[] {
  const all = histogramOf(point.wallUs.flat())
  const rounds = point.wallUs.map((own): Histogram => histogramOf(own))
  const samples = all.count
  return [
    figureOf(
      `govern, ${nameOf(point)}`,
      'µs',
      rounds.map((round) => round.quantile(0.5)),
      { percentiles: all.percentiles(), samples },
    ),
    figureOf(`govern, processor time, ${nameOf(point)}`, 'µs', point.cpuUs, { samples }),
    figureOf(`bare screening, processor time, ${nameOf(point)}`, 'µs', point.screenUs, { samples }),
  ]
}

/** One fit for each round. */
function fitted(all: readonly Point[], rounds: number): readonly Figure[] {
  const points = all.filter(({ candidates, chars }) => candidates * chars <= FITTED_CHARS_MAX)
  const fits = Array.from({ length: rounds }, (_, round) =>
    fitModel(
      TERMS,
      points.map(({ candidates, chars, cpuUs }) => ({
        terms: { fixed: 1, candidates, kilochars: (candidates * chars) / 1_000 },
        cost: cpuUs[round] ?? Number.NaN,
      })),
    ),
  )
  const figure = (name: string, unit: string, valueOf: (fit: (typeof fits)[number]) => number) =>
    figureOf(name, unit, fits.map(valueOf), { samples: rounds * points.length })
  return [
    figure('processor time, fixed, fitted', 'µs', ({ coefficients }) => coefficients.fixed),
    figure('processor time, a candidate, fitted', 'µs', ({ coefficients }) => coefficients.candidates),
    figure(
      'processor time, a thousand characters, fitted',
      'µs',
      ({ coefficients }) => coefficients.kilochars,
    ),
    figure('mean error of the fit', 'share', ({ error }) => error),
  ]
}

function linesOf({ chars }: GovernOptions, points: readonly Point[]): readonly Series[] {
  return chars.flatMap((length) =>
    (['cpuUs', 'screenUs'] as const).map((what) => ({
      name: `${what === 'cpuUs' ? 'govern' : 'bare screening'}, ${length} characters`,
      kind: 'cost over size',
      xLabel: 'candidates',
      yLabel: 'µs of processor time',
      points: points
        .filter((point) => point.chars === length)
        .map((point) => [point.candidates, histogramOf(point[what]).quantile(0.5)]),
    })),
  )
}

/** Of the shortest texts. */
function distributionsOf(points: readonly Point[]): readonly Series[] {
  const least = Math.min(...points.map(({ chars }) => chars))
  return points
    .filter(({ chars }) => chars === least)
    .map((point) => ({
      name: nameOf(point),
      kind: 'cdf',
      xLabel: 'µs',
      yLabel: 'share of requests',
      points: histogramOf(point.wallUs.flat()).cdf(),
    }))
}

if (isMain(import.meta.url)) {
  printOutcome('govern', await run(process.argv.includes('--quick') ? QUICK : FULL))
}
