// Loaded into the service process with --import. Tells on demand how long the loop of its first thread was held up since the
// last time, on the channel to the process that started it.
import process from 'node:process'
import { watchLoop } from './loop-watch.ts'

if (process.send !== undefined) {
  let watched = watchLoop()
  process.on('message', () => {
    process.send?.(watched())
    watched = watchLoop()
  })
  // The service ends when it has nothing left to do, channel or not.
  process.channel?.unref()
}
