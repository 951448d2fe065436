import { spawn } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** Every benchmark: what it asks. Each is also a program of its own under `dist/bench`. */
const BENCHES: Readonly<Record<string, string>> = {
  append: 'append throughput at the journal port beside a bare group commit of the same records',
  'http-edge': 'what the HTTP edge costs over a bare Fastify echo',
  large:
    'a million memories in one scope and 100 000 scopes: start to first guide, event loop while a snapshot is made',
  loop: 'guide and durable observe over HTTP beside echo, bare ranking and one flush',
  'measure-trace': 'how long one measurement keeps the serving thread busy',
  ranking: 'insert and ranking times of the recall index by size, inline and in the pool',
  recall: 'how much of the evidence of questions a guide finds, and what it shows to strangers',
  recorder: 'replay of a guide 100 000 events back, with and without what it would show now',
  restart: 'time from start to the first guide with 100 000 memories',
  screening: 'what content screening finds by family of text, and what it costs',
  snapshot: 'snapshot write and read times, longest block of the main thread',
}

function usage(): string {
  const rows = Object.entries(BENCHES).map(([name, question]) => `  ${name.padEnd(13)} ${question}`)
  return `npm run bench -- NAME [options]\n\n${rows.join('\n')}\n`
}

const [name, ...rest] = process.argv.slice(2)
if (name === undefined || !Object.hasOwn(BENCHES, name)) {
  process.stderr.write(name === undefined ? usage() : `There is no benchmark ${name}.\n${usage()}`)
  process.exitCode = name === undefined ? 0 : 2
} else {
  const file = fileURLToPath(new URL(`./${name}.js`, import.meta.url))
  const child = spawn(process.execPath, [file, ...rest], { stdio: 'inherit' })
  // The terminal sends Ctrl-C to both: the benchmark cleans up, and this process waits for it.
  process.on('SIGINT', () => {})
  child.on('exit', (code) => {
    process.exitCode = code ?? 1
  })
}
