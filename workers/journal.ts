import fs from 'node:fs'
import { workerData } from 'node:worker_threads'
import {
  ANSWERS,
  BYTES,
  controlOver,
  FD,
  FLUSH,
  REQUESTS,
  SHORT_WRITE,
  STATUS,
  STOP_FD,
  UNKNOWN_ERROR,
  type WorkerMemory,
} from '../src/adapters/journal/worker-control.ts'

// The journal's thread: waits in the kernel for a request, writes and flushes with synchronous calls, answers.

function isMemory(data: unknown): data is WorkerMemory {
  return (
    typeof data === 'object' &&
    data !== null &&
    'control' in data &&
    data.control instanceof SharedArrayBuffer &&
    'staging' in data &&
    data.staging instanceof SharedArrayBuffer
  )
}

function statusOf(error: unknown): number {
  const errno: unknown = error instanceof Error && 'errno' in error ? error.errno : null
  return typeof errno === 'number' && errno < 0 ? errno : UNKNOWN_ERROR
}

function perform(fd: number, staging: Uint8Array, bytes: number, position: number, flush: boolean): number {
  try {
    if (bytes > 0 && fs.writeSync(fd, staging, 0, bytes, position) !== bytes) return SHORT_WRITE
    if (flush) fs.fdatasyncSync(fd)
    return 0
  } catch (error) {
    return statusOf(error)
  }
}

const data: unknown = workerData
if (!isMemory(data)) throw new TypeError('the journal thread was started without its shared memory')
const { slots, position } = controlOver(data.control)
const staging = new Uint8Array(data.staging)

for (let request = 0; ; request += 1) {
  Atomics.wait(slots, REQUESTS, request)
  const fd = slots[FD] ?? STOP_FD
  if (fd === STOP_FD) break
  slots[STATUS] = perform(fd, staging, slots[BYTES] ?? 0, position[0] ?? 0, slots[FLUSH] === 1)
  Atomics.add(slots, ANSWERS, 1)
  Atomics.notify(slots, ANSWERS)
}
