import { systemClock } from '../../adapters/system/clock-and-entropy.ts'
import type { MigrateInvocation } from '../../edges/cli/service-arguments.ts'
import { columns, visible } from '../../edges/cli/terminal-text.ts'
import { STORED_KINDS } from '../../ports/store-reader.ts'
import { readConfig } from '../config/config.ts'
import { type Config, storeUrlOf } from '../config/options.ts'
import { embedderOf } from '../embedder.ts'
import { SourceChanged } from '../migrate/copy-actor.ts'
import {
  type Estimate,
  estimateMove,
  type MoveParts,
  type MoveReport,
  type MoveSource,
  MoveStopped,
  type MoveTarget,
  moveStore,
} from '../migrate/move-store.ts'
import { databaseSource, databaseTarget, folderSource, folderTarget } from '../migrate/places.ts'
import type { Terminal } from './offline.ts'
import { durationText, errorsOnly, Progress, sentenceOf } from './offline-run.ts'

const DATABASE = /^postgres(ql)?:/

/**
 * `memgov migrate`: 0 all of it is there and the same, 1 it was stopped, or the stores differ, 2 it cannot be begun. What is there
 * stays, and a repeat goes on.
 */
export async function migrateCommand(
  invocation: MigrateInvocation,
  { stdout, stderr }: Terminal,
  stopped: Promise<void>,
): Promise<number> {
  const progress = new Progress(stderr, 'migrate')
  const say = (line: string): void => void stdout.write(`${visible(line)}\n`)
  const end = (why: string, code: number): number => {
    progress.end()
    stderr.write(`memgov migrate: ${visible(why)}\n`)
    return code
  }
  try {
    const { storeFile, isDryRun } = invocation
    const { config } = readConfig(storeFile === null ? {} : { storeFile })
    const { from, to } = endsOf(invocation, config)
    const parts = await partsOf(config, say)
    const source = await sourceAt(from, parts, isDryRun, progress)
    try {
      const target = DATABASE.test(to)
        ? await databaseTarget(to, parts)
        : await folderTarget(to, parts, isDryRun)
      try {
        const { facts, lines } = await told(source, target, parts, { isDryRun, progress, stopped })
        progress.end()
        for (const line of invocation.isJson ? [JSON.stringify(facts)] : lines) say(line)
        return 0
      } finally {
        await target.release()
      }
    } finally {
      await source.release()
    }
  } catch (error) {
    if (error instanceof MoveStopped)
      return end('stopped; what is there stays, and the same command goes on', 1)
    if (error instanceof SourceChanged)
      return end(
        `${error.message}. One of both was used since the move began: empty the target, and begin again.`,
        1,
      )
    return end(sentenceOf(error), 2)
  }
}

/** One end may be left out: then it is the database of the configuration. */
function endsOf({ from, to }: MigrateInvocation, config: Config): { from: string; to: string } {
  const url = storeUrlOf(config)
  const ends = { from: from ?? url, to: to ?? url }
  if (ends.from === null || ends.to === null)
    throw new Error(
      'name both ends by --from and --to, a data folder and a database such as postgres://user@host/name; MEMGOV_STORE or --store-file may name the database instead',
    )
  if (DATABASE.test(ends.from) === DATABASE.test(ends.to))
    throw new Error(
      'one end is a data folder and the other a database; memgov backup copies a folder, and the means of PostgreSQL copy a database',
    )
  return { from: ends.from, to: ends.to }
}

async function partsOf(config: Config, say: (line: string) => void): Promise<MoveParts> {
  const clock = systemClock()
  const embedder = await embedderOf(config, { clock })
  const named: Config = embedder === null ? config : { ...config, embeddingsModel: embedder.model }
  return { config: named, clock, log: errorsOnly(say) }
}

function sourceAt(
  from: string,
  parts: MoveParts,
  isDryRun: boolean,
  progress: Progress,
): Promise<MoveSource> {
  return DATABASE.test(from)
    ? databaseSource(from, parts, isDryRun)
    : folderSource(from, parts, (path) => progress.file(path))
}

/** Moves, or only says what a move would bring: for programs and for people. */
async function told(
  source: MoveSource,
  target: MoveTarget,
  parts: MoveParts,
  { isDryRun, progress, stopped }: { isDryRun: boolean; progress: Progress; stopped: Promise<void> },
) {
  const from = source.reader.place
  const to = target.place
  if (isDryRun) {
    const found = await estimateMove(source, target, parts)
    return { facts: { from, to, ...dryFacts(found) }, lines: dryLines(found, from, to) }
  }
  let isStopped = false
  void stopped.then(() => {
    isStopped = true
  })
  const report = await moveStore(source, target, {
    beforeStep() {
      if (isStopped) throw new MoveStopped()
    },
    onStep: ({ phase, done, of }) => progress.part(phase, done, of),
  })
  const { isResumed: resumed, ...counts } = report
  return { facts: { from, to, ...counts, resumed }, lines: linesOf(report, from, to) }
}

function linesOf(report: MoveReport, from: string, to: string): readonly string[] {
  const { actors, skipped, keys, turns, exposures, notes, vectors } = report
  return [
    `moved ${from} to ${to}: ${actors} actors, every state hash the same on both sides`,
    `${turns} turns, ${exposures} exposure sets, ${notes} audit notes, ${vectors} vectors, ${keys} keys`,
    ...(skipped > 0 ? [`${skipped} of the actors were there from before`] : []),
    `${from} is as it was: serve from one of both only`,
  ]
}

function dryFacts({ actors, turns, keys, bytes, isResumed, sampled, ms }: Estimate): object {
  return {
    actors,
    turns,
    keys,
    bytes,
    resumed: isResumed,
    sampled_actors: sampled,
    estimated_ms: Math.round(ms),
  }
}

function dryLines(found: Estimate, from: string, to: string): readonly string[] {
  const { actors, turns, keys, bytes, isResumed, sampled, ms } = found
  return [
    `would move ${from} to ${to}: ${actors} actors, ${turns} turns, ${keys} keys`,
    ...columns(STORED_KINDS.map((kind) => [`  ${kind}`, `${bytes[kind]} bytes`])),
    ...(isResumed ? [`a part of it is in ${to} already: a repeat goes on`] : []),
    `about ${durationText(ms)}, measured on ${sampled} of the actors; nothing was changed`,
  ]
}
