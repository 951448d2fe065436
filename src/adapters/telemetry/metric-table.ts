import { FEEDBACK_OUTCOMES } from '../../core/base/closed-sets.ts'
import { ERROR_CODES } from '../../core/base/errors.ts'
import { SURFACE_RULES } from '../../core/policy/admission.ts'
import { FINDING_KINDS } from '../../core/screening/finding.ts'
import { DISPUTE_KINDS } from '../../core/similarity/dispute-rows.ts'
import { SHARD_CHANGES } from '../../ports/cluster.ts'
import { COMPUTE_FAILURES } from '../../ports/compute.ts'
import { HOOK_HOSTS, HOOK_OUTCOMES, OUTCOME_CLASSES, PHASES, type Vitals } from '../../ports/telemetry.ts'

/** One metric. Names and labels are public: a dashboard and an alert hold on to them. */
export interface MetricRow {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** One sentence. */
  readonly help: string
  /** What each label may say, a closed set: never an id, a place or a text. */
  readonly labels: Readonly<Record<string, readonly string[]>>
  /** Upper bounds of a histogram, in the unit of its name. */
  readonly bounds?: readonly number[]
}

/** A dispute that a relation of a request claims, and one between revisions; the other kinds are found in texts. */
export const CLAIMED = 'claimed'

const SURFACE_OF_RULE = SURFACE_RULES.map(({ id, surface }) => ({ rule: id, surface }))
/** From a tenth of a millisecond, which a small turn takes, to what a client waits for. */
const SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]
/** Powers of two up to the most records of one batch. */
const RECORDS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]

/** Lists that belong to the contract. */
export interface Names {
  readonly operations: readonly string[]
  readonly notReadyReasons: readonly string[]
}

/** Every metric of the service, but for those of the process, which prom-client names. */
export function metricTable(names: Names) {
  return {
    ...histograms(names),
    ...COUNTERS,
    notReady: notReadyOf(names),
    ...VITAL_GAUGES,
    ...SHARD_METRICS,
  } as const satisfies Record<string, MetricRow>
}

function histograms({ operations }: Names) {
  return {
    requests: {
      name: 'memgov_request_duration_seconds',
      type: 'histogram',
      help: 'Time from the arrival of a request of an operation to its answer, by how it ended.',
      labels: { operation: operations, outcome: OUTCOME_CLASSES },
      bounds: SECONDS,
    },
    phases: {
      name: 'memgov_phase_duration_seconds',
      type: 'histogram',
      help: 'Time of one phase of a request: queue, load, pool, turn or flush. What a request has not is not counted.',
      labels: { phase: PHASES },
      bounds: SECONDS,
    },
    journalWrites: {
      name: 'memgov_journal_write_duration_seconds',
      type: 'histogram',
      help: 'Time of one write of the journal, its flush included.',
      labels: {},
      bounds: SECONDS,
    },
    journalGroups: {
      name: 'memgov_journal_group_records',
      type: 'histogram',
      help: 'Turns that one write of the journal took along.',
      labels: {},
      bounds: RECORDS,
    },
  } as const satisfies Record<string, MetricRow>
}

const COUNTERS = {
  errors: {
    name: 'memgov_errors_total',
    type: 'counter',
    help: 'Refusals by code, those of an edge included.',
    labels: { code: ERROR_CODES },
  },
  surfaced: {
    name: 'memgov_surfaced_memories_total',
    type: 'counter',
    help: 'Memory with a line in a guide, by the rule that put it on its surface.',
    labels: {
      rule: SURFACE_OF_RULE.map(({ rule }) => rule),
      surface: SURFACE_OF_RULE.map(({ surface }) => surface),
    },
  },
  findings: {
    name: 'memgov_screening_findings_total',
    type: 'counter',
    help: 'Memory that was written with a finding of screening, by finding.',
    labels: { finding: Object.keys(FINDING_KINDS) },
  },
  feedback: {
    name: 'memgov_feedback_total',
    type: 'counter',
    help: 'Outcomes that were reported, by outcome.',
    labels: { outcome: FEEDBACK_OUTCOMES },
  },
  disputes: {
    name: 'memgov_disputes_found_total',
    type: 'counter',
    help: `Pairs of memories that cannot both hold, by what they disagree about; ${CLAIMED}: a relation or a revision says so.`,
    labels: { kind: [...DISPUTE_KINDS, CLAIMED] },
  },
  hooks: {
    name: 'memgov_hooks_total',
    type: 'counter',
    help: 'Hooks of coding agents, by program and by how they were answered; late: with nothing, as it took too long.',
    labels: { host: HOOK_HOSTS, outcome: HOOK_OUTCOMES },
  },
  workerFailures: {
    name: 'memgov_worker_failures_total',
    type: 'counter',
    help: 'Tasks that no worker thread answered, by how they ended.',
    labels: { kind: COMPUTE_FAILURES },
  },
  requestLogDropped: {
    name: 'memgov_request_log_dropped_total',
    type: 'counter',
    help: 'Lines of the request log that were dropped because nobody took them.',
    labels: {},
  },
} as const satisfies Record<string, MetricRow>

function notReadyOf({ notReadyReasons }: Names) {
  return {
    name: 'memgov_not_ready',
    type: 'gauge',
    help: '1 while a write would not be taken for that reason, else 0.',
    labels: { reason: notReadyReasons },
  } as const satisfies MetricRow
}

function gauge(name: string, help: string) {
  return { name, type: 'gauge', help, labels: {} } as const
}

/** A gauge for each number of `Vitals`. */
export const VITAL_GAUGES = {
  residentActors: gauge('memgov_resident_actors', 'Actors in memory.'),
  residentBytes: gauge('memgov_resident_bytes', 'Estimated size of the actors in memory.'),
  knownActors: gauge('memgov_known_actors', 'Actors that have ever written anything on this node.'),
  requestsInside: gauge(
    'memgov_requests_inside',
    'Requests that wait for an actor or are inside one, all actors together.',
  ),
  deepestMailbox: gauge('memgov_mailbox_depth_max', 'The same of the actor with the most of them.'),
  waitingLoads: gauge('memgov_waiting_loads', 'Actors that wait to be read from disk.'),
  leavingActors: gauge('memgov_leaving_actors', 'Actors on their way out of memory.'),
  journalQueuedBytes: gauge('memgov_journal_queued_bytes', 'Bytes that wait for the disk.'),
  journalSegments: gauge('memgov_journal_segments', 'Segments of the journal.'),
  journalWritingS: gauge(
    'memgov_journal_writing_seconds',
    'How long the disk has been busy with the write or flush under way; 0 when none is.',
  ),
  shardsHeld: gauge(
    'memgov_shards_held',
    'Shards of a shared store that this node owns; 0 where it is the only node.',
  ),
  shardsLeaving: gauge(
    'memgov_shards_leaving',
    'Of them those that belong to another node and are to move there.',
  ),
  nodesAlive: gauge(
    'memgov_nodes_alive',
    'Nodes of a shared store that live, as far as this one knows; 0 where it is the only one.',
  ),
  leaseValid: gauge('memgov_lease_valid', '1 while the lease of this node is valid, or it needs none.'),
  storeReachable: gauge('memgov_store_reachable', '1 while the shared store answers, or there is none.'),
  workerThreads: gauge('memgov_worker_threads', 'Worker threads that live.'),
  workerTasks: gauge('memgov_worker_tasks', 'Tasks of requests that run or wait in the worker pool.'),
  upkeepTasks: gauge('memgov_upkeep_tasks', 'Long tasks, such as snapshots, that run or wait.'),
} as const satisfies Record<Exclude<keyof Vitals, 'notReady' | 'hotShards' | 'shardChanges'>, MetricRow>

/** Places among the shards that are asked for most. */
const RANKS = ['1', '2', '3', '4', '5']

/** What is told of shards by rank, and not by their numbers: of these there are a thousand. */
export const SHARD_METRICS = {
  shardChanges: {
    name: 'memgov_shard_changes_total',
    type: 'counter',
    help: 'Shards that this node took, moved to the node that they belong to, gave back idle, or lost.',
    labels: { change: SHARD_CHANGES },
  },
  hotShard: {
    name: 'memgov_hot_shard',
    type: 'gauge',
    help: 'Number of the shard of this node that is asked for most, second most and so on; -1: there is none.',
    labels: { rank: RANKS },
  },
  hotShardRequests: {
    name: 'memgov_hot_shard_requests_per_second',
    type: 'gauge',
    help: 'Requests a second for the shard of that rank, of the last seconds.',
    labels: { rank: RANKS },
  },
} as const satisfies Record<string, MetricRow>

export type MetricTable = ReturnType<typeof metricTable>
