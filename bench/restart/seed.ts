// Fills a data folder without ever shutting it down, says so, and waits to be killed.
import process from 'node:process'
import { seedScope } from '../seeded-scope.ts'

const [dataDir = '', memories = ''] = process.argv.slice(2)
// No snapshot on the way: what the killed process leaves is journal alone.
await seedScope(dataDir, Number(memories), { snapshotMinBytes: 1024 ** 3 })
process.send?.('seeded')
