// How long does a snapshot take to write and read, for how long does it hold the main thread at most, how many bytes
// is a row, and how long does a start take to list the snapshots of many actors?
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { actorKeyHashOf } from '../src/adapters/files/actor-folders.ts'
import { nodeFiles } from '../src/adapters/files/node-files.ts'
import { snapshotNameOf } from '../src/adapters/snapshot/file-name.ts'
import { openSnapshotStore } from '../src/adapters/snapshot/store.ts'
import type { StateImage } from '../src/core/model/image.ts'
import type { MemoryRecord } from '../src/core/model/record.ts'
import type { SnapshotStore } from '../src/ports/snapshots.ts'
import { isMain, type Spread, spreadOf, spreadText, tableText } from './measure.ts'

export interface SnapshotResult {
  readonly rows: number
  readonly bytesPerRow: number
  readonly writeMs: Spread
  /** Longest stretch without a turn of the event loop while writing. */
  readonly writeBlockMs: Spread
  readonly readMs: Spread
  readonly readBlockMs: Spread
}

export interface SnapshotBench {
  readonly snapshots: readonly SnapshotResult[]
  readonly start: { readonly actors: number; readonly openMs: Spread }
}

const GRANT = { shard: 0, epoch: 1 }
const KEY = 'default/default'
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** Measures in a folder of its own under the system's temporary folder, and removes it. */
export async function run(
  sizes: readonly number[] = [10_000, 100_000],
  rounds = 5,
  actors = 100_000,
): Promise<SnapshotBench> {
  const snapshots: SnapshotResult[] = []
  for (const rows of sizes) snapshots.push(await inFolder((dir) => measureSize(dir, rows, rounds)))
  const openMs = await inFolder((dir) => measureStart(dir, actors, rounds))
  return { snapshots, start: { actors, openMs } }
}

async function inFolder<T>(task: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'snapshot-bench-'))
  try {
    return await task(dir)
  } finally {
    await rm(dir, { recursive: true })
  }
}

function openStore(dir: string): Promise<SnapshotStore> {
  return openSnapshotStore({ dir, files: nodeFiles, log: SILENT, clock: { nowMs: Date.now } })
}

async function measureSize(dir: string, rows: number, rounds: number): Promise<SnapshotResult> {
  const store = await openStore(dir)
  const memories = Array.from({ length: rows }, (_, slot) => memoryOf(slot))
  const writes: Stretch[] = []
  const reads: Stretch[] = []
  let bytes = 0
  // One round more, not counted, for the compiler to warm up.
  for (let round = 0; round <= rounds; round++) {
    const image = imageOf(round, memories)
    const write = await watched(async () => {
      bytes = (await store.put(GRANT, KEY, image)).bytes
    })
    const read = await watched(async () => {
      const found = await store.get(KEY)
      if (found?.image.sections[0]?.rows.length !== rows) throw new Error('the snapshot did not come back')
    })
    if (round === 0) continue
    writes.push(write)
    reads.push(read)
  }
  return {
    rows,
    bytesPerRow: Math.round(bytes / rows),
    writeMs: spreadOf(writes.map(({ totalMs }) => totalMs)),
    writeBlockMs: spreadOf(writes.map(({ longestBlockMs }) => longestBlockMs)),
    readMs: spreadOf(reads.map(({ totalMs }) => totalMs)),
    readBlockMs: spreadOf(reads.map(({ longestBlockMs }) => longestBlockMs)),
  }
}

/** A start reads names only, so empty files stand in for snapshots here. */
async function measureStart(dir: string, actors: number, rounds: number): Promise<Spread> {
  for (let actor = 0; actor < actors; actor++) {
    const key = `tenant-${actor % 100}/scope-${actor}`
    const hash = actorKeyHashOf(key)
    const folder = join(dir, 'snap', hash.slice(0, 2))
    if (actor < 5000) await mkdir(folder, { recursive: true })
    await writeFile(join(folder, snapshotNameOf(hash, 7, 4096, key)), '')
  }
  const opens: number[] = []
  for (let round = 0; round < rounds; round++) {
    const startMs = performance.now()
    const store = await openStore(dir)
    opens.push(performance.now() - startMs)
    if (store.actorKeys().length !== actors) throw new Error('a start did not find every actor')
  }
  return spreadOf(opens)
}

interface Stretch {
  readonly totalMs: number
  readonly longestBlockMs: number
}

async function watched(task: () => Promise<void>): Promise<Stretch> {
  const startMs = performance.now()
  let lastTurnMs = startMs
  let longestBlockMs = 0
  let ended = false
  const turn = (): void => {
    const nowMs = performance.now()
    longestBlockMs = Math.max(longestBlockMs, nowMs - lastTurnMs)
    lastTurnMs = nowMs
    if (!ended) setImmediate(turn)
  }
  setImmediate(turn)
  await task()
  ended = true
  turn()
  return { totalMs: performance.now() - startMs, longestBlockMs }
}

function imageOf(seq: number, memories: readonly MemoryRecord[]): StateImage {
  const sections = [{ name: 'memories', rows: memories }]
  return { schema: 1, tenantId: 'default', scope: 'default', seq, stateHash: 'none', sections }
}

const TEXT = 'The release needs a green run of the integration tests before the tag is pushed. '

function memoryOf(slot: number): MemoryRecord {
  return {
    memoryId: `0199a1b2-c3d4-7e5f-8a6b-${slot.toString(16).padStart(12, '0')}`,
    slot,
    ordinal: slot,
    clientId: null,
    domain: 'execution',
    memoryType: 'procedure',
    kind: 'procedure',
    audience: {
      lane: slot % 3 === 0 ? 'private' : 'shared',
      ownerAgentId: `agent-${slot % 7}`,
      ownerTeamId: null,
    },
    producerAgentId: `agent-${slot % 7}`,
    producerTeamId: null,
    actorName: null,
    origin: 'agent',
    derivedFrom: [],
    source: 'observe',
    runId: `run-${slot}`,
    taskId: null,
    taskFamily: 'release',
    taskSignature: `release:${slot % 50}`,
    workflowSignature: null,
    content: {
      title: `Release step ${slot}`,
      titleIsCallers: false,
      text: `${TEXT.repeat(2)}${slot}`,
      summary: null,
      outcome: 'succeeded',
      outcomeRaw: null,
      confidence: 0.8,
      targetFiles: ['src/release.ts', `src/step-${slot % 20}.ts`],
      acceptanceChecks: ['npm test'],
      workflowSteps: [],
      tools: ['git'],
      verifier: [],
      evidenceRefs: [],
      rawRef: null,
      nextAction: null,
      payload: null,
      fullTextChars: null,
    },
    claim: null,
    handoff: null,
    facets: {
      trust: 'trusted',
      standing: 'active',
      validity: 'live',
      validUntilMs: null,
      availability: 'resident',
      suppression: null,
    },
    findings: [],
    counters: {
      positive: slot % 4,
      negativeWeak: 0,
      negativeStrong: 0,
      neutral: 0,
      observedPositive: 0,
    },
    marks: [],
    assertions: [],
    changes: [],
    revision: 1,
    revisions: [],
    createdAtMs: 1_790_000_000_000 + slot,
    observedAtMs: 1_790_000_000_000 + slot,
    updatedAtMs: 1_790_000_000_000 + slot,
    seq: slot + 1,
  }
}

function textOf({ snapshots, start }: SnapshotBench): string {
  const ms = (spread: Spread) => spreadText(spread, 1)
  return [
    'snapshot: ms, median of the rounds [spread]',
    tableText([
      ['rows', 'bytes each', 'write', 'longest block', 'read', 'longest block'],
      ...snapshots.map((row) => [
        String(row.rows),
        String(row.bytesPerRow),
        ...[row.writeMs, row.writeBlockMs, row.readMs, row.readBlockMs].map(ms),
      ]),
    ]),
    `a start lists the snapshots of ${start.actors} actors in ${ms(start.openMs)}`,
  ].join('\n')
}

if (isMain(import.meta.url)) {
  const result = await (process.argv.includes('--quick') ? run([2_000, 10_000], 2, 2_000) : run())
  console.log(process.argv.includes('--json') ? JSON.stringify(result) : textOf(result))
}
