import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SURFACES, type Surface } from '../../src/core/base/closed-sets.ts'
import {
  type Candidate,
  EVIDENCE_REQUIREMENTS,
  GOVERN_MODES,
  HISTORY_STATES,
  LIFECYCLE_HINTS,
  SOURCE_TRUSTS,
} from '../../src/core/external/govern.ts'
import { reasonCodesOf } from '../../src/core/external/govern-record.ts'
import { GOVERN_RULES } from '../../src/core/external/govern-rules.ts'
import { scaled } from '../harness/scale.ts'
import {
  anyCandidate,
  anyCandidates,
  anyMode,
  candidateOf,
  commandOf,
  decide,
  decideOne,
  MARKED,
  MARKS,
  markedHistory,
  markedScreen,
  NOW_MS,
  offeredOf,
} from '../support/govern-samples.ts'
import { allRules } from '../support/rules.ts'
import { gridRows, surfaceOf } from './govern.reference.ts'

const NUM_RUNS = scaled(300)
const AUTHORITY_SCOPES = ['user', 'project', 'team', 'org', 'global', 'unknown']
/** 0 is the most usable. */
const strictness = (surface: Surface): number => SURFACES.indexOf(surface)
const one = (candidate: Candidate, mode: (typeof GOVERN_MODES)[number]) => decideOne(candidate, mode, MARKED)

function prove<T>(arbitrary: fc.Arbitrary<T>, law: (value: T) => void, numRuns = NUM_RUNS): void {
  fc.assert(
    fc.property(arbitrary, (value) => {
      law(value)
    }),
    { numRuns },
  )
}

describe('the table', () => {
  test('every combination of mode, trust, scope, requirement and hint gets the surface of the reference', () => {
    const rows = gridRows()
    expect(rows).toHaveLength(384)
    const wrong: string[] = []
    let decided = 0
    for (const row of rows) {
      for (const authorityScope of AUTHORITY_SCOPES) {
        for (const metadataScope of [null, 'default', 'project', 'elsewhere']) {
          const candidate = candidateOf({
            sourceTrust: row.trust,
            requirement: row.requirement,
            hint: row.hint,
            authorityScope,
            metadataScope,
          })
          const expected = surfaceOf(metadataScope === 'elsewhere' ? row.elsewhere : row.plain)
          const { surface } = decideOne(candidate, row.mode)
          decided += 1
          if (surface !== expected) wrong.push(`${JSON.stringify(row)} ${metadataScope}: ${surface}`)
        }
      }
    }
    expect(decided).toBe(384 * 24)
    expect(wrong).toEqual([])
  })

  test('K1: what its source blocks, or marks as suppressed or archived, is do_not_use in every mode', () => {
    for (const mode of GOVERN_MODES) {
      for (const said of [
        { requirement: 'blocked' },
        { hint: 'suppressed' },
        { hint: 'archived' },
      ] as const) {
        expect(decideOne(offeredOf(said), mode)).toMatchObject({ surface: 'do_not_use', ruleId: 'K1' })
      }
    }
  })

  test('K2: content that is suppressed, failed or superseded here is do_not_use, in every mode', () => {
    for (const mode of GOVERN_MODES) {
      for (const state of ['suppressed', 'failed', 'superseded'] as const) {
        const decision = decideOne(offeredOf(), mode, {
          history: () => ({ state, isNear: false, memoryId: 'm' }),
        })
        expect(decision).toMatchObject({ surface: 'do_not_use', ruleId: 'K2' })
        expect(decision.reason).toContain(state)
      }
    }
  })

  test('K3: another scope is do_not_use in firewall mode, whatever the requirement', () => {
    for (const requirement of EVIDENCE_REQUIREMENTS.filter((each) => each !== 'blocked')) {
      const decision = decideOne(offeredOf({ requirement, metadataScope: 'elsewhere' }), 'firewall')
      expect(decision).toMatchObject({ surface: 'do_not_use', ruleId: 'K3', reasonCode: 'scope_mismatch' })
    }
  })

  test('K4: a screening finding is do_not_use in firewall mode, whatever the requirement', () => {
    for (const requirement of EVIDENCE_REQUIREMENTS.filter((each) => each !== 'blocked')) {
      const candidate = offeredOf({ requirement, text: `text ${MARKS.finding}` })
      expect(one(candidate, 'firewall')).toMatchObject({ surface: 'do_not_use', ruleId: 'K4' })
    }
  })

  test('K5: what its source wants rehydrated is a pointer, also when it is stale, elsewhere or found', () => {
    const said = { requirement: 'rehydrate_before_use' } as const
    for (const mode of GOVERN_MODES) {
      expect(one(offeredOf(said), mode)).toMatchObject({ surface: 'rehydrate', ruleId: 'K5' })
      expect(one(offeredOf({ ...said, hint: 'stale' }), mode).surface).toBe('rehydrate')
    }
    for (const mode of ['standard', 'strict'] as const) {
      expect(one(offeredOf({ ...said, metadataScope: 'elsewhere' }), mode).surface).toBe('rehydrate')
      expect(one(offeredOf({ ...said, text: MARKS.finding }), mode).surface).toBe('rehydrate')
    }
  })

  test('K6: a hint of failed, stale or contested is inspected, and blocked in firewall mode', () => {
    for (const hint of ['failed', 'stale', 'contested'] as const) {
      expect(decideOne(offeredOf({ hint }), 'standard')).toMatchObject({
        surface: 'inspect_before_use',
        ruleId: 'K6',
      })
      expect(decideOne(offeredOf({ hint }), 'strict').surface).toBe('inspect_before_use')
      expect(decideOne(offeredOf({ hint }), 'firewall').surface).toBe('do_not_use')
    }
  })

  test('K7: a text about work that says it failed is inspected, and blocked in firewall mode; a fact is not read so', () => {
    const text = 'The approach in src/auth.ts failed and was rejected.'
    const candidate = offeredOf({ text, readsSelfClaims: true })
    expect(decideOne(candidate, 'standard')).toMatchObject({ surface: 'inspect_before_use', ruleId: 'K7' })
    expect(decideOne(candidate, 'strict').surface).toBe('inspect_before_use')
    expect(decideOne(candidate, 'firewall').surface).toBe('do_not_use')
    expect(decideOne(offeredOf({ text }), 'firewall').surface).toBe('use_now')
    const titled = offeredOf({ title: 'Obsolete plan', readsSelfClaims: true })
    expect(decideOne(titled, 'standard')).toMatchObject({ surface: 'inspect_before_use', ruleId: 'K7' })
  })

  test('K8: another scope takes direct use away; the words for how wide a memory reaches are no other scope', () => {
    for (const mode of ['standard', 'strict'] as const) {
      const decision = decideOne(offeredOf({ metadataScope: 'elsewhere' }), mode)
      expect(decision).toMatchObject({
        surface: 'inspect_before_use',
        ruleId: 'K8',
        reasonCode: 'scope_mismatch',
      })
    }
    for (const metadataScope of [...AUTHORITY_SCOPES, 'Project', 'default', null]) {
      expect(decideOne(offeredOf({ metadataScope }), 'firewall').surface).toBe('use_now')
    }
    const command = commandOf({ scope: 'web', candidates: [offeredOf({ metadataScope: 'web' })] })
    expect(decide(command)[0]?.surface).toBe('use_now')
    expect(decideOne(offeredOf({ metadataScope: 'web' })).surface).toBe('inspect_before_use')
  })

  test('K9: a screening finding in text or title takes direct use away', () => {
    for (const said of [{ text: MARKS.finding }, { title: MARKS.finding }]) {
      expect(one(offeredOf(said), 'standard')).toMatchObject({ surface: 'inspect_before_use', ruleId: 'K9' })
    }
  })

  test('K10: content that is contested here is inspected in every mode', () => {
    for (const mode of GOVERN_MODES) {
      const decision = decideOne(offeredOf(), mode, {
        history: () => ({ state: 'contested', isNear: false, memoryId: 'm' }),
      })
      expect(decision).toMatchObject({ surface: 'inspect_before_use', ruleId: 'K10' })
    }
  })

  test('K10: nearly what is held back here is inspected in every mode, whatever it is held back for', () => {
    for (const mode of GOVERN_MODES) {
      for (const state of HISTORY_STATES) {
        const decision = decideOne(offeredOf(), mode, {
          history: () => ({ state, isNear: true, memoryId: 'm' }),
        })
        expect(decision).toMatchObject({ surface: 'inspect_before_use', ruleId: 'K10' })
        expect(reasonCodesOf(decision, commandOf({ mode }))).toContain(`runtime_history:near_${state}`)
      }
    }
  })

  test('K11: without leave to use it uninspected a candidate is inspected', () => {
    for (const mode of GOVERN_MODES) {
      const decision = decideOne(offeredOf({ requirement: 'inspect_before_use' }), mode)
      expect(decision).toMatchObject({ surface: 'inspect_before_use', ruleId: 'K11' })
    }
  })

  test('K12: trusted, current or procedure, and no requirement together are use_now in every mode', () => {
    for (const mode of GOVERN_MODES) {
      for (const hint of ['current', 'procedure'] as const) {
        expect(decideOne(offeredOf({ hint }), mode)).toMatchObject({ surface: 'use_now', ruleId: 'K12' })
      }
    }
  })

  test('K13: a known source is enough in standard mode only', () => {
    const candidate = offeredOf({ sourceTrust: 'known' })
    expect(decideOne(candidate, 'standard')).toMatchObject({ surface: 'use_now', ruleId: 'K13' })
    for (const mode of ['strict', 'firewall'] as const) {
      expect(decideOne(candidate, mode)).toMatchObject({ surface: 'inspect_before_use', ruleId: 'K14' })
    }
  })

  test('K14: everything else is inspected', () => {
    for (const said of [
      { sourceTrust: 'untrusted' },
      { sourceTrust: 'unknown' },
      { hint: 'unknown' },
    ] as const) {
      for (const mode of GOVERN_MODES) {
        expect(decideOne(offeredOf(said), mode)).toMatchObject({
          surface: 'inspect_before_use',
          ruleId: 'K14',
        })
      }
    }
  })

  test('K16: two that would be used and contradict each other are both inspected', () => {
    const candidates = ['1', '2', '1'].map((value, at) =>
      offeredOf({ externalId: `e${at}`, text: `port §slot=${value}` }),
    )
    const alone = offeredOf({ externalId: 'e9' })
    for (const mode of GOVERN_MODES) {
      const decisions = decide(commandOf({ mode, candidates: [...candidates, alone] }), MARKED)
      expect(decisions.map(({ surface, ruleId }) => `${surface} ${ruleId}`)).toEqual([
        'inspect_before_use K16',
        'inspect_before_use K16',
        'inspect_before_use K16',
        'use_now K12',
      ])
      expect(decisions.map(({ disputes }) => disputes.map(({ externalId }) => externalId))).toEqual([
        ['e1'],
        ['e0', 'e2'],
        ['e1'],
        [],
      ])
    }
  })

  test('K16: of two with a time under the same key the later stays, and a time to come counts for nothing', () => {
    const time = fc.option(fc.integer({ min: NOW_MS - 5, max: NOW_MS + 2 }), { nil: null })
    const times = fc.tuple(time, time, time, time)
    prove(fc.tuple(anyMode, times, times), ([mode, one, other]) => {
      const candidates = [one, other].map((times, at) =>
        offeredOf({ externalId: `e${at}`, text: `port §slot=${at}`, times }),
      )
      const key = one.findIndex((ms, at) => {
        const others = other[at] ?? null
        return ms !== null && others !== null && ms <= NOW_MS && others <= NOW_MS
      })
      const age = key < 0 ? 0 : (one[key] ?? 0) - (other[key] ?? 0)
      const surfaces = decide(commandOf({ mode, candidates }), MARKED).map(({ surface }) => surface)
      expect(surfaces).toEqual([
        age > 0 ? 'use_now' : 'inspect_before_use',
        age < 0 ? 'use_now' : 'inspect_before_use',
      ])
    })
  })

  test('every row and law of govern has an id of its own, and every row decides in some mode', () => {
    const laws = allRules().filter(({ id }) => id.startsWith('K'))
    expect(new Set(laws.map(({ id }) => id)).size).toBe(laws.length)
    expect(laws.length).toBe(GOVERN_RULES.length + 2 + 18)
    for (const { actions } of GOVERN_RULES) {
      expect(GOVERN_MODES.some((mode) => actions[mode] !== null)).toBe(true)
    }
  })
})

describe('laws', () => {
  test('KL1: taking source trust away never raises a candidate', () => {
    prove(fc.tuple(anyCandidate, anyMode), ([candidate, mode]) => {
      const falling = SOURCE_TRUSTS.map((sourceTrust) =>
        strictness(one({ ...candidate, sourceTrust }, mode).surface),
      )
      expect(falling).toEqual(falling.toSorted((a, b) => a - b))
    })
  })

  test('KL2: a negative hint never raises a candidate', () => {
    prove(
      fc.tuple(anyCandidate, anyMode, fc.constantFrom(...LIFECYCLE_HINTS.slice(3))),
      ([candidate, mode, hint]) => {
        for (const before of ['current', 'procedure', 'unknown'] as const) {
          const was = one({ ...candidate, hint: before }, mode).surface
          expect(strictness(one({ ...candidate, hint }, mode).surface)).toBeGreaterThanOrEqual(
            strictness(was),
          )
        }
      },
    )
  })

  test('KL3: a stricter evidence requirement never lets a text guide more than before', () => {
    // At once, after verifying, not by this text: a pointer and a warning both keep the text from guiding.
    const guides: Readonly<Record<Surface, number>> = {
      use_now: 2,
      inspect_before_use: 1,
      rehydrate: 0,
      do_not_use: 0,
    }
    prove(fc.tuple(anyCandidate, anyMode), ([candidate, mode]) => {
      const falling = EVIDENCE_REQUIREMENTS.map(
        (requirement) => guides[one({ ...candidate, requirement }, mode).surface],
      )
      expect(falling).toEqual(falling.toSorted((a, b) => b - a))
    })
  })

  test('KL4: a finding, another scope or a history never raises a candidate', () => {
    const anyKnown = fc.tuple(fc.constantFrom(...HISTORY_STATES), fc.boolean())
    prove(fc.tuple(anyCandidate, anyMode, anyKnown), ([candidate, mode, [state, isNear]]) => {
      const clean = { ...candidate, text: 'plain', title: null, metadataScope: null }
      const was = strictness(decideOne(clean, mode).surface)
      const finding = () => [{ kind: 'secret' as const, start: 0, end: 1, sentence: 's' }]
      const history = () => ({ state, isNear, memoryId: 'm' })
      for (const { surface } of [
        decideOne(clean, mode, { screen: finding }),
        decideOne(clean, mode, { history }),
        decideOne({ ...clean, metadataScope: 'elsewhere' }, mode),
        decideOne({ ...clean, metadataScope: 'elsewhere' }, mode, { screen: finding, history }),
      ]) {
        expect(strictness(surface)).toBeGreaterThanOrEqual(was)
      }
    })
  })

  test('KL5: the order of candidates changes no decision', () => {
    const shuffled = anyCandidates.chain((candidates) =>
      fc.tuple(
        fc.constant(candidates),
        fc.shuffledSubarray([...candidates], { minLength: candidates.length, maxLength: candidates.length }),
      ),
    )
    prove(fc.tuple(shuffled, anyMode), ([[candidates, others], mode]) => {
      const told = (list: readonly Candidate[]) =>
        decide(commandOf({ mode, candidates: list }), MARKED)
          .map(({ facts, ...decision }) => JSON.stringify([facts.candidate.externalId, decision]))
          .sort()
      expect(told(others)).toEqual(told(candidates))
    })
  })

  test('KL9: with default authority no candidate is use_now, whatever its hint and text', () => {
    const silent = { sourceTrust: 'unknown', requirement: 'inspect_before_use' } as const
    prove(fc.tuple(anyCandidate, anyMode), ([candidate, mode]) => {
      expect(decideOne({ ...candidate, ...silent }, mode).surface).not.toBe('use_now')
    })
    for (const lacking of [
      { sourceTrust: 'unknown' },
      { requirement: 'inspect_before_use' },
      { hint: 'unknown' },
    ] as const) {
      for (const mode of GOVERN_MODES) expect(decideOne(offeredOf(lacking), mode).surface).not.toBe('use_now')
    }
  })

  test('KL10: content suppressed here is do_not_use in every mode, whatever else is said or found', () => {
    prove(fc.tuple(anyCandidate, anyMode, fc.boolean()), ([candidate, mode, isFound]) => {
      const decision = decideOne(candidate, mode, {
        history: () => ({ state: 'suppressed', isNear: false, memoryId: 'm' }),
        screen: isFound ? () => [{ kind: 'secret' as const, start: 0, end: 1, sentence: 's' }] : () => [],
        contradictions: MARKED.contradictions ?? (() => []),
      })
      expect(decision.surface).toBe('do_not_use')
    })
  })

  test('KL12: a candidate that is held back already contests nobody', () => {
    const usable = offeredOf({ externalId: 'used', text: 'port §slot=1' })
    prove(fc.tuple(anyCandidate, anyMode), ([candidate, mode]) => {
      const other = { ...candidate, externalId: 'other', text: 'port §slot=2' }
      const [first, second] = decide(commandOf({ mode, candidates: [usable, other] }), MARKED)
      const isUsable =
        decideOne(other, mode, { screen: markedScreen, history: markedHistory }).surface === 'use_now'
      expect(first?.surface).toBe(isUsable ? 'inspect_before_use' : 'use_now')
      if (isUsable) expect(second?.surface).toBe('inspect_before_use')
    })
  })
})
