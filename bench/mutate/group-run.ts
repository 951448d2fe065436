import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import type { Mutant } from './switch-text.ts'

export interface GroupTask {
  readonly files: readonly string[]
  readonly tests: readonly string[]
  readonly mutants: readonly Mutant[]
  /** The factor on the number of runs of properties, below 1 for speed. */
  readonly runs: number
  /** A run that notes nothing for so long is stopped; its mutant counts as killed. */
  readonly silenceMs: number
}

export interface GroupResult {
  /** Mutant to the test that killed it. */
  readonly killedBy: ReadonlyMap<string, string>
  /** Reached by at least one test. */
  readonly reached: ReadonlySet<string>
  /** Defaults of an index that a plain test took: `Mutant.probe`. */
  readonly taken: ReadonlySet<string>
  /** Tests that fail when they are run twice: they tell nothing. */
  readonly unrepeatable: readonly string[]
}

const RESTARTS_MAX = 20
const LOOK_MS = 500

/** Runs the tests of a group against each of its mutants in a process of its own. */
export async function runGroup(task: GroupTask): Promise<GroupResult> {
  const folder = mkdtempSync(join(tmpdir(), 'memgov-mutate-'))
  const record = join(folder, 'record.jsonl')
  try {
    const endless = new Map<string, string>()
    for (let round = 0; round <= RESTARTS_MAX; round += 1) {
      const stuck = await runOnce(task, record, endless)
      if (stuck === null) return resultOf(record, endless)
      endless.set(stuck, 'timeout')
    }
    throw new Error(`the tests of ${task.files.join(', ')} hang again and again`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Null when all is run; otherwise the mutant that hangs. */
async function runOnce(
  task: GroupTask,
  record: string,
  endless: ReadonlyMap<string, string>,
): Promise<string | null> {
  const ids = task.mutants.map(({ id }) => id).filter((id) => !endless.has(id))
  const env = {
    ...process.env,
    MEMGOV_RUNS: String(task.runs),
    MEMGOV_MUTATE_FILES: task.files.join(' '),
    MEMGOV_MUTATE_IDS: ids.join(' '),
    MEMGOV_MUTATE_RECORD: record,
  }
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.mutate.config.ts', ...task.tests]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  appendFileSync(record, '\n')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += String(piece)))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const isDone = { value: false }
  void ended.then(() => (isDone.value = true))
  while (!isDone.value) {
    await Promise.race([ended, delay(LOOK_MS)])
    if (isDone.value || !isSilent(record, task.silenceMs)) continue
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    await ended
    const last = notesOf(record).at(-1)
    if (last?.word === 'started') return last.id
    throw new Error(`the tests hang without a mutant\n${output}`)
  }
  if ((await ended) !== 0) throw new Error(`the tests do not pass without a mutant\n${output}`)
  return null
}

function isSilent(record: string, silenceMs: number): boolean {
  return existsSync(record) && Date.now() - statSync(record).mtimeMs > silenceMs
}

interface Note {
  readonly word: string
  readonly id: string
  readonly test: string
}

function notesOf(record: string): readonly Note[] {
  if (!existsSync(record)) return []
  const lines = readFileSync(record, 'utf8').split('\n')
  return lines.flatMap((line): Note[] => {
    if (line === '') return []
    const fields: unknown = JSON.parse(line)
    if (!Array.isArray(fields)) return []
    return [{ word: String(fields[0]), id: String(fields[1]), test: String(fields[2]) }]
  })
}

function resultOf(record: string, endless: ReadonlyMap<string, string>): GroupResult {
  const notes = notesOf(record)
  const killed = notes.filter(({ word }) => word === 'killed').map(({ id, test }) => [id, test] as const)
  return {
    killedBy: new Map([...killed, ...endless]),
    reached: new Set(notes.map(({ id }) => id)),
    taken: new Set(notes.filter(({ word }) => word === 'taken').map(({ id }) => id)),
    unrepeatable: [...new Set(notes.filter(({ word }) => word === 'unrepeatable').map(({ test }) => test))],
  }
}
