import type { RecallImages } from '../../ports/store.ts'

/** For a store that keeps no index: a load builds it again. */
export const NO_IMAGES: RecallImages = {
  keep: () => undefined,
  get: async () => null,
  dropBefore: async () => undefined,
  settled: async () => undefined,
}
