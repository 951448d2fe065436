import { appendOutcome } from './adapters/append.ts'
import { httpEdgeOutcome, measureTraceOutcome, recorderOutcome } from './adapters/edges.ts'
import { rankingOutcome, similarityOutcome } from './adapters/indexes.ts'
import {
  coldScopesOutcome,
  largeOutcome,
  loopOutcome,
  restartOutcome,
  snapshotOutcome,
} from './adapters/lives.ts'
import { recallOutcome, screeningOutcome } from './adapters/quality.ts'
import { type Outcome, parseOutcome } from './result.ts'

/** One question: a program of its own under `dist/bench`, and how what it prints becomes an outcome. */
export interface Question {
  readonly name: string
  readonly measures: string
  /** What the figure is held against, so that it means something on another machine. */
  readonly yardstick: string
  readonly goals: readonly string[]
  /** Arguments besides `--json`. */
  readonly args: readonly string[]
  /** Arguments of a run of some seconds. */
  readonly quickArgs: readonly string[]
  /** Whether it reads a folder of texts that `--data` names. */
  readonly takesData: boolean
  /** From what the program prints with `--json`. */
  readonly outcomeOf: (json: string) => Outcome
}

type Row = Pick<Question, 'name' | 'measures' | 'yardstick'> & Partial<Question>

const QUICK = ['--quick']

function question(row: Row): Question {
  return { goals: [], args: [], quickArgs: QUICK, takesData: false, outcomeOf: parseOutcome, ...row }
}

/** Every question of the suite, in the order in which they are asked. */
export const QUESTIONS: readonly Question[] = [
  question({
    name: 'loop',
    measures: 'a guide and a durable observe over HTTP, one client',
    yardstick: 'an echo of the same size, the bare ranking and one flush of the disk, in the same rounds',
    goals: ['guide at most 1.5 × echo + ranking + flush', 'observe at most 1.6 × echo + flush'],
    outcomeOf: loopOutcome,
  }),
  question({
    name: 'endpoints',
    measures: 'every endpoint in a closed loop at 1, 16 and 128 connections: TCP, Unix socket, embedded',
    yardstick: 'the same endpoint embedded at the same concurrency',
  }),
  question({
    name: 'saturation',
    measures:
      'every endpoint in an open loop, from a part of what it takes up to more than that: TCP, Unix socket, embedded',
    yardstick: 'the rate of a closed loop just before; event loop, collector and processor beside it',
  }),
  question({
    name: 'guide-size',
    measures: 'a guide in one scope of a thousand to a million memories, with a fitted line',
    yardstick: 'the bare ranking, and the error of the line',
  }),
  question({
    name: 'guide-scopes',
    measures: 'a guide with one to 100 000 scopes on the node, asked alike or some far more often',
    yardstick: 'the same scope again and again in the same folder',
  }),
  question({
    name: 'cold-scopes',
    measures: 'a guide on a scope that is not in memory, of 100 000 scopes of which a tenth is',
    yardstick: 'the same scope asked again at once',
    goals: ['p99 on a cold scope at most 25 ms'],
    outcomeOf: coldScopesOutcome,
  }),
  question({
    name: 'durable-observe',
    measures: 'a durable observe embedded and over HTTP at 1, 16 and 128 together',
    yardstick: 'a bare group commit of as many bytes, and a bare echo of the same size, in the same rounds',
  }),
  question({
    name: 'govern',
    measures: 'govern by the number of candidates and the length of their texts, with fitted terms',
    yardstick: 'the bare screening of the same texts, and the error of the fit',
  }),
  question({
    name: 'load',
    measures: 'latency of a mixed load at a constant rate, counted from the intended start, up to saturation',
    yardstick: 'the lowest rate; event loop, memory, collector and processor of the service beside it',
  }),
  question({
    name: 'observe',
    measures:
      'a durable observe over 256 connections, embedded with 4096 in flight, and the tail of a mixed load',
    yardstick:
      'a bare echo; deciding, encoding and indexing alone; the echo under the same load: all in turn',
    goals: [
      'at least 0.4 of the echo over 256 connections',
      'at least 0.5 of deciding, encoding and indexing alone',
      'p99.9 at 70 % of saturation at most 20 × that of the echo',
    ],
  }),
  question({
    name: 'capacity',
    measures: 'processor time and journal bytes of an operation by size of the scope, with fitted lines',
    yardstick: 'the error of the fitted line',
  }),
  question({
    name: 'memory',
    measures: 'bytes in memory and on disk for a memory of 200 characters and for an actor',
    yardstick: 'the process before anything is stored',
  }),
  question({
    name: 'start',
    measures: 'from the start of the process to the first answer on an empty store',
    yardstick: 'an empty Node process and a bare Fastify',
  }),
  question({
    name: 'restart',
    measures: 'from the start of the process to the first guide of a large scope',
    yardstick: 'an empty folder',
    goals: ['first guide of 100 000 memories at most 2 s'],
    outcomeOf: restartOutcome,
  }),
  question({
    name: 'large',
    measures:
      'a million memories in one scope and 100 000 scopes: start to first guide, event loop meanwhile',
    yardstick: 'an idle event loop at the same time',
    goals: [
      'first guide at most 10 s and 5 s',
      'event loop p99 at most 3 ms above an idle one, at most 50 ms',
    ],
    outcomeOf: largeOutcome,
  }),
  question({
    name: 'eviction',
    measures: 'a guide and an observe on an actor that has to be loaded while another one leaves',
    yardstick: 'the same on an actor that stays in memory',
  }),
  question({
    name: 'compaction',
    measures: 'a snapshot from disk by a worker, from nothing and over an older one',
    yardstick: 'the number of turns; how late the serving thread is meanwhile',
  }),
  question({
    name: 'append',
    measures: 'acknowledged records a second at the journal port',
    yardstick: 'a bare group commit of the same records through the same thread',
    goals: ['at least 0.8 of the bare group commit'],
    outcomeOf: appendOutcome,
  }),
  question({
    name: 'http-edge',
    measures: 'a round trip through the HTTP edge without the service behind it',
    yardstick: 'bare node:http that parses and sends the same',
    outcomeOf: httpEdgeOutcome,
  }),
  question({
    name: 'measure-trace',
    measures: 'how long one measurement keeps the serving thread busy',
    yardstick: 'processor time of the thread beside its busy time',
    outcomeOf: measureTraceOutcome,
  }),
  question({
    name: 'ranking',
    measures: 'insert and ranking of the recall index by size, inline and in the pool',
    yardstick: 'inline beside the pool',
    outcomeOf: rankingOutcome,
  }),
  question({
    name: 'similarity',
    measures: 'prints of texts, and the index of near duplicates by size',
    yardstick: 'linear growth with the text',
    outcomeOf: similarityOutcome,
  }),
  question({
    name: 'recall',
    measures: 'how much of the evidence of questions a guide finds, and the index beside other engines',
    yardstick: 'other search engines on the same texts, where they are installed',
    goals: ['see docs/benchmarks.md'],
    quickArgs: ['--only', 'quality', '--quick'],
    takesData: true,
    outcomeOf: recallOutcome,
  }),
  question({
    name: 'recorder',
    measures: 'replay of a guide many turns back',
    yardstick: 'a guide itself',
    goals: ['p99 at most 50 ms'],
    outcomeOf: recorderOutcome,
  }),
  question({
    name: 'screening',
    measures: 'what content screening finds by family of text, and what it costs',
    yardstick: 'linear growth with the text',
    goals: ['10 kB of any text at most 1 ms of processor time'],
    quickArgs: [],
    takesData: true,
    outcomeOf: screeningOutcome,
  }),
  question({
    name: 'snapshot',
    measures: 'write and read of a snapshot, longest block of the main thread',
    yardstick: 'bytes of a row',
    outcomeOf: snapshotOutcome,
  }),
  question({
    name: 'sqlite',
    measures: 'observe, guide and feedback over SQLite as one would build it',
    yardstick: 'the same loop embedded, durable on the same disk',
  }),
  question({
    name: 'mcp-memory',
    measures: 'storing and finding over HTTP beside the memory server of the Model Context Protocol',
    yardstick: 'the same texts and searches, one at a time, where that server is installed',
  }),
]

/** Null for a name that stands for no question. */
export function questionNamed(name: string): Question | null {
  return QUESTIONS.find((each) => each.name === name) ?? null
}

/** What `--list` prints. */
export function listText(): string {
  return QUESTIONS.map(({ name, measures, yardstick, goals }) =>
    [
      name,
      `  measures   ${measures}`,
      `  yardstick  ${yardstick}`,
      `  goals      ${goals.length === 0 ? 'none: a figure to watch' : goals.join('; ')}`,
    ].join('\n'),
  ).join('\n')
}
