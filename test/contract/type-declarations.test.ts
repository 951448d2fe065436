import { resolve } from 'node:path'
import process from 'node:process'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/contract/operations.ts'
import {
  CLIENT_COMMONJS_DECLARATIONS,
  COMMONJS_DECLARATIONS,
  clientDeclarations,
  typeDeclarations,
} from '../../src/docs/types/declarations.ts'
import { OPEN_WORDS } from '../../src/docs/types/type-text.ts'

// The generated types as a compiler and an editor see them. The files are in memory only.

const DECLARATIONS = typeDeclarations()
const declared = clientDeclarations(new URL('../../src/client/', import.meta.url), './index.js')
/** As the build writes them, but for the name of the first, which is another one's here. */
const CLIENT_FILES = {
  'client.d.ts': declared['index.d.ts'],
  'client-error.d.ts': declared['client-error.d.ts'],
}
const FOLDER = resolve('test/contract/no-such-folder')
const at = (name: string): string => `${FOLDER}/${name}`

const STRICT = {
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts'],
  types: [],
} satisfies ts.CompilerOptions

/** Files of the library, which every program reads. */
const library = new Map<string, ts.SourceFile | undefined>()

/** A host over the disk on which the given files lie as well. */
function hostWith(files: ReadonlyMap<string, string>, options: ts.CompilerOptions): ts.CompilerHost {
  const disk = ts.createCompilerHost(options)
  const host = ts.createCompilerHost(options)
  host.directoryExists = (path) => path === FOLDER || disk.directoryExists?.(path) === true
  host.fileExists = (path) => files.has(path) || disk.fileExists(path)
  host.readFile = (path) => files.get(path) ?? disk.readFile(path)
  host.getSourceFile = (path, version, ...rest) => {
    const text = files.get(path)
    if (text !== undefined) return ts.createSourceFile(path, text, version)
    if (!path.includes('/typescript/lib/')) return disk.getSourceFile(path, version, ...rest)
    const found = library.get(path) ?? disk.getSourceFile(path, version, ...rest)
    library.set(path, found)
    return found
  }
  return host
}

/** What the compiler says of `program`, in words. */
function complaints(
  program: Readonly<Record<string, string>>,
  options: ts.CompilerOptions,
): readonly string[] {
  const files = new Map(Object.entries(program).map(([name, text]) => [at(name), text]))
  const roots = [...files.keys()].filter((path) => path.endsWith('.ts'))
  const compiled = ts.createProgram(roots, options, hostWith(files, options))
  // What they import is checked elsewhere, and takes a minute.
  const ofRoots = roots
    .map((path) => compiled.getSourceFile(path))
    .flatMap((source) => [
      ...compiled.getSyntacticDiagnostics(source),
      ...compiled.getSemanticDiagnostics(source),
    ])
  return [...compiled.getOptionsDiagnostics(), ...compiled.getGlobalDiagnostics(), ...ofRoots].map(
    ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
  )
}

const CLIENT_PROGRAM = `
  import { createClient, MemgovError } from './client.js'
  import type { MemgovRuntime } from './index.js'
  const client = createClient({ url: 'http://127.0.0.1:3001', key: 'mg_x', fetch })
  const { agent_context } = await client.guide({ query_text: 'x' }, { signal: AbortSignal.timeout(5), timeoutMs: 5 })
  const { agent_context: brief } = await client.guide({ query_text: 'x', view: 'prompt' })
  const handles: object = brief.handles
  await client.listActors()
  const either: Pick<MemgovRuntime, 'observe' | 'guide' | 'finish'> = client
  const code = (error: unknown) => (error instanceof MemgovError && error.code === 'timeout' ? error.status : null)
  export { agent_context, code, either, handles }
`

const PROGRAM = `
  import { createRuntime, MemgovError, type ObserveBody, type EraseResponse } from './index.js'
  const body: ObserveBody = { scope: 'shop', input_text: 'Deploys go through staging first.', memory: { kind: 'rule' } }
  await using runtime = await createRuntime({ dataDir: ':memory:', durability: 'none', logger: undefined })
  const { memory_ids } = await runtime.observe({ ...body, execution: { outcome: 'finished early' }, actor: null })
  const { agent_context, claim_ledger_projection } = await runtime.guide({ query_text: 'deploy' })
  const text: string = agent_context.prompt_text
  const erased: EraseResponse = await runtime.erase({ reason: 'asked for', memory_ids })
  const ended: string | undefined = erased.tombstones[0]?.erased_at
  await runtime.listSkills()
  const code = (error: unknown) => (error instanceof MemgovError && error.code === 'store_in_use' ? error.status : null)
  export { claim_ledger_projection, code, ended, text }
`

describe('the generated types', () => {
  test('take less than 300 kB', () => {
    expect(Buffer.byteLength(DECLARATIONS)).toBeLessThan(300_000)
    expect(Buffer.byteLength(DECLARATIONS)).toBeGreaterThan(50_000)
  })

  test.each([
    ['node16', ts.ModuleKind.Node16, ts.ModuleResolutionKind.Node16],
    ['nodenext', ts.ModuleKind.NodeNext, ts.ModuleResolutionKind.NodeNext],
    ['bundler', ts.ModuleKind.ESNext, ts.ModuleResolutionKind.Bundler],
  ] as const)(
    'are clean under the strictest options with %s, and so is a program that uses them',
    (_name, module, moduleResolution) => {
      const files = {
        'package.json': '{ "type": "module" }',
        'index.d.ts': DECLARATIONS,
        'program.ts': PROGRAM,
      }
      expect(complaints(files, { ...STRICT, module, moduleResolution })).toEqual([])
    },
  )

  test('of the client are clean, with the types of a page', () => {
    const options = {
      ...STRICT,
      // Of the page they are not ours to check.
      skipLibCheck: true,
      lib: [...STRICT.lib, 'lib.dom.d.ts'],
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
    }
    const files = {
      'package.json': '{ "type": "module" }',
      'index.d.ts': DECLARATIONS,
      ...CLIENT_FILES,
      'client-program.ts': CLIENT_PROGRAM,
    }
    expect(complaints(files, options)).toEqual([])
  })

  test('refuse what the service refuses', () => {
    const options = {
      ...STRICT,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    }
    const wrong = (use: string) =>
      complaints(
        {
          'index.d.ts': DECLARATIONS,
          'wrong.ts': `import type { MemgovRuntime } from './index.js'\ndeclare const runtime: MemgovRuntime\n${use}`,
        },
        options,
      )
    expect(wrong(`void runtime.guide({ query_text: 'x', mode: 'ful_power' })`)[0]).toContain('"full_power"')
    expect(wrong(`void runtime.observe({ inputtext: 'x' })`)[0]).toContain(
      `Did you mean to write 'input_text'?`,
    )
    expect(wrong(`void runtime.observe({ execution: { sumary: 'x' } })`)[0]).toContain(`'summary'`)
    expect(wrong(`void runtime.erase({ memory_ids: ['x'] })`)[0]).toContain('reason')
  })

  test('are those of the code: what createRuntime gives is what they say, and the other way', () => {
    const config = ts.readConfigFile('test/tsconfig.json', (path) => ts.sys.readFile(path))
    const { options } = ts.parseJsonConfigFileContent(
      { ...config.config, include: [], files: [] },
      ts.sys,
      resolve('test'),
    )
    const names = [
      ...DECLARATIONS.matchAll(
        /^export (?:type|interface|declare class) (\w+(?:Body|Response|Options|Logger|Code|Runtime))\b/gm,
      ),
    ]
      .map(([, name]) => name)
      .filter((name) => name !== undefined)
    const lines = names.map(
      (name) => `
        export const from${name} = (value: Code.${name}): Generated.${name} => value
        export const to${name} = (value: Generated.${name}): Code.${name} => value`,
    )
    const proof = [
      `import type * as Code from '../../../src/index.ts'`,
      `import type * as Generated from './index.js'`,
      ...lines,
      'export const create: typeof Generated.createRuntime = null as unknown as typeof Code.createRuntime',
      `import type * as ClientCode from '../../../src/client/client.ts'`,
      `import type * as Client from './client.js'`,
      'export const toClient: typeof Client.createClient = null as unknown as typeof ClientCode.createClient',
      'export const fromClient: typeof ClientCode.createClient = null as unknown as typeof Client.createClient',
    ].join('\n')
    expect(names.length).toBeGreaterThan(2 * Object.keys(OPERATIONS).length - 8)
    expect(
      complaints(
        { 'index.d.ts': DECLARATIONS, ...CLIENT_FILES, 'proof.ts': proof },
        { ...options, noUnusedLocals: false },
      ),
    ).toEqual([])
  })

  test('have every word of a field that takes others too, each where it is described', () => {
    for (const words of Object.values(OPEN_WORDS)) {
      expect(DECLARATIONS).toContain(
        `${words.map((word) => JSON.stringify(word)).join(' | ')} | (string & {})`,
      )
    }
  })
})

describe('in an editor', () => {
  const options = {
    ...STRICT,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  }
  const probes = [
    [
      "import { createRuntime } from './index.js'\nconst runtime = await createRuntime({ ",
      'durability',
      ": 'sync' })\n",
    ],
    ['await runtime.observe({ ', 'input_text', ": 'x', memory: { "],
    ['', 'kind', ": 'rule' }, "],
    ['', 'origin', ": 'user' })\n"],
    ['await runtime.guide({ ', 'query_text', ": 'x', "],
    ['', 'context_mode', ": 'standard' })\n"],
    ['await runtime.', 'erase', "({ reason: 'x' })\n"],
    [
      "const { guide_trace_id, agent_context } = await runtime.guide({ query_text: 'x' })\nvoid agent_context.",
      'prompt_text',
      '\n',
    ],
  ] as const

  test('every probed field, option and method has its documentation', () => {
    let text = ''
    const places = probes.map(([before, probed, after]) => {
      text += before
      const place = { probed, position: text.length }
      text += `${probed}${after}`
      return place
    })
    const files = new Map([
      [at('index.d.ts'), DECLARATIONS],
      [at('probe.ts'), text],
    ])
    const host = hostWith(files, options)
    const service = ts.createLanguageService({
      getCompilationSettings: () => options,
      getScriptFileNames: () => [...files.keys()],
      getScriptVersion: () => '1',
      getScriptSnapshot: (path) => {
        const found = host.readFile(path)
        return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found)
      },
      getCurrentDirectory: () => process.cwd(),
      directoryExists: (path) => host.directoryExists?.(path) === true,
      getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
      fileExists: (path) => host.fileExists(path),
      readFile: (path) => host.readFile(path),
    })
    for (const { probed, position } of places) {
      const info = service.getQuickInfoAtPosition(at('probe.ts'), position)
      const said = ts.displayPartsToString(info?.documentation)
      expect(said, probed).not.toBe('')
    }
  })
})

test('what a caller that requires the package is given names every value', () => {
  const values = [...DECLARATIONS.matchAll(/^export declare (?:class|function) (\w+)/gm)].map(
    ([, name]) => name,
  )
  expect(values).toEqual(['MemgovError', 'ConfigError', 'createRuntime'])
  for (const name of values)
    expect(COMMONJS_DECLARATIONS).toContain(`export declare const ${name}: typeof memgov.${name}`)
})

test('what a caller that requires the client is given names every value', () => {
  const index = CLIENT_FILES['client.d.ts']
  const values = [...index.matchAll(/^export declare (?:function|const) (\w+)/gm)].map(([, name]) => name)
  expect(values).toEqual(['CLIENT_VERSION', 'createClient'])
  expect(index).toContain("MemgovError } from './client-error.js'")
  for (const name of [...values, 'MemgovError'])
    expect(CLIENT_COMMONJS_DECLARATIONS).toContain(`export declare const ${name}: typeof client.${name}`)
})
