import { FEEDBACK_OUTCOMES } from '../../core/base/closed-sets.ts'
import { ERROR_CODES } from '../../core/base/errors.ts'
import { SURFACE_RULES } from '../../core/policy/admission.ts'
import { FINDING_KINDS } from '../../core/screening/finding.ts'
import { DISPUTE_KINDS } from '../../core/similarity/dispute-row.ts'
import { SHARD_CHANGES } from '../../ports/cluster.ts'
import { COMPUTE_FAILURES } from '../../ports/compute.ts'
import { HOOK_HOSTS, HOOK_OUTCOMES, OUTCOME_CLASSES, PHASES, type Vitals } from '../../ports/telemetry.ts'

/** One metric. Names and labels are public: a dashboard and an alert hold on to them. */
export interface MetricRow {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  /** What each label may say, a closed set: never an id, a place or a text. */
  readonly labels: Readonly<Record<string, readonly string[]>>
  /** Upper bounds of a histogram, in the unit of its name. */
  readonly bounds?: readonly number[]
}

/** A dispute that a relation of a request claims, and one between revisions; the other kinds are found in texts. */
export const CLAIMED = 'claimed'

/** A rule has one surface: the two labels go together. */
export const SURFACE_OF_RULE = SURFACE_RULES.map(({ id, surface }) => ({ rule: id, surface }))
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

type Labels = MetricRow['labels']

function histogram<const Words extends Labels>(
  name: string,
  help: string,
  labels: Words,
  bounds: readonly number[] = SECONDS,
) {
  return { name, type: 'histogram', help, labels, bounds } as const
}

function counter<const Words extends Labels>(name: string, help: string, labels: Words) {
  return { name, type: 'counter', help, labels } as const
}

function gauge<const Words extends Labels>(name: string, help: string, labels: Words) {
  return { name, type: 'gauge', help, labels } as const
}

function vital(name: string, help: string) {
  return gauge(name, help, {})
}

/** Every metric of the service, but for those of the process, which prom-client names. */
export function metricTable({ operations, notReadyReasons }: Names) {
  return {
    requests: histogram(
      'memgov_request_duration_seconds',
      'Time from the arrival of a request of an operation to its answer, by how it ended.',
      { operation: operations, outcome: OUTCOME_CLASSES },
    ),
    phases: histogram(
      'memgov_phase_duration_seconds',
      'Time of one phase of a request: queue, load, pool, turn or flush. What a request has not is not counted.',
      { phase: PHASES },
    ),
    journalWrites: histogram(
      'memgov_journal_write_duration_seconds',
      'Time of one write of the journal, its flush included.',
      {},
    ),
    journalGroups: histogram(
      'memgov_journal_group_records',
      'Turns that one write of the journal took along.',
      {},
      RECORDS,
    ),
    ...COUNTERS,
    notReady: gauge('memgov_not_ready', '1 while a write would not be taken for that reason, else 0.', {
      reason: notReadyReasons,
    }),
    ...VITAL_GAUGES,
    ...SHARD_METRICS,
  } as const satisfies Record<string, MetricRow>
}

const COUNTERS = {
  errors: counter('memgov_errors_total', 'Refusals by code, those of an edge included.', {
    code: ERROR_CODES,
  }),
  surfaced: counter(
    'memgov_surfaced_memories_total',
    'Memory with a line in a guide, by the rule that put it on its surface.',
    {
      rule: SURFACE_OF_RULE.map(({ rule }) => rule),
      surface: SURFACE_OF_RULE.map(({ surface }) => surface),
    },
  ),
  findings: counter(
    'memgov_screening_findings_total',
    'Memory that was written with a finding of screening, by finding.',
    { finding: Object.keys(FINDING_KINDS) },
  ),
  feedback: counter('memgov_feedback_total', 'Outcomes that were reported, by outcome.', {
    outcome: FEEDBACK_OUTCOMES,
  }),
  disputes: counter(
    'memgov_disputes_found_total',
    `Pairs of memories that cannot both hold, by what they disagree about; ${CLAIMED}: a relation or a revision says so.`,
    { kind: [...DISPUTE_KINDS, CLAIMED] },
  ),
  hooks: counter(
    'memgov_hooks_total',
    'Hooks of coding agents, by program and by how they were answered; late: with nothing, as it took too long.',
    { host: HOOK_HOSTS, outcome: HOOK_OUTCOMES },
  ),
  workerFailures: counter(
    'memgov_worker_failures_total',
    'Tasks that no worker thread answered, by how they ended.',
    { kind: COMPUTE_FAILURES },
  ),
  requestLogDropped: counter(
    'memgov_request_log_dropped_total',
    'Lines of the request log that were dropped because nobody took them.',
    {},
  ),
}

/** A gauge for each number of `Vitals`. */
export const VITAL_GAUGES = {
  residentActors: vital('memgov_resident_actors', 'Actors in memory.'),
  residentBytes: vital('memgov_resident_bytes', 'Estimated size of the actors in memory.'),
  knownActors: vital('memgov_known_actors', 'Actors that have ever written anything on this node.'),
  requestsInside: vital(
    'memgov_requests_inside',
    'Requests that wait for an actor or are inside one, all actors together.',
  ),
  deepestMailbox: vital('memgov_mailbox_depth_max', 'The same of the actor with the most of them.'),
  waitingLoads: vital('memgov_waiting_loads', 'Actors that wait to be read from disk.'),
  leavingActors: vital('memgov_leaving_actors', 'Actors on their way out of memory.'),
  journalQueuedBytes: vital('memgov_journal_queued_bytes', 'Bytes that wait for the disk.'),
  journalSegments: vital('memgov_journal_segments', 'Segments of the journal.'),
  journalWritingS: vital(
    'memgov_journal_writing_seconds',
    'How long the disk has been busy with the write or flush under way; 0 when none is.',
  ),
  shardsHeld: vital(
    'memgov_shards_held',
    'Shards of a shared store that this node owns; 0 where it is the only node.',
  ),
  shardsLeaving: vital(
    'memgov_shards_leaving',
    'Of them those that belong to another node and are to move there.',
  ),
  nodesAlive: vital(
    'memgov_nodes_alive',
    'Nodes of a shared store that live, as far as this one knows; 0 where it is the only one.',
  ),
  leaseValid: vital('memgov_lease_valid', '1 while the lease of this node is valid, or it needs none.'),
  storeReachable: vital('memgov_store_reachable', '1 while the shared store answers, or there is none.'),
  workerThreads: vital('memgov_worker_threads', 'Worker threads that live.'),
  workerTasks: vital('memgov_worker_tasks', 'Tasks of requests that run or wait in the worker pool.'),
  upkeepTasks: vital('memgov_upkeep_tasks', 'Long tasks, such as snapshots, that run or wait.'),
} as const satisfies Record<Exclude<keyof Vitals, 'notReady' | 'hotShards' | 'shardChanges'>, MetricRow>

/** Places among the shards that are asked for most. */
const RANKS = ['1', '2', '3', '4', '5']

/** What is told of shards by rank, and not by their numbers: of these there are a thousand. */
const SHARD_METRICS = {
  shardChanges: counter(
    'memgov_shard_changes_total',
    'Shards that this node took, moved to the node that they belong to, gave back idle, or lost.',
    { change: SHARD_CHANGES },
  ),
  hotShard: gauge(
    'memgov_hot_shard',
    'Number of the shard of this node that is asked for most, second most and so on; -1: there is none.',
    { rank: RANKS },
  ),
  hotShardRequests: gauge(
    'memgov_hot_shard_requests_per_second',
    'Requests a second for the shard of that rank, of the last seconds.',
    { rank: RANKS },
  ),
}

export type MetricTable = ReturnType<typeof metricTable>
