/// <reference lib="es2024.sharedmemory" />
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { getSystemErrorName } from 'node:util'
import { Worker } from 'node:worker_threads'
import { type Bytes, bytesOver } from '../binary/bytes.ts'
import { workerUrl } from '../files/package-file.ts'
import { ShortWriteError } from '../files/whole-file.ts'
import { batchBytes, MAX_PAD_TO, MAX_RECORD_BYTES } from './format.ts'
import * as control from './worker-control.ts'

/**
 * How the journal writes: it fills the staging area, then has a part of it written and flushed. One call at a time.
 * A call that rejects says nothing about what reached the disk.
 */
export interface JournalIo {
  /** A staging area of at least `bytes`, with unknown content. Do not touch it while a call is under way. */
  reserve(bytes: number): Bytes
  /** Writes the first `bytes` of the staging area at `position`; 0 writes nothing. Then flushes, if asked to. */
  write(fd: number, position: number, bytes: number, flush: boolean): Promise<void>
  /** Releases what the io holds. Idempotent. */
  close(): Promise<void>
}

const SMALLEST_STAGING = 64 * 1024

function createStaging(): (bytes: number) => Bytes {
  let staging = bytesOver(new Uint8Array(SMALLEST_STAGING))
  return (bytes) => {
    if (staging.bytes.length < bytes) {
      staging = bytesOver(new Uint8Array(Math.max(bytes, staging.bytes.length * 2)))
    }
    return staging
  }
}

// Reserved address space; memory is taken only by what is used.
const STAGING_BYTES = batchBytes(MAX_RECORD_BYTES, MAX_PAD_TO)

/** Without a turn of the event loop in between, callers that write one after the other would keep it from all others. */
const WITHOUT_TURN_MAX = 16

function errorOf(status: number): Error {
  if (status === control.SHORT_WRITE) return new ShortWriteError('short write')
  if (status === control.UNKNOWN_ERROR) return new Error('the journal thread failed')
  const code = getSystemErrorName(status)
  return Object.assign(new Error(`${code}: write or flush of the journal failed`), { code, errno: status })
}

/**
 * Writes in a thread of its own with synchronous calls: the thread pool, which dns, crypto and all other file
 * calls share, cannot hold a commit up.
 */
export function createWorkerIo(): JournalIo {
  const memory: control.WorkerMemory = {
    control: new SharedArrayBuffer(control.CONTROL_BYTES),
    staging: new SharedArrayBuffer(STAGING_BYTES),
  }
  const { slots, position } = control.controlOver(memory.control)
  // Records are laid out in plain memory and copied over at once: scattered small copies into shared memory, which
  // the engine makes byte by byte, cost several times as much.
  const reserve = createStaging()
  const shared = new Uint8Array(memory.staging)
  // Flags of the host process (a loader, --input-type) are not for this thread, and some would keep it from starting.
  const worker = new Worker(workerUrl('journal'), { workerData: memory, name: 'journal', execArgv: [] })
  // Only what is under way keeps the process alive.
  worker.unref()
  let ended: Error | null = null
  let withoutTurn = 0
  let onEnded: ((error: Error) => void) | null = null
  const exited = new Promise<void>((resolve) => {
    const end = (error: Error): void => {
      ended ??= error
      onEnded?.(ended)
      resolve()
    }
    worker.on('error', end)
    worker.on('exit', (code) => end(new Error(`the journal thread ended with code ${code}`)))
  })

  function ask(fd: number, at: number, bytes: number, flush: boolean): void {
    slots[control.FD] = fd
    slots[control.BYTES] = bytes
    slots[control.FLUSH] = flush ? 1 : 0
    position[0] = at
    Atomics.add(slots, control.REQUESTS, 1)
    Atomics.notify(slots, control.REQUESTS)
  }

  return {
    reserve,
    async write(fd, at, bytes, flush) {
      if (ended !== null) throw ended
      shared.set(reserve(bytes).bytes.subarray(0, bytes))
      const answers = Atomics.load(slots, control.ANSWERS)
      ask(fd, at, bytes, flush)
      // Whoever appended has work to do first. A disk that is done by then is not waited for by a turn of the event loop.
      await Promise.resolve()
      const answer = Atomics.waitAsync(slots, control.ANSWERS, answers)
      if (answer.async) {
        withoutTurn = 0
        worker.ref()
        await new Promise<void>((resolve, reject) => {
          onEnded = reject
          void answer.value.then(() => resolve())
        }).finally(() => worker.unref())
      } else {
        withoutTurn += 1
        if (withoutTurn % WITHOUT_TURN_MAX === 0) await turnOfTheLoop()
      }
      const status = Atomics.load(slots, control.STATUS)
      if (status !== 0) throw errorOf(status)
    },
    async close() {
      worker.ref()
      if (ended === null) ask(control.STOP_FD, 0, 0, false)
      await exited
    },
  }
}
