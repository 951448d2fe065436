import { afterAll } from 'vitest'
import { removeDataFolders } from './data-folder.ts'
import { stopAllListening } from './listener.ts'
import { killProcesses } from './process.ts'
import { closeEmbedded } from './services.ts'

// A setup file, so that this runs behind each file of tests, after its own hooks: nothing outlives a test that failed.
afterAll(async () => {
  await closeEmbedded()
  await killProcesses()
  await stopAllListening()
  removeDataFolders()
})
