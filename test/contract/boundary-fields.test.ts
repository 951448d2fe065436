import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/contract/operations.ts'
import { boundaryMeantBy, boundaryMeantInside, isBoundary } from '../../src/contract/unknown-fields.ts'
import { example } from '../support/examples.ts'
import { proving } from '../support/prove.ts'
import { BODY_OPERATIONS, type BodyOperation, parse, refusalOf } from './parsing.ts'

const prove = proving(300)

/** Every field that existing clients send: at the top level, in `memory` and in the other parts of a request. */
const CLIENT_FIELDS = `
  tenant_id scope memory_kind memory_lane producer_agent_id owner_agent_id owner_team_id auto_embed execution input_text
  memory handoff run_id task_id task_family task_signature workflow_signature title summary outcome target_files
  workflow_steps tool_set acceptance_checks continuation_hint resume_hint reuse_hint salience importance confidence raw_ref
  evidence_ref evidence artifacts verification slots agent_id team_id execution_result_summary status client_id type
  text_summary tier lifecycle_state compression_layer kind lifecycle client_ids anchor handoff_kind handoff_text
  next_action actor file_path repo_root symbol risk tags must_change must_remove must_keep execution_artifacts
  execution_evidence execution_state_v1 execution_packet_v1 control_profile_v1 execution_transitions_v1
  execution_tree_operations_v1 execution_tree_disabled trajectory trajectory_hints consumer_agent_id consumer_team_id mode
  context_mode context tool_candidates execution_tree_v1 context_token_budget context_optimization_profile limit
  include_packets reason used_surface guide_trace_id used_memory_ids verifier_status tool_status runtime_signal_refs target
  admission lifecycle_hint authority source_trust evidence_requirement candidates metadata task product_trace before_guide
  after_guide forget_result feedback_result sufficient_evidence evidence_ids baseline target_tier operation anchor_id
  anchor_uri include_linked_decisions agent_context guide_packet memory_decision_trace memory_decision_audit
  effect_report memory_admission_record uri include_meta include_slots
`
  .trim()
  .split(/\s+/)

/** Words that mean a boundary, and the field that they mean. */
const WORDS = {
  tenant: 'tenant_id',
  tenants: 'tenant_id',
  tenantid: 'tenant_id',
  scopes: 'scope',
  scopeid: 'scope',
  scopename: 'scope',
  consumer: 'consumer_agent_id',
  consumerid: 'consumer_agent_id',
  consumeragent: 'consumer_agent_id',
  consumeragentid: 'consumer_agent_id',
  consumerteam: 'consumer_team_id',
  consumerteamid: 'consumer_team_id',
} as const

const RESPELT = ['scope', 'agent_id', 'team_id', 'memory_lane', 'owner_agent_id', 'owner_team_id'] as const

/** One slip in a name without signs: a swapped pair, a doubled letter or a missing one. */
function slip(word: string, kind: number, at: number): string {
  const letters = word.split('')
  const place = at % (kind === 0 ? word.length - 1 : word.length)
  if (kind === 0) letters.splice(place, 2, letters[place + 1] ?? '', letters[place] ?? '')
  else if (kind === 1) letters.splice(place, 0, letters[place] ?? '')
  else letters.splice(place, 1)
  return letters.join('')
}

/** The same word in other cases, with signs anywhere. */
function respelt(word: string): fc.Arbitrary<string> {
  const letter = (one: string) =>
    fc
      .tuple(fc.boolean(), fc.constantFrom('', '', '', '_', '-', '.', ' ', '[]'))
      .map(([isUpper, sign]) => `${isUpper ? one.toUpperCase() : one}${sign}`)
  return fc.tuple(...word.split('').map(letter)).map((letters) => letters.join(''))
}

const nearMisses = fc.oneof(
  fc
    .constantFrom(...Object.entries(WORDS))
    .chain(([word, meant]) => fc.tuple(respelt(word), fc.constant(meant))),
  fc
    .tuple(
      fc.constantFrom('tenant_id', 'scope', 'consumer_agent_id', 'consumer_team_id'),
      fc.nat(2),
      fc.nat(99),
    )
    .chain(([meant, kind, at]) =>
      fc.tuple(respelt(slip(meant.replaceAll('_', ''), kind, at)), fc.constant(meant)),
    ),
  fc
    .constantFrom(...RESPELT)
    .chain((meant) => fc.tuple(respelt(meant.replaceAll('_', '')), fc.constant(meant))),
)

function issuesOf(operation: BodyOperation, body: object) {
  const { code, issues } = refusalOf(() => parse(operation, body))
  return { code, told: issues.map(({ path, message }) => `${path} ${message}`).join('\n') }
}

describe('near misses of a boundary', () => {
  test.each(BODY_OPERATIONS)(
    '%s refuses every near miss at the top level and names the right field',
    (operation) => {
      const { request } = example(operation)
      prove(nearMisses, ([name, meant]) => {
        if (name === meant) return
        const { code, told } = issuesOf(operation, { ...request, [name]: 'x' })
        expect(code).toBe('invalid_request')
        expect(told).toContain(`${name} ${name} is not known: send ${meant}`)
      })
    },
  )

  test('memory refuses another spelling of scope, agent, team, lane and owners, and nothing else', () => {
    const inside = fc
      .constantFrom(...RESPELT)
      .chain((meant) => fc.tuple(respelt(meant.replaceAll('_', '')), fc.constant(meant)))
    prove(inside, ([name, meant]) => {
      if (name === meant) return
      const { code, told } = issuesOf('observe', { memory: { text: 'x', [name]: 'y' } })
      expect(code).toBe('invalid_request')
      expect(told).toContain(`memory.${name} memory.${name} is not known: send `)
      expect(told).toContain(meant)
    })
    for (const name of ['tenant', 'consumer', 'scopeid', 'scpoe', 'scope', 'agent_id']) {
      expect(boundaryMeantInside(name)).toBeNull()
    }
  })

  test('a replaced letter makes another word, which is free', () => {
    const replaced = fc
      .tuple(fc.constantFrom('tenantid', 'scope', 'consumeragentid', 'consumerteamid'), fc.nat(99))
      .chain(([word, at]) => {
        const place = at % word.length
        const others = 'abcdefghijklmnopqrstuvwxyz'.split('').filter((letter) => letter !== word[place])
        return fc
          .constantFrom(...others)
          .map((letter) => `${word.slice(0, place)}${letter}${word.slice(place + 1)}`)
      })
    prove(replaced, (name) => boundaryMeantBy(name) === null)
    expect(parse('guide', { query_text: 'x', score: 1 }).warnings).toHaveLength(1)
  })

  test.each(BODY_OPERATIONS)(
    '%s takes every field that clients send, and every field of its own',
    (operation) => {
      const own = Object.keys(OPERATIONS[operation].request.shape)
      expect(own.filter((name) => CLIENT_FIELDS.includes(name)).length).toBeGreaterThan(3)
      for (const name of [...CLIENT_FIELDS, ...own]) {
        expect([name, boundaryMeantBy(name), boundaryMeantInside(name)]).toEqual([name, null, null])
      }
    },
  )

  test('a boundary itself is none, and neither is a field without a value', () => {
    for (const name of [
      'tenant_id',
      'scope',
      'consumer_agent_id',
      'consumer_team_id',
      'agent_id',
      'team_id',
    ]) {
      expect([name, isBoundary(name), boundaryMeantBy(name)]).toEqual([name, true, null])
    }
    const body = { query_text: 'x', tenant: undefined }
    expect(parse('guide', body).warnings).toEqual([])
  })

  test('every near miss is named beside everything else that is wrong, and the request is invalid_request', () => {
    const { code, issues } = refusalOf(() =>
      parse('feedback', {
        tenantId: 'acme',
        Scope: 's',
        outcome: 'positive',
        run_id: 'r',
        used_surface: 'use_now',
      }),
    )
    expect(code).toBe('invalid_request')
    expect(issues.map(({ path }) => path)).toEqual(['tenantId', 'Scope', 'reason'])
  })
})
