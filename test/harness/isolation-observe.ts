import fc from 'fast-check'
import { audienceOf } from './isolation-model.ts'
import {
  consumerFields,
  index,
  lanesOf,
  ownerEyes,
  pick,
  placed,
  SHARED_CLIENT_IDS,
} from './isolation-request.ts'

/** An observe of every kind, in every lane, with marks in all its words and names. */
export const observe = placed(
  'observe',
  {
    lane: index,
    nodeLane: index,
    form: fc.constantFrom('plain', 'memory', 'execution', 'handoff', 'claim', 'nodes', 'edge'),
    isSameClientId: fc.boolean(),
    refs: fc.array(index, { maxLength: 2 }),
    extra: index,
    outcome: fc.constantFrom('succeeded', 'failed', 'unknown'),
    lifecycle: fc.constantFrom('active', 'archived', 'contested'),
  },
  async ({ plan, model, place, state, send }) => {
    const lanes = lanesOf(plan.eyes, plan.lane)
    const nodeLanes = lanesOf(plan.eyes, plan.nodeLane)
    const text = () => {
      const words = `the ${model.mark('text')} login of ${model.mark('text')}`
      state.texts.push(words)
      return words
    }
    const clientId = plan.isSameClientId
      ? (pick(SHARED_CLIENT_IDS, plan.extra) ?? '')
      : `client-${model.mark('name')}`
    const reference = (at: number) =>
      at % 3 === 0
        ? { client_id: pick(SHARED_CLIENT_IDS, at) }
        : { id: pick(state.memories, at)?.id ?? 'none' }
    const refs = plan.refs.map(reference)
    // Evidence may be another memory, also one that not everyone sees who sees this one.
    const evidence_refs = plan.refs.map((at) => pick(state.memories, at)?.id ?? 'none')
    const run_id = `run-${model.mark('name')}`
    const words = {
      title: text(),
      text: text(),
      text_summary: text(),
      target_files: [`src/${model.mark('text')}.ts`],
    }
    const memory = {
      ...words,
      client_id: clientId,
      derived_from: refs,
      supersedes: refs,
      evidence_refs,
      raw_ref: evidence_refs[0] ?? 'none',
      lifecycle: plan.lifecycle,
    }
    const forms = {
      plain: { input_text: text() },
      memory: { memory, run_id },
      execution: {
        execution: {
          run_id,
          title: text(),
          summary: text(),
          outcome: plan.outcome,
          task_signature: 'fix:login',
          client_id: clientId,
          evidence_ref: `ci-${model.mark('name')}`,
          evidence_refs,
          supersedes: refs,
        },
      },
      handoff: {
        handoff: {
          anchor: 'anchor-1',
          summary: text(),
          handoff_text: text(),
          next_action: text(),
          risk: text(),
        },
        task_signature: 'fix:login',
      },
      claim: {
        claims: [
          {
            subject_key: 'login',
            predicate: 'uses',
            value: text(),
            slot_key: 'slot-1',
            conflict_policy: 'singleton_latest',
            client_id: `claim-${model.mark('name')}`,
            evidence_refs,
          },
        ],
      },
      nodes: {
        nodes: [{ ...memory, ...nodeLanes }],
        edges: [{ type: 'contradicts', src: { client_id: clientId }, dst: refs[0] ?? { id: 'none' } }],
      },
      edge: {
        edges: [{ type: 'invalidates', src: reference(plan.extra), dst: refs[0] ?? { id: 'none' } }],
      },
    }
    const body = { ...consumerFields(plan.eyes), ...lanes, ...forms[plan.form] }
    const audience = audienceOf(plan.form === 'nodes' ? { ...lanes, ...nodeLanes } : lanes)
    model.share(
      place,
      JSON.stringify(forms[plan.form]).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ''),
      audience,
    )
    // Who names an owner writes in the owner's lane, and learns the ids that the write gave or found there.
    await send('observe', body, [plan.eyes, ownerEyes(plan.eyes, lanes)], ({ answer }) => {
      for (const id of answer?.memory_ids ?? []) model.addMemory(place, id, audience)
      return answer?.memory_ids
    })
    state.clientIds.push(clientId)
    state.runIds.push(run_id)
  },
)
