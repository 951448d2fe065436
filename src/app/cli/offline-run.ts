import { basename } from 'node:path'
import { nodeFiles } from '../../adapters/files/node-files.ts'
import { keepsChain } from '../../adapters/journal/survey.ts'
import { systemClock } from '../../adapters/system/clock-and-entropy.ts'
import type { LogTarget } from '../../adapters/system/log.ts'
import { messageOf } from '../../core/base/errors.ts'
import type { StoreChoice } from '../../edges/cli/command-flags.ts'
import type { OfflineInvocation } from '../../edges/cli/service-arguments.ts'
import { visible } from '../../edges/cli/terminal-text.ts'
import type { Clock, Entropy, Log } from '../../ports/system.ts'
import { readConfig } from '../config/config.ts'
import { type Config, keptForever, retentionOf } from '../config/options.ts'
import type { VerifyOptions } from '../store/verify-store.ts'

/** Of errors of ours the message ends with a period, of those of the system it does not. */
export function sentenceOf(error: unknown): string {
  const message = messageOf(error)
  return message.endsWith('.') ? message : `${message}.`
}

/** What every command over a data folder works with. */
export interface OfflineRun {
  readonly dir: string
  readonly config: Config
  readonly invocation: OfflineInvocation
  readonly out: (text: string) => void
  /** Writes one line; characters that act on a terminal are made visible. */
  readonly say: (line: string) => void
  readonly sayJson: (facts: object) => void
  readonly progress: Progress
  /** Opens the folder as a service does. */
  readonly compose: Compose
}

export type Compose = (
  config: Config,
  system: { readonly clock: Clock; readonly entropy: Entropy; readonly log: Log },
) => Promise<{ close(): Promise<void> }>

/**
 * The configuration with the database that a command names; null: that of the configuration, if there is one and no folder is
 * given.
 */
export function configOver(store: StoreChoice | null, given: Readonly<Record<string, unknown>> = {}): Config {
  const file = store?.file ?? null
  const { config } = readConfig({ ...given, ...(file === null ? {} : { storeFile: file }) })
  if (store === null) return 'dataDir' in given ? { ...config, store: null, storeFile: null } : config
  return { ...config, store: store.url, storeFile: file }
}

/** For a command that opens a folder as a service does: what is kept, and whether by a chain, the service alone decides. */
export async function keptAsItIs(config: Config, dir: string): Promise<Config> {
  const journalChain = (await keepsChain(nodeFiles, dir)) ? 'sha256' : 'off'
  return { ...keptForever(config), journalChain }
}

/** Which exposure sets may be gone by now. */
export function limitsOf({ config }: OfflineRun): Pick<VerifyOptions, 'exposureRetentionMs' | 'nowMs'> {
  const { exposureRetentionMs } = retentionOf(config)
  return { exposureRetentionMs, nowMs: systemClock().nowMs() }
}

/** What a store tells while a command works on it, as far as an operator must know. */
export function errorsOnly(say: (line: string) => void): Log {
  const ignore = (): void => undefined
  return { debug: ignore, info: ignore, warn: ignore, error: (_fields, message) => say(message) }
}

const WIDTH = 72
/** Lines are written for so manieth file only: a terminal is slower than a disk. */
const EVERY = 8
/** How often a bar is written, and how wide it is. */
const PART_EVERY_MS = 200
const BAR = 20

/** Tells a person or a program why nothing was done. The exit code. */
export function refused(
  { invocation, say, sayJson }: Pick<OfflineRun, 'invocation' | 'say' | 'sayJson'>,
  why: string,
  { sentence = `refused: ${why}`, ...facts }: { readonly sentence?: string; readonly problems?: object } = {},
): number {
  if (invocation.isJson) sayJson({ refused: why, ...facts })
  else say(sentence)
  return 1
}

/** As a person says it. */
export function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`
}

/** One line on a terminal that says what is being read; nothing in a pipe. */
export class Progress {
  readonly #target: LogTarget
  readonly #command: string
  #files = 0
  #isShown = false
  #part = { what: '', sinceMs: 0, from: 0, shownMs: 0 }

  constructor(target: LogTarget, command: string) {
    this.#target = target
    this.#command = command
  }

  file(path: string): void {
    this.#files += 1
    if (this.#target.isTTY !== true || this.#files % EVERY !== 1) return
    this.#isShown = true
    const line = `${this.#command}: ${this.#files} read, now ${visible(basename(path))}`
    this.#target.write(`\r${line.slice(0, WIDTH).padEnd(WIDTH)}`)
  }

  /** How far something has come of which the end is known. */
  part(what: string, done: number, of: number): void {
    const nowMs = performance.now()
    if (this.#part.what !== what) this.#part = { what, sinceMs: nowMs, from: done, shownMs: 0 }
    if (this.#target.isTTY !== true || (nowMs - this.#part.shownMs < PART_EVERY_MS && done < of)) return
    this.#part.shownMs = nowMs
    this.#isShown = true
    const filled = of === 0 ? BAR : Math.floor((done / of) * BAR)
    const bar = '#'.repeat(filled).padEnd(BAR, '.')
    const leftMs = ((nowMs - this.#part.sinceMs) / Math.max(1, done - this.#part.from)) * (of - done)
    const line = `${this.#command}: ${what} [${bar}] ${done} of ${of}, ${durationText(leftMs)} left`
    this.#target.write(`\r${line.slice(0, WIDTH).padEnd(WIDTH)}`)
  }

  /** Takes the line away. */
  end(): void {
    if (this.#isShown) this.#target.write(`\r${' '.repeat(WIDTH)}\r`)
    this.#isShown = false
  }
}
