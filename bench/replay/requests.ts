import type { Run } from './recording.ts'

export const SUMMARY_CHARS_MAX = 4_000
/** The bound of lists in a request. */
const LIST_ITEMS_MAX = 256

/** What a finished run leaves behind: the body of `/v1/observe`. */
export function observeBody(scope: string, run: Run) {
  return {
    scope,
    execution: {
      run_id: runIdOf(run),
      task_signature: signatureOf(run.taskId),
      summary: summaryOf(run),
      outcome: run.isSuccess ? 'succeeded' : 'failed',
      workflow_steps: run.calls.slice(0, LIST_ITEMS_MAX).map((call) => call.name),
      tools: [...new Set(run.calls.map((call) => call.name))].slice(0, LIST_ITEMS_MAX),
      verifier: { name: 'reward', status: run.isSuccess ? 'passed' : 'failed' },
    },
  }
}

/** What the agent asks before it tries the task again: the body of `/v1/guide`. */
export function guideBody(scope: string, run: Run) {
  return {
    scope,
    run_id: runIdOf(run),
    task_signature: signatureOf(run.taskId),
    query_text: run.firstUserMessage,
    mode: 'full_power',
    limit: 200,
    context_char_budget: 100_000,
  }
}

function runIdOf(run: Run): string {
  return `task-${run.taskId}:trial-${run.trial}`
}

function signatureOf(taskId: string): string {
  return `task-${taskId}`
}

function summaryOf(run: Run): string {
  if (run.calls.length === 0) return 'No tool was called.'
  const text = run.calls.map((call) => `${call.name} ${call.argumentsText}`).join('\n')
  return text.slice(0, SUMMARY_CHARS_MAX)
}
