import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Surface } from '../../src/core/base/closed-sets.ts'
import { agentContext } from '../../src/core/guide/agent-context.ts'
import { memoryUseReceipt } from '../../src/core/guide/decision.ts'
import type { GuideEntry } from '../../src/core/guide/entry.ts'
import { guidePacket } from '../../src/core/guide/guide-packet.ts'
import { memoryPacket } from '../../src/core/guide/memory-packet.ts'
import { renderPrompt } from '../../src/core/guide/render.ts'
import { anyView, hostileEntries, idOf, sampleEntry, sampleRecord, VIEW } from '../support/guide-samples.ts'
import { parsePrompt } from '../support/prompt-parser.ts'

const NUM_RUNS = 150
const TRACE = 'guide_trace:0198c0de-0000-7000-8000-0000000000ff'
const isoTime = (atMs: number): string => new Date(atMs).toISOString()
const contextOf = (entries: readonly GuideEntry[], view = VIEW) =>
  agentContext(renderPrompt(entries, view), view)

describe('agent_context', () => {
  test('its id lists hold exactly the printed ids, disjoint, in the order of memory_ids', () => {
    fc.assert(
      fc.property(hostileEntries, anyView, (entries, view) => {
        const context = contextOf(entries, view)
        const lists = [
          context.use_now_memory_ids,
          context.inspect_before_use_memory_ids,
          context.do_not_use_memory_ids,
          context.rehydrate_memory_ids,
        ]
        expect(lists.flat().sort()).toEqual([...context.memory_ids].sort())
        expect(new Set(context.memory_ids).size).toBe(context.memory_ids.length)
        expect([...parsePrompt(context.prompt_text).bracketedIds].sort()).toEqual(
          [...context.memory_ids].sort(),
        )
        for (const list of lists) expect(context.memory_ids.filter((id) => list.includes(id))).toEqual(list)
        const rankOf = (id: string): number => {
          const entry = entries.find(({ record }) => record.memoryId === id)
          // Weak matches stand behind all others.
          return entry === undefined ? -1 : entry.rank + (entry.isWeak ? entries.length : 0)
        }
        expect(context.memory_ids.map(rankOf)).toEqual(
          context.memory_ids.map(rankOf).toSorted((a, b) => a - b),
        )
      }),
      { numRuns: NUM_RUNS },
    )
  })

  test('its text lists are the lines as they stand in prompt_text, one per id', () => {
    fc.assert(
      fc.property(hostileEntries, anyView, (entries, view) => {
        const context = contextOf(entries, view)
        const lines = context.prompt_text.split('\n')
        for (const [texts, ids] of [
          [context.use_now, context.use_now_memory_ids],
          [context.inspect_before_use, context.inspect_before_use_memory_ids],
          [context.do_not_use, context.do_not_use_memory_ids],
        ] as const) {
          expect(texts.length).toBe(ids.length)
          texts.forEach((text, n) => {
            expect(text.startsWith(`[${ids[n] ?? ''}] `)).toBe(true)
            expect(lines).toContain(text)
          })
        }
      }),
      { numRuns: NUM_RUNS },
    )
  })

  test('every command posture row has its five fields filled, and a blocked one names no path', () => {
    fc.assert(
      fc.property(hostileEntries, anyView, (entries, view) => {
        const context = contextOf(entries, view)
        expect(context.command_posture.length).toBe(Math.min(14, context.memory_ids.length))
        for (const row of context.command_posture) {
          for (const field of [row.posture, row.surface, row.memory_id, row.instruction, row.reason])
            expect(field.trim()).not.toBe('')
          if (row.surface === 'do_not_use') expect(row.target_files).toEqual([])
        }
      }),
      { numRuns: NUM_RUNS },
    )
  })

  test('with no memory it is complete: text and summary not empty, lists empty, nothing recommended', () => {
    const context = contextOf([])
    expect(context.prompt_text.trim()).not.toBe('')
    expect(context).toMatchObject({
      contract_version: 'svc_agent_context_v1',
      summary: 'No reusable memory was found.',
      history_used: false,
      actionable_history_used: false,
      recommended_posture: 'ignore_history',
      authority: 'none',
      memory_ids: [],
      rehydrate_hints: [],
      command_posture: [],
      target_files: [],
      risk: { negative_transfer_risk: 'low', blocked_authority_count: 0, stale_memory_count: 0, reasons: [] },
    })
  })

  test('a memory with a longer text kept is hinted but not listed for rehydration; a pointer is both', () => {
    const long = sampleRecord(idOf(1), { text: 'A compact text.', fullTextChars: 50_000 })
    const pointer = sampleRecord(idOf(2), { text: 'Archived.' })
    const blocked = sampleRecord(idOf(3), { text: 'Blocked.', fullTextChars: 50_000 })
    const context = contextOf([
      sampleEntry(long, { rank: 0 }),
      sampleEntry(pointer, { rank: 1, surface: 'rehydrate', reason: 'It is archived.' }),
      sampleEntry(blocked, { rank: 2, surface: 'do_not_use' }),
    ])
    expect(context.rehydrate_memory_ids).toEqual([idOf(2)])
    expect(context.rehydrate_hints).toEqual([
      { memory_id: idOf(1), reason: 'Only a compact text is shown; the full text is kept.', required: false },
      { memory_id: idOf(2), reason: 'It is archived.', required: true },
    ])
    expect(context.use_now[0]).toMatch(/ \| full text: rehydrate$/u)
  })

  test('paths of blocked memory appear as blocked routes only, unless usable memory names them too', () => {
    const run = (n: number, surface: Surface, targetFiles: readonly string[]): GuideEntry =>
      sampleEntry(sampleRecord(idOf(n), { text: 'A run.', targetFiles }, { domain: 'execution' }), {
        surface,
        rank: n,
      })
    const context = contextOf([
      run(1, 'use_now', ['src/a.ts', 'src/shared.ts']),
      run(2, 'inspect_before_use', ['src/b.ts']),
      run(3, 'do_not_use', ['src/bad.ts', 'src/shared.ts']),
    ])
    expect(context.target_files).toEqual(['src/a.ts', 'src/shared.ts', 'src/b.ts'])
    const targets = (rows: readonly { readonly target: string }[]): readonly string[] =>
      rows.map((row) => row.target)
    expect(targets(context.route_contract.active_targets)).toEqual(['src/a.ts', 'src/shared.ts'])
    expect(targets(context.route_contract.reference_only_targets)).toEqual(['src/b.ts'])
    expect(targets(context.route_contract.blocked_direction_targets)).toEqual(['src/bad.ts'])
    expect(targets(context.route_contract.blocked_routes)).toEqual(['src/bad.ts', 'src/shared.ts'])
  })

  test('posture, authority and risk follow what was printed', () => {
    const one = (surface: Surface, record = sampleRecord(idOf(1), { text: 'x' })) => {
      const entry = sampleEntry(record, {
        surface,
        relevantWarning: surface === 'do_not_use',
        reasonCode: 'why',
      })
      const { recommended_posture, authority, risk } = contextOf([entry])
      return [recommended_posture, authority, risk.negative_transfer_risk, risk.reasons]
    }
    expect(one('use_now')).toEqual(['use_as_context', 'advisory', 'low', []])
    expect(one('inspect_before_use')).toEqual(['inspect_before_use', 'candidate', 'medium', ['why']])
    expect(one('rehydrate')).toEqual(['rehydrate_before_use', 'candidate', 'low', ['why']])
    expect(one('do_not_use')).toEqual(['ignore_history', 'blocked', 'high', ['why']])
    const verified = sampleRecord(
      idOf(2),
      { text: 'x', outcome: 'succeeded', verifier: [{ name: 'ci', status: 'passed', summary: null }] },
      { domain: 'execution' },
    )
    expect(one('use_now', verified)).toEqual(['reuse_supported_history', 'trusted', 'low', []])
  })
})

describe('memory_use_receipt', () => {
  test('is complete and holds ids and reasons, never a text', () => {
    fc.assert(
      fc.property(hostileEntries, anyView, (entries, view) => {
        const marked = entries.map((entry) => ({
          ...entry,
          reason: 'A reason.',
          record: {
            ...entry.record,
            content: { ...entry.record.content, text: 'zqtext', title: 'zqtext', summary: 'zqtext' },
          },
        }))
        const rendered = renderPrompt(marked, view)
        const receipt = memoryUseReceipt(rendered, TRACE)
        const context = agentContext(rendered, view)
        expect(receipt).toMatchObject({
          contract_version: 'svc_memory_use_receipt_v1',
          intended_use: 'memory_use_audit',
          agent_prompt_included: false,
          runtime_mutation: false,
          guide_trace_id: TRACE,
          prompt_char_count: rendered.promptText.length,
          exposed_memory_ids: context.memory_ids,
          use_now_memory_ids: context.use_now_memory_ids,
          inspect_before_use_memory_ids: context.inspect_before_use_memory_ids,
          do_not_use_memory_ids: context.do_not_use_memory_ids,
          rehydrate_memory_ids: context.rehydrate_memory_ids,
          attributed_memory_ids: [],
          unattributed_recalled_memory_ids: [],
          read_only_signal_memory_ids: [],
          history_used: context.history_used,
          omitted: rendered.omitted.map(({ entry, reason }) => {
            return { memory_id: entry.record.memoryId, surface: entry.surface, reason }
          }),
        })
        expect(receipt.decision_summaries.map((row) => row.memory_id)).toEqual(context.memory_ids)
        for (const row of receipt.decision_summaries) {
          expect(row.actionable).toBe(context.use_now_memory_ids.includes(row.memory_id))
          expect(row.reason_codes.length).toBeGreaterThan(0)
        }
        expect(JSON.stringify(receipt)).not.toContain('zqtext')
      }),
      { numRuns: NUM_RUNS },
    )
  })
})

describe('packets', () => {
  test('carry no prompt text, no payload and no text of blocked memory', () => {
    fc.assert(
      fc.property(hostileEntries, anyView, (entries, view) => {
        const marked = entries.map((entry) => {
          const content = { ...entry.record.content, payload: { raw: 'zqpayload' } }
          if (entry.surface !== 'do_not_use') return { ...entry, record: { ...entry.record, content } }
          const blocked = {
            ...content,
            text: 'zqtext',
            summary: 'zqtext',
            nextAction: 'zqtext',
            title: 'zqtext',
            titleIsCallers: false,
          }
          return { ...entry, record: { ...entry.record, content: blocked, handoff: null } }
        })
        const rendered = renderPrompt(marked, view)
        for (const packet of [memoryPacket(rendered, view, isoTime), guidePacket(rendered, view)]) {
          const json = JSON.stringify(packet)
          expect(packet.agent_prompt_included).toBe(false)
          expect(json).not.toContain('zqtext')
          expect(json).not.toContain('zqpayload')
          expect(json).not.toContain(JSON.stringify(rendered.promptText).slice(1, -1))
          for (const line of Object.values(rendered.lines).flat())
            expect(json).not.toContain(JSON.stringify(line))
        }
      }),
      { numRuns: NUM_RUNS },
    )
  })

  test('tell type, authority, contract and state of each exposed memory', () => {
    const handoff = sampleRecord(
      idOf(1),
      {
        text: 'Parser done, printer open.',
        nextAction: 'Write the printer.',
        targetFiles: ['src/printer.ts'],
      },
      {
        domain: 'execution',
        memoryType: 'execution_memory',
        source: 'handoff',
        handoff: {
          handoffId: `handoff:${idOf(1)}`,
          anchor: null,
          handoffKind: 'task_handoff',
          targetAgentId: 'b',
          targetTeamId: null,
          targetRole: null,
          handoffText: null,
          nextAction: 'Write the printer.',
          risk: null,
        },
      },
    )
    const contested = sampleRecord(idOf(2), { text: 'Port 5432.', confidence: 0.5 })
    const rendered = renderPrompt(
      [
        sampleEntry(handoff, { rank: 0 }),
        sampleEntry(contested, { rank: 1, surface: 'inspect_before_use', lifecycleState: 'contested' }),
      ],
      VIEW,
    )
    const memory = memoryPacket(rendered, VIEW, isoTime)
    expect(memory.memory_family).toBe('mixed')
    expect(
      memory.relevant_memories.map((row) => [row.authority, row.memory_contract.use_policy, row.observed_at]),
    ).toEqual([
      ['advisory', 'direct_use', '1970-01-01T00:00:00.000Z'],
      ['candidate', 'inspect_before_use', '1970-01-01T00:00:00.000Z'],
    ])
    expect(memory.relevant_memories[0]?.execution_state).toMatchObject({
      transition_kind: 'handoff_to_actor',
      next_action_hint: 'Write the printer.',
      handoff_target: 'b',
    })
    expect(memory.risk).toMatchObject({ contradiction_count: 1, low_confidence_count: 1 })
    const guide = guidePacket(rendered, VIEW)
    expect(guide.recovered_state).toEqual({
      state_summary: 'Parser done, printer open.',
      resumable: true,
      handoff_ids: [`handoff:${idOf(1)}`],
      target_files: ['src/printer.ts'],
      acceptance_checks: [],
    })
    expect(guide.history_contributions.handoff.source_ids).toEqual([idOf(1)])
  })
})
