// What the journal and its thread tell each other through shared memory. One request is under way at a time: the
// journal fills the slots, raises REQUESTS and wakes the thread; the thread works, fills STATUS and raises ANSWERS.
//
//   Int32 index   0         1        2   3      4      5       6-7
//                 REQUESTS  ANSWERS  FD  BYTES  FLUSH  STATUS  POSITION (float64)
//
// STATUS: 0 done, a negative number the errno of the system call, SHORT_WRITE a short count.
export const REQUESTS = 0
export const ANSWERS = 1
export const FD = 2
export const BYTES = 3
export const FLUSH = 4
export const STATUS = 5
const POSITION_BYTE = 24
export const CONTROL_BYTES = 32

/** In FD: the thread shall end. */
export const STOP_FD = -1
/** In STATUS: positive, so that it is no errno. */
export const SHORT_WRITE = 1
/** In STATUS: the call failed with an error that carries no errno. */
export const UNKNOWN_ERROR = 2

export interface WorkerMemory {
  readonly control: SharedArrayBuffer
  readonly staging: SharedArrayBuffer
}

export function controlOver(buffer: SharedArrayBuffer) {
  return { slots: new Int32Array(buffer), position: new Float64Array(buffer, POSITION_BYTE, 1) }
}
