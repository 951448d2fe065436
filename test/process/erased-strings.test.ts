import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { dataFolder } from '../harness/data-folder.ts'

const ENTRY = fileURLToPath(new URL('../../dist/src/index.js', import.meta.url))

// A process of its own, because the word may stand in no other string of it: it is put together from bytes.
const SCRIPT = `
import { Session } from 'node:inspector/promises'
import { text } from 'node:stream/consumers'
import { getHeapSnapshot } from 'node:v8'
import { createRuntime } from '${ENTRY}'
const secret = (ending = '') => Buffer.from('yzmpnbodfs').map((byte) => byte - 1).toString() + ending
// Buffers that live, but those of the words that are sought.
const bytesOf = (word) => [Buffer.alloc(word.length, word), Buffer.alloc(2 * word.length, word, 'utf16le')]
globalThis.holdsIn = (buffers, word) => {
  const forms = bytesOf(word)
  const others = buffers.filter((buffer) => !forms.some((form) => form.buffer === buffer))
  return others.some((buffer) => forms.some((form) => Buffer.from(buffer).includes(form)))
}
globalThis.secret = secret
async function inBuffers() {
  const session = new Session()
  session.connect()
  const held = [false, false]
  for (const kind of ['ArrayBuffer', 'SharedArrayBuffer']) {
    const { result } = await session.post('Runtime.evaluate', { expression: kind + '.prototype' })
    const { objects } = await session.post('Runtime.queryObjects', { prototypeObjectId: result.objectId })
    const functionDeclaration = 'function () { return [holdsIn(this, "harbour"), holdsIn(this, secret())] }'
    const answer = await session.post('Runtime.callFunctionOn', { functionDeclaration, objectId: objects.objectId, returnByValue: true })
    answer.result.value.forEach((isHeld, at) => { held[at] ||= isHeld })
  }
  session.disconnect()
  return held
}
const runtime = await createRuntime({ dataDir: process.argv[1], logLevel: 'silent', workerMemoriesMin: 10 })
for (let at = 0; at < 40; at += 1) await runtime.observe({ input_text: 'the harbour ' + at + ' is open' })
// A word of its own in each field, so that a word which is left names the field.
const said = (form) => (field) => secret(form + field)
const memoryOf = (word) => ({
  kind: word('Kind'), title: word('Title'), text: 'call ' + secret() + ' at the harbour', summary: word('Summary'),
  target_files: [word('File')], acceptance_checks: [word('Check')], workflow_steps: [word('Step')], tools: [word('Tool')],
  next_action: word('Next'), outcome: word('Outcome'), evidence_refs: [word('Evidence')], raw_ref: word('Raw'),
  payload: { by: word('Payload') }, tags: [word('Tag')], metadata: { [word('Key')]: word('Metadata') },
})
const runOf = (word) => ({
  title: word('Title'), summary: 'the harbour ' + word('Summary'), outcome: word('Outcome'), workflow_steps: [word('Step')],
  target_files: [word('File')], acceptance_checks: [word('Check')], tools: [word('Tool')], evidence_refs: [word('Evidence')],
  verifier: { name: word('Verifier'), status: 'passed', summary: word('Verified') }, raw_ref: word('Raw'),
  artifacts: [{ path: word('Artifact') }], continuation_hint: word('Next'),
})
const claimOf = (word) => ({
  subject_key: word('Subject'), predicate: word('Predicate'), value: word('Value'), value_text: word('Text'),
  conflict_policy: 'singleton_latest', slot_key: word('Slot'), evidence_refs: [word('Evidence')], metadata: { by: word('Metadata') },
})
const handoffOf = (word) => ({
  handoff_kind: word('Kind'), title: word('Title'), summary: word('Summary'), handoff_text: word('Text'),
  next_action: word('Next'), risk: word('Risk'), target_role: word('Role'), acceptance_checks: [word('Check')],
  target_files: [word('File')], symbol: word('Symbol'), must_keep: [word('Keep')],
})
let lone = ''
async function tell() {
  const memory = { client_id: 'one', ...memoryOf(said('memory')) }
  const { memory_ids } = await runtime.observe({ memory, operation_id: 'op' })
  await runtime.observe({ memory: { text: 'src/' + secret('Path') + '.ts, ' + secret('ing') + ' at harbours', client_id: 'two' } })
  await runtime.observe({ execution: { client_id: 'three', ...runOf(said('run')) } })
  await runtime.observe({ claims: [{ client_id: 'four', ...claimOf(said('claim')) }] })
  await runtime.observe({ handoff: { client_id: 'five', ...handoffOf(said('handoff')) } })
  await runtime.observe({ memory: { text: 'nobody', client_id: 'one' } })
  await runtime.guide({ query_text: 'who is at the harbour', run_id: 'run' })
  await runtime.guide({ query_text: 'the harbour of src/' + secret('Asked') + '.ts, says ' + secret('Query'), run_id: 'asked', operation_id: 'ask' })
  await runtime.guide({ query_text: secret('Lone') + ' harbour' }).then(({ guide_trace_id }) => { lone = guide_trace_id })
  await runtime.rehydrate({ memory_ids, reason: 'look' })
  await runtime.forget({ operation: 'suppress', target: 'memory', memory_ids, reason: secret('Reason') })
}
async function found() {
  // What was the last match of a pattern is kept until the next.
  'nothing'.match(/\\w/)
  for (let at = 0; at < 3; at += 1) await runtime.guide({ query_text: 'the harbour' })
  await new Promise((resolve) => setTimeout(resolve))
  globalThis.gc()
  const heap = await text(getHeapSnapshot())
  const words = new Set(heap.match(new RegExp(secret() + '[A-Za-z]*', 'g')))
  'nothing'.match(/\\w/)
  return { isRead: heap.includes('the harbour 7 is open'), words: [...words].map((word) => word.slice(secret().length)), buffers: await inBuffers() }
}
await tell()
const before = await found()
await runtime.erase({ reason: 'asked for', client_ids: ['one', 'two', 'three', 'four', 'five'] })
await runtime.erase({ reason: 'asked for', run_ids: ['asked'], guide_trace_ids: [lone] })
const after = await found()
await runtime.close()
console.log(JSON.stringify({ before, after }))
`

/** Of what each form says, some fields that the process holds until the erasure. */
const FIELDS = ['memoryKind', 'memoryTitle', 'memoryTag', 'runVerified', 'claimSlot', 'handoffRisk', 'Path']

test('after an erasure no string and no buffer of the serving process holds a word of any field of it', async () => {
  const flags = ['--expose-gc', '--input-type=module', '--eval', SCRIPT, dataFolder()]
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')])
  const { before, after } = JSON.parse(printed)
  expect(before).toMatchObject({ isRead: true, buffers: [true, true] })
  expect(before.words).toEqual(expect.arrayContaining(FIELDS))
  expect(after).toEqual({ isRead: true, words: [], buffers: [true, false] })
})
