import { existsSync } from 'node:fs'
import { readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { readFolder } from '../../src/app/cli/read-stored.ts'
import { compose } from '../../src/app/compose.ts'
import { parseArguments } from '../../src/edges/cli/arguments.ts'
import { UsageError } from '../../src/edges/cli/command-flags.ts'
import { explanation } from '../../src/edges/cli/look-up.ts'
import { type Ask, asReply } from '../../src/edges/cli/reader.ts'
import { type ReadCommand, runRead } from '../../src/edges/cli/reads.ts'
import { paintFor } from '../../src/edges/cli/terminal-text.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { closeEmbedded, type Embedded, startEmbedded } from '../harness/embedded.ts'

afterEach(closeEmbedded)

const HOSTILE = 'a note \u001b[2J\u001b]0;owned\u0007 with \u202egnp'
const place = { tenant_id: 'default', scope: 'default' }

function commandOf(...argv: string[]): ReadCommand {
  const invocation = parseArguments(argv, [])
  if (invocation.kind !== 'read') throw new Error('it reads nothing')
  return invocation.command
}

const asking =
  (real: Embedded): Ask =>
  async (name, fields) => {
    const reply = await real.call(name, fields)
    return asReply(reply.refusal === null, reply.answer ?? reply.refusal)
  }

async function run(real: Embedded, command: ReadCommand, rounds: readonly (() => Promise<unknown>)[] = []) {
  const said = { out: '', error: '' }
  let round = 0
  const code = await runRead(command, asking(real), {
    isColoured: false,
    out: (text) => (said.out += text),
    error: (text) => (said.error += text),
    async next() {
      await rounds[round]?.()
      round += 1
      return round <= rounds.length
    },
  })
  return { code, ...said }
}

async function scene() {
  const real = await startEmbedded()
  const observed = await real.ok('observe', { ...place, input_text: HOSTILE, memory: { origin: 'user' } })
  const guide = await real.ok('guide', { ...place, query_text: 'which note', run_id: 'run-1' })
  return { real, id: observed.memory_ids[0] ?? '', trace: guide.guide_trace_id }
}

test('ls prints each list as a table whose text cannot act on a terminal, and as one object a line', async () => {
  const { real, id, trace } = await scene()
  const printed = {
    scopes: 'default',
    memories: `${id}`,
    guides: trace,
    review: id,
  }
  for (const [list, mark] of Object.entries(printed)) {
    const table = await run(real, commandOf('ls', list))
    expect(table).toMatchObject({ code: 0, error: '' })
    expect(table.out).toContain(mark)
    expect(table.out.replaceAll('\n', '')).not.toMatch(/\p{C}/u)
    const lines = (await run(real, commandOf('ls', list, '--json'))).out.trimEnd().split('\n')
    expect(lines.join('')).not.toMatch(/\p{C}/u)
    expect(lines.map((line) => JSON.stringify(JSON.parse(line))).join()).toContain(mark)
  }
  expect((await run(real, commandOf('ls'))).out).toContain('\\u{1b}')
  expect((await run(real, commandOf('ls', 'memories', '--text', 'NOTE'))).out).toContain(id)
  expect((await run(real, commandOf('ls', 'memories', '--text', 'nothing'))).out).toContain(
    '0 in all in the scope default: memgov ls scopes tells the others.',
  )
})

test('what was erased is said to be erased, whatever state it had', async () => {
  const { real, id } = await scene()
  await real.ok('erase', { ...place, memory_ids: [id], reason: 'asked for' })
  const { out } = await run(real, commandOf('ls'))
  expect(out).toMatch(new RegExp(`${id} .* erased `))
  expect(out).not.toContain('active')
  expect((await run(real, commandOf('show', id))).out).toMatch(/^ *state +erased$/m)
  expect((await run(real, commandOf('tail'))).out).toMatch(new RegExp(`${id}  erased`))
})

test('ls follows the cursor as far as its limit, and says where there is more', async () => {
  const real = await startEmbedded()
  for (let at = 0; at < 7; at += 1) await real.ok('observe', { ...place, input_text: `note ${at}` })
  const some = await run(real, commandOf('ls', 'memories', '--limit', '3', '--json'))
  expect(some.out.trimEnd().split('\n')).toHaveLength(3)
  expect((await run(real, commandOf('ls', '--limit', '3'))).out).toContain('The first 3; --limit shows more.')
  expect((await run(real, commandOf('ls'))).out).toContain('7 in all.')
})

test('show tells one memory, guide or run whole, and says so when it is none', async () => {
  const { real, id, trace } = await scene()
  const memory = await run(real, commandOf('show', id))
  expect(memory.out).toContain(`Memory ${id}`)
  expect(memory.out).toContain(trace)
  const guide = await run(real, commandOf('show', trace))
  expect(guide.out).toContain('Prompt, as it was answered')
  expect(guide.out).toContain('which note')
  const ofRun = await run(real, commandOf('show', 'run-1'))
  expect(ofRun.out).toContain('Run run-1')
  expect(ofRun.out).toContain(trace)
  for (const { out } of [memory, guide, ofRun]) expect(out.replaceAll('\n', '')).not.toMatch(/\p{C}/u)
  const none = await run(real, commandOf('show', 'run-9'))
  expect(none).toMatchObject({ code: 1, out: '' })
  expect(none.error).toMatch(/run-9 .*no memory, also of another store, no guide and no run/)
})

test('show tells what is known of a memory of another store by its id there', async () => {
  const real = await startEmbedded()
  const candidate = { external_memory_id: 'doc-4', source_backend: 'notes', text: 'Deploys are on Fridays' }
  const asked = {
    ...place,
    query_text: 'when are deploys',
    candidates: [candidate],
    mode: 'admission',
    record: true,
  }
  const { guide_trace_id } = await real.ok('govern', { ...asked, run_id: 'run-4' })
  await real.ok('feedback', {
    ...place,
    guide_trace_id: guide_trace_id ?? '',
    run_id: 'run-4',
    outcome: 'negative',
    used_surface: 'use_now',
    used_memory_ids: ['doc-4'],
    reason: 'deploys moved',
    verifier_status: 'failed',
  })
  const { code, out } = await run(real, commandOf('show', 'doc-4'))
  expect(code).toBe(0)
  expect(out).toMatch(/^External memory doc-4 of notes$/m)
  expect(out).toMatch(/governed +1 times/)
  expect(out).toMatch(/Outcomes, lane shared\n +\S+ +negative +run run-4 +deploys moved/)
})

test('explain names memory of other stores that was judged for the same run, by its id there', () => {
  const candidate = {
    external_memory_id: HOSTILE,
    admission_action: 'do_not_use',
    rule_id: 'G2',
    reason_codes: ['runtime_history:failed'],
  }
  const report = (govern_decisions: readonly object[]) =>
    explanation({ agent_flight_recorder: { govern_decisions } }, paintFor(false)).join('\n')
  const told = report([{ candidates: [candidate] }])
  expect(told).toMatch(/What was governed\n +do_not_use +a note .* +G2 runtime_history:failed\n/)
  expect(told.replaceAll('\n', '')).not.toMatch(/\p{C}/u)
  expect(report([])).not.toContain('governed')
})

test('tail prints what comes, each once, the oldest first', async () => {
  const { real, id, trace } = await scene()
  const write = async (text: string) => {
    real.clock.advance(1000)
    await real.ok('observe', { ...place, input_text: text })
  }
  const told = await run(real, commandOf('tail'), [
    async () => undefined,
    async () => {
      await write('the first')
      await write('the second')
    },
    () => real.ok('guide', { ...place, query_text: 'the first', run_id: 'run-2' }),
  ])
  const lines = told.out.trimEnd().split('\n')
  expect(lines).toHaveLength(5)
  expect(lines[0]).toContain(id)
  expect(lines[1]).toContain(trace)
  expect(lines[2]).toContain('the first')
  expect(lines[3]).toContain('the second')
  expect(lines[4]).toContain('run-2')
})

test('tail prints nothing again when the newest guide is erased', async () => {
  const { real, trace } = await scene()
  const { guide_trace_id } = await real.ok('guide', { ...place, query_text: 'the last' })
  const told = await run(real, commandOf('tail'), [
    () => real.ok('erase', { ...place, guide_trace_ids: [guide_trace_id], reason: 'x' }),
  ])
  expect(told.out.split(trace)).toHaveLength(2)
})

test('a folder that nobody uses is shown without a service; what is none is refused and left as it is', async () => {
  const { real, id } = await scene()
  const dir = real.dir
  const said = { out: '', error: '' }
  const output = {
    isColoured: false,
    out: (text: string) => (said.out += text),
    error: (text: string) => (said.error += text),
    next: async () => false,
  }
  // While the service has it, the folder is refused.
  expect(await readFolder(dir, commandOf('ls'), output, compose)).toBe(2)
  const digest = await real.digest(place)
  await real.close()
  expect(await readFolder(dir, commandOf('ls'), output, compose)).toBe(0)
  expect(said.out).toContain(id)
  // A folder that is named is read also where the environment has a database.
  vi.stubEnv('MEMGOV_STORE', 'postgres://nobody@127.0.0.1:1/none')
  const read = await readFolder(dir, commandOf('ls'), output, compose)
  vi.unstubAllEnvs()
  expect(read).toBe(0)
  const again = await startEmbedded({ dir })
  expect(await again.digest(place)).toBe(digest)
  const empty = dataFolder()
  expect(await readFolder(empty, commandOf('ls'), output, compose)).toBe(2)
  expect(said.error).toContain('is no data folder')
  expect(existsSync(empty) ? await readdir(empty) : []).toEqual([])
  await again.close()
  // What cannot be looked into is not called empty.
  const closed = dataFolder()
  await symlink('FORMAT.json', join(closed, 'FORMAT.json'))
  expect(await readFolder(closed, commandOf('ls'), output, compose)).toBe(2)
  expect(said.error).toContain('ELOOP')
  expect(await readdir(closed)).toEqual(['FORMAT.json'])
  const isFixed = () =>
    Promise.reject(Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' }))
  expect(await readFolder(dir, commandOf('ls'), output, isFixed)).toBe(2)
  expect(said.error).toContain(`memgov backup --data-dir ${dir} --to COPY`)
})

test.each([
  [['ls', 'actors'], /ls takes one of scopes, memories, guides, external, review/],
  [['ls', 'guides', '--text', 'x'], /no flag --text/],
  [['ls', '--limit', '0'], /--limit/],
  [['show'], /show needs an ID/],
  [['explain'], /explain needs a GUIDE_TRACE_ID/],
  [['ls', '--scope', '-x'], /ambiguous\. .*starting with a dash use '--scope=-XYZ'\.$/],
  [['tail', 'now'], /tail takes no argument/],
  [['ls', '--data-dir', 'x', '--url', 'http://h'], /not both/],
])('arguments %j are not understood', (argv, message) => {
  const parse = () => parseArguments(argv, [])
  expect(parse).toThrow(UsageError)
  expect(parse).toThrow(message)
})
