import { once } from 'node:events'
import { pino } from 'pino'
import type { LineSink } from '../../ports/line-sink.ts'
import type { Log } from '../../ports/log.ts'

/** Bytes that wait for a slow reader or disk; a line beyond them is dropped. */
const WAITING_BYTES_MAX = 1024 * 1024
/** How long `close` waits for them. */
const CLOSE_MS = 500
const STDERR_FD = 2

/** Opens standard error (`stderr`) or a file, to whose end lines are added. Rejects when the file cannot be opened. */
export async function openLineSink(target: string, log: Log): Promise<LineSink> {
  const dest = target === 'stderr' ? STDERR_FD : target
  const stream = pino.destination({ dest, sync: false, maxLength: WAITING_BYTES_MAX })
  let dropped = 0
  let hasWarned = false
  /** Takes no more: it is closed, or nobody will ever read it. */
  let isClosed = false
  await once(stream, 'ready')
  stream.on('drop', () => {
    dropped += 1
  })
  stream.on('error', (error: NodeJS.ErrnoException) => {
    isClosed ||= error.code === 'EPIPE'
    if (!hasWarned) log.warn({ cause: error.message }, 'the request log cannot be written')
    hasWarned = true
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
      await Promise.race([closed, passed(CLOSE_MS)])
      // The end of the process does not wait for a reader that has stopped. Without effect when it is closed.
      stream.destroy()
    },
  }
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
