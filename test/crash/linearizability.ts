/** One request of a client, as the client saw it. Times are positions in one order of all beginnings and ends. */
export interface Operation<Kind> {
  readonly kind: Kind
  readonly invokedAt: number
  /** Null: no answer came, so it may have happened at any time after it began, or never. */
  readonly answeredAt: number | null
}

/** What an object does, told one operation after the other. */
export interface Model<State, Kind> {
  readonly initial: State
  /** The state afterwards; undefined when the operation could not have ended so in this state. */
  step(state: State, kind: Kind): State | undefined
  /** Different for different states. */
  keyOf(state: State): string
}

export type ListKind =
  | { readonly type: 'append'; readonly item: string }
  | { readonly type: 'read'; readonly items: readonly string[] }

/** A list that only grows. Every item is appended once. */
export const APPEND_LIST: Model<readonly string[], ListKind> = {
  initial: [],
  step(state, kind) {
    if (kind.type === 'append') return state.includes(kind.item) ? undefined : [...state, kind.item]
    const isSame = kind.items.length === state.length && kind.items.every((item, i) => item === state[i])
    return isSame ? state : undefined
  },
  keyOf: (state) => state.join(' '),
}

export type RegisterKind =
  | { readonly type: 'write'; readonly value: string }
  | { readonly type: 'read'; readonly value: string | null }

/** One value; null before the first write. */
export const REGISTER: Model<string | null, RegisterKind> = {
  initial: null,
  step(state, kind) {
    if (kind.type === 'write') return kind.value
    return kind.value === state ? state : undefined
  },
  keyOf: (state) => state ?? '',
}

/**
 * True when the operations can be put in one order that the model allows and in which no operation comes before one
 * that had ended when it began. The search of Wing and Gong with the memory of Lowe: a set of operations that led to
 * the same state before is not tried again.
 */
export function isLinearizable<State, Kind>(
  model: Model<State, Kind>,
  operations: readonly Operation<Kind>[],
): boolean {
  const byBeginning = operations.toSorted((a, b) => a.invokedAt - b.invokedAt)
  const seen = new Set<string>()
  const done = new Array<boolean>(byBeginning.length).fill(false)
  const search = (state: State): boolean => {
    const open = byBeginning.flatMap((operation, index) =>
      done[index] === true ? [] : [{ operation, index }],
    )
    // What never got an answer need not have happened.
    if (open.every(({ operation }) => operation.answeredAt === null)) return true
    const key = `${done.map((each) => (each ? 1 : 0)).join('')} ${model.keyOf(state)}`
    if (seen.has(key)) return false
    seen.add(key)
    const firstEnd = Math.min(
      ...open.map(({ operation }) => operation.answeredAt ?? Number.POSITIVE_INFINITY),
    )
    for (const { operation, index } of open) {
      if (operation.invokedAt > firstEnd) break
      const next = model.step(state, operation.kind)
      if (next === undefined) continue
      done[index] = true
      if (search(next)) return true
      done[index] = false
    }
    return false
  }
  return search(model.initial)
}

/** Without unanswered appends that no read ever showed: what nobody saw puts no order on the rest. */
export function seenAppends(operations: readonly Operation<ListKind>[]): readonly Operation<ListKind>[] {
  const seen = new Set(operations.flatMap(({ kind }) => (kind.type === 'read' ? kind.items : [])))
  return operations.filter(
    ({ kind, answeredAt }) => answeredAt !== null || (kind.type === 'append' && seen.has(kind.item)),
  )
}

/** The same for writes of a register. */
export function seenWrites(
  operations: readonly Operation<RegisterKind>[],
): readonly Operation<RegisterKind>[] {
  const seen = new Set(operations.flatMap(({ kind }) => (kind.type === 'read' ? [kind.value] : [])))
  return operations.filter(
    ({ kind, answeredAt }) => answeredAt !== null || (kind.type === 'write' && seen.has(kind.value)),
  )
}
