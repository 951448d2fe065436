import { repeatedly } from '../adapters/files/concurrency.ts'
import { type FolderWatch, type FreeSpace, isDiskFull } from '../adapters/files/folder-watch.ts'
import type { ManifestKeeper } from '../adapters/files/manifest.ts'
import { type AnswerOf, type AnyAnswerOf, isWriting, type RequestedName } from '../contract/operations.ts'
import { DomainError } from '../core/base/errors.ts'
import type { Journal } from '../ports/store.ts'
import type { Log, Schedule } from '../ports/system.ts'
import type { CallContext, OperatorStream, Runtime } from '../runtime/runtime.ts'

/** One life of the service over its data folder. */
export interface Life {
  readonly runtime: Runtime
  readonly store: {
    readonly journal: Pick<Journal, 'health'>
    readonly manifest: Pick<ManifestKeeper, 'look'>
  }
}

export interface ReturningParts<L extends Life> {
  /** Opens the data folder, which nobody uses, as the start of a process does. */
  readonly start: () => Promise<L>
  readonly space: FreeSpace
  /** What is lost is not come back to: only an operator can say where the store is. */
  readonly folder: Pick<FolderWatch, 'lost' | 'look'>
  /** The service comes back when so much is free. */
  readonly neededBytes: number
  readonly schedule: Schedule
  /** Gives the folder back, after the last life. */
  readonly release: () => Promise<void>
  readonly log: Log
}

/** Time between two looks at the folder and at the free space. Half of what may pass until a loss is noticed. */
const LOOK_EVERY_MS = 500

/**
 * The service over one data folder, for as long as the process lives. When the disk was full and has room again, it is
 * closed and started anew, so that what the disk holds is found out by recovery and nothing in memory is believed.
 * After any other failure of a write only an operator can say whether the disk is to be trusted.
 */
export class ReturningService<L extends Life> implements Runtime {
  readonly #parts: ReturningParts<L>
  #life: L
  /** While there is no life to ask: what health said before. */
  #lastHealth: AnswerOf<'health'> | null = null
  /** The folder was refused: the operator has to see to it. */
  #isGivenUp = false
  readonly #stopLooks: () => void
  #work: Promise<void> = Promise.resolve()
  #closing: Promise<void> | null = null

  private constructor(parts: ReturningParts<L>, life: L) {
    this.#parts = parts
    this.#life = life
    this.#stopLooks = repeatedly(parts.schedule, LOOK_EVERY_MS, () => {
      this.#work = this.#look()
      return this.#work
    })
  }

  static async start<L extends Life>(parts: ReturningParts<L>): Promise<ReturningService<L>> {
    return new ReturningService(parts, await parts.start())
  }

  /** The present life; a closed one while the next is being started. */
  get life(): L {
    return this.#life
  }

  async execute<Name extends RequestedName>(
    operation: Name,
    body: unknown,
    context: CallContext,
  ): Promise<AnyAnswerOf<Name>> {
    if (this.#closing !== null) throw new DomainError('shutting_down')
    if (this.#lastHealth === null) return this.#life.runtime.execute(operation, body, context)
    if (isWriting(operation, body)) throw new DomainError('storage_read_only')
    throw new DomainError('overloaded', { where: 'storage' })
  }

  async follow(body: unknown, context: CallContext): Promise<OperatorStream> {
    if (this.#closing !== null) throw new DomainError('shutting_down')
    if (this.#lastHealth === null) return this.#life.runtime.follow(body, context)
    throw new DomainError('overloaded', { where: 'storage' })
  }

  health(): AnswerOf<'health'> {
    return this.#lastHealth ?? this.#life.runtime.health()
  }

  readiness(): AnswerOf<'ready'> {
    if (this.#closing !== null) return { ready: false, reasons: ['shutting_down'] }
    return this.#lastHealth === null
      ? this.#life.runtime.readiness()
      : { ready: false, reasons: ['disk_full'] }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#stopLooks()
    await this.#work
    try {
      await this.#life.runtime.close()
    } finally {
      await this.#parts.release()
    }
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    const { space, folder, neededBytes } = this.#parts
    await folder.look()
    if (folder.lost !== null) return
    await space.look()
    if (this.#lastHealth === null) await this.#life.store.manifest.look()
    const isWaiting = this.#lastHealth !== null || this.#life.store.journal.health().isFull
    if (isWaiting && !this.#isGivenUp && this.#closing === null && space.hasRoom(neededBytes))
      await this.#return()
  }

  async #return(): Promise<void> {
    const { start, space, log } = this.#parts
    log.warn({ freeBytes: space.freeBytes() }, 'the disk has room again: the data folder is opened anew')
    this.#lastHealth ??= this.#life.runtime.health()
    // What a life that met a full disk cannot close is let go all the same.
    await this.#life.runtime.close().catch((error: unknown) => {
      log.warn({ error }, 'not everything could be closed')
    })
    try {
      this.#life = await start()
      this.#lastHealth = null
      log.info({}, 'the storage takes writes again')
    } catch (error) {
      this.#isGivenUp = !isDiskFull(error)
      log.error({ error, again: !this.#isGivenUp }, 'the data folder could not be opened anew')
    }
  }
}
