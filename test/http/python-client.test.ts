import { spawn, spawnSync } from 'node:child_process'
import { delimiter, resolve } from 'node:path'
import process from 'node:process'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packageVersion } from '../../src/adapters/files/package-file.ts'
import { edgeOver } from '../harness/edge.ts'
import { type Embedded, startEmbedded } from '../harness/embedded.ts'
import { type HeldKeys, heldKeys, OPERATOR } from '../harness/held-keys.ts'

// The client for Python, where Python and httpx are: its own tests are in Python, against a service of here.

const found = spawnSync('python3', ['-c', 'import httpx'], { encoding: 'utf8' })
const noPython =
  found.status === 0 ? null : (found.error?.message ?? found.stderr.trim().split('\n').at(-1) ?? '')
if (noPython !== null) process.stderr.write(`SKIPPED the client for Python: ${noPython}\n`)

let service: Embedded
let app: FastifyInstance
let keys: HeldKeys
let env: NodeJS.ProcessEnv = {}

beforeAll(async () => {
  service = await startEmbedded()
  keys = await heldKeys()
  app = edgeOver(service, keys.live)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const path = [resolve('clients/python'), process.env['PYTHONPATH']].filter((each) => each !== undefined)
  env = {
    ...process.env,
    PYTHONPATH: path.join(delimiter),
    MEMGOV_URL: url,
    MEMGOV_KEY: await keys.tokenFor(OPERATOR),
    MEMGOV_VERSION: packageVersion(),
  }
})

afterAll(async () => {
  keys.live.close()
  await app.close()
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
