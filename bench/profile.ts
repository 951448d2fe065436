// Where does the time of a request go? Profiles workloads of this build or of another one, and draws flame graphs.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { costTable } from './profile/cost-table.ts'
import { foldProfile } from './profile/cpu-profile.ts'
import { flameSvg } from './profile/flame-svg.ts'
import type { Profiled } from './profile/profiler.ts'
import { FULL, QUICK, WORKLOADS, type Workload } from './profile/workloads.ts'
import { commitOf } from './suite/machine.ts'
import { progressLineOn } from './suite/progress-line.ts'

export const PROFILE_USAGE = `npm run bench -- profile [NAME...] [--out DIR] [--label WORD] [--build DIR] [--raw] [--quick]

  NAME         ${WORKLOADS.map(({ name }) => name).join(', ')}; default: all
  --out DIR    where LABEL-NAME.svg and LABEL-NAME.txt are written; default: .
  --label WORD first part of the file names; default: the commit
  --build DIR  a checkout that was built, profiled instead of this one
  --raw        also LABEL-NAME.cpuprofile, which browsers and editors open
  --quick      smaller sizes
`

const OWN_BUILD = fileURLToPath(new URL('../../', import.meta.url))
const CHILD = fileURLToPath(new URL('./profile/workload-process.js', import.meta.url))
const LEAST_SHARE = 0.005
const SVG_BYTES_MAX = 60_000
const TABLE_ROWS = 40

/** Writes a flame graph and a table for each workload. Exit code: 0 done, 2 arguments not understood. */
export async function profileCommand(argv: readonly string[]): Promise<number> {
  const parsed = parsedFrom(argv)
  const unknown = parsed?.positionals.find((name) => !WORKLOADS.some((each) => each.name === name))
  if (parsed === null || unknown !== undefined) {
    process.stderr.write(
      `${unknown === undefined ? '' : `There is no workload ${unknown}.\n`}${PROFILE_USAGE}`,
    )
    return 2
  }
  const { values, positionals } = parsed
  const build = resolve(values.build ?? OWN_BUILD)
  const commit = commitOf(build) ?? 'unknown'
  const [out, label] = [resolve(values.out ?? '.'), values.label ?? commit]
  const size = values.quick === true ? QUICK : FULL
  await mkdir(out, { recursive: true })
  const progress = progressLineOn(process.stderr)
  for (const workload of WORKLOADS) {
    const { name, says, kind } = workload
    if (positionals.length > 0 && !positionals.includes(name)) continue
    progress.say(name)
    const profiled = await profileApart(workload, build, values.quick === true)
    progress.clear()
    const root = foldProfile(profiled.profile, (url) => placeIn(build, url))
    const operations = size.ops[kind]
    const title = `${label}: ${says}, ${size.memories} memories; commit ${commit}, Node ${process.version}`
    const us = (value: number) => `${(value / operations).toFixed(0)} µs`
    const table = [
      title,
      `${operations} operations; of one: ${us(profiled.wallUs)} from start to end, ${us(profiled.cpuUs)} of processor time in all threads, ${us(root.totalUs)} on the main thread`,
      '',
      costTable(root, operations, TABLE_ROWS),
    ].join('\n')
    const file = join(out, `${label}-${name}`)
    await writeFile(
      `${file}.svg`,
      flameSvg(root, { title, leastShare: LEAST_SHARE, bytesMax: SVG_BYTES_MAX }),
    )
    await writeFile(`${file}.txt`, table)
    if (values.raw === true) await writeFile(`${file}.cpuprofile`, JSON.stringify(profiled.profile))
    process.stdout.write(`${table}\n`)
  }
  return 0
}

async function profileApart({ name }: Workload, build: string, isQuick: boolean): Promise<Profiled> {
  const child = fork(CHILD, [name, build, isQuick ? 'quick' : 'full'])
  const gone = once(child, 'exit')
  const failed = gone.then(([code]) => Promise.reject(new Error(`${name} ended with ${String(code)}`)))
  const [profiled] = await Promise.race([once(child, 'message'), failed])
  await gone
  return profiled
}

/** From the root of the build, or of this one; packages by their name. Nothing of where a folder lies on this machine. */
export function placeIn(build: string, url: string): string {
  const from = url.lastIndexOf('node_modules/')
  if (from !== -1) return url.slice(from)
  if (!url.startsWith('file:')) return url
  for (const folder of [build, OWN_BUILD]) {
    const root = `${pathToFileURL(folder).href.replace(/\/$/, '')}/`
    if (url.startsWith(root)) return url.slice(root.length).replace(/^dist\//, '')
  }
  return url.slice(url.lastIndexOf('/') + 1)
}

function parsedFrom(argv: readonly string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { out: text, label: text, build: text, raw: flag, quick: flag },
    })
  } catch {
    return null
  }
}
