import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { removeDataFolders } from '../harness/data-folder.ts'
import { expectedLines, expectedText, GOLDEN } from './golden.ts'
import { type Entry, record, WORLDS } from './world.ts'

// Replays the recorded requests against this build and compares every answer.
// `node dist/test/corpus/main.js [--write] [--dump DIR] [--world NAME]`

const SHOWN_CHARS_MAX = 2_000
const SHOWN_MAX = 3

const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    dump: { type: 'string' },
    world: { type: 'string', multiple: true },
  },
})

interface Difference {
  readonly line: string
  readonly expected: string | undefined
  readonly entry: Entry | null
}

interface Result {
  readonly name: string
  readonly lines: readonly string[]
  readonly entries: readonly Entry[]
  readonly differences: readonly Difference[]
}

function say(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${line}`)
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 1)

function clipped(text: string): string {
  return text.length <= SHOWN_CHARS_MAX
    ? text
    : `${text.slice(0, SHOWN_CHARS_MAX)}… (${text.length} characters)`
}

async function replay(at: number, expected: readonly string[]): Promise<Result | null> {
  const world = WORLDS[at]
  if (world === undefined || values.world?.includes(world.name) === false) return null
  const lines: string[] = []
  const entries: Entry[] = []
  const differences: Difference[] = []
  let latest: Entry | null = null
  await record(world, at, {
    seen(entry, number) {
      entries.push(entry)
      latest = entry
      say(`${world.name}: ${number} requests, ${differences.length} differences`)
    },
    line(line) {
      const wanted = expected[lines.length]
      lines.push(line)
      if (wanted !== line) differences.push({ line, expected: wanted, entry: latest })
      latest = null
    },
  })
  for (const missing of expected.slice(lines.length)) {
    differences.push({ line: 'nothing', expected: missing, entry: null })
  }
  say('')
  if (values.dump !== undefined) dump(values.dump, world.name, entries)
  return { name: world.name, lines, entries, differences }
}

/** One file for each world, so that those of two builds can be compared line by line. */
function dump(dir: string, name: string, entries: readonly Entry[]): void {
  mkdirSync(dir, { recursive: true })
  const texts = entries.map(({ request, outcome, text }, at) => {
    const answer = outcome === 'internal_error' ? text : pretty(JSON.parse(text))
    return `== ${at + 1} ${request.operation} ${outcome}\n${pretty(request)}\n-- answer\n${answer}\n`
  })
  writeFileSync(join(dir, `${name.replaceAll(' ', '-')}.txt`), texts.join('\n'))
}

function show({ name, differences }: Result): void {
  if (differences.length === 0) return
  console.log(`\n${name}: ${differences.length} differences`)
  for (const { line, expected, entry } of differences.slice(0, SHOWN_MAX)) {
    console.log(`  expected  ${expected ?? 'nothing'}\n  got       ${line}`)
    if (entry === null) continue
    console.log(`  request   ${clipped(JSON.stringify(entry.request))}\n  answer    ${clipped(entry.text)}`)
  }
}

function summary(results: readonly Result[]): string {
  const entries = results.flatMap((result) => result.entries)
  const refused = entries.filter(({ outcome }) => outcome !== 'ok').length
  const counted = (names: readonly string[]): string => {
    const counts = new Map<string, number>()
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
    return [...counts]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, count]) => `  ${name.padEnd(40)}${count}`)
      .join('\n')
  }
  const operations = counted(entries.map(({ request }) => request.operation))
  const outcomes = counted(entries.map(({ outcome }) => outcome))
  return `${entries.length} requests, ${refused} refused\n${operations}\n\n${outcomes}`
}

const golden = values.write ? '' : readFileSync(GOLDEN, 'utf8')
const results: Result[] = []
const startedAt = performance.now()
try {
  for (const [at, { name }] of WORLDS.entries()) {
    const result = await replay(at, expectedLines(golden, name))
    if (result !== null) results.push(result)
  }
} finally {
  removeDataFolders()
}
if (results.length === 0)
  throw new Error(`there is no such world; there are ${WORLDS.map(({ name }) => name).join(', ')}`)
console.log(summary(results))
const faults = results.flatMap(({ entries }) => entries.filter(({ outcome }) => outcome === 'internal_error'))
for (const fault of faults.slice(0, SHOWN_MAX)) {
  console.log(`fault: ${clipped(JSON.stringify(fault.request))}\n${clipped(fault.text)}`)
}
if (values.write) {
  if (faults.length > 0 || results.length < WORLDS.length)
    throw new Error('only a whole corpus without faults is written')
  writeFileSync(GOLDEN, expectedText(results))
  console.log(`\nwritten: ${GOLDEN}`)
} else {
  for (const result of results) show(result)
  const differences = results.reduce((sum, result) => sum + result.differences.length, 0)
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  console.log(`\n${differences === 0 ? 'no differences' : `${differences} differences`}, ${seconds} s`)
  if (differences > 0) process.exitCode = 1
}
