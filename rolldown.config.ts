import { readdirSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'rolldown'
import { COMMONJS_DECLARATIONS, typeDeclarations } from './src/docs/types/declarations.ts'

/** A file for each thread that is started by its name. */
const WORKERS = readdirSync('workers').flatMap((file) => /^(.+)\.ts$/.exec(file)?.[1] ?? [])

/**
 * What users run, in few files: reading several hundred modules one by one takes longer than running them. Program,
 * library and threads share what they have in common.
 */
export default defineConfig({
  input: {
    main: 'src/app/main.ts',
    index: 'src/index.ts',
    ...Object.fromEntries(WORKERS.map((name) => [`workers/${name}`, `workers/${name}.ts`])),
  },
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
    chunkFileNames: 'parts/[name].js',
  },
  plugins: [licenceTexts(), openapi(), types()],
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

/** The document that the service answers with. */
function openapi(): Plugin {
  return {
    name: 'openapi',
    async generateBundle() {
      const document: unknown = JSON.parse(await readFile('docs/openapi.json', 'utf8'))
      this.emitFile({ type: 'asset', fileName: 'openapi.json', source: JSON.stringify(document) })
    },
  }
}

/** What editors and compilers read, and the way in for those who `require` the package. */
function types(): Plugin {
  return {
    name: 'types',
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'index.d.ts', source: typeDeclarations() })
      this.emitFile({ type: 'asset', fileName: 'index.d.cts', source: COMMONJS_DECLARATIONS })
      const entry = await readFile('src/commonjs-entry.cjs', 'utf8')
      this.emitFile({ type: 'asset', fileName: 'index.cjs', source: entry })
    },
  }
}
