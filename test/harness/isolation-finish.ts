import fc from 'fast-check'
import { audienceOf } from './isolation-model.ts'
import { consumerFields, index, lanesOf, ownerEyes, pick, placed } from './isolation-request.ts'

/** The end of a run of some guide, told by whoever it was made for or by somebody else, with ids, handles and names. */
export const finish = placed(
  'finish',
  {
    isOwn: fc.boolean(),
    lane: index,
    guide: index,
    used: fc.array(index, { maxLength: 2 }),
    isByHandle: fc.boolean(),
    run: index,
    outcome: fc.constantFrom('succeeded', 'failed', 'blocked'),
  },
  async ({ plan, model, place, state, send }) => {
    const guide = pick(state.guides, plan.guide)
    const eyes = plan.isOwn && guide !== undefined ? guide.eyes : plan.eyes
    const lanes = lanesOf(eyes, plan.lane)
    const nameOf = (at: number) =>
      plan.isByHandle ? `m${1 + (at % 4)}` : (pick(guide?.memoryIds ?? [], at) ?? 'none')
    const run_id = plan.run % 2 === 0 ? `run-${model.mark('name')}` : pick(state.runIds, plan.run)
    const body = {
      ...consumerFields(eyes),
      ...lanes,
      guide_trace_id: guide?.traceId ?? 'guide_trace:none',
      outcome: plan.outcome,
      title: `the ${model.mark('text')} login`,
      summary: `the login of ${model.mark('text')}`,
      reason: `because of ${model.mark('text')}`,
      target_files: [`src/${model.mark('text')}.ts`],
      used_memory_ids: plan.used.map(nameOf),
      verifier_status: plan.outcome === 'failed' ? 'failed' : 'passed',
      ...(run_id === undefined ? {} : { run_id }),
    }
    const { title, summary, target_files, reason } = body
    const audience = audienceOf(lanes)
    await send('finish', body, [guide?.eyes ?? eyes, ownerEyes(eyes, lanes)], ({ answer }) => {
      if (answer === null) return []
      model.share(place, JSON.stringify([title, summary, target_files, answer.run_id]), audience)
      // What is said of a memory is for whoever sees that memory.
      for (const id of answer.used_memory_ids) {
        const seenBy = model.audienceOfMemory(place, id)
        if (seenBy !== null) model.share(place, `${reason} ${answer.run_id}`, seenBy)
      }
      model.addMemory(place, answer.run_memory_id, audience)
      state.runIds.push(answer.run_id)
      return [answer.run_memory_id]
    })
  },
)
