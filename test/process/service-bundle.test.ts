import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { describe, expect, test } from 'vitest'
import { SERVICE as config } from '../../rolldown.config.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { HttpClient } from '../harness/http-client.ts'
import { MODULES_MAIN, startProcess } from '../harness/process.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const BUNDLE = join(ROOT, 'dist/service')
const VERSION: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version
/** Every ranking goes to the pool, whose thread loads a file of its own. */
const IN_POOL = ['--inline-rank-max-ns', '0']
const PLACE = { tenant_id: 'bundle', scope: 'one' }

/** Native modules that a process has loaded; none where the system does not tell. */
function nativeModulesOf(pid: number): readonly string[] {
  const maps = `/proc/${pid}/maps`
  const files = existsSync(maps) ? readFileSync(maps, 'utf8').matchAll(/\S+\.node$/gm) : []
  return [...new Set([...files].map(([file]) => file))]
}

/** What a service loads, says of itself and of a memory that a thread ranked, and tells its log. */
async function lifeOf(launch: { readonly main?: string }) {
  const service = await startProcess(dataFolder(), IN_POOL, launch)
  const client = new HttpClient(service.url)
  const observed = await client.call('observe', { ...PLACE, input_text: 'Deploys go through staging first.' })
  const guide = await client.call('guide', { ...PLACE, query_text: 'how do deploys go' })
  const { answer: health } = await client.call('health', {})
  await client.close()
  const nativeModules = nativeModulesOf(service.pid)
  service.signal('SIGTERM')
  const { code } = await service.exited
  const log = service
    .stderr()
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [String(JSON.parse(line).msg)]))
  const found = guide.text.includes(String(observed.answer?.memory_ids?.[0]))
  return { code, found, version: health?.version, log, nativeModules }
}

describe('the bundle of the service', () => {
  test('is what the sources give', async () => {
    const build = await rolldown(config)
    const { output } = await build.generate([config.output].flat()[0])
    await build.close()
    // The page of the console is built by itself.
    const built = readdirSync(BUNDLE, { recursive: true, encoding: 'utf8' }).filter(
      (path) => statSync(join(BUNDLE, path)).isFile() && !path.startsWith('console'),
    )
    expect(built.toSorted()).toEqual(output.map(({ fileName }) => fileName).toSorted())
    for (const file of output) {
      const text = readFileSync(join(BUNDLE, file.fileName), 'utf8')
      const isSame = text === (file.type === 'chunk' ? file.code : file.source)
      expect(isSame, `${file.fileName} is stale: npm run build`).toBe(true)
    }
  })

  test('finds its threads, its version and native modules as the modules do', async () => {
    const bundled = await lifeOf({})
    expect(bundled).toMatchObject({ code: 0, found: true, version: VERSION, log: ['shutting down'] })
    expect(bundled).toEqual(await lifeOf({ main: MODULES_MAIN }))
  })
})
