import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SURFACES } from '../../src/core/base/closed-sets.ts'
import { agentContext } from '../../src/core/guide/agent-context.ts'
import { memoryUseReceipt } from '../../src/core/guide/decision.ts'
import type { GuideEntry, GuideView } from '../../src/core/guide/entry.ts'
import { guidePacket } from '../../src/core/guide/guide-packet.ts'
import { memoryPacket } from '../../src/core/guide/memory-packet.ts'
import { renderPrompt } from '../../src/core/guide/render.ts'
import { readGuideSnapshot } from '../../src/core/measure/guide-snapshot.ts'
import { AMOUNT_MAX, AMOUNT_METRICS } from '../../src/core/measure/metrics.ts'
import { observationOf } from '../../src/core/measure/sides.ts'
import { anyView, hostileEntries } from '../support/guide-samples.ts'
import { hashOf } from '../support/measure-samples.ts'
import { proving } from '../support/prove.ts'

const prove = proving(100)
const ID = 'guide_trace:0198c0de-0000-7000-8000-0000000000ff'
const isoTime = (atMs: number): string => new Date(atMs).toISOString()

function responseOf(entries: readonly GuideEntry[], view: GuideView) {
  const rendered = renderPrompt(entries, view)
  return {
    guide_trace_id: ID,
    agent_context: agentContext(rendered, view),
    memory_use_receipt: memoryUseReceipt(rendered, ID),
    memory_packet: memoryPacket(rendered, view, isoTime),
    guide_packet: guidePacket(rendered, view),
  }
}

describe('a guide response of this runtime', () => {
  test('is read as it was written: surfaces, prompt, packets; the receipt alone gives the same surfaces', () => {
    prove(hostileEntries, anyView, (entries, view) => {
      const response = responseOf(entries, view)
      const snapshot = readGuideSnapshot(response, hashOf)
      const { agent_context: context, guide_packet: packet } = response
      expect(snapshot).toMatchObject({
        guideTraceId: ID,
        promptHash: hashOf(context.prompt_text),
        promptChars: context.prompt_text.length,
        historyUsed: context.history_used,
      })
      expect(snapshot.packets?.provenFactCount).toBe(packet.proven_facts.length)
      expect(snapshot.packets?.handoff.sourceIds).toEqual(packet.history_contributions.handoff.source_ids)
      for (const surface of SURFACES) {
        expect(snapshot.exposed?.[surface]).toEqual(context[`${surface}_memory_ids`])
      }
      const fromReceipt = readGuideSnapshot({ memory_use_receipt: response.memory_use_receipt }, hashOf)
      expect(fromReceipt).toMatchObject({
        guideTraceId: ID,
        exposed: snapshot.exposed,
        promptChars: snapshot.promptChars,
      })
    })
  })

  test('gives an observation within bounds, with no more of use than there is, packets or not', () => {
    prove(hostileEntries, anyView, fc.boolean(), (entries, view, usePackets) => {
      const snapshot = readGuideSnapshot(responseOf(entries, view), hashOf)
      const { amounts } = observationOf(snapshot, {
        side: 'guided',
        usePackets,
        isSuccess: null,
        promotedCount: 0,
        demotedCount: 0,
        lifecycle: [],
      })
      for (const name of AMOUNT_METRICS) {
        expect(amounts[name] ?? 0).toBeGreaterThanOrEqual(0)
        expect(amounts[name] ?? 0).toBeLessThanOrEqual(AMOUNT_MAX)
      }
      expect(amounts.usefulContextItems ?? 0).toBeLessThanOrEqual(amounts.contextItems ?? 0)
      // Nothing that this runtime gives for direct use has less than advisory authority.
      expect(amounts.unverifiedAuthorityApplied).toBe(0)
    })
  })

  test('whatever an artifact holds, reading it never throws', () => {
    const field = fc.constantFrom(
      'guide_trace_id',
      'agent_context',
      'memory_use_receipt',
      'memory_packet',
      'guide_packet',
      'prompt_text',
      'use_now_memory_ids',
      'rehydrate_hints',
      'risk',
      '__proto__',
    )
    const artifact = fc.dictionary(field, fc.oneof(fc.jsonValue(), fc.dictionary(field, fc.jsonValue())))
    prove(artifact, (value) => {
      const snapshot = readGuideSnapshot(value, hashOf)
      expect(Object.keys(snapshot.explicit.amounts)).toHaveLength(AMOUNT_METRICS.length)
    })
  })
})
