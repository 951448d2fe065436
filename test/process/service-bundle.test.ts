import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, describe, expect, test } from 'vitest'
import config from '../../rolldown.config.ts'
import { dataFolder, removeDataFolders } from '../harness/data-folder.ts'
import { HttpClient } from '../harness/http-client.ts'
import { killProcesses, MODULES_MAIN, startProcess } from '../harness/process.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const BUNDLE = join(ROOT, 'dist/service')
const VERSION: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version
const MAINS = { bundle: {}, modules: { main: MODULES_MAIN } }
/** Every ranking goes to the pool, whose thread loads a file of its own. */
const IN_POOL = ['--inline-rank-max-ns', '0']
const PLACE = { tenant_id: 'bundle', scope: 'one' }

afterAll(async () => {
  await killProcesses()
  removeDataFolders()
})

/** What a service of one of the programs says of itself, of a memory that a thread ranked, and to its log. */
async function lifeOf(launch: { readonly main?: string }) {
  const service = await startProcess(dataFolder(), IN_POOL, launch)
  const client = new HttpClient(service.url)
  const observed = await client.call('observe', { ...PLACE, input_text: 'Deploys go through staging first.' })
  const guide = await client.call('guide', { ...PLACE, query_text: 'how do deploys go' })
  const { answer: health } = await client.call('health', {})
  await client.close()
  service.signal('SIGTERM')
  const { code } = await service.exited
  const log = service
    .stderr()
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [String(JSON.parse(line).msg)]))
  const found = guide.text.includes(String(observed.answer?.memory_ids?.[0]))
  return { code, found, version: health?.version, log }
}

describe('the bundle of the service', () => {
  test('is what the sources give', async () => {
    const build = await rolldown(config)
    const { output } = await build.generate([config.output].flat()[0])
    await build.close()
    expect(readdirSync(BUNDLE).toSorted()).toEqual(output.map(({ fileName }) => fileName).toSorted())
    for (const file of output) {
      const text = readFileSync(join(BUNDLE, file.fileName), 'utf8')
      const isSame = text === (file.type === 'chunk' ? file.code : file.source)
      expect(isSame, `${file.fileName} is stale: npm run build`).toBe(true)
    }
  })

  test.each(Object.entries(MAINS))('as %s finds its threads and its version', async (_name, launch) => {
    const log = ['shutting down']
    expect(await lifeOf(launch)).toEqual({ code: 0, found: true, version: VERSION, log })
  })
})
