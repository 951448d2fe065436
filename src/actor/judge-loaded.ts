import { assert } from '../core/base/assert.ts'
import { contestedByText, judgeAnew } from '../core/write/dispute.ts'
import type { Journal } from '../ports/journal.ts'
import type { Log } from '../ports/log.ts'
import type { Actor } from './actor.ts'
import { yieldToLoop } from './yield-to-loop.ts'

/**
 * Judges what an earlier build has contested by words alone, as turns of the actor before it serves. What a crash cuts
 * off, or a journal that takes nothing leaves, the next load does: the state says what is still to be judged.
 */
export async function judgeLoaded(actor: Actor, journal: Journal, log: Log): Promise<void> {
  let contested = contestedByText(actor.state)
  if (contested.size === 0 || journal.health().state !== 'open' || journal.isSaturated()) return
  let turns = 0
  for (; contested.size > 0; contested = contestedByText(actor.state)) {
    const judged = contested
    const { seq } = actor.state
    await actor.turn((state, nowMs) => ({
      events: judgeAnew(state, actor.similar, judged, nowMs),
      reply: null,
    }))
    assert(actor.state.seq > seq, `what words contested in ${actor.key} is judged by every turn`)
    turns += 1
    await yieldToLoop()
  }
  log.info({ actor: actor.key, turns }, 'what words alone had contested was judged anew')
}
