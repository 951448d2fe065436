import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'rolldown'

/** What a service runs, in few files: reading several hundred modules one by one takes longer than running them. */
export default defineConfig({
  input: { main: 'src/app/main.ts' },
  platform: 'node',
  logLevel: 'warn',
  external: [
    // They look for files beside their own: a worker, a native module.
    'piscina',
    'msgpackr',
    // Loaded on demand, and the API from where the host has it.
    'prom-client',
    '@opentelemetry/api',
    // Fastify loads them for what no route of the service uses.
    '@fastify/ajv-compiler',
    '@fastify/fast-json-stringify-compiler',
    'light-my-request',
  ],
  output: {
    dir: 'dist/service',
    cleanDir: true,
    chunkFileNames: '[name].js',
    sourcemap: true,
  },
  plugins: [licenceTexts()],
})

/** `licences.txt` beside the bundle: the terms of every package that is a part of it. */
function licenceTexts(): Plugin {
  return {
    name: 'licence-texts',
    async generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? [])
      const texts = await Promise.all([...new Set(folders)].toSorted().map(licenceOf))
      this.emitFile({ type: 'asset', fileName: 'licences.txt', source: texts.join('\n') })
    },
  }
}

async function licenceOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file === undefined ? '' : await readFile(join(folder, file), 'utf8')
  return `${name} ${version}: ${license}\n\n${text}`
}
