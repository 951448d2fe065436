import type { MemoryRecord } from '../model/record.ts'
import type { ActorState } from '../model/state.ts'
import type { GuideEntry, GuideView, Omission } from './entry.ts'
import { failedRunSentence } from './line.ts'
import { isStrongMatch, sharedNameTest, touchTest } from './relevance.ts'
import { foldSameTexts } from './same-text.ts'

// What needs no line of its own is taken out before the limit and the budget are applied: texts and runs that say what
// others say, a memory whose successor is there, a warning that warns of nothing that is asked or may be used.

/** Of runs that are alike so many, the newest, keep lines of their own. */
const OWN_LINES = 2

export interface Folded {
  /** In rank order; warnings are marked as relevant or not. */
  readonly kept: readonly GuideEntry[]
  /** In rank order. */
  readonly omitted: readonly Omission[]
}

/**
 * Folds the candidates of a guide, given in rank order.
 * @param limit how many memories the guide shows: a warning is judged by as many that may be used
 */
export function foldCandidates(
  state: Pick<ActorState, 'operatorMemories' | 'columns'>,
  entries: readonly GuideEntry[],
  view: GuideView,
  limit: number,
): Folded {
  const omitted = new Map<string, Omission>()
  const standIns = new Map<string, GuideEntry>()
  omitReplaced(entries, omitted)
  const usable = entries.filter((entry) => entry.surface !== 'do_not_use')
  foldSameTexts(state, usable, omitted)
  foldRuns(usable, omitted, standIns)
  const shown = usable.filter(({ record }) => !omitted.has(record.memoryId)).slice(0, limit)
  const warnings = judgeWarnings(entries, shown, view, omitted)
  foldRuns(warnings, omitted, standIns)
  const marked = new Map(warnings.map((entry) => [entry.record.memoryId, entry]))
  return {
    kept: entries
      .filter(({ record }) => !omitted.has(record.memoryId))
      .map((entry) => standIns.get(entry.record.memoryId) ?? marked.get(entry.record.memoryId) ?? entry),
    omitted: entries.flatMap(({ record }) => omitted.get(record.memoryId) ?? []),
  }
}

/** A superseded memory goes into what replaced it, or into what replaced that, if it is a candidate too. */
function omitReplaced(entries: readonly GuideEntry[], omitted: Map<string, Omission>): void {
  const replaced = entries.filter(isReplaced)
  if (replaced.length === 0) return
  const byId = new Map(entries.map((entry) => [entry.record.memoryId, entry]))
  for (const entry of replaced) {
    const intoId = lastSuccessor(entry, byId)
    if (intoId !== null) omitted.set(entry.record.memoryId, { entry, reason: 'successor', intoId })
  }
}

/** True when that it was replaced is what holds it back: what is suppressed, or a failed run, says more. */
function isReplaced({ ruleId, lifecycleState }: GuideEntry): boolean {
  return ruleId === 'S3' && lifecycleState === 'superseded'
}

/** Null: what replaced it is no candidate, or they replaced each other in a ring, which has no last one. */
function lastSuccessor({ record }: GuideEntry, byId: ReadonlyMap<string, GuideEntry>): string | null {
  const seen = new Set([record.memoryId])
  let last: string | null = null
  let next = byId.get(successorOf(record) ?? '')
  while (next !== undefined) {
    last = next.record.memoryId
    if (seen.has(last)) return null
    seen.add(last)
    next = isReplaced(next) ? byId.get(successorOf(next.record) ?? '') : undefined
  }
  return last
}

function successorOf({ changes }: MemoryRecord): string | null {
  return changes.findLast(({ facet, to }) => facet === 'validity' && to === 'superseded')?.byMemoryId ?? null
}

/** The warnings that concern what is asked or may be used, marked; the others are omitted. */
function judgeWarnings(
  entries: readonly GuideEntry[],
  shown: readonly GuideEntry[],
  view: GuideView,
  omitted: Map<string, Omission>,
): readonly GuideEntry[] {
  const warnings = entries.filter(
    ({ surface, record }) => surface === 'do_not_use' && !omitted.has(record.memoryId),
  )
  if (warnings.length === 0) return warnings
  const useNow = shown.filter(({ surface }) => surface === 'use_now').map(({ record }) => record)
  const touches = touchTest(view, useNow)
  const sharesName = sharedNameTest(useNow)
  return warnings.flatMap((entry) => {
    if (touches(entry.record)) return [{ ...entry, relevantWarning: true }]
    if (isStrongMatch(entry) || sharesName(entry.record)) return [entry]
    omitted.set(entry.record.memoryId, { entry, reason: 'not_related', intoId: null })
    return []
  })
}

/** Of runs that are alike the newest keep their lines, the newest of the rest stands for the rest. */
function foldRuns(
  entries: readonly GuideEntry[],
  omitted: Map<string, Omission>,
  standIns: Map<string, GuideEntry>,
): void {
  const runs = entries.filter((entry) => isFoldable(entry) && !omitted.has(entry.record.memoryId))
  if (runs.length <= OWN_LINES) return
  // Most runs of a guide are of different tasks, which takes less to see than whether they are alike.
  const sameTask = groupsOf(runs, signatureOf).filter((group) => group.length > OWN_LINES)
  for (const alike of sameTask.flatMap((group) => groupsOf(group, likenessOf))) {
    if (alike.length <= OWN_LINES) continue
    const newestFirst = alike.toSorted((a, b) => b.record.ordinal - a.record.ordinal)
    const [standIn, ...rest] = newestFirst.slice(OWN_LINES)
    if (standIn === undefined) continue
    const { memoryId } = standIn.record
    standIns.set(memoryId, { ...standIn, standsFor: rest.length + 1 })
    for (const entry of rest)
      omitted.set(entry.record.memoryId, { entry, reason: 'folded', intoId: memoryId })
  }
}

function groupsOf(
  runs: readonly GuideEntry[],
  keyOf: (run: GuideEntry) => string,
): readonly (readonly GuideEntry[])[] {
  const groups = new Map<string, GuideEntry[]>()
  for (const run of runs) {
    const key = keyOf(run)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [run])
    else group.push(run)
  }
  return [...groups.values()]
}

function signatureOf({ record }: GuideEntry): string {
  return record.taskSignature ?? record.workflowSignature ?? ''
}

function isFoldable({ surface, record }: GuideEntry): boolean {
  const { outcome } = record.content
  return (
    surface !== 'rehydrate' &&
    record.domain === 'execution' &&
    record.source === 'observe' &&
    outcome !== null &&
    outcome !== 'unknown' &&
    (record.taskSignature ?? record.workflowSignature) !== null
  )
}

/**
 * Runs with the same words are alike: surface and reason, outcome, signature and checks; of a run that did not succeed
 * its title, or what it says instead, and its files too.
 */
function likenessOf(entry: GuideEntry): string {
  const { content, taskSignature, workflowSignature } = entry.record
  const ended = [entry.surface, entry.reason, entry.isWeak, content.outcome]
  const task = taskSignature === null ? ['workflow', workflowSignature] : ['task', taskSignature]
  const checks = content.acceptanceChecks.toSorted()
  if (content.outcome === 'succeeded') return JSON.stringify([ended, task, checks])
  const said = entry.surface === 'do_not_use' ? failedRunSentence(entry) : (content.summary ?? content.text)
  return JSON.stringify([ended, task, checks, content.title ?? said, content.targetFiles.toSorted()])
}
