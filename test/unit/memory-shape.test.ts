import { describe, expect, test } from 'vitest'
import { createCodec } from '../../src/adapters/codec/codec.ts'
import { OPERATIONS } from '../../src/contract/operations.ts'
import { parseRequest } from '../../src/contract/parse.ts'
import type { Turn } from '../../src/core/model/events.ts'
import { evolve } from '../../src/core/model/evolve.ts'
import { type ActorState, emptyState } from '../../src/core/model/state.ts'
import { decideObserve } from '../../src/core/write/observe.ts'
import { observeCommand } from '../../src/runtime/normalise/observe.ts'

const AT_MS = 1_769_860_800_000

// Every way in which a content is made, and a revision of the first.
const BODIES = [
  {
    input_text: 'The release needs a green run.',
    memory: { client_id: 'c', target_files: ['src/a.ts'], tier: 'hot' },
  },
  { input_text: 'The release needs two green runs.', memory: { client_id: 'c' } },
  { execution: { run_id: 'r', task_signature: 't', summary: 'It ran.', outcome: 'failed', verifier: 'ci' } },
  { handoff: { summary: 'Half of it is done.', next_action: 'Do the other half.', anchor: 'a' } },
  { claims: [{ subject_key: 's', predicate: 'is', value: 1, slot_key: 'k', evidence_refs: ['e'] }] },
  { input_text: 'a long report. '.repeat(3_000) },
]

describe('records', () => {
  test('have the fields of the draft and the content that was decided, in the same order', () => {
    const { state, turns } = played()
    const drafts = turns.flatMap(({ events }) =>
      events.flatMap((event) => (event.type === 'memory_written' ? [event.draft] : [])),
    )
    expect(drafts).toHaveLength(BODIES.length - 1)
    for (const draft of drafts) {
      const record = state.memories.get(draft.memoryId)
      expect(Object.keys(record?.toJSON() ?? {}).slice(0, Object.keys(draft).length)).toEqual(
        Object.keys(draft),
      )
      const first = record?.revisions[0]?.content ?? record?.content
      expect(JSON.stringify(first)).toBe(JSON.stringify(draft.content))
    }
  })

  test('of a replay are those of the live turns, byte for byte as JSON', () => {
    const { state, turns } = played()
    const codec = createCodec()
    const replayed = emptyState('default', 'default')
    for (const turn of turns) evolve(replayed, codec.decodeTurn(codec.encodeTurn(turn)))
    expect(JSON.stringify([...replayed.memories])).toBe(JSON.stringify([...state.memories]))
  })
})

function played(): { readonly state: ActorState; readonly turns: readonly Turn[] } {
  const state = emptyState('default', 'default')
  const turns: Turn[] = []
  let made = 0
  for (const body of BODIES) {
    const { command } = observeCommand(parseRequest(OPERATIONS.observe, body).request)
    const { events } = decideObserve(state, command, AT_MS, () => `id-${(made += 1)}`)
    const turn = { seq: state.seq + 1, atMs: AT_MS, events }
    evolve(state, turn)
    turns.push(turn)
  }
  return { state, turns }
}
