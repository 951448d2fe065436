import { expect, test } from 'vitest'
import { compose } from '../../src/app/compose.ts'
import { readConfig } from '../../src/app/config/config.ts'
import { type Base, borrowedBase } from '../harness/postgres-store.ts'
import { answerOf, execute, refusalOf } from '../harness/reply.ts'
import { countingEntropy, manualClock, memoryLog } from '../harness/system.ts'

const WORD = 'paraheliotropism'
const PLACE = { tenant_id: 'old', scope: 'owner' }
/** Whatever holds words of requests as they are. */
const COLUMNS = [
  ['turn', 'payload'],
  ['exposure', 'body'],
  ['note', 'body'],
] as const

function nodeOver(base: Base, nodeUrl: string) {
  // No renewal falls between the steps of the test.
  const { config } = readConfig({ nodeUrl, leaseMs: 60_000 }, { MEMGOV_STORE: base.url })
  return compose(config, { clock: manualClock(), entropy: countingEntropy(), log: memoryLog().log })
}

async function rowsWithWord(base: Base): Promise<readonly number[]> {
  const counts = COLUMNS.map(([table, column]) =>
    base.sql(
      `select count(*)::int as n from memgov.${table} where position(convert_to($1, 'UTF8') in ${column}) > 0`,
      [WORD],
    ),
  )
  return (await Promise.all(counts)).map(([row]) => Number(row?.['n']))
}

test('an old owner that wakes up brings nothing back of what the next one has erased', async () => {
  const base = await borrowedBase()
  const old = await nodeOver(base, 'http://old:1')
  const next = await nodeOver(base, 'http://next:2')
  try {
    const observe = { ...PLACE, input_text: `Leaves turn away by ${WORD}.` }
    const { memory_ids } = answerOf(await execute(old.runtime, 'observe', observe))
    answerOf(await execute(old.runtime, 'guide', { ...PLACE, query_text: WORD }))
    expect((await rowsWithWord(base))[0]).toBeGreaterThan(0)
    await base.sql(`update memgov.node set expires = clock_timestamp() where url = 'http://old:1'`)
    answerOf(await execute(next.runtime, 'erase', { ...PLACE, memory_ids, reason: 'asked for' }))
    expect(await rowsWithWord(base)).toEqual([0, 0, 0])
    // Its lease has ended for everybody but itself: it still has the actor with the words in its memory.
    const late = [
      execute(old.runtime, 'guide', { ...PLACE, query_text: WORD }),
      execute(old.runtime, 'observe', observe),
      execute(old.runtime, 'forget', {
        ...PLACE,
        operation: 'suppress',
        target: 'memory',
        memory_ids,
        reason: WORD,
      }),
    ]
    for (const reply of await Promise.all(late)) expect(refusalOf(reply).error).toBe('not_owner')
    await old.close()
    expect(await rowsWithWord(base)).toEqual([0, 0, 0])
    const guide = answerOf(await execute(next.runtime, 'guide', { ...PLACE, query_text: 'leaves turn away' }))
    expect(guide.agent_context.memory_ids).toEqual([])
  } finally {
    await old.close()
    await next.close()
  }
})
