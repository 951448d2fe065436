import { type ChildProcess, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { pageOf } from './html/page.ts'
import { listText, QUESTIONS, type Question } from './registry.ts'
import { type Outcome, parseOutcome } from './result.ts'
import { surroundings } from './suite/machine.ts'
import { outcomeText } from './suite/text.ts'

const USAGE = `npm run bench [-- NAME...] [--quick] [--json FILE] [--html FILE] [--data DIR] [--only PART]
npm run bench -- builds --other DIR [--quick]
npm run bench -- --list

Asks the named questions, or all of them, each in a process of its own, and prints what it found. builds measures this
build and that of another checkout in turns, and prints ratios.

  --quick      smaller sizes, fewer rounds: some seconds a question
  --json FILE  write everything as JSON
  --html FILE  write a page: what was met and missed, and every figure beside its yardstick
  --data DIR   folder of recorded texts: DIR/locomo for recall, also DIR/recall for recall-sets, DIR/screening for screening, these
               and DIR/judgement and DIR/agent-runs for judgement; default: BENCH_DATA
  --only PART  of recall, recall-sets, judgement or fleet only this part; several with commas
  --other DIR  another checkout, built
  --list       what each question measures, what it is held against, its goals

Exit code: 0 done, however slow, 1 something broke, 2 arguments not understood.
`

/** A report that is not understood is told of at length otherwise. */
const MESSAGE_CHARS = 500
const COMPLAINT_CHARS = 4_000
const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const

interface Options {
  readonly isQuick: boolean
  readonly json: string | null
  readonly html: string | null
  readonly data: string | null
  readonly only: string | null
}

async function main(argv: readonly string[]): Promise<number> {
  const parsed = parsedFrom(argv)
  if (parsed === null) return misunderstood('')
  const { values, positionals } = parsed
  if (values.help === true) return printed(USAGE)
  if (values.list === true) return printed(`${listText()}\n`)
  if (positionals[0] === 'builds') {
    if (values.other === undefined || positionals.length > 1)
      return misunderstood('builds takes --other DIR.\n')
    const quick = values.quick === true ? ['--quick'] : []
    const child = spawn(process.execPath, [fileOf('builds'), '--other', values.other, ...quick], {
      stdio: 'inherit',
    })
    return (await endOf(child)) === 0 ? 0 : 1
  }
  const unknown = positionals.find((name) => !QUESTIONS.some((question) => question.name === name))
  if (unknown !== undefined) return misunderstood(`There is no question ${unknown}; --list names all.\n`)
  const wanted = QUESTIONS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  if (values.only !== undefined && !(wanted.length === 1 && wanted[0]?.hasParts === true))
    return misunderstood(
      '--only takes one question that has parts: recall, recall-sets, judgement or fleet.\n',
    )
  return runAll(wanted, {
    isQuick: values.quick === true,
    json: values.json ?? null,
    html: values.html ?? null,
    data: values.data ?? null,
    only: values.only ?? null,
  })
}

async function runAll(questions: readonly Question[], options: Options): Promise<number> {
  const results: ({ readonly bench: string } & Outcome)[] = []
  const failures: { readonly bench: string; readonly message: string }[] = []
  let child: ChildProcess | null = null
  let isStopped = false
  // No benchmark outlives the suite; what was found so far is kept.
  const stop = (): void => {
    isStopped = true
    child?.kill('SIGINT')
  }
  for (const signal of STOP_SIGNALS) process.on(signal, stop)
  // As when the output goes into a program that has read enough.
  process.stdout.on('error', stop)
  for (const [at, question] of questions.entries()) {
    if (isStopped) break
    if (process.stderr.isTTY) process.stderr.write(`${at + 1} of ${questions.length}: ${question.title} …\n`)
    const { name } = question
    const startedAt = performance.now()
    try {
      const outcome = await ask(question, options, (started) => {
        child = started
      })
      results.push({ bench: name, ...outcome })
      process.stdout.write(`${outcomeText(name, performance.now() - startedAt, outcome)}\n\n`)
    } catch (error) {
      const message = (error instanceof Error ? error.message : String(error)).slice(0, MESSAGE_CHARS)
      failures.push({ bench: name, message })
      process.stderr.write(`${name} broke: ${message}\n`)
    }
  }
  const around = surroundings()
  const { machine, node, commit } = around
  process.stdout.write(`${machine}; Node ${node}; commit ${commit ?? 'unknown'}\n`)
  const suite = { ...around, isQuick: options.isQuick, results, failures }
  if (options.json !== null) await writeFile(options.json, `${JSON.stringify(suite)}\n`)
  if (options.html !== null) await writeFile(options.html, pageOf(suite, QUESTIONS))
  return failures.length > 0 ? 1 : 0
}

/** Asks one question in a process of its own. Rejects when that breaks or prints something else than its outcome. */
async function ask(
  question: Question,
  { isQuick, data, only }: Options,
  onStart: (child: ChildProcess) => void,
): Promise<Outcome> {
  const quick = isQuick ? ['--quick'] : []
  const texts = question.takesData && data !== null ? ['--data', data] : []
  const parts = only === null ? [] : ['--only', only]
  const child = spawn(process.execPath, [fileOf(question.name), '--json', ...quick, ...texts, ...parts], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onStart(child)
  let said = ''
  let complained = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complained = (complained + text).slice(-COMPLAINT_CHARS)
    process.stderr.write(text)
  })
  const status = await endOf(child)
  if (status !== 0) throw new Error(`it ended with ${status}: ${lastLineOf(complained)}`)
  return parseOutcome(said)
}

function fileOf(name: string): string {
  return fileURLToPath(new URL(`./${name}.js`, import.meta.url))
}

/** Exit code or signal. */
function endOf(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'))
  })
}

/** The line that names the error, where there is one; the last one otherwise. */
function lastLineOf(text: string): string {
  const lines = text.trim().split('\n')
  return lines.findLast((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? ''
}

/** Null when the arguments are not understood. */
function parsedFrom(argv: readonly string[]) {
  const flag = { type: 'boolean' } as const
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        quick: flag,
        list: flag,
        help: { ...flag, short: 'h' },
        json: text,
        html: text,
        data: text,
        only: text,
        other: text,
      },
    })
  } catch {
    return null
  }
}

function printed(text: string): number {
  process.stdout.write(text)
  return 0
}

function misunderstood(why: string): number {
  process.stderr.write(`${why}${USAGE}`)
  return 2
}

process.exitCode = await main(process.argv.slice(2))
