import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decisionOf } from '../../src/core/guide/decision.ts'
import { stateHash } from '../../src/core/model/state-image.ts'
import { differencesOf, explained } from '../../src/core/report/difference.ts'
import { commandAgain, guideNow } from '../../src/core/report/replay.ts'
import { anyGuideCommand, anyHistory, anyStep } from '../arbitraries.ts'
import { enough } from '../harness/scale.ts'
import { hitsOf, play, worldAfter } from '../support/history.ts'
import { hitsIn } from '../support/named-hit.ts'
import { proofsOf } from '../support/prove.ts'

const prove = proofsOf('recorder-difference')
const anyPast = fc.record({
  before: anyHistory,
  command: anyGuideCommand,
  ask: anyStep.filter((step) => step.kind === 'guide'),
  after: anyHistory,
})
const tools = { isoTime: (atMs: number) => new Date(atMs).toISOString(), sha256: (text: string) => text }

test('A34: whatever moves, comes or goes between a guide and now has a cause in the records', () => {
  const seen = new Map<string, number>()
  prove(
    anyPast,
    ({ before, command, ask, after }) => {
      const world = worldAfter(before)
      const hits = hitsOf(world, ask)
      world.guide(command, hits)
      const [exposed, decided] = world.lastEvents()
      if (exposed?.type !== 'exposed' || decided?.type !== 'guide_decided')
        throw new Error('a guide was made')
      const then = decisionOf(decided, exposed)
      const { atMs: fromMs = 0, seq: fromSeq = 0 } = world.turns.at(-1) ?? {}
      for (const step of after) play(world, step)
      const again = commandAgain(then, exposed)
      expect(again).toEqual({ ...command, includePackets: false })
      const hashBefore = stateHash(world.state)
      const { queryHash } = decided
      const { guideTraceId } = exposed
      const occasion = { nowMs: world.nowMs, guideTraceId, heldOut: false, queryHash }
      const recalled = { hits: hitsIn(world.state, hits), identifiers: again.identifiers }
      const now = guideNow(world.state, again, recalled, occasion, tools)
      const { agent_context: context } = world.compiled(command, hits).answer
      expect(now.exposed.memoryIds).toEqual(context.memory_ids)
      const span = { state: world.state, viewer: command.consumer, fromSeq, fromMs, toMs: world.nowMs }
      for (const difference of differencesOf(then.printed, now.decision.printed)) {
        const row = explained(difference, span, then, now)
        seen.set(row.change, (seen.get(row.change) ?? 0) + 1)
        const isExplained = row.causes.length + row.listCauses.length > 0
        expect({ row, isExplained }).toEqual({ row, isExplained: row.change !== 'same' })
        if (row.change === 'moved')
          expect({ row, isTold: row.causes.length > 0 || row.listCauses.includes('match_regraded') }).toEqual(
            {
              row,
              isTold: true,
            },
          )
        for (const cause of row.causes) {
          if ('seq' in cause) expect(cause.seq).toBeGreaterThan(fromSeq)
          else expect(cause.atMs).toBeGreaterThan(fromMs)
        }
      }
      expect(stateHash(world.state)).toBe(hashBefore)
    },
    120,
  )
  for (const change of ['same', 'moved', 'newly_shown', 'no_longer_shown', 'order_changed']) {
    expect({ change, isSeen: (seen.get(change) ?? 0) >= enough(6) }).toEqual({ change, isSeen: true })
  }
})
