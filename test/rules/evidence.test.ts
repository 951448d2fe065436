import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Standing } from '../../src/core/base/closed-sets.ts'
import {
  EVIDENCE_MAX,
  firstLedger,
  ledgerFrom,
  recentUses,
  standingFrom,
  withEvidence,
} from '../../src/core/model/evidence.ts'
import { EVIDENCE_KINDS, type Evidence, type FeedbackMark } from '../../src/core/model/record.ts'
import { imageOf, stateFrom } from '../../src/core/model/state-image.ts'
import { memoryOf, runOf } from '../support/commands.ts'
import { idOf, sampleRecord } from '../support/guide-samples.ts'
import { answering } from '../support/named-hit.ts'
import { proofsOf } from '../support/prove.ts'
import { negative, positive, Subject, said } from '../support/subject.ts'

const prove = proofsOf('evidence')
const standingAfter = (words: string, isRun = false) => new Subject(isRun).reportAll(said(words)).standing

describe('a proven memory', () => {
  test('F17: three passes without a failure among the last four verified uses prove a memory', () => {
    expect(['f', 'pf', 'ppf', 'pppf', 'ppppf'].map((words) => standingAfter(words))).toEqual([
      'contested',
      'contested',
      'contested',
      'active',
      'active',
    ])
    // Direct positives without a verifier are no verified uses.
    expect(standingAfter('pphhf')).toBe('contested')
    // The same run counts once.
    const { standing } = new Subject(false).reportAll([
      positive('one', true),
      positive('one', true),
      positive('two', true),
      negative('three', true),
    ])
    expect(standing).toBe('contested')
  })

  test('F17: the next strong negative within five verified uses contests it, a later one does not', () => {
    const passes = (count: number) => 'p'.repeat(count)
    for (const between of [0, 1, 2, 3, 4]) expect(standingAfter(`ppppf${passes(between)}f`)).toBe('contested')
    for (const between of [5, 6, 9]) expect(standingAfter(`ppppf${passes(between)}f`)).toBe('active')
  })

  test('F17: a first weak negative against it is recorded only, a second within five verified uses demotes it, a third contests it', () => {
    expect(
      ['pppw', 'pppww', 'pppwpw', 'pppwppppw', 'pppwpppppw', 'pppwww', 'pppwwpw'].map((words) =>
        standingAfter(words),
      ),
    ).toEqual(['active', 'demoted', 'demoted', 'demoted', 'active', 'contested', 'contested'])
    const { world, id } = new Subject(false).reportAll(said('pppw'))
    expect(world.record(id).counters.negativeWeak).toBe(1)
  })

  test('F17: a strong negative does no less than a weak one would at its place', () => {
    const rank = ['failed', 'contested', 'demoted', 'active']
    const anyWords = fc.array(fc.constantFrom('p', 'p', 'p', 'h', 'w', 'f'), { maxLength: 14 })
    prove(
      fc.tuple(fc.boolean(), anyWords),
      ([isRun, before]) => {
        const [weak, strong] = ['w', 'f'].map((last) =>
          rank.indexOf(standingAfter([...before, last].join(''), isRun)),
        )
        expect(strong).toBeLessThanOrEqual(weak ?? 0)
      },
      200,
    )
  })

  test('F17: a run memory that is proven fails all the same when a second run fails with it before one passes', () => {
    expect(standingAfter('ppppf', true)).toBe('active')
    expect(standingAfter('ppppff', true)).toBe('failed')
  })

  test('F17: its line says that it is proven and failed once among its last verified uses', () => {
    const lineAfter = (words: string) => {
      const { world, id } = new Subject(false).reportAll(said(words))
      const { prompt_text } = world.guide().agent_context
      return prompt_text.split('\n').find((line) => line.includes(id)) ?? ''
    }
    expect(lineAfter('pppp')).not.toContain('verified uses')
    expect(lineAfter('ppppf')).toContain('proven, failed in 1 of its last 5 verified uses')
    expect(lineAfter('pppfp')).toContain('proven, failed in 1 of its last 5 verified uses')
    expect(lineAfter('ppppfpppp')).toContain('failed in 1 of its last 5')
    expect(lineAfter('ppppfppppp')).not.toContain('verified uses')
    expect(lineAfter('fpp')).toContain('failed in 1 of its last 3 verified uses')
    expect(lineAfter('fpp')).not.toContain('proven')
    expect(lineAfter('ff')).not.toContain('verified uses')
  })
})

describe('the successes of its task', () => {
  /** A demoted memory, and `count` verified runs that were shown it and name only its companion. */
  function shownTo(count: number, runId = (n: number) => `later ${n}`): Subject {
    const subject = new Subject(false, 1)
    subject.report(negative('bad', false))
    for (let n = 0; n < count; n++) succeed(subject, runId(n))
    return subject
  }
  function succeed(
    subject: Subject,
    runId: string,
    verifierStatus: 'passed' | null = 'passed',
    named = subject.companions,
  ): void {
    const { world } = subject
    const { guide_trace_id: guideTraceId } = world.guide()
    world.feedback({
      ...positive(runId, true),
      verifierStatus,
      guideTraceId,
      memoryIds: named,
      clientIds: [],
      reason: 'it passed',
      actorName: null,
      viewpoint: { agentId: 'local-agent', teamId: null },
    })
  }

  test('F8: five verified successes in which it was shown and nobody named it make a demoted memory active', () => {
    expect([4, 5].map((count) => shownTo(count).standing)).toEqual(['demoted', 'active'])
    // The same run counts once.
    expect(shownTo(5, () => 'the same').standing).toBe('demoted')
    const subject = shownTo(4)
    succeed(subject, 'not verified', null)
    expect(subject.standing).toBe('demoted')
    // A negative that names it starts the count again.
    subject.report(negative('worse', false))
    expect(subject.standing).toBe('contested')
    const again = shownTo(4)
    again.report(negative('later 3', false))
    expect(again.standing).toBe('contested')
  })

  test('F8: a success with those that share the blame of a memory, and without it, says nothing for it', () => {
    const subject = new Subject(false, 2)
    subject.report(negative('bad', true), 'as it went', subject.companions.slice(0, 1))
    const [sharing = '', stranger = ''] = subject.companions
    for (const [named, standing] of [
      [sharing, 'demoted'],
      [stranger, 'active'],
    ] as const) {
      for (let n = 0; n < 5; n++) succeed(subject, `${named} ${n}`, 'passed', [named])
      expect(subject.standing).toBe(standing)
    }
  })

  test('F8: a recorded run that succeeded and was verified counts for what its run was shown, of its task or of none', () => {
    const verifier = [{ name: 'check', status: 'passed', summary: null }] as const
    const standingFor = (taskSignature: string | null, ran: string | null) => {
      const subject = new Subject(false)
      const { world } = subject
      const id = world.write(memoryOf({ text: 'of a task' }, { taskSignature }))
      const { guide_trace_id: guideTraceId } = world.guide()
      world.feedback({
        ...negative('bad', false),
        guideTraceId,
        memoryIds: [id],
        clientIds: [],
        reason: 'it did not help',
        actorName: null,
        viewpoint: { agentId: 'local-agent', teamId: null },
      })
      for (let n = 0; n < 5; n++) {
        world.guide({ runId: `later ${n}` })
        world.write(
          runOf({ text: `it went well ${n}`, verifier }, { runId: `later ${n}`, taskSignature: ran }),
        )
      }
      return world.record(id).facets.standing
    }
    expect(standingFor('mine', 'mine')).toBe('active')
    expect(standingFor('mine', 'other')).toBe('demoted')
    expect(standingFor('mine', null)).toBe('demoted')
    expect(standingFor(null, 'other')).toBe('active')
    expect(standingFor(null, null)).toBe('active')
  })
})

describe('what is kept', () => {
  const anyEntry = fc.record({
    runId: fc.integer({ min: 0, max: 60 }).map((n) => `run ${n}`),
    kind: fc.constantFrom(...EVIDENCE_KINDS.filter((kind) => kind !== 'proved')),
    beside: fc.subarray([1, 2, 3]),
  })
  const anyEntries = fc
    .array(anyEntry, { minLength: 70, maxLength: 140, size: 'max' })
    .map((list): readonly Evidence[] =>
      list.map(({ runId, kind, beside }, n) => ({
        runId,
        kind,
        named: kind === 'task' ? [] : [0, ...beside],
        seq: n + 1,
      })),
    )

  test('F18: what a full ledger forgets changes no standing', () => {
    prove(
      fc.tuple(fc.boolean(), anyEntries),
      ([isRun, entries]) => {
        const subject = sampleRecord(idOf(1), {}, { slot: 0, domain: isRun ? 'execution' : 'general' })
        let ledger = firstLedger(subject)
        for (const entry of entries) {
          const whole = standingFrom(ledger.settled, [...ledger.entries, entry], subject)
          ledger = withEvidence(ledger, entry, subject)
          expect(ledger.entries.length).toBeLessThanOrEqual(EVIDENCE_MAX)
          expect(ledger.now).toEqual(whole)
          expect(ledgerFrom(ledger.settled, ledger.entries, subject)).toEqual(ledger)
        }
      },
      60,
    )
  })

  test('F18: evidence comes back from a snapshot as it was', () => {
    const subject = new Subject(true, 2)
    subject.report(negative('a', true), 'as it went', subject.companions)
    subject.reportAll(said('ppw'))
    const { state } = subject.world
    const restored = stateFrom(imageOf(state))
    expect([...restored.evidence]).toEqual([...state.evidence])
    expect(restored.evidence.size).toBe(3)
  })

  test('F19: an operator answers what spoke against a memory, and evidence acts on what the operator left', () => {
    const subject = new Subject(false).reportAll(said('fw'))
    expect(subject.standing).toBe('contested')
    const { world, id } = subject
    const outcome = { outcome: 'positive', usedSurface: 'explicit_host_assertion' } as const
    world.lifecycle({ operation: 'activate', memoryIds: [id], ...outcome })
    expect(subject.standing).toBe('active')
    // The run that the operator knew of says it again, and less: nothing. Another one demotes, it does not contest.
    subject.report(negative('run 0', false))
    expect(subject.standing).toBe('active')
    subject.report(negative('new', false))
    expect(subject.standing).toBe('demoted')
    // The same run can still say more.
    subject.report(negative('run 1', true))
    expect(subject.standing).toBe('contested')
  })

  test('F19: a declaration is where evidence begins: what it lowered comes back by the same evidence as any other', () => {
    for (const [declared, words, standing] of [
      ['demoted', 'h', 'active'],
      ['contested', 'p', 'contested'],
      ['contested', 'pp', 'active'],
      ['failed', 'pppp', 'failed'],
      ['demoted', 'w', 'demoted'],
      ['demoted', 'ww', 'contested'],
    ] as const) {
      const subject = new Subject(true)
      const { world } = subject
      const id = world.write(runOf({ text: 'declared' }, { declared: [declared] }))
      for (const report of said(words)) {
        const { guide_trace_id: guideTraceId } = world.guide({}, [answering(id)])
        world.feedback({
          ...report,
          guideTraceId,
          memoryIds: [id],
          clientIds: [],
          reason: 'as it went',
          actorName: null,
          viewpoint: { agentId: 'local-agent', teamId: null },
        })
      }
      expect([declared, words, world.record(id).facets.standing]).toEqual([declared, words, standing])
    }
  })

  test('F19: what was marked before there were ledgers is settled as it stands', () => {
    const mark = (seq: number, outcome: 'positive' | 'negative', isStrong = false): FeedbackMark => ({
      runId: `old ${seq}`,
      outcome,
      strong: isStrong,
      direct: outcome === 'positive',
      verifierStatus: outcome === 'positive' ? 'passed' : null,
      usedSurface: 'use_now',
      guideTraceId: null,
      reason: 'as it went',
      atMs: 0,
      seq,
    })
    const ledgerOf = (marks: readonly FeedbackMark[], standing: Standing) => {
      const { facets, ...rest } = sampleRecord(idOf(1), {}, { marks })
      return firstLedger({ ...rest, facets: { ...facets, standing } })
    }
    const passes = [1, 2, 3].map((seq) => mark(seq, 'positive'))
    // By the law of now it would be active: it stays as it was left, and what its uses were still counts.
    const contested = ledgerOf([...passes, mark(4, 'negative', true)], 'contested')
    expect(contested).toMatchObject({ entries: [], now: { standing: 'contested', verified: 0 } })
    expect(recentUses(contested.now)).toEqual({ uses: 4, failures: 1 })
    expect(ledgerOf([mark(1, 'negative')], 'demoted').now).toMatchObject({ standing: 'demoted', weak: 1 })
    expect(ledgerOf([], 'failed').now.standing).toBe('failed')
  })

  test('F19: passes from before still prove a memory that an operator has activated', () => {
    const subject = new Subject(false).reportAll(said('pppww'))
    expect(subject.standing).toBe('demoted')
    const outcome = { outcome: 'positive', usedSurface: 'explicit_host_assertion' } as const
    subject.world.lifecycle({ operation: 'activate', memoryIds: [subject.id], ...outcome })
    const { now } =
      subject.world.state.evidence.get(subject.id) ?? firstLedger(subject.world.record(subject.id))
    expect(recentUses(now)).toEqual({ uses: 3, failures: 0 })
  })
})
