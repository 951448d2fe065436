import type { Standing } from '../base/closed-sets.ts'
import type { Cause } from './lifecycle.ts'
import type { Evidence, MemoryRecord, NewMark } from './record.ts'

// What runs say for and against one memory, and the standing that follows.
//
// A run speaks with its strongest evidence only, and it speaks from its first report in that direction on. The standing is
// derived from all runs at once, so that a report which takes blame away, or makes it stronger, needs no rule of its own.
// What an operator, a declaration or another memory did to the standing settles everything before it: evidence acts on
// what it left. A ledger that is full settles its oldest run in the same way, so what is forgotten changes nothing.

/** Reports kept with a memory; the run of the oldest is settled when one more comes. */
export const EVIDENCE_MAX = 64

/** Verified uses of which a line tells, and within which a proven memory is forgiven once. */
const RECENT_USES = 5
/** A memory is proven by the verified uses before a negative: so many are looked at, and so many must have passed. */
const PROOF_USES = 4
const PROOF_PASSES_MIN = 3
/** Verified successes of its task that make a demoted memory active when nobody names it. */
const TASK_SUCCESSES = 5

/** What one run amounts to for one memory, the weakest first. */
export const GRADES = ['task', 'direct', 'weak', 'verified', 'strong'] as const
export type Grade = (typeof GRADES)[number]

type Direction = 'against' | 'for' | 'task'
const DIRECTION_OF: Readonly<Record<Grade, Direction>> = {
  strong: 'against',
  weak: 'against',
  verified: 'for',
  direct: 'for',
  task: 'task',
}

/** What follows from evidence: the standing, and what the next evidence has to know of the runs before. */
export interface Judgement {
  readonly standing: Standing
  /** What moved the standing last, and the run that did; null: no evidence has. */
  readonly cause: Cause | null
  readonly byRunId: string | null
  /** Weak negatives that no direct positive has answered, 2 at most. */
  readonly weak: number
  /** Verified direct positives since the last negative, 2 at most. */
  readonly verified: number
  /** Verified successes of its task since the last negative. */
  readonly tasks: number
  /** A strong negative that no verified positive has answered. */
  readonly isUnanswered: boolean
  /**
   * The latest verified uses, oldest first: `p` passed, `f` failed, `F` failed and forgiven. Between them `t` is a weak
   * negative against a proven memory. No more than the last five uses.
   */
  readonly uses: string
}

export interface EvidenceLedger {
  /** What the runs that are no longer listed amount to. */
  readonly settled: Judgement
  /** In order of arrival. */
  readonly entries: readonly Evidence[]
  /** Derived: what all of it amounts to. */
  readonly now: Judgement
}

/** The memory that evidence is about. */
export type EvidenceSubject = Pick<MemoryRecord, 'slot' | 'domain'>

/** What one run says, resolved against the other runs. */
export interface RunEvidence {
  readonly runId: string
  readonly grade: Grade
}

/** The standing that evidence gives, from what was settled before it. Pure: the same entries give the same standing. */
export function standingFrom(
  settled: Judgement,
  entries: readonly Evidence[],
  subject: EvidenceSubject,
): Judgement {
  let judgement = settled
  for (const said of runsIn(entries, subject.slot)) judgement = after(judgement, said, subject)
  return judgement
}

/** A ledger as a snapshot gives it back. */
export function ledgerFrom(
  settled: Judgement,
  entries: readonly Evidence[],
  subject: EvidenceSubject,
): EvidenceLedger {
  return { settled, entries, now: standingFrom(settled, entries, subject) }
}

/** The ledger of a memory that has none yet. What was marked before there were ledgers is settled as it stands. */
export function firstLedger(
  record: EvidenceSubject & Pick<MemoryRecord, 'facets' | 'marks' | 'changes'>,
): EvidenceLedger {
  const since = record.changes.findLast(({ facet, to }) => facet === 'standing' && to === 'active')?.seq ?? 0
  const marked = record.marks.flatMap((mark) => {
    const kind = kindOfMark(mark, mark.strong)
    if (kind === null || mark.seq <= since) return []
    return [{ runId: mark.runId, kind, named: [record.slot], seq: mark.seq }]
  })
  const before = standingFrom(NOTHING, marked, record)
  const settled = { ...before, standing: record.facets.standing, cause: null, byRunId: null }
  return { settled, entries: [], now: settled }
}

/** The ledger of what nothing was ever said about. */
export function emptyLedger(): EvidenceLedger {
  return { settled: NOTHING, entries: [], now: NOTHING }
}

export function withEvidence(
  ledger: EvidenceLedger,
  entry: Evidence,
  subject: EvidenceSubject,
): EvidenceLedger {
  let { settled } = ledger
  let entries: readonly Evidence[] = [...ledger.entries, entry]
  while (entries.length > EVIDENCE_MAX) ({ settled, entries } = withoutOldest(settled, entries, subject))
  return ledgerFrom(settled, entries, subject)
}

/**
 * The standing was moved by something else than evidence: what came before is settled. What lifts a memory answers what
 * spoke against it; what lowers it answers what spoke for it.
 */
export function settledAt(ledger: EvidenceLedger, standing: Standing): EvidenceLedger {
  const { now } = ledger
  const against = standing === 'active' ? { weak: 0, isUnanswered: false } : {}
  const settled = { ...now, ...against, standing, cause: null, byRunId: null, verified: 0, tasks: 0 }
  return { settled, entries: [], now: settled }
}

/** Every run with what it says now: blame that was taken away says nothing. In the order in which they speak. */
export function runsIn(entries: readonly Evidence[], slot: number): readonly RunEvidence[] {
  const byRun = new Map<string, { grade: Grade; readonly first: Partial<Record<Direction, number>> }>()
  for (const [at, entry] of entries.entries()) {
    const grade = gradeIn(entries, entry, slot)
    if (grade === null) continue
    const run = byRun.get(entry.runId)
    if (run === undefined) {
      byRun.set(entry.runId, { grade, first: { [DIRECTION_OF[grade]]: at } })
      continue
    }
    run.first[DIRECTION_OF[grade]] ??= at
    if (GRADES.indexOf(grade) > GRADES.indexOf(run.grade)) run.grade = grade
  }
  return [...byRun]
    .map(([runId, { grade, first }]) => ({ runId, grade, at: first[DIRECTION_OF[grade]] ?? 0 }))
    .sort((a, b) => a.at - b.at)
}

/** How many of the last verified uses failed, as a line tells it. */
export function recentUses(judgement: Judgement): { readonly uses: number; readonly failures: number } {
  const uses = verifiedUses(judgement.uses)
  return { uses: uses.length, failures: uses.replaceAll('p', '').length }
}

/** True while a proven memory keeps its standing in spite of a failure. */
export function isForgiven({ standing, uses }: Judgement): boolean {
  return standing === 'active' && uses.includes('F')
}

const NOTHING: Judgement = {
  standing: 'active',
  cause: null,
  byRunId: null,
  weak: 0,
  verified: 0,
  tasks: 0,
  isUnanswered: false,
  uses: '',
}

/** What a mark says for or against its memory; null: nothing. */
export function kindOfMark(mark: NewMark, isFailure: boolean): Evidence['kind'] | null {
  if (mark.outcome === 'negative') return isFailure ? 'failure' : 'complaint'
  if (mark.outcome !== 'positive' || !mark.direct) return null
  return mark.verifierStatus === 'passed' ? 'success' : 'help'
}

/** Null: a later success without the others has taken this blame away. */
function gradeIn(entries: readonly Evidence[], entry: Evidence, slot: number): Grade | null {
  switch (entry.kind) {
    case 'task':
      return 'task'
    case 'help':
      return 'direct'
    case 'success':
      return 'verified'
    case 'complaint':
      return isTakenAway(entries, entry, slot) ? null : 'weak'
    case 'proved':
      return isTakenAway(entries, entry, slot) ? null : 'strong'
    case 'failure':
      if (isTakenAway(entries, entry, slot)) return null
      return entry.named.length === 1 || isProved(entries, entry, slot) ? 'strong' : 'weak'
  }
}

/**
 * Shared blame is taken from a memory by a later verified success that names it and none of the others. A run that has
 * also failed with this memory alone is no success.
 */
function isTakenAway(entries: readonly Evidence[], blame: Evidence, slot: number): boolean {
  if (blame.named.length === 1) return false
  return entries.some(
    (other) =>
      other.kind === 'success' &&
      other.seq > blame.seq &&
      other.runId !== blame.runId &&
      isAlone(other, blame, slot) &&
      !entries.some((own) => own.runId === other.runId && isFailure(own) && own.named.length === 1),
  )
}

/** Shared blame is proved for a memory by a verified failure of another run that names it and none of the others. */
function isProved(entries: readonly Evidence[], blame: Evidence, slot: number): boolean {
  return entries.some(
    (other) =>
      isFailure(other) &&
      other.runId !== blame.runId &&
      isAlone(other, blame, slot) &&
      !isTakenAway(entries, other, slot),
  )
}

/** Whether a report names the memory and none of those that share this blame with it. */
function isAlone(other: Evidence, blame: Evidence, slot: number): boolean {
  return blame.named.every((named) => named === slot || !other.named.includes(named))
}

function isFailure({ kind }: Evidence): boolean {
  return kind === 'failure' || kind === 'proved'
}

/**
 * Settles the run of the oldest entry. What it did to the blame of others stays done: blame that it took away goes too, and
 * blame that it proved stays proved. Of a run that speaks in another direction by now just the entry goes.
 */
function withoutOldest(
  settled: Judgement,
  entries: readonly Evidence[],
  subject: EvidenceSubject,
): { readonly settled: Judgement; readonly entries: readonly Evidence[] } {
  const [oldest, ...others] = entries
  if (oldest === undefined) return { settled, entries }
  const own = gradeIn(entries, oldest, subject.slot)
  const run = runsIn(entries, subject.slot).find(({ runId }) => runId === oldest.runId)
  if (own === null || run === undefined || DIRECTION_OF[own] !== DIRECTION_OF[run.grade]) {
    return { settled, entries: others }
  }
  const left = others.flatMap((entry) => {
    const grade = gradeIn(entries, entry, subject.slot)
    if (entry.runId === oldest.runId || grade === null) return []
    const isProvedByOthers = entry.named.length > 1 && grade === 'strong'
    return isProvedByOthers ? { ...entry, kind: 'proved' as const } : entry
  })
  return { settled: after(settled, run, subject), entries: left }
}

function after(before: Judgement, said: RunEvidence, subject: EvidenceSubject): Judgement {
  switch (said.grade) {
    case 'strong':
      return afterStrong(before, said, subject)
    case 'weak':
      return afterWeak(before, said)
    case 'verified':
      return afterPositive(
        {
          ...before,
          verified: Math.min(before.verified + 1, 2),
          isUnanswered: false,
          uses: withUse(before, 'p'),
        },
        said,
      )
    case 'direct':
      return afterPositive(before, said)
    case 'task': {
      if (before.standing !== 'demoted') return before
      const tasks = before.tasks + 1
      return tasks < TASK_SUCCESSES
        ? { ...before, tasks }
        : // No run has said that it helped, so a weak negative before is not answered.
          moved({ ...before, tasks: 0 }, 'active', 'task_successes', said)
    }
  }
}

function afterStrong(before: Judgement, said: RunEvidence, { domain }: EvidenceSubject): Judgement {
  const { standing } = before
  const next = { ...before, verified: 0, tasks: 0, isUnanswered: true, uses: withUse(before, 'f') }
  if (standing === 'failed') return next
  if (domain === 'execution' && before.isUnanswered) {
    return moved(next, 'failed', 'repeated_strong_negative', said)
  }
  if (standing === 'contested') return next
  if (standing === 'active' && isProven(before)) {
    const forgiven = { ...next, uses: withUse(before, 'F') }
    const earlier = forgivenLately(before)
    if (earlier === '') return forgiven
    // A weak negative would have demoted it by now, and a strong one is never less.
    if (earlier === 't') return moved(forgiven, 'demoted', 'weak_negative', said)
  }
  return moved(next, 'contested', 'strong_negative', said)
}

function afterWeak(before: Judgement, said: RunEvidence): Judgement {
  const { standing } = before
  const next = { ...before, weak: Math.min(before.weak + 1, 2), verified: 0, tasks: 0 }
  if (standing === 'failed' || standing === 'contested') return next
  if (standing === 'active' && isProven(before)) {
    const forgiven = { ...next, uses: `${before.uses}t` }
    const { length: earlier } = forgivenLately(before)
    if (earlier === 0) return forgiven
    if (earlier === 1) return moved(forgiven, 'demoted', 'weak_negative', said)
    return moved(forgiven, 'contested', 'repeated_weak_negative', said)
  }
  if (before.weak > 0) return moved(next, 'contested', 'repeated_weak_negative', said)
  return standing === 'active' ? moved(next, 'demoted', 'weak_negative', said) : next
}

function afterPositive(before: Judgement, said: RunEvidence): Judgement {
  const next = { ...before, weak: 0 }
  if (before.standing === 'demoted') return moved({ ...next, tasks: 0 }, 'active', 'direct_positive', said)
  if (before.standing === 'contested' && before.verified >= 2) {
    return moved(next, 'active', 'verified_positives', said)
  }
  return next
}

function moved(next: Judgement, standing: Standing, cause: Cause, { runId }: RunEvidence): Judgement {
  return { ...next, standing, cause, byRunId: runId }
}

/** The verified uses before now hold enough passes, and no failure. */
function isProven({ uses }: Judgement): boolean {
  const last = verifiedUses(uses).slice(-PROOF_USES)
  return last.length >= PROOF_PASSES_MIN && !/[fF]/.test(last)
}

/** What was forgiven within five verified uses, the use that is reported now among them. */
function forgivenLately({ uses }: Judgement): string {
  return lastUses(uses, RECENT_USES).replaceAll(/[pf]/g, '')
}

function withUse({ uses }: Judgement, use: 'p' | 'f' | 'F'): string {
  return `${lastUses(uses, RECENT_USES - 1)}${use}`
}

/** From the last `max` verified uses on. */
function lastUses(uses: string, max: number): string {
  let from = uses.length
  for (let left = max; left > 0 && from > 0; from -= 1) if (uses[from - 1] !== 't') left -= 1
  return uses.slice(from)
}

function verifiedUses(uses: string): string {
  return uses.replaceAll('t', '')
}
