import type { MemoryWrite } from '../../src/core/model/commands.ts'
import { contestedByText, judgeAnew } from '../../src/core/write/dispute.ts'
import type { Verdict } from '../../src/core/write/settle.ts'
import { claimOf, handoffOf, memoryOf, runOf, SPOKESMAN } from '../support/commands.ts'
import { answering } from '../support/named-hit.ts'
import { NEWER, OLDER } from '../support/statements.ts'
import type { World } from '../support/world.ts'

// A real sequence of commands for every way a facet can move: each returns the memory whose facet its last command moved.

type Scenario = (world: World) => string

/** A run with a client id of its own, so that it can be revised and can fail. */
function write(world: World, rest: Partial<MemoryWrite> = {}): string {
  return world.write(runOf({ text: 'the subject' }, { clientId: 'subject', ...rest }))
}

function revise(
  world: World,
  declared: MemoryWrite['declared'],
  outcome: 'succeeded' | 'unknown' = 'unknown',
): void {
  const content = { text: `the subject, again ${world.turns.length}`, outcome }
  world.write(runOf(content, { clientId: 'subject', declared }))
}

/** Shows the memory and reports how a run went with it. */
function report(
  world: World,
  memoryId: string,
  runId: string,
  what: 'weak' | 'strong' | 'positive' | 'help',
): void {
  const hit = answering(memoryId)
  const { guide_trace_id } = world.guide({ limit: 200, budgetChars: 200_000 }, [hit])
  world.feedback({
    runId,
    guideTraceId: guide_trace_id,
    memoryIds: [memoryId],
    outcome: what === 'positive' || what === 'help' ? 'positive' : 'negative',
    usedSurface: 'explicit_host_assertion',
    verifierStatus: what === 'strong' ? 'failed' : what === 'positive' ? 'passed' : null,
  })
}

/** A run that failed with the memory and another one, or succeeded where the memory was shown. */
function reportShared(world: World, memoryId: string, runId: string, what: 'failed' | 'passed'): void {
  const otherId = world.write(memoryOf({ text: `what else ${runId} used` }))
  const hits = [memoryId, otherId].map((id) => answering(id))
  const { guide_trace_id } = world.guide({ limit: 200, budgetChars: 200_000 }, hits)
  world.feedback({
    runId,
    guideTraceId: guide_trace_id,
    memoryIds: what === 'failed' ? [memoryId, otherId] : [otherId],
    outcome: what === 'failed' ? 'negative' : 'positive',
    usedSurface: 'explicit_host_assertion',
    verifierStatus: what,
  })
}

function operate(
  world: World,
  id: string,
  operation: 'activate' | 'suppress' | 'unsuppress' | 'rehydrate',
  ms?: number,
) {
  const untilMs = ms === undefined ? null : world.nowMs + ms
  world.lifecycle({ operation, memoryIds: [id], untilMs })
}

function relate(world: World, target: string, type: 'contradicts' | 'supersedes' | 'invalidates'): void {
  const source = world.write(memoryOf({ text: 'it is otherwise' }))
  world.observe({ edges: [{ type, src: { id: source }, dst: { id: target }, confidence: 1 }] })
}

function claim(world: World, value: string, clientId: string | null = null): string {
  return world.observe({ claims: [claimOf('the slot', { value, clientId })] }).memoryIds[0] ?? ''
}

function handoff(world: World, text: string, clientId: string | null = null): string {
  const memory = memoryOf({ text }, { clientId })
  return world.observe({ handoff: handoffOf(memory, { anchor: 'the anchor' }) }).memoryIds[0] ?? ''
}

/** From where the memory stands after `lead`, its facet is moved by `act`. */
function scenario(lead: (world: World) => string, act: (world: World, id: string) => void): Scenario {
  return (world) => {
    const id = lead(world)
    act(world, id)
    return id
  }
}

const active: Scenario = (world) => write(world)
const demoted = scenario(active, (world, id) => report(world, id, 'run-d', 'weak'))
const contested = scenario(active, (world, id) => report(world, id, 'run-c', 'strong'))
const failed = scenario(contested, (world, id) => report(world, id, 'run-f', 'strong'))
/** Active again by an operator's word, which answers all that happened. */
const activated = scenario(contested, (world, id) => operate(world, id, 'activate'))
const passed = (lead: Scenario, runs: readonly string[]): Scenario =>
  scenario(lead, (world, id) => {
    for (const run of runs) report(world, id, run, 'positive')
  })
/** Active in spite of a strong negative, which no verified positive has answered. */
const forgiven = scenario(passed(active, ['run-p', 'run-q', 'run-r']), (world, id) =>
  report(world, id, 'run-c', 'strong'),
)
const blamed = scenario(active, (world, id) => reportShared(world, id, 'run-s', 'failed'))
/** Contested by two weak negatives, one of which it shares. */
const blamedTwice = scenario(blamed, (world, id) => report(world, id, 'run-d', 'weak'))
const suppressed = scenario(active, (world, id) => operate(world, id, 'suppress'))
const UNHEARD = 'The nightly export writes seventeen parquet files into the archive bucket of the warehouse.'
const candidate: Scenario = (world) =>
  world.write(memoryOf({ text: UNHEARD }, { origin: 'document', clientId: 'subject' }))
const stated: Scenario = (world) => world.write(memoryOf({ text: UNHEARD }, { clientId: 'subject' }))

/** As builds before disputes wrote it: no command does any more. */
function correct(world: World, memoryId: string): void {
  const text = 'Corrected: the nightly export no longer writes parquet files into the archive bucket.'
  const byMemoryId = world.write(memoryOf({ text }, { clientId: 'correction' }))
  const reason = 'corrects it'
  world.commit([
    { type: 'standing_changed', memoryId, to: 'contested', cause: 'corrected', reason, byMemoryId },
  ])
}

function judge(world: World): void {
  world.commit(judgeAnew(world.state, world.similar, contestedByText(world.state), world.nowMs))
}

function said(world: World, clientId: string, rest: Partial<MemoryWrite> = {}): string {
  return world.write(memoryOf({ text: UNHEARD }, { clientId, ...rest }))
}

/** Decides between two memories that say otherwise, the first of which is a. */
function settle(world: World, verdict: Verdict): void {
  const idOf = (clientId: string) => [...(world.state.byClientId.get(clientId) ?? [])][0]
  const first = idOf('first') ?? world.write(memoryOf({ text: OLDER }, { clientId: 'first' }))
  const second = idOf('second') ?? world.write(memoryOf({ text: NEWER }, { clientId: 'second' }))
  world.settle([first, second], verdict)
}

/** A memory that says what another one says which is suppressed. */
const silenced: Scenario = (world) => {
  operate(world, said(world, 'first'), 'suppress')
  return said(world, 'second')
}
const firstOf = (world: World): string => [...(world.state.byClientId.get('first') ?? [])][0] ?? ''
const failedToo = (declared: MemoryWrite['declared']): Scenario => {
  return (world) => {
    said(world, 'first', { declared: ['failed'] })
    return said(world, 'second', { declared })
  }
}

/** Keys are row and state to leave. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'T1 trusted': scenario(active, (world) => revise(world, ['candidate'])),
  'T2 candidate': scenario(
    (world) => write(world, { origin: 'document' }),
    (world, id) => operate(world, id, 'activate'),
  ),
  'T3 active': demoted,
  'T4 demoted': scenario(demoted, (world, id) => report(world, id, 'run-2', 'weak')),
  'T5 active': contested,
  'T5 demoted': scenario(demoted, (world, id) => report(world, id, 'run-2', 'strong')),
  'T6 active': scenario(forgiven, (world, id) => report(world, id, 'run-2', 'strong')),
  'T6 demoted': scenario(
    scenario(forgiven, (world, id) => report(world, id, 'run-3', 'weak')),
    (world, id) => report(world, id, 'run-2', 'strong'),
  ),
  'T6 contested': failed,
  'T7 demoted': scenario(demoted, (world, id) => report(world, id, 'run-2', 'positive')),
  'T8 contested': scenario(
    scenario(contested, (world, id) => report(world, id, 'run-2', 'positive')),
    (world, id) => report(world, id, 'run-3', 'positive'),
  ),
  'T9 failed': scenario(failed, (world) => revise(world, [], 'succeeded')),
  'T10 demoted': scenario(demoted, (world, id) => operate(world, id, 'activate')),
  'T10 contested': activated,
  'T10 failed': scenario(failed, (world, id) => operate(world, id, 'activate')),
  'T11 active': scenario(active, (world, id) => relate(world, id, 'contradicts')),
  'T11 demoted': scenario(demoted, (world, id) => relate(world, id, 'contradicts')),
  'T12 active': scenario(active, (world) => revise(world, ['demoted'])),
  'T13 active': scenario(active, (world) => revise(world, ['contested'])),
  'T13 demoted': scenario(demoted, (world) => revise(world, ['contested'])),
  'T14 active': scenario(active, (world) => revise(world, ['failed'])),
  'T14 demoted': scenario(demoted, (world) => revise(world, ['failed'])),
  'T14 contested': scenario(contested, (world) => revise(world, ['failed'])),
  'T15 live': scenario(active, (world, id) =>
    relate(world, id, world.turns.length % 2 === 0 ? 'supersedes' : 'invalidates'),
  ),
  'T16 live': scenario(
    (world) => claim(world, 'one'),
    (world) => claim(world, 'two'),
  ),
  'T17 live': scenario(
    (world) => handoff(world, 'one'),
    (world) => handoff(world, 'two'),
  ),
  'T18 superseded': scenario(
    scenario(
      (world) => claim(world, 'one', 'subject'),
      (world) => claim(world, 'two'),
    ),
    (world) => claim(world, 'three', 'subject'),
  ),
  'T19 live': scenario(active, (world) => revise(world, ['superseded'])),
  'T20 live': scenario(active, (world) => revise(world, ['expired'])),
  'T21 resident': scenario(active, (world) => revise(world, ['archived'])),
  'T22 archived': scenario(
    (world) => write(world, { declared: ['archived'] }),
    (world, id) => operate(world, id, 'rehydrate'),
  ),
  'T23 none': suppressed,
  'T23 suppressed': scenario(suppressed, (world, id) => operate(world, id, 'suppress', 60_000)),
  'T24 none': scenario(active, (world) => revise(world, ['suppressed'])),
  'T24 suppressed': scenario(
    scenario(active, (world, id) => operate(world, id, 'suppress', 500)),
    (world) => revise(world, ['suppressed']),
  ),
  'T25 suppressed': scenario(suppressed, (world, id) => operate(world, id, 'unsuppress')),
  'T27 candidate': scenario(candidate, (world) => {
    world.write(memoryOf({ text: UNHEARD }, { clientId: 'said too' }))
  }),
  'T28 candidate': scenario(candidate, (world, id) => {
    const verifier = [{ name: 'check', status: 'passed', summary: null }] as const
    world.write(runOf({ text: 'it went well', verifier, evidenceRefs: [id] }, { clientId: 'used it' }))
  }),
  'T29 active': scenario(stated, correct),
  'T29 demoted': scenario(
    scenario(stated, (world, id) => report(world, id, 'run-2', 'weak')),
    correct,
  ),
  // The run that takes the shared blame away has spoken for the memory before, so it answers nothing that came later.
  'T31 contested': scenario(
    scenario(
      scenario(active, (world, id) => report(world, id, 'run-2', 'help')),
      (world, id) => {
        reportShared(world, id, 'run-s', 'failed')
        report(world, id, 'run-d', 'weak')
      },
    ),
    (world, id) => report(world, id, 'run-2', 'positive'),
  ),
  'T32 demoted': scenario(blamed, (world, id) => report(world, id, 'run-2', 'positive')),
  'T32 contested': scenario(blamedTwice, (world, id) => report(world, id, 'run-2', 'positive')),
  'T33 demoted': scenario(demoted, (world, id) => {
    for (const run of ['run-1', 'run-2', 'run-3', 'run-4', 'run-5']) reportShared(world, id, run, 'passed')
  }),
  'T34 active': scenario(
    scenario(passed(active, ['run-p', 'run-q', 'run-r']), (world, id) => {
      report(world, id, 'run-1', 'weak')
      report(world, id, 'run-2', 'weak')
      report(world, id, 'run-s', 'positive')
    }),
    (world, id) => report(world, id, 'run-3', 'weak'),
  ),
  'T35 contested': scenario(scenario(stated, correct), judge),
  'T36 contested': scenario(
    scenario(
      scenario(stated, (world, id) => report(world, id, 'run-2', 'weak')),
      correct,
    ),
    judge,
  ),
  'T30 live': (world) => {
    const memory = memoryOf({ text: 'half done' }, { taskSignature: 'the task handed over' })
    const [id = ''] = world.observe({ handoff: handoffOf(memory, {}) }).memoryIds
    const verifier = [{ name: 'check', status: 'passed', summary: null }] as const
    world.write(
      runOf({ text: 'done', outcome: 'succeeded', verifier }, { taskSignature: 'the task handed over' }),
    )
    return id
  },
  'T40 none': silenced,
  'T40 suppressed': scenario(silenced, (world) => operate(world, firstOf(world), 'suppress', 60_000)),
  'T41 suppressed': scenario(silenced, (world) => operate(world, firstOf(world), 'unsuppress')),
  'T42 active': failedToo([]),
  'T42 demoted': failedToo(['demoted']),
  'T42 contested': failedToo(['contested']),
  'T43 trusted': (world) => {
    operate(world, said(world, 'first'), 'suppress')
    const memories = [memoryOf({ text: UNHEARD }, { clientId: 'second' })]
    return world.observe({ memories, principal: SPOKESMAN }).memoryIds[0] ?? ''
  },
  'T44 live': (world) => {
    settle(world, 'b')
    return firstOf(world)
  },
  'T45 superseded': (world) => {
    settle(world, 'b')
    settle(world, 'a')
    return firstOf(world)
  },
  'T46 none': (world) => {
    settle(world, 'neither')
    return firstOf(world)
  },
  'T46 suppressed': (world) => {
    settle(world, 'reopen')
    operate(world, firstOf(world), 'suppress', 60_000)
    settle(world, 'neither')
    return firstOf(world)
  },
  'T47 suppressed': (world) => {
    settle(world, 'neither')
    settle(world, 'both')
    return firstOf(world)
  },
  'T26 superseded': scenario(
    scenario(
      (world) => handoff(world, 'one', 'subject'),
      (world) => handoff(world, 'two'),
    ),
    (world) => handoff(world, 'three', 'subject'),
  ),
}
