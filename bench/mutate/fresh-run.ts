import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { GroupTask } from './group-run.ts'

// A mutant in code that runs while a module is loaded, or whose result is kept for later calls, changes nothing when it
// is switched on afterwards. So what is left over runs again, each in a process in which it holds from the first line.

/** A mutant that asks for switches this many times more often than the longest plain test does not end. */
const STEPS_FACTOR = 20
const STEPS_FLOOR = 200_000
const TIME_MAX_MS = 600_000

/** The ids of the mutants that a test noticed. */
export async function runFresh(task: GroupTask): Promise<ReadonlySet<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'memgov-fresh-'))
  const record = join(folder, 'steps.jsonl')
  try {
    const plain = await passes(task, '', record, Infinity)
    if (!plain) throw new Error(`the tests of ${task.files.join(', ')} do not pass without a mutant`)
    const stepsMax = longestOf(record) * STEPS_FACTOR + STEPS_FLOOR
    const killed = new Set<string>()
    for (const { id } of task.mutants) if (!(await passes(task, id, record, stepsMax))) killed.add(id)
    return killed
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function passes(task: GroupTask, id: string, record: string, stepsMax: number): Promise<boolean> {
  const env = {
    ...process.env,
    MEMGOV_RUNS: String(task.runs),
    MEMGOV_MUTATE_FILES: task.files.join(' '),
    MEMGOV_MUTATE_FIXED: id,
    MEMGOV_MUTATE_RECORD: record,
    MEMGOV_MUTATE_STEPS: String(stepsMax),
  }
  const args = ['run', '--config', 'vitest.mutate.config.ts', '--bail', '1', ...task.tests]
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], {
    env,
    stdio: 'ignore',
    detached: true,
  })
  const timer = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }, TIME_MAX_MS)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  return code === 0
}

function longestOf(record: string): number {
  const lines = readFileSync(record, 'utf8').split('\n')
  const steps = lines.flatMap((line) => {
    const fields: unknown = line === '' ? null : JSON.parse(line)
    return Array.isArray(fields) && fields[0] === 'steps' ? [Number(fields[1])] : []
  })
  return Math.max(0, ...steps)
}
