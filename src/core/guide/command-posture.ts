import type { Surface } from '../base/closed-sets.ts'
import type { GuideEntry } from './entry.ts'
import { nounOf } from './line.ts'
import { reasonText } from './reason.ts'
import { foldedTargets } from './targets.ts'

const ROWS_MAX = 14

const POSTURE_OF = {
  do_not_use: 'must_not',
  use_now: 'should_continue',
  inspect_before_use: 'inspect_first',
  rehydrate: 'rehydrate_first',
} as const satisfies Record<Surface, string>

export interface CommandPosture {
  readonly posture: (typeof POSTURE_OF)[Surface]
  readonly surface: Surface
  readonly memory_id: string
  readonly instruction: string
  readonly reason: string
  readonly target_files: readonly string[]
}

/** What to do with each of the first 14 printed memories, by rank. All texts are ours; a blocked memory shows no path. */
export function commandPostures(printed: readonly GuideEntry[]): readonly CommandPosture[] {
  return printed.slice(0, ROWS_MAX).map((entry) => ({
    posture: POSTURE_OF[entry.surface],
    surface: entry.surface,
    memory_id: entry.record.memoryId,
    instruction: instructionOf(entry),
    reason: reasonText(entry),
    target_files: entry.surface === 'do_not_use' ? [] : foldedTargets(entry),
  }))
}

function instructionOf(entry: GuideEntry): string {
  const noun = nounOf(entry.record)
  switch (entry.surface) {
    case 'use_now':
      return `Continue from this ${noun}.`
    case 'inspect_before_use':
      return `Verify this ${noun} against the current state before use.`
    case 'do_not_use':
      return `Do not act on this ${noun}.`
    case 'rehydrate':
      return `Rehydrate this ${noun} before you rely on it.`
  }
}
