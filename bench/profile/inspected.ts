// Loaded into the service process with --import: a first message starts the profiler, a second one stops it and is
// answered with the profile.
import process from 'node:process'
import { startProfiler } from './profiler.ts'

if (process.send !== undefined) {
  let stop: Awaited<ReturnType<typeof startProfiler>> | null = null
  const toggle = async (): Promise<void> => {
    if (stop === null) {
      stop = await startProfiler()
      process.send?.('started')
    } else {
      process.send?.(await stop())
      stop = null
    }
  }
  process.on('message', () => void toggle())
  // The service ends when it has nothing left to do, channel or not.
  process.channel?.unref()
}
