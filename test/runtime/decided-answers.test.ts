import { afterAll, afterEach, expect, test } from 'vitest'
import type { OperationName } from '../../src/contract/operations.ts'
import { removeDataFolders } from '../harness/data-folder.ts'
import { closeEmbedded, type Embedded, startEmbedded } from '../harness/embedded.ts'

afterEach(closeEmbedded)
afterAll(removeDataFolders)

const place = { tenant_id: 'decided', scope: 'one' }
const question = { ...place, query_text: 'login test' }

/** One call, and what was told of it in which order. */
async function watched(real: Embedded, operation: OperationName, body: object) {
  const told: string[] = []
  let decided: object | null = null
  const onDecided = (answer: object) => {
    told.push('decided')
    decided = answer
  }
  const context = { requestId: 'watched', operationId: null, onDecided }
  const answer = await real.runtime.execute(operation, body, context)
  told.push('answered')
  return { told, decided, answer }
}

test('an answer is shown to its edge while the disk works, and is the one that is answered then', async () => {
  const real = await startEmbedded()
  for (const [operation, body] of [
    ['observe', { ...place, input_text: 'The login test needs a cookie.' }],
    ['guide', question],
  ] as const) {
    const { told, decided, answer } = await watched(real, operation, body)
    expect(told, operation).toEqual(['decided', 'answered'])
    expect(decided, operation).toBe(answer)
  }
})

test('an answer on which something is said afterwards is not shown before', async () => {
  const real = await startEmbedded()
  const { told, answer } = await watched(real, 'guide', { ...question, colour: 'red' })
  expect(told).toEqual(['answered'])
  expect(answer).toHaveProperty('warnings')
  const loose = await startEmbedded({ config: { durability: 'none' } })
  expect((await watched(loose, 'guide', question)).told).toEqual(['answered'])
})

test('only the first of several inside an actor is shown: there is other work to do while the disk works', async () => {
  const real = await startEmbedded()
  await real.ok('observe', { ...place, input_text: 'The login test needs a cookie.' })
  const all = await Promise.all(Array.from({ length: 5 }, () => watched(real, 'guide', question)))
  expect(all.map(({ told }) => told.length)).toEqual([2, 1, 1, 1, 1])
})
