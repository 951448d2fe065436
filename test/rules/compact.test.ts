import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { GuideEntry } from '../../src/core/guide/entry.ts'
import { renderPrompt } from '../../src/core/guide/render.ts'
import { normaliseText } from '../../src/core/similarity/text-signature.ts'
import { memoryOf, runOf } from '../support/commands.ts'
import { candidateOf, commandOf, decide, offeredOf, renderAdmission } from '../support/govern-samples.ts'
import { entriesOn, idOf, sampleEntry, sampleRecord, VIEW } from '../support/guide-samples.ts'
import { answering } from '../support/named-hit.ts'
import { proving } from '../support/prove.ts'
import { medianOf, realisticText, TEXT_KINDS, type TextKind } from '../support/realistic-texts.ts'
import { World } from '../support/world.ts'

// compact_agent is for agents with little room. The law is about sets of ten or more memories to use or inspect, of 200
// characters or more each: the text has at most 60 % of the standard length, in the median, and the same ids.

const prove = proving(40)
const SHARE_MAX = 0.6
const ROOMY = 100_000
const FORMS = ['fact', 'low', 'run', 'interrupted'] as const

/** The length of each set in compact form, as a share of its standard length. */
function sharesOf<Set>(sets: fc.Arbitrary<Set>, shareOf: (set: Set) => number): readonly number[] {
  const shares: number[] = []
  prove(sets, (set) => {
    shares.push(shareOf(set))
  })
  return shares
}

function expectCompact(shares: readonly number[]): void {
  expect(medianOf(shares)).toBeLessThanOrEqual(SHARE_MAX)
  // No single set is far from the law either, and shortening has not become deleting.
  expect(Math.max(...shares)).toBeLessThanOrEqual(SHARE_MAX + 0.05)
  expect(Math.min(...shares)).toBeGreaterThan(0.35)
}

/** No two texts say the same: of those a guide shows one. */
const setOf = (kind: TextKind) =>
  fc.uniqueArray(realisticText(kind), { minLength: 10, maxLength: 30, selector: normaliseText })

describe('a guide', () => {
  /** Through observe and guide, as an agent meets it. */
  const guided = (texts: readonly string[], form: (typeof FORMS)[number]): number => {
    const world = new World()
    const memories = texts.map((text, at) => {
      const run = {
        targetFiles: [`src/part${at}/session.ts`, 'test/session.test.ts'],
        // Runs with the same checks would be folded.
        acceptanceChecks: [`npm test -- part${at}`, 'npx tsc --noEmit'],
      }
      if (form === 'run') return runOf({ text, ...run }, { taskSignature: 'task' })
      if (form === 'interrupted')
        return runOf({ text, ...run, outcome: 'interrupted' }, { taskSignature: 'task', runId: `run-${at}` })
      return memoryOf({ text, confidence: form === 'low' ? 0.4 : 0.9 })
    })
    const { memoryIds } = world.observe({ memories })
    const hits = memoryIds.map((memoryId) => answering(memoryId, { matchedTerms: 3 }))
    const ask = (contextMode: 'standard' | 'compact_agent') =>
      world.compiled({ contextMode, fullPower: true, budgetChars: ROOMY, taskSignature: 'task' }, hits).answer
        .agent_context
    const [standard, compact] = [ask('standard'), ask('compact_agent')]
    expect(compact.memory_ids).toEqual(standard.memory_ids)
    expect(compact.use_now_memory_ids).toEqual(standard.use_now_memory_ids)
    expect(compact.memory_ids.length).toBe(Math.min(30, texts.length))
    return compact.prompt_text.length / standard.prompt_text.length
  }

  for (const kind of TEXT_KINDS) {
    test.each(FORMS)(
      `compact_agent has at most 60 % of the standard length and the same ids: ${kind}, %s`,
      (form) => expectCompact(sharesOf(setOf(kind), (texts) => guided(texts, form))),
    )
  }

  test('so it is for mixed sets of facts, runs and handoffs with summaries and next actions', () => {
    const sets = fc.array(
      fc.tuple(
        realisticText('mixed'),
        fc.constantFrom('fact', 'run', 'handoff'),
        fc.boolean(),
        fc.constantFrom('use_now' as const, 'inspect_before_use' as const),
      ),
      { minLength: 10, maxLength: 30 },
    )
    const shares = sharesOf(sets, (seeds) => {
      const entries = seeds.map(([text, form, hasSummary, surface], n) => {
        const isRun = form !== 'fact'
        const content = {
          text,
          summary: hasSummary ? text.slice(0, 150) : null,
          targetFiles: isRun ? ['src/login/session.ts', 'src/app.ts'] : [],
          acceptanceChecks: isRun ? ['npm test passes'] : [],
          nextAction: isRun ? 'Write the regression test for the expired session and run it twice.' : null,
        }
        const handoff = {
          handoffId: `handoff:${idOf(n)}`,
          anchor: null,
          handoffKind: 'task_handoff',
          targetAgentId: 'worker-2',
          targetTeamId: null,
          targetRole: 'worker',
          handoffText: null,
          nextAction: null,
          risk: null,
        }
        const record = sampleRecord(idOf(n), content, {
          domain: isRun ? 'execution' : 'general',
          handoff: form === 'handoff' ? handoff : null,
          source: form === 'handoff' ? 'handoff' : 'observe',
        })
        return sampleEntry(record, { surface, rank: n, reason: 'not yet confirmed (origin: document)' })
      })
      return compactShare(entries)
    })
    expectCompact(shares)
  })

  test('aggressive on top of compact_agent is never longer', () => {
    prove(fc.array(realisticText('mixed'), { minLength: 1, maxLength: 20 }), (texts) => {
      const entries = entriesOn('use_now', texts.length, (n) => texts[n] ?? '')
      const compact = { ...VIEW, budgetChars: ROOMY, contextMode: 'compact_agent' as const }
      const aggressive = renderPrompt(entries, { ...compact, compaction: 'aggressive' })
      expect(aggressive.promptText.length).toBeLessThanOrEqual(
        renderPrompt(entries, compact).promptText.length,
      )
    })
  })

  test('a memory of at most 110 characters is told whole in compact form', () => {
    prove(realisticText('mixed'), fc.integer({ min: 1, max: 110 }), (text, chars) => {
      const short = text.replaceAll('\n', ' ').slice(0, chars).trim().replaceAll('  ', ' ')
      fc.pre(/^[a-zA-Z]/.test(short))
      const entry = sampleEntry(sampleRecord(idOf(1), { text: short }))
      const [line] = renderPrompt([entry], { ...VIEW, contextMode: 'compact_agent' }).lines.use_now
      expect(line).toBe(renderPrompt([entry], VIEW).lines.use_now[0])
    })
  })

  test('files and checks of a run with a short text stand in compact form too, one of each', () => {
    const record = sampleRecord(
      idOf(1),
      {
        text: 'The login test passes once the clock is injected.',
        targetFiles: ['src/auth/session.ts', 'test/login.test.ts'],
        acceptanceChecks: ['npm test -- login', 'npx tsc --noEmit'],
        outcome: 'succeeded',
      },
      { domain: 'execution' },
    )
    const [line] = renderPrompt([sampleEntry(record)], { ...VIEW, contextMode: 'compact_agent' }).lines
      .use_now
    expect(line).toMatch(/injected\. \| files: src\/auth\/session\.ts \| checks: npm test -- login$/u)
  })
})

describe('govern', () => {
  for (const kind of TEXT_KINDS) {
    test(`compact_agent has at most 60 % of the standard length: ${kind}`, () => {
      const sets = fc.tuple(setOf(kind), fc.boolean(), fc.boolean())
      const shares = sharesOf(sets, ([texts, isUsable, hasMetadata]) => {
        const candidates = texts.map((text, at) => {
          const metadata = hasMetadata
            ? { title: `Note ${at}`, targetFiles: [`src/part${at}.ts`], evidenceRefs: [`vec://${at}`] }
            : {}
          const said = { externalId: `mem0:${idOf(at)}`, sourceBackend: 'mem0', text, ...metadata }
          return isUsable ? offeredOf(said) : candidateOf(said)
        })
        const decisions = decide(commandOf({ candidates }))
        const linesOf = (isCompact: boolean) =>
          renderAdmission(decisions, { isCompact, profile: 'general', role: 'agent' })
        const [standard, compact] = [linesOf(false), linesOf(true)]
        expect([...compact.lineOfId.keys()]).toEqual([...standard.lineOfId.keys()])
        return compact.promptText.length / standard.promptText.length
      })
      expectCompact(shares)
    })
  }
})

function compactShare(entries: readonly GuideEntry[]): number {
  const view = { ...VIEW, budgetChars: ROOMY }
  const standard = renderPrompt(entries, view)
  const compact = renderPrompt(entries, { ...view, contextMode: 'compact_agent' })
  expect(compact.printed).toEqual(standard.printed)
  return compact.promptText.length / standard.promptText.length
}
