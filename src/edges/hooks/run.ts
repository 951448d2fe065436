import type { PromptSteps } from './sessions.ts'
import type { Step } from './step.ts'

const TITLE_CHARS_MAX = 80

/** The steps of one prompt as the body of a finish, or of an observe where no guide was made. */
export function runOf(prompt: PromptSteps, session: string) {
  const { guideTraceId, turn, verdict, changed, named, runs } = prompt
  const runId = `${session}:${turn}${runs === 0 ? '' : `:${runs + 1}`}`
  const outcome = verdict === null ? 'unknown' : verdict.hasPassed ? 'succeeded' : 'failed'
  const said = {
    title: titleOf(prompt),
    summary: summaryOf(prompt),
    outcome,
    target_files: [...changed.keys()],
    acceptance_checks: verdict?.hasPassed === true ? [verdict.command] : [],
  }
  const files = {
    workspace_changes: Array.from(changed, ([path, digest]) => ({ path, digest })),
  }
  const status = verdict === null ? null : verdict.hasPassed ? 'passed' : 'failed'
  if (guideTraceId === null) {
    const execution = { ...said, run_id: runId, verifier: status === null ? null : { status } }
    return { operation: 'observe' as const, body: { ...files, run_id: runId, execution } }
  }
  const used = { guide_trace_id: guideTraceId, run_id: runId, used_memory_ids: [...named] }
  return { operation: 'finish' as const, body: { ...files, ...used, ...said, verifier_status: status } }
}

function titleOf({ steps, moreSteps }: PromptSteps): string {
  const labels = [...new Set(steps.map(({ label }) => label))]
  const count = steps.length + moreSteps
  const end = count === 1 ? '' : ` (${count} steps)`
  let title = ''
  for (const label of labels) {
    const longer = title === '' ? label : `${title}, ${label}`
    if (longer.length + end.length > TITLE_CHARS_MAX) break
    title = longer
  }
  return title + end
}

/** Steps in their order, the same ones in a row as one; then what was changed. */
function summaryOf({ steps, moreSteps, changed }: PromptSteps): string {
  const parts: string[] = []
  for (let at = 0; at < steps.length; ) {
    const step = steps[at]
    let end = at
    while (end < steps.length && isSame(step, steps[end])) end += 1
    if (step !== undefined) parts.push(partOf(step, end - at))
    at = end
  }
  const more = moreSteps === 0 ? '' : ` and ${moreSteps} more`
  const gone = [...changed].flatMap(([path, digest]) => (digest === null ? [path] : []))
  const kept = [...changed.keys()].filter((path) => !gone.includes(path))
  return [
    `Steps: ${parts.join(', ')}${more}.`,
    ...(kept.length === 0 ? [] : [`Changed: ${kept.join(', ')}.`]),
    ...(gone.length === 0 ? [] : [`Removed: ${gone.join(', ')}.`]),
  ].join(' ')
}

function isSame(a: Step | undefined, b: Step | undefined): boolean {
  return a?.label === b?.label && a?.result === b?.result
}

function partOf({ label, result }: Step, count: number): string {
  const times = count === 1 ? '' : ` ${count} times`
  return result === 'failed' ? `${label} (failed${times})` : `${label}${times}`
}
