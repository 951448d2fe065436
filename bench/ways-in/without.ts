import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import { SERVICE } from '../../rolldown.config.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** Inside of the package: the program looks for its files from there. */
const FOLDER = 'dist/service-without'

/** What stands in the place of the modules by which the ways in are installed. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'src/edges/mcp/mcp-route.ts': "export const MCP_PATH = '/mcp'\nexport function serveMcp() {}",
  'src/edges/hooks/hook-route.ts': 'export const HOOK_ROUTES = []\nexport function serveHooks() {}',
}
/** They write what nobody here reads. */
const UNUSED = new Set(['types', 'licence-texts'])

/** Bundles the service as it is installed, but without MCP and hooks; the program. */
export async function serviceWithout(): Promise<string> {
  const left = new Set<string>()
  const plugin: Plugin = {
    name: 'without-ways-in',
    load(id) {
      const path = id.slice(ROOT.length)
      if (LEFT_OUT[path] !== undefined) left.add(path)
      return LEFT_OUT[path] ?? null
    },
  }
  const { output, plugins, ...input } = SERVICE
  const kept = [plugins ?? []].flat().filter((each) => !UNUSED.has(String(Reflect.get(Object(each), 'name'))))
  const bundle = await rolldown({ ...input, cwd: ROOT, plugins: [...kept, plugin] })
  await bundle.write({ ...[output ?? {}].flat()[0], dir: `${ROOT}${FOLDER}` })
  await bundle.close()
  if (left.size < Object.keys(LEFT_OUT).length) throw new Error('a module of the ways in has moved')
  return `${ROOT}${FOLDER}/main.js`
}
