import { assert } from '../base/assert.ts'
import type { LifecycleState, OmittedReason, Surface } from '../base/closed-sets.ts'
import type { DecidedColumns, DecidedHead, ExposedSet, ExposureRecord, GuideAsk } from '../model/events.ts'
import type { Consumer } from '../model/record.ts'
import type { Viewer } from '../model/visibility.ts'
import type { RecallSource } from '../rerank/signals.ts'
import { type Assessment, assess, idLists, idsOf } from './agent-context.ts'
import type { GuideCommand, GuideEntry, Omission } from './entry.ts'
import type { RenderedPrompt } from './render.ts'

/** What each surface is called where a decision is told. */
export const DECISION_OF = {
  use_now: 'used',
  inspect_before_use: 'downgraded',
  do_not_use: 'blocked',
  rehydrate: 'rehydrate',
} as const satisfies Record<Surface, string>

/**
 * What a guide showed and why, for an operator: ids and reason codes, neither memory text nor prompt.
 * @param omitted what has no line, but for what a hold-out kept back
 * @param withheld what a hold-out kept back; null: it was none
 */
export function memoryUseReceipt(
  rendered: RenderedPrompt,
  guideTraceId: string | null,
  omitted: readonly Omission[] = rendered.omitted,
  withheld: readonly GuideEntry[] | null = null,
  assessment: Assessment = assess(rendered),
) {
  const { printed } = rendered
  const handles = handlesView(rendered)
  return {
    contract_version: 'svc_memory_use_receipt_v1' as const,
    intended_use: 'memory_use_audit' as const,
    agent_prompt_included: false as const,
    runtime_mutation: false as const,
    guide_trace_id: guideTraceId,
    history_used: assessment.historyUsed,
    actionable_history_used: assessment.actionableHistoryUsed,
    prompt_char_count: rendered.promptText.length,
    exposed_memory_ids: printed.map((entry) => entry.record.memoryId),
    ...idLists((surface) => idsOf(printed, surface)),
    // Attribution comes with feedback; a guide has none yet.
    attributed_memory_ids: [] as readonly string[],
    unattributed_recalled_memory_ids: [] as readonly string[],
    read_only_signal_memory_ids: [] as readonly string[],
    decision_summaries: printed.map(decisionSummary),
    omitted: omitted.flatMap(omissionRow),
    ...(handles === null ? {} : { handles }),
    ...(withheld === null
      ? {}
      : { hold_out: { withheld_memory_ids: withheld.map((entry) => entry.record.memoryId) } }),
    risk_flags: assessment.risk.reasons,
    summary: assessment.summary,
  }
}

/** What each handle of the prompt stands for; null: it names memories by ids. */
export function handlesView({ handles }: Pick<RenderedPrompt, 'handles'>) {
  if (handles === null) return null
  const rows = Array.from(
    handles,
    ([handle, { record, surface }]) => [handle, { memory_id: record.memoryId, surface }] as const,
  )
  return Object.fromEntries(rows)
}

/** What a hold-out kept back stands in a list of its own. */
function omissionRow({ entry, reason, intoId }: Omission) {
  if (reason === 'hold_out') return []
  return [
    {
      memory_id: entry.record.memoryId,
      surface: entry.surface,
      reason,
      ...(intoId === null ? {} : { into: intoId }),
    },
  ]
}

function decisionSummary(entry: GuideEntry) {
  return {
    memory_id: entry.record.memoryId,
    agent_surface: entry.surface,
    decision_kind: DECISION_OF[entry.surface],
    actionable: entry.surface === 'use_now',
    rule_id: entry.ruleId,
    reason_codes: [entry.reasonCode, ...entry.notes],
    recall_sources: entry.recallSources,
  }
}

/** What the journal holds of one guide: facts, whatever a caller supplies about it. */
export interface StoredGuide {
  readonly exposure: ExposureRecord
  /** Null: the explanation is kept no longer, or is older than explanations. */
  readonly decision: GuideDecision | null
}

/** The consumer for whom a guide was made: a report about it sees what that consumer may see. */
export function viewerOf({ exposure }: Pick<StoredGuide, 'exposure'>): Consumer {
  return { agentId: exposure.consumerAgentId, teamId: exposure.consumerTeamId }
}

/** Whether the viewer may know of a guide: it was made for the viewer, or the viewer is an operator. */
export function isMadeFor(exposure: ExposureRecord, viewer: Viewer): boolean {
  if (viewer === null) return true
  return exposure.consumerAgentId === viewer.agentId && exposure.consumerTeamId === viewer.teamId
}

export interface DecidedMemory {
  readonly memoryId: string
  readonly surface: Surface
  readonly ruleId: string
  /** That of the rule first. */
  readonly reasonCodes: readonly string[]
  /** One sentence, as it was told. */
  readonly reason: string
  /** At that moment. */
  readonly lifecycleState: LifecycleState
  readonly signals: readonly RecallSource[]
}

export interface OmittedMemory extends DecidedMemory {
  readonly omitted: OmittedReason
  /** The memory whose line stands for it; null: there is none. */
  readonly intoId: string | null
}

/** Why one guide showed what it showed. */
export interface GuideDecision extends DecidedHead {
  /** In rank order: exactly what was exposed. */
  readonly printed: readonly DecidedMemory[]
  readonly omitted: readonly OmittedMemory[]
}

/** What the caller of `decidedColumns` has at hand anyway. */
interface DecidedView extends Pick<DecidedHead, 'guideTraceId' | 'queryHash' | 'promptHash' | 'targetFiles'> {
  readonly assessment: Assessment
}

/** Why a guide shows what it shows, for the journal. */
export function decidedColumns(
  command: GuideCommand,
  rendered: RenderedPrompt,
  unprinted: readonly Omission[],
  seen: DecidedView,
): DecidedColumns {
  const { assessment, guideTraceId, queryHash, promptHash, targetFiles } = seen
  const entries =
    unprinted.length === 0 ? rendered.printed : [...rendered.printed, ...unprinted.map(({ entry }) => entry)]
  const words = new Words()
  return {
    guideTraceId,
    queryHash,
    promptHash,
    targetFiles,
    ask: askOf(command),
    promptChars: rendered.promptText.length,
    posture: assessment.recommendedPosture,
    authority: assessment.authority,
    actionableHistoryUsed: assessment.actionableHistoryUsed,
    unprintedIds: unprinted.map(({ entry }) => entry.record.memoryId),
    unprintedSurfaces: unprinted.map(({ entry }) => entry.surface),
    unprintedReasons: unprinted.map(({ reason }) => reason),
    ...(unprinted.some(({ intoId }) => intoId !== null)
      ? { unprintedInto: unprinted.map(({ intoId }) => intoId) }
      : {}),
    isCounted: true,
    words: words.list,
    rules: entries.map((entry) => words.placeOf(entry.ruleId)),
    codes: entries.map((entry) => words.placeOf(codeWord(entry))),
    reasons: entries.map((entry) => words.placeOf(entry.reason)),
    lifecycleStates: entries.map((entry) => words.placeOf(entry.lifecycleState)),
    signals: entries.map(({ recallSources }) => signalColumn(recallSources, words)),
  }
}

/** Words of a record, each once, in order of first use. */
class Words {
  readonly list: string[] = []
  readonly #places = new Map<string, number>()
  /** Most memories of a guide are alike in all but their signals. */
  #last: string | null = null
  #lastPlace = -1

  placeOf(word: string): number {
    if (word === this.#last) return this.#lastPlace
    let place = this.#places.get(word)
    if (place === undefined) {
      place = this.list.push(word) - 1
      this.#places.set(word, place)
    }
    this.#last = word
    this.#lastPlace = place
    return place
  }
}

/** All reason codes of a memory as one word; no code has a space. */
function codeWord({ reasonCode, notes }: GuideEntry): string {
  return notes.length === 0 ? reasonCode : [reasonCode, ...notes].join(' ')
}

/** Three numbers a signal. A list that grows by itself would take room for seventeen at least. */
function signalColumn(sources: readonly RecallSource[], words: Words): number[] {
  const signals = new Array<number>(sources.length * 3)
  for (let at = 0; at < sources.length; at += 1) {
    const source = sources[at]
    assert(source !== undefined, 'a list of signals has no holes')
    signals[at * 3] = words.placeOf(source.kind)
    signals[at * 3 + 1] = words.placeOf(source.reason)
    signals[at * 3 + 2] = source.score
  }
  return signals
}

function askOf(command: GuideCommand): GuideAsk {
  const { queryText, mode, contextMode, fullPower, profile, role, limit, budgetChars, compaction } = command
  const { workflowSignature, taskId, taskFamily, omitShownIn, isRestart, lines } = command
  const asked = {
    queryText,
    mode,
    contextMode,
    fullPower,
    profile,
    role,
    limit,
    budgetChars,
    compaction,
    workflowSignature,
    taskId,
    taskFamily,
  }
  if (omitShownIn === null && lines === 'full') return asked
  return { ...asked, lines, ...(omitShownIn === null ? {} : { omitShownIn, isRestart }) }
}

/** Reads the record of the guide whose exposure stands in the same turn. */
export function decisionOf(columns: DecidedColumns, exposed: ExposedSet): GuideDecision {
  const { unprintedIds, unprintedSurfaces, unprintedReasons, unprintedInto, words, rules, ...rest } = columns
  const { codes, reasons, lifecycleStates, signals, isCounted: _isCounted, ...head } = rest
  const wordAt = (place: number | undefined): string => {
    const word = place === undefined ? undefined : words[place]
    assert(word !== undefined, 'a column names a word of its record')
    return word
  }
  const memoryAt = (at: number, memoryId: string, surface: Surface): DecidedMemory => {
    return {
      memoryId,
      surface,
      ruleId: wordAt(rules[at]),
      reasonCodes: wordAt(codes[at]).split(' '),
      reason: wordAt(reasons[at]),
      lifecycleState: wordAt(lifecycleStates[at]) as LifecycleState,
      signals: signalsOf(signals[at] ?? [], wordAt),
    }
  }
  return {
    ...head,
    printed: exposed.memoryIds.map((id, at) => memoryAt(at, id, exposed.surfaces[at] ?? 'do_not_use')),
    omitted: unprintedIds.map((id, index) => ({
      ...memoryAt(exposed.memoryIds.length + index, id, unprintedSurfaces[index] ?? 'do_not_use'),
      omitted: unprintedReasons[index] ?? 'budget',
      intoId: unprintedInto?.[index] ?? null,
    })),
  }
}

function signalsOf(
  packed: readonly number[],
  wordAt: (place: number | undefined) => string,
): readonly RecallSource[] {
  const signals: RecallSource[] = []
  for (let at = 0; at < packed.length; at += 3) {
    signals.push({ kind: wordAt(packed[at]), reason: wordAt(packed[at + 1]), score: packed[at + 2] ?? 0 })
  }
  return signals
}
