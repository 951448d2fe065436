import type { ActorEvent } from '../model/events.ts'
import { lifecycleStateAt } from '../model/lifecycle.ts'
import type { MemoryRecord } from '../model/record.ts'
import { citingKnown } from '../model/references.ts'
import { type ActorState, liveRecord } from '../model/state.ts'
import { isVisibleTo } from '../model/visibility.ts'
import { type Admission, admissionIn, isOtherTask, type Match } from '../policy/admission.ts'
import type { NearHit, TextHits } from '../rerank/signals.ts'
import { readPartOf } from '../search/query.ts'
import { entitiesIn } from '../text/identifiers.ts'
import { type Assessment, agentContext, assess, targetFilesOf } from './agent-context.ts'
import { fillsLimit, gatherCandidates, STANDS_INSTEAD, selectNew } from './candidates.ts'
import { claimLedgerProjection } from './claims.ts'
import { decidedColumns, handlesView, memoryUseReceipt } from './decision.ts'
import { disputeMark, newerFirst, Subjects, saidAnew, standingFirst } from './disputes.ts'
import {
  type Candidate,
  changedEntry,
  type GuideCommand,
  type GuideEntry,
  type GuideView,
  type Omission,
  pastUse,
} from './entry.ts'
import { type Folded, foldCandidates, intoChosen } from './fold.ts'
import { guidePacket } from './guide-packet.ts'
import { firstHandleOf, shownBefore, takesPlace } from './handles.ts'
import { CandidateMatch, Naming } from './match.ts'
import { type IsoTime, memoryPacket } from './memory-packet.ts'
import { type RenderedPrompt, renderPrompt, workedElsewhere } from './render.ts'

/** Claims looked at for the ledger projection, the newest first. */
const PROJECTED_CLAIMS_MAX = 200
/** Candidates looked at for one guide, unless its limit is more than half of that. */
const CANDIDATES_MAX = 256
/** Candidates looked at in one go after the first, or half as many as before where that is more: all are folded anew. */
const MORE_CANDIDATES = 16

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
  /** SHA-256 of the query, hex. */
  readonly queryHash: string
}

/** Pure functions that the domain may not hold itself. */
export interface GuideTools {
  readonly isoTime: IsoTime
  /** SHA-256, hex. */
  readonly sha256: (text: string) => string
}

/** What a guide decided: its two events, and what its answer is made of. */
interface Compiled {
  readonly events: readonly ActorEvent[]
  readonly rendered: RenderedPrompt
  readonly view: GuideView
  readonly assessment: Assessment
  readonly targetFiles: readonly string[]
  /** What has no line, but for what a hold-out kept back. */
  readonly omitted: readonly Omission[]
  readonly withheld: readonly GuideEntry[]
}

/**
 * Compiles governed context on the state of now: what was suppressed while a worker ranked cannot pass. Two events:
 * the exposure of exactly what was printed, and why.
 */
function compile(
  state: ActorState,
  command: GuideCommand,
  recalled: Recalled,
  occasion: GuideOccasion,
  tools: GuideTools,
): Compiled {
  const { nowMs, guideTraceId, heldOut } = occasion
  const { chosen, withheld, folded, view } = chooseEntries(state, command, recalled, occasion)
  const isUsable = (record: MemoryRecord) => admissionOf(state, command, record, nowMs).surface === 'use_now'
  // What worked is memory too: a guide without memory does not tell it.
  const worked = heldOut
    ? new Map<string, MemoryRecord>()
    : workedElsewhere(state, chosen, command.consumer, isUsable)
  const rendered = renderPrompt(chosen, view, worked)
  const assessment = assess(rendered)
  const targetFiles = targetFilesOf(rendered.printed)
  const omitted = [...rendered.omitted, ...folded]
  const kept = withheld.map((entry) => ({ entry, reason: 'hold_out' as const, intoId: null }))
  const decided = decidedColumns(command, rendered, [...omitted, ...kept], {
    guideTraceId,
    queryHash: occasion.queryHash,
    promptHash: tools.sha256(rendered.promptText),
    targetFiles,
    assessment,
  })
  const events: readonly ActorEvent[] = [
    exposureOf(command, rendered, view, guideTraceId, heldOut),
    { type: 'guide_decided', ...decided },
  ]
  return { events, rendered, view, assessment, targetFiles, omitted, withheld }
}

/** A guide with its whole answer. */
export function compileGuide(
  state: ActorState,
  command: GuideCommand,
  recalled: Recalled,
  occasion: GuideOccasion,
  tools: GuideTools,
) {
  const { events, ...made } = compile(state, command, recalled, occasion, tools)
  const { rendered, view, assessment, targetFiles, omitted, withheld } = made
  const { guideTraceId, heldOut, nowMs } = occasion
  const { agentId, teamId } = view.consumer
  return {
    events,
    body: {
      consumer_agent_id: agentId,
      ...(teamId === null ? {} : { consumer_team_id: teamId }),
      guide_trace_id: guideTraceId,
      agent_context: agentContext(rendered, view, assessment, targetFiles),
      memory_use_receipt: memoryUseReceipt(
        rendered,
        guideTraceId,
        omitted,
        heldOut ? withheld : null,
        assessment,
      ),
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

/** The same guide, answered by its prompt alone. */
export function compilePrompt(
  state: ActorState,
  command: GuideCommand,
  recalled: Recalled,
  occasion: GuideOccasion,
  tools: GuideTools,
) {
  const { events, rendered } = compile(state, command, recalled, occasion, tools)
  const agent_context = { prompt_text: rendered.promptText, handles: handlesView(rendered) ?? {} }
  return { events, body: { guide_trace_id: occasion.guideTraceId, agent_context } }
}

/** The two events of a guide without its answer. */
export function decideGuide(
  state: ActorState,
  command: GuideCommand,
  recalled: Recalled,
  occasion: GuideOccasion,
  tools: GuideTools,
): readonly ActorEvent[] {
  return compile(state, command, recalled, occasion, tools).events
}

interface Choice {
  /** What may be printed, in rank order. */
  readonly chosen: readonly GuideEntry[]
  /** What a hold-out keeps back; empty otherwise. */
  readonly withheld: readonly GuideEntry[]
  /** What needs no line of its own. */
  readonly folded: readonly Omission[]
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
  const ranked = standingFirst(state, entriesOf(state, command, recalled, occasion.nowMs))[Symbol.iterator]()
  const { kept, omitted } = foldedWithin(state, ranked, command.limit, view)
  const countsHere = (entry: GuideEntry): boolean => takesPlace(entry, view)
  const selected = selectNew(kept, command.limit, countsHere)
  const subjects = new Subjects(state, selected)
  const ordered = newerFirst(selected, subjects)
  const checked = checkedFirst(state, command, ordered, subjects, occasion.nowMs)
  // A line that is another one now takes a place after all.
  const all = selectNew(checked, command.limit, countsHere)
  const folded = intoChosen(omitted, all)
  if (!occasion.heldOut) return { chosen: all, withheld: [], folded, view }
  const isWarning = (entry: GuideEntry): boolean => entry.surface === 'do_not_use'
  return {
    chosen: all.filter(isWarning),
    withheld: all.filter((entry) => !isWarning(entry)),
    folded,
    view,
  }
}

/** What a newer text may say anew is looked at before it is used; the newer one is found with it, whatever words it has. */
function checkedFirst(
  state: ActorState,
  command: GuideCommand,
  entries: readonly GuideEntry[],
  subjects: Subjects,
  nowMs: number,
): readonly GuideEntry[] {
  const anew = saidAnew(state, entries, subjects)
  if (anew.size === 0) return entries
  const newer = new Set(anew.values())
  const naming = new Naming(entitiesIn(readPartOf(command.queryText)))
  return entries.map((entry) => {
    const isOlder = anew.has(entry)
    const record =
      isOlder || (entry.isWeak && newer.has(entry)) ? liveRecord(state, entry.record.memoryId) : undefined
    if (record === undefined) return entry
    if (isOlder) return changedEntry(entry, admissionOf(state, command, record, nowMs, SAID_ANEW))
    const recallSources = [...entry.recallSources, STANDS_INSTEAD]
    const candidate = { record, recallSources, isWeak: false }
    const admission = admissionOf(state, command, record, nowMs, new CandidateMatch(candidate, naming))
    return changedEntry(entry, { ...admission, recallSources, isWeak: false })
  })
}

/** Of a text that may be used: nothing else holds it back. */
const SAID_ANEW: Match = { isWeak: false, isOtherEntity: false, isSaidAnew: true }

/**
 * Folds as many of the ranked candidates as it takes to fill the limit, and looks at no more than it may. Where a run
 * represents others all of them are looked at: its line says how many there are.
 */
function foldedWithin(
  state: ActorState,
  ranked: Iterator<GuideEntry>,
  limit: number,
  view: GuideView,
): Folded {
  const candidates: GuideEntry[] = []
  const most = Math.max(CANDIDATES_MAX, 2 * limit)
  for (let wanted = limit; ; ) {
    const next = ranked.next()
    if (next.done !== true) candidates.push(next.value)
    if (next.done !== true && candidates.length < wanted) continue
    const folded = foldCandidates(state, candidates, view, limit)
    if (next.done === true || candidates.length >= most) return folded
    const counted = folded.kept.filter((entry) => takesPlace(entry, view))
    const isFilled = fillsLimit(counted, limit)
    if (isFilled && folded.kept.every(({ standsFor }) => standsFor === null)) return folded
    wanted = isFilled ? most : Math.min(most, wanted + Math.max(MORE_CANDIDATES, Math.floor(wanted / 2)))
  }
}

function viewOf(state: ActorState, command: GuideCommand, recalled: Recalled): GuideView {
  return {
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
    firstHandle: firstHandleOf(state, command),
    shown: shownBefore(state, command),
    isBrief: command.lines === 'brief',
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
  const naming = new Naming(entitiesIn(readPartOf(command.queryText)))
  for (const candidate of gatherCandidates(state, command, hits, nowMs, near)) {
    yield entryOf(state, command, candidate, naming, rank, nowMs)
    rank += 1
  }
}

function entryOf(
  state: ActorState,
  command: GuideCommand,
  candidate: Candidate,
  naming: Naming,
  rank: number,
  nowMs: number,
): GuideEntry {
  const { record, recallSources, isWeak } = candidate
  // Each by its name: to spread one object into another takes longer than to decide.
  const { surface, ruleId, reasonCode, notes, reason, disputes, fileMark } = admissionOf(
    state,
    command,
    record,
    nowMs,
    new CandidateMatch(candidate, naming),
  )
  return {
    // Admission reads the memory as it is; what is told of it names nothing that the consumer may not know.
    record: citingKnown(state, record, command.consumer),
    surface,
    ruleId,
    reasonCode,
    notes,
    reason,
    disputes,
    recallSources,
    rank,
    isWeak,
    relevantWarning: false,
    lifecycleState: lifecycleStateAt(record.facets, nowMs),
    pastUse: pastUse(state, record),
    disputedBy: disputeMark(state, disputes),
    fileMark,
    isOtherTask: isOtherTask({ record, askedSignature: command.taskSignature }),
    standsFor: null,
  }
}

function admissionOf(
  state: ActorState,
  { consumer, taskSignature }: GuideCommand,
  record: MemoryRecord,
  nowMs: number,
  match: Match | null = null,
): Admission {
  return admissionIn(
    state,
    record,
    match === null
      ? { nowMs, askedSignature: taskSignature, consumer }
      : { nowMs, askedSignature: taskSignature, consumer, match },
  )
}

function exposureOf(
  command: GuideCommand,
  rendered: RenderedPrompt,
  { firstHandle }: GuideView,
  guideTraceId: string,
  heldOut: boolean,
): ActorEvent {
  const exposed = {
    type: 'exposed' as const,
    guideTraceId,
    memoryIds: rendered.printed.map((entry) => entry.record.memoryId),
    surfaces: rendered.printed.map((entry) => entry.surface),
    consumerAgentId: command.consumer.agentId,
    consumerTeamId: command.consumer.teamId,
    runId: command.runId,
    taskSignature: command.taskSignature,
    heldOut,
  }
  const numbered = firstHandle === null ? exposed : { ...exposed, firstHandle }
  return rendered.versions === null ? numbered : { ...numbered, lineVersions: rendered.versions }
}

function claimsOf(state: ActorState, command: GuideCommand, nowMs: number) {
  const views: GuideEntry[] = []
  const naming = new Naming(null)
  for (let at = state.claims.length - 1; at >= 0 && views.length < PROJECTED_CLAIMS_MAX; at--) {
    const record = state.memories.get(state.claims[at] ?? '')
    if (record === undefined || !isVisibleTo(record.audience, command.consumer)) continue
    const claim = { record, recallSources: [], isWeak: false }
    views.push(entryOf(state, command, claim, naming, views.length, nowMs))
  }
  const projection = claimLedgerProjection(views)
  return projection === null ? {} : { claim_ledger_projection: projection }
}
