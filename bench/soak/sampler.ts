import { growthOf, type ProcessSize, sizeOf } from './process-size.ts'
import type { Row } from './table.ts'

const SAMPLE_EVERY_MS = 500
/** A process that has just started is smaller than it will be. */
const WARMING_MS = 10_000

/** Samples of whichever process serves, once it is warm. */
export class Sampler {
  readonly samples: ProcessSize[] = []
  /** Those of the longest life. */
  longest: ProcessSize[] = []
  #life: ProcessSize[] = []
  readonly #timer: NodeJS.Timeout
  #pid = 0
  #sinceMs = 0

  constructor(pidOf: () => number) {
    this.#timer = setInterval(() => this.#sample(pidOf()), SAMPLE_EVERY_MS)
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
