import fs from 'node:fs'
import { workerData } from 'node:worker_threads'
import * as control from '../src/adapters/journal/worker-control.ts'

// The journal's thread: waits in the kernel for a request, writes and flushes with synchronous calls, answers.

function isMemory(data: unknown): data is control.WorkerMemory {
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
  return typeof errno === 'number' && errno < 0 ? errno : control.UNKNOWN_ERROR
}

function perform(fd: number, staging: Uint8Array, bytes: number, position: number, flush: boolean): number {
  try {
    if (bytes > 0 && fs.writeSync(fd, staging, 0, bytes, position) !== bytes) return control.SHORT_WRITE
    if (flush) fs.fdatasyncSync(fd)
    return 0
  } catch (error) {
    return statusOf(error)
  }
}

const data: unknown = workerData
if (!isMemory(data)) throw new TypeError('the journal thread was started without its shared memory')
const { slots, position } = control.controlOver(data.control)
const staging = new Uint8Array(data.staging)

for (let request = 0; ; request += 1) {
  Atomics.wait(slots, control.REQUESTS, request)
  const fd = slots[control.FD] ?? control.STOP_FD
  if (fd === control.STOP_FD) break
  slots[control.STATUS] = perform(
    fd,
    staging,
    slots[control.BYTES] ?? 0,
    position[0] ?? 0,
    slots[control.FLUSH] === 1,
  )
  Atomics.add(slots, control.ANSWERS, 1)
  Atomics.notify(slots, control.ANSWERS)
}
