import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RecallView } from '../../src/actor/recall-view.ts'
import { SimilarView, similarIn } from '../../src/actor/similar-view.ts'
import { SURFACES, type Surface } from '../../src/core/base/closed-sets.ts'
import { GOVERN_MODES } from '../../src/core/external/govern.ts'
import { heldBackHistory } from '../../src/core/external/govern-decision.ts'
import type { Audience, Consumer, Facets } from '../../src/core/model/record.ts'
import type { ActorState } from '../../src/core/model/state.ts'
import { stateHash } from '../../src/core/model/state-image.ts'
import { admit } from '../../src/core/policy/admission.ts'
import { DIRECT, type TextComparer } from '../../src/core/similarity/near-duplicate.ts'
import { minHash } from '../../src/core/similarity/text-signature.ts'
import { condense } from '../../src/core/text/condense.ts'
import { COMPACT_TEXT_MAX, heldText } from '../../src/core/write/write-memory.ts'
import {
  anyCandidates,
  anyMode,
  commandOf,
  decide,
  decideOne,
  MARKED,
  NOW_MS,
  offeredOf,
  renderAdmission,
  SUPPRESSED,
  stateWith,
  storedOf,
} from '../support/govern-samples.ts'
import { idOf } from '../support/guide-samples.ts'
import { proving } from '../support/prove.ts'
import { search } from '../support/search.ts'

const prove = proving(150)
const EYES: Consumer = { agentId: 'local-agent', teamId: null }
const PRIVATE: Audience = { lane: 'private', ownerAgentId: 'somebody-else', ownerTeamId: null }

const HELD_BACK: readonly (readonly [string, Partial<Facets>, Surface])[] = [
  ['suppressed', SUPPRESSED, 'do_not_use'],
  ['failed', { standing: 'failed' }, 'do_not_use'],
  ['superseded', { validity: 'superseded' }, 'do_not_use'],
  ['contested', { standing: 'contested' }, 'inspect_before_use'],
]
const anyFacets: fc.Arbitrary<Partial<Facets>> = fc.oneof(
  fc.constant({}),
  fc.constantFrom(...HELD_BACK.map(([, facets]) => facets)),
  fc.constantFrom<Partial<Facets>>({ trust: 'candidate' }, { availability: 'archived' }, { validUntilMs: 1 }),
)

const stricterOf = (a: Surface, b: Surface): Surface =>
  SURFACES[Math.max(SURFACES.indexOf(a), SURFACES.indexOf(b))] ?? 'do_not_use'

function historyOf(state: ActorState, consumer = EYES, compare: TextComparer = DIRECT) {
  const texts = new SimilarView(state)
  texts.apply(state.records.map((draft) => ({ type: 'memory_written', draft })))
  const history = heldBackHistory(
    state,
    similarIn(state, texts, RecallView.empty(search)),
    consumer,
    NOW_MS,
    compare,
  )
  return (text: string) => history(text, minHash(heldText(text)))
}

/** The runtime's own look-up over one state. */
const knowing = (state: ActorState, consumer = EYES) => ({
  state,
  history: historyOf(state, consumer),
})

describe('what the actor knows', () => {
  test('K15: the id of a visible memory gets the stricter of both surfaces, in every mode', () => {
    prove(anyFacets, anyCandidates, anyMode, (facets, candidates, mode) => {
      const record = storedOf(idOf(1), 'other words', facets)
      const state = stateWith(record)
      const stored = admit({
        record,
        nowMs: NOW_MS,
        isTrusted: facets.trust !== 'candidate',
        askedSignature: null,
        consumer: EYES,
        disputes: [],
      })
      for (const candidate of [...candidates, offeredOf()]) {
        const table = decideOne(candidate, mode).surface
        const named = decideOne({ ...candidate, externalId: idOf(1) }, mode, { state })
        expect(named.surface).toBe(stricterOf(table, stored.surface))
        expect(named.storedMemoryId).toBe(idOf(1))
        if (named.surface === table) expect(named.ruleId).not.toBe('K15')
        else expect(named.reasonCode).toBe(`runtime_memory:${stored.reasonCode}`)
      }
    })
  })

  test('X2: the id of an erased memory is that of none', () => {
    const state = stateWith(storedOf(idOf(1), '', { trust: 'candidate' }))
    state.erasures.set(idOf(1), { memoryId: idOf(1), reason: 'asked', by: null, atMs: NOW_MS, seq: 2 })
    const decision = decideOne(offeredOf({ externalId: idOf(1) }), 'standard', { state })
    expect(decision).toMatchObject({ surface: 'use_now', ruleId: 'K12', storedMemoryId: null })
  })

  test('K15: an operator\u2019s words about a stored memory are not repeated', () => {
    const state = stateWith(storedOf(idOf(1), 'other words', SUPPRESSED))
    const decision = decideOne(offeredOf({ externalId: idOf(1) }), 'standard', { state })
    expect(decision).toMatchObject({ surface: 'do_not_use', ruleId: 'K15' })
    expect(decision.reason).not.toContain('zqreason')
  })

  test.each(HELD_BACK)(
    'K2: content that is %s here is found under any spelling of space and case',
    (state, facets, surface) => {
      const actor = stateWith(storedOf(idOf(1), 'Deploy by  copying\nfiles.', facets))
      for (const text of [
        'Deploy by copying files.',
        ' deploy BY copying\tfiles. ',
        'De\u200bploy by copying files.',
      ]) {
        const decision = decideOne(offeredOf({ text }), 'firewall', knowing(actor))
        expect(decision.surface).toBe(surface)
        expect(decision.facts.history).toEqual({ state, isNear: false, memoryId: idOf(1) })
      }
      const other = decideOne(offeredOf({ text: 'Deploy by copying all files.' }), 'firewall', knowing(actor))
      expect(other).toMatchObject({ surface: 'use_now', facts: { history: null } })
    },
  )

  test('K2: of several memories with the same content the gravest state counts, and none where one of them may be used', () => {
    const text = 'Deploy by copying files.'
    const heldBack = [
      storedOf(idOf(2), text, { standing: 'contested' }),
      storedOf(idOf(3), text, SUPPRESSED),
      storedOf(idOf(4), text, { validity: 'superseded' }),
    ]
    const found = { state: 'suppressed', isNear: false, memoryId: idOf(3) }
    expect(historyOf(stateWith(...heldBack))(text)).toEqual(found)
    expect(historyOf(stateWith(storedOf(idOf(1), text), ...heldBack))(text)).toBe(null)
  })

  test('K2: a failed or blocked run counts as failed content, and a suppression that has ended as none', () => {
    const run = storedOf(idOf(1), 'ran it')
    const failed = { ...run, content: { ...run.content, outcome: 'blocked' as const } }
    expect(historyOf(stateWith(failed))('ran it')?.state).toBe('failed')
    const ended = storedOf(idOf(1), 'ran it', {
      suppression: { reason: 'r', by: null, sinceMs: 0, untilMs: NOW_MS },
    })
    expect(historyOf(stateWith(ended))('ran it')).toBe(null)
  })

  test('K2: content of which the record holds a compact form is compared whole', () => {
    const fullText = Array.from({ length: 4000 }, (_, n) => `Step ${n} of the plan.`).join('\n')
    const other = fullText.replace('Step 2000 of', 'Step 2000 against')
    const compact = condense(fullText, COMPACT_TEXT_MAX)
    const record = storedOf(idOf(1), compact, SUPPRESSED)
    const payload = { full_text: fullText }
    const content = { ...record.content, payload, fullTextChars: fullText.length }
    const history = historyOf(stateWith({ ...record, content }))
    expect(condense(other, COMPACT_TEXT_MAX)).toBe(compact)
    expect(history(fullText)?.state).toBe('suppressed')
    expect(history(other)).toBe(null)
    expect(history(compact)).toBe(null)
  })

  test('K2: the same text but for empty words is a near copy, with another fact it is none', () => {
    const text =
      'Before every release of the payment service the migration job must run twice on the replica, ' +
      'then the load test starts with 200 users, and only when it has passed the switch may be turned for all of the customers at once.'
    const history = historyOf(stateWith(storedOf(idOf(1), text, SUPPRESSED)))
    expect(history(text.replace('of the customers', 'of customers'))).toMatchObject({
      state: 'suppressed',
      isNear: true,
    })
    expect(history(text.replace('200 users', '300 users'))).toBe(null)
    expect(history(text.replace('must run', 'must not run'))).toBe(null)
    const foreign = storedOf(idOf(1), text, SUPPRESSED, { audience: PRIVATE })
    expect(historyOf(stateWith(foreign))(text.replace('of the customers', 'of customers'))).toBe(null)
  })
})

describe('laws of one actor', () => {
  test('KL6: govern changes no state and answers the same twice', () => {
    prove(fc.array(anyFacets, { maxLength: 4 }), anyCandidates, anyMode, (facets, candidates, mode) => {
      const state = stateWith(
        ...facets.map((each, at) => storedOf(idOf(at), candidates[at]?.text ?? 'words', each)),
      )
      const before = stateHash(state)
      const command = commandOf({ mode, candidates })
      const answer = () => {
        const decisions = decide(command, { ...MARKED, ...knowing(state) })
        return JSON.stringify([decisions, renderAdmission(decisions, command).promptText])
      }
      expect(answer()).toBe(answer())
      expect(stateHash(state)).toBe(before)
      expect(state.seq).toBe(1)
    })
  })

  test('KL10: content that is suppressed in the actor is do_not_use, whatever the source says and the mode', () => {
    prove(anyCandidates, (candidates) => {
      for (const mode of GOVERN_MODES) {
        const state = stateWith(...candidates.map(({ text }, at) => storedOf(idOf(at), text, SUPPRESSED)))
        const decisions = decide(commandOf({ mode, candidates }), knowing(state))
        expect(new Set(decisions.map(({ surface }) => surface))).toEqual(new Set(['do_not_use']))
      }
    })
  })

  test('KL11: a memory that the consumer cannot see leaves no trace, neither by its content nor by its id', () => {
    prove(anyCandidates, anyMode, fc.constantFrom(...HELD_BACK), (candidates, mode, [, facets]) => {
      const hidden = stateWith(
        ...candidates.flatMap(({ externalId, text }, at) => [
          storedOf(externalId, text, facets, { audience: PRIVATE }),
          storedOf(`copy-${at}`, text, facets, { audience: { ...PRIVATE, ownerTeamId: 'team' } }),
        ]),
      )
      const command = commandOf({ mode, candidates })
      expect(decide(command, { ...MARKED, ...knowing(hidden) })).toEqual(
        decide(command, { ...MARKED, ...knowing(stateWith()) }),
      )
      const theirs = commandOf({ mode, candidates, consumer: { agentId: 'x', teamId: 'team' } })
      const seen = decide(theirs, knowing(hidden, theirs.consumer))
      expect(seen.every(({ facts }) => facts.history !== null)).toBe(true)
    })
  })
})
