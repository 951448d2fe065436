import { resultOf } from '../base/collections.ts'
import type { ClaimInput, FileReports, HandoffInput, MemoryWrite, ObserveCommand } from '../model/commands.ts'
import type { ActorEvent } from '../model/events.ts'
import { speaksForUsers } from '../model/principal.ts'
import type { Audience, Consumer, HandoffFacts } from '../model/record.ts'
import type { ActorState } from '../model/state.ts'
import { isSeenByAllWhoSee } from '../model/visibility.ts'
import { isOfTask } from '../policy/admission.ts'
import { screen } from '../screening/screen.ts'
import { type Decided, Decision, type Screener, type Seen } from './decision.ts'
import { disputeOthers } from './dispute.ts'
import { noteTaskSuccess } from './feedback.ts'
import { applyEdge, eyesOf } from './lineage.ts'
import {
  carryFromSame,
  confirmSame,
  confirmUsed,
  echoOf,
  isTrustedVoice,
  isVerified,
  NOTHING_SIMILAR,
  type Similar,
} from './similar.ts'
import { writeClaim } from './write-claim.ts'
import { applySupersedes, outlasting, PLAIN, type Written, writeMemory } from './write-memory.ts'

/** A handoff is the active path of its anchor (else of its task signature); older ones are superseded. */
export function writeHandoff(decision: Decision, command: ObserveCommand, handoff: HandoffInput): Written {
  const facts = (memoryId: string): HandoffFacts => ({ handoffId: `handoff:${memoryId}`, ...handoff.facts })
  const extras = { source: 'handoff', claim: () => null, handoff: facts } as const
  const written = writeMemory(decision, handoff.memory, command.viewpoint, extras)
  if (written.hasChanged) replaceOlder(decision, written.memoryId)
  return { ...written, warnings: [...written.warnings, ...outlasting(decision, handoff.memory, written)] }
}

/**
 * A succeeded run with a passed verifier finishes the open handoffs of its task that everyone who sees them also sees it
 * for. Which of both was later is told by the order of the journal: a handoff has no time but that of its writing.
 */
export function finishHandoffs(decision: Decision, run: Seen): void {
  if (run.content.outcome !== 'succeeded' || !isVerified(run) || !isTrustedVoice(decision, run)) return
  for (const id of decision.state.handoffs) {
    const open = decision.seen(id)
    if (open === null || !decision.state.memories.has(id) || !isFinishedBy(open, run)) continue
    if (!isSeenByAllWhoSee(run.audience, open.audience)) continue
    const reason = `the run ${run.memoryId} finished it and was verified`
    decision.supersede(id, run.memoryId, 'handoff_finished', reason)
  }
}

/** A handoff of a task is finished by a run of it; one without a task by a run that its anchor names. */
function isFinishedBy(open: Seen, { taskSignature, clientId }: Seen): boolean {
  if (taskSignature !== null && isOfTask(open, taskSignature)) return true
  const anchor = open.taskSignature === null ? (open.handoff?.anchor ?? null) : null
  return anchor !== null && anchor === clientId
}

function replaceOlder(decision: Decision, memoryId: string): void {
  const newest = decision.seen(memoryId)
  const path = newest === null ? null : pathOf(newest)
  if (newest === null || path === null) return
  for (const id of decision.state.handoffs) {
    const older = decision.seen(id)
    if (older === null || id === memoryId || pathOf(older) !== path) continue
    if (!isSeenByAllWhoSee(newest.audience, older.audience)) continue
    const reason = `${newest.handoff?.handoffId ?? memoryId} is the newer handoff of the same path`
    decision.supersede(id, memoryId, 'handoff_replaced', reason)
  }
  const reason = 'the newest handoff of its path'
  decision.move(memoryId, { facet: 'validity', to: 'live', cause: 'handoff_revised', reason })
}

/** Anchors and signatures are different names, so they never meet by accident. */
function pathOf(seen: Seen): string | null {
  if (seen.handoff === null) return null
  if (seen.handoff.anchor !== null) return `anchor:${seen.handoff.anchor}`
  return seen.taskSignature === null ? null : `task:${seen.taskSignature}`
}

export interface ObserveEffect {
  /** In order of writing: memories, then the handoff, then claims. A repeated memory names the one already known. */
  readonly memoryIds: readonly string[]
  readonly clientIds: Readonly<Record<string, string>>
  readonly handoffId: string | null
  readonly claimIds: readonly string[]
  readonly isMemoryWritten: boolean
  readonly generalCount: number
  readonly executionCount: number
  readonly claimCount: number
  /** Memories that only repeat what a guide has shown; their ids are those of the shown ones. */
  readonly echoCount: number
  readonly warnings: readonly string[]
}

/** Records evidence. Everything in one request is written together or not at all. */
export function decideObserve(
  state: ActorState,
  command: ObserveCommand,
  nowMs: number,
  newId: () => string,
  screener: Screener = screen,
  similar: Similar = NOTHING_SIMILAR,
): Decided<ObserveEffect> {
  return resultOf(observeSteps(state, command, nowMs, newId, screener, similar))
}

/** As `decideObserve`, with a pause behind each memory. The state must stay as it is until the end. */
export function* observeSteps(
  state: ActorState,
  command: ObserveCommand,
  nowMs: number,
  newId: () => string,
  screener: Screener,
  similar: Similar,
  /** What the same request has decided before. */
  before: readonly ActorEvent[] = [],
): Generator<void, Decided<ObserveEffect>> {
  const decision = new Decision(state, nowMs, newId, screener, command.principal, before)
  const observing = new Observing(decision, similar, command)
  for (const input of command.memories) yield observing.write(input)
  yield observing.writeHandoff()
  for (const claim of command.claims) yield observing.writeClaim(claim)
  observing.noteFiles()
  yield observing.applyEdges()
  for (const memory of observing.memories) yield observing.judge(memory)
  for (const other of observing.others) yield observing.confirm(other)
  return observing.decided()
}

interface WrittenInput {
  readonly input: MemoryWrite
  readonly written: Written & { readonly isEcho: boolean }
}

/** One observe while it is decided, step by step, each memory for itself. */
class Observing {
  /** What was written, in order. */
  readonly memories: WrittenInput[] = []
  /** The handoff, then the claims. */
  readonly others: Written[] = []
  readonly #decision: Decision
  readonly #similar: Similar
  readonly #command: ObserveCommand
  #handoff: Written | null = null
  #edgeWarnings: readonly string[] = NONE
  #judgeWarnings: string[] = []

  constructor(decision: Decision, similar: Similar, command: ObserveCommand) {
    this.#decision = decision
    this.#similar = similar
    this.#command = command
  }

  write(input: MemoryWrite): void {
    this.memories.push({ input, written: writeOrEcho(this.#decision, this.#similar, input, this.#command) })
  }

  writeHandoff(): void {
    const { handoff } = this.#command
    if (handoff === null) return
    this.#handoff = writeHandoff(this.#decision, this.#command, handoff)
    this.others.push(this.#handoff)
  }

  writeClaim(claim: ClaimInput): void {
    const firstId = this.memories[0]?.written.memoryId ?? this.#handoff?.memoryId ?? null
    this.others.push(writeClaim(this.#decision, this.#command, claim, firstId))
  }

  noteFiles(): void {
    const { files, viewpoint, claimAudience, runId } = this.#command
    if (files !== undefined) noteWorkspace(this.#decision, files, viewpoint, claimAudience, runId)
  }

  applyEdges(): void {
    this.#edgeWarnings = applyEdges(this.#decision, this.#command)
  }

  /** What a written memory says of others, once all of the request is known. */
  judge({ input, written }: WrittenInput): void {
    const [decision, similar] = [this.#decision, this.#similar]
    const seen = decision.seen(written.memoryId)
    if (seen === null || written.isEcho) return
    confirmSame(decision, similar, seen)
    const { viewpoint, usedMemoryIds = NONE } = this.#command
    const named = [...seen.content.evidenceRefs, ...usedMemoryIds]
    confirmUsed(decision, seen, named, eyesOf(viewpoint, input.audience))
    if (input.runId !== null) noteTaskSuccess(decision, seen, input.runId, viewpoint)
    this.#judgeWarnings.push(...disputeOthers(decision, similar, seen))
    if (written.hasChanged && input.domain === 'execution') finishHandoffs(decision, seen)
  }

  confirm(other: Written): void {
    const seen = this.#decision.seen(other.memoryId)
    if (seen !== null) confirmSame(this.#decision, this.#similar, seen)
  }

  decided(): Decided<ObserveEffect> {
    const memoryIds: string[] = []
    const warnings: string[] = []
    const counts = { general: 0, execution: 0 }
    let echoCount = 0
    for (const { input, written } of this.memories) {
      memoryIds.push(written.memoryId)
      warnings.push(...written.warnings)
      if (written.hasChanged) counts[input.domain] += 1
      if (written.isEcho) echoCount += 1
    }
    for (const written of this.others) {
      memoryIds.push(written.memoryId)
      warnings.push(...written.warnings)
    }
    warnings.push(...this.#edgeWarnings, ...this.#judgeWarnings)
    const handoff = this.#handoff
    const claims = handoff === null ? this.others : this.others.slice(1)
    const effect: ObserveEffect = {
      memoryIds,
      clientIds: clientIdsOf(this.#decision, this.memories, this.others),
      handoffId: handoff === null ? null : `handoff:${handoff.memoryId}`,
      claimIds: claims.map((claim) => `claim:${claim.memoryId}`),
      isMemoryWritten: counts.general + counts.execution > 0,
      generalCount: counts.general,
      executionCount: counts.execution,
      claimCount: claims.filter((claim) => claim.hasChanged).length,
      echoCount,
      warnings,
    }
    return { events: this.#decision.events, effect }
  }
}

const NONE: readonly string[] = []

/** An edge sees what the request may see: its consumer, and whoever it writes for. */
function applyEdges(decision: Decision, command: ObserveCommand): readonly string[] {
  if (command.edges.length === 0) return []
  const audiences = [command.claimAudience, ...command.memories.map((input) => input.audience)]
  const eyes = audiences.flatMap((audience) => eyesOf(command.viewpoint, audience))
  return command.edges.flatMap((edge) => applyEdge(decision, edge, eyes, command.claimAudience))
}

/** Writes a memory, unless it only says what a guide has shown its writer. */
function writeOrEcho(
  decision: Decision,
  similar: Similar,
  input: MemoryWrite,
  { viewpoint, principal }: ObserveCommand,
): WrittenInput['written'] {
  const eyes = eyesOf(viewpoint, input.audience)
  const { exactId, sourceIds } = echoOf(decision, similar, input, eyes)
  if (exactId !== null) {
    const warnings = [...applySupersedes(decision, input, exactId, eyes), ...lostOn(exactId, input)]
    return { memoryId: exactId, hasChanged: false, isEcho: true, warnings }
  }
  const sources = sourceIds.map((id) => ({ id }))
  const derived = sources.length === 0 ? input : { ...input, derivedFrom: [...input.derivedFrom, ...sources] }
  const { memoryId, hasChanged, warnings } = writeMemory(decision, derived, viewpoint, PLAIN)
  const isAsked = principal !== null && speaksForUsers(principal)
  if (hasChanged) carryFromSame(decision, similar, input, memoryId, isAsked)
  return { memoryId, hasChanged, isEcho: false, warnings }
}

/** A warning when an echo says more of its memory than the text that is known. */
function lostOn(memoryId: string, { declared, validUntilMs }: MemoryWrite): readonly string[] {
  const lost = [
    ...declared.filter((word) => word !== 'active'),
    ...(validUntilMs === null ? [] : ['valid_until']),
  ]
  return lost.length === 0
    ? []
    : [`${memoryId} says the same and stands for it; what was declared has no effect: ${lost.join(', ')}`]
}

function clientIdsOf(
  decision: Decision,
  memories: readonly WrittenInput[],
  others: readonly Written[],
): Readonly<Record<string, string>> {
  const pairs: [clientId: string, memoryId: string][] = []
  const add = (memoryId: string): void => {
    const clientId = decision.seen(memoryId)?.clientId ?? null
    if (clientId !== null) pairs.push([clientId, memoryId])
  }
  // The shown memory of an echo may have a client id, which is not that of this caller.
  for (const { written } of memories) if (!written.isEcho) add(written.memoryId)
  for (const { memoryId } of others) add(memoryId)
  return Object.fromEntries(pairs)
}

/** Records what a request says of files, but for what its reporter has said before. */
function noteWorkspace(
  decision: Decision,
  { changes, origin }: FileReports,
  reporter: Consumer,
  audience: Audience,
  runId: string | null,
): void {
  const authority = decision.isOperators ? 'operator' : origin
  const newest = new Map(changes.map((change) => [change.path, change]))
  const news = [...newest.values()].filter((change) =>
    decision.state.workspace.isNews(change, { audience, reporter, authority }),
  )
  if (news.length === 0) return
  decision.events.push({ type: 'workspace_changed', changes: news, audience, reporter, authority, runId })
}
