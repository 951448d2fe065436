import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { EngineMissing } from './engines/engine.ts'
import type { Measured, Order, Reply } from './engines/orders.ts'

/** An engine that runs beside this process. */
export interface EngineProcess {
  /** Rejects with EngineMissing when the engine cannot run here, and when the process has ended. */
  order(order: Order): Promise<Measured>
  stop(): Promise<void>
}

const HEAP_MIB = 8_192

export function startEngine(): EngineProcess {
  const file = fileURLToPath(new URL('./engine-process.js', import.meta.url))
  const child = fork(file, { execArgv: ['--expose-gc', `--max-old-space-size=${HEAP_MIB}`] })
  const gone = once(child, 'exit')
  return {
    async order(order) {
      child.send(order)
      const [reply]: unknown[] = await Promise.race([
        once(child, 'message'),
        gone.then(() => Promise.reject(new Error(`an engine ended at ${order.do}`))),
      ])
      return measuredIn(reply as Reply)
    },
    async stop() {
      child.kill('SIGKILL')
      await gone
    },
  }
}

function measuredIn(reply: Reply): Measured {
  if ('missing' in reply) throw new EngineMissing(reply.missing)
  return reply.measured
}
