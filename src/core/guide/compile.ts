import type { ActorEvent } from '../model/events.ts'
import type { OmittedReason } from '../model/guide-decided.ts'
import { lifecycleStateAt } from '../model/lifecycle.ts'
import type { MemoryRecord } from '../model/record.ts'
import { citingKnown } from '../model/references.ts'
import type { ActorState } from '../model/state.ts'
import { isVisibleTo } from '../model/visibility.ts'
import { type Admission, admit, isTrustedThrough, type Match } from '../policy/admission.ts'
import type { NearHit, TextHits } from '../rerank/signals.ts'
import { entitiesIn, namesOthers } from '../text/entities.ts'
import { agentContext } from './agent-context.ts'
import { assess } from './assessment.ts'
import { type Candidate, gatherCandidates } from './candidates.ts'
import { claimLedgerProjection } from './claims.ts'
import type { GuideCommand } from './command.ts'
import { decidedColumns } from './decision.ts'
import type { GuideEntry, GuideView } from './entry.ts'
import { guidePacket } from './guide-packet.ts'
import { type IsoTime, memoryPacket } from './memory-packet.ts'
import { memoryUseReceipt } from './receipt.ts'
import { markRelevantWarnings } from './relevance.ts'
import { type RenderedPrompt, renderPrompt } from './render.ts'
import { selectWithin } from './selection.ts'
import { workedElsewhere } from './worked-instead.ts'

/** Claims looked at for the ledger projection, the newest first. */
const PROJECTED_CLAIMS_MAX = 200

/** What recall found for the query before the turn. */
export interface Recalled {
  readonly hits: TextHits
  /** Found by embedding; absent where nobody looked. */
  readonly near?: readonly NearHit[]
  /** Paths, symbols and ids that the query names. */
  readonly identifiers: readonly string[]
}

/** One guide to be made: when, under which id, and whether memory is withheld from it. */
export interface GuideOccasion {
  readonly nowMs: number
  readonly guideTraceId: string
  /** True: only warnings are shown, so that its run can be compared with those that had memory. */
  readonly heldOut: boolean
}

/** Pure functions that the domain may not hold itself. */
export interface GuideTools {
  readonly isoTime: IsoTime
  /** SHA-256, hex. */
  readonly sha256: (text: string) => string
}

/**
 * Compiles governed context on the state of now: what was suppressed while a worker ranked cannot pass. Two events:
 * the exposure of exactly what was printed, and why.
 */
export function compileGuide(
  state: ActorState,
  command: GuideCommand,
  recalled: Recalled,
  occasion: GuideOccasion,
  tools: GuideTools,
) {
  const { nowMs, guideTraceId, heldOut } = occasion
  const { chosen, withheld, view } = chooseEntries(state, command, recalled, occasion)
  const isUsable = (record: MemoryRecord) => admissionOf(state, command, record, nowMs).surface === 'use_now'
  // What worked is memory too: a guide without memory does not tell it.
  const worked = heldOut
    ? new Map<string, MemoryRecord>()
    : workedElsewhere(state, chosen, command.consumer, isUsable)
  const rendered = renderPrompt(chosen, view, worked)
  const assessment = assess(rendered)
  const context = agentContext(rendered, view, assessment)
  const decided = decidedColumns(command, rendered, unprintedOf(chosen, rendered, withheld), {
    guideTraceId,
    queryHash: tools.sha256(command.queryText),
    promptHash: tools.sha256(rendered.promptText),
    targetFiles: context.target_files,
    assessment,
  })
  const { agentId, teamId } = view.consumer
  const events: readonly ActorEvent[] = [
    exposureOf(command, rendered, guideTraceId, heldOut),
    { type: 'guide_decided', ...decided },
  ]
  return {
    events,
    body: {
      consumer_agent_id: agentId,
      ...(teamId === null ? {} : { consumer_team_id: teamId }),
      guide_trace_id: guideTraceId,
      agent_context: context,
      memory_use_receipt: memoryUseReceipt(rendered, guideTraceId, heldOut ? withheld : null, assessment),
      ...(view.includePackets
        ? {
            memory_packet: memoryPacket(rendered, view, tools.isoTime),
            guide_packet: guidePacket(rendered, view),
          }
        : {}),
      // The ledger of claims is their text: it is withheld with them.
      ...(heldOut ? {} : claimsOf(state, command, nowMs)),
    },
  }
}

interface Choice {
  /** What may be printed, in rank order. */
  readonly chosen: readonly GuideEntry[]
  /** What a hold-out keeps back; empty otherwise. */
  readonly withheld: readonly GuideEntry[]
  readonly view: GuideView
}

/** What a guide would show, and of that what a hold-out keeps back: all but warnings. */
export function chooseEntries(
  state: ActorState,
  command: GuideCommand,
  recalled: Recalled,
  occasion: Pick<GuideOccasion, 'nowMs' | 'heldOut'>,
): Choice {
  const view = viewOf(state, command, recalled)
  const ranked = entriesOf(state, command, recalled, occasion.nowMs)
  const all = markRelevantWarnings(selectWithin(ranked, command.limit), view)
  if (!occasion.heldOut) return { chosen: all, withheld: [], view }
  const isWarning = (entry: GuideEntry): boolean => entry.surface === 'do_not_use'
  return { chosen: all.filter(isWarning), withheld: all.filter((entry) => !isWarning(entry)), view }
}

function unprintedOf(
  chosen: readonly GuideEntry[],
  { omitted }: RenderedPrompt,
  withheld: readonly GuideEntry[],
): readonly { readonly entry: GuideEntry; readonly reason: OmittedReason }[] {
  if (omitted.length === 0 && withheld.length === 0) return []
  const cut = new Set(omitted.map((row) => row.memory_id))
  return [
    ...chosen
      .filter((entry) => cut.has(entry.record.memoryId))
      .map((entry) => ({ entry, reason: 'budget' as const })),
    ...withheld.map((entry) => ({ entry, reason: 'hold_out' as const })),
  ]
}

function viewOf(state: ActorState, command: GuideCommand, recalled: Recalled): GuideView {
  return {
    queryText: command.queryText,
    queryIdentifiers: recalled.identifiers,
    role: command.role,
    profile: command.profile,
    contextMode: command.contextMode,
    mode: command.mode,
    compaction: command.compaction,
    budgetChars: command.budgetChars,
    tenantId: state.tenantId,
    scope: state.scope,
    consumer: command.consumer,
    runId: command.runId,
    taskSignature: command.taskSignature,
    workflowSignature: command.workflowSignature,
    includePackets: command.includePackets,
  }
}

/** Admission of a candidate when it is asked for. */
function* entriesOf(
  state: ActorState,
  command: GuideCommand,
  { hits, near }: Pick<Recalled, 'hits' | 'near'>,
  nowMs: number,
): Generator<GuideEntry> {
  let rank = 0
  const asked = entitiesIn(command.queryText)
  for (const candidate of gatherCandidates(state, command, hits, nowMs, near)) {
    const isOtherEntity = asked !== null && namesOthers(asked, namingTexts(candidate.record))
    yield entryOf(state, command, { ...candidate, isOtherEntity }, rank, nowMs)
    rank += 1
  }
}

function entryOf(
  state: ActorState,
  command: GuideCommand,
  candidate: Candidate & { readonly isOtherEntity: boolean },
  rank: number,
  nowMs: number,
): GuideEntry {
  const { record, recallSources, isWeak } = candidate
  const { surface, ruleId, reasonCode, reason } = admissionOf(state, command, record, nowMs, candidate)
  return {
    // Admission reads the memory as it is; what is told of it names nothing that the consumer may not know.
    record: citingKnown(state, record, command.consumer),
    surface,
    ruleId,
    reasonCode,
    reason,
    recallSources,
    rank,
    isWeak,
    relevantWarning: false,
    lifecycleState: lifecycleStateAt(record.facets, nowMs),
  }
}

function admissionOf(
  state: ActorState,
  { consumer, taskSignature }: GuideCommand,
  record: MemoryRecord,
  nowMs: number,
  match: Match | null = null,
): Admission {
  const isTrusted = isTrustedThrough(state, record, consumer)
  const facts = { record, nowMs, isTrusted, askedSignature: taskSignature, consumer }
  return admit(match === null ? facts : { ...facts, match })
}

/** What a memory names is read in all that is printed of it, and in its files. */
function namingTexts({ content }: MemoryRecord): string {
  return [content.title ?? '', content.text, content.summary ?? '', ...content.targetFiles].join('\n')
}

function exposureOf(
  command: GuideCommand,
  rendered: RenderedPrompt,
  guideTraceId: string,
  heldOut: boolean,
): ActorEvent {
  return {
    type: 'exposed',
    guideTraceId,
    memoryIds: rendered.printed.map((entry) => entry.record.memoryId),
    surfaces: rendered.printed.map((entry) => entry.surface),
    consumerAgentId: command.consumer.agentId,
    consumerTeamId: command.consumer.teamId,
    runId: command.runId,
    taskSignature: command.taskSignature,
    heldOut,
  }
}

function claimsOf(state: ActorState, command: GuideCommand, nowMs: number) {
  const views: GuideEntry[] = []
  for (let at = state.claims.length - 1; at >= 0 && views.length < PROJECTED_CLAIMS_MAX; at--) {
    const record = state.memories.get(state.claims[at] ?? '')
    if (record === undefined || !isVisibleTo(record.audience, command.consumer)) continue
    const claim = { record, recallSources: [], isWeak: false, isOtherEntity: false }
    views.push(entryOf(state, command, claim, views.length, nowMs))
  }
  const projection = claimLedgerProjection(views)
  return projection === null ? {} : { claim_ledger_projection: projection }
}
