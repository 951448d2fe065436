import { filesGrowthOf, filesIn, growthOf, type ProcessSize, sizeOf } from './process-size.ts'
import type { Row } from './table.ts'

const SAMPLE_EVERY_MS = 500
/** To count the files of a folder takes longer. */
const FILES_EVERY_SAMPLES = 10
/** A process that has just started is smaller than it will be. */
const WARMING_MS = 10_000

/** Samples of whichever process serves, once it is warm. */
export class Sampler {
  readonly samples: ProcessSize[] = []
  /** Files in the data folder, now and then. */
  readonly files: number[] = []
  /** Those of the longest life. */
  longest: ProcessSize[] = []
  #life: ProcessSize[] = []
  readonly #timer: NodeJS.Timeout
  #pid = 0
  #sinceMs = 0

  /** @param dir the data folder */
  constructor(pidOf: () => number, dir: string) {
    let untilCount = 0
    this.#timer = setInterval(() => {
      this.#sample(pidOf())
      untilCount -= 1
      if (untilCount > 0) return
      untilCount = FILES_EVERY_SAMPLES
      this.files.push(filesIn(dir))
    }, SAMPLE_EVERY_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #sample(pid: number): void {
    if (pid !== this.#pid) {
      this.#pid = pid
      this.#life = []
      this.#sinceMs = performance.now()
    }
    if (performance.now() - this.#sinceMs < WARMING_MS) return
    const size = sizeOf(pid)
    if (size === null) return
    this.samples.push(size)
    this.#life.push(size)
    if (this.#life.length > this.longest.length) this.longest = this.#life
  }
}

/** @param groups of scopes that were written, each with files of its own: of one only, the files have to stay flat */
export function filesRows(counts: readonly number[], groups: number): readonly Row[] {
  const { early, late, isFlat } = filesGrowthOf(counts)
  const grown = groups === 1 ? 'GROWING' : `of ${groups} groups of scopes`
  return [
    ['files in the folder, first quarter of the run', String(early)],
    ['files in the folder, last quarter of the run', String(late)],
    ['files in the folder', isFlat ? 'flat' : grown],
  ]
}

export function growthRows(of: string, samples: readonly ProcessSize[]): readonly Row[] {
  const growth = growthOf(samples)
  if (growth === null) return [[`memory and open files, ${of}`, 'too few samples']]
  const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`
  const { early, late, isFlat } = growth
  return [
    [`resident memory, first quarter of ${of}`, mib(early.rssBytes)],
    [`resident memory, last quarter of ${of}`, mib(late.rssBytes)],
    [`open files, first quarter of ${of}`, String(early.openFiles)],
    [`open files, last quarter of ${of}`, String(late.openFiles)],
    [`memory and open files, ${of}`, isFlat ? 'flat' : 'GROWING'],
  ]
}
