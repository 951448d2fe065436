import { spawn, spawnSync } from 'node:child_process'
import { delimiter, resolve } from 'node:path'
import process from 'node:process'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packageVersion } from '../../src/adapters/files/package-file.ts'
import { createKey } from '../../src/adapters/keys/key-changes.ts'
import { type LiveKeys, openLiveKeys } from '../../src/adapters/keys/live-keys.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { edgeOver } from '../harness/edge.ts'
import { closeEmbedded, type Embedded, startEmbedded } from '../harness/embedded.ts'
import { memoryLog } from '../harness/system.ts'
import { keyGrant } from '../support/keys.ts'

// The client for Python, where Python and httpx are: its own tests are in Python, against a service of here.

const found = spawnSync('python3', ['-c', 'import httpx'], { encoding: 'utf8' })
const noPython =
  found.status === 0 ? null : (found.error?.message ?? found.stderr.trim().split('\n').at(-1) ?? '')
if (noPython !== null) process.stderr.write(`SKIPPED the client for Python: ${noPython}\n`)

const dir = dataFolder()
let service: Embedded
let app: FastifyInstance
let keys: LiveKeys
let env: NodeJS.ProcessEnv = {}

beforeAll(async () => {
  service = await startEmbedded()
  keys = await openLiveKeys(dir, memoryLog().log)
  const grant = keyGrant({ isOperator: true, scopes: [], agentId: null, teamId: null })
  const { token } = await createKey(dir, grant, 0)
  await keys.look()
  app = edgeOver(service, keys)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const path = [resolve('clients/python'), process.env['PYTHONPATH']].filter((each) => each !== undefined)
  env = {
    ...process.env,
    PYTHONPATH: path.join(delimiter),
    MEMGOV_URL: url,
    MEMGOV_KEY: token,
    MEMGOV_VERSION: packageVersion(),
  }
})

afterAll(async () => {
  keys.close()
  await app.close()
  await closeEmbedded()
})

test('the client for Python does what the client for Node does', async ({ skip }) => {
  skip(noPython !== null, noPython ?? '')
  const child = spawn('python3', ['-B', 'test/http/python_client.py'], { env })
  let said = ''
  child.stderr.on('data', (bytes) => {
    said += String(bytes)
  })
  const code = await new Promise((resolve) => child.on('exit', resolve))
  expect([code, said]).toEqual([0, expect.stringMatching(/Ran \d+ tests[^]*OK/)])
})
