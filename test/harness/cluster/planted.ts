import { fileURLToPath } from 'node:url'

// Faults that the rounds have to find. They are put into the text of a module while it is loaded: the product has no option
// for any of them.

export const PLANTED_NAMES = [
  'renewal-without-expiry',
  'read-before-fence',
  'retry-without-operation-id',
  'write-without-grant',
  'two-batches-in-flight',
] as const

export type PlantedName = (typeof PLANTED_NAMES)[number]

const HOOKS = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../../fixtures/planted/' : '../../../../test/fixtures/planted/',
    import.meta.url,
  ),
)

/** The module that plants a fault in the process which loads it first. */
export function plantedImport(name: PlantedName): string {
  return `${HOOKS}${name}.mjs`
}
