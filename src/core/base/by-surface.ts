import type { Surface } from './closed-sets.ts'

/** One value for each surface. */
export type BySurface<T> = Readonly<Record<Surface, T>>

export function bySurface<T>(of: (surface: Surface) => T): Record<Surface, T> {
  return {
    use_now: of('use_now'),
    inspect_before_use: of('inspect_before_use'),
    rehydrate: of('rehydrate'),
    do_not_use: of('do_not_use'),
  }
}

/** Ids of memories that stand beside their surfaces, in the same order. */
export function idsBySurface(shown: {
  readonly memoryIds: readonly string[]
  readonly surfaces: readonly Surface[]
}): BySurface<readonly string[]> {
  return bySurface((surface) => shown.memoryIds.filter((_id, at) => shown.surfaces[at] === surface))
}

export function countBySurface(rows: readonly { readonly surface: Surface }[]): BySurface<number> {
  const counts = bySurface(() => 0)
  for (const { surface } of rows) counts[surface] += 1
  return counts
}
