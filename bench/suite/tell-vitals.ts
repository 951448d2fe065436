// Loaded into the service process with --import. Tells on demand how its thread and its memory have fared since the last
// time, on the channel to the process that started it.
import process from 'node:process'
import { watchVitals } from './vitals.ts'

if (process.send !== undefined) {
  const tell = watchVitals()
  process.on('message', () => process.send?.(tell()))
  // The service ends when it has nothing left to do, channel or not.
  process.channel?.unref()
}
