import process from 'node:process'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { types } from 'node:util'
import type { z } from 'zod'
import { isDiskFull } from '../adapters/files/folder-watch.ts'
import { DamagedFileError, NewerFileError, WrongKindError } from '../adapters/files/whole-file.ts'
import { HistoryGapError } from '../adapters/history/archive.ts'
import { JournalCorruptError, JournalGapError } from '../adapters/journal/format.ts'
import { systemClock, systemEntropy } from '../adapters/system/clock-and-entropy.ts'
import { isLog, logTo, pinoLog } from '../adapters/system/log.ts'
import type { GuidePromptResponse } from '../contract/guide.ts'
import { type AnswerOf, type AnyAnswerOf, OPERATIONS, type RequestedName } from '../contract/operations.ts'
import { NESTING_MAX } from '../contract/parse.ts'
import type { Frozen } from '../contract/vocabulary.ts'
import {
  DomainError,
  invalidRequest,
  MemgovError,
  messageOf,
  type RequestIssue,
  StartError,
  type StartErrorCode,
} from '../core/base/errors.ts'
import type { Log } from '../ports/system.ts'
import { type Composed, compose } from './compose.ts'
import { ConfigError, readOptions } from './config/config.ts'
import type { Config, SERVER_OPTIONS } from './config/options.ts'
import { closeBeforeExit, Hold } from './host-process.ts'
import { StoreIncompleteError } from './store/completeness.ts'

/** A body as a caller inside the process writes it: a time may be a Date, every optional field may be left out. */
export type DatedBody<Schema extends z.ZodType> = Dated<Frozen<z.input<Schema>>, z.output<Schema>>

/** Where text goes in and a number comes out there is a time; where what comes out has other members, there is none. */
type Dated<In, Out> = In extends string
  ? [NonNullable<Out>] extends [never]
    ? In
    : NonNullable<Out> extends number
      ? In | Date
      : In
  : In extends readonly (infer Item)[]
    ? readonly Dated<Item, ItemOf<Out>>[]
    : In extends object
      ? {
          [Key in keyof In]: Dated<
            In[Key],
            Key extends keyof NonNullable<Out> ? NonNullable<Out>[Key] : never
          >
        }
      : In

type ItemOf<List> = NonNullable<List> extends readonly (infer Item)[] ? Item : never

const ISSUES_MAX = 20

/**
 * The body as JSON would carry it: dates become ISO 8601 text, and what JSON cannot carry is refused, because it would be
 * lost without a word. The body itself is left as it was, and returned when it holds no date.
 * @throws DomainError `invalid_request` that names each path
 */
export function plainBody(body: unknown): unknown {
  const issues: RequestIssue[] = []
  const plain = plainOf(body, '', [], issues)
  if (issues.length > 0) throw invalidRequest(issues)
  return plain
}

/** @param around the objects that hold the value: one of them inside itself is a cycle */
function plainOf(value: unknown, path: string, around: object[], issues: RequestIssue[]): unknown {
  if (typeof value !== 'object' || value === null) {
    const fault = primitiveFault(value)
    if (fault !== null) refuse(issues, path, fault)
    return value
  }
  if (types.isDate(value)) {
    if (!Number.isNaN(value.getTime())) return value.toISOString()
    refuse(issues, path, 'Send a date that exists.')
    return value
  }
  if (around.includes(value)) {
    refuse(issues, path, 'Send a value that does not hold itself: JSON has no cycles.')
    return value
  }
  // What is deeper is refused as such by whoever reads the body.
  if (around.length > NESTING_MAX || issues.length >= ISSUES_MAX) return value
  const made = Array.isArray(value) ? null : classOf(value)
  if (made !== null) {
    refuse(issues, path, `Send plain JSON instead of a ${made}: only its values would arrive, or nothing.`)
    return value
  }
  around.push(value)
  const plain = Array.isArray(value)
    ? plainList(value, path, around, issues)
    : plainObject(value, path, around, issues)
  around.pop()
  return plain
}

function plainList(
  list: readonly unknown[],
  path: string,
  around: object[],
  issues: RequestIssue[],
): readonly unknown[] {
  let copy: unknown[] | null = null
  for (const [at, item] of list.entries()) {
    const plain = plainOf(item, `${path}.${at}`, around, issues)
    if (plain === item) continue
    copy ??= [...list]
    copy[at] = plain
  }
  return copy ?? list
}

function plainObject(object: object, path: string, around: object[], issues: RequestIssue[]): object {
  let changed: Map<string, unknown> | null = null
  for (const [key, member] of Object.entries(object)) {
    const plain = plainOf(member, path === '' ? key : `${path}.${key}`, around, issues)
    if (plain === member) continue
    changed ??= new Map()
    changed.set(key, plain)
  }
  if (changed === null) return object
  const entries = Object.entries(object).map(([key, member]) => [key, changed.get(key) ?? member] as const)
  return Object.fromEntries(entries)
}

/** A copy of an answer, which is JSON. `structuredClone` takes seven times as long, a third of a guide. */
function copyOf<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyOf) as T
  const copy: { [key: string]: unknown } = {}
  for (const [key, member] of Object.entries(value)) {
    const copied: unknown = copyOf(member)
    // Not by assignment, so that it stays data.
    if (key === '__proto__')
      Object.defineProperty(copy, key, {
        value: copied,
        writable: true,
        enumerable: true,
        configurable: true,
      })
    else copy[key] = copied
  }
  return copy as T
}

function refuse(issues: RequestIssue[], path: string, sentence: string): void {
  if (issues.length < ISSUES_MAX) {
    issues.push({ path, message: path === '' ? sentence : `${path}: ${sentence}` })
  }
}

/** Undefined is fine: it is how a field is left out. */
function primitiveFault(value: unknown): string | null {
  switch (typeof value) {
    case 'bigint':
      return 'Send a number or text instead of a bigint.'
    case 'function':
      return 'Send a value instead of a function.'
    case 'symbol':
      return 'Send text instead of a symbol.'
    case 'number':
      return Number.isFinite(value) ? null : `Send a number that JSON has, not ${value}.`
    default:
      return null
  }
}

/** The name of the class of an object that is more than its fields; null of a plain one, also of another realm. */
function classOf(value: object): string | null {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (typeof prototype !== 'object' || prototype === null || Object.getPrototypeOf(prototype) === null) {
    return null
  }
  const { constructor } = value
  return typeof constructor === 'function' && constructor.name !== '' ? constructor.name : 'class instance'
}

/** Where a runtime tells what an operator should know. A logger of pino is one, and `console`. */
export type MemgovLogger = Log

/**
 * The options of `memgov serve` as far as they do not concern the network, by their camelCase names. What is left out
 * has its default: nothing is read from the environment.
 */
export type RuntimeOptions = {
  readonly [Name in Exclude<keyof Config, (typeof SERVER_OPTIONS)[number]>]?: Frozen<Config[Name]> | undefined
} & {
  /** Takes what would go to standard error. Without `logLevel` it is given everything. */
  readonly logger?: MemgovLogger | undefined
}

/** Operations whose body may be left out. */
export const OPTIONAL_BODIES = ['listSkills', 'operatorSnapshot', 'listActors'] as const

/** Every operation that has a body and one answer. */
const REQUESTED = Object.values(OPERATIONS).flatMap((row) =>
  row.request === null || row.name === 'followEvents' ? [] : [row.name],
)

/** A body as a caller writes it: times are dates or ISO 8601 text, every optional field may be left out. */
export type BodyOf<Name extends RequestedName> = DatedBody<(typeof OPERATIONS)[Name]['request']>

/** With a view the answer is that view. */
interface GuideMethod {
  (body: BodyOf<'guide'> & { readonly view?: null | undefined }): Promise<AnswerOf<'guide'>>
  (body: BodyOf<'guide'> & { readonly view: 'prompt' }): Promise<GuidePromptResponse>
  (body: BodyOf<'guide'>): Promise<AnswerOf<'guide'> | GuidePromptResponse>
}

type Operations = { readonly guide: GuideMethod } & {
  readonly [Name in Exclude<RequestedName, 'guide'>]: Name extends (typeof OPTIONAL_BODIES)[number]
    ? (body?: BodyOf<Name>) => Promise<AnswerOf<Name>>
    : (body: BodyOf<Name>) => Promise<AnswerOf<Name>>
}

/**
 * The service inside this process: the same request and response objects as over HTTP. What is thrown is a
 * `MemgovError`; of a refused request nothing was written. The types that the package brings along are generated, with
 * the sentences of the contract.
 */
export interface MemgovRuntime extends Operations {
  health(): AnswerOf<'health'>
  metrics(): Promise<string>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts the service inside this process, over a data folder that no other process uses.
 * Rejects with a `MemgovError` whose `code` is one of START_ERRORS.
 */
export async function createRuntime(options: RuntimeOptions = {}): Promise<MemgovRuntime> {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new ConfigError(["Give the options as one object, such as { dataDir: './memory' }."])
  const { logger, ...given } = options
  if (logger !== undefined && !isLog(logger))
    throw new ConfigError(['logger: give an object with the methods debug, info, warn and error.'])
  const { config, warnings } = readOptions(given)
  const log =
    logger === undefined
      ? // Quiet while all is well: whoever embeds it did not ask for a line.
        pinoLog(options.logLevel ?? 'warn', process.stderr)
      : logTo(logger, options.logLevel ?? 'debug')
  for (const warning of warnings) log.warn({}, warning)
  const hold = new Hold()
  try {
    const system = { clock: systemClock(), entropy: systemEntropy(), log }
    return runtimeOver(await hold.during(() => compose(config, system)), hold, log)
  } catch (error) {
    hold.end()
    throw startErrorOf(error, config.dataDir)
  }
}

/** What is in memory is answered without a turn of the event loop: a caller who asks on and on would keep it from all others. */
const WITHOUT_TURN_MAX = 16

function runtimeOver(composed: Composed, hold: Hold, log: Log): MemgovRuntime {
  const { runtime, metrics } = composed
  let withoutTurn = 0
  let turn: Promise<void> | null = null
  const breath = async (): Promise<void> => {
    withoutTurn += 1
    if (withoutTurn < WITHOUT_TURN_MAX) return
    // One for all: each that came alone would answer as many again.
    turn ??= turnOfTheLoop().then(() => {
      withoutTurn = 0
      turn = null
    })
    await turn
  }
  const executed = <Name extends RequestedName>(operation: Name, body: object): Promise<AnyAnswerOf<Name>> =>
    hold.during(async () => {
      try {
        // An answer shares parts with the state, some of them with every actor: the caller may change its own copy.
        return copyOf(await runtime.execute(operation, plainBody(body), NO_CONTEXT))
      } catch (error) {
        throw refusalOf(error, operation, log)
      } finally {
        await breath()
      }
    })
  let closing: Promise<void> | null = null
  const close = (): Promise<void> => {
    closing ??= hold
      .during(() => composed.close())
      .finally(() => {
        stayOpen()
        hold.end()
      })
    return closing
  }
  const stayOpen = closeBeforeExit(() => {
    close().catch((error: unknown) => log.error({ err: error }, 'the runtime could not be closed'))
  })
  const methods: readonly (readonly unknown[])[] = REQUESTED.map((name) => [
    name,
    OPTIONAL_BODIES.some((optional) => optional === name)
      ? (body: object = {}) => executed(name, body)
      : (body: object) => executed(name, body),
  ])
  const operations: Operations = Object.fromEntries(methods)
  return {
    ...operations,
    health: () => copyOf(runtime.health()),
    async metrics() {
      if (metrics !== null) return metrics.text()
      throw new StartError(
        'invalid_option',
        'Nothing is counted: give createRuntime the option metrics: true.',
      )
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** What is no refusal is a fault of ours, which the log holds as well. */
function refusalOf(error: unknown, operation: RequestedName, log: Log): DomainError {
  if (error instanceof DomainError) return error
  log.error({ err: error, operation }, 'a request failed')
  return new DomainError('internal_error', {}, undefined, error)
}

const NO_CONTEXT = { requestId: 'embedded', operationId: null }

type ErrorClass = abstract new (...args: never[]) => Error

const CODES: readonly (readonly [StartErrorCode, readonly ErrorClass[]])[] = [
  ['store_newer', [NewerFileError]],
  ['file_unusable', [WrongKindError]],
  [
    'store_damaged',
    [JournalCorruptError, JournalGapError, HistoryGapError, DamagedFileError, StoreIncompleteError],
  ],
]

/** Whatever kept a runtime from starting, with a code; `dataDir` is the folder it was to use. */
function startErrorOf(error: unknown, dataDir: string): MemgovError {
  if (error instanceof MemgovError) return error
  const details = { data_dir: dataDir }
  const what = messageOf(error)
  for (const [code, classes] of CODES) {
    if (classes.some((each) => error instanceof each)) return new StartError(code, what, details, error)
  }
  if (isDiskFull(error)) {
    return new StartError('disk_full', `the volume of ${dataDir} is full: ${what}`, details, error)
  }
  // What the system refuses has the name of the call.
  if (error instanceof Error && 'syscall' in error) {
    return new StartError('file_unusable', `memgov cannot use ${dataDir}: ${what}`, details, error)
  }
  return new StartError('start_failed', `memgov cannot start: ${what}`, details, error)
}
