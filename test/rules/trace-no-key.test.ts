import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RequestedName } from '../../src/contract/operations.ts'
import { type Embedded, startEmbedded } from '../harness/embedded.ts'
import { enough } from '../harness/scale.ts'
import { provingAsync } from '../support/prove.ts'

const SECRET = 'the vault opens at noon'

/** What a request can send of its consumer: a name, or nothing. */
const anySent = fc.record({
  agent: fc.constantFrom(null, 'ann', 'bob', 'local-agent'),
  team: fc.constantFrom(null, 'red', 'blue'),
})
type Sent = { readonly agent: string | null; readonly team: string | null }

const fieldsOf = ({ agent, team }: Sent): object => ({
  ...(agent === null ? {} : { consumer_agent_id: agent }),
  ...(team === null ? {} : { consumer_team_id: team }),
})

interface Guided {
  readonly guideTraceId: string
  readonly memoryId: string
}

async function guidedFor(memgov: Embedded, scope: string, consumer: object): Promise<Guided> {
  const owner = { memory_lane: 'private', owner_agent_id: 'ann', owner_team_id: 'red' }
  const { memory_ids } = await memgov.ok('observe', { scope, input_text: SECRET, ...owner })
  const guide = await memgov.ok('guide', { scope, query_text: 'when does the vault open', ...consumer })
  return { guideTraceId: guide.guide_trace_id, memoryId: memory_ids[0] ?? '' }
}

/** Every operation that takes a trace, and the code with which it refuses a trace that it does not know. */
const ASKS: readonly {
  readonly operation: RequestedName
  readonly refusal: string
  readonly body: (guided: Guided) => object
}[] = [
  {
    operation: 'feedback',
    refusal: 'guide_trace_not_found',
    body: ({ guideTraceId, memoryId }) => ({
      guide_trace_id: guideTraceId,
      used_memory_ids: [memoryId],
      run_id: 'run-1',
      outcome: 'negative',
      used_surface: 'use_now',
      reason: 'it was so',
    }),
  },
  {
    operation: 'rehydrate',
    refusal: 'guide_trace_not_found',
    body: ({ guideTraceId, memoryId }) => ({
      guide_trace_id: guideTraceId,
      memory_ids: [memoryId],
      reason: 'to read',
    }),
  },
  {
    operation: 'forget',
    refusal: 'guide_trace_not_found',
    body: ({ guideTraceId, memoryId }) => ({
      guide_trace_id: guideTraceId,
      memory_ids: [memoryId],
      operation: 'suppress',
      target: 'memory',
      reason: 'to hide',
    }),
  },
  {
    operation: 'decisionTrace',
    refusal: 'guide_trace_not_found',
    body: ({ guideTraceId }) => ({ guide_trace_id: guideTraceId }),
  },
  {
    operation: 'flightRecorder',
    refusal: 'guide_trace_not_found',
    body: ({ guideTraceId }) => ({ guide_trace_id: guideTraceId, replay_source: 'journal' }),
  },
  {
    operation: 'operatorSnapshot',
    refusal: 'guide_trace_not_found',
    body: ({ guideTraceId }) => ({ guide_trace_id: guideTraceId }),
  },
  {
    operation: 'resolve',
    refusal: 'memory_not_found',
    body: ({ guideTraceId }) => ({ uri: `svc://default/SCOPE/guide/${encodeURIComponent(guideTraceId)}` }),
  },
]

test('V7: an operation knows the guide it names when no consumer field that it sends differs, and is told nothing of it otherwise', async () => {
  const memgov = await startEmbedded()
  let scopes = 0
  let refused = 0
  await provingAsync(60)(
    fc.constantFrom(...ASKS),
    anySent,
    fc.boolean(),
    async ({ operation, refusal, body }, sent, isTeam) => {
      const scope = `s-${scopes++}`
      const made: Sent = { agent: 'ann', team: isTeam ? 'red' : null }
      const guided = await guidedFor(memgov, scope, fieldsOf(made))
      const isSame =
        (sent.agent === null || sent.agent === made.agent) && (sent.team === null || sent.team === made.team)
      const text = JSON.stringify(body(guided)).replace('SCOPE', scope)
      const request = { scope, ...(JSON.parse(text) as object), ...fieldsOf(sent) }
      const before = await memgov.digest({ tenant_id: 'default', scope })
      if (isSame) return void (await memgov.ok(operation, request))
      refused += 1
      const answer = await memgov.refused(operation, request)
      expect(answer.error).toBe(refusal)
      expect(JSON.stringify(answer)).not.toContain(SECRET)
      expect(await memgov.digest({ tenant_id: 'default', scope })).toBe(before)
    },
  )
  expect(refused).toBeGreaterThanOrEqual(enough(20))
})

test('V7: a guide without consumer was made for local-agent', async () => {
  const memgov = await startEmbedded()
  await memgov.ok('observe', { input_text: SECRET })
  const { guide_trace_id } = await memgov.ok('guide', { query_text: 'vault' })
  await memgov.ok('decisionTrace', { guide_trace_id, consumer_agent_id: 'local-agent' })
  const refusal = await memgov.refused('decisionTrace', { guide_trace_id, consumer_agent_id: 'ann' })
  expect(refusal.error).toBe('guide_trace_not_found')
})

test('V7: measure holds no guide that was made for another consumer than the one it is sent', async () => {
  const memgov = await startEmbedded()
  await memgov.ok('observe', { input_text: SECRET })
  const after_guide = await memgov.ok('guide', { query_text: 'vault', consumer_agent_id: 'ann' })
  const product_trace = { after_guide, before_guide: after_guide }
  const status = async (consumer: object) => {
    const measured = await memgov.ok('measure', { product_trace, ...consumer })
    return measured.evidence_assessment.provenance
  }
  expect(await status({ consumer_agent_id: 'ann' })).toBe('runtime_verified')
  expect(await status({})).toBe('runtime_verified')
  expect(await status({ consumer_agent_id: 'bob' })).toBe('unverified_product_trace')
})
