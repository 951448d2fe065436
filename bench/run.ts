import type { ChildProcess } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { compareResults, compareText } from './compare.ts'
import { htmlOf } from './html.ts'
import { PROFILE_USAGE, profileCommand } from './profile.ts'
import { listText, QUESTIONS, type Question, questionNamed } from './registry.ts'
import { parseSuiteResult, type SuiteResult } from './result.ts'
import { ask } from './suite/ask.ts'
import { joinResults } from './suite/join.ts'
import { surroundings } from './suite/machine.ts'
import { progressLineOn } from './suite/progress-line.ts'
import { benchText, surroundingsText } from './suite/text.ts'

const USAGE = `npm run bench [-- NAME...] [--quick] [--json FILE] [--html FILE] [--data DIR]
npm run bench -- --list
npm run bench -- compare A.json B.json
npm run bench -- join FILE.json... [--json FILE] [--html FILE]
${PROFILE_USAGE.split('\n')[0] ?? ''}

Asks the named questions, or all of them, each in a process of its own, and prints what it found. compare tells what
changed between two results; join makes one report of several runs of one build.

  --quick      smaller sizes, fewer rounds: some seconds a question
  --json FILE  write everything as JSON, for compare
  --html FILE  write everything as one page with plots
  --data DIR   folder of texts for recall and screening
  --list       what each question measures, what it is held against, its goals

Exit code: 0 done, however slow, 1 something broke, 2 arguments not understood.
`

/** A report that is not understood is told of at length otherwise. */
const MESSAGE_CHARS = 500
const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const

interface Options {
  readonly isQuick: boolean
  readonly json: string | null
  readonly html: string | null
  readonly data: string | null
}

interface Written {
  readonly json?: string
  readonly html?: string
}

async function main(argv: readonly string[]): Promise<number> {
  if (argv[0] === 'profile') return profileCommand(argv.slice(1))
  const parsed = parsedFrom(argv)
  if (parsed === null) return misunderstood('')
  const { values, positionals } = parsed
  if (values.help === true) return printed(USAGE)
  if (values.list === true) return printed(`${listText()}\n`)
  const [command, ...files] = positionals
  if (command === 'compare') {
    const [before, after, ...rest] = files
    if (before === undefined || after === undefined || rest.length > 0) {
      return misunderstood('compare takes two files.\n')
    }
    return compare(before, after)
  }
  if (command === 'join')
    return files.length === 0 ? misunderstood('join takes files.\n') : join(files, values)
  const unknown = positionals.find((name) => questionNamed(name) === null)
  if (unknown !== undefined) return misunderstood(`There is no question ${unknown}; --list names all.\n`)
  const wanted = QUESTIONS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  return runAll(wanted, {
    isQuick: values.quick === true,
    json: values.json ?? null,
    html: values.html ?? null,
    data: values.data ?? null,
  })
}

async function compare(before: string, after: string): Promise<number> {
  const [a, b] = await Promise.all([before, after].map((file) => readFile(file, 'utf8')))
  return printed(`${compareText(compareResults(parseSuiteResult(a ?? ''), parseSuiteResult(b ?? '')))}\n`)
}

/** One result of several runs, printed and written. */
async function join(files: readonly string[], { json, html }: Written): Promise<number> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  const suite = joinResults(texts.map(parseSuiteResult))
  for (const result of suite.results) process.stdout.write(`${benchText(result)}\n\n`)
  process.stdout.write(`${surroundingsText(suite)}\n`)
  await write(suite, json ?? null, html ?? null)
  return 0
}

async function write(suite: SuiteResult, json: string | null, html: string | null): Promise<void> {
  if (json !== null) await writeFile(json, `${JSON.stringify(suite)}\n`)
  if (html !== null) await writeFile(html, htmlOf(suite))
}

async function runAll(questions: readonly Question[], options: Options): Promise<number> {
  const progress = progressLineOn(process.stderr)
  const result = { format: 'memgov-bench-1' as const, ...surroundings(), isQuick: options.isQuick }
  const results: SuiteResult['results'] = []
  const failures: SuiteResult['failures'] = []
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
  for (const [place, question] of questions.entries()) {
    if (isStopped) break
    progress.say(`[${place + 1}/${questions.length}] ${question.name}`)
    const startedAt = performance.now()
    try {
      const outcome = await ask(question, {
        ...options,
        onStart: (started) => {
          child = started
        },
        onComplaint: (text) => {
          progress.clear()
          process.stderr.write(text)
        },
      })
      const found = { bench: question.name, tookMs: Math.round(performance.now() - startedAt), ...outcome }
      results.push(found)
      progress.clear()
      process.stdout.write(`${benchText(found)}\n\n`)
    } catch (error) {
      progress.clear()
      const message = (error instanceof Error ? error.message : String(error)).slice(0, MESSAGE_CHARS)
      failures.push({ bench: question.name, message })
      process.stderr.write(`${question.name} broke: ${message}\n`)
    }
  }
  for (const signal of STOP_SIGNALS) process.removeListener(signal, stop)
  const suite: SuiteResult = { ...result, results, failures }
  process.stdout.write(`${surroundingsText(suite)}\n`)
  await write(suite, options.json, options.html)
  return failures.length > 0 ? 1 : 0
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
