import { readdirSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'rolldown'
import {
  CLIENT_COMMONJS_DECLARATIONS,
  COMMONJS_DECLARATIONS,
  clientDeclarations,
  moduleDeclarations,
  typeDeclarations,
} from './src/docs/types/declarations.ts'

const NATIVE = 'native-strings'
/** Without white space and with short names of variables, since the package is small; functions keep theirs, for traces of errors. */
const SMALL = { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } } as const

/** A file for each thread that is started by its name. */
const WORKERS = readdirSync('workers').flatMap((file) => /^(.+)\.ts$/.exec(file)?.[1] ?? [])

/**
 * What users run, in few files: reading several hundred modules one by one takes longer than running them. Program,
 * library and threads share what they have in common.
 */
export const SERVICE = defineConfig({
  input: {
    main: 'src/app/main.ts',
    hook: 'src/app/hook.ts',
    index: 'src/index.ts',
    ...Object.fromEntries(WORKERS.map((name) => [`workers/${name}`, `workers/${name}.ts`])),
  },
  platform: 'node',
  logLevel: 'warn',
  // Its other entry cannot be bundled: it asks for its own files by a require that it is handed.
  resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
  external: [
    // It looks for a file beside its own: a worker.
    'piscina',
    // Loaded on demand, and the API from where the host has it.
    /^@modelcontextprotocol\//,
    'prom-client',
    'pg',
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
    minify: SMALL,
  },
  plugins: [nativeStrings(), withoutAddress(), licenceTexts(), openapi(), types()],
})

/** `memgov/client`: one file for any host. */
const CLIENT = defineConfig({
  input: { index: 'src/client/client.ts' },
  platform: 'neutral',
  logLevel: 'warn',
  output: { dir: 'dist/client', cleanDir: true, minify: SMALL },
  plugins: [clientTypes()],
})

/** The same, for callers that `require` it. */
const CLIENT_COMMONJS = defineConfig({
  input: { index: 'src/client/client.ts' },
  platform: 'neutral',
  logLevel: 'warn',
  output: { dir: 'dist/client', format: 'cjs', entryFileNames: '[name].cjs', minify: SMALL },
})

/** What stands beside client and service, each one file for `import` and one for `require`, in a folder of its name. */
const MODULES = {
  mappers: 'src/mappers/mappers.ts',
  langgraph: 'src/frameworks/langgraph.ts',
  'ai-sdk': 'src/frameworks/ai-sdk.ts',
} as const

const MODULE_BUNDLES = Object.entries(MODULES).flatMap(([name, source]) => {
  const both = {
    input: { index: source },
    platform: 'neutral' as const,
    logLevel: 'warn' as const,
    // A peer: it is that of the host.
    external: ['@langchain/langgraph-checkpoint'],
  }
  const dir = `dist/${name}`
  return [
    defineConfig({ ...both, output: { dir, cleanDir: true, minify: SMALL }, plugins: [moduleTypes(source)] }),
    defineConfig({ ...both, output: { dir, format: 'cjs', entryFileNames: '[name].cjs', minify: SMALL } }),
  ]
})

export default [SERVICE, CLIENT, CLIENT_COMMONJS, ...MODULE_BUNDLES]

/**
 * msgpackr asks a package with an install script for its native module, which many installations refuse to run. Here the
 * module comes from the packages of each platform, which have none, and is found from a folder that bears the name.
 */
function nativeStrings(): Plugin {
  return {
    name: NATIVE,
    resolveId: (id) => (id === NATIVE ? `\0${NATIVE}` : null),
    load(id) {
      if (id !== `\0${NATIVE}`) return null
      return [
        "import { createRequire } from 'node:module'",
        "import { dirname } from 'node:path'",
        "import load from 'node-gyp-build-optional-packages'",
        'export function nativeStrings(from) {',
        "  const manifest = createRequire(from).resolve('memgov/package.json')",
        `  return load(dirname(manifest) + '/dist/service/${NATIVE}')`,
        '}',
      ].join('\n')
    },
    transform(code, id) {
      if (!id.endsWith('/msgpackr/node-index.js')) return null
      const changed = code
        .replace("require('msgpackr-extract')", 'nativeStrings(import.meta.url)')
        .replace("createRequire(import.meta.url)('msgpackr-extract')", 'nativeStrings(import.meta.url)')
      if (changed.includes("'msgpackr-extract'"))
        this.error('msgpackr asks for its native module another way')
      return `import { nativeStrings } from '${NATIVE}'\n${changed}`
    },
    generateBundle() {
      const manifest = {
        name: 'msgpackr-extract',
        description: 'Where the native module is looked for from.',
      }
      this.emitFile({
        type: 'asset',
        fileName: `${NATIVE}/package.json`,
        source: JSON.stringify(manifest),
      })
    },
  }
}

const OWN_REQUIRE = 'createRequire(import.meta.url))()'

/**
 * Where a host's bundler writes CommonJS, no module has an address. Packages in here then still reach what Node brings
 * along, so that who starts a runtime is told what to do.
 */
function withoutAddress(): Plugin {
  return {
    name: 'without-address',
    renderChunk(code, { name }) {
      if (name !== 'rolldown-runtime') return null
      if (!code.includes(OWN_REQUIRE)) this.error('the runtime of the bundler makes its require another way')
      return code.replace(OWN_REQUIRE, "createRequire(import.meta.url ?? process.cwd() + '/'))()")
    },
  }
}

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

function clientTypes(): Plugin {
  return {
    name: 'client-types',
    generateBundle() {
      const declared = clientDeclarations(new URL('src/client/', import.meta.url))
      for (const [fileName, source] of Object.entries(declared))
        this.emitFile({ type: 'asset', fileName, source })
      this.emitFile({ type: 'asset', fileName: 'index.d.cts', source: CLIENT_COMMONJS_DECLARATIONS })
    },
  }
}

function moduleTypes(path: string): Plugin {
  return {
    name: 'module-types',
    generateBundle() {
      const source = new URL(path, import.meta.url)
      for (const [fileName, types] of [
        ['index.d.ts', '../service/index.js'],
        ['index.d.cts', '../service/index.cjs'],
      ] as const) {
        this.emitFile({ type: 'asset', fileName, source: moduleDeclarations(source, types) })
      }
    },
  }
}
