import { randomUUID } from 'node:crypto'
import { messageOf } from '../../core/base/errors.ts'
import { Seldom } from '../../core/base/seldom.ts'
import { repeatedly } from '../files/concurrency.ts'
import { StoreFailure } from '../files/store-parts.ts'
import { type Database, type Row, readFailure, sqlStateOf } from './database.ts'
import type { SharedSettings } from './settings.ts'
import type { PostgresStoreOptions } from './tables.ts'

// While it stood still a node with other settings may have come, and nodes may not answer differently: none changes them meanwhile.
const REGISTER = `with gone as (delete from memgov.node where expires < clock_timestamp() - interval '1 hour'),
    same as materialized (
      select from memgov.store
       where settings is null or settings || $6::jsonb = $6::jsonb || settings for share)
    insert into memgov.node (id, url, version, expires, reads)
    select $1, $2, $3, clock_timestamp() + $4 * interval '1 millisecond', $5 from same`
// Only while it is valid: others may have taken what a lapsed one had.
const RENEW = `with me as (
      update memgov.node set expires = clock_timestamp() + $2 * interval '1 millisecond'
       where id = $1 and expires > clock_timestamp() returning id)
    select n.id, n.url, (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms,
        (select max(version) from memgov.migration) as read_by_all
      from memgov.node n where (n.id = $1 or n.expires > clock_timestamp()) and exists (select from me)
     order by n.id = $1, n.expires`
const LEAVE = 'delete from memgov.node where id = $1'

/** How often in its time a lease is renewed. */
const RENEWALS = 3
/** The step that the build knows is older than what every node has to know. */
const CHECK_VIOLATION = '23514'
/** This part of it is left over: reads end before anybody else may begin. */
const MARGIN_SHARE = 10

export interface LeaseOptions
  extends Pick<PostgresStoreOptions, 'log' | 'schedule' | 'monotonicMs' | 'leaseMs' | 'version'> {
  readonly database: Pick<Database, 'lease'>
  /** Where other nodes and clients reach this one; empty: nowhere. */
  readonly url: string
  /** The newest step of the store that this build knows. */
  readonly reads: number
  /** Settings that nodes answer by, and have to have the same. */
  readonly shared: SharedSettings
  /** The lease is over: everything that was held by it is given up. */
  readonly onLapsed: () => void
}

/**
 * The one row by which a node lives. It is renewed only while it is valid; a node that was late gives up everything and comes
 * back as another one. What it believes of itself ends earlier than what others believe of it.
 */
export class Lease {
  readonly #options: LeaseOptions
  readonly #told = new Seldom()
  #nodeId = randomUUID()
  #isRegistered = false
  #validUntilMs = Number.NEGATIVE_INFINITY
  #renewing: Promise<void> | null = null
  #stopRenewals: (() => void) | null = null
  #isClosed = false
  #lookedAtMs = Number.NEGATIVE_INFINITY
  #peers: ReadonlyMap<string, string> = new Map()
  #readByAll = 0
  /** The clock of the database ahead of the one that nobody sets. */
  #storeAheadMs = Date.now() - performance.now()

  constructor(options: LeaseOptions) {
    this.#options = options
  }

  get nodeId(): string {
    return this.#nodeId
  }

  /** False: what is held may belong to somebody else by now. */
  get isValid(): boolean {
    return this.#isRegistered && this.#options.monotonicMs() < this.#validUntilMs
  }

  /** Nodes that live, as of the last renewal: where they are reached, by id. */
  get peers(): ReadonlyMap<string, string> {
    return this.#peers
  }

  /** The step of the store that every node knows, as of the last renewal: what is newer is not written yet. */
  get readByAll(): number {
    return this.#readByAll
  }

  storeNowMs(): number {
    return this.#options.monotonicMs() + this.#storeAheadMs
  }

  /** Resolves when the lease is valid. Rejects as `unavailable`. */
  async valid(): Promise<void> {
    if (!this.isValid) await this.renew()
    if (!this.isValid) throw new StoreFailure('unavailable', 'the lease of this node cannot be renewed')
  }

  /** Renews now, joining a renewal that is under way. Rejects when the database does not answer. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renewed().finally(() => {
      this.#renewing = null
    })
    return this.#renewing
  }

  /** Resolves when the list of nodes is no older than this, or when the store does not answer. */
  async look(ageMaxMs: number): Promise<void> {
    if (this.#options.monotonicMs() - this.#lookedAtMs > ageMaxMs) await this.renew().catch(() => undefined)
  }

  keep(): void {
    const { schedule, leaseMs } = this.#options
    this.#stopRenewals = repeatedly(schedule, leaseMs / RENEWALS, () =>
      this.renew().then(
        () => this.#told.end(),
        (error: unknown) => this.#tell(messageOf(error)),
      ),
    )
  }

  #tell(cause: string): void {
    const more = this.#told.fields(cause, this.#options.monotonicMs())
    if (more !== null) this.#options.log.warn({ cause, ...more }, 'the lease could not be renewed')
  }

  /** The row goes, so that nobody has to wait for its end. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopRenewals?.()
    await this.#renewing?.catch(() => undefined)
    if (!this.#isRegistered) return
    this.#isRegistered = false
    await this.#options.database.lease(LEAVE, [this.#nodeId]).catch((error: unknown) => {
      this.#options.log.warn({ cause: messageOf(error) }, 'the node could not be taken off the store')
    })
  }

  async #renewed(): Promise<void> {
    try {
      if (this.#isRegistered && (await this.#prolonged())) return
      await this.#register()
      await this.#prolonged()
    } catch (error) {
      throw readFailure(error)
    }
  }

  async #prolonged(): Promise<boolean> {
    const { database, monotonicMs, leaseMs } = this.#options
    const sentMs = monotonicMs()
    const { rows } = await database.lease(RENEW, [this.#nodeId, leaseMs])
    if (rows.length === 0) {
      this.#lapse()
      return false
    }
    this.#validUntilMs = sentMs + leaseMs - leaseMs / MARGIN_SHARE
    this.#peers = peersIn(rows)
    this.#lookedAtMs = sentMs
    this.#storeAheadMs = Number(rows[0]?.['now_ms']) - monotonicMs()
    this.#readByAll = Number(rows[0]?.['read_by_all'])
    return true
  }

  async #register(): Promise<void> {
    const { database, url, version, reads, shared, leaseMs, monotonicMs } = this.#options
    if (this.#isClosed) throw new StoreFailure('closed', 'the store is closed')
    const nodeId = randomUUID()
    const sentMs = monotonicMs()
    const values = [nodeId, url, version, leaseMs, reads, JSON.stringify(shared)]
    const { rowCount } = await database.lease(REGISTER, values).catch((error: unknown) => {
      if (sqlStateOf(error) !== CHECK_VIOLATION) throw error
      throw new StoreFailure(
        'unavailable',
        `the store was upgraded, and this build (${version}) reads it no longer: start this node with a newer version of memgov`,
      )
    })
    if (rowCount === 0)
      throw new StoreFailure(
        'unavailable',
        'other nodes would answer differently by now: start this one again, which says by which setting',
      )
    this.#nodeId = nodeId
    this.#isRegistered = true
    this.#validUntilMs = sentMs + leaseMs - leaseMs / MARGIN_SHARE
    this.#options.log.info({ node: nodeId }, 'the node has a lease')
  }

  #lapse(): void {
    if (!this.#isRegistered) return
    this.#isRegistered = false
    this.#validUntilMs = Number.NEGATIVE_INFINITY
    this.#options.log.error(
      { node: this.#nodeId },
      'the lease has lapsed: everything is given up and taken anew',
    )
    this.#options.onLapsed()
  }
}

/** Of those with one address only the one whose lease ends last: the others ended without a word, and it stands in their place. */
function peersIn(rows: readonly Row[]): ReadonlyMap<string, string> {
  const peers = new Map<string, string>()
  const idAt = new Map<string, string>()
  for (const { id, url } of rows) {
    const before = idAt.get(String(url))
    if (before !== undefined) peers.delete(before)
    peers.set(String(id), String(url))
    if (url !== '') idAt.set(String(url), String(id))
  }
  return peers
}
