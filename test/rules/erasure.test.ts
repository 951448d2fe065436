import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { createCodec } from '../../src/adapters/codec/codec.ts'
import { plainRecord } from '../../src/core/model/compact-record.ts'
import { guidesGone, redactedTurn, turnWithoutGuides } from '../../src/core/model/erasure.ts'
import type { Turn } from '../../src/core/model/events.ts'
import type { Content, MemoryRecord } from '../../src/core/model/record.ts'
import { exposureTotalsOf } from '../../src/core/model/state.ts'
import { imageOf, stateHash } from '../../src/core/model/state-image.ts'
import { isVisibleTo } from '../../src/core/model/visibility.ts'
import { decideEraseGuides } from '../../src/core/write/erase.ts'
import { once, operationKeyOf } from '../../src/runtime/parts.ts'
import {
  ALL_CONSUMERS,
  anyConsumer,
  anyGuideCommand,
  anyHistory,
  anyMemoryInput,
  anyStep,
} from '../arbitraries.ts'
import { claimOf, EVERYONE, eraseOf, handoffOf, memoryOf, observeOf, runOf } from '../support/commands.ts'
import { hitsOf, play, worldAfter } from '../support/history.ts'
import { answering } from '../support/named-hit.ts'
import { proofsOf } from '../support/prove.ts'
import { reloaded } from '../support/reload.ts'
import { refusalOf, replayed, World } from '../support/world.ts'

const prove = proofsOf('erasure')
const codec = createCodec()
const anyForm = fc.constantFrom('memory', 'run', 'claim', 'handoff')
const anyPicks = fc.array(fc.nat(), { minLength: 1, maxLength: 3 })
const anyGuideStep = anyStep.filter((step) => step.kind === 'guide')
const SECRET = 'quondam'

/** A content with the secret in every text. */
function secretContent(version: number): Partial<Content> {
  let made = 0
  const word = (): string => `${SECRET}-${version}-${made++}`
  return {
    title: word(),
    text: `never ${word()} but ${word()}`,
    summary: word(),
    outcomeRaw: word(),
    targetFiles: [word()],
    acceptanceChecks: [word()],
    workflowSteps: [word()],
    tools: [word()],
    verifier: [{ name: word(), status: 'passed', summary: word() }],
    evidenceRefs: [word()],
    rawRef: word(),
    nextAction: word(),
    payload: { [word()]: [word()] },
  }
}

/** Writes the secret in a form, revises it, shows it, and lets others speak of it. */
function tell(world: World, form: 'memory' | 'run' | 'claim' | 'handoff'): string {
  let id = ''
  for (const version of [1, 2]) {
    const rest = { clientId: 'secret', kind: SECRET, runId: 'run-1' }
    const facts = {
      anchor: 'line',
      handoffKind: SECRET,
      handoffText: SECRET,
      nextAction: SECRET,
      risk: SECRET,
      targetRole: SECRET,
    }
    const claim = {
      clientId: 'secret',
      subjectKey: SECRET,
      predicate: SECRET,
      value: `${SECRET} ${version}`,
      metadata: SECRET,
    }
    const command =
      form === 'claim'
        ? observeOf({ claims: [claimOf(`${SECRET} slot ${version}`, claim)], runId: 'run-1' })
        : form === 'handoff'
          ? observeOf({ handoff: handoffOf(memoryOf(secretContent(version), rest), facts) })
          : observeOf({ memories: [(form === 'run' ? runOf : memoryOf)(secretContent(version), rest)] })
    id = world.observe(command).memoryIds[0] ?? ''
  }
  const hit = answering(id, { score: 9, matchedTerms: 2, isExact: true })
  const { guide_trace_id: guideTraceId } = world.guide({ queryText: `what of ${SECRET}` }, [hit])
  const said = { guideTraceId, memoryIds: [id], reason: `it said ${SECRET}`, runId: 'run-9' }
  world.feedback({ ...said, outcome: 'negative' })
  world.lifecycle({ operation: 'suppress', memoryIds: [id], reason: `hide ${SECRET}` })
  return id
}

function redacted(world: World): readonly Turn[] {
  const erased = new Set(world.state.erasures.keys())
  const untilSeq = Math.max(0, ...[...world.state.erasures.values()].map(({ seq }) => seq))
  return world.turns.map((turn) => redactedTurn(turn, erased, untilSeq))
}

function erasePicked(world: World, picks: readonly number[]): readonly string[] {
  const ids = [...new Set(picks.flatMap((pick) => world.memoryIds[pick % world.memoryIds.length] ?? []))]
  if (ids.length > 0) world.erase(eraseOf(ids))
  return ids
}

/** Everything that a reader of the state could come across, keys of lookups included. */
function allOf(world: World): string {
  const { byClientId, bySignature, byWorkflow, byClaimSlot, runLines } = world.state
  const keys = [byClientId, bySignature, byWorkflow, byClaimSlot, runLines].map((each) => [...each.keys()])
  return JSON.stringify([imageOf(world.state), keys])
}

describe('what an erasure leaves', () => {
  test('X1: nothing that the memory said is left in the state, in its lookups or in redacted turns', () => {
    prove(fc.tuple(anyHistory, anyForm, anyHistory), ([before, form, after]) => {
      const world = worldAfter(before)
      const id = tell(world, form)
      worldAfter(after, world)
      // A history may say a text again: that is another memory, with the same words of its own.
      const others = world.records().filter(({ memoryId }) => memoryId !== id)
      fc.pre(!JSON.stringify(others.map(({ content }) => content)).includes(SECRET))
      expect(allOf(world)).toContain(SECRET)
      world.erase(eraseOf([id]))
      expect(allOf(world)).not.toContain(SECRET)
      expect(JSON.stringify(redacted(world))).not.toContain(SECRET)
      expect(allOf(reloaded(world))).not.toContain(SECRET)
      expect(world.similar.exact(`never ${SECRET}-2-1 but ${SECRET}-2-2`)).toEqual([])
      expect(world.similar.related(SECRET, () => true, 9).map(({ memoryId }) => memoryId)).not.toContain(id)
    })
  })

  test('X2: no guide shows it, nothing echoes it, and it confirms nothing', () => {
    const anyAsk = fc.tuple(anyGuideCommand, anyGuideStep)
    prove(fc.tuple(anyHistory, anyPicks, anyHistory, anyAsk), ([before, picks, after, [command, ask]]) => {
      const world = worldAfter(before)
      const texts = world.records().map(({ content }) => content.text)
      const ids = erasePicked(world, picks)
      worldAfter(after, world)
      for (const consumer of ALL_CONSUMERS) {
        // Hits may come from a ranking that began before the erasure.
        const { answer } = world.compiled({ ...command, consumer, fullPower: true }, hitsOf(world, ask))
        for (const id of ids) expect(answer.agent_context.memory_ids).not.toContain(id)
      }
      for (const text of texts) for (const id of ids) expect(world.similar.exact(text)).not.toContain(id)
      const later = world.turns.filter(
        ({ seq }) => seq > (world.state.erasures.get(ids[0] ?? '')?.seq ?? Infinity),
      )
      for (const event of later.flatMap(({ events }) => events)) {
        if ('byMemoryId' in event) expect(ids).not.toContain(event.byMemoryId)
        if (event.type === 'memory_revised') expect(ids).not.toContain(event.memoryId)
        if (event.type === 'exposed') for (const id of event.memoryIds) expect(ids).not.toContain(id)
      }
    })
  })

  test('X3: ids, facets, counters and exposures stay, and other memories as they are', () => {
    prove(fc.tuple(anyHistory, anyPicks), ([history, picks]) => {
      const world = worldAfter(history)
      const before = new Map(world.state.memories)
      const { exposureCount, exposureDigest, exposedByRun, exposedByConsumer } = world.state
      const guides = structuredClone([exposedByRun, exposedByConsumer])
      const totals = world.records().map((record) => exposureTotalsOf(world.state, record))
      const ids = erasePicked(world, picks)
      expect(world.records().map((record) => exposureTotalsOf(world.state, record))).toEqual(totals)
      expect([exposedByRun, exposedByConsumer]).toEqual(guides)
      expect(world.state).toMatchObject({ exposureCount, exposureDigest })
      for (const [id, was] of before) {
        const is = world.record(id)
        if (ids.includes(id)) expect(kept(is)).toEqual(kept(was))
        else expect({ ...plainRecord(is), changes: [] }).toEqual({ ...plainRecord(was), changes: [] })
        expect(is.changes.map(unexplained)).toEqual(was.changes.map(unexplained))
      }
    })
  })

  test('X1: of the memories that others have changed only those that it changed are written anew', () => {
    const world = new World()
    const ids = Array.from({ length: 20 }, (_, n) =>
      world.write(memoryOf({ text: `berth ${n}` }, { clientId: `b${n}` })),
    )
    for (const [n, id] of ids.entries())
      world.write(memoryOf({ text: `the new berth ${n}` }, { clientId: `n${n}`, supersedes: [{ id }] }))
    const written = vi.spyOn(world.state.memories, 'set')
    world.erase(eraseOf([world.memoryIds[20] ?? '']))
    expect(written.mock.calls.map(([id]) => id)).toEqual([world.memoryIds[20], ids[0]])
  })

  test('X1: what was said of it is not kept with another memory that its run spoke for', () => {
    const world = new World()
    const hit = (memoryId: string) => answering(memoryId, { score: 9, matchedTerms: 2, isExact: true })
    const [id, other] = [world.write(memoryOf({ text: 'one' })), world.write(memoryOf({ text: 'two' }))]
    const tellOf = (memoryId: string, runId: string, outcome: 'negative' | 'positive'): void => {
      const { guide_trace_id: guideTraceId } = world.guide({ runId }, [hit(id), hit(other)])
      const reason = `of ${memoryId} it is ${SECRET}`
      const verifierStatus = outcome === 'positive' ? 'passed' : null
      world.feedback({ guideTraceId, memoryIds: [memoryId], reason, runId, outcome, verifierStatus })
    }
    tellOf(other, 'run-0', 'negative')
    for (const run of [1, 2, 3, 4, 5]) tellOf(id, `run-${run}`, 'positive')
    expect(world.record(other).changes.map(({ cause }) => cause)).toEqual(['weak_negative', 'task_successes'])
    expect(JSON.stringify(world.record(other))).not.toContain(`of ${id}`)
  })
})

const unexplained = (change: MemoryRecord['changes'][number]) => ({ ...change, reason: '' })

/** What stays of a record, sentences apart. */
function kept(record: MemoryRecord): object {
  const { memoryId, slot, ordinal, clientId, audience, runId, taskSignature, counters, revision, seq } =
    record
  const { suppression, ...facets } = record.facets
  const times = [record.createdAtMs, record.observedAtMs, record.updatedAtMs]
  const marks = [...record.marks, ...record.assertions].map((mark) => ({ ...mark, reason: '' }))
  const held = suppression === null ? null : { ...suppression, reason: '' }
  const ids = [record.claim?.claimId, record.handoff?.handoffId, record.handoff?.anchor]
  return {
    memoryId,
    slot,
    ordinal,
    clientId,
    audience,
    runId,
    taskSignature,
    counters,
    revision,
    seq,
    facets,
    times,
    marks,
    held,
    ids,
  }
}

describe('erasure and time', () => {
  test('X4: redacted turns and an image give the digest of the live state, and go on as it does', () => {
    prove(fc.tuple(anyHistory, anyPicks, anyHistory), ([before, picks, after]) => {
      const world = worldAfter(before)
      const early = reloaded(world)
      erasePicked(world, picks)
      erasePicked(early, picks)
      expect(stateHash(early.state)).toBe(stateHash(world.state))
      const back = reloaded(world)
      expect(stateHash(back.state)).toBe(stateHash(world.state))
      for (const step of after) expect(play(back, step)?.code).toBe(play(world, step)?.code)
      expect(stateHash(back.state)).toBe(stateHash(world.state))
      expect(stateHash(replayed(world.turns))).toBe(stateHash(world.state))
      const turns = redacted(world).map((turn) => codec.decodeTurn(codec.encodeTurn(turn)))
      expect(stateHash(replayed(turns))).toBe(stateHash(world.state))
      const erased = new Set(world.state.erasures.keys())
      const untilSeq = world.state.seq
      const once = turns.map((turn) => redactedTurn(turn, erased, untilSeq))
      for (const turn of once) expect(redactedTurn(turn, erased, untilSeq)).toBe(turn)
    })
  })

  test('X9: what a guide asked and showed is gone from the turns that are kept, and nothing else is', () => {
    prove(fc.tuple(anyHistory, fc.boolean()), ([history, isByRun]) => {
      const world = worldAfter(history)
      const memoryId = world.write(memoryOf({ text: 'the pump runs at night' }))
      const hits = [answering(memoryId, { score: 9, matchedTerms: 3, isExact: true })]
      world.guide({ queryText: `what of ${SECRET}`, runId: 'gone', handles: true }, hits)
      const id = world.guides.at(-1)?.guideTraceId ?? ''
      world.guide({ queryText: 'what of others', runId: 'stays' }, hits)
      const named = isByRun ? { guideTraceIds: [], runIds: ['gone'] } : { guideTraceIds: [id], runIds: [] }
      const asked = { ...named, madeFor: null, reason: 'asked for', actorName: null }
      world.commit(decideEraseGuides(asked))
      expect(world.state.shownLines.rows()).toEqual([])
      world.guide({ queryText: 'what of the run', runId: 'gone' }, hits)
      expect(stateHash(reloaded(world).state)).toBe(stateHash(world.state))
      expect([...world.state.exposures.keys()]).not.toContain(id)
      const isGone = guidesGone(world.state.erasedGuides.values())
      const turns = world.turns.map((turn) => turnWithoutGuides(turn, isGone))
      expect(JSON.stringify(turns)).not.toContain(SECRET)
      for (const turn of turns) expect(turnWithoutGuides(turn, isGone)).toBe(turn)
      const others = world.turns.filter(({ events }) => !JSON.stringify(events).includes(`what of ${SECRET}`))
      for (const turn of others) expect(turns).toContain(turn)
      expect(replayed(turns).erasedGuides).toEqual(world.state.erasedGuides)
      expect(replayed(turns).shownLines.rows()).toEqual(world.state.shownLines.rows())
    })
  })

  test('X5: erasing again writes nothing and names the same tombstones, also by client id and anchor', () => {
    prove(fc.tuple(anyHistory, anyForm), ([history, form]) => {
      const world = worldAfter(history)
      const id = tell(world, form)
      const first = world.erase(eraseOf([id]))
      expect(first.erasedMemoryIds).toEqual([id])
      const before = stateHash(world.state)
      const names = [eraseOf([id]), eraseOf([], { clientIds: ['secret'] })]
      if (form === 'handoff') names.push(eraseOf([], { anchors: ['line'] }))
      for (const name of names) {
        const again = world.erase({ ...name, reason: 'another reason' })
        expect(again.erasedMemoryIds).toEqual([])
        expect(again.alreadyErasedMemoryIds).toContain(id)
        expect(again.tombstones.find(({ memoryId }) => memoryId === id)).toMatchObject(
          first.tombstones[0] ?? {},
        )
        expect(stateHash(world.state)).toBe(before)
      }
    })
  })

  test('X8: no answer of before is kept, and its operation id is refused', () => {
    prove(
      fc.tuple(anyHistory, fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1 })),
      ([history, ids]) => {
        const world = worldAfter(history)
        const id = world.write(memoryOf({ text: 'the subject' }))
        const ask = (operationId: string) => {
          const key = operationKeyOf(codec, 'ask', { operationId }, operationId)
          const decide = once(codec, key, () => ({ events: [], reply: { text: 'the subject' } }))
          world.commit(decide(world.state, world.nowMs).events)
        }
        for (const operationId of ids) ask(operationId)
        world.erase(eraseOf([id]))
        expect(world.state.operations.size).toBe(0)
        expect(world.state.operationAnswerBytes).toBe(0)
        for (const operationId of ids)
          expect(refusalOf(() => ask(operationId))?.details).toMatchObject({ expired: true })
        for (const event of redacted(world).flatMap(({ events }) => events)) {
          if (event.type === 'operation_recorded')
            expect(event).toMatchObject({ answer: null, requestHash: '' })
        }
      },
    )
  })
})

describe('erasure and others', () => {
  test('X6: what is derived from an erased memory is trusted as if that source were missing', () => {
    prove(fc.tuple(anyMemoryInput, fc.boolean()), ([input, isErasedFirst]) => {
      const world = new World()
      const source = world.write(memoryOf({ text: 'the source' }))
      const derive = () =>
        world.write({
          ...input,
          origin: 'agent',
          declared: [],
          audience: EVERYONE,
          derivedFrom: [{ id: source }],
        })
      const early = derive()
      if (isErasedFirst) world.erase(eraseOf([source]))
      const late = isErasedFirst ? derive() : early
      if (!isErasedFirst) world.erase(eraseOf([source]))
      for (const id of [early, late]) expect(world.surface(id)).not.toBe('use_now')
    })
  })

  test('X7: with consumer fields only what that consumer sees is erased, the rest is missing', () => {
    prove(fc.tuple(anyHistory, anyConsumer), ([history, viewpoint]) => {
      const world = worldAfter(history)
      const all = world.records()
      const seen = all
        .filter(({ audience }) => isVisibleTo(audience, viewpoint))
        .map(({ memoryId }) => memoryId)
      const hidden = world.memoryIds.filter((id) => !seen.includes(id))
      const before = stateHash(world.state)
      const command = eraseOf(world.memoryIds, { viewpoint })
      if (seen.length === 0) {
        const code = world.memoryIds.length === 0 ? 'reference_required' : 'memory_not_found'
        expect(refusalOf(() => world.erase(command))?.code).toBe(code)
        expect(stateHash(world.state)).toBe(before)
        return
      }
      const effect = world.erase(command)
      expect(effect.erasedMemoryIds).toEqual(seen)
      expect(effect.missing).toEqual(hidden)
      for (const id of hidden) {
        const is = world.record(id)
        // What an erased memory did to it is told without a sentence.
        const was = all[is.slot]
        expect({ ...plainRecord(is), changes: [] }).toEqual({ ...(was && plainRecord(was)), changes: [] })
      }
    })
  })
})
