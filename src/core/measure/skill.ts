import type { TraceDerivedSkill } from '../model/skill-candidate.ts'
import type { TaskRef } from '../model/task-ref.ts'
import { clip, foldText } from '../text/escape.ts'
import type { KernelScore } from './kernel-report.ts'
import { isCounterExample, isExemplary, type RunFacts, type RunStep } from './recorded-runs.ts'

const NAME_CHARS_MAX = 160
const CONDITIONS_MAX = 16
const CONDITION_CHARS_MAX = 512
const STEPS_MAX = 16
const STEP_CHARS_MAX = 1024
const LIST_MAX = 64
/** Succeeded runs that together stand in for a passed verifier. */
const RUNS_MIN = 2

/** Why there is no skill although a kernel improved. */
export const SKILL_REFUSALS = {
  no_signature: 'The request names neither task_signature nor workflow_signature.',
  not_enough_succeeded_runs: 'It takes two succeeded runs, or one with a passed verifier.',
  no_direct_positive_feedback: 'No positive outcome was credited directly to memory of these runs.',
  no_recorded_steps: 'The succeeded runs recorded neither steps nor summaries.',
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
  const steps = usableSteps(good).filter((step) => !step.isFailed)
  const procedure = texts(steps.flatMap(procedureOf), STEPS_MAX, STEP_CHARS_MAX)
  if (procedure.length === 0) return { skill: null, refusal: 'no_recorded_steps' }
  const failures = [...own.filter(isCounterExample).map(failureOf), ...good.flatMap(failedSteps)]
  return {
    skill: skillOf(basis, signature, good, steps, { procedure, failures: failures.map(({ text }) => text) }),
    refusal: null,
    sourceMemoryIds: [
      ...new Set([...steps, ...failures].flatMap(({ memoryId }) => (memoryId === null ? [] : [memoryId]))),
    ],
  }
}

interface Signature {
  readonly condition: string
  readonly name: string
  readonly covers: (run: RunFacts) => boolean
}

function signatureOf({ task, score }: SkillBasis): Signature | null {
  const { taskSignature, workflowSignature } = task
  const byTask: Signature | null =
    taskSignature === null
      ? null
      : {
          condition: `task_signature:${taskSignature}`,
          name: `Continue ${taskSignature}`,
          covers: (run) => run.taskSignature === taskSignature,
        }
  const byWorkflow: Signature | null =
    workflowSignature === null
      ? null
      : {
          condition: `workflow_signature:${workflowSignature}`,
          name: `Repeat ${workflowSignature}`,
          covers: (run) => run.workflowSignature === workflowSignature,
        }
  return score?.capability_id === 'learning' ? (byWorkflow ?? byTask) : (byTask ?? byWorkflow)
}

function skillOf(
  basis: SkillBasis,
  signature: Signature,
  good: readonly RunFacts[],
  steps: readonly RunStep[],
  told: { readonly procedure: readonly string[]; readonly failures: readonly string[] },
): TraceDerivedSkill {
  const { task, score, isExportReady, evidenceIds } = basis
  const signals = (score?.signals ?? []).map((signal) => `signal:${signal}`)
  const conditions = [
    signature.condition,
    ...(task.taskFamily === null ? [] : [`task_family:${task.taskFamily}`]),
    ...(task.taskId === null ? [] : [`task_id:${task.taskId}`]),
    'A later session takes up the same work.',
    ...signals,
  ]
  const failures = texts(told.failures, CONDITIONS_MAX, CONDITION_CHARS_MAX)
  const regressions = (score?.regressions ?? []).map((name) => `regression:${name}`)
  const kernel = score === null ? [] : [`effect_kernel:${score.capability_id}`]
  const sources = [...kernel, ...good.map(({ runId }) => `run:${runId}`)]
  return {
    contract_version: 'svc_trace_derived_skill_candidate_v1',
    skill_name: clip(foldText(signature.name), NAME_CHARS_MAX),
    applies_when: texts(conditions, CONDITIONS_MAX, CONDITION_CHARS_MAX),
    does_not_apply_when: failures,
    procedure_steps: told.procedure,
    acceptance_checks: texts(
      steps.flatMap((step) => step.acceptanceChecks),
      LIST_MAX,
      CONDITION_CHARS_MAX,
    ),
    authority_state: 'candidate',
    export_policy: {
      agent_prompt_included: false,
      runtime_mutation: false,
      required_gate: 'admission_and_promotion_gate',
    },
    source_trace_ids: texts([...sources, signature.condition, ...evidenceIds], LIST_MAX, CONDITION_CHARS_MAX),
    source_signal_ids: signals,
    target_files: texts(
      steps.flatMap((step) => step.targetFiles),
      LIST_MAX,
      CONDITION_CHARS_MAX,
    ),
    failure_counterexamples: [...failures, ...regressions],
    evidence_refs: texts(
      steps.flatMap((step) => step.evidenceRefs),
      LIST_MAX,
      CONDITION_CHARS_MAX,
    ),
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

function usableSteps(runs: readonly RunFacts[]): readonly RunStep[] {
  return runs.flatMap((run) => run.steps.filter((step) => step.isUsable))
}

/** The recorded steps; the summary where a step recorded none. */
function procedureOf(step: RunStep): readonly string[] {
  if (step.workflowSteps.length > 0) return step.workflowSteps
  return step.summary === null ? [] : [step.summary]
}

interface Failure {
  readonly text: string
  /** Whose text it quotes. */
  readonly memoryId: string | null
}

function failureOf(run: RunFacts): Failure {
  const step = run.steps.findLast((each) => each.isUsable && each.summary !== null)
  const how = run.outcome === 'failed' || run.outcome === 'blocked' ? run.outcome : 'was judged negative'
  const what = step?.summary ?? 'no summary was recorded'
  return { text: `Run ${run.runId} ${how}: ${what}`, memoryId: step?.memoryId ?? null }
}

/** What failed on the way, in a run that succeeded in the end. */
function failedSteps(run: RunFacts): readonly Failure[] {
  return run.steps.flatMap(({ isUsable, isFailed, summary, memoryId }) =>
    isUsable && isFailed && summary !== null
      ? [{ text: `Run ${run.runId} failed on the way: ${summary}`, memoryId }]
      : [],
  )
}

/** Each text folded to one harmless line, once, in order. */
function texts(raw: readonly string[], itemsMax: number, charsMax: number): readonly string[] {
  const folded = raw.map((text) => clip(foldText(text), charsMax)).filter((text) => text !== '')
  return [...new Set(folded)].slice(0, itemsMax)
}

const FILE_NAME_CHARS_MAX = 64

/**
 * A skill candidate as a markdown file with a front matter, for a reviewer. Every text stays on its own line.
 * @param note what became of it, one sentence
 */
export function skillMarkdown(skill: TraceDerivedSkill, note = 'Candidate, not reviewed.'): string {
  const sections = [
    section('When it applies', skill.applies_when),
    section('When it does not apply', skill.does_not_apply_when),
    section('Steps', skill.procedure_steps, (_, place) => `${place + 1}. `),
    section('Acceptance checks', skill.acceptance_checks, () => '- [ ] '),
    section('Files', skill.target_files),
    section('Counter-examples', skill.failure_counterexamples),
    section('Evidence', [...skill.evidence_refs, ...skill.source_trace_ids]),
  ]
  return [...frontMatter(skill, note), `# ${plain(skill.skill_name)}`, ...sections.flat(), ''].join('\n')
}

function frontMatter(skill: TraceDerivedSkill, note: string): readonly string[] {
  const description = `${foldText(note)} ${skill.applies_when[0] ?? ''}`.trim()
  return [
    '---',
    `name: ${fileName(skill.skill_name)}`,
    // A JSON string is a YAML string, whatever it holds.
    `description: ${JSON.stringify(description)}`,
    `authority_state: ${skill.authority_state}`,
    `promotion_status: ${skill.promotion_status}`,
    `required_gate: ${skill.export_policy.required_gate}`,
    '---',
    '',
  ]
}

function fileName(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.join('-').slice(0, FILE_NAME_CHARS_MAX).replace(/-$/, '') || 'skill'
}

function section(
  title: string,
  items: readonly string[],
  bullet: (item: string, place: number) => string = () => '- ',
): readonly string[] {
  if (items.length === 0) return []
  return ['', `## ${title}`, '', ...items.map((item, place) => `${bullet(item, place)}${plain(item)}`)]
}

/** Characters that mean something to markdown stay characters. */
function plain(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~!]/g, '\\$&')
}
