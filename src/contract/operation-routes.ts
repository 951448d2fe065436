import type { OperationSpec } from './operations.ts'

/** Every method that an operation is served under. */
export function methodsOf({ method, alsoGet }: Pick<OperationSpec, 'method' | 'alsoGet'>) {
  return alsoGet === true ? ([method, 'GET'] as const) : ([method] as const)
}

/** Names of the parts of its path that are fields. */
export function pathFields({ path }: Pick<OperationSpec, 'path'>): readonly string[] {
  return [...path.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? [])
}
