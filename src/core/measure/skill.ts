import type { TaskRef } from '../model/record.ts'
import { EXPORT_POLICY, supported, type TraceDerivedSkill } from '../model/skill-candidate.ts'
import { maskSecrets } from '../screening/secrets.ts'
import { clip, foldText } from '../text/escape.ts'
import { commonOrder, type Place, sameWords } from './common-order.ts'
import type { KernelScore } from './kernel-report.ts'
import { isCounterExample, isExemplary, type RunFacts, type RunStep } from './recorded-runs.ts'

const NAME_CHARS_MAX = 160
const CONDITIONS_MAX = 16
const CONDITION_CHARS_MAX = 512
const STEPS_MAX = 16
const STEP_CHARS_MAX = 1024
/** Room for the support behind a step. */
const SUPPORT_CHARS = 16
/** Conditions that tell what only failed runs did; the rest is for the reasons. */
const DEEDS_MAX = 8
const DEED_CHARS_MAX = 400
const LIST_MAX = 64
/** Succeeded runs that together stand in for a passed verifier. */
const RUNS_MIN = 2

/** Why there is no skill although a kernel improved. */
export const SKILL_REFUSALS = {
  no_signature: 'The request names neither task_signature nor workflow_signature.',
  not_enough_succeeded_runs: 'It takes two succeeded runs, or one with a passed verifier.',
  no_direct_positive_feedback: 'No positive outcome was credited directly to memory of these runs.',
  no_recorded_steps: 'The succeeded runs recorded neither steps nor summaries.',
  rejected: 'An operator rejected these steps.',
  no_common_steps: 'No step is common to half of the succeeded runs.',
} as const
export type SkillRefusal = keyof typeof SKILL_REFUSALS

export type SkillFinding =
  | {
      readonly skill: TraceDerivedSkill
      readonly refusal: null
      /** Memory whose text stands in the skill. */
      readonly sourceMemoryIds: readonly string[]
    }
  | { readonly skill: null; readonly refusal: SkillRefusal }

export interface SkillBasis {
  readonly task: TaskRef
  /** The kernel that improved: continuity goes by the task, learning by the workflow. Null: nothing was measured. */
  readonly score: Pick<KernelScore, 'capability_id' | 'signals' | 'regressions'> | null
  readonly isExportReady: boolean
  readonly evidenceIds: readonly string[]
}

/**
 * Builds the candidate from runs of the same signature. Whoever measured has made sure that the evidence is sufficient;
 * what the runs themselves must hold is asked here.
 */
export function skillFrom(basis: SkillBasis, runs: readonly RunFacts[]): SkillFinding {
  const signature = signatureOf(basis)
  if (signature === null) return { skill: null, refusal: 'no_signature' }
  const own = runs.filter(signature.covers).sort((a, b) => a.seq - b.seq)
  const good = own.filter(isExemplary)
  const isSupported = good.length >= RUNS_MIN || good.some((run) => run.hasPassedVerifier)
  if (!isSupported) return { skill: null, refusal: 'not_enough_succeeded_runs' }
  if (!good.some((run) => run.hasDirectPositive)) {
    return { skill: null, refusal: 'no_direct_positive_feedback' }
  }
  const steps = usableSteps(good)
  const told = good.map(procedureOf).filter((procedure) => procedure.length > 0)
  if (told.length === 0) return { skill: null, refusal: 'no_recorded_steps' }
  const procedure = procedureLines(told)
  if (procedure.length === 0) return { skill: null, refusal: 'no_common_steps' }
  const failures = failuresOf(own, steps)
  return {
    skill: skillOf(basis, signature, good, steps, { procedure, failures: failures.map(({ text }) => text) }),
    refusal: null,
    sourceMemoryIds: [...new Set([...steps, ...failures].map(({ memoryId }) => memoryId))],
  }
}

interface Signature {
  readonly condition: string
  readonly name: string
  readonly covers: (run: RunFacts) => boolean
}

function signatureOf({ task, score }: SkillBasis): Signature | null {
  const by = (field: 'taskSignature' | 'workflowSignature', verb: string): Signature | null => {
    const said = task[field]
    const condition = `${field === 'taskSignature' ? 'task_signature' : 'workflow_signature'}:${said}`
    return said === null ? null : { condition, name: `${verb} ${said}`, covers: (run) => run[field] === said }
  }
  const byTask = by('taskSignature', 'Continue')
  const byWorkflow = by('workflowSignature', 'Repeat')
  return score?.capability_id === 'learning' ? (byWorkflow ?? byTask) : (byTask ?? byWorkflow)
}

function skillOf(
  basis: SkillBasis,
  signature: Signature,
  good: readonly RunFacts[],
  steps: readonly RunStep[],
  told: { readonly procedure: readonly string[]; readonly failures: readonly string[] },
): TraceDerivedSkill {
  const { score, isExportReady, evidenceIds } = basis
  const signals = (score?.signals ?? []).map((signal) => `signal:${signal}`)
  const conditions = [signature.condition, ...sharedBy(good).map(maskSecrets)]
  const failures = texts(told.failures.map(maskSecrets), CONDITIONS_MAX)
  const regressions = (score?.regressions ?? []).map((name) => `regression:${name}`)
  const kernel = score === null ? [] : [`effect_kernel:${score.capability_id}`]
  const listed = (of: (step: RunStep) => readonly string[]) => texts(steps.flatMap(of), LIST_MAX)
  const sources = [...kernel, ...good.map(({ runId }) => `run:${runId}`)]
  return {
    contract_version: 'svc_trace_derived_skill_candidate_v1',
    skill_name: clip(foldText(signature.name), NAME_CHARS_MAX),
    applies_when: texts(conditions, CONDITIONS_MAX),
    does_not_apply_when: failures,
    procedure_steps: told.procedure,
    acceptance_checks: listed(({ acceptanceChecks }) => acceptanceChecks.map(maskSecrets)),
    authority_state: 'candidate',
    export_policy: EXPORT_POLICY,
    source_trace_ids: texts([...sources, signature.condition, ...evidenceIds], LIST_MAX),
    source_signal_ids: signals,
    target_files: listed(({ targetFiles }) => targetFiles),
    failure_counterexamples: [...failures, ...regressions],
    evidence_refs: listed(({ evidenceRefs }) => evidenceRefs.map(maskSecrets)),
    promotion_status: promotionStatus(score === null, isExportReady),
  }
}

function promotionStatus(
  isUnmeasured: boolean,
  isExportReady: boolean,
): TraceDerivedSkill['promotion_status'] {
  if (isUnmeasured) return 'candidate_only'
  return isExportReady ? 'promotion_ready' : 'needs_feedback_attribution'
}

/** What may be followed: a step that failed on the way is none. */
function usableSteps(runs: readonly RunFacts[]): readonly RunStep[] {
  return runs.flatMap((run) => run.steps.filter((step) => step.isUsable && !step.isFailed))
}

/** The steps of a run in order: those that it recorded, and the summary of a part that recorded none. */
function procedureOf(run: RunFacts): readonly RunLine[] {
  return usableSteps([run]).flatMap(({ workflowSteps, summary }) => {
    if (workflowSteps.length > 0) return linesOf(workflowSteps, true)
    return summary === null ? [] : linesOf([summary], false)
  })
}

interface RunLine {
  readonly text: string
  /** False: a summary stands in for steps. */
  readonly isStep: boolean
}

function linesOf(raw: readonly string[], isStep: boolean): readonly RunLine[] {
  return raw.flatMap((line) => {
    const text = clip(foldText(maskSecrets(line)), STEP_CHARS_MAX - SUPPORT_CHARS)
    return text === '' ? [] : [{ text, isStep }]
  })
}

/**
 * The common order with the support of each step, alternatives on one line. A run that only has one summary tells of no
 * order: it counts where no run tells more.
 */
function procedureLines(told: readonly (readonly RunLine[])[]): readonly string[] {
  const ordered = told.filter((lines) => lines.length > 1 || lines.some(({ isStep }) => isStep))
  const runs = (ordered.length > 0 ? ordered : told).map((lines) => lines.map(({ text }) => text))
  const places = commonOrder(runs)
  const supportOf = (place: Place) => place.reduce((sum, { support }) => sum + support, 0)
  const best = new Set(places.toSorted((a, b) => supportOf(b) - supportOf(a)).slice(0, STEPS_MAX))
  return places.filter((place) => best.has(place)).map((place) => placeLine(place, runs.length))
}

/** As many alternatives as the line holds. */
function placeLine(place: Place, runCount: number): string {
  let line = ''
  for (const { text, support } of place) {
    const choice = supported(text, support, runCount)
    const longer = line === '' ? choice : `${line} or ${choice}`
    if (longer.length <= STEP_CHARS_MAX) line = longer
  }
  return line
}

/** What every run shares, beside the signature: family, files and the preconditions that it states. */
function sharedBy(good: readonly RunFacts[]): readonly string[] {
  const perRun = good.map((run) => {
    const steps = usableSteps([run])
    return [
      ...(run.taskFamily === null ? [] : [`task_family:${run.taskFamily}`]),
      ...steps.flatMap(({ preconditions }) => preconditions),
      ...steps.flatMap(({ targetFiles }) => targetFiles.map((file) => `file:${file}`)),
    ]
  })
  const [first = [], ...others] = perRun
  return first.filter((condition) => others.every((conditions) => conditions.includes(condition)))
}

interface Failure {
  readonly text: string
  /** Whose text it quotes. */
  readonly memoryId: string
}

/** What failed runs did that no succeeded one did, the most frequent first, then the reasons that they recorded. */
function failuresOf(own: readonly RunFacts[], good: readonly RunStep[]): readonly Failure[] {
  const failed = own.flatMap((run) => {
    const isBad = isCounterExample(run)
    return run.steps
      .filter((step) => step.isUsable && (isBad || step.isFailed))
      .map((step) => ({ ...step, runId: run.runId, end: isBad ? endOf(run) : 'failed on the way' }))
  })
  const reasons = new Map<string, Failure>()
  for (const { runId, end, summary, memoryId } of failed) {
    if (summary === null || reasons.has(`${end} ${summary}`)) continue
    reasons.set(`${end} ${summary}`, { text: `Run ${runId} ${end}: ${summary}`, memoryId })
  }
  return [...onlyFailed(failed, good), ...reasons.values()]
}

type FailedStep = RunStep & { readonly runId: string }

function onlyFailed(failed: readonly FailedStep[], good: readonly RunStep[]): readonly Failure[] {
  const followed = new Set(good.flatMap(deedsOf).map(sameWords))
  const deeds = new Map<string, Failure & { readonly runs: Set<string> }>()
  for (const step of failed) {
    for (const text of deedsOf(step)) {
      const key = sameWords(text)
      if (followed.has(key)) continue
      const known = deeds.get(key) ?? { text, memoryId: step.memoryId, runs: new Set() }
      known.runs.add(step.runId)
      deeds.set(key, known)
    }
  }
  const runCount = new Set(failed.map(({ runId }) => runId)).size
  return [...deeds.values()]
    .sort((a, b) => b.runs.size - a.runs.size)
    .slice(0, DEEDS_MAX)
    .map(({ text, memoryId, runs }) => ({
      text: supported(`Only failed runs: ${clip(text, DEED_CHARS_MAX)}`, runs.size, runCount),
      memoryId,
    }))
}

/** What a part of a run did: its steps, and the files that it was about. */
function deedsOf({ workflowSteps, targetFiles }: RunStep): readonly string[] {
  return [
    ...workflowSteps.map((step) => foldText(maskSecrets(step))),
    ...targetFiles.map((file) => `file:${foldText(file)}`),
  ]
}

function endOf({ outcome }: RunFacts): string {
  return outcome === 'failed' || outcome === 'blocked' ? outcome : 'was judged negative'
}

/** Each text folded to one harmless line, once, in order. */
function texts(raw: readonly string[], itemsMax: number): readonly string[] {
  const folded = raw.map((text) => clip(foldText(text), CONDITION_CHARS_MAX)).filter((text) => text !== '')
  return [...new Set(folded)].slice(0, itemsMax)
}
