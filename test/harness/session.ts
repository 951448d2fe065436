import fc from 'fast-check'
import { expect } from 'vitest'
import { errorsOf, isWriting, OPERATIONS, type RequestedName } from '../../src/contract/operations.ts'
import { RESOLVE_TYPES } from '../../src/contract/resolve.ts'
import type { Durability } from '../../src/ports/store.ts'
import { type Embedded, isInMemory, type Place } from './embedded.ts'
import { type Answer, answerOf, type Reply } from './reply.ts'
import {
  feedbackBody,
  forgetBody,
  governBody,
  guideBody,
  measureBody,
  observeBody,
  RECORDER_ASKS,
  recorderBody,
  rehydrateBody,
  resolveBody,
  skillsBody,
  snapshotBody,
} from './requests.ts'

/** What one scope has answered so far: later steps name things of it. */
export class Session {
  readonly memoryIds: string[] = []
  readonly clientIds: string[] = []
  readonly guides: Answer<'guide'>[] = []
  /** What each of the guides was asked, and when. */
  readonly asked: { readonly body: object; readonly atMs: number }[] = []
  /** Guides, and what was governed and recorded, in their order. */
  readonly recorded: { readonly id: string; readonly body: object; readonly atMs: number }[] = []
  readonly feedbacks: Answer<'feedback'>[] = []
  readonly embedded: Embedded
  readonly durability: Durability
  readonly place: Place

  constructor(embedded: Embedded, durability: Durability, scope: string) {
    this.embedded = embedded
    this.durability = durability
    this.place = { tenant_id: 'contract', scope }
  }

  async send<Name extends RequestedName>(operation: Name, body: object): Promise<Reply<Name>> {
    // The harness parses every answer and refusal with the schema of its operation.
    const reply = await this.embedded.call(operation, { ...this.place, ...body })
    if (reply.refusal === null) this.#checkEnvelope(operation, body, reply.text)
    else expect(errorsOf(OPERATIONS[operation])).toContain(reply.refusal.error)
    return reply
  }

  #checkEnvelope(operation: RequestedName, body: object, text: string): void {
    const { durable, ...rest } = JSON.parse(text)
    expect(rest).toMatchObject(this.place)
    const isLoose = (isInMemory || this.durability !== 'sync') && isWriting(operation, body)
    expect(durable).toBe(isLoose ? false : undefined)
  }
}

/** One request of a session; its body stands beside it, so that a counterexample shows it. */
export interface Step {
  readonly shown: unknown
  readonly run: (session: Session) => Promise<void>
}

const at = fc.nat({ max: 1000 })
const pick = <T>(list: readonly T[], index: number): T | null =>
  list[index % Math.max(1, list.length)] ?? null

const observeStep = observeBody.map(
  (body): Step => ({
    shown: body,
    async run(session) {
      const answer = answerOf(await session.send('observe', body))
      session.memoryIds.push(...answer.memory_ids)
      session.clientIds.push(...Object.keys(answer.client_id_map))
    },
  }),
)

const guideStep = guideBody.map(
  (body): Step => ({
    shown: body,
    async run(session) {
      const answer = answerOf(await session.send('guide', body))
      const atMs = session.embedded.clock.nowMs()
      session.guides.push(answer)
      session.asked.push({ body, atMs })
      session.recorded.push({ id: answer.guide_trace_id, body, atMs })
      const { agent_context: context, memory_use_receipt: receipt } = answer
      expect(context.prompt_text.length).toBeGreaterThan(0)
      expect(receipt.exposed_memory_ids).toEqual(context.memory_ids)
      const budget = body.context_char_budget ?? Math.max(200, 4 * (body.context_token_budget ?? 2000))
      expect(context.prompt_text.length).toBeLessThanOrEqual(budget)
      expect(context.memory_ids.length).toBeLessThanOrEqual(body.limit ?? 30)
      expect('memory_packet' in answer).toBe(body.include_packets === true)
    },
  }),
)

const feedbackStep = fc.tuple(feedbackBody, at, fc.array(at, { minLength: 1, maxLength: 4 })).map(
  ([body, guideAt, idsAt]): Step => ({
    shown: body,
    async run(session) {
      const guide = pick(session.guides, guideAt)
      const exposed = guide?.agent_context.memory_ids ?? []
      if (guide === null || exposed.length === 0) return
      const guide_trace_id = guide.guide_trace_id
      const used_memory_ids = [...new Set(idsAt.map((index) => pick(exposed, index)))]
      const request = { ...body, guide_trace_id, used_memory_ids }
      const { run_id, outcome, used_surface } = body
      const echoed = { run_id, outcome, used_surface, guide_trace_id, used_memory_ids }
      const answer = answerOf(await session.send('feedback', request))
      session.feedbacks.push(answer)
      expect(answer).toMatchObject(echoed)
    },
  }),
)

const governStep = governBody.map(
  (body): Step => ({
    shown: body,
    async run(session) {
      const answer = answerOf(await session.send('govern', body))
      const { guide_trace_id: id } = answer
      if (typeof id === 'string') session.recorded.push({ id, body, atMs: session.embedded.clock.nowMs() })
      const ids = answer.memory_admission_records?.map((record) => record.memory_id)
      const given = body.candidates.map((candidate) => candidate.external_memory_id)
      if (body.include_records === true) expect(ids?.toSorted()).toEqual(given.toSorted())
      else expect(ids).toBeUndefined()
    },
  }),
)

const forgetStep = fc.tuple(forgetBody, at).map(
  ([body, index]): Step => ({
    shown: body,
    async run(session) {
      const id = pick(session.memoryIds, index)
      if (id !== null) await session.send('forget', { ...body, memory_ids: [id, 'no-such-id'] })
    },
  }),
)

const rehydrateStep = fc.tuple(rehydrateBody, at, at).map(
  ([body, idAt, clientAt]): Step => ({
    shown: body,
    async run(session) {
      const clientId = pick(session.clientIds, clientAt)
      const guide = pick(session.guides, idAt)
      await session.send('rehydrate', {
        ...body,
        memory_ids: [pick(session.memoryIds, idAt) ?? 'no-such-id'],
        client_ids: clientId === null ? [] : [clientId],
        ...(guide !== null && clientAt % 3 === 0 ? { guide_trace_id: guide.guide_trace_id } : {}),
      })
    },
  }),
)

const resolveStep = fc.tuple(resolveBody, at, fc.constantFrom(...RESOLVE_TYPES)).map(
  ([body, index, type]): Step => ({
    shown: { ...body, type },
    async run(session) {
      const { tenant_id, scope } = session.place
      const ids = type === 'guide' ? session.guides.map((guide) => guide.guide_trace_id) : session.memoryIds
      const id = type === 'run' ? 'run-1' : (pick(ids, index) ?? 'no-such-id')
      const uri = `svc://${tenant_id}/${encodeURIComponent(scope)}/${type}/${encodeURIComponent(id)}`
      await session.send('resolve', { ...body, uri })
    },
  }),
)

const measureStep = fc.tuple(measureBody, at, at, fc.boolean()).map(
  ([{ baseline, guided, ...body }, beforeAt, afterAt, isPair]): Step => ({
    shown: { ...body, baseline, guided, isPair },
    async run(session) {
      const before_guide = pick(session.guides, beforeAt)
      const after_guide = pick(session.guides, afterAt)
      const isTrace = !isPair && before_guide !== null && after_guide !== null
      const measured = isTrace ? { product_trace: { before_guide, after_guide } } : { baseline, guided }
      const digest = await session.embedded.digest(session.place)
      const answer = answerOf(await session.send('measure', { ...body, ...measured }))
      expect(await session.embedded.digest(session.place)).toBe(digest)
      const provenance = isTrace ? /runtime_verified|unverified_product_trace/ : /manual_unverified/
      expect(answer.evidence_assessment.provenance).toMatch(provenance)
    },
  }),
)

const snapshotStep = fc.tuple(snapshotBody, at).map(
  ([body, index]): Step => ({
    shown: body,
    async run(session) {
      const guide = pick(session.guides, index)
      const named = guide === null || index % 2 === 0 ? {} : { guide_trace_id: guide.guide_trace_id }
      const supplied = guide === null || index % 3 === 0 ? {} : { agent_context: guide.agent_context }
      const reply = await session.send('operatorSnapshot', { ...body, ...supplied, ...named })
      if (reply.refusal !== null) return
      const { operator_snapshot: snapshot, markdown } = reply.answer
      expect(markdown !== undefined).toBe(body.include_markdown === true)
      if ('guide_trace_id' in named) expect(snapshot.guide_trace).toMatchObject(named)
    },
  }),
)

const blastStep = fc.tuple(at, fc.boolean()).map(
  ([index, isById]): Step => ({
    shown: { index, isById },
    async run(session) {
      const id = pick(isById ? session.memoryIds : session.clientIds, index)
      if (id === null) return
      const { blast_radius: report } = answerOf(
        await session.send('blastRadius', { [isById ? 'memory_id' : 'client_id']: id }),
      )
      if (isById) expect(report.memories.map((memory) => memory.memory_id)).toEqual([id])
    },
  }),
)

const LIES = ['none', 'moved', 'outcome', 'unknown'] as const

const decisionStep = fc.tuple(at, at, fc.constantFrom(...LIES), fc.boolean()).map(
  ([guideAt, beforeAt, lie, isBare]): Step => ({
    shown: { guideAt, beforeAt, lie, isBare },
    async run(session) {
      const [guide, before] = [pick(session.guides, guideAt), pick(session.guides, beforeAt)]
      if (guide === null) return
      const feedback = pick(session.feedbacks, beforeAt)
      const after_guide = structuredClone(guide) as typeof guide & {
        agent_context: { use_now_memory_ids: string[] }
      }
      if (lie === 'moved') after_guide.agent_context.use_now_memory_ids.push('no-such-id')
      if (lie === 'unknown') after_guide.guide_trace_id = 'guide_trace:nothing'
      const product_trace = {
        after_guide,
        before_guide: before,
        feedback_result: lie === 'outcome' ? { outcome: 'no such outcome' } : feedback,
      }
      const request = isBare ? { guide_trace_id: guide.guide_trace_id } : { product_trace }
      const { memory_decision_trace: trace } = answerOf(await session.send('decisionTrace', request))
      const { memory_decision_audit: audit } = answerOf(await session.send('decisionReport', request))
      expect(audit.artifact_mismatch).toEqual(trace.artifact_mismatch)
      if (isBare || lie === 'none' || lie === 'moved') {
        expect(trace.context_decision.memory_ids).toEqual(guide.agent_context.memory_ids)
      }
      const isLie = !isBare && (lie === 'moved' || lie === 'outcome')
      if (isLie) expect(trace.artifact_mismatch.length).toBeGreaterThan(0)
      if (isBare) expect(trace.artifact_mismatch).toEqual([])
    },
  }),
)

const skillsStep = fc.tuple(skillsBody, fc.constantFrom('promoteSkill', 'rejectSkill')).map(
  ([body, review]): Step => ({
    shown: { ...body, review },
    async run(session) {
      const { candidates } = answerOf(await session.send('proposeSkills', body))
      const listed = answerOf(await session.send('listSkills', { status: 'all' }))
      expect(listed.candidate_count).toBeGreaterThanOrEqual(candidates.length)
      const candidate_id = candidates[0]?.candidate_id ?? 'skill:none'
      await session.send(review, { candidate_id, reviewer_id: 'ann', reason: 'looked at' })
    },
  }),
)

const recorderStep = fc.tuple(recorderBody, at, fc.constantFrom(...RECORDER_ASKS)).map(
  ([body, index, asks]): Step => ({
    shown: { ...body, asks },
    async run(session) {
      const guide = pick(session.guides, index)
      const feedback_result = pick(session.feedbacks, index)
      if (guide === null) return
      const { guide_trace_id, agent_context, memory_use_receipt } = guide
      const product_trace = { after_guide: guide, forget_result: feedback_result }
      const parts = {
        journal: { replay_source: 'journal', guide_trace_id },
        moment: { replay_source: 'journal' },
        product_trace: { product_trace },
        agent_context: { agent_context },
        receipt: { memory_use_receipt },
        feedback: { feedback_result: feedback_result ?? {} },
      }
      await session.send('flightRecorder', { ...body, ...parts[asks] })
    },
  }),
)

/** A history of valid requests, from writing to asking. */
export const history = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: observeStep },
    { weight: 3, arbitrary: guideStep },
    { weight: 2, arbitrary: feedbackStep },
    { weight: 1, arbitrary: forgetStep },
    { weight: 1, arbitrary: rehydrateStep },
    { weight: 1, arbitrary: resolveStep },
    { weight: 1, arbitrary: governStep },
    { weight: 1, arbitrary: measureStep },
    { weight: 1, arbitrary: skillsStep },
    { weight: 1, arbitrary: snapshotStep },
    { weight: 1, arbitrary: blastStep },
    { weight: 1, arbitrary: decisionStep },
    { weight: 1, arbitrary: recorderStep },
  ),
  { minLength: 4, maxLength: 24, size: 'max' },
)
