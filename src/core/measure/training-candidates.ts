import type { TaskRef } from '../model/record.ts'
import { stepsDigest, type TraceDerivedSkill } from '../model/skill-candidate.ts'
import { foldText } from '../text/escape.ts'
import { isImproved, isRegressed, type KernelReport, type KernelScore } from './kernel-report.ts'
import type { Kernel } from './metrics.ts'
import type { RunFacts } from './recorded-runs.ts'
import { type SkillRefusal, skillFrom } from './skill.ts'

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

const CANDIDATE_TYPES = {
  continuity: 'handoff_distillation',
  learning: 'workflow_selector',
  forgetting: 'forgetting_suppression',
  learning_control: 'authority_judgment',
} as const satisfies Record<Kernel, string>

type Label = 'positive' | 'negative' | 'neutral' | 'insufficient_evidence'

/** What a later training could learn from, for review. */
export interface TrainingCandidate {
  readonly candidate_type: (typeof CANDIDATE_TYPES)[Kernel] | 'trace_derived_skill'
  readonly source_ids: readonly string[]
  readonly label: Label
  readonly export_ready: boolean
  readonly reason: string
  /** Only with candidate_type trace_derived_skill. */
  readonly trace_derived_skill?: TraceDerivedSkill
}

export interface CandidateBasis {
  readonly report: KernelReport
  /** By the runtime; without it there is no skill and nothing is ready. */
  readonly isSufficient: boolean
  readonly isHelp: boolean
  readonly task: TaskRef
  readonly runs: readonly RunFacts[]
  readonly rejectedSteps: readonly string[]
  /** Ids of the request, for reference. */
  readonly evidenceIds: readonly string[]
}

export interface Candidates {
  readonly candidates: readonly TrainingCandidate[]
  /** Why kernels that improved gave no skill. */
  readonly refusals: readonly SkillRefusal[]
}

/** One candidate per kernel that changed or failed, and a skill where continuity or learning improved. */
export function trainingCandidates(basis: CandidateBasis): Candidates {
  const { report } = basis
  const changed = report.kernel_scores.filter(({ delta, status }) => delta !== 0 || status === 'fail')
  const candidates: TrainingCandidate[] = changed.map((score) => {
    const label = labelOf(score, basis)
    return {
      candidate_type: CANDIDATE_TYPES[score.capability_id],
      source_ids: sourcesOf(score, basis),
      label,
      export_ready: isExportReady(label, basis),
      reason: reasonOf(score, label),
    }
  })
  const refusals = new Set<SkillRefusal>()
  if (!basis.isHelp) return { candidates, refusals: [] }
  for (const score of changed) {
    const isSkillKernel = score.capability_id === 'continuity' || score.capability_id === 'learning'
    const label = labelOf(score, basis)
    if (!isSkillKernel || label !== 'positive') continue
    const isReady = isExportReady(label, basis)
    const { task, runs, evidenceIds } = basis
    const { skill, refusal } = skillFrom({ task, score, isExportReady: isReady, evidenceIds }, runs)
    if (refusal !== null) refusals.add(refusal)
    else if (basis.rejectedSteps.includes(stepsDigest(skill))) refusals.add('rejected')
    else candidates.push(skillCandidate(score, skill, isReady))
  }
  return { candidates, refusals: [...refusals] }
}

function skillCandidate(score: KernelScore, skill: TraceDerivedSkill, isReady: boolean): TrainingCandidate {
  return {
    candidate_type: 'trace_derived_skill',
    source_ids: skill.source_trace_ids,
    label: 'positive',
    export_ready: isReady,
    reason: `${reasonOf(score, 'positive')} Recorded runs hold the steps. For review: it changes nothing.`,
    trace_derived_skill: skill,
  }
}

function labelOf(score: KernelScore, { isSufficient, isHelp }: CandidateBasis): Label {
  if (!isSufficient) return 'insufficient_evidence'
  if (score.status === 'fail' || isRegressed(score)) return 'negative'
  return isHelp && isImproved(score) ? 'positive' : 'neutral'
}

function isExportReady(label: Label, { report }: CandidateBasis): boolean {
  return label === 'positive' && report.status === 'pass'
}

function sourcesOf(score: KernelScore, { task, evidenceIds }: CandidateBasis): readonly string[] {
  return [
    `effect_kernel:${score.capability_id}`,
    ...(task.runId === null ? [] : [`run:${task.runId}`]),
    ...evidenceIds,
  ]
}

function reasonOf({ capability_id, baseline_score, score, delta }: KernelScore, label: Label): string {
  const change = `${capability_id} scored ${score} with memory and ${baseline_score} without (${delta}).`
  return label === 'insufficient_evidence' ? `${change} The evidence does not support a claim.` : change
}
