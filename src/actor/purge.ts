import { DomainError, messageOf } from '../core/base/errors.ts'
import type { Redaction } from '../core/model/erasure.ts'
import type { ActorState } from '../core/model/state.ts'
import type { Log } from '../ports/log.ts'
import type { Removal, Removed } from '../ports/removal.ts'
import type { Store } from '../ports/store.ts'
import type { VectorStore } from '../ports/vectors.ts'
import type { Actor } from './actor.ts'

export interface PurgeParts {
  readonly removal: Removal
  /** Null: this node has never embedded anything. */
  readonly vectorStore: VectorStore | null
  /** Resolves when no text of the actor is on its way to a provider that was taken before. */
  readonly withdraw: (actorKey: string) => Promise<void>
  readonly log: Log
  readonly isDiskFull: Store['isDiskFull']
  /** Makes a durable snapshot of an actor as it stands now, loading it if need be, after one that is under way. */
  readonly snapshot: (actorKey: string) => Promise<void>
}

/** The actor that has erased something. */
type Erasing = Pick<Actor, 'key' | 'grant' | 'state' | 'recall'>

const DISK_FULL =
  'The erasure is recorded and the memory is gone from every answer. The disk is full: what is left of it in files goes by itself as soon as there is room, without a repeat.'

/**
 * Takes what an actor has erased out of its index, its vectors and then the store. Each step finds out for itself what is
 * left to do, so that a purge which a crash has cut off is finished by the next one. Purges of a node come one after the
 * other; one that waits covers all erasures until it starts.
 */
export class Purge {
  readonly #parts: PurgeParts
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: PurgeParts) {
    this.#parts = parts
  }

  /** Resolves when nothing of it is in the store any more. @throws erase_incomplete */
  async run(actor: Erasing): Promise<Removed> {
    const purge = this.#last.then(() => this.#purge(actor))
    this.#last = purge.catch(() => undefined)
    return purge
  }

  async #purge({ key, grant, state, recall }: Erasing): Promise<Removed> {
    const { removal, vectorStore, withdraw, snapshot, isDiskFull, log } = this.#parts
    const redaction = redactionOf(state)
    // Nothing was ever erased: the store may hold no snapshot of the actor yet, and nothing has to go.
    if (redaction.untilSeq === 0) return { snapshots: 0, journalSegments: 0, historyFiles: 0 }
    let step = 'memory'
    const began = (next: string): void => {
      step = next
    }
    try {
      await recall.swept()
      began('vectors')
      await withdraw(key)
      const isLeft = ({ memoryId }: { readonly memoryId: string }) => !state.erasures.has(memoryId)
      const vectorFiles = (await vectorStore?.keepOnly(grant, key, isLeft)) ?? 0
      const removed = await removal.erase(grant, key, redaction, { snapshot, began })
      const erased = redaction.memoryIds.length
      const guides = redaction.guides.length
      log.info({ actor: key, erased, guides, ...removed, vectorFiles }, 'erased memory is off the disk')
      return removed
    } catch (error) {
      const cause = messageOf(error)
      log.error({ actor: key, step, cause }, 'an erasure is recorded but not finished')
      if (!isDiskFull(error)) throw new DomainError('erase_incomplete', { step })
      throw new DomainError('erase_incomplete', { step, reason: 'disk_full' }, DISK_FULL)
    }
  }
}

function redactionOf({ erasures, erasedGuides, external }: ActorState): Redaction {
  const guides = [...erasedGuides.values()]
  const erasedExternal = [...external.erasures.values()]
  const all = [...erasures.values(), ...guides, ...erasedExternal]
  return {
    memoryIds: [...erasures.keys()],
    guides,
    external: erasedExternal,
    externalKey: external.key,
    untilSeq: all.reduce((latest, { seq }) => Math.max(latest, seq), 0),
  }
}
