import { once } from 'node:events'
import { constants, open } from 'node:fs'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { pino } from 'pino'
import type { LineSink, Log } from '../../ports/system.ts'

/** Bytes that wait for a slow reader or disk; a line beyond them is dropped. */
const WAITING_BYTES_MAX = 1024 * 1024
/** How long `close` waits for them; longer than a retry of a full pipe. */
const CLOSE_MS = 500
const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants
const ADDING = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK
const OWNER_ONLY = 0o600
const openFile = promisify(open)

/**
 * Opens standard error (`stderr`) or a file, to whose end lines are added. Rejects when the file cannot be opened, or is a
 * pipe that nobody reads.
 */
export async function openLineSink(target: string, log: Log): Promise<LineSink> {
  // Of a pipe that is full a write must fail at once: a thread that waited for its reader would hold up the end of the
  // process. Standard error has been set so by Node.
  const fd = target === 'stderr' ? process.stderr.fd : await openFile(target, ADDING, OWNER_ONLY)
  /** Takes no more: it is closed, or nobody will ever read it. */
  let isClosed = false
  let dropped = 0
  let hasWarned = false
  const stream = pino.destination({
    fd,
    sync: false,
    maxLength: WAITING_BYTES_MAX,
    // A retry after the end would write to whatever file has the descriptor by then.
    retryEAGAIN: () => !isClosed,
  })
  stream.on('drop', () => {
    dropped += 1
  })
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!hasWarned && !isClosed) log.warn({ cause: error.message }, 'the request log cannot be written')
    hasWarned = true
    isClosed ||= error.code === 'EPIPE'
  })
  return {
    write(line) {
      if (isClosed) dropped += 1
      else stream.write(line)
    },
    get dropped() {
      return dropped
    },
    async close() {
      if (isClosed) return
      isClosed = true
      const closed = once(stream, 'close').catch(() => undefined)
      stream.end()
      await Promise.race([closed, wait(CLOSE_MS, undefined, { ref: false })])
      // The end of the process does not wait for a reader that has stopped. Without effect when it is closed.
      stream.destroy()
    },
  }
}
