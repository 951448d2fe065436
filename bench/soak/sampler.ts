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
  /** Files in the data folder but those of history, now and then, for each group of scopes that was written. */
  readonly files: number[] = []
  historyFiles = 0
  /** Those of the longest life. */
  longest: ProcessSize[] = []
  #life: ProcessSize[] = []
  readonly #timer: NodeJS.Timeout
  #pid = 0
  #sinceMs = 0

  /**
   * @param dir the data folder
   * @param groupsOf how many groups of scopes were written so far, each with files of its own
   */
  constructor(pidOf: () => number, dir: string, groupsOf: () => number = () => 1) {
    let untilCount = 0
    this.#timer = setInterval(() => {
      this.#sample(pidOf())
      untilCount -= 1
      if (untilCount > 0) return
      untilCount = FILES_EVERY_SAMPLES
      const { history, others } = filesIn(dir)
      this.historyFiles = history
      this.files.push(Math.round(others / groupsOf()))
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

export function filesRows({ files, historyFiles }: Sampler): readonly Row[] {
  const { early, late, isFlat } = filesGrowthOf(files)
  return [
    ['files for each group of scopes, first quarter of the run', String(early)],
    ['files for each group of scopes, last quarter of the run', String(late)],
    ['files for each group of scopes', isFlat ? 'flat' : 'GROWING'],
    ['files of history, at last', String(historyFiles)],
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
