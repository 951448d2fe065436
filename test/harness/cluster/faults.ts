import assert from 'node:assert/strict'
import { setTimeout as elapsed } from 'node:timers/promises'
import { type ClusterNode, LEASE_MS, type Nodes } from './nodes.ts'
import type { QuietScopes } from './quiet-scopes.ts'

/** Connections that are cut behind a commit in one round. */
const CUTS = 6
/** What was sent to a node that is away waits in its socket by then. */
const IN_SOCKET_MS = 300
const LOOK_MS = 10
/** A statement that was held has reached the database by then, and has ended. */
const DELIVERED_MS = 200

/**
 * What befalls the nodes while writers are at work. Resolves when it is over; the node is the owner of a scope. The scopes were
 * written to before.
 */
export type Fault = (nodes: Nodes, owner: ClusterNode, quiet: QuietScopes) => Promise<void>

/** Every way in which a node or its database is lost. */
export const FAULTS = {
  async kill(_nodes, owner) {
    await owner.end('SIGKILL')
    await elapsed(LEASE_MS * 1.5)
    await owner.start()
  },
  /** It wakes up with writes and reads in its sockets, and with a lease that others have seen end. */
  async stop({ all }, owner, quiet) {
    owner.signal('SIGSTOP')
    await elapsed(LEASE_MS * 1.5)
    await quiet.write()
    quiet.ask(all.indexOf(owner))
    await elapsed(IN_SOCKET_MS)
    owner.signal('SIGCONT')
  },
  async database({ database }) {
    await database.stop('crash')
    await elapsed(200)
    await database.run()
  },
  async cut({ all }) {
    for (const { link } of all) link.cutBehindCommits(CUTS)
    await elapsed(400)
    for (const { link } of all) link.cutBehindCommits(0)
  },
  /**
   * Turns reach the database when their node has given them up and has read it again without them. What was decided on top of
   * them may not reach it before.
   */
  async late({ all }, _owner, quiet) {
    const scopes = quiet.places.map(({ scope }) => scope)
    for (const { link } of all) link.holdFirstStatements(scopes)
    await Promise.all([quiet.tryOnce(), quiet.tryOnce()])
    for (const { link } of all) link.holdFirstStatements([])
    await quiet.read()
    const held = all.reduce((sum, { link }) => sum + link.deliver(), 0)
    assert.ok(held > 0, 'turns were held')
    await elapsed(DELIVERED_MS)
  },
  /** A node is given what another had, and does not hear of it; then the other is back, as the one that it belongs to. */
  async unheard({ all }, owner, quiet) {
    const cuts = () => all.reduce((sum, { link }) => sum + link.cuts, 0)
    const cutsBefore = cuts()
    for (const { link } of all) link.cutBehindGrants(true)
    owner.signal('SIGSTOP')
    await elapsed(LEASE_MS * 1.5)
    await quiet.tryOnce()
    owner.signal('SIGCONT')
    await elapsed(IN_SOCKET_MS)
    for (const { link } of all) link.cutBehindGrants(false)
    assert.ok(cuts() > cutsBefore, 'shards were given')
  },
  /**
   * A node stops when it has stored what another one sent it, and has not heard of it. That other one goes on when the lease
   * has ended: it may not ask for it a second time.
   */
  async unanswered({ all }, owner, quiet) {
    owner.link.holdAnswers(quiet.name)
    const tried = quiet.tryOnce(all.findIndex((node) => node !== owner))
    for (let waited = 0; owner.link.heldAnswers === 0 && waited < LEASE_MS; waited += LOOK_MS)
      await elapsed(LOOK_MS)
    assert.ok(owner.link.heldAnswers > 0, 'turns were stored')
    owner.signal('SIGSTOP')
    await elapsed(LEASE_MS * 2)
    await tried
    owner.signal('SIGCONT')
    owner.link.holdAnswers(null)
  },
  async restart(_nodes, owner) {
    await owner.end('SIGTERM')
    await owner.start()
  },
  /** The machine of the database dies; its synchronous standby takes over, and gets a standby of its own. */
  async promote({ database, all }) {
    await database.failOver()
    for (const { link } of all) link.leadTo(database.port)
    await database.addStandby()
  },
} as const satisfies Readonly<Record<string, Fault>>

export type FaultName = keyof typeof FAULTS

export const FAULT_NAMES: readonly FaultName[] = [
  'kill',
  'stop',
  'database',
  'cut',
  'late',
  'unheard',
  'unanswered',
  'restart',
]
/** Of a database with a standby. */
export const REPLICATED_FAULT_NAMES: readonly FaultName[] = ['promote', 'kill', 'promote', 'cut']
