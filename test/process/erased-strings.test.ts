import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { dataFolder, removeDataFolders } from '../harness/data-folder.ts'

afterAll(removeDataFolders)

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
async function tell() {
  const memory = { client_id: 'one', title: secret('s'), text: 'call ' + secret() + ' at the harbour', payload: { by: secret() } }
  const { memory_ids } = await runtime.observe({ memory, operation_id: 'op' })
  await runtime.observe({ memory: { text: 'src/' + secret('File') + '.ts, ' + secret('ing') + ' at harbours', client_id: 'two' } })
  await runtime.observe({ memory: { text: 'nobody', client_id: 'one' } })
  await runtime.guide({ query_text: 'who is at the harbour', run_id: 'run' })
  await runtime.rehydrate({ memory_ids, reason: 'look' })
}
async function found() {
  // What was the last match of a pattern is kept until the next.
  'nothing'.match(/\\w/)
  for (let at = 0; at < 3; at += 1) await runtime.guide({ query_text: 'the harbour' })
  await new Promise((resolve) => setTimeout(resolve))
  globalThis.gc()
  const heap = await text(getHeapSnapshot())
  return [heap.includes('the harbour 7 is open'), heap.includes(secret()), ...(await inBuffers())]
}
await tell()
const before = await found()
await runtime.erase({ reason: 'asked for', client_ids: ['one', 'two'] })
const after = await found()
await runtime.close()
console.log(JSON.stringify({ before, after }))
`

test('after an erasure no string and no buffer of the serving process holds a word of it', async () => {
  const flags = ['--expose-gc', '--input-type=module', '--eval', SCRIPT, dataFolder()]
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect(JSON.parse(printed)).toEqual({ before: [true, true, true, true], after: [true, false, true, false] })
})
