import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DocumentedPage, masked, maskedJson, readDocumentedPage } from './documented-page.ts'
import { freePort } from './listener.ts'
import { type ServedProcess, startProcess } from './process.ts'

// What pages show as a command is typed here, by one shell for each page, beside one service.

const ROOT = new URL('../../', import.meta.url)
/** The address of the service in every page. */
const DOCUMENTED_PORT = '3001'
/** Ports of further services that pages start. */
const OTHER_PORTS = /\b300[2-9]\b/g
/** Between the outputs of two commands. */
const MARK = '@@ ended with'

export type NamedPage = readonly [string, DocumentedPage]

/** The pages of a folder. */
export async function pagesIn(folder: string): Promise<readonly NamedPage[]> {
  return (await readdir(new URL(folder, ROOT))).toSorted().map((name) => pageAt(`${folder}/${name}`))
}

/** A page by its path from the root. */
export function pageAt(path: string): NamedPage {
  return [path, readDocumentedPage(new URL(path, ROOT))]
}

let folder = ''
let service: ServedProcess

/** Tests that each page does what it shows. */
export function testTyping(pages: readonly NamedPage[]): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'memgov-pages-'))
    await mkdir(join(folder, 'bin'))
    await mkdir(join(folder, 'node_modules'))
    await symlink(fileURLToPath(ROOT), join(folder, 'node_modules/memgov'))
    const main = fileURLToPath(new URL('dist/service/main.js', ROOT))
    const replay = fileURLToPath(new URL('dist/bench/replay.js', ROOT))
    const programs = {
      memgov: `exec "${process.execPath}" "${main}" "$@"`,
      npx: 'exec "$@"',
      // Only npm run replay -- FILE.
      npm: `cd "${fileURLToPath(ROOT)}" && shift 3 && exec "${process.execPath}" "${replay}" "$@"`,
    }
    for (const [name, text] of Object.entries(programs))
      await writeFile(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
    service = await startProcess(join(folder, 'snapshots'), ['--segment-bytes', '1048576'])
  })

  afterAll(async () => {
    await service.end('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })

  test.for(pages)('%s does what it shows', async ([, page], { skip }) => {
    const missing = missingProgramsOf(page)
    skip(missing.length > 0, `this machine has no ${missing.join(', ')}`)
    const outputs = await typed(page)
    for (const [at, { text, output }] of page.commands.entries()) {
      const { said, status } = outputs[at] ?? { said: 'nothing ran', status: '' }
      if (output === null) expect([text, status, said]).toEqual([text, '0', said])
      else if (output.language === 'json')
        expect(maskedJson(lastLineOf(said))).toMatchObject(Object(maskedJson(output.text)))
      else expect(masked(said)).toMatch(patternOf(masked(output.text)))
    }
  })
}

/** Programs besides ours and Node that the commands of a page need and this machine has not. */
function missingProgramsOf({ commands }: DocumentedPage): readonly string[] {
  const text = commands.map((command) => command.text).join('\n')
  return ['bash', 'curl', 'openssl'].filter(
    (name) =>
      (name === 'bash' || text.includes(`${name} `)) &&
      spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0,
  )
}

/** Types every command of a page into one shell; gives what each printed, and its exit status. */
async function typed({ files, commands }: DocumentedPage) {
  if (commands.length === 0) return []
  for (const { note, text } of files) await writeFile(join(folder, note), text)
  const script = commands.map(({ text }) => `${beginning(text)}\necho "${MARK} $?"`).join('\n')
  const port = new URL(service.url).port
  const others = new Map<string, string>()
  for (const [other] of script.matchAll(OTHER_PORTS))
    others.set(other, others.get(other) ?? String(await freePort()))
  const own = script
    .replaceAll(`127.0.0.1:${DOCUMENTED_PORT}`, `127.0.0.1:${port}`)
    .replaceAll(OTHER_PORTS, (other) => others.get(other) ?? other)
  const shell = spawn('bash', ['-c', `${own}\nkill $(jobs -p) 2>/dev/null; wait`], {
    cwd: folder,
    env: {
      PATH: `${folder}/bin:${process.env['PATH'] ?? ''}`,
      HOME: folder,
      MEMGOV_URL: service.url,
      NO_COLOR: '1',
    },
  })
  let said = ''
  shell.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  shell.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  await once(shell, 'close')
  const parts = said.replaceAll(folder, '/home/you/project').split(new RegExp(`${MARK} (\\d+)\n`))
  return commands.map((_, at) => ({ said: parts[2 * at] ?? '', status: parts[2 * at + 1] ?? '' }))
}

/** A service of a page runs behind the commands that follow it, from the moment it listens. */
function beginning(text: string): string {
  const serve = /^(?:npx )?memgov serve [^|]*$/m
  if (!serve.test(text) || text.includes('--print-config')) return text
  const wait =
    'for i in $(seq 600); do grep -qs "listens on" serve.log && break; sleep 0.05; done; cat serve.log'
  return text.replace(serve, (line) => `rm -f serve.log; ${line.trim()} > serve.log 2>&1 &\n${wait}`)
}

function lastLineOf(text: string): string {
  return text.trim().split('\n').at(-1) ?? ''
}

/** A line `…` of the page stands for any lines. */
function patternOf(text: string): RegExp {
  const parts = text.split(/^…$/m).map((part) => part.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`)
}
