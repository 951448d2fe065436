/** Which work is measured, as the caller names it. */
export interface TaskRef {
  readonly taskId: string | null
  readonly runId: string | null
  readonly taskSignature: string | null
  readonly taskFamily: string | null
  readonly workflowSignature: string | null
}
