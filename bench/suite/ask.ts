import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Question } from '../registry.ts'
import type { Outcome } from '../result.ts'

export interface AskOptions {
  readonly isQuick: boolean
  /** Folder of texts for the questions that read one. */
  readonly data: string | null
  /** Gets the process while it runs. */
  readonly onStart?: (child: ChildProcess) => void
  /** Gets what the process writes to standard error. */
  readonly onComplaint: (text: string) => void
}

/** Asks one question in a process of its own. Rejects when that breaks or prints something else than its report. */
export async function ask(question: Question, options: AskOptions): Promise<Outcome> {
  const file = fileURLToPath(new URL(`../${question.name}.js`, import.meta.url))
  const own = options.isQuick ? question.quickArgs : question.args
  const data = question.takesData && options.data !== null ? ['--data', options.data] : []
  const child = spawn(process.execPath, [file, '--json', ...own, ...data], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  options.onStart?.(child)
  let said = ''
  let complained = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complained = (complained + text).slice(-COMPLAINT_CHARS)
    options.onComplaint(text)
  })
  const status = await new Promise<number | string>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'))
  })
  if (status !== 0) throw new Error(`it ended with ${status}: ${lastLineOf(complained)}`)
  return question.outcomeOf(said)
}

const COMPLAINT_CHARS = 4_000

/** The line that names the error, where there is one; the last one otherwise. */
function lastLineOf(text: string): string {
  const lines = text.trim().split('\n')
  return lines.findLast((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? ''
}
