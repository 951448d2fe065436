/** A broken assumption of our own: it crashes the actor (the registry reloads it), never the process. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

/** States what must hold. For our own mistakes only: bad input is a `DomainError`. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}

/** Closes a switch over a tagged union: the compiler refuses a missing case. */
export function unreachable(value: never): never {
  throw new InvariantError(`unreachable case: ${JSON.stringify(value)}`)
}
