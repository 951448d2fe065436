import type { FeedbackCommand, ObserveCommand } from '../model/commands.ts'
import { type ExposureRecord, shownIn } from '../model/events.ts'
import type { ActorState } from '../model/state.ts'
import { decideUse, type FeedbackEffect, listed } from './attribution.ts'
import type { Decided, Screener } from './decision.ts'
import { observeSteps } from './observe.ts'
import type { Similar } from './similar.ts'

/** How a run ended that a guide was made for. */
export interface FinishCommand {
  /** The run, as observe records it. */
  readonly run: ObserveCommand
  /** What it says of the memory it used. */
  readonly use: Omit<FeedbackCommand, 'usedSurface'>
}

export interface FinishEffect {
  readonly runMemoryId: string
  /** What was told of the memory, with the outcome that it came to. */
  readonly feedback: FeedbackCommand
  readonly use: FeedbackEffect
  readonly warnings: readonly string[]
}

/**
 * Records a run and attributes its outcome to what it used of its guide: one turn. Feedback comes first, so that the run,
 * when it is recorded, says nothing more of memory that the same request has spoken of.
 * @throws guide_trace_used_memory_not_exposed
 */
export function* finishSteps(
  state: ActorState,
  command: FinishCommand,
  exposure: ExposureRecord,
  nowMs: number,
  newId: () => string,
  screener: Screener,
  similar: Similar,
): Generator<void, Decided<FinishEffect>> {
  const used = decideUse(state, command.use, exposure)
  // Of other stores it used what only has the id of a memory.
  const usedMemoryIds = exposure.external === undefined ? used.effect.memoryIds : []
  const observed = { ...command.run, usedMemoryIds }
  const run = yield* observeSteps(state, observed, nowMs, newId, screener, similar, used.events)
  const { boundaryIgnoredMemoryIds } = used.effect
  return {
    events: run.events,
    effect: {
      runMemoryId: run.effect.memoryIds[0] ?? '',
      feedback: used.command,
      use: used.effect,
      warnings: [
        ...(boundaryIgnoredMemoryIds.length === 0
          ? []
          : [notUsable(boundaryIgnoredMemoryIds, exposure, command.use)]),
        ...used.effect.warnings,
        ...run.effect.warnings,
      ],
    },
  }
}

function notUsable(
  ids: readonly string[],
  exposure: ExposureRecord,
  { printedEarlier }: FinishCommand['use'],
): string {
  const shown = shownIn(exposure)
  const surfaceOf = (id: string) => printedEarlier?.get(id)?.surface ?? shown.surfaces[shown.ids.indexOf(id)]
  const named = ids.map((id) => `${id} (${surfaceOf(id) ?? 'do_not_use'})`)
  return `no evidence for ${listed(named)}: a run may use only what its guide shows on use_now or inspect_before_use`
}
