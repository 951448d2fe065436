import { readConfig } from '../../src/app/config/config.ts'
import {
  type MoveOptions,
  type MoveParts,
  type MoveReport,
  moveStore,
} from '../../src/app/migrate/move-store.ts'
import { folderSource, folderTarget } from '../../src/app/migrate/places.ts'
import { manualClock, memoryLog } from '../harness/system.ts'

export function moveParts(
  given: Readonly<Record<string, unknown>> = {},
  env: Readonly<Record<string, string>> = {},
): MoveParts {
  return { config: readConfig(given, env).config, clock: manualClock(), log: memoryLog().log }
}

/** Moves a folder into another one, which the command refuses: the walk is the same as to a database. */
export async function movedFolder(from: string, to: string, options: MoveOptions = {}): Promise<MoveReport> {
  const parts = moveParts()
  const source = await folderSource(from, parts)
  try {
    const target = await folderTarget(to, parts, false)
    try {
      return await moveStore(source, target, options)
    } finally {
      await target.release()
    }
  } finally {
    await source.release()
  }
}

/** Throws before the step with this number; tells how many there were. */
export function cutAt(number: number): { readonly beforeStep: () => void; readonly steps: () => number } {
  let steps = 0
  return {
    beforeStep() {
      steps += 1
      if (steps === number) throw new Error('cut off')
    },
    steps: () => steps,
  }
}
