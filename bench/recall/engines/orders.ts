import type { EngineName } from './kinds.ts'

/** What an engine process is told to do, one order at a time. */
export type Order =
  | {
      readonly do: 'open'
      readonly engine: EngineName
      readonly memories: number
      readonly questions: number
    }
  | { readonly do: 'grow'; readonly memories: number }
  | {
      readonly do: 'ask'
      readonly from: number
      /** So many, and on from the first one until so much time has passed; fewer when it takes too long. */
      readonly questions: number
      readonly atLeastMs: number
      readonly atMostMs: number
    }
  | { readonly do: 'insert'; readonly memories: number }
  | { readonly do: 'remove'; readonly from: number; readonly memories: number; readonly atMostMs: number }
  | { readonly do: 'weigh' }
  | { readonly do: 'save'; readonly folder: string }
  /** Answers two times: reading what was stored, and from there to the answer of the first question. */
  | {
      readonly do: 'reload'
      readonly engine: EngineName
      readonly folder: string
      /** In a process that has been warmed, where the engine knows how. */
      readonly isWarm: boolean
    }

/** What came of an order. Fields that it does not measure are 0 or empty. */
export interface Measured {
  /** Time of each operation, microseconds. */
  readonly timesUs: readonly number[]
  /** Processor time of the process in all of them, all its threads, milliseconds. */
  readonly cpuMs: number
  /** Bytes of the index. */
  readonly bytes: number
}

/** `missing`: the engine cannot run here. */
export type Reply = { readonly measured: Measured } | { readonly missing: string }
