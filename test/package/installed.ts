import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end. Nothing of the environment of the tests but its paths reaches it. */
export function run(
  cwd: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const { PATH = '', HOME = '' } = process.env
    const child = spawn(command, args, {
      cwd,
      env: { PATH, HOME, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 120_000,
    })
    const said = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said.stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said.stderr += text
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...said }))
  })
}

/** Bundlers read every folder above their own: this one has few entries, also where many tests leave theirs. */
const PARENT = existsSync('/var/tmp') ? '/var/tmp' : tmpdir()

/** A folder of its own for one program. */
export class Folder {
  readonly path = mkdtempSync(join(PARENT, 'memgov-package-'))

  write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.path, name)), { recursive: true })
      writeFileSync(join(this.path, name), text)
    }
  }

  run(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    return run(this.path, command, args, env)
  }

  node(args: readonly string[], program = process.execPath): Promise<Ended> {
    return this.run(program, args)
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

/** Packs what was built into `folder` and answers the path of the file. */
export async function pack(folder: Folder): Promise<string> {
  const { code, stderr } = await run(ROOT, 'npm', [
    'pack',
    '--ignore-scripts',
    '--pack-destination',
    folder.path,
  ])
  if (code !== 0) throw new Error(stderr)
  const [file = ''] = readdirSync(folder.path).filter((name) => name.endsWith('.tgz'))
  return join(folder.path, file)
}

/** A program that stores a fact, has a thread find it, and prints how many it found. It does not close. */
export function loop(load: string, dataDir: string): string {
  return `
    ${load}
    async function main() {
      const runtime = await createRuntime({ dataDir: ${JSON.stringify(dataDir)}, inlineRankMaxNs: 0 })
      await runtime.observe({ input_text: 'Deploys go through staging first.' })
      const { agent_context } = await runtime.guide({ query_text: 'deploy' })
      console.log('found', agent_context.memory_ids.length)
    }
    main().catch((error) => {
      console.log(error.name, error.code, error.message)
    })
  `
}

/** The program that the README shows under `## An agent loop`, and what it says that it prints. */
export function agentLoop(): { readonly source: string; readonly printed: string } {
  const page = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const source = /```js agent\.mjs\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
  const printed = /```sh\nnode agent\.mjs\n```\n\n```text\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
  if (source === '' || printed === '') throw new Error('README.md shows no agent loop')
  return { source, printed }
}

/** Starts a service, waits for its line, stops it. */
export function startedBy(cwd: string, command: string, args: readonly string[]) {
  return new Promise<{ line: string; ended: { code: number | null; stderr: string } }>((resolve, reject) => {
    const child = spawn(command, args, { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let line = ''
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      line += text
      // npm passes a signal on to nobody behind its shell: the whole group gets it.
      if (line.includes('\n') && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ line: line.trim(), ended: { code, stderr } }))
  })
}

export const isOffline = (text: string) =>
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|network|E403|E404|E5\d\d/.test(text)
/** What npm says but of the settings of this machine. */
export const complaints = (text: string) => text.replace(/^npm warn Unknown (?:user|env) config.*\n/gm, '')
export const said = (text: string) =>
  text.split('\n').find((line) => line.includes('code')) ?? text.slice(0, 200)

/** A program as users have it in projects of several kinds: the files of each. */
export function projectsOf(source: string): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const [load, ...rest] = source.split('\n')
  const body = rest.join('\n')
  const required = load?.replace(/import (.*) from ('memgov')/, 'const $1 = require($2)') ?? ''
  const inFunction = (head: string) => `${head}\nasync function main() {${body}}\nmain()`
  return {
    ESM: { 'agent.mjs': source },
    CommonJS: { 'agent.cjs': inFunction(required) },
    TypeScript: {
      'agent.mts': source.replace('act(prompt)', 'act(prompt: string)'),
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          strict: true,
          target: 'es2023',
          module: 'nodenext',
          types: ['node'],
          typeRoots: [join(ROOT, 'node_modules/@types')],
        },
      }),
    },
    Jest: {
      'agent.test.cjs': `${required}\ntest('agent', async () => {${body}})`,
      'jest.config.json': JSON.stringify({ testMatch: ['**/*.test.cjs'], transform: {}, verbose: false }),
    },
    esbuild: { 'agent.ts': source.replace('act(prompt)', 'act(prompt: string)') },
  }
}
