import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { type RunnerTestCase as Test, TestRunner } from 'vitest'

// Runs each test first as it is, noting which mutants it reaches, and then once more for each of those that still
// lives. A mutant is killed by a test that passes without it, before and after. With a fixed mutant each test runs once,
// and that mutant holds from the first line of the first module on.

declare global {
  var __memgovMutant: ((id: string) => boolean) | undefined
}

/** A mutant that asks this many times more often than the plain run is in a loop that does not end. */
const STEPS_FACTOR = 50
const STEPS_FLOOR = 200_000
const recordPath = process.env['MEMGOV_MUTATE_RECORD'] ?? ''
const wanted = new Set((process.env['MEMGOV_MUTATE_IDS'] ?? '').split(' '))
const fixed = process.env['MEMGOV_MUTATE_FIXED'] ?? null

let active: string | null = fixed
let steps = 0
let stepsMax = fixed === null ? Infinity : Number(process.env['MEMGOV_MUTATE_STEPS'] ?? Infinity)
let reached = new Set<string>()

globalThis.__memgovMutant = (id) => {
  steps += 1
  if (steps > stepsMax) throw new Error('the mutant does not come to an end')
  if (active === null) reached.add(id)
  return id === active
}

function note(word: string, id: string, test = ''): void {
  appendFileSync(recordPath, `${JSON.stringify([word, id, test])}\n`)
}

function killedBefore(): Set<string> {
  if (!existsSync(recordPath)) return new Set()
  const lines = readFileSync(recordPath, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  const notes = lines.map((line): unknown => JSON.parse(line))
  return new Set(notes.flatMap((one) => (Array.isArray(one) && one[0] === 'killed' ? [String(one[1])] : [])))
}

export default class MutantRunner extends TestRunner {
  private readonly killed = killedBefore()
  /** Defaults that a plain run took. */
  private readonly taken = new Set<string>()

  async runMutants(test: Test, run: () => Promise<void>): Promise<void> {
    reached = new Set()
    active = null
    steps = 0
    stepsMax = Infinity
    await run()
    for (const id of reached) {
      if (!id.includes('?') || this.taken.has(id)) continue
      this.taken.add(id)
      note('taken', id, test.name)
    }
    const limit = steps * STEPS_FACTOR + STEPS_FLOOR
    const mutants = [...reached].filter((id) => wanted.has(id) && !this.killed.has(id))
    if (mutants.length === 0) return
    // A test that cannot be repeated tells nothing about a mutant.
    if (await fails(run, null, Infinity)) return note('unrepeatable', '', test.name)
    for (const id of mutants) {
      note('started', id, test.name)
      const isDead = await fails(run, id, limit)
      if (isDead && (await fails(run, null, Infinity))) return note('unrepeatable', id, test.name)
      if (isDead) this.killed.add(id)
      note(isDead ? 'killed' : 'passed', id, test.name)
    }
  }
}

Object.assign(MutantRunner.prototype, {
  async runTask(this: MutantRunner, test: Test): Promise<void> {
    const run = TestRunner.getTestFn(test)
    if (fixed !== null) return runFixed(run)
    await this.runMutants(test, async () => {
      await run()
    })
  },
})

async function runFixed(run: () => unknown): Promise<void> {
  steps = 0
  await run()
  note('steps', String(steps))
}

async function fails(run: () => Promise<void>, id: string | null, limit: number): Promise<boolean> {
  active = id
  steps = 0
  stepsMax = limit
  try {
    await run()
    return false
  } catch {
    return true
  } finally {
    active = null
    stepsMax = Infinity
  }
}
