import type { ComputeFailure, ComputeFailureKind } from '../../ports/compute.ts'

/** What the pool rejects with. */
export class ComputeFailureError extends Error implements ComputeFailure {
  override readonly name = 'ComputeFailureError'
  readonly computeFailure: ComputeFailureKind

  constructor(kind: ComputeFailureKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.computeFailure = kind
  }
}
