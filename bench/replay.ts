// Feeds recorded agent runs through a running service: the first two trials of each task are observed with their true
// outcome, before the third the service is asked. Does what failed stay out of use_now, and what succeeded get there?
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { jsonClient } from './json-client.ts'
import { isMain } from './measure.ts'
import { progressOn } from './replay/progress.ts'
import { RecordingError, readRecording } from './replay/recording.ts'
import { reportOf, reportText } from './replay/report.ts'
import { type Outcome, type Plan, planOf, replay } from './replay/session.ts'
import { startService } from './service-process.ts'

const USAGE = `Usage: npm run replay -- FILE [--url URL] [--json]

Replays a recording of agent runs: a JSON array of {task_id, trial, reward: 0 or 1, traj: [chat messages with
tool calls]}. Trials 0 and 1 of each task are observed, before trial 2 the service is asked for guidance.

  --url URL   use the service that runs there; default: start one with a temporary data folder
  --json      print the report as JSON

Exit code: 0 as expected, 1 an expectation is broken or the service failed, 2 arguments or file not understood.
`

interface Arguments {
  readonly file: string
  readonly url: string | null
  readonly isJson: boolean
}

class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Resolves with the exit code. `signal` stops it and removes what it started. */
async function run(argv: readonly string[], signal: AbortSignal): Promise<number> {
  try {
    const given = argumentsFrom(argv)
    if (given === null) {
      process.stdout.write(USAGE)
      return 0
    }
    const plan = planOf(await readRecording(given.file))
    if (plan.guided.length === 0) {
      throw new RecordingError(`${given.file} has no trial 2 of any task, so there is nothing to ask for.`)
    }
    const outcome =
      given.url === null ? await withOwnService(plan, signal) : await against(given.url, plan, signal)
    const report = reportOf(given.file, process.version, outcome)
    process.stdout.write(`${given.isJson ? JSON.stringify(report) : reportText(report)}\n`)
    return report.isAsExpected ? 0 : 1
  } catch (error) {
    if (signal.aborted) {
      process.stderr.write('replay: stopped\n')
      return 130
    }
    process.stderr.write(`replay: ${messageOf(error)}\n`)
    return error instanceof UsageError || error instanceof RecordingError ? 2 : 1
  }
}

/** Null when help is wanted. @throws UsageError */
function argumentsFrom(argv: readonly string[]): Arguments | null {
  let parsed: { values: { url?: string; json?: boolean; help?: boolean }; positionals: string[] }
  try {
    parsed = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { url: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    })
  } catch (error) {
    throw new UsageError(`${messageOf(error).split('. ', 1)[0]}. See --help.`)
  }
  const { values, positionals } = parsed
  if (values.help === true) return null
  const [file, ...rest] = positionals
  if (file === undefined) throw new UsageError('A file is missing: npm run replay -- FILE. See --help.')
  if (rest.length > 0) throw new UsageError('One file at a time. See --help.')
  if (values.url !== undefined && !/^http:\/\/[^/]+\/?$/.test(values.url)) {
    throw new UsageError(`--url ${values.url} is not like http://127.0.0.1:3001.`)
  }
  return { file, url: values.url ?? null, isJson: values.json === true }
}

async function withOwnService(plan: Plan, signal: AbortSignal): Promise<Outcome> {
  const dataDir = await mkdtemp(join(tmpdir(), 'memgov-replay-'))
  try {
    const service = await startService({ dataDir, signal })
    try {
      return await against(service.url, plan, signal)
    } finally {
      // Nobody needs what it would still write.
      await service.kill()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function against(url: string, plan: Plan, signal: AbortSignal): Promise<Outcome> {
  const client = jsonClient(url, signal)
  const progress = progressOn(process.stderr, plan.observed.length + plan.guided.length)
  try {
    return await replay(plan, client, () => progress.step())
  } finally {
    progress.clear()
    await client.close()
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message === '' && 'code' in error ? String(error.code) : error.message
}

if (isMain(import.meta.url)) {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stop.abort())
  process.exitCode = await run(process.argv.slice(2), stop.signal)
}
