import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collections after which nothing more is found: what a finaliser lets go is garbage of the next one. */
const COLLECTIONS = 3

/** Bytes of the heap and of buffers that are still reachable, after full collections. */
export async function reachableBytes(): Promise<number> {
  const collect = collector()
  let bytes = Number.POSITIVE_INFINITY
  for (let round = 0; round < COLLECTIONS; round += 1) {
    // Sockets and timers of the requests before end first.
    await setTimeout(20)
    collect()
    const { heapUsed, external } = process.memoryUsage()
    bytes = Math.min(bytes, heapUsed + external)
  }
  return bytes
}

let known: (() => void) | null = null

function collector(): () => void {
  if (known !== null) return known
  setFlagsFromString('--expose-gc')
  const found: unknown = runInNewContext('gc')
  if (typeof found !== 'function') throw new TypeError('this engine offers no garbage collection')
  known = () => void found()
  return known
}
