import { setTimeout as elapsed } from 'node:timers/promises'
import { type ClusterNode, LEASE_MS, type Nodes } from './nodes.ts'

/** Connections that are cut behind a commit in one round. */
const CUTS = 6

/**
 * What befalls the nodes while writers are at work. Resolves when it is over; the node is the owner of a scope. `away` is done
 * when another node has what belonged to one that is about to wake up.
 */
export type Fault = (nodes: Nodes, owner: ClusterNode, away: () => Promise<void>) => Promise<void>

/** Every way in which a node or its database is lost. */
export const FAULTS = {
  async kill(_nodes, owner) {
    await owner.end('SIGKILL')
    await elapsed(LEASE_MS * 1.5)
    await owner.start()
  },
  /** It wakes up with writes and reads in its sockets, and with a lease that others have seen end. */
  async stop(_nodes, owner, away) {
    owner.signal('SIGSTOP')
    await elapsed(LEASE_MS * 1.5)
    await away()
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

export const FAULT_NAMES: readonly FaultName[] = ['kill', 'stop', 'database', 'cut', 'restart']
/** Of a database with a standby. */
export const REPLICATED_FAULT_NAMES: readonly FaultName[] = ['promote', 'kill', 'promote', 'cut']
